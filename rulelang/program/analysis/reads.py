"""Variables that evaluating something may read, including those read by definitions and graphs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from .. import nodes as ir
from ..walk import walk

Parts: TypeAlias = ir.Node | Sequence[Any] | None
"""A node, none, or sequences of such."""

Other: TypeAlias = tuple[type[ir.Node], str]
"""A definition or a graph: its class and its name."""


class Reads:
    """The variables that expressions of one program read. Each definition and graph is looked into once."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._of_others: dict[Other, frozenset[str]] = {}

    def variables(self, node: Parts) -> frozenset[str]:
        found: set[str] = set()
        for part in walk(node):
            if isinstance(part, ir.Read):
                found.add(part.variable)
            other = _other(self.program, part)
            if other is not None:
                found |= self.of((type(other), other.name))
        return frozenset(found)

    def of(self, other: Other) -> frozenset[str]:
        """The variables that a definition or a graph reads."""
        if other not in self._of_others:
            kind, name = other
            node = self.program.definitions[name] if kind is ir.Definition else self.program.graphs[name]
            self._of_others[other] = variables_read(self.program, node)
        return self._of_others[other]


def variables_read(program: ir.Program, node: Parts) -> frozenset[str]:
    """The variables that an expression, ``Binds`` or a sequence of them may read."""
    return frozenset(part.variable for part in _reached(program, node) if isinstance(part, ir.Read))


def reads_state(program: ir.Program, node: Parts) -> bool:
    """Whether evaluating an expression, or ``Binds``, may look at a cell. What asks about a graph counts as if."""
    looking = (ir.Read, ir.GroupOf, ir.Groups, ir.LongestTrail)
    return any(isinstance(part, looking) for part in _reached(program, node))


def _reached(program: ir.Program, node: Parts) -> Iterator[ir.Node]:
    """The nodes of an expression and of the definitions and graphs it uses, each of those once."""
    seen: set[tuple[type[ir.Node], str]] = set()
    todo: list[Parts] = [node]
    while todo:
        for part in walk(todo.pop()):
            yield part
            other = _other(program, part)
            if other is not None and (type(other), other.name) not in seen:
                seen.add((type(other), other.name))
                todo.append(other)


def _other(program: ir.Program, node: ir.Node) -> ir.Definition | ir.Graph | None:
    """The definition or graph that a node uses."""
    match node:
        case ir.Call():
            return program.definitions[node.definition]
        case ir.GroupOf() | ir.Groups() | ir.LongestTrail():
            return program.graphs[node.graph]
    return None
