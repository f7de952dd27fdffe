"""How small the cases are that show what other rules do, and how long it takes to find them.

``python -m benchmarks.difference`` compares each game in ``rules`` with its variants, with each value of its readings
that was not chosen, and with some of the changes that ``rulelang test --strength`` makes. ``python -m
benchmarks.difference PATH ...`` does it for the games at these paths, ``GAME+VARIANT`` looks at one variant, by name
or file, and ``OLD:NEW`` at two folders. ``--mutants 20`` sets how many changes of each game are tried, ``--seconds
5`` how long a search may take. The printed examples are run once more under both rule sets: a claim is false when its
example does not pass under the one and fail under the other.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import attrs

from rulelang import workspace
from rulelang.diagnostics import RulesError, Sink
from workbench.bench.diff import folder_side, variant_side
from workbench.bench.diff.author_questions import readings
from workbench.bench.diff.smallest_case import RulesSide, find, tells_apart
from workbench.bench.diff.strength import mutants

GAMES = 64


@attrs.frozen
class Comparison:
    """Two rule sets. ``kind``: ``variant``, ``reading``, ``mutant`` or ``folders``."""

    kind: str
    name: str
    before: RulesSide
    after: RulesSide


@attrs.frozen
class Measured:
    """``cells`` and ``choices``: of the smallest case, None where nothing was found; ``alone``: whether a rule runs by
    itself in it; ``example``: whether it is one; ``false``: how many of all examples do not hold."""

    kind: str
    seconds: float
    cells: int | None
    choices: int
    alone: bool
    example: bool
    false: int


def comparisons(words: list[str], number: int, room: Path) -> Iterator[Comparison]:
    """What is compared with what. ``number``: how many mutants of a game; ``room``: where they are written."""
    for word in words:
        old, _, new = word.partition(":")
        path, _, variant = old.partition("+")
        before = RulesSide(folder_side(path), Path(path))
        if new:
            yield Comparison("folders", word, before, RulesSide(folder_side(new), Path(new)))
        elif variant:
            yield _variant(before, variant)
        else:
            yield from _of_game(before, number, room)


def _variant(before: RulesSide, variant: str) -> Comparison:
    after = RulesSide(variant_side(before.path, (variant,)), before.path, (variant,))
    return Comparison("variant", f"{before.path}+{Path(variant).stem}", before, after)


def _of_game(before: RulesSide, number: int, room: Path) -> Iterator[Comparison]:
    path = before.path
    for file in sorted(path.glob("variants/*.rules")):
        try:
            yield _variant(before, file.stem)
        except RulesError:  # one that needs another beside it
            print(f"{path}+{file.stem}: not compared, since it has mistakes when it is chosen alone")
    for name, value in readings(before.rules):
        side = variant_side(path, (), {name: value})
        yield Comparison("reading", f"{path} {name}={value}", before, RulesSide(side, path, (), {name: value}))
    files, _ = workspace.default().open(path, (), Sink(), notes=False)
    every = mutants(files)
    for mutant in every[:: max(1, len(every) // number)][:number] if number else ():
        place = room / f"{path.name}_{mutant.key[:12]}"
        shutil.copytree(path, place)
        file = files.paths[mutant.span.file].resolve().relative_to(path.resolve())
        (place / file).write_text(mutant.text, encoding="utf-8")
        try:
            after = RulesSide(folder_side(place), place)
        except RulesError:  # `check` notices it
            continue
        yield Comparison("mutant", f"{mutant.place} {mutant.operator} {mutant.old} > {mutant.new}", before, after)


def measured(one: Comparison, seconds: float) -> Measured:
    begun = time.monotonic()
    found = find(one.before, one.after, GAMES, seconds)
    took = time.monotonic() - begun
    before, after = attrs.evolve(one.before), attrs.evolve(one.after)  # which remember nothing
    false = sum(not tells_apart(case.example, before, after) for case in found.cases if case.example is not None)
    if not found.cases:
        return Measured(one.kind, took, None, 0, alone=False, example=False, false=false)
    case = found.cases[0]
    situation = case.parted.situation
    alone, example = situation.run is not None, case.example is not None
    return Measured(one.kind, took, len(situation.given), len(situation.choices), alone, example, false)


def line(name: str, one: Measured) -> str:
    if one.cells is None:
        return f"{name:60} none found {one.seconds:30.1f} s"
    whole = "" if one.alone else ", a whole game"
    example = "with an example" if one.example else "without one"
    false = f"  {one.false} FALSE" if one.false else ""
    return f"{name:60} {one.cells:2} cells {one.choices:3} choices{whole}  {example}  {one.seconds:5.1f} s{false}"


def summary(kind: str, ones: list[Measured]) -> str:
    parted = [one for one in ones if one.cells is not None]
    said = f"{kind}: {len(parted)} of {len(ones)} part"
    if parted:
        cells = statistics.median(one.cells or 0 for one in parted)
        choices = statistics.median(one.choices for one in parted)
        said += f", {sum(one.example for one in parted)} with an example; median {cells:g} cells, {choices:g} choices"
    took = statistics.median(one.seconds for one in ones)
    return f"{said}, {took:.1f} s; {sum(one.false for one in ones)} false"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", metavar="GAME | GAME+VARIANT | OLD:NEW")
    parser.add_argument("--mutants", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=20.0)
    chosen = parser.parse_args()
    games = {file.parent for file in Path("rules").rglob("*.rules") if file.read_text("utf-8").startswith("game ")}
    words = chosen.words or [str(folder) for folder in sorted(games)]
    kinds: dict[str, list[Measured]] = {}
    with tempfile.TemporaryDirectory() as room:
        try:
            for one in comparisons(words, chosen.mutants, Path(room)):
                found = measured(one, chosen.seconds)
                kinds.setdefault(one.kind, []).append(found)
                print(line(one.name, found), flush=True)
        except KeyboardInterrupt:
            print("stopped")
    for kind, ones in kinds.items():
        print(summary(kind, ones))


if __name__ == "__main__":
    main()
