"""Statements as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias, assert_never, get_args

from .. import tree as t
from ..walk import children
from .expressions import (
    POSTFIX,
    STATEMENT_WORDS,
    Line,
    after,
    amount_text,
    arguments_text,
    binders_text,
    deep_text,
    expr_text,
    openly_text,
    params_text,
    price_text,
    trigger_text,
)

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


def line_of(level: int, text: str, node: t.Node, parts: Iterable[object] | None = None) -> Line:
    """The line of a statement or of a block's head. Nodes that end with a line break reach past their own text, so
    the last source line is taken from the ``parts`` on the line (by default: all expressions ``node`` is made of)."""
    if parts is None:
        parts = children(node)
    last = max((part.span.end_line for part in parts if isinstance(part, _PARTS)), default=0)
    return Line(level, text, node.span.line, max(node.span.line, last))


def block_lines(body: Iterable[t.Statement], level: int) -> Iterator[Line]:
    for statement in body:
        yield from statement_lines(statement, level)


def option_lines(options: Iterable[t.MenuOption], level: int) -> Iterator[Line]:
    for option in options:
        binders = "" if option.binders is None else f"({binders_text(option.binders)})"
        yield line_of(level, f"option {option.id}{binders}", option)
        yield from block_lines(option.body, level + 1)


def statement_lines(node: t.Statement, level: int) -> Iterator[Line]:
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
        case t.Menu(surely, who, options, otherwise):
            yield line_of(level, f"{openly_text(node)}{_surely(surely)}{_who(who)} chooses one of", node, [who])
            yield from option_lines(options, level + 1)
            yield from _otherwise(otherwise, level)
        case _:
            yield line_of(level, openly_text(node) + _simple(node), node)


def _if(node: t.If | t.IfThere, level: int, before: str) -> Iterator[Line]:
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


def _otherwise(body: tuple[t.Statement, ...] | None, level: int) -> Iterator[Line]:
    if body is not None:
        yield Line(level, "otherwise")
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
