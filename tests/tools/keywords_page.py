"""Write docs/keywords.md from ``rulelang/syntax/keywords.toml``: ``python -m tests.tools.keywords_page``."""

from __future__ import annotations

import sys
from pathlib import Path

from rulelang.syntax.forms import Form, forms
from rulelang.syntax.mistakes import keywords
from workbench.output import tell

PAGE = Path(__file__).resolve().parents[2] / "docs" / "keywords.md"
_INTRODUCTION = """\
# Keywords

Every word that has a meaning of its own in the [language](language.md), in alphabetical order. Words in small letters
are written as they stand; `NAME`, `VALUE`, `KIND` and single letters stand for what your game has, `NAMES` and `VALUES`
for several, with commas between them. What is in square brackets can be left out, and `...` stands for the rest of the
line. Each link leads to the passage that explains it, with examples that run. In an [editor](editor.md), hover over a
keyword to see what it means in that line.

The page is written by `python -m tests.tools.keywords_page` from `rulelang/syntax/keywords.toml`.
"""


def page() -> str:
    """The page: below each keyword the forms that begin with it, and links to the others that contain it."""
    words = sorted(keywords())
    out = [_INTRODUCTION, " · ".join(f"[{word}](#{word})" for word in words), ""]
    for word in words:
        out.append(f"## {word}\n")
        home = [form for form in forms() if form.keywords[0] == word]
        out += [f"- {_told(form)}" for form in home]
        others = {form.keywords[0] for form in forms() if word in form.keywords} - {word}
        if others:
            links = ", ".join(f"[{other}](#{other})" for other in sorted(others))
            out.append(f"- {'also ' if home else ''}part of {links}")
        out.append("")
    return "\n".join(out)


def _told(form: Form) -> str:
    return f"`{form.text}`: {form.meaning} [More](language.md#{form.section})"


def main() -> int:
    """Writes the page."""
    PAGE.write_text(page(), encoding="utf-8")
    tell(f"{len(keywords())} keywords in {PAGE.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
