"""Comparisons whose games are kept: gone on with, the same as in one go, and never mixed up."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import attrs
import pytest
from clusters import dask_cluster
from small_games import LONGER, PILE, write_game

import interpreter
from interpreter.comparing.one_call import concluded, question_of
from interpreter.comparing.playing import ComparisonRun
from interpreter.comparing.results import results
from interpreter.comparing.surprises import assess
from interpreter.studies import StudyError


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
