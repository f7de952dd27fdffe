"""Sections that go through things one by one: statements that begin with what they are about, and a colon."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .model import StatementPart

_ABOUT = re.compile(r"[^.:;,]{2,40}: \S")
_FEWEST = 3
"""So many statements make an enumeration."""


def items_of(statements: Sequence[StatementPart]) -> tuple[list[StatementPart], list[list[StatementPart]]]:
    """The statements before the first item, and the items, each with what follows it; no items without enumeration."""
    starts = [number for number, part in enumerate(statements) if _ABOUT.match(part.text)]
    if len(starts) < _FEWEST:
        return list(statements), []
    ends = [*starts[1:], len(statements)]
    return list(statements[: starts[0]]), [list(statements[a:b]) for a, b in zip(starts, ends, strict=True)]
