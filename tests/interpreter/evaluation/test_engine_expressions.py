"""Expressions: every operation gives what the language says, and is total."""

from __future__ import annotations

from typing import Any

import pytest
from built_programs import (
    GOOD,
    GOODS,
    LINE,
    PLAYER,
    RING,
    SMALL,
    Builder,
    ap,
    bind,
    binds,
    both,
    const,
    equal,
    local,
    members,
    num,
    pool,
    slot,
    stack,
    value,
)

from interpreter.reference.engine import ReferenceGame, ReferenceState
from rulelang import program as ir
from rulelang.types import FLAG, ListType, NumberType, OptionalType, PiecesType, SetType, TupleType

LEVEL = NumberType(1, 6)
NUMBERS = ListType(SMALL)


def state(**more: Any) -> ReferenceState:
    b = Builder(
        value("n", SMALL),
        pool("goods", GOOD, PLAYER, exchanges=(ir.Exchange(3),)),
        stack("levels", LEVEL),
        slot("hut", PLAYER, RING),
        **more,
    )
    return ReferenceGame(b.program()).blank()


def listed(*values: int) -> ir.Const:
    return const(values, NUMBERS)


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (ap("+", num(2), num(3)), 5),
        (ap("-", num(2), num(3)), -1),
        (ap("*", num(2), num(3)), 6),
        (ap("neg", num(2)), -2),
        (ap("div_down", num(-7), num(2)), -4),
        (ap("div_up", num(-7), num(2)), -3),
        (ap("div_up", num(7), num(2)), 4),
        (ap("mod", num(-7), num(3)), 2),
        (ap("min", num(4), num(2), num(3)), 2),
        (ap("max", num(4), num(2)), 4),
        (ap("otherwise", const(None, OptionalType(SMALL)), num(7)), 7),
        (ap("at", listed(5, 6), num(1)), 5),
        (ap("at", listed(5, 6), num(0)), None),
        (ap("at", listed(5, 6), ap("-", num(0), num(1))), None),
        (ap("at", listed(5, 6), num(3)), None),
        (ap("top", listed(5, 6)), 6),
        (ap("bottom", listed(5, 6)), 5),
        (ap("top", listed()), None),
        (ap("in", num(5), listed(5, 6)), True),
        (ap("in", const(None, OptionalType(SMALL)), const(None, OptionalType(SMALL))), False),
        (ap("reversed", listed(5, 6)), (6, 5)),
        (ap("range", num(2), num(4), type=NUMBERS), (2, 3, 4)),
        (ap("range", num(4), num(2), type=NUMBERS), ()),
        (ap("size", const((1, 2, 0), GOODS)), 3),
        (ap("size", const(None, OptionalType(SMALL))), 0),
        (ap("size", const(0, OptionalType(SMALL))), 1),
        (ap("size", const(frozenset((1, 2)), SetType(SMALL))), 2),
        (ap("next", const(5, RING)), 0),
        (ap("prev", const(0, RING)), 5),
        (ap("next", const(3, LINE)), None),
        (ap("prev", const(0, LINE)), None),
        (ap("distance", const(4, RING), const(1, RING)), 3),
        (ap("ahead", const(4, RING), type=ListType(RING)), (5, 0, 1, 2, 3)),
        (ap("behind", const(1, RING), type=ListType(RING)), (0, 5, 4, 3, 2)),
        (ap("ahead", const(1, LINE), type=ListType(LINE)), (2, 3)),
        (ap("behind", const(2, LINE), type=ListType(LINE)), (1, 0)),
        (ap("rotate", members(RING), const(4, RING), type=ListType(RING)), (4, 5, 0, 1, 2, 3)),
        (ap("rotate", listed(5, 6, 7), num(6), type=NUMBERS), (6, 7, 5)),
        (ap("rotate", listed(5, 6, 7), num(9), type=NUMBERS), (5, 6, 7)),
        (ap("add_pieces", const((1, 2, 0), GOODS), const((1, 0, 1), GOODS), type=GOODS), (2, 2, 1)),
        (ap("sub_pieces", const((1, 2, 0), GOODS), const((1, 0, 1), GOODS), type=GOODS), (0, 2, 0)),
        (ap("scale_pieces", num(2), const((1, 2, 0), GOODS), type=GOODS), (2, 4, 0)),
        (ap("kinds_in", const((1, 0, 2), GOODS), type=ListType(GOOD)), (0, 2)),
        (ap("bundles", const((1, 2, 0), GOODS), num(2), type=ListType(GOODS)), ((0, 2, 0), (1, 1, 0))),
        (ap("count_of", const((4, 5), PiecesType(NumberType(1, 2))), num(2)), 5),
        (ap("count_of", const((4, 5), PiecesType(NumberType(1, 2))), local(0, SMALL)), 0),
        (ap("holds", const((1, 2, 0), GOODS), const((1, 2, 0), GOODS), type=FLAG), True),
        (ap("index", const(3, RING)), 3),
    ],
)
def test_operations(expr: ir.Expr, expected: Any) -> None:
    s = state()
    assert s.game.blueprint.evaluate(expr, s.position.cells, [9]) == expected


def test_logic_stops_as_soon_as_it_can() -> None:
    zero = local(0, SMALL)
    division = equal(ap("div_down", num(4), zero), num(2))
    guarded = both(ap(">", zero, num(0), type=FLAG), division)
    s = state()
    assert s.game.blueprint.evaluate(guarded, s.position.cells, [0]) is False
    assert s.game.blueprint.evaluate(guarded, s.position.cells, [2]) is True


