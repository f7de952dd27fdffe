"""Campaigns: what a game hands on, on both engines, through saves, and to players with hidden things in their hands."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from generated import Maker
from small_games import corpus, load_game, load_program

from interpreter import GameError, RuleFault
from interpreter.bots import make_bot
from interpreter.bots.simple import BY_SEAT, Streams
from interpreter.loading import game_of
from interpreter.redraw import Redraw, Seen
from interpreter.simulate.games import play_campaigns


@pytest.fixture(scope="module")
def rungs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The game of the corpus that carries most, by engine."""
    folder = tmp_path_factory.mktemp("rungs")
    return {engine: load_game(folder, corpus("rungs"), players=2, engine=engine) for engine in ("reference", "wasm")}


def played(game: Any, seed: int, carried: Any, most: int = 60) -> Any:
    """A game of random choices, the same on either engine."""
    state, chance = game.start(seed, carried=carried), random.Random(seed)
    for _ in range(most):
        if state.over:
            break
        state.choose(chance.randrange(state.option_count))
    return state


def test_each_game_begins_as_the_one_before_ended(rungs: dict[str, Any]) -> None:
    slow, fast = rungs.values()
    carried, kept = None, {}
    for seed in range(5):
        begun = fast.start(seed, carried=carried)
        assert begun.key() == slow.start(seed, carried=carried).key()
        if carried is not None:
            assert {name: begun.values()[name] for name in ("scenario", "won")} == kept
            assert begun.get("pot") == 1 and sum(begun.scores) == 0
        mine, other = played(slow, seed, carried), played(fast, seed, carried)
        assert mine.key() == other.key() and mine.log == other.log and mine.winners == other.winners
        for game in (slow, fast):
            assert game.resume(json.loads(json.dumps(fast.save(other)))).key() == mine.key()
        carried = other.carried
        assert carried == mine.carried == json.loads(json.dumps(carried))
        kept = {name: other.values()[name] for name in ("scenario", "won")}
    assert kept["scenario"] == 3 and sum(kept["won"].values()) >= 5


@pytest.mark.parametrize(
    ("carried", "told"),
    [
        ({"pot": [3]}, "`pot` was carried, and the rules have nothing of that name to carry"),
        ({"won": [1]}, "`won` needs 2 values, and 1 were carried"),
        ({"won": 1}, "`won` needs 2 values, and none were carried"),
        ({"won": [1, 12]}, "`won` cannot begin as it was carried: 12 is not a number from 0 to 9"),
        ({"sticker": ["tower", None, "flag"]}, "`sticker` cannot begin as it was carried"),
    ],
)
@pytest.mark.parametrize("engine", ["reference", "wasm"])
def test_what_does_not_fit_is_named(rungs: dict[str, Any], engine: str, carried: Any, told: str) -> None:
    with pytest.raises(GameError, match=told.split(":")[0]):
        rungs[engine].start(1, carried=carried)


def test_a_game_that_runs_has_nothing_to_hand_on_yet(rungs: dict[str, Any]) -> None:
    with pytest.raises(GameError, match="not over yet"):
        _ = rungs["wasm"].start(1).carried


@pytest.mark.parametrize("chance", [1, 30, 35])
def test_generated_campaigns_are_alike(tmp_path: Path, chance: int) -> None:
    text = Maker(random.Random(chance).randrange).game()
    assert "\ncarry " in text
    program = load_program(tmp_path, text)
    slow, fast = game_of(program, "reference"), game_of(program, "wasm")
    carried = None
    for seed in range(3):
        try:
            end = played(slow, seed, carried, 40)
        except RuleFault as fault:
            with pytest.raises(RuleFault, match=f"rule {re.escape(fault.rule)} "):
                played(fast, seed, carried, 40)
            return
        assert played(fast, seed, carried, 40).key() == end.key()
        if not end.over:
            return
        carried = end.carried


def test_who_imagines_what_is_hidden_knows_what_an_earlier_game_left_in_the_open(rungs: dict[str, Any]) -> None:
    game = rungs["reference"]
    carried = played(game, 1, played(game, 0, None).carried).carried
    state = game.start(2, carried=carried)
    seen = Seen.of(state, state.player)
    secret = {**carried, "plan": [carried["plan"][0], "hills" if carried["plan"][1] != "hills" else "moor"]}
    assert Seen.of(game.start(2, carried=secret), 0) == seen  # nothing of it hangs on what is hidden
    streams = Streams(5, game.players, BY_SEAT)
    redraw = Redraw(game.blueprint, seen)
    drawn = [game.state_of(redraw.draw(streams.of(state.decision))) for _ in range(8)]
    assert all(each.get("sticker[shore]") == state.get("sticker[shore]") for each in drawn)
    other = game.program.seats[1]
    assert len({each.values()["plan"][other] for each in drawn}) > 1
    bot = make_bot("ismcts:20", game)
    assert 0 <= bot.choose(state, state.decision, streams.of(state.decision)) < state.option_count


def test_simulated_campaigns_are_the_same_on_both_engines_and_any_number_of_threads(rungs: dict[str, Any]) -> None:
    found = [
        list(play_campaigns(rungs[engine], 3, 4, 3, None, 100, threads))
        for engine, threads in (("reference", 1), ("wasm", 1), ("wasm", 2))
    ]
    assert found[0] == found[1] == found[2] and [each.index for each in found[0]] == list(range(12))
    stopped = list(play_campaigns(rungs["wasm"], 3, 2, 3, None, 1, 1))
    left = [each.index for each in stopped if not each.finished]
    assert left and not {index + 1 for index in left if index % 3 < 2} & {each.index for each in stopped}


def test_a_game_that_never_asks_hands_on_as_well(tmp_path: Path) -> None:
    text = "game dice\n  players 1..2\nthe game has\n  total: 0..99\ncarry total\nrule play\n  roll n in 1..6\n"
    game = load_game(tmp_path, f"{text}  set total to total + n\n", players=1, engine="wasm")
    first = game.start(1).carried["total"][0]
    assert game.start(2, carried={"total": [first]}).carried["total"][0] > first
