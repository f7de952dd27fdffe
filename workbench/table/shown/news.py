"""News for a page: what moves, what changed, and lines of the log with their reasons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.program.sides import scorers

from ...pictures.build.facts import PLAYER
from ...pictures.scene import nodes
from ...terminal.telling import story
from ...wording import News as Sentences

if TYPE_CHECKING:
    from interpreter.data import Event
    from rulelang.program import Program

    from ...wording import Wording

_LINES = 400
"""Lines of the log that are sent at most; the latest."""
_MOVES = 40


@attrs.frozen
class News:
    """Tells the events of a game to those who were told them. ``everything``: to somebody who sees all."""

    wording: Wording
    everything: bool = False

    @property
    def program(self) -> Program:
        return self.wording.program

    def each(self, events: Sequence[Event]) -> Sequence[Event]:
        """The events, each told in one way."""
        return list(_fullest(events)) if self.everything else events

    def told(self, events: Sequence[Event], since: int | None) -> dict[str, Any]:
        """``moves[]``: ``from to pieces``, of what was not told yet; ``changed[]``: addresses; ``log[]``: ``kind text
        reasons rule player``; ``seen``: the number of events; ``earlier``: lines that are left out. ``since``: how many
        of the events had been told, None where there are fewer now, or nothing had been."""
        since = None if since is None or since > len(events) else since
        new = self.each(events[since or 0 :])
        moves = [event for event in new if event.kind == "move"] if since is not None else []
        lines = story(new, self.program)
        return {
            "moves": [_move(event) for event in moves[-_MOVES:] if event.data.get("number", 1)],
            "changed": sorted(set(self._changed(new))) if since is not None else [],
            "log": [self._line(event) for event in lines[-_LINES:]],
            "earlier": max(0, len(lines) - _LINES),
            "seen": len(events),
            "since": since,
        }

    def _line(self, event: Event) -> dict[str, Any]:
        who = event.data.get("player")
        seats = self.program.seats
        return {
            "kind": event.kind,
            "text": Sentences(self.wording.names).line(event),
            "reasons": reasons(self.wording, event),
            "rule": event.rule,
            "player": seats.index(who) if who in seats else None,
        }

    def _changed(self, events: Iterable[Event]) -> Iterator[str]:
        """Addresses of what is not as it was."""
        for event in events:
            data = event.data
            if event.kind == "move" and data.get("number", 1):
                yield _target(data)
            elif event.kind == "set":
                yield data["place"]
            elif event.kind == "score" and data.get("amount", 1) and scorers(self.program) == self.program.seats:
                yield nodes.member(PLAYER, data["player"])


def reasons(wording: Wording, event: Event) -> str:
    """The numbers behind the points of an event, called as people call them: ``length of the road 3``."""
    if event.kind != "score":
        return ""
    return ", ".join(f"{wording.called(what)} {value}" for what, value in event.data.get("because", ()))


def _fullest(events: Iterable[Event]) -> Iterator[Event]:
    """Of an event that is told in two ways, the one that tells more."""
    last: Event | None = None
    for event in events:
        if last is not None and last.seats is not None and event.seats is not None:
            if (event.kind, event.rule) == (last.kind, last.rule) and not set(event.seats) & set(last.seats):
                last = max(last, event, key=lambda e: len(e.data))
                continue
        if last is not None:
            yield last
        last = event
    if last is not None:
        yield last


def _target(data: dict[str, Any]) -> str:
    to: str = data["to"]
    return nodes.square(to, data["x"], data["y"]) if "x" in data else to


def _move(event: Event) -> dict[str, Any]:
    data = event.data
    return {"from": data["from"], "to": _target(data), "pieces": data.get("pieces", {})}
