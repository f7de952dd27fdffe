"""Simulation of many games, played by bots, or at random as fast as the engine can.

Each game has its own seed, so that its result does not depend on the games before it or on the number of threads. Each
bot of a game has its own stream of chance as well.
"""

from __future__ import annotations

import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import attrs

from ..bots import BOTS, Bot, Stream, make_bot, mix
from ..bots.simple import BY_QUESTION, BY_SEAT, Seating, Streams
from ..wasm.host import Trap
from ..wasm.layout.addresses import FAULT, NO_FAULT, RESULTS_ROOM, TRACE_LENGTH, WORD
from .batch import LIMIT, Batch, GameResult, Part, in_order
from .tally import Summary, tally

if TYPE_CHECKING:
    from ..data import Decision
    from ..game import Game, State
    from ..wasm.compiled import Compiled
    from ..wasm.state import WasmState


T = TypeVar("T")


def game_seed(seed: int, index: int) -> int:
    """The seed of game number ``index`` of a simulation from ``seed``."""
    return mix(seed, index)


def play_one(
    game: Game, seed: int, bots: Sequence[Bot], limit: int = LIMIT, index: int = 0, streams: int = BY_SEAT
) -> GameResult:
    """Play one game from ``seed``; ``bots`` has one for each seat.

    A rule that cannot be carried out, or a broken invariant, ends the game; the result has the message.
    """
    return _result(index, seed, *played(game, seed, bots, limit, streams))


def _result(index: int, seed: int, state: State | None, decisions: int, fault: str | None) -> GameResult:
    if state is None:
        return GameResult(index, seed, False, 0, 0, (), (), Counter(), fault)
    return GameResult(
        index=index,
        seed=seed,
        finished=state.over and fault is None,
        turns=state.turns,
        decisions=decisions,
        scores=tuple(state.scores),
        winners=tuple(state.winners) if state.over else (),
        fired=Counter(state.fired),
        fault=fault,
    )


def play_campaigns(
    game: Game, seed: int, campaigns: int, length: int, bots: Sequence[Bot] | None, limit: int, threads: int
) -> Generator[GameResult]:
    """Campaigns of ``length`` games, each of which begins with what the one before handed on.

    A campaign ends early with a game that is not played to its end. The games of all campaigns are numbered in a row.
    """

    def campaign(number: int, players: Sequence[Bot]) -> list[GameResult]:
        results: list[GameResult] = []
        carried = None
        for index in range(number * length, (number + 1) * length):
            own = game_seed(seed, index)
            state, decisions, fault = played(game, own, players, limit, carried=carried)
            results.append(_result(index, own, state, decisions, fault))
            if state is None or not results[-1].finished:
                break
            carried = state.carried
        return results

    threads = min(threads, campaigns) if in_parallel(game) else 1
    with closing(play_beside(campaign, campaigns, bots or at_random(game), threads)) as found:
        for results in found:
            yield from results


def played(
    game: Game,
    seed: int,
    bots: Sequence[Bot],
    limit: int = LIMIT,
    streams: int = BY_SEAT,
    carried: Mapping[str, Any] | None = None,
) -> tuple[State | None, int, str | None]:
    """Play one game: its last state, the number of decisions, and why the rules could not go on.

    The state is None when they could not even begin. ``streams``: the version of the streams of chance. ``carried``:
    what the game before it handed on.
    """
    from ..errors import InvariantBroken, RuleFault

    chance = Streams(seed, game.players, streams)
    whole = _whole_game(seed, bots, chance, limit) if carried is None else None
    if whole is not None:
        return whole, len(whole.choices()), None
    decisions = 0
    state = None
    try:
        state = game.start(seed, carried=carried)
        while (decision := state.decision) is not None and decisions < limit:
            seat = decision.player
            state.choose(bots[seat].choose(state, decision, chance.of(decision)))
            decisions += 1
    except (RuleFault, InvariantBroken) as error:
        return state, decisions, str(error)
    return state, decisions, None


def _whole_game(seed: int, bots: Sequence[Bot], streams: Streams, limit: int) -> WasmState | None:
    """The game played in one go, where one bot has all seats and can do that."""
    play = getattr(bots[0], "whole_game", None)
    return None if play is None or any(bot != bots[0] for bot in bots) else play(seed, streams, limit)


