"""Knowledge of the locals of running rules, by seat: derived from the text of the rules, not from values.

A local is public unless it depends on hidden cells or was chosen in secret, directly, through other locals, or as an
argument. Where the rules are waiting is public, and so are the conditions that led there: a local is visible only in
the block that sets it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, assert_never

import attrs

from rulelang import program as ir
from rulelang.program.analysis.effects import effect
from rulelang.program.analysis.names import free_slots
from rulelang.program.analysis.privacy import private_slots
from rulelang.program.analysis.reads import variables_read
from rulelang.program.walk import children, statements
from rulelang.source import Span

from ..lowered import code
from ..lowered.lower import root_of
from .views import SPECTATOR

if TYPE_CHECKING:
    from .blueprint import Blueprint
    from .position import Frame

Source: TypeAlias = tuple[str, int]
"""``local n``: known to whoever knows that slot; ``slot n``: to the player in it; ``player n``: to that player;
``caller n``: to whoever knows the n-th argument; ``nobody``; ``other n`` and ``beside n``: to all players but
the one in slot ``n``, or but that player."""

Sources: TypeAlias = frozenset[Source]

NOBODY: Source = ("nobody", 0)
_PUBLIC: Sources = frozenset()


class Knowers:
    """The sources of each slot of each top-level rule of one program."""

    def __init__(self, blueprint: Blueprint) -> None:
        self.program = program = blueprint.program
        self.hidden = frozenset(name for name, v in program.variables.items() if v.seen_by != "all")
        self._calls: dict[tuple[str, tuple[tuple[int, Source | None], ...]], Sources] = {}
        self._questions: dict[tuple[str, int], Sources] = {}
        self._followed: dict[str, bool] = {}
        private = private_slots(program)
        self.roots = {rule.id: root_of(program, rule).id for rule in program.rules.values()}
        self.rules = {
            rule.id: _RuleSources(self, rule, private[rule.id])
            for rule in program.rules.values()
            if rule.parent is None
        }

    def knows(self, frames: Sequence[Frame], place: int, slot: int, seat: int) -> bool:
        """Whether ``seat``, or a SPECTATOR, knows a slot of one of the running rules."""
        return self._slot(frames, place, slot, seat, set())

    def knows_options(self, frames: Sequence[Frame], seat: int) -> bool:
        """Whether ``seat``, or a SPECTATOR, knows all that the options of the open question depend on."""
        site = frames[-1].unit.rule, frames[-1].at
        if site not in self._questions:
            self._questions[site] = _PUBLIC.union(*map(self.reads, _asked_for(frames[-1], self.program)))
        return self._sources(frames, len(frames) - 1, self._questions[site], seat, set())

    @cached_property
    def all_in_the_open(self) -> bool:
        """Whether no rule keeps anything from anybody, but for chance that is still to come."""
        program = self.program
        together = any(
            isinstance(s, ir.Together) for rule in program.rules.values() for s in statements(program, rule.body)
        )
        return not (self.hidden or together or any(rule.private for rule in self.rules.values()))

    @cached_property
    def all_followed(self) -> bool:
        """Whether everybody who has watched from the start knows all there is, but for chance that is still to come:
        what is hidden are pieces in no order, and whatever comes to them or goes from them everybody sees."""
        program = self.program
        every = [s for rule in program.rules.values() for s in statements(program, rule.body)]
        if any(isinstance(s, ir.Together) for s in every) or any(rule.private for rule in self.rules.values()):
            return False
        return all(program.variables[name].kind != "bag" and self.follows(name) for name in self.hidden)

    def follows(self, name: str) -> bool:
        """Whether everybody who has watched from the start knows which pieces are in a hidden place: they are in no
        order, and everybody sees whatever comes to them or goes from them."""
        if name not in self._followed:
            self._followed[name] = _followed(self.program, name)
        return self._followed[name]

    def _slot(self, frames: Sequence[Frame], place: int, slot: int, seat: int, asked: set[tuple[int, int]]) -> bool:
        if (place, slot) in asked or frames[place].unit.rule == code.WATCHING:
            return True
        asked.add((place, slot))
        frame = frames[place]
        rule = self.rules[self.roots[frame.unit.rule]]
        if slot < self.program.rules[rule.root.id].frame:
            return self._sources(frames, place, rule.slots.get(slot, _PUBLIC), seat, asked)
        return all(
            self._sources(frames, place, rule.head(node.span), seat, asked)
            for node in frame.unit.nodes()
            if slot in _own_slots(node)
        )

    def _sources(
        self, frames: Sequence[Frame], place: int, sources: Sources, seat: int, asked: set[tuple[int, int]]
    ) -> bool:
        return all(self._source(frames, place, source, seat, asked) for source in sources)

    def _source(
        self, frames: Sequence[Frame], place: int, source: Source, seat: int, asked: set[tuple[int, int]]
    ) -> bool:
        word, n = source
        match word:
            case "local":
                return self._slot(frames, place, n, seat, asked)
            case "slot":
                # What a rule will not need when it goes on is no part of the position, and told by nothing.
                kept = place == len(frames) - 1 or n in frames[place].live()
                return kept and frames[place].local[n] == seat and self._slot(frames, place, n, seat, asked)
            case "other":
                kept = place == len(frames) - 1 or n in frames[place].live()
                own = frames[place].local[n] if kept else seat
                return own != seat != SPECTATOR and self._slot(frames, place, n, seat, asked)
            case "player":
                return n == seat
            case "beside":
                return n != seat != SPECTATOR
            case "caller":
                if place == 0 or frames[place - 1].unit.rule == code.WATCHING:
                    return True
                caller = self.rules[self.roots[frames[place - 1].unit.rule]]
                called = self.roots[frames[place].unit.rule]
                return self._sources(frames, place - 1, caller.given.get((called, n), _PUBLIC), seat, asked)
        return False

    def seats(self, frames: Sequence[Frame], place: int, slot: int) -> frozenset[int]:
        """The seats that know a slot of one of the running rules."""
        return frozenset(p for p in range(self.program.players) if self.knows(frames, place, slot, p))

    # -- what an expression reads

    def looks_at_hidden(self, expr: ir.Expr) -> bool:
        """Whether an expression reads hidden cells."""
        return any(word != "local" for word, _ in self.reads(expr))

    def reads(self, expr: Any) -> Sources:
        """The hidden cells and locals that an expression, ``Binds`` or sequence of them in a rule depends on."""
        free = free_slots(expr)
        return self._reads(expr, {slot: ("slot", slot) for slot in free}) | {("local", slot) for slot in free}

    def _reads(self, node: Any, owners: Mapping[int, Source | None]) -> Sources:
        """``owners``: the player that a local represents, where that is known."""
        if isinstance(node, tuple):
            return _PUBLIC.union(*(self._reads(part, owners) for part in node))
        match node:
            case None | ir.Const() | ir.Local():
                return _PUBLIC
            case ir.Apply("size", (ir.Read() as read,)) if self.program.variables[read.variable].counted:
                return self._reads(read.indices, owners)
            case ir.Read():
                return self._reads(node.indices, owners) | self._cell(node, owners)
            case ir.Call():
                definition = self.program.definitions[node.definition]
                if definition.deep is not None:  # nothing is known of whose cells it reads
                    found = variables_read(self.program, definition.body) & self.hidden
                    return self._below(node, owners) | (frozenset((NOBODY,)) if found else _PUBLIC)
                given = {p.slot: _player(a, owners) for p, a in zip(definition.params, node.arguments, strict=True)}
                return self._reads(node.arguments, owners) | self._body(definition, given)
            case ir.GroupOf() | ir.Groups() | ir.LongestTrail() | ir.ByLength():
                graph = self.program.graphs[node.graph]
                return self._below(node, owners) | self._reads((graph.nodes, graph.edges), {})
            case ir.After():
                found = variables_read(self.program, self.program.rules[node.rule]) & self.hidden
                return self._below(node, owners) | (frozenset((NOBODY,)) if found else _PUBLIC)
        return self._below(node, owners)

    def _below(self, node: Any, owners: Mapping[int, Source | None]) -> Sources:
        return _PUBLIC.union(*(self._reads(child, owners) for child in children(node)))

    def _body(self, definition: ir.Definition, owners: dict[int, Source | None]) -> Sources:
        key = (definition.name, tuple(sorted(owners.items(), key=lambda item: item[0])))
        if key not in self._calls:
            self._calls[key] = self._reads(definition.body, owners)
        return self._calls[key]

    def _cell(self, read: ir.Read, owners: Mapping[int, Source | None]) -> Sources:
        if read.variable not in self.hidden:
            return _PUBLIC
        owner: Source | None = None
        if self.program.variables[read.variable].seen_by == "others" and read.indices:
            left_out = _player(read.indices[0], owners)
            owner = None if left_out is None else ("other" if left_out[0] == "slot" else "beside", left_out[1])
        elif self.program.variables[read.variable].seen_by == "owner" and read.indices:
            owner = _player(read.indices[0], owners)
        return frozenset((owner or NOBODY,))


def _followed(program: ir.Program, name: str) -> bool:
    if program.variables[name].kind not in ("pool", "slot", "bag"):
        return False
    for s in (s for rule in program.rules.values() for s in statements(program, rule.body)):
        if isinstance(s, ir.Move | ir.Pay) and name in (s.source.variable, s.target.variable):
            other = s.target if s.source.variable == name else s.source
            if program.variables[other.variable].seen_by != "all":
                return False
        elif name in effect(program, s).writes:
            return False
    return True


def _asked_for(frame: Frame, program: ir.Program) -> list[Any]:
    """The expressions that the options of an open decision depend on."""
    match frame.unit.sites[frame.at]:
        case code.Choose(binds=binds):
            return [binds]
        case code.Pay(cost=cost, less=less, source=source):
            held = ir.Read(source.variable, source.indices, program.variables[source.variable].type)
            return [cost, held] if less is None else [cost, less, held]
        case code.Menu(items=items):
            return [part for item in items for part in (*item.conditions, item.binds)]
    raise ValueError("nothing is being asked")


def _own_slots(node: code.Code) -> tuple[int, ...]:
    """The internal slots that a node fills with computed values; how far a loop has come is public."""
    match node:
        case code.Each():
            return (node.items,)
        case code.Repeat():
            return (node.left,)
        case code.RepeatFalling():
            return (node.last,)
        case code.Assign():
            return (node.slot,)
    return ()


def _player(expr: ir.Expr, owners: Mapping[int, Source | None]) -> Source | None:
    """The player that an index simply names, if it does."""
    match expr:
        case ir.Const(int(value)):
            return ("player", value)
        case ir.Local(slot):
            return owners.get(slot)
    return None


@attrs.define
class _RuleSources:
    """Sources in one rule: ``slots``: of each slot; ``given``: of each argument of a rule run from here, by its number;
    ``heads``: of the values that loops and announcements work out once, by the span of the statement.
    """

    knowers: Knowers
    root: ir.Rule
    private: frozenset[int]
    slots: dict[int, Sources] = attrs.field(factory=dict)
    given: dict[tuple[str, int], Sources] = attrs.field(factory=dict)
    heads: dict[Span, Sources] = attrs.field(factory=dict)

    def __attrs_post_init__(self) -> None:
        for place, param in enumerate(self.root.params):
            self.slots[param.slot] = frozenset((("caller", place),))
        for statement in statements(self.knowers.program, self.root.body):
            self._statement(statement)

    def head(self, span: Span) -> Sources:
        """The sources of a statement's head; if its span is unknown, those of all heads together."""
        return self.heads[span] if span in self.heads else _PUBLIC.union(*self.heads.values())

    def _put(self, slots: Iterable[int], sources: Sources) -> None:
        for slot in slots:
            self.slots[slot] = self.slots.get(slot, _PUBLIC) | sources

    def _head(self, span: Span, sources: Sources) -> None:
        self.heads[span] = self.heads.get(span, _PUBLIC) | sources

    def _statement(self, s: ir.Statement) -> None:
        # What is worked out openly is told to everybody.
        reads = _nothing if isinstance(s, ir.Action) and s.openly else self.knowers.reads
        rules = self.knowers.program.rules
        match s:
            case ir.Let():
                self._put((s.slot,), reads(s.value))
            case ir.IfThere() | ir.Each() | ir.Together():
                self._put((bind.slot for bind in s.binds.binds), reads(s.binds))
                self._head(s.span, reads(s.binds))
            case ir.Repeat():
                self._head(s.span, reads(s.value))
            case ir.TakeTurns():
                self._put((s.slot,), reads(s.start))
            case ir.Choose():
                self._put((bind.slot for bind in s.binds.binds), self._chosen(s.who, [s.binds]))
            case ir.Menu():
                binds = [rules[name].binds for name in s.options]
                self._put((bind.slot for each in binds for bind in _bound(each)), self._chosen(s.who, binds))
            case ir.Roll():
                rolled = frozenset((NOBODY,)) if self._is_private([s.binds]) else _PUBLIC
                self._put((bind.slot for bind in s.binds.binds), rolled)
            case ir.Do():
                self._call(rules[s.rule], map(reads, s.arguments))
            case ir.Announce():
                self._head(s.span, reads(s.arguments))
                for name in self.knowers.program.handlers.get(s.event, ()):
                    self._call(rules[name], map(reads, s.arguments))
            case ir.Show():
                if s.seats is not None:
                    self._put((bind.slot for bind in s.seats.binds), reads(s.seats))
            case ir.NamedRule() | ir.Branch() | ir.ChooseSome():
                pass  # the statements inside are visited by themselves
            case ir.SetValue() | ir.Change() | ir.Move() | ir.Shuffle() | ir.Pay() | ir.Score():
                pass
            case ir.Nothing() | ir.Stop() | ir.EndGame() | ir.Wins():
                pass
            case _:
                assert_never(s)

    def _is_private(self, binds: Iterable[ir.Binds | None]) -> bool:
        return any(bind.slot in self.private for each in binds for bind in _bound(each))

    def _chosen(self, who: ir.Expr, binds: Sequence[ir.Binds | None]) -> Sources:
        """A secret choice is known only to the player who made it; any other choice to everybody."""
        if not self._is_private(binds):
            return _PUBLIC
        return frozenset((_player(who, {slot: ("slot", slot) for slot in free_slots(who)}) or NOBODY,))

    def _call(self, rule: ir.Rule, arguments: Iterable[Sources]) -> None:
        for place, (_, sources) in enumerate(zip(rule.params, arguments, strict=False)):
            key = (self.knowers.roots[rule.id], place)
            self.given[key] = self.given.get(key, _PUBLIC) | sources


def _nothing(_: Any) -> Sources:
    return _PUBLIC


def _bound(binds: ir.Binds | None) -> tuple[ir.Bind, ...]:
    return () if binds is None else binds.binds
