"""Expressions of the rules language in a position: given as text, as fingerprints, as payments."""

from __future__ import annotations

import json
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from paths import RULES

import interpreter
import rulelang
from interpreter.errors import GameError
from interpreter.evaluation.fingerprints import fingerprint
from interpreter.evaluation.payments import Marked, Pieces, covers, covers_by, plans, plans_by
from rulelang.expression import MOST, ExpressionReader
from rulelang.types import ListType, NumberType, OptionalType, Type


@pytest.fixture(scope="module", params=interpreter.ENGINES)
def game(request: pytest.FixtureRequest) -> Any:
    return interpreter.load(RULES / "meduris", players=3, engine=request.param)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3", 7),
        ("players", 3),
        ("score[purple] + 2", 7),
        ("sum(score[p] for p in Player)", 15),
        ("max(score[p] for p in Player)", 5),
        ("goods[purple]", {"wood": 2, "stone": 1}),
        ("goods[purple][wood]", 2),
        ("count(goods[purple])", 3),
        ("{wood: 2, stone: 1}", {"wood": 2, "stone": 1}),
        ("goods[purple] covers {wood: 1}", True),
        ("hut[f3]", "purple"),
        ("hut[f4]", None),
        ("hut[f4] is none and hut[f3] is purple", True),
        ("size(f3)", 2),
        ("group(settlement(none), f3)", ["f2", "f3"]),
        ("f3.river", False),
        ("[f3.icon_a, f3.icon_b]", ["wool", "copper"]),
        ("list(f in Field where hut[f] is purple)", ["f3"]),
        ("next(purple)", "blue"),
        ("druid_steps", 1),
        ("river_scores is every_crossing", True),
        ("[]", []),
        ("none", None),
        ("yes", True),
        ("if hut[f3] is none then 1 else 2", 2),
        ("score[purple]\n  + 2", 7),
        ("  score[purple]  # in all", 5),
    ],
)
def test_values(game: Any, text: str, value: Any) -> None:
    state = game.blank()
    state.set("goods[purple]", {"wood": 2, "stone": 1})
    state.set("hut[f3]", "purple")
    state.set("hut[f2]", "blue")
    found = game.evaluate(text, state)
    assert found == value and type(found) is type(value)
    assert json.loads(json.dumps(found)) == found
    assert game.evaluate(text, state) == value  # the second time it is remembered


def test_what_an_expression_gives_can_be_set(game: Any) -> None:
    state = game.start(4)
    other = game.blank()
    for place in ("goods[red]", "hut[f7]", "worker[red, wood]", "score[blue]"):
        name = place.split("[")[0]
        if name in game.program.variables:
            other.set(place, game.evaluate(place, state))
            assert other.get(place) == state.get(place) == game.evaluate(place, state)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "scor[purple] + 2",
            [
                "error[R0401]: There is nothing called `scor`.",
                " --> expression:1:1",
                "1 | scor[purple] + 2",
                "  | ^^^^",
                "  = help: Did you mean `score`?",
            ],
        ),
        ("2 + score[violet]", ["There is no Player called `violet`.", "  |           ^^^^^^"]),
        ("score", ["`score` is kept for each Player."]),
        ("1 + yes", ["R0402"]),
        ("1 +", ["The line breaks off here", "  |   ^"]),
        ("", ["There is no expression here."]),
        ("   # nothing", ["There is no expression here."]),
        ("1 2", ["`2` cannot be used here", "  |   ^"]),
        ("score[purple] is 1\ndefine x = 2", ["`define` cannot be used here"]),
        ("1 == 2", ["error[R0203]"]),
        ("p", ["There is nothing called `p`."]),
        ("__import__('os')", ["error[R0203]"]),
        ("(" * 60 + "1" + ")" * 60, ["error["]),
        ("1 + " * 500 + "1", ["This expression has 2,001 characters; it may have at most 1,500."]),
        ("size(f3, f4)", ["`size` needs (f); here it gets 2."]),
        ("sum(score for p in Player)", ["`score` is kept for each Player."]),
        ("sum(score[score] for score in 1..2)", ["`score` already means something else here."]),
    ],
)
def test_mistakes_are_shown_with_their_place(game: Any, text: str, lines: list[str]) -> None:
    with pytest.raises(GameError) as problem:
        game.evaluate(text, game.blank())
    for line in lines:
        assert line in str(problem.value)


