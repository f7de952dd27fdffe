"""Links between the members of a domain, from the graphs of a game."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

import attrs

from rulelang.program import Binds, Edge, Graph, Program
from rulelang.program.analysis.names import conjuncts, free_slots
from rulelang.program.analysis.reads import reads_state
from rulelang.program.nodes import Apply, Expr
from rulelang.types import Domain, FlagType, MemberType

Pairs = tuple[tuple[int, int], ...]

_PASSES = 200_000
"""Passes of loops that may be made for the links of one graph."""
_MOST = 8
"""Links for each member that can still be seen."""


def links_of(program: Program, domain: Domain) -> Pairs:
    """The pairs of members that an edge of some graph may ever join, each once, the smaller number first.

    What depends on the position is taken to hold; an edge that leads here in one position and there in another is left
    out. Nothing for graphs that take too long to work out, or whose links are too many to be seen.
    """
    from interpreter.evaluation.meter import METER, Undefined
    from rulelang.limits import standard

    found: set[tuple[int, int]] = set()
    for graph in program.graphs.values():
        if isinstance(graph.node_type, MemberType) and graph.node_type.domain == domain:
            try:
                with METER.counting(standard(), _PASSES):
                    found.update(_pairs(program, graph))
            except Undefined:
                return ()
    return tuple(sorted(found)) if len(found) <= _MOST * len(domain) else ()


def _pairs(program: Program, graph: Graph) -> Iterator[tuple[int, int]]:
    from interpreter.evaluation.compiler import Compiler
    from interpreter.evaluation.graphs import is_fixed
    from interpreter.lowered.cells import Layout

    fixed = _without_positions(program, graph)
    if not fixed.edges or not is_fixed(program, fixed):
        return
    compiler = Compiler(program, Layout.of(program), _never)
    for edge in fixed.edges:
        inner = edge.binds or Binds(())
        both = [*conjuncts(fixed.nodes.condition), *conjuncts(inner.condition)]
        binds = (*fixed.nodes.binds, *inner.binds)
        combinations, target = compiler.combos(Binds(binds), both), compiler.expr(edge.target)
        frame = [None] * graph.frame
        for values in combinations([], frame):
            for bind, value in zip(binds, values, strict=True):
                frame[bind.slot] = value
            other = target([], frame)
            if other is not None and other != values[0]:
                yield min(values[0], other), max(values[0], other)


def _never(*given: object) -> list[object]:
    raise AssertionError("nothing is supposed in an edge that reads no position")


def _both(a: Expr, b: Expr) -> Expr:
    return Apply("and", (a, b), FlagType(), span=a.span)


def _without_positions(program: Program, graph: Graph) -> Graph:
    """The graph as it would be if all conditions held that read a position or a parameter."""
    given = {param.slot for param in graph.params}

    def changes(*parts: Expr | Binds) -> bool:
        return bool(free_slots(parts) & given) or reads_state(program, parts)

    def stays(binds: Binds) -> Binds:
        kept = [part for part in conjuncts(binds.condition) if not changes(part)]
        return attrs.evolve(binds, condition=reduce(_both, kept) if kept else None)

    edges: list[Edge] = []
    for edge in graph.edges:
        binds = stays(edge.binds) if edge.binds is not None else None
        if not changes(edge.target, *(bind.domain for bind in binds.binds) if binds is not None else ()):
            edges.append(attrs.evolve(edge, binds=binds, length=None))
    return attrs.evolve(graph, nodes=stays(graph.nodes), edges=tuple(edges))
