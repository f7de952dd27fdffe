"""Cardinality: how many values a run gives, whether one can come twice, whether there is any, and sizes before a game.

The proof that none comes twice is by *telling*: the members of ``list(e for d in Direction, e in ray(c, d))`` are all
different because the directions are, and because a square tells in which direction it lies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod

from ... import types as ty
from .. import nodes as ir
from ..operations import Members, members_of
from ..walk import free_slots, statements
from .effects import body_writes, effect

_KEPT = (Members.SAME, Members.SOME)
_ONCE = (Members.KINDS, Members.DOMAIN, Members.DIFFERENT)

Slots = frozenset[int]
_NONE: Slots = frozenset()


class Repeats:
    """Which runs of a program can give a value twice. Each definition is looked into once."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._definitions: dict[str, bool] = {}

    def may(self, domain: ir.Expr) -> bool:
        """Whether going through ``domain`` may come to the same value twice."""
        if not isinstance(domain.type, ty.ListType):
            return False
        match domain:
            case ir.Const(members):
                return len(set(members)) < len(members)
            case ir.Apply(op="list", arguments=parts):
                constants = {part.value for part in parts if isinstance(part, ir.Const)}
                return 1 < len(parts) != len(constants)
            case ir.Apply(arguments=arguments):
                made = members_of(domain)
                return self.may(arguments[0]) if made in _KEPT else made not in _ONCE
            case ir.ColumnOf(table=table, column=column):
                return any(len(set(cell)) < len(cell) for cell in self._program.tables[table].cells[column])
            case ir.Call(definition=name):
                return self._of_definition(name)
            case ir.If():
                return self.may(domain.then) or self.may(domain.otherwise)
            case ir.Fold(word="list" | "ranked" | "leaders", body=body, binds=binds):
                assert body is not None
                slots = _slots(binds)
                return any(self.may(bind.domain) for bind in binds.binds) or bool(
                    slots - self._followed(binds, self._tells(body, slots), _NONE)
                )
        return not isinstance(domain, ir.Groups)

    def _of_definition(self, name: str) -> bool:
        definition = self._program.definitions[name]
        if name not in self._definitions:
            self._definitions[name] = definition.deep is not None or self.may(definition.body)
        return self._definitions[name]

    # -- what a value tells: the slots whose values follow from it, when those in ``open_`` are not known

    def _tells(self, value: ir.Expr, open_: Slots) -> Slots:
        match value:
            case ir.Local(slot):
                return frozenset((slot,)) & open_
            case ir.Apply(op="tuple" | "combination", arguments=parts):
                return _NONE.union(*(self._tells(part, open_) for part in parts))
            case ir.ColumnOf(row=row):
                cells = self._program.tables[value.table].cells[value.column]
                return self._tells(row, open_) if len(set(map(repr, cells))) == len(cells) else _NONE
        return _NONE

    def _followed(self, binds: ir.Binds, known: Slots, outside: Slots) -> Slots:
        """``known`` and what it tells by the domains of binders; ``outside``: slots that are open outside of them."""
        slots = _slots(binds)
        while True:
            open_ = (slots | outside) - known
            more = _NONE.union(*(self._member_tells(b.domain, open_) for b in binds.binds if b.slot in known))
            if more <= known:
                return known
            known |= more

    def _member_tells(self, domain: ir.Expr, open_: Slots) -> Slots:
        """What a member of a run tells."""
        match domain:
            case ir.Apply(op="step" | "ray" as op, arguments=(cell, direction)):
                # Cells in different directions from one cell are different, and no way leads round an edge.
                if not free_slots(cell) & open_:
                    return self._tells(direction, open_)
                if op == "step" and not free_slots(direction) & open_:
                    return self._tells(cell, open_)
            case ir.Apply(op="at", arguments=(listed, place)) if not self.may(listed):
                told = self._member_tells(listed, open_)
                return told if free_slots(listed) & (open_ - told) else told | self._tells(place, open_)
            case ir.Apply(arguments=(listed, *_)) if members_of(domain) in _KEPT:
                return self._member_tells(listed, open_)
            case ir.Apply(op="list", arguments=(one,)):
                return self._tells(one, open_)
            case ir.Fold(word="list", body=body, binds=binds) if body is not None:
                inner = open_ | _slots(binds)
                return self._followed(binds, self._tells(body, inner), open_) & open_
            case ir.If() if not free_slots(domain.condition) & open_:
                return self._member_tells(domain.then, open_) & self._member_tells(domain.otherwise, open_)
            case ir.Call():
                return self._argument_told(domain, open_)
        return _NONE

    def _argument_told(self, call: ir.Call, open_: Slots) -> Slots:
        definition = self._program.definitions[call.definition]
        if definition.deep is not None:
            return _NONE
        arguments = {p.slot: a for p, a in zip(definition.params, call.arguments, strict=True)}
        hidden = frozenset(slot for slot, argument in arguments.items() if free_slots(argument) & open_)
        told = self._member_tells(definition.body, hidden)
        return _NONE.union(*(self._tells(arguments[slot], open_) for slot in told))


