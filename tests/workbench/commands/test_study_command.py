"""``rulelang study``: the results of a plan, and what is wrong with one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from small_games import DASH

from interpreter.studies import open_study, read_plan

FALL = """\
    option fall
      needs score[p] > FALLS
      p scores 50
"""
GAME = DASH[: DASH.index("    option throw_again")] + FALL

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
    (tmp_path / "dash" / "dash.rules").write_text(GAME.replace("FALLS", "59"))
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
    (plan.parent / "dash" / "dash.rules").write_text(GAME.replace("FALLS", "15"))
    ran = rulelang("study", plan, "--workers", 1)
    assert ran.status == 1 and "faults" in ran.out and "fall" in ran.err
    for arguments in ([plan.parent / "none.toml"], [plan.parent], [plan, "--scheduler", "nonsense"]):
        ran = rulelang("study", *arguments)
        assert ran.status == 2 and "Traceback" not in ran.err and ran.err.startswith("rulelang: ")
