"""Values that are shown at once: chosen in secret, as they go to a hidden place, but to a public one as well.

A player who bids from a hidden purse chooses an amount that leaves a hidden place and is put where all can see it.
Nothing is given away by what follows from such a choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, assert_never

from ... import nodes as ir
from ...walk import statements
from ..fixed_point import least
from ..names import free_slots

_NONE: frozenset[int] = frozenset()


def shown_slots(program: ir.Program) -> dict[str, frozenset[int]]:
    """By top-level rule, the slots of its frame whose values come to a public place wherever they are bound."""
    roots = [rule.id for rule in program.rules.values() if rule.parent is None]
    bodies = {root: list(_bodies(program, root)) for root in roots}

    def grow(root: str, known: Mapping[str, frozenset[int]]) -> frozenset[int]:
        shows = _Shows(program, known)
        return _NONE.union(*(shows.block(body) for body in bodies[root]))

    return least(dict.fromkeys(roots, _NONE), grow)


def _bodies(program: ir.Program, root: str) -> Iterator[Sequence[ir.Statement]]:
    """The bodies that begin with names of their own: whatever these show is shown wherever they are bound."""
    yield program.rules[root].body
    for s in statements(program, program.rules[root].body):
        match s:
            case ir.Each(_, body) | ir.Together(_, body) | ir.TakeTurns(body=body) | ir.Choose(body=tuple(body)):
                yield body
            case ir.ChooseSome(body=tuple(body)):
                yield body
            case ir.IfThere(then=body):
                yield body
            case ir.Menu():
                yield from (program.rules[option].body for option in s.options)


class _Shows:
    def __init__(self, program: ir.Program, known: Mapping[str, frozenset[int]]) -> None:
        self.program = program
        self.known = known

    def block(self, body: Sequence[ir.Statement]) -> frozenset[int]:
        return _NONE.union(*map(self.statement, body))

    def statement(self, s: ir.Statement) -> frozenset[int]:
        """The slots that a statement shows whenever it is carried out."""
        match s:
            case ir.SetValue(target, value):
                return _alone(value) if self._public(target) else _NONE
            case ir.Change(target, _, amount):
                return _alone(amount) if self._public(target) else _NONE
            case ir.Score():
                score = self.program.score
                public = score is not None and self.program.variables[score].seen_by == "all"
                return _alone(s.amount) if public else _NONE
            case ir.Move():
                public = self._public(s.source) or self._public(s.target)
                return _alone(s.amount, s.kind, s.square, s.turn) if public else _NONE
            case ir.Show(who=None, seats=None):
                return _alone(s.amount, s.kind)
            case ir.Branch() | ir.IfThere():
                return self.block(s.then) & self.block(s.otherwise)
            case ir.ChooseSome():
                return self.block(s.body or ()) & self.block(s.otherwise)
            case ir.NamedRule():
                rule = self.program.rules[s.rule]
                return self.block(rule.body) if rule.guard is None else _NONE
            case ir.Do():
                return self._called(s.rule, s.arguments)
            case ir.Announce():
                handlers = self.program.handlers.get(s.event, ())
                return _NONE.union(*(self._called(handler, s.arguments) for handler in handlers))
            case ir.Menu():
                bodies = [self.program.rules[option].body for option in s.options]
                bodies += [s.otherwise] if s.otherwise is not None else []
                return frozenset.intersection(*map(self.block, bodies)) if bodies else _NONE
            case ir.Choose() | ir.Each() | ir.Together() | ir.Repeat() | ir.TakeTurns() | ir.Let() | ir.Roll():
                return _NONE
            case ir.Pay() | ir.Shuffle() | ir.Show() | ir.Nothing() | ir.Stop() | ir.EndGame() | ir.Wins():
                return _NONE
        assert_never(s)

    def _public(self, place: ir.Place) -> bool:
        return self.program.variables[place.variable].seen_by == "all"

    def _called(self, id_: str, arguments: Sequence[ir.Expr]) -> frozenset[int]:
        rule = self.program.rules[id_]
        if rule.guard is not None:
            return _NONE
        given = zip(rule.params, arguments, strict=False)  # a rule may take fewer values than its event brings
        return _NONE.union(*(_alone(value) for param, value in given if param.slot in self.known[id_]))


def _alone(*values: Any) -> frozenset[int]:
    """The slots that are given as they are, not as a part of something worked out."""
    return _NONE.union(*(free_slots(value) for value in values if isinstance(value, (ir.Local, ir.PartOf))))
