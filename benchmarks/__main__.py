"""``python -m benchmarks``: one table of figures beside yardsticks measured in the same run."""

from __future__ import annotations

import argparse
import json
import platform
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks import drawing, editing, fresh, peers, rates, run, searching, steps
from benchmarks.rows import Row, progress, table
from benchmarks.subjects import ROOT, SUBJECTS, Subject, chosen

DESCRIPTION = """\
Measures random games, searches, start-up, memory and single steps beside yardsticks, all in one run, and prints a
table.

Rates are the best of several interleaved repetitions in CPU time. The column "beside" is the ratio to the C loop of
the same game, or else to that of Connect Four. Run it on a quiet machine, from anywhere in the project. It takes less
than six minutes, or about one and a half with --quick, which also leaves out the tools.
"""
EPILOG = f"games for --only: {', '.join(subject.name for subject in SUBJECTS)}; meduris stands for meduris-2, -3 and -4"


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns 0, 2 for unusable arguments, or 130 when interrupted, whether or not targets are met."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--quick", action="store_true", help="shorter runs, fewer repetitions")
    parser.add_argument(
        "--only", metavar="GAME,...", help="only these games; meduris stands for all its numbers of players"
    )
    parser.add_argument("--search", action="store_true", help="only how fast bots search, in every game")
    parser.add_argument("--pictures", action="store_true", help="only time and size of pictures, of every game")
    parser.add_argument("--editing", action="store_true", help="only the language server, while somebody types")
    parser.add_argument("--json", metavar="FILE", help="write the figures to FILE as well (- for standard output)")
    given = parser.parse_args(arguments)
    try:
        subjects = chosen(given.only)
    except ValueError as error:
        parser.error(str(error))
    if given.json not in (None, "-"):
        try:
            open(given.json, "a").close()  # better to fail now than after minutes of measuring
        except OSError as error:
            parser.error(f"--json: {given.json} cannot be written: {error.strerror}")
    rows: list[Row] = []
    status = 0
    try:
        if given.pictures:
            drawing.measure(*((1, 20) if given.quick else (3, 100)), rows)
        elif given.editing:
            editing.measure(20 if given.quick else 60, rows)
        elif not given.search:
            _measure(subjects, given.quick, given.only is None and not given.quick, rows)
        if given.only is None and not given.pictures and not given.editing:
            searching.measure(*((0.1, 2) if given.quick else (0.4, 3)), rows)
    except KeyboardInterrupt:
        progress("")
        print("stopped; these figures were ready:", file=sys.stderr)
        status = 130
    if given.json != "-":
        print(table(rows))
    if given.json is not None:
        _write(given.json, rows, subjects, given.quick)
    return status


def _measure(subjects: Sequence[Subject], quick: bool, tools: bool, rows: list[Row]) -> None:
    seconds, repetitions, starts = (0.1, 2, 1) if quick else (0.3, 5, 2)
    with tempfile.TemporaryDirectory() as folder:
        rates.measure(subjects, seconds, repetitions, Path(folder), rows)
    peers.measure(subjects, rows)
    fresh.measure(subjects, starts, rows)
    steps.measure(subjects, starts, rows)
    if tools:
        progress("starting, checking, testing")
        rows += [
            Row("tools", figure.name, "", figure.value, figure.unit, figure.ratio, "yardstick")
            for figure in run.tools(str(ROOT / "rules/meduris"))
        ]
        progress("")


def _write(name: str, rows: Sequence[Row], subjects: Sequence[Subject], quick: bool) -> None:
    machine = {"python": platform.python_version(), "system": platform.platform(), "processor": _processor()}
    data = {
        "quick": quick,
        "machine": machine,
        "games": [subject.name for subject in subjects],
        "rows": [row.as_json() for row in rows],
    }
    text = json.dumps(data, indent=1)
    if name == "-":
        print(text)
    else:
        Path(name).write_text(text + "\n", encoding="utf-8")


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


if __name__ == "__main__":
    sys.exit(main())
