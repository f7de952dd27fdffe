"""The codes of all findings: meaning, reason and remedy. The pages in docs/codes are made from them."""

from __future__ import annotations

from .reading import READING, Code
from .rules import RULES
from .texts import TEXTS

__all__ = ["CODES", "FAMILIES", "Code"]

FAMILIES = {
    "R01": "Files and layout",
    "R02": "Spelling and syntax",
    "R03": "How files, tables and variants fit together",
    "R04": "Names, types and numbers",
    "R05": "How the game runs",
    "R06": "Examples",
    "R07": "Rulebook texts",
    "R08": "Data",
    "R09": "Sources and languages",
    "R10": "Looks of pictures",
}
"""The kind of finding, by the first three letters of its code."""

CODES = {**READING, **RULES, **TEXTS}
"""Every code that a finding can have."""
