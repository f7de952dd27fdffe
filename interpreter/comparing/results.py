"""Results of a comparison: plain data that a page, a terminal, JSON and a notebook show."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import attrs

from .alternatives import Alternative
from .causes import Causes
from .estimates import FEWEST, half_width, quantile
from .pairs import Pairs, Results, Side
from .playing import Beside, ComparedTable, ComparisonRun
from .quantities import Quantity
from .seats import Ranking, SeatShare, overall
from .surprises import Surprise, told
from .typical import Picked
from .verdicts import BEHIND, LEVEL, Difference, crippled, each_of, level_of_shown
from .worth import OptionEffect, WorthBeside, clear_first, known_chances


@attrs.frozen
class Rate:
    """A rule or option that runs oftener or less often; ``also``: others whose counts are the same in every game.

    ``base``, ``difference`` and ``half_width``: times a game. ``new``: it does not exist in the base; ``gone``: only
    there.
    """

    rule: str
    also: tuple[str, ...]
    base: float
    difference: float
    half_width: float


@attrs.frozen
class PointsOf:
    """A rule's part of the change of a player's score: points a game. All parts add up to the whole change.

    ``half_width``: at 99 %, for all parts of the page together.
    """

    rule: str
    base: float
    difference: float
    half_width: float


@attrs.frozen
class Depends:
    """A quantity under two kinds of players: whether the difference depends on who plays. ``half_width``: of the
    difference between the two."""

    quantity: str
    bots: tuple[str, str]
    differences: tuple[float, float]
    half_width: float

    @property
    def depends(self) -> bool:
        return abs(self.differences[0] - self.differences[1]) > self.half_width


@attrs.frozen
class ColumnResult:
    """An alternative for one number of players and one kind of them.

    ``pairs``: those that both finished; ``touch_rate``: the share of all pairs that differ in anything, None without
    any. ``faulted``, ``stopped``: games by side (base, alternative) that are not in the numbers; ``fault``,
    ``fault_game``: the first message of the alternative, and the number of its game. ``problem``: why there are no
    numbers. ``not_compared``: by quantity, why it is not the same thing as in the base. ``refuted``: what stood out at
    first and fresh games did not confirm. ``seed``: of the simulation whose games these are; ``furthest``: by quantity,
    the greatest difference of a pair, and the number of its game; ``options``: what each option is worth, where the
    chances of choices are known; ``picked``: its games to look at.
    """

    name: str
    alternative: Alternative
    players: int
    bots: str
    played: int
    pairs: int
    touch_rate: float | None
    course_rate: float | None
    faulted: tuple[int, int]
    stopped: tuple[int, int]
    fault: str | None
    fault_game: int | None
    problem: str | None
    not_compared: Mapping[str, str]
    says: str
    quantities: dict[str, Difference]
    rates: tuple[Rate, ...]
    points: tuple[PointsOf, ...]
    refuted: tuple[str, ...]
    seed: int
    furthest: dict[str, tuple[float, int]]
    base: Side
    other: Side
    options: tuple[WorthBeside, ...]
    picked: Picked
    seats: tuple[SeatShare, ...]
    order: tuple[SeatShare, ...]
    results: tuple[Results, Results]

    @property
    def crippled(self) -> bool:
        """Whether so many pairs are left out that nothing is concluded."""
        return crippled(self.played, self.pairs)

    def equal(self, quantity: str) -> bool:
        """Whether a quantity is the same in both games of every pair."""
        return quantity not in self.furthest

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name, "players": self.players, "bots": self.bots, "pairs": self.pairs,
            "played": self.played, "touch_rate": _rounded(self.touch_rate), "course_rate": _rounded(self.course_rate),
            "faulted": list(self.faulted), "stopped_at_limit": list(self.stopped), "problem": self.problem,
            "not_compared": dict(self.not_compared),
            "quantities": {name: _difference_json(one) for name, one in self.quantities.items()},
            "rules": [_as_json(rate) for rate in self.rates],
            "points_by_rule": [_as_json(part) for part in self.points],
            "options": [_worth_json(option) for option in self.options],
            "results": {name: _as_json(side) for name, side in zip(("printed", "with"), self.results, strict=True)},
            "seats": [_seat_json(seat) for seat in self.seats],
            "order_of_play": [_seat_json(place) for place in self.order],
            "games_to_look_at": self.picked.as_json(),
            "not_confirmed": list(self.refuted), "seed": self.seed,
            "furthest": {
                name: {"difference": _rounded(by), "game": game} for name, (by, game) in self.furthest.items()
            },
        }  # fmt: skip


@attrs.frozen
class Comparison:
    """A game beside alternatives. In a notebook it shows itself.

    ``any_time``: whether the intervals hold at every look. ``stopped``: whether time or somebody ended it early.
    ``path``: of the game, as it was asked for. ``quantities``: the headline quantities in their order.
    """

    game: str
    title: str
    version: str
    seed: int
    any_time: bool
    stopped: bool
    path: str
    quantities: tuple[Quantity, ...]
    columns: tuple[ColumnResult, ...]
    depends: dict[str, tuple[Depends, ...]]
    rankings: tuple[Ranking, ...]
    causes: tuple[Causes, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The alternatives, in their order."""
        return tuple(dict.fromkeys(column.name for column in self.columns))

    def of(self, name: str) -> list[ColumnResult]:
        return [column for column in self.columns if column.name == name]

    def as_json(self) -> dict[str, Any]:
        return {
            "game": self.game, "version": self.version, "seed": self.seed,
            "level": LEVEL, "looked_at_any_time": self.any_time, "stopped_early": self.stopped,
            "columns": [column.as_json() for column in self.columns],
            "depends_on_who_plays": {
                name: [{**_as_json(one), "bots": list(one.bots), "depends": one.depends} for one in found]
                for name, found in self.depends.items()
            },
            "fairest": overall(self.rankings),
            "fairest_by_table": [ranking.as_json() for ranking in self.rankings],
            "causes": [causes.as_json() for causes in self.causes],
        }  # fmt: skip

    def _repr_html_(self) -> str:

        return table(self)


