"""Complete positions drawn from what a seat knows (determinisations)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..chance import Stream
from ..errors import GameError
from ..evaluation.meter import Undefined
from ..position.asked import Asked, put
from ..position.position import Frame, Position
from ..position.views import SPECTATOR
from . import inside, together
from .deal import deal, guessed
from .memory import UNSEEN, Group, Memory
from .mend import Invariants
from .seen import Seen

if TYPE_CHECKING:
    from ..lowered.cells import Cells
    from ..position.blueprint import Blueprint

_TRIES = 30


class CannotRedraw(Exception):
    """No position was found that fits what the seat knows."""


class Redraw:
    """Draws positions for one ``Seen``. In each the seat sees the same and is asked the same, or sees that somebody is,
    and all invariants hold that held before; future chance differs."""

    def __init__(self, blueprint: Blueprint, seen: Seen) -> None:
        self.blueprint = blueprint
        self.seen = seen
        self.shown = list(seen.cells)
        self.owners = blueprint.layout.of_cell
        self.invariants = Invariants.of(blueprint)
        initial = blueprint.initial_cells()
        self.guessed: list[tuple[int, Cells]] = []
        for cell, place in self.owners.items():
            if self.shown[cell] is UNSEEN and place.variable.element is None:
                if cell in seen.memory.values:
                    self.shown[cell] = seen.memory.values[cell]
                elif cell in seen.memory.untouched or place.variable.shows is not None:
                    # What others were shown tells the seat nothing, and no rule asks for it.
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
        """Whether nothing needs to be drawn but future chance."""
        seen = self.seen
        unknown = any(running.unknown for running in seen.running)
        return not (self.guessed or self.groups or unknown or seen.together is not None)

    def draw(self, stream: Stream) -> Position:
        """A position, drawn from ``stream`` alone. CannotRedraw when none was found."""
        for _ in range(_TRIES):
            try:
                position = self._try(stream)
            except (GameError, Undefined, inside.Misfit):
                continue
            if position is not None:
                return position
        who = "everybody" if self.seen.seat == SPECTATOR else f"seat {self.seen.seat}"
        raise CannotRedraw(f"no position fits what {who} knows")

    def _try(self, stream: Stream) -> Position | None:
        seen = self.seen
        cells = self._cells(stream)
        if cells is None:
            return None
        position = Position(
            self.blueprint,
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
                inside.fill(position, place, running.unknown, stream)
        if seen.together is not None:
            position.secret = together.decide(position, seen.together, self.owners, seen.asked, stream)
        return position if self._ask(position) else None

    def _cells(self, stream: Stream) -> list[Any] | None:
        """The cells, with the hidden ones drawn; None when the invariants cannot be satisfied."""
        cells = list(self.shown)
        for cell, place in self.guessed:
            cells[cell] = guessed(place.variable, self._own(cell, place), stream)
        for group in self.groups:
            deal(group, self.seen.memory, self.owners, stream, cells)
        return cells if self.invariants.mend(cells, self.guessed, stream) else None

    def _own(self, cell: int, place: Cells) -> Any:
        """The seat's own value of the same variable."""
        owners = place.owners(cell)
        if place.variable.seen_by != "owner" or self.seen.seat == SPECTATOR:
            return None
        own = self.shown[place.index((self.seen.seat, *owners[1:]))]
        return None if own is UNSEEN else own

    def _frame(self, place: int) -> Frame:
        running = self.seen.running[place]
        unit = self.blueprint.units[running.rule]
        local: list[Any] = [None] * unit.size
        for slot, value in running.known:
            local[slot] = value
        return Frame(unit, running.at, local)

    def _ask(self, position: Position) -> bool:
        """Open the decision; true if it is the one the seat faces."""
        if self._asked is not None:
            position.asked = self._asked
            return True
        asked = position.asked = put(position)
        if asked is None or asked.player != self.seen.asked:
            return False
        options = self.seen.options
        if options is not None and tuple(option.value for option in asked.decision(position).options) != options:
            return False
        if self.seen.settled:
            # The options depend only on what the seat knows, so they are the same in every redraw.
            self._asked = asked
        return True


def _is_settled(group: Group, memory: Memory, owners: Mapping[int, Cells]) -> bool:
    """Whether there is only one way to deal the pieces: all of them into one unordered place."""
    (first, *more) = group.cells
    unordered = owners[first].variable.kind in ("pool", "bag", "slot") or len(group.pieces) < 2
    return not more and unordered and memory.sizes.get(first) == len(group.pieces)
