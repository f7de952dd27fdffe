"""Chances over time in words: who is how likely to win as a game goes on, and who decides it for others."""

from __future__ import annotations

import math
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from interpreter.comparing.chances import MOVED, Chance, Chances, Kingmaking

BARS = "▁▂▃▄▅▆▇█"


def show(out: Console, found: Chances) -> None:
    """Prints the measures, the course of the winner's chance, and what is to be said of kingmaking."""
    out.print(Text("\nChances over time", style="bold"))
    out.print(Text(lead(found), style="dim"))
    if not found.games:
        return
    table = Table("", "mean", "", "", box=None, pad_edge=False, header_style="dim")
    table.columns[1].justify = "right"
    for one in found.measured:
        table.add_row(one.label, number(one), Text(one.unit, style="dim"), Text(one.meaning, style="dim"))
    out.print(table)
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


def number(one: Chance) -> str:
    reach = "?" if math.isinf(one.half_width) else f"{one.half_width:.1f}"
    return f"{one.mean:.1f} ±{reach}"


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
                "half_width": None if math.isinf(one.half_width) else round(one.half_width, 6),
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
