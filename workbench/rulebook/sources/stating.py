"""Lines of the source documents that state what a rule does.

Statements are numbered within the id of what runs them, so ``income.gold.2`` belongs to the rule ``income.gold``.
"""

from __future__ import annotations

import functools
from pathlib import Path

from rulelang.diagnostics import Sink
from rulelang.program import Program

from .maps import read_documents, seeds_folder
from .model import Document


def lines_stating(program: Program, rule: str) -> dict[str, str]:
    """Language to lines ("163-165, 445-447") that state what ``rule`` does; empty where nothing is known.

    The maps of the documents are looked for in a folder ``seeds`` in or above the game's folder.
    """
    declared = program.rules.get(rule)
    if declared is None or not declared.span.file:
        return {}
    folder = seeds_folder(Path(declared.span.file).parent)
    if folder is None:
        return {}
    return dict(_by_rule(folder, program.name).get(rule, {}))


@functools.cache
def _by_rule(folder: Path, game: str) -> dict[str, dict[str, str]]:
    """For each rule of a game, language to lines."""
    found: dict[str, dict[str, list[tuple[int, int]]]] = {}
    for document in _documents(folder):
        if document.game != game:
            continue
        for passage in document.passages:
            for rule in dict.fromkeys(statement.rpartition(".")[0] for statement in passage.states):
                ranges = found.setdefault(rule, {}).setdefault(document.language, [])
                if ranges and ranges[-1][1] + 1 == passage.first:
                    ranges[-1] = (ranges[-1][0], passage.last)
                else:
                    ranges.append((passage.first, passage.last))
    return {
        rule: {language: ", ".join(map(_lines, ranges)) for language, ranges in languages.items()}
        for rule, languages in found.items()
    }


def _lines(ends: tuple[int, int]) -> str:
    first, last = ends
    return str(first) if first == last else f"{first}-{last}"


@functools.cache
def _documents(folder: Path) -> tuple[Document, ...]:
    """``rulelang sources check`` reports the mistakes in maps; whatever can be read is used here."""
    return tuple(read_documents(folder, Sink()))
