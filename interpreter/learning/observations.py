"""Observations: a seat's view as a row of whole numbers of fixed length, laid out by the game's declarations.

Only ``state.view(seat)`` is encoded, so nothing hidden can leak in. First come four numbers: the seat that observes,
the seat that decides and the rule that asks (-1: nobody, none; rules in the order of the program), and whether the
game is over. Then each cell of each variable, in the order of the program, owners in order:

- a number as it is, a member as its position from 0, yes as 1; an optional one of these is one less than the least
  value for none; any other optional is 1 and the value, or 0 and its blanks;
- pieces: the count of each kind;
- the members of a stack or list: how many, then each in order, then blanks; likewise a set, in rising order, unless its
  members can be enumerated: then 1 or 0 for each;
- tuples and records: their parts.

A cell that only some seats see begins with 1 if the seat sees it, else with 0, followed by blanks. If everybody may
count it, the count comes after it. A cell that nobody sees has the count alone, or nothing. A blank is 0, or the
least value where 0 is none.

If a list has more members than there is room for, the last ones are shown: in a stack, those at the open end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import attrs

from rulelang import types as ty
from rulelang.program import Program, SetValue, Variable
from rulelang.program.sides import all_together, only_counts, sides
from rulelang.program.values import from_plain, name_of, rising
from rulelang.program.walk import statements

from ..errors import GameError
from ..lowered.cells import Layout as CellLayout

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..data import View

MOST_BITS = 256
"""A set with at most this many possible members is written as flags."""

MOST_UNCOUNTED = 64
"""Room for a list when the rules do not say how long it can get."""

HEAD = ("seat", "to decide", "rule", "over")

Bounds = tuple[int, int]


@attrs.frozen
class Field:
    """A cell's numbers: those from ``start`` to ``start + len(bounds)``, each from its low to its high bound.

    ``name`` is the cell as rules write it. ``room``: the members of a list there is room for.
    """

    name: str
    variable: Variable | None
    owners: tuple[int, ...]
    start: int
    bounds: tuple[Bounds, ...]
    room: int = 0


@attrs.frozen
class Observations:
    """The encoding of one program's views. ``fields`` are in the order of the numbers."""

    fields: tuple[Field, ...]
    rules: dict[str, int]

    @classmethod
    def of(cls, program: Program, initial: Sequence[Any]) -> Observations:
        """The encoding for a program. ``initial``: its cells at the start, which determine how many pieces there
        are."""
        seats, rules = program.players, len(program.rules)
        heads: tuple[Bounds, ...] = ((0, seats - 1), (-1, seats - 1), (-1, rules - 1), (0, 1))
        fields = [Field(name, None, (), i, (bounds,)) for i, (name, bounds) in enumerate(zip(HEAD, heads, strict=True))]
        at = len(HEAD)
        places = CellLayout.of(program).places
        contents = {name: initial[p.offset : p.offset + p.variable.cells] for name, p in places.items()}
        for place in places.values():
            variable = place.variable
            of = variable if variable.shows is None else program.variables[variable.shows]
            limit = 1 if of.kind == "value" and of is not variable else _pieces_limit(program, contents, of)
            room, pieces = (MOST_UNCOUNTED, ty.ANY_NUMBER) if limit is None else (limit, limit)
            if variable.history:
                continue  # what was remembered tells nobody anything but by what rules say of it
            bounds = tuple(_cell_bounds(variable, room, pieces))
            for owners in product(*(range(len(owner.domain)) for owner in variable.owners)):
                if bounds:
                    fields.append(Field(place.text(owners), variable, owners, at, bounds, room))
                    at += len(bounds)
        return cls(tuple(fields), {rule: i for i, rule in enumerate(program.rules)})

    @staticmethod
    def bounds_of(type_: ty.Type, room: int) -> list[Bounds]:
        """The low and high bound of each number of a value; ``room``: for a list."""
        return list(_bounds(type_, room))

    @property
    def bounds(self) -> list[Bounds]:
        """The low and high bound of each number."""
        return [bound for field in self.fields for bound in field.bounds]

    def encode(self, view: View) -> list[int]:
        """The numbers of a seat's view."""
        asked, seat = view["decision"], view["seat"]
        assert seat is not None
        row = [seat, -1, -1, int(view["over"])]
        if asked is not None:
            row[1:3] = asked["player"], self.rules[asked["rule"]]
        for field in self.fields[len(HEAD) :]:
            row += _cell(field, view, seat)
        return row


# ---------------------------------------------------------------- cells


def _cell_bounds(variable: Variable, room: int, pieces: int) -> Iterator[Bounds]:
    if variable.seen_by not in ("all", "nobody"):
        yield 0, 1
    if variable.seen_by != "nobody":
        yield from _bounds(variable.type, room, pieces)
    if variable.seen_by != "all" and variable.counted:
        yield 0, pieces


def _cell(field: Field, view: View, seat: int) -> list[int]:
    variable = field.variable
    assert variable is not None
    content: Any = view["state"].get(variable.name, {})
    for owner, member in zip(variable.owners, field.owners, strict=True):
        content = content.get(name_of(member, owner), {})
    if variable.seen_by == "all":
        return list(_numbers(from_plain(content, variable.type), variable.type, field.room))
    if seat in (variable.seats(field.owners) or ()):
        value = from_plain(content, variable.type)
        count = [_pieces(variable, value)] if variable.counted else []
        return [1, *_numbers(value, variable.type, field.room), *count]
    count = [content["count"]] if variable.counted else []
    blanks = [blank(bounds) for bounds in field.bounds[: len(field.bounds) - len(count)]]
    return blanks + count


def blank(bounds: Bounds) -> int:
    low, high = bounds
    return 0 if low <= 0 <= high else low


