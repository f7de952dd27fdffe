"""Verdicts on examples: those that an edit can affect are run in the background, and their failures shown in place.

What came of a run is kept by the digest of everything it depended on, and shown only for an example whose digest is the
same now. Of all others it is said what stands in their way, so an old verdict is never taken for a new one.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import attrs
from lsprotocol import types

from interpreter.examples.example_results import ExampleResult, Failure, Mend
from interpreter.examples.runner import in_the_way, run_one
from interpreter.game import Game
from rulelang.collection import no_collection
from rulelang.diagnostics import Diagnostic, Sink, UnusablePath
from rulelang.examples import Example
from rulelang.files.folder import GameFiles
from rulelang.fixes import Fix, ReplaceText
from rulelang.program import Program
from rulelang.source import Span
from rulelang.syntax import tree
from rulelang.types import Domain
from rulelang.whole_game import CheckReport
from rulelang.words import several

from .session import Desk, Done

_KINDS = ("tables", "settings", "variables", "definitions", "graphs", "events", "rules", "grids", "numbers")
"""The parts of a Program whose things call each other by name."""


_THINGS = 50_000
"""Contents of things that are remembered."""

_DEEP = 5
"""Definitions inside definitions that are followed to tell which rules an edit changes."""


@attrs.frozen
class _Content:
    """What a thing says, places in the text apart, and the words in it, some of which are names of other things."""

    digest: bytes
    words: frozenset[str]


@attrs.frozen
class _Things:
    """The things of a Program by name, each with its kind, and what every run in it depends on."""

    program: Program
    by_name: Mapping[str, list[tuple[str, Any]]]
    always: tuple[_Content, ...]


class LookedAt:
    """The contents of things that were looked at. An edit leaves most of them as they were: the very same objects."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, _Content]] = {}
        self._programs: dict[int, _Things] = {}
        self._before: dict[Path, dict[tuple[str, str], _Content]] = {}

    def changes(self, root: Path, program: Program) -> set[str]:
        """The rules that are others than when this was asked last of the game, or use a definition that is; other
        Programs that were looked at are forgotten."""
        self._programs.clear()
        things = self._things(program).by_name.items()
        now = {(kind, name): self._of(thing) for name, found in things for kind, thing in found}
        before, self._before[root] = self._before.get(root, now), now
        changed = {key[1] for key, content in now.items() if before.get(key) != content}
        for _ in range(_DEEP):
            changed |= {key[1] for key, content in now.items() if key[0] == "definitions" and content.words & changed}
        return {key[1] for key, content in now.items() if key[0] == "rules" and (content.words | {key[1]}) & changed}

    def digest(self, example: Example) -> bytes:
        """Equal for runs that must come out the same."""
        things = self._things(example.program)
        lines = tuple(step.span.line - example.span.line for step in example.steps)
        start = [_content((example.steps, lines)), *things.always]
        found = {part.digest for part in start}
        todo = sorted(frozenset().union(*(part.words for part in start)))
        seen = set(todo)
        while todo:
            name = todo.pop()
            for kind, thing in things.by_name.get(name, ()):
                content = self._of(thing)
                found.add(hashlib.sha256(f"{kind} {name} ".encode() + content.digest).digest())
                todo += content.words - seen
                seen |= content.words
        return hashlib.sha256(b"".join(sorted(found))).digest()

    def _things(self, program: Program) -> _Things:
        known = self._programs.get(id(program))
        if known is None:
            made: dict[str, list[tuple[str, Any]]] = {}
            for kind in _KINDS:
                for name, thing in getattr(program, kind).items():
                    made.setdefault(name, []).append((kind, thing))
            frame = (program.seats, program.ranks, program.invariants, program.score, program.start)
            waiting = (id_ for ids in program.handlers.values() for id_ in ids)
            rules = [program.rules[id_] for id_ in dict.fromkeys((*program.watchers, *waiting))]
            domains = tuple((domain.name, domain.members, domain.ring) for domain in program.domains.values())
            known = _Things(program, made, (_content((frame, *rules)), _content(domains)))
            self._programs[id(program)] = known
        return known

    def _of(self, thing: Any) -> _Content:
        known = self._known.get(id(thing))
        if known is None:
            if len(self._known) >= _THINGS:
                self._known.clear()
            known = self._known[id(thing)] = thing, _content(thing)
        return known[1]


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

_OFTEN = 1.0
"""Seconds after which lenses are shown anew while examples run."""

_SLICE = 0.1
"""Seconds of examples in one step of the background."""

_GAMES = 8
"""Games whose verdicts are kept, those looked at last."""


_RESULTS = 5_000
"""Runs of a game's examples that are kept, so that what an edit undoes need not run again."""


