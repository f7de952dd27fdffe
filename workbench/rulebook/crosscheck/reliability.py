"""How often the warnings of each check are right, as measured on the seeded lists of the benchmark."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from pathlib import Path

from rulelang.files.contents import content

TABLE = Path(__file__).with_name("reliability.toml")
_BAR = 0.9
"""The share of right ones below which what would be a warning is a note."""
_ENOUGH = 3
"""Warnings from which on a class is judged by itself, not with its whole kind."""


def keys(check: str, rests_on: str, languages: int) -> tuple[str, ...]:
    """The rows of the table that speak of a finding, the closest first: its class, its kind, its check."""
    number = "two" if languages == 2 else "more"
    words = [check, *rests_on.split()]
    return tuple(f"{number} {' '.join(words[:end])}" for end in range(len(words), 0, -1))


def is_reliable(check: str, rests_on: str, languages: int) -> bool:
    """Whether a finding may be a warning; what was wrong no more than once may."""
    for key in keys(check, rests_on, languages):
        right, wrong = _table().get(key, (0, 0))
        if right + wrong >= _ENOUGH:
            return wrong < 2 or right >= _BAR * (right + wrong)
    return True


@functools.cache
def _table() -> Mapping[str, tuple[int, int]]:
    return {key: (right, wrong) for key, (right, wrong) in tomllib.loads(content(TABLE, None).decode()).items()}
