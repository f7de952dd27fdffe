"""Counting positions as a guest can.

While players decide together, nobody is told what another chooses, nor how often: there a choice of somebody else's
leads to no new position for a guest, unless that player has finished with it, which everybody at a real table sees too.
When all are done, everything becomes known, and every position counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .guests import Guest

if TYPE_CHECKING:
    from .line import Line


def sees(line: Line, guest: Guest, number: int) -> bool:
    """Whether a guest can tell the position after so many choices from the one before it."""
    if guest.role == "open" or number <= line.together:
        return True
    seat = line.choices[number - 1].seat
    following = line.choices[number].seat if number < len(line.choices) else line.state.player
    return guest.seat == seat or following != seat


def told(line: Line, guest: Guest, number: int | None = None) -> int:
    """The number of a position as a guest counts; by default that of the position that stands."""
    number = len(line.choices) if number is None else number
    return sum(sees(line, guest, each) for each in range(line.together + 1, number + 1)) + min(number, line.together)


def counted(line: Line, guest: Guest, told_number: int) -> int | None:
    """The number of choices before a position that a guest counts so; None where there is none."""
    if 0 <= told_number <= line.together:
        return told_number
    later = [n for n in range(line.together + 1, len(line.choices) + 1) if sees(line, guest, n)]
    place = told_number - line.together - 1
    return later[place] if 0 <= place < len(later) else None
