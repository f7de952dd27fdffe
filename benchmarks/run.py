"""Measure the tools: start-up, check, examples, random games, memory. Run it on a quiet machine.

    python benchmarks/run.py [--games N] [--game rules/meduris]

Each figure is the best of several runs. Ratios are taken within one run, so that they can be compared across machines;
the yardstick, printed first, is a plain Python loop that adds up numbers.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs


@attrs.frozen
class Figure:
    """One measurement. ``ratio``: its time in yardsticks, or the games played in the time of one yardstick."""

    name: str
    value: float
    unit: str
    ratio: float | None

    @property
    def beside(self) -> str:
        return "" if self.ratio is None else f"  {self.ratio:8.2f} x yardstick"


def best(run: Callable[[], Any], times: int = 5) -> float:
    """The time of the fastest of several runs, in seconds."""
    found = []
    for _ in range(times):
        started = time.perf_counter()
        run()
        found.append(time.perf_counter() - started)
    return min(found)


def yardstick() -> int:
    """A million additions: the speed of this machine's Python in a bare loop."""
    total = 0
    for number in range(1_000_000):
        total += number & 7
    return total


def process(code: str, environment: dict[str, str] | None = None) -> float:
    """Seconds that a fresh Python takes for ``code``, including its own start."""
    return best(
        lambda: subprocess.run([sys.executable, "-c", code], check=True, env=environment, capture_output=True), 3
    )


def tools(game: str) -> list[Figure]:
    """Times that people wait for: start-up, check, load, examples. The yardstick comes first; ratios are to it."""
    import rulelang
    from interpreter.examples import run_examples
    from rulelang.workspace import Workspace

    unit = best(yardstick)
    figures = [Figure("yardstick: a million additions", 1000 * unit, "ms", 1.0)]

    def add(name: str, seconds: float) -> None:
        figures.append(Figure(name, 1000 * seconds, "ms", seconds / unit))

    bare = process("pass")
    add("start-up: import rulelang and interpreter", process("import rulelang, interpreter") - bare)
    add("start-up: rulelang --help", process("from workbench.cli import run; run(['--help'])") - bare)
    first, again = check_seconds(game)
    add("check, nothing cached", first)
    add("check, unchanged files cached", again)
    for what, seconds in edit_seconds(game).items():
        add(f"check after an edit of {what}", seconds)
    add("load for 3 players", best(lambda: Workspace().load(game, players=3)))
    add("load for 3 players once more", best(lambda: rulelang.load(game, players=3)))
    add("run all examples", best(lambda: run_examples(game), 2))
    return figures


def check_seconds(game: str) -> tuple[float, float]:
    """Seconds of a check in a fresh process: with nothing cached, and with unchanged files cached."""
    code = f"""
import time
import workbench.checking
started = time.perf_counter()
workbench.checking.check_game({game!r})
print(time.perf_counter() - started)
"""
    with tempfile.TemporaryDirectory() as empty:
        environment = {**os.environ, "XDG_CACHE_HOME": empty}

        def seconds() -> float:
            done = subprocess.run(
                [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
            )
            return float(done.stdout)

        return seconds(), min(seconds() for _ in range(3))


def edit_seconds(game: str) -> dict[str, float]:
    """Seconds of a check, texts and all, after an edit of one item in an editor: the median over several edits.

    A number is changed, a line is added to a rule, the name of an example is.
    """
    from rulelang.workspace import Workspace
    from workbench.checking import check_game

    games = Workspace(edits=True)
    check_game(game, games=games)
    items = {
        "a number": (r"^(number \w+ = [0-9]+)", r"\g<1>{}"),
        "a rule": (r"^(rule .*\n(?:  .*\n)+)", r"\g<1>  repeat at most {}\n    do nothing\n"),
        "an example": (r"^(example \S+)", r"\g<1>{}"),
    }
    found = {}
    for what, (old, new) in items.items():
        texts = ((path, path.read_text(encoding="utf-8")) for path in sorted(Path(game).rglob("*.rules")))
        path, text = next((path, text) for path, text in texts if re.search(old, text, re.MULTILINE))
        seconds = []
        for version in range(2, 9):
            games.set_text(path, re.sub(old, new.format(version), text, count=1, flags=re.MULTILINE))
            started = time.perf_counter()
            check_game(game, games=games)
            seconds.append(time.perf_counter() - started)
        games.forget(path)
        found[what] = statistics.median(seconds)
    return found


def lines_of_rules(game: str) -> int:
    """Lines of a game's rules without examples, comments and blank lines."""
    return sum(
        bool(line.strip()) and not line.lstrip().startswith("#")
        for path in Path(game).glob("*.rules")
        for line in path.read_text(encoding="utf-8").splitlines()
    )


def random_games(game: str, games: int, unit: float) -> list[Figure]:
    """Random games per second and copies of a state for each number of players, on the reference engine."""
    import interpreter
    from interpreter.simulate.games import play_many

    program = interpreter.load(game).program
    figures = []
    for players in range(program.min_players, program.max_players + 1):
        ready = interpreter.load(game, players=players)
        started = time.process_time()
        results = list(play_many(ready, 1, games))
        rate = games / (time.process_time() - started)
        decisions = statistics.fmean(r.decisions for r in results)
        name = f"random games, {players} players, {decisions:.0f} decisions each"
        figures.append(Figure(name, rate, "per second", unit * rate))
        state = ready.start(1)
        copies = best(lambda state=state: [state.copy() for _ in range(1000)], 3)  # type: ignore[misc]
        figures.append(Figure(f"copy of a state, {players} players", 1000 * copies, "us", None))
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--game", default="rules/meduris")
    parser.add_argument("--games", type=int, default=20)
    arguments = parser.parse_args()
    lines = lines_of_rules(arguments.game)
    print(f"{arguments.game}: {lines} lines of rules without examples, comments and blank lines")
    figures = tools(arguments.game)
    figures += random_games(arguments.game, arguments.games, figures[0].value / 1000)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures.append(Figure("memory: peak of this process", memory, "MiB", None))
    width = max(len(figure.name) for figure in figures)
    for figure in figures:
        value = f"{figure.value:.1f} {figure.unit}" if figure.value < 100 else f"{figure.value:.0f} {figure.unit}"
        print(f"{figure.name:<{width}}  {value:>16}" + figure.beside)


if __name__ == "__main__":
    main()
