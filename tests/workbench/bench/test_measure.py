"""The shape of play, and the questions it leaves to the author."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import attrs
import pytest
from paths import ROOT
from small_games import COINS, PILE, corpus, write_game

from interpreter.bots import ladder
from interpreter.examples import run_examples

DEAD = PILE.replace(
    "  surely p chooses one of\n",
    "  surely p chooses one of\n    option pray\n      needs left > 9\n      p scores 0\n",
)
READ = (
    PILE.replace(
        "number size = 7\n",
        'number size = 7\n\nreading ending: nothing, point\n  default nothing\n  because "untold"\n'
        '\nreading idle: no, yes\n  default no\n  because "untold"\n',
    )
    .replace("  end the game", "  if ending is point\n    each p in Player\n      p scores 1\n  end the game")
    .replace("is size\n", "<= size + players\n")
    .replace("    do turn(p)\n", "    do turn(p)\n    if idle is yes\n      do nothing\n")
)


def test_measures_of_a_game(pile: Path, rulelang) -> None:
    told = json.loads(rulelang("measure", str(pile), "--games", "60", "--format", "json").out)
    quantities = told["quantities"]
    assert told["games"] == 60
    assert quantities["length"]["mean"] == quantities["decisions"]["mean"]
    assert 1 < quantities["choice"]["mean"] <= 3
    assert 0 <= quantities["leader_won"]["mean"] <= 100
    assert sum(told["wins_by_order"]) == pytest.approx(1)
    (take,) = told["options"]
    assert take["name"] == "take"
    assert take["offered"] == take["taken"] == pytest.approx(60 * quantities["length"]["mean"])


def test_dead_options_are_named(tmp_path: Path, rulelang) -> None:
    ran = rulelang("measure", str(write_game(tmp_path / "pile", DEAD)), "--games", "30")
    assert "Dead option pray: never offered" in ran.out


def test_thinking_pays_where_it_does(rulelang) -> None:
    path = ROOT / "rules" / "classics" / "tic_tac_toe"
    ran = rulelang(
        "measure", str(path), "--games", "40", "--thinking", "ismcts:60>random", "--format", "json"
    )  # fmt: skip
    (one,) = json.loads(ran.out)["thinking"]
    assert one["verdict"] == "pays"
    assert one["low"] <= one["share"] <= one["high"]


def test_a_ladder_is_measured_kept_and_names_who_plays(pile: Path, tmp_path: Path, rulelang, monkeypatch) -> None:
    monkeypatch.setattr(ladder, "KNOWN", {})
    monkeypatch.setattr(ladder.cache, "room", lambda _: tmp_path)
    before = rulelang("play", str(pile), "--bots", "2=strongest")
    assert before.status == 2 and "nobody has measured yet who is `strongest`" in before.err
    for minutes in ("0.02", "0.2", "2"):  # as long as this machine needs
        told = rulelang("measure", str(pile), "--games", "30", "--ladder", "--minutes", minutes, "--format", "json")
        if found := json.loads(told.out)["ladder"]:
            break
    assert {rung["bots"] for rung in found["rungs"]} >= {"random", "learned", "greedy"}
    assert min(found["rungs"], key=lambda rung: rung["strength"])["bots"] == "random"
    page = tmp_path / "shape.html"
    again = rulelang("measure", str(pile), "--games", "30", "--to", str(page))
    assert "strength" in again.out and "against random" in page.read_text(encoding="utf-8")
    # Whether a few games tell players apart depends on the machine: the levels are given, the rest is as measured.
    ((version, players),) = ladder.KNOWN
    known = ladder.kept(version, players)
    assert known is not None and set(known.levels) <= set(ladder.LEVELS)
    for levels, status in (({"strongest": "greedy"}, 0), ({}, 2)):
        ladder.keep(version, players, attrs.evolve(known, levels=levels))
        ladder.KNOWN.clear()
        asked = rulelang("play", str(pile), "--bots", "2=strongest", typed=["quit"])
        assert asked.status == status, asked.err
    assert "no player is `strongest`" in asked.err


def test_only_readings_that_matter_change_something(tmp_path: Path, rulelang) -> None:
    folder = write_game(tmp_path / "pile", READ)
    ran = rulelang("measure", str(folder), "--readings", "--games", "60", "--format", "json")
    found = json.loads(ran.out)
    columns = {column["name"]: column for column in found["columns"]}
    assert found["partings"]["ending=point"]["partings"][0]["example"]
    assert found["partings"]["idle=yes"]["none"]["games"]
    assert columns["ending=point"]["quantities"]["score"]["verdict"] == "changed"
    assert columns["idle=yes"]["touch_rate"] == 0
    page = tmp_path / "readings.html"
    shown = rulelang("measure", str(folder), "--readings", "--games", "60", "--to", str(page)).out
    assert shown.index("ending=point") < shown.index("idle=yes")
    for told in (shown, page.read_text(encoding="utf-8")):
        assert "No difference found in 0 examples and 32 random games" in told


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--readings"], "no readings"),
        (["--thinking", "random"], "MORE>LESS"),
        (["--thinking", "ismcts:x>random"], "number of playouts"),
        (["--bots", "random,greedy"], "one kind of player"),
        (["--to", "x.pdf"], "the page is HTML"),
        (["--to", "nowhere/x.html"], "create it first"),
        (["--readings", "--chances", "5"], "table of its own"),
        (["--chances", "0"], "--chances 0: give at least 1"),
        (["--minutes", "soon"], "--minutes soon: give a number"),
    ],
)
def test_bad_questions(pile: Path, rulelang, arguments: list[str], message: str) -> None:
    ran = rulelang("measure", str(pile), *arguments)
    assert ran.status == 2
    assert message in ran.err


def test_what_options_are_worth_is_told_between_random_players(pile: Path, rulelang) -> None:
    folder = pile.parent / "coins"
    write_game(folder, COINS)
    told = json.loads(rulelang("measure", str(folder), "--games", "200", "--format", "json").out)
    worth = {option["name"]: option.get("worth") for option in told["options"]}
    assert worth["coin"]["points"]["value"] == pytest.approx(2, abs=worth["coin"]["points"]["reach"])
    ran = rulelang("measure", str(folder), "--games", "200")
    assert "taken when possible" in ran.out and "What an option brings" in ran.out
    ran = rulelang("measure", str(folder), "--games", "40", "--bots", "learned")
    assert "not told for learned" in ran.out


def test_chances_are_told_and_shown(pile: Path, rulelang, tmp_path: Path) -> None:
    asked = ("measure", str(pile), "--players", "3", "--games", "60", "--chances", "6")
    told = json.loads(rulelang(*asked, "--format", "json").out)["chances"]
    assert told["games"] == 6 and told["playouts"] == 100
    assert len(told["winner_over_time"]) == 21
    assert {"favourite_won", "decided", "comebacks", "drama"} <= set(told["measures"])
    assert set(told["kingmaking"]) == {"decisions", "kings", "low", "high", "games"}
    pages = [tmp_path / "one.html", tmp_path / "two.html"]
    for page in pages:
        ran = rulelang(*asked, "--to", str(page))
    assert "Chances over time" in ran.out and "Kingmaking" in ran.out
    one, two = (page.read_text(encoding="utf-8") for page in pages)
    assert one == two
    assert "<script" not in one and "src=" not in one
    for heading in ("Chances over time", "Games to see", "Games to look at"):
        assert heading in one
    assert one.count("<svg") == one.count('role="img"') + one.count('class="symbols"')


def test_chances_need_rivals(rulelang) -> None:
    ran = rulelang("measure", str(ROOT / "rules" / "golf_patience"), "--chances", "3")
    assert ran.status == 2 and "against each other" in ran.err


def test_games_to_look_at_can_be_replayed(pile: Path, rulelang) -> None:
    out = rulelang("measure", str(pile), "--games", "80").out
    command = next(line.strip() for line in out.splitlines() if line.strip().startswith("rulelang explain"))
    assert rulelang(*command.split()[1:]).status == 0


LATE = PILE.replace("      p scores n\n", "      increase got[p] by n\n").replace(
    "  end the game", "  each p in Player\n    p scores got[p]\n  end the game"
)


def test_a_lead_is_not_measured_where_nobody_has_points_before_the_end(tmp_path: Path, rulelang) -> None:
    text = LATE.replace("each Player has\n", "each Player has\n  got: 0..9\n")
    told = json.loads(rulelang("measure", str(write_game(tmp_path / "pile", text)), "--format", "json").out)
    assert "margin" in told["quantities"]
    assert not {"settled", "lead_changes", "deficit", "leader_won", "last_won"} & set(told["quantities"])


# Questions to the author: what was chosen and why, what it would be otherwise, and the smallest case that shows it.


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
