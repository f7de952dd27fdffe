"""A menu with ``otherwise``: the first of several that offers anything."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from alike import same_on_both
from small_games import corpus, load_game

from interpreter.loading import ENGINES

GAME = corpus("menus")


def test_the_first_menu_that_offers_anything_is_asked(tmp_path: Path) -> None:
    for engine in ENGINES:
        state = load_game(tmp_path, GAME, engine=engine).start(0)
        asked = []
        while len(asked) < 10:
            asked.append((state.decision.rule, [option.text.split()[0] for option in state.decision.options]))
            state.choose(0)
        puts = [("turn", ["put"] * n) for n in (3, 2, 1)]
        numbers = ("put", ["1", "2"])
        assert asked[:6] == [puts[0], numbers, puts[1], numbers, puts[2], numbers]
        # Everything is taken: player_2 has 1 point and may double it, player_1 has 2, so that neither menu offers any.
        assert asked[6:9] == [("turn", ["double"]), ("turn", ["1", "2"]), ("turn", ["take"])]


def test_whatever_runs_instead_may_end_the_turn(made: Callable[[str], Any]) -> None:
    ending = GAME.replace("      p scores 2\n      p chooses k in 1..2\n      p scores k\n", "      end the game\n")
    same_on_both(made(ending), games=10)
