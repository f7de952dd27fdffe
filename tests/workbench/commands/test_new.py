"""``rulelang new``: the game it starts is whole under any name, and it never writes over anything."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import interpreter
import rulelang
from interpreter.examples import run_examples
from workbench.checking import check_game
from workbench.cli import run
from workbench.commands.new import STARTER


@pytest.mark.parametrize("name", ["mygame", "stones", "play", "heap", "café_3", "starter", "Starter", "variant", "p"])
def test_the_new_game_checks_tests_and_plays(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "games" / name
    assert run(["new", str(folder)]) == 0
    program = rulelang.load(folder)
    assert program.name == name
    assert rulelang.format_path(folder, write=False).changed == ()
    for variants in ([], ["longer_reach"]):
        assert check_game(folder, variants=variants).diagnostics == []
        for players in range(program.min_players, program.max_players + 1):
            state = interpreter.load(folder, players=players, variants=variants).start(seed=1)
            while not state.over:
                state.choose(0)
    results = run_examples(folder).results
    assert results and all(result.status == "passed" for result in results)


def test_the_starter_needs_nothing_that_a_package_leaves_out() -> None:
    assert {file.suffix for file in STARTER.rglob("*") if file.is_file()} == {".rules", ".md"}


def test_a_title_is_taken_as_it_is(tmp_path: Path) -> None:
    assert run(["new", str(tmp_path / "reef"), "--title", "The Starter's starter \\1"]) == 0
    assert rulelang.load(tmp_path / "reef").title == "The Starter's starter \\1"


def test_what_was_made_is_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", str(tmp_path / "my_game"), "--format", "json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert (made["game"], made["title"]) == ("my_game", "My game")
    assert sorted(map(Path, made["files"])) == sorted(f for f in (tmp_path / "my_game").rglob("*") if f.is_file())


@pytest.mark.parametrize(
    ("name", "hint"),
    [("my-game", "`my_game`"), ("12", "`game_12`"), ("if", "`game_if`"), ("two words", "`two_words`"), ("!", "`game`")],
)
def test_a_name_that_rules_cannot_use(name: str, hint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", str(tmp_path / name)]) == 2
    assert hint in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("title", ['say "no"', "two\nlines", " "])
def test_a_title_that_rules_cannot_hold(title: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", str(tmp_path / "reef"), "--title", title]) == 2
    assert "--title" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "reef").mkdir()
    (tmp_path / "atoll").write_text("mine")
    for name in ("reef", "atoll", "atoll/deep"):
        assert run(["new", str(tmp_path / name)]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 3 and "is there already" in said[0] and "cannot be made" in said[2]
    assert list((tmp_path / "reef").iterdir()) == []
    assert (tmp_path / "atoll").read_text() == "mine"


def test_a_path_without_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", "/"]) == 2
    assert "/mygame" in capsys.readouterr().err
