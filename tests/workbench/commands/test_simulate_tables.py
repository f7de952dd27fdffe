"""The tables of a simulation: they add up to its summary, are the same on either engine, and nothing is lost."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from paths import RULES

GAME = RULES / "night_fair"


def simulated(rulelang, out: Path, *more: object) -> dict:
    ran = rulelang("simulate", GAME, "--players", 2, "--games", 10, "--out", out, "--format", "json", *more)
    assert ran.status == 0, ran.err
    return json.loads(ran.out)


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_tables_add_up_to_the_summary(rulelang, tmp_path: Path) -> None:
    out = tmp_path / "tables"
    data = simulated(rulelang, out, "--tables", "csv")
    plain = json.loads(rulelang("simulate", GAME, "--players", 2, "--games", 10, "--format", "json").out)
    assert {key: data[key] for key in ("digest", "turns", "scores", "wins", "rules")} == {
        key: plain[key] for key in ("digest", "turns", "scores", "wins", "rules")
    }
    games, seats = rows(out, "games"), rows(out, "seats")
    assert [int(row["game"]) for row in games] == list(range(10))
    assert sum(int(row["decisions"]) for row in games) / 10 == pytest.approx(data["decisions"]["mean"], abs=1e-5)
    for place, seat in enumerate(data["seats"]):
        own = [row for row in seats if row["seat"] == seat]
        assert len(own) == 10
        assert sum(int(row["won"]) for row in own) == sum(float(row["win"]) for row in own) == data["wins"][place]
        assert sum(int(row["score"]) for row in own) / 10 == pytest.approx(data["scores"][place]["mean"], abs=1e-5)
    ran: dict[str, int] = {}
    for row in rows(out, "rules"):
        ran[row["rule"]] = ran.get(row["rule"], 0) + int(row["ran"])
    assert ran == {rule: times for rule, times in data["rules"].items() if times}
    assert all(0 <= int(row["taken"]) <= int(row["offered"]) for row in rows(out, "options"))
    assert json.loads((out / "simulation.json").read_text())["games"] == 10
    assert data["details"]["games"] == 10


def test_both_engines_and_both_kinds_of_file_say_the_same(rulelang, tmp_path: Path) -> None:
    simulated(rulelang, tmp_path / "one", "--tables", "csv")
    simulated(rulelang, tmp_path / "two", "--engine", "reference")
    for name in ("games", "seats", "rules", "options", "points"):
        table = pq.read_table(tmp_path / "two" / f"{name}.parquet").to_pylist()
        assert len(table) == len(rows(tmp_path / "one", name))
        for row, text in zip(table, rows(tmp_path / "one", name), strict=True):
            assert {key: "" if value is None else str(int(value) if value is True or value is False else value)
                    for key, value in row.items()} == text  # fmt: skip


def test_a_second_run_replaces_the_first_in_whatever_kind(rulelang, tmp_path: Path) -> None:
    out = tmp_path / "tables"
    simulated(rulelang, out)
    simulated(rulelang, out, "--tables", "csv")
    assert {file.suffix for file in out.iterdir()} == {".csv", ".json"}


@pytest.mark.parametrize(
    ("out", "more", "said"),
    [
        ("notes", (), "holds something else (mine.txt)"),
        ("nowhere/tables", (), "create it first"),
        ("file", (), "is a file"),
        ("tables", ("--profile",), "--profile counts nothing else"),
        ("games.csv", ("--tables", "csv"), "--tables is for --out FOLDER"),
    ],
)
def test_a_folder_that_will_not_do_is_refused_and_kept(
    rulelang, tmp_path: Path, out: str, more: tuple[str, ...], said: str
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "mine.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    ran = rulelang("simulate", GAME, "--players", 2, "--games", 3, "--out", tmp_path / out, *more)
    assert ran.status == 2
    assert said in " ".join(ran.err.split())
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.slow
def test_a_million_games_take_no_more_than_500_megabytes(tmp_path: Path) -> None:
    code = (
        "import resource, sys; from workbench.entry import main; sys.argv[0] = 'rulelang'\n"
        "try: main()\n"
        "finally: print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    game = RULES / "classics/tic_tac_toe"
    words = ["simulate", str(game), "--games", "1000000", "--out", str(tmp_path / "tables")]
    ran = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    assert int(ran.stderr.split()[-1]) < 500_000  # kilobytes


def test_details_are_printed(rulelang) -> None:
    ran = rulelang("simulate", GAME, "--players", 2, "--games", 20, "--details")
    assert ran.status == 0
    assert "Branching" in ran.out and "Wins by order of play" in ran.out
