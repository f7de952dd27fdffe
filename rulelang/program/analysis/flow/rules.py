"""Labels of the locals of rules: followed through ``let``, loops, choices, and from each rule to those that it runs.

Places need no label: the text says who sees each of them, and the checks hold every change to that. So labels spread
only forwards, from what binds a local to what uses it, and from a call to the parameters of the rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from ....structural import Structural, frozen
from ....types import MemberType, OptionalType, Type
from ... import nodes as ir
from ...walk import nested, statements, walk
from ..privacy import private_slots
from .contexts import Contexts
from .labels import PUBLIC, Frame, Label, Labels, Source, Trail, joined
from .players import Symbol, renamed, settled
from .seeing import Context, Seeing, Shown, plain
from .shown import shown_slots


@frozen
class Flow(Structural):
    """The labels of a program. ``frames``: of each top-level rule, its locals; see ``labels``.

    ``secret``: the slots of each that are chosen or rolled unseen, and not shown at once. ``contexts``: what is certain
    where a statement stands; ``seeing``: of each top-level rule.
    """

    labels: Labels
    frames: Mapping[str, Frame]
    secret: Mapping[str, frozenset[int]]
    contexts: Contexts
    seeing: Mapping[str, Seeing]

    def open_at(self, root: str, node: ir.Node, label: Label) -> Label:
        """What is left of a label where a statement stands, without what has been shown to everybody."""
        return _still_hidden(label, self.seeing[root], self.contexts.at(node))

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
    frames = {rule.id: Frame() for rule in program.rules.values() if rule.parent is None}
    contexts = Contexts(program)
    seeing = {root: Seeing(program, _types(program, program.rules[root])) for root in frames}
    if labels.shown or any(v.seen_by in ("others", "some") for v in program.variables.values()):
        for root in frames:
            contexts.add(program.rules[root], seeing[root], frames[root].names)
    todo = dict.fromkeys(frames)
    while todo:
        root = next(iter(todo))
        del todo[root]
        one = _Walk(program, labels, frames, secret[root], root, contexts, seeing[root])
        for statement in statements(program, program.rules[root].body):
            one.statement(statement)
        todo |= dict.fromkeys(one.grown)
    return Flow(labels, frames, secret, contexts, seeing)


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
    """One pass through a top-level rule. ``secret``: its slots whose values are chosen or rolled unseen.

    What loops go through is seen by everybody, and reported where it should not be; so their locals are public.
    ``grown``: the rules whose parameters have got new sources.
    """

    program: ir.Program
    labels: Labels
    frames: dict[str, Frame]
    secret: frozenset[int]
    root: str
    contexts: Contexts
    seeing: Seeing
    grown: list[str] = attrs.field(factory=list)

    @property
    def frame(self) -> Frame:
        return self.frames[self.root]

    def statement(self, s: ir.Statement) -> None:
        match s:
            case ir.Let():
                self._let(s)
            case ir.Choose():
                self._chosen(s.binds, s.who)
            case ir.ChooseSome():
                self.frame.counted.add(s.slot)
            case ir.Menu():
                for option in s.options:
                    self._chosen(self.program.rules[option].binds, s.who)
            case ir.Roll():
                self._rolled(s)
            case ir.IfThere():
                self._found(s)
            case ir.Do():
                self._call(s.rule, s)
            case ir.Announce():
                for handler in self.program.handlers.get(s.event, ()):
                    self._call(handler, s)

    def _of(self, s: ir.Statement, node: ir.Node) -> Label:
        """The label of a part of a statement, without what has been shown to everybody."""
        return _still_hidden(self.labels.of(node, self.frame), self.seeing, self.contexts.at(s))

    def _let(self, s: ir.Let) -> None:
        """A name for a player is as good as what it stands for."""
        self.frame.keep(s.slot, s.name, PUBLIC if s.openly else self._of(s, s.value))
        found = self.frame.symbol(s.value)
        if found is not None and settled(found) is not None:
            self.frame.names[s.slot] = found

    def _found(self, s: ir.IfThere) -> None:
        """What is found is worked out as by ``let``; what everybody sees is whether there is any."""
        label = PUBLIC if s.openly else self._of(s, s.binds)
        for bind in s.binds.binds:
            self.frame.keep(bind.slot, bind.name, label)

    def _chosen(self, binds: ir.Binds | None, who: ir.Expr) -> None:
        """What is chosen in the open is the player's own act: everybody may know it."""
        owner = self.frame.symbol(who)
        for bind in binds.binds if binds is not None else ():
            if bind.slot in self.secret:
                self.frame.keep(bind.slot, bind.name, {Source("choice", bind.name, owner): Trail(bind.span)})
            else:
                self.frame.keep(bind.slot, bind.name, PUBLIC)

    def _rolled(self, s: ir.Roll) -> None:
        domain = PUBLIC if s.openly else self._of(s, s.binds)
        for bind in s.binds.binds:
            if bind.slot in self.secret:
                unseen: Label = {Source("roll", bind.name, None): Trail(bind.span)}
                self.frame.keep(bind.slot, bind.name, joined([unseen, domain]))
            else:
                self.frame.keep(bind.slot, bind.name, PUBLIC)

    def _call(self, id_: str, s: ir.Do | ir.Announce) -> None:
        """Spreads the labels of arguments to parameters. A player who is passed on is recognised in the other rule."""
        rule = self.program.rules[id_]
        given = list(zip(rule.params, s.arguments, strict=False))  # a rule may take fewer values than its event brings
        names: dict[Symbol, Symbol | None] = {}
        for param, argument in given:
            known = self.frame.symbol(argument)
            if known is not None and _is_player(param.type):
                names.setdefault(known, ("slot", param.slot))
        for param, argument in () if s.openly else given:
            label = {
                source.over(lambda name: renamed(name, names)): trail for source, trail in self._of(s, argument).items()
            }
            self._grow(id_, param, label)

    def _grow(self, id_: str, param: ir.Param, label: Label) -> None:
        frame = self.frames[id_]
        before = frame.slots.get(param.slot, PUBLIC)
        if not label.keys() <= before.keys():
            frame.keep(param.slot, param.name, joined([before, label]))
            self.grown.append(id_)


def _is_player(type_: Type) -> bool:
    item = type_.item if isinstance(type_, OptionalType) else type_
    return isinstance(item, MemberType) and item.domain.name == "Player"
