"""Streams of chance of those who play, so that players choose at random apart from the dice of the game.

A version says which stream a decision draws from. It is part of what a seed means, so old seeds keep their meaning.

- ``BY_SEAT`` (1): each seat has one stream, from ``mix(seed, SALT, seat)``.
- ``BY_QUESTION`` (2): each seat has one for each rule that asks, from ``mix(seed, SALT, seat, salt_of(rule))``. A
  question more or less then leaves the answers to all others as they were, and two games that differ in a rule stay in
  step for longer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..chance import Stream, mix, salt_of

if TYPE_CHECKING:
    from ..data import Decision

SALT = 0xB075

BY_SEAT, BY_QUESTION = 1, 2


class Streams:
    """The streams of one game. ``seats``: where those of each seat begin."""

    def __init__(self, seed: int, players: int, version: int) -> None:
        self.version = version
        self.seats = tuple(mix(seed, SALT, seat) for seat in range(players))
        self._streams: dict[tuple[int, str], Stream] = {}

    def of(self, decision: Decision) -> Stream:
        """The stream that a decision draws from."""
        rule = decision.rule if self.version == BY_QUESTION else ""
        key = decision.player, rule
        found = self._streams.get(key)
        if found is None:
            begin = self.seats[decision.player]
            # As ``mix`` goes on with another salt.
            found = self._streams[key] = Stream(mix(begin ^ salt_of(rule)) if rule else begin)
        return found