def simulated(
    game: Game,
    seed: int,
    number: int,
    bots: str | Sequence[str | Bot] | None = None,
    decisions: int | None = None,
    limit: int = LIMIT,
    streams: int = BY_SEAT,
    printed: Game | None = None,
) -> State:
    """Game ``number`` of the simulation from ``seed``, as it was played: to look at, to explain, or to play on.

    ``bots`` as for ``play_games``: those of the simulation. ``decisions``: stops after so many, for somebody else to go
    on; by default the game is played to its end, or to ``limit``. ``streams``: ``BY_QUESTION`` (of
    ``interpreter.bots.simple``) for the games of comparisons, whose players know the game as it is ``printed``; None:
    that is this one. Raises GameError for bots that do not exist, and
    RuleFault when the rules cannot even begin.
    """
    from ..errors import GameError

    if number < 0 or (decisions is not None and decisions < 0):
        raise GameError("games and decisions are counted from 0 on")
    own = game_seed(seed, number)
    most = limit if decisions is None else min(limit, decisions)
    if streams == BY_QUESTION:
        seats = seated_for_comparison(game, bots, printed or game)
        playing = at_random(game) if seats is None else seats(number)
    else:
        playing = seated(game, bots) or at_random(game)
    state, _, _ = played(game, own, playing, most, streams)
    return game.start(own) if state is None else state


def play_many(
    game: Game, seed: int, games: int, bots: Sequence[Bot] | None = None, limit: int = LIMIT
) -> Generator[GameResult]:
    """Play ``games`` games one after the other; without ``bots`` every seat chooses at random."""
    players = bots or at_random(game)
    for index in range(games):
        yield play_one(game, game_seed(seed, index), players, limit, index)


def play_all(
    game: Game, seed: int, games: int, bots: Sequence[Bot] | None = None, limit: int = LIMIT, threads: int = 1
) -> Generator[Part]:
    """The games of ``play_many`` in order, on ``threads`` threads where ``in_parallel`` allows it.

    To stop before the end, close the iterator, so that no thread goes on.
    """
    if in_batches(game, bots):
        return play_batches(game, seed, games, limit=limit, threads=threads)
    if bots is None or min(threads, games) == 1 or not in_parallel(game):
        return play_many(game, seed, games, bots, limit)
    return play_campaigns(game, seed, games, 1, bots, limit, threads)


def play_games(
    game: Game,
    games: int,
    seed: int = 0,
    bots: str | Sequence[str | Bot] | None = None,
    limit: int = LIMIT,
    threads: int = 1,
) -> Summary:
    """Plays ``games`` games and adds them up: lengths, scores and wins by seat, how often each rule ran.

    ``bots``: None plays at random, which the fast engine does without looking back; else the name of a bot for every
    seat, or one name or Bot for each. ``limit``: decisions after which a game is stopped. ``threads``: for the fast
    engine. The same seed gives the same summary, whatever the threads. Raises GameError for a bot that does
    not exist.
    """
    from rulelang.program.sides import sides

    return tally(
        play_all(game, seed, games, seated(game, bots), limit, threads), game.players, game.rules, sides(game.program)
    )


def seated(game: Game, bots: str | Sequence[str | Bot] | None) -> list[Bot] | None:
    """A bot for each seat; None when all choose at random. Raises GameError."""
    from ..errors import GameError

    if bots is None:
        return None
    each = [bots] * game.players if isinstance(bots, str) else list(bots)
    if len(each) != game.players:
        raise GameError(f"{game.players} players need one bot each, not {len(each)}; or name one for all of them")
    try:
        return [make_bot(bot, game) if isinstance(bot, str) else bot for bot in each]
    except ValueError as error:
        raise GameError(f"{error}; there are {', '.join(BOTS)}") from None


def seated_for_comparison(game: Game, bots: str | Sequence[str | Bot] | None, printed: Game) -> Seating | None:
    """Who plays the games of a comparison: players who know the game as it is ``printed``, trained anew for each of a
    number of games; see ``interpreter.bots.experience``. None when all choose at random. Raises GameError."""
    from ..bots.experience import Experience, experienced

    plain = seated(game, None if bots == "random" else bots)
    if plain is None:
        return None

    def seats(number: int) -> list[Bot]:
        experience = Experience.in_game(number, printed)
        return [experienced(bot, experience) for bot in plain]

    return seats


