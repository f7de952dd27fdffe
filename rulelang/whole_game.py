"""Checking a game as a whole: every number of players, every example, and every variant by itself."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from .collection import no_collection
from .diagnostics import Diagnostic, RulesError, Sink
from .elaborate import Elaborated
from .files import opening
from .files.folder import GameFiles
from .link import Linked
from .names.lookalikes import check_lookalikes
from .program import Program
from .program.analysis.cardinality import state_bytes
from .source import SourceFile
from .structural import Structural, frozen
from .words import several
from .workspace import Workspace


@frozen
class CheckReport(Structural):
    """The findings of ``check``. ``games`` has one entry: name, players, rules, examples, state_bytes, variants.

    Where every variant was checked, it also names those that are ``broken``.

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
    every = not variants and os.path.isdir(path)
    with no_collection():
        try:
            files, names = workspace.open(path, variants, sink, notes=not every)
        except RulesError as error:  # a variant's file that cannot be read
            return CheckReport(error.diagnostics, games, error.sources)
        opening.check_settings(files, settings)
        if files.game is not None:
            games, sound = _check_game(workspace, files, names, settings, sink)
        check_lookalikes(files.rules_and_tables, sink)
        if every:
            broken = _check_variants(workspace, files, settings, sink, rules=bool(sound))
            games = [game | {"broken": broken} for game in games]
    return CheckReport(list(sink), games, files.sources, files, names, sound)


def check_rules(workspace: Workspace, path: str | Path) -> CheckReport:
    """The findings about the rules alone, for the fewest players: no examples, no variants, no other numbers.

    It is what somebody who is writing rules wants to know first. Raises UnusablePath.
    """
    sink = Sink()
    with no_collection():
        files, names = workspace.open(path, (), sink, notes=False)
        if files.game is not None:
            _check_game(workspace, files, names, {}, sink, whole=False)
        for found in files.unsound.values():
            sink.extend(found.findings)
    return CheckReport(list(sink), [], files.sources, files, names)


def _check_game(
    workspace: Workspace,
    files: GameFiles,
    variants: tuple[str, ...],
    settings: Mapping[str, str],
    sink: Sink,
    *,
    whole: bool = True,
) -> tuple[list[dict[str, Any]], tuple[Program, ...]]:
    """The facts about the game, and its Programs if they have no errors. ``whole``: see ``check_rules``."""
    from .examples import examples_in

    game = files.game
    assert game is not None
    programs: list[Program] = []
    linked = workspace.linked(files, variants, sink)
    if linked is None:
        return [], ()
    for players in range(game.low, (game.high if whole else game.low) + 1):
        own = Sink()
        made = workspace.elaborated(files, linked, players, own, settings)
        sink.extend(_new(own, sink))
        if not sink.has_errors:
            own = Sink()
            _check_linked(workspace, files, linked, made, settings, own)
            sink.extend(_new(own, sink))
        programs.append(made.program)
    sound = not sink.has_errors
    if sound and whole:
        _check_examples(workspace, files, variants, settings, sink)
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


def _new(found: Sink, known: Sink) -> list[Diagnostic]:
    """The findings without those about types and rules that were found at the same place for fewer players.

    Their words may differ, because bounds do.
    """
    places = {(d.code, d.span, d.severity) for d in known if d.code.startswith(("R04", "R05"))}
    return [d for d in found if (d.code, d.span, d.severity) not in places]


def _check_examples(
    workspace: Workspace, files: GameFiles, variants: tuple[str, ...], settings: Mapping[str, str], sink: Sink
) -> None:
    """The game's own examples without any variant, which they never have to fit; those of the variants with them."""
    base = frozenset(file.span.file for file in (*files.parts, *files.examples))
    workspace.examples(files, sink, (), settings, base, to_run=False)
    if variants:
        own = frozenset(files.variants[name].span.file for name in variants if name in files.variants)
        workspace.examples(files, sink, variants, settings, own, to_run=False)


def _check_linked(
    workspace: Workspace, files: GameFiles, linked: Linked, made: Elaborated, settings: Mapping[str, str], sink: Sink
) -> None:
    """Runs the checks with every value of every setting in view."""
    scratch = Sink()
    open_ = workspace.elaborated(files, linked, made.program.players, scratch, settings, every_setting=True)
    workspace.check_program(made if scratch.has_errors else open_, sink)


def _check_variants(
    workspace: Workspace, files: GameFiles, settings: Mapping[str, str], sink: Sink, *, rules: bool
) -> list[str]:
    """Each variant of the folder by itself with the game, and with its examples; the names of those with mistakes.

    ``rules``: whether the game itself is sound; otherwise only the texts of variants are looked at.
    """
    sound = files.sound_variants
    broken = {file if found.name in (None, *sound) else found.name for file, found in files.unsound.items()}
    for found in files.unsound.values():
        sink.extend(found.findings)
    broken |= {name for name in sound if rules and _check_variant(workspace, files, name, settings, sink)}
    return sorted(map(str, broken))


def _check_variant(workspace: Workspace, files: GameFiles, name: str, settings: Mapping[str, str], sink: Sink) -> bool:
    """Whether the variant has mistakes; the examples in its file are checked if its rules have none."""
    assert files.game is not None
    own = Sink()
    linked = workspace.linked(files, [name], own)
    if linked is not None and not own.has_errors:
        scratch = Sink()
        made = workspace.elaborated(files, linked, files.game.high, scratch, settings, every_setting=True)
        if scratch.has_errors:
            workspace.elaborated(files, linked, files.game.high, own, settings)
        else:
            workspace.check_program(made, own)
    if not own.has_errors:
        file = frozenset({files.variants[name].span.file})
        workspace.examples(files, own, (name,), settings, file, to_run=False)
    sink.extend(own)
    return own.has_errors


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
                f"With {several(program.players, 'player')}, {rows} are stand-ins{where}: {table.stand_in_because}.",
                help="Replace them when you know the real data, and remove the mark.",
                severity="note",
            )