@attrs.frozen
class Verdict:
    """The state of an example under the rules as they are now.

    ``why``: of one that was not run, what stands in its way: a mistake and its place, or what it waits for.
    ``rules``: ids that ran. ``failures``: as findings, where they are now; ``mends``: what it would have to say.
    """

    example: str
    state: Literal["passed", "failed", "running", "waiting", "blocked"]
    why: str = ""
    rules: tuple[str, ...] = ()
    failures: tuple[Diagnostic, ...] = ()
    mends: tuple[Mend, ...] = ()

    @property
    def ran(self) -> bool:
        return self.state in ("passed", "failed")


def not_run(found: Iterable[Verdict]) -> tuple[int, str]:
    """How many were not run, and what stands in the way of the first of them."""
    left = [verdict for verdict in found if not verdict.ran]
    return len(left), f"not run: {left[0].why}" if left else ""


@attrs.define
class _Queue:
    """The examples of a game whose rules are sound, their digests as far as they were needed, and those to be run."""

    files: GameFiles
    examples: list[Example]
    items: dict[str, _WrittenExample]
    unseen: list[Example]
    digests: dict[str, bytes] = attrs.field(factory=dict)
    due: list[Example] = attrs.field(factory=list)
    games: dict[int, Game] = attrs.field(factory=dict)

    @property
    def left(self) -> int:
        return len(self.unseen) + len(self.due)


@attrs.frozen
class _WrittenExample:
    """An example as written: its head, its last line and text."""

    span: Span
    text: str


@attrs.define
class Verdicts:
    """What came of the examples of each game, by digest, and how far the background is.

    ``asked``: the games of which somebody wants verdicts, the one looked at last at the end; ``looked_at``: the file.
    """

    contents: LookedAt = attrs.field(factory=LookedAt)
    runs: dict[Path, dict[bytes, ExampleResult]] = attrs.field(factory=dict)
    asked: dict[Path, None] = attrs.field(factory=dict)
    queues: dict[Path, _Queue] = attrs.field(factory=dict)
    at: Path | None = None
    """The game whose examples are being run."""
    looked_at: str = ""
    refreshed: float = 0.0
    """When the editor was last asked to show the lenses anew."""
    told: bool = False
    """Whether the editor was told that examples run."""
    ran: dict[tuple[Path, str], frozenset[str]] = attrs.field(factory=dict)
    """The rules that ran in an example when it was run last."""

    def want(self, root: Path, file: str | None = None) -> None:
        """Wants the verdicts of a game; before all others where somebody looks at a ``file`` of it."""
        if file is not None:
            self.looked_at = file
            self.asked.pop(root, None)
            self.asked[root] = None
        elif root not in self.asked:
            self.asked = {root: None, **self.asked}
        for old in list(self.asked)[:-_GAMES]:
            del self.asked[old]
            self.runs.pop(old, None)
            self.queues.pop(old, None)

    def queue(self, desk: Desk, root: Path) -> _Queue | None:
        """The examples of the game as its texts are now; none before they are checked, or while rules have mistakes."""
        files = desk.sound(root)
        if files is None:
            return None
        known = self.queues.get(root)
        if known is None or known.files is not files:
            with no_collection():
                examples = list(_resolved(desk, files))
            changed = self.contents.changes(root, examples[0].program) if examples else set[str]()
            shared = Counter(id(example.program) for example in examples)  # a game is made for each Program
            ran = {example.id: self.ran.get((root, example.id), frozenset()) for example in examples}
            todo = sorted(examples, key=lambda e: (ran[e.id].isdisjoint(changed), -shared[id(e.program)]))
            known = self.queues[root] = _Queue(files, examples, _items(files), todo)
        return known

    def run_of(self, root: Path, queue: _Queue, example: Example) -> ExampleResult | None:
        """What came of this very example under the rules as they are in the queue's report; None if it never ran."""
        return self.runs.get(root, {}).get(self.digest(queue, example))

    def digest(self, queue: _Queue, example: Example) -> bytes:
        known = queue.digests.get(example.id)
        if known is None:
            item = queue.items.get(example.written)
            text = f"{example.span.file}\0{example.id}\0{'' if item is None else item.text}"
            known = hashlib.sha256(text.encode() + self.contents.digest(example)).digest()
            queue.digests[example.id] = known
        return known

    def step(self, root: Path, queue: _Queue) -> bool:
        """Runs one example, if it has not been run under these rules; whether its failures are others now."""
        todo = queue.due or queue.unseen
        example = next((one for one in todo if one.span.file == self.looked_at), todo[0])
        todo.remove(example)
        if todo is queue.unseen and (run := self.run_of(root, queue, example)) is not None:
            return bool(run.failures)
        runs = self.runs.setdefault(root, {})
        result = run_one(example, queue.games)
        self.ran[root, example.id] = frozenset(result.rules)
        if len(runs) >= _RESULTS:
            runs.clear()
        runs[self.digest(queue, example)] = attrs.evolve(result, outcome={}, start={}, log=())
        if not queue.left:
            queue.games.clear()
        return bool(result.failures)


