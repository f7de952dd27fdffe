"""Units of exchange: what goes out to translators and what comes back."""

from __future__ import annotations

import unicodedata

import attrs

from ..corpus import State

NEW: State = "new"
TRANSLATED: State = "translated"


class ExchangeError(Exception):
    """A file that cannot be written or taken in. ``problems``: what is wrong with it, one line each, with the place."""

    def __init__(self, *problems: str) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


@attrs.frozen
class Note:
    """``category``: ``section``, ``chapter``, ``rule``, ``values``, ``sources``."""

    category: str
    text: str


@attrs.frozen
class Unit:
    """One sentence or heading. ``id``: of the statement, or ``heading:`` with the id of the section that follows."""

    id: str
    section: str
    source: str
    target: str | None
    state: State
    notes: tuple[Note, ...] = ()
    line: int = 0
    """The line of the source in its file."""


@attrs.frozen
class Job:
    """All texts of a game, or of one of its variants, in one language beside those in another.

    ``name``: what is translated, ``game`` or ``game/variant``; ``file``: the source text, relative to the game's
    folder; ``values``: placeholder (with braces) to what it prints as.
    """

    name: str
    source_language: str
    target_language: str
    file: str
    units: tuple[Unit, ...]
    values: dict[str, str]


@attrs.frozen
class Entry:
    """One unit of a delivery. ``finished``: False where the translator's tool marks it as a guess to be looked at."""

    id: str
    source: str | None
    target: str | None
    finished: bool = True


@attrs.frozen
class Delivery:
    """What a translator's file says. None: it does not say."""

    name: str | None
    source_language: str | None
    target_language: str | None
    entries: tuple[Entry, ...]


def unprintable(text: str) -> str | None:
    """The first character that no exchange file can carry and no text needs: controls, line ends; as ``U+000B``."""
    for char in text:
        if unicodedata.category(char) in ("Cc", "Zl", "Zp", "Cs") or char in "\ufffe\uffff":
            return f"U+{ord(char):04X}"
    return None
