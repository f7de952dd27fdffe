"""Settings that meet goals, found and told truly; and comparisons whose games are kept."""

from __future__ import annotations

import json
import math
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import attrs
import pytest
from clusters import dask_cluster
from small_games import LONGER, PILE, corpus, write_game

import interpreter
import rulelang
from interpreter.comparing.goals import goals_of
from interpreter.comparing.one_call import concluded, question_of
from interpreter.comparing.playing import ComparisonRun
from interpreter.comparing.results import results
from interpreter.comparing.surprises import assess
from interpreter.comparing.tuned import Tuned, tuned
from interpreter.comparing.tuning import TuningQuestion, TuningRun
from interpreter.studies import StudyError

RACE = corpus("tuned_race")

DEALT = corpus("dealt")

SHORT = """\
variant short of race
  "Up to eight."

change number goal to 8
"""


def search(folder: Path, vary: tuple[str, ...], *goals: str, **wanted: Any) -> Tuned:
    question = TuningQuestion(str(folder), vary, goals, **{"players": (2,), "games": 2048, **wanted})
    run = TuningRun.of(question)
    for _ in run.go():
        pass
    return tuned(run)


@pytest.fixture
def race(tmp_path: Path) -> Path:
    folder = write_game(tmp_path / "race", RACE)
    (folder / "variants").mkdir()
    (folder / "variants" / "short.rules").write_text(SHORT, encoding="utf-8")
    return folder


def test_finds_what_meets_the_goals_and_only_that(race: Path) -> None:
    found = search(race, ("goal=8..16",), "score 10.3..11.3", "length <= 9")
    assert [one.name for one in found.of("meets")] == ["as printed"]
    assert found.looked == found.size == 9 and found.out == 8 and not found.none_meets
    (best,) = found.of("meets")
    assert best.values == {"goal": "12"} and all(goal.found.verdict == "meets" for goal in best.goals)


def test_a_change_is_one_from_the_printed_game(race: Path) -> None:
    found = search(race, ("goal=8..16",), "length -22%..-12%", "score by -2.5..-1")
    assert [one.name for one in found.of("meets")] == ["goal=10"]
    for one in found.settings:
        length, score = one.goals
        assert length.found.value < 0 and score.found.printed > 10


def test_goals_that_pull_apart_are_told(race: Path) -> None:
    found = search(race, ("goal=8..16",), "length <= 6.5", "score >= 12")
    assert found.none_meets and not found.of("meets")
    assert found.apart == (("length <= 6.5", "score >= 12"),) and not found.unmet
    assert any(one.nearest for one in found.settings) and all(one.verdict == "misses" for one in found.settings)


def test_a_goal_that_nothing_meets_is_told(race: Path) -> None:
    found = search(race, ("goal=8..10", "pace"), "score >= 60")
    assert found.none_meets and found.unmet == ("score >= 60",) and not found.apart


def test_the_nearest_is_the_one_that_misses_least(race: Path) -> None:
    found = search(race, ("goal=8..11",), "score >= 14")
    assert [one.name for one in found.settings if one.nearest] == ["goal=11"]


def test_readings_options_and_variants_can_be_varied(race: Path) -> None:
    found = search(race, ("pace", "short"), "length <= 4.5")
    assert found.size == 4 and {one.name for one in found.of("meets")} == {"pace=run+short"}


def test_equal_questions_have_equal_answers(race: Path) -> None:
    asked = ("goal=8..9", "head_start=0..2"), "seat 1 wins 45..55%"
    assert search(race, *asked, threads=1).as_json() == search(race, *asked, threads=2).as_json()
    assert search(race, *asked, seed=1).as_json() != search(race, *asked, seed=2).as_json()


def test_what_cannot_be_dealt_is_told_with_its_reason(tmp_path: Path) -> None:
    folder = write_game(tmp_path / "dealt", DEALT)
    found = search(folder, ("each_gets=4..7",), "score >= 1")
    assert sorted(found.unplayable.values()) == [["each_gets=6"], ["each_gets=7"]]
    assert all("outside 0..10" in why for why in found.unplayable)
    assert {one.name for one in found.of("meets")} == {"each_gets=4", "each_gets=5"}


def test_one_setting_is_a_space_too(race: Path) -> None:
    found = search(race, ("goal=12",), "score >= 1")
    assert found.size == 1 and [one.name for one in found.of("meets")] == ["as printed"]


