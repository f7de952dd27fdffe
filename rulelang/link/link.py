"""Linking: the parts of a game and its chosen variants become one set of declarations.

A variant makes changes to its base, by name or rule id. Two variants that change the same thing must say which comes
last (``after``); otherwise both places are reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias, TypeVar, assert_never

import attrs

from ..diagnostics import Label, Sink, did_you_mean
from ..files.folder import GameFiles
from ..fixes import AtEnd, Fix, Help, ReplaceText
from ..source import Span
from ..syntax import tree
from ..syntax.walk import ids_in, own_statements, replace, rules_in
from ..traversal import closure
from .linked import Linked, condition_of, declare, twice

Touched: TypeAlias = dict[tuple[str, str], tuple[str, Span]]
"""The changes of variants so far: which variant made each last, and where."""

Holder: TypeAlias = "tree.Rule | tree.MenuOption"
Change: TypeAlias = "tree.Rule | tree.MenuOption | tree.Inserted | tuple[tree.Statement, ...]"
"""The replacement of a rule or option; an empty tuple removes it."""


def in_order(files: GameFiles, variants: Sequence[str], sink: Sink) -> list[str]:
    """The variants asked for and those they build on, bases first, ``after`` respected."""
    order: list[str] = []
    doing: list[str] = []

    def visit(name: str, span: Span | None) -> None:
        if name in order or (
            any(name == found.name for found in files.unsound.values()) and name not in files.variants
        ):
            return  # the mistakes of a file whose header cannot be read are reported as such
        if name not in files.variants:
            known = did_you_mean(name, files.variants)
            where = span or (files.game.span if files.game else Span("", 0, 0, 0, 0))
            sink.error("R0304", where, f"There is no variant called `{name}`.", help=known or _known(files))
            return
        header = files.header(name)
        if name in doing:
            sink.error(
                "R0310",
                header.span,
                f"`{name}` comes after itself: {' -> '.join([*doing, name])}.",
                help="Remove one of these links.",
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

    wanted = closure(variants, lambda name: files.header(name).of[1:] if name in files.variants else ())
    for name in variants:
        visit(name, None)
    return order


def _known(files: GameFiles) -> str:
    """The variants that a game has."""
    names = ", ".join(sorted(files.variants))
    return f"The game has these variants: {names}." if names else "The game has no variants yet."


def _comes_after(files: GameFiles, later: str, earlier: str) -> bool:
    """Whether ``later`` says, directly or through others, that it comes after ``earlier``."""

    def bases(name: str) -> tuple[str, ...]:
        return (*files.header(name).of[1:], *files.header(name).after) if name in files.variants else ()

    return earlier in closure(bases(later), bases)


def _touches(item: tree.Item) -> list[tuple[str, str]]:
    """The targets of a variant's item, so that two variants that change the same thing can be found."""
    match item:
        case tree.ChangeNumber() | tree.ChangeSetting():
            return [("name", item.name)]
        case tree.Replace(inner):
            if isinstance(inner, (tree.Rule, tree.Invariant)):
                return [("rule", inner.id)]
            if isinstance(inner, tree.MenuOption):
                return [("rule", inner.id)]
            if isinstance(inner, (tree.Winner, tree.Out)):
                return [("name", "winner" if isinstance(inner, tree.Winner) else "out")]
            return [("name", inner.name)]
        case tree.ChangeRow() | tree.RemoveRow():
            return [("row", f"{item.row} of {item.table}")]
        case tree.ChangeCell():
            return [("cell", f"{item.row}.{item.column} of {item.table}")]
        case tree.RemoveRule():
            return [("rule", item.id)]
        case tree.Insert():
            return [(item.where, item.id)]
        case tree.ExtendDefine():
            return [("case", f"{item.name}.{m}") for match in item.matches for m in match.members]
    return []


def report_conflict(item: tree.Item, variant: str, files: GameFiles, touched: Touched, sink: Sink) -> None:
    """Reports what two variants change when neither says that it comes after the other; notes it in ``touched``."""
    for key in _touches(item):
        before = next((touched[other] for other in (key, *_overlapping(item, touched)) if other in touched), None)
        if before is not None and before[0] != variant and not _comes_after(files, variant, before[0]):
            sink.error(
                "R0306",
                item.span,
                f"`{variant}` and `{before[0]}` both change `{key[1]}`.",
                labels=[Label(before[1], f"changed by `{before[0]}` here")],
                help=Help(
                    f"Say which one comes last, for example `variant {variant} of ... after {before[0]}`.",
                    (_put_after(files, variant, before[0]), _put_after(files, before[0], variant)),
                ),
            )
        touched[key] = (variant, item.span)


