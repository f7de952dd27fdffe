"""Causes of a different outcome: the rule at which two runs of an example part, and how they differ there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import attrs

from ..data import Event
from ..examples import ExampleResult, Failure
from .differences import words


@attrs.frozen
class Cause:
    """``rule``: the id of the rule or option, None when the example does not get as far. ``change``: in words, without
    what is special to one example: equal for all examples to which the same happens."""

    rule: str | None
    change: str


def unreadable(message: str) -> Cause:
    """The cause of an example that cannot be read with the variant."""
    return Cause(None, message)


def cause_of(before: ExampleResult, after: ExampleResult) -> Cause:
    """Where the two runs part: at the first event that differs, or else at the first step that fails.

    Where a value differs there that is another at the start already, the start is the cause.
    """
    starts = _starts(before, after)
    old, new = _happened(before.log), _happened(after.log)
    for one, other in zip(old, new, strict=False):
        if (one.kind, one.data) != (other.kind, other.data):
            return starts.get(_where(other, "place"), Cause(other.rule, _event_change(one, other)))
    known = {(f.line, f.message, f.actual) for f in before.failures}
    for failure in after.failures:
        if (failure.line, failure.message, failure.actual) not in known:
            named = re.match(r"`(\w+)", failure.message)
            start = starts.get(named[1]) if named is not None else None
            return start or Cause(failure.rule, _failure_change(failure))
    if len(old) != len(new):
        happens = len(new) > len(old)
        event = (new if happens else old)[min(len(old), len(new))]
        return Cause(event.rule, _plain(event) if happens else f"no longer: {_plain(event)}")
    return Cause(None, "it comes out differently")


def _starts(before: ExampleResult, after: ExampleResult) -> dict[str, Cause]:
    """For each variable that starts with another value, that it does."""
    found: dict[str, Cause] = {}
    for cell, value in after.start.items():
        if cell in before.start and before.start[cell] != value:
            name = _without_owner(cell)
            found.setdefault(name, Cause(None, f"{name} {_step(before.start[cell], value)} at the start"))
    return found


def _happened(log: Sequence[Event]) -> list[Event]:
    """What changed the position; that a rule ran shows in what it did."""
    return [event for event in log if event.kind != "rule"]


def _event_change(old: Event, new: Event) -> str:
    if old.kind != new.kind:
        return f"{_plain(new)} instead of {_plain(old)}"
    match new.kind:
        case "set" if _where(old, "place") == _where(new, "place"):
            return f"{_where(new, 'place')} {_step(old.data.get('value'), new.data.get('value'))}"
        case "score":
            return f"points {_step(old.data.get('amount'), new.data.get('amount'))}"
        case "move" if old.data["from"] == new.data["from"] and old.data["to"] == new.data["to"]:
            where = f"from {_where(new, 'from')} to {_where(new, 'to')}"
            return f"pieces {where} {_step(old.data.get('number'), new.data.get('number'))}"
        case "roll":
            return "chance brings something else"
    return f"{_plain(new)} instead of {_plain(old)}" if _plain(old) != _plain(new) else f"{_plain(new)}, differently"


def _step(old: Any, new: Any) -> str:
    """How a value differs: ``+1``; ``2 gold instead of 1 gold``."""
    if _is_number(old) and _is_number(new):
        return f"{new - old:+d}" if new != old else "differently"
    return f"{words(new)} instead of {words(old)}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _plain(event: Event) -> str:
    """An event without what is special to one example."""
    match event.kind:
        case "set":
            return f"{_where(event, 'place')} changes"
        case "score":
            return "points"
        case "move":
            return f"pieces move from {_where(event, 'from')} to {_where(event, 'to')}"
        case "choice":
            option = event.data.get("option")
            return f"{option} is chosen" if option else "a choice"
        case "roll":
            return "a roll"
        case "shuffle":
            return f"{_where(event, 'place')} is shuffled"
    return "the game ends"


def _where(event: Event, key: str) -> str:
    """A place without its owner."""
    return _without_owner(str(event.data.get(key)))


def _without_owner(place: str) -> str:
    return re.sub(r"\[.*\]", "", place)


def _failure_change(failure: Failure) -> str:
    """The first sentence of a failure, without values."""
    found = re.match(r"`(.*) (?:is|<=|>=|<|>) .*` does not hold\.$", failure.message)
    if found is not None:
        left = re.sub(r"\[.*\]|\(.*\)", "", found[1])
        if failure.expected is not None and failure.actual is not None:
            old, new = _number(failure.expected), _number(failure.actual)
            if old is not None and new is not None:
                return f"{left} {new - old:+d}"
        return f"{left} is different"
    first = re.split(r"(?<=\.) |; | \(", failure.message, maxsplit=1)[0]
    return re.sub(r"`([^`(]*)\([^`]*\)`", r"`\1`", first).rstrip(".")


def _number(text: str) -> int | None:
    return int(text) if re.fullmatch(r"-?[0-9]+", text) else None


__all__ = ["Cause", "cause_of", "unreadable"]
