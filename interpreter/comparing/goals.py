"""Goals of a designer: what a quantity of the game is to be, in itself or beside the printed game.

``length -10%..-5%`` is a change in per cent, ``length by -6..-3`` one in turns; ``score >= 30`` and ``seat 1 wins
32..35%`` are what they say; ``score same`` asks for no difference that matters.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Literal, TypeAlias

import attrs
import numpy as np

from rulelang.diagnostics import UnusablePath, did_you_mean
from rulelang.program.sides import sides

from ..bots.experience import training_of
from ..game import Game
from ..simulate.records import Array, Records
from .estimates import Moments, half_width
from .quantities import ALIASES, BY_NAME, Quantity, quantities_of, scale_of

Verdict: TypeAlias = Literal["meets", "misses", "open"]

Kind: TypeAlias = Literal["value", "change", "share"]
"""What a goal bounds: the quantity itself, how it changes, or how it changes in per cent of the printed game's."""

FORMS = "NAME A..B, NAME >= A or NAME <= A; with % or `by` for a change, or NAME same"

_NUMBER = r"[+-]?[0-9]{1,9}(?:\.[0-9]{1,6})?"
_GOAL = re.compile(
    rf"(?P<name>.*?)\s*(?P<by>\bby\b)?\s*"
    rf"(?:(?:=\s*)?(?P<low>{_NUMBER})\s*%?\s*\.\.\s*(?P<high>{_NUMBER})\s*(?P<percent>%)?"
    rf"|(?P<sign>>=|<=|>|<|=)\s*(?P<bound>{_NUMBER})\s*(?P<percent_of_one>%)?|(?P<same>\bsame))"
)


@attrs.frozen
class Goal:
    """``low`` to ``high``: where the quantity is to be, or its change. ``same``: whether the change is to be less than
    matters, whatever that is."""

    text: str
    quantity: Quantity
    kind: Kind
    low: float
    high: float
    same: bool = False

    @property
    def unit(self) -> str:
        """Of the numbers that it bounds."""
        if self.kind == "share":
            return "%"
        return self.quantity.unit

    def bounds(self, printed: float) -> tuple[float, float]:
        """From and to, beside a printed game whose quantity is ``printed``."""
        if not self.same:
            return self.low, self.high
        least = self.quantity.least(printed, {})
        return -least, least

    def scale(self, printed: float) -> float:
        """What one calls important, in the goal's unit, so that misses of several goals can be added up."""
        least = self.quantity.least(printed, {})
        return 100 * least / abs(printed) if self.kind == "share" and printed else least

    def miss(self, value: float, printed: float) -> float:
        """By how much a value is outside, in its unit; less than 0 where it is inside, by how deep."""
        low, high = self.bounds(printed)
        return max(low - value, value - high)


