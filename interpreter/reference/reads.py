"""Which variables working something out may read."""

from __future__ import annotations

from typing import Any

import attrs

from rulelang import program as ir


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
