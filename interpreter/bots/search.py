"""Shared parts of the bots that search: settings, the confidence bound, and the choice of options worth trying."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import attrs

from .rewards import Stakes, rewards
from .simple import GreedyBot

if TYPE_CHECKING:
    from ..chance import Stream
    from ..game import Game, Trial
    from .imagine import Imagined

PLAYOUTS = 200
"""Default number of playouts per decision."""

_WIDE = 10

T = TypeVar("T")


@attrs.frozen
class Settings:
    """``playouts`` per decision; ``limit``: decisions after which a playout is judged by the scores; ``explore``:
    the weight of options tried little (0.7: Cowling, Powley and Whitehouse 2012)."""

    playouts: int = PLAYOUTS
    limit: int = 2_000
    explore: float = 0.7


def bound(value: float, visits: int, chances: int, explore: float) -> float:
    """UCB1 (Auer, Cesa-Bianchi and Fischer 2002): ``value`` is the sum over ``visits``; ``chances``: how often it
    could have been taken."""
    return value / visits + explore * math.sqrt(math.log(max(chances, 1)) / visits)


def width(visits: int) -> int:
    """How many options are tried after so many visits (progressive widening; Coulom 2007): when there are too many for
    the number of playouts, it is better to compare some well than all badly."""
    return max(_WIDE, 2 * math.isqrt(visits))


def played_out(position: Trial, stream: Stream, limit: int, stakes: Stakes) -> tuple[float, ...]:
    """The rewards after playing on at random; if the game gets stuck, those of its scores so far."""
    from .imagine import leaders

    if position.over:
        return rewards(position.scores, position.winners, stakes)
    ended = position.playout(stream.word(), limit)
    if ended is None:
        ended = position.scores, leaders(position.scores) if stakes.span is None else ()
    return rewards(*ended, stakes)


def promising(game: Game, imagined: Imagined, seat: int, number: int, stream: Stream) -> list[int]:
    """The indices of ``number`` options in the order to try them: by immediate gain where there are many, ties in
    random order."""
    order = stream.shuffled(range(number))
    if number <= _WIDE:
        return order
    gains = GreedyBot(game).values(imagined, seat, order, stream)
    return [index for _, index in sorted(zip(gains, order, strict=True), key=lambda pair: -pair[0])]


def best(candidates: Sequence[T], merit: Callable[[T], tuple[float, ...]], stream: Stream) -> T:
    """The candidate with the highest merit; ties are broken at random."""
    merits = [merit(candidate) for candidate in candidates]
    top = max(merits)
    equal = [candidate for candidate, m in zip(candidates, merits, strict=True) if m == top]
    return equal[stream.below(len(equal))]
