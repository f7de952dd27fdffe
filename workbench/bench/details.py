"""The part of a page about one house rule: what it says, its verdicts, plots, and positions behind the numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.comparing.quantities import Quantity
from interpreter.comparing.results import ColumnResult, Comparison, sign
from interpreter.comparing.seats import ordinal
from interpreter.comparing.verdicts import Difference

from ..explained import Leaf, parting_of
from ..explained.game_page import apart, shared
from ..pictures.draw import arrange, whole
from ..pictures.layout.page import place
from ..pictures.looks import look_for
from ..pictures.paint import paint
from ..pictures.paint.svg import sheet
from ..wording import Names, News
from . import plots, tabulated, words

if TYPE_CHECKING:
    from interpreter.comparing.playing import Beside, ComparedTable, ComparisonRun
    from interpreter.game import Game, State


WIDTH = 640.0
"""Of the pictures, in pixels; on the page they take what room there is."""

MOST = 6
"""Columns that have pictures: those that change something come first. A page stays below about two megabytes."""

SLOW = ("flat", "ismcts")
"""Players who take too long for a game to be played again for its pictures."""


@attrs.frozen
class Illustration:
    """A picture with what it shows: ``lines`` above it, as sentences."""

    title: str
    lines: tuple[str, ...]
    svg: str


@attrs.frozen
class Illustrations:
    """Pictures of each column, by its place among the columns. ``head``: what the page needs once, as HTML."""

    of: dict[int, tuple[Illustration, ...]]
    head: str

    def html(self, column: int, *, parting: bool = False) -> str:
        """``parting``: only where the game parts from the printed one."""
        shown = self.of.get(column, ())[: -1 if parting else None]
        if not shown:
            return ""
        drawings = "".join(
            f"<figure><figcaption><b>{escape(one.title)}</b> {escape(' '.join(one.lines))}</figcaption>{one.svg}"
            "</figure>"
            for one in shown
        )
        return f"<h4>A typical game, and where it parts from the printed one</h4><div class='sights'>{drawings}</div>"


NONE = Illustrations({}, "")


def illustrations_of(run: ComparisonRun, comparison: Comparison) -> Illustrations:
    """What the page of a comparison shows of games."""
    places = [(table, beside) for table in run.tables for beside in table.beside]
    order = sorted(range(len(places)), key=lambda number: (_weight(comparison.columns[number]), number))
    found: dict[int, tuple[Illustration, ...]] = {}
    for number in order:
        table, beside = places[number]
        column = comparison.columns[number]
        seen = column.picked.typical is not None and table.bots.partition(":")[0] not in SLOW
        if seen and len(found) < MOST:
            found[number] = _illustrations(table, beside, column)
    pictures, symbols = apart([one.svg for shown in found.values() for one in shown])
    drawn = iter(pictures)
    parts = {
        number: tuple(attrs.evolve(illustration, svg=next(drawn)) for illustration in illustrations)
        for number, illustrations in found.items()
    }
    if not parts:
        return NONE
    return Illustrations(parts, f"<style>{sheet()}</style>{shared(symbols)}")


def _weight(column: ColumnResult) -> int:
    return -sum(one.verdict == "changed" for one in column.quantities.values())


def _illustrations(table: ComparedTable, beside: Beside, column: ColumnResult) -> tuple[Illustration, ...]:
    assert beside.rules is not None and column.picked.typical is not None
    games = table.base.game, beside.rules.game
    printed, changed = (_played(game, table, column.picked.typical) for game in games)
    parting = parting_of((games[0], printed), (games[1], changed), "en")
    illustrations = []
    if parting is not None:
        when = f"Decision {parting.decision + 1}" if parting.decision else "The start"
        for leaf, who in zip(parting.leaves, ("as printed", f"with {column.name}"), strict=True):
            svg = None if leaf is None else leaf.picture
            if svg is not None:
                illustrations.append(Illustration(f"{when}, {who}.", _told(leaf), svg))
    return (*illustrations, _end(games[1], changed, column))


def _told(leaf: Leaf | None) -> tuple[str, ...]:
    return () if leaf is None else tuple(told.text for told in leaf.told)


def _end(game: Game, state: State, column: ColumnResult) -> Illustration:
    program = game.program
    look = look_for(program, "en")
    svg = paint(place(arrange(program, _open(state), look), WIDTH), styled=False)
    outcome = words.capital(News(Names(program, look)).outcome(state.winners))
    return Illustration(f"The end, with {column.name}.", (outcome,), svg)


def _open(state: State) -> Mapping[str, Any]:
    """The position with all hands open; what lies face down for everybody stays so."""
    public, view = state.view(None)["state"], whole(state)
    variables = state.position.blueprint.program.variables
    down = {name for name, variable in variables.items() if variable.seen_by == "nobody"}
    return {**view, "state": view["state"] | {name: public[name] for name in down & public.keys()}}


def _played(game: Game, table: ComparedTable, number: int) -> State:
    from interpreter.bots.simple import BY_QUESTION
    from interpreter.comparing.playing import LIMIT
    from interpreter.simulate.games import simulated

    bots = None if table.bots == "random" else table.bots
    return simulated(game, table.seed, number, bots, limit=LIMIT, streams=BY_QUESTION, printed=table.base.game)


MOST_BARS = 10


def rule(comparison: Comparison, name: str, illustrations: Illustrations) -> str:
    """The part about an alternative, for every table at which it was played."""
    columns = comparison.of(name)
    seen = [illustrations.html(number) for number, column in enumerate(comparison.columns) if column.name == name]
    says = next((column.says for column in columns if column.says), "")
    variants = any(item.kind == "variant" for column in columns for item in column.alternative.items)
    quoted = f"<p>“{escape(says)}”</p>" if says and variants else ""
    return quoted + "".join(_column(comparison, column, shown) for column, shown in zip(columns, seen, strict=True))


def _column(comparison: Comparison, column: ColumnResult, illustrations: str) -> str:
    head = f"<h3>{words.seats(column.players)}, {escape(words.players_called(column.bots))}</h3>"
    if column.problem is not None:
        return f"{head}<p class='changed'>Cannot be played: {escape(column.problem)}</p>"
    if not column.quantities:
        return f"{head}<p>No pair of games came to an end yet.</p>"
    left = "".join(f"<p class='changed'>{escape(line)}</p>" for line in words.left_out(column))
    rows = "".join(_verdict(quantity, one, column) for quantity, one in words.rows(comparison, column))
    rows += "".join(f"<li class='soft'>Not compared: {escape(t)}</li>" for t in words.not_compared(comparison, column))
    refuted = ""
    if column.refuted:
        names = words.listed(column.refuted)
        refuted = f"<p class='soft'>Stood out, but not beyond doubt: {escape(names)}.</p>"
    said = words.worth_changes(column)
    worth = f"<p>{escape(said)}</p>" if said else ""
    numbers = "".join(table.html() for table in _numbers(column))
    looks = games_to_look_at(words.games_to_look_at(comparison, column))
    return (
        f"{head}{left}<p>{escape(words.touched(column))}</p><ul class='verdicts'>{rows}</ul>{refuted}{worth}"
        f"{_plots(column)}{illustrations}{folded('The numbers', numbers)}{folded('Games to look at', looks)}"
    )


def _verdict(quantity: Quantity, one: Difference, column: ColumnResult) -> str:
    said = f"{sign(one)} {quantity.label}: {words.verdict(quantity, one, column)}"
    return f"<li class='{one.verdict}'>{escape(said)}</li>"


def outcome_plots(column: ColumnResult) -> str:
    """How long games are, what players score, and who wins."""
    games = max(1, column.pairs)
    base, other = column.base, column.other
    shown: list[tuple[str, str]] = []
    for title, one, two in (
        (f"Length of a game, in {base.unit}", base.lengths, other.lengths),
        ("Scores of all seats", base.scores, other.scores if column.points else {}),
    ):
        if one and two:
            shown.append((title, plots.histogram(one, two, f"{title}, printed and with {column.name}")))
    if base.wins is not None and other.wins is not None and len(base.wins) > 1:
        rows = [
            (f"asked {ordinal(place)}", 100 * float(a) / games, 100 * float(b) / games)
            for place, (a, b) in enumerate(zip(base.wins, other.wins, strict=True), 1)
        ]
        fair = 50 * float(base.wins.sum() + other.wins.sum()) / games / len(rows)
        title = "Wins by order of play; the line is the fair share"
        shown.append((title, plots.bars(rows, title, mark=fair)))
    return _shown(column, shown)


def _plots(column: ColumnResult) -> str:
    """Small plots of how it comes about; those that say nothing of a game are left out."""
    games = max(1, column.pairs)
    base, other = column.base, column.other
    shown: list[tuple[str, str]] = []
    if base.best is not None and other.best is not None and base.last is not None and other.last is not None:
        courses = [
            (kind, stroke, [float(points) / games for points in course])
            for kind, stroke, course in (
                ("a", "full", base.best),
                ("a", "dashed", base.last),
                ("b", "full", other.best),
                ("b", "dashed", other.last),
            )
        ]
        shown.append(("First (line) and last (dashed) over the game", plots.lines(courses, "First and last over time")))
    taken = tabulated.taken(column)[:MOST_BARS]
    if taken:
        shown.append(("Options: taken when offered", plots.bars(taken, "Options taken when offered")))
    points = [part for part in column.points if abs(part.difference) >= 0.005][:MOST_BARS]
    if points:
        changes = [(part.rule, part.difference, part.half_width) for part in points]
        shown.append(("Points a player by rule: what changes", plots.diverging(changes, "Change of points by rule")))
    return outcome_plots(column) + _shown(column, shown)


def _shown(column: ColumnResult, plotted: Sequence[tuple[str, str]]) -> str:
    drawings = "".join(f"<figure><figcaption>{escape(title)}</figcaption>{plot}</figure>" for title, plot in plotted)
    key = f"<p class='key'><b></b>printed &nbsp; <b class='two'></b>{escape(column.name)}</p>"
    return f"{key}<div class='plots'>{drawings}</div>" if plotted else ""


def games_to_look_at(looks: Sequence[words.GameToSee]) -> str:
    """How to read the games behind the numbers."""
    return "".join(
        f"<p>{escape(look.text or 'The same game as printed.')}</p><pre>{escape(look.command)}</pre>" for look in looks
    )


def _numbers(column: ColumnResult) -> Iterator[tabulated.Figures]:
    """The numbers behind the plots."""
    yield from tabulated.points(column)
    yield from tabulated.rates(column)
    yield from tabulated.takings(column)
    yield from tabulated.worths(column, column.options)
    yield from tabulated.wins(column)
    yield tabulated.came_off(column)


def folded(summary: str, body: str) -> str:
    """What is unfolded with a click; nothing where there is nothing."""
    return f"<details><summary>{summary}</summary>{body}</details>" if body else ""
