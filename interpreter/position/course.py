"""The course of a game as plain data: what was chosen, by value, and a mark of everything that happened.

A save holds it, so that the game can be compared with what the same choices lead to under other rules, even when the
rules that it was played with are gone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from rulelang.structural import Structural, frozen

from ..data import Event
from .blueprint import Blueprint
from .events import Chain, chosen, kept
from .position import Laid, Made

Note = tuple[Any, tuple[Any, ...]]


@frozen
class Marked(Structural):
    """The steps of a game up to some place of its log, so that those that follow can be added. They never change."""

    chain: Chain
    steps: tuple[dict[str, Any], ...]


def marked(blueprint: Blueprint, chain: Chain, known: Marked | None = None) -> Marked:
    """The steps that a log tells: what happened before anybody chose, then every choice and what followed.

    ``known``: those of a log that this one may go on from; then only what is new is told.
    """
    notes: list[Note] = []
    last = chain
    while chain is not None and not (known is not None and chain is known.chain):
        chain, teller, facts = chain
        notes.append((teller, facts))
    steps: list[dict[str, Any]] = [{"then": []}]
    if known is not None and chain is known.chain:
        *done, open_ = known.steps
        steps = [*done, {**open_, "then": [*open_["then"]]}]
    for teller, facts in reversed(notes):
        made = facts if teller is chosen else facts[2] if teller is kept and facts[1] is chosen else None
        if made is not None:
            rule, player, option, _ = made
            value = _fresh(option.value) if type(option.value) in _HOLDING else option.value
            steps.append({"by": player, "rule": rule, "value": value, "then": []})
        else:
            steps[-1]["then"] += marks(teller(blueprint, *facts))
    return Marked(last, tuple(steps))


def course(told: Marked, laid: Iterable[Made] = ()) -> list[dict[str, Any]]:
    """The steps as plain data.

    Each step: ``by`` (the seat), ``rule`` and ``value`` of the choice, none of them in the first step; ``then``: a mark
    of each event, with its rule; ``chance``: outcomes that were laid down for it by name, if there are any: those in
    ``laid``, which has all that was made in the game.
    """
    steps = list(map(_plain, told.steps))
    number = 0
    for each in laid:
        if not isinstance(each, Laid):
            number += 1
        elif each.first or number + 1 < len(steps):
            step = steps[0 if each.first else number + 1]
            step["chance"] = [*step.get("chance", ()), *each.outcomes]
    return steps


def _plain(step: dict[str, Any]) -> dict[str, Any]:
    """A step as data that may be changed."""
    found = {**step, "then": list(map(list, step["then"]))}
    if type(found.get("value")) in _HOLDING:
        found["value"] = _fresh(found["value"])
    return found


def _fresh(data: Any) -> Any:
    """A copy of plain data; ``deepcopy`` takes ten times as long."""
    if isinstance(data, dict):
        return {name: _fresh(value) if type(value) in _HOLDING else value for name, value in data.items()}
    return [_fresh(value) if type(value) in _HOLDING else value for value in data]


_HOLDING = (dict, list)


def marks(events: Iterable[Event]) -> list[list[str]]:
    """For each event its rule and a short hash of what it says; that a rule ran shows in what it did."""
    return [[e.rule, _mark(e)] for e in events if e.kind not in ("rule", "choice")]


def _mark(event: Event) -> str:
    return hashlib.sha256(f"{event.kind} {event.text} {event.seats}".encode()).hexdigest()[:8]
