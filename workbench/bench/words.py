"""Findings of a comparison, in sentences."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import attrs

from interpreter.bots import PEOPLE
from interpreter.comparing.alternatives import BASE, Alternative
from interpreter.comparing.estimates import FEWEST
from interpreter.comparing.playing import LIMIT
from interpreter.comparing.quantities import Quantity
from interpreter.comparing.results import ColumnResult, Comparison, Depends, amount, sign
from interpreter.comparing.seats import PRINTED, Ranking, SeatShare
from interpreter.comparing.typical import Unusual
from interpreter.comparing.verdicts import Difference
from interpreter.comparing.worth import OptionEffect, Worth, WorthBeside, untold

WHO = {
    PEOPLE: ("players who choose as people did", ""),
    "random": ("random players", "Random players choose any option, all equally likely; they do not react to a rule."),
    "learned": (
        "players with habits",
        "Players with habits take more often what did well in random games of the printed game, and of what only a"
        " house rule has, in random games under it; they see no position.",
    ),
    "greedy": ("greedy players", "Greedy players take what puts them ahead soonest and plan nothing."),
    "epsilon-greedy": (
        "mostly greedy players",
        "Mostly greedy players take what puts them ahead soonest, and now and then any option at all.",
    ),
    "flat": (
        "players who try each option out",
        "Players who try each option out play it on at random and take the best; they make no deep plans.",
    ),
    "ismcts": (
        "players who search",
        "Players who search look through the games that may follow, without seeing what is hidden from them.",
    ),
}
"""By bot: who played, and what to think of them; each sentence says whom it is about."""

MOST_WORTHS = 4
"""Options of which a sentence tells how their worth changes."""

DIGITS = {"choice": 2, "lead_changes": 2}

_COUNTED = {"lead_changes": "changes", "decisions": "decisions"}
"""What is counted of a game, by quantity."""

Row = tuple[Quantity, Difference]


def who_plays(bots: str) -> str:
    """What players of a kind do, in sentences; of those who play as people did, what is known of these."""
    name = bots.partition(":")[0]
    if name == PEOPLE:
        from interpreter.bots.people import read

        return read(bots).told()
    return WHO.get(name, ("", ""))[1]


def peoples_games(bots: str, players: int) -> str:
    """What people's own games were like beside those of players who play as they did; empty for others."""
    if bots.partition(":")[0] != PEOPLE:
        return ""
    from interpreter.bots.people import read

    return read(bots).beside(players)


def players_called(bots: str) -> str:
    """``greedy players``; ``players who search (ismcts:200)``."""
    name, colon, _ = bots.partition(":")
    called = WHO.get(name, (bots, ""))[0]
    return f"{called} ({bots})" if colon else called


def seats(players: int) -> str:
    """``1 player``, ``3 players``."""
    return "1 player" if players == 1 else f"{players} players"


def number(quantity: Quantity, value: float, *, signed: bool = False) -> str:
    return amount(value, DIGITS.get(quantity.name, 1), signed=signed)


def with_unit(quantity: Quantity, value: float) -> str:
    """``12.5 turns``; ``3.0 % of games``; ``0.60 changes``."""
    unit = _COUNTED.get(quantity.name, quantity.unit)
    text = number(quantity, abs(value))
    if unit.endswith("s") and " " not in unit and text in ("1", "1.0", "1.00"):
        unit = unit[:-1]
    return f"{text} {unit}"


def change(quantity: Quantity, one: Difference) -> str:
    """``games are 12.5 turns longer``."""
    return changed_by(quantity, one.difference)


def changed_by(quantity: Quantity, by: float) -> str:
    """A change of a quantity, in words."""
    words = quantity.more if by > 0 else quantity.less
    return words.format(with_unit(quantity, by), number=number(quantity, abs(by)))


