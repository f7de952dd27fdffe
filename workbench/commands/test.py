"""``rulelang test``: runs the examples of a game, or of a variant."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import attrs
import typer

from ..arguments import FormatOption, GamePaths, Settings, Variants
from ..arguments import settings as read_settings
from ..engines import Engine, EngineOption
from ..loading import count, loading_errors, show_findings
from ..output import FINDINGS, Format, console, emit, fail, findings, say, tell

if TYPE_CHECKING:
    from interpreter.examples import ExampleReport
    from interpreter.outcomes import Comparison
    from rulelang.diagnostics import RulesError


@attrs.define
class _Asked:
    """What the command line asks for, of one PATH. ``variants``: names, with that of the path itself."""

    path: str
    settings: dict[str, str]
    variants: list[str]
    files: list[str]
    engine: str
    game: str = ""
    names: tuple[str, ...] = ()
    base: frozenset[str] = frozenset()
    """The files of the game without its variants."""


def command(
    paths: GamePaths,
    examples: Annotated[
        list[Path] | None,
        typer.Option(
            "--examples", metavar="FILE", help="Runs the examples in this file against the game (repeatable)."
        ),
    ] = None,
    update: Annotated[
        bool,
        typer.Option(
            "--update",
            help="Rewrites values that the examples expect to the actual ones, and shows each change. With --variant,"
            " the game's own examples stay as they are; their outcomes are kept in NAME.expected beside the variant.",
        ),
    ] = False,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="With --variant: the exit status is also 1 if an example of the game turns out differently, unless"
            " the variant expects it.",
        ),
    ] = False,
    strength: Annotated[
        bool,
        typer.Option("--strength", help="Changes the rules word by word, and lists what no example notices."),
    ] = False,
    rule: Annotated[
        str | None, typer.Option("--rule", metavar="ID", help="With --strength: only in this item.")
    ] = None,
    minutes: Annotated[float, typer.Option("--minutes", min=0.01, help="With --strength: time for the changes.")] = 1,
    games: Annotated[
        Path | None,
        typer.Option("--games", metavar="PATH", help="Follows saved games, a folder of them or one; --update accepts."),
    ] = None,
    option: Settings = None,
    variant: Variants = None,
    engine: EngineOption = Engine.reference,
    format: FormatOption = Format.text,
) -> None:
    """Runs the examples of a game and lists the rules that no example runs.

    A failing example shows what was expected and what the rules did. With --variant, the variant's own examples come
    first; then the game's examples that turn out differently with it, grouped by the rule that makes the difference,
    those printed in a rulebook apart; all that on the reference engine only. The exit status is 1 if an example fails;
    of a variant, one of its own.

    \b
    Example:
      rulelang test rules/mygame
      rulelang test rules/mygame --variant long --strict
      rulelang test rules/mygame --strength --rule turn
      rulelang test rules/mygame --games evenings
    """
    from rulelang.diagnostics import RulesError, UnusablePath

    if strength:
        return _strength(paths, rule, minutes, format)
    if games is not None:
        return _games(paths, games, update, format)
    chosen = read_settings(option)
    if update and chosen:
        fail("--update accepts what comes out with the settings as they are; leave out --option, or use `with`")
    files = [str(file) for file in examples or ()]
    asked = [_Asked(str(path), chosen, list(variant or ()), files, str(engine)) for path in paths]
    reports: list[ExampleReport] = []
    compared: list[tuple[_Asked, Comparison]] = []
    try:
        for each in asked:
            _look(each)
            if each.names and not each.files:
                if engine is not Engine.reference:
                    fail("what a variant changes is compared on the reference engine; leave out --engine")
                compared.append((each, _compared(each, update)))
            else:
                reports.append(_run(each, update))
    except UnusablePath as error:
        fail(str(error))
    except RulesError as error:
        show_findings(error.diagnostics, error.sources, format)
        _tell_left_out(asked, error)
        raise typer.Exit(FINDINGS) from None
    _tell(reports, compared, format)
    wrong = any(not r.passed for r in (*reports, *(comparison.own for _, comparison in compared)))
    differs = strict and any(c.unexpected or c.gone for _, c in compared)
    stopped = any(report.stopped for report in (*reports, *(comparison.own for _, comparison in compared)))
    raise typer.Exit(_INTERRUPTED if stopped else FINDINGS if wrong or differs else 0)


def _games(paths: list[Path], place: Path, update: bool, format: Format) -> None:
    """Follows saved games under the rules as they are."""
    from ..bench.diff.games_kept import as_json, replay, told
    from ..savefile import read

    if len(paths) != 1:
        fail("--games: name one game, whose games they are")
    with loading_errors(format):
        report = replay(paths[0], place, update, lambda file: read(file).game)
    if format is Format.json:
        emit(as_json(report))
    else:
        for line in told(report):
            tell(line)
    raise typer.Exit(_INTERRUPTED if report.stopped else 0 if report.passed else FINDINGS)


def _strength(paths: list[Path], rule: str | None, minutes: float, format: Format) -> None:
    """Lists the changes of the rules that no example of each game notices."""
    from ..bench.diff.strength import as_json, strength, told

    for path in paths:
        with loading_errors(format):
            found = strength(path, rule, 60 * minutes)
        if format is Format.json:
            emit(as_json(found))
        else:
            for line in told(found):
                tell(line)


_INTERRUPTED = 130
_NAMED = 5
"""Examples that are named of those with one mistake in their way."""


def _tell_left_out(asked: list[_Asked], error: RulesError) -> None:
    """Says which examples were not run, and which mistake in the rules stands in the way of each."""
    from interpreter.examples.runner import left_out
    from rulelang import workspace
    from rulelang.diagnostics import RulesError, Sink, UnusablePath

    for each in asked:
        with contextlib.suppress(RulesError, UnusablePath):
            files, names = workspace.default().open(each.path, each.variants, Sink(), notes=False)
            found = left_out(files, error.diagnostics, variants=names)
            by_reason: dict[str, list[str]] = {}
            for one in found:
                by_reason.setdefault(one.why, []).append(one.name)
            for why, left in by_reason.items():
                more = f" and {len(left) - _NAMED} more" if len(left) > _NAMED else ""
                say(f"{count(len(left), 'example')} not run: {why}: {', '.join(left[:_NAMED])}{more}")


def _look(asked: _Asked) -> None:
    """Notes the names of the variants asked for, and the files of the game itself."""
    from rulelang import workspace

    files, asked.names = workspace.default().open(asked.path, asked.variants)
    asked.game = files.game.name if files.game is not None else ""
    asked.base = frozenset(file.span.file for file in (*files.parts, *files.examples))


def _run(asked: _Asked, update: bool) -> ExampleReport:
    from interpreter.examples import run_examples

    report = run_examples(asked.path, asked.settings, asked.variants, asked.files, asked.engine)
    if report.stopped:
        _tell_stopped(report, update)
        return report
    if update and _accepted(report, asked.base if asked.names else frozenset()):
        report = run_examples(asked.path, asked.settings, asked.variants, asked.files, asked.engine)
    return report


def _tell_stopped(report: ExampleReport, update: bool) -> None:
    if report.stopped and update:
        say("stopped before every example had run; nothing was rewritten")


def _compared(asked: _Asked, update: bool) -> Comparison:
    from interpreter.outcomes import compare, write_accepted
    from rulelang.files.folder import shown

    from .examples_shown import short

    found = compare(asked.path, asked.variants, asked.settings)
    if not update or found.own.stopped:
        _tell_stopped(found.own, update)
        return found
    rewritten = _accepted(found.own, asked.base)
    outcomes = {change.name: change.differences for change in found.changes}
    if write_accepted(found.accepted, asked.game, asked.names, outcomes):
        for change in found.unexpected:
            say(f"{change.name}: {short(change)}")
        where = shown(found.accepted.path)
        say(f"{count(len(outcomes), 'outcome')} kept in {where}" if outcomes else f"{where} is not needed any more")
        rewritten = True
    return compare(asked.path, asked.variants, asked.settings) if rewritten else found


def _accepted(report: ExampleReport, untouched: frozenset[str]) -> bool:
    """Rewrites the values that the examples expect to the actual ones; whether there were any."""
    from interpreter.examples import accept

    changes = accept(report, untouched)
    for change in changes:
        say(f"{change.file}:{change.line}: {change.old} -> {change.new}")
    say(f"{count(len(changes), 'value')} rewritten")
    if any(result.file in untouched and result.status != "passed" for result in report.results):
        say("examples of the game itself stay as they are; without --examples, the variant keeps how they come out")
    return bool(changes)


# ---------------------------------------------------------------- telling


def _tell(reports: list[ExampleReport], compared: list[tuple[_Asked, Comparison]], format: Format) -> None:

    from .examples_shown import comparison_as_json, show, show_comparison

    every = [*reports, *(comparison.own for _, comparison in compared)]
    for report in every:
        if report.diagnostics:
            findings(report.diagnostics, report.sources, err=True)
    if format is Format.json:
        coverage: Counter[str] = Counter()
        for report in every:
            coverage.update(report.coverage)
        data: dict[str, Any] = {"examples": list(_examples(every)), "coverage": {"rules": dict(coverage)}}
        data["not_run"] = [attrs.asdict(left) for report in every for left in report.not_run]
        emit(data | (comparison_as_json([c for _, c in compared]) if compared else {}))
        return
    out = console()
    if reports:
        show(out, reports)
    for asked, comparison in compared:
        show_comparison(out, asked.game, asked.names, comparison)
    if not any(report.results or report.not_run for report in every) and not compared:
        say("no examples found")


def _examples(reports: list[ExampleReport]) -> Iterator[dict[str, Any]]:
    from .examples_shown import as_json

    return (as_json(result) for report in reports for result in report.results)
