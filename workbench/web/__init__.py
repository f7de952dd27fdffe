"""Pages of one look: each is one HTML file that needs nothing else, on light screens, dark screens and paper."""

from __future__ import annotations

import functools
from html import escape
from pathlib import Path

_BASE = Path(__file__).parent / "base.css"


def page(title: str, lang: str, body: str, *styles: str | Path) -> str:
    """The whole page. ``title``: plain text; ``body``: HTML; ``styles``: sheets that add to what all pages share, each
    as its text or its file."""
    return f"""<!DOCTYPE html>
<html lang="{escape(lang)}"{_turned(lang)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="rulelang">
<title>{escape(title)}</title>
<style>
{"".join(asset(one) if isinstance(one, Path) else one for one in (_BASE, *styles))}</style>
</head>
<body>
{body}
</body>
</html>
"""


@functools.cache
def asset(path: Path) -> str:
    """The text of a file that comes with the package, such as a style sheet."""
    return path.read_text(encoding="utf-8")


@functools.cache
def _turned(lang: str) -> str:
    """What says that a language is written from right to left."""
    from babel import Locale, UnknownLocaleError

    try:
        return ' dir="rtl"' if Locale.parse(lang).text_direction == "rtl" else ""
    except (UnknownLocaleError, ValueError):
        return ""
