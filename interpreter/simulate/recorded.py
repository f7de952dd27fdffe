"""Games played with their records: see ``records`` for what a record holds.

The same seed gives the same records on either engine, with any number of threads, however the games are divided. Random games of the fast engine are counted while they are played. A game that bots have played is played again from its
choices, which takes a thousandth of the time that the bots took.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..record.observer import Observer
from ..record.shape import Shape
from .batch import LIMIT
from .games import at_random, game_seed, played
from .records import Records

if TYPE_CHECKING:
    from ..bots import Bot
    from ..game import Game
    from ..reference.engine import ReferenceGame

BLOCK = 100
"""Games of a block, where they are played one by one."""


def play_recorded(
    game: Game,
    seed: int,
    games: int,
    bots: Sequence[Bot] | None = None,
    *,
    first: int = 0,
    limit: int = LIMIT,
    threads: int = 1,
) -> Generator[Records]:
    """Play games ``first`` to ``first + games - 1`` of the simulation from ``seed``, block by block in their order.

    ``bots``: one for each seat, without any all choose at random. ``limit``: decisions after which a game is stopped.
    ``threads``: for random games on the fast engine. To stop before the end, close the iterator.
    """
    shape = Shape.of(game.blueprint)
    for at in range(first, first + games, BLOCK):
        numbers = range(at, min(at + BLOCK, first + games))
        yield _one_by_one(game, shape, seed, numbers, bots or at_random(game), limit)


def _one_by_one(game: Game, shape: Shape, seed: int, numbers: range, bots: Sequence[Bot], limit: int) -> Records:
    rows, faults = [], {}
    for number in numbers:
        own = game_seed(seed, number)
        state, _, fault = played(game, own, bots, limit)
        rows.append(record_of(game, shape, own, [] if state is None else state.position.choice_list(), fault))
        if fault is not None:
            faults[number] = fault
    return Records(shape, seed, numbers.start, np.array(rows, dtype=np.int32), faults)


def record_of(game: Game, shape: Shape, seed: int, choices: Sequence[int], fault: str | None = None) -> list[int]:
    """The record of the game of a seed in which these options were chosen, by their numbers.

    ``fault``: why it could not go on; what happened on the way to the fault is counted too.
    """
    from ..errors import GameError

    observer = Observer(game.blueprint, shape)
    state = None
    try:
        state = _reference(game).observed(seed, observer)
        for index in choices:
            state.choose(index)
    except GameError:
        if fault is None:
            raise
    position = game.blank(seed).position if state is None else state.position
    return observer.row_of(position)


def _reference(game: Game) -> ReferenceGame:
    """The same game on the engine that counts."""
    from ..reference.engine import ReferenceGame
    from ..wasm.engine import WasmGame

    found = game.reference if isinstance(game, WasmGame) else game
    assert isinstance(found, ReferenceGame)
    return found
