"""Whose turn is next: backwards, by a track, changed by a variant, past those who are out; on both engines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from alike import same_on_both
from small_games import load_game, mistakes, write_game

import interpreter
from interpreter.loading import ENGINES
from interpreter.simulate.recorded import play_recorded
from interpreter.simulate.records import Records

GAME = """
game order
  players 3..4
  seats red, green, blue, white

the game has
  passes: 0..60
  log: list of Player, at most 60

each Player has
  place: 0..99
  asleep: flag
  score: 0..99

define following(p: Player) = {following}
define furthest_behind(p: Player) = every(place[p] <= place[q] for q in Player)
define last_one(p: Player) = first(q in Player from next(p) where furthest_behind(q)) otherwise p

out when asleep[p]
winner most place[p], then shared

rule play
  take turns p from first(Player), then following(p) until passes is 12
    increase passes by 1
    set log to log + [p]
    p chooses n in 1..3
    increase place[p] by n
    {more}
"""
SLEEP = "if passes > 5 and p is green\n      set asleep[p] to yes"


def log(game: Any, choices: list[int]) -> list[str]:
    state = game.start(seed=1)
    while state.decision is not None:
        state.choose(choices[game.evaluate("passes", state) - 1] - 1)
    return [seat[0] for seat in game.evaluate("log", state)]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("following", "more", "choices", "expected"),
    [
        ("prev(p)", "", [1] * 12, "rbgrbgrbgrbg"),
        ("prev(p)", SLEEP, [1] * 12, "rbgrbgrbrbrb"),
        ("next(p)", SLEEP, [1] * 12, "rgbrgbrgbrbr"),
        ("if passes <= 5 then next(p) else prev(p)", "", [1] * 12, "rgbrgbgrbgrb"),
        ("last_one(p)", "", [3, 1, 2, 3, 1, 1, 1, 1, 1, 1, 1, 1], "rgbgbrbrgbrg"),
        ("opposite_of(p)", "", [1] * 12, "rgrgrgrgrgrg"),
        ("blue", SLEEP.replace("green", "blue"), [1] * 12, "rbbbbbrrrrrr"),
    ],
)
def test_the_order_of_turns(
    engine: str, following: str, more: str, choices: list[int], expected: str, tmp_path: Path
) -> None:
    text = GAME.format(following=following, more=more or "do nothing")
    text = text.replace("opposite_of(p)", "if p is red then green else red")
    assert "".join(log(load_game(tmp_path, text, players=3, engine=engine), choices)) == expected
    same_on_both(load_game(tmp_path, text, players=4).program)


def test_a_variant_changes_the_order_in_a_line(tmp_path: Path) -> None:
    text = GAME.format(following="next(p)", more="do nothing")
    variant = "variant back of order\n\nreplace define following(p: Player) = prev(p)\n"
    game = interpreter.load(write_game(tmp_path, text, back=variant), players=3, variants=("back",))
    assert "".join(log(game, [1] * 12)) == "rbg" * 4


@pytest.mark.parametrize("engine", ENGINES)
def test_a_round_ends_before_somebody_has_a_second_turn(engine: str, tmp_path: Path) -> None:
    for following, more, rounds in (("prev(p)", "", 4), ("next(p)", "", 4), ("prev(p)", SLEEP, 5), ("p", "", 12)):
        game = load_game(
            tmp_path, GAME.format(following=following, more=more or "do nothing"), players=3, engine=engine
        )
        records = Records.joined(list(play_recorded(game, 1, 3)))
        assert (records.column("rounds") == rounds).all() and (records.column("turns") == 12).all()


@pytest.mark.parametrize(
    ("following", "code"),
    [("3", "R0402"), ("first(q in Player where asleep[q])", "R0407"), ("[p]", "R0402"), ("nobody", "R0401")],
)
def test_what_is_no_player_cannot_have_a_turn(following: str, code: str, tmp_path: Path) -> None:
    text = GAME.format(following="p", more="do nothing").replace("then following(p)", f"then {following}")
    assert [found for found, _ in mistakes(tmp_path, text)] == [code]
