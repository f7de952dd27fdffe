"""Layout of a game's variables in one list of cells, and the values that fit a cell."""

from __future__ import annotations

from typing import Any

from rulelang import types as ty
from rulelang.program import Program, Variable
from rulelang.program.values import belongs, name_of
from rulelang.structural import Structural, frozen


@frozen
class Cells(Structural):
    """The cells of one variable: ``offset`` is the first, ``strides`` the steps of its owners (row-major)."""

    variable: Variable
    offset: int
    strides: tuple[int, ...]

    def index(self, owners: tuple[int, ...]) -> int:
        """The index of one cell in the list of all cells."""
        return self.offset + sum(o * s for o, s in zip(owners, self.strides, strict=True))

    def owners(self, cell: int) -> tuple[int, ...]:
        """The owners of the cell with this index."""
        rest = cell - self.offset
        owners = []
        for stride in self.strides:
            owner, rest = divmod(rest, stride)
            owners.append(owner)
        return tuple(owners)

    def text(self, owners: tuple[int, ...]) -> str:
        """The cell as people name it: ``hand[blue]``."""
        if not owners:
            return self.variable.name
        names = (name_of(o, t) for o, t in zip(owners, self.variable.owners, strict=True))
        return f"{self.variable.name}[{', '.join(names)}]"

    def seats(self, owners: tuple[int, ...]) -> tuple[int, ...] | None:
        """Who sees the content of the cell; None for everybody."""
        return self.variable.seats(owners)


@frozen
class Layout(Structural):
    """The cells of all variables of a program; ``size`` in all.

    ``of_cell``: for each cell, those of its variable. ``seen_by``: the seats that see its content, None for everybody.
    """

    places: dict[str, Cells]
    size: int
    of_cell: dict[int, Cells]
    seen_by: tuple[tuple[int, ...] | None, ...]

    @classmethod
    def of(cls, program: Program) -> Layout:
        places: dict[str, Cells] = {}
        offset = 0
        for name, variable in program.variables.items():
            strides: list[int] = []
            step = 1
            for owner in reversed(variable.owners):
                strides.insert(0, step)
                step *= len(owner.domain)
            places[name] = Cells(variable, offset, tuple(strides))
            offset += variable.cells
        of_cell = {place.offset + i: place for place in places.values() for i in range(place.variable.cells)}
        seen_by = tuple(place.seats(place.owners(cell)) for cell, place in of_cell.items())
        return cls(places, offset, of_cell, seen_by)


def empty_value(variable: Variable) -> Any:
    """The initial value of a cell when the rules give none: 0, no, none, the first member, or empty."""
    if variable.kind in ("pool", "bag"):
        assert variable.element is not None
        return (0,) * len(ty.kinds(variable.element))
    if variable.kind in ("stack", "grid"):
        return ()
    if variable.kind == "slot":
        return None
    return _first(variable.type)


def _first(type_: ty.Type) -> Any:
    match type_:
        case ty.NumberType(low, high):
            return 0 if low <= 0 <= high else low
        case ty.FlagType():
            return False
        case ty.MemberType():
            return 0
        case ty.PiecesType(kind):
            return (0,) * len(ty.kinds(kind))
        case ty.ListType():
            return ()
        case ty.SetType():
            return frozenset()
        case ty.TupleType() | ty.RecordType():
            return tuple(_first(item) for item in type_.items)
        case _:
            return None


def needs_check(type_: ty.Type, given: ty.Type) -> bool:
    """Whether a value of type ``given`` may fall outside ``type_``, so that storing it must be checked."""
    if isinstance(type_, ty.NumberType):
        return not (isinstance(given, ty.NumberType) and type_.low <= given.low and given.high <= type_.high)
    if isinstance(type_, ty.OptionalType):
        inner = given.item if isinstance(given, ty.OptionalType) else given
        return given != type_ and needs_check(type_.item, inner)
    return type_ != given


def argument_bounds(wanted: ty.Type, given: ty.Type) -> ty.NumberType | None:
    """The range of a parameter, if an argument of type ``given`` may lie outside it."""
    number = wanted.item if isinstance(wanted, ty.OptionalType) else wanted
    return number if isinstance(number, ty.NumberType) and needs_check(wanted, given) else None


def misfit(variable: Variable, value: Any) -> str | None:
    """Why a cell of the variable cannot hold the value, for people to read; None when it can."""
    wrong = unlike(value, variable.type)
    return overfull(variable, value) if wrong is None else wrong


def overfull(variable: Variable, value: Any) -> str | None:
    """Why a cell of the variable has no room for a value of its type, for people to read; None when it has."""
    if variable.capacity is not None and variable.shows is None:
        count = held(variable, value)
        if count > variable.capacity:
            return too_many_in(variable, count)
    if variable.kind == "grid" and len({spot[1:3] for spot in value}) < len(value):
        return "two pieces lie on one square"
    return None


def unlike(value: Any, type_: ty.Type) -> str | None:
    """Why a value is not one of a type, for people to read; None when it is. Of several numbers it names the first."""
    if belongs(value, type_):
        return None
    if isinstance(type_, ty.OptionalType):
        return unlike(value, type_.item)
    if isinstance(type_, ty.NumberType) and type(value) is int:
        return outside(value, type_.low, type_.high)
    if isinstance(type_, ty.ListType) and isinstance(value, tuple):
        return next((wrong for member in value if (wrong := unlike(member, type_.item)) is not None), None)
    if isinstance(type_, (ty.TupleType, ty.RecordType)) and isinstance(value, tuple) and len(value) == len(type_.items):
        parts = zip(value, type_.items, strict=True)
        return next((wrong for part, item in parts if (wrong := unlike(part, item)) is not None), None)
    return "the value is of the wrong type"


def outside(value: int, low: int, high: int) -> str:
    return f"{value} is outside {low}..{high}"


def too_many(count: int, capacity: int) -> str:
    return f"{count} pieces do not fit; there is room for {capacity}"


def too_many_in(variable: Variable, count: int) -> str:
    """Why a place or a list does not take so many."""
    most = variable.capacity or 0
    if variable.history:
        return f"only {most} positions can be remembered; forget some, raise the bound, or keep only the `last {most}`"
    if variable.kind == "value":
        return f"{count} members do not fit; there is room for {most}"
    return too_many(count, most)


def held(variable: Variable, value: Any) -> int:
    """How many pieces a cell holds."""
    if variable.kind in ("pool", "bag"):
        return sum(value)
    if variable.kind in ("stack", "grid") or isinstance(variable.type, ty.ListType):
        return len(value)
    return 0 if value is None else 1
