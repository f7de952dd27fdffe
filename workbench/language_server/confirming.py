"""Confirming a statement of a rulebook from where it is written."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import Any

from lsprotocol import types

from rulelang.diagnostics import Sink, UnusablePath
from rulelang.files.contents import content, home_of

from ..rulebook.corpus import Corpus, confirm
from ..rulebook.crosscheck.review import folder_at_hand, load
from .desk import Desk
from .documents import Document

CONFIRM = "rulelang.confirm"


def offers(desk: Desk, root: Path, document: Document, range_: types.Range) -> list[types.CodeAction]:
    """Confirms what the statement under the cursor says, once it is saved: the record is about files."""
    if document.suffix != ".md" or document.path is None or document.path.parent.name != "text":
        return []
    line = range_.start.line + 1
    for corpus in desk.kept(("corpora", root), lambda: _corpora(root)):
        for text in corpus.texts:
            for statement in text.statements:
                if statement.span.line == line and Path(statement.span.file).resolve() == document.path:
                    arguments: list[Any] = [str(root), statement.id, text.language]
                    title = f"Confirm that `{statement.id}` says what the rules do"
                    command = types.Command(title, CONFIRM, arguments=arguments)
                    return [types.CodeAction(title, kind=types.CodeActionKind.QuickFix, command=command)]
    return []


def carry_out(desk: Desk, root: str, statement: str, language: str) -> None:
    """Writes the confirmation down, beside the texts."""
    texts = [d for d in desk.open_below(Path(root)) if d.suffix in (".md", ".rules")]
    if any(d.path is not None and _unsaved(d) for d in texts):
        _say(desk, types.MessageType.Warning, "Save the rules and texts of this game first; only files are confirmed.")
        return
    for corpus in _corpora(Path(root)):
        if any(known.id == statement for text in corpus.texts for known in text.statements):
            done = confirm(corpus, [language], [statement], _name())
            for danger in done.refused:
                others = ", ".join(danger.others)
                message = (
                    f"`{statement}` no longer says what it said, but {others} still does; read them together first."
                )
                _say(desk, types.MessageType.Warning, message)
            if not done.refused:
                already = "" if done.changed else " already"
                _say(desk, types.MessageType.Info, f"`{statement}` ({language}) is confirmed{already}.")
            return


def _unsaved(document: Document) -> bool:
    try:
        assert document.path is not None
        there = content(document.path, home_of(document.path)).decode("utf-8-sig")
        return there != document.text.removeprefix("\ufeff")
    except (OSError, UnicodeDecodeError):
        return True


def _corpora(root: Path) -> list[Corpus]:
    sink = Sink()
    try:
        _, corpora = load(root, [], folder_at_hand(), sink, {})
    except UnusablePath:
        return []
    return [] if sink.has_errors else list(corpora)


def _name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


def _say(desk: Desk, kind: types.MessageType, message: str) -> None:
    desk.client.notify(types.WINDOW_SHOW_MESSAGE, types.ShowMessageParams(kind, message))
