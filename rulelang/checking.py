"""Checking a game as a whole: every number of players, every variant, every example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from .collection import no_collection
from .diagnostics import Diagnostic, RulesError, Sink
from .elaborate import Elaborated
from .examples import examples_in
from .files import opening
from .files.folder import GameFiles
from .link import Linked
from .program import Program
from .program.analysis.size import state_bytes
from .source import SourceFile
from .workspace import Workspace


@attrs.frozen
class CheckReport:
    """The findings of ``check``. ``games`` has one entry: name, players, rules, examples, state_bytes.

    ``files`` and ``variants`` say what was checked. ``programs``, one for each number of players, are there for whoever
    goes on to check what hangs on the rules; there are none when the rules themselves have errors.
    """

    diagnostics: list[Diagnostic]
    games: list[dict[str, Any]]
    sources: dict[str, SourceFile] = attrs.field(repr=False)
    files: GameFiles | None = attrs.field(default=None, repr=False)
    variants: tuple[str, ...] = ()
    programs: tuple[Program, ...] = attrs.field(default=(), repr=False)

    @property
    def has_errors(self) -> bool:
        return any(d.severity == "error" for d in self.diagnostics)


def check(
    workspace: Workspace,
    path: str | Path,
    settings: Mapping[str, str] | None = None,
    variants: Sequence[str | Path] = (),
) -> CheckReport:
    """All findings about the rules of the game at ``path``; see ``rulelang.check_path``."""
    settings = settings or {}
    sink = Sink()
    games: list[dict[str, Any]] = []
    sound: tuple[Program, ...] = ()
    with no_collection():
        try:
            files, names = workspace.open(path, variants, sink)
        except RulesError as error:  # a variant's file that cannot be read
            return CheckReport(error.diagnostics, games, error.sources)
        opening.check_settings(files, settings)
        if files.game is not None:
            games, sound = _check_game(workspace, files, names, settings, sink)
    return CheckReport(list(sink), games, files.sources, files, names, sound)


def _check_game(
    workspace: Workspace, files: GameFiles, variants: tuple[str, ...], settings: Mapping[str, str], sink: Sink
) -> tuple[list[dict[str, Any]], tuple[Program, ...]]:
    """The facts about the game, and its Programs if they have no errors."""
    game = files.game
    assert game is not None
    if not 1 <= game.low <= game.high <= 12:
        sink.error(
            "R0307", game.span, "A game must be for 1 to 12 players.", help="Write, for example, `players 2..4`."
        )
        return [], ()
    programs: list[Program] = []
    for players in range(game.low, game.high + 1):
        linked = workspace.linked(files, variants, sink)
        if linked is None:
            return [], ()
        made = workspace.elaborated(files, linked, players, sink, settings)
        if not sink.has_errors:
            _check_linked(workspace, files, linked, made, settings, sink)
        programs.append(made.program)
    sound = not sink.has_errors
    if sound:
        workspace.examples(files, sink, variants, settings, to_run=False)
        _check_variants(workspace, files, variants, settings, sink)
        _stand_ins(programs, sink)
    last = programs[-1]
    about = {
        "name": game.name,
        "players": [game.low, game.high],
        "rules": len(last.rules),
        "examples": sum(1 for _ in examples_in(files, variants)),
        "state_bytes": state_bytes(last),
        "variants": sorted(files.variants),
    }
    return [about], tuple(programs) if sound else ()


def _check_linked(
    workspace: Workspace, files: GameFiles, linked: Linked, made: Elaborated, settings: Mapping[str, str], sink: Sink
) -> None:
    """Runs the checks with every value of every setting in view."""
    scratch = Sink()
    open_ = workspace.elaborated(files, linked, made.program.players, scratch, settings, every_setting=True)
    workspace.check_program(made if scratch.has_errors else open_, sink)


def _check_variants(
    workspace: Workspace, files: GameFiles, chosen: tuple[str, ...], settings: Mapping[str, str], sink: Sink
) -> None:
    """Each variant of the folder must link on top of the base by itself."""
    assert files.game is not None
    players = files.game.high
    for name in files.variants:
        if name in chosen:
            continue
        linked = workspace.linked(files, [name], sink)
        if linked is not None and not sink.has_errors:
            scratch = Sink()
            made = workspace.elaborated(files, linked, players, scratch, settings, every_setting=True)
            if scratch.has_errors:
                workspace.elaborated(files, linked, players, sink, settings)
            else:
                workspace.check_program(made, sink)


def _stand_ins(programs: list[Program], sink: Sink) -> None:
    for program in programs:
        for table in program.tables.values():
            if not table.stand_ins:
                continue
            rows = f"{len(table.stand_ins)} of {len(table.domain)} rows of `{table.domain.name}`"
            where = f" ({', '.join(table.files)})" if table.files else ""
            sink.error(
                "R0801",
                table.span,
                f"With {program.players} players, {rows} are stand-ins{where}: {table.stand_in_because}.",
                help="Replace them when you know the real data, and remove the mark.",
                severity="note",
            )
