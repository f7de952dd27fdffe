"""Labels of the locals of rules: followed through ``let``, loops, choices, and from each rule to those that it runs.

Places need no label: the text says who sees each of them, and the checks hold every change to that. So labels spread
only forwards, from what binds a local to what uses it, and from a call to the parameters of the rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import attrs

from ....structural import Structural, frozen
from ....types import MemberType, OptionalType, Type
from ... import nodes as ir
from ...walk import nested, statements, walk
from .contexts import Contexts
from .labels import PUBLIC, Frame, Label, Labels, Source, Trail, joined
from .players import Symbol, renamed, settled
from .secret_choices import Slots, private_slots, shown_slots
from .seeing import Context, Seeing, Shown, plain

_SEEN = (ir.Each, ir.Together, ir.TakeTurns, ir.Show)
"""What everybody sees being gone through; where that should not be it is reported, and the program does not run."""


@frozen
class Flow(Structural):
    """The labels of a program. ``frames``: of each top-level rule, its locals; see ``labels``.

    ``private``: the slots of each whose values go to hidden places; ``secret``: those of them that are not shown at
    once. ``contexts``: what is certain where a statement stands; ``seeing``: of each top-level rule.
    """

    labels: Labels
    frames: Mapping[str, Frame]
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
        return self.labels.of(node, Frame())

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
    frames = {rule.id: Frame({param.slot: PUBLIC for param in rule.params}) for rule in top}
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
        one = _Walk(flow, root)
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
class _Walk:
    """One pass through a top-level rule. ``grown``: the rules whose parameters have got new sources."""

    flow: Flow
    root: str
    grown: list[str] = attrs.field(factory=list)

    @property
    def program(self) -> ir.Program:
        return self.flow.labels.program

    @property
    def frame(self) -> Frame:
        return self.flow.frames[self.root]

    def statement(self, s: ir.Statement) -> None:
        match s:
            case ir.Let():
                self._let(s)
            case ir.IfThere() | ir.Each() | ir.Together():
                # What is found is worked out as by `let`; what everybody sees is whether there is any.
                self._bound(s.binds, self.flow.kept(self.root, s, s.binds))
            case ir.TakeTurns():
                self._keep(self.root, s.slot, s.name, self.flow.kept(self.root, s, s.start))
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
