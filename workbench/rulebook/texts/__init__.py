"""Rulebook texts: what a game's rulebook says in one language, statement by statement, under the ids of what runs.

``files`` finds the texts of a game and of its variants, ``parse`` reads one, ``merge`` puts those of variants into the
game's own, ``values`` fills in the numbers of the rules with
the ``plurals`` that depend on them, and ``check`` compares a text with the rules: nothing that
runs may be left out, and nothing may be said that does not run.
"""

from .check import check_texts, check_values
from .files import read_text, read_texts, variant_texts
from .merge import read_merged
from .model import Heading, RulebookText, Statement
from .parse import parse_text
from .subjects import bases_of, changed_ids, ids_of
from .values import fill

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
    "read_merged",
    "read_text",
    "read_texts",
    "variant_texts",
]
