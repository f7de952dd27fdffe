"""Costs of the language server while somebody types: findings and completions after a keystroke, and its memory."""

from __future__ import annotations

import itertools
import json
import queue
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from benchmarks.rows import Row, progress
from benchmarks.subjects import ROOT

GAME, FILE, EXAMPLES = "meduris", "turn.rules", "examples/building.rules"
FINDINGS_AIM, COMPLETION_AIM, MEMORY_AIM = 100.0, 50.0, 200.0
"""Milliseconds after a keystroke, and megabytes."""

_MOST = 0.95
_PATIENCE = 120


class Typist:
    """An editor that types into one file of a game, with a server of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._numbers = itertools.count(1)
        self._answers: queue.Queue[dict[str, Any]] = queue.Queue()
        self._findings: queue.Queue[dict[str, Any]] = queue.Queue()
        self._versions = itertools.count(1)

    def __enter__(self) -> Typist:
        command = [sys.executable, "-m", "workbench.entry", "lsp"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)
        threading.Thread(target=self._listen, daemon=True).start()
        self.ask("initialize", {"processId": None, "rootUri": self.folder.as_uri(), "capabilities": {}})
        self.tell("initialized", {})
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.process.kill()
        self.process.wait()

    def open(self, name: str) -> str:
        text = (self.folder / name).read_text(encoding="utf-8")
        document = {"uri": self.uri(name), "languageId": "rulelang", "version": 0, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return text

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def type(self, name: str, line: int, column: int, old: int, new: str) -> None:
        """Types ``new`` in the place of ``old`` characters."""
        start, end = {"line": line, "character": column}, {"line": line, "character": column + old}
        document = {"uri": self.uri(name), "version": next(self._versions)}
        change = {"range": {"start": start, "end": end}, "text": new}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})

    def findings(self, name: str) -> None:
        """Waits for findings in a file."""
        while self._findings.get(timeout=_PATIENCE)["uri"] != self.uri(name):
            pass

    def ask(self, method: str, params: Any) -> Any:
        number = next(self._numbers)
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        answer = self._answers.get(timeout=_PATIENCE)
        assert answer["id"] == number and "error" not in answer, answer
        return answer.get("result")

    def tell(self, method: str, params: Any) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def megabytes(self) -> float | None:
        """The most memory that the server has used; None where the system does not tell."""
        status = Path(f"/proc/{self.process.pid}/status")
        lines = status.read_text().split("\n") if status.exists() else []
        return next((int(line.split()[1]) / 1000 for line in lines if line.startswith("VmHWM")), None)

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def _listen(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            length = 0
            while (line := stream.readline().strip()) != b"":
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if not length:
                return
            message = json.loads(stream.read(length))
            if message.get("method") == "textDocument/publishDiagnostics":
                self._findings.put(message["params"])
            elif "method" not in message:
                self._answers.put(message)


def measure(keystrokes: int, rows: list[Row]) -> None:
    """Adds rows for findings, completion and memory; ``keystrokes``: of each kind."""
    progress("the language server")
    with Typist(ROOT / "rules" / GAME) as typist:
        lines = typist.open(FILE).split("\n")
        typist.open(EXAMPLES)
        typist.ask("rulelang/settled", {})
        line = next(n for n, text in enumerate(lines) if text.strip().startswith("surely move start_goods"))
        column = lines[line].index("start_goods")
        findings: tuple[list[float], list[float]] = ([], [])
        everything, completions = [], []
        written = "start_goods"
        for number in range(keystrokes):  # an unknown name, and something that was never there, by turns
            new = f"start_good{number}" if number % 2 == 0 else f"start_goods + {number}"
            started = time.perf_counter()
            typist.type(FILE, line, column, len(written), new)
            written = new
            typist.findings(FILE)
            findings[number % 2].append(1000 * (time.perf_counter() - started))
            typist.ask("rulelang/settled", {})
            everything.append(1000 * (time.perf_counter() - started))
        typist.type(FILE, line, column, len(written), "start_goods")
        typist.ask("rulelang/settled", {})
        place = {"line": line, "character": column + 3}
        for number in range(keystrokes):
            typist.type(FILE, line, len(lines[line]), *((0, " ") if number % 2 == 0 else (1, "")))
            started = time.perf_counter()
            asked = {"textDocument": {"uri": typist.uri(FILE)}, "position": place}
            assert typist.ask("textDocument/completion", asked)["items"]
            completions.append(1000 * (time.perf_counter() - started))
        rows += [
            *_rows("a mistake is shown after a keystroke", findings[0], FINDINGS_AIM),
            *_rows("it is gone after a keystroke", findings[1], FINDINGS_AIM),
            *_rows("all findings, with variants and examples", everything, None),
            *_rows("completion right after a keystroke", completions, COMPLETION_AIM),
            Row(SECTION, "memory at its peak", "", typist.megabytes(), "MB", aim=MEMORY_AIM, at_most=True),
        ]
    progress("")


SECTION = f"the language server, in {GAME}"


def _rows(name: str, times: list[float], aim: float | None) -> list[Row]:
    slow = sorted(times)[int(_MOST * (len(times) - 1))]
    return [
        Row(SECTION, f"{name}: half of them", "", statistics.median(times), "ms", aim=aim, at_most=True),
        Row(SECTION, f"{name}: 95 %", "", slow, "ms"),
    ]
