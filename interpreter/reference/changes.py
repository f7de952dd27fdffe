"""Instructions that change cells, and chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulelang import program as ir
from rulelang.program.values import name_of
from rulelang.types import REACH, kinds

from ..evaluation.compiler import Combos, Function
from ..evaluation.runtime import by_square
from ..position import events
from ..position.cells import Cells, held, misfit
from .code import Instruction

if TYPE_CHECKING:
    from .machine import Frame, Machine


def put(machine: Machine, instruction: Instruction, cells: Cells, cell: int, value: Any) -> None:
    """Stores a value after asking whether it fits there."""
    wrong = misfit(cells.variable, value)
    if wrong is not None:
        raise instruction.fault(f"{cells.text(cells.owners(cell))}: {wrong}")
    machine.store(cell, value)


@attrs.define(eq=False, kw_only=True)
class SetCell(Instruction):
    cells: Cells
    cell: Function
    value: Function
    checked: bool

    def run(self, machine: Machine, frame: Frame) -> None:
        cell = self.cell(machine.cells, frame.local)
        value = self.value(machine.cells, frame.local)
        if machine.cells[cell] == value:
            return
        if self.checked:
            put(machine, self, self.cells, cell, value)
        else:
            machine.store(cell, value)
        machine.note(events.stored, self, self.cells, cell, value)


@attrs.define(eq=False, kw_only=True)
class ChangeCell(Instruction):
    """Adds or takes away; stops at ``not below`` where the variable has one."""

    cells: Cells
    cell: Function
    sign: int
    amount: Function

    def run(self, machine: Machine, frame: Frame) -> None:
        cell = self.cell(machine.cells, frame.local)
        value = limited(self.cells, machine.cells[cell], self.sign * self.amount(machine.cells, frame.local))
        put(machine, self, self.cells, cell, value)
        machine.note(events.stored, self, self.cells, cell, value)


def limited(cells: Cells, before: int, change: int) -> int:
    """The number after a change that stops at ``not below``."""
    floor = cells.variable.not_below
    return before + change if floor is None else max(before + change, floor)


@attrs.define(eq=False, kw_only=True)
class ScorePoints(Instruction):
    statement: ir.Score
    cells: Cells
    who: Function
    amount: Function

    def run(self, machine: Machine, frame: Frame) -> None:
        player = self.who(machine.cells, frame.local)
        change = self.statement.sign * self.amount(machine.cells, frame.local)
        cell = self.cells.index((player,))
        before = machine.cells[cell]
        after = limited(self.cells, before, change)
        # What the amount was worked out from is kept, so that it can be told when somebody asks.
        seen = list(machine.cells)
        put(machine, self, self.cells, cell, after)
        facts = (self, self.statement, self.cells, player, after - before, after, seen, list(frame.local))
        machine.note(events.scored, *facts)


@attrs.define(eq=False, kw_only=True)
class ShuffleStack(Instruction):
    cells: Cells
    cell: Function

    def run(self, machine: Machine, frame: Frame) -> None:
        cell = self.cell(machine.cells, frame.local)
        machine.store(cell, machine.shuffle(machine.cells[cell]))
        machine.note(events.shuffled, self, self.cells, cell)


@attrs.define(eq=False, kw_only=True)
class RollChance(Instruction):
    roll: ir.Roll
    combos: Combos
    slots: tuple[int, ...]
    hidden: bool = False

    def run(self, machine: Machine, frame: Frame) -> None:
        combos = self.combos(machine.cells, frame.local)
        if not combos:
            raise self.fault("there is nothing to roll for")
        values = combos[machine.pick(combos, tuple(b.type for b in self.roll.binds.binds), self)]
        for slot, value in zip(self.slots, values, strict=True):
            frame.local[slot] = value
        machine.note(events.rolled, self, self.roll, values, self.hidden)


@attrs.define(eq=False, kw_only=True)
class MovePieces(Instruction):
    """``amount``: a number, pieces, or nothing, as ``what`` says; ``kind``: the kind moved, where one is named.

    ``square`` and ``turn``: where in a grid the piece is laid.
    """

    what: str
    amount: Function | None
    kind: Function | None
    up_to: bool
    source: Cells
    source_cell: Function
    target: Cells
    target_cell: Function
    square: Function | None = None
    turn: Function | None = None

    def run(self, machine: Machine, frame: Frame) -> None:
        cells, local = machine.cells, frame.local
        amount = self.amount(cells, local) if self.amount is not None else None
        kind = self.kind(cells, local) if self.kind is not None else None
        from_cell, to_cell = self.source_cell(cells, local), self.target_cell(cells, local)
        laid = None
        if self.square is not None and self.turn is not None:
            laid = (*self.square(cells, local), self.turn(cells, local))
        pieces, rest = take(machine, self, from_cell, amount, kind)
        machine.store(from_cell, rest)
        if laid is None:
            add(machine, self, self.target, to_cell, pieces)
        else:
            lay(machine, self, to_cell, pieces, laid)
        at_random = self.source.variable.kind == "bag" and self.what == "number"
        machine.note(events.moved, self, self.source, from_cell, self.target, to_cell, pieces, at_random, laid)


def take(machine: Machine, move: MovePieces, cell: int, amount: Any, kind: Any) -> tuple[tuple[int, ...], Any]:
    """The pieces a move takes, in order, and what is left in its source."""
    variable = move.source.variable
    assert variable.element is not None
    content = machine.cells[cell]
    if move.what in ("number", "number of", "at") and amount < 0:
        raise move.fault(f"{amount} pieces cannot be moved")
    if variable.kind in ("pool", "bag"):
        return _from_counts(machine, move, cell, content, amount, kind)
    if variable.kind == "grid":
        # The piece laid last is the open end.
        places = _from_stack(move, cell, tuple(spot[0] for spot in content), amount, kind)
        left = tuple(spot for i, spot in enumerate(content) if i not in places)
        return tuple(content[i][0] for i in sorted(places)), left
    stack = content if variable.kind == "stack" else () if content is None else (content,)
    places = _from_stack(move, cell, stack, amount, kind)
    rest = tuple(piece for i, piece in enumerate(stack) if i not in places)
    pieces = tuple(stack[i] for i in sorted(places))
    return pieces, rest if variable.kind == "stack" else (rest[0] if rest else None)


def _enough(move: MovePieces, cell: int, asked: int, there: int, of: int | None) -> int:
    """How many pieces to take; fewer than asked only when the move says ``up to``."""
    if asked <= there:
        return asked
    if move.up_to:
        return there
    element = move.source.variable.element
    assert element is not None
    kind = "" if of is None else f" {name_of(of, element)}"
    place = move.source.text(move.source.owners(cell))
    raise move.fault(f"{place} holds {there}{kind}, {asked} are needed; write `up to`, or check before")


def _from_counts(
    machine: Machine, move: MovePieces, cell: int, counts: tuple[int, ...], amount: Any, kind: Any
) -> tuple[tuple[int, ...], Any]:
    variable = move.source.variable
    assert variable.element is not None
    every = kinds(variable.element)
    taken = [0] * len(counts)
    if move.what == "all":
        taken = list(counts)
    elif move.what in ("all of", "number of"):
        if kind in every:
            i = every.index(kind)
            taken[i] = counts[i] if move.what == "all of" else _enough(move, cell, amount, counts[i], kind)
        elif move.what == "number of":
            _enough(move, cell, amount, 0, None)
    elif move.what == "pieces":
        for i, asked in enumerate(amount):
            taken[i] = _enough(move, cell, asked, counts[i], every[i])
    elif move.what == "number":
        number = _enough(move, cell, amount, sum(counts), None)
        if variable.kind == "bag":
            return _drawn(machine, move, counts, number)
        present = [i for i, n in enumerate(counts) if n]
        if number and len(present) != 1:
            raise move.fault("the pool holds pieces of several kinds; say which, as in `move 1 of ...`")
        for i in present:
            taken[i] = number
    else:
        raise move.fault("a pool has no positions")
    pieces = tuple(k for k, n in zip(every, taken, strict=True) for _ in range(n))
    return pieces, tuple(n - t for n, t in zip(counts, taken, strict=True))


def _drawn(
    machine: Machine, move: MovePieces, counts: tuple[int, ...], number: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    element = move.source.variable.element
    assert element is not None
    every = kinds(element)
    left = list(counts)
    pieces = []
    for _ in range(number):
        i = machine.draw(tuple(left), element, move)
        left[i] -= 1
        pieces.append(every[i])
    return tuple(pieces), tuple(left)


def _from_stack(move: MovePieces, cell: int, stack: tuple[int, ...], amount: Any, kind: Any) -> set[int]:
    """The positions taken, from 0 at the bottom."""
    size = len(stack)
    if move.what == "all":
        return set(range(size))
    if move.what == "number":
        return set(range(size - _enough(move, cell, amount, size, None), size))
    if move.what == "at":
        if 0 < amount <= size:
            return {amount - 1}
        if move.up_to:
            return set()
        place = move.source.text(move.source.owners(cell))
        raise move.fault(f"{place} holds {size} pieces, there is none at position {amount}")
    if move.what in ("all of", "number of"):
        found = [i for i, piece in enumerate(stack) if piece == kind]
        number = len(found) if move.what == "all of" else _enough(move, cell, amount, len(found), kind)
        return set(found[len(found) - number :])
    assert move.source.variable.element is not None
    taken: set[int] = set()
    for k, asked in zip(kinds(move.source.variable.element), amount, strict=True):
        found = [i for i, piece in enumerate(stack) if piece == k]
        taken |= set(found[len(found) - _enough(move, cell, asked, len(found), k) :])
    return taken


def lay(machine: Machine, move: MovePieces, cell: int, pieces: tuple[int, ...], laid: tuple[int, int, int]) -> None:
    """Lays one piece on a square of a grid."""
    if not pieces:
        return
    x, y, turn = laid
    variable = move.target.variable
    content = machine.cells[cell]
    place = move.target.text(move.target.owners(cell))
    if len(pieces) > 1:
        raise move.fault(f"{len(pieces)} pieces cannot be laid on one square")
    if variable.capacity is not None and len(content) >= variable.capacity:
        raise move.fault(f"{place} is full: there is room for {variable.capacity} pieces")
    if max(abs(x), abs(y)) > REACH:
        raise move.fault(f"({x}, {y}) is out of reach: {place} goes {REACH} squares from its origin")
    if (x, y) in by_square(content):
        raise move.fault(f"({x}, {y}) in {place} is taken")
    if not 0 <= turn <= 3:
        raise move.fault(f"a piece is turned by 0 to 3 quarter turns, not by {turn}")
    assert variable.element is not None
    if pieces[0] not in kinds(variable.element):
        raise move.fault(f"{place} does not take such pieces")
    machine.store(cell, (*content, (pieces[0], x, y, turn)))


def add(machine: Machine, instruction: Instruction, target: Cells, cell: int, pieces: tuple[int, ...]) -> None:
    """Lays pieces into a place, on the open end of a stack."""
    if not pieces:
        return
    variable = target.variable
    content = machine.cells[cell]
    assert variable.element is not None
    every = kinds(variable.element)
    place = target.text(target.owners(cell))
    if not all(piece in every for piece in pieces):
        raise instruction.fault(f"{place} does not take such pieces")
    capacity = 1 if variable.kind == "slot" else variable.capacity
    if capacity is not None and held(variable, content) + len(pieces) > capacity:
        room = max(0, capacity - held(variable, content))
        raise instruction.fault(f"{place} is full: {len(pieces)} more, there is room for {room}")
    if variable.kind == "stack":
        machine.store(cell, content + pieces)
    elif variable.kind == "slot":
        machine.store(cell, pieces[0])
    else:
        counts = list(content)
        for piece in pieces:
            counts[piece - every.start] += 1
        machine.store(cell, tuple(counts))
