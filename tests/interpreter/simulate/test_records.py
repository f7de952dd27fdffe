"""What games leave behind: the same on both engines, and adding up."""

from __future__ import annotations

import threading
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from paths import DOCS, ROOT
from small_games import CARDS, corpus, load_game

import interpreter
from interpreter.bots import Stream, make_bot
from interpreter.bots.simple import BY_QUESTION, BY_SEAT
from interpreter.loading import ENGINES
from interpreter.record.shape import COLUMNS, MOST, SHARE
from interpreter.simulate.games import game_seed, play_all, play_many, seated
from interpreter.simulate.recorded import play_recorded, record_of
from interpreter.simulate.records import DERIVED, Records, describe

RULES = ROOT / "rules"
GAMES = [("meduris", 3), ("skye", 2), ("babel", 2), ("whist", 4), ("night_fair", 3), ("golf_patience", 1), ("hex", 2)]


@cache
def played(game: str, players: int, engine: str, games: int = 5, **more: int) -> Records:
    loaded = interpreter.load(RULES / game, players=players, engine=engine)
    return Records.joined(list(play_recorded(loaded, 11, games, **more)))


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_both_engines_leave_the_same_behind(game: str, players: int) -> None:
    fast, slow = played(game, players, "wasm"), played(game, players, "reference")
    different = [c.name for c in COLUMNS if not np.array_equal(fast.column(c.name), slow.column(c.name))]
    assert not different


@pytest.mark.parametrize("limit", [0, 1, 40])
def test_a_game_that_is_stopped_leaves_the_same_behind(limit: int) -> None:
    fast, slow = (played("meduris", 2, engine, 3, limit=limit) for engine in ("wasm", "reference"))
    assert np.array_equal(fast.rows, slow.rows)
    assert not fast.column("finished").any()
    assert (fast.column("decisions") == limit).all()
    assert (fast.column("ended") == -1).all()


def test_threads_and_division_change_nothing() -> None:
    game = interpreter.load(RULES / "meduris", players=2, engine="wasm")
    whole = Records.joined(list(play_recorded(game, 3, 60)))
    assert np.array_equal(Records.joined(list(play_recorded(game, 3, 60, threads=2))).rows, whole.rows)
    parts = [Records.joined(list(play_recorded(game, 3, n, first=at))) for at, n in ((0, 25), (25, 35))]
    assert np.array_equal(Records.joined(parts).rows, whole.rows)
    assert Records.joined(parts).seeds[30] == game_seed(3, 30)


