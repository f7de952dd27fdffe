"""Lowering of ``show``, and of what it takes to keep the memory of what was shown true.

Beside each place that rules show there is a variable with what each seat was shown of it (``Variable.shows``). It must
tell a seat nothing else: when pieces leave, it shrinks by what the seat sees leaving, or else by as many pieces of
every kind as the seat knows to have left, or to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias, assert_never

from rulelang import program as ir
from rulelang.structural import Structural, frozen
from rulelang.types import FLAG, ListType, MemberType, NumberType, PiecesType, Type, kinds

from . import code
from .code import Block

COUNT = NumberType(0, 2**31 - 1)

At: TypeAlias = dict[str, Any]


@frozen
class Showing(Structural):
    """Makes the code. ``slot``: gives a new internal slot; ``known``: whether everybody can work out expressions."""

    program: ir.Program
    slot: Callable[[code.Holds], int]
    known: Callable[[Any], bool]

    # -- showing

    def show(self, s: ir.Show, at: At) -> Block:
        """The log first, then the memory of each seat that does not see the place."""
        place, before = self._steady(s.place, at)
        if s.seats is None and s.who is None:
            told: Block = (self._told(s, place, None, at),)
            seats: list[ir.Expr] = [self._seat(number) for number in range(self.program.players)]
            return (*before, *told, *(node for seat in seats for node in self._remember(s, place, seat, at)))
        if s.who is not None:
            who = s.who
            if not isinstance(who, (ir.Local, ir.Const)):
                slot = self.slot(who.type)
                before = (*before, code.Assign(slot=slot, value=who, **at))
                who = ir.Local(slot, "", who.type, span=who.span)
            return (*before, self._told(s, place, who, at), *self._remember(s, place, who, at))
        assert s.seats is not None
        (bind,) = s.seats.binds
        seat = ir.Local(bind.slot, bind.name, bind.type, span=bind.span)
        loop = code.Each(
            binds=s.seats,
            items=self.slot(code.Items((bind.type,))),
            position=self.slot(None),
            body=(self._told(s, place, seat, at), *self._remember(s, place, seat, at)),
            **at,
        )
        return (*before, loop)

    def _told(self, s: ir.Show, place: ir.Place, who: ir.Expr | None, at: At) -> code.Code:
        return code.ShowPieces(what=s.what, amount=s.amount, kind=s.kind, up_to=s.up_to, source=place, who=who, **at)

    def _remember(self, s: ir.Show, place: ir.Place, seat: ir.Expr, at: At) -> Block:
        variable = self.program.variables[place.variable]
        name = ir.shown_of(variable.name)
        if name not in self.program.variables:
            return ()  # everybody sees it
        memory = self._memory(place, seat)
        value = self._learnt(s, variable, _content(self.program, place), memory)
        if value is None:
            return ()
        return self._unless(self._sees(place, seat), (self._set(place, seat, value, at),), at)

    def _learnt(self, s: ir.Show, variable: ir.Variable, held: ir.Expr, memory: ir.Read) -> ir.Expr | None:
        """What a seat remembers then; None for no more than before."""
        type_ = memory.type
        if isinstance(type_, PiecesType):
            more: ir.Expr
            match s.what:
                case "number of" | "all of":
                    assert s.kind is not None
                    of_kind = ir.Apply("count_of", (held, s.kind), COUNT)
                    number = of_kind if s.amount is None else _least(of_kind, _positive(s.amount))
                    more = ir.PiecesOf(((s.kind, number),), None, type_)
                case "pieces":
                    assert s.amount is not None
                    more = s.amount
                case _:
                    return held
            return ir.Apply("add_pieces", (memory, ir.Apply("sub_pieces", (more, memory), type_)), type_)
        if variable.kind != "stack":
            return ir.Apply("list", (held,), type_)
        assert isinstance(type_, ListType)
        from_top = ir.Apply("reversed", (held,), held.type)
        size = ir.Apply("size", (held,), COUNT)
        match s.what:
            case "number":
                assert s.amount is not None
                number = _least(size, _positive(s.amount))
                first = ir.Apply("part", (from_top, _one(), number), from_top.type)
                return ir.Apply("joined", (first, _beyond(memory, number)), type_)
            case "at":
                assert s.amount is not None
                if not variable.counted:
                    return None  # how far down it lies would tell how many there are
                slot = self.slot(COUNT)
                here = ir.Local(slot, "position", COUNT)
                counted = ir.Apply("-", (ir.Apply("+", (size, _one()), COUNT), here), COUNT)
                found = ir.Apply("is", (counted, s.amount), FLAG)
                item = type_.item
                one = ir.If(found, ir.Apply("at", (held, s.amount), item), ir.Apply("at", (memory, here), item), item)
                binds = ir.Binds(
                    (ir.Bind(slot, "position", ir.Apply("range", (_one(), size), ListType(COUNT)), COUNT),)
                )
                return ir.Fold("list", one, binds, type_)
        return from_top

    # -- what happens to the memory

    def around(self, s: ir.Statement, node: code.Code, at: At) -> Block:
        """A statement that changes places, with what becomes of the memory of them."""
        places = [(place, out) for place, out in _changed(self.program, s) if self._is_shown(place)]
        if not places:
            return (node,)
        before: list[code.Code] = []
        after: list[code.Code] = []
        for place, out in places:
            steady, first = self._steady(place, at)
            before += first
            variable = self.program.variables[place.variable]
            if isinstance(s, ir.Move) and variable.kind in ("pool", "bag"):
                if out:
                    self._taken(s, steady, before, after, at)
            elif isinstance(s, ir.Move) and variable.kind == "stack":
                self._stacked(s, steady, out, before, after, at)
            elif out or variable.kind not in ("pool", "bag"):
                after += self._forgotten(steady, at)
        return (*before, node, *after)

    def _is_shown(self, place: ir.Place) -> bool:
        return ir.shown_of(place.variable) in self.program.variables

    def _forgotten(self, place: ir.Place, at: At) -> Iterator[code.Code]:
        for seat in self._seats():
            yield self._set(place, seat, _nothing(self._memory(place, seat).type), at)

    def _taken(self, s: ir.Move, place: ir.Place, before: list[code.Code], after: list[code.Code], at: At) -> None:
        """From a pool or a bag: the pieces that were there and are no more."""
        held = _content(self.program, place)
        slot = self.slot(held.type)
        before.append(code.Assign(slot=slot, value=held, **at))
        was = ir.Local(slot, "before", held.type)
        moved = ir.Apply("sub_pieces", (was, held), held.type)
        assert isinstance(held.type, PiecesType)
        one_each = ir.Const((1,) * len(kinds(held.type.kind)), held.type)
        some = ir.Apply("scale_pieces", (ir.Apply("size", (moved,), COUNT), one_each), held.type)
        for seat in self._seats():
            memory = self._memory(place, seat)
            if self._is_told(s):
                unseen: ir.Expr = ir.Apply("sub_pieces", (memory, some), memory.type)
            else:
                unseen = _nothing(memory.type)
            seen = ir.Apply("sub_pieces", (memory, moved), memory.type)
            after += self._either(self._sees(s.target, seat), place, seat, seen, unseen, at)

    def _stacked(
        self, s: ir.Move, place: ir.Place, out: bool, before: list[code.Code], after: list[code.Code], at: At
    ) -> None:
        """From a stack or onto one: what is remembered moves by as many pieces, if the seat knows how many."""
        held = _content(self.program, place)
        size = ir.Apply("size", (held,), COUNT)
        slot = self.slot(COUNT)
        before.append(code.Assign(slot=slot, value=size, **at))
        was = ir.Local(slot, "before", COUNT)
        other = s.target if out else s.source
        if s.source == s.target or (out and s.what not in ("number", "all", "at")):
            after += self._forgotten(place, at)
            return
        position: ir.Expr | None = None
        if out and s.what == "at":
            if not (self.program.variables[place.variable].counted and self.known(s.amount)):
                after += self._forgotten(place, at)
                return
            assert s.amount is not None
            position = ir.Apply("-", (ir.Apply("+", (was, _one()), COUNT), s.amount), COUNT)
            position_slot = self.slot(COUNT)
            before.append(code.Assign(slot=position_slot, value=position, **at))
            position = ir.Local(position_slot, "position", COUNT)
        for seat in self._seats():
            memory = self._memory(place, seat)
            if position is not None:
                above = ir.Apply("part", (memory, _one(), ir.Apply("-", (position, _one()), COUNT)), memory.type)
                value: ir.Expr = ir.Apply("joined", (above, _beyond(memory, position)), memory.type)
            elif out:
                value = _beyond(memory, ir.Apply("-", (was, size), COUNT))
            else:
                value = self._below(memory, ir.Apply("-", (size, was), COUNT))
            unseen = value if self._is_told(s) else _nothing(memory.type)
            after += self._either(self._sees(other, seat), place, seat, value, unseen, at)

    def _below(self, memory: ir.Read, number: ir.Expr) -> ir.Expr:
        """What is remembered of a stack onto which so many pieces have been put."""
        assert isinstance(memory.type, ListType)
        slot = self.slot(COUNT)
        domain = ir.Apply("range", (_one(), number), ListType(COUNT))
        none = ir.Const(None, memory.type.item)
        new = ir.Fold("list", none, ir.Binds((ir.Bind(slot, "position", domain, COUNT),)), memory.type)
        empty = ir.Apply("is", (ir.Apply("size", (memory,), COUNT), ir.Const(0, COUNT)), FLAG)
        return ir.If(empty, memory, ir.Apply("joined", (new, memory), memory.type), memory.type)

    def _is_told(self, s: ir.Move) -> bool:
        """Whether everybody learns how many pieces move."""
        ends = (self.program.variables[place.variable] for place in (s.source, s.target))
        exact = not s.up_to and s.what not in ("all", "all of")
        return any(variable.counted for variable in ends) or (exact and (s.what == "at" or self.known(s.amount)))

    # -- parts

    def _seats(self) -> list[ir.Expr]:
        return [self._seat(number) for number in range(self.program.players)]

    def _seat(self, number: int) -> ir.Expr:
        return ir.Const(number, MemberType(self.program.domains["Player"]))

    def _steady(self, place: ir.Place, at: At) -> tuple[ir.Place, Block]:
        """The place with its indices as they are now, whatever changes meanwhile."""
        nodes: list[code.Code] = []
        indices: list[ir.Expr] = []
        for index in place.indices:
            if not isinstance(index, (ir.Local, ir.Const)):
                slot = self.slot(index.type)
                nodes.append(code.Assign(slot=slot, value=index, **at))
                index = ir.Local(slot, "", index.type, span=index.span)
            indices.append(index)
        return ir.Place(place.variable, tuple(indices), span=place.span), tuple(nodes)

    def _memory(self, place: ir.Place, seat: ir.Expr) -> ir.Read:
        name = ir.shown_of(place.variable)
        return ir.Read(name, (seat, *place.indices), self.program.variables[name].type, span=place.span)

    def _set(self, place: ir.Place, seat: ir.Expr, value: ir.Expr, at: At) -> code.Code:
        target = ir.Place(ir.shown_of(place.variable), (seat, *place.indices), span=place.span)
        return code.SetCell(target=target, value=value, checked=False, quiet=True, **at)

    def _either(self, sees: ir.Expr, place: ir.Place, seat: ir.Expr, seen: ir.Expr, unseen: ir.Expr, at: At) -> Block:
        then, otherwise = (self._set(place, seat, seen, at),), (self._set(place, seat, unseen, at),)
        if isinstance(sees, ir.Const):
            return then if sees.value else otherwise
        return (code.Branch(condition=sees, then=then, otherwise=otherwise, **at),)

    def _unless(self, condition: ir.Expr, body: Block, at: At) -> Block:
        if isinstance(condition, ir.Const):
            return () if condition.value else body
        return (code.Branch(condition=condition, then=(), otherwise=body, **at),)

    def _sees(self, place: ir.Place, seat: ir.Expr) -> ir.Expr:
        """Whether a seat sees a place."""
        variable = self.program.variables[place.variable]
        match variable.seen_by:
            case "all" | "nobody":
                return ir.Const(variable.seen_by == "all", FLAG)
            case "owner" | "others":
                op = "is" if variable.seen_by == "owner" else "is_not"
                if isinstance(seat, ir.Const) and isinstance(place.indices[0], ir.Const):
                    return ir.Const((seat.value == place.indices[0].value) is (op == "is"), FLAG)
                return ir.Apply(op, (seat, place.indices[0]), FLAG)
        # A row for each player: the cells that player sees.
        found: ir.Expr = ir.Const(False, FLAG)
        sizes = [len(owner.domain) for owner in variable.owners]
        for player in range(self.program.players):
            if isinstance(seat, ir.Const) and seat.value != player:
                continue
            cells = [number for number, seats in enumerate(variable.seers) if player in seats]
            number: ir.Expr = ir.Const(0, COUNT)
            for index, size in zip(place.indices, sizes, strict=True):
                scaled = ir.Apply("*", (number, ir.Const(size, COUNT)), COUNT)
                number = ir.Apply("+", (scaled, ir.Apply("index", (index,), COUNT)), COUNT)
            listed = ir.Const(tuple(cells), ListType(COUNT))
            among: ir.Expr = ir.Apply("in", (number, listed), FLAG)
            own = ir.Apply("is", (seat, self._seat(player)), FLAG)
            found = ir.Apply("or", (found, ir.Apply("and", (own, among), FLAG)), FLAG)
        return found


def _changed(program: ir.Program, s: ir.Statement) -> Iterator[tuple[ir.Place, bool]]:
    """The places that a statement may change, and whether something may go from there."""
    match s:
        case ir.SetValue(target) | ir.Change(target):
            yield target, True
        case ir.Score(who):
            if program.score is not None:
                yield ir.Place(program.score, (who,), span=s.span), True
        case ir.Shuffle(place):
            yield place, True
        case ir.Move(source=source, target=target):
            yield source, True
            if target != source:
                yield target, False
        case ir.Pay(source=source, target=target):
            yield source, True
            yield target, False
        case ir.Show() | ir.Let() | ir.Roll() | ir.Nothing() | ir.Stop() | ir.EndGame() | ir.Wins():
            pass  # nothing moves
        case ir.Branch() | ir.IfThere() | ir.Each() | ir.Together() | ir.Repeat() | ir.TakeTurns() | ir.NamedRule():
            pass  # what is inside them is looked at by itself
        case ir.Do() | ir.Announce() | ir.Choose() | ir.ChooseSome() | ir.Menu():
            pass  # so are the rules that they run
        case _:
            assert_never(s)


def _content(program: ir.Program, place: ir.Place) -> ir.Read:
    return ir.Read(place.variable, place.indices, program.variables[place.variable].type, span=place.span)


def _nothing(type_: Type) -> ir.Expr:
    if isinstance(type_, PiecesType):
        return ir.Const((0,) * len(kinds(type_.kind)), type_)
    return ir.Const((), type_)


def _one() -> ir.Expr:
    return ir.Const(1, NumberType(1, 1))


def _least(a: ir.Expr, b: ir.Expr) -> ir.Expr:
    return ir.Apply("min", (a, b), COUNT)


def _positive(number: ir.Expr) -> ir.Expr:
    return ir.Apply("max", (number, ir.Const(0, COUNT)), COUNT)


def _beyond(memory: ir.Expr, number: ir.Expr) -> ir.Expr:
    """What is remembered without the first so many."""
    start = ir.Apply("+", (number, _one()), COUNT)
    return ir.Apply("part", (memory, start, ir.Apply("size", (memory,), COUNT)), memory.type)
