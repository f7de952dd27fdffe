"""The shape of play as a page, with chances over time: one HTML file that needs nothing else, no script either."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from interpreter.bots.ladder import Ladder
from interpreter.comparing.chances import MOVED, Chances, GameChances, Kingmaking
from interpreter.comparing.measures import PlayShape
from interpreter.comparing.seats import ordinal

from .. import web
from ..explained.game_page import apart, shared
from ..pictures.draw import draw
from ..pictures.paint.svg import sheet
from . import STYLE, measured, plots, tabulated, words
from .details import WIDTH, folded, games_to_look_at

if TYPE_CHECKING:
    from interpreter.game import State


BARS = "▁▂▃▄▅▆▇█"


def show(out: Console, found: Chances) -> None:
    """Prints the measures, the course of the winner's chance, and what is to be said of kingmaking."""
    out.print(Text("\nChances over time", style="bold"))
    out.print(Text(lead(found), style="dim"))
    if not found.games:
        return
    out.print(tabulated.measures(found.measured).printed())
    if found.winner:
        out.print(f"The winner’s chance from start to end: {spark(found.winner)}")
    for line in kingmaking(found.kingmaking):
        out.print(line)


def lead(found: Chances) -> str:
    """How the chances were found."""
    if not found.games:
        return "No game was looked at: there was no time, or none came to its end."
    drawn = f" Drawn, and so without a winner to follow: {_games(found.drawn)}." if found.drawn else ""
    return (
        f"{found.games:,} games; at 21 moments of each it was played on at random {found.playouts} times. Everybody’s"
        f" fair chance is {100 * found.fair:.0f} %; in a draw all have an equal part.{drawn}"
    )


def spark(shares: tuple[float, ...]) -> str:
    """A row of bars, one for each share from 0 to 1."""
    return "".join(BARS[min(len(BARS) - 1, int(share * len(BARS)))] for share in shares)


def kingmaking(found: Kingmaking | None) -> list[str]:
    """Whether those who cannot win decide who does, in a sentence."""
    if found is None:
        return []
    points = f"{100 * MOVED:.0f} points"
    if not found.decisions:
        return ["Kingmaking: nobody was without a chance at any of these moments."]
    share = f"{100 * found.kings / found.decisions:.0f} % ({100 * found.low:.0f} to {100 * found.high:.0f} %)"
    looked = "decision" if found.decisions == 1 else "decisions"
    said = (
        f"Kingmaking: {found.decisions:,} {looked} of somebody without a chance were looked at;"
        f" {share} of them move another’s chance to win by more than {points}"
    )
    return [f"{said}, in {_games(found.games)}."]


def _games(games: int) -> str:
    return "1 game" if games == 1 else f"{games:,} games"


def as_json(found: Chances) -> dict[str, Any]:
    kings = found.kingmaking
    return {
        "games": found.games,
        "drawn": found.drawn,
        "playouts": found.playouts,
        "fair": round(found.fair, 6),
        "measures": {
            one.name: {
                "mean": round(one.mean, 6),
                "half_width": measured.finite(one.half_width),
                "unit": one.unit,
            }
            for one in found.measured
        },
        "winner_over_time": [round(share, 6) for share in found.winner],
        "favourite_over_time": [round(share, 6) for share in found.favourite],
        "kingmaking": None
        if kings is None
        else {"decisions": kings.decisions, "kings": kings.kings, "low": round(kings.low, 6),
              "high": round(kings.high, 6), "games": kings.games},
        "greatest_comeback": None
        if found.comeback is None
        else {"game": found.comeback.number, "chance": round(found.comeback.low, 6),
              "decision": found.comeback.moments[found.comeback.lowest]},
    }  # fmt: skip


def page(
    title: str,
    who: str,
    shape: PlayShape,
    looks: Sequence[words.GameToSee],
    chances: Chances | None,
    pictures: Sequence[tuple[str, State]] = (),
    ladder: Ladder | None = None,
) -> str:
    """The whole page. ``pictures``: states of games, each with a sentence. Equal findings give equal bytes."""
    drawn, symbols = apart([draw(state, None, "en", width=WIDTH) for _, state in pictures])
    drawings = "".join(
        f"<figure><figcaption>{escape(said)}</figcaption>{svg}</figure>"
        for (said, _), svg in zip(pictures, drawn, strict=True)
    )
    heading = f"{title}: the shape of play"
    body = "\n".join(
        [
            shared(symbols) if drawings else "",
            f"<h1>{escape(heading)}</h1>",
            _in_short(shape),
            f'<p class="soft">{escape(who)}, {shape.games:,} games</p>',
            _outcomes(shape),
            "" if chances is None else _chances(chances),
            f"<h2>Games to see</h2><div class='sights'>{drawings}</div>" if drawings else "",
            "" if ladder is None else _ladder(ladder),
            "<h2>What is behind it</h2>",
            folded("The measures", tabulated.measures(shape.measured).html()),
            folded("What options bring", _options(shape)),
            folded("Games to look at", games_to_look_at(looks)),
        ]
    )
    return web.page(heading, "en", body, STYLE, sheet())


