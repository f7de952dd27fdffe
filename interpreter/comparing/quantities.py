"""Headline quantities: what a comparison looks at first, each read off what one game left behind.

Several seats are averaged within a game, so that a game is one number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import attrs
import numpy as np

from rulelang.diagnostics import UnusablePath, did_you_mean
from rulelang.program.sides import all_together, sides

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
