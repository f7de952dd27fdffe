"""Comparison of a game's worked examples with and without a variant."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import attrs

import rulelang
from rulelang import examples as ex
from rulelang import workspace
from rulelang.diagnostics import Diagnostic, Sink
from rulelang.files.opening import check_settings

from ..examples import ExampleReport, ExampleResult
from ..examples.results import NotRun
from ..examples.runner import run_until_stopped
from .accepted import Accepted, read_accepted
from .causes import Cause, cause_of, unreadable
from .differences import differences


@attrs.frozen
class Change:
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
class Group:
    """Changes with the same cause, among the printed examples or among the others."""

    cause: Cause
    printed: bool
    changes: tuple[Change, ...]


@attrs.frozen
class Comparison:
    """``own``: the variants' own examples with the variants, and what was not run of all. ``examples``: how many of
    the game without them were run.

    ``changes``: those that come out differently, in their order. ``accepted``: the outcomes that the variants keep;
    ``gone``: examples among them that do not come out differently any more.
    """

    own: ExampleReport
    examples: int
    changes: tuple[Change, ...]
    accepted: Accepted
    gone: tuple[str, ...]

    @property
    def unexpected(self) -> tuple[Change, ...]:
        return tuple(change for change in self.changes if not change.expected)


def grouped(changes: Iterable[Change]) -> list[Group]:
    """The changes by cause, printed examples first and each time the largest group first."""
    found: dict[tuple[bool, Cause], list[Change]] = defaultdict(list)
    for change in changes:
        found[change.printed, change.cause].append(change)
    groups = [Group(cause, printed, tuple(each)) for (printed, cause), each in found.items()]
    return sorted(groups, key=lambda g: (not g.printed, -len(g.changes)))


def compare_examples(
    path: str | Path, variants: Sequence[str | Path], settings: Mapping[str, str] | None = None
) -> list[Change]:
    """The examples of the game at ``path`` that come out differently with ``variants``; see ``compare``."""
    return list(compare(path, variants, settings).changes)


def compare(path: str | Path, variants: Sequence[str | Path], settings: Mapping[str, str] | None = None) -> Comparison:
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
    return Comparison(report, len(before), tuple(changes), accepted, gone)


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
) -> list[Change]:
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
        changes.append(Change(example.id, without, result, tuple(found), cause, expected))
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


__all__ = ["Change", "Comparison", "Group", "compare", "compare_examples", "grouped"]
