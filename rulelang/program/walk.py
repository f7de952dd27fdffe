"""Going through the nodes of a Program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from . import nodes as ir

_SKIPPED = ("span", "type", "name", "slot", "text", "surely", "variable", "op", "rule")
_KNOWN: dict[type, tuple[str, ...] | None] = {}


def _fields(cls: type) -> tuple[str, ...] | None:
    """The fields that hold nodes; None when the class is no node of a Program."""
    if cls not in _KNOWN:
        _KNOWN[cls] = tuple(a.name for a in attrs.fields(cls) if a.name not in _SKIPPED) if attrs.has(cls) else None
    return _KNOWN[cls]


def children(node: Any) -> Iterator[Any]:
    """The nodes directly below a node."""
    for name in _fields(type(node)) or ():
        value = getattr(node, name)
        if isinstance(value, tuple):
            yield from _nodes(value)
        elif _fields(type(value)) is not None:
            yield value


def _nodes(values: tuple[Any, ...]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, tuple):
            yield from _nodes(value)
        elif _fields(type(value)) is not None:
            yield value


def walk(node: Any) -> Iterator[Any]:
    """The node and all below it, constants left out."""
    stack = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, ir.Const):
            continue
        yield current
        stack.extend(children(current))


def statements(program: ir.Program, body: Sequence[ir.Statement]) -> Iterator[ir.Statement]:
    """All statements of a body, with those inside them."""
    for statement in body:
        yield statement
        match statement:
            case ir.Branch():
                yield from statements(program, (*statement.then, *statement.otherwise))
            case ir.Each() | ir.Together() | ir.Repeat() | ir.TakeTurns():
                yield from statements(program, statement.body)
            case ir.NamedRule():
                yield from statements(program, program.rules[statement.rule].body)
            case ir.Choose():
                yield from statements(program, (*(statement.body or ()), *statement.otherwise))
            case ir.Menu():
                for option in statement.options:
                    yield from statements(program, program.rules[option].body)
