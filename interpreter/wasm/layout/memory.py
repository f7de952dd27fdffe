"""The map of a module's memory.

========== =====================================================================================
guard      64 KiB that nothing is kept in: what is read by a mistaken index is never used
state      all that a position is: header, cells, how often rules ran, what is secret, saved frames
scratch    faults, the decision that is asked, what the engine needs between calls
options    the options of the decision, a row each
build      rows of lists that are being made
results    rows of the games that have been played
record     what is counted of a game, in a module that records games
values     tables of values that definitions gave, remembered until what they read changes
tables     constants
arena      values that live as long as a rule, a pass of a loop, or an expression
once       the table in which equal options are found
========== =====================================================================================
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from typing import Any

import attrs

from rulelang.limits import Limits
from rulelang.program import Program, SetValue, Together, Variable
from rulelang.program.values import plain
from rulelang.program.walk import statements
from rulelang.types import (
    ListType,
    MemberType,
    NothingType,
    NumberType,
    OptionalType,
    PiecesType,
    RecordType,
    SetType,
    TupleType,
    Type,
    kinds,
    values,
)

from ...errors import GameError
from ...lowered import code
from ...position.blueprint import Blueprint
from ..wat.ir import signed
from . import addresses as mem
from . import shapes

MOST_UNCOUNTED = 255
"""Room in a list whose length nothing limits."""


@attrs.define
class Memory:
    """The addresses of one program's module. Constants are added while code is written."""

    program: Program
    cells: dict[str, shapes.Location]
    cells_size: int
    fired: int
    secret: int
    saved: int
    scratch: int
    options: int
    build: int
    results: int
    record: int
    planes: shapes.Planes
    values: int
    tables: int
    initial: bytes
    limits: Limits
    _data: bytearray = attrs.field(factory=bytearray)
    _known: dict[bytes, int] = attrs.field(factory=dict)

    @classmethod
    def of(cls, blueprint: Blueprint, *, row: int = 0, record: int = 0) -> Memory:
        """``row``: bytes of the longest row of results; ``record``: bytes for counting what a game leaves behind."""
        program = blueprint.program
        assert program.players <= mem.MOST_SEATS
        at = mem.STATE + mem.HEADER
        cells = {}
        initial = blueprint.initial_cells()
        for name, variable in program.variables.items():
            room = _room(program, blueprint, variable, initial)
            size = shapes.WORD * _cell_words(variable, room)
            strides: list[int] = []
            step = size
            for owner in reversed(variable.owners):
                strides.insert(0, step)
                step *= len(owner.domain)
            cells[name] = shapes.Location(
                variable, at, size, tuple(strides), room, _most(program, blueprint, variable, initial, room)
            )
            at += size * variable.cells
        cells_size = at - mem.STATE - mem.HEADER
        fired = at
        at = secret = fired + shapes.WORD * len(program.rules)
        if uses_together(program):
            at += cells_size + (shapes.WORD + cells_size) * program.players
        saved = _aligned(at)
        scratch = saved + mem.SAVED_ROOM
        options = scratch + mem.SCRATCH_SIZE
        build = _aligned(options + _options_room(blueprint))
        results = build + mem.BUILD_ROOM
        recorded = _aligned(results + max(mem.RESULTS_ROOM, row))
        planes = shapes.Planes.of(program, _aligned(recorded + record))
        remembered = _aligned(_aligned(recorded + record) + planes.size)
        content = _initial(blueprint, cells, initial)
        return cls(
            program,
            cells,
            cells_size,
            fired,
            secret,
            saved,
            scratch,
            options,
            build,
            results,
            recorded,
            planes,
            remembered,
            remembered + mem.VALUES_ROOM,
            content,
            blueprint.limits,
        )

    def constant_state(self) -> int:
        """The address of the header and cells before anything has happened."""
        return self.constant_bytes(self.initial, 4)

    @property
    def fixed_size(self) -> int:
        """Bytes of a state but for its saved frames."""
        return self.saved - mem.STATE

    def constant(self, data: Sequence[int]) -> int:
        """The address of words that never change."""
        return self.constant_bytes(struct.pack(f"<{len(data)}i", *data), 4)

    def constant_bytes(self, packed: bytes, align: int = 1) -> int:
        if packed not in self._known or self._known[packed] % align:
            self._data.extend(b"\0" * (-len(self._data) % align))
            self._known[packed] = self.tables + len(self._data)
            self._data.extend(packed)
        return self._known[packed]

    @property
    def addresses(self) -> mem.Addresses:
        state = self.fixed_size, self.secret - mem.STATE, self.fired
        return mem.Addresses(*state, self.scratch, self.options, self.results, _aligned(self.end))

    @property
    def data(self) -> bytes:
        return bytes(self._data)

    @property
    def arena(self) -> int:
        return _aligned(self.tables + len(self._data))

    @property
    def end(self) -> int:
        return self.once + self.once_room

    @property
    def once_most(self) -> int:
        """Entries of the table in which equal options are found: a power of two, far more than there can be options."""
        return 1 << (4 * self.limits.options).bit_length()

    @property
    def once_room(self) -> int:
        """Bytes of that table."""
        return 2 * shapes.WORD * self.once_most

    @property
    def once(self) -> int:
        """The start of the table in which equal options are found."""
        return self.kept + mem.KEPT_ROOM

    @property
    def kept(self) -> int:
        """The start of what is remembered of graphs."""
        return self.arena + mem.ARENA_ROOM