def verdict(quantity: Quantity, one: Difference, column: ColumnResult) -> str:
    """A verdict by itself, with its interval."""
    low, high = number(quantity, one.low, signed=True), number(quantity, one.high, signed=True)
    match one.verdict:
        case "changed":
            return f"{change(quantity, one)} ({low} to {high})"
        case "small":
            return f"real, but less than what matters: {change(quantity, one)} ({low} to {high})"
        case "same" if column.equal(quantity.name):
            return "the same in every pair of games"
        case "unsettled" if column.equal(quantity.name) and column.pairs:
            return f"the same in every pair of games so far{_more(one.more_games)}"
        case "same":
            most = max(abs(one.low), abs(one.high))
            return f"no difference that matters: less than {with_unit(quantity, most)} either way"
        case _:
            if one.half_width == float("inf"):
                return "not settled: too few games"
            return f"not settled: between {low} and {high}{_more(one.more_games)}"


def _more(games: int | None) -> str:
    return f"; about {games:,} more games" if games else ""


def rows(comparison: Comparison, column: ColumnResult) -> list[Row]:
    """The verdicts on a column, in the order of the page."""
    return [(q, column.quantities[q.name]) for q in comparison.quantities if q.name in column.quantities]


def printed(quantity: Quantity, columns: Iterable[ColumnResult]) -> float | None:
    """The mean of a quantity in the printed game, by the column of which the most pairs came to their end."""
    known = [
        (column.pairs, column.quantities[quantity.name].base)
        for column in columns
        if quantity.name in column.quantities
    ]
    return max(known)[1] if known else None


def difference(quantity: Quantity, one: Difference, column: ColumnResult) -> str:
    """A difference with its sign and how far off it can be: ``▲ +5.11 ±0.77``; ``= the same`` where it never is
    another."""
    if column.equal(quantity.name) and column.pairs:
        return f"{sign(one)} the same"
    digits = DIGITS.get(quantity.name, 1)
    while 0 < one.half_width < 0.5 * 10**-digits:
        digits += 1
    return f"{sign(one)} {amount(one.difference, digits)} ±{amount(one.half_width, digits, signed=False)}"


def pairs_of(columns: Iterable[ColumnResult]) -> str:
    """How many pairs of games there are of each column; of some there may be fewer."""
    found = {column.pairs for column in columns} or {0}
    few, many = f"{min(found):,}", f"{max(found):,}"
    return f"{many} pairs of games" if few == many else f"{few} to {many} pairs of games"


def of_verdict(found: Iterable[Row], *kinds: str) -> list[Row]:
    return [(quantity, one) for quantity, one in found if one.verdict in kinds]


Pieces: TypeAlias = list[tuple[str, str]]
"""Pieces of text, each with the kind of its verdict, ``""`` for plain words."""


def summary(comparison: Comparison, column: ColumnResult) -> Pieces:
    """What a rule does in short."""
    nothing = without_verdicts(comparison, column)
    if nothing:
        return nothing
    found = rows(comparison, column)
    pieces = changed([change(*row) for row in of_verdict(found, "changed")], ". ")
    small = of_verdict(found, "small")
    if small:
        told = "; ".join(change(quantity, one) for quantity, one in small)
        pieces.append(("same", f"Real, but less than you call important: {told}. "))
    pieces += _same(column, of_verdict(found, "same"))
    pieces += _unsettled(of_verdict(found, "unsettled"))
    pieces += [("", f"Not compared: {text}. ") for text in not_compared(comparison, column)]
    kind, last = pieces[-1]
    return capitalised([*pieces[:-1], (kind, last.rstrip())])


