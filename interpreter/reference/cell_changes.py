"""Steps that change cells or use chance: each function runs one kind of node of the lowered code."""

from __future__ import annotations

from typing import Any

from rulelang.program.values import name_of
from rulelang.types import REACH, kinds

from ..errors import ChanceError
from ..evaluation.runtime import by_square
from ..lowered import code
from ..lowered.cells import Cells, held, misfit, needs_check, overfull, unlike
from ..position import events, faults
from .machine import Frame, Machine, Step


def put(machine: Machine, step: Step, cells: Cells, cell: int, value: Any, *, typed: bool = False) -> None:
    """Store a value after checking that it fits the cell. ``typed``: it is known to be one of the cell's type."""
    wrong = overfull(cells.variable, value) if typed else misfit(cells.variable, value)
    if wrong is not None:
        raise step.fault(faults.misfit(cells.text(cells.owners(cell)), wrong))
    machine.store(cell, value)


def set_cell(machine: Machine, frame: Frame, step: Step) -> None:
    node, (cells, index) = step.node, step.made.target
    cell = index(machine.cells, frame.local)
    value = step.made.value(machine.cells, frame.local)
    if node.quiet:
        machine.cells[cell] = value
        return
    if cells.variable.rolling:
        wrong = unlike(value, cells.variable.type)
        if wrong is not None:
            raise step.fault(faults.misfit(cells.text(cells.owners(cell)), wrong))
        value = value[-cells.variable.capacity :]
    before = machine.cells[cell]
    if before == value and cells.variable.seen_by == "all":
        return  # what is hidden is always told to be set: that it stays the same would say what it is
    if node.checked:
        put(machine, step, cells, cell, value, typed=not needs_check(cells.variable.type, node.value.type))
    else:
        machine.store(cell, value)
    _scored(machine, step, cells, cell, before, value)
    machine.note(events.stored, node, cells, cell, value, before if type(value) is tuple else None)


def _scored(machine: Machine, step: Step, cells: Cells, cell: int, before: Any, value: Any) -> None:
    if machine.observer is not None and cells is machine.blueprint.score:
        machine.observer.scored(step.node, cells.owners(cell)[0], value - before)


def change_cell(machine: Machine, frame: Frame, step: Step) -> None:
    """Adds or subtracts; stops at ``not below`` and ``not above`` where the variable has them."""
    cells, index = step.made.target
    cell = index(machine.cells, frame.local)
    before = machine.cells[cell]
    value = limited(cells, before, step.node.sign * step.made.amount(machine.cells, frame.local))
    put(machine, step, cells, cell, value)
    _scored(machine, step, cells, cell, before, value)
    machine.note(events.stored, step.node, cells, cell, value)


def limited(cells: Cells, before: int, change: int) -> int:
    """The number after a change that stops at ``not below`` and ``not above``."""
    floor, ceiling = cells.variable.not_below, cells.variable.not_above
    after = before + change if floor is None else max(before + change, floor)
    return after if ceiling is None else min(after, ceiling)


def score_points(machine: Machine, frame: Frame, step: Step) -> None:
    node, cells = step.node, step.made.cells
    player = step.made.who(machine.cells, frame.local)
    worth = step.made.amount(machine.cells, frame.local)
    cell = cells.index((player,))
    before = machine.cells[cell]
    after = limited(cells, before, node.sign * worth)
    # The inputs of the amount are kept, so that the log can explain it when somebody asks.
    seen = list(machine.cells)
    put(machine, step, cells, cell, after)
    if machine.observer is not None:
        machine.observer.scored(node, player, after - before)
    place = len(machine.frames) - 1
    knowers = machine.blueprint.knowers if node.secret else None
    knowing = {slot: knowers.seats(machine.frames, place, slot) for slot in node.secret} if knowers else {}
    facts = (node, cells, player, worth, after - before, after, seen, list(frame.local), knowing)
    machine.note(events.scored, *facts)


def shuffle_stack(machine: Machine, frame: Frame, step: Step) -> None:
    cells, index = step.made.place
    cell = index(machine.cells, frame.local)
    machine.store(cell, machine.shuffle(machine.cells[cell]))
    machine.note(events.shuffled, step.node, cells, cell)


def roll_chance(machine: Machine, frame: Frame, step: Step) -> None:
    combos = step.made.combos(machine.cells, frame.local)
    if not combos:
        raise step.fault(faults.NOTHING_TO_ROLL)
    try:
        values = combos[machine.pick(combos, tuple(b.type for b in step.node.binds.binds), step)]
    except ChanceError as error:
        error.seats = _seeing_chance(machine, () if step.node.hidden else None)
        raise
    for slot, value in zip(step.made.slots, values, strict=True):
        frame.local[slot] = value
    machine.note(events.rolled, step.node, values)


def _seeing_chance(machine: Machine, seats: tuple[int, ...] | None) -> tuple[int, ...] | None:
    """The seats that see what comes up and what could. ``seats``: those that see where it comes from."""
    if machine.secret is None:
        return seats
    player = machine.secret.player
    return () if player is None or (seats is not None and player not in seats) else (player,)


