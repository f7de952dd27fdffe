"""Positions behind the numbers: how a typical game ends under a house rule, and where it parts from the printed one."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

import attrs

from ..explained import parting_of
from ..explained.page import apart, shared
from ..pictures.draw import arrange, whole
from ..pictures.layout.page import place
from ..pictures.looks import look_for
from ..pictures.paint import paint
from ..pictures.paint.svg import sheet
from ..wording import Names, News
from . import words

if TYPE_CHECKING:
    from interpreter.comparing.results import ColumnResult, Comparison
    from interpreter.comparing.run import Beside, Run, Table
    from interpreter.game import Game, State

    from ..explained import Leaf

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

    def html(self, column: int) -> str:
        shown = self.of.get(column, ())
        if not shown:
            return ""
        figures = "".join(
            f"<figure><figcaption><b>{escape(one.title)}</b> {escape(' '.join(one.lines))}</figcaption>{one.svg}"
            "</figure>"
            for one in shown
        )
        return f"<h4>A typical game, and where it parts from the printed one</h4><div class='sights'>{figures}</div>"


NONE = Illustrations({}, "")


def illustrations_of(run: Run, comparison: Comparison) -> Illustrations:
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


def _illustrations(table: Table, beside: Beside, column: ColumnResult) -> tuple[Illustration, ...]:
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


def _played(game: Game, table: Table, number: int) -> State:
    from interpreter.bots.streams import BY_QUESTION
    from interpreter.comparing.source import LIMIT
    from interpreter.simulate.games import simulated

    bots = None if table.bots == "random" else table.bots
    return simulated(game, table.seed, number, bots, limit=LIMIT, streams=BY_QUESTION, printed=table.base.game)
