"""Which choices must not be told to everybody: those whose values only reach places that not everybody sees.

A slot is private when its value is stored in a hidden variable, or names what moves between two hidden places,
directly, through ``let``, or as an argument of a rule that does so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .. import nodes as ir
from ..walk import statements
from .names import free_slots


def private_slots(program: ir.Program) -> dict[str, frozenset[int]]:
    """By the id of each top-level rule, the private slots of its frame."""
    roots = [rule.id for rule in program.rules.values() if rule.parent is None]
    found: dict[str, frozenset[int]] = {root: frozenset() for root in roots}
    changed = True
    while changed:
        changed = False
        for root in roots:
            now = found[root]
            for statement in statements(program, program.rules[root].body):
                now |= _reached(program, statement, now, found)
            if now != found[root]:
                found[root] = now
                changed = True
    return found


def _reached(
    program: ir.Program, statement: ir.Statement, private: frozenset[int], known: dict[str, frozenset[int]]
) -> frozenset[int]:
    """The slots a statement makes private."""

    def hidden(place: ir.Place) -> bool:
        return program.variables[place.variable].seen_by != "all"

    match statement:
        case ir.SetValue(target, value) if hidden(target):
            return free_slots(value)
        case ir.Change(target, _, amount) if hidden(target):
            return free_slots(amount)
        case ir.Move() if hidden(statement.source) and hidden(statement.target):
            return free_slots((statement.amount, statement.kind, statement.square, statement.turn))
        case ir.Let(slot, _, value) if slot in private:
            return free_slots(value)
        case ir.Each() | ir.Together() | ir.Choose():
            parts = [free_slots(b.domain) for b in statement.binds.binds if b.slot in private]
            return frozenset().union(*parts)
        case ir.Do(rule, arguments):
            return _given(program.rules[rule], arguments, known)
        case ir.Announce(event, arguments):
            handlers = [program.rules[h] for h in program.handlers.get(event, ())]
            return frozenset().union(*(_given(h, arguments, known) for h in handlers))
    return frozenset()


def _given(rule: ir.Rule, arguments: Sequence[ir.Expr], known: dict[str, frozenset[int]]) -> frozenset[int]:
    """The slots in the arguments for private parameters of a rule."""
    private: Callable[[int], bool] = known.get(rule.id, frozenset()).__contains__
    parts = [free_slots(a) for p, a in zip(rule.params, arguments, strict=True) if private(p.slot)]
    return frozenset().union(*parts)
