"""Values worked out once for what they depend on: games go the same way as where all is worked out anew."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from generated import Maker
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from small_games import corpus, load_program

import rulelang
from interpreter.errors import RuleFault
from interpreter.reference.engine import ReferenceGame

MARSH = corpus("marsh")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("recalled")


def said(game: ReferenceGame, state: Any) -> Any:
    """All that can be told of a state."""
    decision = state.decision
    options = None if decision is None else [option.text for option in decision.options]
    views = [state.view(seat) for seat in range(game.players)]
    return game.save(state), options, views, state.scores, state.winners, [str(event) for event in state.log]


def course(game: ReferenceGame, seed: int, steps: int, asked: tuple[str, ...] = ()) -> list[Any]:
    """What a game says when it is played by chance, choices are taken back and others tried, and values asked for."""
    chance = random.Random(seed)
    found: list[Any] = []
    try:
        kept = [game.start(seed)]
        while len(found) < steps and kept[-1].option_count:
            match chance.randrange(6):
                case 0 if len(kept) > 1:
                    kept.pop()
                case 1:
                    kept.append(kept[chance.randrange(len(kept))].copy())
                case 2:
                    states = (kept[-1], kept[0], game.resume(game.save(kept[-1])))
                    found.append([game.evaluate(text, state) for text in asked for state in states])
                case _:
                    kept.append(kept[-1].copy())
                    kept[-1].choose(chance.randrange(kept[-1].option_count))
            found.append(said(game, kept[-1]))
    except RuleFault as fault:
        found.append(str(fault))
    return found


def alike(program: Any, seed: int, steps: int, **more: Any) -> int:
    """Fails unless a course is the same with and without; gives how many states there were."""
    with_, without = (course(ReferenceGame(program, recall=recall), seed, steps, **more) for recall in (True, False))
    assert with_ == without
    return len(with_)


def test_a_game_goes_the_same_way(folder: Path) -> None:
    program = load_program(folder / "marsh", MARSH)
    asked = tuple(text.format(program.seats[1]) for text in ("biggest({})", "flow({})", "chances({})", "bed(rush)"))
    for seed in range(2):
        assert alike(program, seed, 30, asked=asked) >= 20


@given(st.randoms(use_true_random=False))
@settings(max_examples=6)
def test_games_made_by_chance_go_the_same_way(folder: Path, chance: random.Random) -> None:
    try:
        program = load_program(folder / "made", Maker(chance.randrange).game())
    except rulelang.RulesError:
        assume(False)
    alike(program, chance.randrange(1000), 25)