def without_verdicts(comparison: Comparison, column: ColumnResult) -> Pieces:
    """What is said of a rule where there is nothing to conclude from; empty where there is."""
    if column.problem is not None:
        return [("", f"Cannot be played: {ended(column.problem)}")]
    if not column.played:
        return [("unsettled", "No pair of games has been played yet.")]
    if column.touch_rate == 0:
        return [
            ("same", f"Nothing that is counted differs in any of {column.played:,} pairs of games."),
            ("", " These players never come to what the rule changes, or it changes nothing."),
            *(("", f" Not compared: {text}.") for text in not_compared(comparison, column)),
        ]
    if column.crippled:
        return [("unsettled", " ".join(left_out(column))), ("", " Too many to conclude anything; mend the rule first.")]
    if column.pairs < FEWEST:
        left = f" came to their end, of {column.played}" if column.pairs < column.played else ""
        return [
            ("unsettled", f"Too few games: {column.pairs} pairs{left}."),
            ("", f" Nothing is concluded from fewer than {FEWEST}."),
        ]
    return []


def changed(said: Sequence[str], end: str = "") -> Pieces:
    """Changes, one after the other."""
    pieces: Pieces = []
    for place, one in enumerate(said, 1):
        pieces += [("changed", one), ("", "; " if place < len(said) else end)]
    return pieces


def _same(column: ColumnResult, found: Sequence[Row]) -> Pieces:
    equal = [quantity.short for quantity, _ in found if column.equal(quantity.name)]
    alike = [quantity.short for quantity, _ in found if not column.equal(quantity.name)]
    pieces = [("", f"The same in every pair of games: {listed(equal)}. ")] if equal else []
    return [*pieces, *([("", f"No difference that matters in {listed(alike)}. ")] if alike else [])]


def _unsettled(found: Sequence[Row]) -> Pieces:
    if not found:
        return []
    pieces = [("unsettled", f"Not settled: {listed(quantity.short for quantity, _ in found)}")]
    more = [one.more_games for _, one in found if one.more_games is not None]
    if len(more) == len(found):
        all_ = "it" if len(found) == 1 else "all of them" if len(found) > 2 else "both"
        pieces.append(("", f"; about {max(more):,} more games should settle {all_}"))
    return [*pieces, ("", ". ")]


def not_compared(comparison: Comparison, column: ColumnResult) -> Iterator[str]:
    """Which headlines are something else under a rule than as printed, and why; one text for each reason."""
    known = {quantity.name: quantity for quantity in comparison.quantities}
    reasons: dict[str, list[str]] = {}
    for name, why in column.not_compared.items():
        if name in known:
            reasons.setdefault(why, []).append(known[name].short)
    for why, names in reasons.items():
        yield f"{listed(names)}, since {why}"


def capitalised(pieces: Pieces) -> Pieces:
    """The same with the first letter large."""
    if pieces:
        kind, text = pieces[0]
        pieces[0] = (kind, capital(text))
    return pieces


def capital(text: str) -> str:
    """A sentence with its first letter large."""
    return text[:1].upper() + text[1:]


def listed(words: Iterable[str]) -> str:
    """``length, scores and options``."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def touched(column: ColumnResult) -> str:
    """How many pairs differ at all, and whether in how they are played or only in what comes of it."""
    rate, course = column.touch_rate, column.course_rate
    if rate is None or course is None:
        return ""
    many = f"{column.played:,} pairs of games"
    if rate == 0:
        return f"Nothing that is counted differs in any of {many}."
    said = f"In every one of {many} something differs" if rate == 1 else f"{100 * rate:.1f} % of {many} differ"
    if course == rate:
        return f"{said}, in how they are played: in who decides how often, among which options, or in what is taken."
    if course == 0:
        return f"{said}, but none in how they are played: only in points, in who wins, or in which rules run."
    return f"{said}: {100 * course:.1f} % in how they are played, the others only in points, winners or rules that run."


def left_out(column: ColumnResult) -> list[str]:
    """Pairs that are not in the numbers, and why."""
    found = []
    for place, where in enumerate(("as printed", f"with {column.name}")):
        if column.faulted[place]:
            found.append(f"{_games(column.faulted[place])} {where} could not be played to the end")
        if column.stopped[place]:
            found.append(f"{_games(column.stopped[place])} {where} had no end within {LIMIT:,} decisions")
    if not found:
        return []
    said = f"{listed(found)}; {column.played - column.pairs:,} of {column.played:,} pairs are left out of the numbers."
    if column.fault is not None:
        said += f" The first fault, in game {column.fault_game}: {ended(column.fault)}"
    return [capital(said)]


def ended(text: str) -> str:
    """A sentence with its stop."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _games(count: int) -> str:
    return "1 game" if count == 1 else f"{count:,} games"


