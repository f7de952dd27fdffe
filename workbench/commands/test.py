"""``rulelang test``: runs the examples of a game, or of a variant."""

from __future__ import annotations

import contextlib
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import attrs
import typer
from rich.console import Console
from rich.text import Text

from interpreter.examples import ExampleReport, ExampleResult, accept, run_examples
from interpreter.examples.example_results import NotRun
from interpreter.examples.runner import left_out
from interpreter.outcomes import ChangeGroup, ExampleChange, ExampleComparison, compare, grouped, write_accepted
from rulelang import workspace
from rulelang.diagnostics import RulesError, Sink, UnusablePath
from rulelang.files.folder import shown
from rulelang.words import several

from ..arguments import FormatOption, GamePaths, Settings, Variants
from ..arguments import settings as read_settings
from ..loading import Engine, EngineOption, loading_errors, show_findings
from ..output import FINDINGS, INTERRUPTED, Format, answer, console, emit, fail, failing, findings, say
from ..savefile import read


@attrs.define
class _Tested:
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


ExamplesOption = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE", help="Runs the examples in this file against the game (repeatable)."),
]
UpdateOption = Annotated[
    bool,
    typer.Option(
        "--update",
        help="Rewrites values that the examples expect to the actual ones, and shows each change. With --variant,"
        " the game's own examples stay as they are; their outcomes are kept in NAME.expected beside the variant.",
    ),
]
StrictOption = Annotated[
    bool,
    typer.Option(
        "--strict",
        help="With --variant: the exit status is also 1 if an example of the game turns out differently, unless"
        " the variant expects it.",
    ),
]
StrengthOption = Annotated[
    bool, typer.Option("--strength", help="Changes the rules word by word, and lists what no example notices.")
]
RuleOption = Annotated[str | None, typer.Option(metavar="ID", help="With --strength: only in this item.")]
MinutesOption = Annotated[float, typer.Option(min=0.01, help="With --strength: time for the changes.")]
GamesOption = Annotated[
    Path | None,
    typer.Option(metavar="PATH", help="Follows games: a folder of saves, a save, or a FILE.table; --update accepts."),
]