def _slots(binds: ir.Binds) -> Slots:
    return frozenset(bind.slot for bind in binds.binds)


# Presence: what certainly has a member, so that the first or the largest of it is never none.


def never_empty(binds: ir.Binds) -> bool:
    """Whether there always is a combination: no condition, and every domain has members."""
    return binds.condition is None and all(has_members(bind.domain) for bind in binds.binds)


def has_members(expr: ir.Expr) -> bool:
    """Whether going through the value gives at least one member, whatever happens in the game."""
    match expr:
        case ir.Const():
            return expr.value is not None and expr.value is not False and bool(expr.value)
        case ir.If():
            return has_members(expr.then) and has_members(expr.otherwise)
        case ir.Fold(word="list" | "set" | "ranked" | "leaders"):
            return never_empty(expr.binds)
        case ir.Apply():
            return _gives_members(expr)
        case _:  # the rest has as many members as its type says
            return _is_filled(expr.type)


def _gives_members(expr: ir.Apply) -> bool:
    """Whether a built-in operation gives something with a member."""
    given = expr.arguments
    match members_of(expr):
        case Members.SAME | Members.PIECES | Members.KINDS:
            return has_members(given[0])
        case Members.ALL:
            return any(map(has_members, given))
        case Members.ARGUMENTS:
            return bool(given)
        case Members.DOMAIN:
            return _members(expr) > 0
        case Members.SOME:
            return False
    match expr.op:
        case "ahead" | "behind":
            member = given[0].type
            return isinstance(member, ty.MemberType) and member.domain.ring and len(member.domain) > 1
        case "range":
            low, high = given[0].type, given[1].type
            return isinstance(low, ty.NumberType) and isinstance(high, ty.NumberType) and low.high <= high.low
    return _is_filled(expr.type)


def _is_filled(type_: ty.Type) -> bool:
    return (isinstance(type_, ty.OptionalType) and type_.certain) or (isinstance(type_, ty.ListType) and type_.filled)


def _members(expr: ir.Apply) -> int:
    """The number of members of the domain that an expression goes through."""
    item = expr.type.item if isinstance(expr.type, ty.ListType) else None
    return len(item.domain) if isinstance(item, ty.MemberType) else 0


def fewest_members(expr: ir.Expr) -> int:
    """How many different members a whole enum, or a fixed list or set, has; 0 if nothing is known."""
    if isinstance(expr, ir.Const):
        return len(set(expr.value)) if isinstance(expr.type, (ty.ListType, ty.SetType)) else 0
    return _members(expr) if isinstance(expr, ir.Apply) and expr.op == "members" else 0


# Bounds of runs: how many values going through something gives at most.


def most_given(expr: ir.Apply, of: Callable[[ir.Expr], int], values: Callable[[ty.Type], int], unknown: int) -> int:
    """How many members an operation that gives a list has at most, from those of its arguments.

    ``values``: how many values a type has; ``unknown``: the answer where nothing is known.
    """
    match members_of(expr):
        case Members.SAME | Members.SOME:
            return of(expr.arguments[0])
        case Members.ALL:
            return sum(map(of, expr.arguments))
        case Members.ARGUMENTS:
            return len(expr.arguments)
        case Members.KINDS | Members.DOMAIN | Members.DIFFERENT if isinstance(expr.type, ty.ListType):
            return values(expr.type.item)
    return unknown


MOST = 1 << 20
"""A bound that is no less than this is no bound."""


