"""A simulated or saved game explained and played on, under its rules or others, wherever its game lies."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from paths import RULES
from small_games import DASH, changed, write_game

import interpreter
from interpreter.errors import SaveError
from interpreter.outcomes.partings import replay_under
from interpreter.simulate.games import game_seed

MEDURIS = RULES / "meduris"


@pytest.fixture
def dash(tmp_path: Path) -> Path:
    return write_game(tmp_path / "dash", DASH)


def rewritten(dash: Path, old: str, new: str) -> None:
    file = dash / "dash.rules"
    file.write_text(changed(file.read_text(), old, new))


@pytest.fixture
def evening(rulelang, dash: Path, tmp_path: Path) -> Path:
    """A save of the whole of a game."""
    save = tmp_path / "evening.save"
    typed = ["1", "", "2", ""] * 3 + [f"save {save}", "quit"]
    assert rulelang("play", dash, "--seed", 4, typed=typed).status == 0
    return save


def test_a_simulated_game_is_explained(rulelang) -> None:
    ran = rulelang("explain", MEDURIS, "--players", 3, "--seed", 7, "--game", 2, "--format", "json")
    game = interpreter.load(MEDURIS, players=3, engine="wasm")
    result = list(interpreter.play_many(game, 7, 3))[2]
    assert ran.status == 0 and json.loads(ran.out)["steps"][-1]["data"]["scores"] == list(result.scores)
    assert interpreter.simulated(game, 7, 2).scores == result.scores


def test_a_game_of_bots_is_explained_as_it_was_played(rulelang, dash: Path) -> None:
    game = interpreter.load(dash)
    scores = interpreter.simulated(game, 3, 5, ["greedy", "random"]).scores
    ran = rulelang("explain", dash, "--seed", 3, "--game", 5, "--bots", "1=greedy", "--format", "json")
    assert json.loads(ran.out)["steps"][-1]["data"]["scores"] == list(scores)


def test_play_goes_on_from_the_middle_of_a_simulated_game(rulelang, dash: Path, tmp_path: Path) -> None:
    save = tmp_path / "middle.save"
    ran = rulelang("play", dash, "--seed", 3, "--game", 5, "--step", 2, typed=[f"save {save}", "quit"])
    assert ran.status == 0
    saved = json.loads(save.read_text())
    assert saved["seed"] == game_seed(3, 5) and len(saved["choices"]) == 2
    again = tmp_path / "earlier.save"
    ran = rulelang("play", "--resume", save, "--step", 1, typed=[f"save {again}", "quit"])
    assert json.loads(again.read_text())["choices"] == saved["choices"][:1]


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        (["explain", "{dash}"], "--seed 1 --game 0"),
        (["explain", "{dash}", "--seed", "1", "--game", "soon"], "--seed 1 --game 0"),
        (["explain", "{save}", "--players", "2"], "name the game's folder"),
        (["play", "{dash}", "--game", "3"], "--seed"),
        (["play", "{dash}", "--step", "3"], "--game"),
        (["play", "--resume", "{save}", "--step", "99"], "0 to 6"),
    ],
)
def test_arguments_that_do_not_go_together(rulelang, dash: Path, evening: Path, arguments, remedy: str) -> None:
    ran = rulelang(*[a.format(dash=dash, save=evening) for a in arguments])
    assert ran.status == 2 and remedy in " ".join(ran.err.split())


def test_a_save_under_the_same_rules_is_explained_as_ever(rulelang, evening: Path) -> None:
    ran = rulelang("explain", evening)
    assert ran.status == 0 and "chose" not in ran.out and "scores" in ran.out


def parting(rulelang, save: Path, *more: object) -> dict:
    ran = rulelang("explain", save, *more, "--format", "json")
    assert ran.status == 0, ran.err
    return json.loads(ran.out)["parting"]


def test_a_changed_rule_is_named_with_the_first_decision_at_which_it_matters(
    rulelang, dash: Path, evening: Path
) -> None:
    rewritten(dash, "p scores more", "p scores more + 1")
    found = parting(rulelang, evening)
    assert (found["decision"], found["seat"], found["asked"]) == (2, "blue", "turn")
    assert found["rule"] == "throw_again"
    text = rulelang("explain", evening).out
    assert "they part at decision 2" in text and "throw_again" in text and "dash.rules:" in text


def test_an_option_that_is_gone(rulelang, dash: Path, evening: Path) -> None:
    rewritten(dash, "    option keep\n", "    option keep\n      needs score[p] > 50\n")
    found = parting(rulelang, evening)
    assert (found["decision"], found["rule"]) == (1, "keep") and "not possible" in found["change"]


def test_another_roll_before_anybody_decides(rulelang, dash: Path, evening: Path) -> None:
    rewritten(dash, "rule play\n", "rule play\n  rule luck\n    roll start in 1..6\n")
    assert (parting(rulelang, evening)["decision"], parting(rulelang, evening)["rule"]) == (0, "luck")


def test_a_question_that_comes_first(rulelang, dash: Path, evening: Path) -> None:
    rewritten(
        dash,
        "  roll pips in 1..6\n",
        "  rule ready\n    p may choose q in Player\n      do nothing\n  roll pips in 1..6\n",
    )
    found = parting(rulelang, evening)
    assert (found["decision"], found["rule"]) == (0, "ready")


def test_a_game_that_is_over_sooner(rulelang, dash: Path, evening: Path) -> None:
    rewritten(dash, "goal = 20", "goal = 1")
    assert parting(rulelang, evening)["decision"] == 1


def test_a_change_that_changes_nothing(rulelang, dash: Path, evening: Path) -> None:
    rewritten(dash, "score: 0..60", "score: 0..70")
    assert parting(rulelang, evening) is None
    assert "nothing that happens is different" in rulelang("explain", evening).out


def test_a_variant_of_a_printed_game(rulelang, tmp_path: Path) -> None:
    save = tmp_path / "e.save"
    typed = [f"save {save}", "quit"]
    rulelang("play", MEDURIS, "--players", 3, "--seed", 7, "--game", 12, "--step", 60, typed=typed)
    found = parting(rulelang, save, "--variant", "runes_triangular")
    assert found["rule"] == "river.interim" and found["decision"] > 0


def test_a_save_of_an_earlier_form_is_refused(rulelang, evening: Path) -> None:
    old = evening.with_name("old.save")
    old.write_text(json.dumps(json.loads(evening.read_text()) | {"format": 3}))
    told = " ".join(rulelang("explain", old, status=2).err.split())
    assert "has format 3, but this program reads formats 4 and 5" in told


@pytest.mark.parametrize("change", [{"format": 99}, {"choices": [True]}, {"choices": None}, {"seed": "4"}])
def test_a_damaged_save_is_not_followed_under_other_rules(dash: Path, evening: Path, change: dict[str, object]) -> None:
    data = json.loads(evening.read_text()) | change
    rewritten(dash, "score: 0..60", "score: 0..70")
    with pytest.raises(SaveError, match="format 99" if "format" in change else "damaged"):
        replay_under(interpreter.load(dash), data)


@pytest.mark.parametrize(
    "course",
    [None, 3, [], [{}], [{"then": [1]}], [{"then": []}, {"then": []}], ["{"], ["[" * 9999], ['{"then":[]}', "1"]],
)
def test_a_save_whose_course_is_missing_or_damaged(dash: Path, evening: Path, course: object) -> None:
    data = json.loads(evening.read_text())
    data.pop("opened_with")
    data["course"] = course
    if course is None:
        del data["course"]
    rewritten(dash, "score: 0..60", "score: 0..70")
    with pytest.raises(SaveError, match="damaged" if course is not None else "as they were then"):
        replay_under(interpreter.load(dash), data)


# Every verb that reads a save can be told where its game is.


@pytest.fixture
def save(pile: Path, tmp_path: Path) -> Path:
    """As a program writes it: it does not name its game."""
    game = interpreter.load(pile)
    state = game.start(seed=1)
    state.choose(0)
    file = tmp_path / "notebook.save"
    file.write_text(json.dumps(game.save(state)))
    return file


VERBS = [["draw", "SAVE"], ["explain", "SAVE"], ["play", "--resume", "SAVE"], ["serve", "--from", "SAVE"]]


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb[0])
def test_it_can_be_given_and_is_asked_for(
    rulelang: Callable[..., Any], pile: Path, save: Path, verb: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = [str(save) if word == "SAVE" else word for word in verb]
    if verb[0] == "serve":
        pytest.importorskip("starlette", reason="the table needs the extra serve")
        monkeypatch.chdir(save.parent)
        monkeypatch.setattr("uvicorn.Server.run", lambda *_, **__: None)
        arguments += ["--port", "0"]
    ran = rulelang(*arguments)
    assert ran.status == 2 and "--game PATH" in ran.err
    ran = rulelang(*arguments, "--game", pile, typed=["quit"])
    assert ran.status in (0, 130) and "Traceback" not in ran.err, ran.err


@pytest.mark.parametrize(
    "arguments",
    [["draw", "PATH", "--game", "PATH"], ["serve", "PATH", "--game", "PATH"], ["play", "PATH", "--game", "PATH"]],
    ids=lambda arguments: arguments[0],
)
def test_it_is_for_saves_only(rulelang: Callable[..., Any], pile: Path, arguments: list[str]) -> None:
    ran = rulelang(*(str(pile) if word == "PATH" else word for word in arguments))
    assert ran.status == 2 and ran.err.startswith("rulelang: --game")


def test_a_save_that_names_something_else_is_not_followed(
    rulelang: Callable[..., Any], save: Path, tmp_path: Path
) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private/secrets.rules").write_text("swordfish\n")
    data = json.loads(save.read_text())
    for path in ("private", "private/secrets.rules", "/", "/etc", "none", "\0", "x" * 5000):
        opened = {"path": path, "settings": {}, "variants": [], "bots": None}
        save.write_text(json.dumps({"opened_with": opened, **data}))
        for verb in VERBS[:3]:
            ran = rulelang(*(str(save) if word == "SAVE" else word for word in verb))
            assert ran.status == 2 and "swordfish" not in ran.err and "--game PATH" in ran.err, (path, ran.err)


def test_the_name_of_the_file_says_what_a_picture_is(rulelang: Callable[..., Any], pile: Path, tmp_path: Path) -> None:
    assert rulelang("draw", pile, "--out", tmp_path / "a.json").status == 0
    assert json.loads((tmp_path / "a.json").read_text())["game"] == "pile"
    assert rulelang("draw", pile, "--out", tmp_path / "a.svg").status == 0
    assert rulelang("draw", pile, "--to", "svg", "--out", tmp_path / "b.png").status == 0
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.png").read_bytes()
    pytest.importorskip("resvg_py", reason="PNG needs the extra draw")
    assert rulelang("draw", pile, "--out", tmp_path / "a.png").status == 0
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
