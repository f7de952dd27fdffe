"""The bot that has learned what options are worth: as good in one go as step by step, and no wiser than it may be."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from by_step import ByStep
from paths import RULES
from small_games import CARDS, load_game

import interpreter
from interpreter.bots import make_bot, mix
from interpreter.simulate.games import play_one, simulated
from interpreter.simulate.recorded import play_recorded
from interpreter.wasm import learned


@pytest.fixture(autouse=True)
def _a_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learned, "GAMES_LEARNED", 500)


@cache
def game_of(folder: str, engine: str = "wasm") -> Any:
    return interpreter.load(RULES / folder, players=2, engine=engine)


@pytest.mark.parametrize("folder", ["babel", "night_fair", "fog_harbour", "classics/reversi"])
def test_a_whole_game_is_the_game_that_is_played_step_by_step_on_either_engine(folder: str) -> None:
    game = game_of(folder)
    bot = make_bot("learned", game)
    whole = play_one(game, 5, [bot] * 2)
    assert whole.finished
    assert play_one(game, 5, [ByStep(bot)] * 2) == whole
    other = game_of(folder, "reference")
    assert play_one(other, 5, [make_bot("learned", other)] * 2) == whole


def test_what_was_learned_outlives_others_in_its_room() -> None:
    game = game_of("night_fair")
    bot: Any = make_bot("learned", game)
    whole = play_one(game, 7, [bot] * 2)
    state = game.start(1)
    make_bot("ismcts:20", game).choose(state, state.decision, interpreter.Stream(1))
    assert play_one(game, 7, [bot] * 2) == whole
    assert state.sequences(2)
    assert play_one(game, 7, [bot] * 2) == whole


def test_it_beats_chance() -> None:
    game = game_of("classics/connect_four")
    bots = [make_bot("learned", game), make_bot("random", game)]
    won = [seat in play_one(game, mix(3, n), bots[:: 1 - 2 * seat]).winners for n in range(20) for seat in range(2)]
    assert sum(won) >= 28


def test_records_are_those_of_the_games_whatever_the_threads() -> None:
    game = game_of("babel")
    bots = [make_bot("learned", game)] * 2
    one, two = (list(play_recorded(game, 4, 12, bots, threads=threads)) for threads in (1, 2))
    assert np.array_equal(np.concatenate([b.rows for b in one]), np.concatenate([b.rows for b in two]))
    state = simulated(game, 4, 11, "learned")
    assert one[-1].column("score")[-1].tolist() == list(state.scores)


def test_a_limit_stops_it() -> None:
    game = game_of("babel")
    result = play_one(game, 5, [make_bot("learned", game)] * 2, limit=7)
    assert (result.decisions, result.finished) == (7, False)


def test_what_is_hidden_makes_no_difference(tmp_path: Path) -> None:
    """The other's cards and the stack are exchanged; the options, and so the choice, stay what they were."""
    game = load_game(tmp_path, CARDS, engine="wasm")
    bot = make_bot("learned", game)
    for seed in range(8):
        state = game.start(seed)
        seen = state.decision
        for imagined in _imagined(game, state):
            assert bot.choose(imagined, imagined.decision, interpreter.Stream(seed)) == bot.choose(
                state, seen, interpreter.Stream(seed)
            )


def _imagined(game: Any, state: Any) -> list[Any]:
    from interpreter.bots.worlds import Worlds

    return list(Worlds.of(game, state).drawn(4, interpreter.Stream(9)))
