"""Memory between versions of a text: the result of each item, with its questions and the answers to them.

Elaborating an item (a definition, a rule, a table ...) depends on its own tree and on what the names it looks up
mean. Both are kept with the result. When the same tree comes again, its questions are asked again in their order; as
long as the answers are the same, elaborating it afresh would ask the same next question, so if all answers are the
same, the result is too. The first other answer ends this and the item is elaborated afresh. What has findings is
never kept, and neither is what looked at all names of a kind at once.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import attrs

from .diagnostics import Sink
from .source import Span
from .structural import Structural, frozen
from .types import Domain

T = TypeVar("T")
V = TypeVar("V")

Question = tuple[str, Any]
"""What is asked for (``domains``, ``in domains``, ``number`` ...) and the name it is asked with."""

Members = tuple[tuple[str, tuple[tuple[Domain, int], ...]], ...]

_DOMAINS = 300
_PARTS = 5_000
_VERSIONS = 3
"""How many results of one item are kept: the newest, and those before the last edits."""


# ---------------------------------------------------------------- sameness


def same(a: Any, b: Any, spans: bool = True) -> bool:
    """Whether two trees, types or nodes are equal in every field, also those that ``==`` leaves out.

    ``spans``: False leaves places in the texts out.
    """
    if a is b:
        return True
    cls = type(a)
    if cls is not type(b):
        return False
    if cls is tuple:
        return len(a) == len(b) and all(x is y or same(x, y, spans) for x, y in zip(a, b, strict=True))
    if cls is Span:
        return not spans or bool(a == b)
    if fields := _fields(cls):  # type: ignore[arg-type]  # classes can be hashed
        for name in fields:
            x, y = getattr(a, name), getattr(b, name)
            if x is not y and not same(x, y, spans):
                return False
        return True
    if cls is dict:
        return list(a) == list(b) and all(same(a[key], b[key], spans) for key in a)
    return bool(a == b)


@functools.cache
def _fields(cls: type) -> tuple[str, ...]:
    return tuple(field.name for field in attrs.fields(cls)) if attrs.has(cls) else ()


# ---------------------------------------------------------------- questions


@attrs.define
class OpenTrace:
    """The questions one item has asked so far. ``nested``: findings of other items, worked out meanwhile."""

    reads: dict[Question, Any] = attrs.field(factory=dict)
    whole: bool = False
    nested: int = 0


class Log(threading.local):
    """``frame``: of the item that is being elaborated in this thread, if questions are to be noted.

    ``whole``: whether anything at all depended on more than can be asked again.
    """

    frame: OpenTrace | None = None
    whole = False

    def note(self, what: str, name: Any, answer: Any) -> None:
        if self.frame is not None:
            self.frame.reads.setdefault((what, name), answer)

    def all(self) -> None:
        """Notes that the answer depends on more than can be asked again; the item is not kept."""
        self.whole = True
        if self.frame is not None:
            self.frame.whole = True


class TracedNames(Mapping[str, V]):
    """Names with what they mean, noting every question. ``values_``: the same without noting."""

    def __init__(self, what: str, log: Log, values: dict[str, V] | None = None) -> None:
        self._what = what
        self._within = f"in {what}"
        self._log = log
        self.values_: dict[str, V] = {} if values is None else values

    def get(self, name: str, default: Any = None) -> Any:
        found = self.values_.get(name)
        if self._log.frame is not None:
            self._log.frame.reads.setdefault((self._what, name), found)
        return default if found is None else found

    def __getitem__(self, name: str) -> V:
        found = self.values_.get(name)
        if self._log.frame is not None:
            self._log.frame.reads.setdefault((self._what, name), found)
        if found is None:
            raise KeyError(name)
        return found

    def __contains__(self, name: object) -> bool:
        found = name in self.values_
        if self._log.frame is not None:
            self._log.frame.reads.setdefault((self._within, name), found)
        return found

    def __iter__(self) -> Iterator[str]:
        self._log.all()
        return iter(self.values_)

    def __len__(self) -> int:
        self._log.all()
        return len(self.values_)

    def answers(self) -> dict[str, Callable[[Any], Any]]:
        """The questions that can be asked here, with what answers them."""
        return {self._what: self.values_.get, self._within: self.values_.__contains__}


# ---------------------------------------------------------------- what is kept


@frozen
class Trace(Structural):
    """A result with what it was made from."""

    source: tuple[Any, ...]
    reads: tuple[tuple[str, Any, Any], ...]
    """What was asked for, with which name, and the answer."""
    result: Any


@attrs.define
class TraceMemory:
    """Results of the items of one game, for one number of players and one choice of variants and settings."""

    _items: dict[tuple[str, str], list[Trace]] = attrs.field(factory=dict)
    _domains: dict[Domain, tuple[Domain, Members]] = attrs.field(factory=dict)
    _parts: dict[tuple[str, int], tuple[Any, Any]] = attrs.field(factory=dict)

    def entries(self, kind: str, name: str) -> list[Trace]:
        return self._items.setdefault((kind, name), [])

    def keep(self, kind: str, name: str, entry: Trace) -> None:
        found = self.entries(kind, name)
        found.insert(0, entry)
        del found[_VERSIONS:]

    def shared(self, domain: Domain) -> Domain:
        """The first of all equal domains, so that comparing them is quick."""
        return self._domain(domain)[0]

    def members(self, domain: Domain) -> Members:
        """``members_of``, the same for equal domains."""
        return self._domain(domain)[1]

    def _domain(self, domain: Domain) -> tuple[Domain, Members]:
        known = self._domains.get(domain)
        if known is None:
            if len(self._domains) >= _DOMAINS:
                self._domains.clear()
            known = domain, members_of(domain)
            self._domains[domain] = known
        return known

    def of_part(self, kind: str, part: Any, make: Callable[[], T]) -> T:
        """What ``make`` gives for this very object, and depends on nothing else."""
        key = kind, id(part)
        known = self._parts.get(key)
        if known is None:
            if len(self._parts) >= _PARTS:
                self._parts.clear()
            known = self._parts[key] = part, make()
        return known[1]


def members_of(domain: Domain) -> Members:
    """Each member of a domain with the one meaning it has there."""
    return tuple((member, ((domain, at),)) for at, member in enumerate(domain.members))


@attrs.define
class Recall:
    """Results out of a memory for one version of a text; without a memory nothing is noted or kept."""

    memory: TraceMemory | None
    log: Log = attrs.field(factory=Log)
    _answers: dict[str, Callable[[Any], Any]] = attrs.field(factory=dict)

    def names(self, what: str, values: dict[str, V] | None = None) -> TracedNames[V]:
        """Names that can be asked for, ``what`` says what they mean."""
        made = TracedNames(what, self.log, values)
        self._answers |= made.answers()
        return made

    def remembered(
        self, kind: str, name: str, source: tuple[Any, ...], make: Callable[[], T], sink: Sink, other: Any = None
    ) -> T:
        """What ``make`` gives for the item ``name``, made before or now. ``source``: what it is made from.

        ``kind`` and ``name`` only say where to look. ``sink``: where ``make`` reports findings; with findings nothing
        is kept. ``other``: its methods answer what is asked for by their name.
        """
        if self.memory is None:
            return make()
        log = self.log
        outer = log.frame
        start = sink.added
        for entry in self.memory.entries(kind, name):
            if same(entry.source, source):
                log.frame = None
                holds = self._holds(entry, other)
                log.frame = outer
                if holds:
                    if outer is not None:
                        outer.nested += sink.added - start
                    return entry.result  # type: ignore[no-any-return]
        frame = OpenTrace()
        before = sink.added
        log.frame = frame
        made = make()
        log.frame = outer
        if outer is not None:
            outer.nested += sink.added - start
        if sink.added - before == frame.nested and not frame.whole:
            reads = tuple((what, name, answer) for (what, name), answer in frame.reads.items())
            self.memory.keep(kind, name, Trace(source, reads, made))
        return made

    def _holds(self, entry: Trace, other: Any) -> bool:
        """Whether all questions, asked in the same order, have the same answers as when the entry was made.

        Spans belong to a tree (an item that moved is another one), not to an answer.
        """
        answers = self._answers
        for what, name, before in entry.reads:
            ask = answers.get(what)
            answer = ask(name) if ask is not None else getattr(other, what)(name)
            if answer is not before and not same(answer, before, spans=False):
                return False
        return True