@attrs.frozen
class Estimate:
    """A goal's quantity as found, or its change: ``value`` give or take ``half_width``, in the goal's unit.

    ``least`` and ``most``: by how much the goal is missed, at least and at most, in units of what matters.
    ``printed``: the quantity in the printed game.
    """

    value: float
    half_width: float
    printed: float
    least: float
    most: float
    miss: float

    @property
    def verdict(self) -> Verdict:
        return "misses" if self.least > 0 else "meets" if self.most <= 0 else "open"

    @classmethod
    def of(cls, goal: Goal, games: Array, printed: Array, level: float, *, trained: bool) -> Estimate:
        """Of numbers of games, and those of the printed game with the same seeds. ``level``: of this look."""
        known = ~np.isnan(printed)
        base = float(printed[known].mean()) if known.any() else math.nan
        if goal.kind == "value":
            found, scale, value = games.astype(float), scale_of(goal.quantity.unit), None
        else:
            there = printed[: len(games)].astype(float)
            both = ~np.isnan(games) & ~np.isnan(there)
            if goal.kind == "share":
                mean = float(there[both].mean()) if both.any() else 0.0
                ratio = float(games[both].mean()) / mean if mean else math.nan
                found = 100 * (games - ratio * there) / mean if mean else np.full(len(games), math.nan)
                value, scale = 100 * (ratio - 1), 100.0
            else:
                found, value, scale = games - there, None, scale_of(goal.quantity.unit)
        if games is printed and goal.kind != "value":
            return cls._within(goal, 0.0, 0.0, base)  # the printed game beside itself
        moments = Moments()
        moments.extend(found, training_of(np.arange(len(found))) if trained else None)
        reach = half_width(moments, level, max(scale, float(np.ptp(printed[known])) if known.any() else 1.0))
        middle = moments.mean if value is None else value
        if not moments.count or math.isnan(middle):
            return cls(math.nan, math.inf, base, 0.0, math.inf, math.inf)
        return cls._within(goal, middle, reach, base)

    @classmethod
    def _within(cls, goal: Goal, middle: float, reach: float, base: float) -> Estimate:
        low, high = goal.bounds(base)
        matters = goal.scale(base)
        least = max(0.0, low - middle - reach, middle - reach - high) / matters
        most = max(0.0, low - middle + reach, middle + reach - high) / matters
        return cls(middle, reach, base, least, most, goal.miss(middle, base) / matters)


def verdict_of(estimates: Sequence[Estimate]) -> Verdict:
    """Whether all goals are met, some missed, or it is open."""
    every = {estimate.verdict for estimate in estimates}
    return "misses" if "misses" in every else "open" if "open" in every or not every else "meets"


def goals_of(texts: Sequence[str], game: Game) -> list[Goal]:
    """The goals that texts name, for a game.

    Raises UnusablePath for what cannot be read, for what the game does not have, and where goals contradict.
    """
    known = _known(game)
    if not texts:
        raise UnusablePath(f"Say what you want: --goal with {FORMS}. {_there(known)}")
    goals = [goal for text in dict.fromkeys(texts) for goal in _read(text, game, known)]
    _check_together(goals, game)
    return goals


def _known(game: Game) -> dict[str, Quantity]:
    """What goals can be about: the headline quantities of the game, and the wins of each seat."""
    found = {quantity.name: quantity for quantity in quantities_of(game.blueprint)}
    for alias, name in {**ALIASES, "first_player": "first_player_wins"}.items():
        if name in found:
            found[alias] = found[name]
    if "length" not in found:
        found["length"] = found["decisions"]  # how long a game is where nobody takes turns
    if len(set(sides(game.program))) > 1:
        for seat, name in enumerate(game.program.seats):
            found[f"seat_{seat + 1}"] = found[name] = _wins(seat, name)
    return found


def _wins(seat: int, name: str) -> Quantity:
    first = BY_NAME["first_player_wins"]

    def read(records: Records) -> Array:
        wins: Array = 100 * records.column("win")[:, seat]
        return wins

    return attrs.evolve(first, name=f"seat_{seat + 1}_wins", label=f"Seat {seat + 1} ({name}) wins", read=read)


def goals_about(game: Game) -> list[tuple[str, str, str]]:
    """What a game's goals can be about: each name as a goal has it, its label, and its unit."""
    known = {quantity.name: quantity for quantity in _known(game).values()}
    found = [(name.replace("_", " "), one.label, one.unit) for name, one in known.items()]
    shares = {one.unit for name, one in known.items() if name.startswith("seat_")}
    return found + [("every seat wins", "Every seat wins", unit) for unit in shares]


def _there(known: Mapping[str, Quantity]) -> str:
    """What the game has, for somebody who looks for something else."""
    names = dict.fromkeys(each.name for each in known.values())
    seats = [name for name in names if name.startswith("seat_")]
    told = [name for name in names if name not in seats] + ["seat N wins, or every seat wins"] * bool(seats)
    return f"This game has {', '.join(told)}."


