"""What a search for settings has found, in words: for the terminal and for the desk."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from interpreter.comparing.results import amount
from interpreter.comparing.tuned import FoundGoal, FoundSetting, Tuned
from interpreter.comparing.verdicts import LEVEL
from rulelang.words import several

from . import words

SIGNS = {"meets": "✓", "misses": "✗", "open": "?"}

_MOST, _REASONS = 6, 3
"""Names of settings in a line, and reasons why some cannot be played."""


def answer(found: Tuned) -> Iterator[str]:
    """What comes first: what meets the goals, what comes nearest, and where goals pull apart."""
    meeting, may = found.of("meets"), found.of("open")
    if meeting:
        yield f"Meets all goals: {_names(meeting)}."
    elif found.none_meets:
        yield "No setting meets all goals: each misses one beyond doubt."
    elif not found.settings:
        yield "Nothing was confirmed; give it more time."
    else:
        yield "Of no setting is it certain that it meets all goals."
    if may:
        yield f"May meet them all, but that is not settled: {_names(may)}{_more(may[0])}."
    yield from () if meeting else _nearest(found)
    for goal in found.unmet:
        yield f"Nothing that was tried meets “{goal}”."
    for one, two in found.apart:
        yield f"Pulling apart: “{one}” and “{two}”. Either can be had, but nothing that was tried has both."
    if found.promising:
        yield f"{several(found.promising, 'more setting')} met all goals in the search; only the best were confirmed."


def _nearest(found: Tuned) -> Iterator[str]:
    """Of those that miss a goal, what comes nearest, and what is better in some goal than that."""
    missing = found.of("misses")
    nearest = [one for one in missing if one.nearest]
    others = [one for one in missing if one.best and not one.nearest]
    if nearest:
        apart = ", which these games cannot tell apart" * (len(nearest) > 1)
        which = "Nearest of those that miss one" if found.of("open") else "Nearest"
        yield f"{which}: {_names(nearest)}{apart}."
    if others:
        yield f"Trade-off, further off in all but better in some goal than others: {_names(others)}."


def _more(one: FoundSetting) -> str:
    return "" if one.more_games is None else f"; about {one.more_games:,} more games of the first should tell"


def _names(settings: Sequence[FoundSetting]) -> str:
    return _few([one.name for one in settings])


def _few(names: Sequence[str]) -> str:
    return words.listed([*names[:_MOST], *[f"{len(names) - _MOST} more"] * (len(names) > _MOST)])


def cell(goal: FoundGoal) -> str:
    """How a setting fares in a goal: ``✓ −6.9 % ±0.6``."""
    found, quantity = goal.found, goal.goal.quantity
    if not math.isfinite(found.half_width):
        return "too few games"
    if goal.goal.kind == "share":
        value, reach = f"{amount(found.value, 1)} %", amount(found.half_width, 1, signed=False)
    else:
        value = words.number(quantity, found.value, signed=goal.goal.kind == "change")
        reach = words.number(quantity, found.half_width)
    return f"{SIGNS[found.verdict]} {value} ±{reach}"


def printed(goal: FoundGoal) -> str:
    """What a goal's quantity is in the printed game; empty where too few games were played."""
    return words.with_unit(goal.goal.quantity, goal.found.printed) if math.isfinite(goal.found.printed) else ""


def behind(found: Tuned) -> Iterator[str]:
    """How sure all this is, and what became of all the others."""
    if found.settings:
        yield "✓ met   ✗ missed   ? not settled"
        yield f"± is from fresh seeds. All that is said here holds together at {100 * LEVEL:.0f} %, search included."
    rest = found.looked - found.out - len(found.of("meets")) - len(found.of("open"))
    rest -= found.promising + sum(map(len, found.unplayable.values()))
    parts = [f"{found.looked:,} of {found.size:,} settings were tried"]
    parts += [f"{found.out:,} miss a goal beyond doubt"] * bool(found.out)
    parts += [f"{rest:,} looked worse than others and were not played to an answer"] * (rest > 0)
    yield f"{'; '.join(parts)}."
    unplayable = list(found.unplayable.items())
    for why, names in unplayable[:_REASONS]:
        yield f"Cannot be played: {_few(names)}: {words.ended(why)}"
    if more := sum(len(names) for _, names in unplayable[_REASONS:]):
        yield f"{several(more, 'more setting')} cannot be played, for reasons like these."
