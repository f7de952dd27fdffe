"""Rulebook texts: what a game's rulebook says in one language, statement by statement, under the ids of what runs.

``files`` finds the texts of a game and of its variants, ``parse`` reads one, ``merge`` puts those of variants into the
game's own, ``fallback`` lends a text what it does not have yet, ``values`` fills in the numbers of the rules with
the ``plurals`` that depend on them, and ``check`` compares a text with the rules: nothing that
runs may be left out, and nothing may be said that does not run.
"""

from .check import check_texts, check_values
from .fallback import chain, read_completed
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
    "chain",
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
