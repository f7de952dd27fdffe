"""Ablation of the fast engine: how much slower random games get without each of its passes.

    python -m benchmarks.ablation [--only GAME,...] [--corpus FOLDER] [--passes NAME,...] [--seconds S]

Prints a row for each game and a column for each pass: the time of a game without the pass, in times of a game with all
of them. A dash: the code is the same without it. The rates of a game are taken in turn, and the best of each counts.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import geometric_mean

from benchmarks.rates import Runner
from benchmarks.rows import progress
from benchmarks.subjects import FAST, ROOT, Subject, chosen, player

WORTH = 1.05
"""A pass pays in a game that takes this much longer without it."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures and prints."""
    from interpreter.passes import PASSES

    parser = argparse.ArgumentParser(
        "python -m benchmarks.ablation", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", metavar="GAME,...", help="only these games of the benchmarks; - for none")
    parser.add_argument("--corpus", metavar="FOLDER", type=Path, help="also the games in the folders of this one")
    parser.add_argument("--passes", metavar="NAME,...", default=",".join(PASSES), help="only these passes")
    parser.add_argument("--seconds", type=float, default=0.2, help="processor time of each run")
    given = parser.parse_args(arguments)
    passes = given.passes.split(",")
    found: dict[str, list[float]] = {name: [] for name in passes}
    print("game            " + "".join(f"{name:>9}" for name in passes))
    idioms = _others(ROOT / "benchmarks/idioms") if given.only is None else ()
    for subject in [*(() if given.only == "-" else chosen(given.only)), *idioms, *_others(given.corpus)]:
        ratios = _ratios(subject, passes, given.seconds)
        for name, ratio in ratios.items():
            found[name].append(ratio)
        print(
            f"{subject.name:16}" + "".join(f"{ratios[n]:9.2f}" if n in ratios else f"{'-':>9}" for n in passes),
            flush=True,
        )
    print(f"{'geometric mean':16}" + "".join(f"{geometric_mean(found[n] or [1]):9.2f}" for n in passes))
    print(f"{'pays in':16}" + "".join(f"{sum(ratio >= WORTH for ratio in found[n]):9}" for n in passes))


def _others(folder: Path | None) -> Iterator[Subject]:
    """The games in the folders of a folder, each with the fewest players."""
    for game in sorted(folder.iterdir()) if folder else ():
        texts = "\n".join(path.read_text(encoding="utf-8") for path in game.glob("*.rules"))
        players = re.search(r"(?m)^ +players (\d+)", texts)
        yield Subject(game.name, str(game), int(players[1]) if players else 2, "connect_four")


def _ratios(subject: Subject, passes: Sequence[str], seconds: float, repetitions: int = 4) -> dict[str, float]:
    """By pass, the time of a game without it in times of one with all; only where the code differs."""
    from interpreter.loading import game_of
    from interpreter.position.blueprint import Blueprint
    from interpreter.wasm.write.module import Module

    program = subject.load("reference").program
    texts: dict[str, str] = {}
    runners: dict[str, Runner] = {}
    try:
        for name in ("", *passes):
            progress(f"compiling {subject.name} without {name}")
            os.environ["RULELANG_WITHOUT"] = name
            texts[name] = Module(Blueprint(program), steps=False).text()
            if not name or texts[name] != texts[""]:
                runners[name] = Runner(subject.name, name, player(game_of(program, engine=FAST)))
                runners[name].seconds(1)
    finally:
        del os.environ["RULELANG_WITHOUT"]
    runners[""].size(seconds)
    for repetition in range(repetitions):
        for name, runner in runners.items():
            progress(f"playing {subject.name} without {name}, {repetition + 1} of {repetitions}")
            runner.count = runners[""].count
            runner.measure()
    progress("")
    return {name: runners[""].best / runner.best for name, runner in runners.items() if name}


if __name__ == "__main__":
    main()
