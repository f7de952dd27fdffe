"""Effects of statements and rules: write, run others, bind names, ask somebody, end the game.

What rules do through one another is the least solution of equations between sets.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar, assert_never

import attrs

from ...structural import Structural, frozen
from .. import nodes as ir
from ..walk import children, nested, statements, walk


@frozen
class Effect(Structural):
    """What a statement does by itself, without the statements and rules inside it.

    ``writes``: the variables it may change. ``calls``: the rules it runs by name or through an event. ``slots``: the
    slots it binds. ``asks``: somebody may have to decide. ``ends``: the game ends. ``watched``: a rule or an option
    ends, where the watchers are tested.
    """

    writes: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    slots: tuple[int, ...] = ()
    asks: bool = False
    ends: bool = False
    watched: bool = False


_NOTHING = Effect()


def effect(program: ir.Program, s: ir.Statement) -> Effect:
    """The effect of one statement."""
    match s:
        case ir.Nothing() | ir.Branch() | ir.Repeat() | ir.ChooseSome():
            return _NOTHING
        case ir.NamedRule() | ir.Stop():
            return Effect(watched=True)
        case ir.SetValue() | ir.Change():
            return Effect(writes=_shown_too(program, s.target.variable))
        case ir.Move():
            return Effect(writes=_shown_too(program, s.source.variable, s.target.variable))
        case ir.Shuffle():
            return Effect(writes=_shown_too(program, s.place.variable))
        case ir.Show():
            slots = () if s.seats is None else _bound(s.seats)
            return Effect(writes=_shown_too(program, s.place.variable)[1:], slots=slots)
        case ir.Score():
            return Effect(writes=() if program.score is None else _shown_too(program, program.score))
        case ir.Pay():
            return Effect(writes=_shown_too(program, s.source.variable, s.target.variable), asks=True)
        case ir.Menu():
            return Effect(asks=True, watched=True)
        case ir.Choose():
            return Effect(slots=_bound(s.binds), asks=True)
        case ir.Roll() | ir.IfThere() | ir.Each() | ir.Together():
            return Effect(slots=_bound(s.binds))
        case ir.Let() | ir.TakeTurns():
            return Effect(slots=(s.slot,))
        case ir.Do():
            return Effect(calls=(s.rule,))
        case ir.Announce():
            return Effect(calls=program.handlers.get(s.event, ()))
        case ir.EndGame() | ir.Wins():
            return Effect(ends=True)
        case _:
            assert_never(s)


def _shown_too(program: ir.Program, *names: str) -> tuple[str, ...]:
    """These variables, and those that remember what was shown of them."""
    return (*names, *(shown for shown in map(ir.shown_of, names) if shown in program.variables))


def _bound(binds: ir.Binds) -> tuple[int, ...]:
    return tuple(bind.slot for bind in binds.binds)


def is_chance(program: ir.Program, s: ir.Statement) -> bool:
    """Whether a statement leaves something to chance."""
    if isinstance(s, ir.Move):
        return program.variables[s.source.variable].kind == "bag" and s.what == "number"
    return isinstance(s, (ir.Roll, ir.Shuffle))


def effects_of(program: ir.Program, body: Iterable[ir.Statement]) -> list[Effect]:
    """The effects of all statements of a body and inside it, those of its nested rules and options included."""
    return [effect(program, s) for s in statements(program, tuple(body))]


def rule_writes(program: ir.Program) -> dict[str, frozenset[str]]:
    """By rule, the variables that running it may change, the watchers that run at its end included."""
    found = {id_: effects_of(program, rule.body) for id_, rule in program.rules.items()}
    own = {id_: frozenset(name for e in effects for name in e.writes) for id_, effects in found.items()}
    writes = spread(own | _WATCHED, _calls(program, found))
    del writes[_WATCHING]
    return writes


_WATCHING = "whenever"
"""Stands for all watchers together among the rules that call one another; no rule can be called this."""

_WATCHED: dict[str, frozenset[str]] = {_WATCHING: frozenset()}


def _calls(program: ir.Program, found: Mapping[str, Sequence[Effect]]) -> dict[str, list[str]]:
    """By rule what it runs; every rule runs the watchers at its end."""
    calls = {id_: [*_called(effects), _WATCHING] for id_, effects in found.items()}
    return calls | {_WATCHING: list(program.watchers)}


def body_writes(
    program: ir.Program, body: Iterable[ir.Statement], writes: Mapping[str, frozenset[str]]
) -> frozenset[str]:
    """The variables that a body may change, by itself and through the rules it runs (whose ``writes`` are known)."""
    effects = effects_of(program, body)
    called = {*_called(effects), *(program.watchers if any(e.watched for e in effects) else ())}
    return frozenset(name for e in effects for name in e.writes).union(*(writes[c] for c in called))


def _called(effects: Iterable[Effect]) -> list[str]:
    return [rule for e in effects for rule in e.calls]


class Effects:
    """``asking`` and ``ending``: the rules and options in whose course somebody may decide, or the game may end.

    ``writes``: the variables that running each of them may change. Watchers count as run by every rule.
    """

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        found = {id_: effects_of(program, rule.body) for id_, rule in program.rules.items()}
        calls = _calls(program, found)
        self.asking = reaching({id_ for id_, effects in found.items() if any(e.asks for e in effects)}, calls)
        self.ending = reaching({id_ for id_, effects in found.items() if any(e.ends for e in effects)}, calls)
        self.writes = rule_writes(program)


# Least solutions of equations between sets, for programs whose parts depend on one another.


K = TypeVar("K")
V = TypeVar("V")


def least(
    start: Mapping[K, frozenset[V]], grow: Callable[[K, Mapping[K, frozenset[V]]], frozenset[V]]
) -> dict[K, frozenset[V]]:
    """The smallest sets that contain ``start`` and, of every key, ``grow(key, sets)``.

    ``grow`` must give more, never less, for larger sets.
    """
    sets = dict(start)
    changed = True
    while changed:
        changed = False
        for key, before in sets.items():
            after = before | grow(key, sets)
            if after != before:
                sets[key] = after
                changed = True
    return sets


def spread(own: Mapping[K, frozenset[V]], calls: Mapping[K, Collection[K]]) -> dict[K, frozenset[V]]:
    """What each key has of its own, with all that the keys it calls have, directly or through others."""
    return least(own, lambda key, sets: frozenset().union(*(sets[called] for called in calls[key])))


def reaching(targets: Collection[K], calls: Mapping[K, Collection[K]]) -> frozenset[K]:
    """The keys that are among ``targets`` or call one of them, directly or through others."""
    own = {key: frozenset((True,)) if key in targets else frozenset() for key in calls}
    return frozenset(key for key, found in spread(own, calls).items() if found)


# Reads of expressions, and the rules that are only supposed to run: those named after ``after do``.


OfPart = Callable[[str, ir.Node, Callable[[], tuple[ir.Node, ...]]], tuple[ir.Node, ...]]


def run_in(program: ir.Program, node: ir.Node) -> tuple[str, ...]:
    """The rules that a statement runs or holds, the watchers not among them: none of them runs in what would be."""
    match node:
        case ir.Do():
            return (node.rule,)
        case ir.Announce():
            return program.handlers.get(node.event, ())
    return nested(node)


def supposed_statements(program: ir.Program, rule: str) -> Iterator[tuple[str, ir.Statement]]:
    """What would run with a rule: each statement once, with the id of the rule that was called or is written there."""
    seen = {rule}
    todo = [rule]
    while todo:
        id_ = todo.pop(0)
        for statement in statements(program, program.rules[id_].body):
            yield id_, statement
            for called in run_in(program, statement):
                if called not in seen and called not in nested(statement):
                    seen.add(called)
                    todo.append(called)


def supposed_writes(program: ir.Program, rule: str) -> frozenset[str]:
    """The variables that may differ in what would be after a rule."""
    return frozenset(name for _, s in supposed_statements(program, rule) for name in effect(program, s).writes)


class Supposed:
    """Where a program supposes rules to run. ``of_part``: remembers what depends on one part alone."""

    def __init__(self, program: ir.Program, of_part: OfPart) -> None:
        self.program = program
        self._of_part = of_part

    def within(self, parts: Iterable[ir.Node]) -> list[ir.After]:
        """Those among these nodes, and in the definitions and graphs that they use."""
        found: dict[ir.After, None] = {}
        seen: set[Other] = set()
        todo: list[Iterable[ir.Node]] = [parts]
        while todo:
            for node in todo.pop():
                if isinstance(node, ir.After):
                    found[node] = None
                other = used_by(node)
                if other is not None and other not in seen and other[0] is not ir.Rule:
                    seen.add(other)
                    todo.append(self._in(looked_up(self.program, other)))
        return list(found)

    def anywhere(self) -> list[ir.After]:
        """Those of the whole program, but for the ones that only rules hold."""
        program = self.program
        kept = [v.initial for v in program.variables.values() if v.initial is not None]
        parts: list[Iterable[ir.Node]] = [walk([*program.ranks, *program.invariants, *kept])]
        parts += map(self._in, (*program.definitions.values(), *program.graphs.values()))
        return self.within(itertools.chain(*parts))

    def _in(self, used: ir.Node) -> tuple[ir.Node, ...]:
        """The nodes of a definition or a graph that suppose a rule to run, or use another that may."""
        telling = (ir.After, ir.Call, ir.AboutGraph)
        return self._of_part("supposed", used, lambda: tuple(node for node in walk(used) if isinstance(node, telling)))


# Variables that evaluating something may read, including those read by definitions and graphs.
#
# What would be after a rule depends on all that the rule reads, and on all that it may change.


Parts: TypeAlias = ir.Node | Sequence[Any] | None
"""A node, none, or sequences of such."""

Other: TypeAlias = tuple[type[ir.Node], str]
"""A definition, a graph or a rule: its class and its name."""


class Reads:
    """The variables that expressions of one program read. Each definition, graph and rule is looked into once."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._of_others: dict[Other, frozenset[str]] = {}

    def variables(self, node: Parts) -> frozenset[str]:
        found: set[str] = set()
        for part in walk(node):
            if isinstance(part, ir.Read):
                found.add(part.variable)
            other = used_by(part)
            if other is not None:
                found |= self.of(other)
        return frozenset(found)

    def of(self, other: Other) -> frozenset[str]:
        """The variables that a definition or a graph reads, or that a rule reads or changes."""
        if other not in self._of_others:
            self._of_others[other] = variables_read(self.program, looked_up(self.program, other))
        return self._of_others[other]


