"""The page of a comparison: one HTML file that needs nothing else, no script either."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from interpreter.comparing.quantities import Quantity
from interpreter.comparing.results import ColumnResult, Comparison
from interpreter.comparing.verdicts import BEHIND, LEVEL, Difference

from .. import web
from . import STYLE, answers, plots, tabulated, words
from .details import NONE, Illustrations, folded, outcome_plots, rule

if TYPE_CHECKING:
    from interpreter.comparing.causes import Causes
    from interpreter.comparing.playing import ComparisonQuestion


def page(
    comparison: Comparison, question: ComparisonQuestion, changes: str = "", illustrations: Illustrations = NONE
) -> str:
    """The whole page: what was found first, then who played and what the house rules change.

    ``changes``: what they change, as HTML; ``illustrations``: pictures of games.

    Equal comparisons give equal bytes.
    """
    count = len(comparison.names)
    title = f"{comparison.title}: {'a house rule' if count == 1 else f'{count} house rules'}, beside the printed game"
    body = "\n".join(
        [
            illustrations.head,
            f"<h1>{escape(title)}</h1>",
            _answer(comparison, question),
            *_glances(comparison),
            _pictures(comparison, illustrations),
            _fairness(comparison) if question.seats else "",
            *(_causes(comparison, causes) for causes in comparison.causes),
            "<h2>What is behind it</h2>",
            folded("Does it depend on who plays?", _depends(comparison)),
            folded("Who played", _who(comparison)),
            folded("What changes in the rules", changes),
            *(folded(f"All about {escape(name)}", rule(comparison, name, illustrations)) for name in comparison.names),
            folded("How to read this", _how_to_read(comparison)),
        ]
    )
    return web.page(title, "en", body, STYLE)


def _answer(comparison: Comparison, question: ComparisonQuestion) -> str:
    """What was found, what is not known, and what to do next."""
    lines = [
        f"<li>{escape(words.fairest(ranking))}</li>" for ranking in (comparison.rankings if question.seats else ())
    ]
    for name in comparison.names:
        said = "".join(_span(kind, text) for kind, text in answers.answer(comparison, name))
        lines.append(f"<li><b>{escape(name)}</b>: {said}</li>")
    told = [answers.not_known(comparison), f"Next: {answers.what_next(comparison)}"]
    return (
        f"<ul class='short'>{''.join(lines)}</ul>{''.join(f'<p>{escape(text)}</p>' for text in told)}"
        f"<pre>{escape(again(question, settled=answers.open_questions(comparison)))}</pre>"
        f'<p class="soft">{escape(_lead(comparison))}</p>'
    )


def _pictures(comparison: Comparison, illustrations: Illustrations) -> str:
    """How long games are, what players score and who wins, of each house rule where the first kind of players plays it;
    and a game of the one that changes the most."""
    first = [(number, column) for number, column in enumerate(comparison.columns) if column.quantities]
    there = {(column.players, column.bots) for _, column in first[:1]}
    shown = "".join(
        f"<h3>{escape(column.name)}</h3>{outcome_plots(column)}"
        for _, column in first
        if (column.players, column.bots) in there
    )
    game = next(iter(illustrations.of), None)
    seen = "" if game is None else illustrations.html(game, parting=True)
    who = f"<p class='soft'>{escape(_called(first[0][1]))}; grey is the printed game.</p>" if first else ""
    return f"<h2>In pictures</h2>{who}{shown}{seen}" if shown else ""


def _called(column: ColumnResult) -> str:
    return words.capital(f"{words.seats(column.players)}, {words.players_called(column.bots)}")


def again(question: ComparisonQuestion, *, settled: bool = False) -> str:
    """The command that repeats a comparison, or plays on until all is settled."""
    import shlex

    parts = ["rulelang", "compare", question.path]
    for alternative in question.alternatives:
        parts += ["--variant", alternative.text]
    parts += ["--players", ",".join(map(str, question.players)), "--bots", ",".join(question.bots)]
    parts += ["--until", "settled"] if settled or question.games is None else ["--games", str(question.games)]
    parts += ["--minutes", f"{question.minutes:g}"] if question.minutes is not None else []
    parts += ["--matters", question.matters] if question.matters else []
    parts += ["--causes"] if question.causes else []
    parts += ["--seats"] if question.seats else []
    parts += ["--seed", str(question.seed)] if question.seed else []
    return shlex.join(parts)


def _lead(comparison: Comparison) -> str:
    tables = dict.fromkeys((c.players, c.bots) for c in comparison.columns)
    told = "; ".join(
        f"{words.seats(players)}, {bots}: "
        + words.pairs_of(c for c in comparison.columns if (c.players, c.bots) == (players, bots) and c.problem is None)
        for players, bots in tables
    )
    return f"{told} · same seeds in both · seed {comparison.seed} · rules {comparison.version[:8]}"


def _who(comparison: Comparison) -> str:
    bots = dict.fromkeys(column.bots for column in comparison.columns)
    told = " ".join(map(words.who_plays, bots))
    for players, name in dict.fromkeys((column.players, column.bots) for column in comparison.columns):
        told += f" {words.peoples_games(name, players)}".rstrip()
    who = words.listed(words.players_called(name) for name in bots)
    stopped = " It was stopped early; what was played by then is here." if comparison.stopped else ""
    return (
        f'<p class="who"><b>{escape(words.capital(who))}.</b> These results say what happens between players of that'
        f" kind, not between people. {escape(told)}{stopped}</p>"
    )


def _span(kind: str, text: str) -> str:
    return f'<span class="{kind}">{escape(text)}</span>' if kind else escape(text)


def _glances(comparison: Comparison) -> Iterable[str]:
    tables = list(dict.fromkeys((c.players, c.bots) for c in comparison.columns))
    yield (
        "<h2>By how much</h2><p class='soft'>The mark is the difference from the printed game, the line where it can"
        " be, the grey band what does not matter.</p>"
    )
    for place, (players, bots) in enumerate(tables):
        columns = [c for c in comparison.columns if (c.players, c.bots) == (players, bots) and c.quantities]
        if columns:
            who = _called(columns[0])
            glance = _glance(comparison, columns, "" if place else who)
            yield folded(escape(who), glance) if place else glance


def _glance(comparison: Comparison, columns: Sequence[ColumnResult], caption: str) -> str:
    head = "".join(f"<th scope='col'>{escape(column.name)}</th>" for column in columns)
    rows = []
    for quantity in comparison.quantities:
        there = [(column, column.quantities.get(quantity.name)) for column in columns]
        shown = [one for _, one in there if one is not None]
        if shown:
            span = max(max(abs(o.difference) + min(o.half_width, 3 * o.matters), 1.5 * o.matters) for o in shown)
            cells = "".join(_nothing(quantity, c) if one is None else _mark(quantity, one, c, span) for c, one in there)
            unit = escape(quantity.unit)
            printed = words.printed(quantity, columns)
            base = "" if printed is None else words.number(quantity, printed)
            rows.append(
                f"<tr><th scope='row'>{escape(quantity.label)} <small>{unit}</small></th><td class='n'>{base}</td>"
                f"{cells}</tr>"
            )
    titled = f"<caption>{escape(caption)}</caption>" if caption else ""
    return (
        f"<div class='scroll'><table>{titled}<thead><tr><th></th><th class='n'>printed"
        f"</th>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _nothing(quantity: Quantity, column: ColumnResult) -> str:
    told = "not the same thing" if quantity.name in column.not_compared else ""
    return f"<td class='soft'>{told}</td>"


def _mark(quantity: Quantity, one: Difference, column: ColumnResult, span: float) -> str:
    label = words.verdict(quantity, one, column)
    picture = plots.interval(one.low, one.difference, one.high, one.matters, span, one.verdict, label)
    value = words.difference(quantity, one, column)
    return f"<td><span class='strip'>{picture}</span> <span class='value {one.verdict}'>{value}</span></td>"


def _fairness(comparison: Comparison) -> str:
    """Every seat under every rule set of each table, and which is the fairest."""
    blocks = (
        f"<p>{escape(fairest)}</p>{'' if known is None else known.html()}"
        for fairest, _, known in tabulated.seats(comparison)
    )
    return (
        f"<h2>Which is the fairest?</h2>{''.join(blocks)}<p class='soft'>A win that several share counts in part, a"
        " draw for nobody. An equal share is one of the games that were won. A rule set is as fair as its worst seat."
        "</p>"
    )


def _causes(comparison: Comparison, causes: Causes) -> str:
    """Which item does what, for each headline on which some item has an effect by itself."""
    blocks = [f"{found.html()}<p>{together}</p>" for found, together in tabulated.causes(comparison, causes)]
    return (
        f"<h2>Which rule does what: {escape(causes.name)}</h2><p class='soft'>{causes.games:,} games of each"
        f" combination, {words.seats(causes.players)}, {escape(words.players_called(causes.bots))}. “Share” adds up to"
        f" the whole.</p>{''.join(blocks) or '<p>No item has an effect that shows in these games.</p>'}"
    )


def _depends(comparison: Comparison) -> str:
    known = {quantity.name: quantity for quantity in comparison.quantities}
    rows = []
    for name, found in comparison.depends.items():
        for one in words.settled_about(found):
            quantity = known[one.quantity]
            a, b = (words.number(quantity, number, signed=True) for number in one.differences)
            told = (words.depends(one, quantity), "changed" if one.depends else "same")
            rows.append((name, quantity.label, f"{one.bots[0]} {a}, {one.bots[1]} {b}", told))
    if not rows:
        return ""
    table = tabulated.Figures(("rule", "quantity", "difference from the printed game", ""), rows, numbers=0).html()
    return f"{table}<p class='soft'>{escape(words.scale(comparison))}</p>"


def _how_to_read(comparison: Comparison) -> str:
    held = "at every look while it ran" if comparison.any_time else "together"
    doubtful = (
        "What barely stood out is only named." if comparison.any_time else "What barely stood out was played again."
    )
    matters = "; ".join(
        f"{quantity.short} {words.number(quantity, one.matters)}"
        for quantity, one in next((words.rows(comparison, c) for c in comparison.columns if c.quantities), [])
    )
    valued = any(column.options for column in comparison.columns)
    brings = f"<p>{escape(words.WORTH)}</p>" if valued else ""
    if no := words.worth_untold(column.bots for column in comparison.columns):
        brings += f"<p>{escape(no)}</p>"
    return (
        "<p>▲▼ changed; △▽ real, but less than you call important; = no difference that"
        f" matters; ? not settled. All headlines on this page hold {held} at {100 * LEVEL:.0f} %, and what"
        f" is behind them at {100 * BEHIND:.0f} %. {doubtful} Rules and"
        f" options are shown where no more than one in twenty is expected to be noise.</p>{brings}"
        f"<p class='soft'>Least important differences: {escape(matters)}.</p>"
    )
