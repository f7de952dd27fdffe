"""What the checks ask of a Program again and again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from .. import nodes as ir
from ..walk import walk


@attrs.frozen
class Index:
    """A Program with what the checks ask again and again: the nodes of each rule, what it runs, what it changes.

    ``nodes``: of a rule's guard, needs, binds and body, without the rules and options inside it.
    ``inside``: the rule's own id and those nested in it. ``called``: (rule, statement, whether through an event) for
    what it runs by ``do`` or ``announce``, nested rules included. ``writes``: variables that running it may change.
    """

    program: ir.Program
    nodes: dict[str, tuple[Any, ...]]
    inside: dict[str, tuple[str, ...]]
    called: dict[str, tuple[tuple[str, Any, bool], ...]]
    writes: dict[str, frozenset[str]]

    @classmethod
    def of(cls, program: ir.Program) -> Index:
        nodes = {id_: tuple(_rule_nodes(rule)) for id_, rule in program.rules.items()}
        inside = {id_: _inside(id_, nodes) for id_ in program.rules}
        called = {id_: tuple(_called(program, inside[id_], nodes)) for id_ in program.rules}
        return cls(program, nodes, inside, called, _writes(program, nodes, inside, called))

    @property
    def top_level(self) -> list[str]:
        return [id_ for id_, rule in self.program.rules.items() if rule.parent is None]


def _rule_nodes(rule: ir.Rule) -> Iterator[Any]:
    for part in (rule.guard, rule.whenever, rule.binds, *rule.needs, *rule.body):
        if part is not None:
            yield from walk(part)


def _inside(id_: str, nodes: dict[str, tuple[Any, ...]]) -> tuple[str, ...]:
    found: list[str] = []
    todo = [id_]
    while todo:
        current = todo.pop()
        found.append(current)
        for node in nodes[current]:
            if isinstance(node, ir.NamedRule):
                todo.append(node.rule)
            elif isinstance(node, ir.Menu):
                todo.extend(node.options)
    return tuple(found)


def _called(
    program: ir.Program, inside: tuple[str, ...], nodes: dict[str, tuple[Any, ...]]
) -> Iterator[tuple[str, Any, bool]]:
    for part in inside:
        for node in nodes[part]:
            if isinstance(node, ir.Do):
                yield node.rule, node, False
            elif isinstance(node, ir.Announce):
                for handler in program.handlers.get(node.event, ()):
                    yield handler, node, True


def written(program: ir.Program, node: Any) -> set[str]:
    """Variables that a statement changes by itself."""
    match node:
        case ir.SetValue() | ir.Change():
            return {node.target.variable}
        case ir.Move() | ir.Pay():
            return {node.source.variable, node.target.variable}
        case ir.Score():
            return {program.score} if program.score else set()
        case ir.Shuffle():
            return {node.place.variable}
    return set()


def _writes(
    program: ir.Program,
    nodes: dict[str, tuple[Any, ...]],
    inside: dict[str, tuple[str, ...]],
    called: dict[str, tuple[tuple[str, Any, bool], ...]],
) -> dict[str, frozenset[str]]:
    own = {
        id_: set().union(*(written(program, n) for part in inside[id_] for n in nodes[part])) for id_ in program.rules
    }
    changed = True
    while changed:
        changed = False
        for id_, callees in called.items():
            for callee, _, _ in callees:
                if not own[callee] <= own[id_]:
                    own[id_] |= own[callee]
                    changed = True
    return {id_: frozenset(names) for id_, names in own.items()}
