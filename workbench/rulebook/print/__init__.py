"""Printed rulebooks: a game's text in one language with the values of its rules, as Markdown, as a page, as data.

``assemble`` makes a Rulebook (``model``) of texts and ``values``, ``pairing`` finds what a variant changed in it;
``markdown``, ``page``, ``typeset`` and ``plain_data`` write it, with what they have besides the text (``matter``).
"""

from .assemble import make_rulebook
from .markdown import as_markdown
from .matter import Matter
from .model import Rulebook, StatementPart
from .page import as_html
from .plain_data import as_data
from .typeset import as_typst

__all__ = [
    "Matter",
    "Rulebook",
    "StatementPart",
    "as_data",
    "as_html",
    "as_markdown",
    "as_typst",
    "make_rulebook",
]
