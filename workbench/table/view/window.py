"""Windows on a state: what one seat may see of it, and nothing else. What pages of the seat show is made from them."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.position.views import rounds
from rulelang.recent import Recent

from ...pictures.looks import look_for
from ...wording import Wording

if TYPE_CHECKING:
    from interpreter.data import Decision, Event, Explanation, View
    from interpreter.game import State
    from rulelang.program import Program
    from rulelang.program.nodes import Bind

    from ...pictures.scene.look import Look


@attrs.frozen
class Viewpoint:
    """From where a position is looked at: whose ``eyes`` (None: a spectator's; ``everything``: all of it), in which
    language, how many pixels wide, and how many events of the log the page had been told, ``since``; whether they
    ``learn`` the game."""

    eyes: int | None
    everything: bool
    lang: str | None
    width: int
    since: int | None = None
    learn: bool = False


@attrs.frozen(eq=False)
class Window:
    """A state as ``seat`` sees it, None: as those who only watch do. ``log``: what the seat was told of it;
    ``rounds``: see ``interpreter.position.views``."""

    seat: int | None
    decision: Decision | None
    player: int | None
    forced: bool
    over: bool
    winners: tuple[int, ...]
    log: tuple[Event, ...]
    rounds: Sequence[tuple[Bind, int, int]]
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
            rounds(state.position),
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


_LOCK = threading.Lock()
_KEPT: Recent[Wording] = Recent(64)


def worded(program: Program, lang: str | None) -> Wording:
    """The Wording of a game in a language."""
    return wording_of(program, look_for(program, lang))


def wording_of(program: Program, look: Look) -> Wording:
    """The Wording of a game in the language of a look."""
    key = id(program), look.lang
    with _LOCK:
        kept = _KEPT.get(key)
        if kept is None or kept.program is not program or kept.look is not look:
            kept = _KEPT.put(key, Wording(program, look))
        return kept
