"""Estimates of the work that expressions take, in steps, and the definitions whose work is done again and again.

A run counts as often as it is likely to go round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import Any, TypeAlias, get_args

from ...types import ListType, MemberType, NumberType, OptionalType, PiecesType, SetType, Type, size_of
from ...types import kinds as kinds_of
from .. import nodes as ir
from ..walk import children, conjuncts, free_slots, statements

A_FEW = 6
"""Members assumed of a list or a set, of which only some may be looked at."""

_GRAPH = 100
_MOST = 1_000_000


class Work:
    """The work that expressions of one program take. Each definition is looked into once."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._of_definitions: dict[str, int] = {}

    def of(self, node: ir.Node | None) -> int:
        """The steps that an expression, ``Binds`` or a key takes, roughly."""
        match node:
            case None:
                return 0
            case ir.Const() | ir.Local():
                return 0
            case ir.Fold():
                return self._run(node.binds, [node.body, *node.ranks])
            case ir.PiecesOf() if node.binds is not None:
                return self._run(node.binds, [part for entry in node.entries for part in entry])
            case ir.Binds():
                return self._run(node, [])
            case ir.Call():
                return min(_MOST, self.of_definition(node.definition) + self._parts(node))
            case ir.AboutGraph() | ir.Ways() | ir.After():
                return min(_MOST, _GRAPH + self._parts(node))
        return min(_MOST, 1 + self._parts(node))

    def of_definition(self, name: str) -> int:
        """The steps that the body of a definition takes; of one that uses itself, those of one time."""
        if name not in self._of_definitions:
            self._of_definitions[name] = 0
            self._of_definitions[name] = self.of(self._program.definitions[name].body)
        return self._of_definitions[name]

    def _parts(self, node: ir.Node) -> int:
        return sum(map(self.of, children(node)))

    def _run(self, binds: ir.Binds, inner: list[ir.Expr | ir.Key | None]) -> int:
        total, passes = 0, 1
        for bind in binds.binds:
            total += passes * (1 + self.of(bind.domain))
            passes = min(_MOST, passes * members(bind.domain))
        total += passes * (1 + sum(map(self.of, [binds.condition, binds.passing, *inner])))
        return min(_MOST, total)


def members(domain: ir.Expr) -> int:
    """How often a run goes round, roughly."""
    match domain.type:
        case OptionalType():
            return 1
        case PiecesType(kind):
            return len(kinds_of(kind))
        case ListType(MemberType(of)) if isinstance(domain, ir.Apply) and domain.op == "members":
            return len(of)
        case ListType(NumberType(low, high)) if isinstance(domain, ir.Apply) and domain.op in ("members", "range"):
            return max(1, min(A_FEW, high - low + 1))
        case ListType() | SetType() if isinstance(domain, ir.Const):
            return len(domain.value)
    return A_FEW


# Definitions that may be asked for with equal arguments while nothing changes.
#
# Inside one expression, or one listing of options, nothing changes. A call there is made again and again by the loops
# around it. Where the variable of each of these loops is an argument by itself, no two calls are alike. Else some
# are, if there are more calls than there can be combinations of arguments.


OFTEN = 2
"""Calls with equal arguments, on average, from which on a definition is asked for again and again."""

Loop: TypeAlias = tuple[int, int]
"""The number of a loop, and how often it goes round, roughly."""

Loops: TypeAlias = frozenset[Loop]

Known: TypeAlias = Loop | int
"""A value: the variable of a loop, or else how many values it may take in the loops around."""

Env: TypeAlias = Mapping[int, Known]

_ONE_TO_ONE = frozenset(("next", "prev", "opposite"))
_STATEMENTS = get_args(ir.Statement)
_NONE: Loops = frozenset()
_UNKNOWN = 8
"""Passes assumed of a loop of which nothing is known."""


def repeated(program: ir.Program, remembered: Callable[[str], bool]) -> frozenset[str]:
    """The names of the definitions.

    ``remembered``: whether the value of a definition, if it is asked for again, is worked out once only; then what it
    uses is asked for once for each of its arguments.
    """
    at_first = _CallGraph(program, frozenset()).found()
    return _CallGraph(program, frozenset(filter(remembered, at_first))).found()