def scale(comparison: Comparison) -> str:
    """How strong those who played are, where that was measured for the printed game; else empty."""
    from interpreter.bots.ladder import kept

    found = []
    for players in dict.fromkeys(column.players for column in comparison.columns):
        ladder = kept(comparison.version, players)
        asked = {column.bots for column in comparison.columns}
        rungs = [] if ladder is None else [rung for rung in ladder.rungs if rung.bots in asked]
        if ladder is not None and rungs:
            told = listed(f"{rung.bots} {rung.strength:,}" for rung in rungs)
            top = ladder.rungs[-1]
            found.append(f"{seats(players)}: {told}; the strongest that was measured, {top.bots}, {top.strength:,}.")
    return " ".join(["How strong who plays is, in points of Elo’s scale over random players.", *found]) if found else ""


def depends(one: Depends, quantity: Quantity) -> str:
    """Whether a difference depends on who plays."""
    first, second = one.differences
    if not one.depends:
        return "the same whoever plays, as far as these games tell"
    a, b = (players_called(name) for name in one.bots)
    if first * second < 0:
        ups, downs = (a, b) if first > 0 else (b, a)
        return f"up between {ups}, down between {downs}"
    larger, more, less = (a, first, second) if abs(first) > abs(second) else (b, second, first)
    way = "up" if more > 0 else "down"
    times = abs(more / less) if less else float("inf")
    much = f"{times:.1f} times as much" if times < 10 else "far more"
    return f"{way} in both; {much} between {larger}"


SEATS = "share of the games, %; below it how that changes"

_PRINTED = "the printed game"


def of_table(comparison: Comparison, ranking: Ranking) -> list[ColumnResult]:
    """The columns of a table of which seats are known."""
    there = (ranking.players, ranking.bots)
    return [column for column in comparison.columns if (column.players, column.bots) == there and column.seats]


def seat_rows(columns: Sequence[ColumnResult], ranking: Ranking) -> Iterator[tuple[str, ...]]:
    """Of every seat, and every place in the order of play where that is another, what it wins as printed and under each
    rule, and how that changes; what an equal share would be; and how far the worst seat is from it."""
    for seats_alike in zip(*(column.seats for column in columns), strict=True):
        yield from _rows_of_seat(seats_alike[0].seat, seats_alike)
    for places_alike in zip(*(column.order for column in columns), strict=True):
        yield from _rows_of_seat(f"asked {places_alike[0].seat}", places_alike)
    first = [column.seats[0] for column in columns]
    if all(len({seat.equal for seat in column.seats}) == 1 for column in columns):
        equal = (first[0].printed_equal, *(seat.equal for seat in first))
        yield "an equal share", *(amount(100 * part, 1, signed=False) for part in equal)
    worst = [ranking.worst.get(name) for name in (PRINTED, *(column.name for column in columns))]
    yield "the worst seat is off by", *("" if one is None else _share(one.distance, one.half_width) for one in worst)


def _rows_of_seat(name: str, shares: Sequence[SeatShare]) -> Iterator[tuple[str, ...]]:
    one = shares[0]
    yield name, _share(one.printed, one.printed_half_width), *(_share(one.share, one.half_width) for one in shares)
    yield "", "", *(_share(one.difference, one.difference_half_width, signed=True) for one in shares)


def _share(value: float, reach: float, *, signed: bool = False) -> str:
    return f"{amount(100 * value, 1, signed=signed)} ±{amount(100 * reach, 1, signed=False)}"


