"""Linking: the parts of a game, and the variants chosen, become one set of declarations.

A variant changes its base by name or rule id. Two variants that change the same thing must say which comes last
(``after``); otherwise both places are reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import attrs

from ..diagnostics import Label, Sink, did_you_mean
from ..files.folder import GameFiles
from ..source import Span
from ..syntax import tree

Named = (
    tree.Enum
    | tree.Range
    | tree.Grid
    | tree.Table
    | tree.Number
    | tree.Setting
    | tree.Variable
    | tree.Define
    | tree.Graph
    | tree.Event
)


@attrs.define
class Linked:
    """All declarations of a game with its variants. ``names`` holds everything that shares the one space of names."""

    game: tree.Game
    names: dict[str, Named] = attrs.field(factory=dict)
    owners: dict[str, tuple[str, ...]] = attrs.field(factory=dict)
    rules: dict[str, tree.Rule] = attrs.field(factory=dict)
    winner: tree.Winner | None = None
    invariants: dict[str, tree.Invariant] = attrs.field(factory=dict)
    adjustments: dict[str, list[tree.Adjust]] = attrs.field(factory=dict)
    variants: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()
    """Words of items that could not be parsed: names among them are not reported as unknown."""

    def all(self, kind: type) -> Iterator[Named]:
        return (d for d in self.names.values() if isinstance(d, kind))


def link(files: GameFiles, variants: Sequence[str], sink: Sink) -> Linked | None:
    """The game with ``variants`` (names, in any order) applied. None when there is no game header."""
    if files.game is None:
        return None
    linked = Linked(files.game, words=frozenset().union(*(f.words for f in files.parts)))
    for file in files.parts:
        for item in file.items[1:]:
            _declare(linked, item, None, sink)
    order = _order(files, variants, sink)
    linked.variants = tuple(order)
    touched: dict[tuple[str, str], tuple[str, Span]] = {}
    for name in order:
        file = files.variants[name]
        linked.words |= file.words
        for item in file.items[1:]:
            _conflict(item, name, files, touched, sink)
            _apply(linked, item, name, sink)
    _unique_ids(linked, sink)
    return linked


# ---------------------------------------------------------------- declarations


def _declare(linked: Linked, item: tree.Item, variant: str | None, sink: Sink) -> None:
    match item:
        case tree.Variables():
            for variable in item.variables:
                if _new_name(linked, variable.name, variable.span, sink):
                    linked.names[variable.name] = variable
                    linked.owners[variable.name] = item.owners
        case (
            tree.Enum()
            | tree.Range()
            | tree.Grid()
            | tree.Table()
            | tree.Number()
            | tree.Setting()
            | tree.Define()
            | tree.Graph()
            | tree.Event()
        ):
            if _new_name(linked, item.name, item.span, sink):
                linked.names[item.name] = item
        case tree.Rule():
            if item.id in linked.rules:
                _twice(f"rule `{item.id}`", item.head, linked.rules[item.id].head, sink)
            else:
                linked.rules[item.id] = item
        case tree.Winner():
            if linked.winner is not None:
                _twice("`winner`", item.span, linked.winner.span, sink)
            linked.winner = item
        case tree.Invariant():
            if item.id in linked.invariants:
                _twice(f"invariant `{item.id}`", item.span, linked.invariants[item.id].span, sink)
            linked.invariants[item.id] = item
        case tree.Example() | tree.Game() | tree.Part() | tree.Examples() | tree.Variant():
            pass
        case _:
            sink.error(
                "R0301",
                item.span,
                "Only a variant can change what another file declares.",
                help="Change the declaration itself, or start a file with `variant NAME of GAME`.",
            )


WORDS = frozenset({"if", "none", "yes", "no", "not", "players", "Player"})
"""Words that mean something wherever a name can stand, so nothing can be called by them."""


def _new_name(linked: Linked, name: str, span: Span, sink: Sink) -> bool:
    from ..elaborate.builtins import NAMES, RESERVED

    if name in WORDS or name in NAMES or name in RESERVED:
        sink.error("R0205", span, f"`{name}` is a word of the language.", help="Choose another name.")
    if name in linked.names:
        _twice(f"`{name}`", span, linked.names[name].span, sink)
        return False
    return True


def _twice(what: str, span: Span, first: Span, sink: Sink) -> None:
    sink.error(
        "R0303",
        span,
        f"{what[0].upper()}{what[1:]} is declared twice.",
        labels=[Label(first, "first here")],
        help="Rename one of them.",
    )


def _unique_ids(linked: Linked, sink: Sink) -> None:
    """Every rule and option id stands once."""
    seen: dict[str, Span] = {}
    for rule in linked.rules.values():
        for id_, span in ids_in(rule):
            if id_ in seen and seen[id_] != span:
                _twice(f"rule `{id_}`", span, seen[id_], sink)
            seen.setdefault(id_, span)


def ids_in(rule: tree.Rule) -> Iterator[tuple[str, Span]]:
    """The ids of a rule and of all rules and options in it, in the order of the text."""
    yield rule.id, rule.head
    yield from _ids(rule.body)


def _ids(body: Iterable[tree.Statement]) -> Iterator[tuple[str, Span]]:
    for statement in body:
        if isinstance(statement, tree.Rule):
            yield from ids_in(statement)
        elif isinstance(statement, tree.Menu):
            for option in statement.options:
                yield option.id, option.head
                yield from _ids(option.body)
        else:
            for inner in blocks(statement):
                yield from _ids(inner)


def blocks(statement: tree.Statement) -> list[tuple[tree.Statement, ...]]:
    """The blocks inside a statement (not those of rules and options in it)."""
    match statement:
        case tree.If():
            return [statement.then, statement.otherwise or ()]
        case tree.Each() | tree.Together() | tree.Repeat() | tree.TakeTurns() | tree.Inserted():
            return [statement.body]
        case tree.Choose():
            return [statement.body or (), statement.otherwise or ()]
    return []


# ---------------------------------------------------------------- variants


def _order(files: GameFiles, variants: Sequence[str], sink: Sink) -> list[str]:
    """The variants asked for and those they stand on, bases first, ``after`` respected."""
    order: list[str] = []
    doing: list[str] = []

    def visit(name: str, span: Span | None) -> None:
        if name in order:
            return
        if name not in files.variants:
            known = did_you_mean(name, files.variants)
            where = span or (files.game.span if files.game else Span("", 0, 0, 0, 0))
            sink.error("R0304", where, f"There is no variant called `{name}`.", help=known)
            return
        header = files.header(name)
        if name in doing:
            sink.error(
                "R0310",
                header.span,
                f"`{name}` comes after itself: {' -> '.join([*doing, name])}.",
                help="Remove one of these steps.",
            )
            return
        doing.append(name)
        for base in header.of[1:]:
            visit(base, header.span)
        for earlier in header.after:
            if earlier in wanted or earlier not in files.variants:
                visit(earlier, header.span)
        doing.pop()
        order.append(name)

    wanted: set[str] = set()
    todo = list(variants)
    while todo:
        name = todo.pop()
        if name not in wanted:
            wanted.add(name)
            if name in files.variants:
                todo.extend(files.header(name).of[1:])
    for name in variants:
        visit(name, None)
    return order


def _comes_after(files: GameFiles, later: str, earlier: str) -> bool:
    """Whether ``later`` says, directly or through others, that it comes after ``earlier``."""
    todo, seen = [later], {later}
    while todo:
        header = files.header(todo.pop())
        for name in (*header.of[1:], *header.after):
            if name == earlier:
                return True
            if name in files.variants and name not in seen:
                seen.add(name)
                todo.append(name)
    return False


def _touches(item: tree.Item) -> list[tuple[str, str]]:
    """What a variant's item changes, so that two variants that change the same can be told."""
    match item:
        case tree.ChangeNumber() | tree.ChangeSetting():
            return [("name", item.name)]
        case tree.Replace(inner):
            if isinstance(inner, (tree.Rule, tree.Invariant)):
                return [("rule", inner.id)]
            if isinstance(inner, tree.MenuOption):
                return [("rule", inner.id)]
            return [("name", "winner" if isinstance(inner, tree.Winner) else inner.name)]
        case tree.RemoveRule():
            return [("rule", item.id)]
        case tree.Insert():
            return [(item.where, item.id)]
        case tree.ExtendDefine():
            return [("case", f"{item.name}.{m}") for match in item.matches for m in match.members]
    return []