def in_batches(game: Game, bots: Sequence[Bot] | Seating | None = None) -> bool:
    """Whether whole batches of games can run inside the engine: it is the fast one, nothing inspects the positions in
    between, and every seat chooses at random (no ``bots``)."""
    return not bots and in_parallel(game)


def in_parallel(game: Game) -> bool:
    """Whether several games can run at a time: while the fast engine works, other threads can, and it keeps no
    invariants, which are looked at in Python."""
    if game.engine != "wasm":
        return False
    from ..wasm.engine import WasmGame

    return isinstance(game, WasmGame) and not game.check


def at_random(game: Game) -> list[Bot]:
    """A random bot for each seat."""
    return [BOTS["random"](game)] * game.players


# Playouts: whole random games inside the module, in batches, on one thread or several.
#
# A game that traps is replayed decision by decision, so that its result and its message are those of ``play_one``. Its
# result says that it was replayed, and why.


CALL_SECONDS = 0.05
"""Target seconds per call: few calls for many games, but short enough to stop promptly and to update a progress bar."""

_FIRST = 1
"""Games of the first stretch: how long one takes is not known yet."""

MOST_DECISIONS = 2**31 - 1


def play_range(game: Game, seed: int, first: int, count: int, limit: int = LIMIT) -> list[Part]:
    """Games ``first`` to ``first + count - 1`` of the simulation from ``seed``, all seats choosing at random.

    The results are those of ``simulate.play_one`` on this engine: batches, with single games in between where the rules
    could not be carried out.
    """
    return list(play_batches(game, seed, count, first=first, limit=limit))


def play_batches(
    game: Game, seed: int, games: int, *, first: int = 0, limit: int = LIMIT, threads: int = 1
) -> Generator[Part]:
    """As ``play_range``, part by part in the order of the games. The results do not depend on ``threads``, only the
    division into parts does. Closing the iterator stops each thread within one call."""
    from ..wasm.engine import WasmGame

    assert isinstance(game, WasmGame)
    run = SimulationRun(game.playouts, game.players, game.rules, seed % 2**64, min(limit, MOST_DECISIONS))
    with closing(in_pieces(run, first, games, threads)) as pieces:
        for piece in pieces:
            yield piece if isinstance(piece, Batch) else _by_itself(game, seed, piece, limit)


def in_pieces(run: SimulationRun, first: int, games: int, threads: int) -> Generator[Batch | Trapped]:
    """Batches of games in order, and between them the games that trapped. Closing it stops each thread soon."""
    end = first + games
    return _in_turn(run, first, end) if threads == 1 else _in_threads(run, first, end, threads)


def _by_itself(game: Game, seed: int, trapped: Trapped, limit: int) -> GameResult:

    found = play_one(game, game_seed(seed, trapped.game), at_random(game), limit, trapped.game)
    return attrs.evolve(found, replayed=trapped.reason)


def _in_turn(run: SimulationRun, at: int, end: int) -> Generator[Batch | Trapped]:
    size = _FIRST
    while at < end:
        done = run.stretch(at, min(size, end - at))
        at, size = at + done.games, done.next_size
        yield from done.pieces


def _in_threads(run: SimulationRun, at: int, end: int, threads: int) -> Generator[Batch | Trapped]:
    size = _FIRST

    def stretches() -> Iterator[Callable[[], _GameStretch]]:
        begin = at
        while begin < end:
            games = min(size, end - begin)
            yield partial(run.stretch, begin, games)
            begin += games

    with closing(in_order(stretches(), threads)) as found:
        for done in found:
            size = done.next_size
            yield from done.pieces


class Trapped(NamedTuple):
    """The number of a game that could not be played in one go, and why."""

    game: int
    reason: str


class _GameStretch(NamedTuple):
    """A run of games: batches in order, and between them the games that trapped. ``next_size``: the games that the next
    stretch should have so that a call takes the target time."""

    games: int
    pieces: list[Batch | Trapped]
    next_size: int


