"""Taking back: how far somebody may go back, and who has to agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from .refusals import Refused

if TYPE_CHECKING:
    from .line import Line


@attrs.define
class Request:
    """A wish to go back to the position after ``at`` choices. ``by``: the seat; ``asked``: the seats that have not
    agreed yet."""

    by: int
    at: int
    asked: set[int]


def target(line: Line, seat: int) -> int:
    """The number of choices that are left when a seat takes back its last decision.

    Raises Refused when it made none, or when chance or something hidden has come out since, seen or not.
    """
    from interpreter.bots import uncovers

    at = next((n for n in reversed(range(len(line.choices))) if _decided(line, n, seat)), None)
    if at is None:
        raise Refused("You have no decision to take back.")
    since = line.state.log[len(line.position(at).log) :]
    known = next((event for event in since if uncovers(event, line.game.program)), None)
    if known is not None:
        raise Refused(
            "Your last decision cannot be taken back: something has been rolled, drawn or revealed since"
            f" ({known.rule})."
        )
    return at


def last_decision(line: Line, people: set[int]) -> int:
    """The number of choices before the last decision of one of these seats; Refused if there is none."""
    for number in reversed(range(len(line.choices))):
        if line.choices[number].seat in people and line.position(number).option_count > 1:
            return number
    raise Refused("There is nothing to take back.")


def _decided(line: Line, number: int, seat: int) -> bool:
    """Whether the seat had to think about a choice; one with a single option was made for it."""
    return line.choices[number].seat == seat and line.position(number).option_count > 1