def _conflict(
    item: tree.Item, variant: str, files: GameFiles, touched: dict[tuple[str, str], tuple[str, Span]], sink: Sink
) -> None:
    for key in _touches(item):
        before = touched.get(key)
        if before is not None and before[0] != variant and not _comes_after(files, variant, before[0]):
            sink.error(
                "R0306",
                item.span,
                f"`{variant}` and `{before[0]}` both change `{key[1]}`.",
                labels=[Label(before[1], f"changed by `{before[0]}` here")],
                help=f"Say which comes last: `variant {variant} of ... after {before[0]}`.",
            )
        touched[key] = (variant, item.span)


def _apply(linked: Linked, item: tree.Item, variant: str, sink: Sink) -> None:
    match item:
        case tree.ChangeNumber():
            old = linked.names.get(item.name)
            if isinstance(old, tree.Number):
                case = tree.Case(None, item.value, span=item.span)
                linked.names[item.name] = tree.Number(item.name, (case,), span=item.span)
            else:
                _missing("number", item.name, item.span, (n.name for n in linked.all(tree.Number)), sink)
        case tree.ChangeSetting():
            old = linked.names.get(item.name)
            if not isinstance(old, tree.Setting):
                _missing(item.kind, item.name, item.span, (n.name for n in linked.all(tree.Setting)), sink)
            elif item.value not in old.values:
                _missing(f"value of `{item.name}`", item.value, item.span, old.values, sink)
            else:
                linked.names[item.name] = attrs.evolve(old, default=item.value)
        case tree.Replace(inner):
            _replace(linked, inner, variant, item.span, sink)
        case tree.RemoveRule():
            _edit(linked, item.id, item.span, sink, lambda old: [])
        case tree.Insert():
            _insert(linked, item, variant, sink)
        case tree.ExtendEnum():
            old = linked.names.get(item.name)
            if isinstance(old, tree.Enum):
                linked.names[item.name] = attrs.evolve(old, members=old.members + item.members)
            else:
                _missing("enum", item.name, item.span, (n.name for n in linked.all(tree.Enum)), sink)
        case tree.ExtendTable():
            old = linked.names.get(item.name)
            if isinstance(old, tree.Table):
                linked.names[item.name] = attrs.evolve(
                    old,
                    columns=old.columns + item.columns,
                    rows=old.rows + item.rows,
                    stand_in=item.stand_in or old.stand_in,
                )
            else:
                _missing("table", item.name, item.span, (n.name for n in linked.all(tree.Table)), sink)
        case tree.ExtendDefine():
            old = linked.names.get(item.name)
            if isinstance(old, tree.Define) and old.by is not None:
                linked.names[item.name] = attrs.evolve(old, matches=old.matches + item.matches)
            else:
                known = (n.name for n in linked.all(tree.Define) if isinstance(n, tree.Define) and n.by)
                _missing("define with cases by name", item.name, item.span, known, sink)
        case tree.ExtendRule():
            _extend_menu(linked, item, variant, sink)
        case tree.Adjust():
            if isinstance(linked.names.get(item.name), tree.Define):
                linked.adjustments.setdefault(item.name, []).append(item)
            else:
                _missing("define", item.name, item.span, (n.name for n in linked.all(tree.Define)), sink)
        case _:
            _declare(linked, item, variant, sink)


