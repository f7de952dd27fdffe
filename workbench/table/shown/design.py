"""Changes that a designer may make at the table: numbers, variants, and who plays which seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.bots import BOTS
from rulelang import workspace
from rulelang.diagnostics import RulesError, UnusablePath

from .book import root

if TYPE_CHECKING:
    from rulelang.program import Program


def design(program: Program) -> dict[str, Any]:
    """``numbers``: the value of each; ``variants``: those in the game's folder that are not in force; ``bots``."""
    return {"numbers": dict(program.numbers), "variants": _variants(program), "bots": sorted(BOTS)}


def _variants(program: Program) -> list[str]:
    folder = root(program)
    if folder is None:
        return []
    try:
        files, _ = workspace.default().open(folder)
    except (OSError, RulesError, UnusablePath):
        return []
    return [name for name in files.variants if name not in program.variants]
