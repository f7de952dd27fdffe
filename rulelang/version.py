"""Versions of the package and of the rules language.

The language has a version of its own, so that rules and saved games do not go out of date with every release of the
package. Within a major version of the language, rules that pass the checks keep passing them and mean the same game.
"""

from __future__ import annotations

import re

PACKAGE = "0.1.0"
LANGUAGE = "3.0"

_PLAYED = ("1", "2", "3")
"""The major versions whose rules are the same game here: 2 only checks more than 1, and 3 has fewer words than 2."""


def same_language(version: object) -> bool:
    """Whether rules of this ``version``, as read from a file, are the same game in this package's language."""
    return isinstance(version, str) and _major(version) in _PLAYED


def _major(version: str) -> str | None:
    match = re.fullmatch(r"([0-9]+)\.[0-9]+", version)
    return match[1] if match else None
