"""The verb ``sources`` as people run it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from paths import TESTS

from workbench.cli import run

GOOD = TESTS / "language" / "good" / "R0901_unknown_kind"


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of a small game; its document is at hand."""
    folder = Path(shutil.copytree(GOOD, tmp_path / "pile"))
    monkeypatch.setenv("RULELANG_SOURCES", str(folder / "sources"))
    return folder


def test_check_finds_nothing_in_a_good_game(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sources", "check", str(game)]) == 0
    assert "pile-en (en): all lines in 3 passages, text and numbers verified" in capsys.readouterr().out
    assert run(["sources", "check", str(game), "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [d["verified"] for d in data["documents"]] == ["yes"]
    assert data["findings"] == data["silenced"] == []


def test_check_says_what_it_could_not_verify(
    game: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RULELANG_SOURCES")
    assert run(["sources", "check", str(game)]) == 0
    out = capsys.readouterr().out
    assert "not available: text and numbers not verified" in out
    assert "To verify it, set RULELANG_SOURCES to the folder of the documents" in out


def test_check_gives_findings_by_the_name_of_their_check(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = game / "text" / "nl.md"
    text.write_text(text.read_text().replace("Je moet", "Je mag"))
    assert run(["sources", "check", str(game), "--format", "json"]) == 1
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert (finding["check"], finding["code"], finding["severity"]) == ("modality", "R0916", "warning")
    assert run(["sources", "check", str(game)]) == 1
    assert "nl.md:16:1" in capsys.readouterr().out


def test_show_goes_from_the_rule_to_the_passages(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sources", "show", str(game), "most"]) == 0
    out = capsys.readouterr().out
    for part in ("number most = 3", "A player takes at most 3", "Een speler neemt hoogstens 3", "up to three stones"):
        assert part in " ".join(out.replace("│", " ").split())
    assert run(["sources", "show", str(game), "most.1", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["rule"]["text"] == "number most = 3"
    (statement,) = data["statements"]
    assert statement["words"]["nl"]["source"] == "Een speler neemt hoogstens {most} stenen in een beurt."
    assert [p["lines"] for p in statement["passages"]] == ["3"]


def test_show_knows_no_such_id(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sources", "show", str(game), "moist"]) == 2
    assert "Did you mean `most`?" in capsys.readouterr().err


def test_confirm_writes_and_knows_what_is_confirmed(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sources", "confirm", str(game), "most", "--lang", "nl"]) == 0
    assert capsys.readouterr().out == "1 statement confirmed\n"
    assert run(["sources", "confirm", str(game)]) == 0
    assert capsys.readouterr().out == "11 statements confirmed\n"
    assert run(["sources", "confirm", str(game), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"confirmed": [], "refused": []}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["confirm", "GAME", "moist"], "no section `moist`"),
        (["confirm", "GAME", "--lang", "it"], "no language `it`"),
        (["check", "GAME/nowhere"], "no file or folder at"),
        (["check", "GAME/nowhere.toml"], "nothing at"),
        (["check", "GAME/text/nl.md"], "not a rules file"),
        (["check", "GAME", "--variant", "big"], "big"),
    ],
)
def test_unusable_arguments(game: Path, arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sources", *(a.replace("GAME", str(game)) for a in arguments)]) == 2
    assert says in capsys.readouterr().err


def test_a_setting_that_names_no_folder(
    game: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULELANG_SOURCES", str(game / "nowhere"))
    assert run(["sources", "check", str(game)]) == 2
    assert "RULELANG_SOURCES names" in capsys.readouterr().err


def test_rules_with_mistakes_are_told(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = game / "game.rules"
    rules.write_text(rules.read_text().replace("decrease left", "decrease lefft"))
    assert run(["sources", "check", str(game)]) == 1
    assert "lefft" in capsys.readouterr().out
    assert run(["sources", "show", str(game), "most"]) == 1
    assert "lefft" in capsys.readouterr().err


def test_a_folder_of_several_games_is_all_of_them(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Path(shutil.copytree(game, tmp_path / "heap"))
    rules = other / "game.rules"
    rules.write_text(rules.read_text().replace("game pile", "game heap"))
    assert run(["sources", "check", str(tmp_path), str(game)]) == 0
    out = capsys.readouterr().out
    assert out.count("heap: ") == out.count("\npile: ") == 1
