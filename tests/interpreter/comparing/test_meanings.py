"""What comparisons mean: one unit on both sides of a difference, and every seat its share."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_games import corpus, load_game, write_game

import interpreter
from interpreter.comparing.seats import Ranking, Seats, Worst, cut, listed, overall
from interpreter.loading import ENGINES
from interpreter.simulate.games import play_all, play_many
from interpreter.simulate.recorded import play_recorded
from interpreter.simulate.records import Records
from interpreter.simulate.tally import Tally

DICE = corpus("throws")

PLAY = "replace rule play\n"
UNTIL = "some(score[q] >= goal for q in Player)"
TURNS = f"{PLAY}  take turns p from first(Player) until {UNTIL}\n"

VARIANTS = {
    "each": f"{PLAY}  repeat at most 99\n    each p in Player\n      do turn(p)\n    if {UNTIL}\n      end the game\n",
    "each_alike": f"{PLAY}  repeat at most 99\n    each p in Player\n      if not {UNTIL}\n        do turn(p)\n"
    f"    if {UNTIL}\n      end the game\n",
    "dealt": f"{PLAY}  repeat at most 99\n    each d in Player\n      take turns p from d until {UNTIL} or p is d\n"
    f"        do turn(p)\n    if {UNTIL}\n      end the game\n",
    "nodded": f"{TURNS}    do nod(p)\n    do turn(p)\n",
    "watched": f"{TURNS}    do turn(p)\n    each q in Player where q is not p\n      do nod(q)\n",
    "twice": f"{TURNS}    do turn(p)\n    if score[p] is 9\n      do turn(p)\n",
    "again": f"{TURNS}    repeat at most 2\n      do turn(p)\n      if score[p] is not 10\n        stop\n",
    "handed_on": f"the game has\n  mover: Player = first(Player)\n\n{PLAY}  repeat at most 999\n    do turn(mover)\n"
    f"    if {UNTIL}\n      end the game\n    set mover to next(mover)\n",
    "secretly": f"{PLAY}  repeat at most 9\n    together each p in Player\n      do nod(p)\n  end the game\n",
    "phases": f"{PLAY}  repeat at most 99\n    each p in Player\n      do turn(p)\n    each q in Player\n"
    f"      do nod(q)\n    if {UNTIL}\n      end the game\n",
}


@pytest.fixture(scope="module")
def dice(tmp_path_factory: pytest.TempPathFactory) -> Path:
    texts = {name: f'variant {name} of dice\n  "Untold."\n\n{text}' for name, text in VARIANTS.items()}
    return write_game(tmp_path_factory.mktemp("games") / "dice", DICE, **texts)


def records(path: Path, *variants: str, engine: str = "wasm", games: int = 60) -> Records:
    game = interpreter.load(path, players=3, variants=variants, engine=engine)
    return Records.joined(list(play_recorded(game, 1, games)))


def compared(path: Path, *variants: str) -> dict[str, Any]:
    return {column.name: column for column in interpreter.compare(path, variants, players=3, games=300).columns}


def test_turns_are_counted_alike_whatever_the_loop(dice: Path) -> None:
    printed, alike = records(dice).column("turns"), records(dice, "each_alike").column("turns")
    assert np.array_equal(alike, printed) and printed.min() > 0


@pytest.mark.parametrize("name", VARIANTS)
def test_both_engines_count_the_same_turns(dice: Path, name: str) -> None:
    fast, slow = (records(dice, name, engine=engine, games=6).column("turns").tolist() for engine in ENGINES)
    assert fast == slow
    assert [fast, fast] == [simulated(dice, name, engine=engine) for engine in ENGINES]


def simulated(path: Path, variant: str, engine: str) -> list[int]:
    """The turns of games as ``simulate`` has them: three in one go, on the fast engine, and three step by step."""
    game = interpreter.load(path, players=3, variants=(variant,), engine=engine)
    parts = [*play_all(game, 1, 3), *list(play_many(game, 1, 6))[3:]]
    return [record[3] for part in parts for record in part.records(3)]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_turn_goes_on_in_a_save(dice: Path, engine: str) -> None:
    """Others are asked before the player whose turn it is; the game is saved in between."""
    text = DICE.replace("  set pot to 0\n", "  each q in Player where q is not p\n    do nod(q)\n  set pot to 0\n", 1)
    game = load_game(dice.parent / f"asked_{engine}", text, engine=engine)
    state, turns = game.start(1), []
    for _ in range(30):
        state = game.resume(json.loads(json.dumps(game.save(state))))
        turns.append((state.turns, state.position.at_turn))
        state.choose(0)
    assert all(at in (None, turn % 2) for turn, at in turns) and {at for _, at in turns} == {None, 0, 1}
    assert turns[:2] == [(0, 0), (1, None)] and turns[-1][0] > 4


def test_a_round_played_to_its_end_takes_turns_more_and_not_fewer(dice: Path) -> None:
    (column,) = compared(dice, "each").values()
    assert not column.not_compared
    assert 0 < column.quantities["length"].difference <= 2
    assert column.quantities["length"].verdict in ("changed", "small")
    assert column.quantities["decisions"].difference > 0


def test_a_turn_of_two_decisions_is_one_turn(dice: Path) -> None:
    found = compared(dice, "nodded", "watched")
    for column in found.values():
        assert not column.not_compared
        assert abs(column.quantities["length"].difference) < 3
    printed = found["nodded"].quantities["length"].base
    assert found["nodded"].quantities["decisions"].difference == pytest.approx(printed, rel=0.3)
    assert found["watched"].quantities["decisions"].difference == pytest.approx(2 * printed, rel=0.3)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("twice", "`turn` can ask more often within one turn"),
        ("again", "`turn` can ask more often within one turn"),
        ("handed_on", "do not take turns in a loop"),
        ("phases", "other questions make up a turn"),
    ],
)
def test_what_is_another_thing_is_not_subtracted_and_said_why(dice: Path, name: str, why: str) -> None:
    (column,) = compared(dice, name).values()
    assert "length" not in column.quantities
    assert re.search(why, column.not_compared["length"])
    assert "decisions" in column.quantities


def test_turns_that_all_take_together_are_turns(dice: Path) -> None:
    (column,) = compared(dice, "secretly").values()
    assert not column.not_compared
    length = column.quantities["length"]
    assert length.base + length.difference == pytest.approx(27)


def test_a_dealer_who_is_not_asked_has_no_turn(dice: Path) -> None:
    (column,) = compared(dice, "dealt").values()
    assert not column.not_compared
    assert column.quantities["length"].difference < 5


ALONE = corpus("luck")


def test_a_game_in_which_nobody_decides_has_a_length(tmp_path: Path) -> None:
    path = write_game(
        tmp_path / "luck", ALONE, more='variant more of luck\n  "Untold."\n\nbefore rule play\n  roll n in 1..2\n'
    )
    (column,) = interpreter.compare(path, ["more"], games=60).columns
    assert column.quantities["length"].base > 5 and column.quantities["decisions"].base == 0


@pytest.mark.parametrize("engine", ENGINES)
def test_what_everybody_is_asked_once_is_no_turn(tmp_path: Path, engine: str) -> None:
    text = DICE.replace("rule play\n", "rule play\n  each p in Player\n    do nod(p)\n")
    game = load_game(tmp_path / "dice", text, engine=engine)
    found = Records.joined(list(play_recorded(game, 1, 5)))
    state = game.start(1)
    assert [(state.turns, state.choose(0)) for _ in range(3)][-1] == (1, None)
    asked = found.column("ran")[:, found.shape.number["rule"]["turn"]].sum(axis=1)
    assert np.array_equal(found.column("turns"), asked)


RENAMED = f"""\
variant renamed of dice
  "A rule and its options have other names."

