"""How strong a game's examples are: its rules are changed one word at a time, and what no example notices is listed."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

import attrs

from interpreter.errors import GameError
from interpreter.examples.one import ExampleRun
from interpreter.examples.runner import run_resolved
from interpreter.game import Game
from interpreter.loading import game_of
from rulelang.diagnostics import RulesError, Sink, UnusablePath
from rulelang.examples import Example
from rulelang.files import cache
from rulelang.files.contents import content
from rulelang.files.folder import GameFiles
from rulelang.source import Span
from rulelang.syntax import tree
from rulelang.syntax.walk import walk
from rulelang.version import LANGUAGE
from rulelang.workspace import Workspace

from .changes import folder_side
from .smallest_case import RulesSide, find

_STRONGER = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "is": "is not", "is not": "is", "and": "or", "or": "and", "+": "-",
}  # fmt: skip
"""What stands in place of an operator."""

_STEPS = (tree.Move, tree.Set, tree.Change, tree.Score, tree.Shuffle, tree.Do)
_GAMES, _SECONDS = 24, 6.0


@attrs.frozen
class Mutant:
    """A change of one place in the rules. ``rule``: the item it stands in; ``text``: that of the whole file then."""

    file: str
    line: int
    before: str
    after: str
    rule: str
    text: str = attrs.field(repr=False)


@attrs.frozen
class Unnoticed:
    """``example``: one that would notice the mutant. ``choices``: after how many choices of a random game the two part;
    None where none was found to do so. ``looked``: whether there was time to look."""

    mutant: Mutant
    example: str | None
    choices: int | None = None
    looked: bool = True


@attrs.frozen
class Strength:
    """``possible``: all mutants; ``refused``: those that `check` refuses; ``noticed``: by an example."""

    possible: int
    tried: int
    refused: int
    noticed: int
    unnoticed: tuple[Unnoticed, ...]
    stopped: bool


def mutants(files: GameFiles, rule: str | None = None) -> list[Mutant]:
    """The changes of the rules without variants, in the order of the text; ``rule``: only those in this item."""
    found: list[Mutant] = []
    for file in files.parts:
        lines = files.sources[file.span.file].lines
        for item in file.items:
            name = getattr(item, "id", None) or getattr(item, "name", None) or "winner"
            if isinstance(item, (tree.Rule, tree.Define, tree.Number, tree.Winner)) and rule in (None, name):
                for span, words in _changes(item, lines):
                    text, changed = _put(lines, span, words)
                    before = lines[span.line - 1].strip()
                    found.append(Mutant(span.file, span.line, before, changed.strip(), name, text))
    return sorted(found, key=lambda one: (one.file, one.line))


def _put(lines: Sequence[str], span: Span, text: str) -> tuple[str, str]:
    """The whole text with a stretch of one line replaced, and that line."""
    line = lines[span.line - 1]
    changed = line[: span.column - 1] + text + line[span.end_column - 1 :]
    return "\n".join((*lines[: span.line - 1], changed, *lines[span.line :])), changed


def _changes(item: tree.Node, lines: Sequence[str]) -> Iterator[tuple[Span, str]]:
    for node in walk(item):
        span = node.span
        if span.line == 0 or span.line != span.end_line:
            continue
        match node:
            case tree.Integer(value=value):
                yield from ((span, str(other)) for other in (value + 1, value - 1) if other >= 0)
            case tree.Binary(op=op, left=left, right=right) if op in _STRONGER:
                yield from _operator(op, left.span, right.span, lines)
            case tree.Apply(function=tree.Name(name="next"), arguments=(one,)):
                yield span, lines[span.line - 1][one.span.column - 1 : one.span.end_column - 1]
            case tree.Rank(word=word):
                at = lines[span.line - 1].find(word, span.column - 1)
                if at >= 0:
                    other = "fewest" if word == "most" else "most"
                    yield attrs.evolve(span, column=at + 1, end_column=at + 1 + len(word)), other
            case tree.Needs(condition=condition):
                yield condition.span, "yes or no"
            case _ if isinstance(node, _STEPS):
                yield span, "do nothing"


def _operator(op: str, left: Span, right: Span, lines: Sequence[str]) -> Iterator[tuple[Span, str]]:
    if left.end_line == right.line:
        between = attrs.evolve(right, column=left.end_column, end_line=right.line, end_column=right.column)
        if lines[between.line - 1][between.column - 1 : between.end_column - 1].strip() == op:
            yield between, f" {_STRONGER[op]} "


def strength(path: Path, rule: str | None, seconds: float) -> Strength:
    """Tries the mutants of a game for so long, and looks for examples as long again.

    Raises UnusablePath, and RulesError where the game has mistakes.
    """
    games = Workspace(edits=True)
    until = time.monotonic() + seconds
    sink = Sink()
    files, _ = games.open(path, (), sink)
    examples = _examples(games, files, sink)
    if sink.has_errors:
        raise RulesError(sink, files.sources)
    every = mutants(files, rule)
    if rule is not None and not every:
        raise UnusablePath(f"Nothing that can be changed has the id {rule}.")
    ran = {result.name: frozenset(result.rules) for result in run_resolved(examples) if result.status == "passed"}
    killed: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    left: list[Mutant] = []
    stopped = False
    known = _Memory(files, examples)
    try:
        for mutant in _spread(every):
            verdict = known.verdict(mutant)
            if verdict is None:
                if time.monotonic() > until:
                    stopped = True
                    continue
                verdict, by = _verdict(games, files, path, mutant, ran, killed)
                known.note(mutant, verdict, by)
            counts[verdict] += 1
            left += [mutant] if verdict == "unnoticed" else []
    except KeyboardInterrupt:
        stopped = True
    unnoticed = []
    for mutant in sorted(left, key=lambda one: (one.file, one.line)):
        proposed = known.proposal(mutant)
        if proposed is None and time.monotonic() <= until + seconds:
            proposed = _proposed(files, mutant)
            known.propose(mutant, proposed)
        unnoticed.append(proposed or Unnoticed(mutant, None, looked=False))
    known.keep()
    return Strength(len(every), sum(counts.values()), counts["refused"], counts["noticed"], tuple(unnoticed), stopped)


class _Memory:
    """What came out for mutants of rules that are still the same, kept in the user's cache. That an example noticed one
    holds as long as the example is the same; that none did, as long as all are."""

    def __init__(self, files: GameFiles, examples: Sequence[Example]) -> None:
        parts = [files.sources[file.span.file].text for file in files.parts]
        tables = [content(place, files.root).hex() for place in sorted(files.root.rglob("*.csv"))]
        room = cache.room("strength")
        self._file = None if room is None else room / _digest([LANGUAGE, *parts, *tables])
        spans = {one.id: one.span for one in examples}
        self._examples = {id_: _digest(_lines(files, span)) for id_, span in spans.items()}
        self._all = _digest(sorted(self._examples.values()))
        body = None if self._file is None else cache.read(self._file, _MARK)
        self._known: dict[str, dict[str, Any]] = {} if body is None else json.loads(bytes(body))

    def verdict(self, mutant: Mutant) -> str | None:
        match self._known.get(_digest([mutant.file, mutant.text])):
            case {"verdict": "refused"}:
                return "refused"
            case {"verdict": "noticed", "by": by} if by in self._examples.values():
                return "noticed"
            case {"verdict": "unnoticed", "by": self._all}:
                return "unnoticed"
        return None

    def note(self, mutant: Mutant, verdict: str, by: str | None) -> None:
        """``by``: the example that noticed it."""
        entry = self._known.setdefault(_digest([mutant.file, mutant.text]), {})
        entry |= {"verdict": verdict, "by": self._all if by is None else self._examples[by]}

    def proposal(self, mutant: Mutant) -> Unnoticed | None:
        entry = self._known.get(_digest([mutant.file, mutant.text]), {})
        return Unnoticed(mutant, *entry["proposed"]) if "proposed" in entry else None

    def propose(self, mutant: Mutant, found: Unnoticed) -> None:
        self._known[_digest([mutant.file, mutant.text])]["proposed"] = [found.example, found.choices]

    def keep(self) -> None:
        if self._file is not None:
            cache.write(self._file, _MARK, json.dumps(self._known).encode())


_MARK = b"strength 1\n"


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _lines(files: GameFiles, span: Span) -> Sequence[str]:
    """An example whole: its first line, and what is indented below it."""
    lines = files.sources[span.file].lines[span.line - 1 :]
    return [lines[0], *takewhile(lambda line: not line or line[0] in " #", lines[1:])]


def _spread(every: Sequence[Mutant]) -> Iterator[Mutant]:
    """All of them, from all over the rules, so that a search that is cut off has seen something of everything."""
    step = next((n for n in (7, 11, 13, 17) if len(every) % n), 1)
    yield from (every[i * step % len(every)] for i in range(len(every)))


def _examples(games: Workspace, files: GameFiles, sink: Sink) -> list[Example]:
    base = frozenset(file.span.file for file in (*files.parts, *files.examples))
    return games.examples(files, sink, (), {}, base)


def _verdict(
    games: Workspace, files: GameFiles, path: Path, mutant: Mutant, ran: dict[str, frozenset[str]], killed: Counter[str]
) -> tuple[str, str | None]:
    """What becomes of a mutant, and which example noticed it. Those examples come first that run the rule and have
    noticed most so far."""
    place = files.paths[mutant.file]
    games.set_text(place, mutant.text)
    try:
        sink = Sink()
        changed, _ = games.open(path, (), sink, notes=False)
        examples = [one for one in _examples(games, changed, sink) if one.id in ran]
        if sink.has_errors:
            return "refused", None
        examples.sort(key=lambda one: (mutant.rule not in ran[one.id], -killed[one.id]))
        made: dict[int, Game] = {}
        for example in examples:
            game = made.get(id(example.program))
            if game is None:
                game = made[id(example.program)] = game_of(example.program)
            if ExampleRun(example, game).result().status != "passed":
                killed[example.id] += 1
                return "noticed", example.id
        return "unnoticed", None
    except (RulesError, UnusablePath):
        return "refused", None
    finally:
        games.forget(place)


def _proposed(files: GameFiles, mutant: Mutant) -> Unnoticed:
    """With an example that passes under the rules as they are, and fails under the mutant."""
    with tempfile.TemporaryDirectory() as folder:
        other = Path(folder) / "mutant"
        shutil.copytree(files.root, other)
        (other / files.paths[mutant.file].relative_to(files.root)).write_text(mutant.text, encoding="utf-8")
        try:
            before, after = RulesSide(folder_side(files.root), files.root), RulesSide(folder_side(other), other)
            players = before.rules.programs[0].players
            found = find(before, after, _GAMES, _SECONDS, players)
        except (RulesError, UnusablePath, GameError):
            return Unnoticed(mutant, None)
    examples = [case.example.replace("mutant_", f"{mutant.rule}_") for case in found.cases if case.example]
    lengths = [length for one in found.searches for length in one.lengths]
    return Unnoticed(mutant, examples[0] if examples else None, min(lengths, default=None))


def told(found: Strength) -> Iterator[str]:
    """The report, line by line."""
    cut = f" of {found.possible} (the time was up)" if found.stopped else ""
    yield (
        f"{found.tried}{cut} changes of the rules: {found.noticed} noticed by an example, {found.refused} refused by"
        f" `check`, {len(found.unnoticed)} noticed by nothing"
    )
    for one in found.unnoticed:
        mutant = one.mutant
        yield ""
        yield f"{mutant.file}:{mutant.line}  {mutant.before}"
        yield f"{'':{len(f'{mutant.file}:{mutant.line}')}}  {mutant.after}"
        if one.example is not None:
            yield "  this example would notice:"
            yield from (f"    {line}" for line in one.example.splitlines())
        elif one.choices is not None:
            yield f"  random games show it, the first after {one.choices} choices; no short example was found"
        elif one.looked:
            yield "  no difference was found"
        else:
            yield "  the time was up before an example was looked for: give more --minutes, or a --rule"


def as_json(found: Strength) -> dict[str, Any]:
    def plain(one: Unnoticed) -> dict[str, Any]:
        mutant = one.mutant
        return {
            "file": mutant.file,
            "line": mutant.line,
            "rule": mutant.rule,
            "before": mutant.before,
            "after": mutant.after,
            "example": one.example,
            "choices": one.choices,
            "looked for": one.looked,
        }

    unnoticed: Iterable[Unnoticed] = found.unnoticed
    return attrs.asdict(found) | {"unnoticed": [plain(one) for one in unnoticed]}
