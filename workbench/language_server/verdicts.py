"""Verdicts on examples: those that an edit can affect are run in the background, and their failures shown in place."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import attrs
from lsprotocol import types

from interpreter.examples import run_resolved
from interpreter.examples.results import ExampleResult
from rulelang.checking import CheckReport
from rulelang.diagnostics import Diagnostic, Sink
from rulelang.examples import Example
from rulelang.fixes import Fix, Replace
from rulelang.source import Span

from .affected import Contents
from .background import Done
from .desk import Desk

CODE = "example"
"""The code of the diagnostics of failures, which are no findings of ``check``."""

_SLICE = 0.1
"""Seconds of examples in one step of the background."""

_GAMES = 8
"""Games whose verdicts are kept, those looked at last."""


@attrs.frozen
class Verdict:
    """How an example came out. ``first``: the line it began in then; ``failures``: as findings, with lines of then."""

    digest: bytes
    status: str
    rules: tuple[str, ...]
    first: int
    failures: tuple[Diagnostic, ...]


@attrs.define
class Verdicts:
    """The verdicts on the examples of each game, by their ids, and how far the background is with those of now.

    ``asked``: the games of which somebody wants verdicts.
    """

    contents: Contents = attrs.field(factory=Contents)
    known: dict[Path, dict[str, Verdict]] = attrs.field(factory=dict)
    asked: dict[Path, None] = attrs.field(factory=dict)
    _todo: dict[Path, tuple[CheckReport | None, list[Example]]] = attrs.field(factory=dict)
    """What is due, by the report that it is due after: texts that are not checked yet have no examples to run."""

    def want(self, root: Path) -> None:
        self.asked.pop(root, None)
        self.asked[root] = None
        for old in list(self.asked)[:-_GAMES]:
            del self.asked[old]
            self.known.pop(old, None)
            self._todo.pop(old, None)

    def due(self, desk: Desk, root: Path) -> list[Example]:
        """The examples whose verdicts are missing or may be another now, to be taken from the front."""
        report = desk.checked.get(root)
        known, examples = self._todo.get(root, (None, []))
        if report is None or known is not report:
            examples = [example for example in _examples(desk, root) if self._is_due(root, example)]
            self._todo[root] = report, examples
        return examples

    def begin_again(self, root: Path) -> None:
        """Looks anew at what is due."""
        self._todo.pop(root, None)

    def _is_due(self, root: Path, example: Example) -> bool:
        verdict = self.known.get(root, {}).get(example.id)
        return verdict is None or verdict.digest != self.contents.digest(example)


def _examples(desk: Desk, root: Path) -> list[Example]:
    """The game's own examples and those of its variants, resolved; none while the rules have mistakes."""
    report = desk.checked.get(root)
    if report is None:
        return []
    return desk.kept(("examples", root, id(report)), lambda: list(_resolved(desk, report)))


def _resolved(desk: Desk, report: CheckReport) -> Iterator[Example]:
    files = report.files
    if files is None or not report.programs:
        return
    own = frozenset(file.span.file for file in (*files.parts, *files.examples))
    yield from desk.games.examples(files, Sink(), (), {}, own)
    for name in files.sound_variants:
        yield from desk.games.examples(files, Sink(), (name,), {}, frozenset({files.variants[name].span.file}))


def run_some(desk: Desk) -> Done:
    """Runs examples that are due, for a moment."""
    state = desk.of(Verdicts)
    for root in reversed(list(state.asked)):
        due = state.due(desk, root)
        if not due:
            continue
        changed = False
        until = time.monotonic() + _SLICE
        while due and time.monotonic() < until and not desk.pressed():
            example = due.pop(0)
            (result,) = run_resolved([example])
            known = state.known.setdefault(root, {})
            before = known.get(example.id)
            failures = tuple(_failures(example, result))
            known[example.id] = Verdict(
                state.contents.digest(example), result.status, result.rules, example.span.line, failures
            )
            changed = changed or failures != (() if before is None else before.failures)
        if not due:
            refresh_lenses(desk)
        return Done(True, root if changed else None)
    return Done(False)


def refresh_lenses(desk: Desk) -> None:
    """Asks the editor to show the lenses anew."""
    about = desk.client.capabilities.workspace
    if about is not None and about.code_lens is not None and about.code_lens.refresh_support:
        desk.client.request(types.WORKSPACE_CODE_LENS_REFRESH, None)


def _failures(example: Example, result: ExampleResult) -> Iterator[Diagnostic]:
    for failure in result.failures:
        words = failure.message
        if failure.expected is not None and failure.actual is not None and failure.actual not in words:
            words = f"{words} Expected {failure.expected}, but it is {failure.actual}."
        steps = [step.span for step in example.steps if step.span.line == failure.line]
        span = steps[0] if steps else Span(example.span.file, failure.line, 1, failure.line, 1_000)
        fixes: tuple[Fix, ...] = ()
        if failure.mend is not None:
            fixes = (Fix(f"Expect `{failure.mend.text}`", (Replace(failure.mend.text, failure.mend.span),)),)
        case = "" if example.case is None else f"{example.case}: "
        yield Diagnostic(CODE, f"{case}{words}", span, rule=failure.rule, fixes=fixes)


# ---------------------------------------------------------------- what others ask


def forget(desk: Desk, root: Path, written: str = "") -> None:
    """Lets an example run again, with all its cases; all examples of the game, if none is named."""
    state = desk.of(Verdicts)
    known = state.known.get(root, {})
    for example in _examples(desk, root):
        if written in ("", example.written):
            known.pop(example.id, None)
    state.begin_again(root)


def verdicts_of(desk: Desk, root: Path) -> dict[str, tuple[Example, Verdict | None]]:
    """Each example of the game by id, with its verdict; None while it is not known whether that still holds."""
    state = desk.of(Verdicts)
    state.want(root)
    due = {example.id for example in state.due(desk, root)}
    known = state.known.get(root, {})
    return {
        example.id: (example, None if example.id in due else known.get(example.id)) for example in _examples(desk, root)
    }


def failures(desk: Desk, root: Path) -> list[Diagnostic]:
    """What fails, where the examples are now."""
    desk.of(Verdicts).want(root)
    found: list[Diagnostic] = []
    for example, verdict in verdicts_of(desk, root).values():
        if verdict is not None:
            lines = example.span.line - verdict.first
            found += [_moved(failure, lines) for failure in verdict.failures]
    return found


def _moved(failure: Diagnostic, lines: int) -> Diagnostic:
    if not lines:
        return failure
    fixes = tuple(attrs.evolve(fix, edits=tuple(_down(edit, lines) for edit in fix.edits)) for fix in failure.fixes)
    return attrs.evolve(failure, span=_shifted(failure.span, lines), fixes=fixes)


def _down(edit: object, lines: int) -> Replace:
    assert isinstance(edit, Replace)
    return attrs.evolve(edit, span=_shifted(edit.span, lines))


def _shifted(span: Span, lines: int) -> Span:
    return Span(span.file, span.line + lines, span.column, span.end_line + lines, span.end_column)


def coverage(desk: Desk, root: Path) -> dict[str, int]:
    """For each rule and option that examples run: how many do."""
    counts: dict[str, int] = {}
    for _, verdict in verdicts_of(desk, root).values():
        for rule in () if verdict is None else verdict.rules:
            counts[rule] = counts.get(rule, 0) + 1
    return counts