def _ladder(ladder: Ladder) -> str:
    lines = "".join(f"<p class='soft'>{escape(text)}</p>" for text in measured.told_of_ladder(ladder))
    return f"<h2>Who beats whom</h2>{measured.ladder_table(ladder).html()}{lines}"


def _in_short(shape: PlayShape) -> str:
    left = f"<li class='changed'>{shape.left_out:,} games had a fault or no end and are left out.</li>"
    found = "".join(f"<li>{escape(text)}</li>" for text in measured.in_short(shape))
    return (
        f"<ul class='short'>{left if shape.left_out else ''}{found}</ul>"
        "<p>Not known: what people make of it, who have plans and likings.</p>"
        f"<p>Next: {escape(measured.what_next(shape))}</p>"
    )


def _outcomes(shape: PlayShape) -> str:
    """How long games are, what players score, and who wins."""
    unit = "turns" if any(one.measure.name == "length" for one in shape.measured) else "decisions"
    titles = (f"Length of a game, in {unit}", "Scores of all seats")
    shown = [
        (title, plots.histogram(counts, {}, title))
        for title, counts in zip(titles, (shape.lengths, shape.scores), strict=True)
        if counts
    ]
    if len(shape.order_wins) > 1:
        fair = 100 * sum(shape.order_wins) / len(shape.order_wins)
        rows = [(f"asked {ordinal(place)}", fair, 100 * won) for place, won in enumerate(shape.order_wins, 1)]
        shown.append(("Wins by order of play, and the fair share (hatched)", plots.bars(rows, "Wins by order of play")))
    drawings = "".join(f"<figure><figcaption>{escape(title)}</figcaption>{plot}</figure>" for title, plot in shown)
    return f"<h2>In pictures</h2><div class='plots'>{drawings}</div>" if shown else ""


def _chances(found: Chances) -> str:
    if not found.games:
        return f"<h2>Chances over time</h2><p>{escape(lead(found))}</p>"
    courses = [("b", "full", _percent(found.winner))] if found.winner else []
    courses.append(("a", "dashed", _percent(found.favourite)))
    shown = [("The chance of who wins (line) and of who is the favourite then (dashed)", courses)]
    if found.comeback is not None:
        shown.append(
            (f"Game {found.comeback.number}, the greatest comeback: everybody’s chance", _sides(found.comeback))
        )
    drawings = "".join(
        f"<figure><figcaption>{escape(said)}, in %</figcaption>{plots.lines(lines, said)}</figure>"
        for said, lines in shown
    )
    kings = "".join(f"<p>{escape(line)}</p>" for line in kingmaking(found.kingmaking))
    return (
        f"<h2>Chances over time</h2><p class='soft'>{escape(lead(found))}</p>"
        f"{tabulated.measures(found.measured).html()}{kings}<div class='plots'>{drawings}</div>"
    )


def _percent(shares: Sequence[float]) -> list[float]:
    return [100 * share for share in shares]


def _sides(game: GameChances) -> list[tuple[str, str, list[float]]]:
    """Who won as a full line, the others dashed."""
    courses = [_percent(game.chances[:, side].tolist()) for side in range(len(game.winners))]
    lost = [("a", "dashed", course) for course, won in zip(courses, game.winners, strict=True) if not won]
    return [*lost, *(("b", "full", course) for course, won in zip(courses, game.winners, strict=True) if won)]


def _options(shape: PlayShape) -> str:
    dead = "".join(f"<p>{escape(measured.told_of_dead(option))}</p>" for option in shape.dead())
    if not shape.valued():
        why = escape(words.worth_untold([shape.bots])) if shape.options else ""
        said = f"<p class='soft'>{why}</p>" if why else ""
        return f"{said}{dead}"
    return f"<p class='soft'>{escape(words.WORTH)}</p>{tabulated.options(shape).html()}{dead}"
