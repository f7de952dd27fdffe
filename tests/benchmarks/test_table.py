"""The table: what is measured, judged against the aims, and said when something is not there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import rates, rows, yardsticks
from benchmarks.__main__ import main
from benchmarks.peers import SECTION as peers_section
from benchmarks.rows import Row
from benchmarks.subjects import SUBJECTS, chosen


@pytest.mark.parametrize(
    ("row", "met"),
    [
        (Row("s", "game", "wasm", 250.0, "/s", ratio=0.25, to="C", aim=0.2), True),
        (Row("s", "game", "wasm", 150.0, "/s", ratio=0.15, to="C", aim=0.2), False),
        (Row("s", "game", "wasm", 150.0, "/s", ratio=None, to="C", aim=0.2), None),
        (Row("s", "game", "wasm", 40.0, "ms", aim=50, at_most=True), True),
        (Row("s", "game", "wasm", 60.0, "ms", aim=50, at_most=True), False),
        (Row("s", "game", "wasm", None, "ms", aim=50, at_most=True), None),
        (Row("s", "game", "reference", 60.0, "ms"), None),
    ],
)
def test_an_aim_is_judged(row: Row, met: bool | None) -> None:
    assert row.met is met


def test_the_table_shows_the_aim_and_whether_it_is_met() -> None:
    text = rows.table(
        [
            Row("rates", "one", "wasm", 1_234_567.0, "/s", ratio=0.25, to="C", aim=0.2),
            Row("rates", "two", "wasm", 12.0, "/s", ratio=0.01, to="C one", aim=0.2),
            Row("rates", "three", "spiel", None, "/s", to="C", note="not installed"),
        ]
    )
    lines = [line.split() for line in text.splitlines()]
    assert ["one", "wasm", "1,234,567", "/s", "1/4", "of", "C", "1/5", "met"] in lines
    assert ["two", "wasm", "12", "/s", "1/100", "of", "C", "one", "1/5", "NOT", "MET"] in lines
    assert ["three", "spiel", "-", "not", "installed"] in lines


def test_games_are_chosen_by_name_or_its_first_part() -> None:
    assert [s.name for s in chosen("meduris, reversi")] == ["reversi", "meduris-2", "meduris-3", "meduris-4"]
    assert chosen(None) == SUBJECTS


@pytest.mark.parametrize("only", ["nothing", "", "reversi,med"])
def test_an_unknown_game_is_refused_with_the_known_ones(only: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--only", only])
    assert stopped.value.code == 2
    assert "choose from tic_tac_toe, connect_four" in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_refused_before_measuring(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--json", str(tmp_path / "missing" / "figures.json")])
    assert stopped.value.code == 2
    assert "cannot be written" in capsys.readouterr().err


@pytest.mark.slow
def test_a_quick_run_of_one_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every part of the command once, on the smallest game; without a compiler the ratios are left out."""
    monkeypatch.setenv("CC", "no-such-compiler")
    written = tmp_path / "figures.json"
    assert main(["--quick", "--only", "tic_tac_toe", "--json", str(written)]) == 0
    found = json.loads(written.read_text())["rows"]
    reference = [row for row in found if row["by"] == "reference"]
    assert len({row["section"] for row in reference}) == 11
    assert all(row["value"] > 0 and (row["ratio"] is None) is (row["to"] != "a step") for row in reference)
    peers = [row for row in found if row["section"] == peers_section]
    assert {row["by"] for row in peers} == {"RBG", "Ludii"} and all(row["note"] for row in peers)
    c_row = next(row for row in found if row["by"] == "C")
    assert c_row["value"] is None and "no C compiler" in c_row["note"]


def test_the_best_repetition_counts() -> None:
    spent = iter([0.2, 0.1, 0.3])
    runner = rates.Runner("game", "engine", lambda count: count * next(spent), count=10)
    for _ in range(3):
        runner.measure()
    assert runner.best == pytest.approx(10)


def test_how_much_is_played_follows_from_the_time_it_takes() -> None:
    runner = rates.Runner("game", "engine", lambda count: count / 1000)
    runner.size(0.4)
    assert runner.count == 400


def test_open_spiel_is_used_or_missed_plainly() -> None:
    try:
        ways = yardsticks.open_spiel("tic_tac_toe")
    except yardsticks.NotHere as why:
        assert "pip install open_spiel" in str(why)
    else:
        assert all(seconds(50) > 0 for seconds in ways.values())