def _put_after(files: GameFiles, variant: str, other: str) -> Fix:
    """Lets ``variant`` come after ``other``."""
    header = files.header(variant)
    more = f", {other}" if header.after else f" after {other}"
    return Fix(f"Let `{variant}` come after `{other}`", (AtEnd(more, header.span),))


def _overlapping(item: tree.Item, touched: Touched) -> list[tuple[str, str]]:
    """What has been changed of the same table: all of it, the same row, or one of its values."""
    match item:
        case tree.ChangeCell():
            return [("row", f"{item.row} of {item.table}"), ("name", item.table)]
        case tree.ChangeRow() | tree.RemoveRow():
            start, end = f"{item.row}.", f" of {item.table}"
            values = [key for key in touched if key[0] == "cell" and key[1].startswith(start) and key[1].endswith(end)]
            return [*values, ("name", item.table)]
        case tree.Replace(tree.Table(name)):
            return [key for key in touched if key[0] in ("row", "cell") and key[1].endswith(f" of {name}")]
    return []


def apply(linked: Linked, item: tree.Item, variant: str, sink: Sink) -> None:
    """Makes the change that an item of a variant asks for, or declares what it adds."""
    match item:
        case tree.ChangeSetting():
            _change_setting(linked, item, sink)
        case tree.Replace(inner):
            _replace(linked, inner, variant, item.span, sink)
        case tree.RemoveRule():
            _edit(linked, item.id, item.span, sink, lambda old: ())
        case tree.Insert():
            _insert(linked, item, variant, sink)
        case tree.ExtendRule():
            _extend_menu(linked, item, variant, sink)
        case tree.Adjust():
            if _declared(linked, tree.Define, item.name, item.span, sink) is not None:
                linked.adjustments.setdefault(item.name, []).append(item)
        case _ if isinstance(item, _Changed):
            _change_declaration(linked, item, sink)
        case _:
            declare(linked, item, sink)


_Changed: TypeAlias = (
    tree.ChangeNumber
    | tree.ChangeRow
    | tree.ChangeCell
    | tree.RemoveRow
    | tree.ExtendEnum
    | tree.ExtendTable
    | tree.ExtendDefine
)
_D = TypeVar("_D", bound=tree.Node)


def _change_declaration(linked: Linked, item: _Changed, sink: Sink) -> None:
    """Makes a change of one declaration, which stays what it was otherwise."""
    new: tree.Number | tree.Enum | tree.Table | tree.Define | None = None
    match item:
        case tree.ChangeNumber():
            if _declared(linked, tree.Number, item.name, item.span, sink, "number") is not None:
                new = tree.Number(item.name, (tree.Case(None, item.value, span=item.span),), span=item.span)
        case tree.ChangeRow() | tree.ChangeCell() | tree.RemoveRow():
            table = _declared(linked, tree.Table, item.table, item.span, sink)
            new = table and attrs.evolve(table, edits=(*table.edits, item))
        case tree.ExtendEnum():
            enum = _declared(linked, tree.Enum, item.name, item.span, sink)
            new = enum and attrs.evolve(enum, members=enum.members + item.members)
        case tree.ExtendTable():
            table = _declared(linked, tree.Table, item.name, item.span, sink)
            new = table and attrs.evolve(
                table,
                columns=table.columns + item.columns,
                rows=table.rows + item.rows,
                stand_in=item.stand_in or table.stand_in,
            )
        case tree.ExtendDefine():
            by_name = (n.name for n in linked.all(tree.Define) if isinstance(n, tree.Define) and n.by)
            define = linked.names.get(item.name)
            if isinstance(define, tree.Define) and define.by is not None:
                new = attrs.evolve(define, matches=define.matches + item.matches)
            else:
                _missing("definition with cases by name", item.name, item.span, by_name, sink)
        case _:
            assert_never(item)
    if new is not None:
        linked.names[new.name] = new


