"""Questions to the author: what was chosen and why, what it would be otherwise, and the smallest case that shows it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from small_games import corpus, write_game

from interpreter.examples import run_examples

GAME = corpus("asked_stall")


@pytest.fixture
def stall(tmp_path: Path) -> Path:
    return write_game(tmp_path / "stall", GAME)


def test_a_question_has_what_was_chosen_and_the_smallest_case(stall: Path, rulelang: Any, tmp_path: Path) -> None:
    ran = rulelang("sources", "questions", stall, "--minutes", "0.2", "--format", "json")
    assert ran.status == 0, ran.err
    pair, tie = json.loads(ran.out)["questions"]
    assert (pair["reading"], pair["chosen"], pair["other"]) == ("bonus_for", "each_pair", "first_pair")
    assert pair["because"] == "one text says for every pair" and pair["seen_in"]["games"] > 0
    assert any("shells" in line for line in pair["case"]["position"])
    file = tmp_path / "case.rules"
    file.write_text(f"examples of stall\n\n{pair['example']}\n", encoding="utf-8")
    assert [one.status for one in run_examples(stall, files=[file]).results] == ["passed"]
    other = run_examples(stall, {"bonus_for": "first_pair"}, files=[file])
    assert [one.status for one in other.results] == ["failed"]
    assert tie["case"] is None and tie["seen_in"]["games"] == 0 < tie["seen_in"]["of"]


def test_the_sheet_is_told_in_words_and_as_a_page(stall: Path, rulelang: Any, tmp_path: Path) -> None:
    told = rulelang("texts", "questions", stall, "--minutes", "0.1").out
    assert told.startswith(("# stall: 2 questions\n", "# Stall: 2 questions\n"))
    assert "- As we read it: each_pair" in told and "- Or: first_pair" in told
    assert "We found no case in which it matters" in told
    page = tmp_path / "sheet.html"
    assert rulelang("sources", "questions", stall, "--minutes", "0.1", "--to", page).status == 0
    text = page.read_text(encoding="utf-8")
    assert text.count("<h2>") == 2 and "<script" not in text and "example bonus_for_first_pair_1" in text


def test_what_cannot_be_asked_is_told(stall: Path, rulelang: Any) -> None:
    ran = rulelang("sources", "questions", stall, "--lang", "xx")
    assert ran.status == 2 and "xx" in ran.err
    (stall / "stall.rules").write_text(GAME.replace("shells[p] > 3", "shell[p] > 3"), encoding="utf-8")
    assert rulelang("sources", "questions", stall).status == 1
