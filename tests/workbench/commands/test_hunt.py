"""Hunting for what nobody meant. Each game has one thing in it that was put there on purpose, or nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_games import corpus

import interpreter
from interpreter.loading import game_of
from workbench import savefile

MARKET = """game market
  players 2

option generous: no, yes
  default no

each Player has
  gold: 0..1000 = 3
  silver: 0..1000
  score: 0..20

winner most score[p], then shared

rule play
  take turns p from first(Player) until count(q in Player where score[q] >= 20) > 0
    do turn(p)

rule turn(p: Player)
  repeat at most 60
    p chooses one of
      option sell
        needs gold[p] > 0
        decrease gold[p] by 1
        increase silver[p] by SILVER
      option buy
        needs silver[p] > 0
        decrease silver[p] by 1
        increase gold[p] by 1
      option point
        needs gold[p] > 4
        decrease gold[p] by 5
        p scores 1
      option gift
        needs generous is yes
        increase gold[next(p)] by 1
      option pass
        stop
"""

PILE = """game pile
  players 2

the game has
  left: 0..9 = LEFT
  mover: Player or none

rule play
  take turns p from first(Player) until left is 0
    set mover to p
    p chooses one of
      option take_one
        decrease left by 1
      option take_two
        needs left > 1
        decrease left by 2
      option take_three
        needs left > 2
        decrease left by 3
      option give_up
        set left to 0
        set mover to next(p)
  if there is w in mover
    w wins
"""

FULL = corpus("full")


@pytest.fixture
def hunted(rulelang: Any, tmp_path: Path) -> Callable[..., tuple[int, dict[str, Any]]]:
    def hunt(text: str, *more: Any, games: int = 8) -> tuple[int, dict[str, Any]]:
        folder = tmp_path / text.split()[1]
        folder.mkdir(exist_ok=True)
        (folder / "game.rules").write_text(text, encoding="utf-8")
        ran = rulelang("hunt", folder, "--minutes", 20, "--games", games, "--format", "json", *more)
        return ran.status, json.loads(ran.out)

    return hunt


def replayed(path: Path, found: dict[str, Any], short: int = 0) -> interpreter.State:
    game = interpreter.load(path, players=found["players"], options=found["settings"])
    state = game.start(found["seed"])
    for value in found["choices"][: len(found["choices"]) - short]:
        state.choose(value)
    return state


def never(told: dict[str, Any]) -> dict[str, Any]:
    return {found["rule"]: found["settings"] for found in told["findings"] if found["kind"] == "unrun"}


def kinds(told: dict[str, Any]) -> set[str]:
    return {found["kind"] for found in told["findings"]}


def test_a_gain_without_end_and_a_way_round_it(hunted: Any, tmp_path: Path) -> None:
    status, told = hunted(MARKET.replace("SILVER", "2"))
    assert status == 1
    gain = next(found for found in told["findings"] if found["kind"] == "gain")
    assert len(gain["choices"]) <= 2, "it is made as short as it can be"
    state = replayed(tmp_path / "market", gain)
    before = state.get(next(iter(gain["gains"])))
    for value in gain["choices"][-gain["repeated"] :]:
        state.choose(value)
    assert state.get(next(iter(gain["gains"]))) == before + next(iter(gain["gains"].values()))
    assert "gain" not in kinds(hunted(MARKET.replace("SILVER", "1"))[1]), "what is got back is no gain"


def test_a_game_that_goes_in_circles(hunted: Any, tmp_path: Path) -> None:
    _, told = hunted(MARKET.replace("SILVER", "1"))
    loop = next(found for found in told["findings"] if found["kind"] == "loop" and len(found["seats"]) == 2)
    assert loop["choices"] == 2 * [{"option": "pass", "with": {}}]
    back, end = replayed(tmp_path / "market", loop, loop["repeated"]), replayed(tmp_path / "market", loop)
    assert back.key() == end.key() and end.decision is not None


def test_rules_that_run_only_under_a_setting(hunted: Any) -> None:
    _, told = hunted(MARKET.replace("SILVER", "1"))
    assert never(told) == {rule: {"generous": "yes"} for rule in ("gift", "point")}, "nobody has five gold without"


@pytest.mark.parametrize(("left", "winner"), [(7, "player_1"), (8, "player_2")])
def test_a_small_game_is_searched_whole(hunted: Any, tmp_path: Path, left: int, winner: str) -> None:
    _, told = hunted(PILE.replace("LEFT", str(left)))
    forced = next(found for found in told["findings"] if found["kind"] == "forced")
    assert forced["seats"] == [winner]
    end = replayed(tmp_path / "pile", forced)
    assert end.over and [end.position.blueprint.program.seats[seat] for seat in end.winners] == [winner]
    assert [found["rule"] for found in told["findings"] if found["kind"] == "mistake"] == ["give_up"]


def test_rules_that_stop(hunted: Any, tmp_path: Path) -> None:
    status, told = hunted(FULL)
    fault = next(found for found in told["findings"] if found["kind"] == "fault")
    assert status == 1 and "score" in fault["text"] and fault["rule"] == "play"
    state = replayed(tmp_path / "full", fault, 1)
    with pytest.raises(interpreter.RuleFault):
        state.choose(fault["choices"][-1])


def test_nothing_is_found_where_nothing_is(hunted: Any) -> None:
    status, told = hunted(FULL.replace("0..9", "0..12"))
    assert status == 0 and told["findings"] == [] and never(told) == {} and told["searched"]["why not"] == ""


def test_what_is_found_is_saved(hunted: Any, tmp_path: Path) -> None:
    _, told = hunted(MARKET.replace("SILVER", "2"), "--out", tmp_path / "found", games=12)
    for found in (found for found in told["findings"] if found["kind"] != "unrun"):
        saved = savefile.read(Path(found["save"]))
        assert saved.origin is not None
        game = game_of(interpreter.load(tmp_path / "market", options=found["settings"]).program)
        assert game.resume(saved.game).key() == replayed(tmp_path / "market", found, found["kind"] == "fault").key()


def test_it_is_told_in_words(rulelang: Any, tmp_path: Path) -> None:
    (tmp_path / "market.rules").write_text(MARKET.replace("SILVER", "2"), encoding="utf-8")
    ran = rulelang("hunt", tmp_path / "market.rules", "--games", 12)
    assert ran.status == 1 and "gains without end (2 players): 2 choices" in ran.out
    assert "if player_1 and player_2 want, 2 choices lead back to the same position" in ran.out
    assert "gift (market.rules line" in ran.out and "with generous = yes it does" in ran.out