def _change_setting(linked: Linked, item: tree.ChangeSetting, sink: Sink) -> None:
    old = _declared(linked, tree.Setting, item.name, item.span, sink, item.kind)
    if old is None:
        return
    if item.value not in old.values:
        remedy = did_you_mean(item.value, old.values) or f"Choose one of {', '.join(old.values)}."
        sink.error("R0305", item.span, f"`{item.value}` is not a value of `{item.name}`.", help=remedy)
    else:
        linked.names[item.name] = attrs.evolve(old, default=item.value)


def _declared(linked: Linked, cls: type[_D], name: str, span: Span, sink: Sink, kind: str | None = None) -> _D | None:
    """What a variant changes, by name; None, with a finding, where the game has no such thing."""
    found = linked.names.get(name)
    if isinstance(found, cls):
        return found
    word = kind or {tree.Define: "definition", tree.Grid: "board"}.get(cls, cls.__name__.lower())
    other = found.kind if isinstance(found, tree.Setting) else "number" if isinstance(found, tree.Number) else None
    if other is not None and kind is not None:
        fix = Fix(f"Write `change {other}`", (ReplaceText(other, word=word),), preferred=True)
        sink.error("R0305", span, f"There is no {word} `{name}` to change.", help=Help(f"{fix.title}.", (fix,)))
        return None
    _missing(word, name, span, (n.name for n in linked.all(cls)), sink)
    return None


def _missing(kind: str, name: str, span: Span, known: Iterable[str], sink: Sink) -> None:
    names = list(known)
    listed = ", ".join(f"`{n}`" for n in names[:8])
    remedy = f"Choose one of {listed}." if 0 < len(names) <= 8 else "Check how the game spells it, or declare it."
    sink.error("R0305", span, f"There is no {kind} `{name}` to change.", help=did_you_mean(name, names) or remedy)


