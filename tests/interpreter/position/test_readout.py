"""The whole state by names, places that are set by name with plain data, rules that are run by themselves."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from paths import RULES
from small_games import corpus, load_game

import interpreter
from interpreter.errors import GameError
from interpreter.game import State

GAME = corpus("shelf")


@pytest.fixture(scope="module", params=interpreter.ENGINES)
def game(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("shelf")
    (folder / "shelf.rules").write_text(GAME)
    return interpreter.load(folder, engine=request.param)


def test_values_are_the_whole_truth(game: Any) -> None:
    assert game.blank().values() == {
        "supply": {"wood": 9, "wool": 9},
        "deck": ["wood", "wood"],
        "steps": {},
        "leader": None,
        "open": False,
        "secret": 42,
        "corner": {"x": 0, "y": 0},
        "goods": {"ann": {}, "ben": {}},
        "floor": {"ann": [], "ben": []},
        "score": {"ann": 0, "ben": 0},
        "card": {"ann": {"high": None, "low": None}, "ben": {"high": None, "low": None}},
    }


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("goods[ann]", {"wood": 2, "wool": 1}),
        ("goods[ben]", {}),
        ("goods[ann][wool]", 3),
        ("goods[ann, wool]", 3),
        (" goods [ann] [wool] ", 0),
        ("card[ann, low]", "wool"),
        ("card[ben][high]", None),
        ("floor[ben]", [{"piece": "wood", "x": 1, "y": -2, "turn": 3}]),
        ("deck", ["wool", "wood", "wood"]),
        ("steps", {"1": 2, "3": 1}),
        ("steps[3]", 4),
        ("leader", "ben"),
        ("leader", None),
        ("open", True),
        ("secret", 0),
        ("score[ben]", 20),
        ("corner", {"x": 3, "y": -1}),
    ],
)
def test_what_is_set_is_there(game: Any, place: str, value: Any) -> None:
    state = game.blank()
    before = state.values()
    state.set(place, value)
    assert state.get(place) == value
    state.set(place, json.loads(json.dumps(state.get(place))))
    assert state.get(place) == value
    name = place.replace("[", " ").split()[0]
    assert {n: v for n, v in state.values().items() if n != name} == {n: v for n, v in before.items() if n != name}


def test_records_may_be_written_without_names(game: Any) -> None:
    state = game.blank()
    state.set("floor[ann]", [("wood", 0, 0, 0), ["wool", 0, 1, 2]])
    state.set("corner", (1, 2))
    assert state.get("floor[ann]")[1] == {"piece": "wool", "x": 0, "y": 1, "turn": 2}
    assert state.get("corner") == {"x": 1, "y": 2}


def test_with_fewer_names_there_is_more(game: Any) -> None:
    state = game.blank()
    state.set("card[ann, low]", "wood")
    assert state.get("card[ann]") == {"high": None, "low": "wood"}
    assert state.get("card") == state.values()["card"]


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("good[ann]", "`good` is not a variable of this game. Did you mean `goods`?"),
        ("nonsense", "`nonsense` is not a variable of this game. There are supply, deck"),
        ("goods[anna]", "`anna` is not a value of Player, which `goods` is kept for. Did you mean `ann`?"),
        ("goods[cas]", "Choose one of ann, ben."),
        ("goods[ann][gold]", "`gold` is not a value of Good"),
        ("score[ann][wood]", "`score` is kept for each Player, so `wood` is one name too many"),
        ("leader[ann]", "`leader` is not kept for each of anything, so `ann` is one name too many"),
        ("goods[ann", "does not name a place; write for example `"),
        ("", "does not name a place"),
        (7, "does not name a place"),
    ],
)
def test_places_that_do_not_exist(game: Any, place: Any, message: str) -> None:
    state = game.blank()
    for use in (state.get, lambda p: state.set(p, 1)):
        with pytest.raises(GameError) as problem:
            use(place)
        assert message in str(problem.value)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        ("goods", {"wood": 1}, "`goods` is kept for each Player; say for which one, for example `goods[ann]`"),
        (
            "card[ann]",
            "wood",
            "`card` is kept for each Player and Row; say for which one, for example `card[ann, ",
        ),
        ("goods[ann]", {"wood": 6}, "`goods[ann]` cannot hold this: 6 pieces do not fit; there is room for 5"),
        (
            "goods[ann]",
            ["wood"],
            "`goods[ann]` cannot hold this: ['wood'] is not pieces of Good; it takes ",
        ),
        ("goods[ann][wood]", -1, "`goods[ann]` cannot hold this"),
        ("goods[ann]", {"gold": 1}, "'gold': 1 does not belong to pieces of Good"),
        ("score[ann]", 21, "21 is not a number from 0 to 20"),
        ("score[ann]", True, "True is not a number from 0 to 20; it takes something like 1"),
        ("open", 1, "1 is not yes or no; it takes something like True"),
        ("leader", "cas", "'cas' is not Player"),
        ("deck", {"wood": 2}, "it takes something like ['wood']"),
        ("floor[ann]", [("wood", 0, 0, 0), ("wool", 0, 0, 1)], "two pieces lie on one square"),
    ],
)
def test_values_that_do_not_fit(game: Any, place: str, value: Any, message: str) -> None:
    state = game.blank()
    before = state.key()
    with pytest.raises(GameError) as problem:
        state.set(place, value)
    assert message in str(problem.value)
    assert state.key() == before


def test_only_a_position_at_rest_can_be_laid_out(game: Any) -> None:
    state = game.start(1)
    with pytest.raises(GameError, match=r"rule play is still running; .* as `game\.blank\(\)` gives"):
        state.set("open", True)
    state.choose(0)
    with pytest.raises(GameError, match="the game is over"):
        state.set("open", True)


def test_rules_are_run_with_plain_data(game: Any) -> None:
    state = game.blank()
    state.run("give", ["ben", "wool", 2])
    assert state.get("goods[ben]") == {"wool": 2}
    for arguments, message in (
        (["ben", "wool"], "rule give needs 3 values in a list (p, g, n), not 2"),
        ("ben", "not one value"),
        (["ben", "gold", 2], "g must be Good, not 'gold'; for example 'wood'"),
        ([1, "wool", 2], "p must be Player, not 1; for example 'ann'"),
        (["ben", "wool", 4], "n must be a number from 1 to 3, not 4; for example 1"),
    ):
        with pytest.raises(GameError) as problem:
            state.run("give", arguments)
        assert message in str(problem.value)
    with pytest.raises(GameError, match=r"rule giv does not exist\. Did you mean `give`\?"):
        state.run("giv")


def test_chance_that_is_laid_down(game: Any) -> None:
    state = game.blank()
    state.fix_chance(["ben"])
    assert state.fixed_chance == ("ben",)
    state.run("play")
    assert state.get("leader") == "ben" and state.decision.player == 1
    assert state.fixed_chance == ()


def test_a_spectator_sees_what_everybody_sees(game: Any) -> None:
    state = game.blank()
    state.set("goods[ann]", {"wood": 2})
    state.run("play")
    view = state.view(None)
    assert view["seat"] is None
    assert view["state"]["goods"]["ann"] == {"count": 2 + (view["state"]["leader"] == "ann")}
    assert view["state"]["supply"] == {"count": 17}
    assert "secret" not in view["state"] and "deck" not in view["state"]
    assert view["decision"] == {"player": state.player, "rule": "play"}
    for wrong in (-1, 2, True, "ann"):
        with pytest.raises(GameError, match="seats are numbered from 0 to 1, and None is a spectator"):
            state.view(wrong)


# ---------------------------------------------------------------- real games


@pytest.mark.parametrize(("name", "players"), [("meduris", 3), ("skye", 3), ("babel", 2)])
def test_views_are_parts_of_the_values_and_a_spectator_sees_no_more_than_anybody(name: str, players: int) -> None:
    """Also while players decide together, when nobody is told how far the others are."""
    games = [interpreter.load(RULES / name, players=players, engine=e) for e in interpreter.ENGINES]
    chance = random.Random(name)
    states: list[State] = [game.start(5) for game in games]
    for _ in range(60):
        reference, fast = states
        if reference.decision is None:
            break
        assert reference.values() == fast.values()
        watched = reference.view(None)
        assert watched == fast.view(None)
        assert json.loads(json.dumps(watched)) == watched
        for seat in range(players):
            seen = reference.view(seat)
            assert seen["state"].keys() >= watched["state"].keys()
            for variable, value in watched["state"].items():
                if "count" not in json.dumps(value):
                    assert seen["state"][variable] == value or reference.position.secret is not None
        if reference.position.secret is None:
            for variable, value in watched["state"].items():
                if "count" not in json.dumps(value):
                    assert reference.values()[variable] == value
        index = chance.randrange(reference.option_count)
        for state in states:
            state.choose(index)


def test_a_spectator_is_not_told_what_is_decided_in_secret() -> None:
    for engine in interpreter.ENGINES:
        game = interpreter.load(RULES / "skye", players=3, engine=engine)
        state = game.start(3)
        before = state.view(None)
        assert before["decision"] == {"player": 0, "rule": "offer.prices"}
        scores = before["scores"]
        for text in ("left", "3"):
            state.choose([o.text for o in state.decision.options].index(text))  # type: ignore[union-attr]
        after = state.view(None)
        assert after["state"] == before["state"] and after["scores"] == scores
        assert after["decision"]["rule"] == before["decision"]["rule"]  # type: ignore[index]


INSIDE = corpus("inside")


@pytest.mark.parametrize("engine", ["reference", "wasm"])
@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("outer.inner", "rule outer.inner is part of another rule and cannot be run by itself; run outer"),
        ("outer.iner", "rule outer.iner does not exist. Did you mean `outer.inner`?"),
        ("doubled", "doubled is a definition, not a rule; `evaluate` gives its value"),
    ],
)
def test_what_cannot_run_by_itself_is_refused_alike(tmp_path: Path, engine: str, rule: str, message: str) -> None:
    state = load_game(tmp_path, INSIDE, engine=engine).blank()
    with pytest.raises(GameError) as problem:
        state.run(rule)
    assert str(problem.value) == message
    state.run("outer")
    assert state.get("left") == 2
