"""Units of exchange: what goes out to translators and what comes back."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

import attrs

from ..corpus import State
from ..corpus.journals import Comment

NEW: State = "new"
TRANSLATED: State = "translated"
REVIEWED: State = "reviewed"
STALE: State = "stale"


class ExchangeError(Exception):
    """A file that cannot be written or taken in. ``problems``: what is wrong with it, one line each, with the place."""

    def __init__(self, *problems: str) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


@attrs.frozen
class Note:
    """``category``: ``form``, ``section``, ``chapter``, ``rule``, ``values``, ``sources``, ``review``, ``basis``."""

    category: str
    text: str


@attrs.frozen
class Term:
    """A term of the source that a sentence uses. ``targets``: what it is called, the best name first; ``note``: what
    the glossary says about it."""

    id: str
    source: str
    targets: tuple[str, ...]
    note: str | None = None


@attrs.frozen
class Unit:
    """One sentence or heading. ``id``: of the statement, or ``heading:`` with the id of the section that follows.

    ``basis``: a hash of the source and of what runs, to which a review belongs; ``reviewer``: who reviewed it and when;
    ``line``: of the source in its file.
    """

    id: str
    section: str
    source: str
    target: str | None
    state: State
    notes: tuple[Note, ...] = ()
    line: int = 0
    comments: tuple[Comment, ...] = ()
    terms: tuple[Term, ...] = ()
    basis: str = ""
    reviewer: str = ""


@attrs.frozen
class Job:
    """All texts of a game, or of one of its variants, in one language beside those in another.

    ``name``: what is translated, ``game`` or ``game/variant``; ``file``: the source text, relative to the game's
    folder; ``values``: placeholder (with braces) to what it prints as; ``choices``: setting to its values, each with
    what it is called in the source language.
    """

    name: str
    source_language: str
    target_language: str
    file: str
    units: tuple[Unit, ...]
    values: dict[str, str]
    choices: Mapping[str, Mapping[str, str]] = attrs.field(factory=dict)


@attrs.frozen
class Entry:
    """One unit of a delivery. ``finished``: False where the translator's tool marks it as a guess to be looked at.

    ``reviewed``: somebody, ``by`` if the file says who, found it right, on the ``basis`` it went out with.
    """

    id: str
    source: str | None
    target: str | None
    finished: bool = True
    reviewed: bool = False
    by: str = ""
    basis: str | None = None
    comments: tuple[Comment, ...] = ()


@attrs.frozen
class Delivery:
    """What a translator's file says. None: it does not say."""

    name: str | None
    source_language: str | None
    target_language: str | None
    entries: tuple[Entry, ...]


OURS = ("form", "section", "chapter", "rule", "values", "sources", "review", "basis")
"""Categories of the notes that are written here; every other note of a file is a comment."""

_WITHDRAWN_BY = re.compile(r"withdrawn(?:-by)?:\s*(?:(?P<by>[^:]*?)\s*:\s*)?(?P<why>[^:\s].*)", re.IGNORECASE)
_REVIEWED_BY = re.compile(r"reviewed-by:\s*(.*?)\s*(\[[0-9-]*\])?", re.IGNORECASE)


def comments_in(lines: Iterable[str]) -> tuple[Comment, ...]:
    """The comments among lines that people wrote about a sentence."""
    return tuple(dict.fromkeys(Comment.of(line) for line in lines if line.strip() and not reviewer_in(line)))


def withdrawal_in(line: str) -> tuple[str, str] | None:
    """Who takes a confirmation back in such a line, and why: ``Withdrawn-by: Anna: the number is wrong``. The name may
    be missing, the reason not; None for any other line."""
    found = _WITHDRAWN_BY.fullmatch(line.strip())
    return None if found is None else (found["by"] or "", found["why"])


def reviewer_in(line: str) -> str | None:
    """Who signs a sentence off in such a line, ``Reviewed-by: Anna``; None for any other line."""
    found = _REVIEWED_BY.fullmatch(line.strip())
    return None if found is None or not found[1] else found[1]


def unprintable(text: str) -> str | None:
    """The first character that no exchange file can carry and no text needs: controls, line ends; as ``U+000B``."""
    for char in text:
        if unicodedata.category(char) in ("Cc", "Zl", "Zp", "Cs") or char in "\ufffe\uffff":
            return f"U+{ord(char):04X}"
    return None
