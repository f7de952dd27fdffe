"""Meanings of quantities: whether one is the same thing under a house rule as in the printed game, and why not.

What is not the same thing is not subtracted. A turn is the same, however the loop over players is written, if the same
questions belong to it, and come up in one turn as they did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import attrs

from ..game import Game
from ..lowered.code import Ask
from ..lowered.counterparts import counterparts
from ..record.rounds import Turns
from ..record.shape import looks_at
from .quantities import QUANTITIES, kinds_of


def meanings(base: Game, other: Game, name: str) -> dict[str, str]:
    """By quantity of the printed game, why it is something else under the house rule called ``name``; without those
    that are the same."""
    there, kept = kinds_of(base.blueprint), kinds_of(other.blueprint)
    found = {}
    for quantity in QUANTITIES:
        missing = next((kind for kind in quantity.needs if kind in there and kind not in kept), None)
        if not set(quantity.needs) <= there:
            continue
        if missing is not None:
            found[quantity.name] = f"with {name} {_MISSING[missing]}"
        elif "turns" in quantity.needs:
            if (why := next(_other_turns(base, other, name), None)) is not None:
                found[quantity.name] = why
        elif "leads" in quantity.needs and looks_at(base.blueprint) != looks_at(other.blueprint):
            found[quantity.name] = f"with {name} it is looked at other moments who leads"
    return found


_MISSING = {
    "points": "there are no points",
    "leads": "nobody is ahead before the end",
    "rivals": "players do not win against each other",
    "together": "players do not win or lose together",
    "turns": "players do not take turns in a loop over them",
}


@attrs.frozen(eq=False)
class _Taken:
    """The turns of a rule set, with each question as its counterpart in the printed game if it has one."""

    turns: Turns
    same: dict[Ask, Ask]

    def elsewhere(self) -> set[Ask]:
        """What may be asked of somebody whose turn it is not."""
        return {self.same.get(ask, ask) for ask, loops in self.turns.asked.items() if None in loops}

    def own(self) -> set[Ask]:
        """What players may be asked at their own turns."""
        return {self.same.get(ask, ask) for ways in self.turns.ways.values() for ask in ways}

    def kinds(self, shared: set[Ask]) -> Counter[frozenset[Ask]]:
        """What is asked in the turns of each loop, of what is asked at turns in both rule sets."""
        return Counter(frozenset(self.same.get(ask, ask) for ask in ways) & shared for ways in self.turns.ways.values())

    def first(self) -> set[Ask]:
        return {self.same.get(ask, ask) for ways in self.turns.ways.values() for ask in [*ways][:1]}

    def ways(self, of: Ask) -> set[tuple[int, ...]]:
        """How a question comes up in turns."""
        each = self.turns.ways.values()
        return {how for ways in each for ask, how in ways.items() if self.same.get(ask, ask) is of}


def _other_turns(base: Game, other: Game, name: str) -> Iterator[str]:
    """Why a turn is not the same thing; nothing where it is."""
    turns = Turns.of(base.blueprint), Turns.of(other.blueprint)
    found = counterparts(base.blueprint.units, other.blueprint.units)
    same = {ask: there for ask, there in found.items() if ask in turns[1].asked and there in turns[0].asked}
    printed, changed = _Taken(turns[0], {}), _Taken(turns[1], same)
    shared = set(same.values())
    moved = (printed.elsewhere() ^ changed.elsewhere()) & shared
    first = sorted((printed.first() | changed.first()) & shared, key=lambda ask: ask.rule)
    again = [ask.rule for ask in first if printed.ways(ask) != changed.ways(ask)]
    at_turns = printed.own() & changed.own()
    one, two = printed.kinds(at_turns), changed.kinds(at_turns)
    own = one.pop(frozenset(), 0), two.pop(frozenset(), 0)
    if moved:
        rule = min(ask.rule for ask in moved)
        yield f"what `{rule}` asks is part of a player’s own turn in one of the two, and not in the other"
    elif set(one) != set(two) or own[0] != own[1] or own[0] > 1:
        yield f"with {name} other questions make up a turn than as printed"
    elif again:
        yield f"`{again[0]}` can ask more often within one turn in one of the two than in the other"


__all__ = ["meanings"]
