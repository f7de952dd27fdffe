"""A lexicon proposed from texts, and what lexicons would warn of in good ones."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from workbench.cli import run

BABEL = Path(__file__).resolve().parents[4] / "rules" / "babel"


def test_words_of_a_language_are_proposed_from_its_texts(tmp_path: Path) -> None:
    assert run(["texts", "lexicon", "fr", str(BABEL), "--out", str(tmp_path)]) == 0
    text = (tmp_path / "lexicons" / "fr.toml").read_text(encoding="utf-8")
    meaning = tomllib.loads(text)["meaning"]
    assert meaning["time"]["after"].splitlines()[0] == "après"
    assert meaning["person"]["rival"].split() == ["adversaire"]
    assert '# "après": Après' in text


def test_what_a_lexicon_would_warn_of_in_good_texts(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["texts", "lexicon", "check", str(BABEL), "--lang", "fr", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["findings"]
    assert {entry["language"] for entry in found} == {"fr"}
    assert {entry["check"] for entry in found} <= {"meaning", "modality", "quantifier"}


@pytest.mark.parametrize("arguments", [["pt"], ["check", str(BABEL), "--lang", "pt"], ["pt", str(BABEL), "--out", "x"]])
def test_what_cannot_be_done_is_told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["texts", "lexicon", *arguments]) == 2
    assert capsys.readouterr().err
