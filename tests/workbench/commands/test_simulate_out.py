"""The games of a simulation in a file or as tables, those of a plan, and what happens when they cannot be written."""

from __future__ import annotations

import csv
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from paths import RULES
from small_games import DASH

import interpreter
from interpreter.simulate.games import game_seed, play_many
from interpreter.studies import open_study, read_plan

SEED = 2**64 - 1


def _expected(pile: Path, games: int) -> list[tuple[str, ...]]:
    """The rows as text, from the reference engine."""
    game = interpreter.load(pile, players=2)
    rows = []
    for r in play_many(game, SEED, games):
        winners = ",".join(game.program.seats[w] for w in r.winners)
        rows.append((r.index, r.seed, int(r.finished), r.turns, r.decisions, *r.scores, winners, r.fault or ""))
    return [tuple(map(str, row)) for row in rows]


def _as_text(rows) -> list[tuple[str, ...]]:
    def text(value) -> str:
        return "" if value is None else str(int(value) if isinstance(value, bool) else value)

    return [tuple(map(text, row)) for row in rows]


COLUMNS = ["game", "seed", "finished", "turns", "decisions", "score_red", "score_blue", "winners", "fault"]


def _simulate(rulelang, pile: Path, out: Path, *more: object) -> dict:
    ran = rulelang(
        "simulate", pile, "--players", 2, "--games", 40, "--seed", SEED, "--out", out, "--format", "json", *more
    )
    assert ran.status == 0, ran.err
    assert "40 games" in ran.err
    assert [p.name for p in out.parent.iterdir() if p.name.startswith(".")] == [], "nothing is left beside it"
    return json.loads(ran.out)


def test_a_file_beside_details(rulelang, pile: Path, tmp_path: Path) -> None:
    out = tmp_path / "games.csv"
    assert _simulate(rulelang, pile, out, "--details")["details"]
    assert len(out.read_text(encoding="utf-8").splitlines()) == 41


@pytest.mark.parametrize("engine", ["reference", "wasm"])
def test_a_database(rulelang, pile: Path, tmp_path: Path, engine: str) -> None:
    out = tmp_path / "games.sqlite"
    data = _simulate(rulelang, pile, out, "--engine", engine)
    with sqlite3.connect(out) as db:
        found = db.execute("SELECT * FROM games ORDER BY game")
        assert [column[0] for column in found.description] == COLUMNS
        assert _as_text(found) == _expected(pile, 40)
        told = db.execute("SELECT game, players, seats, bots, seed, engine, games FROM simulation").fetchall()
        assert told == [("pile", 2, '["red", "blue"]', '["random", "random"]', str(SEED), engine, 40)]
        assert dict(db.execute("SELECT rule, fired FROM rules")) == data["rules"]
        question = "SELECT winners, count(*), avg(turns) FROM games WHERE finished GROUP BY winners"
        alone = {winners: times for winners, times, _ in db.execute(question)}
        assert alone["red"] == data["wins"][0] and alone.get("", 0) == data["draws"]


def test_a_table_with_commas(rulelang, pile: Path, tmp_path: Path) -> None:
    out = tmp_path / "games.CSV"
    data = _simulate(rulelang, pile, out, "--variant", pile / "small.rules")
    with out.open(newline="") as file:
        header, *rows = csv.reader(file)
    assert header == COLUMNS and len(rows) == 40
    assert rows[3][1] == str(game_seed(SEED, 3))
    about = json.loads((tmp_path / "games.CSV.json").read_text())
    assert about["variants"] == ["small"] and about["seed"] == str(SEED) and about["rules"] == data["rules"]


def test_parquet(rulelang, pile: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    out = tmp_path / "games.parquet"
    data = _simulate(rulelang, pile, out, "--bots", "1=random")
    table = parquet.read_table(out)
    assert table.column_names == COLUMNS
    assert str(table.schema.field("seed").type) == "uint64"
    assert _as_text(zip(*(column.to_pylist() for column in table.columns), strict=True)) == _expected(pile, 40)
    about = json.loads(parquet.read_metadata(out).metadata[b"rulelang"])
    assert about["game"] == "pile" and about["games"] == 40 and about["rules"] == data["rules"]


def test_settings_and_bots_are_told(rulelang, sack: Path, tmp_path: Path) -> None:
    out = tmp_path / "games.sqlite"
    ran = rulelang("simulate", sack, "--games", 2, "--option", "rest=no", "--bots", "2=greedy", "--out", out)
    assert ran.status == 0, ran.err
    with sqlite3.connect(out) as db:
        settings, bots = db.execute("SELECT settings, bots FROM simulation").fetchone()
    assert json.loads(settings) == {"rest": "no"} and json.loads(bots) == ["random", "greedy"]


def test_a_game_with_a_fault_has_its_message(rulelang, pile: Path, tmp_path: Path) -> None:
    rules = pile / "pile.rules"
    rules.write_text(rules.read_text().replace("score: 0..50", "score: 0..4"))
    out = tmp_path / "games.sqlite"
    ran = rulelang("simulate", pile, "--players", 2, "--games", 100, "--out", out)
    assert ran.status == 1
    with sqlite3.connect(out) as db:
        faults = [text for (text,) in db.execute("SELECT fault FROM games WHERE NOT finished")]
    assert faults and all("pile.rules:" in text and "outside 0..4" in text for text in faults)
    assert f"{len(faults)} games could not be played" in ran.err


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("games.xlsx", [".parquet", ".sqlite", ".csv"]),
        ("nowhere/games.csv", ["no folder", "nowhere"]),
        ("pile/games.csv/games.csv", ["no folder"]),
        ("folder.csv", ["is a folder"]),
    ],
)
def test_what_cannot_be_written_is_refused_at_once(
    rulelang, pile: Path, tmp_path: Path, name: str, words: list[str]
) -> None:
    (tmp_path / "folder.csv").mkdir()
    before = sorted(tmp_path.rglob("*"))
    ran = rulelang("simulate", pile, "--players", 2, "--games", 10**9, "--out", tmp_path / name)
    assert ran.status == 2 and ran.out == ""
    for word in words:
        assert word in ran.err
    assert sorted(tmp_path.rglob("*")) == before