def _missing(kind: str, name: str, span: Span, known: Iterable[str], sink: Sink) -> None:
    sink.error("R0305", span, f"There is no {kind} `{name}` to change.", help=did_you_mean(name, known))


def _replace(
    linked: Linked,
    inner: tree.Rule
    | tree.MenuOption
    | tree.Define
    | tree.Enum
    | tree.Table
    | tree.Graph
    | tree.Winner
    | tree.Invariant
    | tree.Number,
    variant: str,
    span: Span,
    sink: Sink,
) -> None:
    if isinstance(inner, (tree.Rule, tree.MenuOption)) and not _same_kind(linked, inner, span, sink):
        return
    if isinstance(inner, tree.MenuOption):
        new = attrs.evolve(inner, variant=variant)
        _edit(linked, inner.id, span, sink, lambda old: new)
    elif isinstance(inner, tree.Winner):
        linked.winner = inner
    elif isinstance(inner, tree.Invariant):
        if inner.id not in linked.invariants:
            _missing("invariant", inner.id, span, linked.invariants, sink)
        linked.invariants[inner.id] = inner
    elif isinstance(inner, tree.Rule):
        if inner.id in linked.rules:
            linked.rules[inner.id] = inner
        else:
            _edit(linked, inner.id, span, sink, lambda old: [tree.Inserted(variant, (inner,), span=span)])
    else:
        old = linked.names.get(inner.name)
        if old is None or type(old) is not type(inner):
            kind = type(inner).__name__.lower()
            _missing(kind, inner.name, span, (n.name for n in linked.all(type(inner))), sink)
        else:
            linked.names[inner.name] = inner


