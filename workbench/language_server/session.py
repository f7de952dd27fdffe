"""Sessions: the open documents and the games they belong to, as their texts are now."""

from __future__ import annotations

import bisect
import contextlib
import functools
import itertools
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

import attrs
from lsprotocol import types
from pygls import uris

from rulelang.diagnostics import RulesError, Sink, UnusablePath
from rulelang.elaborate import Elaborated
from rulelang.examples.partial import domain_in
from rulelang.files.contents import home_of, root_of
from rulelang.files.folder import GameFiles
from rulelang.names.symbols import Meaning, Symbols
from rulelang.program import Program
from rulelang.source import Span
from rulelang.syntax import layout
from rulelang.whole_game import CheckReport
from rulelang.workspace import Workspace

from ..checking import check_game

_LINE_END = re.compile(r"\r\n|\n|\r")
_BOM = "\ufeff"


@attrs.frozen
class Lines:
    """A text by its lines. ``starts``: the offset of each line; the offsets of a text count its characters from 0."""

    text: str = attrs.field(repr=False)
    starts: tuple[int, ...] = attrs.field(repr=False)

    @staticmethod
    def of(text: str) -> Lines:
        return Lines(text, (0, *(found.end() for found in _LINE_END.finditer(text))))

    def line(self, number: int) -> str:
        """A line (from 0) without its end; empty behind the last one."""
        if not 0 <= number < len(self.starts):
            return ""
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text)
        return self.text[self.starts[number] : end].rstrip("\r\n")

    @property
    def every_line(self) -> list[str]:
        """All lines with their ends."""
        return [self.text[a:b] for a, b in itertools.pairwise((*self.starts, len(self.text)))]

    # ------------------------------------------------------------ from the protocol

    def offset(self, position: types.Position) -> int:
        """The offset of a position; one outside the text counts as the nearest in it."""
        if position.line < 0:
            return 0
        if position.line >= len(self.starts):
            return len(self.text)
        return self.starts[position.line] + _characters(self.line(position.line), position.character)

    def place(self, position: types.Position) -> tuple[int, int]:
        """Line and column of a position as the rules count them."""
        line = min(max(position.line, 0), len(self.starts) - 1)
        text = self.line(line)
        return line + 1, len(_as_read(text[: _characters(text, position.character)], line)) + 1

    # ------------------------------------------------------------ to the protocol

    def position(self, line: int, column: int) -> types.Position:
        """The position of a line and column as the rules count them."""
        if line < 1:
            return types.Position(0, 0)
        if line > len(self.starts):
            return self.at(len(self.text))
        text = self.line(line - 1)
        return types.Position(line - 1, _units(text[: _as_typed(text, line - 1, max(column, 1) - 1)]))

    def at(self, offset: int) -> types.Position:
        """The position of an offset."""
        line = bisect.bisect_right(self.starts, offset) - 1
        return types.Position(line, _units(self.line(line)[: offset - self.starts[line]]))

    def range(self, span: Span) -> types.Range:
        """A span of the rules as a range."""
        return types.Range(self.position(span.line, span.column), self.position(span.end_line, span.end_column))

    @property
    def whole(self) -> types.Range:
        """The range of the whole text."""
        return types.Range(types.Position(0, 0), self.at(len(self.text)))


