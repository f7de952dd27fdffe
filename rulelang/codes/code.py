"""A code of findings."""

from __future__ import annotations

import attrs


@attrs.frozen
class Code:
    """``title``: what is wrong in a few words. ``text``: one paragraph on meaning, reason and remedy."""

    title: str
    text: str
