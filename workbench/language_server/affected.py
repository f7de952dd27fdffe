"""Examples that an edit can affect: a digest of everything that an example's run can reach in its Program.

Two runs of an example with the same digest come out the same. The digest holds more than the run reaches rather than
less: every rule that waits for something counts, and a name counts wherever it occurs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs

from rulelang.examples import Example
from rulelang.program import Program
from rulelang.source import Span
from rulelang.types import Domain

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
