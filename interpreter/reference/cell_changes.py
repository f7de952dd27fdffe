"""Instructions that change cells or use chance."""

from __future__ import annotations

from typing import Any

import attrs

from rulelang.program.values import name_of
from rulelang.types import REACH, kinds

from ..errors import ChanceError
from ..evaluation.compiler import Combos, Function
from ..evaluation.runtime import by_square
from ..lowered import code
from ..lowered.cells import Cells, held, misfit, needs_check, overfull, unlike
from ..position import events, faults
from .machine import Frame, Instruction, Machine


def put(
    machine: Machine, instruction: Instruction, cells: Cells, cell: int, value: Any, *, typed: bool = False
) -> None:
    """Store a value after checking that it fits the cell. ``typed``: it is known to be one of the cell's type."""
    wrong = overfull(cells.variable, value) if typed else misfit(cells.variable, value)
    if wrong is not None:
        raise instruction.fault(faults.misfit(cells.text(cells.owners(cell)), wrong))
    machine.store(cell, value)


@attrs.define(eq=False)
class SetCell(Instruction):
    node: code.SetCell
    cells: Cells
    cell: Function
    value: Function
    typed: bool = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.typed = not needs_check(self.cells.variable.type, self.node.value.type)

    def run(self, machine: Machine, frame: Frame) -> None:
        cell = self.cell(machine.cells, frame.local)
        value = self.value(machine.cells, frame.local)
        if self.node.quiet:
            machine.cells[cell] = value
            return
        if self.cells.variable.rolling:
            variable = self.cells.variable
            assert variable.capacity is not None
            wrong = unlike(value, variable.type)
            if wrong is not None:
                raise self.fault(faults.misfit(self.cells.text(self.cells.owners(cell)), wrong))
            value = value[-variable.capacity :]
        before = machine.cells[cell]
        if before == value and self.cells.variable.seen_by == "all":
            return  # what is hidden is always told to be set: that it stays the same would say what it is
        if self.node.checked:
            put(machine, self, self.cells, cell, value, typed=self.typed)
        else:
            machine.store(cell, value)
        if machine.observer is not None and self.cells is machine.blueprint.score:
            machine.observer.scored(self.node, self.cells.owners(cell)[0], value - before)
        machine.note(events.stored, self.node, self.cells, cell, value, before if type(value) is tuple else None)


@attrs.define(eq=False)
class ChangeCell(Instruction):
    """Adds or subtracts; stops at ``not below`` and ``not above`` where the variable has them."""

    node: code.ChangeCell
    cells: Cells
    cell: Function
    amount: Function

    def run(self, machine: Machine, frame: Frame) -> None:
        cell = self.cell(machine.cells, frame.local)
        before = machine.cells[cell]
        value = limited(self.cells, before, self.node.sign * self.amount(machine.cells, frame.local))
        put(machine, self, self.cells, cell, value)
        if machine.observer is not None and self.cells is machine.blueprint.score:
            machine.observer.scored(self.node, self.cells.owners(cell)[0], value - before)
        machine.note(events.stored, self.node, self.cells, cell, value)


def limited(cells: Cells, before: int, change: int) -> int:
    """The number after a change that stops at ``not below`` and ``not above``."""
    floor, ceiling = cells.variable.not_below, cells.variable.not_above
    after = before + change if floor is None else max(before + change, floor)
    return after if ceiling is None else min(after, ceiling)


@attrs.define(eq=False)
class ScorePoints(Instruction):
    node: code.ScorePoints
    cells: Cells
    who: Function
    amount: Function

    def run(self, machine: Machine, frame: Frame) -> None:
        player = self.who(machine.cells, frame.local)
        worth = self.amount(machine.cells, frame.local)
        cell = self.cells.index((player,))
        before = machine.cells[cell]
        after = limited(self.cells, before, self.node.sign * worth)
        # The inputs of the amount are kept, so that the log can explain it when somebody asks.
        seen = list(machine.cells)
        put(machine, self, self.cells, cell, after)
        if machine.observer is not None:
            machine.observer.scored(self.node, player, after - before)
        place = len(machine.frames) - 1
        knowers = machine.blueprint.knowers if self.node.secret else None
        knowing = {slot: knowers.seats(machine.frames, place, slot) for slot in self.node.secret} if knowers else {}
        facts = (self.node, self.cells, player, worth, after - before, after, seen, list(frame.local), knowing)
        machine.note(events.scored, *facts)


@attrs.define(eq=False)
class ShuffleStack(Instruction):
    cells: Cells
    cell: Function

    def run(self, machine: Machine, frame: Frame) -> None:
        cell = self.cell(machine.cells, frame.local)
        machine.store(cell, machine.shuffle(machine.cells[cell]))
        machine.note(events.shuffled, self.node, self.cells, cell)


