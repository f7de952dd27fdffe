"""The verb ``sources`` as people run it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from paths import TESTS

GOOD = TESTS / "language" / "good" / "R0901_unknown_kind"


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of a small game; its document is at hand."""
    folder = Path(shutil.copytree(GOOD, tmp_path / "pile"))
    monkeypatch.setenv("RULELANG_SOURCES", str(folder / "sources"))
    return folder


def test_check_finds_nothing_in_a_good_game(rulelang, game: Path) -> None:
    told = rulelang("sources", "check", game, status=0).out
    assert "pile-en (en): all lines in 3 passages, text and numbers verified" in told
    data = rulelang("sources", "check", game, "--format", "json", status=0).data
    assert [d["verified"] for d in data["documents"]] == ["yes"]
    assert data["findings"] == data["silenced"] == []


def test_check_says_what_it_could_not_verify(rulelang, game: Path, monkeypatch) -> None:
    monkeypatch.delenv("RULELANG_SOURCES")
    out = rulelang("sources", "check", game, status=0).out
    assert "not available: text and numbers not verified" in out
    assert "To verify it, set RULELANG_SOURCES to the folder of the documents" in out


def test_check_gives_findings_by_the_name_of_their_check(rulelang, game: Path) -> None:
    text = game / "text" / "nl.md"
    text.write_text(text.read_text().replace("Je moet", "Je mag"))
    (finding,) = rulelang("sources", "check", game, "--format", "json", status=1).data["findings"]
    assert (finding["check"], finding["code"], finding["severity"]) == ("modality", "R0916", "warning")
    assert "nl.md:16:1" in rulelang("sources", "check", game, status=1).out


def test_show_goes_from_the_rule_to_the_passages(rulelang, game: Path) -> None:
    out = rulelang("sources", "show", game, "most", status=0).out
    for part in ("number most = 3", "A player takes at most 3", "Een speler neemt hoogstens 3", "up to three stones"):
        assert part in " ".join(out.replace("│", " ").split())
    data = rulelang("sources", "show", game, "most.1", "--format", "json", status=0).data
    assert data["rule"]["text"] == "number most = 3"
    (statement,) = data["statements"]
    assert statement["words"]["nl"]["source"] == "Een speler neemt hoogstens {most} stenen in een beurt."
    assert [p["lines"] for p in statement["passages"]] == ["3"]


def test_show_knows_no_such_id(rulelang, game: Path) -> None:
    assert "Did you mean `most`?" in rulelang("sources", "show", game, "moist", status=2).err


def test_confirm_writes_and_knows_what_is_confirmed(rulelang, game: Path) -> None:
    assert rulelang("sources", "confirm", game, "most", "--lang", "nl", status=0).out == "1 statement confirmed\n"
    assert rulelang("sources", "confirm", game, status=0).out == "11 statements confirmed\n"
    assert rulelang("sources", "confirm", game, "--format", "json", status=0).data == {"confirmed": [], "refused": []}


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
def test_unusable_arguments(rulelang, game: Path, arguments: list[str], says: str) -> None:
    assert says in rulelang("sources", *(a.replace("GAME", str(game)) for a in arguments), status=2).err


def test_a_setting_that_names_no_folder(rulelang, game: Path, monkeypatch) -> None:
    monkeypatch.setenv("RULELANG_SOURCES", str(game / "nowhere"))
    assert "RULELANG_SOURCES names" in rulelang("sources", "check", game, status=2).err


def test_rules_with_mistakes_are_told(rulelang, game: Path) -> None:
    rules = game / "game.rules"
    rules.write_text(rules.read_text().replace("decrease left", "decrease lefft"))
    assert "lefft" in rulelang("sources", "check", game, status=1).out
    assert "lefft" in rulelang("sources", "show", game, "most", status=1).err


def test_a_folder_of_several_games_is_all_of_them(
    rulelang, game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Path(shutil.copytree(game, tmp_path / "heap"))
    rules = other / "game.rules"
    rules.write_text(rules.read_text().replace("game pile", "game heap"))
    out = rulelang("sources", "check", tmp_path, game, status=0).out
    assert out.count("heap: ") == out.count("\npile: ") == 1


def test_notes_are_shown_when_asked_for_and_all_of_them_by_name(rulelang) -> None:
    babel = TESTS.parent / "rules" / "babel"
    hidden, likely, every = (
        rulelang("sources", "check", babel, *options, status=0) for options in ([], ["--notes"], ["--every-note"])
    )
    assert "--notes shows the likeliest notes" in hidden.err
    assert "--every-note shows all" in likely.err
    assert 0 < likely.out.count("note[") < every.out.count("note[")
