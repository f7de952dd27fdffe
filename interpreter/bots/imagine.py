"""Positions for a bot to try things in: never the real one, always one redrawn from what the bot's seat knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ..redraw import CannotRedraw, Redraw, Seen
from ..redraw.seen import machine_of
from .stream import Stream

if TYPE_CHECKING:
    from ..game import Decision, Event, Game, State
    from ..reference.machine import Machine

__all__ = ["CannotRedraw", "Imagined", "Position", "Sandbox"]


class Position(Protocol):
    """What a search needs of a position: less than a ``State``. ``choose`` may leave it unusable when it raises.

    ``playout`` goes on at random, for at most ``limit`` decisions, and gives scores and winners by then; of a game
    that was not over, those who lead. None when it got stuck.
    """

    @property
    def decision(self) -> Decision | None: ...

    @property
    def scores(self) -> tuple[int, ...]: ...

    @property
    def winners(self) -> tuple[int, ...]: ...

    @property
    def over(self) -> bool: ...

    def choose(self, index: int) -> None: ...

    def playout(self, stream_seed: int, limit: int) -> tuple[tuple[int, ...], tuple[int, ...]] | None: ...


class Imagined:
    """What the seat that is asked can imagine: as many positions as wanted, each drawn from a stream of chance."""

    def __init__(self, game: Game, state: State, seat: int) -> None:
        self._game = game
        self._redraw = Redraw(machine_of(state).book, Seen.of(state, seat))

    @property
    def certain(self) -> bool:
        """Whether nothing is hidden from the seat but chance to come: then all positions are the same."""
        return self._redraw.certain

    def machine(self, stream: Stream) -> Machine:
        """A position as the reference engine keeps it. CannotRedraw when nothing fits what the seat knows."""
        return self._redraw.draw(stream)

    def position(self, stream: Stream) -> Position:
        """A position on the fastest engine there is: the game's own if it takes positions in (``state_of``)."""
        machine = self.machine(stream)
        state_of = getattr(self._game, "state_of", None)
        position: Position = Sandbox(machine) if state_of is None else state_of(machine)
        return position


class Sandbox:
    """A position of the reference engine whose past nobody needs: choices are carried out in place."""

    __slots__ = ("machine",)

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    @property
    def decision(self) -> Decision | None:
        asked = self.machine.pending
        return None if asked is None else asked.decision

    @property
    def scores(self) -> tuple[int, ...]:
        return self.machine.scores()

    @property
    def winners(self) -> tuple[int, ...]:
        return self.machine.winners

    @property
    def over(self) -> bool:
        return self.machine.over

    @property
    def log(self) -> list[Event]:
        """What has happened since the position was drawn."""
        from ..position.events import tell

        return tell(self.machine.book, self.machine.log, None)

    def copy(self) -> Sandbox:
        return Sandbox(self.machine.copy())

    def choose(self, index: int) -> None:
        self.machine.choose(index)

    def playout(self, stream_seed: int, limit: int) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        from ..game import RuleFault

        machine = self.machine
        stream = Stream(stream_seed)
        try:
            for _ in range(limit):
                asked = machine.pending
                if asked is None:
                    break
                machine.choose(stream.below(len(asked.raws)))
        except RuleFault:
            return None
        return machine.scores(), machine.winners if machine.over else leaders(machine.scores())


def leaders(scores: Sequence[int]) -> tuple[int, ...]:
    """The seats with the most points."""
    return tuple(seat for seat, score in enumerate(scores) if score == max(scores))


def key_of(value: Any) -> str:
    """The value of an option as something to look up: equal exactly when the values are."""
    return repr(value)
