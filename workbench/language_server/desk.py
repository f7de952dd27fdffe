"""The desk: the open documents, the games they belong to, and what was found about them.

The protocol's thread changes ``documents`` and nothing else. All work on games is done by one worker, a job at a time,
and each job begins by handing the texts as they are then to the games' Workspace.
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeVar

import attrs
from lsprotocol import types

from rulelang.checking import CheckReport
from rulelang.diagnostics import RulesError, Sink, UnusablePath
from rulelang.elaborate import Elaborated
from rulelang.examples.unfinished import domain_in
from rulelang.files.contents import root_of
from rulelang.files.folder import GameFiles
from rulelang.names.meaning import Meaning
from rulelang.names.symbols import Symbols
from rulelang.program import Program
from rulelang.workspace import Workspace

from . import documents
from .documents import Document

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

    # ------------------------------------------------------------ texts

    def document(self, uri: str) -> Document | None:
        """The document as it is in the editor, or on disk; None when there is none."""
        found = self.documents.get(uri)
        if found is None:
            path = documents.path_of(uri)
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
        return documents.read(path) if found is None else found

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

    def made(self, root: Path) -> Elaborated | None:
        """The Program of a game as it is now, for the most players and with every value of the settings in view.

        With mistakes in the rules it is there as far as they can be understood; None if there is no game at all.
        """

        return self.made_with(root, ())

    def made_with(self, root: Path, variants: tuple[str, ...]) -> Elaborated | None:
        """As ``made``, with variants in force."""

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
