"""Games played with their records: see ``records`` for what a record holds.

The same seed gives the same records on either engine, with any number of threads, however the games are divided. Random
games of the fast engine are counted while they are played. A game of bots is played again from its choices, which takes
far less time than the bots took.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ..bots.simple import BY_SEAT, Seating
from ..position.position import Laid, Made, follow, laid_first
from ..record.observer import Observer
from ..record.shape import Shape
from ..wasm.host import Trap
from .batch import LIMIT, Batch, GameResult, Part, in_order, seats_of
from .games import (
    MOST_DECISIONS,
    SimulationRun,
    Trapped,
    at_random,
    check_time,
    game_seed,
    in_batches,
    in_parallel,
    in_pieces,
    played,
    stoppable_in,
)
from .records import Records

if TYPE_CHECKING:
    from ..bots import Bot
    from ..game import Game, State
    from ..reference.engine import ReferenceGame
    from ..wasm.compiled import Compiled

BLOCK = 100
"""Games of a block, where they are played one by one."""

FEW = 5
"""Games of a block at most, where bots play several of them at a time."""


def play_recorded(
    game: Game,
    seed: int,
    games: int,
    bots: Sequence[Bot] | Seating | None = None,
    *,
    first: int = 0,
    limit: int = LIMIT,
    threads: int = 1,
    streams: int = BY_SEAT,
    until: float | None = None,
) -> Generator[Records]:
    """Play games ``first`` to ``first + games - 1`` of the simulation from ``seed``, block by block in their order.

    ``bots``: one for each seat, or who plays each game, without any all choose at random. ``limit``: decisions after
    which a game is stopped. ``threads``: for games on the fast engine. ``streams``: the version of the streams of
    chance. To stop before the end, close the iterator; or say ``until`` when, by ``time.monotonic()``: then it raises
    TimeIsUp.
    """
    shape = Shape.of(game.blueprint)
    if in_batches(game, bots):
        return _in_batches(game, shape, seed, range(first, first + games), limit, threads, streams, until)
    numbers = range(first, first + games)
    seats = bots if callable(bots) else lambda _: bots or at_random(game)
    seated, stop = stoppable_in(seats, until)
    if bots is None or threads == 1 or not in_parallel(game):
        return _in_turn(game, shape, seed, numbers, seats if until is None else seated, limit, streams)
    few = min(FEW, max(1, games // (4 * threads)))  # of a few games in all, no thread waits long for another's
    some = (numbers[at : at + few] for at in range(0, games, few))
    play = partial(_one_by_one, game, shape, seed)
    return in_order((partial(play, each, seated, limit, streams) for each in some), threads, stop)


def _in_batches(
    game: Game, shape: Shape, seed: int, numbers: range, limit: int, threads: int, streams: int, until: float | None
) -> Generator[Records]:
    """Games that are counted while they are played; those that trap are played again step by step."""
    from ..wasm.engine import WasmGame

    assert isinstance(game, WasmGame)
    run = SimulationRun(
        game.recorder, game.players, game.rules, seed % 2**64, min(limit, MOST_DECISIONS), shape.width, streams
    )
    with closing(in_pieces(run, numbers.start, len(numbers), threads)) as pieces:
        for piece in pieces:
            check_time(until)
            if isinstance(piece, Trapped):
                alone = range(piece.game, piece.game + 1)
                yield _one_by_one(game, shape, seed, alone, lambda _: at_random(game), limit, streams)
            else:
                rows = np.frombuffer(piece.rows, dtype="<i4").reshape(-1, shape.width)
                yield Records(shape, seed, piece.first, rows)


def _in_turn(
    game: Game, shape: Shape, seed: int, numbers: range, seats: Seating, limit: int, streams: int
) -> Generator[Records]:
    for at in range(numbers.start, numbers.stop, BLOCK):
        some = range(at, min(at + BLOCK, numbers.stop))
        yield _one_by_one(game, shape, seed, some, seats, limit, streams)


def _one_by_one(
    game: Game, shape: Shape, seed: int, numbers: range, seats: Seating, limit: int, streams: int
) -> Records:
    rows, faults = [], {}
    for number in numbers:
        own = game_seed(seed, number)
        state, _, fault = played(game, own, seats(number), limit, streams)
        rows.append(record_of(game, shape, own, _choices(state), fault))
        if fault is not None:
            faults[number] = fault
    return Records(shape, seed, numbers.start, np.array(rows, dtype=np.int32), faults)


def _choices(state: State | None) -> list[Made]:
    from ..wasm.state import WasmState

    if isinstance(state, WasmState):  # without its position, which takes longer to work out than the game
        return state.choices()
    return [] if state is None else state.position.choice_list()


def record_of(game: Game, shape: Shape, seed: int, choices: Sequence[Made], fault: str | None = None) -> list[int]:
    """The record of the game of a seed in which these options were chosen, by their numbers.

    ``fault``: why it could not go on; what happened on the way to the fault is counted too.
    """
    from ..errors import GameError
    from ..wasm.engine import WasmGame

    indices = [made for made in choices if not isinstance(made, Laid)]
    if isinstance(game, WasmGame) and fault is None and len(indices) == len(choices):
        row = _followed(game.recorder, shape, seed, indices)
        if row is not None:
            return row
    observer = Observer(game.blueprint, shape)
    state = None
    try:
        state = _reference(game).start(seed, *laid_first(choices), observer=observer)
        follow(state, choices)
    except GameError:
        if fault is None:
            raise
    position = game.blank(seed).position if state is None else state.position
    return observer.row_of(position)


def _followed(compiled: Compiled, shape: Shape, seed: int, choices: Sequence[int]) -> list[int] | None:
    """The record of a game, played again inside the module; None where it cannot be played in one go."""
    instance, addresses = compiled.ready(), compiled.addresses
    script = struct.pack(f"<{len(choices)}i", *choices) or bytes(4)
    address = instance.call("script", len(script))
    instance.look()
    instance.write(address, script)
    try:
        instance.call("play", seed % 2**64, 0, 1, len(choices))
    except Trap:
        return None
    finally:
        instance.call("script", 0)
    return list(struct.unpack(f"<{shape.width}i", instance.read(addresses.results, 4 * shape.width)))


def _reference(game: Game) -> ReferenceGame:
    """The same game on the engine that counts."""
    from ..reference.engine import ReferenceGame
    from ..wasm.engine import WasmGame

    found = game.reference if isinstance(game, WasmGame) else game
    assert isinstance(found, ReferenceGame)
    return found


def parts_of(records: Records) -> Iterator[Part]:
    """The games of records as parts of a simulation, for a tally: one batch, or one by one where one has a fault."""

    shape = records.shape
    players = len(shape.axes["seat"])
    if not records.faults:
        runs = records.column("ran").sum(axis=(0, 2), dtype=np.int64).tolist()
        rows = np.ascontiguousarray(records.rows[:, : 4 + players], dtype="<i4").tobytes()
        yield Batch(records.seed, records.first, players, rows, dict(zip(shape.axes["rule"], runs, strict=True)))
        return
    ran = records.column("ran").sum(axis=2).tolist()
    for place, row in enumerate(records.rows[:, : 4 + players].tolist()):
        number = records.first + place
        finished, turns, decisions, winners, *scores = row
        yield GameResult(
            number, game_seed(records.seed, number), bool(finished), turns, decisions, tuple(scores), seats_of(winners),
            Counter({rule: n for rule, n in zip(shape.axes["rule"], ran[place], strict=True) if n}),
            records.faults.get(number),
        )  # fmt: skip
