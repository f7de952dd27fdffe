"""Maps of source documents, ``seeds/<document>.toml``, and the documents themselves where they are available.

A map says of one document what it is (``[document]``) and cuts it into passages (``[[passage]]``): a range of lines
with its hash, its kind, the statements it states, the numbers it holds and its damage. Statements are numbered within
the id of what runs them, so ``income.gold.2`` belongs to the rule ``income.gold``.

The documents are in the folder that the setting ``RULELANG_SOURCES`` names. Their sentences belong to their publishers
and stay outside the project; everything that can work without them does.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import attrs

from rulelang.diagnostics import Sink, did_you_mean
from rulelang.files.contents import content, leads_into
from rulelang.fixes import Help
from rulelang.program import Program
from rulelang.source import SourceFile, Span

from ..languages.numbers import values
from ..toml_file import read_toml

KINDS = ("rule", "example", "component", "advice", "heading", "noise")
"""What a passage can be."""

NUMBERS = "recorded-numbers"
"""What silences that a map's numbers are not those of the text, beside the names of the cross-checks."""


@attrs.frozen
class SourcePassage:
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
    passages: tuple[SourcePassage, ...]
    path: Path
    span: Span

    def stating(self, statement: str) -> tuple[SourcePassage, ...]:
        """The passages that state ``statement``, in order."""
        return tuple(p for p in self.passages if statement in p.states)


# ---------------------------------------------------------------- reading maps


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

    def passage(self, table: tuple[str, int], row: Any) -> SourcePassage | None:
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
        return SourcePassage(
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


# ---------------------------------------------------------------- writing maps

_WIDTH = 120


def document_toml(game: str, language: str, title: str, file: str, data: bytes, lines: int) -> str:
    """The head of a map. ``data``: the bytes of the document ``file``; ``lines``: how many it has."""
    return "\n".join(
        [
            "[document]",
            f"game = {toml_string(game)}",
            f"language = {toml_string(language)}",
            f"title = {toml_string(title)}",
            f"file = {toml_string(file)}",
            f'sha256 = "{hashlib.sha256(data).hexdigest()}"',
            f"lines = {lines}",
        ]
    )


def passage_toml(
    lines: Sequence[str],
    first: int,
    last: int,
    kind: str,
    states: Sequence[str],
    language: str,
    note: str | None = None,
) -> str:
    """A passage of a map: the lines ``first`` to ``last`` of a document's ``lines``, with their hash and numbers."""
    own = lines[first - 1 : last]
    out = [
        "[[passage]]",
        f'lines = "{_range((first, last))}"',
        f'sha256 = "{digest(own)}"',
        f"kind = {toml_string(kind)}",
        _listed_toml("states", [toml_string(state) for state in states]),
        _listed_toml("numbers", [str(number) for number in values("\n".join(own), language)]),
    ]
    return "\n".join([*out, f"note = {toml_string(note)}"] if note else out)


def _listed_toml(key: str, items: Sequence[str]) -> str:
    line = f"{key} = [{', '.join(items)}]"
    if len(line) <= _WIDTH:
        return line
    return "\n".join([f"{key} = [", *(f"  {item}," for item in items), "]"])


def toml_string(value: str) -> str:
    """A TOML string."""
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    return '"' + "".join(escapes.get(c, c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}") for c in value) + '"'


# ---------------------------------------------------------------- the documents themselves


SETTING = "RULELANG_SOURCES"

MAX_BYTES = 5_000_000
"""A document larger than this is not a rulebook."""

_HYPHEN = re.compile(r"(?<=\w)[-‐][ \t]*\n(?=[a-zà-ÿ])")


def documents_folder() -> Path | None:
    """The folder with the documents themselves: the setting ``RULELANG_SOURCES``; None when it is not set."""
    value = os.environ.get(SETTING, "").strip()
    return Path(value).expanduser() if value else None


def text_of(document: Document, folder: Path | None) -> tuple[str, ...] | None:
    """The lines of the document, or None when it is not in ``folder``."""
    data = bytes_of(document, folder)
    return None if data is None else split_lines(data)


def bytes_of(document: Document, folder: Path | None) -> bytes | None:
    """The document's bytes, or None when there is no readable file of that name and of a sensible size."""
    if folder is None:
        return None
    try:
        return content(folder / document.file, None, MAX_BYTES)  # a name without folders; links in there are one's own
    except OSError:
        return None


def split_lines(data: bytes) -> tuple[str, ...]:
    """The lines of a text, without line ends; a line end at the very end starts no further line."""
    text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return tuple(text.removesuffix("\n").split("\n"))


def digest(lines: Iterable[str]) -> str:
    """The hash of a passage: SHA-256 of its lines joined by line feeds, in UTF-8."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def joined_lines(lines: Sequence[str]) -> str:
    """The lines as one text; words cut at the end of a line are whole again."""
    return _HYPHEN.sub("", "\n".join(lines))


# ---------------------------------------------------------------- lines that state what a rule does


def lines_stating(program: Program, rule: str) -> dict[str, str]:
    """Language to lines ("163-165, 445-447") that state what ``rule`` does; empty where nothing is known.

    The maps of the documents are looked for in a folder ``seeds`` in or above the game's folder.
    """
    declared = program.rules.get(rule)
    if declared is None or not declared.span.file:
        return {}
    folder = seeds_folder(Path(declared.span.file).parent)
    if folder is None:
        return {}
    return dict(_by_rule(folder, program.name).get(rule, {}))


@functools.cache
def _by_rule(folder: Path, game: str) -> dict[str, dict[str, str]]:
    """For each rule of a game, language to lines."""
    found: dict[str, dict[str, list[tuple[int, int]]]] = {}
    for document in _documents(folder):
        if document.game != game:
            continue
        for passage in document.passages:
            for rule in dict.fromkeys(statement.rpartition(".")[0] for statement in passage.states):
                ranges = found.setdefault(rule, {}).setdefault(document.language, [])
                if ranges and ranges[-1][1] + 1 == passage.first:
                    ranges[-1] = (ranges[-1][0], passage.last)
                else:
                    ranges.append((passage.first, passage.last))
    return {
        rule: {language: ", ".join(map(_range, ranges)) for language, ranges in languages.items()}
        for rule, languages in found.items()
    }


def _range(ends: tuple[int, int]) -> str:
    first, last = ends
    return str(first) if first == last else f"{first}-{last}"


@functools.cache
def _documents(folder: Path) -> tuple[Document, ...]:
    """``rulelang sources check`` reports the mistakes in maps; whatever can be read is used here."""
    return tuple(read_documents(folder, Sink()))
