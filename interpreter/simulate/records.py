"""Records of games as arrays: what was counted while they were played, and what follows from it.

``play_recorded`` (in ``recorded``) gives blocks of games; each is a ``Records``::

    for block in play_recorded(game, seed=1, games=10_000):
        block.column("decisions")    # (games,)              one number for each game
        block.column("score")        # (games, seats)
        block.column("ran")          # (games, rules, actors)
        block.column("margin")       # (games,)              worked out, not a number where there is none

``block.shape.axes["rule"]`` names the places along an axis; ``describe(name)`` gives axes, unit and meaning. What is
counted is listed in ``interpreter.record.shape.COLUMNS``, what is worked out in ``DERIVED``. Games that did not finish
are in the rows like all others: look at ``finished`` first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import attrs
import numpy as np

from ..chance import mix
from ..record.shape import BIT, BY_NAME, MOMENTS, RecordColumn, Shape

Array: TypeAlias = "np.ndarray[Any, Any]"


_OF_RULES = ("rule", "option", "scoring")
"""The axes that have names of rules."""


@attrs.frozen(eq=False)
class Records:
    """Games ``first``, ``first + 1``, ... of a simulation from ``seed``.

    ``rows``: (games, ``shape.width``), 32-bit words. ``faults``: by a game's number, why the rules could not go on.
    """

    shape: Shape
    seed: int
    first: int
    rows: Array
    faults: Mapping[int, str] = attrs.field(factory=dict)

    @property
    def games(self) -> int:
        return len(self.rows)

    @property
    def numbers(self) -> Array:
        """The numbers of the games."""
        return np.arange(self.first, self.first + self.games)

    @property
    def seeds(self) -> Array:
        """The seed of each game, which plays it alone: (games,), 64 bits without a sign."""
        return np.array([mix(self.seed, int(number)) for number in self.numbers], dtype=np.uint64)

    def column(self, name: str) -> Array:
        """A column, counted or worked out: (games, and its axes). Raises KeyError for a name that there is not."""
        if name in DERIVED:
            return DERIVED[name][1](self)
        at, lengths = self.shape.offsets[name], self.shape.lengths(name)
        size = int(np.prod(lengths, dtype=np.int64))
        return self.rows[:, at : at + size].reshape(self.games, *lengths)

    def under(self, names: Mapping[str, str]) -> Records:
        """The same records, with rules and options under other names, where ``names`` has them."""
        if not names:
            return self
        axes = {axis: tuple(names.get(name, name) for name in self.shape.axes[axis]) for axis in _OF_RULES}
        shape = Shape.of_axes(self.shape.axes | axes, most=self.shape.most, sides=self.shape.sides)
        return attrs.evolve(self, shape=shape)

    @classmethod
    def joined(cls, blocks: Sequence[Records]) -> Records:
        """Blocks that follow one another, as one."""
        faults = {number: text for block in blocks for number, text in block.faults.items()}
        return cls(blocks[0].shape, blocks[0].seed, blocks[0].first, np.concatenate([b.rows for b in blocks]), faults)


def describe(name: str) -> RecordColumn:
    """The axes, unit and meaning of a column."""
    return DERIVED[name][0] if name in DERIVED else BY_NAME[name]


# ---------------------------------------------------------------- what follows from the columns


def _won(records: Records) -> Array:
    seats = np.arange(len(records.shape.axes["seat"]))
    return (records.column("winners")[:, None] >> seats & 1).astype(bool)


def _winning(records: Records) -> Array:
    """How many sides won."""
    won, side = _won(records), np.array(records.shape.sides)
    winning: Array = np.stack([won[:, side == one].any(axis=1) for one in np.unique(side)]).sum(axis=0)
    return winning


def _win(records: Records) -> Array:
    """What part of the win each seat has: an equal one of what its side has, which shares it with others that won."""
    won, side, winning = _won(records), np.array(records.shape.sides), _winning(records)
    alike = side[:, None] == side[None, :]
    with_it = (won[:, None, :] & alike).any(axis=2)
    win: Array = with_it / alike.sum(axis=1) / np.maximum(1, winning)[:, None]
    return win


def _standing(records: Records, points: Array) -> Array:
    """Points so that more is better."""
    return points if records.shape.most else -points


def _rank(records: Records) -> Array:
    points, won = _standing(records, records.column("score")), _won(records)
    better = (points[:, None, :] > points[:, :, None]) | (won[:, None, :] & ~won[:, :, None])
    worse = won[:, :, None] & ~won[:, None, :]
    rank: Array = 1 + (better & ~worse).sum(axis=2)
    return rank


def _margin(records: Records) -> Array:
    """Points between the winners and the best of the others; not a number where nobody won."""
    points, won = _standing(records, records.column("score")).astype(float), _won(records)
    best, other = _highest(points, won), _highest(points, ~won)
    return best - other


def _highest(numbers: Array, where: Array) -> Array:
    """The greatest of the numbers in each row where that holds; not a number where there is none."""
    found = np.where(where, numbers, -np.inf).max(axis=1)
    return np.where(np.isfinite(found), found, np.nan)


def _spread(records: Records) -> Array:
    points = records.column("score")
    spread: Array = points.max(axis=1) - points.min(axis=1)
    return spread


def _settled(records: Records) -> Array:
    """After which share of the decisions the winners led for good: 1 where only the end told."""
    trailed = _highest(records.column("trailed").astype(float), _won(records))
    known = trailed if records.shape.axes["moment"] else np.full(records.games, np.nan)
    return np.minimum(1.0, known / np.maximum(1, records.column("decisions")))


def _deficit(records: Records) -> Array:
    found = _highest(records.column("behind").astype(float), _won(records))
    return found if records.shape.axes["moment"] else np.full(records.games, np.nan)


def _at_half(records: Records, *, leading: bool) -> Array:
    """1 where somebody who led (or was last) half way won, 0 where not; not a number where nobody won, or all were
    level."""
    if not records.shape.axes["moment"]:
        return np.full(records.games, np.nan)
    points = _standing(records, records.column("over_time")[:, MOMENTS // 2])
    extreme = points.max(axis=1) if leading else points.min(axis=1)
    there, level = points == extreme[:, None], points.max(axis=1) == points.min(axis=1)
    return np.where(level | ~_won(records).any(axis=1), np.nan, (there & _won(records)).any(axis=1).astype(float))


def _share(records: Records, name: str, whole: str) -> Array:
    numbers, total = records.column(name), records.column(whole)
    total = total.reshape(len(total), *[1] * (numbers.ndim - 1))
    return np.where(total > 0, numbers / np.maximum(total, 1), np.nan)


def _taken(records: Records) -> Array:
    places = [records.shape.number["rule"][option] for option in records.shape.axes["option"]]
    return records.column("ran")[:, places, :-1]


def _forced(records: Records) -> Array:
    forced: Array = records.column("decisions") - records.column("chose").sum(axis=1)
    return forced


DERIVED: Mapping[str, tuple[RecordColumn, Callable[[Records], Array]]] = {
    column.name: (column, function)
    for column, function in (
        (RecordColumn("won", ("seat",), "yes or no", "whether the seat won, alone or with others"), _won),
        (RecordColumn("winning", (), "sides", "how many sides won; none in a draw"), _winning),
        (RecordColumn("win", ("seat",), "of a win", "its part of the win, which sides and their members share"), _win),
        (RecordColumn("rank", ("seat",), "place", "place at the end, the winners first, then by points"), _rank),
        (RecordColumn("margin", (), "points", "points from the winners to the best of the others"), _margin),
        (RecordColumn("spread", (), "points", "points from the most to the fewest"), _spread),
        (RecordColumn("settled", (), "share of the decisions", "when the winners took the lead for good"), _settled),
        (RecordColumn("deficit", (), "points", "the most points by which a winner was behind the leader"), _deficit),
        (
            RecordColumn("leader_won", (), "yes or no", "whether somebody who led half way won"),
            lambda records: _at_half(records, leading=True),
        ),
        (
            RecordColumn("last_won", (), "yes or no", "whether somebody who was last half way won"),
            lambda records: _at_half(records, leading=False),
        ),
        (RecordColumn("forced", (), "decisions", "decisions with a single option"), _forced),
        (
            RecordColumn("branching", (), "options", "options per decision"),
            lambda records: _share(records, "offers", "decisions"),
        ),
        (RecordColumn("choice_bits", (), "bits", "bits of choice in the whole game"), lambda r: r.column("bits") / BIT),
        (RecordColumn("taken", ("option", "seat"), "times", "times an option was taken"), _taken),
        (
            RecordColumn("mean_held", ("pool",), "pieces", "pieces in the pool at the beginning of a pass"),
            lambda records: _share(records, "held", "looks"),
        ),
        (
            RecordColumn(
                "share_empty", ("pool",), "share of the passes", "passes at whose beginning the pool was empty"
            ),
            lambda records: _share(records, "empty", "looks"),
        ),
    )
}
"""Columns that follow from others, by name, with what works them out."""
