"""Messages of faults: why a rule cannot be carried out. Each is worded once, for both engines.

``place`` is a cell as people name it: ``hand[blue]``.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..evaluation.meter import MANY_EDGES, too_long, too_many_members, too_many_options
from ..evaluation.runtime import DIVISION, TOO_BIG

NOTHING_TO_CHOOSE = "there is nothing to choose"
NOTHING_TO_ROLL = "there is nothing to roll for"
SEVERAL_KINDS = "the pool holds pieces of several kinds; say which, as in `move 1 of ...`"
NO_POSITIONS = "a pool has no positions"
NESTED_TOGETHER = "players are already deciding together; they cannot do so again within it"
NOBODY_TOGETHER = "nobody is deciding together"
NOBODY_DECIDES = "nobody is deciding"
DAMAGED = "the position is damaged"


def no_option(options: Sequence[str]) -> str:
    return f"none of the options {', '.join(options)} is possible; add one that always is"


def cannot_pay(cost: str, place: str, held: str) -> str:
    return f"{cost} cannot be paid: {place} holds {held}"


def need(text: str) -> str:
    return f"it needs {text}, which does not hold here; check it before running the rule"


def argument(value: int, low: int, high: int, rule: str) -> str:
    return f"{value} is outside {low}..{high}, the range that rule {rule} accepts"


def supposed(fault: str) -> str:
    """``fault``: what would go wrong, with the rule and the line."""
    return f"what would be cannot be told: {fault}"


def not_falling(text: str, before: int, now: int) -> str:
    return f"{text} must fall with each pass, but it went from {before} to {now}"


def misfit(place: str, why: str) -> str:
    """``why``: see ``lowered.cells.misfit``."""
    return f"{place}: {why}"


def negative(number: int) -> str:
    return f"{number} pieces cannot be moved"


def short(place: str, there: int, kind: str | None, needed: int) -> str:
    """``kind``: the kind that is missing, None where any will do."""
    what = "" if kind is None else f" {kind}"
    verb = "is" if needed == 1 else "are"
    return f"{place} holds {there}{what}, but {needed} {verb} needed; write `up to`, or check first"


def no_piece_at(place: str, there: int, position: int) -> str:
    return f"{place} holds {_pieces(there)}, so there is none at position {position}"


def one_square(number: int) -> str:
    return f"{number} pieces cannot be laid on one square"


def full(place: str, more: int, capacity: int) -> str:
    return f"{place} has no room for {_pieces(more, 'more ')}: it holds at most {capacity}"


def out_of_reach(x: int, y: int, place: str, reach: int) -> str:
    return f"({x}, {y}) is out of reach: {place} extends {reach} squares from its origin"


def taken(x: int, y: int, place: str) -> str:
    return f"({x}, {y}) in {place} is taken"


def turn(number: int) -> str:
    return f"a piece can be turned by 0 to 3 quarter turns, not by {number}"


def wrong_pieces(place: str) -> str:
    return f"{place} does not hold pieces of this kind"


def again(rule: str, deep: int) -> str:
    """``deep``: how often the rule may be running at the same time."""
    return f"rule {rule} would run itself more than {deep} deep"


def too_deep(limit: int) -> str:
    return f"rules run one another more than {limit} deep"


def _pieces(number: int, more: str = "") -> str:
    return f"{number} {more}piece{'' if number == 1 else 's'}"


__all__ = [
    "DAMAGED",
    "DIVISION",
    "MANY_EDGES",
    "NESTED_TOGETHER",
    "NOBODY_DECIDES",
    "NOBODY_TOGETHER",
    "NOTHING_TO_CHOOSE",
    "NOTHING_TO_ROLL",
    "NO_POSITIONS",
    "SEVERAL_KINDS",
    "TOO_BIG",
    "again",
    "argument",
    "cannot_pay",
    "full",
    "misfit",
    "need",
    "negative",
    "no_option",
    "no_piece_at",
    "not_falling",
    "one_square",
    "out_of_reach",
    "short",
    "supposed",
    "taken",
    "too_deep",
    "too_long",
    "too_many_members",
    "too_many_options",
    "turn",
    "wrong_pieces",
]
