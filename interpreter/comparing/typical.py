"""Typical and unusual games: which of many to look at, by how far they are from the middle of what was recorded.

Distances are in units of the usual spread of a quantity: half the width of the middle half of the games, or what most
games have in common where that is nothing. A game is as far away as its quantities are on average; what makes it
unusual is the one that is furthest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs
import numpy as np

from ..simulate.records import Array

MOST = 4000
"""Games that are looked at: the first that were played."""

FAR = 4.0
"""Distance from which on a game is unusual."""

MOST_UNUSUAL = 3

PLAIN = frozenset({"first_player_wins", "won"})
"""Quantities that are yes or no in a game, in which none is unusual."""


@attrs.frozen
class Unusual:
    """A game, and the quantity in which it is furthest from the others: its ``value``, where half of all games lie
    between ``low`` and ``high``, and ``share``, how many games are at least so far to that side."""

    game: int
    quantity: str
    value: float
    low: float
    high: float
    share: float

    def as_json(self) -> dict[str, Any]:
        return {
            name: round(value, 6) if isinstance(value, float) else value for name, value in attrs.asdict(self).items()
        }


@attrs.frozen
class Picked:
    """The game that is most like all others, and those that are least; ``of``: so many were looked at."""

    typical: int | None
    unusual: tuple[Unusual, ...]
    of: int

    def as_json(self) -> dict[str, Any]:
        return {"typical": self.typical, "unusual": [one.as_json() for one in self.unusual], "of": self.of}


@attrs.define(eq=False)
class Gallery:
    """The quantities of the first games, and of each pair of games how they change; and whether a pair differs."""

    _numbers: list[Array] = attrs.field(factory=list)
    _values: dict[str, list[Array]] = attrs.field(factory=dict)
    _changes: dict[str, list[Array]] = attrs.field(factory=dict)
    _touched: list[Array] = attrs.field(factory=list)
    _held: int = 0

    def add(
        self,
        numbers: Array,
        values: Mapping[str, Array],
        changes: Mapping[str, Array] | None = None,
        touched: Array | None = None,
    ) -> None:
        """Adds games that came to an end, one number of each quantity for each."""
        room = MOST - self._held
        if room <= 0 or not len(numbers):
            return
        self._numbers.append(numbers[:room])
        self._touched.append(np.ones(len(numbers), bool)[:room] if touched is None else touched[:room])
        for kept, found in ((self._values, values), (self._changes, changes or {})):
            for name, those in found.items():
                if name not in PLAIN:
                    kept.setdefault(name, []).append(those[:room].astype(float))
        self._held += len(self._numbers[-1])

    def picked(self) -> Picked:
        """The games to look at."""
        if not self._held:
            return Picked(None, (), 0)
        numbers, touched = np.concatenate(self._numbers), np.concatenate(self._touched)
        values = {name: np.concatenate(parts) for name, parts in self._values.items()}
        changes = [np.concatenate(parts) for parts in self._changes.values()]
        away = {name: _away(those) for name, those in values.items()}
        far = np.mean(
            [np.square(np.minimum(np.abs(z), 2 * FAR)) for z in (*away.values(), *map(_away, changes))], axis=0
        )
        among = touched if touched.any() else np.ones(len(numbers), bool)
        typical = int(numbers[int(np.argmin(np.where(among, far, np.inf)))])
        return Picked(typical, tuple(_unusual(numbers, values, away)), self._held)


def _away(values: Array) -> Array:
    """How far each value is from the median, in units of the usual spread; 0 where there is none."""
    known = values[~np.isnan(values)]
    if not len(known):
        return np.zeros(len(values))
    middle = np.median(known)
    low, high = np.quantile(known, [0.25, 0.75])
    spread = max(float(high - low) / 2, float(known.std()) / 2)
    return np.nan_to_num((values - middle) / spread) if spread > 0 else np.zeros(len(values))


def _unusual(numbers: Array, values: Mapping[str, Array], away: Mapping[str, Array]) -> list[Unusual]:
    """At most one game for each quantity and side, the furthest first."""
    found: list[tuple[float, Unusual]] = []
    for name, distances in away.items():
        known = values[name][~np.isnan(values[name])]
        for sign in (1, -1):
            place = int(np.argmax(sign * distances))
            if abs(distances[place]) < FAR or sign * distances[place] < 0:
                continue
            value = float(values[name][place])
            low, high = (float(edge) for edge in np.quantile(known, [0.25, 0.75]))
            share = float((sign * known >= sign * value).mean())
            one = Unusual(int(numbers[place]), name, value, low, high, share)
            found.append((abs(float(distances[place])), one))
    found.sort(key=lambda each: (-each[0], each[1].game))
    games: dict[int, Unusual] = {}
    for _, one in found:
        games.setdefault(one.game, one)
    return list(games.values())[:MOST_UNUSUAL]
