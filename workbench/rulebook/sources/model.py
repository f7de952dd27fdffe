"""Source documents as data: the lines of a text, cut into passages that state the statements of a rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import attrs

from rulelang.source import Span

KINDS = ("rule", "example", "component", "advice", "heading", "noise")
"""What a passage can be."""

NUMBERS = "recorded-numbers"
"""What silences that a map's numbers are not those of the text, beside the names of the cross-checks."""


@attrs.frozen
class Passage:
    """Lines ``first`` to ``last`` (from 1, both included) of a document.

    ``numbers``: the values it holds, in order, or None where nobody looked; ``damage``: what scanning or layout did to
    it; ``note``: what a reader of the map should know; ``ignore``: names of checks with the reason why their finding
    here is all right; ``span``: its ``lines`` key in the map.
    """

    first: int
    last: int
    sha256: str
    kind: str
    states: tuple[str, ...]
    numbers: tuple[int, ...] | None
    damage: str | None
    ignore: Mapping[str, str] = attrs.field(hash=False)
    span: Span
    note: str | None = None

    @property
    def lines(self) -> str:
        """The range as people write it: ``12`` or ``12-14``."""
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


@attrs.frozen
class Document:
    """One source document as its map describes it. ``id`` is the name of the map's file without ``.toml``."""

    id: str
    game: str
    language: str
    title: str
    edition: str | None
    file: str
    sha256: str
    lines: int
    passages: tuple[Passage, ...]
    path: Path
    span: Span

    def stating(self, statement: str) -> tuple[Passage, ...]:
        """The passages that state ``statement``, in order."""
        return tuple(p for p in self.passages if statement in p.states)