def _resolved(desk: Desk, files: GameFiles) -> Iterator[Example]:
    """The game's own examples and those of its variants."""
    own = frozenset(file.span.file for file in (*files.parts, *files.examples))
    yield from desk.games.examples(files, Sink(), (), {}, own)
    for name in files.sound_variants:
        yield from desk.games.examples(files, Sink(), (name,), {}, frozenset({files.variants[name].span.file}))


def _items(files: GameFiles) -> dict[str, _WrittenExample]:
    """All examples of a game as they are written, by id."""
    found = {}
    for file in (*files.parts, *files.examples, *files.variants.values()):
        lines = files.sources[file.span.file].lines
        for item in file.items:
            if isinstance(item, tree.Example):
                text = "\n".join(lines[item.span.line - 1 : item.span.end_line])
                found[item.id] = _WrittenExample(item.span, text)
    return found


def run_some(desk: Desk) -> Done:
    """Finds out which examples an edit can affect, and runs them, for a moment; of the game looked at last first."""
    state = desk.of(Verdicts)
    for root in reversed(list(state.asked)):
        if desk.present(root) is None and root in desk.checked:
            with contextlib.suppress(UnusablePath):  # another game's texts changed, so this costs little
                desk.report(root)
        queue = state.queue(desk, root)
        if queue is not None and queue.left:
            return Done(True, root if run_next(desk, root, _SLICE) else None)
    state.at = None
    _report(desk, state)
    return Done(False)


def run_next(desk: Desk, root: Path, seconds: float) -> bool:
    """Runs examples of a game for so long, those in the file looked at first; whether any of them fails."""
    state = desk.of(Verdicts)
    queue = state.queue(desk, root)
    if queue is None or not queue.left:
        return False
    if state.at != root:
        state.at = root
        _report(desk, state)
        _list(desk, root)
    failed = False
    until = time.monotonic() + seconds
    with no_collection():
        while queue.left and time.monotonic() < until and not desk.pressed():
            failed = state.step(root, queue) or failed
    if not queue.left or time.monotonic() > state.refreshed + _OFTEN:
        state.refreshed = time.monotonic()
        refresh_lenses(desk)
    if failed or not queue.left:
        _list(desk, root)
    _report(desk, state)
    return failed


def _report(desk: Desk, state: Verdicts) -> None:
    """Says what is running and what waits, where the editor shows such a thing."""
    window = desk.client.capabilities.window
    if window is None or not window.work_done_progress:
        return
    told = []
    for root, queue in state.queues.items():
        if queue.left and queue.files is desk.sound(root):
            every = len(queue.examples)
            told.append(f"{root.name}, {every - queue.left} of {every}" if root == state.at else f"{root.name} waits")
    value: object = types.WorkDoneProgressEnd()
    if told and not state.told:
        desk.client.request(types.WINDOW_WORK_DONE_PROGRESS_CREATE, types.WorkDoneProgressCreateParams(CODE))
        value = types.WorkDoneProgressBegin("Examples", message="; ".join(told))
    elif told:
        value = types.WorkDoneProgressReport(message="; ".join(told))
    if told or state.told:
        desk.client.notify(types.PROGRESS, types.ProgressParams(CODE, value))
    state.told = bool(told)


def _list(desk: Desk, root: Path) -> None:
    """Sends the state of each example to an editor that lists them."""
    if not desk.can("rulelangExamples"):
        return
    found: dict[str, dict[str, Any]] = {}
    for verdict in verdicts_of(desk, root):
        known = found.get(verdict.example)
        if known is None or known["state"] == "passed":
            place = location(desk, places_of(desk, root)[verdict.example])
            found[verdict.example] = {"id": verdict.example, "state": verdict.state, "why": [], "location": place}
        if verdict.state == "failed":
            found[verdict.example]["why"] += [
                {"message": failure.message, "location": location(desk, failure.span)} for failure in verdict.failures
            ]
    told = {"root": str(root), "examples": [each for each in found.values() if each["location"] is not None]}
    desk.client.notify("rulelang/verdicts", told)


def location(desk: Desk, span: Span) -> types.Location | None:
    """The first line of a span."""
    document = desk.document_at(Path(span.file))
    first = Span(span.file, span.line, span.column, span.line, 1_000)
    return None if document is None else types.Location(document.uri, document.lines.range(first))


def refresh_lenses(desk: Desk) -> None:
    """Asks the editor to show the lenses anew, and what stands beside the steps of examples."""
    about = desk.client.capabilities.workspace
    if about is not None and about.code_lens is not None and about.code_lens.refresh_support:
        desk.client.request(types.WORKSPACE_CODE_LENS_REFRESH, None)
    if about is not None and about.inlay_hint is not None and about.inlay_hint.refresh_support:
        desk.client.request(types.WORKSPACE_INLAY_HINT_REFRESH, None)


