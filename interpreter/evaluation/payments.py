"""Payments: which bundles of pieces pay a price, and whether any does.

Pieces are counts by kind. An *exchange* lets ``number`` pieces stand for one that is due: pieces of the kinds whose
mark in ``given`` is 1, other than the one they stand for, for a piece of a kind whose mark in ``due`` is 1. A pool that
has only ``(N) of any for 1``, the usual one, takes the short way by its *rate* N; 0 is no exchange at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Sized
from typing import TypeAlias

from rulelang.program import Exchange
from rulelang.types import MemberType, NumberType, kinds

from .meter import METER, Undefined, too_many_options

Pieces: TypeAlias = tuple[int, ...]
Marked: TypeAlias = tuple[int, Pieces, Pieces]
"""An exchange: its number, and the marks of the kinds ``given`` and ``due``."""


def rate_of(exchanges: Sequence[Exchange]) -> int | None:
    """The rate that says all of these exchanges; None when they need to be looked at one by one."""
    if not exchanges:
        return 0
    first = exchanges[0]
    return first.number if len(exchanges) == 1 and first.given is None and first.due is None else None


def marked(exchanges: Sequence[Exchange], element: MemberType | NumberType) -> tuple[Marked, ...]:
    """The exchanges of a pool with their kinds as marks."""

    def marks(chosen: tuple[int, ...] | None) -> Pieces:
        return tuple(int(chosen is None or kind in chosen) for kind in kinds(element))

    return tuple((e.number, marks(e.given), marks(e.due)) for e in exchanges)


def holds(held: Pieces, cost: Pieces) -> bool:
    return all(h >= c for h, c in zip(held, cost, strict=True))


# ---------------------------------------------------------------- at a rate


def covers(held: Pieces, cost: Pieces, rate: int) -> bool:
    """Whether ``cost`` can be paid from ``held``; ``rate`` pieces of other kinds replace a missing one (0: none can).

    Missing pieces are replaced by surplus ones, and a kind that is missing has no surplus.
    """
    missing = surplus = 0
    for h, c in zip(held, cost, strict=True):
        if h < c:
            missing += c - h
        else:
            surplus += h - c
    return missing == 0 or (rate > 0 and surplus >= rate * missing)


def plans(held: Pieces, cost: Pieces, rate: int) -> tuple[Pieces, ...]:
    """Every bundle that pays ``cost`` from ``held``: the direct one first, then by number of pieces, then by counts.

    With ``rate`` r, a piece of the cost may be replaced by r pieces, each of a different kind from it.
    With m pieces replaced, a bundle has r * m - m pieces more than the cost.
    """
    found: dict[Pieces, None] = {}
    if holds(held, cost):
        found[cost] = None
    if rate > 0:
        asked = sum(cost)
        for missing in range(1, asked + 1):
            total = asked + (rate - 1) * missing
            if total > sum(held):
                break
            # The most pieces of one kind in such a payment: its share of the cost, and every replacement.
            limits = tuple(min(h, c + rate * missing) for h, c in zip(held, cost, strict=True))
            for bundle in parts(limits, total):
                if bundle not in found and _replaces(bundle, cost, rate, missing):
                    found[bundle] = None
                    _not_too_many(found)
    return tuple(found)


def _replaces(bundle: Pieces, cost: Pieces, rate: int, missing: int) -> bool:
    """Whether ``bundle`` pays ``cost`` with exactly ``missing`` pieces replaced.

    Of kind k, x pieces are paid directly and the other bundle[k] - x replace pieces of the ``missing - (cost[k] - x)``
    that are of other kinds, at most ``rate`` for each. By Hall's theorem these bounds are also enough, so it remains
    to check that some x within the bounds of every kind add up to the pieces that are not replaced.
    """
    least = most = 0
    for paid, asked in zip(bundle, cost, strict=True):
        low = max(0, asked - missing, -((rate * (missing - asked) - paid) // (rate + 1)))
        high = min(asked, paid)
        if low > high:
            return False
        least += low
        most += high
    return least <= sum(cost) - missing <= most


def parts(limits: Pieces, number: int) -> Iterator[Pieces]:
    """Every choice of ``number`` pieces within the limits of each kind, in rising order of the counts."""
    if number < 0 or number > sum(limits):
        return
    if not limits:
        yield ()
        return
    rest = limits[1:]
    for count in range(max(0, number - sum(rest)), min(limits[0], number) + 1):
        METER.spend(1 + len(rest))
        for tail in parts(rest, number - count):
            yield (count, *tail)


def _not_too_many(found: Sized) -> None:
    if len(found) > METER.limits.options:
        raise Undefined(too_many_options(METER.limits.options))


# ---------------------------------------------------------------- by any exchanges


def covers_by(held: Pieces, cost: Pieces, exchanges: Sequence[Marked], less: int) -> bool:
    """Whether ``cost`` without ``less`` of its pieces can be paid from ``held``."""
    if less <= 0 and len(exchanges) == 1:
        return _covers_through(held, cost, exchanges[0])
    return (less <= 0 and holds(held, cost)) or bool(_paid(held, cost, exchanges, less))


def _covers_through(held: Pieces, cost: Pieces, exchange: Marked) -> bool:
    """Whether ``cost`` can be paid from ``held`` with one exchange.

    It is best to pay all that is there as it is: where a piece of a kind stands for another and the kind itself is
    replaced, the two can be swapped.
    """
    number, given, due = exchange
    missing = surplus = 0
    for h, c, gives, may in zip(held, cost, given, due, strict=True):
        if h >= c:
            surplus += (h - c) * gives
        elif may:
            missing += c - h
        else:
            return False
    return surplus >= number * missing


def plans_by(held: Pieces, cost: Pieces, exchanges: Sequence[Marked], less: int) -> tuple[Pieces, ...]:
    """Every bundle that pays ``cost`` without ``less`` of its pieces, whichever these are.

    The closest to the cost first: by how many pieces are beyond it, then in rising order of the counts.
    """

    def order(bundle: Pieces) -> tuple[int, Pieces]:
        return sum(max(0, paid - due) for paid, due in zip(bundle, cost, strict=True)), bundle

    return tuple(sorted(_paid(held, cost, exchanges, less), key=order))


def _paid(held: Pieces, cost: Pieces, exchanges: Sequence[Marked], less: int) -> set[Pieces]:
    """The piece of the cost after piece: how each may be paid, with all the bundles of those before it."""
    left_out = min(max(less, 0), sum(cost))
    if sum(cost) - left_out > sum(held):
        return set()
    found = {(0, (0,) * len(cost))}  # pieces left out, and the bundle so far
    for kind, number in enumerate(cost):
        for _ in range(number):
            found = {
                after
                for out, bundle in found
                for after in _one(held, kind, exchanges, out, bundle)
                if after[0] <= left_out
            }
            _not_too_many(found)
    return {bundle for out, bundle in found if out == left_out}


def _one(
    held: Pieces, kind: int, exchanges: Sequence[Marked], out: int, bundle: Pieces
) -> Iterator[tuple[int, Pieces]]:
    """The ways to settle one piece of a kind."""
    yield out + 1, bundle
    if bundle[kind] < held[kind]:
        yield out, (*bundle[:kind], bundle[kind] + 1, *bundle[kind + 1 :])
    for number, given, due in exchanges:
        if due[kind]:
            free = tuple((h - b) * g * (k != kind) for k, (h, b, g) in enumerate(zip(held, bundle, given, strict=True)))
            for more in parts(free, number):
                yield out, tuple(b + m for b, m in zip(bundle, more, strict=True))
