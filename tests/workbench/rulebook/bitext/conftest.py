"""Two documents of a small game on disk: a text file, and a PDF as a printer would make it."""

from __future__ import annotations

import re
from pathlib import Path

import ferries
import pytest

_HEADINGS = (
    "VEERPONTEN",
    "Materiaal",
    "Voorbereiding",
    "Je beurt",
    "De haven oversteken",
    "Storm",
    "Einde van het spel",
)

_SHEET = """\
#set page(paper: "a6", margin: (x: 10mm, y: 16mm), columns: 2, header: [Veerponten #h(1fr) Spelregels],
  footer: context align(center)[Pagina #counter(page).display()])
#set text(size: 11pt, lang: "nl", hyphenate: true)
#set par(justify: true)
"""


@pytest.fixture
def english(tmp_path: Path) -> Path:
    path = tmp_path / "ferries-en.txt"
    path.write_text(ferries.EN)
    return path


@pytest.fixture
def dutch(tmp_path: Path) -> Path:
    path = tmp_path / "ferries-nl.txt"
    path.write_text(ferries.NL)
    return path


@pytest.fixture
def printed(tmp_path: Path) -> Path:
    """The Dutch rules as a PDF: two columns, running heads, page numbers, hyphens at the ends of lines."""
    typst = pytest.importorskip("typst")
    lines = [f"\n= {line}\n" if line in _HEADINGS else line for line in ferries.NL.splitlines()]
    source = tmp_path / "ferries.typ"
    source.write_text(_SHEET + re.sub(r"(?m)^Leg|^De jong|^De speler met", lambda m: f"\n{m[0]}", "\n".join(lines)))
    path = tmp_path / "ferries-nl.pdf"
    typst.compile(str(source), output=str(path))
    return path