def squares_above(n: int, stop: bool = False) -> ir.Binds:
    return binds(bind(0, listed(1, 5, 2, 7)), where=ap(">", local(0, SMALL), num(n), type=FLAG), stop=stop)


@pytest.mark.parametrize(
    ("word", "body", "run", "expected"),
    [
        ("count", None, squares_above(1), 3),
        ("count", None, squares_above(0), 4),
        ("sum", local(0, SMALL), squares_above(1), 14),
        ("max", local(0, SMALL), squares_above(1), 7),
        ("min", local(0, SMALL), squares_above(8), None),
        ("some", None, squares_above(6), True),
        ("some", equal(local(0, SMALL), num(1)), squares_above(1), False),
        ("every", ap("<", local(0, SMALL), num(7), type=FLAG), squares_above(0), False),
        ("first", local(0, SMALL), squares_above(1), 5),
        ("first", local(0, SMALL), squares_above(9), None),
        ("list", local(0, SMALL), squares_above(1), (5, 2, 7)),
        ("set", local(0, SMALL), squares_above(1), frozenset((2, 5, 7))),
        ("list", local(0, SMALL), squares_above(1, stop=True), ()),
        (
            "list",
            local(0, SMALL),
            binds(bind(0, listed(5, 1, 7)), where=ap(">", local(0, SMALL), num(1), type=FLAG), stop=True),
            (5,),
        ),
        (
            "count",
            None,
            binds(bind(0, listed(5, 1, 7)), where=ap(">", local(0, SMALL), num(1), type=FLAG), stop=True),
            1,
        ),
    ],
)
def test_folds(word: str, body: ir.Expr | None, run: ir.Binds, expected: Any) -> None:
    s = state()
    assert s.value_of(ir.Fold(word, body, run, SMALL)) == expected


def test_conditions_are_tested_with_the_right_binder() -> None:
    """The part on the outer binder is tested early; the pairs are the same."""
    run = binds(
        bind(0, RING),
        bind(1, RING),
        where=both(
            ap("<", local(0, RING), num(2), type=FLAG), equal(ap("next", local(0, RING), type=RING), local(1, RING))
        ),
    )
    pair = ap("tuple", local(0, RING), local(1, RING), type=TupleType((RING, RING)))
    s = state()
    assert s.value_of(ir.Fold("list", pair, run, ListType(pair.type))) == ((0, 1), (1, 2))


@pytest.mark.parametrize(
    ("cost", "payable"),
    [
        ((2, 0, 0), True),
        ((0, 1, 0), True),
        ((0, 0, 2), False),
        ((3, 1, 0), False),
        ((5, 0, 0), True),
        ((2, 1, 0), True),
    ],
)
def test_covers_with_three_for_one(cost: tuple[int, int, int], payable: bool) -> None:
    s = state()
    s.set("goods[red]", {"wood": 5})
    held = ir.Read("goods", (const(0, PLAYER),), GOODS)
    assert s.value_of(ap("covers", held, const(cost, GOODS), type=FLAG)) is payable


def test_pieces_add_up() -> None:
    entries = ((const(0, GOOD), num(2)), (const(0, GOOD), num(1)), (const(2, GOOD), num(1)))
    s = state()
    assert s.value_of(ir.PiecesOf(entries, None, GOODS)) == (3, 0, 1)
    one_each = ir.PiecesOf(((local(0, GOOD), num(1)),), binds(bind(0, GOOD)), GOODS)
    assert s.value_of(one_each) == (1, 1, 1)


def has_hut(node: ir.Expr) -> ir.Expr:
    return ap("is_not", ir.Read("hut", (node,), OptionalType(PLAYER)), const(None, OptionalType(PLAYER)), type=FLAG)


def graphs() -> dict[str, ir.Graph]:
    """The same graph twice: with edges that never change, and with an edge that looks at the state."""
    next_one = ap("next", local(0, RING), type=RING)
    fixed = ir.Graph(
        "huts", (), binds(bind(0, RING), where=has_hut(local(0, RING))), (ir.Edge(next_one, None),), RING, 1
    )
    joined = ir.If(equal(ir.Read("n", (), SMALL), num(9)), const(0, RING), next_one, RING)
    looking = ir.Graph("looking", (), fixed.nodes, (ir.Edge(joined, None),), RING, 1)
    return {"huts": fixed, "looking": looking}


@pytest.mark.parametrize("graph", ["huts", "looking"])
def test_groups(graph: str) -> None:
    s = state(graphs=graphs())
    for field in (0, 1, 3, 5):
        s.set(f"hut[f{field}]", ("red", "blue")[field % 2])
    groups = ir.Groups(graph, (), ListType(SetType(RING)))
    assert s.value_of(groups) == (frozenset((0, 1, 5)), frozenset((3,)))
    assert s.value_of(ir.GroupOf(graph, (), const(1, RING), SetType(RING))) == frozenset((0, 1, 5))
    assert s.value_of(ir.GroupOf(graph, (), const(2, RING), SetType(RING))) == frozenset()


def test_deep_expressions_are_cut() -> None:
    expr: ir.Expr = local(0, SMALL)
    for _ in range(110):
        expr = ap("-", num(1), expr)
    s = state()
    assert s.game.blueprint.evaluate(expr, s.position.cells, [5]) == 5
    folded = ir.Fold("sum", expr, binds(bind(0, listed(1, 2))), SMALL)
    assert s.value_of(folded) == 3