def _pieces_limit(program: Program, initial: Mapping[str, Sequence[Any]], variable: Variable) -> int | None:
    """The most pieces that a place can hold; None when the rules do not say."""
    if variable.kind == "value":
        return variable.capacity
    if variable.capacity is not None:
        return variable.capacity
    # Moves neither make nor lose pieces, so no place holds more than there are; setting a slot makes one.
    alike = [v for v in program.variables.values() if v.kind != "value" and v.element == variable.element]
    if any(v.name in _set_by_rules(program) for v in alike):
        return None
    return sum(_pieces(other, content) for other in alike for content in initial[other.name])


def _set_by_rules(program: Program) -> set[str]:
    bodies = (statements(program, rule.body) for rule in program.rules.values())
    return {s.target.variable for body in bodies for s in body if isinstance(s, SetValue)}


def _pieces(variable: Variable, content: Any) -> int:
    if variable.kind in ("pool", "bag"):
        return int(sum(content))
    if variable.kind in ("stack", "grid"):
        return len(content)
    return int(content is not None)


# ---------------------------------------------------------------- values


def _bounds(type_: ty.Type, room: int, pieces: int = ty.ANY_NUMBER) -> Iterator[Bounds]:
    """The bounds of a value's numbers. ``room``: for a list; ``pieces``: the most of one kind."""
    match type_:
        case ty.NumberType(low, high):
            yield max(low, -ty.ANY_NUMBER), min(high, ty.ANY_NUMBER)
        case ty.MemberType(domain):
            yield 0, len(domain) - 1
        case ty.FlagType():
            yield 0, 1
        case ty.OptionalType(item) if is_scalar(item):
            ((low, high),) = _bounds(item, room)
            yield low - 1, high
        case ty.OptionalType(item):
            yield 0, 1
            yield from _bounds(item, room, pieces)
        case ty.PiecesType(kind):
            yield from [(0, pieces)] * len(ty.kinds(kind))
        case ty.TupleType() | ty.RecordType():
            for part in type_.items:
                yield from _bounds(part, room, pieces)
        case ty.SetType(item) if uses_flags(item):
            yield from [(0, 1)] * len(ty.values(item))
        case ty.ListType(item) | ty.SetType(item):
            yield 0, room
            yield from list(_bounds(item, room, pieces)) * room


def _numbers(value: Any, type_: ty.Type, room: int) -> Iterator[int]:
    """The numbers of a value, as many as ``_bounds`` gives."""
    match type_:
        case ty.NumberType() | ty.MemberType() | ty.FlagType():
            yield int(value)
        case ty.OptionalType(item) if is_scalar(item):
            yield next(_bounds(type_, room))[0] if value is None else int(value)
        case ty.OptionalType(item) if value is None:
            yield from map(blank, _bounds(type_, room))
        case ty.OptionalType(item):
            yield 1
            yield from _numbers(value, item, room)
        case ty.PiecesType():
            yield from value
        case ty.TupleType() | ty.RecordType():
            for part, part_type in zip(value, type_.items, strict=True):
                yield from _numbers(part, part_type, room)
        case ty.SetType(item) if uses_flags(item):
            yield from (int(member in value) for member in ty.values(item))
        case ty.ListType(item) | ty.SetType(item):
            members = (rising(value) if isinstance(type_, ty.SetType) else list(value))[-room:]
            yield len(members)
            for member in members:
                yield from _numbers(member, item, room)
            yield from list(map(blank, _bounds(item, room))) * (room - len(members))


def is_scalar(type_: ty.Type) -> bool:
    return isinstance(type_, (ty.NumberType, ty.MemberType, ty.FlagType))


def uses_flags(type_: ty.Type) -> bool:
    return is_scalar(type_) and len(ty.values(type_)) <= MOST_BITS


# Rewards of a learning agent: what the end of a game was worth to each seat.


Kind: TypeAlias = Literal["win", "margin"]
KINDS: tuple[Kind, ...] = ("win", "margin")


@attrs.frozen
class Rewards:
    """``kind``: ``win``: 1 for a winner, -1 for anybody else, 0 for all when all or none of several sides win, or when
    one plays alone for points; ``margin``: the seat's score minus the best score of the other sides."""

    kind: Kind
    sides: tuple[int, ...]
    only_counts: bool
    all_together: bool

    @classmethod
    def of(cls, program: Program, kind: str) -> Rewards:
        """Raises GameError for a kind that does not exist, and for ``margin`` in a game without scores."""
        if kind not in KINDS:
            raise GameError(f"{kind!r} is not a kind of rewards; choose one of {', '.join(KINDS)}")
        if kind == "margin" and program.score is None:
            raise GameError(f"{program.name} keeps no scores; choose rewards='win'")
        known: Kind = "win" if kind == "win" else "margin"
        return cls(known, sides(program), only_counts(program), all_together(program))

    def at_end(self, winners: NDArray[Any], scores: NDArray[Any]) -> NDArray[Any]:
        """The rewards of finished games, float32 of shape (games, seats). ``winners``: of the same shape, whether each
        seat won; ``scores``: its points."""
        import numpy as np

        if self.kind == "win":
            if self.only_counts:
                return np.zeros(scores.shape, dtype=np.float32)
            decided = winners.any(axis=1, keepdims=True) | self.all_together
            return np.where(decided, np.where(winners, 1, -1), 0).astype(np.float32)
        side = np.array(self.sides)
        rivals = [side != own for own in side]
        best = [scores[:, others].max(axis=1) if others.any() else 0 * scores[:, 0] for others in rivals]
        margins: NDArray[Any] = (scores - np.stack(best, axis=1)).astype(np.float32)
        return margins
