"""Printed rulebooks: a game's text in one language with the values of its rules, as Markdown, as a page, as data."""

from .assemble import make_rulebook
from .markdown import as_markdown
from .model import Change, HeadingPart, Piece, Rulebook, StatementPart, VariantPart
from .page import as_html
from .plain_data import as_data

__all__ = [
    "Change",
    "HeadingPart",
    "Piece",
    "Rulebook",
    "StatementPart",
    "VariantPart",
    "as_data",
    "as_html",
    "as_markdown",
    "make_rulebook",
]
