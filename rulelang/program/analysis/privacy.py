"""Private choices: those whose values only reach places that not everybody sees.

A slot is private when its value is stored in a hidden variable, or names what moves between two hidden places,
directly, through ``let``, or as an argument of a rule that does so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from .. import nodes as ir
from ..walk import statements
from .effects import effect
from .fixed_point import least
from .names import free_slots

_NONE: frozenset[int] = frozenset()


def private_slots(program: ir.Program) -> dict[str, frozenset[int]]:
    """By the id of each top-level rule, the private slots of its frame."""
    bodies = {rule.id: tuple(statements(program, rule.body)) for rule in program.rules.values() if rule.parent is None}

    def grow(root: str, known: Mapping[str, frozenset[int]]) -> frozenset[int]:
        return frozenset().union(*(_reached(program, s, known[root], known) for s in bodies[root]))

    return least({root: frozenset() for root in bodies}, grow)


def _reached(
    program: ir.Program, s: ir.Statement, private: frozenset[int], known: Mapping[str, frozenset[int]]
) -> frozenset[int]:
    """The slots a statement makes private, when those of ``private`` are in its frame."""

    def hidden(*places: ir.Place) -> bool:
        return all(program.variables[place.variable].seen_by != "all" for place in places)

    match s:
        case ir.SetValue():
            return free_slots(s.value) if hidden(s.target) else _NONE
        case ir.Change():
            return free_slots(s.amount) if hidden(s.target) else _NONE
        case ir.Move():
            return free_slots((s.amount, s.kind, s.square, s.turn)) if hidden(s.source, s.target) else _NONE
        case ir.Show():
            to_all = s.who is None and s.seats is None
            return free_slots((s.amount, s.kind)) if hidden(s.place) and not to_all else _NONE
        case ir.Let():
            return free_slots(s.value) if s.slot in private else _NONE
        case ir.IfThere() | ir.Each() | ir.Together() | ir.Choose():
            return _NONE.union(*(_given_to(b.domain) for b in s.binds.binds if b.slot in private))
        case ir.Do() | ir.Announce():
            called = [program.rules[id_] for id_ in effect(program, s).calls]
            return _NONE.union(*(_given(rule, s.arguments, known) for rule in called))
        case ir.Branch() | ir.Repeat() | ir.TakeTurns() | ir.NamedRule() | ir.Menu() | ir.ChooseSome():
            return _NONE  # what is inside them is looked at by itself
        case ir.Pay() | ir.Score() | ir.Shuffle() | ir.Roll() | ir.Nothing() | ir.Stop() | ir.EndGame() | ir.Wins():
            return _NONE
    assert_never(s)


def _given_to(domain: ir.Expr) -> frozenset[int]:
    """The slots whose values those of a domain are made of: whose place it is does not matter."""
    match domain:
        case ir.Read() if all(isinstance(index, ir.Local) for index in domain.indices):
            return _NONE
    return free_slots(domain)


def _given(rule: ir.Rule, arguments: Sequence[ir.Expr], known: Mapping[str, frozenset[int]]) -> frozenset[int]:
    """The slots in the arguments for private parameters of a rule."""
    given = zip(rule.params, arguments, strict=False)  # a rule may take fewer values than its event brings
    private = known.get(rule.id, _NONE)
    return _NONE.union(*(free_slots(argument) for param, argument in given if param.slot in private))
