"""Games to measure, with their settings and targets, and how each engine plays them at random."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from rulelang.structural import Structural, frozen

if TYPE_CHECKING:
    from interpreter.game import Game

ROOT = Path(__file__).parents[1]
FAST = "wasm"
"""The engine that the targets are for."""

ENGINES = ("reference", FAST)
SEED = 1
LIMIT = 100_000
"""Decisions after which a playout is stopped."""

FIRST_PLAYOUT_AIM = 0.35
"""Seconds from the end of the imports to the end of the first playout, with nothing cached."""

CACHED_PLAYOUT_AIM = 0.05
"""The same in a fresh process, with what an earlier process cached."""


@frozen
class Subject(Structural):
    """A game to measure. ``yardstick`` names the C loop its rate is compared with; ``aim`` is the target for the fast
    engine, as a share of that loop's rate; None if there is no target."""

    name: str
    folder: str
    players: int
    yardstick: str
    aim: float | None = None
    variants: tuple[str, ...] = ()

    def load(self, engine: str) -> Game:
        import interpreter

        variants = [ROOT / variant for variant in self.variants]
        return interpreter.load(ROOT / self.folder, players=self.players, variants=variants, engine=engine)


SUBJECTS = (
    Subject("tic_tac_toe", "rules/classics/tic_tac_toe", 2, "tic_tac_toe", 1 / 4),
    Subject("connect_four", "rules/classics/connect_four", 2, "connect_four", 1 / 4),
    Subject("reversi", "rules/classics/reversi", 2, "reversi", 1 / 8),
    Subject("breakthrough", "rules/classics/breakthrough", 2, "breakthrough", 1 / 8),
    Subject("meduris-2", "rules/meduris", 2, "connect_four"),
    Subject("meduris-3", "rules/meduris", 3, "connect_four", 1 / 180),
    Subject("meduris-4", "rules/meduris", 4, "connect_four"),
    Subject("babel", "rules/babel", 2, "connect_four", 1 / 150),
    Subject("skye-druids-3", "rules/skye", 3, "connect_four", 1 / 1500, ("rules/skye/expansions/druids.rules",)),
    Subject("chess", "rules/chess", 2, "connect_four", 1 / 4000),
    Subject("draughts", "rules/draughts", 2, "connect_four", 1 / 400),
    Subject("hex", "rules/hex", 2, "connect_four", 1 / 350),
    Subject("kalah", "rules/kalah", 2, "connect_four", 1 / 60),
    Subject("whist", "rules/whist", 4, "connect_four", 1 / 1500),
    Subject("night_fair", "rules/night_fair", 2, "connect_four", 1 / 400),
    Subject("dyers_row", "rules/dyers_row", 2, "connect_four", 1 / 2500),
)


def chosen(only: str | None) -> tuple[Subject, ...]:
    """The subjects in a comma-separated list; the first part of a name (``meduris``) stands for all that begin with it.

    Raises ValueError for an unknown name; the message lists the known ones.
    """
    if only is None:
        return SUBJECTS
    words = [word.strip() for word in only.split(",") if word.strip()]
    known = ", ".join(s.name for s in SUBJECTS)
    if not words:
        raise ValueError(f"--only names no game; choose from {known}")
    for word in words:
        if not any(_means(word, s) for s in SUBJECTS):
            raise ValueError(f"there is no game {word!r} to measure; choose from {known}")
    return tuple(s for s in SUBJECTS if any(_means(word, s) for word in words))


def _means(word: str, subject: Subject) -> bool:
    return subject.name == word or subject.name.startswith(f"{word}-")


def missing_engine(engine: str) -> str | None:
    """The reason why an engine cannot be measured; None if it can."""
    import interpreter

    return None if engine in interpreter.ENGINES else f"this version has no engine {engine!r}"


def player(game: Game) -> Callable[[int], float]:
    """A function that plays a number of random games, always the same ones, and returns the CPU seconds they took."""
    if game.engine == FAST:
        from interpreter.simulate.games import play_range

        def play(count: int) -> float:
            started = time.process_time()
            play_range(game, SEED, 0, count, LIMIT)
            return time.process_time() - started

    else:
        from interpreter.simulate.games import play_many

        def play(count: int) -> float:
            started = time.process_time()
            for _ in play_many(game, SEED, count, limit=LIMIT):
                pass
            return time.process_time() - started

    return play