def test_a_missing_library_is_named(rulelang, pile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    ran = rulelang("simulate", pile, "--players", 2, "--games", 5, "--out", tmp_path / "games.parquet")
    assert ran.status == 2 and "rulelang[parquet]" in ran.err
    assert [p.name for p in tmp_path.iterdir()] == ["pile"]


def test_a_file_that_fails_half_way_leaves_the_old_one_and_the_numbers(
    rulelang, pile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from interpreter.simulate import recorders

    def full(self, rows) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(recorders.CsvRecorder, "_write", full)
    monkeypatch.setattr(recorders, "ROWS", 10)
    out = tmp_path / "games.csv"
    out.write_text("old")
    ran = rulelang("simulate", pile, "--players", 2, "--games", 30, "--out", out, "--engine", "reference")
    assert ran.status == 2 and "no space left" in ran.err and "9 games" in ran.out
    assert out.read_text() == "old" and sorted(p.name for p in tmp_path.iterdir()) == ["games.csv", "pile"]


@pytest.mark.skipif(os.name == "nt", reason="no such signal")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])
def test_interrupted_the_file_has_the_games_that_the_numbers_are_of(
    pile: Path, tmp_path: Path, number: signal.Signals
) -> None:
    out = tmp_path / "games.sqlite"
    command = [sys.executable, "-m", "workbench.entry", "simulate", str(pile), "--players", "2", "--out", str(out)]
    process = subprocess.Popen(
        [*command, "--games", "1000000000", "--format", "json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    # Rows on the disk tell that games have been played, however busy the machine is.
    waited = time.monotonic() + 100
    while not any(p.stat().st_size > 100_000 for p in tmp_path.glob(".games*")) and time.monotonic() < waited:
        time.sleep(0.05)
    process.send_signal(number)
    told, err = process.communicate(timeout=100)
    assert process.returncode == 128 + number and "Traceback" not in err and "stopped after" in err
    data = json.loads(told)
    with sqlite3.connect(out) as db:
        games, last = db.execute("SELECT count(*), max(game) FROM games").fetchone()
        assert db.execute("SELECT games FROM simulation").fetchone() == (games,)
    assert games == data["games"] == last + 1 > 0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["games.sqlite", "pile"]


@pytest.mark.skipif(os.name == "nt", reason="no such signal")
def test_what_a_killed_simulation_leaves_is_removed_by_the_next(rulelang, pile: Path, tmp_path: Path) -> None:
    out = tmp_path / "games.csv"
    command = [sys.executable, "-m", "workbench.entry", "simulate", str(pile), "--players", "2", "--out", str(out)]
    process = subprocess.Popen([*command, "--games", "1000000000"])
    waited = time.monotonic() + 100
    while not list(tmp_path.glob(".games.csv*")) and time.monotonic() < waited:
        time.sleep(0.05)
    assert rulelang("simulate", pile, "--players", 2, "--games", 3, "--out", out).status == 0
    assert list(tmp_path.glob(".games.csv.*.part")), "what another process is writing is left alone"
    process.kill()
    process.wait()
    assert list(tmp_path.glob(".games.csv.*.part"))
    assert rulelang("simulate", pile, "--players", 2, "--games", 3, "--out", out).status == 0
    assert not list(tmp_path.glob(".*"))


# The tables of a simulation: they add up to its summary, are the same on either engine, and nothing is lost.


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


# ``rulelang study``: the results of a plan, and what is wrong with one.


FALL = """\
    option fall
      needs score[p] > FALLS
      p scores 50
"""
STUDIED = DASH[: DASH.index("    option throw_again")] + FALL

PLAN = """
seed = 3
games = 40
block = 10

[[game]]
path = "dash"
players = [2, 3]
"""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    (tmp_path / "dash").mkdir()
    (tmp_path / "dash" / "dash.rules").write_text(STUDIED.replace("FALLS", "59"))
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path / "plan.toml"


def test_the_command_plays_goes_on_and_sums_up(rulelang, plan: Path) -> None:
    ran = rulelang("study", plan, "--games", 20, "--workers", 1)
    assert ran.status == 0 and "2 cells, 20 games of each" in ran.out and "turns" in ran.out
    ran = rulelang("study", plan, "--workers", 1, "--format", "json")
    cells = json.loads(ran.out)["cells"]
    assert [cell["games"] for cell in cells] == [40] * 2 and sum(cells[0]["wins"]) + cells[0]["draws"] == 40
    assert [cell["digest"] for cell in cells] == [cell.digest() for cell in open_study(read_plan(plan)).cells]


def test_the_command_tells_faults_and_mistakes(rulelang, plan: Path) -> None:
    (plan.parent / "dash" / "dash.rules").write_text(STUDIED.replace("FALLS", "15"))
    ran = rulelang("study", plan, "--workers", 1)
    assert ran.status == 1 and "faults" in ran.out and "fall" in ran.err
    for arguments in ([plan.parent / "none.toml"], [plan.parent], [plan, "--scheduler", "nonsense"]):
        ran = rulelang("study", *arguments)
        assert ran.status == 2 and "Traceback" not in ran.err and ran.err.startswith("rulelang: ")
