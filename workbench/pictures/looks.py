"""The look of a game: found beside its rules, in the language asked for."""

from __future__ import annotations

from rulelang.program import Program

from .scene.look import Look


def look_for(program: Program, lang: str | None = None) -> Look:
    """The look of a Program."""
    return Look(lang=lang)