def test_a_large_space_is_tried_in_part(race: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.comparing.tuning.WHOLE", 48)
    found = search(race, ("goal=5..60", "head_start=0..9", "pace"), "length 7..8", "seat 1 wins 45..55%", games=64)
    assert found.size == 1120 and found.looked == 48
    assert found.settings and not found.none_meets


def test_goals_hold_for_every_number_of_players_and_kind_of_player(race: Path) -> None:
    found = search(race, ("goal=8..16",), "length <= 8.4", players=(2, 3), bots=("random", "greedy"), games=32)
    assert len(found.goals) == 4 and "3 players, greedy" in found.goals[3]
    assert all(len(one.goals) == 4 for one in found.settings)


def test_what_there_is_after_an_interrupt(race: Path) -> None:
    run = TuningRun.of(TuningQuestion(str(race), ("goal=8..16",), ("score >= 11",), (2,), games=256))
    steps = run.go()
    for _ in range(4):
        next(steps)
    with suppress(KeyboardInterrupt):
        steps.throw(KeyboardInterrupt)
    found = tuned(run)
    assert found.looked == 4 and not found.settings and not found.none_meets


@pytest.mark.parametrize(
    ("vary", "goals", "told"),
    [
        ((), ("score >= 1",), "what may be varied"),
        (("goal=8..9",), (), "Say what you want"),
        (("gaol=8..9",), ("score >= 1",), "Did you mean `goal`"),
        (("pase",), ("score >= 1",), "Did you mean `pace`"),
        (("pace=fly",), ("score >= 1",), "walk, run"),
        (("goal=9..8",), ("score >= 1",), "goal=8..9"),
        (("goal=8..9", "goal=10"), ("score >= 1",), "given twice"),
        (("goal=1..999", "head_start=1..999", "pace"), ("score >= 1",), "1,996,002 settings"),
        (("goal=8..9",), ("scores >= 1",), "Did you mean `score`"),
        (("goal=8..9",), ("won >= 1",), "nothing of the kind"),
        (("goal=8..9",), ("seat 3 wins >= 1",), "no such seat"),
        (("goal=8..9",), ("score",), "'length -10%..-5%'"),
        (("goal=8..9",), ("score 9..8",), "turn them round"),
        (("goal=8..9",), ("seat 1 wins >= 101%",), "never there"),
        (("goal=8..9",), ("score >= 20", "score <= 10"), "contradict"),
        (("goal=8..9",), ("seat 1 wins >= 60", "seat 2 wins >= 60"), "more than all games"),
    ],
)
def test_what_cannot_be_searched(race: Path, vary: tuple[str, ...], goals: tuple[str, ...], told: str) -> None:
    with pytest.raises(rulelang.UnusablePath) as refused:
        search(race, vary, *goals)
    assert told in str(refused.value)


def test_goals_are_read_as_they_are_written(race: Path) -> None:
    game = interpreter.load(race, players=3)
    (one,) = goals_of(["length -10%..-5%"], game)
    assert (one.kind, one.low, one.high, one.unit) == ("share", -10, -5, "%")
    (one,) = goals_of(["Seat 1 wins 32..35%"], game)
    assert (one.kind, one.low, one.high, one.quantity.name) == ("value", 32, 35, "seat_1_wins")
    (one,) = goals_of(["score>=8"], game)
    assert (one.kind, one.low, one.high) == ("value", 8, math.inf)
    (one,) = goals_of(["margin by -2..-1"], game)
    assert (one.kind, one.low, one.high) == ("change", -2, -1)
    (one,) = goals_of(["length same"], game)
    assert one.bounds(20) == (-1, 1)
    every = goals_of(["every seat wins 30..37%"], game)
    assert [each.quantity.name for each in every] == ["seat_1_wins", "seat_2_wins", "seat_3_wins"]


# Comparisons whose games are kept: gone on with, the same as in one go, and never mixed up.


@pytest.fixture(scope="module")
def pile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_game(tmp_path_factory.mktemp("games") / "pile", PILE, longer=LONGER)


def compared(pile: Path, folder: Path | None, games: int = 24, **more: Any) -> dict[str, Any]:
    wanted = {"sets": ["size=6"], "causes": True, "bots": ["random", "greedy"], **more}
    return interpreter.compare(pile, ["longer", "longer+size=8"], games=games, keep=folder, **wanted).as_json()


def files(folder: Path) -> dict[str, int]:
    return {str(file): file.stat().st_mtime_ns for file in folder.rglob("*.parquet")}


def begun(pile: Path, folder: Path, blocks: int) -> ComparisonRun:
    """A comparison that was stopped after so many blocks."""
    asked = question_of(pile, ["longer", "longer+size=8"], None, 24, ["random", "greedy"], sets=["size=6"])
    run = ComparisonRun.of(attrs.evolve(asked, keep=folder))
    for _, _table in zip(range(blocks), run.go(), strict=False):
        pass
    return run


def test_what_was_stopped_goes_on_to_the_same_answer(pile: Path, tmp_path: Path) -> None:
    whole = compared(pile, None)
    stopped = begun(pile, tmp_path / "kept", 3)
    results(stopped, assess(stopped))
    before = files(tmp_path / "kept")
    assert before
    assert compared(pile, tmp_path / "kept") == whole
    after = files(tmp_path / "kept")
    assert before.items() < after.items()
    assert compared(pile, tmp_path / "kept") == whole
    assert files(tmp_path / "kept") == after


def test_more_games_add_files_and_give_what_one_run_gives(pile: Path, tmp_path: Path) -> None:
    compared(pile, tmp_path / "kept", 20, bots="random")
    before = files(tmp_path / "kept")
    assert compared(pile, tmp_path / "kept", 60, bots="random") == compared(pile, None, 60, bots="random")
    after = files(tmp_path / "kept")
    assert before.items() < after.items()
    again = compared(pile, tmp_path / "kept", 40, bots="random")
    assert again == compared(pile, None, 40, bots="random")
    added = files(tmp_path / "kept").keys() - after.keys()
    assert len({Path(file).parent for file in added}) <= 1, "fresh games for what is doubtful after 40, and no others"


KILLED = """
import sys, interpreter
interpreter.compare(sys.argv[1], ["longer"], games=100_000, keep=sys.argv[2])
"""


def test_what_was_killed_goes_on(pile: Path, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(pile), str(folder)], stderr=subprocess.PIPE)
    while len(files(folder)) < 12 and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert len(files(folder)) >= 12
    assert (
        interpreter.compare(pile, ["longer"], games=80, keep=folder).as_json()
        == interpreter.compare(pile, ["longer"], games=80).as_json()
    )


