"""The desk: the open documents, the games they belong to, and what was found about them.

The protocol's thread changes ``documents`` and nothing else. All work on games is done by one worker, a job at a time,
and each job begins by handing the texts as they are then to the games' Workspace.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol, TypeVar

import attrs
from lsprotocol import types

from rulelang.checking import CheckReport
from rulelang.diagnostics import Sink, UnusablePath
from rulelang.files.contents import root_of
from rulelang.files.folder import GameFiles
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
    checked: dict[Path, CheckReport] = attrs.field(factory=dict)
    _given: dict[Path, Document] = attrs.field(factory=dict)
    _kept: dict[object, object] = attrs.field(factory=dict)
    _moment: int = -1

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

    # ------------------------------------------------------------ what holds for a moment

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
