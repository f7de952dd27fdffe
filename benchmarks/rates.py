"""Random playouts per CPU second: every runner of every game in turn, several times over, keeping the best rate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import attrs

from benchmarks import yardsticks
from benchmarks.rows import Row, progress
from benchmarks.subjects import ENGINES, FAST, Subject, missing_engine, player
from benchmarks.yardsticks import NotHere

SECTION = "random playouts per CPU second"
MOST = 1 << 40


@attrs.define
class Runner:
    """Something that plays a game at random; ``seconds(n)`` plays n games and returns the CPU seconds they took.

    ``best`` is the highest rate seen, in playouts per CPU second.
    """

    subject: str
    by: str
    seconds: Callable[[int], float]
    count: int = 1
    best: float = 0.0

    def size(self, seconds: float) -> None:
        """Finds how many playouts take about ``seconds`` CPU seconds. The first is not timed: it may compile code."""
        self.count = 1
        self.seconds(self.count)
        while (spent := self.seconds(self.count)) < seconds / 4 and self.count < MOST:
            self.count *= 4
        self.count = max(1, round(self.count * seconds / spent))

    def measure(self) -> None:
        spent = self.seconds(self.count)
        if spent > 0:
            self.best = max(self.best, self.count / spent)


def measure(subjects: Sequence[Subject], seconds: float, repetitions: int, folder: Path, rows: list[Row]) -> None:
    """Adds the rows of all subjects to ``rows``.

    Each runner plays for about ``seconds`` CPU seconds in each of the interleaved repetitions. C loops are compiled
    into ``folder``. What is missing gets a row that says so. If interrupted, the rows have the best rates so far.
    """
    runners: dict[tuple[str, str], Runner | str] = {}
    loops = [name for name in yardsticks.C_LOOPS if any(name in (s.yardstick, s.name) for s in subjects)]
    for name in loops:
        try:
            runners[name, "C"] = Runner(name, "C", yardsticks.compiled(name, folder).seconds)
        except NotHere as why:
            runners[name, "C"] = str(why)
    if "connect_four" in loops:
        runners["connect_four", "python"] = Runner("connect_four", "python", yardsticks.python_loop)
    for name in (s.name for s in subjects if s.name in yardsticks.OPEN_SPIEL_GAMES):
        try:
            for by, play in yardsticks.open_spiel(name).items():
                runners[name, by] = Runner(name, by, play)
        except NotHere as why:
            runners[name, "open_spiel"] = str(why)
            break
    for engine in ENGINES:
        missing = missing_engine(engine)
        for subject in subjects:
            progress(f"loading {subject.name}, {engine}")
            runners[subject.name, engine] = missing or _engine(subject, engine)
    there = [runner for runner in runners.values() if isinstance(runner, Runner)]
    try:
        for runner in there:
            progress(f"trying {runner.subject}, {runner.by}")
            runner.size(seconds)
        for repetition in range(repetitions):
            for runner in there:
                progress(f"playing {runner.subject}, {runner.by}, {repetition + 1} of {repetitions}")
                runner.measure()
    finally:
        progress("")
        rows += _rows(runners, subjects)


def _engine(subject: Subject, engine: str) -> Runner | str:
    """A runner of the engine, or why it cannot run this game; the other games are still measured."""
    try:
        return Runner(subject.name, engine, player(subject.load(engine)))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _rows(runners: dict[tuple[str, str], Runner | str], subjects: Sequence[Subject]) -> list[Row]:
    known = {subject.name: subject for subject in subjects}
    order = [s.name for s in subjects] + [name for name, _ in runners if name not in known]
    rows = []
    for (name, by), runner in sorted(runners.items(), key=lambda item: order.index(item[0][0])):
        subject = known.get(name)
        yardstick = subject.yardstick if subject else name
        to = "" if by == "C" else ("C" if yardstick == name else f"C {yardstick}")
        aim = subject.aim if subject and by == FAST else None
        if isinstance(runner, str):
            rows.append(Row(SECTION, name, by, None, "/s", to=to, aim=aim, note=runner))
            continue
        loop = runners.get((yardstick, "C"))
        ratio = runner.best / loop.best if to and isinstance(loop, Runner) and loop.best else None
        rows.append(Row(SECTION, name, by, runner.best or None, "/s", ratio, to, aim))
    return rows