def results(run: ComparisonRun, found: list[Surprise], causes: tuple[Causes, ...] = ()) -> Comparison:
    """What a run has found so far."""
    by_place = {id(each.beside): each for each in found}
    columns = tuple(
        _column(run, table, beside, by_place.get(id(beside))) for table in run.tables for beside in table.beside
    )
    program = run.program
    return Comparison(
        game=program.name,
        title=program.title,
        version=program.version,
        seed=run.question.seed,
        any_time=run.looked,
        stopped=run.stopped,
        path=str(run.choices.path),
        quantities=run.tables[0].quantities,
        columns=columns,
        depends={a.name: _depends(run, a) for a in run.question.alternatives},
        rankings=tuple(_ranking(run, table) for table in run.tables),
        causes=causes,
    )


def _ranking(run: ComparisonRun, table: ComparedTable) -> Ranking:
    """The rule sets of a table by how fair they are, without those of which nothing is concluded."""
    out = [place for place, beside in enumerate(table.beside, 1) if not beside.plays or beside.pairs.crippled]
    return table.seats.ranking(table.players, table.bots, out, any_time=run.looked)


def _column(run: ComparisonRun, table: ComparedTable, beside: Beside, found: Surprise | None) -> ColumnResult:
    pairs = beside.pairs
    seats, order = _seats(run, table, beside)
    fault_game, fault = pairs.fault or (None, None)
    return ColumnResult(
        name=beside.alternative.name,
        alternative=beside.alternative,
        players=table.players,
        bots=table.bots,
        played=pairs.played,
        pairs=pairs.games,
        touch_rate=pairs.touch_rate,
        course_rate=pairs.course_rate,
        faulted=(pairs.faulted[0], pairs.faulted[1]),
        stopped=(pairs.stopped[0], pairs.stopped[1]),
        fault=fault,
        fault_game=fault_game,
        problem=beside.problem,
        not_compared=beside.not_compared,
        says=run.says(beside.alternative) if beside.program is not None else "",
        quantities=told(run, found) if found is not None else {},
        rates=_rates(pairs, found) if found is not None else (),
        points=_points(pairs, sum(len(b.pairs.points) for t in run.tables for b in t.beside)),
        refuted=tuple(sorted(found.refuted)) if found is not None else (),
        seed=table.seed,
        furthest=dict(pairs.furthest),
        base=pairs.base,
        other=pairs.other,
        picked=pairs.gallery.picked(),
        seats=seats,
        order=order,
        results=(pairs.base.results, pairs.other.results),
        options=_options(run, table, pairs),
    )


def _seats(
    run: ComparisonRun, table: ComparedTable, beside: Beside
) -> tuple[tuple[SeatShare, ...], tuple[SeatShare, ...]]:
    """Every seat, and every place in the order of play, if something is concluded of the alternative."""
    if beside.pairs.crippled or not beside.plays:
        return (), ()
    return table.seats.shares(1 + table.beside.index(beside), any_time=run.looked)


def _options(run: ComparisonRun, table: ComparedTable, pairs: Pairs) -> tuple[WorthBeside, ...]:
    """The worth of options, where the chances of choices are known."""
    if pairs.crippled or not known_chances(table.bots):
        return ()
    return tuple(clear_first(pairs.worths.beside(_played(run))))


def _played(run: ComparisonRun) -> int:
    """How many columns there are with games."""
    return sum(beside.plays for table in run.tables for beside in table.beside) or 1


def _rates(pairs: Pairs, found: Surprise) -> tuple[Rate, ...]:
    """Those that stand out and were not refuted, the largest shares of change first."""
    if pairs.crippled:
        return ()
    level = level_of_shown(found.shown, found.tested)
    rates = []
    for group in found.rules:
        if group[0] not in found.refuted:
            moments = pairs.ran[group[0]].moments
            base = pairs.base.by_rule[group[0]] / max(1, pairs.base.games)
            rates.append(Rate(group[0], group[1:], base, moments.mean, half_width(moments, level)))
    return tuple(sorted(rates, key=lambda rate: -abs(rate.difference) / (rate.base + 0.1)))


