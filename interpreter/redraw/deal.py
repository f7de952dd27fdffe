"""Refilling of hidden cells: pieces are dealt out, values guessed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rulelang import types as ty
from rulelang.program import SIDE_STEPS, Variable
from rulelang.program.values import belongs

from .knowledge import HiddenGroup, SeatMemory

if TYPE_CHECKING:
    from ..chance import Stream
    from ..lowered.cells import Cells

_FEW = 20
"""Up to this many numbers are equally likely; of a wider range, those near the seat's own value are taken."""

_LENGTH = 3


def deal(group: HiddenGroup, memory: SeatMemory, owners: Mapping[int, Cells], stream: Stream, cells: list[Any]) -> None:
    """Deal the pieces of a group into its cells, every way that agrees with the memory being equally likely.

    Pieces are left over or made up only if the position was set up by hand with too many or too few.
    """
    rest = Counter(group.pieces)
    for cell in group.cells:
        rest.subtract(memory.certain.get(cell, ()))
    pieces = stream.shuffled((+rest).elements())
    dealt = {cell: list(memory.certain.get(cell, ())) for cell in group.cells}
    for cell, held in dealt.items():
        kinds_here = _kinds(owners[cell].variable)
        for _ in range(memory.sizes.get(cell, 0) - len(held)):
            held.append(pieces.pop() if pieces else kinds_here[stream.below(len(kinds_here))])
    unsized = [cell for cell in group.cells if cell not in memory.sizes]
    for piece in pieces:
        room = [cell for cell in unsized if _has_room(owners[cell].variable, dealt[cell], piece)]
        if room:
            dealt[room[stream.below(len(room))]].append(piece)
    for cell, held in dealt.items():
        cells[cell] = _laid(owners[cell].variable, held, memory.tops.get(cell, ()), stream)


def _kinds(variable: Variable) -> range:
    assert variable.element is not None
    return ty.kinds(variable.element)


def _has_room(variable: Variable, held: Sequence[int], piece: int) -> bool:
    capacity = 1 if variable.kind == "slot" else variable.capacity
    return piece in _kinds(variable) and (capacity is None or len(held) < capacity)


def _laid(variable: Variable, pieces: list[int], top: Sequence[int | None], stream: Stream) -> Any:
    """The pieces in the form that the cell of a place holds. ``top``: those of a stack that are known to lie there."""
    match variable.kind:
        case "pool" | "bag":
            counts = Counter(pieces)
            return tuple(counts[kind] for kind in _kinds(variable))
        case "stack":
            return tuple(reversed(_under(top, pieces, stream)))
        case "grid":
            return tuple(_spots(stream.shuffled(pieces), stream))
    return pieces[0] if pieces else None


def _under(top: Sequence[int | None], pieces: list[int], stream: Stream) -> list[int]:
    """The pieces of a stack from the top on, those that are known in their places."""
    rest = list(pieces)
    fixed: dict[int, int] = {}
    for position, piece in enumerate(top[: len(pieces)]):
        if piece is not None and piece in rest:
            rest.remove(piece)
            fixed[position] = piece
    others = stream.shuffled(rest)
    return [fixed[position] if position in fixed else others.pop() for position in range(len(pieces))]


def _spots(pieces: list[int], stream: Stream) -> list[tuple[int, int, int, int]]:
    """The pieces laid side by side from the origin on, turned at random."""
    found: list[tuple[int, int, int, int]] = []
    free = [(0, 0)]
    for piece in pieces:
        x, y = free.pop(stream.below(len(free)))
        found.append((piece, x, y, stream.below(4)))
        taken = {spot[1:3] for spot in found}
        free += [
            (x + dx, y + dy) for dx, dy in SIDE_STEPS if (x + dx, y + dy) not in taken and (x + dx, y + dy) not in free
        ]
    return found


# ---------------------------------------------------------------- values


def guessed(variable: Variable, own: Any, stream: Stream) -> Any:
    """A guessed value of a cell; ``own``: see ``guess``. A list is no longer than there is room for."""
    value = guess(variable.type, own, stream)
    return value[: variable.capacity] if isinstance(variable.type, ty.ListType) else value


def guess(type_: ty.Type, own: Any, stream: Stream) -> Any:
    """A guessed value of the type. ``own``: the seat's own value of the same variable, None where it has none.

    In a wide range of numbers, those up to twice the seat's own are equally likely: another player's hidden number is
    assumed to be of a similar size.
    """
    match type_:
        case ty.MemberType(domain):
            return stream.below(len(domain))
        case ty.FlagType():
            return bool(stream.below(2))
        case ty.NumberType(low, high):
            if high - low >= _FEW and type(own) is int:
                high = min(high, max(low + _FEW, 2 * own - min(low, own)))
            return low + stream.below(high - low + 1)
        case ty.OptionalType(item):
            return guess(item, own, stream) if stream.below(2) else None
        case ty.PiecesType(kind):
            return tuple(stream.below(_LENGTH) for _ in ty.kinds(kind))
        case ty.ListType(item):
            return tuple(guess(item, None, stream) for _ in range(stream.below(_LENGTH)))
        case ty.SetType(item):
            return frozenset(guess(item, None, stream) for _ in range(stream.below(_LENGTH)))
        case ty.TupleType() | ty.RecordType():
            return tuple(guess(item, None, stream) for item in type_.items)
    raise ValueError(f"a value of this type cannot be guessed: {type_}")


def others_of(variable: Variable, now: Any, most: int, stream: Stream) -> list[Any]:
    """Values of a cell that could replace ``now``; a list is no longer than there is room for."""
    found = others(variable.type, now, most, stream)
    return [value[: variable.capacity] for value in found] if isinstance(variable.type, ty.ListType) else found


def others(type_: ty.Type, now: Any, most: int, stream: Stream) -> list[Any]:
    """Values of a type that could replace ``now``: all of them if there are at most ``most``."""
    match type_:
        case ty.FlagType():
            return [not now]
        case ty.OptionalType(item):
            inner = others(item, now, most, stream)
            return inner if now is None else [None, *inner]
        case ty.MemberType() | ty.NumberType():
            every = ty.kinds(type_)
            if len(every) > most:
                every = range(every.start, every.start + most)
            return [value for value in every if value != now and belongs(value, type_)]
    return [guess(type_, now, stream) for _ in range(_FEW)]
