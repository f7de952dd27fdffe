"""Typed lines at the terminal: choices, `why` and `why not`, in every form a player might type."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_games import corpus, load_game

from interpreter.data import Decision, Option
from workbench.pictures.scene.look import Look
from workbench.terminal import prompting
from workbench.terminal.prompting import Chosen, Narrowed, Unclear, entries, read, stretch, why, why_not
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


# What a typed line means.


SQUARES = [f"{x}{n}" for x in "ab" for n in range(1, 12)]


def _menu() -> Decision:
    build = [Option(f"build.tower {s}", {"option": "build.tower", "with": {"s": s}}, "build.tower") for s in SQUARES]
    sell = [Option(f"sell {g}", {"option": "sell", "with": {"g": g}}, "sell") for g in ("ruby", "Ruby")]
    rest = [Option("rest.now", {"option": "rest.now", "with": {}}, "rest.now")]
    return Decision(0, "turn", "menu", (*build, *sell, *rest))


def _plain(*texts: str) -> Decision:
    return Decision(0, "turn", "choose", tuple(Option(t, {"x": t}) for t in texts))


def test_a_long_menu_lists_its_actions_first() -> None:
    assert [e.text for e in entries(_menu())] == ["build.tower ... (22 ways)", "sell ... (2 ways)", "rest.now"]


def test_an_action_lists_its_values() -> None:
    decision = _menu()
    answer = read("1", decision, entries(decision))
    assert answer == Narrowed(tuple(range(22)))
    assert [e.text for e in entries(decision, answer.indices)][:2] == ["a1", "a2"]


def test_a_number_of_the_list_that_stands_for_one_option_chooses_it() -> None:
    decision = _menu()
    assert read("3", decision, entries(decision)) == Chosen(24)


@pytest.mark.parametrize("typed", ["build.tower a7", "build.t a7", "tower a7", "b a7", "a7", "Build A7", "tower, a7"])
def test_words_and_their_beginnings_choose(typed: str) -> None:
    decision = _menu()
    assert read(typed, decision, entries(decision)) == Chosen(6)


def test_a_whole_word_wins_over_the_beginning_of_others() -> None:
    decision = _menu()
    assert read("build a1", decision, entries(decision)) == Chosen(0), "not a10 and a11"


def test_case_tells_apart_when_it_must() -> None:
    decision = _menu()
    assert read("sell Ruby", decision, entries(decision)) == Chosen(23)
    assert read("sell ruby", decision, entries(decision)) == Chosen(22)


def test_a_beginning_of_several_narrows_the_list() -> None:
    decision = _menu()
    assert read("build b1", decision, entries(decision)) == Chosen(11)
    assert read("build b", decision, entries(decision)) == Narrowed(tuple(range(11, 22)))


def test_numbers_to_choose_from_are_typed_as_they_are() -> None:
    decision = _plain("0", "1", "2", "5")
    assert [e.label for e in entries(decision)] == ["0", "1", "2", "5"]
    assert read("5", decision, entries(decision)) == Chosen(3)
    assert isinstance(read("4", decision, entries(decision)), Unclear)


def test_a_number_means_itself_beside_no() -> None:
    numbers = tuple(Option(str(n), {"n": n}) for n in range(26, 201))
    listed = entries(decision := Decision(0, "bid", "choose", (*numbers, Option("no", None))))
    assert read("30", decision, listed) == Chosen(4) and read("no", decision, listed) == Chosen(175)
    assert "26 to 200" in read("20", decision, listed).message
    many = stretch(listed)
    assert many is not None and many[0] == "26–200" and [entry.text for entry in many[1]] == ["no"]
    assert stretch(entries(_plain("0", "1", "2", "5"))) is None, "a few are listed one by one"


@pytest.mark.parametrize("typed", ["99", "0", "castle", "build z9", "build.tower a1 b2", "-1", "١"])
def test_what_fits_nothing_is_told(typed: str) -> None:
    decision = _menu()
    assert isinstance(read(typed, decision, entries(decision)), Unclear)


def test_the_name_of_a_thing_is_not_the_beginning_of_another() -> None:
    decision = Decision(0, "turn", "menu", _menu().options[1:])
    listed = entries(decision)
    assert isinstance(read("build a1", decision, listed), Narrowed), "without the names a1 begins a10 and a11"
    assert isinstance(read("build a1", decision, listed, {"a1", "a10", "a11"}), Unclear)
    assert read("b a10", decision, listed, {"a1", "a10", "b"}) == Chosen(8)
