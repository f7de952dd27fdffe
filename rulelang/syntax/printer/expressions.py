"""Expressions, types and the heads of rules as text, with no more brackets than the grammar needs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias, assert_never

from ...structural import Structural, frozen
from ...words import FOLDS
from .. import tree as t

# How tightly a form binds, in the order of the grammar's productions.
_AFTER, CONDITIONAL, _OR, _AND, _NOT, _COMPARE, _FALLBACK, RANGE, SUM, _TERM, _UNARY, POSTFIX = range(12)
_COMPARISONS = ("<", "<=", ">", ">=", "is", "is not", "is in", "is not in", "covers", "holds")
_BINDING: dict[str, tuple[int, int, int]] = {  # operator: its own level, the least of its left and its right side
    "or": (_OR, _OR, _AND),
    "and": (_AND, _AND, _NOT),
    **dict.fromkeys(_COMPARISONS, (_COMPARE, _FALLBACK, _FALLBACK)),
    "otherwise": (_FALLBACK, _FALLBACK, RANGE),
    "..": (RANGE, SUM, SUM),
    **dict.fromkeys(("+", "-"), (SUM, SUM, _TERM)),
    **dict.fromkeys(("*", "mod", "/ down", "/ up"), (_TERM, _TERM, _UNARY)),
}

# A name that is also a word of the language needs brackets where that word could stand.
STATEMENT_WORDS = frozenset(
    {
        *("rule", "needs", "let", "set", "increase", "decrease", "surely", "move", "shuffle", "roll", "do"),
        *("announce", "stop", "end", "if", "each", "together", "repeat", "take", "otherwise", "openly"),
    }
)
STEP_WORDS = frozenset(
    {
        *("documented", "players", "with", "given", "run", "chance", "asked", "offered", "then"),
        *("fired", "not", "winners", "finished", "cases"),
    }
)
_AMOUNT_WORDS = frozenset({"all", "up", "at"})
_TYPE_WORDS = frozenset({"flag", "set", "pieces", "spot", "square", "pool", "bag", "stack", "slot", "grid"})
_Atom: TypeAlias = (
    t.Name
    | t.Integer
    | t.NoneValue
    | t.Flag
    | t.PlayerCount
    | t.Sequence
    | t.TupleValue
    | t.Bundle
    | t.BundleFor
    | t.FoldValues
    | t.FoldOf
    | t.FoldMembers
    | t.FoldRanked
)
_LEADING = re.compile(r"[^\W\d]\w*(?!\w)(\(?)")


def print_expr(expr: t.Expr) -> str:
    """The expression on one line, with only the brackets that the grammar needs to read the same tree again."""
    return expr_text(expr)


def expr_text(expr: t.Expr, least: int = _AFTER, words: frozenset[str] = frozenset()) -> str:
    """The text of ``expr`` where a form of level ``least`` is wanted and ``words`` are not read as names."""
    text, level = _form(expr)
    if level < least:
        return f"({text})"
    lead = _LEADING.match(text)
    if lead is None or lead[0].rstrip("(") not in words or (lead[1] and lead[0].rstrip("(") in FOLDS):
        return text
    return f"({text})"


def _form(expr: t.Expr) -> tuple[str, int]:
    """The text of ``expr`` without brackets round it, and its level."""
    match expr:
        case t.After(value, rule, arguments):
            return f"{expr_text(value, CONDITIONAL)} after do {rule}{arguments_text(arguments)}", _AFTER
        case t.Conditional(condition, then, otherwise):
            last = expr_text(otherwise, CONDITIONAL)
            return f"if {expr_text(condition)} then {expr_text(then)} else {last}", CONDITIONAL
        case t.Unary("not", value):
            return f"not {expr_text(value, _NOT)}", _NOT
        case t.Unary(_, value):
            inner = expr_text(value, _UNARY)
            return (f"- {inner}" if inner.startswith("-") else f"-{inner}"), _UNARY
        case t.Binary():
            return _binary(expr)
        case t.AllBut():
            raise ValueError("`all but` is printed only as a price")
        case t.Attribute(value, name):
            return f"{expr_text(value, POSTFIX)}.{name}", POSTFIX
        case t.Index(value, indices):
            return f"{expr_text(value, POSTFIX)}[{exprs_text(indices)}]", POSTFIX
        case t.Apply(t.Name(name), arguments) if name in FOLDS:
            return f"({name})({exprs_text(arguments)})", POSTFIX
        case t.Apply(function, arguments):
            return f"{expr_text(function, POSTFIX)}({exprs_text(arguments)})", POSTFIX
        case _:
            return _atom(expr), POSTFIX


def _binary(expr: t.Binary) -> tuple[str, int]:
    level, left_level, right_level = _BINDING[expr.op]
    left = expr_text(expr.left, left_level)
    if expr.op == "covers":
        return f"{left} covers {price_text(expr.right, right_level)}", level
    right = expr_text(expr.right, right_level, frozenset({"in"}) if expr.op in ("is", "is not") else frozenset())
    if expr.op == "..":
        return f"{left}..{right}", level
    if expr.op.startswith("/ "):
        return f"{left} / {right} rounded {expr.op[2:]}", level
    return f"{left} {expr.op} {right}", level


def _atom(expr: _Atom) -> str:
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
            return f"[{exprs_text(items)}]"
        case t.TupleValue(items):
            return f"({exprs_text(items)})"
        case t.Bundle(entries):
            return "{" + ", ".join(map(_entry, entries)) + "}"
        case t.BundleFor(entry, binders):
            return "{" + f"{_entry(entry)} for {binders_text(binders)}" + "}"
        case t.FoldValues(word, values):
            return f"{word}({exprs_text(values)})"
        case t.FoldOf(word, body, binders):
            return f"{word}({expr_text(body)} for {binders_text(binders)})"
        case t.FoldMembers(word, binders):
            return f"{word}({binders_text(binders)})"
        case t.FoldRanked(word, binders, ranks):
            return f"{word}({binders_text(binders)} by {ranks_text(ranks)})"
        case _:
            assert_never(expr)


def exprs_text(exprs: Iterable[t.Expr]) -> str:
    return ", ".join(map(expr_text, exprs))


def _entry(entry: t.Entry) -> str:
    return f"{expr_text(entry.kind)}: {expr_text(entry.count)}"


def binders_text(binders: t.Binders) -> str:
    return ", ".join(map(_binder, binders.binders))


def _binder(b: t.Binder) -> str:
    start = "" if b.start is None else f" from {expr_text(b.start)}"
    filters = "".join(f" {f.word} {expr_text(f.condition)}" for f in b.filters)
    return f"{b.name or _pattern(b)} in {expr_text(b.domain)}{start}{filters}"


def ranks_text(ranks: Iterable[t.Rank]) -> str:
    return ", then ".join(f"{rank.word} {expr_text(rank.value)}" for rank in ranks)


def aim_text(aim: t.Aim) -> str:
    return f" for {ranks_text([aim.rank])}{deep_text(aim.deep)}"


def _pattern(binder: t.Binder) -> str:
    return f"({exprs_text(binder.parts)})"


# ---------------------------------------------------------------- types and heads


def print_type(type_: t.TypeExpr) -> str:
    """The type as written after the colon of a parameter, a column or a variable."""
    match type_:
        case t.TypeName(name):
            return name
        case t.TypeRange(low, high):
            return f"{expr_text(low, SUM, _TYPE_WORDS)}..{expr_text(high, SUM)}"
        case t.TypeFlag():
            return "flag"
        case t.TypeOptional(item):
            return f"{print_type(item)} or none"
        case t.TypeSet(item):
            return f"set of {print_type(item)}"
        case t.TypePieces(item):
            return f"pieces of {print_type(item)}"
        case t.TypeSpot(item):
            return f"spot of {print_type(item)}"
        case t.TypeSquare():
            return "square"
        case t.TypeRule(params):
            return f"rule{params_text(params)}"
        case t.TypeList(items):
            return f"list of {' and '.join(map(print_type, items))}"
        case t.TypePlace(place, item):
            return f"{place} of {print_type(item)}"
        case _:
            assert_never(type_)


def names_text(names: Iterable[str]) -> str:
    return ", ".join(names)


def params_text(params: tuple[t.Param, ...]) -> str:
    return f"({', '.join(f'{p.name}: {print_type(p.type)}' for p in params)})" if params else ""


def deep_text(deep: t.Expr | None) -> str:
    """How often what may run itself may be running at the same time, as it follows the parameters."""
    return "" if deep is None else f", at most {expr_text(deep, SUM)} deep"


def arguments_text(arguments: tuple[t.Expr, ...]) -> str:
    return f"({exprs_text(arguments)})" if arguments else ""


def trigger_text(trigger: t.Trigger) -> str:
    if trigger.condition is not None:
        return f" {openly_text(trigger)}{trigger.word} {expr_text(trigger.condition)}"
    names = f"({names_text(trigger.names)})" if trigger.names else ""
    return f" {trigger.word} {trigger.event}{names}"


def openly_text(action: t.Action) -> str:
    return "openly " if action.openly else ""


def price_text(price: t.Expr, least: int = CONDITIONAL) -> str:
    """What is paid or covered."""
    if isinstance(price, t.AllBut):
        return f"all but {expr_text(price.number, SUM)} of {expr_text(price.cost, _FALLBACK)}"
    return expr_text(price, least, frozenset({"all"}))


def attribute_text(attribute: t.VariableAttribute | t.Exchange) -> str:
    if isinstance(attribute, t.Exchange):
        return _exchange_text(attribute)
    if attribute.value is None:
        return attribute.word
    if attribute.name is not None:
        return f"{attribute.word} {attribute.name} where {expr_text(attribute.value)}"
    return f"{attribute.word} {expr_text(attribute.value, SUM)}"


def _exchange_text(exchange: t.Exchange) -> str:
    number = expr_text(exchange.number)
    number = number if isinstance(exchange.number, t.Integer) else f"({number})"
    given = f"{number} of {'any' if exchange.given is None else expr_text(exchange.given)}"
    return f"{given} for {exchange.one}" + ("" if exchange.due is None else f" of {expr_text(exchange.due)}")


def amount_text(amount: t.Amount) -> str:
    words: frozenset[str] = frozenset() if amount.word else _AMOUNT_WORDS
    number = None if amount.number is None else expr_text(amount.number, words=words)
    of = None if amount.of is None else f"of {expr_text(amount.of)}"
    return " ".join(part for part in (amount.word, number, of) if part)


WIDTH = 120
INDENT = "  "
_CONTINUATION = "    "


@frozen
class CanonicalLine(Structural):
    """One line of canonical text, before it is folded.

    ``indent`` counts levels. ``first`` and ``last`` are the source lines (from 1) the text stands for, of a block
    only those of its head; both are 0 for a line that has no node of its own, such as ``otherwise``.
    """

    indent: int
    text: str
    first: int = 0
    last: int = 0


_PIECE = re.compile(r'"[^"]*"|[()\[\]{}]|, | (?=(?:and|or|for|where|while|after) )|(?<= and) |(?<= or) ')


def fold(line: CanonicalLine) -> list[str]:
    """The line as it is written: indented, and folded when it is over ``WIDTH`` columns.

    Brackets still open at the right margin are broken, the outermost first; where there are none, the line is broken
    after a comma, `and` or `or`. A line without a place to break stays long.
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


