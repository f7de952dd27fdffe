"""Studies: what is kept is whole, the same whoever plays it, and can be gone on with."""

from __future__ import annotations

import itertools
import multiprocessing
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from clusters import dask_cluster
from small_games import DASH as GAME

import interpreter
from interpreter.simulate.recorded import play_recorded
from interpreter.simulate.records import Records
from interpreter.studies import StudyError, open_study, read_plan, run
from interpreter.studies.blocks import Block, play_block

LONGER = """
variant longer of dash

change number goal to 40
"""

STUCK = """
variant stuck of dash

extend rule turn
  option fall
    needs score[p] > 15
    p scores 50
"""

PLAN = """
seed = 3
games = 40
block = 10

[[game]]
path = "dash"
players = [2, 3]
variants = [[], ["longer"]]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    variants = tmp_path / "dash" / "variants"
    variants.mkdir(parents=True)
    (tmp_path / "dash" / "dash.rules").write_text(GAME)
    (variants / "longer.rules").write_text(LONGER)
    (variants / "stuck.rules").write_text(STUCK)
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path


def planned(folder: Path, *changes: tuple[str, str], games: int | None = None):
    text = PLAN
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / "plan.toml").write_text(text)
    return read_plan(folder / "plan.toml", games)


def digests(plan) -> list[str]:
    return [cell.digest() for cell in open_study(plan).cells]


def played(plan, **how) -> list[str]:
    list(run(plan, **how))
    return digests(plan)


def test_what_is_kept_is_what_was_played(folder: Path) -> None:
    plan = planned(folder)
    played(plan)
    study = open_study(plan)
    assert study.games == 40 and len(study.cells) == 4
    for cell in study.cells:
        game = interpreter.load(
            folder / "dash", players=cell.cell.players, variants=list(cell.cell.variants), engine="wasm"
        )
        alone = Records.joined(list(play_recorded(game, 3, 40)))
        kept = Records.joined(list(cell.records()))
        assert np.array_equal(kept.rows, alone.rows) and kept.shape.axes == alone.shape.axes
        assert np.array_equal(cell.column("ran"), alone.column("ran"))
        assert np.array_equal(cell.column("over_time"), alone.column("over_time"))


def test_cells_advance_in_step_and_stop_and_go_on(folder: Path) -> None:
    plan = planned(folder)
    with closing(run(plan)) as steps:
        some = list(itertools.islice(steps, 6))
    assert [step.block.first for step in some] == [0] * 4 + [10] * 2 and open_study(plan).games == 10
    before = {file: file.stat().st_mtime_ns for file in plan.folder.rglob("*.parquet")}
    rest = list(run(plan))
    assert [rest[0].done, rest[-1].done, rest[-1].total] == [7, 16, 16]
    assert all(file.stat().st_mtime_ns == when for file, when in before.items())
    whole = digests(plan)
    assert list(run(plan)) == []
    assert played(planned(folder, ("seed = 3", 'seed = 3\nfolder = "other"'))) == whole


def test_more_games_are_added(folder: Path) -> None:
    few = planned(folder, games=20)
    played(few)
    assert len(list(run(planned(folder)))) == 8 and open_study(planned(folder)).games == 40


def test_workers_change_nothing(folder: Path) -> None:
    alone = played(planned(folder))
    assert played(planned(folder, ("seed = 3", 'seed = 3\nfolder = "two"')), workers=2) == alone


def test_a_worker_that_is_killed_is_replaced(folder: Path) -> None:
    alone = played(planned(folder, games=200))
    plan = planned(folder, ("seed = 3", 'seed = 3\nfolder = "two"'), games=200)
    with closing(run(plan, workers=2)) as steps:
        next(steps)
        multiprocessing.active_children()[-1].kill()
        list(steps)
    assert digests(plan) == alone


def test_a_game_that_faults_is_counted_and_told(folder: Path) -> None:
    plan = planned(folder, ('[[], ["longer"]]', '[["stuck"]]'), ("[2, 3]", "2"))
    played(plan)
    (cell,) = open_study(plan).cells
    (faults,) = [Records.joined(list(cell.records())).faults]
    assert 0 < len(faults) < 40 and all("score" in text for text in faults.values())
    finished = cell.column("finished").astype(bool)
    assert finished.sum() == 40 - len(faults) and not finished[list(faults)].any()


def test_games_that_never_end_are_stopped(folder: Path) -> None:
    plan = planned(folder, ("seed = 3", "seed = 3\nlimit = 2"))
    played(plan)
    assert not any(cell.column("finished").any() for cell in open_study(plan).cells)


def test_equal_games_are_kept_as_equal_bytes(folder: Path) -> None:
    cell = planned(folder).cells[0]
    assert play_block(Block(cell, 10, 10)) == play_block(Block(cell, 10, 10))


def test_what_the_games_depend_on_is_in_the_identity(folder: Path) -> None:
    first = planned(folder).cells[0]
    others = [
        planned(folder, ("seed = 3", "seed = 4")).cells[0],
        planned(folder, ("seed = 3", "seed = 3\nlimit = 50")).cells[0],
        planned(folder, ("players = [2, 3]", 'players = [2, 3]\nbots = ["greedy"]')).cells[0],
    ]
    (folder / "dash" / "dash.rules").write_text(GAME.replace("goal = 20", "goal = 21"))
    others.append(_fresh(folder))
    assert len({cell.identity for cell in [first, *others]}) == 5
    assert planned(folder, ("games = 40", "games = 80")).cells[0].identity == first.identity


def _fresh(folder: Path):
    """The first cell, with the rules read again."""
    from interpreter.studies import plan

    plan._load.cache_clear()
    found = planned(folder).cells[0]
    (folder / "dash" / "dash.rules").write_text(GAME)
    plan._load.cache_clear()
    return found


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("seed = 3", "sed = 3", "Did you mean `seed`"),
        ("seed = 3", "seed = -1", "`seed` must be a whole number"),
        ("seed = 3", 'seed = "x"', "`seed` must be a whole number"),
        ("seed = 3", "seed = ", "is not TOML"),
        ("games = 40", "games = 0", "`games` must be"),
        ('path = "dash"', 'path = "nowhere"', "nowhere"),
        ('path = "dash"', 'title = "dash"', "there is no `title`"),
        ("players = [2, 3]", "players = [9]", "9"),
        ("players = [2, 3]", 'players = ["two"]', "list of numbers"),
        ('["longer"]', '["longest"]', "Did you mean `longer`"),
        ('["longer"]', "[3]", "list of lists of names"),
        ("players = [2, 3]", 'players = [2]\nbots = ["gredy"]', "there is no bot `gredy`"),
        ("players = [2, 3]", 'players = [2]\nbots = [["greedy"]]', "one for each of 2 players"),
        ("players = [2, 3]", 'players = [2]\nbots = ["ismcts:1s"]', "by the clock"),
        ("players = [2, 3]", 'players = [2]\nsettings = ["x"]', "list of tables"),
        ('[[game]]\npath = "dash"', "[more]", "there is no `more`"),
    ],
)
def test_a_plan_with_a_mistake(folder: Path, old: str, new: str, told: str) -> None:
    with pytest.raises(StudyError) as error:
        planned(folder, (old, new))
    assert told in str(error.value)


def test_folders_that_hold_something_else(folder: Path) -> None:
    (folder / "plan").mkdir()
    (folder / "plan" / "letters.txt").write_text("dear")
    with pytest.raises(StudyError, match="not empty and holds no study"):
        list(run(planned(folder)))
    (folder / "plan" / "letters.txt").unlink()
    list(run(planned(folder, games=10)))
    with pytest.raises(StudyError, match="holds another study"):
        list(run(planned(folder, ("seed = 3", "seed = 4"))))
    (folder / "plan" / "study.json").write_text("{")
    with pytest.raises(StudyError, match="cannot be used"):
        list(run(planned(folder)))


def test_a_damaged_file_is_told(folder: Path) -> None:
    plan = planned(folder, games=10)
    list(run(plan))
    file = next(plan.folder.rglob("*.parquet"))
    file.write_bytes(file.read_bytes()[:200])
    with pytest.raises(StudyError, match="damaged"):
        [cell.digest() for cell in open_study(plan).cells]


ONE_CELL = (("[2, 3]", "2"), ('[[], ["longer"]]', "[[]]"))


def test_a_disk_that_is_full_loses_nothing(folder: Path) -> None:
    """No file may become longer than so many bytes, as on a disk that is full: a real error of writing."""
    plan = planned(folder, *ONE_CELL)
    script = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from interpreter.studies import StudyError, read_plan, run\n"
        "steps = run(read_plan(Path(sys.argv[1])))\n"
        "next(steps)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))\n"
        "try:\n    list(steps)\nexcept StudyError as error:\n    print(error)\n"
    )
    ran = subprocess.run([sys.executable, "-c", script, str(folder / "plan.toml")], capture_output=True, text=True)
    assert "cannot be written" in ran.stdout and "what was finished before is kept" in ran.stdout, ran.stderr
    assert len(list(plan.folder.rglob("*.parquet"))) == 1 and not list(plan.folder.rglob(".*.part"))
    assert len(list(run(plan))) == 3


# ---------------------------------------------------------------- a cluster


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    yield from dask_cluster(tmp_path)


@pytest.mark.slow
def test_a_cluster_plays_the_same_games_though_a_worker_is_lost(cluster, folder: Path) -> None:
    address, workers = cluster
    alone = played(planned(folder, games=200))
    plan = planned(folder, ("seed = 3", 'seed = 3\nfolder = "far"'), games=200)
    with closing(run(plan, scheduler=address)) as steps:
        next(steps)
        workers[0].kill()
        rest = list(steps)
    assert rest[-1].done == rest[-1].total and digests(plan) == alone
