"""A ladder of players for a game: who beats whom, by how much, and which of them are a beginner or a good player.

It is measured once (``interpreter.comparing.measures.climb``) and kept in the user's cache by the content of the rules.
Strengths are points of Elo's scale (400 for odds of ten to one) over players who choose at random.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import attrs

from rulelang.files import cache

LEVELS = "beginner", "good", "strongest"
"""What people may call players of a ladder, the weakest first."""

_MARK = b"ladder 1\n"


@attrs.frozen
class Thinking:
    """Games of one player who thinks more against others who think less. ``share``: of the games it won, from ``low``
    to ``high``; ``fair``: its share if thinking did not help."""

    more: str
    less: str
    games: int
    share: float
    low: float
    high: float
    fair: float

    @property
    def verdict(self) -> str:
        """``pays``, ``hurts`` or ``open``."""
        return "pays" if self.low > self.fair else "hurts" if self.high < self.fair else "open"


@attrs.frozen
class Rung:
    """A kind of player. ``milliseconds``: that it thinks for a decision, on one core; ``strength``: see above."""

    bots: str
    milliseconds: float
    strength: int


@attrs.frozen
class Ladder:
    """``rungs``: the weakest first; ``duels``: what is known of each pair of them, and it all holds together in 95 of
    100 ladders; ``levels``: which players are of a level, and there may be fewer than three that clearly differ."""

    rungs: tuple[Rung, ...]
    duels: tuple[Thinking, ...]
    levels: Mapping[str, str]

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Ladder:
        duels = ({key: value for key, value in duel.items() if key != "verdict"} for duel in data["duels"])
        return cls(
            tuple(Rung(**rung) for rung in data["rungs"]), tuple(Thinking(**duel) for duel in duels), data["levels"]
        )

    def as_json(self) -> dict[str, Any]:
        duels = [attrs.asdict(duel) | {"verdict": duel.verdict} for duel in self.duels]
        return {"rungs": [attrs.asdict(rung) for rung in self.rungs], "duels": duels, "levels": dict(self.levels)}


KNOWN: dict[tuple[str, int], Ladder | None] = {}
"""Ladders that were looked up or brought along, by the version of the rules and the number of players."""


def kept(version: str, players: int) -> Ladder | None:
    """The ladder that was measured for rules of this version; None where there is none."""
    key = version, players
    if key not in KNOWN:
        room = cache.room("ladders")
        body = None if room is None else cache.read(room / f"{version}-{players}", _MARK)
        KNOWN[key] = None if body is None else Ladder.from_json(json.loads(bytes(body)))
    return KNOWN[key]


def keep(version: str, players: int, ladder: Ladder) -> None:
    """Keeps it for the next time."""
    KNOWN[version, players] = ladder
    if (room := cache.room("ladders")) is not None:
        cache.write(room / f"{version}-{players}", _MARK, json.dumps(ladder.as_json()).encode())
