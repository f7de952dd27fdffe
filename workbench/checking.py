"""Check a whole game: its rules, its examples and its rulebook texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import attrs

from rulelang import workspace
from rulelang.api import replace_file
from rulelang.collection import no_collection
from rulelang.diagnostics import Sink
from rulelang.fixes import Fix
from rulelang.fixing import TextChange, applied, changes
from rulelang.source import SourceFile, Span
from rulelang.whole_game import CheckReport, check
from rulelang.workspace import Workspace

from .pictures.looks.look_checks import check_looks
from .rulebook.glossary import read_glossary
from .rulebook.texts import check_texts


def check_game(
    path: str | Path,
    settings: Mapping[str, str] | None = None,
    variants: Sequence[str | Path] = (),
    games: Workspace | None = None,
) -> CheckReport:
    """All findings about a game: those of ``rulelang.check_path``, and those in its rulebook texts and looks.

    The texts are checked only when the rules have no errors. ``games``: the Workspace to use, for example one with
    unsaved edits; otherwise that of the process. Raises UnusablePath when there is no game at ``path``.
    """
    games = games or workspace.default()
    with no_collection():
        report = check(games, path, settings, variants)
        if report.files is None or not report.programs:
            return report
        sink = Sink()
        sink.extend(report.diagnostics)
        games.pause()
        glossary = read_glossary(report.files.root / "text", Sink(), {})
        check_texts(report.files, report.programs, report.variants, glossary, sink)
        games.pause()
        check_looks(report.files, report.programs, report.variants, games, sink)
    return attrs.evolve(report, diagnostics=list(sink), sources=report.files.sources)


# Mend a game: carry out the fixes that its authors almost certainly meant, as long as each leaves fewer errors.


_MOST = 500
"""Fixes that are tried."""

_SYNTAX = ("R01", "R02")


@attrs.frozen
class Mended:
    """A fix that was carried out at ``span``, a place in the text as it was by then."""

    fix: Fix
    span: Span


def mend_game(
    path: str | Path, settings: Mapping[str, str] | None = None, variants: Sequence[str | Path] = ()
) -> tuple[list[Mended], CheckReport]:
    """Carries out fixes in the files of a game. What was done, and the findings that are left.

    A file is replaced as a whole, with the line ends it had. Raises UnusablePath when there is no game at ``path``.
    """
    games = Workspace(edits=True)
    report = check_game(path, settings, variants, games)
    first = {_path(report, name): source for name, source in report.sources.items()}
    done: list[Mended] = []
    texts: dict[Path, SourceFile] = {}
    tried: set[tuple[str, Span]] = set()
    while (found := next(_untried(report, tried), None)) is not None and len(tried) < _MOST:
        mended, made = found
        after = {_path(report, name): applied(report.sources[name], made) for name in {c.span.file for c in made}}
        for file, source in after.items():
            games.set_text(file, source.text)
        new = check_game(path, settings, variants, games)
        if _errors(new) < _errors(report):
            report, texts = new, texts | after
            done.append(mended)
            tried.clear()  # places have moved
        else:
            for file in after:
                games.set_text(file, texts[file].text) if file in texts else games.forget(file)
    for file, source in texts.items():
        on_disk = first[file]
        replace_file(file, ("\ufeff" if on_disk.bom else "") + source.text.replace("\n", on_disk.newline))
    return done, report


def _untried(report: CheckReport, tried: set[tuple[str, Span]]) -> Iterator[tuple[Mended, tuple[TextChange, ...]]]:
    for finding in report.diagnostics:
        for fix in finding.fixes:
            key = fix.title, finding.span
            made = changes(fix, report.sources) if fix.preferred and key not in tried else None
            if made:
                tried.add(key)
                yield Mended(fix, finding.span), made


def _path(report: CheckReport, name: str) -> Path:
    known = {} if report.files is None else report.files.paths
    return Path(known.get(name, name)).resolve()


def _errors(report: CheckReport) -> tuple[int, int]:
    """How many errors there are: first those in the syntax, which hide others, then all."""
    codes = [finding.code for finding in report.diagnostics if finding.severity == "error"]
    return sum(code.startswith(_SYNTAX) for code in codes), len(codes)
