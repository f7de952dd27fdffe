"""What the rules of a program may do: ask, end the game, change and read variables. Worked out once for a program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import attrs

from .. import Program
from .. import nodes as ir_
from ..walk import statements
from .names import free_slots
from .reads import variables_read

_ASKS = (ir_.Choose, ir_.Menu, ir_.Pay)
_ENDS = (ir_.EndGame, ir_.Wins)


class Effects:
    """``asking`` and ``ending``: the rules and options in whose course somebody may decide, or the game may end."""

    def __init__(self, program: Program) -> None:
        self.program = program
        own_asks, own_ends, self._calls = set(), set(), {}
        writes: dict[str, set[str]] = {}
        for rule in program.rules.values():
            inside = list(statements(program, rule.body))
            if any(isinstance(s, _ASKS) for s in inside):
                own_asks.add(rule.id)
            if any(isinstance(s, _ENDS) for s in inside):
                own_ends.add(rule.id)
            self._calls[rule.id] = {name for s in inside for name in self._called(s)}
            writes[rule.id] = {name for s in inside for name in self._written(s)}
        watchers = set(program.watchers)
        for called in self._calls.values():
            called |= watchers
        self.asking = self._reaching(own_asks)
        self.ending = self._reaching(own_ends)
        self.writes = self._spread(writes)

    def _called(self, s: ir_.Statement) -> tuple[str, ...]:
        if isinstance(s, ir_.Do):
            return (s.rule,)
        if isinstance(s, ir_.Announce):
            return self.program.handlers.get(s.event, ())
        return ()

    def _written(self, s: ir_.Statement) -> Iterator[str]:
        match s:
            case ir_.SetValue() | ir_.Change():
                yield s.target.variable
            case ir_.Move() | ir_.Pay():
                yield s.source.variable
                yield s.target.variable
            case ir_.Shuffle():
                yield s.place.variable
            case ir_.Score():
                assert self.program.score is not None
                yield self.program.score

    def _reaching(self, own: set[str]) -> frozenset[str]:
        found = set(own)
        grown = True
        while grown:
            grown = False
            for rule, called in self._calls.items():
                if rule not in found and called & found:
                    found.add(rule)
                    grown = True
        return frozenset(found)

    def _spread(self, own: dict[str, set[str]]) -> dict[str, set[str]]:
        grown = True
        while grown:
            grown = False
            for rule, called in self._calls.items():
                more = set().union(*(own[c] for c in called)) - own[rule] if called else set()
                if more:
                    own[rule] |= more
                    grown = True
        return own

    def asks(self, statement: ir_.Statement) -> bool:
        """Whether somebody may have to decide while the statement runs."""
        watchers_ask = any(name in self.asking for name in self.program.watchers)
        for inner in statements(self.program, (statement,)):
            if isinstance(inner, _ASKS):
                return True
            if any(name in self.asking for name in self._called(inner)):
                return True
            if watchers_ask and isinstance(inner, (ir_.NamedRule, ir_.Stop)):
                return True
        return False

    def undisturbed(self, s: ir_.Each) -> bool:
        """Whether the body of a loop changes nothing that its combinations are worked out from."""
        written: set[str] = set()
        slots: set[int] = set()
        for inner in statements(self.program, s.body):
            written |= set(self._written(inner))
            for name in self._called(inner):
                written |= self.writes[name]
            slots |= set(_assigned(inner))
        if self.program.watchers:
            for name in self.program.watchers:
                written |= self.writes[name]
        return not written & variables_read(self.program, s.binds) and not slots & free_slots(s.binds)


def _assigned(s: ir_.Statement) -> Iterator[int]:
    match s:
        case ir_.Let() | ir_.TakeTurns():
            yield s.slot
        case ir_.Choose() | ir_.Roll():
            for bind in s.binds.binds:
                yield bind.slot


def weight(node: Any, of_call: Callable[[str], int]) -> int:
    """How much code an expression makes, roughly: its parts, with those of the definitions it calls."""
    if isinstance(node, (tuple, list)):
        return sum(weight(part, of_call) for part in node)
    if not isinstance(node, ir_.Node):
        return 0
    own = 1
    if isinstance(node, ir_.Call):
        own = of_call(node.definition)
    elif isinstance(node, (ir_.Fold, ir_.Bind)):
        own = 3
    return own + sum(weight(getattr(node, f.name), of_call) for f in attrs.fields(type(node)))
