"""The part of a state that every engine shares: all that can be told of a position, whoever plays it."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Self, cast

if TYPE_CHECKING:
    from rulelang.program import Expr

    from ..data import Choice, Decision, Explanation, Plain, View
    from .blueprint import Blueprint
    from .position import Position


_PICTURES = "rulelang.pictures"
"""The entry points of packages that draw states: ``draw(state, seat)`` gives SVG."""


@functools.cache
def _drawer() -> Callable[..., str] | None:
    from importlib.metadata import entry_points

    found = next(iter(entry_points(group=_PICTURES)), None)
    return None if found is None else cast("Callable[..., str]", found.load())


class PositionState(ABC):
    """Views, explanations, keys and values. An engine's state adds how choices are carried out.

    The modules it needs are imported at the first use: a process that only plays games never pays for them.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def position(self) -> Position:
        """The position as plain data; not to be changed."""

    @property
    @abstractmethod
    def _blueprint(self) -> Blueprint: ...

    @property
    @abstractmethod
    def decision(self) -> Decision | None: ...

    @property
    @abstractmethod
    def option_count(self) -> int: ...

    @property
    @abstractmethod
    def over(self) -> bool: ...

    @abstractmethod
    def copy(self) -> Self: ...

    @abstractmethod
    def choose(self, choice: Choice) -> None: ...

    def key(self) -> bytes:
        from . import views

        return views.key(self.position)

    def view(self, seat: int | None) -> View:
        from . import views

        return views.view(self.position, self.decision, self._seat(seat))

    def _seat(self, seat: int | None) -> int:
        """The seat itself, or the one that stands for a spectator. GameError when there is none such."""
        from ..errors import GameError
        from .views import SPECTATOR

        players = self._blueprint.program.players
        if seat is None:
            return SPECTATOR
        if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < players:
            raise GameError(
                f"there is no seat {seat!r}; seats are numbered from 0 to {players - 1}, and None is a spectator"
            )
        return seat

    def _repr_svg_(self) -> str | None:
        """How a notebook shows a state: a picture of what the player who decides may see, if a package draws one."""
        drawer = _drawer()
        asked = self.decision
        return None if drawer is None else str(drawer(self, None if asked is None else asked.player))

    @property
    def forced(self) -> bool:
        from .views import SPECTATOR

        if self.option_count != 1:
            return False
        position = self.position
        # While players decide together, nobody knows what another has before him.
        return position.secret is None and self._blueprint.knowers.knows_options(position.frames, SPECTATOR)

    def why(self, choice: Choice) -> Explanation:
        from . import explanations

        return explanations.why(self.position, self._index(choice))

    def why_not(self, option: str | None, values: Mapping[str, Any], seat: int | None = None) -> Explanation:
        from . import explanations

        return explanations.why_not(self.position, option, values, seat)

    @property
    def carried(self) -> dict[str, list[Plain]]:
        from ..errors import GameError
        from .carrying import carried

        if not self.over:
            raise GameError("the game is not over yet: what it hands on to the next one is known at its end")
        return carried(self._blueprint, self.position.cells)

    def values(self) -> dict[str, Plain]:
        from . import readout

        return readout.values(self.position)

    def get(self, place: str) -> Plain:
        from . import readout

        return readout.get(self.position, place)

    def value_of(self, expr: Expr) -> Any:
        """The value of an expression in this position. GameError when it has none, or takes too much work."""
        from ..errors import GameError
        from ..evaluation.meter import METER, Undefined

        try:
            with METER.counting(self._blueprint.limits):
                return self._blueprint.evaluate(expr, self.position.cells, [])
        except Undefined as error:
            raise GameError(str(error)) from None

    def sequences(self, depth: int) -> int:
        if depth == 1:
            return self.option_count
        total = 0
        for index in range(self.option_count):
            after = self.copy()
            after.choose(index)
            total += after.sequences(depth - 1)
        return total

    def check_invariants(self) -> tuple[str, ...]:
        return self._blueprint.broken(self.position.cells)

    def _at_rest(self, doing: str) -> None:
        """Raises GameError where something runs."""
        from ..errors import GameError

        remedy = f"{doing} needs a position in which nothing runs, as `game.blank()` gives"
        if self.over:
            raise GameError(f"the game is over; {remedy}")
        frames = self.position.frames
        if frames:
            raise GameError(f"rule {frames[0].unit.rule} is still running; {remedy}")

    def _index(self, choice: Choice) -> int:
        """The index of the option that is meant. IllegalChoice says why there is none."""
        if type(choice) is int and 0 <= choice < self.option_count:
            return choice
        from . import choices

        return choices.index_of(self.position, choice)

    def _broken(self) -> None:
        """Raises InvariantBroken when an invariant does not hold."""
        broken = self.check_invariants()
        if broken:
            from ..errors import InvariantBroken

            spans = {i.id: i.span for i in self._blueprint.program.invariants}
            raise InvariantBroken(broken, spans[broken[0]])
