"""Slots whose values stay hidden: chosen in secret, and used for nothing that others could see."""

from __future__ import annotations

from typing import Any

from rulelang import program as ir
from rulelang.program.walk import children, free_slots, statements


def kept_slots(program: ir.Program) -> dict[str, frozenset[int]]:
    """By the id of each top-level rule, the slots of its frame that no statement uses in sight of others."""
    roots = {rule.id: rule for rule in program.rules.values() if rule.parent is None}
    kept = {root: frozenset(range(rule.frame)) for root, rule in roots.items()}
    while True:
        smaller = {
            root: kept[root] - frozenset().union(*(_seen(program, s, kept[root], kept) for s in _all(program, rule)))
            for root, rule in roots.items()
        }
        if smaller == kept:
            return kept
        kept = smaller


def _all(program: ir.Program, root: ir.Rule) -> list[Any]:
    """The statements of a rule, and the options and rules nested in it, for their conditions."""
    found: list[Any] = list(statements(program, root.body))
    nested = [s.rule for s in found if isinstance(s, ir.NamedRule)]
    nested += [name for s in found if isinstance(s, ir.Menu) for name in s.options]
    return [*found, root, *(program.rules[name] for name in nested)]


def _seen(program: ir.Program, s: Any, own: frozenset[int], kept: dict[str, frozenset[int]]) -> frozenset[int]:
    """The slots that a statement uses where others can see it."""

    def hidden(*places: ir.Place) -> bool:
        return all(program.variables[place.variable].seen_by != "all" for place in places)

    match s:
        case ir.SetValue() if hidden(s.target):
            return free_slots(s.target.indices)
        case ir.Change() if hidden(s.target):
            return free_slots(s.target.indices)
        case ir.Move() if hidden(s.source, s.target) and not _counted(program, s):
            return free_slots((*s.source.indices, *s.target.indices, s.square, s.turn))
        case ir.Move() if hidden(s.source, s.target):
            return free_slots((*s.source.indices, *s.target.indices, s.amount, s.square, s.turn))
        case ir.Let() if s.slot in own:
            return frozenset()
        case ir.Do():
            params = program.rules[s.rule].params
            given = zip(params, s.arguments, strict=True)
            return frozenset().union(*(free_slots(a) for p, a in given if p.slot not in kept[s.rule]))
        case ir.Rule():
            return free_slots((s.guard, s.whenever, *(need.condition for need in s.needs), s.binds))
    return frozenset().union(*(free_slots(c) for c in children(s) if not isinstance(c, (ir.Action, ir.NamedRule))))


def _counted(program: ir.Program, s: ir.Move) -> bool:
    return any(program.variables[place.variable].counted for place in (s.source, s.target))
