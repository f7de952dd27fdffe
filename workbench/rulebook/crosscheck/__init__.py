"""Cross-checks: rulebook texts between languages, with the rules, and with the source documents they come from."""

from .checks import CHECKS, NAMES, Check
from .confirmed import Confirmation, State, confirm, sections, state
from .corpus import Corpus, Excerpt, gather, with_documents
from .glossary import Concept, Glossary, read_glossary
from .numbers import Number, numbers, values
from .run import Report, Silenced, cross_check

__all__ = [
    "CHECKS",
    "NAMES",
    "Check",
    "Concept",
    "Confirmation",
    "Corpus",
    "Excerpt",
    "Glossary",
    "Number",
    "Report",
    "Silenced",
    "State",
    "confirm",
    "cross_check",
    "gather",
    "numbers",
    "read_glossary",
    "sections",
    "state",
    "values",
    "with_documents",
]