{PLAY}  take turns p from first(Player) until {UNTIL}
    do go(p)

remove rule turn

rule go(p: Player)
  set pot to 0
  repeat at most 4
    surely p chooses one of
      option fling
        needs pot < 20
        roll n in 1..6
        if n is 1
          stop
        increase pot by n
      option hold
        needs pot > 0
        p scores pot
        stop
"""


def test_a_rule_of_another_name_is_told_under_that_which_it_has_in_print(tmp_path: Path) -> None:
    path = write_game(tmp_path / "dice", DICE, renamed=RENAMED)
    (column,) = interpreter.compare(path, ["renamed"], players=3, games=400).columns
    assert not column.not_compared and not column.rates
    names = {part.rule for part in column.points} | {option.option for option in column.options}
    assert names & {"keep", "throw"} and not names & {"hold", "fling", "go"}


# Every seat has its share of the games, and rule sets are ranked by their worst seat, where that can be told.


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


def seats_compared(path: Path, variants: list[str], players: Any = 3, games: int = 600, **more: Any) -> Any:
    return interpreter.compare(path, variants, players=players, games=games, **more)


def test_shares_of_all_seats_are_what_simulate_counts(race: Path) -> None:
    comparison = seats_compared(race, ["to_the_end"])
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
    told = seats_compared(race, ["to_the_end", "goal=13"], games=3000).as_json()
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
        comparison = seats_compared(race, ["goal=12+head_start=0"], games=200, seed=seed)
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
    (column,) = seats_compared(path, ["goal=9"], players=2, games=1500).columns
    assert [place.seat for place in column.order] == ["first", "second"]
    assert abs(column.seats[0].printed - 0.5) < column.seats[0].printed_half_width
    assert column.order[0].printed - 0.5 > column.order[0].printed_half_width


TEAMS = RACE.replace("players 2..3", "players 4\n  team odd: 1, 3\n  team even: 2, 4").replace(
    "winner most score[p], then shared", "winner most sum(score[q] for q in p.team.members), then shared"
)


def test_members_of_a_team_have_equal_parts(tmp_path: Path) -> None:
    path = write_game(tmp_path / "race", TEAMS)
    (column,) = seats_compared(path, ["head_start=3"], players=4, games=300).columns
    odd, even, *rest = column.seats
    assert [seat.share for seat in rest] == [odd.share, even.share]
    assert all(seat.printed_equal == pytest.approx(0.25 * (1 - column.results[0].draws / 300)) for seat in column.seats)


def test_where_all_win_together_there_is_nothing_to_rank(tmp_path: Path, race: Path) -> None:
    text = RACE.replace("winner most score[p], then shared\n", "") + "  everybody wins\n"
    path = write_game(tmp_path / "race", text)
    told = seats_compared(path, ["goal=9"], games=60).as_json()
    assert told["fairest"] == [] and told["columns"][0]["seats"] == []
    assert "nothing to rank" in told["fairest_by_table"][0]["why_not"]
