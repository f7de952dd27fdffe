"""Results of examples for people and as JSON: one by one, and those of a game under a variant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from interpreter.examples import ExampleReport, ExampleResult
from interpreter.examples.results import NotRun
from interpreter.outcomes import Change, Comparison, Group, grouped

from ..loading import count

if TYPE_CHECKING:
    from rich.console import Console

_SIGNS = {"passed": ("✓", "green"), "failed": ("✗", "red"), "error": ("!", "bold red")}
_WIDTH = 120


def show(out: Console, reports: Sequence[ExampleReport]) -> None:
    """Each example with its failures, how many passed, and the rules that none ran."""
    show_results(out, [result for report in reports for result in report.results])
    coverage: Counter[str] = Counter()
    for report in reports:
        coverage.update(report.coverage)
    _show_not_run(out, [left for report in reports for left in report.not_run])
    _show_coverage(out, coverage)


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
        touched = f"{len(coverage) - len(untouched)} of {count(len(coverage), 'rule')} run in an example"
        out.print(Text(touched + ("; not run: " if untouched else "")).append(", ".join(untouched), style="yellow"))


# ---------------------------------------------------------------- under a variant


def show_comparison(out: Console, game: str, names: Sequence[str], found: Comparison) -> None:
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
            out.print(Text(f"\n{title}: {count(number, 'example')}", style="bold"))
        for group in groups:
            _show_group(out, group)
    _show_not_run(out, found.own.not_run)
    for name in found.gone:
        out.print(Text(f"{name} is expected to come out differently, but does not"), style="yellow")


def _summary(found: Comparison, same: int) -> str:
    number = len(found.changes)
    if not number:
        return f"all {found.examples} come out the same" if found.examples else "the game has no examples"
    text = f"{same} of {found.examples} come out the same, {number} differently"
    expected = number - len(found.unexpected)
    return text + (f" ({expected} as {found.accepted.path.name} expects)" if expected else "")


def _show_group(out: Console, group: Group) -> None:
    where = f"{group.cause.rule}: " if group.cause.rule is not None else ""
    out.print(Text(f"  {where}{group.cause.change}", style="cyan").append(_number(group), style="dim"), soft_wrap=True)
    told: set[tuple[str, ...]] = set()
    for change in group.changes:
        line = Text("    ").append(_ends(change), style=_SIGNS[change.status][1]).append(f" {change.name}")
        if change.printed:
            line.append(f"  {_cited(change.before)}", style="dim")
        out.print(line, soft_wrap=True)
        if change.differences not in told and len(told) < _TOLD:
            told.add(change.differences)
            out.print(Text(f"        {short(change)}", style="dim"), soft_wrap=True)


_TOLD = 3
"""So many different outcomes are shown of each group."""


def _ends(change: Change) -> str:
    """How an example ends with the variant, if it ended otherwise without."""
    return {"passed": "~", "failed": "✗", "error": "!"}[change.status]


def _number(group: Group) -> str:
    return f"  ({count(len(group.changes), 'example')})" if len(group.changes) > 1 else ""


def short(change: Change) -> str:
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


def comparison_as_json(found: Sequence[Comparison]) -> dict[str, Any]:
    """``changed``: each example of the game that comes out differently; ``groups``: their names by what causes it."""
    changes = [change for each in found for change in each.changes]
    return {
        "changed": [_changed(change) for change in changes],
        "groups": [_group(group) for each in found for group in grouped(each.changes)],
        "base": {
            "examples": sum(each.examples for each in found),
            "changed": len(changes),
            "expected": sum(change.expected for change in changes),
            "gone": [name for each in found for name in each.gone],
        },
    }


def _changed(change: Change) -> dict[str, Any]:
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


def _group(group: Group) -> dict[str, Any]:
    return {
        "rule": group.cause.rule,
        "change": group.cause.change,
        "printed": group.printed,
        "examples": _names(group.changes),
    }


def _names(changes: Iterable[Change]) -> list[str]:
    return [change.name for change in changes]
