"""``python tests/interpreter/secrecy/campaign.py --minutes 10``: generated games full of secrets, as long as one likes.

Prints whatever told a seat something that it may not see, with the text that shows it, and at the end what was tried.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

from pairs import Secrecy, Tried  # noqa: E402
from secret_games import Maker  # noqa: E402
from traced import watch  # noqa: E402

import rulelang  # noqa: E402

DECISIONS = 60


def tried(text: str, folder: Path, seed: int, tally: Tried) -> tuple[str, str]:
    """What became of a text: refused, kept, told; and what was told."""
    (folder / "tiny.rules").write_text(text, encoding="utf-8")
    try:
        program = rulelang.load(folder)
    except rulelang.RulesError:
        return "refused by the checks", ""
    secrecy = Secrecy(program, fast=seed % 4 == 0, tried=tally)
    for seat in range(program.players):
        difference = secrecy.watch(seat, seed, DECISIONS)
        if difference is not None:
            return "gave something away", str(difference)
    return "kept its secrets", ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most", type=int, default=5, help="leaks after which to stop")
    parser.add_argument("--bold", action="store_true", help="leave out `openly` here and there")
    given = parser.parse_args()
    until = time.monotonic() + 60 * given.minutes
    became: Counter[str] = Counter()
    tally = Tried()
    seed = given.seed
    wrong = 0
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        watch(patch)
        while time.monotonic() < until and wrong < given.most:
            text = Maker(random.Random(seed).randrange, bold=given.bold).game()
            verdict, detail = tried(text, Path(folder), seed, tally)
            became[verdict] += 1
            if detail:
                wrong += 1
                print(f"===== seed {seed}: {verdict}\n{text}\n{detail}\n", flush=True)
            seed += 1
    print(", ".join(f"{number:,} {verdict}" for verdict, number in became.items()))
    print(f"{tally.steps:,} steps of {tally.pairs:,} pairs of worlds; they ended with {tally.ended}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
