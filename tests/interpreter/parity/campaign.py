"""``python tests/interpreter/parity/campaign.py --minutes 10``: generated games on both engines, as long as one likes.

Prints every difference with the text that shows it, and at the end, or when it is interrupted, what was tried and how
much faster than the reference engine the fast one played, where it won least. Where it lost, the exit status is 1 too.
Every few hundred programs a line on standard error tells how far it got.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from generated import Maker
from pace import Pace, pace

import rulelang
from interpreter.errors import GameError
from tests.tools.parity import compare

GAMES = 2
DECISIONS = 60
SHOWN = 5
TOLD = 500


def tried(text: str, folder: Path, seed: int, *, timed: bool) -> tuple[str, str, Pace | None]:
    """What became of a text: refused, same, different; the difference; and, if asked, how fast it was played."""
    (folder / "tiny.rules").write_text(text, encoding="utf-8")
    try:
        program = rulelang.load(folder)
    except rulelang.RulesError:
        return "refused by the checks", "", None
    try:
        found = compare(program, GAMES, seed, limit=DECISIONS)
    except GameError as error:
        return "not lowered", str(error), None
    except Exception as error:
        return "crashed", repr(error), None
    if found is not None:
        return "different", found.text(), None
    return "same", "", pace(program, seed, DECISIONS) if timed else None


def slowest(paces: dict[int, Pace]) -> str:
    """The least that the fast engine won, in playouts and in steps, with the seeds of the programs."""
    lines = []
    for way in ("playouts", "steps"):
        ranked = sorted((getattr(pace, way), seed) for seed, pace in paces.items())
        middle = f"{ranked[len(ranked) // 2][0]:.1f} times as fast in the middle, at least " if ranked else "none"
        worst = ", ".join(f"{ratio:.2f} (seed {seed})" for ratio, seed in ranked[:SHOWN])
        lines.append(f"{way}: {middle}{worst}")
    return "\n".join(lines)


def counts(became: Counter[str]) -> str:
    return ", ".join(f"{number:,} {verdict}" for verdict, number in became.items())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most", type=int, default=5, help="differences after which to stop")
    parser.add_argument(
        "--time-every", type=int, default=1, help="time one program in so many (0: none); it takes longer than parity"
    )
    given = parser.parse_args()
    until = time.monotonic() + 60 * given.minutes
    became: Counter[str] = Counter()
    paces: dict[int, Pace] = {}
    seed = given.seed
    wrong = 0
    # A program leaves little garbage and much that lives until the next: looking for it less often saves a sixth.
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(KeyboardInterrupt):
        while time.monotonic() < until and wrong < given.most:
            text = Maker(random.Random(seed).randrange).game()
            timed = given.time_every > 0 and seed % given.time_every == 0
            verdict, detail, measured = tried(text, Path(folder), seed, timed=timed)
            became[verdict] += 1
            if measured is not None:
                paces[seed] = measured
            if detail:
                wrong += 1
                print(f"===== seed {seed}: {verdict}\n{text}\n{detail}\n", flush=True)
            seed += 1
            if not (seed - given.seed) % TOLD:
                print(f"up to seed {seed}: {counts(became)}", file=sys.stderr, flush=True)
    print(counts(became))
    print(f"played without a fault, and timed: {len(paces):,}\n{slowest(paces)}")
    lost = [seed for seed, pace in paces.items() if min(pace.playouts, pace.steps) < 1]
    if lost:
        print(f"slower on the fast engine: seeds {', '.join(map(str, lost))}")
    return 1 if wrong or lost else 0


if __name__ == "__main__":
    sys.exit(main())
