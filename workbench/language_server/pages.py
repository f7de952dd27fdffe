"""Pages about the codes of findings, for the links beside them."""

from __future__ import annotations

import functools
from pathlib import Path

from rulelang.codes import CODES
from rulelang.files import cache

_PAGES = Path(__file__).resolve().parents[2] / "docs" / "codes"
"""Where the pages lie in a checkout. An installed package has none."""


@functools.cache
def page_of(code: str) -> str | None:
    """The URI of a code's page, or without a checkout of one with the code's entry; None if there is none."""
    if code not in CODES:
        return None
    page = _PAGES / f"{code}.md"
    if not page.is_file():
        folder = cache.room("codes")
        if folder is None:
            return None
        page = folder / f"{code}.md"
        entry = CODES[code]
        try:
            page.unlink(missing_ok=True)  # whatever it is, a link to somewhere else included
            page.write_text(f"# {code}: {entry.title}\n\n{entry.text}\n", encoding="utf-8")
        except OSError:
            return None
    return page.as_uri()
