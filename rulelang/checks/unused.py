"""Unused rules, events and graphs: usually a misspelt name, or a forgotten line."""

from __future__ import annotations

import itertools

from .. import program as ir
from ..diagnostics import Sink
from ..program.analysis.effects import ProgramIndex
from ..program.walk import walk
from ..source import Span
from ..traversal import closure


def check(index: ProgramIndex, sink: Sink) -> None:
    program = index.program
    runs = _reached(index)
    for id_, rule in program.rules.items():
        if rule.parent is None and rule.event is None and id_ not in runs:
            sink.error(
                "R0509",
                rule.span,
                f"Rule `{id_}` never runs.",
                help=f"Write `do {id_}` where it belongs, or remove it.",
                severity="warning",
                rule=id_,
            )
    announced = {n.event for nodes in index.nodes.values() for n in nodes if isinstance(n, ir.Announce)}
    for name, event in program.events.items():
        if name not in announced:
            sink.error(
                "R0509",
                event.span,
                f"The event `{name}` is never announced.",
                help=f"Write `announce {name}` where it happens, or remove the event.",
                severity="warning",
            )
        elif name not in program.handlers:
            sink.error(
                "R0509",
                event.span,
                f"No rule waits for `{name}`.",
                help=f"Write `rule ... on {name}`, or remove the event.",
                severity="warning",
            )
    for name, span in _unused_graphs(index):
        sink.error(
            "R0509", span, f"The graph `{name}` is never used.", help="Use it, or remove it.", severity="warning"
        )
    for name, variable in program.variables.items():
        if variable.history and not _remembers(index, name):
            sink.error(
                "R0509",
                variable.span,
                f"The history `{name}` never remembers anything.",
                help=f"Write `remember {name}` where a position is complete, or remove the history.",
                severity="warning",
            )


def _reached(index: ProgramIndex) -> set[str]:
    start = [index.program.start, *index.program.watchers, *(expr.rule for expr in index.supposed.anywhere())]
    return set(closure(start, lambda id_: [callee for callee, _, _ in index.called.get(id_, ())]))


def _remembers(index: ProgramIndex, history: str) -> bool:
    """Whether a rule adds to a history."""
    changes = (n for nodes in index.nodes.values() for n in nodes if isinstance(n, ir.SetValue))
    return any(change.target.variable == history and not isinstance(change.value, ir.Const) for change in changes)


def _unused_graphs(index: ProgramIndex) -> list[tuple[str, Span]]:
    """Graphs that no expression asks for. (Definitions may serve the rulebook or an example alone.)"""
    program = index.program
    parts: list[ir.Node] = [definition.body for definition in program.definitions.values()]
    parts += [rank.value for rank in program.ranks]
    parts += [invariant.condition for invariant in program.invariants]
    parts += [variable.initial for variable in program.variables.values() if variable.initial is not None]
    nodes = itertools.chain(*index.nodes.values(), walk(parts))
    unused = dict(program.graphs)
    for node in nodes if unused else ():
        if isinstance(node, ir.AboutGraph):
            unused.pop(node.graph, None)
            if not unused:
                break
    return [(name, graph.span) for name, graph in unused.items()]