def _same_kind(linked: Linked, inner: tree.Rule | tree.MenuOption, span: Span, sink: Sink) -> bool:
    """A rule takes the place of a rule, an option that of an option. (A missing one is reported later.)"""
    kinds: dict[str, str] = {}
    for rule in linked.rules.values():
        kinds |= _kinds(rule)
    found = kinds.get(inner.id)
    given = "option" if isinstance(inner, tree.MenuOption) else "rule"
    if found is None or found == given:
        return True
    article = "an" if found == "option" else "a"
    sink.error("R0305", span, f"`{inner.id}` is {article} {found}.", help=f"Write `replace {found} {inner.id}`.")
    return False


def _kinds(rule: tree.Rule) -> dict[str, str]:
    """Id to ``rule`` or ``option`` for a rule and everything in it."""
    found = {rule.id: "rule"}

    def visit(body: Iterable[tree.Statement]) -> None:
        for statement in body:
            if isinstance(statement, tree.Rule):
                found.update(_kinds(statement))
            elif isinstance(statement, tree.Menu):
                for option in statement.options:
                    found[option.id] = "option"
                    visit(option.body)
            for block in blocks(statement):
                visit(block)

    visit(rule.body)
    return found


def _insert(linked: Linked, item: tree.Insert, variant: str, sink: Sink) -> None:
    new = tree.Inserted(variant, item.body, span=item.span)
    before = item.where == "before"

    def around(old: tree.Rule | tree.MenuOption) -> list[tree.Statement] | tree.MenuOption:
        if isinstance(old, tree.MenuOption):
            needs = tuple(s for s in old.body if isinstance(s, tree.Needs))
            rest = old.body[len(needs) :]
            return attrs.evolve(old, body=(*needs, new, *rest) if before else (*needs, *rest, new))
        return [new, old] if before else [old, new]

    rule = linked.rules.get(item.id)
    if rule is not None:
        needs = tuple(s for s in rule.body if isinstance(s, tree.Needs))
        rest = rule.body[len(needs) :]
        body = (*needs, new, *rest) if before else (*needs, *rest, new)
        linked.rules[item.id] = attrs.evolve(rule, body=body)
    else:
        _edit(linked, item.id, item.span, sink, around)


