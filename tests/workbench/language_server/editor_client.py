"""An editor for tests: speaks to a real server over pipes, in this process or in a child."""

from __future__ import annotations

import itertools
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from lsprotocol import converters, types

from rulelang import workspace
from rulelang.workspace import Workspace
from workbench.language_server.lsp_server import serve

PATIENCE = 60
"""Seconds to wait for an answer before a test fails."""


class Refused(Exception):
    """The server answers with an error; ``code`` is that of the protocol."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


class _Child:
    """A server in a process of its own."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "workbench.entry", "lsp"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdin is not None and self.process.stdout is not None
        self.incoming, self.outgoing = self.process.stdin, self.process.stdout

    def close(self) -> None:
        self.incoming.close()
        self.process.wait(PATIENCE)


class _Thread:
    """A server in a thread of this process, whose Workspace is that of the process meanwhile."""

    def __init__(self) -> None:
        self._before = workspace.default()
        games = Workspace(edits=True)
        workspace.share(games)
        theirs, ours = os.pipe(), os.pipe()
        self.incoming, self.outgoing = os.fdopen(theirs[1], "wb"), os.fdopen(ours[0], "rb")
        stdin, stdout = os.fdopen(theirs[0], "rb"), os.fdopen(ours[1], "wb")
        self._thread = threading.Thread(target=serve, args=(games, stdin, stdout), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self.incoming.close()
        self._thread.join(PATIENCE)
        workspace.share(self._before)


class Editor:
    """An editor with ``folder`` open, which names its files by paths relative to it.

    ``child``: with a server in a process of its own; otherwise in a thread, which starts much faster.
    """

    def __init__(self, folder: Path, capabilities: Mapping[str, Any] | None = None, *, child: bool = False) -> None:
        self.folder = folder
        self._child = child
        self._capabilities = dict(capabilities or {})
        self._converter = converters.get_converter()
        self._numbers = itertools.count(1)
        self._answers: dict[int, queue.Queue[dict[str, Any]]] = {}
        self.texts: dict[str, str] = {}
        self._versions: dict[str, int] = {}
        self.published: dict[str, list[types.Diagnostic]] = {}
        self.log: list[dict[str, Any]] = []
        """All notifications and requests of the server, in order."""
        self._news = threading.Condition()

    # ------------------------------------------------------------ beginning and end

    def __enter__(self) -> Editor:
        if self._child:
            self._server: _Child | _Thread = _Child()
        else:
            self._server = _Thread()
        threading.Thread(target=self._listen, daemon=True).start()
        self.about = self.ask_raw(
            "initialize",
            {"processId": None, "rootUri": self.folder.as_uri(), "capabilities": self._capabilities},
        )
        self.tell("initialized", {})
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self.ask_raw("shutdown", None)
                self.tell("exit", None)
        finally:
            self._server.close()

    # ------------------------------------------------------------ documents

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str | None = None) -> str:
        """Opens a file, as it is on disk unless a text is given."""
        text = (self.folder / name).read_text(encoding="utf-8") if text is None else text
        self.texts[name], self._versions[name] = text, 1
        kind = {".rules": "rulelang"}.get(Path(name).suffix, "plaintext")
        document = {"uri": self.uri(name), "languageId": kind, "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return text

    def change(self, name: str, old: str, new: str) -> None:
        """Types ``new`` in the place of ``old``, which is in the text once."""
        text = self.texts[name]
        assert text.count(old) == 1, f"{old!r} is in {name} {text.count(old)} times"
        start = text.index(old)
        span = {"start": position(text, start), "end": position(text, start + len(old))}
        self.texts[name] = text.replace(old, new)
        self._edit(name, {"range": span, "text": new})

    def rewrite(self, name: str, text: str) -> None:
        """Replaces the whole text."""
        self.texts[name] = text
        self._edit(name, {"text": text})

    def close(self, name: str) -> None:
        del self.texts[name]
        self.tell("textDocument/didClose", {"textDocument": {"uri": self.uri(name)}})

    def _edit(self, name: str, change: dict[str, Any]) -> None:
        self._versions[name] += 1
        document = {"uri": self.uri(name), "version": self._versions[name]}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})

    def at(self, name: str, words: str, mark: str = "|") -> types.Position:
        """The position of ``words`` in an open text, which are there once; of the mark in them, if there is one."""
        plain = words.replace(mark, "", 1)
        text = self.texts[name]
        assert text.count(plain) == 1, f"{plain!r} is in {name} {text.count(plain)} times"
        found = position(text, text.index(plain) + max(words.find(mark), 0))
        return types.Position(found["line"], found["character"])

    # ------------------------------------------------------------ questions

    def ask(self, method: str, name: str, words: str | None = None, **more: Any) -> Any:
        """The result of a request about a document, or about a place in it, as lsprotocol has it."""
        params: dict[str, Any] = {"textDocument": {"uri": self.uri(name)}, **more}
        if words is not None:
            place = self.at(name, words)
            params["position"] = {"line": place.line, "character": place.character}
        return self.structured(method, self.ask_raw(method, params))

    def structured(self, method: str, result: Any) -> Any:
        """A result as lsprotocol has it."""
        kind = types.METHOD_TO_TYPES[method][1]
        answer = self._converter.structure({"jsonrpc": "2.0", "id": 1, "result": result}, kind)
        return answer.result

    def ask_raw(self, method: str, params: Any) -> Any:
        """The result of a request as plain data. Raises Refused."""
        return self.await_answer(self.begin(method, params))

    def begin(self, method: str, params: Any) -> int:
        """Sends a request and gives its number."""
        number = next(self._numbers)
        self._answers[number] = queue.Queue()
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return number

    def await_answer(self, number: int) -> Any:
        answer = self._answers[number].get(timeout=PATIENCE)
        del self._answers[number]
        if "error" in answer:
            raise Refused(answer["error"]["code"], answer["error"]["message"])
        return answer.get("result")

    def tell(self, method: str, params: Any) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def send_bytes(self, data: bytes) -> None:
        self._server.incoming.write(data)
        self._server.incoming.flush()

    # ------------------------------------------------------------ diagnostics

    def settled(self) -> dict[str, list[types.Diagnostic]]:
        """The diagnostics of all documents by relative path, once everything that was edited has been checked."""
        self.ask_raw("rulelang/settled", {})
        names = {self.uri(name): name for name in self.texts}
        return {
            names.get(uri, uri.removeprefix(f"{self.folder.as_uri()}/")): found
            for uri, found in self.published.items()
            if found
        }

    # ------------------------------------------------------------ messages

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def _listen(self) -> None:
        stream = self._server.outgoing
        while True:
            length = 0
            while (line := stream.readline().strip()) != b"":
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if not length:
                return
            self._receive(json.loads(stream.read(length)))

    def _receive(self, message: dict[str, Any]) -> None:
        if "method" not in message:
            waiting = self._answers.get(message.get("id", -1))
            if waiting is not None:
                waiting.put(message)
            return
        with self._news:
            self.log.append(message)
            if message["method"] == "textDocument/publishDiagnostics":
                params = self._converter.structure(message["params"], types.PublishDiagnosticsParams)
                self.published[params.uri] = list(params.diagnostics)
            self._news.notify_all()
        if "id" in message:
            self._send({"jsonrpc": "2.0", "id": message["id"], "result": None})

    def told(self, method: str, after: int = 0) -> dict[str, Any]:
        """The first message of this method among those from number ``after`` on, waited for."""
        with self._news:

            def there() -> list[dict[str, Any]]:
                return [message for message in self.log[after:] if message["method"] == method]

            assert self._news.wait_for(there, PATIENCE), f"{method} never came"
            return there()[0]


def position(text: str, offset: int) -> dict[str, int]:
    """The position of an offset, worked out otherwise than the server does."""
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return {"line": len(before) - 1, "character": sum(2 if ord(char) > 0xFFFF else 1 for char in before[-1])}
