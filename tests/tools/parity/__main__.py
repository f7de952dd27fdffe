"""``python -m tests.tools.parity``: plays every game of a folder on both engines, side by side."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import attrs

import rulelang

from . import LIMIT
from .setups import Setup, SetupReport, Task, games_below, play, setups

CHUNK = 200
"""Games a process plays between reports."""


@attrs.define
class Total:
    """Sum of the reports about one setup."""

    games: int = 0
    seconds: float = 0.0
    found: str | None = None
    left_out: str | None = None

    @property
    def verdict(self) -> str:
        if self.left_out is not None:
            return f"left out: {self.left_out}"
        return "same" if self.found is None else "DIFFERENT"


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 0 when the engines agree, 1 when they do not, 2 when there is nothing to compare."""
    given = _parser().parse_args(arguments)
    try:
        every = [s for path in games_below(given.only) for s in setups(path, given.players, given.options)]
    except rulelang.UnusablePath as error:
        print(error, file=sys.stderr)
        return 2
    if given.no_variants:
        every = [setup for setup in every if not setup.variants]
    if not every:
        print(f"No game at or below {given.only} can be played by {given.players} players.", file=sys.stderr)
        return 2
    tasks = [
        Task(number, setup, given.seed, first, min(CHUNK, given.games - first), given.limit)
        for number, setup in enumerate(every)
        for first in range(0, given.games, CHUNK)
    ]
    totals = [Total() for _ in every]
    started = time.perf_counter()
    for done, report in enumerate(_reports(tasks, given.processes), 1):
        total = totals[report.task.number]
        total.seconds += report.seconds
        total.left_out = total.left_out or report.left_out
        total.games += 0 if report.left_out else report.task.games
        if report.found is not None and total.found is None:
            total.found = report.found
            print(f"\r{report.task.setup}\n{report.found}\n", file=sys.stderr)
        _progress(done, len(tasks), report)
    _table(every, totals, time.perf_counter() - started)
    return 1 if any(total.found for total in totals) else 0


def _reports(tasks: list[Task], processes: int) -> Iterator[SetupReport]:
    if processes == 1:
        yield from map(play, tasks)
        return
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        for future in as_completed([pool.submit(play, task) for task in tasks]):
            yield future.result()


def _progress(done: int, of: int, report: SetupReport) -> None:
    line = f"{done}/{of} {report.task.setup}"
    if sys.stderr.isatty():
        print(f"\r{line[:100]:<100}", end="" if done < of else "\n", file=sys.stderr, flush=True)
    else:
        print(line, file=sys.stderr, flush=True)


def _table(every: list[Setup], totals: list[Total], seconds: float) -> None:
    width = max(len(str(setup)) for setup in every)
    for setup, total in zip(every, totals, strict=True):
        print(f"{setup!s:<{width}}  {total.games:>7,} games  {total.seconds:>7.1f} s  {total.verdict}")
    different = sum(total.found is not None for total in totals)
    games = sum(total.games for total in totals)
    verdict = "the engines agree" if not different else f"{different} of {len(every)} setups differ"
    print(f"{games:,} games in {seconds:.0f} s: {verdict}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.parity",
        description="Plays random games on both engines and compares them decision by decision.",
        epilog="Example: python -m tests.tools.parity --only rules --players 3 --games 300",
    )
    parser.add_argument("--games", type=_positive, default=3, help="games of each setup (default 3)")
    parser.add_argument("--seed", type=int, default=0, help="the seed that all games depend on (default 0)")
    parser.add_argument(
        "--only", type=Path, default=Path("rules"), help="a game's folder, or one above it (default rules)"
    )
    parser.add_argument("--players", type=_positive, help="only this number of players")
    parser.add_argument(
        "--options",
        choices=("defaults", "all"),
        default="defaults",
        help="all: also every other value of each option and reading, one at a time",
    )
    parser.add_argument("--no-variants", action="store_true", help="only the games as they are")
    parser.add_argument("--limit", type=_positive, default=LIMIT, help=f"decisions of a game (default {LIMIT:,})")
    parser.add_argument(
        "--processes", type=_positive, default=min(2, os.cpu_count() or 1), help="at the same time (default 2)"
    )
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


if __name__ == "__main__":
    sys.exit(main())
