"""Items as lines of text, with the steps of examples in them, and whole files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias, assert_never, get_args

import attrs

from .. import tree as t
from ..walk import children
from .expressions import (
    INDENT,
    POSTFIX,
    RANGE,
    STATEMENT_WORDS,
    STEP_WORDS,
    SUM,
    WIDTH,
    CanonicalLine,
    after,
    aim_text,
    amount_text,
    arguments_text,
    attribute_text,
    binders_text,
    deep_text,
    expr_text,
    exprs_text,
    fold,
    names_text,
    openly_text,
    params_text,
    price_text,
    print_type,
    ranks_text,
    trigger_text,
)


def _actor(who: t.Expr) -> str:
    """The expression a step begins with."""
    return expr_text(who, POSTFIX, STEP_WORDS if not isinstance(who, t.PlayerCount) else frozenset())


def step_text(step: t.Step) -> str:
    match step:
        case t.Documented(passages):
            return "documented " + ", ".join(
                f"{p.language} {p.first}" + ("" if p.first == p.last else f"-{p.last}") for p in passages
            )
        case t.ExPlayers(names):
            return f"players {names_text(names)}"
        case t.Using(variants):
            return f"using {names_text(variants)}"
        case t.WithValue(name, value):
            return f"with {name} = {expr_text(value)}"
        case t.Given(facts):
            return f"given {exprs_text(facts)}"
        case t.Run(rule, arguments):
            return f"run {rule}{arguments_text(arguments)}"
        case t.Chance(values):
            return f"chance {exprs_text(values)}"
        case t.ExChooses(who, values):
            return f"{_actor(who)} chooses {exprs_text(values)}"
        case t.ExDeclines(who):
            return f"{_actor(who)} declines"
        case t.ExPays(who, pieces):
            return f"{_actor(who)} pays {expr_text(pieces)}"
        case t.ExRefused(who, values, because, needs):
            reason = f" because {because}" if because else ""
            return f"{_actor(who)} cannot choose {exprs_text(values)}{reason}{after('needs', needs)}"
        case t.ExCannotPay(who, pieces, because):
            return f"{_actor(who)} cannot pay {expr_text(pieces)}" + (f" because it is {because}" if because else "")
        case t.Asked(who, rule):
            return f"asked {place_text(who)}" + (f" {rule}" if rule else "")
        case t.Offered(count, id_):
            return f"offered {expr_text(count)} {id_}"
        case t.OfferedOnly(values):
            return f"offered only {exprs_text(values)}"
        case t.Then(conditions):
            return f"then {exprs_text(conditions)}"
        case t.Fired(ids, negated):
            return f"{'not ' if negated else ''}fired {names_text(ids)}"
        case t.Winners(names):
            return f"winners {names_text(names)}"
        case t.Finished():
            return "finished"
        case t.ExampleCases(columns, _):
            return f"cases {names_text(columns)}"
        case _:
            assert_never(step)


def lines(item: t.Item) -> list[CanonicalLine]:
    """The lines of an item, in order and not yet folded."""
    return list(_item(item, 0))


def _item(item: t.Item, level: int) -> Iterator[CanonicalLine]:
    if isinstance(item, t.Stated):
        yield from _replaceable(item, level)
        return
    match item:
        case t.Game():
            yield from _game(item, level)
        case t.Part(game):
            yield line_of(level, f"part of {game}", item)
        case t.Examples(game):
            yield line_of(level, f"examples of {game}", item)
        case t.Variant(name, of, after, summary):
            yield line_of(
                level, f"variant {name} of {names_text(of)}" + (f" after {names_text(after)}" if after else ""), item
            )
            if summary is not None:
                yield CanonicalLine(level + 1, f'"{summary}"')
        case t.Range(name, low, high):
            yield line_of(level, f"range {name}: {expr_text(low, SUM)}..{expr_text(high, SUM)}", item)
        case t.Grid(name, width, word="track", ring=ring):
            yield line_of(level, f"track {name}{', ring' if ring else ''}: {expr_text(width, RANGE)}", item)
        case t.Grid(name, width, height, word):
            size = "to a side" if height is None else f"by {expr_text(height, SUM)}"
            yield line_of(level, f"{word} {name}: {expr_text(width, SUM)} {size}", item)
        case t.Setting():
            yield from _setting(item, level)
        case t.Variables(owners, variables, keys):
            named = [
                f"{o.name} {key}" if key else o.name
                for o, key in zip(owners, keys or [None] * len(owners), strict=True)
            ]
            yield line_of(level, f"each {' and '.join(named)} has" if owners else "the game has", item)
            for variable in variables:
                yield line_of(level + 1, _variable(variable), variable)
        case t.Carry(names):
            yield line_of(level, f"carry {exprs_text(names)}", item)
        case t.Event(name, params):
            yield line_of(level, f"event {name}{params_text(params)}", item)
        case t.Rule():
            yield from statement_lines(item, level)
        case t.Example(id_, steps):
            yield line_of(level, f"example {id_}", item)
            for step in steps:
                if isinstance(step, t.ExampleCases):
                    yield line_of(level + 1, step_text(step), step, ())
                    yield from _rows(step.rows, level + 2)
                else:
                    yield line_of(level + 1, step_text(step), step)
        case _:
            yield from _variant_item(item, level)


def _game(game: t.Game, level: int) -> Iterator[CanonicalLine]:
    yield line_of(level, f"game {game.name}", game)
    if game.title is not None:
        yield CanonicalLine(level + 1, f'title "{game.title}"')
    if (game.low, game.high) != (0, 0):
        yield CanonicalLine(level + 1, f"players {game.low}" + ("" if game.low == game.high else f"..{game.high}"))
    if game.seats:
        yield CanonicalLine(level + 1, f"seats {names_text(game.seats)}")
    for team in game.teams:
        text = f"team {team.name}: {', '.join(map(expr_text, team.seats))}"
        yield line_of(level + 1, text + after("when", team.when), team)
    if game.languages:
        yield CanonicalLine(level + 1, f"languages {names_text(game.languages)}")


def _setting(setting: t.Setting, level: int) -> Iterator[CanonicalLine]:
    yield line_of(level, f"{setting.kind} {setting.name}: {names_text(setting.values)}", setting)
    yield CanonicalLine(level + 1, f"default {setting.default}")
    # A long reason is cut at spaces: the lines of a reason are joined by one space when they are read.
    rest = setting.because or ""
    room = WIDTH - len(INDENT) * (level + 1) - len('because ""')
    while rest:
        cut = rest.rfind(" ", 1, room + 1) if len(rest) > room else -1
        if len(rest) > room and cut < 0:
            cut = rest.find(" ", 1)
        if cut < 0 or cut == len(rest) - 1:
            yield CanonicalLine(level + 1, f'because "{rest}"')
            return
        yield CanonicalLine(level + 1, f'because "{rest[:cut]}"')
        rest = rest[cut + 1 :]


def _variable(variable: t.Variable) -> str:
    initial = after("=", variable.initial)
    attributes = "".join(f", {attribute_text(a)}" for a in variable.attributes)
    return f"{variable.name}: {print_type(variable.type)}{initial}{attributes}"


def _replaceable(item: t.Stated, level: int) -> Iterator[CanonicalLine]:
    match item:
        case t.Enum(name, members, ring):
            yield line_of(level, f"enum {name}{', ring' if ring else ''}: {names_text(members)}", item)
        case t.Table(name, ring, columns, rows, stand_in, parts=parts):
            head = f"table {name}{', ring' if ring else ''}" if not parts else f"table {name}: {' and '.join(parts)}"
            yield line_of(level, head, item, ())
            yield from _table(columns, rows, stand_in, level + 1)
        case t.Number(name, cases, True):
            yield line_of(level, f"number {name} = {expr_text(cases[0].value)}", item, [cases[0].value])
        case t.Number(name, cases):
            yield line_of(level, f"number {name}", item)
            yield from _cases(cases, level + 1)
        case t.Define(name, params, ways=t.Ways() as ways):
            most = "" if ways.most is None else f", at most {expr_text(ways.most, SUM)} steps"
            yield line_of(
                level, f"ways {name}{params_text(params)}{most}", item, [p for p in (*params, ways.most) if p]
            )
            yield from _ways(ways, level + 1)
        case t.Define(name, params, value, cases, by, matches):
            promise = "" if item.result is None else f": {print_type(item.result)}{deep_text(item.deep)}"
            head = f"define {name}{params_text(params)}{promise}" + ("" if by is None else f" by {by}")
            if value is not None:
                yield from _with_value(f"{head} =", value, item, params, level)
                return
            yield line_of(level, head, item)
            yield from _cases(cases, level + 1)
            yield from _matches(matches, level + 1)
        case t.Graph(name, params, node, edges):
            yield line_of(level, f"graph {name}{params_text(params)}", item, params)
            yield line_of(level + 1, f"node {binders_text(node)}", node)
            for edge in edges:
                text = f"edge {expr_text(edge.source)} to {expr_text(edge.target)}"
                text += ", one way" if edge.one_way else ""
                text += after(", length", edge.length).replace(" ,", ",", 1)
                if edge.binders is not None:
                    text += f" for {binders_text(edge.binders)}"
                yield line_of(level + 1, text + after("where", edge.condition), edge)
        case t.History(name, params, attributes, parts):
            kept = "".join(f", {attribute_text(a)}" for a in attributes)
            told = ", ".join(map(expr_text, parts))
            yield line_of(level, f"history {name}{params_text(params)}{kept}: {told}", item)
        case t.Winner(ranks):
            text = ranks_text(ranks)
            yield line_of(level, f"winner {text}, then shared", item)
        case t.Out(condition):
            yield line_of(level, f"out when {expr_text(condition)}", item)
        case t.Invariant(id_, condition):
            yield from _with_value(f"invariant {id_}:", condition, item, (), level)
        case _:
            assert_never(item)


def _ways(ways: t.Ways, level: int) -> Iterator[CanonicalLine]:
    yield line_of(level, f"from {expr_text(ways.start)}", ways.start)
    for step in ways.steps:
        text = f"step {step.way} to {expr_text(step.target)}"
        if step.binders is not None:
            text += f" for {binders_text(step.binders)}"
        yield line_of(level, text + after("where", step.condition), step)
    if ways.end is not None:
        yield line_of(level, f"{ways.end.way} may end{after('where', ways.end.condition)}", ways.end)


def _with_value(
    head: str, value: t.Expr, item: t.Item, parts: tuple[t.Param, ...], level: int
) -> Iterator[CanonicalLine]:
    """A head and its value: on one line, or on two when one would be too long."""
    text = expr_text(value)
    if len(INDENT) * level + len(head) + 1 + len(text) <= WIDTH:
        yield line_of(level, f"{head} {text}", item, (*parts, value))
        return
    yield line_of(level, head, item, parts)
    below = line_of(level + 1, text, value)
    yield below if below.first > item.span.line else CanonicalLine(level + 1, text)


def _table(
    columns: tuple[t.Column, ...],
    rows: tuple[t.RowsFile | t.RowsInline, ...],
    stand_in: t.StandIn | None,
    level: int,
) -> Iterator[CanonicalLine]:
    for column in columns:
        yield line_of(level, f"{column.name}: {print_type(column.type)}{after('=', column.default)}", column)
    for part in rows:
        if isinstance(part, t.RowsFile):
            yield line_of(level, f'rows from "{part.file}"{after("when", part.when)}', part)
            continue
        yield line_of(level, f"rows{after('when', part.when)}", part, [part.when])
        yield from _rows(part.rows, level + 1)
    if stand_in is not None:
        yield line_of(level, f'stand_in{after("where", stand_in.where)} because "{stand_in.because}"', stand_in)


def _rows(rows: tuple[t.Row, ...], level: int) -> Iterator[CanonicalLine]:
    for row in rows:
        yield line_of(level, row.name + (f": {exprs_text(row.values)}" if row.values else ""), row)


def _cases(cases: tuple[t.Case, ...], level: int) -> Iterator[CanonicalLine]:
    for case in cases:
        head = "otherwise" if case.when is None else f"when {expr_text(case.when)}"
        yield line_of(level, f"{head}: {expr_text(case.value)}", case)


def _matches(matches: tuple[t.Match, ...], level: int) -> Iterator[CanonicalLine]:
    for match in matches:
        yield line_of(level, f"{names_text(match.members)}: {expr_text(match.value)}", match)


def _variant_item(item: t.VariantItem, level: int) -> Iterator[CanonicalLine]:
    match item:
        case t.ChangeNumber(name, value):
            yield line_of(level, f"change number {name} to {expr_text(value)}", item)
        case t.ChangeSetting(kind, name, value):
            yield line_of(level, f"change {kind} {name} to {value}", item)
        case t.Replace(replaced):
            printed = option_lines([replaced], level) if isinstance(replaced, t.MenuOption) else _item(replaced, level)
            head, *rest = printed
            yield attrs.evolve(head, text=f"replace {head.text}", first=item.span.line)
            yield from rest
        case t.RemoveRule(kind, id_):
            yield line_of(level, f"remove {kind} {id_}", item)
        case t.ChangeRow(row, table, values, when):
            yield line_of(level, f"change row {row} of {table} to {exprs_text(values)}{after('when', when)}", item)
        case t.ChangeCell(row, column, table, value, when):
            text = f"change row {row}.{column} of {table} to {expr_text(value)}{after('when', when)}"
            yield line_of(level, text, item)
        case t.RemoveRow(row, table, when):
            yield line_of(level, f"remove row {row} of {table}{after('when', when)}", item)
        case t.Insert(where, id_, body, kind):
            yield line_of(level, f"{where} {kind} {id_}", item)
            yield from block_lines(body, level + 1)
        case t.ExtendEnum(name, members):
            yield line_of(level, f"extend enum {name}: {names_text(members)}", item)
        case t.ExtendTable(name, columns, rows, stand_in):
            yield line_of(level, f"extend table {name}", item)
            yield from _table(columns, rows, stand_in, level + 1)
        case t.ExtendDefine(name, matches):
            yield line_of(level, f"extend define {name}", item)
            yield from _matches(matches, level + 1)
        case t.ExtendRule(id_, options):
            yield line_of(level, f"extend rule {id_}", item)
            yield from option_lines(options, level + 1)
        case t.Adjust(name, params, value, least, when):
            text = f"adjust {name}{params_text(params)} by {expr_text(value)}"
            text += "" if least is None else f", not below {expr_text(least, SUM)}"
            yield line_of(level, text + after("when", when), item)
        case _:
            assert_never(item)


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


def _sort(item: t.Item | t.MenuOption) -> str | None:
    """The name shared by short items that are often written as a list, or None."""
    match item:
        case t.Define(value=None):
            return None
        case t.Setting(kind=kind):
            return kind
        case t.Replace(replaced):
            sort = _sort(replaced)
            return None if sort is None else f"replace {sort}"
        case t.ChangeNumber() | t.ChangeSetting() | t.ChangeRow() | t.ChangeCell():
            return "change"
        case t.Enum() | t.Range() | t.Grid() | t.Number() | t.Define() | t.Event() | t.Invariant():
            return type(item).__name__
        case t.RemoveRule() | t.RemoveRow() | t.ExtendEnum() | t.Adjust():
            return type(item).__name__
        case _:
            return None


# Statements as lines of text.


_PARTS = (
    *(*get_args(t.Expr), *get_args(t.TypeExpr)),
    *(t.Binders, t.Amount, t.Param, t.Trigger, t.VariableAttribute, t.Exchange, t.Rank),
)


_Simple: TypeAlias = (
    t.Needs
    | t.Let
    | t.Set
    | t.Change
    | t.Move
    | t.Shuffle
    | t.Show
    | t.Roll
    | t.DoNothing
    | t.Do
    | t.Announce
    | t.Remember
    | t.Forget
    | t.Stop
    | t.EndGame
    | t.Pay
    | t.Score
    | t.Wins
)
"""Statements of one line."""


def line_of(level: int, text: str, node: t.Node, parts: Iterable[object] | None = None) -> CanonicalLine:
    """The line of a statement or of a block's head. Nodes that end with a line break reach past their own text, so
    the last source line is taken from the ``parts`` on the line (by default: all expressions ``node`` is made of)."""
    if parts is None:
        parts = children(node)
    last = max((part.span.end_line for part in parts if isinstance(part, _PARTS)), default=0)
    return CanonicalLine(level, text, node.span.line, max(node.span.line, last))


def block_lines(body: Iterable[t.Statement], level: int) -> Iterator[CanonicalLine]:
    for statement in body:
        yield from statement_lines(statement, level)


def option_lines(options: Iterable[t.MenuOption], level: int) -> Iterator[CanonicalLine]:
    for option in options:
        binders = "" if option.binders is None else f"({binders_text(option.binders)})"
        yield line_of(level, f"option {option.id}{binders}", option)
        yield from block_lines(option.body, level + 1)


def statement_lines(node: t.Statement, level: int) -> Iterator[CanonicalLine]:
    match node:
        case t.Inserted(_, body):  # made by the linker: what a reader would see is its statements
            yield from block_lines(body, level)
        case t.Rule(id_, params, triggers, body, deep):
            head = f"rule {id_}{params_text(params)}{deep_text(deep)}{''.join(map(trigger_text, triggers))}"
            yield line_of(level, head, node)
            yield from block_lines(body, level + 1)
        case t.If() | t.IfThere():
            yield from _if(node, level, "")
        case t.Each(binders, body):
            yield line_of(level, f"{openly_text(node)}each {binders_text(binders)}", node)
            yield from block_lines(body, level + 1)
        case t.Together(binders, body):
            yield line_of(level, f"{openly_text(node)}together each {binders_text(binders)}", node)
            yield from block_lines(body, level + 1)
        case t.Repeat(word, value, body):
            yield line_of(level, f"{openly_text(node)}repeat {word} {expr_text(value)}", node)
            yield from block_lines(body, level + 1)
        case t.TakeTurns(name, start, following, until, body):
            order = (
                f"{expr_text(start)}{',' * (following is not None)}{after('then', following)}{after('until', until)}"
            )
            yield line_of(level, f"{openly_text(node)}take turns {name} from {order}", node)
            yield from block_lines(body, level + 1)
        case t.Choose(surely, may, who, binders, body, otherwise):
            verb = "may choose" if may else "chooses"
            head = f"{openly_text(node)}{_surely(surely)}{_who(who)} {verb} {binders_text(binders)}"
            yield line_of(level, head, node, [who, binders])
            yield from block_lines(body or (), level + 1)
            yield from _otherwise(otherwise, level)
        case t.ChooseSome(surely, who, some, binder, body, otherwise):
            head = f"{openly_text(node)}{_surely(surely)}{_who(who)} {_some(some)} {binders_text(t.Binders((binder,)))}"
            yield line_of(level, head, node, [who, binder])
            yield from block_lines(body or (), level + 1)
            yield from _otherwise(otherwise, level)
        case t.Menu(surely, who, options, otherwise, aim):
            head = f"{openly_text(node)}{_surely(surely)}{_who(who)} chooses one of{aim_text(aim)}"
            yield line_of(level, head, node, [who, aim])
            yield from option_lines(options, level + 1)
            yield from _otherwise(otherwise, level)
        case _:
            yield line_of(level, openly_text(node) + _simple(node), node)


def _if(node: t.If | t.IfThere, level: int, before: str) -> Iterator[CanonicalLine]:
    head = f"{before}{openly_text(node)}if"
    match node:
        case t.If(condition):
            yield line_of(level, f"{head} {expr_text(condition, words=frozenset({'there'}))}", node)
        case t.IfThere(binders):
            yield line_of(level, f"{head} there is {binders_text(binders)}", node)
    yield from block_lines(node.then, level + 1)
    match node.otherwise:
        case ((t.If() | t.IfThere()) as chained,):
            yield from _if(chained, level, "otherwise ")
        case body:
            yield from _otherwise(body, level)


def _otherwise(body: tuple[t.Statement, ...] | None, level: int) -> Iterator[CanonicalLine]:
    if body is not None:
        yield CanonicalLine(level, "otherwise")
        yield from block_lines(body, level + 1)


def _some(some: t.Some) -> str:
    if some.word == "orders":
        return "orders"
    word = f"{some.word} " if some.word else ""
    number = "" if some.number is None else f"{expr_text(some.number, words=frozenset({'one', 'any', 'up'}))} "
    return f"chooses {word}{number}of"


def _surely(surely: bool) -> str:
    return "surely " if surely else ""


def _who(who: t.Expr) -> str:
    """The expression a statement begins with."""
    return expr_text(who, POSTFIX, STATEMENT_WORDS)


def place_text(place: t.Expr) -> str:
    return expr_text(place, POSTFIX)


def _simple(node: _Simple) -> str:
    match node:
        case t.Needs(condition):
            return f"needs {expr_text(condition)}"
        case t.Let(name, value):
            return f"let {name} = {expr_text(value)}"
        case t.Set(target, value):
            return f"set {place_text(target)} to {expr_text(value)}"
        case t.Change(word, target, value):
            return f"{word} {place_text(target)} by {expr_text(value)}"
        case t.Move(surely, amount, source, target, square, turn):
            moved = f"{_surely(surely)}move {amount_text(amount)} from {place_text(source)} to {place_text(target)}"
            return moved + after("at", square) + after("turned", turn)
        case t.Shuffle(place):
            return f"shuffle {place_text(place)}"
        case t.Show(surely, amount, place, who, seats):
            pieces = "" if amount is None else f"{amount_text(amount)} from "
            to = f"each {binders_text(seats)}" if seats is not None else "all" if who is None else place_text(who)
            return f"{_surely(surely)}show {pieces}{place_text(place)} to {to}"
        case t.Roll(surely, binders):
            return f"{_surely(surely)}roll {binders_text(binders)}"
        case t.DoNothing():
            return "do nothing"
        case t.Do(rule, arguments):
            return f"do {rule}{arguments_text(arguments)}"
        case t.Announce(event, arguments):
            return f"announce {event}{arguments_text(arguments)}"
        case t.Remember(history, arguments):
            return f"remember {history}{arguments_text(arguments)}"
        case t.Forget(history):
            return f"forget {history}"
        case t.Stop():
            return "stop"
        case t.EndGame():
            return "end the game"
        case t.Pay(surely, who, cost, source, target):
            ends = f"from {place_text(source)} to {place_text(target)}"
            return f"{_surely(surely)}{_who(who)} pays {price_text(cost)} {ends}"
        case t.Score(word, who, value):
            return f"{_who(who)} {word} {expr_text(value)}"
        case t.Wins(who):
            return f"{_who(who)} wins"
        case _:
            assert_never(node)
