"""Messages of the protocol that need care: what is no message at all, and edits of documents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import LanguageServerProtocol, lsp_method

from .documents import Document, path_of

if TYPE_CHECKING:
    from .server import Server

MOST = 64_000_000
"""Bytes of the longest message."""


class Reader:
    """Standard input, where lines that are no header and lengths that cannot be are passed over."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readline(self) -> bytes:
        line = self._stream.readline(MOST)
        name, _, length = line.partition(b":")
        if name.strip().lower() != b"content-length":
            return line
        number = length.strip()
        return b"Content-Length: %d\r\n" % int(number) if number.isdigit() and len(number) < 20 else b"-\r\n"

    def read(self, size: int) -> bytes:
        """A message; one that is too long is read and left out."""
        if size <= MOST:
            return self._stream.read(size)
        while size > 0:
            part = self._stream.read(min(size, MOST))
            if not part:
                return b""
            size -= len(part)
        return b"null"


def _folders(params: types.InitializeParams) -> tuple[Path, ...]:
    """The folders open in the editor."""
    given = [folder.uri for folder in params.workspace_folders or []]
    if not given and params.root_uri is not None:
        given = [params.root_uri]
    found = [path_of(uri) for uri in given]
    return tuple(path for path in found if path is not None)


class Messages(LanguageServerProtocol):
    """Answers messages that are none, keeps documents on the desk, and counts positions in UTF-16 for every editor."""

    _server: Server

    def structure_message(self, data: dict[str, Any]) -> Any:
        try:
            return super().structure_message(data)
        except JsonRpcException:
            if "method" in data and isinstance(data.get("id"), int | str):
                problem = JsonRpcInvalidParams(f"The parameters of {data['method']!r} are not as they should be.")
                self._send_response(data["id"], error=problem.to_response_error())
            raise

    def handle_message(self, message: Any) -> None:
        if hasattr(message, "jsonrpc"):
            super().handle_message(message)

    # ------------------------------------------------------------ the start

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Any:
        if params.capabilities.general is not None:
            params.capabilities.general.position_encodings = None
        self._server.desk.folders = _folders(params)
        self._server.desk.language = params.locale
        return (yield from super().lsp_initialize(params))

    # ------------------------------------------------------------ documents

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        opened = params.text_document
        self._put(Document.of(opened.uri, opened.text, opened.version))

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        uri, version = params.text_document.uri, params.text_document.version
        document = self._server.desk.documents.get(uri) or Document.of(uri, "")
        self._put(document.edited(params.content_changes, version))

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        self._server.desk.documents.pop(params.text_document.uri, None)
        self._changed(params.text_document.uri)

    def _put(self, document: Document) -> None:
        self._server.desk.documents[document.uri] = document
        self._changed(document.uri)

    def _changed(self, uri: str) -> None:
        self._server.desk.changes += 1
        self._server.checker.edited(uri)