class SimulationRun(NamedTuple):
    """Data shared by the calls of one simulation."""

    compiled: Compiled
    players: int
    rules: tuple[str, ...]
    seed: int
    limit: int
    words: int = 0
    """Words of a row of results, where it has more than a ``Batch`` tells of."""
    streams: int = BY_SEAT
    """The version of the streams of chance. Others than the first are known to modules that record."""

    def stretch(self, first: int, games: int) -> _GameStretch:
        """Play games on the calling thread's own instance."""
        started = time.perf_counter()
        row = WORD * (self.words or 4 + self.players)
        most = max(1, RESULTS_ROOM // row)
        addresses = self.compiled.addresses
        pieces: list[Batch | Trapped] = []
        at, end = first, first + games
        size = most
        while at < end:
            instance = self.compiled.instance
            if self.words:
                instance.call("by_question", self.streams == BY_QUESTION)
            count = min(size, end - at)
            instance.write(addresses.fired, bytes(WORD * len(self.rules)))
            instance.put_word(addresses.scratch + FAULT, NO_FAULT)
            try:
                instance.call("play", self.seed, at, count, self.limit)
            except Trap as trap:
                # The rule counts of the games before the one that trapped are known only by playing them without it.
                size = instance.word(addresses.scratch + TRACE_LENGTH)
                if size == 0:
                    pieces.append(Trapped(at, str(self.compiled.fault(instance, trap))))
                    at, size = at + 1, most
                continue
            rows = instance.read(addresses.results, count * row)
            times = struct.unpack(f"<{len(self.rules)}I", instance.read(addresses.fired, WORD * len(self.rules)))
            fired = {rule: n for rule, n in zip(self.rules, times, strict=True) if n}
            pieces.append(Batch(self.seed, at, self.players, rows, fired))
            at, size = at + count, most
        pace = (time.perf_counter() - started) / games
        return _GameStretch(games, pieces, max(1, min(int(CALL_SECONDS / pace), 4 * games, most)))


# Games of bots side by side, each on a thread of its own.


class _Stopped(Exception):
    """Nobody wants to know how the game ends."""


class TimeIsUp(Exception):
    """There was no time to play all the games."""


def check_time(until: float | None) -> None:
    """Raises TimeIsUp after that moment, by ``time.monotonic()``."""
    if until is not None and time.monotonic() > until:
        raise TimeIsUp


@attrs.frozen
class _Stoppable:
    """A bot that leaves its game once it should, or the time is up."""

    bot: Bot
    stop: threading.Event
    until: float | None

    def choose(self, state: State, decision: Decision, stream: Stream) -> int:
        self._check()
        return self.bot.choose(state, decision, stream)

    def whole_game(self, seed: int, streams: Streams, limit: int) -> WasmState | None:
        self._check()
        play = getattr(self.bot, "whole_game", None)
        return None if play is None else play(seed, streams, limit)

    def _check(self) -> None:
        if self.stop.is_set():
            raise _Stopped
        check_time(self.until)


def play_beside(play: Callable[[int, Sequence[Bot]], T], games: int, bots: Sequence[Bot], threads: int) -> Generator[T]:
    """Games 0 to ``games - 1`` in their order; ``play`` plays the one with a number. Closing the iterator ends those
    that are being played at their next decision."""
    seated, stop = stoppable(bots)
    work = (partial(play, number, seated) for number in range(games))
    return in_order(work, threads, stop)


def stoppable(bots: Sequence[Bot]) -> tuple[list[Bot], Callable[[], None]]:
    """The same bots, and what ends all games that they are playing, each at its next decision."""
    seated, stop = stoppable_in(lambda _: bots)
    return list(seated(0)), stop


def stoppable_in(seats: Seating, until: float | None = None) -> tuple[Seating, Callable[[], None]]:
    """The same for bots that are others from game to game. ``until``: by ``time.monotonic()``, when they raise
    TimeIsUp."""
    stop = threading.Event()

    def seated(number: int) -> list[Bot]:
        check_time(until)  # they may have to be trained first
        return [_Stoppable(bot, stop, until) for bot in seats(number)]

    return seated, stop.set
