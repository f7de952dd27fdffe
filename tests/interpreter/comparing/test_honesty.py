"""Pages about a game beside itself rarely cry wolf, intervals hold the truth, and effects are found when predicted.

The long runs are ``python -m benchmarks.honesty``; here is enough of each to see that it can fail.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from paths import RULES
from small_games import COINS, PILE, write_game

from benchmarks.honesty.__main__ import CASES, Case
from benchmarks.honesty.alarms import Alarms, alarms, claims
from benchmarks.honesty.coverage import coverage, pages
from benchmarks.honesty.effects import needed, settled
from benchmarks.honesty.pools import World

SAME = ["size=6", "size=8"]
"""Any two columns: with ``itself`` their games are those of the base."""


@pytest.fixture(scope="module")
def pile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_game(tmp_path_factory.mktemp("games") / "pile", PILE)


@pytest.fixture(scope="module")
def coins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_game(tmp_path_factory.mktemp("games") / "coins", COINS)


def found_in(path: Path, asked: list[str], drawn: int, games: int = 60, *, itself: bool = True) -> Alarms:
    return alarms(World.of(path, asked, 2, ["random", "learned"], 1000, games, itself=itself), drawn)


def test_a_page_about_a_game_beside_itself_rarely_cries_wolf(pile: Path) -> None:
    assert found_in(pile, SAME, 20).any <= 2
    real = found_in(pile, SAME, 5, itself=False)
    assert real.any == real.by_kind["headlines"] == real.by_kind["points by rule"] == 5


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("bots", ["random", "learned", "random+learned"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.game)
def test_a_page_about_a_game_beside_itself_cries_wolf_in_five_per_cent_at_most(case: Case, bots: str) -> None:
    """Beyond doubt: of 500 pages at most 16, so that the interval around their share ends below five per cent."""
    world = World.of(RULES / case.game, case.columns, case.players, bots.split("+"), 2000, 200, itself=True)
    assert alarms(world, 500).between[1] <= 0.05


def test_looking_until_it_is_settled_rarely_cries_wolf(pile: Path) -> None:
    world = World.of(pile, ["size=8"], 2, ["random"], 1000, 0, itself=True, matters=MATTERS)
    found = alarms(world, 25)
    assert found.any <= 2
    assert {table.games > 100 for table in world.run.tables} == {True}


MATTERS = "length=0.5,score=0.5,margin=1,spread=1,options=0.2,leads=0.5,settled=15,win=20"


def test_every_kind_of_interval_holds_the_truth_as_often_as_it_says(coins: Path) -> None:
    world = World.of(coins, ["coin_worth=3"], 2, ["random"], 3000, 150, itself=False)
    found = coverage(world, 100, 150)
    kinds = {one.kind for one in found}
    assert kinds >= {"headline", "mean of a game", "points by rule", "together: worth of options"}
    for one in found:
        if one.events >= 20 or one.kind.startswith("together"):
            assert one.between[1] >= 0.95, one
            assert one.share >= 0.88, one
    right, all_ = pages(world, 40)
    assert right >= 0.9 * all_


def test_effects_are_found_after_the_games_predicted(coins: Path) -> None:
    world = World.of(coins, ["coin_worth=3"], 2, ["random"], 3000, 100, itself=False)
    effects = {one.quantity.name: one for one in needed(world, 150)}
    for name in ("margin", "spread"):
        assert 0.7 < effects[name].found < 0.9
        assert 0.7 < effects[name].needed / effects[name].predicted < 1.4
    for one in settled(world, 60, 100):
        assert 0.3 < one.share < 0.96
        assert 0.2 < one.ratio[0] < 3


def test_claims_are_all_that_says_that_something_differs(pile: Path) -> None:
    page = World.of(pile, ["size=9"], 2, ["random"], 500, 200, itself=False).page(1)
    assert claims(page) >= {"headlines", "points by rule"}
    assert not claims(World.of(pile, ["size=9"], 2, ["random"], 500, 20, itself=False).page(1)) - {"points by rule"}