def test_an_expression_without_a_value(game: Any) -> None:
    with pytest.raises(GameError) as problem:
        game.evaluate("2000000000 * score[purple]", game.blank())
    why = "a number does not fit in 32 bits"
    assert str(problem.value) == f"`2000000000 * score[purple]` has no value in this position: {why}"


@pytest.mark.parametrize("wrong", [None, 3, b"1"])
def test_an_expression_is_text(game: Any, wrong: Any) -> None:
    with pytest.raises(GameError, match="an expression is given as text"):
        game.evaluate(wrong, game.blank())


def test_the_state_may_be_of_the_other_engine_but_not_of_another_game(game: Any) -> None:
    state = interpreter.load(RULES / "meduris", players=3).start(1)
    assert game.evaluate("sum(score[p] for p in Player)", state) == sum(state.scores)
    other = interpreter.load(RULES / "meduris", players=2).start(1)
    with pytest.raises(GameError, match=r"the state is of another game \(Meduris, 2 players\), or of other rules"):
        game.evaluate("1", other)


def test_every_name_of_every_game_can_be_used() -> None:
    """Numbers, settings, enums, tables and ranges: an expression sees what the rules see."""
    for folder, players, variants in (("meduris", 3, []), ("babel", 2, []), ("skye", 3, ["druids"])):
        game = interpreter.load(RULES / folder, players=players, variants=variants)
        program, state = game.program, game.start(1)
        for name, number in program.numbers.items():
            assert game.evaluate(name, state) == number
        for name, setting in program.settings.items():
            for value in setting.domain.members:
                assert game.evaluate(f"{name} is {value}", state) is (value == setting.value)
        for name, domain in program.domains.items():
            assert game.evaluate(f"list({name})", state) == list(domain.members)
        for name, numbers in program.ranges.items():
            assert game.evaluate(f"count({name})", state) == numbers.high - numbers.low + 1
        for name, variable in program.variables.items():
            if not variable.owners:
                assert game.evaluate(name, state) == state.get(name)
        for name, definition in program.definitions.items():
            if not definition.params:
                game.evaluate(name, state)


def test_a_program_is_enough() -> None:
    """A game that was made of a Program alone needs no files."""
    program = rulelang.load(RULES / "classics/connect_four")
    game = interpreter.game_of(program)
    assert game.evaluate("count(Player)", game.start(1)) == 2
    assert ExpressionReader(program).read("count(Player)").type is not None
    assert MOST == 1_500


# Fingerprints tell positions apart that differ little, whatever the bits of their values have in common.


SMALL = OptionalType(NumberType(0, 3))
SIGNED = OptionalType(NumberType(-2, 2))


@pytest.mark.parametrize(("type_", "values"), [(SMALL, (None, 0, 1, 3)), (SIGNED, (None, 0, -1, 1))])
@pytest.mark.parametrize("size", [3, 7, 8, 9, 24])
def test_rows_that_differ_in_three_places_are_told_apart(
    type_: Type, values: tuple[int | None, ...], size: int
) -> None:
    rows: set[tuple[int | None, ...]] = {(0,) * size}
    for places in combinations(range(size), 3):
        for changed in product(values, repeat=3):
            row: list[int | None] = [0] * size
            for place, value in zip(places, changed, strict=True):
                row[place] = value
            rows.add(tuple(row))
        if len(rows) > 6_000:
            break
    found = {fingerprint((list(row),), (ListType(type_),)) for row in rows}
    assert len(found) == len(rows)


def test_where_a_list_ends_counts() -> None:
    types = (ListType(SMALL), ListType(SMALL))
    row = [k % 4 for k in range(20)]
    assert len({fingerprint((row[:at], row[at:]), types) for at in range(21)}) == 21


