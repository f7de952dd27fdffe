"""What all engines tell of a position in the same way, from the position as the reference engine holds it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulelang.program import Expr

    from ..game import Decision, Explanation
    from ..reference.machine import Machine


class Position(ABC):
    """Views, explanations, keys and questions. An engine's state says what ``machine``, ``decision`` and so on are.

    What it needs is imported when it is asked for: a process that only plays games never is.
    """

    __slots__ = ()

    game: Any

    @property
    @abstractmethod
    def machine(self) -> Machine: ...

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

        return views.key(self.machine)

    def view(self, seat: int) -> dict[str, Any]:
        from ..game import GameError
        from . import views

        if not 0 <= seat < self.game.players:
            raise GameError(f"there is no seat {seat}; seats are numbered from 0 to {self.game.players - 1}")
        return views.view(self.machine, self.decision, seat)

    def why(self, index: int) -> Explanation:
        from . import explain

        return explain.why(self.machine, self._index(index))

    def why_not(self, option: str | None, values: Mapping[str, Any], seat: int | None = None) -> Explanation:
        from . import explain

        return explain.why_not(self.machine, option, values, seat)

    def evaluate(self, expr: Expr) -> Any:
        return self.game.book.evaluate(expr, self.machine.cells, [])

    def check_invariants(self) -> tuple[str, ...]:
        cells = self.machine.cells
        return tuple(i.id for i, holds in self.game.invariants if not holds(cells, [None] * i.frame))

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

            spans = {i.id: i.span for i, _ in self.game.invariants}
            raise InvariantBroken(broken, spans[broken[0]])
