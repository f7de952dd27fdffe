"""Construction of the syntax tree: a maker for each production of the grammar.

A production with the name of its class, whose children are the fields in their order, is made without an entry here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias

import attrs

from ..source import Span
from . import tree as t
from .layout import without_comment

MAX_DEPTH = 120
"""How many nodes may be nested in one another."""
_DIGITS = 18  # more than any number of the language has

Maker: TypeAlias = Callable[[Span, list[Any]], Any]
"""Makes a node from its place and what was made of the children: nodes, plain text, None for what is left out."""


def value_of(terminal: str, text: str) -> str | int:
    """A terminal as plain data: numbers as such, texts without their quotes."""
    if terminal == "INT":
        return int(text[:_DIGITS])
    return text[1:-1] if terminal == "STRING" else text


def code_of(text: str) -> list[str]:
    """The lines of a text without what is no code: comments and spaces at the end."""
    return [without_comment(line).rstrip() for line in text.split("\n")]


def end_of(code: list[str], line: int, end_line: int, end_column: int) -> tuple[int, int]:
    """Line and column at which a node ends that begins in ``line`` and takes up the text until ``end_line`` and
    ``end_column``: before the line breaks behind it."""
    while end_line > line and not code[end_line - 1][: end_column - 1].strip():
        end_line -= 1
        end_column = len(code[end_line - 1]) + 1
    return end_line, end_column


# ---------------------------------------------------------------- makers


def _node(cls: Callable[..., t.Node], *given: Any) -> Maker:
    """A node whose fields are ``given`` and then the children. Left out: a flag is no, a tuple empty, the rest None."""
    types = [str(field.type) for field in _positional(cls)[len(given) :]]
    flags = [i for i, type_ in enumerate(types) if type_ == "bool"]
    tuples = [i for i, type_ in enumerate(types) if type_.startswith("tuple[") and not type_.endswith("| None")]

    def make(span: Span, c: list[Any]) -> t.Node:
        for i in flags:
            if i < len(c):
                c[i] = c[i] is not None
        for i in tuples:
            if i < len(c) and c[i] is None:
                c[i] = ()
        return cls(*given, *c, span=span)

    return make if flags or tuples else lambda span, c: cls(*given, *c, span=span)


def _gathered(cls: Callable[..., t.Node], *given: Any) -> Maker:
    """As ``_node``, for a last field that is a tuple of all children not taken by the others."""
    alone = len(_positional(cls)) - len(given) - 1
    make = _node(cls, *given)
    return lambda span, c: make(span, [*c[:alone], tuple(c[alone:])])


def _positional(cls: Any) -> list[attrs.Attribute[Any]]:
    return [field for field in attrs.fields(cls) if not field.kw_only]


def _first(span: Span, c: list[Any]) -> Any:
    return c[0]


def _all(span: Span, c: list[Any]) -> tuple[Any, ...]:
    return tuple(c)


def _pair(key: str) -> Maker:
    """The children under a name, for the production around them."""
    return lambda span, c: (key, c)


def _game(span: Span, c: list[Any]) -> t.Game:
    teams = tuple(x for x in c if isinstance(x, t.Team))
    head = dict(x for x in c[1:] if not isinstance(x, t.Team))
    (title,) = head.get("title", (None,))
    low, high = head.get("players", (0, 0))
    (seats,), (languages,) = head.get("seats", ((),)), head.get("languages", ((),))
    return t.Game(c[0], title, low, low if high is None else high, seats, languages, teams, span=span)


def _table_parts(
    c: list[Any],
) -> tuple[tuple[t.Column, ...], tuple[t.RowsFile | t.RowsInline, ...], t.StandIn | None]:
    columns = tuple(x for x in c if isinstance(x, t.Column))
    rows = tuple(x for x in c if isinstance(x, (t.RowsFile, t.RowsInline)))
    stand_in = next((x for x in c if isinstance(x, t.StandIn)), None)
    return columns, rows, stand_in


def _product(span: Span, c: list[Any]) -> t.Table:
    parts = tuple(x for x in c[1:] if isinstance(x, str))
    return t.Table(c[0], False, *_table_parts(c[1:]), parts=parts, span=span)


def _setting(kind: Any) -> Maker:
    return lambda span, c: t.Setting(kind, c[0], c[1], c[2], " ".join(c[3:]) or None, span=span)


def _owner(span: Span, c: list[Any]) -> tuple[t.Name, str | None]:
    return t.Name(c[0], span=attrs.evolve(span, end_line=span.line, end_column=span.column + len(c[0]))), c[1]


def _variables(span: Span, c: list[Any]) -> t.Variables:
    owners = [x for x in c if isinstance(x, tuple)]
    keys = tuple(key for _, key in owners)
    variables = tuple(c[len(owners) :])
    return t.Variables(tuple(owner for owner, _ in owners), variables, keys if any(keys) else (), span=span)


def _with_head(make: Maker, word: str) -> Maker:
    """With the stretch from the word of the production to the end of the id behind it, which is the first child."""

    def made(span: Span, c: list[Any]) -> t.Node:
        end = span.column + len(word) + 1 + len(c[0])
        return attrs.evolve(make(span, c), head=Span(span.file, span.line, span.column, span.line, end))  # type: ignore[no-any-return]

    return made


def _openly(make: Maker) -> Maker:
    """With the word ``openly``, or None, as the first child; the others are those of ``make``."""
    return lambda span, c: attrs.evolve(make(span, c[1:]), openly=c[0] is not None)


def _rule(span: Span, c: list[Any]) -> t.Rule:
    return t.Rule(c[0], c[1] or (), tuple(c[3:-1]), c[-1], c[2], span=span)


def _promised(c: Any) -> dict[str, Any]:
    """Of a definition: what it gives, and how deep one goes that uses itself."""
    return {} if c is None else {"result": c[0], "deep": c[1]}


def _ways(span: Span, c: list[Any]) -> t.Define:
    name, params, most, start, *steps, end = c
    return t.Define(name, params or (), ways=t.Ways(most, start, tuple(steps), end, span=span), span=span)


_FOLDS: dict[str, Callable[..., t.Expr]] = {
    "values": t.FoldValues,
    "of": t.FoldOf,
    "members": t.FoldMembers,
    "ranked": lambda word, binders, *ranks, span: t.FoldRanked(word, binders, ranks, span=span),
}


def _fold(span: Span, c: list[Any]) -> t.Expr:
    word, (form, values) = c
    return _FOLDS[form](word, *values, span=span)


def _op(op: str) -> Maker:
    return lambda span, c: t.Binary(op, c[0], c[1], span=span)


def _infix(span: Span, c: list[Any]) -> t.Binary:
    """With its operator as the child in the middle."""
    return t.Binary(c[1], c[0], c[2], span=span)


_SPECIAL: dict[str, Maker] = {
    "start": _first,
    # headers
    "game": _game,
    "head_title": _pair("title"),
    "head_players": _pair("players"),
    "head_seats": _pair("seats"),
    "head_languages": _pair("languages"),
    "team": lambda span, c: t.Team(c[0], tuple(c[1:-1]), c[-1], span=span),
    # things and numbers
    "enum": lambda span, c: t.Enum(c[0], c[2], c[1] is not None, span=span),
    "ring": lambda span, c: "ring",
    "hexes_by": lambda span, c: t.Grid(c[0], c[1], c[2], "hexes", span=span),
    "track": lambda span, c: t.Grid(c[0], c[2], None, "track", c[1] is not None, span=span),
    "hexagon": lambda span, c: t.Grid(c[0], c[1], None, "hexes", span=span),
    "table": lambda span, c: t.Table(c[0], c[1] is not None, *_table_parts(c[2:]), span=span),
    "table_product": _product,
    "rows_inline": lambda span, c: t.RowsInline(tuple(c[1:]), c[0], span=span),
    "number_plain": lambda span, c: t.Number(c[0], (t.Case(None, c[1], span=span),), True, span=span),
    "number_cases": lambda span, c: t.Number(c[0], tuple(c[1:]), False, span=span),
    "option": _setting("option"),
    "reading": _setting("reading"),
    "default": _first,
    "because": _first,
    # state
    "variables_game": _variables,
    "variables_each": _variables,
    "owner": _owner,
    "variable": _gathered(t.Variable),
    "carry": _gathered(t.Carry),
    "place": _node(t.TypePlace),
    "at_most": _node(t.VariableAttribute, "at most"),
    "seen_by_owner": _node(t.VariableAttribute, "seen by owner"),
    "seen_by_nobody": _node(t.VariableAttribute, "seen by nobody"),
    "seen_by_others": _node(t.VariableAttribute, "seen by all but owner"),
    "seen_by_some": lambda span, c: t.VariableAttribute("seen by", c[2], c[0], span=span),
    "counted": _node(t.VariableAttribute, "counted"),
    "exchange_any": lambda span, c: t.Exchange(c[0], None, int(c[1]), c[2], span=span),
    "exchange_of": _node(t.Exchange),
    "not_below": _node(t.VariableAttribute, "not below"),
    "not_above": _node(t.VariableAttribute, "not above"),
    "bookkeeping": _node(t.VariableAttribute, "bookkeeping"),
    "last": _node(t.VariableAttribute, "last"),
    "type_list": _gathered(t.TypeList),
    "type_bundle": _node(t.TypePieces),
    "type_rule": lambda span, c: t.TypeRule(c[0] or (), span=span),
    # what is computed
    "define_plain": lambda span, c: t.Define(c[0], c[1] or (), c[3], **_promised(c[2]), span=span),
    "define_cases": lambda span, c: t.Define(c[0], c[1] or (), cases=tuple(c[3:]), **_promised(c[2]), span=span),
    "define_by": lambda span, c: t.Define(
        c[0], c[1] or (), by=c[3], matches=tuple(c[4:]), **_promised(c[2]), span=span
    ),
    "promise": _all,
    "ways": _ways,
    "ways_from": _first,
    "ways_step_where": lambda span, c: t.WaysStep(c[0], c[1], None, c[3], span=span),
    "ways_end": lambda span, c: t.WaysEnd(c[0], c[-1] if len(c) > 1 else None, span=span),
    "case_when": _node(t.Case),
    "case_otherwise": _node(t.Case, None),
    "params": _all,
    "graph": _gathered(t.Graph),
    "node": _first,
    "edge": _node(t.GraphEdge),
    "edge_where": lambda span, c: t.GraphEdge(c[0], c[1], c[2] is not None, c[3], None, c[5], span=span),
    "one_way": lambda span, c: "one way",
    "length": _first,
    "history": lambda span, c: t.History(c[0], c[1] or (), tuple(c[2:-1]), c[-1], span=span),
    # rules
    "winner": _gathered(t.Winner),
    "rule": _with_head(_rule, "rule"),
    "deep": _first,
    "trigger_when": _openly(_node(t.Trigger, "when")),
    "trigger_on": _node(t.Trigger, "on", None),
    "trigger_whenever": _openly(_node(t.Trigger, "whenever")),
    "block": _all,
    # statements
    "openly": lambda span, c: attrs.evolve(c[1], openly=True, span=span),
    "increase": _node(t.Change, "increase"),
    "decrease": _node(t.Change, "decrease"),
    "show": lambda span, c: t.Show(False, None, c[0], *c[1], span=span),
    "show_pieces": lambda span, c: t.Show(bool(c[0]), c[1], c[2], *c[3], span=span),
    "to_all": lambda span, c: (None, None),
    "to_each": lambda span, c: (None, c[0]),
    "to_one": lambda span, c: (c[0], None),
    "if_": _node(t.If),
    "otherwise": _first,
    "otherwise_if": lambda span, c: (_openly(_node(t.If))(span, c),),
    "otherwise_if_there": lambda span, c: (_openly(_node(t.IfThere))(span, c),),
    "otherwise_block": _first,
    "repeat_at_most": _node(t.Repeat, "at most"),
    "repeat_falling": _node(t.Repeat, "falling"),
    "chooses": lambda span, c: t.Choose(c[0] is not None, False, *c[1:], span=span),
    "chooses_some": _node(t.ChooseSome),
    "some_of": _node(t.Some, ""),
    "some_up_to": _node(t.Some, "up to"),
    "some_any": _node(t.Some, "any"),
    "orders": lambda span, c: t.ChooseSome(False, c[0], t.Some("orders", span=span), c[1], span=span),
    "may_choose": _node(t.Choose, False, True),
    "menu": lambda span, c: t.Menu(c[0] is not None, c[1], tuple(c[3:-1]), c[-1], c[2], span=span),
    "choice": _with_head(_node(t.MenuOption), "option"),
    "pays": _node(t.Pay),
    "scores": _node(t.Score, "scores"),
    "loses": _node(t.Score, "loses"),
    "amount_all": _node(t.Amount, "all"),
    "amount_all_of": _node(t.Amount, "all", None),
    "amount_up_to": _node(t.Amount, "up to"),
    "amount_up_to_of": _node(t.Amount, "up to"),
    "amount_at": _node(t.Amount, "at"),
    "amount_plain": _node(t.Amount, ""),
    "amount_of": _node(t.Amount, ""),
    # variants
    "change_option": _node(t.ChangeSetting, "option"),
    "change_reading": _node(t.ChangeSetting, "reading"),
    "remove_rule": _node(t.RemoveRule, "rule"),
    "remove_option": _node(t.RemoveRule, "option"),
    "insert_before": _node(t.Insert, "before"),
    "insert_after": _node(t.Insert, "after"),
    "insert_before_option": lambda span, c: t.Insert("before", c[0], c[1], "option", span=span),
    "insert_after_option": lambda span, c: t.Insert("after", c[0], c[1], "option", span=span),
    "extend_table": lambda span, c: t.ExtendTable(c[0], *_table_parts(c[1:]), span=span),
    "extend_define": _gathered(t.ExtendDefine),
    "extend_rule": _gathered(t.ExtendRule),
    # examples
    "example": _gathered(t.Example),
    "documented": _gathered(t.Documented),
    "source": lambda span, c: t.Passage(c[0], c[1], c[1] if c[2] is None else c[2], span=span),
    "too_little": lambda span, c: "too little",
    "too_much": lambda span, c: "too much",
    "not_there": lambda span, c: "not there",
    "not_fired": lambda span, c: t.Fired(c[0], True, span=span),
    "example_cases": _gathered(t.ExampleCases),
    # expressions
    "after": lambda span, c: t.After(c[0], c[1], c[2] or (), span=span),
    "if_expr": _node(t.Conditional),
    "or_op": _op("or"),
    "and_op": _op("and"),
    "not_op": _node(t.Unary, "not"),
    "compare": _infix,
    "is_": _op("is"),
    "is_not": _op("is not"),
    "is_in": _op("is in"),
    "is_not_in": _op("is not in"),
    "covers": _op("covers"),
    "holds": _op("holds"),
    "coalesce": _op("otherwise"),
    "range_of": _op(".."),
    "binary": _infix,
    "modulo": _op("mod"),
    "divide": lambda span, c: t.Binary(f"/ {c[2]}", c[0], c[1], span=span),
    "negative": lambda span, c: t.Unary("-", c[1], span=span),
    "attribute_of": _node(t.Attribute),
    "arguments": lambda span, c: c[0] or (),
    "none": _node(t.NoneValue),
    "yes": _node(t.Flag, True),
    "no": _node(t.Flag, False),
    "tuple_": lambda span, c: t.TupleValue((c[0], *c[1]), span=span),
    "bundle": lambda span, c: t.Bundle(tuple(entry for entry in c if entry is not None), span=span),
    "fold": _fold,
    "fold_values": _pair("values"),
    "fold_of": _pair("of"),
    "fold_members": _pair("members"),
    "fold_ranked": _pair("ranked"),
    "binders": lambda span, c: t.Binders(tuple(c), span=span),
    "binder": lambda span, c: t.Binder(c[0], c[1], c[2], (), tuple(c[3:]), span=span),
    "binder_apart": lambda span, c: t.Binder("", c[1], c[2], c[0].items, tuple(c[3:]), span=span),
    # lists and ids
    "exprs": _all,
    "names": lambda span, c: tuple(name for name in c if name is not None),
    "ids": _all,
    "id": lambda span, c: ".".join(c),
}


def _named() -> dict[str, Maker]:
    """Makers of the productions that have the names of their classes: ``take_turns`` makes a ``TakeTurns``."""
    classes = {re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower(): cls for name, cls in vars(t).items()}
    return {
        name: _node(cls)
        for name, cls in classes.items()
        if name not in _SPECIAL and isinstance(cls, type) and issubclass(cls, t.Node) and cls is not t.Node
    }


MAKERS: dict[str, Maker] = {**_named(), **_SPECIAL}
"""By production."""
