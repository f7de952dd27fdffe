"""Rewards: the value of a playout's end to each seat."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rulelang.program import Program
from rulelang.program.sides import all_together, only_counts, sides
from rulelang.types import NumberType

_POINTS = 0.1
"""The share of a reward that is for points rather than for winning, so that a lost game is still played well."""


@attrs.frozen
class Stakes:
    """What a game is played for. ``sides``: by seat, the side it wins with.

    ``span``: the lowest and the highest number of points, if all win or lose together and have nobody to compare
    themselves with. ``points``: the share of a reward that is for points.
    """

    sides: tuple[int, ...]
    span: tuple[int, int] | None = None
    points: float = _POINTS

    @classmethod
    def of(cls, program: Program) -> Stakes:
        if not all_together(program):
            return cls(sides(program))
        ranks = [rank for rank in program.ranks if not rank.implied]
        if program.score is not None:
            type_ = program.variables[program.score].type
        else:
            type_ = ranks[0].value.type if ranks else NumberType(0, 1)
        assert isinstance(type_, NumberType)
        return cls(sides(program), (type_.low, type_.high), 1.0 if only_counts(program) else _POINTS)


def rewards(scores: Sequence[int], winners: Sequence[int], stakes: Stakes | None = None) -> tuple[float, ...]:
    """From 0 to 1 for each seat: a share of the victory (the whole of it for the only side that wins, the same for all
    when none of several does), and a little for points compared with the best of the other sides.

    Without ``stakes``, everybody plays alone.
    """
    seats = range(len(scores))
    stakes = Stakes(tuple(seats)) if stakes is None else stakes
    side = stakes.sides
    number = len({side[seat] for seat in winners})
    if winners:
        shares = [1 / number if seat in winners else 0.0 for seat in seats]
    else:
        shares = [1 / len(set(side)) if len(set(side)) > 1 else 0.0 for _ in seats]
    points = stakes.points
    return tuple((1 - points) * shares[seat] + points * _lead(scores, seat, stakes) for seat in seats)


def _lead(scores: Sequence[int], seat: int, stakes: Stakes) -> float:
    """How far a seat is ahead in points, from 0 (far behind) to 1 (far ahead)."""
    own = scores[seat]
    if stakes.span is not None:
        low, high = stakes.span
        return min(max((own - low) / max(1, high - low), 0.0), 1.0)
    others = (score for other, score in enumerate(scores) if stakes.sides[other] != stakes.sides[seat])
    rival = max(others, default=0)
    return 0.5 + 0.5 * (own - rival) / (1 + abs(own) + abs(rival))
