"""Hypothesis strategies for syntax trees that the grammar can express, in the form in which the parser builds them."""

from __future__ import annotations

from typing import Any, TypeVar

import attrs
from hypothesis import strategies as st

from rulelang.syntax import tree as t

T = TypeVar("T")

# Words that mean something elsewhere in the language are ordinary names where an expression stands.
_PLAIN = ["a", "b", "p", "wide_name", "été", "Land", "x1"]
_TRICKY = [
    "all",
    "at",
    "count",
    "flag",
    "for",
    "from",
    "in",
    "of",
    "openly",
    "otherwise",
    "pool",
    "set",
    "stop",
    "then",
    "there",
    "to",
]
_FOLD_WORDS = ["count", "sum", "max", "min", "some", "every", "first", "list", "set", "ranked"]
OPERATORS = [
    *("or", "and", "<", "<=", ">", ">=", "is", "is not", "is in", "is not in", "covers", "holds"),
    *("otherwise", "..", "+", "-", "*", "mod", "/ down", "/ up"),
]

names = st.sampled_from(_PLAIN)
ids = st.lists(names, min_size=1, max_size=3).map(".".join)
integers = st.integers(0, 10**18 - 1) | st.integers(0, 20)
texts = st.text(st.sampled_from("abz é#'(,) [{"), max_size=30)
reasons = st.none() | st.text(st.sampled_from("abcdefgh   #"), min_size=1, max_size=260)


def some_of(strategy: st.SearchStrategy[T], low: int = 1, high: int = 3) -> st.SearchStrategy[tuple[T, ...]]:
    """Tuples of ``low`` to ``high`` values."""
    return st.lists(strategy, min_size=low, max_size=high).map(tuple)


name_lists = some_of(names)


