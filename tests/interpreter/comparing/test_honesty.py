"""Pages about a game rarely cry wolf, intervals hold the truth, and people's games are told from those of bots.

The long runs are ``python -m benchmarks.honesty``; here is enough of each to see that it can fail.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest
from paths import ROOT, RULES
from small_games import COINS, PILE, write_game

from benchmarks.honesty.__main__ import CASES, SMALL, Case
from benchmarks.honesty.alarms import Alarms, alarms, claims
from benchmarks.honesty.coverage import coverage, pages
from benchmarks.honesty.effects import needed, settled
from benchmarks.honesty.nulls import SHIFTING, NullWorld, nulls
from benchmarks.honesty.pools import World
from interpreter import load
from interpreter.bots.people import PeoplesChoices
from interpreter.comparing.playtests import beside, watched
from interpreter.wasm.engine import WasmGame
from interpreter.wasm.learned import Learned

GAMES = ROOT / "benchmarks" / "honesty" / "games"

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
    assert found_in(pile, SAME, 10).any <= 1
    real = found_in(pile, SAME, 3, itself=False)
    assert real.any == real.by_kind["headlines"] == real.by_kind["points by rule"] == 3


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
    found = alarms(world, 12)
    assert found.any <= 1
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


@pytest.fixture(scope="module")
def null_worlds(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str, int], NullWorld]:
    """A game that lies among the benchmarks beside its null rules, by its name and who plays."""

    def world(game: str, bots: str, games: int) -> NullWorld:
        folder = tmp_path_factory.mktemp("nulls")
        return NullWorld.beside(GAMES / game, dict(SMALL)[game], bots, games, folder)

    return world


@pytest.mark.parametrize(
    "bots",
    ["random", "learned", *(pytest.param(b, marks=pytest.mark.slow) for b in ("epsilon-greedy:0.2", "ismcts:4"))],
)
def test_of_rules_that_change_nothing_hardly_anything_is_claimed(
    null_worlds: Callable[[str, str, int], NullWorld], bots: str
) -> None:
    """And those that do not even shift what chance says leave every game as it was: its players are the same."""
    world = null_worlds("stones", bots, 40)
    pages = [world.page(seed) for seed in range(3)]
    for column in (column for page in pages for column in page.columns):
        if column.problem is None and column.name not in SHIFTING:
            assert column.touch_rate == 0
    assert sum(bool(claims(page)) for page in pages) <= 1


def test_players_who_learn_are_the_same_under_every_null_rule(
    null_worlds: Callable[[str, str, int], NullWorld],
) -> None:
    """Whatever they know of an option of the printed game they know of its counterpart, and nothing else."""
    for game in ("ladder", "market"):
        (table,) = null_worlds(game, "learned", 30).run.tables
        base = table.base.game
        assert isinstance(base, WasmGame)
        known = Learned.brought(base, base, 3)
        for other in table.beside:
            assert other.rules is not None and isinstance(other.rules.game, WasmGame)
            there = Learned.brought(other.rules.game, base, 3)
            assert there.options == known.options
            assert sorted(_liked(there)) == sorted(_liked(known))


def _liked(learned: Learned) -> list[float]:
    return [liked for key, liked in struct.iter_unpack("<qd", learned.table) if key]


def test_every_kind_of_null_rule_is_made_for_games_that_nobody_looked_at(tmp_path: Path) -> None:
    for game, players in SMALL:
        made = {null.name for null in nulls(GAMES / game, players, tmp_path / game)}
        assert made >= {"idle rolls", "other names", "unused places", "another order"}, game


# People's games beside those of bots: alike where both choose alike, apart where they do not, else open.


@pytest.fixture(scope="module")
def harbour() -> Any:
    return load(RULES / "fog_harbour", players=2)


@pytest.fixture(scope="module")
def random(harbour: Any) -> PeoplesChoices:
    return watched(harbour, "random", 200)


def test_who_chooses_alike_is_hardly_ever_told_apart(harbour: Any, random: PeoplesChoices) -> None:
    found = [beside(watched(harbour, "random", 60, seed), random, 2) for seed in range(2, 32)]
    assert sum(one.apart is True for each in found for one in each.means) <= 12, "of 120, one in twenty"
    assert sum(any(one.apart for one in each.kinds) for each in found) <= 4


def test_who_chooses_otherwise_is_told_apart(harbour: Any, random: PeoplesChoices) -> None:
    often = {"turn": Counter({(("sail", "scuttle", "signal"), "sail"): 25, (("sail", "signal"), "signal"): 25})}
    kinds = beside(attrs.evolve(random, seen=often), random, 2).kinds
    assert next((one.kind, one.apart, one.times) for one in kinds if one.apart) == ("scuttle", True, 25)
    assert not any(one.apart for one in beside(attrs.evolve(random, seen={}), random, 2).kinds)
    longer = tuple({**game, "turns": 2 * game["turns"]} for game in random.evenings[:20])
    turns, *others = beside(attrs.evolve(random, evenings=longer), random, 2).means
    assert turns.apart and turns.people > 1.5 * turns.bots and not any(one.apart for one in others)


def test_of_few_games_nothing_is_concluded(harbour: Any, random: PeoplesChoices) -> None:
    found = beside(watched(harbour, "random", 2), random, 2)
    assert all(one.apart is None and one.more > 0 for one in found.means)
    alone = beside(watched(harbour, "random", 1), random, 2)
    assert all(one.half_width is None for one in alone.means)
    nobody = beside(watched(harbour, "random", 0), random, 2)
    assert nobody.means == () and nobody.kinds == ()


def test_games_of_other_numbers_of_players_do_not_count(harbour: Any, random: PeoplesChoices) -> None:
    assert beside(random, random, 3).means == ()