@pytest.mark.parametrize("bots", [None, "random", "learned"])
@pytest.mark.parametrize(("game", "players"), [("babel", 2), ("dyers_row", 2), ("fog_harbour", 2)])
def test_streams_by_question_are_the_same_on_both_engines(
    game: str, players: int, bots: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interpreter.wasm.learned.GAMES_LEARNED", 50)
    found = {}
    for engine in ENGINES:
        loaded = interpreter.load(RULES / game, players=players, engine=engine)
        for version in (BY_SEAT, BY_QUESTION):
            blocks = list(play_recorded(loaded, 5, 3, seated(loaded, bots), streams=version))
            found[engine, version] = Records.joined(blocks).rows
    assert np.array_equal(found["wasm", BY_QUESTION], found["reference", BY_QUESTION])
    assert np.array_equal(found["wasm", BY_SEAT], found["reference", BY_SEAT])
    assert not np.array_equal(found["wasm", BY_SEAT], found["wasm", BY_QUESTION])


THREE_TO_ONE = corpus("lot")


@pytest.mark.parametrize("engine", ENGINES)
def test_what_chance_takes_is_expected_by_the_number_of_its_forms(tmp_path: Path, engine: str) -> None:
    records = Records.joined(list(play_recorded(load_game(tmp_path, THREE_TO_ONE, engine=engine), 4, 10)))
    many, one = (records.column("expected")[:, place] for place in (0, 1))
    assert (many == 40 * SHARE * 3 // 4).all()
    assert (one == 40 * SHARE // 4).all()


ONE_MORE_QUESTION = """game asked
  players 2

enum Card: a, b, c, d, e, f, g, h

number extra = {extra}

each Player has
  score: 0..99

winner most score[p], then shared

rule play
  repeat at most 5
    each p in Player
      do first(p)
      if extra > 0
        do second(p)

rule first(p: Player)
  p chooses c in Card
  p scores count(d in Card while d is not c)

rule second(p: Player)
  p chooses d in Card
"""


def test_a_question_more_leaves_the_answers_to_the_others_as_they_were(tmp_path: Path) -> None:
    rows = {}
    for extra in (0, 1):
        (tmp_path / str(extra)).mkdir()
        game = load_game(tmp_path / str(extra), ONE_MORE_QUESTION.replace("{extra}", str(extra)), engine="wasm")
        for version in (BY_SEAT, BY_QUESTION):
            rows[extra, version] = Records.joined(list(play_recorded(game, 9, 20, streams=version))).column("score")
    assert np.array_equal(rows[0, BY_QUESTION], rows[1, BY_QUESTION])
    assert not np.array_equal(rows[0, BY_SEAT], rows[1, BY_SEAT])


def test_games_of_bots_are_recorded_alike_on_both_engines() -> None:
    found = []
    for engine in ("wasm", "reference"):
        game = interpreter.load(RULES / "classics" / "reversi", engine=engine)
        found.append(Records.joined(list(play_recorded(game, 5, 2, seated(game, "random")))))
    assert np.array_equal(found[0].rows, found[1].rows)
    game = interpreter.load(RULES / "classics" / "reversi", engine="wasm")
    alone, beside = (
        Records.joined(list(play_recorded(game, 5, 12, seated(game, "random"), threads=n))) for n in (1, 2)
    )
    assert np.array_equal(alone.rows, beside.rows) and beside.games == 12


def test_a_game_is_recorded_from_its_choices_as_it_was_played() -> None:
    records = played("meduris", 3, "wasm")
    game = interpreter.load(RULES / "meduris", players=3, engine="wasm")
    seed = game_seed(11, 2)
    last = list(interpreter.play_many(game, 11, 3))[2]
    assert last.seed == seed and last.scores == tuple(records.column("score")[2])
    assert record_of(game, records.shape, seed, [])[records.shape.at("decisions")] == 0


def test_points_by_rule_add_up_to_the_score() -> None:
    for game, players in (("meduris", 3), ("skye", 2), ("night_fair", 3)):
        records = played(game, players, "wasm")
        start = records.column("over_time")[:, 0]
        assert (start + records.column("points").sum(axis=1) == records.column("score")).all()


def test_what_is_counted_adds_up() -> None:
    records = played("meduris", 3, "wasm")
    column = records.column
    assert (column("asked").sum(axis=1) == column("decisions")).all()
    assert (column("chose") <= column("asked")).all()
    assert (column("forced") == (column("asked") - column("chose")).sum(axis=1)).all()
    assert (column("taken") <= column("offered")).all() and column("taken").any()
    assert (column("expected") <= SHARE * column("offered")).all()
    assert ((column("expected") > 0) == (column("offered") > 0)).all()
    assert (np.sort(column("order"), axis=1) == [1, 2, 3]).all()
    passes = column("ran")[:, records.shape.number["rule"]["turn"]].sum(axis=1)
    assert (column("rounds") == -(-passes // 3)).all() and (column("turns") >= passes).all()
    assert (column("over_time")[:, -1] == column("score")).all()
    assert (column("branching") >= 1).all() and (column("offers") < MOST).all()
    assert column("ran").sum(axis=(1, 2)).min() > 0
    assert column("fresh").sum(axis=1).max() < len(records.shape.axes["rule"])


def test_turns_are_counted_where_rounds_go_over_the_players() -> None:
    records = played("skye", 2, "wasm")
    assert (records.column("turns") == 36).all()
    assert (records.column("rounds") == 6).all()


def test_what_follows_from_the_columns() -> None:
    records = played("meduris", 3, "wasm", 5)
    score, won = records.column("score"), records.column("won")
    assert ((records.column("rank") == 1) == won).all()
    for row, winners, margin, spread in zip(
        score, won, records.column("margin"), records.column("spread"), strict=True
    ):
        if winners.any() and not winners.all():
            assert margin == row[winners].max() - row[~winners].max()
        assert spread == row.max() - row.min()
    assert ((records.column("settled") >= 0) & (records.column("settled") <= 1)).all()
    assert (records.column("share_empty") <= 1).all()


def test_every_column_is_described_and_has_its_axes() -> None:
    records = played("babel", 2, "wasm")
    for name in [*(c.name for c in COLUMNS), *DERIVED]:
        column = describe(name)
        lengths = tuple(len(records.shape.axes[axis]) for axis in column.axes)
        assert records.column(name).shape == (records.games, *lengths)
        assert column.meaning


LONG = corpus("long_walk")


MANY_KINDS = """game hoard
  players 2

enum Gem: GEMS

the game has
  sack: bag of Gem = {g: 2 for g in Gem}, seen by nobody, counted
  table: pool of Gem

each Player has
  gems: pool of Gem
  chest: pool of Gem
  score: 0..999

winner most score[p], then shared

rule play
  repeat at most 12
    take turns p from first(Player) until p is last(Player)
      p chooses one of
        option draw
          move up to 2 from sack to gems[p]
        option take(g in table)
          move 1 of g from table to gems[p]
        option lay_all
          move all from gems[p] to table
        option lay_all_of(g in gems[p])
          move all of g from gems[p] to table
        option rest
    together each q in Player
      q chooses one of
        option hide(g in gems[q])
          move 1 of g from gems[q] to chest[q]
        option keep
    do sweep
  each p in Player
    p scores count(gems[p])

rule sweep
  if count(table) > 5
    if table covers {gem0: 1}
      move {gem0: 1} from table to sack
    move all from table to sack
""".replace("GEMS", ", ".join(f"gem{n}" for n in range(40)))


def test_what_pools_of_many_kinds_hold_is_followed_through_every_change(tmp_path: Path) -> None:
    found = [
        Records.joined(list(play_recorded(load_game(tmp_path / engine, MANY_KINDS, engine=engine), 3, 40)))
        for engine in ENGINES
    ]
    assert np.array_equal(found[0].rows, found[1].rows)
    held = found[0].column("held").sum(axis=0)
    assert (held > 0).all()
    assert held.sum() == 80 * found[0].column("looks").sum()


def test_the_page_lists_every_column() -> None:
    page = (DOCS / "studies.md").read_text()
    for name in [*(c.name for c in COLUMNS), *DERIVED]:
        column = describe(name)
        assert f"| `{name}` | {', '.join(column.axes)} | {column.meaning} ({column.unit}) |" in page


def test_a_long_game_with_every_way_to_change_a_score(tmp_path: Path) -> None:
    """With more looks than are kept, every second is forgotten, on both engines alike."""
    found = []
    for engine in ENGINES:
        game = load_game(tmp_path / engine, LONG, engine=engine)
        found.append(Records.joined(list(play_recorded(game, 2, 4))))
    assert np.array_equal(found[0].rows, found[1].rows)
    records = found[0]
    column = records.column
    assert column("decisions").min() > 256
    assert (5 + column("points").sum(axis=1) == column("score")).all()
    assert (column("rounds") * 3 + 3 == column("decisions")).all()
    assert (column("rounds") * 3 == column("turns")).all() and column("short").min() > 0
    assert (column("ended") == records.shape.number["rule"]["year"]).all()
    assert column("fresh").sum(axis=1).max() <= 1
    over_time = column("over_time").sum(axis=2)
    assert (over_time[:, 0] == 15).all() and len(set(over_time[0])) > 10
    # The fewest points lead: whoever is behind has more.
    assert (column("behind").max(axis=1) > 0).all()
    assert (column("rank")[column("won")] == 1).all()


# Games of bots on several threads: in order, the same as one after another, and given up when nobody wants them.


@pytest.fixture
def game(tmp_path: Path) -> Any:
    return interpreter.game_of(load_game(tmp_path, CARDS).program, engine="wasm")


def test_any_number_of_threads_gives_the_same_games(game: Any) -> None:
    bots = [make_bot(name, game) for name in ("ismcts:3", "random", "greedy")]
    alone = list(play_many(game, 5, 2, bots, limit=8))
    assert list(play_all(game, 5, 2, bots, limit=8, threads=2)) == alone


class Counting:
    """Counts its choices."""

    def __init__(self) -> None:
        self.choices = 0

    def choose(self, state: Any, decision: Any, stream: Stream) -> int:
        self.choices += 1
        return 0


def test_whoever_stops_listening_stops_the_games(game: Any) -> None:
    bot = Counting()
    results = play_all(game, 1, 10_000, [bot] * game.players, threads=2)
    first = next(results)
    results.close()
    assert first.index == 0
    assert bot.choices < 1_000
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("games")]