def _units(text: str) -> int:
    """The length of a text in UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _characters(text: str, units: int) -> int:
    """The number of characters that so many UTF-16 units at the start of a text make up, at most all of them."""
    if units <= 0:
        return 0
    if text.isascii():
        return min(units, len(text))
    head = text.encode("utf-16-le", "surrogatepass")[: 2 * units]
    return len(head.decode("utf-16-le", "ignore" if _is_cut(head) else "surrogatepass"))


def _is_cut(head: bytes) -> bool:
    """Whether the last unit is the first half of a character."""
    return len(head) >= 2 and 0xD8 <= head[-1] <= 0xDB


# ---------------------------------------------------------------- what reading a file changes


def _as_read(text: str, line: int) -> str:
    """The start of a line as the rules read it: without a byte order mark, a tab of the indentation as two spaces."""
    if line == 0:
        text = text.removeprefix(_BOM)
    code = text.lstrip(" \t")
    return text[: len(text) - len(code)].replace("\t", "  ") + code


def _as_typed(text: str, line: int, column: int) -> int:
    """The number of characters of a line (from 0) before a column (from 0) of what the rules read of it."""
    typed = 1 if line == 0 and text.startswith(_BOM) else 0
    if "\t" not in text:
        return min(typed + column, len(text))
    while column > 0 and typed < len(text):
        column -= 2 if text[typed] == "\t" and not text[:typed].strip() else 1
        typed += 1
    return typed


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
    return str(uris.from_fs_path(str(path.resolve())))


def read(path: Path) -> Document | None:
    """The document on disk; None when it cannot be read."""
    source = layout.read(path, path.as_posix(), Sink(), home_of(path))
    return None if source is None else Document(uri_of(path), path, Lines.of(source.text))


T = TypeVar("T")


class Client(Protocol):
    """The editor."""

    @property
    def capabilities(self) -> types.ClientCapabilities:
        """What the editor can do."""

    def notify(self, method: str, params: Any) -> None:
        """Tells the editor something."""

    def request(self, method: str, params: Any) -> None:
        """Asks the editor to do something; its answer is not waited for."""


_GAMES = 500
"""Rules files that are looked at for the games of a workspace."""

_CROWDED = frozenset({"node_modules", "__pycache__", "build", "dist", "target"})
"""Folders that hold no games but may hold very many files."""


@attrs.define
class Desk:
    """What the server knows. ``folders``: those open in the editor. ``changes`` grows whenever a text may be another.

    ``checked``: the newest report on each game, by its folder; texts may have changed since. ``client``: the editor,
    to be told or asked things from any thread.
    """

    games: Workspace
    client: Client
    folders: tuple[Path, ...] = ()
    documents: dict[str, Document] = attrs.field(factory=dict)
    changes: int = 0
    pressed: Callable[[], bool] = attrs.field(default=lambda: False)
    """Whether somebody waits for the worker: what is done in the background then stops as soon as it can."""
    language: str | None = None
    """The language of the editor, as in `nl` or `pt-br`."""
    checked: dict[Path, CheckReport] = attrs.field(factory=dict)
    look_again: Callable[[Path], None] = attrs.field(default=lambda root: None)
    """Has a game looked at again, and the background go on; from any thread. The server sets it."""
    _given: dict[Path, Document] = attrs.field(factory=dict)
    _kept: dict[object, object] = attrs.field(factory=dict)
    _own: dict[type, object] = attrs.field(factory=dict)
    _moment: int = -1

    def of(self, kind: type[T]) -> T:
        """The one thing of this kind that a feature keeps as long as the desk."""
        if kind not in self._own:
            self._own[kind] = kind()
        return self._own[kind]  # type: ignore[return-value]

    def can(self, what: str) -> bool:
        """Whether the editor knows a message of our own."""
        told: Any = self.client.capabilities.experimental
        return bool(told.get(what) if isinstance(told, dict) else getattr(told, what, False))

    def say(self, message: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """Shows a message in the editor."""
        self.client.notify(types.WINDOW_SHOW_MESSAGE, types.ShowMessageParams(kind, message))

    # ------------------------------------------------------------ texts

    def document(self, uri: str) -> Document | None:
        """The document as it is in the editor, or on disk; None when there is none."""
        found = self.documents.get(uri)
        if found is None:
            path = path_of(uri)
            return None if path is None else self.document_at(path)
        return found

    def open_at(self, path: Path) -> Document | None:
        """The open document of a file; None when it is not open."""
        return self._given.get(path)

    def open_below(self, root: Path) -> list[Document]:
        """The open documents in a folder."""
        return [document for path, document in self._given.items() if root in path.parents]

    def document_at(self, path: Path) -> Document | None:
        """The document of a file, as it is in the editor, or on disk; None when there is none."""
        found = self._given.get(path.resolve())
        return read(path) if found is None else found

    def catch_up(self) -> None:
        """Hands the documents as they are now to the games. Every job of the worker begins with it."""
        if self._moment != self.changes:
            self._moment = self.changes
            self._kept.clear()
        now = {document.path: document for document in list(self.documents.values()) if document.path is not None}
        for path, document in now.items():
            before = self._given.get(path)
            if before is None or before.text != document.text:
                self.games.set_text(path, document.text)
        for path in self._given.keys() - now.keys():
            self.games.forget(path)
        self._given = now

    # ------------------------------------------------------------ games

    def root(self, document: Document) -> Path | None:
        """The folder of the game that a document belongs to; None when it belongs to none."""
        path = document.path
        if path is None:
            return None
        return self.kept(("root", path.parent), lambda: self._root(path))

    def _root(self, path: Path) -> Path | None:
        with contextlib.suppress(OSError):
            return root_of(path, self.games.texts.unsaved)
        return None

    def roots(self) -> list[Path]:
        """The folders of the games in the editor's folders, and of the open documents, in order."""
        open_ = {root for document in list(self.documents.values()) if (root := self.root(document)) is not None}
        return sorted(open_ | set(self.kept("roots", lambda: list(self._roots()))))

    def _roots(self) -> Iterator[Path]:
        for folder in self.folders:
            for number, file in enumerate(_rules_below(folder)):
                if number >= _GAMES:
                    break
                root = self._root(file)
                if root is not None:
                    yield root

    def files(self, root: Path) -> GameFiles | None:
        """The files of a game as they are now, parsed; None when they are no game."""

        def opened() -> GameFiles | None:
            try:
                return self.games.open(root, (), Sink())[0]
            except UnusablePath:
                return None

        return self.kept(("files", root), opened)

    def made(self, root: Path, variants: tuple[str, ...] = ()) -> Elaborated | None:
        """The Program of a game as it is now, for the most players and with every value of the settings in view.

        With mistakes in the rules it is there as far as they can be understood; None if there is no game at all.
        """

        def elaborated() -> Elaborated | None:
            files = self.files(root)
            linked = None if files is None else self.games.linked(files, variants)
            if files is None or linked is None:
                return None
            scratch = Sink()
            return self.games.elaborated(files, linked, linked.game.high, scratch, every_setting=True)

        return self.kept(("made", root, variants), elaborated)

    def programs(self, root: Path) -> list[Program]:
        """The Programs of a game as it is now, for each number of players; none while the rules have mistakes."""

        def made() -> list[Program]:
            files = self.files(root)
            try:
                return [] if files is None else self.games.programs(files)
            except RulesError:
                return []

        return self.kept(("programs", root), made)

    def symbols(self, root: Path) -> Symbols | None:
        """The names in the rules of a game as they are now; None if there is no game."""

        def found() -> Symbols | None:
            files, made = self.files(root), self.made(root)
            if files is None:
                return None
            ask = functools.partial(domain_in, self.games, files)
            return Symbols(files, Meaning(None if made is None else made.program, ask))

        return self.kept(("symbols", root), found)

    def supposing(self, texts: Mapping[Path, str], job: Callable[[], T]) -> T:
        """What a job gives with other texts in some files; nothing that holds for this moment is touched."""
        kept, self._kept = self._kept, {}
        try:
            for path, text in texts.items():
                self.games.set_text(path, text)
            return job()
        finally:
            for path in texts:
                document = self._given.get(path)
                if document is None:
                    self.games.forget(path)
                else:
                    self.games.set_text(path, document.text)
            self._kept = kept

    def other_files(self, root: Path) -> list[Path]:
        """The files of a game besides its rules that name things: rulebook texts, glossaries, looks."""
        patterns = ("**/text/*.md", "**/*.look", "text/glossary.toml")
        return self.kept(("others", root), lambda: sorted(file for p in patterns for file in root.glob(p)))

    # ------------------------------------------------------------ what holds for a moment

    def report(self, root: Path) -> CheckReport:
        """The report on the game in a folder, with the texts as they are now. Raises UnusablePath."""
        found = self.kept(("report", root), lambda: check_game(root, games=self.games))
        self.checked[root] = found
        return found

    def sound(self, root: Path) -> GameFiles | None:
        """The game as its texts are now, if its rules have no mistakes; None before they are checked."""
        report = self.present(root)
        rules: CheckReport | None = self._kept.get(("rules", root), report)  # type: ignore[assignment]
        refused = rules is None or rules.has_errors if report is None else not report.programs
        return None if refused or rules is None else rules.files

    def present(self, root: Path) -> CheckReport | None:
        """The report on the game with the texts as they are now; None before it was made."""
        return self._kept.get(("report", root))  # type: ignore[return-value]

    def knows(self, key: object) -> bool:
        """Whether something is kept for the texts as they are now."""
        return key in self._kept

    def kept(self, key: object, make: Callable[[], T]) -> T:
        """What ``make`` gives for the texts as they are now, made once for all jobs until any of them changes."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]  # type: ignore[return-value]


def _rules_below(folder: Path) -> Iterator[Path]:
    """The rules files in a folder and those inside it, without hidden and crowded ones."""
    for place, inside, names in os.walk(folder):
        inside[:] = sorted(name for name in inside if not name.startswith(".") and name not in _CROWDED)
        for name in sorted(names):
            if name.endswith(".rules") and not name.startswith("."):
                yield Path(place, name)


@attrs.frozen
class Done:
    """After a step in the background: whether there is ``more`` to do, and the ``game`` whose findings are others."""

    more: bool
    game: Path | None = None
