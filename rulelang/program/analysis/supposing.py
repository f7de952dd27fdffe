"""Rules that are only supposed to run: those that expressions name after ``after do``."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator

from .. import nodes as ir
from ..walk import nested, statements, walk

OfPart = Callable[[str, ir.Node, Callable[[], tuple[ir.Node, ...]]], tuple[ir.Node, ...]]


def run_in(program: ir.Program, node: ir.Node) -> tuple[str, ...]:
    """The rules that a statement runs or holds, the watchers not among them: none of them runs in what would be."""
    match node:
        case ir.Do():
            return (node.rule,)
        case ir.Announce():
            return program.handlers.get(node.event, ())
    return nested(node)


def supposed_statements(program: ir.Program, rule: str) -> Iterator[tuple[str, ir.Statement]]:
    """What would run with a rule: each statement once, with the id of the rule that was called or is written there."""
    seen = {rule}
    todo = [rule]
    while todo:
        id_ = todo.pop(0)
        for statement in statements(program, program.rules[id_].body):
            yield id_, statement
            for called in run_in(program, statement):
                if called not in seen and called not in nested(statement):
                    seen.add(called)
                    todo.append(called)


def supposed_writes(program: ir.Program, rule: str) -> frozenset[str]:
    """The variables that may differ in what would be after a rule."""
    from .effects import effect

    return frozenset(name for _, s in supposed_statements(program, rule) for name in effect(program, s).writes)


class Supposed:
    """Where a program supposes rules to run. ``of_part``: remembers what depends on one part alone."""

    def __init__(self, program: ir.Program, of_part: OfPart) -> None:
        self.program = program
        self._of_part = of_part

    def within(self, parts: Iterable[ir.Node]) -> list[ir.After]:
        """Those among these nodes, and in the definitions and graphs that they use."""
        found: dict[ir.After, None] = {}
        seen: set[int] = set()
        todo: list[Iterable[ir.Node]] = [parts]
        while todo:
            for node in todo.pop():
                if isinstance(node, ir.After):
                    found[node] = None
                used = self._used(node)
                if used is not None and id(used) not in seen:
                    seen.add(id(used))
                    todo.append(self._of_part("supposed", used, functools.partial(_telling, used)))
        return list(found)

    def anywhere(self) -> list[ir.After]:
        """Those of the whole program, but for the ones that only rules hold."""
        program = self.program
        kept = [v.initial for v in program.variables.values() if v.initial is not None]
        parts: list[Iterable[ir.Node]] = [walk([*program.ranks, *program.invariants, *kept])]
        for used in (*program.definitions.values(), *program.graphs.values()):
            parts.append(self._of_part("supposed", used, functools.partial(_telling, used)))
        return self.within(itertools.chain(*parts))

    def _used(self, node: ir.Node) -> ir.Definition | ir.Graph | None:
        match node:
            case ir.Call():
                return self.program.definitions[node.definition]
            case ir.GroupOf() | ir.Groups() | ir.LongestTrail() | ir.ByLength():
                return self.program.graphs[node.graph]
        return None


def _telling(used: ir.Node) -> tuple[ir.Node, ...]:
    """The nodes of a definition or a graph that suppose a rule to run, or use another that may."""
    telling = (ir.After, ir.Call, ir.GroupOf, ir.Groups, ir.LongestTrail, ir.ByLength)
    return tuple(node for node in walk(used) if isinstance(node, telling))