class Bounds:
    """The most values that runs of a program can give. Each definition is looked into once.

    ``room``: how many members a variable's list has room for, None where that has no limit.
    """

    def __init__(self, program: ir.Program, repeats: Repeats, room: Callable[[str], int | None]) -> None:
        self._program = program
        self._repeats = repeats
        self._room = room
        self._definitions: dict[str, int] = {}

    def of(self, domain: ir.Expr) -> int:
        """How many values going through ``domain`` gives at most; MOST where nothing is known."""
        match domain.type:
            case ty.OptionalType():
                return 1
            case ty.PiecesType(kind):
                return len(ty.kinds(kind))
            case ty.SetType(item):
                return _values(item)
            case ty.ListType(item=item, most=most):
                found = self._of_list(domain)
                if most is not None:
                    found = min(found, most)
                everything = _values(item)
                return everything if everything < found and not self._repeats.may(domain) else found
        return MOST

    def combinations(self, binds: ir.Binds) -> int:
        """How many combinations of values there are at most."""
        total = 1
        for bind in binds.binds:
            total = min(MOST, total * self.of(bind.domain))
        return total

    def last(self, number: ir.Expr) -> int:
        """The greatest that a number can be; more than its type says is known of how many lie in a place."""
        assert isinstance(number.type, ty.NumberType)
        match number:
            case ir.Apply(op="size", arguments=(listed,)) if isinstance(listed.type, ty.ListType):
                return min(number.type.high, self.of(listed))
            case ir.Apply(op="min", arguments=numbers):
                return min(map(self.last, numbers))
        return number.type.high

    def _of_list(self, domain: ir.Expr) -> int:
        match domain:
            case ir.Apply(op="range", arguments=(low, high)) if isinstance(low.type, ty.NumberType):
                return max(0, min(MOST, self.last(high) - low.type.low + 1))
            case ir.Const(members):
                return len(members)
            case ir.ColumnOf(table=table, column=column):
                return max(map(len, self._program.tables[table].cells[column]), default=0)
            case ir.Apply(op="ray", arguments=(cell, _)):
                grid = self._program.grids[cell.type.domain.name]  # type: ignore[union-attr]
                return max(len({x for x, _ in grid.cells}), len({y for _, y in grid.cells})) - 1
            case ir.Apply():
                return min(MOST, most_given(domain, self.of, _values, MOST))
            case ir.Fold(binds=binds):
                return self.combinations(binds)
            case ir.If():
                return max(self.of(domain.then), self.of(domain.otherwise))
            case ir.Read():
                room = self._room(domain.variable)
                return MOST if room is None else room
            case ir.Call(definition=name):
                return self._of_definition(name)
        return MOST

    def _of_definition(self, name: str) -> int:
        definition = self._program.definitions[name]
        if name not in self._definitions:
            self._definitions[name] = MOST if definition.deep is not None else self.of(definition.body)
        return self._definitions[name]


def _values(type_: ty.Type) -> int:  # there may be more of them than a range can count
    return MOST if isinstance(type_, ty.OptionalType) else min(MOST, ty.size_of(type_, MOST))


# Sizes known before the game starts: the pieces a place begins with, at most, and the bytes of a state.


MANY = 1_000
"""The members assumed of a list of which nothing is known."""

_MOST = 2**62


def all_members(domain: ir.Expr) -> bool:
    """Whether going through it reaches every value of its type."""
    while True:
        match domain:
            case ir.Apply(_, (inner, *_)) if members_of(domain) is Members.SAME:
                domain = inner
            case ir.Fold("ranked" | "list", ir.Local(slot), ir.Binds((ir.Bind(slot=own, domain=inner),)) as binds) if (
                slot == own and binds.free
            ):
                domain = inner
            case _:
                break
    return members_of(domain) is Members.DOMAIN


def pieces_at_start(variable: ir.Variable) -> int:
    """The pieces that all cells of a place hold together when the game begins, at most."""
    if variable.kind == "value" or variable.initial is None:
        return 0
    if variable.kind == "slot":
        return variable.cells
    return min(_MOST, variable.cells * _pieces(variable.initial))


def families(program: ir.Program) -> dict[str, str]:
    """A common name, by name of place, for all places that pieces can move to and from."""
    family = {name: name for name, variable in program.variables.items() if variable.element is not None}
    for rule in program.rules.values():
        for statement in statements(program, rule.body):
            if isinstance(statement, (ir.Move, ir.Pay)):
                kept, merged = family[statement.source.variable], family[statement.target.variable]
                family = {name: kept if of == merged else of for name, of in family.items()}
    return family


