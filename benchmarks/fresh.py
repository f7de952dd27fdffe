"""Time and memory of a fresh process, from the text of the rules to the end of its first random game.

The child process is this module: ``python -m benchmarks.fresh SUBJECT ENGINE`` plays one game and prints JSON:
``first`` (seconds from the end of the imports to the end of the first playout) and ``mib`` (peak memory in MiB).
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import attrs

from benchmarks.rows import Row, progress
from benchmarks.subjects import (
    CACHED_PLAYOUT_AIM,
    ENGINES,
    FAST,
    FIRST_PLAYOUT_AIM,
    ROOT,
    SUBJECTS,
    Subject,
    missing_engine,
    player,
)

FIRST = "text to first playout: imports done to game over, nothing cached"
CACHED = "the same in a fresh process, from the cache"
WHOLE = "the whole process from the cache, including Python's own start"
MEMORY = "peak memory of that process"


@attrs.frozen
class Start:
    """One child process: ``whole`` is the seconds from its start to its end, the rest is what it printed."""

    whole: float
    first: float
    mib: float


def child(subject: Subject, engine: str, cache: Path) -> Start:
    """Runs a child with this cache folder. Raises ChildProcessError with the last line of its output if it fails."""
    command = [sys.executable, "-m", "benchmarks.fresh", subject.name, engine]
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # what is installed has its modules compiled
    started = time.perf_counter()
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    whole = time.perf_counter() - started
    if done.returncode:
        raise ChildProcessError((done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1])
    answer = json.loads(done.stdout)
    return Start(whole, answer["first"], answer["mib"])


def measure(subjects: Sequence[Subject], repetitions: int, rows: list[Row]) -> None:
    """Adds a row to ``rows`` for each game's folder, engine and question: the best of interleaved repetitions.

    The number of players hardly matters here, so each folder is measured once.
    """
    # The subject with a target represents its folder.
    folders = {s.folder: s for s in sorted(subjects, key=lambda s: s.aim is not None)}
    subjects = [s for s in subjects if s in folders.values()]
    engines = [engine for engine in ENGINES if missing_engine(engine) is None]
    pairs = [(s.name, engine) for s in subjects for engine in engines]
    known = {subject.name: subject for subject in subjects}
    cold: dict[tuple[str, str], list[Start]] = {pair: [] for pair in pairs}
    warm: dict[tuple[str, str], list[Start]] = {pair: [] for pair in pairs}
    failed: dict[tuple[str, str], str] = {}
    try:
        for name, engine in pairs[: len(engines)]:  # Python compiles the modules once and keeps them
            with tempfile.TemporaryDirectory() as cache, contextlib.suppress(ChildProcessError):
                child(known[name], engine, Path(cache))
        for repetition in range(repetitions):
            for name, engine in (pair for pair in pairs if pair not in failed):
                progress(f"starting {name}, {engine}, {repetition + 1} of {repetitions}")
                with tempfile.TemporaryDirectory() as cache:
                    try:
                        cold[name, engine].append(child(known[name], engine, Path(cache)))
                        warm[name, engine].append(child(known[name], engine, Path(cache)))
                    except ChildProcessError as error:
                        failed[name, engine] = str(error)
    finally:
        progress("")
        for pair in pairs:
            rows += _rows(pair, cold[pair], warm[pair], failed.get(pair, ""))


def _rows(pair: tuple[str, str], cold: list[Start], warm: list[Start], note: str) -> list[Row]:
    name, engine = pair

    def least(starts: list[Start], of: str, scale: float = 1000) -> float | None:
        return min((scale * getattr(start, of) for start in starts), default=None)

    def row(section: str, value: float | None, unit: str, aim: float | None = None) -> Row:
        aim = None if aim is None or engine != FAST else 1000 * aim
        return Row(section, name, engine, value, unit, aim=aim, at_most=True, note=note)

    return [
        row(FIRST, least(cold, "first"), "ms", FIRST_PLAYOUT_AIM),
        row(CACHED, least(warm, "first"), "ms", CACHED_PLAYOUT_AIM),
        row(WHOLE, least(warm, "whole"), "ms"),
        row(MEMORY, least(warm, "mib", 1), "MiB"),
    ]


def peak_mib() -> float:
    """Peak memory of this process, in MiB."""
    try:
        # The figure of getrusage starts at the memory of the process that started this one.
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 1024
    except (OSError, StopIteration):
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def main(name: str, engine: str) -> dict[str, float]:
    """Plays one game and returns what the child prints."""
    import interpreter  # noqa: F401
    import rulelang  # noqa: F401

    started = time.perf_counter()
    player(next(s for s in SUBJECTS if s.name == name).load(engine))(1)
    return {"first": time.perf_counter() - started, "mib": peak_mib()}


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
