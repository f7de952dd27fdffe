"""Campaigns at the command line: a file that keeps one from evening to evening, and many of them simulated."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from small_games import corpus, write_game


@pytest.fixture
def rungs(tmp_path: Path) -> Path:
    return write_game(tmp_path / "rungs", corpus("rungs"))


def test_game_after_game_is_kept_in_a_file(rulelang, rungs: Path, tmp_path: Path) -> None:
    file = tmp_path / "ours.json"
    command = ("play", rungs, "--players", 2, "--seed", 4, "--campaign", file)
    alone = (*command, "--bots", "1=random,2=random")
    assert "Game 1 of the campaign in " in rulelang(*alone).out
    first = json.loads(file.read_text())
    assert first["state"]["over"] and first["carried"]["scenario"] == [2] and first["campaign"] == []
    ran = rulelang(*command, "--bots", "2=random", typed=["1"])  # and then the machine is switched off
    assert ran.status == 0 and "Game 2" in ran.out and "★" in ran.out.split("Type a number")[0]
    kept = json.loads(file.read_text())
    assert kept["choices"][0] == {"first": [], "carried": first["carried"]}
    assert kept["state"]["cells"]["sticker"] == first["state"]["cells"]["sticker"] and not kept["state"]["over"]
    ran = rulelang("play", "--campaign", file, typed=[*["1"] * 20, "quit"])  # the file knows its game and bots
    assert "Enter begins the next game" in ran.out
    assert json.loads(file.read_text())["choices"][: len(kept["choices"])] == kept["choices"]
    ran = rulelang("play", "--campaign", file, typed=["1", "quit"])
    assert "Game 3" in ran.out and len(json.loads(file.read_text())["campaign"]) == 2
    assert "scores" in rulelang("explain", file).out


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("pot > 18", "pot > 17", "goes on"),
        ("won", "victories", "`won` was carried, and the rules have nothing of that name to carry"),
        ("game rungs", "game rings", "the save is of the game `rungs`, not of `rings`"),
        ("enum Region: shore, moor, hills", "enum Region: shore, moor", "`sticker` needs 2 values, and 3 were carried"),
    ],
)
def test_rules_that_have_changed_since(rulelang, rungs: Path, tmp_path: Path, old: str, new: str, told: str) -> None:
    file = tmp_path / "ours.json"
    bots = ("--players", 2, "--seed", 4, "--bots", "1=random,2=random", "--campaign", file)
    assert rulelang("play", rungs, *bots).status == 0
    ran = rulelang("play", write_game(tmp_path / "changed", corpus("rungs").replace(old, new)), *bots)
    assert (ran.status, "Game 2" in ran.out) == ((0, True) if told == "goes on" else (2, False)), ran.err
    assert told == "goes on" or told in ran.err


def test_files_that_are_no_campaign(rulelang, rungs: Path, tmp_path: Path) -> None:
    file = tmp_path / "ours.json"
    command = ("play", rungs, "--players", 2, "--seed", 4)
    assert rulelang(*command, typed=["1", f"save {file}", "quit"]).status == 0
    assert "not of a campaign; go on with it by --resume" in rulelang(*command, "--campaign", file).err
    file.write_text(file.read_text()[:200])
    assert "it was cut short" in rulelang(*command, "--campaign", file).err
    assert "there is no folder" in rulelang(*command, "--campaign", tmp_path / "none" / "ours.json").err
    assert "leave out --resume" in rulelang(*command[:2], "--resume", file, "--campaign", file).err
    shutil.rmtree(rungs)
    pile = write_game(tmp_path / "pile", corpus("pile"))
    assert "carry nothing to the next game" in rulelang("play", pile, "--players", 2, "--campaign", file / "x").err


def test_simulated_campaigns(rulelang, rungs: Path) -> None:
    command = ("simulate", rungs, "--players", 2, "--games", 6, "--campaign", 3)
    ran = rulelang(*command)
    assert ran.status == 0 and "6 campaigns of 3 games" in ran.out and "18 games" in ran.out
    found = json.loads(rulelang(*command, "--format", "json").out)
    assert [each["games"] for each in found["campaign"]] == [6, 6, 6] and found["games"] == 18
    slow = json.loads(rulelang(*command, "--format", "json", "--engine", "reference").out)
    assert (slow["digest"], slow["campaign"]) == (found["digest"], found["campaign"])
    assert "goes without --details" in rulelang(*command, "--profile").err