def test_games_that_other_columns_share_are_played_once(pile: Path, tmp_path: Path) -> None:
    interpreter.compare(pile, ["longer"], games=30, keep=tmp_path / "kept")
    before = files(tmp_path / "kept")
    interpreter.compare(pile, ["size=8"], games=30, keep=tmp_path / "kept")
    after = files(tmp_path / "kept")
    cells = [json.loads(file.read_text()) for file in (tmp_path / "kept").glob("*/cell.json")]
    assert before.items() < after.items()
    played = {tuple(cell["variants"]) for cell in cells}
    assert played == {(), ("longer",), ("set_size_8",)}


def test_folders_of_something_else_are_refused(pile: Path, tmp_path: Path) -> None:
    interpreter.compare(pile, ["longer"], games=10, keep=tmp_path / "kept")
    with pytest.raises(StudyError, match=r"holds another study \(comparison of pile, seed 0\); name another folder"):
        interpreter.compare(pile, ["longer"], games=10, seed=1, keep=tmp_path / "kept")
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "a.txt").write_text("dear")
    with pytest.raises(StudyError, match="not empty and holds no study"):
        interpreter.compare(pile, ["longer"], games=10, keep=tmp_path / "letters")
    with pytest.raises(StudyError, match="cannot be used: file exists"):
        interpreter.compare(pile, ["longer"], games=10, keep=tmp_path / "letters" / "a.txt")


FULL = """
import resource, sys, interpreter
from interpreter.studies import StudyError
resource.setrlimit(resource.RLIMIT_FSIZE, (13_000, 13_000))
try:
    interpreter.compare(sys.argv[1], ["longer"], games=20_000, keep=sys.argv[2])
except StudyError as error:
    print(error)
"""


def test_a_disk_that_is_full_loses_nothing(pile: Path, tmp_path: Path) -> None:
    """No file may become longer than so many bytes, as on a disk that is full: a real error of writing."""
    folder = tmp_path / "kept"
    ran = subprocess.run([sys.executable, "-c", FULL, str(pile), str(folder)], capture_output=True, text=True)
    assert "cannot be written" in ran.stdout and "what was finished before is kept" in ran.stdout, ran.stderr
    before = files(folder)
    assert before and not list(folder.rglob("*.part"))
    interpreter.compare(pile, ["longer"], games=100, keep=folder)
    assert files(folder).items() >= before.items()


# ---------------------------------------------------------------- a cluster


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    yield from dask_cluster(tmp_path)


@pytest.mark.slow
def test_a_cluster_finds_the_same_though_a_worker_is_lost(cluster, pile: Path, tmp_path: Path) -> None:
    address, workers = cluster
    asked = question_of(pile, ["longer", "longer+size=8"], None, 120, "random")
    run = ComparisonRun.of(attrs.evolve(asked, keep=tmp_path / "kept", scheduler=address))
    steps = run.go()
    next(steps)
    workers[0].kill()
    for _ in steps:
        pass
    alone = interpreter.compare(pile, ["longer", "longer+size=8"], games=120)
    assert concluded(run).as_json() == alone.as_json()
    run.source.close()


def test_a_scheduler_that_is_not_there(pile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("interpreter.studies.run"), "PATIENCE", 0.3)
    with pytest.raises(StudyError, match=r"there is no Dask scheduler at tcp://127\.0\.0\.1:9 .*start one with"):
        interpreter.compare(pile, ["longer"], games=10, scheduler="tcp://127.0.0.1:9")
    with pytest.raises(StudyError, match="there is no Dask scheduler at nonsense"):
        interpreter.compare(pile, ["longer"], games=10, scheduler="nonsense")
