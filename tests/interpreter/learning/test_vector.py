"""Games side by side: at every step they tell what the same games told one by one do."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from paths import RULES
from small_games import corpus, load_game

import interpreter
from interpreter.errors import GameError, IllegalChoice
from interpreter.learning.vector import FAULTED, OVER, TOO_LONG

GAMES: dict[str, dict[str, Any]] = {
    "classics/connect_four": {},
    "draughts": {},
    "meduris": {"players": 3},
    "babel": {"players": 2},
    "skye": {"players": 3, "variants": [RULES / "skye/expansions/druids.rules"]},
}

BIDS = corpus("hidden_bids")


def loaded(tmp_path: Path, text: str) -> Any:
    return interpreter.game_of(load_game(tmp_path, text).program, engine="wasm")


def compare(game: Any, vector: Any, steps: int, seed: int = 0) -> int:
    """Plays at random, each game once more by itself; the number of games that came to an end."""
    generator = np.random.default_rng(seed)
    states = [game.start(int(number)) for number in vector.seeds]
    ends = 0
    for _ in range(steps):
        for number, state in enumerate(states):
            offer = vector.actions.offer(state.decision)
            assert vector.player[number] == state.player
            assert set(np.flatnonzero(vector.legal[number]).tolist()) == offer.options.keys()
            assert vector.left_out[number] == offer.left_out
            assert vector.observation[number].tolist() == vector.observations.encode(state.view(state.player))
        actions = vector.sample(generator)
        for state, action in zip(states, actions.tolist(), strict=True):
            state.choose(vector.actions.offer(state.decision).options[action])
        vector.step(actions)
        for number, state in enumerate(states):
            assert (vector.ended[number] == OVER) == state.over
            if state.over:
                won = [1.0 if seat in state.winners else -1.0 for seat in range(game.players)]
                assert vector.rewards[number].tolist() == (won if state.winners else [0.0] * game.players)
                states[number] = game.start(int(vector.seeds[number]))
                ends += 1
            else:
                assert not vector.rewards[number].any()
    return ends


@pytest.mark.parametrize("name", GAMES)
def test_each_game_is_the_one_of_its_seed(name: str) -> None:
    game = interpreter.load(RULES / name, engine="wasm", **GAMES[name])
    compare(game, game.vector(3, seed=7), steps=60)


def test_hidden_hands_simultaneous_choices_and_restarts(tmp_path: Path) -> None:
    game = loaded(tmp_path, BIDS)
    assert compare(game, game.vector(4, seed=1, max_options=50), steps=60) > 4


def test_threads_play_the_same_games() -> None:
    game = interpreter.load(RULES / "classics/connect_four", engine="wasm")
    one, two = game.vector(5, seed=3), game.vector(5, seed=3, threads=2)
    assert compare(game, two, steps=30) == compare(game, one, steps=30)
    assert (one.observation == two.observation).all() and (one.seeds == two.seeds).all()


def test_a_margin_is_the_difference_of_scores(tmp_path: Path) -> None:
    game = loaded(tmp_path, BIDS)
    vector = game.vector(1, seed=2, rewards="margin")
    state, generator = game.start(int(vector.seeds[0])), np.random.default_rng(5)
    while not vector.ended[0]:
        actions = vector.sample(generator)
        state.choose(vector.actions.offer(state.decision).options[int(actions[0])])
        vector.step(actions)
    best = [max(score for q, score in enumerate(state.scores) if q != p) for p in range(3)]
    assert vector.rewards[0].tolist() == [own - other for own, other in zip(state.scores, best, strict=True)]


ROUNDS = """\
game rounds
  title "Rounds"
  players 2
  seats red, blue

winner most score[p], then shared

the game has
  round: 0..1000

each Player has
  score: 0..9

rule play
  take turns p from red until round is 1000
    p chooses n in {numbers}
      {then}
    increase round by 1
"""


def test_a_long_game_is_given_up(tmp_path: Path) -> None:
    game = loaded(tmp_path, ROUNDS.format(numbers="0..3", then="set score[p] to n"))
    vector = game.vector(2, max_decisions=4)
    ended = []
    for _ in range(8):
        vector.step(np.zeros(2, dtype=int))
        ended.append(vector.ended.tolist())
        assert not vector.rewards.any()
    assert ended == [[0, 0]] * 3 + [[TOO_LONG] * 2] + [[0, 0]] * 3 + [[TOO_LONG] * 2]


def test_where_the_rules_cannot_go_on_another_game_begins(tmp_path: Path) -> None:
    game = loaded(tmp_path, ROUNDS.format(numbers="0..3", then="increase score[p] by n * 4"))
    vector = game.vector(3)
    before = vector.seeds.tolist()
    vector.step(np.array([1, 3, 2]))
    assert vector.ended.tolist() == [0, FAULTED, 0] and not vector.rewards.any()
    assert "12" in str(vector.fault)
    after = vector.seeds.tolist()
    assert after[0::2] == before[0::2] and after[1] != before[1]
    vector.step(np.array([1, 1, 1]))
    assert vector.fault is None and not vector.ended.any()


def test_an_action_that_is_not_offered_is_refused_and_changes_nothing() -> None:
    vector = interpreter.load(RULES / "classics/tic_tac_toe", engine="wasm").vector(2)
    vector.step(np.array([4, 0]))
    before = vector.observation.copy()
    for actions, message in (
        ([1, 0], "game 1: play: a1 is not offered now"),
        ([9, 1], "game 0: actions are numbered from 0 to 8, not 9"),
        ([-1, 1], "game 0: actions are numbered from 0 to 8, not -1"),
        ([0.5, 1], "game 0: actions are numbered from 0 to 8, not 0.5"),
        ([1], "one action for each of 2 games"),
    ):
        with pytest.raises(IllegalChoice, match=message):
            vector.step(np.array(actions))
    assert (vector.observation == before).all() and not vector.ended.any()


def test_arrays_outlive_the_games_they_tell_of() -> None:
    gc.freeze()
    vector = interpreter.load(RULES / "classics/tic_tac_toe", engine="wasm").vector(50)
    legal = vector.legal
    del vector
    gc.collect()
    gc.unfreeze()
    assert legal.all()


def test_the_reference_engine_leaves_it_to_the_fast_one() -> None:
    game = interpreter.load(RULES / "classics/tic_tac_toe")
    compare(game, game.vector(2), steps=12)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n": 0}, "n must be at least 1, not 0"),
        ({"n": 1, "threads": 0}, "threads must be at least 1"),
        ({"n": 1, "max_options": 0}, "max_options must be at least 1"),
        ({"n": 1, "rewards": "fame"}, "'fame' is not a kind of rewards; choose one of win, margin"),
        ({"n": 1, "rewards": "margin"}, "keeps no scores"),
        ({"n": 100_000_000}, "need more memory than there is"),
    ],
)
def test_settings_that_do_not_fit_are_refused(settings: dict[str, Any], message: str) -> None:
    game = interpreter.load(RULES / "classics/tic_tac_toe", engine="wasm")
    with pytest.raises(GameError, match=message):
        game.vector(**settings)


def test_a_game_that_ends_by_itself_teaches_nothing(tmp_path: Path) -> None:
    text = ROUNDS.format(numbers="0..3", then="end the game")
    text = text.replace("  take turns p from", "  if round is 0\n    end the game\n  take turns p from")
    with pytest.raises(GameError, match="can end before anybody decides"):
        loaded(tmp_path, text).vector(1)
