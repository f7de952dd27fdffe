"""The language to speak to whoever reads, when no one is asked for."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Where a system says what language its user reads, the strongest first, as gettext has it."""

_FALLBACK = "en"


def language_for_reader(languages: Sequence[str]) -> str | None:
    """One of ``languages``, those that a game has words in: the reader's own, else English, else the first.

    None where the game has no words: names are then as the rules have them.
    """
    own = next((language for name in _VARIABLES for language in _spoken(os.environ.get(name, ""))), None)
    return next((known for known in (own, _FALLBACK, *languages) if known in languages), None)


def _spoken(value: str) -> list[str]:
    """The languages of ``nl_NL.UTF-8`` or ``nl:en``; none of ``C.UTF-8``."""
    parts = (re.match(r"[a-z]{2,3}(?=$|[_.@-])", part) for part in value.split(":"))
    return [found.group() for found in parts if found]
