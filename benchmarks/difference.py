"""How small the cases are that show what other rules do, and how long it takes to find them.

``python -m benchmarks.difference`` looks at every variant of the games in ``rules``; ``python -m benchmarks.difference
GAME GAME+VARIANT OLD:NEW ...`` at one variant each, or at two folders.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

from workbench.bench.diff import folder_side, variant_side
from workbench.bench.diff.smallest_case import RulesSide, SmallestCases, find

GAMES, SECONDS = 64, 20.0


def pairs(words: list[str]) -> list[tuple[str, RulesSide, RulesSide]]:
    """What is compared with what."""
    if not words:
        every = sorted(Path("rules").glob("*/variants/*.rules"))
        words = [f"{file.parent.parent}+{file.stem}" for file in every if "eight" not in file.stem]
    found = []
    for word in words:
        old, _, new = word.partition(":")
        path, _, variant = old.partition("+")
        before = RulesSide(folder_side(path), Path(path))
        if new:
            after = RulesSide(folder_side(new), Path(new))
        else:
            after = RulesSide(variant_side(path, (variant,)), Path(path), (variant,))
        found.append((word, before, after))
    return found


def line(word: str, found: SmallestCases, seconds: float) -> str:
    if not found.cases:
        return f"{word:40}  none found                            {seconds:5.1f} s"
    case = found.cases[0]
    situation = case.parted.situation
    alone = "" if situation.run is not None else ", a whole game"
    example = "with an example" if case.example is not None else "without one"
    size = f"{len(situation.given):2} cells {len(situation.choices):3} choices{alone}"
    return f"{word:40}  {size}  {example}  {seconds:5.1f} s"


def main(words: list[str]) -> None:
    cells, choices, times = [], [], []
    for word, before, after in pairs(words):
        begun = time.monotonic()
        found = find(before, after, GAMES, SECONDS)
        times.append(time.monotonic() - begun)
        print(line(word, found, times[-1]), flush=True)
        if found.cases and found.cases[0].parted.situation.run is not None:
            cells.append(len(found.cases[0].parted.situation.given))
            choices.append(len(found.cases[0].parted.situation.choices))
    if cells:
        print(
            f"{len(cells)} of {len(times)} by a rule alone: median {statistics.median(cells):g} cells and "
            f"{statistics.median(choices):g} choices; {statistics.median(times):.1f} s each"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
