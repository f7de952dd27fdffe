"""Diagnostics of open documents, also those of a version before the last edits."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from pathlib import Path

import attrs
from lsprotocol import types

from rulelang.codes import CODES
from rulelang.diagnostics import Diagnostic, Sink, UnusablePath
from rulelang.files import cache
from rulelang.source import NOWHERE, SourceFile, Span
from rulelang.whole_game import check_rules

from ..rulebook.glossary import read_glossary
from . import example_verdicts
from .session import Desk, Document, Lines, uri_of

Findings = dict[str, list[types.Diagnostic]]
"""Diagnostics by the URI of the document they are in."""


@attrs.define
class Held:
    """Of one game: what is known of its ``rules``, and of the ``others`` with the open texts they were found in."""

    rules: Findings = attrs.field(factory=dict)
    others: Findings = attrs.field(factory=dict)
    _texts: dict[str, Lines] = attrs.field(factory=dict)

    def with_rules(self, rules: Findings, documents: Mapping[str, Document]) -> Findings:
        """All findings, with those about the rules as they are now."""
        self.rules = rules
        return _together(rules, self._moved(documents))

    def with_all(self, found: Findings, documents: Mapping[str, Document], *, complete: bool) -> Findings:
        """All findings. ``complete``: whether everything was looked at; else what was found before is held."""
        if not complete:
            return _together(found, self._moved(documents))
        self.others = {  # verdicts on examples are never held: they are about the rules as they were
            uri: [d for d in ds if d not in self.rules.get(uri, ()) and d.code != example_verdicts.CODE]
            for uri, ds in found.items()
        }
        self._texts = {uri: document.lines for uri, document in documents.items() if self.others.get(uri)}
        return found

    def _moved(self, documents: Mapping[str, Document]) -> Findings:
        for uri, diagnostics in self.others.items():
            before, document = self._texts.get(uri), documents.get(uri)
            if before is not None and document is not None and document.lines.text != before.text:
                self.others[uri] = moved(diagnostics, before, document.lines)
                self._texts[uri] = document.lines
        return self.others


def _together(a: Findings, b: Findings) -> Findings:
    uris = dict.fromkeys([*a, *b])
    return {uri: [*a.get(uri, ()), *(d for d in b.get(uri, ()) if d not in a.get(uri, ()))] for uri in uris}


def moved(diagnostics: list[types.Diagnostic], before: Lines, after: Lines) -> list[types.Diagnostic]:
    """The diagnostics of a text in its next version; those in lines that were edited are left out."""
    old, new = before.every_line, after.every_line
    shorter = min(len(old), len(new))
    first = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    last = next((i for i in range(shorter - first) if old[-1 - i] != new[-1 - i]), shorter - first)
    end, by = len(old) - last, len(new) - len(old)
    found = []
    for diagnostic in diagnostics:
        where = diagnostic.range
        if where.end.line < first:
            found.append(diagnostic)
        elif where.start.line >= end:
            found.append(attrs.evolve(diagnostic, range=_down(where, by)))
    return found


def _down(where: types.Range, lines: int) -> types.Range:
    return types.Range(
        types.Position(where.start.line + lines, where.start.character),
        types.Position(where.end.line + lines, where.end.character),
    )


_PAGES = Path(__file__).resolve().parents[2] / "docs" / "codes"
"""Where the pages lie in a checkout. An installed package has none."""


@functools.cache
def page_of(code: str) -> str | None:
    """The URI of a code's page, or without a checkout of one with the code's entry; None if there is none."""
    if code not in CODES:
        return None
    page = _PAGES / f"{code}.md"
    if not page.is_file():
        folder = cache.room("codes")
        if folder is None:
            return None
        page = folder / f"{code}.md"
        try:
            page.unlink(missing_ok=True)  # whatever it is, a link to somewhere else included
            page.write_text(f"# {code}: {CODES[code].told}\n", encoding="utf-8")
        except OSError:
            return None
    return uri_of(page)


_SEVERITY = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
_WHOLE = Span("", 1, 1, 1, 2)


def check(desk: Desk, root: Path) -> tuple[Findings, bool]:
    """All findings about the game in a folder, with the texts as they are now, and whether all of it was looked at.

    The report goes to ``desk.checked``.
    """
    try:
        report = desk.report(root)
    except UnusablePath as problem:
        desk.checked.pop(root, None)
        return {document.uri: [_unusable(str(problem))] for document in desk.open_below(root)}, True
    found, sources = Sink(), dict(report.sources)
    found.extend([*report.diagnostics, *example_verdicts.failures(desk, root)])
    read_glossary(root / "text", found, sources)
    return shown(desk, found, sources), bool(report.programs)


def check_rules_alone(desk: Desk, root: Path, failed: Iterable[Diagnostic] = ()) -> Findings | None:
    """The findings about the rules of a game, without its examples, variants and texts, beside what ``failed``; None if
    all are known."""
    if desk.knows(("report", root)):
        return None
    try:
        report = desk.kept(("rules", root), lambda: check_rules(desk.games, root))
    except UnusablePath:
        return None
    return shown(desk, [*report.diagnostics, *failed], report.sources)


def check_alone(document: Document) -> Findings:
    """What can be said of a file that belongs to no game."""
    if document.suffix != ".rules":
        return {document.uri: []}
    message = "This file belongs to no game: no folder from here upwards has a file that starts with `game NAME`."
    return {document.uri: [_unusable(message)]}


def shown(desk: Desk, found: Iterable[Diagnostic], sources: Mapping[str, SourceFile]) -> Findings:
    """Findings by document. ``sources``: the texts they are about, by the names that spans have."""
    places = _Places(desk, sources)
    made: Findings = {}
    for finding in found:
        made.setdefault(places.uri(finding.span), []).append(_shown(finding, places))
    return made


class _Places:
    """URIs and ranges of spans, each text cut into lines once."""

    def __init__(self, desk: Desk, sources: Mapping[str, SourceFile]) -> None:
        self._desk = desk
        self._sources = sources
        self._known: dict[str, tuple[str, Lines]] = {}

    def uri(self, span: Span) -> str:
        return self._of(span.file)[0]

    def range(self, span: Span) -> types.Range:
        """The first line of a span: a whole table that is underlined says no more, and is hard to read."""
        last = span.end_column if span.end_line == span.line else 1_000_000
        return self._of(span.file)[1].range(Span(span.file, span.line, span.column, span.line, last))

    def _of(self, file: str) -> tuple[str, Lines]:
        if file not in self._known:
            path = Path(file).resolve()
            document = self._desk.open_at(path)
            source = self._sources.get(file)
            if document is not None:
                self._known[file] = document.uri, document.lines
            else:
                self._known[file] = uri_of(path), Lines.of(source.text if source is not None else "")
        return self._known[file]


def _shown(finding: Diagnostic, places: _Places) -> types.Diagnostic:
    page = page_of(finding.code)
    related = [
        types.DiagnosticRelatedInformation(types.Location(places.uri(label.span), places.range(label.span)), label.text)
        for label in finding.labels
        if label.span != NOWHERE
    ]
    return types.Diagnostic(
        range=places.range(finding.span),
        message=finding.message if finding.help is None else f"{finding.message}\n{finding.help}",
        severity=_SEVERITY[finding.severity],
        code=finding.code,
        code_description=None if page is None else types.CodeDescription(page),
        source="rulelang",
        related_information=related or None,
    )


def _unusable(message: str) -> types.Diagnostic:
    return types.Diagnostic(Lines.of("").range(_WHOLE), message, types.DiagnosticSeverity.Warning, source="rulelang")
