"""The part of a state that every engine shares: all that can be told of a position, whoever plays it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulelang.program import Expr

    from ..game import Decision, Explanation
    from .blueprint import Blueprint
    from .position import Position


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

    def key(self) -> bytes:
        from . import views

        return views.key(self.position)

    def view(self, seat: int) -> dict[str, Any]:
        from ..game import GameError
        from . import views

        players = self._blueprint.program.players
        if not 0 <= seat < players:
            raise GameError(f"there is no seat {seat}; seats are numbered from 0 to {players - 1}")
        return views.view(self.position, self.decision, seat)

    def why(self, index: int) -> Explanation:
        from . import explain

        return explain.why(self.position, self._index(index))

    def why_not(self, option: str | None, values: Mapping[str, Any], seat: int | None = None) -> Explanation:
        from . import explain

        return explain.why_not(self.position, option, values, seat)

    def evaluate(self, expr: Expr) -> Any:
        return self._blueprint.evaluate(expr, self.position.cells, [])

    def check_invariants(self) -> tuple[str, ...]:
        return self._blueprint.broken(self.position.cells)

    def _index(self, index: int) -> int:
        """The index, if it is one of an option. IllegalChoice says why not."""
        count = self.option_count
        if type(index) is int and 0 <= index < count:
            return index
        from ..game import IllegalChoice

        if not count:
            why = "the game is over" if self.over else "nothing is being asked"
            raise IllegalChoice(f"there is nothing to choose: {why}")
        raise IllegalChoice(f"{index!r} is not one of the {count} options, which are numbered from 0 to {count - 1}")

    def _broken(self) -> None:
        """Raises InvariantBroken when an invariant does not hold."""
        broken = self.check_invariants()
        if broken:
            from ..game import InvariantBroken

            spans = {i.id: i.span for i in self._blueprint.program.invariants}
            raise InvariantBroken(broken, spans[broken[0]])
