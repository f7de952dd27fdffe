"""``rulelang test``: runs the examples of a game."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..arguments import FormatOption, GamePaths, Settings, Variants
from ..arguments import settings as read_settings
from ..loading import count, show_findings
from ..output import FINDINGS, Format, console, emit, fail, say

if TYPE_CHECKING:
    from rich.console import Console

    from interpreter.compare import Change
    from interpreter.examples import ExampleReport, ExampleResult

_SIGNS = {"passed": ("✓", "green"), "failed": ("✗", "red"), "error": ("!", "bold red")}


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
            "--update", help="Rewrites values that the examples expect to the actual ones, and shows each change."
        ),
    ] = False,
    option: Settings = None,
    variant: Variants = None,
    format: FormatOption = Format.text,
) -> None:
    """Runs the examples of a game and lists the rules that no example runs.

    A failing example shows what was expected and what the rules did. With --variant, the game's own examples that turn
    out differently with the variant are listed too. The exit status is 1 if an example fails or turns out differently.

    \b
    Example:
      rulelang test rules/mygame
    """
    from interpreter.compare import compare_examples
    from interpreter.examples import run_examples
    from rulelang.diagnostics import RulesError, UnusablePath

    results: list[ExampleResult] = []
    coverage: Counter[str] = Counter()
    changed: list[Change] = []
    chosen = read_settings(option)
    files = [str(file) for file in examples or ()]
    variants = list(variant or ())
    for path in paths:
        try:
            changes = compare_examples(str(path), variants, chosen) if variants else []
            changed += changes
            unread = sum(change.after is None for change in changes)
            if unread and not files:
                say(f"{count(unread, 'example')} cannot be read with the variant; only the differences are shown")
                continue
            report = run_examples(str(path), settings=chosen, variants=variants, files=files)
        except UnusablePath as error:
            fail(str(error))
        except RulesError as error:
            show_findings(error.diagnostics, error.sources, format)
            raise typer.Exit(FINDINGS) from None
        if update:
            report = _accept(report, str(path), chosen, variants, files)
        results += report.results
        coverage.update(report.coverage)
    if format is Format.json:
        data: dict[str, Any] = {
            "examples": [_json(result) for result in results],
            "coverage": {"rules": dict(coverage)},
        }
        emit(data | {"changed": [_changed_json(change) for change in changed]} if variants else data)
    else:
        if results:
            _show(console(), results, coverage)
        if variants:
            _show_changed(console(), changed, variants)
    wrong = [result for result in results if result.status != "passed"]
    if not results and not changed:
        say("no examples found")
    raise typer.Exit(FINDINGS if wrong or changed else 0)


def _accept(
    report: ExampleReport, path: str, settings: dict[str, str], variants: list[str], files: list[str]
) -> ExampleReport:
    """Rewrites the values that the examples expect to the actual ones, and runs the examples again."""
    from interpreter.examples import accept, run_examples

    changes = accept(report)
    for file, line, old, new in changes:
        say(f"{file}:{line}: {old} -> {new}")
    say(f"{count(len(changes), 'value')} rewritten")
    return run_examples(path, settings=settings, variants=variants, files=files) if changes else report


def _json(result: ExampleResult) -> dict[str, Any]:
    return {
        "name": result.name,
        "file": result.file,
        "line": result.line,
        "status": result.status,
        "documented": result.documented,
        "rules": list(result.rules),
        "failures": [
            {"line": f.line, "message": f.message, "expected": f.expected, "actual": f.actual} for f in result.failures
        ],
    }


def _changed_json(change: Change) -> dict[str, Any]:
    return {
        "name": change.name,
        "before": change.before.status,
        "after": change.status,
        "differences": list(change.differences),
    }


def _show(out: Console, results: list[ExampleResult], coverage: Counter[str]) -> None:
    from rich.text import Text

    for result in results:
        sign, style = _SIGNS[result.status]
        line = Text(f"{sign} ", style=style).append(result.name, style="default")
        cited = ", ".join(f"{language} {lines}" for language, lines in result.documented.items())
        line.append(f"  {cited}" if cited else "", style="dim")
        out.print(line, soft_wrap=True)
        for failure in result.failures:
            out.print(Text(f"    {result.file}:{failure.line}  ", style="dim").append(failure.message, style=style))
            if failure.expected is not None:
                out.print(Text("      expected  ", style="dim").append(str(failure.expected), style="green"))
            if failure.actual is not None:
                out.print(Text("      actual    ", style="dim").append(str(failure.actual), style="red"))
    numbers = Counter(result.status for result in results)
    out.print(Text(", ".join(f"{numbers[s]} {s}" for s in ("passed", "failed", "error") if numbers[s]), style="bold"))
    untouched = [rule for rule, number in coverage.items() if not number]
    if coverage:
        touched = f"{len(coverage) - len(untouched)} of {count(len(coverage), 'rule')} run in an example"
        out.print(Text(touched + ("; not run: " if untouched else "")).append(", ".join(untouched), style="yellow"))


def _show_changed(out: Console, changed: list[Change], variants: list[str]) -> None:
    from rich.table import Table
    from rich.text import Text

    with_ = ", ".join(Path(variant).stem for variant in variants)
    if not changed:
        out.print(Text(f"every example of the game turns out the same with {with_}"))
        return
    out.print(Text(f"turned out differently with {with_}: {count(len(changed), 'example')}", style="bold"))
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("example", no_wrap=True)
    table.add_column("without")
    table.add_column("with")
    table.add_column("difference", overflow="fold")
    for change in changed:
        first, *others = change.differences
        more = f" (and {len(others)} more)" if others else ""
        before, after = (Text(status, style=_SIGNS[status][1]) for status in (change.before.status, change.status))
        table.add_row(Text(change.name), before, after, Text(_short(first) + more))
    out.print(table)


def _short(text: str, width: int = 120) -> str:
    return text if len(text) <= width else text[: width - 4] + " ..."
