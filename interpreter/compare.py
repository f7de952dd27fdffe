"""Comparison of a game's worked examples with and without a variant."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

import rulelang
from rulelang import examples as ex
from rulelang import workspace
from rulelang.diagnostics import Diagnostic, Sink
from rulelang.source import SourceFile

from .examples import ExampleResult, run_resolved


@attrs.frozen
class Change:
    """An example whose result differs under the variant.

    ``after``: None when the example cannot be read with the variant. ``differences``: for people to read, the most
    telling first.
    """

    name: str
    before: ExampleResult
    after: ExampleResult | None
    differences: tuple[str, ...]

    @property
    def status(self) -> str:
        """How the example ends under the variant: passed (with a different outcome), failed, error."""
        return "error" if self.after is None else self.after.status


def compare_examples(
    path: str | Path, variants: Sequence[str | Path], settings: Mapping[str, str] | None = None
) -> list[Change]:
    """The examples of the game at ``path`` that come out differently with ``variants`` than without, in their order.

    Only the game's own examples are compared; those that a variant brings have no result without it. The rules that ran
    are not compared: a rule added by a variant would make every example differ.
    Raises RulesError when the game, or the game with the variants, has mistakes; UnusablePath as ``rulelang.load``.
    """
    rulelang.load(path, settings=settings, variants=variants)
    base, sink, sources = _resolved(path, (), settings)
    if sink.has_errors:
        raise rulelang.RulesError(sink, sources)
    varied, sink, _ = _resolved(path, variants, settings)
    problems = [d for d in sink if d.severity == "error"]
    after = {result.name: result for result in run_resolved(varied)}
    changes = []
    for example, before in zip(base, run_resolved(base), strict=True):
        result = after.get(example.id)
        differences = _differences(before, result) if result is not None else [_unreadable(example, base, problems)]
        if differences:
            changes.append(Change(example.id, before, result, tuple(differences)))
    return changes


def _resolved(
    path: str | Path, variants: Sequence[str | Path], settings: Mapping[str, str] | None
) -> tuple[list[ex.Example], Sink, dict[str, SourceFile]]:
    """The game's own examples that can be read, the problems with the others, and the texts."""
    games = workspace.default()
    sink = Sink()
    files, names = games.open(path, variants, sink)
    own = frozenset(file.span.file for file in (*files.parts, *files.examples))
    return games.examples(files, sink, names, settings, own), sink, files.sources


def _unreadable(example: ex.Example, all_: Sequence[ex.Example], problems: Sequence[Diagnostic]) -> str:
    """Why an example cannot be read: a mistake in its lines, or else a clash with a variant it uses."""
    start = example.span
    ends = [e.span.line for e in all_ if e.span.file == start.file and e.span.line > start.line]
    for problem in problems:
        if problem.span.file == start.file and start.line <= problem.span.line < min(ends, default=math.inf):
            return problem.message
    for problem in problems:
        if any(f"`{variant}`" in problem.message for variant in example.variants):
            return problem.message
    return "It cannot be read with the variant."


def _differences(before: ExampleResult, after: ExampleResult) -> list[str]:
    """New failures, then differences on the table, then points, then decisions."""
    found = [*_failures(before, after), *_table(before.outcome["changed"], after.outcome["changed"])]
    found += _points(before.outcome["points"], after.outcome["points"])
    old, new = before.outcome["decisions"], after.outcome["decisions"]
    return found if old == new else [*found, _first(old, new)]


def _failures(before: ExampleResult, after: ExampleResult) -> Iterator[str]:
    known = {(f.line, f.message, f.actual) for f in before.failures}
    for failure in after.failures:
        if (failure.line, failure.message, failure.actual) not in known:
            message = failure.message.rstrip(".")
            actual = f": {failure.actual}" if failure.actual and not message.endswith(failure.actual) else "."
            yield f"line {failure.line}: {message}{actual}"
    if before.status != after.status and before.status != "passed":
        yield f"{after.status} instead of {before.status}"


def _table(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    for cell in [*before, *(c for c in after if c not in before)]:
        old, new = before.get(cell), after.get(cell)
        if old == new:
            continue
        if new is None:
            yield f"{cell} stays as it was instead of becoming {words(before[cell]['to'])}"
        elif old is None:
            yield f"{cell} becomes {words(new['to'])} instead of staying as it was"
        elif old["to"] != new["to"]:
            yield f"{cell} becomes {words(new['to'])} instead of {words(old['to'])}"
        else:
            yield f"{cell} starts as {words(new['from'])} instead of {words(old['from'])}"


def _points(before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Points by player, amount and rule; a different formula for the same amount does not count."""
    old = [f"{p['player']} {p['amount']:+d} by {p['rule']}" for p in before]
    new = [f"{p['player']} {p['amount']:+d} by {p['rule']}" for p in after]
    if old != new:
        yield _first(old, new)


def _first(old: Sequence[str], new: Sequence[str]) -> str:
    """The first event that differs."""
    position = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    was = old[position] if position < len(old) else "nothing"
    now = new[position] if position < len(new) else "nothing"
    return f"{now} instead of {was}"


def words(value: Any) -> str:
    """Plain data in short form: ``2 gold, 1 iron``; ``[R, G]``; ``none``."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case dict():
            return ", ".join(f"{number} {kind}" for kind, number in value.items()) or "nothing"
        case list():
            return f"[{', '.join(map(words, value))}]"
    return str(value)


__all__ = ["Change", "compare_examples"]