def _points(pairs: Pairs, together: int) -> tuple[PointsOf, ...]:
    """Every rule that gives points in either game, those that change most first. ``together``: so many hold at once."""
    if pairs.crippled:
        return ()
    games, level = max(1, pairs.base.games), each_of(together, BEHIND)
    found = [
        PointsOf(name, pairs.base.points.get(name, 0.0) / games, moments.mean, half_width(moments, level))
        for name, moments in pairs.points.items()
        if moments.not_zero or pairs.base.points.get(name)
    ]
    return tuple(sorted(found, key=lambda part: -abs(part.difference)))


def _depends(run: ComparisonRun, alternative: Alternative) -> tuple[Depends, ...]:
    """Each quantity between every two kinds of players, at tables of the same size."""

    beside = [(t, b) for t in run.tables for b in t.beside if b.alternative == alternative and b.plays]
    places = [(t, b) for t, b in beside if not b.pairs.crippled]
    pairs = [(x, y) for i, x in enumerate(places) for y in places[i + 1 :] if x[0].players == y[0].players]
    asked = len(pairs) * len(run.tables[0].quantities) * len(run.question.alternatives)
    found = []
    for (one, first), (other, second) in pairs:
        for quantity in one.quantities:
            a, b = first.pairs.quantities.get(quantity.name), second.pairs.quantities.get(quantity.name)
            if a is not None and b is not None and min(a.count, b.count) >= FEWEST:
                error = (a.error**2 + b.error**2) ** 0.5
                reach = quantile(each_of(asked, BEHIND), min(a.degrees, b.degrees)) * error
                found.append(Depends(quantity.name, (one.bots, other.bots), (a.mean, b.mean), reach))
    return tuple(found)


def _difference_json(one: Difference) -> dict[str, Any]:
    return {
        "base": _rounded(one.base), "difference": _rounded(one.difference), "half_width": _rounded(one.half_width),
        "verdict": one.verdict, "more_games": one.more_games, "matters": _rounded(one.matters),
    }  # fmt: skip


def _seat_json(seat: SeatShare) -> dict[str, Any]:
    return {name: _rounded(value) for name, value in seat.as_json().items()}


def _worth_json(option: WorthBeside) -> dict[str, Any]:
    def effects(found: Mapping[str, OptionEffect]) -> dict[str, Any]:
        return {name: _as_json(effect) for name, effect in found.items()}

    sides = {
        name: None if worth is None else {"games": worth.games, **effects(worth.effects)}
        for name, worth in (("printed", option.base), ("with", option.other))
    }
    return {"name": option.option, **sides, "change": effects(option.change)}


def _as_json(thing: Any) -> dict[str, Any]:
    found: dict[str, Any] = attrs.asdict(thing)
    return {name: _rounded(value) for name, value in found.items()}


def _rounded(value: Any) -> Any:
    """Numbers to six figures; what is not finite is None, since JSON knows no infinity."""
    if isinstance(value, tuple):
        return [_rounded(each) for each in value]
    if not isinstance(value, float):
        return value
    return float(f"{value:.6g}") if abs(value) < float("inf") else None


# The small table that a comparison shows of itself in a notebook.


SIGNS = {"changed": "▲▼", "small": "△▽", "same": "==", "unsettled": "??"}
"""By verdict, the signs of a difference upwards and downwards."""


def sign(one: Difference) -> str:
    """A sign that tells the verdict without colour."""
    return SIGNS[one.verdict][one.difference < 0]


def amount(number: float, digits: int = 2, *, signed: bool = True) -> str:
    """A number for people, with a true minus."""
    if abs(number) == float("inf"):
        return "?"
    rounded = round(number, digits) + 0.0  # without the sign of a zero
    text = f"{rounded:+.{digits}f}" if signed else f"{rounded:.{digits}f}"
    return text.replace("-", "−")


def table(comparison: Comparison) -> str:
    """Rows: quantities; columns: alternatives."""
    columns = [column for column in comparison.columns if column.problem is None]
    head = "".join(
        f"<th>{escape(column.name)}<br><small>{column.players} players, {escape(column.bots)},"
        f" {column.pairs:,} pairs</small></th>"
        for column in columns
    )
    rows = "".join(
        f"<tr><th style='text-align:left'>{escape(quantity.label)}</th>"
        + "".join(_cell(column.quantities.get(quantity.name)) for column in columns)
        + "</tr>"
        for quantity in comparison.quantities
    )
    caption = f"{escape(comparison.title)}: differences from the printed game"
    return f"<table><caption>{caption}</caption><thead><tr><th></th>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _cell(one: Difference | None) -> str:
    if one is None:
        return "<td></td>"
    return (
        f"<td title='{one.verdict}'>{sign(one)} {amount(one.difference)} ±{amount(one.half_width, signed=False)}</td>"
    )
