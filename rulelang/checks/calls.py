"""Calls: a rule that runs itself, by ``do`` or through events, says how deep, so that every turn comes to an end."""

from __future__ import annotations

from ..diagnostics import Label, Sink
from ..program import Node, Program, Rule
from ..program.analysis.index import Index

MOST_WAITING = 400
"""Rules in a circle that may wait for one another."""

Edges = dict[str, tuple[tuple[str, Node, bool], ...]]


def check(index: Index, sink: Sink) -> None:
    program = index.program
    bounded = {rule.id for rule in program.rules.values() if rule.deep is not None}
    edges = {
        id_: tuple(call for call in index.called[id_] if call[0] not in bounded)
        for id_ in index.top_level
        if id_ not in bounded
    }
    for id_ in sorted(bounded, key=list(program.rules).index):
        _room(id_, index, bounded, sink)
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
                help=_remedy(program.rules[callee], triggered),
                rule=id_,
            )
        else:
            _visit(callee, way, edges, done, program, sink)
    done.add(id_)


def _remedy(rule: Rule, triggered: bool) -> str:
    """What to do about a rule that runs itself without end."""
    if rule.whenever is not None:
        return "Break the circle. To do something several times, write `repeat at most ...`."
    head = f"rule {rule.id}{'(...)' if rule.params and not triggered else ''}"
    return (
        f"If that comes to an end, say how deep it may go: `{head}, at most 6 deep`. To do something several times, "
        "write `repeat at most ...`."
    )


def _room(id_: str, index: Index, bounded: set[str], sink: Sink) -> None:
    """Reports a rule that runs itself so deep that too many rules would be waiting for one another."""
    circle = _reached(id_, index) & {other for other in index.top_level if id_ in _reached(other, index)}
    rules = index.program.rules
    deep = sum(rules[other].deep or 0 for other in circle & bounded)
    if (deep + 1) * len(circle) > MOST_WAITING:
        rule = rules[id_]
        sink.error(
            "R0504",
            rule.span,
            f"`{id_}` may run itself {rule.deep} deep by way of {len(circle)} rules, so that more than {MOST_WAITING} "
            "rules could be waiting for one another.",
            help="Write a smaller number.",
            rule=id_,
        )


def _reached(start: str, index: Index) -> set[str]:
    """The rules that a rule runs, itself or through others."""
    found: set[str] = set()
    todo = [start]
    while todo:
        for callee, _, _ in index.called.get(todo.pop(), ()):
            if callee not in found:
                found.add(callee)
                todo.append(callee)
    return found
