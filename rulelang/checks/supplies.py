"""Supplies: what the passes of a loop take from a place or put into it, and what they leave there at the least."""

from __future__ import annotations

import functools
import operator
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import TypeAlias

import attrs

from .. import program as ir
from ..program.analysis.cardinality import all_members
from ..program.analysis.effects import ProgramIndex, body_writes
from ..program.walk import nested
from ..types import NumberType
from .facts import EVERY, NEVER, Fact, Facts, Knowledge, least_of, words
from .inequalities import Sum

Loop: TypeAlias = ir.Each | ir.Together | ir.Repeat | ir.TakeTurns

COUNTS = ("size", "of", "room")
"""The kinds of facts that say how many pieces a place holds, or has room for."""

_WITHOUT_END = 2**40


@attrs.frozen
class _Round:
    """One of the names a loop goes through its members by, or its passes; ``often``: how many there are at most."""

    slot: int | None
    often: int
    distinct: bool = False


@attrs.frozen
class _Taking:
    """A step that takes at most so many pieces, or puts them somewhere, each time it is done."""

    most: int
    indices: tuple[ir.Expr, ...] = ()
    kind: ir.Expr | None = None
    inside: tuple[_Round, ...] = ()

    def own(self, loop: Iterable[_Round], of: Fact) -> dict[int, ir.Local]:
        """The names by which a pass has a cell, or a kind, of its own."""
        parts = (*self.indices, *([self.kind] if of.kind == "of" and self.kind is not None else []))
        named = {part.slot: part for part in parts if isinstance(part, ir.Local)}
        return {
            one.slot: named[one.slot] for one in loop if one.distinct and one.slot in named and one.slot is not None
        }

    def times(self, loop: Iterable[_Round], of: Fact) -> int:
        """How often it is done to one cell, and to one kind."""
        own = self.own(loop, of)
        return prod(one.often for one in loop if one.slot not in own)

    def each(self, of: Fact) -> int:
        """How many pieces a pass takes of one cell, and of one kind."""
        return self.most * self.times(self.inside, of)

    def concerns(self, of: Fact) -> bool:
        """Whether it may be done to what a fact is about."""
        pairs = [*zip(self.indices, of.place.indices, strict=False)]
        if of.kind == "of" and self.kind is not None and of.subject is not None:
            pairs.append((self.kind, of.subject))
        return not any(isinstance(a, ir.Const) and isinstance(b, ir.Const) and b != EVERY != a != b for a, b in pairs)


class Supplies:
    """Works them out for the loops of one program."""

    def __init__(self, index: ProgramIndex, known: Knowledge) -> None:
        self.index = index
        self.program = index.program
        self.known = known

    def around(
        self, s: Loop | ir.Move, facts: Iterable[Fact | Sum | ir.Expr], written: frozenset[str]
    ) -> tuple[Facts, Facts]:
        """Of what is certain before a loop: what is left at the start of each pass, and after the last one. A step
        is like a single pass."""
        at_start, left = set[Fact | Sum | ir.Expr](), set[Fact]()
        loop, body = ((), (s,)) if isinstance(s, ir.Move) else (self._rounds(s), s.body)
        if any(one.often <= 0 for one in loop):
            at_start.add(NEVER)
        for fact in facts:
            if isinstance(fact, Fact) and fact.kind in COUNTS and not self._moved(fact, written):
                found = self._steps(body, fact.place.variable, fact.kind == "room")
                steps = [step for step in found if step.concerns(fact)]
                at_start |= _at_start(fact, steps, loop)
                left |= _less(fact, sum(step.each(fact) * step.times(loop, fact) for step in steps))
        return frozenset(at_start), frozenset(left)

    def _moved(self, fact: Fact, written: frozenset[str]) -> bool:
        """Whether the words of a fact may mean something else once the variables have changed."""
        return bool(self.index.reads.variables([*fact.place.indices, *words(fact)[1:]]) & written)

    def _rounds(self, s: Loop) -> tuple[_Round, ...]:
        numbers = self.known.numbers
        match s:
            case ir.Each() | ir.Together():
                binds = s.binds.binds
                return tuple(_Round(b.slot, numbers.runs(b.domain), all_members(b.domain)) for b in binds)
            case ir.Repeat("at most", value) if isinstance(value.type, NumberType):
                return (_Round(None, max(0, numbers.bounds(value).high)),)
            case _:  # all others go on until something stops them
                return (_Round(None, _WITHOUT_END),)

    def _steps(
        self, body: Sequence[ir.Statement], variable: str, into: bool, inside: tuple[_Round, ...] = ()
    ) -> Iterator[_Taking]:
        """The steps of a body that take pieces from a variable, or ``into`` it."""
        for s in body:
            if nested(s) and any(variable in self.index.writes[watcher] for watcher in self.program.watchers):
                yield _Taking(_WITHOUT_END)
            match s:
                case ir.Move():
                    place = s.target if into else s.source
                    if place.variable == variable:
                        yield _Taking(self._most(s), place.indices, s.kind, inside)
                case ir.Each() | ir.Together() | ir.Repeat():
                    yield from self._steps(s.body, variable, into, (*inside, *self._rounds(s)))
                case ir.Branch() | ir.IfThere() | ir.Choose() | ir.NamedRule():
                    found = (Counter(self._steps(way, variable, into, inside)) for way in self._ways(s))
                    yield from functools.reduce(operator.or_, found).elements()
                case ir.Shuffle() | ir.Show():
                    pass  # neither adds a piece nor takes one away
                case _ if variable in body_writes(self.program, (s,), self.index.writes):
                    yield _Taking(_WITHOUT_END)
                case _:
                    pass

    def _ways(self, s: ir.Branch | ir.IfThere | ir.Choose | ir.NamedRule) -> Sequence[Sequence[ir.Statement]]:
        """The bodies of which a statement runs one."""
        if isinstance(s, ir.NamedRule):
            return [self.program.rules[s.rule].body]
        return [s.body or () if isinstance(s, ir.Choose) else s.then, s.otherwise]

    def _most(self, s: ir.Move) -> int:
        if s.what == "at" or self.program.variables[s.source.variable].kind == "slot":
            return 1
        if s.what in ("number", "number of") and s.amount is not None:
            return self.known.numbers.bounds(s.amount).high
        return _WITHOUT_END


def _less(fact: Fact, taken: int) -> set[Fact]:
    """What is certain once so many have been taken."""
    least = least_of(fact.amount)
    return set() if least is None or least <= taken else {attrs.evolve(fact, amount=least - taken)}


def _at_start(fact: Fact, steps: Sequence[_Taking], loop: Sequence[_Round]) -> set[Fact]:
    """What is left at the start of each pass, and of what a pass has for itself."""
    own = {slot: local for step in steps for slot, local in step.own(loop, fact).items()}
    found = _less(fact, sum(step.each(fact) * (step.times(loop, fact) - (not step.own(loop, fact))) for step in steps))
    for step in steps:
        pairs = zip(fact.place.indices, step.indices, strict=False)
        indices = tuple(b if a == EVERY and isinstance(b, ir.Local) and b.slot in own else a for a, b in pairs)
        if len(indices) == len(fact.place.indices):
            kind = step.kind if fact.subject == EVERY and step.kind in own.values() else fact.subject
            one = attrs.evolve(fact, place=attrs.evolve(fact.place, indices=indices), subject=kind)
            found |= _less(one, sum(step.each(fact) * (step.times(loop, fact) - 1) for step in steps))
    return found
