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

    from interpreter.examples import ExampleResult

_SIGNS = {"passed": ("✓", "green"), "failed": ("✗", "red"), "error": ("!", "bold red")}


def command(
    paths: GamePaths,
    examples: Annotated[
        list[Path] | None,
        typer.Option(
            "--examples", metavar="FILE", help="Runs the examples of this file against the game (repeatable)."
        ),
    ] = None,
    option: Settings = None,
    variant: Variants = None,
    format: FormatOption = Format.text,
) -> None:
    """Runs the examples of a game and tells which rules no example touches.

    A failing example shows what its rulebook says and what the rules did. Exit status 1 when one fails.

    \b
    Example:
      rulelang test rules/mygame
    """
    from interpreter.examples import run_examples
    from rulelang.diagnostics import RulesError, UnusablePath

    results: list[ExampleResult] = []
    coverage: Counter[str] = Counter()
    chosen = read_settings(option)
    files = [str(file) for file in examples or ()]
    for path in paths:
        try:
            report = run_examples(str(path), settings=chosen, variants=list(variant or ()), files=files)
        except UnusablePath as error:
            fail(str(error))
        except RulesError as error:
            show_findings(error.diagnostics, error.sources, format)
            raise typer.Exit(FINDINGS) from None
        results += report.results
        coverage.update(report.coverage)
    if format is Format.json:
        emit({"examples": [_json(result) for result in results], "coverage": {"rules": dict(coverage)}})
    else:
        _show(console(), results, coverage)
    wrong = [result for result in results if result.status != "passed"]
    if not results:
        say("there are no examples")
    raise typer.Exit(FINDINGS if wrong else 0)


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
        out.print(Text(touched + ("; never: " if untouched else "")).append(", ".join(untouched), style="yellow"))
