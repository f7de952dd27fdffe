"""Differences between two runs of an example, for people to read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..examples import ExampleResult


def differences(before: ExampleResult, after: ExampleResult) -> list[str]:
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
    old, new = ([f"{_who(p)} {p['amount']:+d} by {p['rule']}" for p in points] for points in (before, after))
    if old != new:
        yield _first(old, new)


def _who(points: Mapping[str, Any]) -> str:
    """The player or the team that scores."""
    return str(points["player"] if "player" in points else points["team"])


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
