"""Printed rulebooks: a game's text in one language with the values of its rules, as Markdown, as a page, for paper.

``document`` makes a Rulebook of texts and values; ``variants`` finds what variants and settings do to it; ``matter`` is
what it has besides the text. Each of ``WRITERS`` writes all of it in one form.
"""

from collections.abc import Callable

import attrs

from .document import Rulebook, StatementPart, as_data, make_rulebook
from .html import as_html
from .markdown import as_markdown
from .matter import Matter
from .stamp import Stamp, changed_since, read_stamp
from .typst import as_typst


@attrs.frozen
class RulebookWriter:
    """A form of a printed rulebook. ``name``: as ``--to`` takes it; ``about``: what it is; ``suffixes``: of its files.

    ``write``: the text; it is given the name of the folder that a form without pictures of its own finds them in.
    """

    name: str
    about: str
    suffixes: tuple[str, ...]
    write: Callable[[Rulebook, Matter | None, str], str]


MARKDOWN = RulebookWriter("md", "Markdown", (".md",), as_markdown)
HTML = RulebookWriter("html", "one HTML page", (".html", ".htm"), lambda book, matter, _: as_html(book, matter))
TYPST = RulebookWriter("pdf", "a PDF", (".pdf",), lambda book, matter, _: as_typst(book, matter))

WRITERS = (MARKDOWN, HTML, TYPST)
"""The first is taken where nobody asks for another. What ``TYPST`` writes is set as a PDF."""

__all__ = [
    "MARKDOWN",
    "TYPST",
    "WRITERS",
    "Matter",
    "Rulebook",
    "RulebookWriter",
    "Stamp",
    "StatementPart",
    "as_data",
    "as_html",
    "as_markdown",
    "as_typst",
    "changed_since",
    "make_rulebook",
    "read_stamp",
]
