"""Locals of rules: what is certain at each point, what has been shown there, and who may know what each holds.

What is shown stays in view up to the end of the block, as long as nothing changes there unseen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, assert_never

import attrs

from ....structural import Structural, frozen
from ....types import MemberType, NumberType, OptionalType, Type
from ... import nodes as ir
from ...walk import free_slots, nested, statements, walk
from ..effects import body_writes, effect, least, rule_writes
from .labels import PUBLIC, KnownLocals, Label, Labels, Source, Trail, joined
from .visible_to import IT, Context, Seeing, Shown, Symbol, conjuncts, plain, renamed, replaced, settled, symbol, within

NO_CONTEXT = Context()


@attrs.define
class Contexts:
    """The contexts of all statements and needs of a program, by the node itself."""

    program: ir.Program
    _found: dict[int, Context] = attrs.field(factory=dict)
    _writes: dict[str, frozenset[str]] = attrs.field(factory=dict)

    def at(self, node: ir.Node) -> Context:
        """What is certain where a statement or a condition of a rule stands."""
        return self._found.get(id(node), NO_CONTEXT)

    def add(self, root: ir.Rule, seeing: Seeing, names: Mapping[int, Symbol | None]) -> None:
        """Those of a top-level rule. ``names``: symbols of locals that are not named by their slot."""
        self._writes = self._writes or rule_writes(self.program)
        _Walk(self.program, seeing, names, self._writes, self._found).rule(root, Context())


@attrs.define
class _Walk:
    program: ir.Program
    seeing: Seeing
    names: Mapping[int, Symbol | None]
    writes: dict[str, frozenset[str]]
    found: dict[int, Context]

    def rule(self, rule: ir.Rule, here: Context) -> None:
        self.found[id(rule)] = here
        here = _with(here, (*conjuncts(rule.whenever, self.names), *conjuncts(rule.guard, self.names)))
        if rule.binds is not None:
            here = _with(here, self._bound(rule.binds))
        for need in rule.needs:
            self.found[id(need)] = here
            here = _with(here, conjuncts(need.condition, self.names))
        self.block(rule.body, here)

    def block(self, body: Sequence[ir.Statement], here: Context) -> None:
        for s in body:
            here = self.statement(s, here)

    def statement(self, s: ir.Statement, here: Context) -> Context:
        """What is certain after a statement."""
        self.found[id(s)] = here
        match s:
            case ir.Show():
                return attrs.evolve(here, shown=here.shown | self._shown(s))
            case ir.Branch():
                self.block(s.then, _with(here, conjuncts(s.condition, self.names)))
                self.block(s.otherwise, _with(here, conjuncts(s.condition, self.names, False)))
            case ir.IfThere():
                self.block(s.then, _with(here, self._bound(s.binds)))
                self.block(s.otherwise, here)
            case ir.Each() | ir.Together():
                here = self._changed(here, s)
                self.block(s.body, _with(here, self._bound(s.binds)))
            case ir.Repeat() | ir.TakeTurns():
                here = self._changed(here, s)
                self.block(s.body, here)
            case ir.Choose():
                chosen = _with(here, self._bound(s.binds))
                if s.body is None:
                    return chosen
                self.block(s.body, chosen)
                self.block(s.otherwise, here)
            case ir.Menu():
                for option in s.options:
                    self.rule(self.program.rules[option], here)
                self.block(s.otherwise or (), here)
            case ir.NamedRule():
                self.rule(self.program.rules[s.rule], here)
            case ir.Roll():
                return _with(here, self._bound(s.binds))
            case _:  # no other statement has a body or makes anything certain
                pass
        return self._changed(here, s)

    def _bound(self, binds: ir.Binds) -> tuple[Symbol, ...]:
        """What is certain of what is chosen, gone through or rolled."""
        domains = tuple(condition for bind in binds.binds for condition in within(bind, self.names))
        return (*domains, *conjuncts(binds.passing, self.names), *conjuncts(binds.condition, self.names))

    def _changed(self, here: Context, s: ir.Statement) -> Context:
        """Without what may have changed unseen."""
        if not here.shown:
            return here
        written = body_writes(self.program, (s,), self.writes)
        kept = (shown for shown in here.shown if shown.variable not in written or self._saw(shown, s, here))
        return attrs.evolve(here, shown=frozenset(kept))

    def _saw(self, shown: Shown, s: ir.Statement, here: Context) -> bool:
        """Whether those whom a place was shown see what a move changes there."""
        if not isinstance(s, ir.Move) or shown.part:
            return False
        other = s.target if s.source.variable == shown.variable else s.source
        if s.source.variable == s.target.variable:
            ends = [cell_symbol(place, self.names) for place in (s.source, s.target)]
            if shown.cell not in ends:
                return False
            other = s.target if ends[0] == shown.cell else s.source
        if self.program.variables[other.variable].seen_by == "all":
            return True
        match shown.conditions:
            case (("is", it, seat),) if it == IT:
                return self.seeing.sees(seat, other.variable, cell_symbol(other, self.names), here.given)
        return False

    def _shown(self, s: ir.Show) -> frozenset[Shown]:
        cell = settled(cell_symbol(s.place, self.names))
        variable = self.program.variables[s.place.variable]
        at_least = s.amount.type.low if s.amount is not None and isinstance(s.amount.type, NumberType) else 0
        top = variable.kind == "stack" and s.what == "number" and not s.up_to and at_least > 0
        if cell is None or not (s.what in (None, "all") or top):
            return frozenset()
        conditions: tuple[Symbol, ...] = ()
        if s.who is not None:
            who = settled(symbol(s.who, self.names))
            if who is None:
                return frozenset()
            conditions = (("is", IT, who),)
        elif s.seats is not None:
            (bind,) = s.seats.binds
            tested = s.seats.condition, s.seats.passing
            certain = self._bound(s.seats)
            if any(_parts(part) > len(conjuncts(part, self.names)) for part in tested):
                return frozenset()  # not all that is asked of them can be told
            everybody = isinstance(bind.domain, ir.Apply) and bind.domain.op == "members"
            if not everybody and not within(bind, self.names):
                return frozenset()
            conditions = tuple(replaced(condition, ("slot", bind.slot), IT) for condition in certain)
        return frozenset((Shown(variable.name, cell, conditions, "top" if top else ""),))


def _parts(expr: ir.Expr | None) -> int:
    match expr:
        case None:
            return 0
        case ir.Apply("and", (a, b)):
            return _parts(a) + _parts(b)
    return 1


def _with(here: Context, given: tuple[Symbol, ...]) -> Context:
    return attrs.evolve(here, given=(*here.given, *given)) if given else here


def cell_symbol(place: ir.Place | ir.Read, names: Mapping[int, Symbol | None]) -> Symbol | None:
    """The symbol of a cell, of whose indices all must have one."""
    below = [symbol(index, names) for index in place.indices]
    return None if None in below else ("cell", *below)


# Secret choices: those whose values go to hidden places, followed back from there to what is chosen or rolled.
#
# A player who bids from a hidden purse chooses an amount that leaves a hidden place and is put where all can see it.
# Such a choice is shown at once: nothing is given away by what follows from it.


Slots = Mapping[str, frozenset[int]]
"""By the id of each top-level rule, some slots of its frame."""

_NONE: frozenset[int] = frozenset()


def private_slots(program: ir.Program) -> Slots:
    """Slots whose values are stored in a hidden variable, or name what moves between two hidden places, directly,
    through ``let``, or as an argument of a rule that does so."""
    bodies = {rule.id: tuple(statements(program, rule.body)) for rule in program.rules.values() if rule.parent is None}
    if all(variable.seen_by == "all" for variable in program.variables.values()):
        return dict.fromkeys(bodies, _NONE)

    def grow(root: str, known: Slots) -> frozenset[int]:
        return _NONE.union(*(_hides(program, s, known[root], known) for s in bodies[root]))

    return least(dict.fromkeys(bodies, _NONE), grow)


def shown_slots(program: ir.Program) -> Slots:
    """Slots whose values come to a public place wherever they are bound."""
    roots = [rule.id for rule in program.rules.values() if rule.parent is None]
    bodies = {root: list(_bodies(program, root)) for root in roots}

    def grow(root: str, known: Slots) -> frozenset[int]:
        return _NONE.union(*(_shown(program, body, known) for body in bodies[root]))

    return least(dict.fromkeys(roots, _NONE), grow)


# ---------------------------------------------------------------- to hidden places


def _hides(program: ir.Program, s: ir.Statement, private: frozenset[int], known: Slots) -> frozenset[int]:
    """The slots a statement makes private, when those of ``private`` are in its frame."""

    def hidden(*places: ir.Place) -> bool:
        return not any(_public(program, place) for place in places)

    match s:
        case ir.SetValue():
            return free_slots(s.value) if hidden(s.target) else _NONE
        case ir.Change():
            return free_slots(s.amount) if hidden(s.target) else _NONE
        case ir.Move():
            return free_slots((s.amount, s.kind, s.square, s.turn)) if hidden(s.source, s.target) else _NONE
        case ir.Show():
            to_all = s.who is None and s.seats is None
            return free_slots((s.amount, s.kind)) if hidden(s.place) and not to_all else _NONE
        case ir.Let():
            return free_slots(s.value) if s.slot in private else _NONE
        case ir.IfThere() | ir.Each() | ir.Together() | ir.Choose():
            return _NONE.union(*(_given_to(b.domain) for b in s.binds.binds if b.slot in private))
        case ir.Do() | ir.Announce():
            called = [program.rules[id_] for id_ in effect(program, s).calls]
            given = (pair for rule in called for pair in _given(rule, s.arguments, known))
            return _NONE.union(*map(free_slots, given))
        case ir.Branch() | ir.Repeat() | ir.TakeTurns() | ir.NamedRule() | ir.Menu() | ir.ChooseSome():
            return _NONE  # what is inside them is looked at by itself
        case ir.Pay() | ir.Score() | ir.Shuffle() | ir.Roll() | ir.Nothing() | ir.Stop() | ir.EndGame() | ir.Wins():
            return _NONE
        case _:
            assert_never(s)


def _given_to(domain: ir.Expr) -> frozenset[int]:
    """The slots whose values those of a domain are made of: whose place it is does not matter."""
    match domain:
        case ir.Read() if all(isinstance(index, ir.Local) for index in domain.indices):
            return _NONE
    return free_slots(domain)


# ---------------------------------------------------------------- to public places


def _bodies(program: ir.Program, root: str) -> Iterator[Sequence[ir.Statement]]:
    """The bodies that begin with names of their own: whatever these show is shown wherever they are bound."""
    yield program.rules[root].body
    for s in statements(program, program.rules[root].body):
        match s:
            case ir.Each(_, body) | ir.Together(_, body) | ir.TakeTurns(body=body) | ir.Choose(body=tuple(body)):
                yield body
            case ir.ChooseSome(body=tuple(body)):
                yield body
            case ir.IfThere(then=body):
                yield body
            case ir.Menu():
                yield from (program.rules[option].body for option in s.options)
            case _:
                pass  # the names of what surrounds it go on


def _shown(program: ir.Program, body: Sequence[ir.Statement], known: Slots) -> frozenset[int]:
    """The slots that statements show whenever they are carried out."""
    return _NONE.union(*(_shows(program, s, known) for s in body))


def _shows(program: ir.Program, s: ir.Statement, known: Slots) -> frozenset[int]:
    match s:
        case ir.SetValue(target, value) | ir.Change(target, _, value):
            return _alone(value) if _public(program, target) else _NONE
        case ir.Score():
            public = program.score is not None and program.variables[program.score].seen_by == "all"
            return _alone(s.amount) if public else _NONE
        case ir.Move():
            public = _public(program, s.source) or _public(program, s.target)
            return _alone(s.amount, s.kind, s.square, s.turn) if public else _NONE
        case ir.Show(who=None, seats=None):
            return _alone(s.amount, s.kind)
        case ir.Branch() | ir.IfThere():
            return _shown(program, s.then, known) & _shown(program, s.otherwise, known)
        case ir.ChooseSome():
            return _shown(program, s.body or (), known) & _shown(program, s.otherwise, known)
        case ir.NamedRule():
            rule = program.rules[s.rule]
            return _shown(program, rule.body, known) if rule.guard is None else _NONE
        case ir.Do() | ir.Announce():
            called = [program.rules[id_] for id_ in effect(program, s).calls]
            unguarded = (rule for rule in called if rule.guard is None)
            return _alone(*(argument for rule in unguarded for argument in _given(rule, s.arguments, known)))
        case ir.Menu():
            bodies = [program.rules[option].body for option in s.options]
            bodies += [s.otherwise] if s.otherwise is not None else []
            return frozenset.intersection(*(_shown(program, b, known) for b in bodies)) if bodies else _NONE
        case ir.Choose() | ir.Each() | ir.Together() | ir.Repeat() | ir.TakeTurns() | ir.Let() | ir.Roll():
            return _NONE
        case ir.Pay() | ir.Shuffle() | ir.Show() | ir.Nothing() | ir.Stop() | ir.EndGame() | ir.Wins():
            return _NONE
        case _:
            assert_never(s)


def _alone(*values: Any) -> frozenset[int]:
    """The slots that are given as they are, not as a part of something worked out."""
    return _NONE.union(*(free_slots(value) for value in values if isinstance(value, (ir.Local, ir.PartOf))))


# ---------------------------------------------------------------- both


def _public(program: ir.Program, place: ir.Place) -> bool:
    return program.variables[place.variable].seen_by == "all"


def _given(rule: ir.Rule, arguments: Sequence[ir.Expr], known: Slots) -> Iterator[ir.Expr]:
    """The arguments for those parameters of a rule that are ``known``."""
    given = zip(rule.params, arguments, strict=False)  # a rule may take fewer values than its event brings
    return (argument for param, argument in given if param.slot in known.get(rule.id, _NONE))


# Labels of the locals of rules: followed through ``let``, loops, choices, and from each rule to those that it runs.
#
# Places need no label: the text says who sees each of them, and the checks hold every change to that. So labels spread
# only forwards, from what binds a local to what uses it, and from a call to the parameters of the rule.


_SEEN = (ir.Each, ir.Together, ir.TakeTurns, ir.Show)
"""What everybody sees being gone through; where that should not be it is reported, and the program does not run."""


@frozen
class Flow(Structural):
    """The labels of a program. ``frames``: of each top-level rule, its locals; see ``labels``.

    ``private``: the slots of each whose values go to hidden places; ``secret``: those of them that are not shown at
    once. ``contexts``: what is certain where a statement stands; ``seeing``: of each top-level rule.
    """

    labels: Labels
    frames: Mapping[str, KnownLocals]
    private: Slots
    secret: Slots
    contexts: Contexts
    seeing: Mapping[str, Seeing]

    def open_at(self, root: str, node: ir.Node, label: Label) -> Label:
        """What a label gives away where a statement stands: without what has been shown, or is shown anyway."""
        left = _still_hidden(label, self.seeing[root], self.contexts.at(node))
        return {source: trail for source, trail in left.items() if not source.shown}

    def kept(self, root: str, s: ir.Statement, node: ir.Node) -> Label:
        """The label of what a statement works out from an expression or ``Binds`` and keeps in a local."""
        if isinstance(s, ir.Action) and s.openly:
            return PUBLIC
        label = _still_hidden(self.of(root, node), self.seeing[root], self.contexts.at(s))
        told = isinstance(s, _SEEN) or (isinstance(s, ir.Repeat) and s.word == "at most")
        return {source: trail for source, trail in label.items() if source.shown} if told else label

    def may_know(self, root: str, source: Source, seat: int, local: Mapping[int, Any]) -> bool:
        """Whether a seat knows a source while a rule runs. ``local``: the values of those locals that are kept.

        A seat that is no player's knows none.
        """
        owner = plain(source.owner)
        return owner is not None and self.seeing[root].now(owner, source.name, seat, local)

    def knows(self, root: str, node: ir.Node, seat: Symbol | None, source: Source) -> bool:
        """Whether a player certainly may know a source where a statement stands."""
        if seat is None or (source.owner is not None and plain(source.owner) == seat):
            return seat is not None
        if source.kind != "content":
            return False
        here, seeing = self.contexts.at(node), self.seeing[root]
        if seat[0] == "seers":
            return seeing.see(seat[1], seat[2], source.name, source.owner, here.given)
        partly = self.labels.program.variables[source.name].seen_by in ("others", "some")
        if partly and seeing.sees(seat, source.name, source.owner, here.given):
            return True
        return any(_is_of(shown, source) and seeing.was_shown(seat, shown, here.given) for shown in here.shown)

    def seers(self, root: str, place: ir.Place) -> Symbol:
        """Stands for all players who see a cell."""
        return ("seers", place.variable, self.frames[root].cell(place))

    def of(self, root: str, node: ir.Node | Sequence[ir.Node | None] | None) -> Label:
        """The label of an expression, ``Binds`` or a sequence of such in the top-level rule ``root``."""
        return self.labels.of(node, self.frames[root])

    def beside_rules(self, node: ir.Node | Sequence[ir.Node | None] | None) -> Label:
        """The label of an expression that stands in no rule, such as what ranks the players."""
        return self.labels.of(node, KnownLocals())

    def size(self, root: str, what: ir.Expr) -> Label:
        """The label of how many members something has."""
        return self.labels.size(what, self.frames[root])

    def any_combination(self, root: str, binds: ir.Binds) -> Label:
        """The label of whether there is anything to choose."""
        return self.labels.any_combination(binds, self.frames[root])

    def symbol(self, root: str, who: ir.Expr) -> Symbol | None:
        """A name for a player that owners of sources can be compared with."""
        return self.frames[root].symbol(who)


def flow_of(program: ir.Program) -> Flow:
    """The labels of all locals of all rules."""
    private = private_slots(program)
    shown = shown_slots(program) if any(private.values()) else private
    secret = {root: slots - shown[root] for root, slots in private.items()}
    labels = Labels(program)
    top = [rule for rule in program.rules.values() if rule.parent is None]
    frames = {rule.id: KnownLocals({param.slot: PUBLIC for param in rule.params}) for rule in top}
    contexts = Contexts(program)
    seeing = {root: Seeing(program, _types(program, program.rules[root])) for root in frames}
    if labels.shown or any(v.seen_by in ("others", "some") for v in program.variables.values()):
        for root in frames:
            contexts.add(program.rules[root], seeing[root], frames[root].names)
    flow = Flow(labels, frames, private, secret, contexts, seeing)
    todo = dict.fromkeys(frames)
    while todo:
        root = next(iter(todo))
        del todo[root]
        one = _Spreading(flow, root)
        for statement in statements(program, program.rules[root].body):
            one.statement(statement)
        todo |= dict.fromkeys(one.grown)
    return flow


def _types(program: ir.Program, root: ir.Rule) -> dict[int, Type]:
    """The types of the locals of a top-level rule, by slot."""
    rules = [root, *(program.rules[id_] for s in statements(program, root.body) for id_ in nested(s))]
    return {part.slot: part.type for part in walk(rules) if isinstance(part, (ir.Local, ir.Bind))}


def _is_of(shown: Shown, source: Source) -> bool:
    same = shown.variable == source.name and shown.cell == plain(source.cell)
    return same and (not shown.part or shown.part == source.part)


def _still_hidden(label: Label, seeing: Seeing, here: Context) -> Label:
    """Without what has been shown to everybody."""
    if not here.shown or not label:
        return label
    open_ = [shown for shown in here.shown if seeing.was_shown(None, shown, here.given)]
    return {source: trail for source, trail in label.items() if not any(_is_of(shown, source) for shown in open_)}


@attrs.define
class _Spreading:
    """One pass through a top-level rule. ``grown``: the rules whose parameters have got new sources."""

    flow: Flow
    root: str
    grown: list[str] = attrs.field(factory=list)

    @property
    def program(self) -> ir.Program:
        return self.flow.labels.program

    @property
    def frame(self) -> KnownLocals:
        return self.flow.frames[self.root]

    def statement(self, s: ir.Statement) -> None:
        match s:
            case ir.Let():
                self._let(s)
            case ir.IfThere() | ir.Each() | ir.Together():
                # What is found is worked out as by `let`; what everybody sees is whether there is any.
                self._bound(s.binds, self.flow.kept(self.root, s, s.binds))
            case ir.TakeTurns():
                first = self.flow.kept(self.root, s, s.start)
                self._keep(self.root, s.slot, s.name, first)
                later = self.flow.kept(self.root, s, s.following)
                self._keep(self.root, s.slot, s.name, joined((first, later)))
            case ir.Show(seats=ir.Binds() as seats):
                self._bound(seats, self.flow.kept(self.root, s, seats))
            case ir.Choose():
                self._chosen([s.binds], s.who)
            case ir.ChooseSome():
                self.frame.counted.add(s.slot)
            case ir.Menu():
                binds = [self.program.rules[option].binds for option in s.options]
                self._chosen([each for each in binds if each is not None], s.who)
            case ir.Roll():
                self._unseen(s.binds.binds, "roll", None, self.flow.kept(self.root, s, s.binds))
            case ir.Do():
                self._call(s.rule, s)
            case ir.Announce():
                for handler in self.program.handlers.get(s.event, ()):
                    self._call(handler, s)
            case _:  # no other statement gives a value to a name
                pass

    def _let(self, s: ir.Let) -> None:
        """A name for a player is as good as what it stands for."""
        self._keep(self.root, s.slot, s.name, self.flow.kept(self.root, s, s.value))
        found = self.frame.symbol(s.value)
        if found is not None and settled(found) is not None:
            self.frame.names[s.slot] = found

    def _bound(self, binds: ir.Binds, label: Label) -> None:
        for bind in binds.binds:
            self._keep(self.root, bind.slot, bind.name, label)

    def _chosen(self, every: Sequence[ir.Binds], who: ir.Expr) -> None:
        """What is chosen in the open is the player's own act: everybody may know it."""
        self._unseen([bind for binds in every for bind in binds.binds], "choice", self.frame.symbol(who), PUBLIC)

    def _unseen(
        self, binds: Sequence[ir.Bind], kind: Literal["choice", "roll"], owner: Symbol | None, also: Label
    ) -> None:
        """What is chosen or rolled at once is told as a whole, or not at all."""
        private, secret = self.flow.private[self.root], self.flow.secret[self.root]
        for bind in binds:
            label = PUBLIC
            if any(other.slot in private for other in binds):
                shown = bind.slot not in secret
                label = {Source(kind, bind.name, owner, shown=shown): Trail(bind.span)}
                label = label if shown else joined([label, also])
            self._keep(self.root, bind.slot, bind.name, label)

    def _call(self, id_: str, s: ir.Do | ir.Announce) -> None:
        """Spreads the labels of arguments to parameters. A player who is passed on is recognised in the other rule."""
        rule = self.program.rules[id_]
        given = list(zip(rule.params, s.arguments, strict=False))  # a rule may take fewer values than its event brings
        names: dict[Symbol, Symbol | None] = {}
        for param, argument in given:
            known = self.frame.symbol(argument)
            if known is not None and _is_player(param.type):
                names.setdefault(known, ("slot", param.slot))
        for param, argument in given:
            label = self.flow.kept(self.root, s, argument)
            theirs = {source.over(lambda name: renamed(name, names)): trail for source, trail in label.items()}
            self._keep(id_, param.slot, param.name, theirs)

    def _keep(self, root: str, slot: int, name: str, label: Label) -> None:
        """A local that is bound in several places, as parameters are, has the sources of all of them."""
        frame = self.flow.frames[root]
        before = frame.slots.get(slot)
        if before is None or not label.keys() <= before.keys():
            frame.keep(slot, name, joined([before or PUBLIC, label]))
            if before is not None:
                self.grown.append(root)


def _is_player(type_: Type) -> bool:
    item = type_.item if isinstance(type_, OptionalType) else type_
    return isinstance(item, MemberType) and item.domain.name == "Player"
