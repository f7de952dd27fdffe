"""Layout of values and cells in WebAssembly.

A value is a row of *components*, each an ``i32`` or an ``i64`` held in a local:

- a number, a flag, a member: itself; an optional one of these: itself, or NONE_LOW / NONE_WIDE for none;
- none by itself: NONE_LOW, so that a list of it has a length;
- a tuple or record: the components of its parts; any other optional: 1 or 0, then the components of the value;
- pieces: the address of one word (4 bytes) a kind;
- a list: the address of the number of its members, and the members' words;
- a set of at most 64 values that can be enumerated: an ``i64`` with a bit for each; any other set: a list in rising
  order.

In memory a component takes one word, an ``i64`` two. A cell of a variable holds the words of its value; pieces, lists
and sets of unbounded size are stored in the cell itself, with room for the most members they can have.
"""

from __future__ import annotations

import itertools
import math
import struct
from collections.abc import Iterator, Mapping
from functools import cache

import attrs

from rulelang import types as ty
from rulelang.program import Binds, Program, Variable
from rulelang.program.values import name_of
from rulelang.source import NOWHERE, Span
from rulelang.structural import Structural, frozen

from ...errors import GameError
from ...lowered.code import Holds, Items
from ..wat.ir import Ty
from .addresses import WORD as WORD

NONE_LOW = -1
"""Represents none where the values are not negative."""

NONE_WIDE = -(2**31)
"""Represents none where the values may be negative."""

ANY = 2**31 - 1
"""The greatest number of a word."""


class NotLowered(GameError):
    """Something that this engine cannot handle. ``what`` names it, ``rule`` and ``span`` say where it is."""

    def __init__(self, what: str, rule: str = "", span: Span = NOWHERE) -> None:
        place = f" ({span.file}:{span.line})" if span.file else ""
        where = f" in {rule}{place}" if rule else ""
        super().__init__(f"the fast engine cannot handle {what}{where}; use the reference engine")
        self.what = what
        self.rule = rule
        self.span = span

    def at(self, rule: str, span: Span) -> NotLowered:
        """The same error with its place in the rules, if it has none yet."""
        return self if self.rule else NotLowered(self.what, rule, span)


def is_scalar(type_: ty.Type) -> bool:
    return isinstance(type_, (ty.NumberType, ty.FlagType, ty.MemberType))


def none_of(type_: ty.Type) -> int:
    """The number that represents none in an optional of a scalar type."""
    return NONE_WIDE if isinstance(type_, ty.NumberType) and type_.low < 0 else NONE_LOW


@cache
def mask_size(type_: ty.SetType) -> int | None:
    """The number of bits of a set that is kept as a mask, None for any other."""
    if is_scalar(type_.item):
        item = type_.item
        if isinstance(item, ty.NumberType) and item.high - item.low >= 64:
            return None  # before the values are counted: a number without bounds has more than can be
        size = len(ty.values(item))
        return size if size <= 64 else None
    return None


def first_value(type_: ty.Type) -> int:
    """The number of the first value of a scalar type."""
    return type_.low if isinstance(type_, ty.NumberType) else 0


@cache
def components(type_: ty.Type) -> tuple[Ty, ...]:
    """The types of the components of a value."""
    match type_:
        case ty.NumberType() | ty.FlagType() | ty.MemberType() | ty.PiecesType() | ty.ListType():
            return ("i32",)
        case ty.SetType():
            return ("i64",) if mask_size(type_) is not None else ("i32",)
        case ty.TupleType() | ty.RecordType():
            return tuple(c for item in type_.items for c in components(item))
        case ty.OptionalType(item) if is_scalar(item):
            return ("i32",)
        case ty.OptionalType(item):
            return ("i32", *components(item))
        case ty.NothingType() | ty.NeverType():
            return ("i32",)
    raise NotLowered(f"values of {ty.describe(type_)}")


def is_address(type_: ty.Type) -> bool:
    """Whether the value is the address of something in memory."""
    return isinstance(type_, (ty.PiecesType, ty.ListType)) or (
        isinstance(type_, ty.SetType) and mask_size(type_) is None
    )


