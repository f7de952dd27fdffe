"""The rules in a page: what an editor's language server would say of them, asked by the page itself.

The texts are those of the page. They reach the folder of the game, where its table finds them, when they can be played.
Where people write in an editor of their own it is the other way round: the page has the texts of the folder.
"""

from __future__ import annotations

import base64
import io
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

import attrs
from lsprotocol import types

from rulelang.api import replace_file
from rulelang.codes import CODES
from rulelang.diagnostics import Sink
from rulelang.files.contents import KINDS, inside
from rulelang.syntax import layout
from rulelang.syntax.mistakes import keywords
from rulelang.workspace import Workspace

from . import completion, document_diagnostics, example_verdicts, features, hover, outline, quick_fixes
from .session import Desk, Document, Lines, read, uri_of

_ASKED: Mapping[str, Callable[[Desk, Document, Any], Any]] = {
    "complete": completion.complete,
    "hover": hover.hover,
    "colours": outline.colours,
    "format": features.format_document,
}
"""What a page asks about one of its texts."""

_FIXED = 40
"""Findings that are shown with their fixes."""


class _Page:
    """The client of the desk: it looks again by itself, and knows no editor's commands."""

    capabilities = types.ClientCapabilities()

    def notify(self, method: str, params: Any) -> None:
        """Nobody listens."""

    def request(self, method: str, params: Any) -> None:
        """Nobody listens."""


