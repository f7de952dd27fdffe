"""`why` and `why not` at the terminal, in every form a player might type."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_games import corpus, load_game

from workbench.pictures.scene.look import Look
from workbench.terminal import prompting
from workbench.terminal.prompting import why, why_not
from workbench.wording import Wording

GAME = corpus("asked_yard")


@pytest.fixture
def ask(tmp_path: Path):
    """Asks at the decision after some choices (by text); gives the answer as one text."""
    game = load_game(tmp_path / "yard", GAME)

    wording = Wording(game.program, Look())

    def answer(line: str, *chosen: str) -> str:
        state: Any = game.start(1)
        for text in chosen:
            state.choose(next(i for i, o in enumerate(state.decision.options) if o.text == text))
        listed = prompting.entries(state.decision)
        word, _, rest = line.removeprefix("why").strip().partition(" ")
        if word == "not":
            lines = why_not(game, state, state.decision, rest, listed, wording)
        else:
            lines = why(game, state, state.decision, f"{word} {rest}".strip(), listed, wording)
        return "\n".join(line.plain for line in lines)

    return answer


FORBIDDEN = ("build.house a1", "build.house(a1)", "build.house (a1)", "build.house c=a1", "house a1", "Build.House A1")


@pytest.mark.parametrize("typed", [*FORBIDDEN, "build.house, a1", "build.house: a1", "build.house(a1", "build (A1)"])
def test_what_is_not_offered_is_explained_however_it_is_written(ask, typed: str) -> None:
    told = ask(f"why not {typed}")
    assert told.startswith("no: build.house a1 is not possible.")
    assert "✓ house[c] is none" in told and "✗ index(c) > 0" in told


@pytest.mark.parametrize("typed", ["1", "build.house a2", "build.house(a2)", "a2", "BUILD.HOUSE A2", "house(c=a2)"])
def test_why_not_of_what_is_offered_says_that_it_is_possible(ask, typed: str) -> None:
    told = ask(f"why not {typed}")
    assert "yes: build.house a2 is possible." in told and "✓ index(c) > 0" in told


@pytest.mark.parametrize("typed", ["sell wood 2", "sell(wood, 2)", "sell (wood,2)", "sell wood, 2", "Sell(Wood, 2)"])
def test_several_values(ask, typed: str) -> None:
    assert "yes: sell wood" in ask(f"why not {typed}")
    assert "✗ goods[p][s] >= n" in ask(f"why not {typed}".casefold().replace("wood", "brick"))


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("", "Name what you would like to do: `why not NAME VALUE ...`"),
        ("99", "The list has no number 99. Choose one from 1 to 5."),
        ("juggle 3", "There is no action `juggle`; choose one of build.house, sell, rest."),
        ("biuld.house a1", "There is no action `biuld.house`; did you mean `build.house`?"),
        ("build.house", "Give these values: `why not build.house C`"),
        ("sell wood", "Give these values: `why not sell S N`"),
        ("rest a1", "It takes no values: `why not rest`"),
    ],
)
def test_what_cannot_be_understood_is_answered_with_how_to_ask(ask, typed: str, told: str) -> None:
    assert ask(f"why not {typed}") == told


@pytest.mark.parametrize("typed", ["(", "()", "{", "=", ",", ":", "a1 a1 a1", "build.house(", "sell((", "no", "-1"])
def test_odd_questions_get_an_answer(ask, typed: str) -> None:
    assert ask(f"why not {typed}")
    assert ask(f"why {typed}")


def test_a_value_that_is_the_beginning_of_others_is_that_value(ask) -> None:
    assert "✗ index(c) > 0" in ask("why not build.house a1")
    assert "yes: build.house a10 is possible." in ask("why not build.house a10")


@pytest.mark.parametrize("typed", ["2 a2", "2, a2", "(2, a2)", "n=2 c=a2", "2 A2"])
def test_values_of_a_plain_choice(ask, typed: str) -> None:
    told = ask(f"why not {typed}", "build.house a2")
    assert told.startswith("no: 2 a2 is not possible.") and "✗ c is not a2" in told


def test_a_number_of_the_list_wins_over_a_value(ask) -> None:
    assert ask("why not 2", "build.house a2").startswith("2, a10\nyes: 2, a10 is possible.")


@pytest.mark.parametrize("typed", ["build.house a1", "build.house(a1)", "build.h a1"])
def test_an_action_while_something_else_is_asked(ask, typed: str) -> None:
    assert "is asked for something else now, in rule fence" in ask(f"why not {typed}", "build.house a2")


@pytest.mark.parametrize("typed", ["2 brick", "pay 2 brick", "pays {brick: 2}", "{brick: 2}", "2 of brick", "brick: 2"])
def test_payments(ask, typed: str) -> None:
    told = ask(f"why not {typed}", "build.house a2", "2, a1")
    assert told.startswith("no: ") and "the payment covers {wood: 1}" in told
