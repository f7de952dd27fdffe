"""A ladder of players for a game: who beats whom, by how much, and which of them are a beginner or a good player.

It is measured once (``interpreter.comparing.measures.climb``) and kept in the user's cache by the content of the rules.
Strengths are points of Elo's scale (400 for odds of ten to one) over players who choose at random.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from itertools import combinations
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
    100 ladders."""

    rungs: tuple[Rung, ...]
    duels: tuple[Thinking, ...]

    @classmethod
    def of(cls, milliseconds: Mapping[str, float], duels: Sequence[Thinking]) -> Ladder:
        """The ladder of players who begin with those at random."""
        known = _strengths(list(milliseconds), duels)
        rungs = [Rung(name, round(spent, 3), round(known[name])) for name, spent in milliseconds.items()]
        return cls(tuple(sorted(rungs, key=lambda rung: rung.strength)), tuple(duels))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Ladder:
        duels = ({key: value for key, value in duel.items() if key != "verdict"} for duel in data["duels"])
        return cls(tuple(Rung(**rung) for rung in data["rungs"]), tuple(Thinking(**duel) for duel in duels))

    def as_json(self) -> dict[str, Any]:
        duels = [attrs.asdict(duel) | {"verdict": duel.verdict} for duel in self.duels]
        return {"rungs": [attrs.asdict(rung) for rung in self.rungs], "duels": duels, "levels": self.levels()}

    def beats(self, more: str, less: str) -> bool:
        """Whether one player is beyond doubt stronger than another."""
        asked = {(more, less): "pays", (less, more): "hurts"}
        return any(asked.get((duel.more, duel.less)) == duel.verdict for duel in self.duels)

    def levels(self) -> dict[str, str]:
        """The players that are a beginner, good, and the strongest; each clearly beats the one before, and there may
        be fewer. They lie as evenly between random players and the strongest as the ladder allows."""
        strength = {rung.bots: rung.strength for rung in self.rungs}
        names = [rung.bots for rung in self.rungs if self.beats(rung.bots, "random")]
        if not names:
            return {}
        top = names[-1]
        for number in (3, 2):
            sets = [some for some in combinations(names, number) if some[-1] == top]
            clear = [some for some in sets if all(map(self.beats, some[1:], some))]
            if clear:
                ideal = [strength[top] * (place + 1) / 3 for place in range(number)]
                best = min(clear, key=lambda some: sum(abs(strength[n] - i) for n, i in zip(some, ideal, strict=True)))
                return dict(zip((*LEVELS[: number - 1], LEVELS[-1]), best, strict=True))
        return {LEVELS[-1]: top}


def _strengths(names: Sequence[str], duels: Sequence[Thinking]) -> dict[str, float]:
    """By maximum likelihood, of who wins alone among several (Luce's choice axiom, 1959; of two, Bradley and Terry's),
    with half a game added to either side, so that nobody is infinitely strong."""
    worth = dict.fromkeys(names, 0.0)
    for _ in range(100):
        for name in names[1:]:
            slope, bend = 0.0, 1e-9
            for duel in duels:
                if name in (duel.more, duel.less):
                    games = duel.games + 1
                    odds = math.exp(worth[duel.more] - worth[duel.less]) * duel.fair / (1 - duel.fair)
                    likely = odds / (1 + odds)
                    surplus = duel.share * duel.games + 0.5 - games * likely
                    slope += surplus if name == duel.more else -surplus
                    bend += games * likely * (1 - likely)
            worth[name] += max(-1.0, min(1.0, slope / bend))
    return {name: 400 * value / math.log(10) for name, value in worth.items()}


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