def command(
    paths: GamePaths,
    examples: ExamplesOption = None,
    update: UpdateOption = False,
    strict: StrictOption = False,
    strength: StrengthOption = False,
    rule: RuleOption = None,
    minutes: MinutesOption = 1,
    games: GamesOption = None,
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
    if strength:
        return _strength(paths, rule, minutes, format)
    if games is not None:
        return _games(paths, games, update, format)
    chosen = read_settings(option)
    if update and chosen:
        fail("--update accepts what comes out with the settings as they are; leave out --option, or use `with`")
    files = [str(file) for file in examples or ()]
    asked = [_Tested(str(path), chosen, list(variant or ()), files, str(engine)) for path in paths]
    try:
        reports, compared = _ran(asked, update)
    except UnusablePath as error:
        fail(str(error))
    except RulesError as error:
        show_findings(error.diagnostics, error.sources, format)
        _tell_left_out(asked, error)
        raise typer.Exit(FINDINGS) from None
    own = [*reports, *(comparison.own for _, comparison in compared)]
    _tell(own, reports, compared, format)
    differs = strict and any(c.unexpected or c.gone for _, c in compared)
    raise typer.Exit(_status(own, differs=differs))


def _status(own: Sequence[ExampleReport], *, differs: bool) -> int:
    if any(report.stopped for report in own):
        return INTERRUPTED
    return FINDINGS if differs or not all(report.passed for report in own) else 0


def _games(paths: list[Path], place: Path, update: bool, format: Format) -> None:
    """Follows saved games under the rules as they are."""
    from ..bench.diff.games_kept import KEPT, as_json, files_in, replay, told
    from ..table.evening_files import export
    from ..table.store import Store, UnusableFile

    if len(paths) != 1:
        fail("--games: name one game, whose games they are")
    kept = (place if place.is_dir() else place.parent) / KEPT
    with loading_errors(format), failing(UnusableFile), tempfile.TemporaryDirectory() as folder:
        if place.suffix == ".table" and place.is_file():
            kept = place.with_suffix(".expected")
            with contextlib.closing(Store(place)) as store:
                found = export(store, Path(folder))
            files = [file for file in found.files if file.suffix == ".save"]
            for line in found.unread:
                say(f"not followed: {line}")
        else:
            files = files_in(place)
        report = replay(paths[0], files, kept, update, lambda file: read(file).game)
    answer(format, as_json(report), told(report))
    raise typer.Exit(INTERRUPTED if report.stopped else 0 if report.passed else FINDINGS)


def _strength(paths: list[Path], rule: str | None, minutes: float, format: Format) -> None:
    """Lists the changes of the rules that no example of each game notices."""
    from ..bench.diff.strength import as_json, strength, told

    for path in paths:
        with loading_errors(format):
            found = strength(path, rule, 60 * minutes)
        answer(format, as_json(found), told(found))


_NAMED = 5
"""Examples that are named of those with one mistake in their way."""


def _tell_left_out(asked: list[_Tested], error: RulesError) -> None:
    """Says which examples were not run, and which mistake in the rules stands in the way of each."""
    for each in asked:
        with contextlib.suppress(RulesError, UnusablePath):
            files, names = workspace.default().open(each.path, each.variants, Sink(), notes=False)
            found = left_out(files, error.diagnostics, variants=names)
            by_reason: dict[str, list[str]] = {}
            for one in found:
                by_reason.setdefault(one.why, []).append(one.name)
            for why, left in by_reason.items():
                more = f" and {len(left) - _NAMED} more" if len(left) > _NAMED else ""
                say(f"{several(len(left), 'example')} not run: {why}: {', '.join(left[:_NAMED])}{more}")


def _ran(asked: Sequence[_Tested], update: bool) -> tuple[list[ExampleReport], list[tuple[_Tested, ExampleComparison]]]:
    """The examples of each game, or how they turn out under its variants. Raises UnusablePath and RulesError."""
    reports: list[ExampleReport] = []
    compared: list[tuple[_Tested, ExampleComparison]] = []
    for each in asked:
        _look(each)
        if each.names and not each.files:
            compared.append((each, _compared(each, update)))
        else:
            reports.append(_run(each, update))
    return reports, compared


def _look(asked: _Tested) -> None:
    """Notes the names of the variants asked for, and the files of the game itself."""
    files, asked.names = workspace.default().open(asked.path, asked.variants)
    asked.game = files.game.name if files.game is not None else ""
    asked.base = frozenset(file.span.file for file in (*files.parts, *files.examples))


def _run(asked: _Tested, update: bool) -> ExampleReport:
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


def _compared(asked: _Tested, update: bool) -> ExampleComparison:
    if asked.engine != Engine.reference:
        fail("what a variant changes is compared on the reference engine; leave out --engine")
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
        say(f"{several(len(outcomes), 'outcome')} kept in {where}" if outcomes else f"{where} is not needed any more")
        rewritten = True
    return compare(asked.path, asked.variants, asked.settings) if rewritten else found


def _accepted(report: ExampleReport, untouched: frozenset[str]) -> bool:
    """Rewrites the values that the examples expect to the actual ones; whether there were any."""
    changes = accept(report, untouched)
    for change in changes:
        say(f"{change.file}:{change.line}: {change.old} -> {change.new}")
    say(f"{several(len(changes), 'value')} rewritten")
    if any(result.file in untouched and result.status != "passed" for result in report.results):
        say("examples of the game itself stay as they are; without --examples, the variant keeps how they come out")
    return bool(changes)


# ---------------------------------------------------------------- telling


def _tell(
    every: Sequence[ExampleReport],
    reports: Sequence[ExampleReport],
    compared: Sequence[tuple[_Tested, ExampleComparison]],
    format: Format,
) -> None:
    """``every``: the ``reports``, and those of what is ``compared``."""
    for report in every:
        findings(report.diagnostics, report.sources, err=True)
    if format is Format.json:
        data: dict[str, Any] = {
            "examples": [as_json(result) for report in every for result in report.results],
            "coverage": {"rules": dict(_coverage(every))},
        }
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


# Results of examples for people and as JSON: one by one, and those of a game under a variant.


_SIGNS = {"passed": ("✓", "green"), "failed": ("✗", "red"), "error": ("!", "bold red")}
_WIDTH = 120


def show(out: Console, reports: Sequence[ExampleReport]) -> None:
    """Each example with its failures, how many passed, and the rules that none ran."""
    show_results(out, [result for report in reports for result in report.results])
    _show_not_run(out, [left for report in reports for left in report.not_run])
    _show_coverage(out, _coverage(reports))


def _coverage(reports: Sequence[ExampleReport]) -> Counter[str]:
    """How often each rule ran; 0 for one that no example runs."""
    coverage: Counter[str] = Counter()
    for report in reports:
        coverage.update(report.coverage)
    return coverage


def _show_not_run(out: Console, left: Sequence[NotRun]) -> None:
    """Examples that were not run, by what stands in their way."""
    by_reason: dict[str, list[str]] = {}
    for each in left:
        by_reason.setdefault(each.why, []).append(each.name)
    for why, names in by_reason.items():
        line = Text(f"{len(names)} not run: {why}: ", style="yellow").append(", ".join(names), style="dim")
        out.print(line, soft_wrap=True)


def show_results(out: Console, results: Sequence[ExampleResult]) -> None:
    """Nothing at all is shown of no results."""
    for result in results:
        sign, style = _SIGNS[result.status]
        line = Text(f"{sign} ", style=style).append(result.name, style="default")
        line.append(f"  {_cited(result)}" if result.documented else "", style="dim")
        out.print(line, soft_wrap=True)
        for failure in result.failures:
            out.print(Text(f"    {result.file}:{failure.line}  ", style="dim").append(failure.message, style=style))
            if failure.expected is not None:
                out.print(Text("      expected  ", style="dim").append(str(failure.expected), style="green"))
            if failure.actual is not None:
                out.print(Text("      actual    ", style="dim").append(str(failure.actual), style="red"))
            if failure.asked is not None:
                out.print(Text(f"      {failure.asked}", style="dim"))
    numbers = Counter[str](result.status for result in results)
    if results:
        out.print(Text(", ".join(f"{numbers[s]} {s}" for s in _SIGNS if numbers[s]), style="bold"))


def _cited(result: ExampleResult) -> str:
    return ", ".join(f"{language} {lines}" for language, lines in result.documented.items())


def _show_coverage(out: Console, coverage: Counter[str]) -> None:
    untouched = [rule for rule, number in coverage.items() if not number]
    if coverage:
        touched = f"{len(coverage) - len(untouched)} of {several(len(coverage), 'rule')} run in an example"
        out.print(Text(touched + ("; not run: " if untouched else "")).append(", ".join(untouched), style="yellow"))


# ---------------------------------------------------------------- under a variant


def show_comparison(out: Console, game: str, names: Sequence[str], found: ExampleComparison) -> None:
    """The variants' own examples with their verdict, then what of the game comes out differently."""
    variants = ", ".join(names)
    if found.own.results:
        out.print(Text(f"examples of {variants}", style="bold"))
        show_results(out, found.own.results)
    else:
        out.print(Text(f"{variants} has no examples of its own" if len(names) == 1 else "no examples of their own"))
    _show_coverage(out, Counter(found.own.coverage))
    same = found.examples - len(found.changes)
    out.print(Text(f"\nexamples of {game} with {variants}", style="bold"))
    out.print(Text(_summary(found, same)))
    if found.unexpected:
        out.print(Text("✗ fails, ! stops or cannot be read, ~ passes, but something else happens", style="dim"))
    for printed, title in ((True, "printed in a rulebook"), (False, "not printed in a rulebook")):
        groups = [group for group in grouped(found.unexpected) if group.printed is printed]
        if groups:
            number = sum(len(group.changes) for group in groups)
            out.print(Text(f"\n{title}: {several(number, 'example')}", style="bold"))
        for group in groups:
            _show_group(out, group)
    _show_not_run(out, found.own.not_run)
    for name in found.gone:
        out.print(Text(f"{name} is expected to come out differently, but does not"), style="yellow")


def _summary(found: ExampleComparison, same: int) -> str:
    number = len(found.changes)
    if not number:
        return f"all {found.examples} come out the same" if found.examples else "the game has no examples"
    text = f"{same} of {found.examples} come out the same, {number} differently"
    expected = number - len(found.unexpected)
    return text + (f" ({expected} as {found.accepted.path.name} expects)" if expected else "")


def _show_group(out: Console, group: ChangeGroup) -> None:
    where = f"{group.cause.rule}: " if group.cause.rule is not None else ""
    number = f"  ({several(len(group.changes), 'example')})" if len(group.changes) > 1 else ""
    out.print(Text(f"  {where}{group.cause.change}", style="cyan").append(number, style="dim"), soft_wrap=True)
    told: set[tuple[str, ...]] = set()
    for change in group.changes:
        sign, style = _SIGNS[change.status]  # how it ends with the variant, if it ended otherwise without
        line = Text("    ").append("~" if change.status == "passed" else sign, style=style).append(f" {change.name}")
        if change.printed:
            line.append(f"  {_cited(change.before)}", style="dim")
        out.print(line, soft_wrap=True)
        if change.differences not in told and len(told) < _TOLD:
            told.add(change.differences)
            out.print(Text(f"        {short(change)}", style="dim"), soft_wrap=True)


_TOLD = 3
"""So many different outcomes are shown of each group."""


def short(change: ExampleChange) -> str:
    """The most telling difference, and how many more there are."""
    first, *others = change.differences
    text = first if len(first) <= _WIDTH else first[: _WIDTH - 4] + " ..."
    return text + (f" (and {len(others)} more)" if others else "")


# ---------------------------------------------------------------- JSON


def as_json(result: ExampleResult) -> dict[str, Any]:
    return {
        "name": result.name,
        "example": result.example,
        "case": result.case,
        "file": result.file,
        "line": result.line,
        "status": result.status,
        "documented": result.documented,
        "rules": list(result.rules),
        "failures": [
            {"line": f.line, "message": f.message, "expected": f.expected, "actual": f.actual} for f in result.failures
        ],
    }


def comparison_as_json(found: Sequence[ExampleComparison]) -> dict[str, Any]:
    """``changed``: each example of the game that comes out differently; ``groups``: their names by what causes it."""
    changes = [change for each in found for change in each.changes]
    return {
        "changed": [_changed(change) for change in changes],
        "groups": [
            {
                "rule": group.cause.rule,
                "change": group.cause.change,
                "printed": group.printed,
                "examples": [change.name for change in group.changes],
            }
            for each in found
            for group in grouped(each.changes)
        ],
        "base": {
            "examples": sum(each.examples for each in found),
            "changed": len(changes),
            "expected": sum(change.expected for change in changes),
            "gone": [name for each in found for name in each.gone],
        },
    }


def _changed(change: ExampleChange) -> dict[str, Any]:
    return {
        "name": change.name,
        "before": change.before.status,
        "after": change.status,
        "differences": list(change.differences),
        "documented": change.before.documented,
        "rule": change.cause.rule,
        "change": change.cause.change,
        "expected": change.expected,
    }
