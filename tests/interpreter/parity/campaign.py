"""``python tests/interpreter/parity/campaign.py --minutes 10``: generated games on both engines, as long as one likes.

Prints every difference with the text that shows it, and at the end, or when it is interrupted, what was tried.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from generated import Maker

import rulelang
from interpreter.errors import GameError
from interpreter.parity import compare

GAMES = 2
DECISIONS = 60


def tried(text: str, folder: Path, seed: int) -> tuple[str, str]:
    """What became of a text: refused, same, different; and the difference."""
    (folder / "tiny.rules").write_text(text, encoding="utf-8")
    try:
        program = rulelang.load(folder)
    except rulelang.RulesError:
        return "refused by the checks", ""
    try:
        found = compare(program, GAMES, seed, limit=DECISIONS)
    except GameError as error:
        return "not lowered", str(error)
    except Exception as error:
        return "crashed", repr(error)
    return ("same", "") if found is None else ("different", found.text())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most", type=int, default=5, help="differences after which to stop")
    given = parser.parse_args()
    until = time.monotonic() + 60 * given.minutes
    became: Counter[str] = Counter()
    seed = given.seed
    wrong = 0
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(KeyboardInterrupt):
        while time.monotonic() < until and wrong < given.most:
            text = Maker(random.Random(seed).randrange).game()
            verdict, detail = tried(text, Path(folder), seed)
            became[verdict] += 1
            if detail:
                wrong += 1
                print(f"===== seed {seed}: {verdict}\n{text}\n{detail}\n", flush=True)
            seed += 1
    print(", ".join(f"{number:,} {verdict}" for verdict, number in became.items()))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
