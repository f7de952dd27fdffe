"""Verdicts on examples: those that an edit can affect are run in the background, and their failures shown in place."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs
from lsprotocol import types

from interpreter.examples import run_resolved
from interpreter.examples.results import ExampleResult
from rulelang.checking import CheckReport
from rulelang.diagnostics import Diagnostic, Sink
from rulelang.examples import Example
from rulelang.files.folder import GameFiles
from rulelang.fixes import Fix, Replace
from rulelang.program import Program
from rulelang.source import Span
from rulelang.syntax import tree
from rulelang.types import Domain

from .session import Desk, Done

_KINDS = ("tables", "settings", "variables", "definitions", "graphs", "events", "rules", "grids", "numbers")
"""The parts of a Program whose things call each other by name."""


_PROGRAMS, _THINGS = 50, 50_000
"""How many are remembered."""


@attrs.frozen
class _Content:
    """What a thing says, places in the text apart, and the words in it, some of which are names of other things."""

    digest: bytes
    words: frozenset[str]


class Contents:
    """The contents of things that were looked at. An edit leaves most of them as they were: the very same objects."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, _Content]] = {}
        self._programs: dict[int, tuple[Program, Mapping[str, list[tuple[str, Any]]]]] = {}

    def digest(self, example: Example) -> bytes:
        """Equal for runs that must come out the same."""
        program = example.program
        things = self._things(program)
        always = [program.rules[id_] for id_ in _waiting(program)]
        frame = (program.seats, program.ranks, program.invariants, program.score, program.start)
        lines = tuple(step.span.line - example.span.line for step in example.steps)
        domains = tuple((domain.name, domain.members, domain.ring) for domain in program.domains.values())
        start = [_content((example.steps, lines)), _content((frame, *always)), _content(domains)]
        found = {part.digest for part in start}
        todo = sorted(frozenset().union(*(part.words for part in start)))
        seen = set(todo)
        while todo:
            name = todo.pop()
            for kind, thing in things.get(name, ()):
                content = self._of(thing)
                found.add(hashlib.sha256(f"{kind} {name} ".encode() + content.digest).digest())
                todo += content.words - seen
                seen |= content.words
        return hashlib.sha256(b"".join(sorted(found))).digest()

    def _things(self, program: Program) -> Mapping[str, list[tuple[str, Any]]]:
        known = self._programs.get(id(program))
        if known is None:
            made: dict[str, list[tuple[str, Any]]] = {}
            for kind in _KINDS:
                for name, thing in getattr(program, kind).items():
                    made.setdefault(name, []).append((kind, thing))
            if len(self._programs) >= _PROGRAMS:
                self._programs.clear()
            known = self._programs[id(program)] = program, made
        return known[1]

    def _of(self, thing: Any) -> _Content:
        known = self._known.get(id(thing))
        if known is None:
            if len(self._known) >= _THINGS:
                self._known.clear()
            known = self._known[id(thing)] = thing, _content(thing)
        return known[1]


def _waiting(program: Program) -> Iterable[str]:
    handlers = (id_ for ids in program.handlers.values() for id_ in ids)
    return dict.fromkeys((*program.watchers, *handlers))


def _content(thing: Any) -> _Content:
    parts = [part if isinstance(part, str) else repr(part) for part in _flat(thing)]
    words = frozenset(part for part in parts if part[:1].isalpha() or part[:1] == "_")
    return _Content(hashlib.sha256("\0".join(parts).encode()).digest(), words)


def _flat(value: Any) -> Iterator[Any]:
    """Everything in a tree of nodes, in order, without places in texts; of a domain only its name."""
    stack = [value]
    while stack:
        part = stack.pop()
        if isinstance(part, Span):
            continue
        if isinstance(part, Domain):
            yield part.name
        elif attrs.has(type(part)):
            yield type(part).__name__
            stack.extend(getattr(part, field.name) for field in reversed(attrs.fields(type(part))))
        elif isinstance(part, Mapping):
            stack.extend(item for pair in part.items() for item in pair)
        elif isinstance(part, (tuple, list, frozenset, set)):
            yield len(part)
            stack.extend(sorted(part, key=repr) if isinstance(part, (frozenset, set)) else reversed(part))
        else:
            yield part


CODE = "example"
"""The code of the diagnostics of failures, which are no findings of ``check``."""

_SLICE = 0.1
"""Seconds of examples in one step of the background."""

_GAMES = 8
"""Games whose verdicts are kept, those looked at last."""


@attrs.frozen
class Verdict:
    """How an example came out. ``failures``: as findings, where they were then; ``item``: the example as it was."""

    digest: bytes
    status: str
    rules: tuple[str, ...]
    item: Item
    failures: tuple[Diagnostic, ...]


@attrs.frozen
class Item:
    """An example as written: its file, first line and text."""

    file: str
    line: int
    text: str


