"""Findings of the checks as the diagnostics that an editor shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from lsprotocol import types

from rulelang.checking import CheckReport, check_rules
from rulelang.diagnostics import Diagnostic, Sink, UnusablePath
from rulelang.source import NOWHERE, SourceFile, Span

from ..checking import check_game
from ..rulebook.glossary import read_glossary
from . import verdicts
from .desk import Desk
from .documents import Document, uri_of
from .held import Findings
from .pages import page_of
from .positions import Lines

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
        report = report_on(desk, root)
    except UnusablePath as problem:
        desk.checked.pop(root, None)
        return {document.uri: [_unusable(str(problem))] for document in desk.open_below(root)}, True
    found, sources = Sink(), dict(report.sources)
    found.extend([*report.diagnostics, *verdicts.failures(desk, root)])
    read_glossary(root / "text", found, sources)
    return shown(desk, found, sources), bool(report.programs)


def check_rules_alone(desk: Desk, root: Path) -> Findings | None:
    """The findings about the rules of a game, without its examples, variants and texts; None if all are known."""
    if desk.knows(("report", root)):
        return None
    try:
        report = check_rules(desk.games, root)
    except UnusablePath:
        return None
    return shown(desk, report.diagnostics, report.sources)


def report_on(desk: Desk, root: Path) -> CheckReport:
    """The report on the game in a folder, with the texts as they are now. Raises UnusablePath."""
    report = desk.kept(("report", root), lambda: check_game(root, games=desk.games))
    desk.checked[root] = report
    return report


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
        return self._of(span.file)[1].range(span)

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
