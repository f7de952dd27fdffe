"""Labels of expressions: the hidden contents that a value is worked out from.

Each definition, each graph, and each rule that is supposed to run is looked at once; what is found is kept in terms of
its parameters, so that nothing depends on how deep they use one another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Literal, TypeAlias, get_args

import attrs

from ....source import NOWHERE, Span
from ....structural import Structural, frozen
from ....types import ListType, MemberType
from ... import nodes as ir
from ...operations import Members, members_of
from ...walk import children, free_slots, nested, statements, walk
from ..cardinality import has_members
from ..effects import Other, looked_up, run_in, used_by
from .visible_to import Symbol, conjuncts, plain, renamed, settled, symbol, variables, within


@frozen
class Source(Structural):
    """Something that not everybody knows. ``owner`` of a content that ``others`` or ``some`` see is the whole cell.

    ``cell``: the cell of a content that rules may show; ``part``: ``top``, if no more of it is looked at.

    ``content``: of the variable ``name``, known to the player ``owner``, or to nobody. ``choice``: made in secret by
    ``owner``. ``roll``: its outcome goes to a hidden place. ``value``: of the parameter in slot ``owner`` of a
    definition, whatever that is. ``shown``: a choice or roll that comes to a public place as well, or comes with one
    that does not; until then it is secret, but what it decides gives nothing away.
    """

    kind: Literal["content", "choice", "roll", "value"]
    name: str
    owner: Symbol | None
    cell: Symbol | None = None
    part: str = ""
    shown: bool = False

    def over(self, change: Callable[[Symbol | None], Symbol | None]) -> Source:
        """The same with its symbols changed."""
        return attrs.evolve(self, owner=change(self.owner), cell=change(self.cell))


@frozen
class Trail(Structural):
    """How a source got into a value. ``span``: where it is looked at; ``via``: the names between, the nearest first."""

    span: Span
    via: tuple[str, ...] = ()

    def through(self, name: str) -> Trail:
        return self if self.via[:1] == (name,) else Trail(self.span, (name, *self.via[-1:]))


Label: TypeAlias = Mapping[Source, Trail]
"""The sources of a value, each with a trail. No source: everybody may know it."""

PUBLIC: Label = {}

_CONDITIONS = 4
"""As many conditions as are kept of the players in a cell."""

_STATEMENTS = get_args(ir.Statement)


def joined(labels: Iterable[Label]) -> Label:
    """All sources of some labels; of several trails, the first."""
    some = [label for label in labels if label]
    if len(some) < 2:
        return some[0] if some else PUBLIC
    found: dict[Source, Trail] = {}
    for label in some:
        for source, trail in label.items():
            found.setdefault(source, trail)
    return found


@attrs.define
class KnownLocals:
    """What is known of the locals of a rule, definition or graph.

    ``slots``: labels, none for a public local. ``names``: symbols of locals that are not named by their slot; those
    bound inside an expression have none, as they stand for one after another; players have the symbol of the bind.
    ``given``: conditions that hold where a part of an expression is looked at.
    """

    slots: dict[int, Label] = attrs.field(factory=dict)
    names: dict[int, Symbol | None] = attrs.field(factory=dict)
    counted: set[int] = attrs.field(factory=set)
    """Slots of which everybody knows how many members they hold: chosen one after another."""
    given: tuple[Symbol, ...] = ()

    def symbol(self, expr: ir.Expr) -> Symbol | None:
        return symbol(expr, self.names)

    @contextmanager
    def bound(self, binds: ir.Binds) -> Iterator[None]:
        """While the locals of ``binds`` stand for one combination after another."""
        slots, names = self.slots, self.names
        own: dict[int, Symbol | None] = {bind.slot: _bound(bind) for bind in binds.binds}
        self.slots = {slot: label for slot, label in slots.items() if slot not in own}
        self.names = names | own
        with self.assuming(tuple(condition for bind in binds.binds for condition in within(bind, self.names))):
            yield
        self.slots, self.names = slots, names

    @contextmanager
    def assuming(self, conditions: tuple[Symbol, ...]) -> Iterator[None]:
        """Where these conditions hold."""
        given = self.given
        self.given = (*given, *conditions)
        yield
        self.given = given

    def when(self, condition: ir.Expr | None, holds: bool = True) -> AbstractContextManager[None]:
        """Where a condition holds, or does not."""
        return self.assuming(conjuncts(condition, self.names, holds))

    def cell(self, place: ir.Read | ir.Place) -> Symbol | None:
        """The symbol of a cell, with what is given of the players in it."""
        below = [self.symbol(index) or ("unknown",) for index in place.indices]
        named = {variable for part in below for variable in variables(part)}
        known = [c for c in self.given if named & set(variables(c))][:_CONDITIONS]
        return ("given", ("cell", *below), *known) if known else ("cell", *below)

    def keep(self, slot: int, name: str, label: Label) -> None:
        """Gives a local a value. An owner who is named by something that may change is not recognised any more."""
        self.slots[slot] = {source.over(settled): trail.through(name) for source, trail in label.items()}


class Labels:
    """The labels of the expressions of one program."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.shown = frozenset(
            s.place.variable for rule in program.rules.values() for s in walk(rule.body) if isinstance(s, ir.Show)
        )
        self._summaries: dict[Other, Label] = {}

    def of(self, node: ir.Node | Sequence[Any] | None, frame: KnownLocals) -> Label:
        """The label of what an expression, ``Binds`` or a sequence of such reveals in ``frame``."""
        match node:
            case None | ir.Const():
                return PUBLIC
            case ir.Local():
                return frame.slots.get(node.slot, PUBLIC)
            case ir.Read():
                return self._read(node, frame)
            case ir.Apply("size", (what,)):
                return self.size(what, frame)
            case ir.Apply("is" | "is_not", (what, ir.Const(None))) | ir.Apply("is" | "is_not", (ir.Const(None), what)):
                return self.presence(what, frame)
            case ir.Apply("and" | "or", (first, second)):
                label = self.of(first, frame)
                with frame.when(first, node.op == "and"):
                    return joined([label, self.of(second, frame)])
            case ir.If():
                label = self.of(node.condition, frame)
                with frame.when(node.condition):
                    then = self.of(node.then, frame)
                with frame.when(node.condition, False):
                    return joined([label, then, self.of(node.otherwise, frame)])
            case ir.Apply("top", (ir.Read() as read,)) if read.variable in self.shown:
                label = self.of(read, frame)
                top = ((s, t) for s, t in label.items())
                return {attrs.evolve(s, part="top") if s.name == read.variable else s: t for s, t in top}
            case ir.Apply():
                return joined([self.of(argument, frame) for argument in node.arguments])
            case ir.Call():
                return self._applied((ir.Definition, node.definition), node.arguments, frame)
            case ir.AboutGraph():
                return self._graph(node, frame)
            case ir.After():
                return self._after(node, frame)
            case ir.Fold("some", None, binds):
                return self.any_combination(binds, frame)
            case ir.Fold():
                return self._inside(node.binds, (node.body, node.ranks), frame)
            case ir.PiecesOf() if node.binds is not None:
                return self._inside(node.binds, node.entries, frame)
            case ir.Binds():
                return self._inside(node, None, frame)
            case ir.Node():
                return joined([self.of(child, frame) for child in children(node)])
        return joined([self.of(part, frame) for part in node])

    def size(self, what: ir.Expr, frame: KnownLocals) -> Label:
        """The label of how many members something has. Everybody sees it of a place that is ``counted``."""
        match what:
            case ir.Read() if self._counted(what.variable):
                return self.of(what.indices, frame)
            case ir.Local(slot) if slot in frame.counted:
                return PUBLIC
            case ir.Apply(arguments=(inner, *ends)) if isinstance(what.type, ListType):
                match members_of(what):
                    case Members.ARGUMENTS:
                        return PUBLIC
                    case Members.SAME | Members.PIECES:
                        return self.size(inner, frame)
                    case Members.ALL:
                        return joined([self.size(part, frame) for part in what.arguments])
                    case Members.SOME:
                        return joined([self.size(inner, frame), self.of(ends, frame)])
            case ir.Fold("ranked", body, binds):
                return self._inside(binds, body, frame)
        return self.of(what, frame)

    def presence(self, what: ir.Expr, frame: KnownLocals) -> Label:
        """The label of whether something has any member, or is a value rather than none."""
        match members_of(what), what:
            case Members.SAME | Members.PIECES | Members.KINDS, ir.Apply(arguments=(inner, *_)):
                return self.presence(inner, frame)
            case Members.ALL, ir.Apply(arguments=parts):
                return joined([self.presence(part, frame) for part in parts])
            case ((Members.ARGUMENTS | Members.DOMAIN), _):
                return PUBLIC
        match what:
            case ir.Apply("range") if has_members(what):
                return PUBLIC
            case ir.Apply("top" | "bottom", (inner,)):
                return self.presence(inner, frame)
            case ir.Fold("list" | "set" | "ranked" | "leaders", _, binds):
                return self.any_combination(binds, frame)
            case ir.Apply("bundles" | "at", (inner, number)):
                return joined([self.size(inner, frame), self.of(number, frame)])
        return self.size(what, frame)

    def any_combination(self, binds: ir.Binds, frame: KnownLocals) -> Label:
        """The label of whether there is anything to choose or to go through.

        Of a domain whose members are looked at further on, all matters; of another, whether it has any.
        """
        looked_at = free_slots((binds.condition, binds.passing, [bind.domain for bind in binds.binds]))
        with frame.bound(binds):
            found = [self.of((binds.condition, binds.passing), frame)]
            for bind in binds.binds:
                label = self.of if bind.slot in looked_at else self.presence
                found.append(label(bind.domain, frame))
        return joined(found)

    def _counted(self, name: str) -> bool:
        """Whether everybody sees how many there are: as they see what is remembered, they can count that as well."""
        return self.program.variables[name].counted or self.program.variables[name].history

    # -- parts

    def _read(self, node: ir.Read, frame: KnownLocals) -> Label:
        return self._content(node, frame)

    def _content(self, node: ir.Read | ir.Place, frame: KnownLocals) -> Label:
        variable = self.program.variables[node.variable]
        indices = self.of(node.indices, frame) if node.indices else PUBLIC
        if variable.seen_by == "all":
            return indices
        owner = None
        if variable.seen_by == "owner" and node.indices:
            owner = frame.symbol(node.indices[0])
        elif variable.seen_by in ("others", "some"):
            owner = frame.cell(node)
        cell = plain(frame.cell(node)) if node.variable in self.shown else None
        return joined([{Source("content", node.variable, owner, cell): Trail(node.span)}, indices])

    def _inside(self, binds: ir.Binds, inner: ir.Node | Sequence[Any] | None, frame: KnownLocals) -> Label:
        """Of something worked out for each combination. Its own locals add nothing that their domains do not."""
        with frame.bound(binds):
            parts = [self.of(bind.domain, frame) for bind in binds.binds]
            parts += [self.of(binds.passing, frame), self.of(binds.condition, frame)]
            with frame.when(binds.condition), frame.when(binds.passing):
                return joined([*parts, self.of(inner, frame)])

    def _graph(self, node: ir.AboutGraph, frame: KnownLocals) -> Label:
        found = [self._applied((ir.Graph, node.graph), node.arguments, frame)]
        if isinstance(node, ir.GroupOf):
            found.append(self.of(node.node, frame))
        elif isinstance(node, ir.ByLength):
            found.append(self.of(node.ends, frame))
        elif isinstance(node, ir.LongestTrail):
            frame.names |= dict.fromkeys(node.slots)  # they stand for one node after another
            found.append(self.of(node.measure, frame))
        return joined(found)

    def _after(self, node: ir.After, frame: KnownLocals) -> Label:
        """All that the rule reads or changes, and the value. Who is named by the position is not recognised in it."""
        value = self.of(node.value, frame)
        would = {source.over(settled): trail for source, trail in value.items()}
        return joined([would, self._applied((ir.Rule, node.rule), node.arguments, frame)])

    # -- rules that are supposed to run

    def _rule(self, rule: ir.Rule, frame: KnownLocals) -> Label:
        """Of all that would run with a rule, apart from watchers."""
        own = self.of((rule.guard, rule.binds, [need.condition for need in rule.needs]), frame)
        return joined([own, *(self._statement(s, frame) for s in rule.body)])

    def _statement(self, s: ir.Statement, frame: KnownLocals) -> Label:
        """Of all that a statement looks at or changes, with the statements in it."""
        found: list[Label] = []
        match s:
            case ir.NamedRule():
                return self._rule(self.program.rules[s.rule], frame)
            case ir.Do() | ir.Announce():
                return joined(self._applied((ir.Rule, id_), s.arguments, frame) for id_ in run_in(self.program, s))
            case ir.Score() if self.program.score is not None:
                found.append(self._content(ir.Place(self.program.score, (s.who,), span=s.span), frame))
        for part in children(s):
            if isinstance(part, ir.Place):
                found.append(self._content(part, frame))
            elif isinstance(part, _STATEMENTS):
                found.append(self._statement(part, frame))
            else:
                found.append(self.of(part, frame))
        if isinstance(s, ir.Let):
            frame.names[s.slot] = settled(frame.symbol(s.value))
        return joined(found)

    # -- summaries

    def _summary(self, used: Other) -> Label:
        """The label of a definition, graph or rule in terms of its parameters, which are sources themselves.

        What it uses comes first, without recursion: chains of definitions may be long. Where some use themselves, all
        are worked out again until nothing is added.
        """
        todo, begun = [used], set[Other]()
        circular = False
        while todo:
            other = todo[-1]
            below = [o for o in _uses(self.program, other) if o not in self._summaries and o not in begun]
            begun.add(other)
            if below:
                todo += below
                continue
            for later in _uses(self.program, other):
                circular = circular or later not in self._summaries
                self._summaries.setdefault(later, PUBLIC)
            self._summaries[todo.pop()] = self._summed(other)
        while circular:
            circular = False
            for other in sorted(begun, key=lambda o: (o[0].__name__, o[1])):
                before = self._summaries[other]
                found = self._summed(other)
                if not found.keys() <= before.keys():
                    self._summaries[other] = joined([before, found])
                    circular = True
        return self._summaries[used]

    def _summed(self, used: Other) -> Label:
        other = looked_up(self.program, used)
        frame = KnownLocals()
        for param in other.params:
            frame.slots[param.slot] = {Source("value", param.name, ("slot", param.slot)): Trail(NOWHERE)}
        if isinstance(other, ir.Definition):
            return self.of(other.body, frame)
        if isinstance(other, ir.Rule):
            return self._supposed(other, frame)
        with frame.bound(other.nodes):
            return self.of((other.nodes, other.edges), frame)

    def _supposed(self, rule: ir.Rule, frame: KnownLocals) -> Label:
        """What is left unsettled in a rule may name another player by the time it is looked at."""
        own = {param.slot for param in rule.params}
        frame.names |= {slot: None for slot in range(rule.frame) if slot not in own}
        label = joined([*frame.slots.values(), self._rule(rule, frame)])
        return {source if source.kind == "value" else source.over(settled): trail for source, trail in label.items()}

    def _applied(self, used: Other, arguments: Sequence[ir.Expr], frame: KnownLocals) -> Label:
        """The summary of a definition, graph or rule with its parameters filled in."""
        summary = self._summaries[used] if used in self._summaries else self._summary(used)
        if not summary:
            return PUBLIC
        params = looked_up(self.program, used).params
        given = {("slot", p.slot): argument for p, argument in zip(params, arguments, strict=False)}
        names: dict[Symbol, Symbol | None] = {slot: frame.symbol(argument) for slot, argument in given.items()}
        parts: list[Label] = []
        for source, trail in summary.items():
            if source.kind == "value" and source.owner is not None:
                parts.append(self.of(given[source.owner], frame))
            else:
                parts.append({source.over(lambda name: renamed(name, names)): trail.through(used[1])})
        return joined(parts)


def _bound(bind: ir.Bind) -> Symbol | None:
    """The symbol of a player bound inside an expression."""
    if not isinstance(bind.type, MemberType) or bind.type.domain.name != "Player":
        return None
    return ("bound", bind.slot, bind.span.line, bind.span.column)


def _uses(program: ir.Program, used: Other) -> Iterator[Other]:
    """The definitions, graphs and rules that one of them uses directly."""
    kind, name = used
    inside = [name, *_nested(program, name)] if kind is ir.Rule else []
    nodes: list[ir.Node] = [program.rules[id_] for id_ in inside] or [looked_up(program, used)]
    for part in walk(nodes):
        other = used_by(part)
        if other is not None:
            yield other
        elif kind is ir.Rule and isinstance(part, (ir.Do, ir.Announce)):
            yield from ((ir.Rule, id_) for id_ in run_in(program, part))


def _nested(program: ir.Program, rule: str) -> Iterator[str]:
    """The rules that are written in a rule."""
    for s in statements(program, program.rules[rule].body):
        yield from nested(s)
