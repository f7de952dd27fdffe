"""Files that change without the editor typing in them: saved, made, deleted or renamed, here or by another program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from .documents import path_of

if TYPE_CHECKING:
    from .server import Server

PATTERN = "**/*.{rules,look,csv,md,toml,expected}"
"""The files that games are made of."""


def add(server: Server) -> None:
    """Adds what the editor tells of files."""

    def changed(params: object) -> None:
        server.desk.changes += 1
        server.checker.all_changed()

    def folders(params: types.DidChangeWorkspaceFoldersParams) -> None:
        gone = {path_of(folder.uri) for folder in params.event.removed}
        new = [path for folder in params.event.added if (path := path_of(folder.uri)) is not None]
        server.desk.folders = (*(folder for folder in server.desk.folders if folder not in gone), *new)
        changed(params)

    server.feature(types.TEXT_DOCUMENT_DID_SAVE)(changed)
    server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(changed)
    server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(folders)


def begin(server: Server) -> None:
    """Asks the editor to tell of files that change, if it can."""
    about = server.client_capabilities.workspace
    files = about.did_change_watched_files if about is not None else None
    if files is None or not files.dynamic_registration:
        return
    options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(PATTERN)])
    registration = types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    server.desk.client.request(types.CLIENT_REGISTER_CAPABILITY, types.RegistrationParams([registration]))