def _larger(expr: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    entry = st.builds(t.Entry, expr, expr)
    binders = _binders(expr)
    folds = st.sampled_from(_FOLD_WORDS)
    return st.one_of(
        st.builds(t.Binary, st.sampled_from(OPERATORS), expr, expr),
        st.builds(t.Binary, st.sampled_from(OPERATORS), expr, expr),
        st.builds(t.Binary, st.just("covers"), expr, st.builds(t.AllBut, expr, expr)),
        st.builds(t.Unary, st.sampled_from(["-", "not"]), expr),
        st.builds(t.Conditional, expr, expr, expr),
        st.builds(t.After, expr, ids, some_of(expr, 0)),
        st.builds(t.Attribute, expr, names | st.sampled_from(_TRICKY)),
        st.builds(t.Index, expr, some_of(expr)),
        st.builds(t.Apply, expr, some_of(expr, 0)),
        st.builds(t.Sequence, some_of(expr, 0)),
        st.builds(t.TupleValue, some_of(expr, 2)),
        st.builds(t.Bundle, some_of(entry, 0)),
        st.builds(t.BundleFor, entry, binders),
        st.builds(t.FoldValues, folds, some_of(expr)),
        st.builds(t.FoldOf, folds, expr, binders),
        st.builds(t.FoldMembers, folds, binders),
        st.builds(t.FoldRanked, folds, binders, some_of(st.builds(t.Rank, st.sampled_from(["most", "fewest"]), expr))),
    )


def _binders(expr: st.SearchStrategy[Any]) -> st.SearchStrategy[t.Binders]:
    filters = some_of(st.builds(t.Filter, st.sampled_from(["where", "while"]), expr), 0, 2)
    plain = st.builds(t.Binder, names, expr, st.none() | expr, filters=filters)
    apart = st.builds(t.Binder, st.just(""), expr, st.none() | expr, some_of(expr, 2), filters)
    return st.builds(t.Binders, some_of(plain | apart, 1, 2))


_atoms = st.one_of(
    st.builds(t.Name, names),
    st.builds(t.Name, names | st.sampled_from(_TRICKY)),
    st.builds(t.Integer, integers),
    st.builds(t.NoneValue),
    st.builds(t.Flag, st.booleans()),
    st.builds(t.PlayerCount),
)
exprs: st.SearchStrategy[Any] = st.recursive(_atoms, _larger, max_leaves=6)
binders = _binders(exprs)
maybe_expr = st.none() | exprs
somes = st.just(t.Some("any")) | st.builds(t.Some, st.sampled_from(["up to", ""]), exprs)
some_binders = binders.map(lambda several: several.binders[0])

# What can be set: `set (` would be read as the fold word, so no brackets come first.
_variables = st.builds(t.Name, names)
targets = _variables | st.builds(t.Index, st.builds(t.Attribute, _variables, names), some_of(exprs))

# ---------------------------------------------------------------- types

_simple_types: st.SearchStrategy[Any] = st.recursive(
    st.one_of(
        st.builds(t.TypeName, names),
        st.builds(t.TypeFlag),
        st.builds(t.TypeSquare),
        st.builds(t.TypeRange, exprs, exprs),
    ),
    lambda inner: st.builds(t.TypeSet, inner) | st.builds(t.TypePieces, inner) | st.builds(t.TypeSpot, inner),
    max_leaves=2,
)
types = _simple_types | st.builds(t.TypeOptional, _simple_types)
variable_types = st.one_of(
    types,
    st.builds(t.TypePlace, st.sampled_from(["pool", "bag", "stack", "slot", "grid"]), _simple_types),
    st.builds(t.TypeList, some_of(types)),
)
params = some_of(st.builds(t.Param, names, types), 0)
some_params = some_of(st.builds(t.Param, names, types), 1)

# ---------------------------------------------------------------- statements


def maybe_openly(*actions: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.builds(lambda action, openly: attrs.evolve(action, openly=openly), st.one_of(*actions), st.booleans())


aims = st.builds(t.Aim, st.builds(t.Rank, st.sampled_from(["most", "fewest"]), exprs), exprs)


def _blocks(statement: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    block = some_of(statement, 1, 2)
    maybe_block = st.none() | block
    choice = st.builds(t.MenuOption, ids, st.none() | binders, some_of(statement, 0, 2))
    rule = st.builds(t.Rule, ids, params, some_of(triggers, 0, 2), block, maybe_expr)
    chained = maybe_openly(st.builds(t.If, exprs, block, maybe_block), st.builds(t.IfThere, binders, block))
    return rule | maybe_openly(
        st.builds(t.If, exprs, block, maybe_block),
        st.builds(t.If, exprs, block, chained.map(lambda c: (c,))),
        st.builds(t.IfThere, binders, block, maybe_block),
        st.builds(t.Each, binders, block),
        st.builds(t.Together, binders, block),
        st.builds(t.Repeat, st.sampled_from(["at most", "falling"]), exprs, block),
        st.builds(t.TakeTurns, names, exprs, maybe_expr, maybe_expr, block),
        st.builds(t.Choose, st.booleans(), st.just(False), exprs, binders, block, maybe_block),
        st.builds(t.Choose, st.just(False), st.just(True), exprs, binders, block, maybe_block),
        st.builds(t.ChooseSome, st.booleans(), exprs, somes, some_binders, block, maybe_block),
        st.builds(t.Menu, st.booleans(), exprs, some_of(choice, 1, 2), maybe_block, st.none() | aims),
    )


triggers = maybe_openly(st.builds(t.Trigger, st.sampled_from(["when", "whenever"]), exprs)) | st.builds(
    t.Trigger, st.just("on"), event=names, names=some_of(names, 0)
)
amounts = st.one_of(
    st.builds(t.Amount, st.just("all"), of=maybe_expr),
    st.builds(t.Amount, st.sampled_from(["up to", ""]), exprs, maybe_expr),
    st.builds(t.Amount, st.just("at"), exprs),
)
_short_statements = maybe_openly(
    st.builds(t.Needs, exprs),
    st.builds(t.Let, names, exprs),
    st.builds(t.Set, targets, exprs),
    st.builds(t.Change, st.sampled_from(["increase", "decrease"]), exprs, exprs),
    st.builds(t.Move, st.booleans(), amounts, exprs, exprs),
    st.builds(t.Move, st.booleans(), amounts, exprs, exprs, exprs, maybe_expr),
    st.builds(t.Shuffle, exprs),
    st.builds(t.Show, st.just(False), st.none(), exprs, st.none() | exprs, st.none()),
    st.builds(t.Show, st.booleans(), amounts, exprs, st.none(), st.none() | binders),
    st.builds(t.Roll, st.booleans(), binders),
    st.builds(t.DoNothing),
    st.builds(t.Do, ids, some_of(exprs, 0)),
    st.builds(t.Announce, names, some_of(exprs, 0)),
    st.builds(t.Remember, names, some_of(exprs, 0)),
    st.builds(t.Forget, names),
    st.builds(t.Stop),
    st.builds(t.EndGame),
    st.builds(t.Choose, st.booleans(), st.just(False), exprs, binders),
    st.builds(t.ChooseSome, st.booleans(), exprs, somes, some_binders),
    st.builds(t.ChooseSome, st.just(False), exprs, st.just(t.Some("orders")), some_binders),
    st.builds(t.Pay, st.booleans(), exprs, exprs | st.builds(t.AllBut, exprs, exprs), exprs, exprs),
    st.builds(t.Score, st.sampled_from(["scores", "loses"]), exprs, exprs),
    st.builds(t.Wins, exprs),
)
statements: st.SearchStrategy[Any] = st.recursive(_short_statements, _blocks, max_leaves=5)
bodies = some_of(statements)
rules = st.builds(t.Rule, ids, params, some_of(triggers, 0, 2), bodies, maybe_expr)
menu_options = st.builds(t.MenuOption, ids, st.none() | binders, bodies)

# ---------------------------------------------------------------- items

_seats = some_of(st.builds(t.Name, names) | st.builds(t.Integer, st.integers(0, 12)))
games = st.builds(
    t.Game,
    *(names, texts, st.integers(1, 3), st.integers(3, 8), st.just(()) | name_lists, st.just(()) | name_lists),
    some_of(st.builds(t.Team, names, _seats, maybe_expr), 0),
)
headers = st.one_of(
    games,
    st.builds(t.Part, names),
    st.builds(t.Examples, names),
    st.builds(t.Variant, names, name_lists, st.just(()) | name_lists, st.none() | texts),
)
enums = st.builds(t.Enum, names, name_lists, st.booleans())
_rule_types = st.builds(t.TypeRule, params)
columns = st.builds(t.Column, names, types | _rule_types | st.builds(t.TypeOptional, _rule_types), maybe_expr)
rows = st.builds(t.RowsFile, texts, maybe_expr) | st.builds(
    t.RowsInline, some_of(st.builds(t.Row, names, some_of(exprs, 0))), maybe_expr
)
stand_ins = st.builds(t.StandIn, maybe_expr, texts)
tables = st.one_of(
    st.builds(t.Table, names, st.booleans(), some_of(columns), some_of(rows, 0, 2), st.none() | stand_ins),
    st.builds(t.Table, names, st.booleans(), st.just(()), some_of(rows, 1, 2), st.none() | stand_ins),
    st.builds(t.Table, names, st.just(False), st.just(()), st.just(()), parts=some_of(names, 2)),
    st.builds(t.Table, names, st.just(False), some_of(columns), some_of(rows, 0, 2), parts=some_of(names, 2)),
)
cases = some_of(st.builds(t.Case, maybe_expr, exprs))
matches = some_of(st.builds(t.Match, name_lists, exprs))
numbers = st.builds(t.Number, names, st.builds(t.Case, st.none(), exprs).map(lambda case: (case,))) | st.builds(
    t.Number, names, cases, st.just(False)
)
settings = st.builds(t.Setting, st.sampled_from(["option", "reading"]), names, name_lists, names, reasons)
attributes = st.one_of(
    st.builds(t.VariableAttribute, st.sampled_from(["seen by owner", "seen by nobody", "counted", "bookkeeping"])),
    st.builds(t.VariableAttribute, st.just("seen by all but owner")),
    st.builds(t.VariableAttribute, st.just("seen by"), exprs, names),
    st.builds(t.VariableAttribute, st.sampled_from(["at most", "last", "not below"]), exprs),
    st.builds(t.Exchange, exprs, maybe_expr, st.integers(0, 3), maybe_expr),
)
_some_variables = some_of(st.builds(t.Variable, names, variable_types, maybe_expr, some_of(attributes, 0)))
_owner = st.builds(t.Name, names)
variables = st.builds(t.Variables, some_of(_owner, 0), _some_variables) | st.builds(
    t.Variables, st.tuples(_owner, _owner), _some_variables, st.tuples(names, st.none() | names)
)
_results = types | st.builds(t.TypeList, some_of(_simple_types))


def maybe_deep(define: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return define | st.builds(
        lambda d, result, deep: attrs.evolve(d, result=result, deep=deep), define, _results, exprs
    )


_way_steps = st.builds(t.WaysStep, names, exprs, st.none() | binders) | st.builds(
    t.WaysStep, names, exprs, condition=exprs
)
ways = st.builds(
    t.Ways, maybe_expr, exprs, some_of(_way_steps, 1, 2), st.none() | st.builds(t.WaysEnd, names, maybe_expr)
)
defines = st.one_of(
    st.builds(t.Define, names, params, ways=ways),
    maybe_deep(st.builds(t.Define, names, params, exprs)),
    maybe_deep(st.builds(t.Define, names, params, cases=cases)),
    maybe_deep(st.builds(t.Define, names, some_params, by=targets, matches=matches)),
)
_edges = st.builds(t.GraphEdge, exprs, exprs, st.booleans(), maybe_expr, st.none() | binders) | st.builds(
    t.GraphEdge, exprs, exprs, st.booleans(), maybe_expr, condition=exprs
)
graphs = st.builds(t.Graph, names, params, binders, some_of(_edges, 1, 2))
histories = st.builds(t.History, names, params, some_of(attributes, 0), some_of(exprs))
winners = st.builds(t.Winner, some_of(st.builds(t.Rank, st.sampled_from(["most", "fewest"]), exprs)))
outs = st.builds(t.Out, exprs)
invariants = st.builds(t.Invariant, ids, exprs)
variant_items = st.one_of(
    st.builds(t.ChangeNumber, names, exprs),
    st.builds(t.ChangeSetting, st.sampled_from(["option", "reading"]), names, names),
    st.builds(
        t.Replace, st.one_of(rules, defines, enums, tables, graphs, histories, winners, outs, invariants, numbers)
    ),
    st.builds(t.RemoveRule, st.sampled_from(["rule", "option"]), ids),
    st.builds(t.RemoveRow, names, names, maybe_expr),
    st.builds(t.ChangeRow, names, names, some_of(exprs), maybe_expr),
    st.builds(t.ChangeCell, names, names, names, exprs, maybe_expr),
    st.builds(t.Replace, st.builds(t.Grid, names, exprs, exprs)),
    st.builds(t.Insert, st.sampled_from(["before", "after"]), ids, bodies, st.sampled_from(["rule", "option"])),
    st.builds(t.ExtendEnum, names, name_lists),
    st.builds(t.ExtendTable, names, some_of(columns, 0), some_of(rows, 0, 2), stand_ins),
    st.builds(t.ExtendDefine, names, matches),
    st.builds(t.ExtendRule, ids, some_of(menu_options, 1, 2)),
    st.builds(t.Adjust, names, params, exprs, maybe_expr, maybe_expr),
)


@st.composite
def passages(draw: st.DrawFn) -> t.Passage:
    first = draw(st.integers(1, 999))
    return t.Passage(draw(names), first, draw(st.integers(first, 999)))


steps = st.one_of(
    st.builds(t.Documented, some_of(passages())),
    st.builds(t.ExPlayers, name_lists),
    st.builds(t.Using, name_lists),
    st.builds(t.WithValue, names, exprs),
    st.builds(t.Given, some_of(exprs)),
    st.builds(t.Run, ids, some_of(exprs, 0)),
    st.builds(t.Chance, some_of(exprs)),
    st.builds(t.ExChooses, exprs, some_of(exprs)),
    st.builds(t.ExDeclines, exprs),
    st.builds(t.ExPays, exprs, exprs),
    st.builds(t.ExRefused, exprs, some_of(exprs)),
    st.builds(t.ExRefused, exprs, some_of(exprs), ids, st.none() | exprs),
    st.builds(t.ExCannotPay, exprs, exprs, st.sampled_from([None, "too little", "too much", "not there"])),
    st.builds(t.Asked, exprs, st.none() | ids),
    st.builds(t.Offered, st.builds(t.Integer, st.integers(0, 99)) | st.builds(t.Name, names), ids),
    st.builds(t.OfferedOnly, some_of(exprs)),
    st.builds(t.Then, some_of(exprs)),
    st.builds(t.Fired, some_of(ids), st.booleans()),
    st.builds(t.Winners, name_lists),
    st.builds(t.Finished),
    st.builds(t.ExampleCases, name_lists, some_of(st.builds(t.Row, names, some_of(exprs)), 1, 3)),
)
examples = st.builds(t.Example, ids, some_of(steps))
items = st.one_of(
    enums,
    st.builds(t.Range, names, exprs, exprs),
    st.builds(t.Grid, names, exprs, exprs, st.sampled_from(["grid", "hexes"])),
    st.builds(t.Grid, names, exprs, st.none(), st.just("hexes")),
    st.builds(t.Grid, names, exprs, st.none(), st.just("track"), st.booleans()),
    tables,
    numbers,
    settings,
    variables,
    defines,
    graphs,
    histories,
    st.builds(t.Event, names, params),
    st.builds(t.Carry, some_of(st.builds(t.Name, names))),
    rules,
    winners,
    outs,
    invariants,
    examples,
    variant_items,
)
files = st.builds(lambda header, rest: t.File((header, *rest)), headers, some_of(items, 0, 4))


# ---------------------------------------------------------------- untidy texts


@st.composite
def untidy(draw: st.DrawFn, text: str) -> tuple[str, list[str]]:
    """A canonical text laid out badly, and the comments that were strewn into it, which all begin with ``#~``.

    Levels get another width, blank lines and comments come in, and lines are folded inside their brackets.
    """
    width = draw(st.integers(1, 4))
    comments: list[str] = []
    out: list[str] = []

    def comment() -> str:
        comments.append(f"#~{len(comments)} " + draw(st.sampled_from(['say "so', "(", "#", "over"])))
        return comments[-1]

    def interlude() -> None:
        for kind in draw(st.lists(st.sampled_from(["blank", "comment"]), max_size=3)):
            out.append("" if kind == "blank" else " " * draw(st.integers(0, 9)) + comment())

    for line in text.splitlines():
        interlude()
        level = (len(line) - len(line.lstrip())) // 2
        before, after = _cut(line.strip(), draw(st.integers(0, 200)))
        if after is not None:
            out.append(" " * (width * level) + before + ("  " + comment() if draw(st.booleans()) else ""))
            interlude()
            before, level = after, level + draw(st.integers(1, 3))
        out.append(" " * (width * level) + before + (" " + comment() if draw(st.booleans()) else ""))
    interlude()
    return "\n".join(out) + draw(st.sampled_from(["", "\n", "\n\n\n"])), comments


def _cut(line: str, near: int) -> tuple[str, str | None]:
    """The line cut after a comma, `and` or `or`, if it has one; ``near`` says which."""
    quoted, places = False, []
    for at, char in enumerate(line):
        quoted ^= char == '"'
        if not quoted and (char == "," or line[: at + 1].endswith((" and ", " or "))):
            places.append(at + 1)
    if not places:
        return line, None
    at = places[near % len(places)]
    return line[:at], line[at:].lstrip()
