"""Measure how many clicks options take: ``python -m benchmarks.clicks PATH...`` prints a row for each game.

In random games, each option of each decision is looked for by clicks on the picture: an address narrows the options
to those it may mean. What is left after two clicks, if it is at most four options, can be picked from a list at the
last element; payments have their own control, which counts pieces.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterable

from interpreter import load
from interpreter.game import State
from workbench.pictures.draw import scene_of
from workbench.pictures.option_addresses import Aim, aim

_FEW = 4
_MOST = 60
"""Options of a decision that are looked at, drawn at random where there are more."""


def effort(found: Aim, option: int) -> str:
    """How an option is reached: ``one`` or ``two`` clicks, ``button``, ``list`` (of at most four), or ``more``."""
    if option in found.apart:
        return "button"
    sets = [options for options in found.at.values() if option in options]
    if any(len(options) == 1 for options in sets):
        return "one"
    pairs = [a & b for i, a in enumerate(sets) for b in sets[i + 1 :]]
    if any(len(both) == 1 for both in pairs):
        return "two"
    return "list" if min(map(len, [*sets, *pairs])) <= _FEW else "more"


def seen(state: State) -> frozenset[str]:
    """The addresses in the picture of the player who decides, with the squares that pieces may be laid on."""
    found = aim(state.position.blueprint.program, state.decision) if state.decision else None
    keep = [address for address in found.at if "@" in address] if found else []
    return frozenset(node.address for node in scene_of(state, state.player, keep=keep).root.walk() if node.address)


def measured(path: str, players: int | None, games: int, decisions: int) -> Counter[str]:
    """How options are reached over random games, by the words of ``effort``; ``pay``: payments."""
    game, counts = load(path, players=players), Counter[str]()
    for seed in range(games):
        state, dice = game.start(seed), random.Random(seed)
        for _ in range(decisions):
            decision = state.decision
            if decision is None:
                break
            if decision.kind == "pay":
                counts["pay"] += len(decision.options)
            elif len(decision.options) > 1:
                found = aim(game.program, decision).within(seen(state))
                numbers = range(len(decision.options))
                for option in numbers if len(numbers) <= _MOST else dice.sample(numbers, _MOST):
                    counts[effort(found, option)] += 1
            state.choose(dice.randrange(len(decision.options)))
    return counts


def main(paths: Iterable[str]) -> None:
    """Print a row for each game."""
    words = ("one", "two", "list", "button", "more")
    for path in paths:
        counts = measured(path, None, games=3, decisions=80)
        total = sum(counts[word] for word in words) or 1
        shares = " | ".join(f"{round(100 * counts[word] / total)} %" for word in words)
        print(f"| {path.rstrip('/').rpartition('/')[2]} | {shares} |")


if __name__ == "__main__":
    main(sys.argv[1:])