@attrs.define(eq=False)
class RollChance(Instruction):
    node: code.RollChance
    combos: Combos
    slots: tuple[int, ...]

    def run(self, machine: Machine, frame: Frame) -> None:
        combos = self.combos(machine.cells, frame.local)
        if not combos:
            raise self.fault(faults.NOTHING_TO_ROLL)
        try:
            values = combos[machine.pick(combos, tuple(b.type for b in self.node.binds.binds), self)]
        except ChanceError as error:
            error.seats = _seeing_chance(machine, () if self.node.hidden else None)
            raise
        for slot, value in zip(self.slots, values, strict=True):
            frame.local[slot] = value
        machine.note(events.rolled, self.node, values)


def _seeing_chance(machine: Machine, seats: tuple[int, ...] | None) -> tuple[int, ...] | None:
    """The seats that see what comes up and what could. ``seats``: those that see where it comes from."""
    if machine.secret is None:
        return seats
    player = machine.secret.player
    return () if player is None or (seats is not None and player not in seats) else (player,)


@attrs.define(eq=False)
class MovePieces(Instruction):
    """``amount``: a number, pieces or nothing, depending on ``node.what``; ``kind``: the kind moved, if one is named.

    ``square`` and ``turn``: where in a grid the piece is laid.
    """

    node: code.MovePieces
    amount: Function | None
    kind: Function | None
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
        if machine.observer is not None and len(pieces) < _asked_for(self.node, amount):
            machine.observer.cut_short(self.node.source.variable)
        machine.store(from_cell, rest)
        if laid is None:
            add(machine, self, self.target, to_cell, pieces)
        else:
            lay(machine, self, to_cell, pieces, laid)
        at_random = self.source.variable.kind == "bag" and self.node.what == "number"
        machine.note(events.moved, self.node, self.source, from_cell, self.target, to_cell, pieces, at_random, laid)


def _asked_for(node: code.MovePieces, amount: Any) -> int:
    """How many pieces a move ``up to`` so many would take if they were there; 0 of any other move."""
    if not node.up_to or amount is None:
        return 0
    if node.what == "at":
        return 1
    return int(sum(amount) if type(amount) is tuple else amount)


@attrs.define(eq=False)
class ShowPieces(Instruction):
    """``who``: the seat it is shown to, None for everybody; the others as for ``MovePieces``."""

    node: code.ShowPieces
    amount: Function | None
    kind: Function | None
    source: Cells
    source_cell: Function
    who: Function | None

    def run(self, machine: Machine, frame: Frame) -> None:
        cells, local = machine.cells, frame.local
        cell = self.source_cell(cells, local)
        seat = None if self.who is None else self.who(cells, local)
        shown: Any = cells[cell]
        if self.node.what is not None:
            amount = self.amount(cells, local) if self.amount is not None else None
            kind = self.kind(cells, local) if self.kind is not None else None
            shown, _ = take(machine, self, cell, amount, kind)
        machine.note(events.shown, self.node, self.source, cell, shown, seat)


def take(
    machine: Machine, move: MovePieces | ShowPieces, cell: int, amount: Any, kind: Any
) -> tuple[tuple[int, ...], Any]:
    """The pieces a move takes, in order, and the rest of its source."""
    variable = move.source.variable
    assert variable.element is not None
    content = machine.cells[cell]
    if move.node.what in ("number", "number of", "at") and amount < 0:
        raise move.fault(faults.negative(amount))
    if variable.kind in ("pool", "bag"):
        return _from_counts(machine, move, cell, content, amount, kind)
    if variable.kind == "grid":
        # The last piece laid is the open end.
        places = _from_stack(move, cell, tuple(spot[0] for spot in content), amount, kind)
        left = tuple(spot for i, spot in enumerate(content) if i not in places)
        return tuple(content[i][0] for i in sorted(places)), left
    stack = content if variable.kind == "stack" else () if content is None else (content,)
    places = _from_stack(move, cell, stack, amount, kind)
    rest = tuple(piece for i, piece in enumerate(stack) if i not in places)
    pieces = tuple(stack[i] for i in sorted(places))
    return pieces, rest if variable.kind == "stack" else (rest[0] if rest else None)


def _enough(move: MovePieces | ShowPieces, cell: int, asked: int, there: int, of: int | None) -> int:
    """How many pieces to take; fewer than asked only when the move says ``up to``."""
    if asked <= there:
        return asked
    if move.node.up_to:
        return there
    element = move.source.variable.element
    assert element is not None
    kind = None if of is None else name_of(of, element)
    place = move.source.text(move.source.owners(cell))
    raise move.fault(faults.short(place, there, kind, asked))


