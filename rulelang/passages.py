"""Where the source texts state what a rule does: ``seeds/<document>.toml``.

A seed file maps one source document: which lines (``passage``) state which statements of the rulebook. Statements are
numbered within the id of what runs them, so ``income.gold.2`` belongs to the rule ``income.gold``.
"""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path

from .program import Program


def of(program: Program, rule: str) -> dict[str, str]:
    """Language to lines ("163-165, 445-447") that state what ``rule`` does; empty where nothing is known.

    The maps are looked for in a folder ``seeds`` beside or above the game's folder.
    """
    declared = program.rules.get(rule)
    if declared is None or not declared.span.file:
        return {}
    folder = _seeds(Path(declared.span.file).resolve().parent)
    if folder is None:
        return {}
    found: dict[str, list[tuple[int, int]]] = {}
    for language, first, last, states in _passages(folder, program.name):
        if any(statement.rpartition(".")[0] == rule for statement in states):
            ranges = found.setdefault(language, [])
            if ranges and ranges[-1][1] + 1 == first:
                ranges[-1] = (ranges[-1][0], last)
            else:
                ranges.append((first, last))
    return {language: ", ".join(map(_lines, ranges)) for language, ranges in found.items()}


def _lines(ends: tuple[int, int]) -> str:
    first, last = ends
    return str(first) if first == last else f"{first}-{last}"


def _seeds(start: Path) -> Path | None:
    for folder in (start, *start.parents):
        if (folder / "seeds").is_dir():
            return folder / "seeds"
    return None


@functools.cache
def _passages(folder: Path, game: str) -> tuple[tuple[str, int, int, tuple[str, ...]], ...]:
    """(language, first line, last line, statements) of every passage about a game, in order."""
    found = []
    for path in sorted(folder.glob("*.toml")):
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        document = data.get("document", {})
        if document.get("game") != game:
            continue
        for passage in data.get("passage", ()):
            states = tuple(map(str, passage.get("states", ())))
            first, _, last = str(passage.get("lines", "")).partition("-")
            if states and first.isdecimal() and (last or first).isdecimal():
                found.append((str(document.get("language", "")), int(first), int(last or first), states))
    return tuple(found)
