"""The messages of faults, each of them once: the words in which a rule that cannot be carried out is reported.

``place`` is a cell as people name it: ``hand[blue]``.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..evaluation.runtime import DIVISION, TOO_BIG

NOTHING_TO_CHOOSE = "there is nothing to choose"
NOTHING_TO_ROLL = "there is nothing to roll for"
SEVERAL_KINDS = "the pool holds pieces of several kinds; say which, as in `move 1 of ...`"
NO_POSITIONS = "a pool has no positions"
NESTED_TOGETHER = "players who decide together cannot do so within it again"
NOBODY_TOGETHER = "nobody is deciding together"
NOBODY_DECIDES = "nobody is deciding"
TOO_LONG = "it ran too long without a decision; does a loop end?"
DAMAGED = "the position is damaged"


def no_option(options: Sequence[str]) -> str:
    return f"none of the options {', '.join(options)} is possible; add one that always is"


def cannot_pay(cost: str, place: str, held: str) -> str:
    return f"{cost} cannot be paid: {place} holds {held}"


def need(text: str) -> str:
    return f"it needs {text}, which does not hold here; whoever runs the rule must see to it"


def argument(value: int, low: int, high: int, rule: str) -> str:
    return f"{value} is outside {low}..{high}, which rule {rule} takes"


def not_falling(text: str, before: int, now: int) -> str:
    return f"{text} must fall with each pass, but it was {before} and is {now}"


def misfit(place: str, why: str) -> str:
    """``why``: see ``lowered.cells.misfit``."""
    return f"{place}: {why}"


def negative(number: int) -> str:
    return f"{number} pieces cannot be moved"


def short(place: str, there: int, kind: str | None, needed: int) -> str:
    """``kind``: the kind that is short, None where any will do."""
    what = "" if kind is None else f" {kind}"
    return f"{place} holds {there}{what}, {needed} are needed; write `up to`, or check before"


def no_piece_at(place: str, there: int, position: int) -> str:
    return f"{place} holds {there} pieces, there is none at position {position}"


def one_square(number: int) -> str:
    return f"{number} pieces cannot be laid on one square"


def grid_full(place: str, room: int) -> str:
    return f"{place} is full: there is room for {room} pieces"


def full(place: str, more: int, room: int) -> str:
    return f"{place} is full: {more} more, there is room for {room}"


def out_of_reach(x: int, y: int, place: str, reach: int) -> str:
    return f"({x}, {y}) is out of reach: {place} goes {reach} squares from its origin"


def taken(x: int, y: int, place: str) -> str:
    return f"({x}, {y}) in {place} is taken"


def turn(number: int) -> str:
    return f"a piece is turned by 0 to 3 quarter turns, not by {number}"


def wrong_pieces(place: str) -> str:
    return f"{place} does not take such pieces"


def too_deep(limit: int) -> str:
    return f"rules run inside one another more than {limit} deep"


def too_many_steps(limit: int) -> str:
    return f"more than {limit:,} steps without a decision; does a loop end?"


__all__ = [
    "DAMAGED",
    "DIVISION",
    "NESTED_TOGETHER",
    "NOBODY_DECIDES",
    "NOBODY_TOGETHER",
    "NOTHING_TO_CHOOSE",
    "NOTHING_TO_ROLL",
    "NO_POSITIONS",
    "SEVERAL_KINDS",
    "TOO_BIG",
    "TOO_LONG",
    "argument",
    "cannot_pay",
    "full",
    "grid_full",
    "misfit",
    "need",
    "negative",
    "no_option",
    "no_piece_at",
    "not_falling",
    "one_square",
    "out_of_reach",
    "short",
    "taken",
    "too_deep",
    "too_many_steps",
    "turn",
    "wrong_pieces",
]