class _CallGraph:
    """The calls that a program can make. ``once``: definitions whose values are remembered."""

    def __init__(self, program: ir.Program, once: frozenset[str]) -> None:
        self._program = program
        self._once = once
        self._found: set[str] = set()
        self._known: set[tuple[Any, ...]] = set()
        self._loops = 0

    def found(self) -> frozenset[str]:
        program = self._program
        for rule in program.rules.values():
            self._rule(rule)
        for rank in program.ranks:
            self._look(rank.value, {}, _NONE)
        for variable in program.variables.values():
            self._look(variable.initial, {}, _NONE)
        for name in self._once:
            definition = program.definitions[name]
            loops = {param.slot: self._loop(_values(param.type)) for param in definition.params}
            self._look(definition.body, loops, frozenset(loops.values()))
        return frozenset(self._found)

    def _loop(self, passes: int) -> Loop:
        self._loops += 1
        return self._loops, passes

    # -- rules

    def _rule(self, rule: ir.Rule) -> None:
        for part in (rule.guard, rule.whenever):
            self._look(part, {}, _NONE)
        if rule.binds is None:
            self._look(rule.needs, {}, _NONE)
        else:
            self._binds(rule.binds, (), {}, _NONE, [need.condition for need in rule.needs])
        for statement in statements(self._program, rule.body):
            self._look(list(_own(statement)), {}, _NONE)

    # -- expressions

    def _look(self, node: ir.Node | Sequence[Any] | None, env: Env, loops: Loops) -> None:
        match node:
            case None:
                return
            case ir.Binds():
                self._binds(node, (), env, loops)
            case ir.Fold():
                self._binds(node.binds, (node.body, node.ranks), env, loops)
            case ir.PiecesOf() if node.binds is not None:
                self._binds(node.binds, node.entries, env, loops)
            case ir.Call():
                self._look(node.arguments, env, loops)
                self._call(node, env, loops)
            case ir.AboutGraph():
                self._graph(node, env, loops)
            case ir.Ways():
                self._look(node.start, env, loops)
                loop = self._loop(_UNKNOWN)
                self._look((node.steps, node.end), {**env, node.slot: loop}, loops | {loop})
            case ir.After():
                self._look(node.arguments, env, loops)
                self._look(node.value, {}, _NONE)  # another position
            case ir.Node():
                self._look(children(node), env, loops)
            case _:
                for part in node:
                    self._look(part, env, loops)

    def _binds(
        self, binds: ir.Binds, inner: Any, env: Env, loops: Loops, needs: Sequence[ir.Expr] = ()
    ) -> tuple[Env, Loops]:
        """Looks at binds and what is inside of them; gives what is known there, and the loops there are.

        Each part of a condition is tested as soon as its names are known.
        """
        late = [binds.condition, binds.passing] if binds.stop_at_first_failure else []
        tests = [part for test in ([] if late else [binds.condition, *needs]) for part in conjuncts(test)]
        unbound = {bind.slot for bind in binds.binds}
        for bind in binds.binds:
            self._look(bind.domain, env, loops)
            if isinstance(bind.domain.type, OptionalType):
                env = {**env, bind.slot: self._of(bind.domain, env)}
            else:
                loop = self._loop(members(bind.domain))
                known = min(_values(bind.type), _calls(loops | {loop})) if _moving(bind.domain, env) else loop
                env, loops = {**env, bind.slot: known}, loops | {loop}
            unbound.discard(bind.slot)
            self._look([test for test in tests if not free_slots(test) & unbound], env, loops)
            tests = [test for test in tests if free_slots(test) & unbound]
        self._look((late, needs if late else (), inner), env, loops)
        return env, loops

    def _of(self, expr: ir.Expr, env: Env) -> Known:
        """What is known of the value of an expression; it may be as good as the variable of a loop."""
        match expr:
            case ir.Local(slot):
                return env.get(slot, 1)
            case ir.Apply(op=op, arguments=(inner,)) if op in _ONE_TO_ONE:
                return self._of(inner, env)
        return _values(expr.type) if _moving(expr, env) else 1

    def _call(self, node: ir.Call, env: Env, loops: Loops) -> None:
        given = [self._of(argument, env) for argument in node.arguments]
        if _calls(loops) >= OFTEN * _different(given):
            self._found.add(node.definition)
        definition = self._program.definitions[node.definition]
        if node.definition not in self._once and self._is_new(node.definition, given, loops):
            self._look(definition.body, _given(definition.params, given), loops)

    def _graph(self, node: ir.AboutGraph, env: Env, loops: Loops) -> None:
        self._look(node.arguments, env, loops)
        match node:
            case ir.GroupOf():
                self._look(node.node, env, loops)
            case ir.ByLength():
                self._look(node.ends, env, loops)
            case ir.LongestTrail():
                loop = self._loop(_UNKNOWN)
                slots: Env = dict.fromkeys(node.slots, loop if len(node.slots) == 1 else _UNKNOWN)
                self._look(node.measure, {**env, **slots}, loops | {loop})
        graph = self._program.graphs[node.graph]
        given = [self._of(argument, env) for argument in node.arguments]
        if self._is_new(graph.name, given, loops, "graph"):
            inside = self._binds(graph.nodes, (), _given(graph.params, given), loops)
            for edge in graph.edges:
                ends = (edge.target, edge.length)
                if edge.binds is None:
                    self._look(ends, *inside)
                else:
                    self._binds(edge.binds, ends, *inside)

    def _is_new(self, name: str, given: Sequence[Known], loops: Loops, sort: str = "definition") -> bool:
        """Whether something has not been looked into yet with arguments like these, and as many calls."""
        order: dict[Known, int] = {}
        pattern = tuple(order.setdefault(known, len(order)) for known in given)
        sizes = tuple(known if isinstance(known, int) else known[1] for known in given)
        key = (sort, name, pattern, sizes, _calls(loops - {k for k in given if not isinstance(k, int)}))
        if key in self._known:
            return False
        self._known.add(key)
        return True


def _moving(expr: ir.Expr, env: Env) -> bool:
    """Whether the loops around may give an expression another value each time."""
    return any(env.get(slot, 1) != 1 for slot in free_slots(expr))


def _calls(loops: Loops) -> int:
    return min(_MOST, prod(passes for _, passes in loops))


def _different(given: Sequence[Known]) -> int:
    """Combinations that arguments can make."""
    loops = {known for known in given if not isinstance(known, int)}
    return prod(known for known in given if isinstance(known, int)) * _calls(frozenset(loops))


def _values(type_: Type) -> int:
    """How many values a type has, roughly."""
    return max(1, min(_MOST, size_of(type_, _MOST)))


def _given(params: Sequence[ir.Param], given: Sequence[Known]) -> Env:
    return {param.slot: known for param, known in zip(params, given, strict=True)}


def _own(statement: ir.Statement) -> Iterator[ir.Node]:
    """What a statement itself looks at: all below it but the statements in it."""
    for child in children(statement):
        if not isinstance(child, _STATEMENTS):
            yield child
