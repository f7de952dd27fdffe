"""What a typed line means."""

from __future__ import annotations

import pytest

from interpreter.data import Decision, Option
from workbench.terminal.prompting import Chosen, Narrowed, Unclear, entries, read, stretch

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
