"""Comparison of a game's worked examples with and without a variant."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

import rulelang
from rulelang import examples as ex
from rulelang import workspace
from rulelang.diagnostics import Diagnostic, Sink
from rulelang.files.opening import check_settings

from ..data import Event
from ..examples import ExampleReport, ExampleResult, Failure
from ..examples.example_results import NotRun
from ..examples.runner import run_until_stopped
from .accepted import Accepted, read_accepted


@attrs.frozen
class ExampleChange:
    """An example whose result differs under the variant.

    ``after``: None when the example cannot be read with the variant. ``differences``: for people to read, the most
    telling first. ``cause``: the rule at which the two runs part, and how. ``expected``: whether the variant has
    accepted this outcome.
    """

    name: str
    before: ExampleResult
    after: ExampleResult | None
    differences: tuple[str, ...]
    cause: Cause
    expected: bool = False

    @property
    def status(self) -> str:
        """How the example ends under the variant: passed (with a different outcome), failed, error."""
        return "error" if self.after is None else self.after.status

    @property
    def printed(self) -> bool:
        """Whether a rulebook contains the example."""
        return bool(self.before.documented)


@attrs.frozen
class ChangeGroup:
    """Changes with the same cause, among the printed examples or among the others."""

    cause: Cause
    printed: bool
    changes: tuple[ExampleChange, ...]


@attrs.frozen
class ExampleComparison:
    """``own``: the variants' own examples with the variants, and what was not run of all. ``examples``: how many of
    the game without them were run.

    ``changes``: those that come out differently, in their order. ``accepted``: the outcomes that the variants keep;
    ``gone``: examples among them that do not come out differently any more.
    """

    own: ExampleReport
    examples: int
    changes: tuple[ExampleChange, ...]
    accepted: Accepted
    gone: tuple[str, ...]

    @property
    def unexpected(self) -> tuple[ExampleChange, ...]:
        return tuple(change for change in self.changes if not change.expected)


def grouped(changes: Iterable[ExampleChange]) -> list[ChangeGroup]:
    """The changes by cause, printed examples first and each time the largest group first."""
    found: dict[tuple[bool, Cause], list[ExampleChange]] = defaultdict(list)
    for change in changes:
        found[change.printed, change.cause].append(change)
    groups = [ChangeGroup(cause, printed, tuple(each)) for (printed, cause), each in found.items()]
    return sorted(groups, key=lambda g: (not g.printed, -len(g.changes)))


def compare_examples(
    path: str | Path, variants: Sequence[str | Path], settings: Mapping[str, str] | None = None
) -> list[ExampleChange]:
    """The examples of the game at ``path`` that come out differently with ``variants``; see ``compare``."""
    return list(compare(path, variants, settings).changes)


def compare(
    path: str | Path, variants: Sequence[str | Path], settings: Mapping[str, str] | None = None
) -> ExampleComparison:
    """The variants' own examples, and how those of the game at ``path`` come out with ``variants`` and without.

    A game's example that uses one of the variants counts as the variant's own. The rules that ran are not compared: a
    rule added by a variant would make every example differ.
    Raises RulesError when the game, the variants or their own examples have mistakes; UnusablePath as
    ``rulelang.load``.
    """
    program = rulelang.load(path, settings=settings, variants=variants)
    games = workspace.default()
    sink = Sink()
    files, names = games.open(path, variants, sink)
    check_settings(files, settings or {})
    theirs = frozenset(files.variants[name].span.file for name in names)
    base = frozenset(file.span.file for file in (*files.parts, *files.examples))
    own = games.examples(files, sink, names, settings, theirs)
    game = games.examples(files, sink, (), settings, base)
    if sink.has_errors:
        raise rulelang.RulesError(sink, files.sources)
    own += [example for example in game if set(example.variants) & set(names)]
    game = [example for example in game if not set(example.variants) & set(names)]
    problems = Sink()
    varied = {example.id: example for example in games.examples(files, problems, names, settings, base)}
    accepted = read_accepted(files, names)
    results, stopped = run_until_stopped(own, "reference")
    before, after, stopped = ([], {}, True) if stopped else _run_both(game, varied)
    changes = _changes(game, before, after, [d for d in problems if d.severity != "warning"], accepted)
    left = [*own[len(results) :], *game[len(before) :]]
    not_run = tuple(NotRun(e.id, e.span.file, e.span.line, "stopped before its turn") for e in left)
    ran = [*results, *after.values()]
    coverage = {id_: sum(id_ in result.rules for result in ran) for id_ in program.rules}
    report = ExampleReport(tuple(results), coverage, tuple(sink), files.sources, files.paths, not_run, stopped=stopped)
    differing = {change.name for change in changes}
    gone = () if stopped else tuple(name for name in accepted.outcomes if name not in differing)
    return ExampleComparison(report, len(before), tuple(changes), accepted, gone)


def _run_both(
    game: Sequence[ex.Example], varied: Mapping[str, ex.Example]
) -> tuple[list[ExampleResult], dict[str, ExampleResult], bool]:
    """Results without the variants, in order; those with them, by name; whether an interrupt came before the last."""
    pairs = [each for example in game for each in (varied.get(example.id), example) if each is not None]
    results, stopped = run_until_stopped(pairs, "reference")
    both = [(result, varied.get(example.id) is example) for example, result in zip(pairs, results, strict=False)]
    after = {result.name: result for result, is_varied in both if is_varied}
    return [result for result, is_varied in both if not is_varied], after, stopped


def _changes(
    game: Sequence[ex.Example],
    before: Sequence[ExampleResult],
    after: Mapping[str, ExampleResult],
    problems: Sequence[Diagnostic],
    accepted: Accepted,
) -> list[ExampleChange]:
    """Those of the examples that have run: ``before``, in their order, without the variants."""
    changes = []
    for example, without in zip(game, before, strict=False):
        result = after.get(example.id)
        if result is None:
            why = _unreadable(example, game, problems)
            found, cause = [why], unreadable(why)
        else:
            found = differences(without, result)
            if not found:
                continue
            cause = cause_of(without, result)
        expected = accepted.holds(example.id, found)
        changes.append(ExampleChange(example.id, without, result, tuple(found), cause, expected))
    return changes


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


# Differences between two runs of an example, for people to read.


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


# Causes of a different outcome: the rule at which two runs of an example part, and how they differ there.


@attrs.frozen
class Cause:
    """``rule``: the id of the rule or option, None when the example does not get as far. ``change``: in words, without
    what is special to one example: equal for all examples to which the same happens."""

    rule: str | None
    change: str


def unreadable(message: str) -> Cause:
    """The cause of an example that cannot be read with the variant."""
    return Cause(None, message)


def cause_of(before: ExampleResult, after: ExampleResult) -> Cause:
    """Where the two runs part: at the first event that differs, or else at the first step that fails.

    Where a value differs there that is another at the start already, the start is the cause.
    """
    starts = _starts(before, after)
    old, new = _happened(before.log), _happened(after.log)
    for one, other in zip(old, new, strict=False):
        if (one.kind, one.data) != (other.kind, other.data):
            return starts.get(_where(other, "place"), Cause(other.rule, _event_change(one, other)))
    known = {(f.line, f.message, f.actual) for f in before.failures}
    for failure in after.failures:
        if (failure.line, failure.message, failure.actual) not in known:
            named = re.match(r"`(\w+)", failure.message)
            start = starts.get(named[1]) if named is not None else None
            return start or Cause(failure.rule, _failure_change(failure))
    if len(old) != len(new):
        happens = len(new) > len(old)
        event = (new if happens else old)[min(len(old), len(new))]
        return Cause(event.rule, _plain(event) if happens else f"no longer: {_plain(event)}")
    return Cause(None, "it comes out differently")


def _starts(before: ExampleResult, after: ExampleResult) -> dict[str, Cause]:
    """For each variable that starts with another value, that it does."""
    found: dict[str, Cause] = {}
    for cell, value in after.start.items():
        if cell in before.start and before.start[cell] != value:
            name = _without_owner(cell)
            found.setdefault(name, Cause(None, f"{name} {_step(before.start[cell], value)} at the start"))
    return found


def _happened(log: Sequence[Event]) -> list[Event]:
    """What changed the position; that a rule ran shows in what it did."""
    return [event for event in log if event.kind != "rule"]


def _event_change(old: Event, new: Event) -> str:
    if old.kind != new.kind:
        return f"{_plain(new)} instead of {_plain(old)}"
    match new.kind:
        case "set" if _where(old, "place") == _where(new, "place"):
            return f"{_where(new, 'place')} {_step(old.data.get('value'), new.data.get('value'))}"
        case "score":
            return f"points {_step(old.data.get('amount'), new.data.get('amount'))}"
        case "move" if old.data["from"] == new.data["from"] and old.data["to"] == new.data["to"]:
            where = f"from {_where(new, 'from')} to {_where(new, 'to')}"
            return f"pieces {where} {_step(old.data.get('number'), new.data.get('number'))}"
        case "roll":
            return "chance brings something else"
    return f"{_plain(new)} instead of {_plain(old)}" if _plain(old) != _plain(new) else f"{_plain(new)}, differently"


def _step(old: Any, new: Any) -> str:
    """How a value differs: ``+1``; ``2 gold instead of 1 gold``."""
    if _is_number(old) and _is_number(new):
        return f"{new - old:+d}" if new != old else "differently"
    return f"{words(new)} instead of {words(old)}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _plain(event: Event) -> str:
    """An event without what is special to one example."""
    match event.kind:
        case "set":
            return f"{_where(event, 'place')} changes"
        case "score":
            return "points"
        case "move":
            return f"pieces move from {_where(event, 'from')} to {_where(event, 'to')}"
        case "choice":
            option = event.data.get("option")
            return f"{option} is chosen" if option else "a choice"
        case "roll":
            return "a roll"
        case "shuffle":
            return f"{_where(event, 'place')} is shuffled"
    return "the game ends"


def _where(event: Event, key: str) -> str:
    """A place without its owner."""
    return _without_owner(str(event.data.get(key)))


def _without_owner(place: str) -> str:
    return re.sub(r"\[.*\]", "", place)


def _failure_change(failure: Failure) -> str:
    """The first sentence of a failure, without values."""
    found = re.match(r"`(.*) (?:is|<=|>=|<|>) .*` does not hold\.$", failure.message)
    if found is not None:
        left = re.sub(r"\[.*\]|\(.*\)", "", found[1])
        if failure.expected is not None and failure.actual is not None:
            old, new = _number(failure.expected), _number(failure.actual)
            if old is not None and new is not None:
                return f"{left} {new - old:+d}"
        return f"{left} is different"
    first = re.split(r"(?<=\.) |; | \(", failure.message, maxsplit=1)[0]
    return re.sub(r"`([^`(]*)\([^`]*\)`", r"`\1`", first).rstrip(".")


def _number(text: str) -> int | None:
    return int(text) if re.fullmatch(r"-?[0-9]+", text) else None
