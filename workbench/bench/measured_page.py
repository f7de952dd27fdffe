"""The shape of play as a page: one HTML file that needs nothing else, no script either."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from interpreter.comparing.chances import Chances, GameChances
from interpreter.comparing.measures import PlayShape

from .. import web
from ..explained.page import apart, shared
from ..pictures.draw import draw
from ..pictures.paint.svg import sheet
from . import chances as told
from . import measured, plots, words
from .details import table
from .illustrations import WIDTH
from .style import STYLE

if TYPE_CHECKING:
    from interpreter.game import State


def page(
    title: str,
    who: str,
    shape: PlayShape,
    looks: Sequence[words.Look],
    chances: Chances | None,
    pictures: Sequence[tuple[str, State]] = (),
) -> str:
    """The whole page. ``pictures``: states of games, each with a sentence. Equal findings give equal bytes."""
    drawn, symbols = apart([draw(state, None, "en", width=WIDTH) for _, state in pictures])
    figures = "".join(
        f"<figure><figcaption>{escape(said)}</figcaption>{svg}</figure>"
        for (said, _), svg in zip(pictures, drawn, strict=True)
    )
    heading = f"{title}: the shape of play"
    body = "\n".join(
        [
            shared(symbols) if figures else "",
            f"<h1>{escape(heading)}</h1>",
            _in_short(shape),
            f'<p class="soft">{escape(who)}, {shape.games:,} games</p>',
            _shape(shape),
            "" if chances is None else _chances(chances),
            f"<h2>Where it turned</h2><div class='sights'>{figures}</div>" if figures else "",
            _options(shape),
            _looks(looks),
        ]
    )
    return web.page(heading, "en", body, STYLE, sheet())


def _shape(shape: PlayShape) -> str:
    rows = [(one.measure.label, measured.number(one), one.measure.unit, one.measure.meaning) for one in shape.measured]
    return f"<h2>The measures</h2>{table(('', 'mean', '', ''), rows, figures=1)}"


def _in_short(shape: PlayShape) -> str:
    left = f"<li class='changed'>{shape.left_out:,} games had a fault or no end and are left out.</li>"
    found = "".join(f"<li>{escape(text)}</li>" for text in measured.in_short(shape))
    return f"<h2>In short</h2><ul>{left if shape.left_out else ''}{found}</ul>"


def _chances(found: Chances) -> str:
    if not found.games:
        return f"<h2>Chances over time</h2><p>{escape(told.lead(found))}</p>"
    rows = [(one.label, told.number(one), one.unit, one.meaning) for one in found.measured]
    courses = [("b", "full", _percent(found.winner))] if found.winner else []
    courses.append(("a", "dashed", _percent(found.favourite)))
    shown = [("The chance of who wins (line) and of who is the favourite then (dashed)", courses)]
    if found.comeback is not None:
        shown.append(
            (f"Game {found.comeback.number}, the greatest comeback: everybody’s chance", _sides(found.comeback))
        )
    figures = "".join(
        f"<figure><figcaption>{escape(said)}, in %</figcaption>{plots.lines(lines, said)}</figure>"
        for said, lines in shown
    )
    kings = "".join(f"<p>{escape(line)}</p>" for line in told.kingmaking(found.kingmaking))
    return (
        f"<h2>Chances over time</h2><p class='soft'>{escape(told.lead(found))}</p>"
        f"{table(('', 'mean', '', ''), rows, figures=1)}{kings}<div class='plots'>{figures}</div>"
    )


def _percent(shares: Sequence[float]) -> list[float]:
    return [100 * share for share in shares]


def _sides(game: GameChances) -> list[tuple[str, str, list[float]]]:
    """Who won as a full line, the others dashed."""
    courses = [_percent(game.chances[:, side].tolist()) for side in range(len(game.winners))]
    lost = [("a", "dashed", course) for course, won in zip(courses, game.winners, strict=True) if not won]
    return [*lost, *(("b", "full", course) for course, won in zip(courses, game.winners, strict=True) if won)]


def _options(shape: PlayShape) -> str:
    options = shape.valued()
    dead = "".join(f"<p>{escape(measured.told_of_dead(option))}</p>" for option in shape.dead())
    if not options:
        why = escape(words.worth_untold([shape.bots])) if shape.options else ""
        said = f"<p class='soft'>{why}</p>" if why else ""
        return f"<h2>Options</h2>{said}{dead}" if said or dead else ""
    outcomes = words.outcomes_of([option.worth for option in options])
    rows = []
    for option in options:
        assert option.worth is not None
        effects = [words.worth(option.worth.effects[outcome], outcome) for outcome in outcomes]
        rows.append((option.name, f"{100 * option.share:.1f} %", *effects))
    head = ("", "taken when possible", *(words.OUTCOMES[outcome].unit for outcome in outcomes))
    return f"<h2>What options bring</h2><p class='soft'>{escape(words.WORTH)}</p>{table(head, rows)}{dead}"


def _looks(looks: Sequence[words.Look]) -> str:
    lines = "".join(f"<p>{escape(look.text)}</p><pre>{escape(look.command)}</pre>" for look in looks)
    return f"<h2>Games to look at</h2>{lines}" if lines else ""