def counted_elsewhere(program: ir.Program, writes: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The places of which everybody can work out how many pieces they hold: of all that comes and goes everybody sees
    how much, since the other end is open or counted. ``writes``: the variables that each rule may change."""
    variables = program.variables
    found = {name for name, v in variables.items() if v.element is not None and v.kind != "grid"}
    for s in (s for rule in program.rules.values() for s in statements(program, rule.body)):
        match s:
            case ir.Move() | ir.Pay():
                for place, other in ((s.source, s.target), (s.target, s.source)):
                    if variables[other.variable].seen_by != "all" and not variables[other.variable].counted:
                        found.discard(place.variable)
            case ir.Shuffle() | ir.Show():
                pass  # neither adds a piece nor takes one away
            case ir.Together():  # what is done there is told later
                found -= body_writes(program, s.body, writes)
            case _:  # whatever else writes a place may change how many it holds
                found.difference_update(effect(program, s).writes)
    return frozenset(found)


def pieces_by_sort(program: ir.Program) -> dict[ty.MemberType | ty.NumberType, int]:
    """The pieces of each sort that the game begins with, at most. Moves neither make nor lose any."""
    found: dict[ty.MemberType | ty.NumberType, int] = {}
    for variable in program.variables.values():
        if variable.element is not None:
            found[variable.element] = found.get(variable.element, 0) + pieces_at_start(variable)
    return found


def _pieces(expr: ir.Expr) -> int:
    """How many pieces, or members of a list, an expression gives at most."""
    match expr:
        case ir.Const(value) if isinstance(value, tuple):
            return sum(value) if isinstance(expr.type, ty.PiecesType) else len(value)
        case ir.Const():
            return 0
        case ir.PiecesOf():
            each = sum(_high(count) for _, count in expr.entries)
            return min(_MOST, each * (1 if expr.binds is None else _passes(expr.binds)))
        case ir.If():
            return max(_pieces(expr.then), _pieces(expr.otherwise))
        case ir.Fold(word="list" | "ranked" | "leaders"):
            return _passes(expr.binds)
        case ir.Apply(op="sub_pieces" | "spread"):
            return _pieces(expr.arguments[0])
        case ir.Apply(op="add_pieces"):
            return min(_MOST, sum(map(_pieces, expr.arguments)))
        case ir.Apply(op="scale_pieces", arguments=(number, pieces)):
            return min(_MOST, _high(number) * _pieces(pieces))
        case ir.Apply(type=ty.ListType()):
            bounded = (ty.MemberType, ty.NumberType)
            many = most_given(
                expr, _pieces, lambda item: len(ty.kinds(item)) if isinstance(item, bounded) else MANY, MANY
            )
            return min(_MOST, many)
    return len(ty.kinds(expr.type.kind)) * MANY if isinstance(expr.type, ty.PiecesType) else MANY


def _high(expr: ir.Expr) -> int:
    return max(0, expr.type.high) if isinstance(expr.type, ty.NumberType) else MANY


def _passes(binds: ir.Binds) -> int:
    return min(_MOST, prod(_most_members(bind.domain) for bind in binds.binds))


def _most_members(domain: ir.Expr) -> int:
    match domain.type:
        case ty.OptionalType():
            return 1
        case ty.PiecesType(kind):
            return len(ty.kinds(kind))
    return _pieces(domain)


def state_bytes(program: ir.Program) -> int:
    """Bytes that the cells of a state need when packed, without the place the game is stopped at."""
    pieces = pieces_by_sort(program)
    return sum(v.cells * cell_bytes(v, pieces) for v in program.variables.values())


def cell_bytes(variable: ir.Variable, pieces: Mapping[ty.MemberType | ty.NumberType, int]) -> int:
    """Bytes of one cell; ``pieces``: as ``pieces_by_sort`` gives them."""
    if variable.kind in ("stack", "grid"):
        assert variable.element is not None and isinstance(variable.type, ty.ListType)
        room = variable.capacity if variable.capacity is not None else pieces[variable.element]
        return 2 + room * _width(variable.type.item)
    if variable.shows is not None and isinstance(variable.type, ty.ListType):
        item = variable.type.item
        element = item.item if isinstance(item, ty.OptionalType) else item
        most = pieces.get(element, 1) if isinstance(element, (ty.MemberType, ty.NumberType)) else 1
        return 2 + (variable.capacity or most) * _width(item)
    if isinstance(variable.type, ty.ListType) and variable.capacity is not None:
        return 2 + variable.capacity * _width(variable.type.item)
    return _width(variable.type)


def _width(type_: ty.Type) -> int:
    match type_:
        case ty.NumberType(low, high):
            return 1 if high - low < 256 else 2 if high - low < 65_536 else 4
        case ty.FlagType():
            return 1
        case ty.MemberType(domain):
            return 1 if len(domain) < 256 else 2
        case ty.OptionalType(item):
            return _width(item)
        case ty.PiecesType(kind):
            return 2 * len(ty.kinds(kind))
        case ty.ListType(item):
            return 2 + 64 * _width(item)
        case ty.TupleType() | ty.RecordType():
            return sum(map(_width, type_.items))
    return 8
