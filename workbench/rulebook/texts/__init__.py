"""Rulebook texts: what a game's rulebook says in one language, statement by statement, under the ids of what runs.

``rulebook_text`` reads the texts of a game and of its variants, ``merge`` puts those of variants into the game's own
and lends a text what it does not have yet, ``interpolation`` fills in the values of the rules with the words that
depend on them, and ``check`` compares a text with the rules: nothing that runs may be left out, and nothing may be said
that does not run. ``new_language`` begins a text.
"""

from .interpolation import fill
from .merge import read_completed, read_merged
from .rulebook_text import (
    Heading,
    RulebookText,
    Statement,
    bases_of,
    changed_ids,
    ids_of,
    parse_text,
    read_text,
    read_texts,
    variant_texts,
)
from .text_checks import check_texts, check_values

__all__ = [
    "Heading",
    "RulebookText",
    "Statement",
    "bases_of",
    "changed_ids",
    "check_texts",
    "check_values",
    "fill",
    "ids_of",
    "parse_text",
    "read_completed",
    "read_merged",
    "read_text",
    "read_texts",
    "variant_texts",
]