def holds_addresses(type_: ty.Type) -> bool:
    """Whether any component of the value is an address."""
    match type_:
        case ty.TupleType() | ty.RecordType():
            return any(holds_addresses(item) for item in type_.items)
        case ty.OptionalType(item):
            return holds_addresses(item)
        case _:
            return is_address(type_)


def words(type_: ty.Type) -> int:
    """The words of the components of a value."""
    return sum(2 if c == "i64" else 1 for c in components(type_))


def fixed_words(type_: ty.Type) -> int | None:
    """The words of a value that is written out whole, None when its size is not known beforehand."""
    match type_:
        case ty.PiecesType(kind):
            return len(ty.kinds(kind))
        case ty.TupleType() | ty.RecordType():
            sizes = [fixed_words(item) for item in type_.items]
            return None if None in sizes else sum(s for s in sizes if s is not None)
        case ty.OptionalType(item) if not is_scalar(item):
            size = fixed_words(item)
            return None if size is None else 1 + size
        case _:
            return None if is_address(type_) else words(type_)


def item_words(type_: ty.Type) -> int:
    """The words of one member of a list or set that lies in memory."""
    assert isinstance(type_, (ty.ListType, ty.SetType))
    return words(type_.item)


# Words of data kept beside the cells: the slots of a suspended rule, and the options of a decision.


COUNT = ty.NumberType(-(2**31) + 1, 2**31 - 1)
"""The type of a slot with the counter of a loop."""


def items_type(types: tuple[ty.Type, ...]) -> ty.ListType:
    """The type of a slot that holds the combinations of a loop."""
    return ty.ListType(ty.TupleType(types))


def slot_type(holds: Holds) -> ty.Type:
    """The type of what a slot of a frame holds."""
    if holds is None:
        return COUNT
    return items_type(holds.types) if isinstance(holds, Items) else holds


MOST_CHOSEN = 101
"""Members of a list that can be chosen, where no more is known of it: as many as the longest way has."""

MOST_OF_SET = 400
"""Members of a set that can be chosen, and is not a mask."""


def row_size(type_: ty.Type) -> int | None:
    """The words of a value in a row of options, None where a row cannot hold it.

    A list or a set has its number, its members, and room for as many as it can have.
    """
    match type_:
        case ty.TupleType(items) | ty.RecordType(items=items):
            sizes = [row_size(item) for item in items]
            return None if None in sizes else sum(s for s in sizes if s is not None)
        case ty.OptionalType(item) if not is_scalar(item):
            size = row_size(item)
            return None if size is None else 1 + size
        case ty.ListType(item) | ty.SetType(item) if is_address(type_):
            return None if holds_addresses(item) else 1 + most_members(type_) * words(item)
    return fixed_words(type_)


def most_members(type_: ty.ListType | ty.SetType) -> int:
    """The members for which there is room in a row."""
    if isinstance(type_, ty.ListType):
        return MOST_CHOSEN if type_.most is None else type_.most
    return min(len(ty.values(type_.item)), MOST_OF_SET) if is_scalar(type_.item) else MOST_OF_SET


def no_room(number: int, most: int) -> str:
    """Why a list or a set cannot be chosen."""
    return f"a choice of {number} values at once is more than the {most} that the fast engine has room for"


def row_words(binds: Binds | None) -> int:
    """The words of one combination of some binders, written out whole. Raises NotLowered."""
    total = 0
    for bind in binds.binds if binds is not None else ():
        size = row_size(bind.type)
        if size is None:
            raise NotLowered(f"a choice of {ty.describe(bind.type)}")
        total += size
    return total


# Addresses of the cells of a variable.


@frozen
class Location(Structural):
    """The location of a variable: ``base`` is the address of its first cell, ``size`` the bytes of one cell.

    ``strides``: bytes from one owner to the next. ``room``: the most members of a list in the cell; ``most``:
    those that it can have in a game that is played from its beginning.
    """

    variable: Variable
    base: int
    size: int
    strides: tuple[int, ...]
    room: int | None
    most: int | None

    @property
    def type(self) -> ty.Type:
        return self.variable.type

    @property
    def plain_bytes(self) -> int | None:
        """The bytes of all cells, if each holds one value of one word."""
        if (
            self.variable.rolling
            or self.room is not None
            or components(self.type) != ("i32",)
            or holds_addresses(self.type)
        ):
            return None
        return self.size * self.variable.cells

    def name(self, address: int) -> str:
        """The cell at an address, as people name it: ``hand[blue]``."""
        rest = address - self.base
        names = []
        for stride, owner in zip(self.strides, self.variable.owners, strict=True):
            member, rest = divmod(rest, stride)
            names.append(name_of(member, owner) if 0 <= member < len(owner.domain) else "?")
        return f"{self.variable.name}[{', '.join(names)}]" if names else self.variable.name