def _from_counts(
    machine: Machine, move: MovePieces | ShowPieces, cell: int, counts: tuple[int, ...], amount: Any, kind: Any
) -> tuple[tuple[int, ...], Any]:
    variable = move.source.variable
    assert variable.element is not None
    every = kinds(variable.element)
    taken = [0] * len(counts)
    if move.node.what == "all":
        taken = list(counts)
    elif move.node.what in ("all of", "number of"):
        if kind in every:
            i = every.index(kind)
            taken[i] = counts[i] if move.node.what == "all of" else _enough(move, cell, amount, counts[i], kind)
        elif move.node.what == "number of":
            _enough(move, cell, amount, 0, None)
    elif move.node.what == "pieces":
        for i, asked in enumerate(amount):
            taken[i] = _enough(move, cell, asked, counts[i], every[i])
    elif move.node.what == "number":
        number = _enough(move, cell, amount, sum(counts), None)
        if variable.kind == "bag":
            try:
                return _drawn(machine, move, counts, number)
            except ChanceError as error:
                followed = not machine.edited and machine.blueprint.knowers.follows(variable.name)
                error.seats = _seeing_chance(machine, None if followed else move.source.seats(move.source.owners(cell)))
                raise
        present = [i for i, n in enumerate(counts) if n]
        if number and len(present) != 1:
            raise move.fault(faults.SEVERAL_KINDS)
        for i in present:
            taken[i] = number
    else:
        raise move.fault(faults.NO_POSITIONS)
    pieces = tuple(k for k, n in zip(every, taken, strict=True) for _ in range(n))
    return pieces, tuple(n - t for n, t in zip(counts, taken, strict=True))


def _drawn(
    machine: Machine, move: MovePieces | ShowPieces, counts: tuple[int, ...], number: int
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


def _from_stack(move: MovePieces | ShowPieces, cell: int, stack: tuple[int, ...], amount: Any, kind: Any) -> set[int]:
    """The positions taken, from 0 at the bottom."""
    size = len(stack)
    if move.node.what == "all":
        return set(range(size))
    if move.node.what == "number":
        return set(range(size - _enough(move, cell, amount, size, None), size))
    if move.node.what == "at":
        if 0 < amount <= size:
            return {amount - 1}
        if move.node.up_to:
            return set()
        place = move.source.text(move.source.owners(cell))
        raise move.fault(faults.no_piece_at(place, size, amount))
    if move.node.what in ("all of", "number of"):
        found = [i for i, piece in enumerate(stack) if piece == kind]
        number = len(found) if move.node.what == "all of" else _enough(move, cell, amount, len(found), kind)
        return set(found[len(found) - number :])
    assert move.source.variable.element is not None
    taken: set[int] = set()
    for k, asked in zip(kinds(move.source.variable.element), amount, strict=True):
        found = [i for i, piece in enumerate(stack) if piece == k]
        taken |= set(found[len(found) - _enough(move, cell, asked, len(found), k) :])
    return taken


def lay(machine: Machine, move: MovePieces, cell: int, pieces: tuple[int, ...], laid: tuple[int, int, int]) -> None:
    """Lay one piece on a square of a grid."""
    if not pieces:
        return
    x, y, turn = laid
    variable = move.target.variable
    content = machine.cells[cell]
    place = move.target.text(move.target.owners(cell))
    if len(pieces) > 1:
        raise move.fault(faults.one_square(len(pieces)))
    if variable.capacity is not None and len(content) >= variable.capacity:
        raise move.fault(faults.full(place, 1, variable.capacity))
    if max(abs(x), abs(y)) > REACH:
        raise move.fault(faults.out_of_reach(x, y, place, REACH))
    if (x, y) in by_square(content):
        raise move.fault(faults.taken(x, y, place))
    if not 0 <= turn <= 3:
        raise move.fault(faults.turn(turn))
    assert variable.element is not None
    if pieces[0] not in kinds(variable.element):
        raise move.fault(faults.wrong_pieces(place))
    machine.store(cell, (*content, (pieces[0], x, y, turn)))


def add(machine: Machine, instruction: Instruction, target: Cells, cell: int, pieces: tuple[int, ...]) -> None:
    """Put pieces in a place, in a stack on its open end."""
    if not pieces:
        return
    variable = target.variable
    content = machine.cells[cell]
    assert variable.element is not None
    every = kinds(variable.element)
    if not all(piece in every for piece in pieces):
        raise instruction.fault(faults.wrong_pieces(target.text(target.owners(cell))))
    capacity = 1 if variable.kind == "slot" else variable.capacity
    if capacity is not None and held(variable, content) + len(pieces) > capacity:
        raise instruction.fault(faults.full(target.text(target.owners(cell)), len(pieces), capacity))
    if variable.kind == "stack":
        machine.store(cell, content + pieces)
    elif variable.kind == "slot":
        machine.store(cell, pieces[0])
    else:
        counts = list(content)
        for piece in pieces:
            counts[piece - every.start] += 1
        machine.store(cell, tuple(counts))
