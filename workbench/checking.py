"""Check a whole game: its rules, its examples and its rulebook texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

from rulelang import workspace
from rulelang.checking import CheckReport, check
from rulelang.collection import no_collection
from rulelang.diagnostics import Sink
from rulelang.workspace import Workspace

from .pictures.looks.check import check_looks
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