def variables_read(program: ir.Program, node: Parts) -> frozenset[str]:
    """The variables that an expression, ``Binds`` or a sequence of them may read."""
    found: set[str] = set()
    for part in reached(program, node):
        if isinstance(part, (ir.Read, ir.Place)):
            found.add(part.variable)
        elif isinstance(part, ir.Score) and program.score is not None:
            found.add(program.score)
    return frozenset(found)


def reads_state(program: ir.Program, node: Parts) -> bool:
    """Whether evaluating an expression, or ``Binds``, may look at a cell. What asks about a graph counts as if."""
    looking = (ir.Read, ir.AboutGraph, ir.After)
    return any(isinstance(part, looking) for part in reached(program, node))


def uses_itself(program: ir.Program, used: ir.Definition | ir.Graph) -> bool:
    """Whether something that uses itself takes part: how deep it is at work decides whether it faults."""
    for node in reached(program, used):
        if isinstance(node, ir.Call) and program.definitions[node.definition].deep is not None:
            return True
        rules = (node.rule,) if isinstance(node, ir.After) else run_in(program, node)
        if any(program.rules[rule].deep is not None for rule in rules):
            return True
    return isinstance(used, ir.Definition) and used.deep is not None


def reached(program: ir.Program, node: Parts) -> Iterator[ir.Node]:
    """The nodes of an expression and of the definitions, graphs and rules it uses, each of those once."""
    seen: set[Other] = set()
    todo: list[Parts] = [node]
    while todo:
        for part in walk(todo.pop()):
            yield part
            other = used_by(part)
            others = [] if other is None else [other]
            others += [(ir.Rule, id_) for id_ in run_in(program, part)]
            for found in others:
                if found not in seen:
                    seen.add(found)
                    todo.append(looked_up(program, found))


