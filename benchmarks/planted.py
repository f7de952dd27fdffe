"""Which faults of the engines' kind their comparison finds: each is planted in a copy of the packages, one at a time.

``python -m benchmarks.planted`` plants those of ``planted.csv`` and plays some games on both engines side by
side; ``python -m benchmarks.planted 3 7`` only those of these numbers. What is not found shows what is lacking.
"""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

HERE = Path(__file__).parent.parent
GAMES = ("kalah", "dyers_row", "golf_patience", "whist", "classics/reversi", "hex", "meduris", "babel", "skye", "chess")
SECONDS = 300


def faults() -> list[dict[str, str]]:
    with (HERE / "benchmarks" / "planted.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def planted(fault: dict[str, str], folder: Path) -> bool:
    """A copy of the packages with the fault, if what is written there is still there, once."""
    for name in ("rulelang", "interpreter", "workbench", "tests", "rules"):
        if name in ("rules", "workbench"):
            (folder / name).symlink_to(HERE / name)
        else:
            shutil.copytree(HERE / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    file = folder / "interpreter" / fault["module"]
    text = file.read_text(encoding="utf-8")
    if text.count(fault["written"]) != 1:
        return False
    file.write_text(text.replace(fault["written"], fault["planted"]), encoding="utf-8")
    return True


def compared(folder: Path) -> Iterator[tuple[str, str]]:
    """Each game with what came of it: ``same``, else how the fault shows."""
    with tempfile.TemporaryDirectory() as cache:
        surroundings = {**os.environ, "PYTHONPATH": str(folder), "XDG_CACHE_HOME": cache}
        for game in GAMES:
            words = [
                "tests.tools.parity",
                "--only",
                f"rules/{game}",
                "--games",
                "2",
                "--no-variants",
                "--processes",
                "1",
            ]
            said = _run(words, folder, surroundings)
            yield game, "differs" if said == "fails" else said


def _run(words: Sequence[str], folder: Path, surroundings: Mapping[str, str]) -> str:
    command = [sys.executable, "-m", *words]
    try:
        ran = subprocess.run(command, cwd=folder, env=surroundings, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return "does not end"
    return "same" if ran.returncode == 0 else "fails"


def main(numbers: list[str]) -> None:
    every = list(enumerate(faults(), 1))
    chosen = [each for each in every if not numbers or str(each[0]) in numbers]
    found = 0
    for number, fault in chosen:
        with tempfile.TemporaryDirectory() as place:
            if not planted(fault, Path(place)):
                said = "what was written there has changed"
            else:
                by = next(((game, how) for game, how in compared(Path(place)) if how != "same"), None)
                found += by is not None
                said = "NOT FOUND" if by is None else f"{by[1]} in {by[0]}"
        print(f"{number:3}  {fault['module']:28} {fault['sort']:34} {said}", flush=True)
    print(f"{found} of {len(chosen)} found")


if __name__ == "__main__":
    main(sys.argv[1:])