# Planes: for each value of a variable, the mask of the members that hold it.


MOST_VALUES = 16
MOST_MEMBERS = 512
MOST_PLANES = 64
"""Planes of one variable; with several owners, one is the domain of the masks, and the others choose among them."""


@frozen
class KeptPlanes(Structural):
    """The planes of one variable.

    ``axis``: which of its owners a mask has bits for, ``size`` its members. The plane of value v is ``base + bytes *
    (v + 1 + s)``, none as -1, where s adds up the numbers of the other owners' members times ``strides``. ``numbers``:
    how many planes there are.
    """

    axis: int
    size: int
    strides: tuple[int, ...]
    numbers: int
    base: int = 0

    @property
    def bytes(self) -> int:
        """Bytes of one mask."""
        return 8 * -(-self.size // 64)

    @property
    def all_bytes(self) -> int:
        return self.bytes * self.numbers

    def rows(self, cell: Location) -> Iterator[tuple[int, int, int]]:
        """Of every row of cells that differ in the axis only: the first one's address, the bytes from one to the next,
        and the first of the planes that are the row's."""
        others = [i for i in range(len(cell.strides)) if i != self.axis]
        for members in itertools.product(*(range(len(cell.variable.owners[i].domain)) for i in others)):
            first = cell.base + sum(m * cell.strides[i] for m, i in zip(members, others, strict=True))
            yield first, cell.strides[self.axis], sum(m * s for m, s in zip(members, self.strides, strict=True))


def kept_as_planes(program: Program) -> dict[str, KeptPlanes]:
    """The variables that have planes; where they lie is left open."""
    found = {}
    for name, variable in program.variables.items():
        kept = _kept(variable)
        if kept is not None:
            found[name] = kept
    return found


def _kept(variable: Variable) -> KeptPlanes | None:
    type_ = variable.type.item if isinstance(variable.type, ty.OptionalType) else variable.type
    if (
        variable.kind not in ("value", "slot")
        or not variable.owners
        or not isinstance(type_, (ty.MemberType, ty.FlagType))
    ):
        return None
    sizes = [len(owner.domain) for owner in variable.owners]
    axis = max(range(len(sizes)), key=lambda i: sizes[i])
    number = len(ty.values(type_))
    others = [size for i, size in enumerate(sizes) if i != axis]
    planes = (1 + number) * math.prod(others)
    if not 2 < sizes[axis] <= MOST_MEMBERS or number > MOST_VALUES or planes > MOST_PLANES:
        return None
    strides: list[int] = []
    step = 1 + number
    for size in reversed(others):
        strides.insert(0, step)
        step *= size
    return KeptPlanes(axis, sizes[axis], tuple(strides), planes)


@attrs.define
class Planes:
    """The planes of all variables that have any, from ``start`` on; ``size``: their bytes."""

    of_variable: dict[str, KeptPlanes]
    start: int
    size: int

    @classmethod
    def of(cls, program: Program, at: int) -> Planes:
        found = {}
        start = at
        for name, kept in kept_as_planes(program).items():
            found[name] = attrs.evolve(kept, base=at)
            at += kept.all_bytes
        return cls(found, start, at - start)

    def initial(self, cells: Mapping[str, Location], start: int, state: bytes) -> bytes:
        """The planes of a state whose bytes begin at address ``start``."""
        data = bytearray(self.size)
        for name, kept in self.of_variable.items():
            for first, step, plane in kept.rows(cells[name]):
                for member in range(kept.size):
                    (value,) = struct.unpack_from("<i", state, first - start + member * step)
                    at = kept.base - self.start + kept.bytes * (plane + value + 1) + member // 64 * 8
                    (mask,) = struct.unpack_from("<Q", data, at)
                    struct.pack_into("<Q", data, at, mask | 1 << member % 64)
        return bytes(data)
