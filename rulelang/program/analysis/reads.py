"""Variables that evaluating something may read, including those read by definitions and graphs.

What would be after a rule depends on all that the rule reads, and on all that it may change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from .. import nodes as ir
from ..walk import walk
from .supposing import run_in

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
