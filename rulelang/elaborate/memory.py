"""Memory between elaborations: the result of each item, with the questions it asked and the answers it got.

Elaborating an item (a definition, a rule, a table ...) depends on its own tree and on what the names it looks up
mean. Both are kept with the result. When the same tree comes again, its questions are asked again in their order; as
long as the answers are the same, elaborating it afresh would ask the same next question, so if all answers are the
same, the result is too. The first other answer ends this and the item is elaborated afresh. What has findings is
never kept, and neither is what looked at all names of a kind at once.

Spans belong to a tree (an item that moved is another one) but not to an answer: no result holds a span of what it
looked up.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import attrs

from ..source import Span
from ..types import Domain

V = TypeVar("V")

Question = tuple[str, Any]
"""What is asked for (``domains``, ``in domains``, ``number`` ...) and the name it is asked with."""

Members = tuple[tuple[str, tuple[tuple[Domain, int], ...]], ...]

_DOMAINS = 300
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
        return len(a) == len(b) and all(same(x, y, spans) for x, y in zip(a, b, strict=True))
    if cls is Span:
        return bool(a == b) or not spans
    fields = _fields(cls)
    if fields:
        return all(same(getattr(a, name), getattr(b, name), spans) for name in fields)
    if cls is dict:
        return list(a) == list(b) and all(same(a[key], b[key], spans) for key in a)
    return bool(a == b)


_FIELDS: dict[type, tuple[str, ...]] = {}


def _fields(cls: type) -> tuple[str, ...]:
    found = _FIELDS.get(cls)
    if found is None:
        found = tuple(field.name for field in attrs.fields(cls)) if attrs.has(cls) else ()
        _FIELDS[cls] = found
    return found


# ---------------------------------------------------------------- questions


@attrs.define
class Frame:
    """What one item has asked so far. ``nested``: findings of items worked out meanwhile, which are not its own."""

    reads: dict[Question, Any] = attrs.field(factory=dict)
    whole: bool = False
    nested: int = 0


class Log(threading.local):
    """``frame``: of the item that is being elaborated in this thread, if questions are to be noted.

    ``whole``: whether anything at all depended on more than can be asked again.
    """

    frame: Frame | None = None
    whole = False

    def note(self, what: str, name: Any, answer: Any) -> None:
        if self.frame is not None:
            self.frame.reads.setdefault((what, name), answer)

    def all(self) -> None:
        """Notes that the answer depends on more than can be asked again; the item is not kept."""
        self.whole = True
        if self.frame is not None:
            self.frame.whole = True


class Names(Mapping[str, V]):
    """Names with what they mean, which notes every question. ``values``: the same, for those who ask for nobody."""

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


@attrs.frozen
class Entry:
    """A result with what it was made from."""

    source: tuple[Any, ...]
    reads: tuple[tuple[str, Any, Any], ...]
    """What was asked for, with which name, and the answer."""
    result: Any


@attrs.define
class Memory:
    """Results of the items of one game, for one number of players and one choice of variants and settings."""

    _items: dict[tuple[str, str], list[Entry]] = attrs.field(factory=dict)
    _domains: dict[Domain, tuple[Domain, Members]] = attrs.field(factory=dict)

    def entries(self, kind: str, name: str) -> list[Entry]:
        return self._items.setdefault((kind, name), [])

    def keep(self, kind: str, name: str, entry: Entry) -> None:
        found = self.entries(kind, name)
        found.insert(0, entry)
        del found[_VERSIONS:]

    def shared(self, domain: Domain) -> Domain:
        """The first of all equal domains, so that comparing them is quick."""
        return self._domain(domain)[0]

    def members(self, domain: Domain) -> Members:
        """Each member of a domain with the one meaning it has there."""
        return self._domain(domain)[1]

    def _domain(self, domain: Domain) -> tuple[Domain, Members]:
        known = self._domains.get(domain)
        if known is None:
            if len(self._domains) >= _DOMAINS:
                self._domains.clear()
            known = domain, tuple((member, ((domain, at),)) for at, member in enumerate(domain.members))
            self._domains[domain] = known
        return known
