"""Open documents: the texts as they are in the editor, kept true by its edits."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path

import attrs
from lsprotocol import types
from pygls import uris

from rulelang.diagnostics import Sink
from rulelang.files.contents import home_of
from rulelang.syntax import layout

from .positions import Lines

_WORD = 200
"""Letters of the longest word."""


@attrs.frozen
class Document:
    """A text at one moment. ``path``: where it lies or would lie, resolved; None for one that is not a file.

    ``version``: as the editor counts its edits; None for a text read from disk.
    """

    uri: str
    path: Path | None
    lines: Lines
    version: int | None = None

    @staticmethod
    def of(uri: str, text: str, version: int | None = None) -> Document:
        return Document(uri, path_of(uri), Lines.of(text), version)

    @property
    def text(self) -> str:
        return self.lines.text

    @property
    def suffix(self) -> str:
        """The ending of its name, which says what it is: ``.rules``, ``.md``, ``.csv``, ``.look``, ``.toml``."""
        return "" if self.path is None else self.path.suffix

    def word(self, position: types.Position) -> tuple[str, types.Range]:
        """The word at a position and its range; an empty one where there is none."""
        offset = self.lines.offset(position)
        start = end = offset
        text = self.text
        while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_") and offset - start < _WORD:
            start -= 1
        while end < len(text) and (text[end].isalnum() or text[end] == "_") and end - offset < _WORD:
            end += 1
        return text[start:end], types.Range(self.lines.at(start), self.lines.at(end))

    def edited(self, changes: Sequence[types.TextDocumentContentChangeEvent], version: int) -> Document:
        """The document after an edit; positions outside the text count as the nearest in it."""
        lines = self.lines
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                first, last = sorted((lines.offset(change.range.start), lines.offset(change.range.end)))
                lines = Lines.of(f"{lines.text[:first]}{change.text}{lines.text[last:]}")
            else:
                lines = Lines.of(change.text)
        return attrs.evolve(self, lines=lines, version=version)


def path_of(uri: str) -> Path | None:
    """The file of a URI, resolved; None for a URI that names no file."""
    with contextlib.suppress(Exception):  # a URI of any shape, or a path that no system takes
        found = uris.to_fs_path(uri) if uri.startswith("file:") else None
        return None if not found or "\0" in found else Path(found).resolve()
    return None


def uri_of(path: Path) -> str:
    """The URI of a file."""
    return path.resolve().as_uri()


def read(path: Path) -> Document | None:
    """The document on disk; None when it cannot be read."""
    source = layout.read(path, path.as_posix(), Sink(), home_of(path))
    return None if source is None else Document(uri_of(path), path, Lines.of(source.text))
