"""Every seat has its share of the games, and rule sets are ranked by their worst seat, where that can be told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_games import corpus, write_game

import interpreter
from interpreter.comparing.seats import Ranking, Seats, Worst, cut, listed, overall
from interpreter.simulate.games import play_all
from interpreter.simulate.tally import Tally

RACE = corpus("fair_race")

TO_THE_END = """\
variant to_the_end of race
  "The round is played to its end."

replace rule play
  repeat at most 40
    each p in Player
      surely p chooses n in 1..4
      p scores n
    if some(score[q] >= goal for q in Player)
      end the game
"""


@pytest.fixture(scope="module")
def race(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_game(tmp_path_factory.mktemp("games") / "race", RACE, to_the_end=TO_THE_END)


def compared(path: Path, variants: list[str], players: Any = 3, games: int = 600, **more: Any) -> Any:
    return interpreter.compare(path, variants, players=players, games=games, **more)


def test_shares_of_all_seats_are_what_simulate_counts(race: Path) -> None:
    comparison = compared(race, ["to_the_end"])
    (column,) = comparison.columns
    assert [seat.seat for seat in column.seats] == ["player_1", "player_2", "player_3"] and not column.order
    for which, results in zip(("printed", "share"), column.results, strict=True):
        together = [a + b for a, b in zip(results.wins, results.shares, strict=True)]
        assert sum(together) + results.draws + results.losses == results.games == 600
        assert [getattr(seat, which) for seat in column.seats] == pytest.approx([won / 600 for won in together])
    for seat in column.seats:
        assert seat.difference == pytest.approx(seat.share - seat.printed)
        assert seat.printed_equal == pytest.approx(1 / 3)
    game = interpreter.load(race, players=3, engine="wasm")
    tally = Tally.of(game.program)
    for part in play_all(game, 1, 50):
        tally.add(part)
    assert sum(tally.wins.wins) == 50


def test_the_fairest_comes_first_and_the_printed_game_is_ranked_too(race: Path) -> None:
    told = compared(race, ["to_the_end", "goal=13"], games=3000).as_json()
    assert told["fairest"][0] == "to_the_end"
    assert sorted(told["fairest"][1]) == ["goal=13", "printed"]
    keys = {"seat", "share", "half_width", "difference", "difference_half_width"}
    for column in told["columns"]:
        assert all(keys <= set(seat) for seat in column["seats"])
        assert sum(seat["share"] for seat in column["seats"]) == pytest.approx(
            1 - column["results"]["with"]["draws"] / column["pairs"], abs=1e-4
        )


def test_rules_that_change_nothing_are_not_ranked(race: Path) -> None:
    for seed in range(8):
        comparison = compared(race, ["goal=12+head_start=0"], games=200, seed=seed)
        assert comparison.as_json()["fairest"] in (
            [["printed", "goal=12+head_start=0"]],
            [["goal=12+head_start=0", "printed"]],
        )


def test_two_unfair_seats_are_as_bad_whichever_they_are() -> None:
    """Found by drawing: of two rule sets that are mirror images neither is fairer."""
    chance = np.random.default_rng(5)
    told = [_drawn(chance, [[0.6, 0.4], [0.4, 0.6]], 400).fairer for _ in range(60)]
    assert sum(map(bool, told)) <= 3
    assert _drawn(chance, [[0.7, 0.3], [0.5, 0.5]], 2000).groups == (("b",), ("a",))


def _drawn(chance: np.random.Generator, shares: list[list[float]], games: int) -> Ranking:
    from types import SimpleNamespace

    seats = Seats(("a", "b"), ("red", "blue"), ((0.5, 0.5), (0.5, 0.5)))
    seen = {}
    for place, parts in enumerate(shares):
        win = np.eye(2)[(chance.random(games) > parts[0]).astype(int)]
        columns = {"win": win, "order": np.tile([1, 2], (games, 1))}
        records = SimpleNamespace(column=columns.__getitem__, numbers=np.arange(games))
        seen[place] = SimpleNamespace(finished=np.ones(games, bool), records=records, groups_of=lambda _: None)
    seats.add(seen)  # type: ignore[arg-type]
    return seats.ranking(2, "random", (), any_time=False)


def test_only_clean_cuts_part_groups() -> None:
    assert listed(cut(["a", "b", "c"], {("a", "c")})) == [["a", "b", "c"]]
    assert listed(cut(["a", "b", "c"], {("a", "c"), ("a", "b")})) == ["a", ["b", "c"]]
    assert listed(cut(["a", "b"], {("a", "b")})) == ["a", "b"]


def test_tables_that_contradict_one_another_rank_nothing() -> None:
    def table(first: str, second: str) -> Ranking:
        worst = {first: Worst("red", 0.1, 0.01), second: Worst("red", 0.2, 0.01)}
        return Ranking(2, "random", ((first,), (second,)), frozenset({(first, second)}), worst)

    assert overall([table("a", "b"), table("a", "b")]) == ["a", "b"]
    assert overall([table("a", "b"), table("b", "a")]) == [["a", "b"]]
    assert overall([Ranking(1, "random", why="one plays alone")]) == []


DRAWN_FIRST = RACE.replace(
    "  each p in Player where p is not first(Player)\n    increase score[p] by head_start\n", "  roll who in Player\n"
).replace("take turns p from first(Player)", "take turns p from who")


def test_where_who_begins_is_drawn_the_order_of_play_tells(tmp_path: Path) -> None:
    path = write_game(tmp_path / "race", DRAWN_FIRST)
    (column,) = compared(path, ["goal=9"], players=2, games=1500).columns
    assert [place.seat for place in column.order] == ["first", "second"]
    assert abs(column.seats[0].printed - 0.5) < column.seats[0].printed_half_width
    assert column.order[0].printed - 0.5 > column.order[0].printed_half_width


TEAMS = RACE.replace("players 2..3", "players 4\n  team odd: 1, 3\n  team even: 2, 4").replace(
    "winner most score[p], then shared", "winner most sum(score[q] for q in p.team.members), then shared"
)


def test_members_of_a_team_have_equal_parts(tmp_path: Path) -> None:
    path = write_game(tmp_path / "race", TEAMS)
    (column,) = compared(path, ["head_start=3"], players=4, games=300).columns
    odd, even, *rest = column.seats
    assert [seat.share for seat in rest] == [odd.share, even.share]
    assert all(seat.printed_equal == pytest.approx(0.25 * (1 - column.results[0].draws / 300)) for seat in column.seats)


def test_where_all_win_together_there_is_nothing_to_rank(tmp_path: Path, race: Path) -> None:
    text = RACE.replace("winner most score[p], then shared\n", "") + "  everybody wins\n"
    path = write_game(tmp_path / "race", text)
    told = compared(path, ["goal=9"], games=60).as_json()
    assert told["fairest"] == [] and told["columns"][0]["seats"] == []
    assert "nothing to rank" in told["fairest_by_table"][0]["why_not"]
