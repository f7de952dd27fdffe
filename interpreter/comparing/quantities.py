"""Headline quantities: what a comparison looks at first, each read off what one game left behind.

Several seats are averaged within a game, so that a game is one number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

import attrs
import numpy as np

from rulelang.diagnostics import UnusablePath, did_you_mean
from rulelang.program.sides import all_together, sides

from ..game import Game
from ..lowered.code import Ask
from ..lowered.counterparts import counterparts
from ..position.blueprint import Blueprint
from ..record.rounds import Turns
from ..record.shape import MOMENTS, looks_at
from ..simulate.records import Array, Records

Read: TypeAlias = Callable[[Records], Array]
"""A number for each game, not a number where it has none."""


@attrs.frozen
class Quantity:
    """``unit``: of its numbers, plural. ``matters``: the least difference that is important by default, in the unit,
    or as a ``share`` of the base's mean. ``more``, ``less``: how a change is told, up and down; ``{}`` is by how much,
    ``{number}`` the same without the unit. ``needs``: what there must be in a game, of ``kinds_of``."""

    name: str
    label: str
    unit: str
    read: Read
    more: str
    less: str
    matters: float = 0.0
    share: float = 0.0
    needs: tuple[str, ...] = ()
    short: str = ""

    def least(self, base: float, asked: Mapping[str, Importance]) -> float:
        """The least difference that matters, for a mean of ``base``."""
        wanted = asked.get(self.name)
        if wanted is not None:
            return wanted.of(base)
        return self.matters + self.share * abs(base) or 1.0


def _choice(records: Records) -> Array:
    """Options of a decision that has more than one."""
    real = records.column("chose").sum(axis=1)
    options: Array = (records.column("offers") - records.column("forced")) / np.where(real > 0, real, np.nan)
    return options


def _first_wins(records: Records) -> Array:
    """100 when who was asked first wins, a part of it when several do, 0 in a draw."""
    wins: Array = 100 * (records.column("win") * (records.column("order") == 1)).sum(axis=1)
    return wins


def _any_won(records: Records) -> Array:
    share: Array = 100.0 * (records.column("winners") != 0)
    return share


def _as(name: str, times: float = 1) -> Read:
    return lambda records: times * records.column(name)


def ahead(records: Records) -> Array:
    """Whether anybody was ahead of anybody before the end of a game, so that there was a lead at all."""
    if not records.shape.axes["moment"]:
        return np.zeros(records.games, dtype=bool)
    times = np.where(records.column("looks") > 0, records.column("looks"), records.column("decisions"))[:, None]
    moment = np.arange(MOMENTS)
    before = (moment * times + (MOMENTS - 1) // 2) // (MOMENTS - 1) < times  # the last of a short game are its end
    points = records.column("over_time")
    led: Array = ((points.max(axis=2) > points.min(axis=2)) & before).any(axis=1)
    return led


def while_ahead(name: str, times: float = 1) -> Read:
    """A column of games in which there was a lead before the end; of others it says nothing."""
    return lambda records: np.where(ahead(records), times * records.column(name), np.nan)


def _mean(name: str) -> Read:
    return lambda records: records.column(name).mean(axis=1)


QUANTITIES = (
    Quantity("length", "Length", "turns", lambda records: records.column("turns"), "games are {} longer",
             "games are {} shorter", share=0.05, needs=("turns",), short="length"),
    Quantity("decisions", "Decisions", "a game", _as("decisions"), "{number} more decisions are made in a game",
             "{number} fewer decisions are made in a game", share=0.05, short="decisions"),
    Quantity("score", "Score of a player", "points", _mean("score"), "players score {} more", "players score {} less",
             share=0.03, needs=("points",), short="scores"),
    Quantity("margin", "Winner ahead of the second", "points", _as("margin"), "the winner leads by {} more",
             "the winner leads by {} less", matters=1, needs=("points", "rivals"), short="the winner’s lead"),
    Quantity("spread", "First to last", "points", _as("spread"), "first and last are {} further apart",
             "first and last are {} closer", matters=1.5, needs=("points", "rivals"), short="first to last"),
    Quantity("choice", "Options of a real choice", "options", _choice, "there are {number} more options to choose from",
             "there are {number} fewer options to choose from", share=0.05, short="options"),
    Quantity("lead_changes", "Changes of the lead", "a game", while_ahead("lead_changes"),
             "games have {number} more changes of the lead", "games have {number} fewer changes of the lead",
             matters=0.5, needs=("points", "rivals", "leads"), short="changes of the lead"),
    Quantity("settled", "Winner settled after", "% of the game", while_ahead("settled", 100),
             "the winner is settled {} later", "the winner is settled {} sooner", matters=5,
             needs=("points", "rivals", "leads"), short="when it is settled"),
    Quantity("first_player_wins", "First player wins", "% of games", _first_wins,
             "the first player wins {number} more games in 100", "the first player wins {number} fewer games in 100",
             matters=3,
             needs=("rivals",), short="the first player’s chances"),
    Quantity("won", "Games won", "% of games", _any_won, "{number} more games in 100 are won",
             "{number} fewer games in 100 are won",
             matters=3, needs=("together",), short="games won"),
)  # fmt: skip
"""The headline quantities, in the order of the page. Those that say nothing of a game are left out of it."""

BY_NAME = {quantity.name: quantity for quantity in QUANTITIES}
ALIASES = {"win": "first_player_wins", "options": "choice", "leads": "lead_changes"}


def kinds_of(blueprint: Blueprint) -> frozenset[str]:
    """What there is in a game: ``points``; ``rivals``, or all ``together``; ``turns`` of players, which a game has as
    well in which nobody decides; ``leads`` before the end."""
    program = blueprint.program
    turns = Turns.of(blueprint)
    there = {
        "points": program.score is not None,
        "rivals": len(set(sides(program))) > 1,
        "together": all_together(program),
        "turns": bool(turns.loops) or not turns.asked,
        "leads": looks_at(blueprint) is not None,
    }
    return frozenset(kind for kind, is_there in there.items() if is_there)


def quantities_of(blueprint: Blueprint) -> tuple[Quantity, ...]:
    """Those that say something of a game: points where there are any, winners where they compete."""
    kinds = kinds_of(blueprint)
    return tuple(quantity for quantity in QUANTITIES if kinds.issuperset(quantity.needs))


def scale_of(unit: str) -> float:
    """By how much a game can differ from others that are all equal, as far as its unit tells."""
    return 100.0 if unit.startswith("%") else 1.0


@attrs.frozen
class Importance:
    """The least difference that a designer calls important: in the quantity's unit, or a share of the base's mean."""

    number: float
    percent: bool = False

    def of(self, base: float) -> float:
        return self.number / 100 * abs(base) if self.percent else self.number


def importances(text: str | None, known: Sequence[Quantity]) -> dict[str, Importance]:
    """``length=3,score=5%,win=3`` by quantity. Raises UnusablePath."""
    found: dict[str, Importance] = {}
    names = {quantity.name for quantity in known}
    for part in filter(None, (piece.strip() for piece in (text or "").split(","))):
        given, _, amount = (piece.strip() for piece in part.partition("="))
        name = ALIASES.get(given, given)
        if name == "length" and name not in names:
            name = "decisions"  # how long a game is where nobody takes turns
        if name not in names:
            near = did_you_mean(given, [*names, *(alias for alias, full in ALIASES.items() if full in names)])
            told = near or f"This game has {', '.join(sorted(names))}."
            raise UnusablePath(f"--matters {part}: there is no quantity called `{given}`. {told}")
        if name in found:
            raise UnusablePath(f"--matters: `{given}` is given twice; remove one of them.")
        try:
            number = float(amount.removesuffix("%").strip())
        except ValueError:
            number = 0.0
        if not 0 < number < 1e9:
            raise UnusablePath(f"--matters {part}: write {given}=NUMBER, more than 0; for example {given}=2 or 5%.")
        found[name] = Importance(number, amount.endswith("%"))
    return found


# Meanings of quantities: whether one is the same thing under a house rule as in the printed game, and why not.
#
# What is not the same thing is not subtracted. A turn is the same, however the loop over players is written, if the
# same questions belong to it, and come up in one turn as they did.


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
class _TurnsTaken:
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
    printed, changed = _TurnsTaken(turns[0], {}), _TurnsTaken(turns[1], same)
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