def _failures(example: Example, failures: Iterable[Failure]) -> Iterator[Diagnostic]:
    for failure in failures:
        words = failure.message
        if failure.expected is not None and failure.actual is not None and failure.actual not in words:
            words = f"{words} Expected {failure.expected}, but it is {failure.actual}."
        words += f" {failure.asked}." if failure.asked is not None else ""
        steps = [step.span for step in example.steps if step.span.line == failure.line]
        span = steps[0] if steps else Span(example.span.file, failure.line, 1, failure.line, 1_000)
        fixes: tuple[Fix, ...] = ()
        if failure.mend is not None:
            fixes = (Fix(f"Expect `{failure.mend.whole}`", (ReplaceText(failure.mend.text, failure.mend.span),)),)
        case = "" if example.case is None else f"{example.case}: "
        yield Diagnostic(CODE, f"{case}{words}", span, rule=failure.rule, fixes=fixes)


# ---------------------------------------------------------------- what others ask


def forget(desk: Desk, root: Path, written: str = "") -> None:
    """Lets an example run again, with all its cases; all examples of the game, if none is named."""
    state = desk.of(Verdicts)
    queue = state.queue(desk, root)
    for example in () if queue is None else queue.examples:
        if written in ("", example.written):
            assert queue is not None
            state.runs.get(root, {}).pop(state.digest(queue, example), None)
            if example not in queue.due:
                queue.due.append(example)


def verdicts_of(desk: Desk, root: Path) -> list[Verdict]:
    """The state of each example of the game, under the rules as the texts are now."""
    state = desk.of(Verdicts)
    state.want(root)
    queue = state.queue(desk, root)
    left = None if queue is None else queue.left
    key = "verdicts", root, state.at, left, desk.knows(("report", root))
    return desk.kept(key, lambda: _found(desk, root, queue))


def _found(desk: Desk, root: Path, queue: _Queue | None) -> list[Verdict]:
    state = desk.of(Verdicts)
    items, report = _written(desk, root), desk.present(root)
    if queue is None:
        return [_blocked(id_, item, report) for id_, item in items.items()]
    made: list[Verdict] = []
    at_work = state.at == root
    behind = "its turn" if state.at is None else f"the examples of {state.at.name}"
    for example in queue.examples:
        run = state.run_of(root, queue, example) if example.id in queue.digests else None
        if run is None:
            why = "running" if at_work else f"waiting for {behind}"
            made.append(Verdict(example.written, "running" if at_work else "waiting", why))
            continue
        lines = example.span.line - run.line
        found = [_moved(failure, lines) for failure in run.failures]
        mends = tuple(failure.mend for failure in found if failure.mend is not None)
        state_: Literal["passed", "failed"] = "passed" if run.status == "passed" else "failed"
        made.append(Verdict(example.written, state_, "", run.rules, tuple(_failures(example, found)), mends))
    there = {example.written for example in queue.examples}
    made += [_blocked(id_, item, report) for id_, item in items.items() if id_ not in there]
    return made


def _written(desk: Desk, root: Path) -> dict[str, _WrittenExample]:
    files = desk.files(root)
    return {} if files is None else desk.kept(("items", root), lambda: _items(files))


def places_of(desk: Desk, root: Path) -> dict[str, Span]:
    """Where each example of the game is written, by its id."""
    return {id_: item.span for id_, item in _written(desk, root).items()}


def _blocked(id_: str, item: _WrittenExample, report: CheckReport | None) -> Verdict:
    if report is None:
        return Verdict(id_, "waiting", "waiting for the check of the rules")
    return Verdict(id_, "blocked", in_the_way(item.span, report.diagnostics, lambda file: Path(file).name))


def failures(desk: Desk, root: Path) -> list[Diagnostic]:
    """What fails under the rules as they are now; where mistakes keep all from running, a note that says so."""
    found = verdicts_of(desk, root)
    files = desk.files(root)
    if found and files is not None and files.game is not None and all(v.state == "blocked" for v in found):
        message = f"{several(len(found), 'example')} {not_run(found)[1]}"
        return [Diagnostic(CODE, message, files.game.span, "note")]
    return [failure for verdict in found for failure in verdict.failures]


def _moved(failure: Failure, lines: int) -> Failure:
    """The same failure in an example that stands so many lines further down."""
    mend = failure.mend
    if mend is not None:
        span = attrs.evolve(mend.span, line=mend.span.line + lines, end_line=mend.span.end_line + lines)
        mend = attrs.evolve(mend, span=span)
    return attrs.evolve(failure, line=failure.line + lines, mend=mend)
