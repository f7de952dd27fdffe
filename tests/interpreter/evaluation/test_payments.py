"""Payments: every bundle that pays, and no other, against a search through all assignments of pieces."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.evaluation.payments import Marked, Pieces, covers, covers_by, plans, plans_by

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
