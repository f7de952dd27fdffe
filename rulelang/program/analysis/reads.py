"""Reads of expressions, and the rules that are only supposed to run: those named after ``after do``."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

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


# Variables that evaluating something may read, including those read by definitions and graphs.
#
# What would be after a rule depends on all that the rule reads, and on all that it may change.


Parts: TypeAlias = ir.Node | Sequence[Any] | None
"""A node, none, or sequences of such."""

Other: TypeAlias = tuple[type[ir.Node], str]
"""A definition, a graph or a rule: its class and its name."""


class Reads:
    """The variables that expressions of one program read. Each definition, graph and rule is looked into once."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._of_others: dict[Other, frozenset[str]] = {}

    def variables(self, node: Parts) -> frozenset[str]:
        found: set[str] = set()
        for part in walk(node):
            if isinstance(part, ir.Read):
                found.add(part.variable)
            other = used_by(part)
            if other is not None:
                found |= self.of(other)
        return frozenset(found)

    def of(self, other: Other) -> frozenset[str]:
        """The variables that a definition or a graph reads, or that a rule reads or changes."""
        if other not in self._of_others:
            self._of_others[other] = variables_read(self.program, _looked_up(self.program, other))
        return self._of_others[other]


def variables_read(program: ir.Program, node: Parts) -> frozenset[str]:
    """The variables that an expression, ``Binds`` or a sequence of them may read."""
    found: set[str] = set()
    for part in reached(program, node):
        if isinstance(part, (ir.Read, ir.Place)):
            found.add(part.variable)
        elif isinstance(part, ir.Score) and program.score is not None:
            found.add(program.score)
    return frozenset(found)


def reads_state(program: ir.Program, node: Parts) -> bool:
    """Whether evaluating an expression, or ``Binds``, may look at a cell. What asks about a graph counts as if."""
    looking = (ir.Read, ir.GroupOf, ir.Groups, ir.LongestTrail, ir.ByLength, ir.After)
    return any(isinstance(part, looking) for part in reached(program, node))


def uses_itself(program: ir.Program, used: ir.Definition | ir.Graph) -> bool:
    """Whether something that uses itself takes part: how deep it is at work decides whether it faults."""
    for node in reached(program, used):
        if isinstance(node, ir.Call) and program.definitions[node.definition].deep is not None:
            return True
        rules = (node.rule,) if isinstance(node, ir.After) else run_in(program, node)
        if any(program.rules[rule].deep is not None for rule in rules):
            return True
    return isinstance(used, ir.Definition) and used.deep is not None


def reached(program: ir.Program, node: Parts) -> Iterator[ir.Node]:
    """The nodes of an expression and of the definitions, graphs and rules it uses, each of those once."""
    seen: set[Other] = set()
    todo: list[Parts] = [node]
    while todo:
        for part in walk(todo.pop()):
            yield part
            other = used_by(part)
            others = [] if other is None else [other]
            others += [(ir.Rule, id_) for id_ in run_in(program, part)]
            for found in others:
                if found not in seen:
                    seen.add(found)
                    todo.append(_looked_up(program, found))


def used_by(node: ir.Node) -> Other | None:
    """The definition, graph or rule that an expression uses."""
    match node:
        case ir.Call():
            return ir.Definition, node.definition
        case ir.GroupOf() | ir.Groups() | ir.LongestTrail() | ir.ByLength():
            return ir.Graph, node.graph
        case ir.After():
            return ir.Rule, node.rule
    return None


def _looked_up(program: ir.Program, other: Other) -> ir.Node:
    kind, name = other
    if kind is ir.Definition:
        return program.definitions[name]
    return program.graphs[name] if kind is ir.Graph else program.rules[name]