def _extend_menu(linked: Linked, item: tree.ExtendRule, variant: str, sink: Sink) -> None:
    options = tuple(attrs.evolve(option, variant=variant) for option in item.options)
    done = False

    def extend(old: tree.Rule | tree.MenuOption) -> list[tree.Statement] | tree.MenuOption:
        body, found = _add_options(old.body, options)
        nonlocal done
        done = done or found
        new = attrs.evolve(old, body=body)
        return new if isinstance(new, tree.MenuOption) else [new]

    rule = linked.rules.get(item.id)
    if rule is not None:
        (linked.rules[item.id],) = extend(rule)  # type: ignore[misc,assignment]
    elif not _edit(linked, item.id, item.span, sink, extend):
        return
    if not done:
        sink.error(
            "R0305",
            item.span,
            f"Rule `{item.id}` has no `chooses one of` to extend.",
            help="Name the rule the menu stands in.",
        )


def _add_options(
    body: tuple[tree.Statement, ...], options: tuple[tree.MenuOption, ...]
) -> tuple[tuple[tree.Statement, ...], bool]:
    """Adds the options to the first menu in the body (looking into blocks, not into other rules)."""
    out: list[tree.Statement] = []
    found = False
    for statement in body:
        if not found and isinstance(statement, tree.Menu):
            statement, found = attrs.evolve(statement, options=statement.options + options), True
        elif not found:
            for field in ("then", "otherwise", "body"):
                inner = getattr(statement, field, None)
                if isinstance(inner, tuple) and not isinstance(statement, tree.Rule) and not found:
                    inner, found = _add_options(inner, options)
                    statement = attrs.evolve(statement, **{field: inner})  # type: ignore[arg-type]
        out.append(statement)
    return tuple(out), found


Edit = Callable[["tree.Rule | tree.MenuOption"], "list[tree.Statement] | tree.MenuOption"]


def _edit(linked: Linked, id_: str, span: Span, sink: Sink, change: Edit) -> bool:
    """Changes the rule or option ``id_`` wherever it stands. A removed top-level rule stays, doing nothing."""
    if id_ in linked.rules:
        result = change(linked.rules[id_])
        old = linked.rules[id_]
        linked.rules[id_] = result[0] if isinstance(result, list) and result else attrs.evolve(old, body=())  # type: ignore[assignment]
        return True
    for name, rule in linked.rules.items():
        body, found = _edit_body(rule.body, id_, change)
        if found:
            linked.rules[name] = attrs.evolve(rule, body=body)
            return True
    known = [i for rule in linked.rules.values() for i, _ in ids_in(rule)]
    if id_ not in linked.words:
        _missing("rule", id_, span, known, sink)
    return False


def _edit_body(body: tuple[tree.Statement, ...], id_: str, change: Edit) -> tuple[tuple[tree.Statement, ...], bool]:
    out: list[tree.Statement] = []
    found = False
    for statement in body:
        if found:
            out.append(statement)
            continue
        if isinstance(statement, tree.Rule) and statement.id == id_:
            out.extend(change(statement))  # type: ignore[arg-type]
            found = True
            continue
        if isinstance(statement, tree.Menu):
            options: list[tree.MenuOption] = []
            for option in statement.options:
                if option.id == id_:
                    result = change(option)
                    found = True
                    if isinstance(result, tree.MenuOption):
                        options.append(result)
                    continue
                inner, here = _edit_body(option.body, id_, change)
                found = found or here
                options.append(attrs.evolve(option, body=inner) if here else option)
            out.append(attrs.evolve(statement, options=tuple(options)) if found else statement)
            continue
        for field in ("then", "otherwise", "body"):
            block = getattr(statement, field, None)
            if isinstance(block, tuple) and not found:
                inner, found = _edit_body(block, id_, change)
                if found:
                    statement = attrs.evolve(statement, **{field: inner})  # type: ignore[arg-type]
        out.append(statement)
    return tuple(out), found
