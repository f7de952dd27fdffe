"""The worth of options: what taking one brings, which is not how much more often winners took it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from small_games import COINS, changed, load_game, write_game

import interpreter
from interpreter.comparing.worth import GROUPS, Worth, Worths
from interpreter.simulate.recorded import play_recorded
from interpreter.simulate.records import Records

GAMES, RUNS = 250, 40

BOASTS = "boast"


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Records:
    game = load_game(tmp_path_factory.mktemp("coins"), COINS, engine="wasm")
    return Records.joined(list(play_recorded(game, 7, GAMES * RUNS)))


def worths_of(records: Records, first: int = 0, games: int = GAMES) -> dict[str, Worth]:
    found = Worths()
    part = Records(records.shape, records.seed, first, records.rows[first : first + games])
    found.add(np.ones(games, dtype=bool), part)
    return {worth.option: worth for worth in found.worths()}


def test_the_interval_covers_what_a_coin_is_worth(records: Records) -> None:
    runs = [worths_of(records, GAMES * run)["coin"].effects["points"] for run in range(RUNS)]
    assert sum(abs(one.value - 2) <= one.reach for one in runs) >= RUNS - 1
    # It says something: narrow enough to tell it from a coin worth half as much.
    assert np.mean([one.reach for one in runs]) < 1
    spread, reach = np.std([one.value for one in runs]), np.mean([one.reach for one in runs])
    assert 2 < reach / spread < 4


def test_what_those_have_who_are_ahead_is_not_thought_good_for_it(records: Records) -> None:
    taken, won = records.column("taken"), records.column("won")
    place = records.shape.axes["option"].index(BOASTS)
    by_winners = taken[:, place][won & (won.sum(axis=1, keepdims=True) == 1)].mean()
    by_losers = taken[:, place][~won].mean()
    assert by_winners > 1.5 * by_losers
    boast = worths_of(records, games=GAMES * RUNS)[BOASTS].effects["points"]
    assert boast.value == pytest.approx(0, abs=boast.reach)


def test_blocks_do_not_matter(records: Records) -> None:
    found = Worths()
    for first, games in ((0, 90), (90, 17), (107, GAMES - 107)):
        part = Records(records.shape, records.seed, first, records.rows[first : first + games])
        found.add(np.ones(games, dtype=bool), part)
    for worth in found.worths():
        for name, effect in worths_of(records)[worth.option].effects.items():
            assert worth.effects[name].value == pytest.approx(effect.value)
            assert worth.effects[name].reach == pytest.approx(effect.reach)


def test_with_few_games_nothing_is_concluded(records: Records) -> None:
    assert not worths_of(records, games=GROUPS // 3)
    assert not Worths().worths()


def test_a_change_of_its_worth_is_found_and_only_that(tmp_path: Path) -> None:
    silver = """variant silver of coins
  "Coins are worth three."

change number coin_worth to 3
"""
    folder = write_game(tmp_path / "coins", COINS, silver=silver)
    (column,) = interpreter.compare(folder, ["silver"], games=600).columns
    options = {option.option: option for option in column.options}
    coin = options["coin"].change["points"]
    assert coin.value == pytest.approx(1, abs=coin.reach) and coin.clear
    assert column.options[0].option in ("coin", "rest")
    wait = options["wait"].change["points"]
    assert not wait.clear
    told = column.as_json()["options"][0]
    assert {"name", "printed", "with", "change"} == set(told)


def test_nothing_is_told_where_chances_are_not_known(tmp_path: Path) -> None:
    folder = write_game(tmp_path / "coins", changed(COINS, "at most 12", "at most 3"))
    (column,) = interpreter.compare(folder, ["coin_worth=3"], games=40, bots="greedy").columns
    assert column.options == ()
