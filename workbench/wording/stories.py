"""Stories: what happened, step by step, from the events of a log. A choice begins a step, with all that comes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from .names import Names
from .news import News
from .options import option_text

if TYPE_CHECKING:
    from interpreter.data import Event

_UNTOLD = frozenset({"rule", "shuffle"})
"""Events that are no news by themselves."""


def fullest(log: Iterable[Event]) -> list[Event]:
    """All events, each once: of one that is partly hidden the version for those who see all of it.

    The others are told at once, or, of players who decide together, when all have.
    """
    out: list[Event] = []
    told: dict[int, set[int]] = {}  # by the place in ``out`` of an event that not everybody sees: who was told of it
    for event in log:
        if event.seats is None:
            out.append(event)
            continue
        seats = set(event.seats)
        of = next((place for place, known in told.items() if not seats & known and _less(event, out[place])), None)
        if of is None:
            told[len(out)] = seats
            out.append(event)
        else:
            told[of] |= seats
    return out


def _less(event: Event, whole: Event) -> bool:
    """Whether an event is another one with less in it."""
    return (event.kind, event.rule) == (whole.kind, whole.rule) and event.data.items() <= whole.data.items()


@attrs.frozen
class Told:
    """A step in words: ``chosen``, what somebody chose; ``news``, what happened then. Either may be empty."""

    chosen: str
    news: str = ""

    @property
    def text(self) -> str:
        return " ".join(filter(None, (self.chosen, self.news)))


@attrs.define
class _Step:
    """What somebody chooses, paying included, and what comes of it. ``player`` None: nobody had to choose."""

    player: str | None
    choices: list[str]
    news: dict[str, Event] = attrs.field(factory=dict)
    paid: Mapping[str, Any] | None = None

    def add(self, event: Event, number: int, names: Names) -> None:
        """More news: of what is set twice the last, and moves of the same way as one."""
        data = event.data
        key = str(data.get("place", number))
        if event.kind == "move" and "pieces" in data:
            key = f"{data['from']} to {data['to']} at {data.get('x')}, {data.get('y')}"
            if key in self.news:
                before = self.news[key].data
                pieces: dict[str, int] = dict(Counter(before["pieces"]) + Counter(data["pieces"]))
                together = {"pieces": pieces, "number": before["number"] + data["number"]}
                event = attrs.evolve(event, data=data | together)
        self.news[key] = event

    def told(self, names: Names) -> Told:
        chosen = "" if self.player is None else f"{names.anything(self.player)}: {', '.join(self.choices)}"
        return Told(_sentence(chosen), _sentence("; ".join(_line(event, names) for event in self.news.values())))


@attrs.frozen
class Stories:
    """Tells what happens in a game in the language of ``names``."""

    names: Names

    def told(self, events: Sequence[Event], between: Mapping[int, Sequence[str]] | None = None) -> list[Told]:
        """The steps in words. ``between``: more steps, each by the number of events before it."""
        steps: list[_Step | str] = []
        current = _Step(None, [])
        for number, event in enumerate(events):
            for text in (between or {}).get(number, ()):
                steps += [current, text]
                current = _Step(None, [])
            if event.kind == "choice" and "value" in event.data:
                current = self._chosen(event, current, steps)
            elif event.kind == "choice":  # what it is stays hidden
                steps.append(current)
                current = _Step(None, [], {"choice": event})
            elif self._is_news(event, current):
                if event.kind == "roll" and current.player is not None:
                    steps.append(current)  # what chance does next is not what this choice leads to
                    current = _Step(None, [])
                current.add(event, number, self.names)
        steps += [current, *(between or {}).get(len(events), ())]
        found = (Told(step) if isinstance(step, str) else step.told(self.names) for step in steps)
        return [told for told in found if told.text]

    def _chosen(self, event: Event, current: _Step, steps: list[_Step | str]) -> _Step:
        """The step that a choice belongs to: a payment to that of the same player, anything else to a new one."""
        player = event.data["player"]
        value = event.data.get("value")
        text = option_text(self.names, event.rule, event.data.get("option"), value)
        if value is not None and not self.names.look.of(event.rule).labels and event.data.get("option") is None:
            text = self.names.words.say("option.choose", value=text) if "pays" not in value else text
        pays = isinstance(value, Mapping) and "pays" in value and event.data.get("option") is None
        if pays and current.player == player:
            current.choices.append(text)
            current.paid = value["pays"] if isinstance(value, Mapping) else None
            return current
        steps.append(current)
        return _Step(player, [text], paid=value["pays"] if pays and isinstance(value, Mapping) else None)

    def _is_news(self, event: Event, current: _Step) -> bool:
        data = event.data
        if event.kind in _UNTOLD or (event.kind == "move" and not data.get("number", True)):
            return False
        if event.kind == "move" and current.paid is not None and data.get("pieces") == dict(current.paid):
            current.paid = None  # the payment itself
            return False
        name = str(data.get("place", "")).partition("[")[0]
        variable = self.names.program.variables.get(name)
        kept = variable is not None and (variable.bookkeeping or variable.history)
        unmoved = event.kind == "score" and data.get("amount") == 0
        return not kept and not unmoved and not self.names.look.says(name, "hidden")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}".rstrip(".") + "." if text else ""


def _line(event: Event, names: Names) -> str:
    """The news; of a piece that is put where only one can be, that it is there."""
    data = event.data
    if event.kind == "move" and data.get("number") == 1 and "x" not in data:
        target = names.program.variables.get(str(data["to"]).partition("[")[0])
        if target is not None and target.kind == "slot" and target.owners:
            piece = names.value(next(iter(data["pieces"])), names.content(data["from"]))
            return f"{names.place(data['to'])}: {piece}"
    return News(names).line(event)
