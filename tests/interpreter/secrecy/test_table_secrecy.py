"""What the table sends to a seat depends on nothing but its view: equal worlds, equal messages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import attrs
import pytest
from pairs import Secrecy, Told
from paths import RULES

import rulelang
from interpreter.bots import Stream
from interpreter.data import Event
from interpreter.reference.engine import ReferenceState
from rulelang.program import Program
from workbench.pictures.build.reuse import Kept
from workbench.table import view
from workbench.table.view.render import Viewpoint, position

_AFRESH = 5


class World:
    """A state as one seat knows it: the log has what the seat is told, since a moment."""

    def __init__(self, state: ReferenceState, seat: int | None, log: Sequence[Event]) -> None:
        self._state, self._log = state, [event for event in log if event.told_to(seat)]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._state, name)

    @property
    def log(self) -> list[Event]:
        return self._log


@attrs.define
class Shown(Secrecy):
    """Compares the messages of both worlds too. ``messages``: how many. ``kept``: parts of the pictures of all worlds
    and seats, as one table keeps them; now and then a picture is compared with one that is made without."""

    messages: int = 0
    kept: Kept = attrs.field(factory=Kept)
    _begun: tuple[ReferenceState, int, int] | None = None

    def _imagined(self, one: ReferenceState, seat: int, stream: Stream) -> ReferenceState | None:
        other = super()._imagined(one, seat, stream)
        self._begun = None if other is None else (other, len(one.log), len(other.log))
        return other

    def _look(self, one: ReferenceState, other: ReferenceState, seat: int, stream: Stream) -> None:
        super()._look(one, other, seat, stream)
        assert self._begun is not None
        for eyes in (seat, None):
            texts = [
                self._message(state, eyes, state.log[past:])
                for state, past in zip((one, other), self._begun[1:], strict=True)
            ]
            self.messages += 1
            if texts[0] != texts[1]:
                first, second = map(json.loads, texts)
                key = next(key for key in first if first[key] != second[key])
                raise Told(f"`{key}` of a message of the table", first[key], second[key])

    def _message(self, state: ReferenceState, eyes: int | None, log: Sequence[Event]) -> str:
        world: Any = World(state, eyes, log)
        viewpoint = Viewpoint(eyes, False, "en", 800, since=0)
        text = position(self.game, world, viewpoint, {"kind": "position"}, self.kept).message()
        if self.messages % _AFRESH == 0:
            assert text == position(self.game, world, viewpoint, {"kind": "position"}).message()
        return text


def watched(program: Program, decisions: int) -> int:
    secrecy = Shown(program)
    for seat in (0, program.players - 1):
        difference = secrecy.watch(seat, 3 + seat, limit=decisions)
        assert difference is None, str(difference)
    return secrecy.messages


@pytest.mark.usefixtures("traced")
@pytest.mark.parametrize(("name", "players"), [("fog_harbour", 2), ("whist", 4), ("night_fair", 2)])
def test_no_message_tells_a_seat_what_it_may_not_see(name: str, players: int) -> None:
    assert watched(rulelang.load(RULES / name, players=players), 12) > 5


@pytest.mark.usefixtures("traced")
def test_a_leak_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = view.position

    def leaky(game: Any, state: Any, seat: int | None, **how: Any) -> dict[str, Any]:
        return {**honest(game, state, seat, **how), "whole": state.values()}

    monkeypatch.setattr(view, "position", leaky)
    with pytest.raises(AssertionError, match="`whole` of a message of the table"):
        watched(rulelang.load(RULES / "whist", players=4), 12)
