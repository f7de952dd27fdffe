"""Decisions that nobody else has seen yet, in games that hide nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_games import corpus, load_game

from interpreter.bots import Stream, make_bot
from interpreter.bots.experience import Worlds, only_chance_hidden
from interpreter.simulate.games import play_one

PENNIES = corpus("private_pennies")
"""The last player wants the coin of the first, who has chosen before, unseen."""

FOLLOWED = (
    PENNIES.replace("range Coin: 0..2", "range Coin: 0..2\nenum Metal: gold, iron")
    .replace("  rounds: 0..9", "  rounds: 0..9\n  mint: pool of Metal = {gold: 2}")
    .replace("  coin: Coin", "  coin: Coin\n  purse: pool of Metal, seen by owner")
    .replace("  end the game", "  each p in Player\n    surely move 1 of gold from mint to purse[p]\n  end the game")
)
"""The same with hidden pieces, of which everybody who watches knows where they are."""


@pytest.fixture(params=[PENNIES, FOLLOWED], ids=["nothing hidden", "all followed"])
def chosen(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Any, list[Any]]:
    """The game, and its first question to the last player, for each choice of the first."""
    game = load_game(tmp_path, request.param, engine="wasm")
    assert all(map(game.blueprint.knowers.follows, game.blueprint.knowers.hidden))
    states = [game.start(3) for _ in range(3)]
    for option, state in enumerate(states):
        state.choose(option)
        assert state.player == 1
    return game, states


def test_nobody_imagines_only_what_was_chosen(chosen: tuple[Any, list[Any]]) -> None:
    game, states = chosen
    for state in states:
        assert not only_chance_hidden(game, state)
        drawn = Worlds.of(game, state).drawn(20, Stream(1))
        for world in drawn:
            world.choose(0)
        assert {world.scores for world in drawn} == {(0, 5), (5, 0)}


@pytest.mark.parametrize("name", ["greedy", "ismcts:40"])
def test_no_bot_knows_what_was_chosen(chosen: tuple[Any, list[Any]], name: str) -> None:
    game, states = chosen
    bot = make_bot(name, game)
    for seed in range(10):
        assert len({bot.choose(state, state.decision, Stream(seed)) for state in states}) == 1


def test_in_a_whole_game_the_last_player_guesses_too(chosen: tuple[Any, list[Any]]) -> None:
    game, _ = chosen
    guessed = [play_one(game, seed, [make_bot("greedy", game)] * 2).scores[1] for seed in range(10)]
    assert 0 < sum(guessed) < 25 * len(guessed)
