"""The codes of all findings: meaning, reason and remedy. The pages in docs/codes are made from them."""

from __future__ import annotations

import tomllib
from pathlib import Path

import attrs

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


@attrs.frozen
class Code:
    """``title``: what is wrong in a few words. ``see``: the passage that says how it is right, as ``FILE: HEADING``.

    ``text``: one paragraph on meaning, reason and remedy.
    """

    title: str
    see: str
    text: str

    @property
    def told(self) -> str:
        """All of it, for somebody who does not have the page."""
        file, _, heading = self.see.partition(": ")
        return f'{self.title}\n\n{self.text}\n\nHow it is done right: {file}, "{heading}".'


def _codes() -> dict[str, Code]:
    entries = tomllib.loads(Path(__file__).with_name("codes.toml").read_text(encoding="utf-8"))
    return {
        code: Code(entry["title"], entry["see"], " ".join(entry["text"].split())) for code, entry in entries.items()
    }


CODES = _codes()
"""Every code that a finding can have."""
