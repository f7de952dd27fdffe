"""How strong a game's examples are: its rules are changed one word at a time, and what no example notices is listed."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby, takewhile
from pathlib import Path
from typing import Any, Literal, TypeAlias

import attrs

from interpreter.errors import GameError
from interpreter.examples.one import ExampleRun
from interpreter.examples.runner import run_resolved
from interpreter.loading import game_of, load
from interpreter.outcomes.as_example import value_at
from interpreter.outcomes.situations import table
from interpreter.simulate.games import play_many
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

from .rule_changes import variant_side
from .smallest_case import RulesSide, SmallestCases, find, tells_apart

_STRONGER = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "is": "is not", "is not": "is", "and": "or", "or": "and", "+": "-",
}  # fmt: skip
"""What stands in place of an operator."""

_STEPS = (tree.Move, tree.Set, tree.Change, tree.Score, tree.Shuffle, tree.Do)
_GAMES, _SECONDS = 24, 6.0
_LONGEST = 2_000
"""Choices of a game in which invariants are looked at."""


Status: TypeAlias = Literal["noticed", "proposal", "setting", "invariant", "none", "open"]
"""By an example; by one that is proposed, or by games; only under a setting; only by an invariant; by nothing that was
looked at; there was no time to look."""


@attrs.frozen
class Mutant:
    """A change of one place in the rules. ``operator``: what sort of change; ``old`` and ``new``: what stands there,
    ``before`` and ``after`` the whole line; ``rule``: the item it stands in; ``text``: that of the whole file then."""

    span: Span
    operator: str
    old: str
    new: str
    before: str
    after: str
    rule: str
    text: str = attrs.field(repr=False)

    @property
    def place(self) -> str:
        return f"{self.span.file}:{self.span.line}"

    @property
    def key(self) -> str:
        return _digest([self.span.file, self.text])


@attrs.frozen
class TriedMutant:
    """What notices a mutant. ``example``: one that would. ``choices``: after how many choices of a random game the two
    part, if any was found to; ``option``: the setting under which an example or a game shows it, ``name=value``;
    ``add``: the example that would notice it with one more line, and that line."""

    mutant: Mutant
    status: Status
    example: str | None = None
    choices: int | None = None
    option: str | None = None
    add: tuple[str, str] | None = None


@attrs.frozen
class Strength:
    """``possible``: all mutants; ``refused``: those that `check` refuses; ``mutants``: the others that were tried."""

    possible: int
    refused: int
    mutants: tuple[TriedMutant, ...]
    stopped: bool

    @property
    def unnoticed(self) -> Sequence[TriedMutant]:
        """Those that no example notices."""
        return [one for one in self.mutants if one.status != "noticed"]


def mutants(files: GameFiles, rule: str | None = None) -> list[Mutant]:
    """The changes of the rules without variants, in the order of the text; ``rule``: only those in this item."""
    found: list[Mutant] = []
    for file in files.parts:
        lines = files.sources[file.span.file].lines
        for item in file.items:
            name = _name(item)
            if isinstance(item, _CHANGED) and rule in (None, name):
                for operator, span, new in _changes(item, lines):
                    text, changed = _put(lines, span, new)
                    before = lines[span.line - 1]
                    old = before[span.column - 1 : span.end_column - 1].strip()
                    found.append(Mutant(span, operator, old, new.strip(), before.strip(), changed.strip(), name, text))
    return sorted(found, key=lambda one: (one.span.file, one.span.line))


def _put(lines: Sequence[str], span: Span, text: str) -> tuple[str, str]:
    """The whole text with a stretch of one line replaced, and that line."""
    line = lines[span.line - 1]
    changed = line[: span.column - 1] + text + line[span.end_column - 1 :]
    return "\n".join((*lines[: span.line - 1], changed, *lines[span.line :])), changed


def _changes(item: tree.Node, lines: Sequence[str]) -> Iterator[tuple[str, Span, str]]:
    """What sort of change, where, and what stands there then."""
    for node in walk(item):
        span = node.span
        if span.line == 0 or span.line != span.end_line:
            continue
        match node:
            case tree.Integer(value=value):
                yield from (("number", span, str(other)) for other in (value + 1, value - 1) if other >= 0)
            case tree.Binary(op=op, left=left, right=right) if op in _STRONGER:
                yield from _operator(op, left.span, right.span, lines)
            case tree.Apply(function=tree.Name(name="next"), arguments=(one,)):
                yield "next", span, lines[span.line - 1][one.span.column - 1 : one.span.end_column - 1]
            case tree.Index(indices=(tree.Name(name=name, span=owner),)):
                yield "owner", owner, f"next({name})"
            case tree.Rank(word=word):
                at = lines[span.line - 1].find(word, span.column - 1)
                if at >= 0:
                    other = "fewest" if word == "most" else "most"
                    yield "rank", attrs.evolve(span, column=at + 1, end_column=at + 1 + len(word)), other
            case tree.Needs(condition=condition):
                yield "condition", condition.span, "yes or no"
            case _ if isinstance(node, _STEPS):
                yield "step", span, "do nothing"


def _operator(op: str, left: Span, right: Span, lines: Sequence[str]) -> Iterator[tuple[str, Span, str]]:
    if left.end_line == right.line:
        between = attrs.evolve(right, column=left.end_column, end_line=right.line, end_column=right.column)
        if lines[between.line - 1][between.column - 1 : between.end_column - 1].strip() == op:
            yield "comparison" if op not in ("and", "or", "+") else op, between, f" {_STRONGER[op]} "


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
    verdicts: list[tuple[Mutant, str]] = []
    stopped = interrupted = False
    known = _Memory(files, examples)
    try:
        for mutant in _spread(every):
            verdict = known.verdict(mutant)
            if verdict is None:
                if time.monotonic() > until:
                    stopped = True
                    continue
                around = known.proposals.items.around(mutant.rule)
                verdict, by = _verdict(games, files, mutant, around, examples, ran, killed)
                known.note(mutant, verdict, by)
            verdicts.append((mutant, verdict))
    except KeyboardInterrupt:
        stopped = interrupted = True
    verdicts.sort(key=lambda one: (one[0].span.file, one[0].span.line))
    tried, cut = known.proposals_for(verdicts, 0 if interrupted else max(until, time.monotonic()) + seconds)
    known.keep()
    return Strength(len(every), len(verdicts) - len(tried), tuple(tried), stopped or cut)


class _Memory:
    """What came out for mutants of rules that are still the same, kept in the user's cache. That an example noticed one
    holds as long as the example is the same; that none did, as long as all are."""

    def __init__(self, files: GameFiles, examples: Sequence[Example]) -> None:
        parts = [files.sources[file.span.file].text for file in files.parts]
        tables = [content(place, files.root).hex() for place in sorted(files.root.rglob("*.csv"))]
        room = cache.room("strength")
        self._file = None if room is None else room / _digest([LANGUAGE, *parts, *tables])
        texts = {one.id: _lines(files, one.span) for one in examples}
        self.proposals = _Proposals(files, texts)
        self._examples = {id_: _digest(lines) for id_, lines in texts.items()}
        self._all = _digest(sorted(self._examples.values()))
        body = None if self._file is None else cache.read(self._file, _MARK)
        self._known: dict[str, dict[str, Any]] = {} if body is None else json.loads(bytes(body))

    def verdict(self, mutant: Mutant) -> str | None:
        match self._known.get(mutant.key):
            case {"verdict": "refused"}:
                return "refused"
            case {"verdict": "noticed", "by": by} if by in self._examples.values():
                return "noticed"
            case {"verdict": "unnoticed", "by": self._all}:
                return "unnoticed"
        return None

    def note(self, mutant: Mutant, verdict: str, by: str | None) -> None:
        """``by``: the example that noticed it."""
        entry = self._known.setdefault(mutant.key, {})
        entry |= {"verdict": verdict, "by": self._all if by is None else self._examples[by]}

    def proposals_for(self, verdicts: Sequence[tuple[Mutant, str]], until: float) -> tuple[list[TriedMutant], bool]:
        """What would notice the mutants that no example does, with the others that were not refused; and whether it was
        interrupted. The time is shared by those for which it is not known yet."""
        new = [mutant.key for mutant, verdict in verdicts if verdict == "unnoticed"]
        new = [key for key in new if "proposed" not in self._known[key]]
        tried, stopped = [], False
        for mutant, verdict in verdicts:
            found = TriedMutant(mutant, "noticed" if verdict == "noticed" else "open")
            entry, left = self._known[mutant.key], until - time.monotonic()
            try:
                if verdict == "unnoticed" and mutant.key in new and left > 0 and not stopped:
                    share = left / (len(new) - new.index(mutant.key))
                    one = self.proposals.of(mutant, min(_SECONDS, max(1, share)))
                    entry["proposed"] = [one.status, one.example, one.choices, one.option, one.add]
            except KeyboardInterrupt:
                stopped = True
            if verdict == "unnoticed" and "proposed" in entry:
                found = TriedMutant(mutant, *entry["proposed"])
            tried += [found] if verdict != "refused" else []
        return tried, stopped

    def keep(self) -> None:
        if self._file is not None:
            cache.write(self._file, _MARK, json.dumps(self._known).encode())


_MARK = b"strength 3\n"


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
    games: Workspace,
    files: GameFiles,
    mutant: Mutant,
    around: frozenset[str],
    examples: Sequence[Example],
    ran: dict[str, frozenset[str]],
    killed: Counter[str],
) -> tuple[str, str | None]:
    """What becomes of a mutant, and which example noticed it. Those examples come first that run something ``around``
    it, those for one Program together, and of these those that have noticed most so far."""
    place = files.paths[mutant.span.file]
    games.set_text(place, mutant.text)
    try:
        sink = Sink()
        changed, _ = games.open(files.root, (), sink, notes=False)
        near = Counter(id(one.program) for one in examples if ran[one.id] & around)

        def rank(one: Example) -> tuple[bool, int, bool, int]:
            runs = ran[one.id]
            return not runs & around, -near[id(one.program)], mutant.rule not in runs, -killed[one.id]

        every = sorted((one for one in examples if one.id in ran), key=rank)
        for _, group in groupby(every, key=lambda one: id(one.program)):
            order = [one.id for one in group]
            again = {one.id: one for one in _examples(games, _with_only(changed, order), sink)}
            if sink.has_errors:
                return "refused", None
            game = game_of(again[order[0]].program)
            for example in (again[id_] for id_ in order):
                if ExampleRun(example, game).result().status != "passed":
                    killed[example.id] += 1
                    return "noticed", example.id
        return "unnoticed", None
    except (RulesError, UnusablePath):
        return "refused", None
    finally:
        games.forget(place)


def _with_only(files: GameFiles, examples: Sequence[str]) -> GameFiles:
    """The files of a game without other examples, which would have to be resolved before any can run."""

    def left(of: Iterable[tree.File]) -> tuple[tree.File, ...]:
        return tuple(attrs.evolve(file, items=tuple(filter(is_left, file.items))) for file in of)

    def is_left(item: tree.Item) -> bool:
        return not isinstance(item, tree.Example) or any(f"{id_}.".startswith(f"{item.id}.") for id_ in examples)

    return attrs.evolve(files, parts=left(files.parts), examples=left(files.examples))


class _Items:
    """The items of a game by id, and the words in the text of each."""

    def __init__(self, files: GameFiles) -> None:
        self._words = {
            _name(item): frozenset(_WORD.findall("\n".join(_lines(files, item.span))))
            for file in files.parts
            for item in file.items
            if isinstance(item, _CHANGED)
        }

    def around(self, name: str) -> frozenset[str]:
        """An item with those that use it, and those that any of these or it uses at once."""
        found, new = {name}, {name}
        while new:
            names = {part for one in new for part in (one, one.rpartition(".")[0])} - {""}
            new = {other for other, words in self._words.items() if words & names} - found
            found |= new
        return frozenset(found)

    def words(self, name: str) -> frozenset[str]:
        """The words of an item and of what it uses, and of those that use it."""
        found, new = {name}, {name}
        while new:
            words = frozenset().union(*(self._words.get(one, frozenset()) for one in new))
            new = {other for other in self._words if other in words or other.rpartition(".")[0] in words} - found
            found |= new
        return frozenset().union(*(self._words.get(one, frozenset()) for one in found | self.around(name)))


_CHANGED = tree.Rule | tree.Define | tree.Number | tree.Winner
_WORD = re.compile(r"[\w.]*\w")


def _name(item: tree.Item) -> str:
    return getattr(item, "id", None) or getattr(item, "name", None) or "winner"


class _Proposals:
    """Looks for examples that would notice a mutant. The rules as they are stay loaded."""

    def __init__(self, files: GameFiles, examples: Mapping[str, Sequence[str]]) -> None:
        self._files, self._examples = files, examples
        self._bases: dict[tuple[tuple[str, str], ...], RulesSide] = {}

    @cached_property
    def items(self) -> _Items:
        return _Items(self._files)

    @cached_property
    def _sound(self) -> bool:
        return not _breaks(self._files.root)

    def of(self, mutant: Mutant, seconds: float) -> TriedMutant:
        """With an example that passes under the rules as they are, and fails under the mutant; else with what shows
        it. ``seconds``: for the settings as they are; a third of that for each other value that the rule can see."""
        root = self._files.root
        with tempfile.TemporaryDirectory() as folder:
            other = Path(folder) / "mutant"
            shutil.copytree(root, other)
            (other / self._files.paths[mutant.span.file].relative_to(root)).write_text(mutant.text, encoding="utf-8")
            setup: Mapping[str, str] = {}
            try:
                base, side = self._sides(other, setup)
                added = self._with_more(base, side, mutant)
                if added is not None:
                    return added
                found = _found(base, side, seconds)
                for setup in _settings(base, self.items.words(mutant.rule)) if not found.cases else ():
                    found = _found(*self._sides(other, setup), seconds / 3)
                    if found.cases:
                        break
                if not found.cases:
                    return TriedMutant(mutant, "invariant" if self._sound and _breaks(other) else "none")
            except (RulesError, UnusablePath, GameError):
                return TriedMutant(mutant, "none")
        examples = [
            _under(case.example, setup).replace("mutant_", f"{mutant.rule}_") for case in found.cases if case.example
        ]
        lengths = [length for one in found.searches for length in one.lengths]
        option = ", ".join(f"{name}={value}" for name, value in setup.items()) or None
        status: Status = "setting" if option else "proposal"
        return TriedMutant(mutant, status, next(iter(examples), None), min(lengths, default=None), option)

    def _sides(self, other: Path, settings: Mapping[str, str]) -> tuple[RulesSide, RulesSide]:
        key = tuple(settings.items())
        base = self._bases[key] = self._bases.get(key) or _side(self._files.root, settings)
        return base, _side(other, settings)

    def _with_more(self, base: RulesSide, side: RulesSide, mutant: Mutant) -> TriedMutant | None:
        """An example that comes by, with one more line: a value that differs where it ends. Both are run."""
        before, after = (one.game(one.rules.programs[0]) for one in (base, side))
        until = time.monotonic() + _SECONDS / 2
        for id_, situation in takewhile(lambda _: time.monotonic() < until, base.situations(before, {}, ())):
            lines = self._examples.get(id_, ["cases"])
            x, y = situation.end(before), situation.end(after)
            if x is None or y is None or any(line.strip().startswith("cases") for line in lines):
                continue
            other = table(y)
            changed = [
                name
                for name, value in table(x).items()
                if other.get(name, value) != value and not before.program.variables[name.partition("[")[0]].bookkeeping
            ]
            for name in sorted(changed, key=len)[:1]:
                line = f"then {name} is {value_at(before, x, name)}"
                head = lines[0].replace(id_, f"{mutant.rule}_1", 1)
                text = "\n".join([head, *lines[1:]]).rstrip() + f"\n  {line}"
                if tells_apart(text, base, side):
                    return TriedMutant(mutant, "proposal", text, add=(id_, line))
        return None


def _under(example: str, settings: Mapping[str, str]) -> str:
    """An example with what it is to be run under, below its players."""
    head, players, *rest = example.split("\n")
    return "\n".join([head, players, *(f"  with {name} = {value}" for name, value in settings.items()), *rest])


def _found(base: RulesSide, side: RulesSide, seconds: float) -> SmallestCases:
    return find(base, side, _GAMES, seconds, base.rules.programs[0].players)


def _side(path: Path, settings: Mapping[str, str]) -> RulesSide:
    return RulesSide(attrs.evolve(variant_side(path, (), settings), name=str(path)), path, (), settings)


def _settings(base: RulesSide, words: frozenset[str]) -> Iterator[Mapping[str, str]]:
    """Each other value of each setting that is among ``words``, by itself."""
    for name, setting in base.rules.programs[0].settings.items():
        if name in words:
            yield from ({name: value} for value in setting.domain.members if value != setting.value)


def _breaks(path: Path) -> bool:
    """Whether an invariant does not hold in a few random games."""
    game = load(path, invariants=True)
    results = play_many(game, seed=0, games=_GAMES // 3, limit=_LONGEST)
    return any(result.fault is not None and "invariant" in result.fault for result in results)


def told(found: Strength) -> Iterator[str]:
    """The report, line by line."""
    number = len(found.mutants) + found.refused
    cut = f" of {found.possible} (stopped before the rest)" if found.stopped else ""
    unnoticed = found.unnoticed
    yield (
        f"{number}{cut} changes of the rules: {len(found.mutants) - len(unnoticed)} noticed by an example,"
        f" {found.refused} refused by `check`, {len(unnoticed)} not noticed by any example"
    )
    for one in unnoticed:
        yield ""
        yield f"{one.mutant.place}  {one.mutant.before}"
        yield f"{'':{len(one.mutant.place)}}  {one.mutant.after}"
        yield from _told_of(one)


def _told_of(one: TriedMutant) -> Iterator[str]:
    under = f" with {one.option}" if one.option else ""
    match one.status:
        case "proposal" if one.add is not None:
            yield f"  example {one.add[0]} would notice with one more line:"
            yield f"    {one.add[1]}"
        case "proposal" | "setting" if one.example is not None:
            yield f"  this example would notice{under}:"
            yield from (f"    {line}" for line in one.example.splitlines())
        case "proposal" | "setting":
            first = f", the first after {one.choices} choices" if one.choices is not None else ""
            yield f"  random games{under} show it{first}; no short example was found"
        case "invariant":
            yield "  an invariant notices it in random games; no example does"
        case "none":
            yield "  no difference was found, with any setting"
        case _:
            yield "  the time was up before an example was looked for: give more --minutes, or a --rule"


def as_json(found: Strength) -> dict[str, Any]:
    def plain(one: TriedMutant) -> dict[str, Any]:
        mutant, span = one.mutant, one.mutant.span
        return {
            "file": span.file,
            "line": span.line,
            "column": span.column,
            "end_column": span.end_column,
            "operator": mutant.operator,
            "old": mutant.old,
            "new": mutant.new,
            "rule": mutant.rule,
            "status": one.status,
            "option": one.option,
            "example": one.example,
            "choices": one.choices,
            "add": None if one.add is None else {"example": one.add[0], "line": one.add[1]},
        }

    return {
        "possible": found.possible,
        "refused": found.refused,
        "mutants": [plain(one) for one in found.mutants],
        "stopped": found.stopped,
    }
