"""What a decision is about: the names in force where it is asked, as far as the seat that is asked knows them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from paths import RULES
from small_games import corpus

import interpreter
from interpreter.data import Decision
from interpreter.game import State
from tests.tools.parity.setups import games_below, setups

GAME = corpus("peek")


@pytest.fixture(scope="module", params=interpreter.ENGINES)
def game(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("peek")
    (folder / "peek.rules").write_text(GAME)
    return interpreter.load(folder, engine=request.param)


def subjects(state: State, choices: int = 0) -> list[tuple[str, int, dict[str, Any]]]:
    """Rule, seat and subject of each decision to the end; the choice is always the same."""
    found = []
    while state.decision is not None:
        found.append((state.decision.rule, state.decision.player, state.decision.subject))
        state.choose(min(choices, state.option_count - 1))
    return found


def test_names_that_the_player_knows_are_shown_and_no_others(game: Any) -> None:
    """``number`` and ``told`` are the size of a hand that is counted, so everybody knows them."""
    first, loop, idle, mine, double, other, last = subjects(game.start(1), 1)[:7]
    assert first == (
        "turn",
        0,
        {"p": "ann", "q": "ben", "own": 2, "number": 2, "told": 2, "fixed": [1, 2]},
    )
    assert loop == ("passed_on", 0, {"p": "ann", "b": 2, "c": 4, "e": 2, "g": "wood"})
    # What one player alone knows is shown as long as the rules still need it.
    assert idle == ("passed_on", 0, {"p": "ann", "c": 4, "g": "wood"})
    assert mine == ("secretly", 0, {"p": "ann"})
    assert double == ("secretly", 0, {"p": "ann", "double": 2})
    assert other == ("secretly", 1, {"p": "ann"})
    assert last == ("secretly", 0, {"p": "ann"})


def test_only_the_seat_that_is_asked_is_shown_the_subject(game: Any) -> None:
    state = game.start(1)
    assert state.view(0)["decision"]["subject"] == state.decision.subject
    assert state.view(0)["decision"]["subject"]["own"] == 2
    for seat in (1, None):
        assert state.view(seat)["decision"] == {"player": 0, "rule": "turn"}


def test_a_subject_is_kept_by_a_save(game: Any) -> None:
    state = game.start(1)
    while state.decision is not None:
        for engine in interpreter.ENGINES:
            other = interpreter.game_of(game.program, engine) if engine == "reference" else game
            again = other.resume(json.loads(json.dumps(game.save(state))))
            assert again.decision == state.decision
        assert state.copy().decision == state.decision
        state.choose(0)


# ---------------------------------------------------------------- the games


def played(name: str, players: int, engine: str, seed: int, most: int = 2000, **more: Any) -> Any:
    """Each decision of a random game, with the state."""
    state = interpreter.load(RULES / name, players=players, engine=engine, **more).start(seed)
    chance = random.Random(seed)
    for _ in range(most):
        decision = state.decision
        if decision is None:
            return
        yield state, decision
        state.choose(chance.randrange(len(decision.options)))


def names(decision: Decision) -> set[str]:
    value = decision.options[0].value
    return set() if value is None else set(value)


@pytest.mark.parametrize("engine", interpreter.ENGINES)
@pytest.mark.parametrize("variants", [(), ("druids",)])
def test_a_price_question_names_its_tile(engine: str, variants: tuple[str, ...]) -> None:
    """The place in which the tile lies; each tile of a player that is not marked is asked for once."""
    asked: dict[Any, list[str]] = {}
    for state, decision in played("skye", 3, engine, 4, 250, variants=variants):
        if decision.rule != "offer.prices" or names(decision) != {"price"}:
            continue
        about = decision.subject
        player, place = about["p"], about["i"]
        assert player == state.game.program.seats[decision.player]
        assert state.view(decision.player)["state"]["offer"][player][place] is not None
        assert place != state.get(f"marked[{player}]") == about["m"]
        asked.setdefault((player, state.fired["offers"]), []).append(place)
        priced = state.copy()
        priced.choose({"price": 1})
        if priced.player == decision.player:  # it still sees what it has done itself
            assert priced.view(decision.player)["state"]["stake"][player][place] == 1
    assert len(asked) >= 6
    for places in asked.values():
        assert len(places) == len(set(places)) <= 2
        assert places == sorted(places, key=["left", "middle", "right"].index)


@pytest.mark.parametrize("engine", interpreter.ENGINES)
def test_an_offer_names_its_field(engine: str) -> None:
    seen: dict[str, int] = {}
    for state, decision in played("meduris", 3, engine, 2, 600):
        about = decision.subject
        seat = state.game.program.seats[decision.player]
        if decision.rule == "offering":
            assert state.get("hut")[about["f"]] == seat == about["p"]
            assert state.get("druid") == about["f"]
        elif decision.kind == "pay":
            assert about["p"] == seat and about["f"] in state.get("hut"), decision.rule
        else:
            continue
        seen[decision.rule] = seen.get(decision.rule, 0) + 1
    assert {"offering", "offer.both", "build.price"} <= set(seen), seen


@pytest.mark.parametrize("folder", games_below(RULES), ids=lambda p: p.name)
def test_subjects_are_the_same_on_both_engines_and_after_a_save(folder: Path) -> None:
    """Whatever is in force can be read back as plain data of its type by ``json``."""
    setup = list(setups(folder))[-1]
    program = setup.load()
    reference, fast = (interpreter.game_of(program, engine) for engine in interpreter.ENGINES)
    one, other = reference.start(11), fast.start(11)
    chance = random.Random(11)
    for number in range(60):
        decision = one.decision
        if decision is None:
            break
        assert decision == other.decision
        assert json.loads(json.dumps(decision.subject)) == decision.subject
        for seat in range(program.players):
            assert ("subject" in (one.view(seat)["decision"] or {})) is (seat == decision.player)
        if number % 15 == 0:
            saved = json.loads(json.dumps(fast.save(other)))
            assert reference.resume(saved).decision == fast.resume(saved).decision == decision
        index = chance.randrange(len(decision.options))
        one.choose(index)
        other.choose(index)
