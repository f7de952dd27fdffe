"""The shape of play in the terminal."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from interpreter.bots.ladder import Ladder, Thinking
from interpreter.comparing.measures import OptionUse, PlayShape
from interpreter.comparing.quantities import BY_NAME
from interpreter.comparing.results import Comparison

from . import tabulated, words
from .tabulated import STYLES, number


def show(out: Console, title: str, who: str, shape: PlayShape) -> None:
    """Prints the measures, who wins by order of play, dead options and what thinking brings."""
    out.print(Text(f"{title}: the shape of play", style="bold"))
    out.print(Text(f"{who}, {shape.games:,} games", style="dim"))
    show_shape(out, shape)


def show_shape(out: Console, shape: PlayShape) -> None:
    """Prints all but who played."""
    if shape.left_out:
        out.print(Text(f"{shape.left_out:,} games had a fault or no end and are left out", style="yellow"))
    out.print(tabulated.measures(shape.measured).printed())
    if len(shape.order_wins) > 1:
        out.print(f"Wins by order of play: {order_wins(shape)}")
    _show_worths(out, shape)
    for option in shape.dead():
        out.print(Text(told_of_dead(option), style="yellow"))
    for thought in shape.thinking:
        out.print(told_of(thought))


def in_short(shape: PlayShape) -> list[str]:
    """What was found, in sentences."""
    known = {one.measure.name: one for one in shape.measured}

    def said(text: str, *names: str) -> list[str]:
        there = [known.get(name) for name in names]
        return [text.format(*(number(one) for one in there if one is not None))] if None not in there else []

    found = said("A game takes {} turns.", "length")
    found += said("Players decide {} times in a game; {} % of that with a single option.", "decisions", "forced")
    found += said("{} % of games are won by one side alone.", "decisive")
    found += said("Winners are {} points ahead, and lead for good after {} % of the game.", "margin", "settled")
    found += [f"Wins by order of play: {order_wins(shape)}."] if len(shape.order_wins) > 1 else []
    return found + [told_of_dead(option) for option in shape.dead()] + [told_of(one) for one in shape.thinking]


def what_next(shape: PlayShape) -> str:
    """What to do after reading this, in a sentence."""
    if shape.dead():
        return "look at the options that nobody takes: perhaps a rule keeps players from them."
    if shape.bots == "random":
        return "see whether it holds between players who look ahead, with --bots greedy:quick."
    return "read the most typical game, below, or try a house rule with rulelang compare."


def order_wins(shape: PlayShape) -> str:
    """Who won in 100 games, by order of play, and in how many nobody did."""
    shares = [f"{100 * share:.1f} %" for share in shape.order_wins]
    nobody = 100 * (1 - sum(shape.order_wins))
    return ", ".join([*shares, *([f"nobody {nobody:.1f} %"] if nobody >= 0.05 else [])])


def _show_worths(out: Console, shape: PlayShape) -> None:
    """What taking an option brings."""
    if not shape.valued():
        if shape.options and (why := words.worth_untold([shape.bots])):
            out.print(Text(why, style="dim"))
        return
    out.print(tabulated.options(shape).printed())
    out.print(Text(words.WORTH, style="dim"))


def told_of_dead(option: OptionUse) -> str:
    """That nobody takes an option, in a sentence."""
    if option.offered:
        return f"Dead option {option.name}: never taken, though offered {option.offered:,} times."
    return f"Dead option {option.name}: never offered."


def looks_of(shape: PlayShape, command: Callable[[int], str]) -> list[words.GameToSee]:
    """The typical game and the unusual ones; ``command``: what replays a game."""
    picked = shape.picked
    if picked.typical is None:
        return []
    found = [words.GameToSee(f"Game {picked.typical} is the most typical of {picked.of:,}.", command(picked.typical))]
    for one in picked.unusual:
        quantity = BY_NAME[one.quantity]
        found.append(words.GameToSee(words.unusual(one, quantity.label, quantity.unit, picked.of), command(one.game)))
    return found


def told_of(one: Thinking) -> str:
    """Whether thinking pays, in a sentence."""
    share = f"{100 * one.share:.0f} % of {one.games} games ({100 * one.low:.0f} to {100 * one.high:.0f} %)"
    said = {
        "pays": "thinking more pays",
        "hurts": "this kind of thinking does harm",
        "open": "not settled whether thinking pays",
    }[one.verdict]
    return f"One {one.more} against {one.less} wins {share}; {100 * one.fair:.0f} % would be its fair share: {said}."


def ladder_table(ladder: Ladder) -> tabulated.Figures:
    """The players, the strongest first, how strong they are, and what each wins against the next and at random."""
    wins = {
        (one.more, one.less): f"{100 * one.share:.0f} ({100 * one.low:.0f} to {100 * one.high:.0f})"
        for one in ladder.duels
    }
    levels = {bots: level for level, bots in ladder.levels.items()}
    rungs = ladder.rungs[::-1]
    rows = [
        (
            one.bots,
            f"{one.strength:,}",
            f"{one.milliseconds:.2g}",
            wins.get((one.bots, next_.bots))
            or (f"that wins {lost}" if (lost := wins.get((next_.bots, one.bots))) else ""),
            wins.get((one.bots, "random"), ""),
            levels.get(one.bots, ""),
        )
        for one, next_ in zip(rungs, [*rungs[1:], rungs[-1]], strict=True)
    ]
    head = "player", "strength", "ms a choice", "% against the next", "% against random", "level"
    return tabulated.Figures(head, rows, numbers=4)


def told_of_ladder(ladder: Ladder) -> list[str]:
    """How to read its table, and what to do with it."""
    fair = f"{100 * ladder.duels[0].fair:.0f}"
    found = [
        f"One player of a kind against others of another wins so many of 100 games; {fair} would be a fair share."
        " Strength is in points of Elo’s scale over players at random."
    ]
    levels = ladder.levels
    if len(levels) > 1:
        named = words.listed(levels)
        found.append(
            f"At the table you may name a level: {named}, as in rulelang serve ... --bots 2={next(iter(levels))}"
        )
    else:
        found.append("These games tell no three levels apart; play more, with --minutes.")
    return found


def as_json(shape: PlayShape) -> dict[str, Any]:
    return {
        "games": shape.games,
        "left_out": shape.left_out,
        "quantities": {
            one.measure.name: {
                "mean": round(one.mean, 6),
                "half_width": finite(one.half_width),
                "unit": one.measure.unit,
                "games": one.games,
            }
            for one in shape.measured
        },
        "wins_by_order": [round(share, 6) for share in shape.order_wins],
        "options": [_option_as_json(option) for option in shape.options],
        "games_to_look_at": shape.picked.as_json(),
        "thinking": [
            {"more": one.more, "less": one.less, "games": one.games, "share": round(one.share, 6),
             "low": round(one.low, 6), "high": round(one.high, 6), "fair": round(one.fair, 6), "verdict": one.verdict}
            for one in shape.thinking
        ],
    }  # fmt: skip


def _option_as_json(option: OptionUse) -> dict[str, Any]:
    told: dict[str, Any] = {"name": option.name, "offered": option.offered, "taken": option.taken}
    if option.worth is not None:
        told["worth"] = {
            name: {"value": round(effect.value, 6), "reach": finite(effect.reach)}
            for name, effect in option.worth.effects.items()
        } | {"games": option.worth.games}
    return told


def finite(number: float) -> float | None:
    return None if math.isinf(number) else round(number, 6)


def show_readings(out: Console, comparison: Comparison, cases: Sequence[tuple[str, Sequence[str]]]) -> None:
    """One row for each other reading: how many games it touches, and what it changes; then the smallest case of each,
    line by line."""
    found = Table("reading", "who plays", "pairs", "differ", "what it changes", box=None, pad_edge=False)
    found.header_style = "dim"
    for column in sorted(comparison.columns, key=_weight):
        rate = "" if column.touch_rate is None else f"{100 * column.touch_rate:.1f} %"
        said = Text()
        for kind, text in _effect(comparison, column):
            said.append(text, style=STYLES[kind])
        found.add_row(column.name, f"{column.players}, {column.bots}", f"{column.pairs:,}", rate, said)
    out.print(found)
    for name, case in cases:
        out.print()
        out.print(Text(name, style="bold"))
        out.print(Text("\n".join(case)), soft_wrap=True)


def _weight(column: Any) -> tuple[int, float]:
    """Those that change something first, then by how many games they touch."""
    changed = sum(one.verdict == "changed" for one in column.quantities.values())
    return -changed, -(column.touch_rate or 0.0)


def _effect(comparison: Comparison, column: Any) -> list[tuple[str, str]]:
    if column.problem is not None or column.touch_rate == 0:
        return words.summary(comparison, column)
    found = words.rows(comparison, column)
    changed = [words.change(quantity, one) for quantity, one in found if one.verdict == "changed"]
    if changed:
        return [("changed", "; ".join(changed))]
    unsettled = sum(one.verdict == "unsettled" for _, one in found)
    if unsettled:
        return [("unsettled", f"nothing found; not settled: {unsettled} of {len(found)} headlines")]
    return [("same", "nothing that matters")]
