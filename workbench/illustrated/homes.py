"""Chapters of a text that matter belongs in, so that none is told of twice: its components, its setup, its turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from rulelang.program import Program

from ..rulebook.print.matter import Grid
from .course import Book
from .flow import below, main_loop
from .opening import setup_rules

_SHARE = 0.5
"""Of what is told, so much at least is told in its chapter."""


def home_of_components(parts: Grid, book: Book) -> str | None:
    """The anchor of the chapter that tells of most components; None where they are told of here and there."""
    return _most((row.link for row in parts.rows if row.link), book)


def home_of_setup(program: Program, book: Book) -> str | None:
    """The anchor of the chapter about the rules that run before the first turn; None where there is no such chapter."""
    rules = setup_rules(program) or ()
    bodies = [program.rules[id_].body for id_ in rules]
    inner = below(program, *(statement for body in bodies for statement in body))
    return _most([*rules, *inner], book)


def home_of_turns(program: Program, book: Book, other: Collection[str | None]) -> str | None:
    """The anchor of the first chapter about what happens in turns or rounds. ``other``: chapters about something
    else.
    """
    loop = main_loop(program)
    running = below(program, loop) if loop is not None else frozenset()
    anchors = (book.anchors[id_] for id_ in book.sections if id_ in running)
    return next((anchor for anchor in anchors if anchor and anchor not in other), None)


def _most(ids: Iterable[str], book: Book) -> str | None:
    found = Counter(book.anchors[id_] for id_ in ids if book.anchors.get(id_))
    if not found:
        return None
    anchor, number = found.most_common(1)[0]
    return anchor if number >= _SHARE * found.total() else None
