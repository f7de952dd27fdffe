"""What single games and options tell: the worth of options, chances over time, typical games."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from small_games import COINS, changed, corpus, load_game, write_game

import interpreter
from interpreter.comparing.chances import Chances, ChancesRun
from interpreter.comparing.typical import MOST, Gallery, Picked
from interpreter.comparing.worth import GROUPS, Worth, Worths
from interpreter.errors import GameError
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


# Which games to look at: the one most like all others, and those least like them.


def picked(values: dict[str, list[float]], touched: list[bool] | None = None, first: int = 0) -> Picked:
    gallery = Gallery()
    count = len(next(iter(values.values())))
    there = None if touched is None else np.array(touched)
    columns = {name: np.array(numbers, dtype=float) for name, numbers in values.items()}
    gallery.add(np.arange(first, first + count), columns, {}, there)
    return gallery.picked()


def test_the_typical_game_is_in_the_middle_and_the_unusual_one_is_not() -> None:
    lengths = [*range(40, 60), 300.0]
    found = picked({"length": lengths}, first=7)
    assert found.typical == 7 + lengths.index(50)
    (one,) = found.unusual
    assert (one.game, one.quantity, one.value) == (27, "length", 300)
    assert 40 < one.low < one.high < 60
    assert one.share == pytest.approx(1 / 21)


def test_each_unusual_game_is_told_once_for_what_is_furthest() -> None:
    usual = [float(n % 7) for n in range(60)]
    found = picked({"a": [*usual, 90, 3], "b": [*usual, 40, -50], "won": [*usual, 900, 3]})
    assert [(one.game, one.quantity) for one in found.unusual] == [(60, "a"), (61, "b")]


def test_a_typical_pair_is_one_that_differs() -> None:
    assert picked({"a": [1, 2, 3, 4, 5]}, [True, False, False, False, True]).typical in (0, 4)
    assert picked({"a": [1, 2, 3, 4, 5]}, [False] * 5).typical == 2


def test_equal_games_and_none_and_unknown_numbers() -> None:
    assert picked({"a": [3.0] * 9}) == Picked(0, (), 9)
    assert Gallery().picked() == Picked(None, (), 0)
    assert picked({"a": [np.nan] * 3}).unusual == ()


def test_blocks_do_not_matter_and_memory_is_bounded() -> None:
    chance = np.random.default_rng(3)
    numbers = chance.normal(size=MOST + 500)
    whole, parts = Gallery(), Gallery()
    whole.add(np.arange(len(numbers)), {"a": numbers})
    for at in range(0, len(numbers), 700):
        some = numbers[at : at + 700]
        parts.add(np.arange(at, at + len(some)), {"a": some})
    assert whole.picked() == parts.picked()
    assert whole.picked().of == MOST


# Chances over time: what playing on at random says of each moment of a game, on games whose chances are known.


TOSSES = corpus("tosses")

KINGS = """\
game kings
  players 3

each Player has
  score: 0..99

winner most score[p], then shared

rule play
  each p in Player where p is not player_3
    p scores 5
  repeat at most 9
    each p in Player where p is player_3
      p chooses one of
        option wait
          p scores 0
        option pass
          p scores 0
  each p in Player where p is player_3
    p chooses q in Player where q is not p
      q scores {gift}
"""


def chances_of(folder: Path, text: str, games: int = 8, threads: int = 1, playouts: int = 40) -> Chances:
    run = ChancesRun(load_game(folder, text, engine="wasm"), "random", 5, threads, playouts)
    for _ in run.go(games):
        pass
    return run.chances()


@pytest.mark.parametrize(("gift", "kings"), [(2, True), (0, False)])
def test_who_cannot_win_may_decide_who_does(tmp_path: Path, gift: int, kings: bool) -> None:
    text = KINGS.replace("{gift}", str(gift))
    found = chances_of(tmp_path, text)
    assert found.kingmaking is not None
    assert found.kingmaking.decisions >= 8 * 2
    # Only the last decision matters: of the others none moves anything, though every one is looked at.
    assert found.kingmaking.kings == (8 if kings else 0)
    assert found.kingmaking.games == (8 if kings else 0)


def test_what_dice_will_bring_is_not_known(tmp_path: Path) -> None:
    run = ChancesRun(load_game(tmp_path, TOSSES, engine="wasm"), "random", 5, 1, 60)
    assert list(run.go(12)) == list(range(1, 13))
    for game in run.games:
        assert 0.2 < game.chances[0][0] < 0.8
        assert game.chances[-1].tolist() in ([0, 1], [1, 0])
        assert np.allclose(game.chances.sum(axis=1), 1)
    # Chances say how often it happens: over all moments those of the first player are right in the mean.
    won = np.array([game.chances[-1][0] for game in run.games])
    before = np.array([game.chances[10][0] for game in run.games])
    assert abs((won - before).mean()) < 4 * (won - before).std() / len(won) ** 0.5
    assert np.corrcoef(won, [game.chances[18][0] for game in run.games])[0, 1] > 0.5


def test_measures_follow_from_the_chances(tmp_path: Path) -> None:
    found = chances_of(tmp_path, TOSSES, games=35)
    measured = {one.name: one for one in found.measured}
    assert found.kingmaking is None
    assert found.fair == 0.5
    assert found.comeback is not None and found.comeback.low < 0.5
    assert 0 < measured["settled"].mean <= 100
    assert measured["favourite_won"].mean > 50
    assert 0 < measured["drama"].mean < 50
    assert found.winner[-1] == found.favourite[-1] == 1
    assert found.winner[0] == pytest.approx(0.5, abs=0.15)
    assert all(one.half_width < 50 for one in found.measured)


def test_threads_change_nothing(tmp_path: Path) -> None:
    one, two = (chances_of(tmp_path, TOSSES, games=4, threads=n) for n in (1, 2))
    assert one.measured == two.measured
    assert one.winner == two.winner


def test_what_there_is_when_time_is_up_is_whole_games(tmp_path: Path) -> None:
    run = ChancesRun(load_game(tmp_path, TOSSES, engine="wasm"), "random", 5, 1)
    assert list(run.go(5, until=0.0)) == [0]
    assert run.chances().measured == ()


def test_it_takes_rivals(tmp_path: Path) -> None:
    alone = TOSSES.replace("players 2", "players 1").replace("(p is player_1) is (face is heads)", "face is heads")
    game = load_game(tmp_path, alone, engine="wasm")
    with pytest.raises(GameError, match="against each other"):
        ChancesRun(game, "random", 5, 1)
