"""Stories: what happened, step by step, from the events of a log. A choice begins a step, with all that comes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from .names import Names
from .sentences import Sentences, sentence

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
        others = (place for place, known in told.items() if not seats & known)
        of = next((place for place in others if _less(event, out[place]) or _less(out[place], event)), None)
        if of is None:
            told[len(out)] = seats
            out.append(event)
        else:
            told[of] |= seats
            out[of] = event if _less(out[of], event) else out[of]
    return out


def _less(event: Event, whole: Event) -> bool:
    """Whether an event is another one with no more in it."""
    if (event.kind, event.rule) != (whole.kind, whole.rule) or not event.data.keys() <= whole.data.keys():
        return False
    return all(_part(value, whole.data[key]) for key, value in event.data.items())


def _part(value: object, whole: object) -> bool:
    """Whether a value is another one, or a list that has only members of it."""
    return value == whole or (isinstance(value, list) and isinstance(whole, list) and all(v in whole for v in value))


@attrs.frozen
class Told:
    """A step in words: ``chosen``, what somebody chose; ``news``, what happened then. Either may be empty.

    ``rule``: the option that was chosen, or the rule that asked, or that of the first news.
    """

    chosen: str
    news: str = ""
    rule: str | None = None

    @property
    def text(self) -> str:
        return " ".join(filter(None, (self.chosen, self.news)))


@attrs.define
class _Step:
    """What somebody chooses, paying included, and what comes of it. ``player`` None: nobody had to choose.

    ``said``: the names of values that the sentence about the choice mentions.
    """

    player: str | None
    choice: str = ""
    news: dict[str, Event] = attrs.field(factory=dict)
    paid: Mapping[str, Any] | None = None
    said: frozenset[str] = frozenset()
    rule: str | None = None

    def add(self, event: Event, number: int) -> None:
        """More news: of what is set twice the last, moves of the same way as one, and moves that go on as one way."""
        if event.kind == "move" and "pieces" in event.data:
            event = self._going_on(event)
        data = event.data
        key = str(data.get("place", number))
        if event.kind == "move" and "pieces" in data:
            key = f"{data['from']} to {data['to']} at {data.get('x')}, {data.get('y')}"
            if key in self.news:
                event = _with_pieces(event, Counter(self.news[key].data["pieces"]) + Counter(data["pieces"]))
        self.news[key] = event

    def _going_on(self, event: Event) -> Event:
        """The move of pieces from where they were before this step, if they have moved already."""
        data = event.data
        for key, earlier in self.news.items():
            if earlier.kind != "move" or "pieces" not in earlier.data or earlier.data["to"] != data["from"]:
                continue
            here: Counter[str] = Counter(earlier.data["pieces"])
            if Counter(data["pieces"]) <= here:
                rest = here - Counter(data["pieces"])
                if rest:
                    self.news[key] = _with_pieces(earlier, rest)
                else:
                    del self.news[key]
                return attrs.evolve(event, data=data | {"from": earlier.data["from"]})
        return event

    def told(self, names: Names) -> Told:
        told = Sentences(names)
        news = (event for event in self.news.values() if not self._is_said(event, told))
        spoken = " ".join(filter(None, (sentence(told.event(event)) for event in news)))
        first = next((event.rule for event in self.news.values()), None)
        return Told(sentence(self.choice), spoken, self.rule or first)

    def _is_said(self, event: Event, told: Sentences) -> bool:
        """Whether the choice says it already: a piece of whoever chose that goes where was chosen, say."""
        data = event.data
        known = self.said | ({self.player} if self.player is not None else set())
        if event.kind == "move" and data.get("number") == 1 and "pieces" in data:
            target = told.place(data["to"])
            if "x" in data and {*data["pieces"], str((data["x"], data["y"]))} <= self.said:
                return set(target.owners.values()) <= known
            chosen = self.said & set(target.owners.values())
            return bool(chosen) and {*target.owners.values(), *data["pieces"]} <= known
        if event.kind == "set" and isinstance(data.get("value"), str):
            return data["value"] in self.said and set(told.place(data["place"]).owners.values()) <= known
        return False


def _name(value: Any) -> str:
    """A chosen value as events spell it; empty for what they do not name."""
    match value:
        case bool():
            return ""
        case str() | int():
            return str(value)
        case {"x": x, "y": y}:
            return str((x, y))
    return ""


def _with_pieces(event: Event, pieces: Counter[str]) -> Event:
    return attrs.evolve(event, data=event.data | {"pieces": dict(pieces), "number": pieces.total()})


@attrs.frozen
class Stories:
    """Tells what happens in a game in the language of ``names``."""

    names: Names

    def told(self, events: Sequence[Event], between: Mapping[int, Sequence[str]] | None = None) -> list[Told]:
        """The steps in words. ``between``: more steps, each by the number of events before it."""
        steps: list[_Step | str] = []
        current = _Step(None)
        for number, event in enumerate(events):
            for text in (between or {}).get(number, ()):
                steps += [current, text]
                current = _Step(None)
            if event.kind == "choice" and "value" in event.data:
                current = self._chosen(event, current, steps)
            elif event.kind == "choice":  # what it is stays hidden
                steps.append(current)
                current = _Step(None, news={"choice": event})
            elif self._is_news(event, current):
                if event.kind == "roll" and current.player is not None:
                    steps.append(current)  # what chance does next is not what this choice leads to
                    current = _Step(None)
                current.add(event, number)
        steps += [current, *(between or {}).get(len(events), ())]
        found = (Told(step) if isinstance(step, str) else step.told(self.names) for step in steps)
        return [told for told in found if told.text]

    def _chosen(self, event: Event, current: _Step, steps: list[_Step | str]) -> _Step:
        """The step that a choice belongs to: a payment to that of the same player, anything else to a new one."""
        player, told = event.data["player"], Sentences(self.names)
        value, option = event.data.get("value"), event.data.get("option")
        paid = value["pays"] if isinstance(value, Mapping) and "pays" in value and option is None else None
        if paid is not None and current.player == player:
            pieces = told.pieces(paid)
            current.choice = self.names.words.say("story.and_pays", sentence=current.choice, pieces=pieces)
            current.paid = paid
            return current
        steps.append(current)
        given = value["with"] if isinstance(value, Mapping) and option is not None else value
        values = given.values() if isinstance(given, Mapping) and paid is None else ()
        said = frozenset(filter(None, map(_name, values)))
        words = told.choice(player, event.rule, option, value)
        return _Step(player, words, paid=paid, said=said, rule=option or event.rule)

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