def _initial(blueprint: Blueprint, cells: dict[str, shapes.Location], content: list[Any]) -> bytes:
    """The header and cells before anything has happened."""
    header = [0] * (mem.HEADER // shapes.WORD)
    header[mem.WHOLE // shapes.WORD] = 1
    return struct.pack(f"<{len(header)}i", *header) + cells_to_bytes(blueprint, cells, content)


Encoded = dict[str, tuple[list[Any], bytes]]
"""What variables held, by name, with the bytes of it: most hold the same from one position to the next."""


def cells_to_bytes(
    blueprint: Blueprint, cells: dict[str, shapes.Location], content: Sequence[Any], known: Encoded | None = None
) -> bytes:
    """The cells of the reference engine in memory layout. GameError if one holds more than there is room for.

    ``known``: what was encoded last, which is brought up to date.
    """
    found: list[bytes] = []
    for name, place in blueprint.layout.places.items():
        values = list(content[place.offset : place.offset + place.variable.cells])
        before = known.get(name) if known is not None else None
        if before is not None and before[0] == values:
            found.append(before[1])
            continue
        data = _variable_to_bytes(name, cells[name], values)
        found.append(data)
        if known is not None:
            known[name] = values, data
    return b"".join(found)


def _variable_to_bytes(name: str, cell: shapes.Location, values: Sequence[Any]) -> bytes:
    data: list[int] = []
    for value in values:
        words = encode(value, cell.type)
        if shapes.WORD * len(words) > cell.size:
            raise GameError(
                f"{name} holds more than the {cell.room} members the fast engine has room for; "
                "play this position on the reference engine"
            )
        data.extend(words)
        data.extend([0] * (cell.size // shapes.WORD - len(words)))
    return struct.pack(f"<{len(data)}i", *data)


Decoded = dict[str, tuple[Sequence[int], list[Any]]]
"""The words of variables, by name, with what they say."""


def bytes_to_cells(
    blueprint: Blueprint, cells: dict[str, shapes.Location], data: Sequence[int], known: Decoded | None = None
) -> list[Any]:
    """The cells as the reference engine holds them; ``data``: the words of all cells.

    ``known``: what was decoded last, which is brought up to date.
    """
    found: list[Any] = []
    at = 0
    for name, place in blueprint.layout.places.items():
        cell = cells[name]
        number, step = place.variable.cells, cell.size // shapes.WORD
        words = data[at : at + number * step]
        at += number * step
        if isinstance(cell.type, (NumberType, MemberType)):  # most cells are: each is a single word, unchanged
            found.extend(words)
            continue
        before = known.get(name) if known is not None else None
        if before is None or before[0] != words:
            before = words, [decode(words, i * step, cell.type)[0] for i in range(number)]
            if known is not None:
                known[name] = before
        found.extend(before[1])
    return found


def _options_room(blueprint: Blueprint) -> int:
    """Bytes for as many options as one decision may have, in rows of the widest there are."""
    widest = 1
    for unit in blueprint.units.values():
        for node in code.walk(unit.body):
            match node:
                case code.Choose() | code.RollChance():
                    widest = max(widest, shapes.row_words(node.binds))
                case code.Menu():
                    widest = max(widest, *(1 + shapes.row_words(item.binds) for item in node.items))
                case code.Pay():
                    widest = max(widest, _cell_words(blueprint.program.variables[node.source.variable], None))
    return min(max(mem.OPTIONS_ROOM, shapes.WORD * widest * (blueprint.limits.options + 1)), mem.MOST_OPTIONS_ROOM)


def _aligned(address: int) -> int:
    return (address + 15) & ~15


def _cell_words(variable: Variable, room: int | None) -> int:
    if room is not None:
        assert isinstance(variable.type, (ListType, SetType))
        return 1 + room * shapes.item_words(variable.type)
    size = shapes.fixed_words(variable.type)
    assert size is not None
    return size


def _room(program: Program, blueprint: Blueprint, variable: Variable, initial: list[Any]) -> int | None:
    """The most members that a list in a cell can have; None when the cell holds no list."""
    type_ = variable.type
    if variable.shows is not None and isinstance(type_, ListType):
        base = program.variables[variable.shows]
        return _room(program, blueprint, base, initial) if base.kind == "stack" else 1
    if variable.kind in ("stack", "grid"):
        if variable.capacity is not None:
            return variable.capacity
        # Moves neither make nor lose pieces, so no place can hold more than there are in the game. Positions that are
        # laid out by hand tend to have some more: whoever gives cards to a hand leaves the deck as it was.
        if not _keeps_pieces(program, variable):
            return MOST_UNCOUNTED
        total = _pieces_like(blueprint, variable, initial)
        return max(1, total + total // 4)
    if isinstance(type_, SetType) and shapes.mask_size(type_) is None:
        return min(MOST_UNCOUNTED, _number_of_values(type_.item))
    return variable.capacity if isinstance(type_, ListType) else None


def _most(
    program: Program, blueprint: Blueprint, variable: Variable, initial: list[Any], room: int | None
) -> int | None:
    """The most members that a list in a cell can have if nobody lays out a position by hand."""
    if room is None or variable.kind not in ("stack", "grid") or not _keeps_pieces(program, variable):
        return room
    return min(room, max(1, _pieces_like(blueprint, variable, initial)))


def _keeps_pieces(program: Program, variable: Variable) -> bool:
    """Whether rules only move the pieces that a place can hold."""
    return not any(v.name in _set_by_rules(program) for v in _alike(program, variable))


def _alike(program: Program, variable: Variable) -> list[Variable]:
    """The places that pieces can move to and fro with this one."""
    return [v for v in program.variables.values() if v.kind != "value" and v.element == variable.element]


def _pieces_like(blueprint: Blueprint, variable: Variable, content: Sequence[Any]) -> int:
    """How many pieces lie in all the places like a variable."""
    total = 0
    for other in _alike(blueprint.program, variable):
        place = blueprint.layout.places[other.name]
        for held in content[place.offset : place.offset + other.cells]:
            total += _pieces_in(other, held)
    return total


def _pieces_in(variable: Variable, content: Any) -> int:
    if variable.kind in ("pool", "bag"):
        return sum(content)
    return len(content) if variable.kind in ("stack", "grid") else int(content is not None)


def _number_of_values(type_: Type) -> int:
    return len(values(type_)) if shapes.is_scalar(type_) else MOST_UNCOUNTED


def _set_by_rules(program: Program) -> frozenset[str]:
    """Variables whose content rules set as a whole."""
    found = set()
    for rule in program.rules.values():
        for statement in statements(program, rule.body):
            if isinstance(statement, SetValue):
                found.add(statement.target.variable)
    return frozenset(found)


def uses_together(program: Program) -> bool:

    return any(isinstance(s, Together) for rule in program.rules.values() for s in statements(program, rule.body))


# ---------------------------------------------------------------- values as words


def encode(value: Any, type_: Type) -> list[int]:
    """The words of a value that has a fixed size, pieces and all. The parts of a list are encoded one by one."""
    if shapes.is_scalar(type_):
        return [int(value)]
    if isinstance(type_, OptionalType):
        if shapes.is_scalar(type_.item):
            return [shapes.none_of(type_.item) if value is None else int(value)]
        return [0] * (1 + (shapes.fixed_words(type_.item) or 0)) if value is None else [1, *encode(value, type_.item)]
    if isinstance(type_, NothingType):
        return [shapes.NONE_LOW]
    if isinstance(type_, PiecesType):
        return list(value)
    if isinstance(type_, SetType) and shapes.mask_size(type_) is not None:
        low = type_.item.low if isinstance(type_.item, NumberType) else 0
        mask = sum(1 << (int(member) - low) for member in value)
        return [signed(mask), signed(mask >> 32)]
    if isinstance(type_, (ListType, SetType)):
        members = sorted(value) if isinstance(type_, SetType) else value
        return [len(members), *(w for member in members for w in encode(member, type_.item))]
    items = type_.items  # type: ignore[union-attr]
    return [w for part, item in zip(value, items, strict=True) for w in encode(part, item)]


def decode(data: Sequence[int], at: int, type_: Type) -> tuple[Any, int]:
    """The value whose words begin at a place, and the place after it."""
    if shapes.is_scalar(type_):
        value = data[at]
        return (bool(value) if type(type_).__name__ == "FlagType" else value), at + 1
    if isinstance(type_, OptionalType):
        if shapes.is_scalar(type_.item):
            return (None, at + 1) if data[at] == shapes.none_of(type_.item) else decode(data, at, type_.item)
        if data[at] == 0:
            return None, at + 1 + (shapes.fixed_words(type_.item) or 0)
        return decode(data, at + 1, type_.item)
    if isinstance(type_, NothingType):
        return None, at + 1
    if isinstance(type_, PiecesType):
        size = len(kinds(type_.kind))
        return tuple(data[at : at + size]), at + size
    if isinstance(type_, SetType) and shapes.mask_size(type_) is not None:
        mask = (data[at] & 0xFFFFFFFF) | (data[at + 1] & 0xFFFFFFFF) << 32
        every = values(type_.item)
        return frozenset(v for i, v in enumerate(every) if mask >> i & 1), at + 2
    if isinstance(type_, (ListType, SetType)):
        members, at = _decoded(data, at + 1, repeat(type_.item, data[at]), decode)
        return (members if isinstance(type_, ListType) else frozenset(members)), at
    return _decoded(data, at, type_.items, decode)  # type: ignore[union-attr]


def _decoded(
    data: Sequence[int], at: int, types: Iterable[Type], one: Callable[[Sequence[int], int, Type], tuple[Any, int]]
) -> tuple[tuple[Any, ...], int]:
    """Values one after another, and the place after them."""
    parts = []
    for type_ in types:
        part, at = one(data, at, type_)
        parts.append(part)
    return tuple(parts), at


# Values in rows of options, as words and back.


def encode_row(value: Any, type_: Type) -> list[int]:
    """The words of a value in a row. GameError when there is no room for a list."""
    match type_:
        case OptionalType(item) if not shapes.is_scalar(item):
            if value is None:
                return [0] * (shapes.row_size(type_) or 0)
            return [1, *encode_row(value, item)]
        case TupleType(items) | RecordType(items=items):
            return [word for part, item in zip(value, items, strict=True) for word in encode_row(part, item)]
        case ListType() | SetType() if shapes.is_address(type_):
            if len(value) > shapes.most_members(type_):
                raise GameError(shapes.no_room(len(value), shapes.most_members(type_)))
            found = encode(value, type_)
            return found + [0] * ((shapes.row_size(type_) or 0) - len(found))
    return encode(value, type_)


def decode_row(data: Sequence[int], at: int, type_: Type) -> tuple[Any, int]:
    """The value in a row whose words begin at a place, and the place after it."""
    match type_:
        case OptionalType(item) if not shapes.is_scalar(item):
            value = None if data[at] == 0 else decode_row(data, at + 1, item)[0]
            return value, at + (shapes.row_size(type_) or 0)
        case TupleType(items) | RecordType(items=items):
            return _decoded(data, at, items, decode_row)
        case ListType() | SetType() if shapes.is_address(type_):
            return decode(data, at, type_)[0], at + (shapes.row_size(type_) or 0)
    return decode(data, at, type_)


# Plain data by the words that it is read from.
#
# From one look to the next little changes: so what a cell holds is remembered by its words, and a list by its members.


ROOM = 1 << 14
"""Words that are remembered of cells of one kind."""

FEWEST = 16
"""Contents that are remembered however many words they have."""

Content = int | bytes
"""A word, or several as bytes."""


class CellContents(dict[Content, Any]):
    """Values of a type as plain data, by their words; ``size``: how many these are.

    What is given is shared, so not to be changed or handed out.
    """

    def __init__(self, type_: Type, size: int) -> None:
        super().__init__()
        self._type = type_
        self._size = size
        self._most = max(FEWEST, ROOM // size)
        item = shapes.fixed_words(type_.item) if isinstance(type_, ListType) else None
        self._members = None if item is None or not isinstance(type_, ListType) else CellContents(type_.item, item)

    def __missing__(self, content: Content) -> Any:
        if len(self) >= self._most:
            self.clear()
        found = self[content] = self._read(content)
        return found

    def each(self, data: bytes) -> list[Any]:
        """The values that lie side by side."""
        return [self[content] for content in self._parted(data)]

    def _parted(self, data: bytes) -> Sequence[Content]:
        if self._size == 1:
            return _words(data)
        size = shapes.WORD * self._size
        return [data[at : at + size] for at in range(0, len(data), size)]

    def _read(self, content: Content) -> Any:
        if isinstance(content, bytes) and self._members is not None:
            number = int.from_bytes(content[: shapes.WORD], "little")
            return self._members.each(content[shapes.WORD : shapes.WORD * (1 + number * self._members._size)])
        words = (content,) if isinstance(content, int) else _words(content)
        return plain(decode(words, 0, self._type)[0], self._type)


def _words(data: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(data) // shapes.WORD}i", data)
