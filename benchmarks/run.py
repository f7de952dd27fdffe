"""Measures the project: start-up, check, examples, random games, memory. Run it by itself on a quiet machine.

    python benchmarks/run.py [--games N] [--game rules/meduris]

Each figure is the best of several runs. Ratios are taken within the run, so that they mean something elsewhere;
the yardstick is a plain Python loop that adds up numbers, printed first.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def best(run: Callable[[], Any], times: int = 5) -> float:
    """Seconds of the fastest of several runs."""
    found = []
    for _ in range(times):
        started = time.perf_counter()
        run()
        found.append(time.perf_counter() - started)
    return min(found)


def yardstick() -> int:
    """A million additions: what this machine's Python does in a bare loop."""
    total = 0
    for number in range(1_000_000):
        total += number & 7
    return total


def process(code: str, environment: dict[str, str] | None = None) -> float:
    """Seconds that a fresh Python takes for some code, its own start included."""
    return best(
        lambda: subprocess.run([sys.executable, "-c", code], check=True, env=environment, capture_output=True), 3
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--game", default="rules/meduris")
    parser.add_argument("--games", type=int, default=20)
    arguments = parser.parse_args()
    unit = best(yardstick)
    rows: list[tuple[str, str, float | None]] = [("yardstick: a million additions", f"{1000 * unit:.0f} ms", 1.0)]

    def seconds(name: str, value: float) -> None:
        rows.append((name, f"{1000 * value:.0f} ms", value / unit))

    bare = process("pass")
    seconds("start-up: import rulelang and interpreter", process("import rulelang, interpreter") - bare)
    seconds("start-up: rulelang --help", process("from workbench.cli import run; run(['--help'])") - bare)
    _check(arguments.game, seconds)
    _games(arguments.game, arguments.games, unit, rows)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    rows.append(("memory: most used by this process", f"{memory:.0f} MiB", None))
    width = max(len(name) for name, _, _ in rows)
    for name, value, ratio in rows:
        print(f"{name:<{width}}  {value:>16}" + ("" if ratio is None else f"  {ratio:8.2f} x yardstick"))


def _check(game: str, seconds: Callable[[str, float], None]) -> None:
    import os

    import rulelang
    import rulelang.api
    from interpreter.examples import run_examples

    with tempfile.TemporaryDirectory() as empty:
        code = f"""
import sys, time
import rulelang.api, rulelang.parse
rulelang.parse._lark()
started = time.perf_counter()
rulelang.api.check_path({game!r})
print(time.perf_counter() - started)
"""
        environment = {**os.environ, "XDG_CACHE_HOME": empty}
        first = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
        )
        again = [
            float(
                subprocess.run(
                    [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
                ).stdout
            )
            for _ in range(3)
        ]
    seconds("check, nothing remembered", float(first.stdout))
    seconds("check, unchanged files remembered", min(again))
    seconds("load for 3 players", best(lambda: rulelang.load(game, players=3)))
    seconds("run all examples", best(lambda: run_examples(game), 2))
    lines = sum(
        bool(line.strip()) and not line.lstrip().startswith("#")
        for path in Path(game).glob("*.rules")
        for line in path.read_text(encoding="utf-8").splitlines()
    )
    print(f"{game}: {lines} lines of rules without examples, comments and blank lines")


def _games(game: str, games: int, unit: float, rows: list[tuple[str, str, float | None]]) -> None:
    import interpreter
    from interpreter.simulate import play_many

    low, high = interpreter.load(game).program.min_players, interpreter.load(game).program.max_players
    for players in range(low, high + 1):
        ready = interpreter.load(game, players=players)
        started = time.process_time()
        results = list(play_many(ready, 1, games))
        spent = time.process_time() - started
        decisions = statistics.fmean(r.decisions for r in results)
        rate = games / spent
        rows.append(
            (f"random games, {players} players, {decisions:.0f} decisions each", f"{rate:.1f} a second", unit * rate)
        )
        state = ready.start(1)
        copies = best(lambda state=state: [state.copy() for _ in range(1000)], 3)  # type: ignore[misc]
        rows.append((f"copy of a state, {players} players", f"{1000 * copies:.1f} us", None))


if __name__ == "__main__":
    main()
