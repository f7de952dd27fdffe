"""Time and size of pictures: the decisions of random games, for every seat, at the width of a screen and of a phone."""

from __future__ import annotations

import random
import statistics
import time

import interpreter
from benchmarks.rows import Row, progress
from benchmarks.subjects import ROOT
from tests.tools.parity.setups import games_below

WIDTHS = (1200, 390)
TIME_AIM, SIZE_AIM = 50.0, 150.0
"""Milliseconds and kilobytes of one picture, at most."""
_FASTEST = 0.95
"""Of one picture: a machine that does other things as well now and then takes longer for any."""


def measure(games: int, decisions: int, rows: list[Row]) -> None:
    """Adds three rows for each game: the middle and nearly the most time of a picture, and the most kilobytes."""
    from workbench.pictures import draw

    for path in games_below(ROOT / "rules"):
        progress(f"drawing {path.name}")
        times: list[float] = []
        sizes: list[float] = []
        for seed in range(games):
            state, dice = interpreter.load(path).start(seed), random.Random(seed)
            for _ in range(decisions):
                for seat in range(state.position.blueprint.program.players):
                    for width in WIDTHS:
                        started = time.process_time()
                        picture = draw(state, seat, width=width)
                        times.append(1000 * (time.process_time() - started))
                        sizes.append(len(picture.encode()) / 1000)
                if state.decision is None:
                    break
                state.choose(dice.randrange(state.option_count))
        slow = sorted(times)[int(_FASTEST * (len(times) - 1))]
        rows += [
            Row("a picture: half of them within", path.name, "", statistics.median(times), "ms"),
            Row("a picture: 95 % within", path.name, "", slow, "ms", aim=TIME_AIM, at_most=True),
            Row("a picture: the largest", path.name, "", max(sizes), "kB", aim=SIZE_AIM, at_most=True),
        ]
    progress("")
