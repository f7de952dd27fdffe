"""Windows on a state: what one seat may see of it, and nothing else. What pages of the seat show is made from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from interpreter.data import Decision, Event, Explanation, View
    from interpreter.game import State


@attrs.frozen(eq=False)
class Window:
    """A state as ``seat`` sees it, None: as those who only watch do. ``log``: what the seat was told of it."""

    seat: int | None
    decision: Decision | None
    player: int | None
    forced: bool
    over: bool
    winners: tuple[int, ...]
    log: tuple[Event, ...]
    _view: View
    _state: State | None

    @classmethod
    def of(cls, state: State, seat: int | None) -> Window:
        """What the seat may see. The state behind it is kept only for the seat that is asked, to ask it why."""
        asks = seat is not None and state.player == seat
        return cls(
            seat,
            state.decision if asks else None,
            state.player,
            state.forced,
            state.over,
            state.winners if state.over else (),
            tuple(event for event in state.log if event.told_to(seat)),
            state.view(seat),
            state if asks else None,
        )

    def view(self, seat: int | None) -> View:
        """As of a state, for the seat of the window only."""
        if seat != self.seat:
            raise ValueError("a window shows what one seat sees")
        return self._view

    def why(self, option: int) -> Explanation:
        """As of a state, for the seat that is asked."""
        assert self._state is not None
        return self._state.why(option)

    def why_not(self, option: str | None, values: Mapping[str, Any]) -> Explanation:
        """As of a state, for the seat that is asked."""
        assert self._state is not None
        return self._state.why_not(option, values)