def used_by(node: ir.Node) -> Other | None:
    """The definition, graph or rule that an expression uses."""
    match node:
        case ir.Call():
            return ir.Definition, node.definition
        case ir.AboutGraph():
            return ir.Graph, node.graph
        case ir.After():
            return ir.Rule, node.rule
    return None


def looked_up(program: ir.Program, other: Other) -> ir.Definition | ir.Graph | ir.Rule:
    kind, name = other
    if kind is ir.Definition:
        return program.definitions[name]
    return program.graphs[name] if kind is ir.Graph else program.rules[name]


# Tables about a Program that the checks look things up in.


T = TypeVar("T")


@frozen
class ProgramIndex(Structural):
    """A Program with what the checks ask again and again: the nodes of each rule, what it runs, what it changes.

    ``nodes``: of a rule's guard, needs, binds and body, without the rules and options inside it.
    ``inside``: the rule's own id and those nested in it. ``called``: (rule, node, whether through an event) for what it
    runs by ``do`` or ``announce`` or supposes to run, nested rules included. ``writes``: variables that running it may
    change. ``hidden``: the variables whose content not everybody sees. ``supposed``: finds where rules are supposed to
    run.
    """

    program: ir.Program
    nodes: dict[str, tuple[ir.Node, ...]]
    inside: dict[str, tuple[str, ...]]
    called: dict[str, tuple[tuple[str, ir.Node, bool], ...]]
    writes: dict[str, frozenset[str]]
    reads: Reads
    hidden: frozenset[str]
    supposed: Supposed
    _shared: dict[Any, Any] = attrs.field(init=False, eq=False, repr=False, factory=dict)

    @classmethod
    def of(cls, program: ir.Program, of_part: OfPart | None = None) -> ProgramIndex:
        """``of_part``: remembers what depends on one rule alone."""
        of_part = of_part or (lambda kind, part, make: make())
        nodes = {id_: of_part("nodes", rule, functools.partial(_nodes, rule)) for id_, rule in program.rules.items()}
        hidden = frozenset(name for name, variable in program.variables.items() if variable.seen_by != "all")
        inside = {id_: tuple(_inside(id_, nodes)) for id_ in program.rules}
        supposed = Supposed(program, of_part)
        called = {id_: tuple(_called_in(program, inside[id_], nodes, supposed)) for id_ in program.rules}
        writes, reads = rule_writes(program), Reads(program)
        return cls(program, nodes, inside, called, writes, reads, hidden, supposed)

    def once(self, make: Callable[[ProgramIndex], T]) -> T:
        """What ``make`` makes of the index: worked out by the first check that asks, and the same for all."""
        if make not in self._shared:
            self._shared[make] = make(self)
        found: T = self._shared[make]
        return found

    @property
    def top_level(self) -> list[str]:
        return [id_ for id_, rule in self.program.rules.items() if rule.parent is None]


def _nodes(rule: ir.Rule) -> tuple[ir.Node, ...]:
    return tuple(walk(children(rule)))


def _inside(id_: str, nodes: dict[str, tuple[ir.Node, ...]]) -> Iterator[str]:
    yield id_
    for node in nodes[id_]:
        for inner in nested(node):
            yield from _inside(inner, nodes)


def _called_in(
    program: ir.Program, inside: tuple[str, ...], nodes: dict[str, tuple[ir.Node, ...]], supposed: Supposed
) -> Iterator[tuple[str, ir.Node, bool]]:
    for part in inside:
        for expr in supposed.within(nodes[part]):
            yield expr.rule, expr, False
        for node in nodes[part]:
            if isinstance(node, ir.Do):
                yield node.rule, node, False
            elif isinstance(node, ir.Announce):
                for handler in program.handlers.get(node.event, ()):
                    yield handler, node, True
