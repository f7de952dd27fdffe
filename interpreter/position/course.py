"""The course of a game as plain data: what was chosen, by value, and a mark of everything that happened.

A save holds it, so that the game can be compared with what the same choices lead to under other rules, even when the
rules that it was played with are gone. Each step is a text of its own, which saves of later positions hold as well:
nobody can change a text, so a save of a long game costs no more than one of a short game.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from rulelang.structural import Structural, frozen

from ..data import Event
from .blueprint import Blueprint
from .events import Chain, chosen, kept

Note = tuple[Any, tuple[Any, ...]]

_BEGINNING = '{"then":[]}'
"""The first step, of a game in which nothing has happened yet."""

_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@frozen
class Marked(Structural):
    """The steps of a game up to some place of its log, as texts, so that those that follow can be added.

    Each is JSON. ``by`` (the seat), ``rule`` and ``value`` of the choice, none of them in the first step; ``then``: the
    marks of what happened until somebody was asked again, see ``marks``.
    """

    chain: Chain
    steps: tuple[str, ...]


def marked(blueprint: Blueprint, chain: Chain, known: Marked | None = None) -> Marked:
    """The steps that a log tells: what happened before anybody chose, then every choice and what followed.

    ``known``: those of a log that this one may go on from; then only what is new is told.
    """
    notes: list[Note] = []
    last = chain
    while chain is not None and not (known is not None and chain is known.chain):
        chain, teller, facts = chain
        notes.append((teller, facts))
    steps = [_BEGINNING] if known is None or chain is not known.chain else [*known.steps]
    step: dict[str, Any] | None = None
    for teller, facts in reversed(notes):
        made = facts if teller is chosen else facts[2] if teller is kept and facts[1] is chosen else None
        if made is not None:
            if step is not None:
                steps.append(_text(step))
            rule, player, option, _ = made
            step = {"by": player, "rule": rule, "value": option.value, "then": []}
        else:
            if step is None:  # the last step goes on
                step = json.loads(steps.pop())
            step["then"] += marks(teller(blueprint, *facts))
    if step is not None:
        steps.append(_text(step))
    return Marked(last, tuple(steps))


def steps_of(data: Any) -> list[dict[str, Any]]:
    """The steps of a save's ``course``, as ``Marked`` has them; ValueError if it is damaged.

    In saves of format 3 the steps are not texts but plain data of the same form.
    """
    if not isinstance(data, list) or not data:
        raise ValueError("a course is a list of steps")
    return [_step(step, first=number == 0) for number, step in enumerate(data)]


def _step(data: Any, *, first: bool) -> dict[str, Any]:
    try:
        step = json.loads(data) if isinstance(data, str) else data
    except RecursionError:
        step = None
    then = step.get("then") if isinstance(step, dict) else None
    if not isinstance(then, list) or not all(map(_is_mark, then)):
        raise ValueError("a step says what happened then")
    if not first and not (type(step.get("by")) is int and type(step.get("rule")) is str and "value" in step):
        raise ValueError("a step says who chose what, and which rule asked")
    return dict(step)


def _is_mark(data: Any) -> bool:
    return isinstance(data, list) and len(data) == 2 and all(type(part) is str for part in data)


def marks(events: Iterable[Event]) -> list[list[str]]:
    """For each event its rule and a short hash of what it says; that a rule ran shows in what it did."""
    return [[e.rule, _mark(e)] for e in events if e.kind not in ("rule", "choice")]


def _mark(event: Event) -> str:
    return hashlib.sha256(f"{event.kind} {event.text} {event.seats}".encode()).hexdigest()[:8]
