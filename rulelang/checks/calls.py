"""Calls: a rule that runs itself, by ``do`` or through events, says how deep, so that every turn comes to an end."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostics import Label, Sink
from ..program import Call, Definition, Graph, GroupOf, Groups, LongestTrail, Node, Program, Rule
from ..program.analysis.fixed_point import spread
from ..program.analysis.index import Index
from ..program.walk import walk

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
    _definitions(program, sink)
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
    circle = {other for other in _reached(id_, index) if id_ in _reached(other, index)}
    rules = index.program.rules
    deep = sum(rules[other].deep or 0 for other in circle & bounded)
    between: dict[str, int] = {}

    def chain(rule: str) -> int:
        """The most rules in a row that have no bound of their own, from this one on."""
        if rule not in between:
            between[rule] = 0  # a circle without any bound is reported as such
            after = [chain(callee) for callee, _, _ in index.called[rule] if callee in circle - bounded]
            between[rule] = max(after, default=0) + (rule not in bounded)
        return between[rule]

    if deep + (deep + 1) * max(map(chain, circle), default=0) > MOST_WAITING:
        sink.error(
            "R0504",
            rules[id_].span,
            f"`{id_}` may run itself so deep that more than {MOST_WAITING} rules could be waiting for one another.",
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


# ---------------------------------------------------------------- definitions


Used = tuple[type[Node], str]


def _definitions(program: Program, sink: Sink) -> None:
    """Reports definitions that use themselves through a graph, or too deep by way of too many others."""
    parts: dict[Used, Definition | Graph] = {(Definition, d.name): d for d in program.definitions.values()}
    parts |= {(Graph, g.name): g for g in program.graphs.values()}
    if not any(isinstance(part, Definition) and part.deep is not None for part in parts.values()):
        return
    used = {key: set(_used(part)) for key, part in parts.items()}
    reached = spread({key: frozenset(below) for key, below in used.items()}, used)
    for key, part in parts.items():
        if not isinstance(part, Definition) or part.deep is None:
            continue
        circle = [other for other in reached[key] if key in reached[other]]
        graph = next((name for kind, name in sorted(circle, key=str) if kind is Graph), None)
        if graph is not None:
            sink.error(
                "R0504",
                part.span,
                f"`{part.name}` uses itself by way of the graph `{graph}`.",
                help="Break the circle: a graph is worked out as a whole, so it cannot hang on itself.",
            )
        deep = sum(getattr(parts[other], "deep", None) or 0 for other in circle)
        if deep * len(circle) > MOST_WAITING:
            sink.error(
                "R0504",
                part.span,
                f"`{part.name}` may use itself so deep that more than {MOST_WAITING} values could be waiting for one "
                "another.",
                help="Write a smaller number.",
            )


def _used(part: Definition | Graph) -> Iterator[Used]:
    for node in walk(part):
        if isinstance(node, Call):
            yield Definition, node.definition
        elif isinstance(node, (GroupOf, Groups, LongestTrail)):
            yield Graph, node.graph
