"""Calls: no rule may run itself, by ``do`` or through events, so that every turn comes to an end."""

from __future__ import annotations

from ..diagnostics import Label, Sink
from ..program import Node, Program
from ..program.analysis.index import Index

Edges = dict[str, tuple[tuple[str, Node, bool], ...]]


def check(index: Index, sink: Sink) -> None:
    edges = {id_: index.called[id_] for id_ in index.top_level}
    done: set[str] = set()
    for start in edges:
        _visit(start, [], edges, done, index.program, sink)


def _visit(id_: str, way: list[str], edges: Edges, done: set[str], program: Program, sink: Sink) -> None:
    if id_ in done:
        return
    way = [*way, id_]
    for callee, node, by_event in edges.get(id_, ()):
        if callee in way:
            circle = [*way[way.index(callee) :], callee]
            triggered = by_event or any(program.rules[r].event for r in circle)
            code = "R0505" if triggered else "R0504"
            sink.error(
                code,
                node.span,
                f"Rule `{callee}` runs itself: {' -> '.join(circle)}.",
                labels=[Label(program.rules[callee].span, "the rule")],
                help="Break the circle. To do something several times, write `repeat at most ...`.",
                rule=id_,
            )
        else:
            _visit(callee, way, edges, done, program, sink)
    done.add(id_)
