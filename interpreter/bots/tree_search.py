"""Bots that search: flat Monte Carlo, and information-set Monte Carlo tree search.

SO-ISMCTS of Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", IEEE Transactions on
Computational Intelligence and AI in Games 4 (2012). One tree for what a seat knows is grown over positions that it can
imagine. Every iteration takes one of them with new chance, goes down the tree by UCB1 (Auer, Cesa-Bianchi and Fischer
2002), adds a node and plays on at random. An option's bound counts how often it was available. How many options are
tried grows with the visits (progressive widening; Coulom 2007). The flat search has a tree that is one choice deep. A
node hangs on those choices that its player has seen, as in their MO-ISMCTS.

The work is done in the module of the fast engine, whichever engine the game is on; see ``interpreter.wasm.search``.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import attrs

from ..chance import Stream, mix
from ..cores import cores
from .experience import Experience, Worlds
from .greedy_bot import TO_THE_END, Foresight
from .simple import best

if TYPE_CHECKING:
    from ..data import Decision
    from ..game import Game, State
    from ..wasm.engine import WasmGame
    from ..wasm.search import Judged, Search
    from ..wasm.state import WasmState

PLAYOUTS = 200
"""Default number of playouts per decision."""

_TREE = 500
"""Iterations from which another tree is grown, up to ``_TREES``: each on a core of its own, where there is one."""

_TREES = 4
_PIECE = 0.03
"""Seconds that a search runs before it looks whether it should stop."""


@attrs.frozen
class Judgement:
    """What a search found. ``options``: by the number of the option; ``iterations``: how many there were, ``dropped``
    of which ended in a fault; ``only_winning``: whether values are chances of winning, and no lead counts in them.
    Deciding the same with as many iterations finds the same."""

    options: tuple[Judged, ...]
    iterations: int
    dropped: int
    only_winning: bool

    def best(self, stream: Stream) -> int:
        """The option tried most often; of several, the one with the best value."""
        return best([(one.visits, one.value) for one in self.options], stream)


@attrs.frozen
class SearchBot:
    """Takes the option that its search tries most often.

    ``iterations``: how many; or ``seconds``: for how long. ``depth``: choices that the tree is deep; None: any number.
    ``experience``: what it knows of leads; None: what it finds out about the game that it plays.
    """

    game: Game
    iterations: int = PLAYOUTS
    seconds: float | None = None
    depth: int | None = None
    experience: Experience | None = None

    def choose(self, state: State, decision: Decision, stream: Stream) -> int:
        from ..redraw import CannotRedraw

        if len(decision.options) == 1:
            return 0
        try:
            return self.judge(state, stream).best(stream)
        except CannotRedraw:
            return stream.below(len(decision.options))

    def judge(
        self, state: State, stream: Stream, progress: Callable[[int], None] | None = None, *, keep: bool = False
    ) -> Judgement:
        """The options of the open decision, as its seat may see them. CannotRedraw where no position can be imagined.

        ``progress`` is told how many iterations were done since it was last told, on the thread that did them.
        ``keep``: an interrupt ends the search, which is judged by what it has.
        """
        worlds = Worlds.of(self.game, state)
        known = Foresight.of(worlds.game, self.experience)  # which may search itself, in the same memory
        number = _TREES if self.seconds is not None else max(1, min(_TREES, self.iterations // _TREE))
        seed = stream.word()
        drawn = worlds.drawn(max(8, min(64, self.iterations // 25)), Stream(mix(seed)))
        shares = [self.iterations // number + (tree < self.iterations % number) for tree in range(number)]
        seeds = [mix(seed, tree) for tree in range(number)]
        stop = threading.Event()

        def grow(tree: int) -> Judgement:
            share = shares[tree] if self.seconds is None else None
            search = started(worlds.game, drawn, seeds[tree], share, self.depth, known)
            try:
                self._grow(search, share, progress, stop)
            except KeyboardInterrupt:
                stop.set()
                if not keep or not search.iterations:
                    raise
            return Judgement(tuple(search.judged()), search.iterations, search.dropped, search.only_winning)

        return _merged(_in_threads(grow, number, stop if keep else None))

    def _grow(
        self, search: Search, share: int | None, progress: Callable[[int], None] | None, stop: threading.Event
    ) -> None:
        """Grows a tree in pieces, by so many iterations, or until the time is up."""
        done, size = 0, 8
        until = None if share is not None or self.seconds is None else time.monotonic() + self.seconds
        while not stop.is_set() and (until is None or time.monotonic() < until):
            before = time.monotonic()
            step = size if share is None else min(size, share - done)
            if step <= 0 or not search.seek(step):
                break
            done += step
            if progress is not None:
                progress(step)
            size = max(1, min(2 * size, int(size * _PIECE / max(time.monotonic() - before, 1e-6))))


def started(
    game: WasmGame,
    worlds: Sequence[WasmState],
    seed: int,
    iterations: int | None,
    depth: int | None,
    known: Foresight,
) -> Search:
    """A search whose options are in the order in which they look promising, where there are many."""
    from ..wasm.search import DEEPEST, MOST_NODES, Search, Settings

    limit = known.horizon or TO_THE_END
    long = (iterations or 0) >= 10_000
    valued = known.value is not None and not long
    settings = Settings(limit if valued else TO_THE_END, depth=depth or DEEPEST, winning=1.0 if long else 0.5)
    nodes = iterations if iterations is not None else MOST_NODES
    search = Search(game, worlds, settings, seed, nodes, known.value if valued else None)
    if search.options > settings.wide:
        order = Stream(mix(seed, 1)).shuffled(range(search.options))
        tried = order if iterations is None else order[: 2 * iterations]
        values = {option: search.attempt(option, 0, mix(seed, option), limit) or 0.0 for option in tried}
        search.ordered(sorted(order, key=lambda option: -values.get(option, -1.0)))
    return search


def _in_threads(grow: Callable[[int], Judgement], number: int, stop: threading.Event | None) -> list[Judgement]:
    """The trees, which do not depend on how many of them grow at a time. Whoever is on a thread has others beside.

    ``stop``: set at an interrupt, after which every tree is taken as it is; without it, nobody waits for them.
    """
    if number == 1 or cores() == 1 or threading.current_thread() is not threading.main_thread():
        return [grow(tree) for tree in range(number)]
    from concurrent.futures import ThreadPoolExecutor

    from ..wasm.host import interrupt

    pool = ThreadPoolExecutor(min(cores(), number), "search")
    try:
        growing = [pool.submit(grow, tree) for tree in range(number)]
        try:
            return [tree.result() for tree in growing]
        except KeyboardInterrupt:
            if stop is None:
                raise
            stop.set()
            interrupt()
            return [tree.result() for tree in growing]
    except BaseException:
        interrupt()  # nobody waits for what the other threads are at
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _merged(trees: Sequence[Judgement]) -> Judgement:
    from ..wasm.search import Judged

    options = []
    for found in zip(*(tree.options for tree in trees), strict=True):
        visits = sum(one.visits for one in found)
        value = sum(one.visits * one.value for one in found) / visits if visits else 0.0
        error = sum((one.visits * one.error) ** 2 for one in found) ** 0.5 / visits if visits else 1.0
        options.append(Judged(visits, sum(one.available for one in found), value, error))
    iterations, dropped = sum(tree.iterations for tree in trees), sum(tree.dropped for tree in trees)
    return Judgement(tuple(options), iterations, dropped, trees[0].only_winning)
