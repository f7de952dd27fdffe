"""Types of values, all finite, with bounds known when a game is linked for a number of players.

Values at run time are plain Python data: a member of a domain is its position (``int``, from 0), a number is an
``int``, a flag a ``bool``, nothing is ``None``, pieces are a tuple of counts by kind, a list or the contents of a
stack a tuple (bottom first), a set a ``frozenset``, a tuple value or a record a tuple.
"""

from __future__ import annotations

from typing import TypeAlias, Union

import attrs


@attrs.frozen
class Domain:
    """A closed list of names: an enum, the rows of a table, the players, the values of a setting.

    ``ring``: the last member is followed by the first (``next``, ``ahead`` and ``distance`` go round).
    ``first``: of the fields of a track, which are numbered, the number of the first one.
    """

    name: str
    members: tuple[str, ...]
    ring: bool = False
    first: int | None = None

    def __len__(self) -> int:
        return len(self.members)


@attrs.frozen
class NumberType:
    low: int
    high: int
    name: str | None = attrs.field(default=None, eq=False)
    """The declared name of a range, for messages."""


@attrs.frozen
class FlagType:
    pass


@attrs.frozen
class MemberType:
    domain: Domain


@attrs.frozen
class OptionalType:
    """A value or ``none``. Iterating over it gives zero or one values.

    ``certain``: it is never none (the largest of something that always has members), so it can stand where an
    ``item`` is needed. Otherwise it is used like any optional.
    """

    item: Type
    certain: bool = False


@attrs.frozen
class PiecesType:
    """Counts by kind. ``kind`` is a MemberType or a NumberType; position i counts ``first value + i``."""

    kind: MemberType | NumberType


@attrs.frozen
class ListType:
    """``filled``: it always has a member; ``most``: so many at most, None when nothing is known."""

    item: Type
    filled: bool = False
    most: int | None = None


@attrs.frozen
class SetType:
    item: Type


@attrs.frozen
class TupleType:
    items: tuple[Type, ...]


@attrs.frozen
class RecordType:
    """A tuple whose parts have names: ``s.x`` is the part ``x``. ``name`` is for messages and part of the type."""

    name: str
    fields: tuple[tuple[str, Type], ...]

    @property
    def items(self) -> tuple[Type, ...]:
        return tuple(type_ for _, type_ in self.fields)

    def position(self, field: str) -> int | None:
        """The position of a part in the tuple; None when there is no such part."""
        return next((i for i, (name, _) in enumerate(self.fields) if name == field), None)


@attrs.frozen
class NothingType:
    """The type of ``none`` by itself."""


@attrs.frozen
class NeverType:
    """The type of the members of an empty ``[]``, of which there are none. It fits everything."""


@attrs.frozen(eq=False)
class UnknownType:
    """The type of an expression that already has a diagnostic. It fits everything, so no second message follows.

    There is only one, also of copies and of what was kept in a file: ask with ``is UNKNOWN``.
    """

    def __reduce__(self) -> str:
        return "UNKNOWN"


Type: TypeAlias = Union[
    NumberType,
    FlagType,
    MemberType,
    OptionalType,
    PiecesType,
    ListType,
    SetType,
    TupleType,
    RecordType,
    NothingType,
    NeverType,
    UnknownType,
]

ANY_NUMBER = 2**31 - 1
"""A range as wide as this says nothing about the number."""

FLAG = FlagType()
NOTHING = NothingType()
NEVER = NeverType()
NO_PIECES = PiecesType(MemberType(Domain("nothing", ())))
"""The type of ``{}`` before anything more is known: pieces without kinds."""
UNKNOWN = UnknownType()

REACH = 99
"""The reach of a grid from its origin, in squares, in each direction."""

COORDINATE = NumberType(-REACH, REACH)
SQUARE = RecordType("square", (("x", COORDINATE), ("y", COORDINATE)))
"""A place in a grid: x grows to the east, y to the north, and the first piece usually lies at (0, 0)."""

TURN = NumberType(0, 3)
"""Quarter turns clockwise."""


def spot_of(element: MemberType | NumberType) -> RecordType:
    """The type of a piece that lies in a grid."""
    return RecordType(f"spot of {describe(element)}", (("piece", element), *SQUARE.fields, ("turn", TURN)))


def is_spot(type_: Type) -> bool:
    return isinstance(type_, RecordType) and type_.position("turn") is not None


def kinds(kind: MemberType | NumberType) -> range:
    """The values a kind can take, in order."""
    if isinstance(kind, MemberType):
        return range(len(kind.domain))
    return range(kind.low, kind.high + 1)


def values(type_: Type) -> range | tuple[bool, bool]:
    """The values of a type that can be enumerated: members, numbers, flags."""
    if isinstance(type_, (MemberType, NumberType)):
        return kinds(type_)
    if isinstance(type_, FlagType):
        return (False, True)
    raise TypeError(f"{describe(type_)} cannot be enumerated")


def size_of(type_: Type, unknown: int = 1_000) -> int:
    """The number of values of a type; ``unknown`` for one whose values are not counted."""
    match type_:
        case NumberType(low, high):
            return high - low + 1  # ``len`` does not take numbers of any size
        case MemberType(domain):
            return len(domain)
        case FlagType():
            return 2
        case OptionalType(item):
            return size_of(item, unknown) + 1
    return unknown


def _number(type_: NumberType) -> str:
    low, high = type_.low, type_.high
    if high - low >= ANY_NUMBER:
        return "a number"
    return type_.name or (f"the number {low}" if low == high else f"a number from {low} to {high}")


def on_track(type_: Type) -> bool:
    """Whether it is a field of a track, or none."""
    one = type_.item if isinstance(type_, OptionalType) else type_
    return isinstance(one, MemberType) and one.domain.first is not None


def describe(type_: Type) -> str:
    """The type in plain words, for messages."""
    match type_:
        case NumberType():
            return _number(type_)
        case FlagType():
            return "yes or no"
        case MemberType(domain):
            return domain.name
        case OptionalType(item):
            return f"{describe(item)} or none"
        case PiecesType(kind):
            return "no pieces" if type_ == NO_PIECES else f"pieces of {describe(kind)}"
        case ListType(item) | SetType(item):
            word = "list" if isinstance(type_, ListType) else "set"
            return f"an empty {word}" if isinstance(item, NeverType) else f"a {word} of {describe(item)}"
        case TupleType(items):
            return "(" + ", ".join(describe(i) for i in items) + ")"
        case RecordType(name):
            return name
        case NothingType():
            return "none"
        case _:
            return "something unknown"