def _read(text: str, game: Game, known: Mapping[str, Quantity]) -> list[Goal]:
    found = _GOAL.fullmatch(text.strip())
    if found is None or not found["name"]:
        raise UnusablePath(f"--goal {text}: write {FORMS}, for example --goal 'length -10%..-5%'.")
    name = "_".join(found["name"].lower().split())
    quantities = _named(text, name, game, known)
    low, high = _range(text, found)
    goals = []
    for quantity in quantities:
        kind = _kind(quantity, found)
        never = low > 100 if quantity.unit.startswith("%") else high < 0 and quantity.name not in ("score", "margin")
        if kind == "value" and never:
            raise UnusablePath(f"--goal {text}: {quantity.label.lower()} is never there; it is in {quantity.unit}.")
        said = text.strip()
        if len(quantities) > 1:
            said = f"{quantity.label.lower().split(' (')[0]} wins{said[found.end('name') :]}"
        goals.append(Goal(said, quantity, kind, low, high, bool(found["same"])))
    return goals


def _kind(quantity: Quantity, found: re.Match[str]) -> Kind:
    """What is bounded; a quantity that is in per cent already is bounded itself."""
    if (found["percent"] or found["percent_of_one"]) and not quantity.unit.startswith("%"):
        return "share"
    return "change" if found["by"] or found["same"] else "value"


def _named(text: str, name: str, game: Game, known: Mapping[str, Quantity]) -> list[Quantity]:
    """The quantities of a name: one, or of each seat."""
    bare = name.removesuffix("_wins").removesuffix("_win")
    seats = [known[each] for each in game.program.seats if each in known]
    if bare in ("every_seat", "each_seat", "all_seats") and seats:
        return seats
    found = known.get(name) or known.get(bare)
    if found is not None:
        return [found]
    if seats and re.fullmatch(r"seat_[1-9][0-9]?", bare):
        raise UnusablePath(f"--goal {text}: with {game.players} players there is no such seat.")
    if name in BY_NAME or name in ALIASES or bare.startswith("seat"):
        raise UnusablePath(f"--goal {text}: this game has nothing of the kind. {_there(known)}")
    near = did_you_mean(name, [*known, *(f"{each}_wins" for each in known if each.startswith("seat_"))])
    raise UnusablePath(f"--goal {text}: there is no quantity called `{name}`. {near or _there(known)}")


def _range(text: str, found: re.Match[str]) -> tuple[float, float]:
    if found["same"]:
        return 0.0, 0.0
    if found["bound"]:
        bound = float(found["bound"])
        return -math.inf if found["sign"] in ("<=", "<") else bound, math.inf if found["sign"] in (">=", ">") else bound
    low, high = float(found["low"]), float(found["high"])
    if low > high:
        raise UnusablePath(f"--goal {text}: {low:g} is more than {high:g}; turn them round.")
    return low, high


def _check_together(goals: Sequence[Goal], game: Game) -> None:
    """Raises UnusablePath for goals that no game can meet at once."""
    for one, two in combinations(goals, 2):
        alike = one.quantity.name == two.quantity.name and one.kind == two.kind and one.same == two.same
        if alike and max(one.low, two.low) > min(one.high, two.high):
            raise UnusablePath(f"--goal {one.text} and --goal {two.text} contradict: nothing is both. Leave one out.")
    seats = [goal for goal in goals if goal.quantity.name.startswith("seat_") and goal.kind == "value"]
    least: dict[str, float] = {}
    for goal in seats:
        least[goal.quantity.name] = max(goal.low, least.get(goal.quantity.name, 0.0))
    if sum(least.values()) > 100:
        told = " and ".join(f"--goal {goal.text}" for goal in seats)
        raise UnusablePath(f"{told} contradict: together the seats would win more than all games.")
    most = {goal.quantity.name: goal.high for goal in seats}
    if len(most) == game.players and all(map(math.isfinite, most.values())) and sum(most.values()) <= 0:
        raise UnusablePath("Nobody would win under these goals; let somebody win.")