def fairest(ranking: Ranking) -> str:
    """Which rule set of a table is the fairest, and which cannot be told apart."""
    where = f"{seats(ranking.players)}, {players_called(ranking.bots)}"
    if ranking.why is not None:
        return f"Fairness ({where}): {ended(ranking.why)}"
    told = [listed(map(_called, group)) for group in ranking.groups]
    apart = ", which cannot be told apart"
    if len(told) == 1:
        told[0] = f"these games cannot tell {told[0]} apart"
        apart = ""
    parts = [f"{name}{apart if len(group) > 1 else ''}" for name, group in zip(told, ranking.groups, strict=True)]
    said = f"Fairest first ({where}): {'; then '.join(parts)}."
    place = {name: number for number, group in enumerate(ranking.groups) for name in group}
    within = sorted((a, b) for a, b in ranking.fairer if place[a] == place[b])
    if within:
        said += f" Yet {listed(f'{_called(a)} is fairer than {_called(b)}' for a, b in within)}."
    return said


def _called(name: str) -> str:
    return _PRINTED if name == PRINTED else name


def came_off(column: ColumnResult) -> list[tuple[str, str, str]]:
    """How the games of both sides came off, each game counted once: by seat those that it won alone, its parts of those
    that some won together, and the others."""
    printed, changed = column.results
    if not printed.games:
        return []
    seats = [seat.seat for seat in column.seats] or [f"seat {n}" for n in range(1, len(printed.wins) + 1)]
    rows = [(f"won by {s}", a, b) for s, a, b in zip(seats, printed.wins, changed.wins, strict=True)]
    rows += [(f"shared, of {s}", a, b) for s, a, b in zip(seats, printed.shares, changed.shares, strict=True)]
    rows += [("drawn", printed.draws, changed.draws), ("lost by all", printed.losses, changed.losses)]
    shown = [row for row in rows if any(row[1:])] + [("together", printed.games, changed.games)]
    return [(name, _games_or_parts(a), _games_or_parts(b)) for name, a, b in shown]


def _games_or_parts(number: float) -> str:
    return f"{number:,.1f}".removesuffix(".0")


@attrs.frozen
class Outcome:
    """What an option can bring, in words: a change of it, as ``worth 1.2 points more``."""

    digits: int
    unit: str


OUTCOMES = {"points": Outcome(2, "points"), "wins": Outcome(1, "% of games won")}

WORTH = (
    "What an option brings is what a player gains by taking it once instead of another option of the same choice, among"
    " random players. It does not look good merely because players who are ahead take it more often."
)


def worth_untold(bots: Iterable[str]) -> str:
    """Between whom the worth of options is not told, and why; empty where it is told for all."""
    who = untold(dict.fromkeys(bots))
    if not who:
        return ""
    called = listed(name or "these players" for name in who)
    return (
        f"What an option brings is not told for {called}: it takes the chance of every option at each choice,"
        " which games keep only for players who choose evenly. Add random players (--bots random) to see it."
    )


def outcomes_of(worths: Iterable[Worth | None]) -> list[str]:
    """The outcomes that are known of any of them."""
    return list(dict.fromkeys(name for worth in worths if worth is not None for name in worth.effects))


def worth(effect: OptionEffect, outcome: str = "points") -> str:
    """``+1.20 ±0.30``."""
    digits = OUTCOMES[outcome].digits
    return f"{amount(effect.value, digits)} ±{amount(effect.reach, digits, signed=False)}"


def worth_changes(column: ColumnResult) -> str:
    """What clearly changes in the worth of options, as a sentence; empty where nothing does."""
    told = [_worth_change(option) for option in column.options if option.clear][:MOST_WORTHS]
    return f"Taking {'; taking '.join(told)}." if told else ""


