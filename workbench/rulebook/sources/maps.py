"""Maps of source documents: ``seeds/<document>.toml``.

A map says of one document what it is (``[document]``) and cuts it into passages (``[[passage]]``): a range of lines
with its hash, its kind, the statements it states, the numbers it holds and its damage.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rulelang.diagnostics import Sink, did_you_mean
from rulelang.files.contents import leads_into
from rulelang.fixes import Help
from rulelang.source import SourceFile, Span

from ..toml_file import read_toml
from .model import KINDS, Document, Passage

_DOCUMENT_KEYS = ("game", "language", "title", "edition", "file", "sha256", "lines")
_PASSAGE_KEYS = ("lines", "sha256", "kind", "states", "numbers", "damage", "ignore", "note")
_RANGE = re.compile(r"([0-9]{1,7})(?:-([0-9]{1,7}))?")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_LANGUAGE = re.compile(r"[a-z]{2,3}")
_TABLE = re.compile(r"\s*\[\[?\s*([A-Za-z]+)\s*\]\]?\s*(?:#.*)?")
_KEY = re.compile(r"\s*([A-Za-z0-9_]+)\s*=")


def seeds_folder(start: Path) -> Path | None:
    """The folder ``seeds`` in or above ``start``, where the maps are, unless it is a link to somewhere else."""
    start = start.resolve()
    found = next((f / "seeds" for f in (start, *start.parents) if (f / "seeds").is_dir()), None)
    return found if found is not None and leads_into(found, found.parent) else None


def read_documents(folder: Path, sink: Sink, sources: dict[str, SourceFile] | None = None) -> list[Document]:
    """The documents that ``folder`` has maps of, by name of the map.

    A map that cannot be read at all is left out; of one with mistakes, what is right is kept. Every mistake goes to
    ``sink`` (R0901). ``sources`` receives the texts of the maps, for showing places.
    """
    found = []
    for path in sorted(folder.glob("*.toml")):
        own = {} if sources is None else sources
        document = read_document(path, sink, own)
        if document is not None:
            found.append(document)
    return found


def read_document(path: Path, sink: Sink, sources: dict[str, SourceFile]) -> Document | None:
    """One map; None when it has no usable ``[document]``."""
    found = read_toml(path, "R0901", sink, sources, path.parent)
    if found is None:
        return None
    source, data = found
    return _Reader(source, sink).document(path, data)


class _Reader:
    """Turns the data of one map into a Document, with every mistake at its key."""

    def __init__(self, source: SourceFile, sink: Sink) -> None:
        self.name = source.name
        self.lines = source.lines
        self.sink = sink
        self.tables = _tables(self.lines)

    def error(self, table: tuple[str, int], key: str | None, message: str, help: str | Help) -> None:
        self.sink.error("R0901", self.span(table, key), message, help=help)

    def span(self, table: tuple[str, int], key: str | None) -> Span:
        """The line of a key of a table, else the line of the table's head."""
        keys = self.tables.get(table, {})
        number = keys.get(key or "", keys.get("", 1))
        return Span(self.name, number, 1, number, len(self.lines[number - 1]) + 1)

    def document(self, path: Path, data: Mapping[str, Any]) -> Document | None:
        table = ("document", 0)
        head = data.get("document")
        for key in data:
            if key not in ("document", "passage"):
                self.error((key, 0), None, f"A map has no `{key}`.", "It has [document] and [[passage]].")
        if not isinstance(head, dict):
            self.error(table, None, "The map does not say what it is a map of.", "Begin it with [document].")
            return None
        self._known(table, head, _DOCUMENT_KEYS)
        texts = {key: self._text(table, head, key) for key in ("game", "language", "title", "file", "sha256")}
        lines = head.get("lines")
        if not isinstance(lines, int) or isinstance(lines, bool) or lines < 1:
            self.error(table, "lines", "`lines` must be the number of lines of the document.", "Write `lines = 120`.")
            return None
        if texts["language"] and not _LANGUAGE.fullmatch(texts["language"]):
            self.error(table, "language", "`language` must be a short code.", 'Write `language = "nl"`.')
            return None
        if texts["file"] and (Path(texts["file"]).name != texts["file"] or "\\" in texts["file"]):
            self.error(
                table,
                "file",
                "`file` must be a name without folders.",
                "The setting RULELANG_SOURCES names the folder.",
            )
            return None
        self._hash(table, texts["sha256"])
        edition = self._text(table, head, "edition") if "edition" in head else None
        rows = data.get("passage", [])
        if not isinstance(rows, list):
            self.error(
                ("passage", 0), None, "A passage must begin with [[passage]].", "Write two brackets on each side."
            )
            rows = []
        if not all(texts.values()):
            return None
        made = [self.passage(("passage", position), row) for position, row in enumerate(rows)]
        return Document(
            path.stem,
            str(texts["game"]),
            str(texts["language"]),
            str(texts["title"]),
            edition,
            str(texts["file"]),
            str(texts["sha256"]),
            lines,
            tuple(p for p in made if p is not None),
            path,
            self.span(table, None),
        )

    def passage(self, table: tuple[str, int], row: Any) -> Passage | None:
        if not isinstance(row, dict):
            self.error(table, None, "A passage must be a table.", "Write [[passage]] and its keys below it.")
            return None
        self._known(table, row, _PASSAGE_KEYS)
        ends = _RANGE.fullmatch(str(row.get("lines", "")))
        if ends is None:
            self.error(table, "lines", "`lines` must say which lines the passage has.", 'Write `lines = "12-14"`.')
            return None
        first, last = int(ends[1]), int(ends[2] or ends[1])
        if not 1 <= first <= last:
            self.error(table, "lines", "The passage ends before it begins.", "Lines count from 1, the first one first.")
            return None
        kind = self._text(table, row, "kind")
        if kind and kind not in KINDS:
            help = did_you_mean(kind, KINDS) or f"Write one of {', '.join(KINDS)}."
            self.error(table, "kind", f"`{kind}` is not a kind of passage.", help)
        hashed = self._text(table, row, "sha256")
        self._hash(table, hashed)
        states = self._list(table, row, "states", str, "ids of statements") or []
        for state in sorted({s for s in states if states.count(s) > 1}):
            self.error(table, "states", f"`{state}` appears twice in this passage.", "Remove one of them.")
        numbers = self._list(table, row, "numbers", int, "whole numbers") if "numbers" in row else None
        texts = {key: self._text(table, row, key) if key in row else None for key in ("damage", "note")}
        return Passage(
            first,
            last,
            hashed or "",
            kind or "rule",
            tuple(dict.fromkeys(states)),
            numbers if numbers is None else tuple(numbers),
            texts["damage"],
            self._ignore(table, row),
            self.span(table, "lines"),
            texts["note"],
        )

    def _known(self, table: tuple[str, int], row: Mapping[str, Any], keys: tuple[str, ...]) -> None:
        for key in row:
            if key not in keys:
                help = did_you_mean(key, keys) or f"It has {', '.join(keys)}."
                self.error(table, key, f"A {table[0]} has no `{key}`.", help)

    def _text(self, table: tuple[str, int], row: Mapping[str, Any], key: str) -> str | None:
        value = row.get(key)
        if isinstance(value, str) and value.strip():
            return value.strip()
        what = "is missing" if value is None else "is not a text"
        self.error(table, key, f"`{key}` of this {table[0]} {what}.", f'Write `{key} = "..."`.')
        return None

    def _hash(self, table: tuple[str, int], value: str | None) -> None:
        if value is not None and not _SHA256.fullmatch(value):
            self.error(table, "sha256", "This is not a SHA-256.", "A SHA-256 has 64 digits, 0 to 9 and a to f.")

    def _list(
        self, table: tuple[str, int], row: Mapping[str, Any], key: str, kind: type, what: str
    ) -> list[Any] | None:
        value = row.get(key, [])
        if isinstance(value, list) and all(isinstance(v, kind) and not isinstance(v, bool) for v in value):
            return value
        self.error(table, key, f"`{key}` must be a list of {what}.", f"Write `{key} = [...]`.")
        return None

    def _ignore(self, table: tuple[str, int], row: Mapping[str, Any]) -> Mapping[str, str]:
        value = row.get("ignore", {})
        if isinstance(value, dict) and all(isinstance(reason, str) and reason.strip() for reason in value.values()):
            return MappingProxyType({str(name): reason.strip() for name, reason in value.items()})
        self.error(
            table, "ignore", "`ignore` must give a reason for each check.", 'Write `ignore = { number = "why" }`.'
        )
        return MappingProxyType({})


def _tables(lines: Iterable[str]) -> dict[tuple[str, int], dict[str, int]]:
    """Line numbers of the keys of each table; the key "" is its head. A TOML reader keeps no places."""
    found: dict[tuple[str, int], dict[str, int]] = {}
    counts: dict[str, int] = {}
    current: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if head := _TABLE.fullmatch(line):
            position = counts.get(head[1], 0)
            counts[head[1]] = position + 1
            current = found.setdefault((head[1], position), {"": number})
        elif key := _KEY.match(line):
            current.setdefault(key[1], number)
    return found
