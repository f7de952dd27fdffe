"""Rewards: the value of a playout's end to each seat."""

from __future__ import annotations

from collections.abc import Sequence

_POINTS = 0.1
"""The share of a reward that is for points rather than for winning, so that a lost game is still played well."""


def rewards(scores: Sequence[int], winners: Sequence[int]) -> tuple[float, ...]:
    """From 0 to 1 for each seat: a share of the victory (the whole of it for a sole winner, the same for all when
    nobody of several wins), and a little for points compared with the best of the others."""
    seats = range(len(scores))
    if winners:
        shares = [1 / len(winners) if seat in winners else 0.0 for seat in seats]
    else:
        shares = [1 / len(scores) if len(scores) > 1 else 0.0 for _ in seats]
    return tuple((1 - _POINTS) * shares[seat] + _POINTS * _lead(scores, seat) for seat in seats)


def _lead(scores: Sequence[int], seat: int) -> float:
    """How far a seat is ahead in points, from 0 (far behind) to 1 (far ahead)."""
    own = scores[seat]
    rival = max((score for other, score in enumerate(scores) if other != seat), default=0)
    return 0.5 + 0.5 * (own - rival) / (1 + abs(own) + abs(rival))
