"""Shrinking of a difference to the fewest choices that a bounded search finds."""

from __future__ import annotations

import time
from collections.abc import Sequence

import attrs

from .pair import Divergence, Pair, attempt

TRIES = 400
SECONDS = 30.0


def shrunk(pair: Pair, found: Divergence) -> Divergence:
    """A shorter game that shows a difference, perhaps a different one of the same kind; else ``found`` itself."""
    # A playout may differ from stepping where both engines' steps agree: there is nothing to drop then.
    best = pair.replay(found.seed, found.choices) or found
    if best is not found:
        best = _shorter(pair, best)
    return attrs.evolve(best, at=_told(pair, best), simulation=found.simulation)


def _shorter(pair: Pair, best: Divergence) -> Divergence:
    """Drop runs of choices, long ones first, then replace later options by first ones."""
    left, until = TRIES, time.monotonic() + SECONDS

    def tried(choices: Sequence[int]) -> bool:
        nonlocal best, left
        left -= 1
        found = pair.replay(best.seed, choices)
        if found is None or found.what != best.what or _weight(found) >= _weight(best):
            return False
        best = found
        return True

    size = max(1, len(best.choices) // 2)
    while left > 0 and time.monotonic() < until:
        improved = False
        start = 0
        while start < len(best.choices) and left > 0 and time.monotonic() < until:
            choices = best.choices
            simpler = [choices[:start] + choices[start + size :]]
            if size == 1 and choices[start]:
                simpler.append((*choices[:start], 0, *choices[start + 1 :]))
            if any(map(tried, simpler)):
                improved = True
            else:
                start += size
        if size > 1:
            size //= 2
        elif not improved:
            break
    return best


def _weight(found: Divergence) -> tuple[int, int]:
    return len(found.choices), sum(found.choices)


def _told(pair: Pair, found: Divergence) -> tuple[str, ...]:
    """The choices as text and the decision they lead to, on the reference engine."""
    lines = []
    state, fault = attempt(lambda: pair.reference.start(found.seed))
    for index in found.choices:
        if fault is not None or state.decision is None:
            break
        decision = state.decision
        seat = pair.program.seats[decision.player]
        lines.append(f"{seat}, asked by {decision.rule}: {decision.options[index].text}")
        _, fault = attempt(lambda: state.choose(index))  # noqa: B023 - carried out at once
    if fault is not None:
        return (*lines, f"then a fault: {fault}")
    decision = state.decision
    if decision is not None:
        lines.append(f"then {pair.program.seats[decision.player]} is asked by {decision.rule}")
    return tuple(lines)