def move_pieces(machine: Machine, frame: Frame, step: Step) -> None:
    node, made, cells, local = step.node, step.made, machine.cells, frame.local
    amount, kind = _wanted(machine, frame, step)
    (source, from_), (target, to) = made.source, made.target
    from_cell, to_cell = from_(cells, local), to(cells, local)
    laid = None
    if made.square is not None and made.turn is not None:
        laid = (*made.square(cells, local), made.turn(cells, local))
    pieces, rest = take(machine, step, from_cell, amount, kind)
    if machine.observer is not None and len(pieces) < _asked_for(node, amount):
        machine.observer.cut_short(node.source.variable)
    machine.store(from_cell, rest)
    if laid is None:
        add(machine, step, target, to_cell, pieces)
    else:
        lay(machine, step, target, to_cell, pieces, laid)
    at_random = source.variable.kind == "bag" and node.what == "number"
    machine.note(events.moved, node, source, from_cell, target, to_cell, pieces, at_random, laid)


def _wanted(machine: Machine, frame: Frame, step: Step) -> tuple[Any, Any]:
    """How many are moved or shown, a number or pieces, depending on ``what``; and of which kind, if one is named."""
    functions = step.made.amount, step.made.kind
    amount, kind = (None if f is None else f(machine.cells, frame.local) for f in functions)
    return amount, kind


def _asked_for(node: code.MovePieces, amount: Any) -> int:
    """How many pieces a move ``up to`` so many would take if they were there; 0 of any other move."""
    if not node.up_to or amount is None:
        return 0
    if node.what == "at":
        return 1
    return int(sum(amount) if type(amount) is tuple else amount)


def show_pieces(machine: Machine, frame: Frame, step: Step) -> None:
    """``who``: the seat it is shown to, None for everybody."""
    source, index = step.made.source
    cell = index(machine.cells, frame.local)
    seat = None if step.made.who is None else step.made.who(machine.cells, frame.local)
    shown: Any = machine.cells[cell]
    if step.node.what is not None:
        shown, _ = take(machine, step, cell, *_wanted(machine, frame, step))
    machine.note(events.shown, step.node, source, cell, shown, seat)


def take(machine: Machine, move: Step, cell: int, amount: Any, kind: Any) -> tuple[tuple[int, ...], Any]:
    """The pieces a move takes, in order, and the rest of its source."""
    variable = move.made.source[0].variable
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


def _enough(move: Step, cell: int, asked: int, there: int, of: int | None) -> int:
    """How many pieces to take; fewer than asked only when the move says ``up to``."""
    if asked <= there:
        return asked
    if move.node.up_to:
        return there
    element = move.made.source[0].variable.element
    assert element is not None
    kind = None if of is None else name_of(of, element)
    place = move.made.source[0].text(move.made.source[0].owners(cell))
    raise move.fault(faults.short(place, there, kind, asked))


def _from_counts(
    machine: Machine, move: Step, cell: int, counts: tuple[int, ...], amount: Any, kind: Any
) -> tuple[tuple[int, ...], Any]:
    variable = move.made.source[0].variable
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
                source = move.made.source[0]
                error.seats = _seeing_chance(machine, None if followed else source.seats(source.owners(cell)))
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
    machine: Machine, move: Step, counts: tuple[int, ...], number: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    element = move.made.source[0].variable.element
    assert element is not None
    every = kinds(element)
    left = list(counts)
    pieces = []
    for _ in range(number):
        i = machine.draw(tuple(left), element, move)
        left[i] -= 1
        pieces.append(every[i])
    return tuple(pieces), tuple(left)


def _from_stack(move: Step, cell: int, stack: tuple[int, ...], amount: Any, kind: Any) -> set[int]:
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
        place = move.made.source[0].text(move.made.source[0].owners(cell))
        raise move.fault(faults.no_piece_at(place, size, amount))
    if move.node.what in ("all of", "number of"):
        found = [i for i, piece in enumerate(stack) if piece == kind]
        number = len(found) if move.node.what == "all of" else _enough(move, cell, amount, len(found), kind)
        return set(found[len(found) - number :])
    assert move.made.source[0].variable.element is not None
    taken: set[int] = set()
    for k, asked in zip(kinds(move.made.source[0].variable.element), amount, strict=True):
        found = [i for i, piece in enumerate(stack) if piece == k]
        taken |= set(found[len(found) - _enough(move, cell, asked, len(found), k) :])
    return taken


def lay(
    machine: Machine, move: Step, target: Cells, cell: int, pieces: tuple[int, ...], laid: tuple[int, int, int]
) -> None:
    """Lay one piece on a square of a grid."""
    if not pieces:
        return
    x, y, turn = laid
    variable = target.variable
    content = machine.cells[cell]
    place = target.text(target.owners(cell))
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


def add(machine: Machine, step: Step, target: Cells, cell: int, pieces: tuple[int, ...]) -> None:
    """Put pieces in a place, in a stack on its open end."""
    if not pieces:
        return
    variable = target.variable
    content = machine.cells[cell]
    assert variable.element is not None
    every = kinds(variable.element)
    if not all(piece in every for piece in pieces):
        raise step.fault(faults.wrong_pieces(target.text(target.owners(cell))))
    capacity = 1 if variable.kind == "slot" else variable.capacity
    if capacity is not None and held(variable, content) + len(pieces) > capacity:
        raise step.fault(faults.full(target.text(target.owners(cell)), len(pieces), capacity))
    if variable.kind == "stack":
        machine.store(cell, content + pieces)
    elif variable.kind == "slot":
        machine.store(cell, pieces[0])
    else:
        counts = list(content)
        for piece in pieces:
            counts[piece - every.start] += 1
        machine.store(cell, tuple(counts))
