"""Syntax tree to canonical text: two spaces a level, at most 100 columns where brackets allow a fold.

Comments are not part of the tree; formatter.py puts them back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import get_args

import attrs

from . import tree as t

WIDTH = 100
INDENT = "  "
_CONTINUATION = "    "


@attrs.frozen
class Line:
    """One line of canonical text, before it is folded.

    ``indent`` counts levels. ``first`` and ``last`` are the source lines (from 1) the text stands for, of a block
    only those of its head; both are 0 for a line that has no node of its own, such as ``otherwise``.
    """

    indent: int
    text: str
    first: int = 0
    last: int = 0


# ---------------------------------------------------------------- expressions

# How tightly a form binds, in the order of the grammar's productions.
_CONDITIONAL, _OR, _AND, _NOT, _COMPARE, _FALLBACK, _RANGE, _SUM, _TERM, _UNARY, _POSTFIX = range(11)
_COMPARISONS = ("<", "<=", ">", ">=", "is", "is not", "is in", "is not in", "covers", "holds")
_BINDING: dict[str, tuple[int, int, int]] = {  # operator: its own level, the least of its left and its right side
    "or": (_OR, _OR, _AND),
    "and": (_AND, _AND, _NOT),
    **dict.fromkeys(_COMPARISONS, (_COMPARE, _FALLBACK, _FALLBACK)),
    "otherwise": (_FALLBACK, _FALLBACK, _RANGE),
    "..": (_RANGE, _SUM, _SUM),
    **dict.fromkeys(("+", "-"), (_SUM, _SUM, _TERM)),
    **dict.fromkeys(("*", "mod", "/ down", "/ up"), (_TERM, _TERM, _UNARY)),
}
_FOLDS = frozenset({"count", "sum", "max", "min", "some", "every", "first", "list", "set"})

# A name that is also a word of the language needs brackets where that word could stand.
_STATEMENT_WORDS = frozenset(
    {
        *("rule", "needs", "let", "set", "increase", "decrease", "surely", "move", "shuffle", "roll", "do"),
        *("announce", "stop", "end", "if", "each", "repeat", "take", "otherwise"),
    }
)
_STEP_WORDS = frozenset(
    {
        *("documented", "players", "using", "with", "given", "run", "chance", "asked", "offered", "then"),
        *("fired", "not", "winners", "finished"),
    }
)
_AMOUNT_WORDS = frozenset({"all", "up", "at"})
_TYPE_WORDS = frozenset({"flag", "set", "pieces", "pool", "bag", "stack", "slot"})
_LEADING = re.compile(r"[^\W\d]\w*(?!\w)(\(?)")


def print_expr(expr: t.Expr) -> str:
    """The expression on one line, with only the brackets that the grammar needs to read the same tree again."""
    return _expr(expr)


def _expr(expr: t.Expr, least: int = _CONDITIONAL, words: frozenset[str] = frozenset()) -> str:
    """The text of ``expr`` where a form of level ``least`` is wanted and ``words`` are not read as names."""
    text, level = _form(expr)
    if level < least:
        return f"({text})"
    lead = _LEADING.match(text)
    if lead is None or lead[0].rstrip("(") not in words or (lead[1] and lead[0].rstrip("(") in _FOLDS):
        return text
    return f"({text})"


def _form(expr: t.Expr) -> tuple[str, int]:
    """The text of ``expr`` without brackets round it, and its level."""
    match expr:
        case t.Conditional(condition, then, otherwise):
            return f"if {_expr(condition)} then {_expr(then)} else {_expr(otherwise)}", _CONDITIONAL
        case t.Unary("not", value):
            return f"not {_expr(value, _NOT)}", _NOT
        case t.Unary(_, value):
            inner = _expr(value, _UNARY)
            return (f"- {inner}" if inner.startswith("-") else f"-{inner}"), _UNARY
        case t.Binary():
            return _binary(expr)
        case t.Attribute(value, name):
            return f"{_expr(value, _POSTFIX)}.{name}", _POSTFIX
        case t.Index(value, indices):
            return f"{_expr(value, _POSTFIX)}[{_exprs(indices)}]", _POSTFIX
        case t.Apply(t.Name(name), arguments) if name in _FOLDS:
            return f"({name})({_exprs(arguments)})", _POSTFIX
        case t.Apply(function, arguments):
            return f"{_expr(function, _POSTFIX)}({_exprs(arguments)})", _POSTFIX
        case _:
            return _atom(expr), _POSTFIX


def _binary(expr: t.Binary) -> tuple[str, int]:
    level, left_level, right_level = _BINDING[expr.op]
    left = _expr(expr.left, left_level)
    right = _expr(expr.right, right_level, frozenset({"in"}) if expr.op in ("is", "is not") else frozenset())
    if expr.op == "..":
        return f"{left}..{right}", level
    if expr.op.startswith("/ "):
        return f"{left} / {right} rounded {expr.op[2:]}", level
    return f"{left} {expr.op} {right}", level


def _atom(expr: t.Expr) -> str:
    match expr:
        case t.Name(name):
            return name
        case t.Integer(value):
            return str(value)
        case t.NoneValue():
            return "none"
        case t.Flag(value):
            return "yes" if value else "no"
        case t.PlayerCount():
            return "players"
        case t.Sequence(items):
            return f"[{_exprs(items)}]"
        case t.TupleValue(items):
            return f"({_exprs(items)})"
        case t.Bundle(entries):
            return "{" + ", ".join(map(_entry, entries)) + "}"
        case t.BundleFor(entry, binders):
            return "{" + f"{_entry(entry)} for {_binders(binders)}" + "}"
        case t.FoldValues(word, values):
            return f"{word}({_exprs(values)})"
        case t.FoldOf(word, body, binders):
            return f"{word}({_expr(body)} for {_binders(binders)})"
        case t.FoldMembers(word, binders):
            return f"{word}({_binders(binders)})"
        case _:
            raise TypeError(f"{type(expr).__name__} is not an expression")


def _exprs(exprs: Iterable[t.Expr]) -> str:
    return ", ".join(map(_expr, exprs))


def _entry(entry: t.Entry) -> str:
    return f"{_expr(entry.kind)}: {_expr(entry.count)}"


def _binders(binders: t.Binders) -> str:
    text = ", ".join(
        f"{b.name} in {_expr(b.domain)}" + ("" if b.start is None else f" from {_expr(b.start)}")
        for b in binders.binders
    )
    return text if binders.filter is None else f"{text} {binders.filter_word} {_expr(binders.filter)}"


# ---------------------------------------------------------------- types and heads


def print_type(type_: t.TypeExpr) -> str:
    """The type as it stands behind the colon of a parameter, a column or a variable."""
    match type_:
        case t.TypeName(name):
            return name
        case t.TypeRange(low, high):
            return f"{_expr(low, _SUM, _TYPE_WORDS)}..{_expr(high, _SUM)}"
        case t.TypeFlag():
            return "flag"
        case t.TypeOptional(item):
            return f"{print_type(item)} or none"
        case t.TypeSet(item):
            return f"set of {print_type(item)}"
        case t.TypePieces(item):
            return f"pieces of {print_type(item)}"
        case t.TypePlace(place, item):
            return f"{place} of {print_type(item)}"


def _names(names: Iterable[str]) -> str:
    return ", ".join(names)


def _params(params: tuple[t.Param, ...]) -> str:
    return f"({', '.join(f'{p.name}: {print_type(p.type)}' for p in params)})" if params else ""


def _arguments(arguments: tuple[t.Expr, ...]) -> str:
    return f"({_exprs(arguments)})" if arguments else ""


def _trigger(trigger: t.Trigger) -> str:
    if trigger.condition is not None:
        return f" {trigger.word} {_expr(trigger.condition)}"
    names = f"({_names(trigger.names)})" if trigger.names else ""
    return f" {trigger.word} {trigger.event}{names}"


def _attribute(attribute: t.VariableAttribute) -> str:
    if attribute.value is None:
        return attribute.word
    value = _expr(attribute.value, _SUM)
    if attribute.word.startswith("any"):
        return attribute.word.replace("any", f"any {value}", 1)
    return f"{attribute.word} {value}"


def _amount(amount: t.Amount) -> str:
    words: frozenset[str] = frozenset() if amount.word else _AMOUNT_WORDS
    number = None if amount.number is None else _expr(amount.number, words=words)
    of = None if amount.of is None else f"of {_expr(amount.of)}"
    return " ".join(part for part in (amount.word, number, of) if part)


def _after(word: str, expr: t.Expr | None) -> str:
    return "" if expr is None else f" {word} {_expr(expr)}"


# ---------------------------------------------------------------- lines

_PARTS = (
    *(*get_args(t.Expr), *get_args(t.TypeExpr)),
    *(t.Binders, t.Amount, t.Param, t.Trigger, t.VariableAttribute, t.Rank),
)


def _line(level: int, text: str, node: t.Node, parts: Iterable[object] | None = None) -> Line:
    """The line of a statement or of a block's head. Nodes that end with a line break reach past their own text, so
    the last source line is taken from the ``parts`` on the line (by default: all expressions ``node`` is made of)."""
    if parts is None:
        fields = [getattr(node, field.name) for field in attrs.fields(type(node))]
        parts = [part for field in fields for part in (field if isinstance(field, tuple) else (field,))]
    last = max((part.span.end_line for part in parts if isinstance(part, _PARTS)), default=0)
    return Line(level, text, node.span.line, max(node.span.line, last))


def lines(item: t.Item) -> list[Line]:
    """The lines of an item, in order and not yet folded."""
    return list(_item(item, 0))


def _item(item: t.Item, level: int) -> Iterator[Line]:
    match item:
        case t.Game():
            yield from _game(item, level)
        case t.Part(game):
            yield _line(level, f"part of {game}", item)
        case t.Examples(game):
            yield _line(level, f"examples of {game}", item)
        case t.Variant(name, of, after, summary):
            yield _line(level, f"variant {name} of {_names(of)}" + (f" after {_names(after)}" if after else ""), item)
            if summary is not None:
                yield Line(level + 1, f'"{summary}"')
        case t.Range(name, low, high):
            yield _line(level, f"range {name}: {_expr(low, _SUM)}..{_expr(high, _SUM)}", item)
        case t.Setting():
            yield from _setting(item, level)
        case t.Variables(owners, variables):
            yield _line(level, f"each {' and '.join(owners)} has" if owners else "the game has", item)
            for variable in variables:
                yield _line(level + 1, _variable(variable), variable)
        case t.Event(name, params):
            yield _line(level, f"event {name}{_params(params)}", item)
        case t.Rule():
            yield from _statement(item, level)
        case t.Example(id_, steps):
            yield _line(level, f"example {id_}", item)
            for step in steps:
                yield _line(level + 1, _step(step), step)
        case t.Enum() | t.Table() | t.Number() | t.Define() | t.Graph() | t.Winner() | t.Invariant():
            yield from _replaceable(item, level)
        case _:
            yield from _variant_item(item, level)


def _game(game: t.Game, level: int) -> Iterator[Line]:
    yield _line(level, f"game {game.name}", game)
    if game.title is not None:
        yield Line(level + 1, f'title "{game.title}"')
    if (game.low, game.high) != (0, 0):
        yield Line(level + 1, f"players {game.low}" + ("" if game.low == game.high else f"..{game.high}"))
    if game.seats:
        yield Line(level + 1, f"seats {_names(game.seats)}")
    if game.languages:
        yield Line(level + 1, f"languages {_names(game.languages)}")


def _setting(setting: t.Setting, level: int) -> Iterator[Line]:
    yield _line(level, f"{setting.kind} {setting.name}: {_names(setting.values)}", setting)
    yield Line(level + 1, f"default {setting.default}")
    # A long reason is cut at spaces: the lines of a reason are joined by one space when they are read.
    rest = setting.because or ""
    room = WIDTH - len(INDENT) * (level + 1) - len('because ""')
    while rest:
        cut = rest.rfind(" ", 1, room + 1) if len(rest) > room else -1
        if len(rest) > room and cut < 0:
            cut = rest.find(" ", 1)
        if cut < 0 or cut == len(rest) - 1:
            yield Line(level + 1, f'because "{rest}"')
            return
        yield Line(level + 1, f'because "{rest[:cut]}"')
        rest = rest[cut + 1 :]


def _variable(variable: t.Variable) -> str:
    initial = _after("=", variable.initial)
    attributes = "".join(f", {_attribute(a)}" for a in variable.attributes)
    return f"{variable.name}: {print_type(variable.type)}{initial}{attributes}"


def _replaceable(
    item: t.Enum | t.Table | t.Number | t.Define | t.Graph | t.Winner | t.Invariant, level: int
) -> Iterator[Line]:
    match item:
        case t.Enum(name, members, ring):
            yield _line(level, f"enum {name}{', ring' if ring else ''}: {_names(members)}", item)
        case t.Table(name, ring, columns, rows, stand_in):
            yield _line(level, f"table {name}{', ring' if ring else ''}", item)
            yield from _table(columns, rows, stand_in, level + 1)
        case t.Number(name, cases, True):
            yield _line(level, f"number {name} = {_expr(cases[0].value)}", item, [cases[0].value])
        case t.Number(name, cases):
            yield _line(level, f"number {name}", item)
            yield from _cases(cases, level + 1)
        case t.Define(name, params, value, cases, by, matches):
            head = f"define {name}{_params(params)}" + ("" if by is None else f" by {by}")
            yield _line(level, f"{head}{_after('=', value)}", item)
            yield from _cases(cases, level + 1)
            yield from _matches(matches, level + 1)
        case t.Graph(name, params, node, edges):
            yield _line(level, f"graph {name}{_params(params)}", item, params)
            yield _line(level + 1, f"node {_binders(node)}", node)
            for edge in edges:
                text = f"edge {_expr(edge.source)} to {_expr(edge.target)}"
                yield _line(level + 1, text if edge.binders is None else f"{text} for {_binders(edge.binders)}", edge)
        case t.Winner(ranks):
            text = ", then ".join(f"{rank.word} {_expr(rank.value)}" for rank in ranks)
            yield _line(level, f"winner {text}, then shared", item)
        case t.Invariant(id_, condition):
            yield _line(level, f"invariant {id_}: {_expr(condition)}", item)


def _table(
    columns: tuple[t.Column, ...],
    rows: tuple[t.RowsFile | t.RowsInline, ...],
    stand_in: t.StandIn | None,
    level: int,
) -> Iterator[Line]:
    for column in columns:
        yield _line(level, f"{column.name}: {print_type(column.type)}{_after('=', column.default)}", column)
    for part in rows:
        if isinstance(part, t.RowsFile):
            yield _line(level, f'rows from "{part.file}"{_after("when", part.when)}', part)
            continue
        yield _line(level, f"rows{_after('when', part.when)}", part, [part.when])
        for row in part.rows:
            yield _line(level + 1, row.name + (f": {_exprs(row.values)}" if row.values else ""), row)
    if stand_in is not None:
        yield _line(level, f'stand_in{_after("where", stand_in.where)} because "{stand_in.because}"', stand_in)


def _cases(cases: tuple[t.Case, ...], level: int) -> Iterator[Line]:
    for case in cases:
        head = "otherwise" if case.when is None else f"when {_expr(case.when)}"
        yield _line(level, f"{head}: {_expr(case.value)}", case)


def _matches(matches: tuple[t.Match, ...], level: int) -> Iterator[Line]:
    for match in matches:
        yield _line(level, f"{_names(match.members)}: {_expr(match.value)}", match)


def _variant_item(item: t.Item, level: int) -> Iterator[Line]:
    match item:
        case t.ChangeNumber(name, value):
            yield _line(level, f"change number {name} to {_expr(value)}", item)
        case t.ChangeSetting(kind, name, value):
            yield _line(level, f"change {kind} {name} to {value}", item)
        case t.Replace(replaced):
            head, *rest = _item(replaced, level)
            yield attrs.evolve(head, text=f"replace {head.text}", first=item.span.line)
            yield from rest
        case t.RemoveRule(kind, id_):
            yield _line(level, f"remove {kind} {id_}", item)
        case t.Insert(where, id_, body):
            yield _line(level, f"{where} rule {id_}", item)
            yield from _block(body, level + 1)
        case t.ExtendEnum(name, members):
            yield _line(level, f"extend enum {name}: {_names(members)}", item)
        case t.ExtendTable(name, columns, rows, stand_in):
            yield _line(level, f"extend table {name}", item)
            yield from _table(columns, rows, stand_in, level + 1)
        case t.ExtendDefine(name, matches):
            yield _line(level, f"extend define {name}", item)
            yield from _matches(matches, level + 1)
        case t.ExtendRule(id_, options):
            yield _line(level, f"extend rule {id_}", item)
            yield from _options(options, level + 1)
        case t.Adjust(name, params, value):
            yield _line(level, f"adjust {name}{_params(params)} by {_expr(value)}", item)
        case _:
            raise TypeError(f"{type(item).__name__} is not an item")


# ---------------------------------------------------------------- statements and steps


def _block(body: Iterable[t.Statement], level: int) -> Iterator[Line]:
    for statement in body:
        yield from _statement(statement, level)


def _options(options: Iterable[t.MenuOption], level: int) -> Iterator[Line]:
    for option in options:
        binders = "" if option.binders is None else f"({_binders(option.binders)})"
        yield _line(level, f"option {option.id}{binders}", option)
        yield from _block(option.body, level + 1)


def _statement(node: t.Statement, level: int) -> Iterator[Line]:
    match node:
        case t.Inserted(_, body):  # made by the linker: what a reader would see is its statements
            yield from _block(body, level)
        case t.Rule(id_, params, triggers, body):
            yield _line(level, f"rule {id_}{_params(params)}{''.join(map(_trigger, triggers))}", node)
            yield from _block(body, level + 1)
        case t.If():
            yield from _if(node, level, "if")
        case t.Each(binders, body):
            yield _line(level, f"each {_binders(binders)}", node)
            yield from _block(body, level + 1)
        case t.Repeat(word, value, body):
            yield _line(level, f"repeat {word} {_expr(value)}", node)
            yield from _block(body, level + 1)
        case t.TakeTurns(name, start, until, body):
            yield _line(level, f"take turns {name} from {_expr(start)}{_after('until', until)}", node)
            yield from _block(body, level + 1)
        case t.Choose(surely, may, who, binders, body, otherwise):
            verb = "may choose" if may else "chooses"
            yield _line(level, f"{_surely(surely)}{_who(who)} {verb} {_binders(binders)}", node, [who, binders])
            yield from _block(body or (), level + 1)
            yield from _otherwise(otherwise, level)
        case t.Menu(who, options):
            yield _line(level, f"{_who(who)} chooses one of", node)
            yield from _options(options, level + 1)
        case _:
            yield _line(level, _simple(node), node)


def _if(node: t.If, level: int, word: str) -> Iterator[Line]:
    yield _line(level, f"{word} {_expr(node.condition)}", node)
    yield from _block(node.then, level + 1)
    match node.otherwise:
        case (t.If() as chained,):
            yield from _if(chained, level, "otherwise if")
        case body:
            yield from _otherwise(body, level)


def _otherwise(body: tuple[t.Statement, ...] | None, level: int) -> Iterator[Line]:
    if body is not None:
        yield Line(level, "otherwise")
        yield from _block(body, level + 1)


def _surely(surely: bool) -> str:
    return "surely " if surely else ""


def _who(who: t.Expr) -> str:
    """The expression a statement begins with."""
    return _expr(who, _POSTFIX, _STATEMENT_WORDS)


def _place(place: t.Expr) -> str:
    return _expr(place, _POSTFIX)


def _simple(node: t.Statement) -> str:
    match node:
        case t.Needs(condition):
            return f"needs {_expr(condition)}"
        case t.Let(name, value):
            return f"let {name} = {_expr(value)}"
        case t.Set(target, value):
            return f"set {_place(target)} to {_expr(value)}"
        case t.Change(word, target, value):
            return f"{word} {_place(target)} by {_expr(value)}"
        case t.Move(surely, amount, source, target):
            return f"{_surely(surely)}move {_amount(amount)} from {_place(source)} to {_place(target)}"
        case t.Shuffle(place):
            return f"shuffle {_place(place)}"
        case t.Roll(surely, binders):
            return f"{_surely(surely)}roll {_binders(binders)}"
        case t.DoNothing():
            return "do nothing"
        case t.Do(rule, arguments):
            return f"do {rule}{_arguments(arguments)}"
        case t.Announce(event, arguments):
            return f"announce {event}{_arguments(arguments)}"
        case t.Stop():
            return "stop"
        case t.EndGame():
            return "end the game"
        case t.Pay(surely, who, cost, source, target):
            return f"{_surely(surely)}{_who(who)} pays {_expr(cost)} from {_place(source)} to {_place(target)}"
        case t.Score(word, who, value):
            return f"{_who(who)} {word} {_expr(value)}"
        case t.Wins(who):
            return f"{_who(who)} wins"
        case _:
            raise TypeError(f"{type(node).__name__} is not a statement")


def _actor(who: t.Expr) -> str:
    """The expression a step begins with."""
    return _expr(who, _POSTFIX, _STEP_WORDS if not isinstance(who, t.PlayerCount) else frozenset())


def _step(step: t.Step) -> str:
    match step:
        case t.Documented(passages):
            return "documented " + ", ".join(
                f"{p.language} {p.first}" + ("" if p.first == p.last else f"-{p.last}") for p in passages
            )
        case t.ExPlayers(names):
            return f"players {_names(names)}"
        case t.Using(variants):
            return f"using {_names(variants)}"
        case t.WithValue(name, value):
            return f"with {name} = {_expr(value)}"
        case t.Given(facts):
            return f"given {_exprs(facts)}"
        case t.Run(rule, arguments):
            return f"run {rule}{_arguments(arguments)}"
        case t.Chance(values):
            return f"chance {_exprs(values)}"
        case t.ExChooses(who, values):
            return f"{_actor(who)} chooses {_exprs(values)}"
        case t.ExDeclines(who):
            return f"{_actor(who)} declines"
        case t.ExPays(who, pieces):
            return f"{_actor(who)} pays {_expr(pieces)}"
        case t.ExRefused(who, values, because):
            return f"{_actor(who)} cannot choose {_exprs(values)}" + (f" because {because}" if because else "")
        case t.Asked(who, rule):
            return f"asked {_place(who)}" + (f" {rule}" if rule else "")
        case t.Offered(count, id_):
            return f"offered {count} {id_}"
        case t.Then(conditions):
            return f"then {_exprs(conditions)}"
        case t.Fired(ids, negated):
            return f"{'not ' if negated else ''}fired {_names(ids)}"
        case t.Winners(names):
            return f"winners {_names(names)}"
        case t.Finished():
            return "finished"


# ---------------------------------------------------------------- files


def print_file(file: t.File) -> str:
    """The whole file, without comments; short items of one sort stand together where the source had nothing between."""
    out: list[str] = []
    before: tuple[t.Item, int] | None = None
    for item in file.items:
        printed = lines(item)
        if before is not None and not (keep_together(before[0], item) and printed[0].first <= before[1] + 1):
            out.append("")
        for line in printed:
            out.extend(fold(line))
        reached = 0
        for line in printed:
            reached = line.last or reached + 1
        before = item, reached
    return "".join(f"{line}\n" for line in out)


def keep_together(before: t.Item, item: t.Item) -> bool:
    """Whether two items that follow one another may do so without a blank line between them."""
    sort = _sort(item)
    return sort is not None and sort == _sort(before)


def _sort(item: t.Item) -> str | None:
    """The name shared by short items that are often written as a list, or None."""
    match item:
        case t.Define(value=None):
            return None
        case t.Setting(kind=kind):
            return kind
        case t.Replace(replaced):
            sort = _sort(replaced)
            return None if sort is None else f"replace {sort}"
        case t.ChangeNumber() | t.ChangeSetting():
            return "change"
        case t.Enum() | t.Range() | t.Number() | t.Define() | t.Event() | t.Invariant():
            return type(item).__name__
        case t.RemoveRule() | t.ExtendEnum() | t.Adjust():
            return type(item).__name__
        case _:
            return None


# ---------------------------------------------------------------- folding

_PIECE = re.compile(r'"[^"]*"|[()\[\]{}]|, | (?=(?:and|or|for|where|while) )')


def fold(line: Line) -> list[str]:
    """The line as it is written: indented, and folded inside its brackets when it is over ``WIDTH`` columns.

    Only brackets still open at the right margin are broken, the outermost first; a line without a place to break
    stays long.
    """
    prefix = INDENT * line.indent
    text, breaks = line.text, _breaks(line.text)
    out: list[str] = []
    start = 0
    while len(prefix) + len(text) - start > WIDTH:
        at = _choose(breaks, start, start + WIDTH - len(prefix))
        if at is None:
            break
        out.append(prefix + text[start:at].rstrip())
        start = at
        prefix = INDENT * line.indent + _CONTINUATION
    return [*out, prefix + text[start:]]


@attrs.frozen
class _Break:
    """A place to fold: ``at`` is where the next line would begin, ``closes`` where the bracket round it ends."""

    at: int
    depth: int
    closes: int


def _breaks(text: str) -> list[_Break]:
    found: list[tuple[int, int, int]] = []  # where, depth, which bracket
    opened: list[int] = []
    closes: dict[int, int] = {}
    for piece in _PIECE.finditer(text):
        if piece[0] in "([{":
            opened.append(piece.start())
        elif piece[0] in ")]}":
            closes[opened.pop()] = piece.end()
        elif opened and not piece[0].startswith('"'):
            found.append((piece.end(), len(opened), opened[-1]))
    return [_Break(at, depth, closes[bracket]) for at, depth, bracket in found]


def _choose(breaks: list[_Break], start: int, limit: int) -> int | None:
    """Where to break the text from ``start``, which reaches past ``limit``; None when there is no place."""
    ahead = [b for b in breaks if b.at > start]
    fitting = [b for b in ahead if b.at - 1 <= limit]
    fitting = [b for b in fitting if b.closes > limit] or fitting
    if fitting:
        return min(fitting, key=lambda b: (b.depth, -b.at)).at
    return ahead[0].at if ahead else None