class Editing:
    """The texts in the ``folder`` of a game. What pages are told is JSON, with places as the protocol counts them:
    lines from 0, and UTF-16 units."""

    def __init__(self, folder: str) -> None:
        self._root = Path(folder).resolve()
        self._desk = Desk(Workspace(edits=True), _Page(), (self._root,))
        self._written: dict[Path, str] = {}
        self._checked = self._glanced = -1
        self._held = document_diagnostics.Held()
        self._saved = False
        self.reread()
        self._saved = False

    def begins(self) -> str:
        """What a page begins with: ``{"files": {path: text}, "keywords": [...], "legend": [...]}``."""
        files = {self._name(document): document.text for document in self._desk.documents.values()}
        return json.dumps({"files": files, "keywords": sorted(keywords()), "legend": outline.LEGEND.token_types})

    # ------------------------------------------------------------ texts

    def reread(self) -> bool:
        """Takes the texts as they lie in the folder; whether any is another now, new or gone."""
        there = [file for file in sorted(self._root.rglob("*")) if file.suffix in KINDS and file.is_file()]
        found = {file.resolve(): document.text for file in there if (document := read(file)) is not None}
        changed = [file for file in {**found, **self._written} if found.get(file) != self._written.get(file)]
        for file in changed:
            if file in found:
                self._put(file, found[file])
            else:
                self._desk.documents.pop(uri_of(file), None)
                self._desk.changes += 1
        self._written = found
        self._saved = self._saved or bool(changed)
        return bool(changed)

    def mend(self, edits: Mapping[str, Sequence[Mapping[str, Any]]]) -> bool:
        """Carries out a fix in the folder; False where its texts are no longer those that it was found in. Raises
        OSError."""
        files = {name: inside(self._root / name, self._root) for name in edits}
        sources = {name: layout.read(file, name, Sink(), self._root) for name, file in files.items()}
        texts = {name: None if source is None else source.text for name, source in sources.items()}
        if any(self._written.get(files[name]) != text for name, text in texts.items()):
            return False
        for name, own in edits.items():
            source = sources[name]
            assert source is not None
            lines = Lines.of(source.text)
            text = lines.text
            for edit in sorted(own, key=lambda one: lines.offset(_start(one)), reverse=True):
                end = types.Position(**edit["range"]["end"])
                text = f"{text[: lines.offset(_start(edit))]}{edit['newText']}{text[lines.offset(end) :]}"
            replace_file(files[name], ("\ufeff" if source.bom else "") + text.replace("\n", source.newline))
        return True

    def edit(self, name: str, text: str | None) -> None:
        """A text is another now, or new; None: it is gone. Names that lead out of the folder are none."""
        file = (self._root / name).resolve()
        if not file.is_relative_to(self._root) or file.suffix not in KINDS:
            return
        if text is None:
            self._desk.documents.pop(uri_of(file), None)
            file.unlink(missing_ok=True)
            self._written.pop(file, None)
            self._desk.changes += 1
        else:
            self._put(file, text)

    def _put(self, file: Path, text: str) -> None:
        uri = uri_of(file)
        self._desk.documents[uri] = Document(uri, file, Lines.of(text), 1)
        self._desk.changes += 1

    def _name(self, document: Document) -> str:
        assert document.path is not None
        return document.path.relative_to(self._root).as_posix()

    def _write(self) -> bool:
        """Puts the texts where the table reads them; whether any was another."""
        news, self._saved = self._saved, False
        for document in self._desk.documents.values():
            file = document.path
            if file is not None and self._written.get(file) != document.text:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(document.text, encoding="utf-8")
                self._written[file] = document.text
                news = True
        return news

    def archive(self) -> str:
        """All texts in the folder of the game as a zip archive, in base64."""
        held = io.BytesIO()
        with zipfile.ZipFile(held, "w") as archive:
            for document in self._desk.documents.values():
                archive.writestr(f"{self._root.name}/{self._name(document)}", document.text)
        return base64.b64encode(held.getvalue()).decode()

    # ------------------------------------------------------------ what is found

    def step(self) -> str:
        """The next thing to do: a check, of the rules alone first, then examples, some at a time. ``{"more": bool}``
        and, where they are others, ``"findings": {path: [...]}``, ``"examples": [...]`` and ``"playable"``: whether the
        table can follow."""
        self._desk.catch_up()
        told: dict[str, Any] = {}
        if self._glanced != self._desk.changes:
            self._glanced = self._desk.changes
            rules = document_diagnostics.check_rules_alone(self._desk, self._root)
            told = {"more": True}
            if rules is not None:
                told |= self._shown(self._held.with_rules(rules, self._desk.documents), mended=False)
        elif self._checked != self._desk.changes:
            self._checked = self._desk.changes
            told = self._look() | {"more": True}
            report = self._desk.present(self._root)
            is_sound = report is not None and bool(report.programs) and not report.has_errors
            if is_sound and self._write():
                told["playable"] = True
        else:
            done = example_verdicts.run_some(self._desk)
            told["more"] = done.more
            if done.game is not None:
                told |= self._look()
            else:
                told["examples"] = self._examples()
        return json.dumps(told)

    def _look(self) -> dict[str, Any]:
        found, complete = document_diagnostics.check(self._desk, self._root)
        return self._shown(self._held.with_all(found, self._desk.documents, complete=complete))

    def _shown(self, found: document_diagnostics.Findings, *, mended: bool = True) -> dict[str, Any]:
        """``mended``: whether with fixes, which are known once everything was checked."""
        left = _FIXED if mended else 0
        shown: dict[str, list[Any]] = {}
        for uri, those in found.items():
            document = self._desk.documents.get(uri)
            if document is None:
                continue
            for each in those:
                left -= 1
                told = _plain(each) | {"fixes": list(self._fixes(document, each)) if left >= 0 else []}
                shown.setdefault(self._name(document), []).append(told)
        return {"findings": shown, "examples": self._examples()}

    def _fixes(self, document: Document, finding: types.Diagnostic) -> Iterator[dict[str, Any]]:
        context = types.CodeActionContext([finding], [types.CodeActionKind.QuickFix])
        asked = types.CodeActionParams(types.TextDocumentIdentifier(document.uri), finding.range, context)
        for action in quick_fixes.quick_fixes(self._desk, document, asked):
            if action.edit is not None and finding in (action.diagnostics or ()):
                edits = (action.edit.changes or {}).items()
                named = {self._name(self._desk.documents[uri]): _plain(own) for uri, own in edits}
                yield {"title": action.title, "edits": named}

    def _examples(self) -> list[dict[str, Any]]:
        places = example_verdicts.places_of(self._desk, self._root)
        found = []
        for verdict in example_verdicts.verdicts_of(self._desk, self._root):
            span = places.get(verdict.example)
            file = "" if span is None else Path(span.file).resolve().relative_to(self._root).as_posix()
            why = " ".join(failure.message for failure in verdict.failures[:1]) or verdict.why
            line = 0 if span is None else span.line - 1
            found.append({"id": verdict.example, "state": verdict.state, "why": why, "file": file, "line": line})
        return found

    def ask(self, what: str, name: str, line: int = 0, character: int = 0) -> str:
        """The answer of a feature about a place in a text, as the protocol has it, or ``null``."""
        self._desk.catch_up()
        document = self._desk.document(uri_of(self._root / name))
        if document is None:
            return "null"
        params = types.HoverParams(types.TextDocumentIdentifier(document.uri), types.Position(line, character))
        return json.dumps(_plain(_ASKED[what](self._desk, document, params)))

    def explained(self, code: str) -> str:
        """What a code means; nothing for one that there is not."""
        return CODES[code].told if code in CODES else ""


def _start(edit: Mapping[str, Any]) -> types.Position:
    return types.Position(**edit["range"]["start"])


def _plain(value: Any) -> Any:
    """What the protocol makes of a value: names in camel case, nothing that is not there."""
    if isinstance(value, Enum):
        return value.value
    if attrs.has(type(value)):
        fields = ((field.name, getattr(value, field.name)) for field in attrs.fields(type(value)))
        return {_camel(name): _plain(part) for name, part in fields if part is not None}
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, (list, tuple)) else value


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))
