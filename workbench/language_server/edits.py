"""Edits of texts, as an editor carries them out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lsprotocol import types

from rulelang.fixing import Change

from .desk import Desk
from .documents import Document


def workspace_edit(desk: Desk, changes: Iterable[Change]) -> types.WorkspaceEdit:
    """Changes of any of a game's files, for the texts as the desk has them; refused by the editor for later ones."""
    found: dict[Path, list[Change]] = {}
    for change in changes:
        found.setdefault(Path(change.span.file).resolve(), []).append(change)
    edits: dict[str, list[types.TextEdit]] = {}
    versions: dict[str, int | None] = {}
    for path, own in found.items():
        document = desk.document_at(path)
        if document is not None:
            edits[document.uri] = [text_edit(document, change) for change in own]
            versions[document.uri] = document.version
    if not _versioned(desk.client.capabilities):
        return types.WorkspaceEdit(changes=edits)
    return types.WorkspaceEdit(
        document_changes=[
            types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, versions[uri]), own)
            for uri, own in edits.items()
        ]
    )


def text_edit(document: Document, change: Change) -> types.TextEdit:
    """A change of this document, with the line ends it has."""
    text = change.text.replace("\n", "\r\n") if "\r\n" in document.text else change.text
    return types.TextEdit(document.lines.range(change.span), text)


def _versioned(about: types.ClientCapabilities) -> bool:
    workspace = about.workspace
    edit = workspace.workspace_edit if workspace is not None else None
    return bool(edit is not None and edit.document_changes)