def _worth_change(option: WorthBeside) -> str:
    name, effect = next((name, effect) for name, effect in option.change.items() if effect.clear)
    outcome = OUTCOMES[name]
    much = f"{amount(abs(effect.value), outcome.digits, signed=False)} {outcome.unit}"
    way = "more" if effect.value > 0 else "less"
    assert option.base is not None and option.other is not None
    before, after = (amount(side.effects[name].value, outcome.digits) for side in (option.base, option.other))
    return f"{option.option} brings {much} {way} than in the printed game ({after} instead of {before})"


@attrs.frozen
class GameToSee:
    """A game to look at: a sentence about it, and the command that replays and explains it. Without a sentence it is
    the one before, as printed."""

    text: str
    command: str


def replay(
    path: str,
    players: int,
    bots: str | Sequence[str],
    seed: int,
    game: int,
    alternative: Alternative = BASE,
    *,
    by_question: bool = True,
) -> str:
    """The command that explains a simulated game. ``bots``: who plays, in all seats or in each."""
    parts = ["rulelang", "explain", path, "--players", str(players)]
    names = [bots] * players if isinstance(bots, str) else bots
    if playing := [f"{seat}={name}" for seat, name in enumerate(names, 1) if name != "random"]:
        parts += ["--bots", ",".join(playing)]
    parts += ["--seed", str(seed), "--game", str(game)]
    parts += ["--streams", "question"] if by_question else []
    for item in alternative.items:
        parts += [_ASKED[item.kind], item.text]
    return shlex.join(parts)


_ASKED = {"variant": "--variant", "setting": "--option", "number": "--set"}


def games_to_look_at(comparison: Comparison, column: ColumnResult) -> list[GameToSee]:
    """The typical game of a column, as printed and under the rule, its unusual ones, and the one that changes most."""

    def command(game: int, alternative: Alternative = column.alternative) -> str:
        return replay(comparison.path, column.players, column.bots, column.seed, game, alternative)

    found = []
    picked = column.picked
    if column.touch_rate == 0:
        return []
    if picked.typical is not None:
        text = f"Game {picked.typical} is the most typical with {column.name}, of {_games(picked.of)}"
        found.append(GameToSee(f"{text}.", command(picked.typical)))
        found.append(GameToSee("", command(picked.typical, BASE)))
    found += [GameToSee(_unusual(one, comparison.quantities, picked.of), command(one.game)) for one in picked.unusual]
    known = {quantity.name: quantity for quantity in comparison.quantities if quantity.name in column.furthest}
    quantity = next((known[name] for name in _FURTHEST if name in known), None)
    if quantity is not None:
        by, game = column.furthest[quantity.name]
        said = changed_by(quantity, by)
        found.append(GameToSee(f"Game {game} is the one that {column.name} changes most: {said}.", command(game)))
    return found


_FURTHEST = ("score", "length")
"""Quantities of which the greatest change of a game is told."""


def unusual(one: Unusual, label: str, unit: str, of: int) -> str:
    """Why a game is unusual, in a sentence."""
    numbers = (one.value, one.low, one.high)
    digits = 0 if all(number == int(number) for number in numbers) else 1
    value, low, high = (amount(number, digits, signed=False) for number in numbers)
    usual = f"{low} to {high}" if low != high else low
    number = round(one.share * of)
    rare = "no other goes as far" if number <= 1 else f"only {number} of {of:,} go as far"
    shown = "" if unit == "a game" or unit in label.lower() else unit
    said = f"{label[:1].lower()}{label[1:]} {value} {shown}".rstrip()
    return f"Game {one.game} stands out: {said}, where half of all games have {usual}; {rare}."


def _unusual(one: Unusual, quantities: Sequence[Quantity], of: int) -> str:
    quantity = next(quantity for quantity in quantities if quantity.name == one.quantity)
    return unusual(one, quantity.label, quantity.unit, of)


def settled_about(found: Sequence[Depends]) -> list[Depends]:
    """Those of which it is worth saying whether they depend: the clear ones first."""
    return sorted(found, key=lambda one: not one.depends)
