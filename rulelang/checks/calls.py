"""Calls: a rule that runs itself, by ``do`` or through events, says how deep, so that every turn comes to an end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..diagnostics import Label, Sink
from ..program import Definition, Graph, Node, Program, Rule
from ..program.analysis.effects import Other, ProgramIndex, spread, used_by
from ..program.walk import children, walk
from ..traversal import closure

MOST_WAITING = 400
"""Rules that may wait for one another."""

MOST_NESTED = 1_000
"""Operations, cases and uses of definitions inside one another that a value may be worked out by."""

OF_A_GRAPH = 30
"""Operations that a graph counts for, since much is done for each of its nodes."""

Edges = dict[str, tuple[tuple[str, Node, bool], ...]]


def check(index: ProgramIndex, sink: Sink) -> None:
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
    _nesting(program, sink)
    waiting: dict[str, int] = {}
    for start in edges:
        _visit(start, edges, waiting, index.program, sink)
    _chains(index, waiting, sink)


def _visit(start: str, edges: Edges, waiting: dict[str, int], program: Program, sink: Sink) -> None:
    """Reports rules that run themselves, from a rule on.

    ``waiting``: of each rule that was looked at, how many rules in a row may wait for one another, it being the first.
    """
    if start in waiting:
        return
    way = {start: iter(edges.get(start, ()))}
    while way:
        id_ = next(reversed(way))
        for callee, node, by_event in way[id_]:
            if callee in way:
                names = list(way)
                _runs_itself(
                    [*names[names.index(callee) :], callee], node, by_event=by_event, program=program, sink=sink
                )
            elif callee not in waiting:
                way[callee] = iter(edges.get(callee, ()))
                break
        else:
            del way[id_]
            waiting[id_] = 1 + max((waiting.get(callee, 0) for callee, *_ in edges.get(id_, ())), default=0)


def _runs_itself(circle: list[str], node: Node, *, by_event: bool, program: Program, sink: Sink) -> None:
    callee = circle[-1]
    triggered = by_event or any(program.rules[r].event for r in circle)
    sink.error(
        "R0505" if triggered else "R0504",
        node.span,
        f"Rule `{callee}` runs itself: {' -> '.join(circle)}.",
        labels=[Label(program.rules[callee].span, "the rule")],
        help=_remedy(program.rules[callee], triggered),
        rule=circle[-2],
    )


def _chains(index: ProgramIndex, waiting: Mapping[str, int], sink: Sink) -> None:
    """Reports the rule from which on too many wait for one another in a row."""
    for id_, number in waiting.items():
        if number == MOST_WAITING + 1:
            sink.error(
                "R0107",
                index.program.rules[id_].span,
                f"`{id_}` runs a rule that runs another, and so on for more than {MOST_WAITING} rules.",
                help="Let one rule run several others after one another instead.",
                rule=id_,
            )


def _remedy(rule: Rule, triggered: bool) -> str:
    """What to do about a rule that runs itself without end."""
    if rule.whenever is not None:
        return "Break the circle. To do something several times, write `repeat at most ...`."
    head = f"rule {rule.id}{'(...)' if rule.params and not triggered else ''}"
    return (
        f"If that comes to an end, say how deep it may go: `{head}, at most 6 deep`. To do something several times, "
        "write `repeat at most ...`."
    )


def _room(id_: str, index: ProgramIndex, bounded: set[str], sink: Sink) -> None:
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


def _reached(start: str, index: ProgramIndex) -> set[str]:
    """The rules that a rule runs, itself or through others."""

    def runs(rule: str) -> list[str]:
        return [callee for callee, _, _ in index.called.get(rule, ())]

    return set(closure(runs(start), runs))


# ---------------------------------------------------------------- definitions


def _nesting(program: Program, sink: Sink) -> None:
    """Reports what is nested so deeply, with all that it uses, that no engine could work it out."""
    parts: dict[Other, Definition | Graph | Rule] = {(Definition, d.name): d for d in program.definitions.values()}
    parts |= {(Graph, g.name): g for g in program.graphs.values()}
    parts |= {(Rule, r.id): r for r in program.rules.values()}
    used = {key: list(dict.fromkeys(_used(part))) for key, part in parts.items()}
    known: dict[Other, int] = {}
    begun: set[Other] = set()
    for start in parts:
        todo = [start]
        while todo:
            key = todo[-1]
            if key not in begun:
                begun.add(key)
                todo += (other for other in used[key] if other not in begun)
                continue
            todo.pop()
            if key not in known:
                known[key] = _depth(parts[key], known)
                if known[key] > MOST_NESTED:
                    _report_nesting(parts[key], sink)
                    return  # what uses it is not to blame as well


def _depth(part: Node, known: Mapping[Other, int]) -> int:
    """How many operations lie inside one another, those of the definitions and graphs among them that are used."""
    deepest = 0
    todo = [(part, 0)]
    while todo:
        node, depth = todo.pop()
        used = used_by(node)
        if used is not None and used[0] is not Rule:
            depth += known.get(used, 0) + (OF_A_GRAPH if used[0] is Graph else 0)
        deepest = max(deepest, depth)
        todo += ((child, depth + 1) for child in children(node))
    return deepest


def _report_nesting(part: Definition | Graph | Rule, sink: Sink) -> None:
    name = part.id if isinstance(part, Rule) else part.name
    sink.error(
        "R0107",
        part.span,
        f"`{name}` is nested too deeply: with what it uses, more than {MOST_NESTED:,} operations or cases lie inside "
        "one another.",
        help="Keep the values in a table with a column, or write what goes on and on as a list.",
    )


def _definitions(program: Program, sink: Sink) -> None:
    """Reports definitions that use themselves through a graph, or too deep by way of too many others."""
    parts: dict[Other, Definition | Graph] = {(Definition, d.name): d for d in program.definitions.values()}
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


def _used(part: Node) -> Iterator[Other]:
    """The definitions and graphs that something uses; rules that are supposed to run are looked at by themselves."""
    return (used for node in walk(part) if (used := used_by(node)) is not None and used[0] is not Rule)
