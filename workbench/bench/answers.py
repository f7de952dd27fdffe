"""What a comparison comes to, in a few sentences: the answer, what is not known, and what to do next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from interpreter.comparing.quantities import Quantity
from interpreter.comparing.results import ColumnResult, Comparison

from . import words

MOST_SAID = 4
"""Changes that an answer names."""


def answer(comparison: Comparison, name: str) -> words.Pieces:
    """What a rule does, whoever plays, in a sentence or two."""
    columns = comparison.of(name)
    silent = [told for column in columns if (told := words.without_verdicts(comparison, column))]
    there = [column for column in columns if column.quantities and not words.without_verdicts(comparison, column)]
    if not there:
        return silent[0]
    found = [said for quantity in comparison.quantities if (said := _between(quantity, there))]
    pieces = words.changed(found[:MOST_SAID])
    if len(found) > MOST_SAID:
        pieces.append(("", f"; and {len(found) - MOST_SAID} more"))
    if not found:
        every = [one.verdict for column in there for one in column.quantities.values()]
        small = "changes nothing that you call important" if "small" in every else "makes no difference that matters"
        pieces.append(("same", small) if "unsettled" not in every else ("unsettled", "nothing is beyond doubt yet"))
    return words.capitalised([*pieces, ("", ".")]) + [("", f" {text}") for told in silent[:1] for _, text in told]


def _between(quantity: Quantity, columns: Sequence[ColumnResult]) -> str:
    """How a quantity changes, by between whom; empty where it changes between nobody."""
    changed = [(c, c.quantities[quantity.name].difference) for c in columns if _is(c, quantity, "changed")]
    said = []
    for more in (True, False):
        some = [(column, abs(by)) for column, by in changed if (by > 0) == more]
        if some:
            few, many = min(by for _, by in some), max(by for _, by in some)
            low, high = words.number(quantity, few), words.number(quantity, many)
            span = "" if low == high else f"{low} to "
            text = quantity.more if more else quantity.less
            whom = "" if len(columns) == 1 else " whoever plays"
            if len(some) < len(columns):
                whom = f" ({', '.join(_kind(column, columns) for column, _ in some)})"
            said.append(text.format(span + words.with_unit(quantity, many), number=span + high) + whom)
    return ", but ".join(said)


def _is(column: ColumnResult, quantity: Quantity, verdict: str) -> bool:
    return quantity.name in column.quantities and column.quantities[quantity.name].verdict == verdict


def _kind(column: ColumnResult, columns: Sequence[ColumnResult]) -> str:
    """Who plays, and how many if that is not always the same."""
    many = len({one.players for one in columns}) > 1
    return f"{column.players} {column.bots}" if many else column.bots


def open_questions(comparison: Comparison) -> bool:
    """Whether anything is not settled."""
    return any(one.verdict == "unsettled" for column in comparison.columns for one in column.quantities.values())


def not_known(comparison: Comparison) -> str:
    """What these games leave open, and whom they say nothing about."""
    every = [pair for column in comparison.columns for pair in words.rows(comparison, column)]
    unsettled = Counter(quantity.short for quantity, one in every if one.verdict == "unsettled")
    people = "Nor do these games say what people make of it."
    if not unsettled:
        return (
            "Not known: what people make of it. All else that was asked is settled." if every else "Nothing is known."
        )
    names = [name for name, _ in unsettled.most_common(3)]
    most = "" if len(unsettled) <= 3 else "most of all "
    return f"Not known: {unsettled.total()} of {len(every)} answers, {most}about {words.listed(names)}. {people}"


def what_next(comparison: Comparison) -> str:
    """What to do after reading the answer."""
    more = [one.more_games for c in comparison.columns for one in c.quantities.values() if one.verdict == "unsettled"]
    if known := [games for games in more if games is not None]:
        return f"play on until all is settled, which takes about {max(known):,} more games of each."
    if more:
        return "play on until all is settled."
    if len({column.bots for column in comparison.columns}) == 1:
        return "ask a second kind of players, with --bots: some rules mean more to those who plan."
    return "try it with people, and feed their games back with --bots people:FOLDER."
