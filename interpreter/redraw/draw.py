"""Complete positions made of what a seat knows (determinisations)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..bots.stream import Stream
from ..evaluation.runtime import Undefined
from ..game import GameError
from ..reference.asks import Ask, Asked
from ..reference.machine import Frame, Machine
from . import inside, together
from .deal import deal, guess
from .memory import UNSEEN, Group, Memory, places
from .mend import Invariants
from .seen import Seen, cells_in, knowers_of

if TYPE_CHECKING:
    from ..position.cells import Cells
    from ..reference.book import Book

_TRIES = 30


class CannotRedraw(Exception):
    """No position was found that fits what the seat knows."""


class Redraw:
    """Makes positions for one ``Seen``. In each of them the seat sees the same, is asked the same, and all invariants
    hold that held before; chance will come out differently."""

    def __init__(self, book: Book, seen: Seen) -> None:
        self.book = book
        self.seen = seen
        self.shown, _ = cells_in(book, seen.view)
        self.owners = dict(places(book))
        self.invariants = Invariants(book, knowers_of(book))
        initial = book.initial_cells()
        self.guessed: list[tuple[int, Cells]] = []
        for cell, place in self.owners.items():
            if self.shown[cell] is UNSEEN and place.variable.element is None:
                if cell in seen.memory.untouched:
                    self.shown[cell] = initial[cell]
                else:
                    self.guessed.append((cell, place))
        self.groups: list[Group] = []
        for group in seen.memory.groups:
            if _is_settled(group, seen.memory, self.owners):
                deal(group, seen.memory, self.owners, Stream(0), self.shown)
            else:
                self.groups.append(group)
        self._asked: Asked | None = None

    @property
    def certain(self) -> bool:
        """Whether nothing needs to be drawn but the chance to come."""
        seen = self.seen
        unknown = any(running.unknown for running in seen.running)
        return not (self.guessed or self.groups or unknown or seen.together is not None)

    def draw(self, stream: Stream) -> Machine:
        """A position, drawn from ``stream`` alone. CannotRedraw when none was found."""
        for _ in range(_TRIES):
            try:
                machine = self._try(stream)
            except (GameError, Undefined, inside.Misfit):
                continue
            if machine is not None:
                return machine
        raise CannotRedraw(f"no position fits what seat {self.seen.seat} knows")

    def _try(self, stream: Stream) -> Machine | None:
        seen = self.seen
        cells = self._cells(stream)
        if cells is None:
            return None
        machine = Machine(
            self.book,
            cells,
            stream.word(),
            0,
            [self._frame(place) for place in range(len(seen.running))],
            whole=seen.whole,
            dirty=seen.dirty,
            watching=seen.watching,
            turns=seen.turns,
            edited=True,
        )
        for place, running in enumerate(seen.running):
            if running.unknown:
                inside.fill(machine, place, running.unknown, stream)
        if seen.together is not None:
            machine.secret = together.decide(machine, seen.together, self.owners, seen.seat, stream)
        return machine if self._ask(machine) else None

    def _cells(self, stream: Stream) -> list[Any] | None:
        """The cells with the hidden ones drawn; None when the invariants cannot be kept."""
        cells = list(self.shown)
        for cell, place in self.guessed:
            cells[cell] = guess(place.variable.type, self._own(cell, place), stream)
        for group in self.groups:
            deal(group, self.seen.memory, self.owners, stream, cells)
        return cells if self.invariants.mend(cells, self.guessed, stream) else None

    def _own(self, cell: int, place: Cells) -> Any:
        """What the seat sees in its own place of the same kind."""
        owners = place.owners(cell)
        if place.variable.seen_by != "owner":
            return None
        own = self.shown[place.index((self.seen.seat, *owners[1:]))]
        return None if own is UNSEEN else own

    def _frame(self, place: int) -> Frame:
        running = self.seen.running[place]
        unit = self.book.units[running.rule]
        local: list[Any] = [None] * unit.frame
        for slot, value in running.known:
            local[slot] = value
        return Frame(running.rule, unit.code, running.at, local)

    def _ask(self, machine: Machine) -> bool:
        """Opens the decision. Whether it is the one the seat is asked."""
        if self._asked is not None:
            machine.pending = self._asked
            return True
        frame = machine.frames[-1]
        instruction = frame.code[frame.pc]
        assert isinstance(instruction, Ask)
        frame.pc += 1
        instruction.run(machine, frame)
        asked = machine.pending
        if asked is None or asked.player != self.seen.seat:
            return False
        if tuple(option.value for option in asked.decision.options) != self.seen.options:
            return False
        if self.seen.settled:
            # The options come of what the seat knows, so they are the same in every redraw.
            self._asked = asked
        return True


def _is_settled(group: Group, memory: Memory, owners: Mapping[int, Cells]) -> bool:
    """Whether there is only one way to deal the pieces: all of them into one place without an order."""
    (first, *more) = group.cells
    unordered = owners[first].variable.kind in ("pool", "bag", "slot") or len(group.pieces) < 2
    return not more and unordered and memory.sizes.get(first) == len(group.pieces)