@attrs.define
class _Queue:
    """The examples of a game after a report: those not compared with their last runs yet, and those to be run."""

    report: CheckReport
    examples: list[Example]
    items: dict[str, Item]
    unseen: list[Example]
    due: list[Example] = attrs.field(factory=list)


@attrs.define
class Verdicts:
    """The verdicts on the examples of each game, by their ids, and how far the background is.

    ``asked``: the games of which somebody wants verdicts.
    """

    contents: Contents = attrs.field(factory=Contents)
    known: dict[Path, dict[str, Verdict]] = attrs.field(factory=dict)
    asked: dict[Path, None] = attrs.field(factory=dict)
    queues: dict[Path, _Queue] = attrs.field(factory=dict)

    def want(self, root: Path) -> None:
        self.asked.pop(root, None)
        self.asked[root] = None
        for old in list(self.asked)[:-_GAMES]:
            del self.asked[old]
            self.known.pop(old, None)
            self.queues.pop(old, None)

    def queue(self, desk: Desk, root: Path) -> _Queue | None:
        """The examples of the game as it was checked last; none while its rules have mistakes."""
        report = desk.checked.get(root)
        if report is None or report.files is None or not report.programs:
            return None
        known = self.queues.get(root)
        if known is None or known.report is not report:
            examples = list(_resolved(desk, report.files))
            known = self.queues[root] = _Queue(report, examples, _items(report.files), list(examples))
        return known

    def step(self, root: Path, queue: _Queue) -> bool:
        """Compares or runs one example; whether its failures are others now."""
        if queue.unseen:
            example = queue.unseen.pop(0)
            verdict = self.known.get(root, {}).get(example.id)
            if verdict is None or verdict.digest != self.contents.digest(example):
                queue.due.append(example)
            return False
        example = queue.due.pop(0)
        known = self.known.setdefault(root, {})
        before = known.get(example.id)
        (result,) = run_resolved([example])
        item = queue.items.get(example.written, Item(example.span.file, example.span.line, ""))
        failures = tuple(_failures(example, result))
        known[example.id] = Verdict(self.contents.digest(example), result.status, result.rules, item, failures)
        return (before is None and bool(failures)) or (before is not None and before.failures != failures)


def _resolved(desk: Desk, files: GameFiles) -> Iterator[Example]:
    """The game's own examples and those of its variants."""
    own = frozenset(file.span.file for file in (*files.parts, *files.examples))
    yield from desk.games.examples(files, Sink(), (), {}, own)
    for name in files.sound_variants:
        yield from desk.games.examples(files, Sink(), (name,), {}, frozenset({files.variants[name].span.file}))


def _items(files: GameFiles) -> dict[str, Item]:
    """All examples of a game as they are written, by id."""
    found = {}
    for file in (*files.parts, *files.examples, *files.variants.values()):
        lines = files.sources[file.span.file].lines
        for item in file.items:
            if isinstance(item, tree.Example):
                text = "\n".join(lines[item.span.line - 1 : item.span.end_line])
                found[item.id] = Item(file.span.file, item.span.line, text)
    return found


def run_some(desk: Desk) -> Done:
    """Finds out which examples an edit can affect, and runs them, for a moment."""
    state = desk.of(Verdicts)
    for root in reversed(list(state.asked)):
        queue = state.queue(desk, root)
        if queue is None or not (queue.unseen or queue.due):
            continue
        changed = False
        until = time.monotonic() + _SLICE
        while (queue.unseen or queue.due) and time.monotonic() < until and not desk.pressed():
            changed = state.step(root, queue) or changed
        if not (queue.unseen or queue.due):
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
    queue = state.queue(desk, root)
    for example in () if queue is None else queue.examples:
        if written in ("", example.written):
            state.known.get(root, {}).pop(example.id, None)
            assert queue is not None
            queue.unseen.append(example)


def verdicts_of(desk: Desk, root: Path) -> dict[str, tuple[Example, Verdict | None]]:
    """Each example of the game by id, with its last verdict; None for one that is to be run."""
    state = desk.of(Verdicts)
    state.want(root)
    queue = state.queues.get(root)
    if queue is None:
        return {}
    due = {example.id for example in queue.due}
    known = state.known.get(root, {})
    return {e.id: (e, None if e.id in due else known.get(e.id)) for e in queue.examples}


def failures(desk: Desk, root: Path) -> list[Diagnostic]:
    """What failed when it was run last, in the examples that read as they did then, where they are now."""
    state = desk.of(Verdicts)
    state.want(root)
    failed = [verdict for verdict in state.known.get(root, {}).values() if verdict.failures]
    files = desk.files(root) if failed else None
    if files is None:
        return []
    items = desk.kept(("items", root), lambda: _items(files))
    now = {(item.file, item.text): item for item in items.values()}
    found: list[Diagnostic] = []
    for verdict in failed:
        item = now.get((verdict.item.file, verdict.item.text))
        if item is not None:
            found += [_moved(failure, item.line - verdict.item.line) for failure in verdict.failures]
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