@frozen
class _Break(Structural):
    """A place to fold: ``at`` is where the next line would begin, ``closes`` where the bracket round it ends.

    Outside all brackets ``depth`` is 0.
    """

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
        elif not piece[0].startswith('"'):
            behind_word = text[: piece.start()].endswith((" and", " or"))
            if opened and not behind_word:
                found.append((piece.end(), len(opened), opened[-1]))
            elif not opened and (behind_word or piece[0] == ", "):
                found.append((piece.end(), 0, -1))
    return [_Break(at, depth, closes.get(bracket, 0)) for at, depth, bracket in found]


def _choose(breaks: list[_Break], start: int, limit: int) -> int | None:
    """The column to break the text at from ``start``, when it reaches past ``limit``; None when there is none."""
    inside = [b for b in breaks if b.depth and b.at > start]
    outside = [b for b in breaks if not b.depth and b.at > start]
    ahead = inside or outside
    fitting = [b for b in ahead if b.at - 1 <= limit]
    fitting = [b for b in fitting if b.closes > limit] or fitting
    if fitting:
        return min(fitting, key=lambda b: (b.depth, -b.at)).at
    if any(b.at - 1 <= limit for b in outside):
        return max(b.at for b in outside if b.at - 1 <= limit)
    return ahead[0].at if ahead else None
