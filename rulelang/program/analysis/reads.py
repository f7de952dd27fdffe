"""Which variables working something out may read."""

from __future__ import annotations

from typing import Any

import attrs

from .. import nodes as ir
from ..nodes import (
    Apply,
    Binds,
    Call,
    ColumnOf,
    Fold,
    GroupOf,
    Groups,
    If,
    LongestTrail,
    PartOf,
    PiecesOf,
    Program,
    Read,
)


def variables_read(program: ir.Program, node: Any) -> frozenset[str]:
    """The variables that an expression, ``Binds`` or a sequence of them may read, through definitions and graphs."""
    found: set[str] = set()
    seen: set[str] = set()
    todo: list[Any] = [node]
    while todo:
        now = todo.pop()
        if isinstance(now, (tuple, list)):
            todo.extend(now)
        elif isinstance(now, ir.Node):
            if isinstance(now, ir.Read):
                found.add(now.variable)
            elif isinstance(now, ir.Call) and now.definition not in seen:
                seen.add(now.definition)
                todo.append(program.definitions[now.definition].body)
            elif isinstance(now, (ir.GroupOf, ir.Groups, ir.LongestTrail)) and now.graph not in seen:
                seen.add(now.graph)
                graph = program.graphs[now.graph]
                todo.extend((graph.nodes, graph.edges))
            todo.extend(getattr(now, field.name) for field in attrs.fields(type(now)))
    return frozenset(found)


def reads_state(program: Program, node: Any) -> bool:
    """Whether evaluating an expression, or ``Binds``, may look at a cell."""
    match node:
        case Read() | GroupOf() | Groups() | LongestTrail():
            return True
        case Call():
            body = program.definitions[node.definition].body
            return reads_state(program, body) or any(reads_state(program, a) for a in node.arguments)
        case Apply():
            return any(reads_state(program, a) for a in node.arguments)
        case ColumnOf():
            return reads_state(program, node.row)
        case PartOf():
            return reads_state(program, node.value)
        case If():
            return any(reads_state(program, e) for e in (node.condition, node.then, node.otherwise))
        case Fold():
            return (node.body is not None and reads_state(program, node.body)) or reads_state(program, node.binds)
        case PiecesOf():
            inner = any(reads_state(program, e) for entry in node.entries for e in entry)
            return inner or (node.binds is not None and reads_state(program, node.binds))
        case Binds():
            condition = node.condition is not None and reads_state(program, node.condition)
            return condition or any(reads_state(program, b.domain) for b in node.binds)
        case _:
            return False
