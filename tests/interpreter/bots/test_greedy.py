"""The bot that likes to be ahead soon: as good in one go as step by step, and no wiser than its seat."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from by_step import ByStep
from paths import RULES
from small_games import CARDS, COINS, corpus, load_game

import interpreter
from interpreter.bots import Stream, make_bot, misnamed, mix
from interpreter.bots.experience import only_chance_hidden
from interpreter.bots.simple import BY_QUESTION, BY_SEAT, Streams
from interpreter.redraw import Redraw, Seen
from interpreter.simulate.games import play_one
from interpreter.simulate.recorded import play_recorded


@cache
def game_of(folder: str, engine: str = "wasm", players: int | None = None) -> Any:
    return interpreter.load(RULES / folder, players=players, engine=engine)


@pytest.mark.parametrize("streams", [BY_SEAT, BY_QUESTION])
@pytest.mark.parametrize("name", ["greedy", "greedy:quick", "epsilon-greedy:0.3"])
@pytest.mark.parametrize("folder", ["meduris", "kalah"])
def test_a_whole_game_is_the_game_that_is_played_step_by_step(folder: str, name: str, streams: int) -> None:
    game = game_of(folder)
    bot: Any = make_bot(name, game)
    seats = [bot] * game.players
    assert bot.whole_game(4, Streams(4, game.players, streams), 40) is not None
    whole = play_one(game, 4, seats, 40, streams=streams)
    assert whole.decisions > 8
    assert play_one(game, 4, [ByStep(bot)] * game.players, 40, streams=streams) == whole


def test_both_engines_get_the_same_choices() -> None:
    fast, slow = game_of("kalah"), game_of("kalah", "reference")
    games = [play_one(game, 3, [make_bot("greedy", game)] * 2) for game in (fast, slow)]
    assert games[0] == games[1]


def test_games_do_not_depend_on_threads_or_on_others_in_the_room() -> None:
    game = game_of("meduris")
    bot = make_bot("greedy", game)
    alone = next(iter(play_recorded(game, 1, 3, [bot] * 2, first=2, limit=20)))
    state = game.start(1)
    for other in ("ismcts:20", "epsilon-greedy"):
        make_bot(other, game).choose(state, state.decision, Stream(1))
    beside = list(play_recorded(game, 1, 5, [bot] * 2, limit=20, threads=2))
    rows = [row for block in beside for row in block.rows.tolist()]
    assert rows[2:] == alone.rows.tolist()


def test_what_everybody_could_follow_is_imagined_as_it_is() -> None:
    game = game_of("meduris", players=3)
    assert not game.blueprint.knowers.all_in_the_open
    assert game.blueprint.knowers.all_followed
    state, stream = game.start(5), Stream(5)
    for _ in range(120):
        if state.over:
            break
        assert only_chance_hidden(game, state)
        redraw = Redraw(game.blueprint, Seen.of(state, state.player))
        assert redraw.certain
        assert redraw.draw(stream).cells == state.position.cells
        state.choose(stream.below(state.option_count))


def test_what_was_laid_by_hand_was_followed_by_nobody() -> None:
    game = game_of("meduris")
    state = game.start(1)
    laid = game.state_of(Redraw(game.blueprint, Seen.of(state, state.player)).draw(Stream(1)))
    assert only_chance_hidden(game, state)
    assert not only_chance_hidden(game, laid)


@pytest.mark.parametrize("folder", ["babel", "whist", "skye", "fog_harbour", "night_fair", "golf_patience"])
def test_where_something_is_hidden_nobody_has_followed_all(folder: str) -> None:
    assert not game_of(folder).blueprint.knowers.all_followed


def test_cards_that_change_hands_unseen_are_not_followed(tmp_path: Path) -> None:
    assert not load_game(tmp_path, CARDS, engine="wasm").blueprint.knowers.all_followed


RISKY = corpus("risky_options")


def test_options_that_fault_are_worth_nothing(tmp_path: Path) -> None:
    """After the first turn the bold option cannot be carried out any more; random play runs into it all the time."""
    game = load_game(tmp_path, RISKY, engine="wasm")
    bot = make_bot("greedy", game)
    state, stream = game.start(1), Stream(1)
    state.choose(0)
    assert [bot.choose(state, state.decision, stream) for _ in range(5)] == [0] * 5
    result = play_one(game, 1, [bot] * 2)
    assert play_one(game, 1, [ByStep(bot)] * 2) == result
    assert result.fault is None


def test_every_option_keeps_its_chance() -> None:
    game = game_of("kalah")
    bot = make_bot("epsilon-greedy:0.6", game)
    state, stream = game.start(3), Stream(3)
    times = Counter(bot.choose(state, state.decision, stream) for _ in range(300))
    number = state.option_count
    least = 300 * 0.6 / number
    assert len(times) == number
    assert min(times.values()) > least - 4 * least**0.5
    any_ = make_bot("epsilon-greedy:1", game)
    assert len({any_.choose(state, state.decision, stream) for _ in range(100)}) == number


def test_a_chance_that_is_none_is_refused() -> None:
    assert misnamed("epsilon-greedy") is None
    assert misnamed("epsilon-greedy:0.15") is None
    assert misnamed("greedy:quick") is None
    for wrong in (
        "epsilon-greedy:2",
        "epsilon-greedy:",
        "epsilon-greedy:1.5",
        "epsilon-greedy:x",
        "epsilon-greedy:-0.1",
    ):
        assert "must have a chance from 0 to 1" in str(misnamed(wrong))
    assert "does not run playouts" in str(misnamed("greedy:5"))


EVEN = corpus("even")


def test_options_that_are_worth_the_same_are_taken_equally_often(tmp_path: Path) -> None:
    game = load_game(tmp_path, EVEN, engine="wasm")
    bot = make_bot("greedy", game)
    state = game.start(1)
    state.choose(0)  # so that somebody is ahead
    times = Counter(bot.choose(state, state.decision, Stream(mix(number))) for number in range(150))
    assert min(times[option] for option in range(3)) > 30


MANY = corpus("many")


def test_the_best_of_many_options_comes_through_every_round(tmp_path: Path) -> None:
    game = load_game(tmp_path, MANY, engine="wasm")
    bot = make_bot("greedy", game)
    state = game.start(1)
    state.choose(0)
    assert {bot.choose(state, state.decision, Stream(mix(number))) for number in range(10)} == {state.option_count - 1}


def test_it_wins_against_chance(tmp_path: Path) -> None:
    game = load_game(tmp_path, COINS, engine="wasm")
    bots = [make_bot("greedy", game), make_bot("random", game)]
    won = sum(0 in play_one(game, seed, bots).winners for seed in range(40))
    assert won >= 26
