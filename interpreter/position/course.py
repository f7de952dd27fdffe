"""The course of a game as plain data: what was chosen, by value, and a mark of everything that happened.

A save holds it, so that the game can be compared with what the same choices lead to under other rules, even when the
rules that it was played with are gone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from copy import deepcopy
from typing import Any

from ..data import Event
from .blueprint import Blueprint
from .events import Chain, chosen, kept
from .position import Laid, Made

Note = tuple[Any, tuple[Any, ...]]


def course(blueprint: Blueprint, chain: Chain, laid: Iterable[Made] = ()) -> list[dict[str, Any]]:
    """The steps of a game from its log: what happened before anybody chose, then every choice and what followed.

    Each step: ``by`` (the seat), ``rule`` and ``value`` of the choice, none of them in the first step; ``then``: a mark
    of each event, with its rule; ``chance``: outcomes that were laid down for it by name, if there are any: those in
    ``laid``, which has all that was made in the game.
    """
    notes: list[Note] = []
    while chain is not None:
        chain, teller, facts = chain
        notes.append((teller, facts))
    steps: list[dict[str, Any]] = [{"then": []}]
    for teller, facts in reversed(notes):
        made = facts if teller is chosen else facts[2] if teller is kept and facts[1] is chosen else None
        if made is not None:
            rule, player, option, _ = made
            steps.append({"by": player, "rule": rule, "value": deepcopy(option.value), "then": []})
        else:
            steps[-1]["then"] += marks(teller(blueprint, *facts))
    number = 0
    for each in laid:
        if not isinstance(each, Laid):
            number += 1
        elif each.first or number + 1 < len(steps):
            step = steps[0 if each.first else number + 1]
            step["chance"] = [*step.get("chance", ()), *each.outcomes]
    return steps


def marks(events: Iterable[Event]) -> list[list[str]]:
    """For each event its rule and a short hash of what it says; that a rule ran shows in what it did."""
    return [[e.rule, _mark(e)] for e in events if e.kind not in ("rule", "choice")]


def _mark(event: Event) -> str:
    return hashlib.sha256(f"{event.kind} {event.text} {event.seats}".encode()).hexdigest()[:8]