# Payments: every bundle that pays, and no other, against a search through all assignments of pieces.


ALL = (1, 1, 1)
HELD = ((4, 3, 1), (6, 0, 2), (2, 2, 2))


def payable(bundle: Pieces, cost: Pieces, exchanges: tuple[Marked, ...], less: int = 0) -> bool:
    """Whether each piece of the bundle has something to stand for: a piece that is due after another is settled."""
    due = [kind for kind, number in enumerate(cost) for _ in range(number)]
    left = list(bundle)

    def settled(i: int, out: int) -> bool:
        if i == len(due):
            return not any(left) and out == 0
        kind = due[i]
        own = tuple(int(k == kind) for k in range(len(cost)))
        ways = [own, *(w for e in exchanges for w in traded(e, kind))]
        return (out > 0 and settled(i + 1, out - 1)) or any(took(way, i + 1, out) for way in ways)

    def traded(exchange: Marked, kind: int) -> list[Pieces]:
        number, given, of = exchange
        most = [number if g and k != kind else 0 for k, g in enumerate(given)]
        return [w for w in product(*(range(m + 1) for m in most)) if sum(w) == number and of[kind]]

    def took(way: Pieces, i: int, out: int) -> bool:
        if any(n < w for n, w in zip(left, way, strict=True)):
            return False
        left[:] = [n - w for n, w in zip(left, way, strict=True)]
        found = settled(i, out)
        left[:] = [n + w for n, w in zip(left, way, strict=True)]
        return found

    return settled(0, min(less, len(due)))


def every(held: Pieces) -> list[Pieces]:
    return list(product(*(range(n + 1) for n in held)))


@pytest.mark.parametrize("rate", [1, 2, 3])
@pytest.mark.parametrize("held", HELD)
def test_any_others_for_one(held: Pieces, rate: int) -> None:
    for cost in product(range(3), repeat=3):
        expected = {bundle for bundle in every(held) if payable(bundle, cost, ((rate, ALL, ALL),))}
        found = plans(held, cost, rate)
        assert set(found) == expected and len(found) == len(expected), (held, cost)
        assert covers(held, cost, rate) == bool(expected)


marks = st.tuples(*[st.integers(0, 1)] * 3)
exchange_lists = st.lists(st.tuples(st.integers(1, 3), marks, marks), max_size=3).map(tuple)
pieces = st.tuples(*[st.integers(0, 3)] * 3)


@given(pieces, st.tuples(*[st.integers(0, 2)] * 3), exchange_lists, st.integers(-1, 4))
def test_any_exchanges_and_pieces_left_out(
    held: Pieces, cost: Pieces, exchanges: tuple[Marked, ...], less: int
) -> None:
    expected = {bundle for bundle in every(held) if payable(bundle, cost, exchanges, max(less, 0))}
    found = plans_by(held, cost, exchanges, less)
    assert set(found) == expected and len(found) == len(expected)
    assert covers_by(held, cost, exchanges, less) == bool(expected)
    beyond = [sum(max(0, paid - due) for paid, due in zip(bundle, cost, strict=True)) for bundle in found]
    assert beyond == sorted(beyond)


@given(pieces, st.tuples(*[st.integers(0, 2)] * 3), st.integers(1, 3))
def test_the_short_way_gives_the_same(held: Pieces, cost: Pieces, rate: int) -> None:
    assert set(plans(held, cost, rate)) == set(plans_by(held, cost, ((rate, ALL, ALL),), 0))


def test_the_order() -> None:
    assert plans((4, 3, 0), (1, 0, 0), 3) == ((1, 0, 0), (0, 3, 0))
    assert plans((4, 3, 3), (0, 1, 1), 3)[0] == (0, 1, 1)
    totals = [sum(bundle) for bundle in plans((4, 3, 3), (0, 1, 1), 3)]
    assert totals == sorted(totals)
    assert plans((1, 1, 0), (2, 0, 0), 0) == ()
