"""A game on a real table is followed: what comes up is entered, kept, and explained afterwards."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_games import corpus, write_game

import interpreter
from interpreter.errors import SaveError
from interpreter.outcomes.partings import replay_under

House = Any

CAMP = corpus("camp_with_dice")


@pytest.fixture
def camp(tmp_path: Path) -> Path:
    return write_game(tmp_path / "camp", CAMP)


def played(home: House) -> dict[str, Any]:
    """Follows a game to its second turn; the save of it."""
    tab = home.tab("open")
    first = tab.next("asked chance")
    assert (first["of"], first["possible"], first["for"]) == ("play", [["one"], ["two"], ["three"]], None)
    tab.send("chance", turn=1, outcome=["four"])
    assert "four cannot come up here. Choose one of one, two, three." in tab.next("refused")["reason"]
    tab.send("chance", turn=1, outcome=["three"])
    assert tab.position(2)["at"] == 0 and home.table.line.state.get("luck") == "three"
    tab.send("choose", turn=2, option=1)
    asked = tab.next("asked chance")
    assert (asked["of"], len(asked["possible"]), asked["for"]) == ("turn", 9, "red")
    tab.send("chance", turn=2, outcome=["two", "two"])
    asked = tab.next("asked chance")
    assert (asked["possible"], asked["so far"]) == ([["oak"], ["elm"]], ["two", "two"])
    late = home.tab(1)
    assert late.next("asked chance")["so far"] == ["two", "two"]
    tab.send("chance", turn=2, outcome=["elm"])
    assert tab.position(3)["at"] == 1 and home.table.line.state.get("yard") == {"elm": 1}
    tab.send("choose", turn=3, option=0)  # nothing comes up
    assert tab.position(4)["at"] == 2
    tab.send("save")
    return dict(tab.next("answer")["save"])


def test_what_comes_up_is_entered_and_explained(house: Callable[..., House], camp: Path) -> None:
    home = house(camp, referee=True, designer=True)
    save = played(home)
    assert save["choices"] == [{"first": ["three"]}, {"chance": ["two", "two", "elm"]}, 1, 0]
    for engine in interpreter.ENGINES:
        state = interpreter.load(camp, engine=engine).resume(json.loads(json.dumps(save)))
        assert state.key() == home.table.line.state.key()
        assert [event.text for event in state.log] == [event.text for event in home.table.line.state.log]
        assert state.copy().get("yard") == {"elm": 1}


def test_it_is_taken_up_again_and_compared_with_other_rules(
    house: Callable[..., House], camp: Path, tmp_path: Path
) -> None:
    file = tmp_path / "some.table"
    home = house(camp, referee=True, designer=True, file=file)
    save = played(home)
    key = home.table.line.state.key()
    home.close()
    again = house(camp, file=file)
    assert again.table.line.state.key() == key and again.table.referee
    (camp / "camp.rules").write_text(CAMP.replace("reward = 2", "reward = 3"))
    parting = replay_under(interpreter.load(camp), save).parting
    assert parting is not None and (parting.decision, parting.rule) == (1, "turn")
    (camp / "camp.rules").write_text(CAMP.replace("roll f in Face, g in Face", "roll f in Face\n    let g = one"))
    assert replay_under(interpreter.load(camp), save).parting is not None


def test_a_choice_that_waits_can_be_forgotten(house: Callable[..., House], camp: Path) -> None:
    home = house(camp, referee=True)
    red, watch = home.tab(0), home.tab("watch")
    red.next("asked chance")
    watch.send("chance", turn=1, outcome=["one"])
    assert "Nothing is to be entered now" in watch.next("refused")["reason"]
    red.send("chance", turn=1, outcome=["one"])
    red.position(2)
    red.send("choose", turn=2, option=1)
    red.next("asked chance")
    red.send("chance", turn=2, outcome=None)
    assert red.next("asked chance")["of"] is None
    red.send("choose", turn=2, option=0)
    assert red.position(3)["scores"] == [1, 0]
    red.send("chance", turn=3, outcome=["one"])
    assert "Nothing is to be entered now" in red.next("refused")["reason"]
    home.tab(1).send("chance", turn=3, outcome=[[]])


@pytest.mark.parametrize("choices", [[{"chance": [[]]}], [{"chance": "x"}], [0, {"first": ["one"]}], [{}], [True]])
def test_saves_with_impossible_chance_are_refused(camp: Path, choices: list[Any]) -> None:
    game = interpreter.load(camp)
    save = game.save(game.start(3))
    with pytest.raises(SaveError, match="`choices` must hold"):
        game.resume({**save, "choices": choices})
    with pytest.raises(SaveError, match="cannot be replayed"):
        game.resume({**save, "choices": [{"first": ["nine"]}]})