def _replace(
    linked: Linked,
    inner: tree.Replaceable,
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
    elif isinstance(inner, tree.Out):
        if linked.out is None:
            sink.error("R0305", span, "The game has no `out when` to change.", help="Leave out `replace`.")
            return
        linked.out = inner
        linked.names["out"] = condition_of(inner)
    elif isinstance(inner, tree.Invariant):
        if inner.id not in linked.invariants:
            _missing("invariant", inner.id, span, linked.invariants, sink)
        linked.invariants[inner.id] = inner
    elif isinstance(inner, tree.Rule):
        if inner.id in linked.rules:
            linked.rules[inner.id] = inner
        else:
            _edit(linked, inner.id, span, sink, lambda old: tree.Inserted(variant, (inner,), span=span))
    elif inner.name == "out" and linked.out is not None:
        sink.error("R0305", span, "`out` is no definition of its own.", help="Write `replace out when CONDITION`.")
    elif _declared(linked, type(inner), inner.name, span, sink) is not None:
        linked.names[inner.name] = inner


def _same_kind(linked: Linked, inner: tree.Rule | tree.MenuOption, span: Span, sink: Sink) -> bool:
    """A rule takes the place of a rule, an option that of an option. (A missing one is reported later.)"""
    old = next((old for old in rules_in(tuple(linked.rules.values())) if old.id == inner.id), None)
    if old is None or type(old) is type(inner):
        return True
    article, found = ("an", "option") if isinstance(old, tree.MenuOption) else ("a", "rule")
    sink.error("R0305", span, f"`{inner.id}` is {article} {found}.", help=f"Write `replace {found} {inner.id}`.")
    return False


def _is_option(linked: Linked, item: tree.Insert, sink: Sink) -> bool:
    """Reports a rule that is called an option. (A missing one is reported later.)"""
    old = next((old for old in rules_in(tuple(linked.rules.values())) if old.id == item.id), None)
    if isinstance(old, tree.Rule):
        sink.error("R0305", item.span, f"`{item.id}` is a rule.", help=f"Write `{item.where} rule {item.id}`.")
    return not isinstance(old, tree.Rule)


def _insert(linked: Linked, item: tree.Insert, variant: str, sink: Sink) -> None:
    if item.kind == "option" and not _is_option(linked, item, sink):
        return
    new = tree.Inserted(variant, item.body, span=item.span)
    before = item.where == "before"

    def inside(old: Holder) -> Holder:
        """With the statements behind what the rule or option needs, or at its end."""
        needs = tuple(s for s in old.body if isinstance(s, tree.Needs))
        rest = old.body[len(needs) :]
        return attrs.evolve(old, body=(*needs, new, *rest) if before else (*needs, *rest, new))

    def around(old: Holder) -> Change:
        if isinstance(old, tree.MenuOption) or old.id in linked.rules:
            return inside(old)
        return (new, old) if before else (old, new)

    _edit(linked, item.id, item.span, sink, around)


def _extend_menu(linked: Linked, item: tree.ExtendRule, variant: str, sink: Sink) -> None:
    options = tuple(attrs.evolve(option, variant=variant) for option in item.options)

    def extend(old: Holder) -> Holder:
        menu = next((s for s in own_statements(old.body) if isinstance(s, tree.Menu)), None)
        if menu is not None:
            return replace(old, menu, attrs.evolve(menu, options=menu.options + options))
        sink.error(
            "R0305",
            item.span,
            f"Rule `{item.id}` has no `chooses one of` to extend.",
            help="Name the rule that contains the menu.",
        )
        return old

    _edit(linked, item.id, item.span, sink, extend)


def _edit(linked: Linked, id_: str, span: Span, sink: Sink, change: Callable[[Holder], Change]) -> None:
    """Changes the rule or option ``id_`` wherever it is. A removed top-level rule is kept, but does nothing."""
    if id_ in linked.rules:
        new = change(linked.rules[id_])
        linked.rules[id_] = new if isinstance(new, tree.Rule) else attrs.evolve(linked.rules[id_], body=())
        return
    for name, rule in linked.rules.items():
        for old in rules_in(rule.body):
            if old.id == id_:
                linked.rules[name] = replace(rule, old, change(old))
                return
    if id_ not in linked.words:
        _missing("rule", id_, span, [i for rule in linked.rules.values() for i, _ in ids_in(rule)], sink)


MOST_PLAYERS = 12


def link(files: GameFiles, variants: Sequence[str], sink: Sink) -> Linked | None:
    """The game with ``variants`` (names, in any order) applied. None when there is no game header that can be used."""
    if files.game is None or not _can_be_played(files.game, sink):
        return None
    linked = Linked(files.game, words=frozenset().union(*(f.words for f in files.parts)))
    for file in files.parts:
        for item in file.items[1:]:
            declare(linked, item, sink)
    order = in_order(files, variants, sink)
    linked.variants = tuple(order)
    touched: Touched = {}
    for name in order:
        file = files.variants[name]
        linked.words |= file.words
        for item in file.items[1:]:
            report_conflict(item, name, files, touched, sink)
            before = None if isinstance(item, tree.Example) else _declarations(linked)
            apply(linked, item, name, sink)
            if before == _declarations(linked) and not sink.has_errors:
                sink.error(
                    "R0311",
                    item.span,
                    "This changes nothing: what it says is what the rules say already.",
                    help="Remove it, or say what is to be different.",
                    severity="note",
                )
    _unique_ids(linked, sink)
    return linked


def _declarations(linked: Linked) -> tuple[object, ...]:
    """All that the items of a variant can change, as it is now."""
    adjusted = {name: len(items) for name, items in linked.adjustments.items()}
    named = (
        {**linked.names},
        {**linked.rules},
        {**linked.invariants},
        {**linked.owners},
        {**linked.keys},
        {**linked.carried},
    )
    return *named, linked.winner, linked.out, adjusted


def _can_be_played(game: tree.Game, sink: Sink) -> bool:
    """Whether the number of players is one that can be linked for; a mistake otherwise."""
    possible = 1 <= game.low <= game.high <= MOST_PLAYERS
    if not possible:
        message = f"A game must be for 1 to {MOST_PLAYERS} players."
        sink.error("R0307", game.span, message, help="Write, for example, `players 2..4`.")
    return possible


def _unique_ids(linked: Linked, sink: Sink) -> None:
    """Reports rule and option ids that are declared twice."""
    seen: dict[str, Span] = {}
    for rule in linked.rules.values():
        for id_, span in ids_in(rule):
            if id_ in seen and seen[id_] != span:
                twice(f"rule `{id_}`", span, seen[id_], sink)
            seen.setdefault(id_, span)
