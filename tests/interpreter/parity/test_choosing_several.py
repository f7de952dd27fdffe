"""Several chosen one after another: every result once, and the same on both engines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from alike import same_on_both
from small_games import load_game, mistakes

from interpreter.errors import RuleFault
from interpreter.loading import ENGINES

GAME = """
game tiny
  players 2

enum Fruit: apple, pear, plum
enum Hill: oak, elm, ash, fir
range Card: 1..20

the game has
  barn: pool of Fruit
  pile: stack of Fruit = [apple, plum, apple]
  hills: set of Hill
  numbers: set of Card
  order: 0..999
  none_at_all: flag

each Player has
  hand: pool of Fruit = {{apple: 2, pear: 1, plum: 1}}, seen by owner, counted
  score: 0..99

each Hill has
  stone: slot of Player

winner most score[p], then shared

rule play
  let p = first(Player)
{body}
  p chooses done in 1..1
"""

WAYS = {
    "two pieces": ("p chooses 2 of c in hand[p]\n  move c from hand[p] to barn", 4),
    "up to two pieces": ("p chooses up to 2 of c in hand[p]\nmove c from hand[p] to barn", 1 + 3 + 4),
    "any pieces": ("p chooses any of c in hand[p]\nmove c from hand[p] to barn", 3 * 2 * 2),
    "some of the kinds": (
        "openly p chooses 2 of c in hand[p] where c is not apple\n  move c from hand[p] to barn",
        1,
    ),
    "pieces of a stack": (
        "p chooses 2 of c in pile[1..3]\n  set order to c[apple] * 10 + c[plum]",
        2,
    ),
    "two hills": ("p chooses 2 of h in Hill\nset hills to h", 6),
    "one to three hills": ("p chooses 1..3 of h in Hill\nset hills to h", 4 + 6 + 4),
    "any hills": ("p chooses any of h in Hill\nset hills to h", 16),
    "numbers": ("p chooses 3 of n in 1..6\n  set numbers to n", 20),
    "members that come several times": ("p chooses 2 of h in [elm, oak, elm]\n  set hills to h", 1),
    "an order": (
        "p orders c in pile[1..3]\nset order to sum(index(c[n] otherwise pear) * n * n for n in 1..3)",
        3,
    ),
    "an order of pieces": (
        "p orders c in hand[p]\nset order to sum(index(c[n] otherwise pear) * n * n for n in 1..4)",
        12,
    ),
    "an order of members": (
        "p orders h in Hill where h is not ash\nset order to sum(index(h[n] otherwise oak) * n * n for n in 1..3)",
        6,
    ),
    "not enough": ("p chooses 5 of h in Hill\n  set hills to h\notherwise\n  set none_at_all to yes", 1),
    "none": ("p chooses up to 0 + 1 of h in Hill\n  set hills to h\notherwise\n  set none_at_all to yes", 5),
    "a number that is worked out": (
        "let k = count(hand[p]) - 2\np chooses k of h in Hill\n  set hills to h",
        6,
    ),
}


def text(body: str) -> str:
    return GAME.format(body="\n".join(f"  {line}" for line in body.split("\n")))


def ends(state: Any) -> list[dict[str, Any]]:
    """What has become of the game in every way to choose, up to the last question."""
    if [option.text for option in state.decision.options] == ["1"] and "done" in state.decision.options[0].value:
        return [dict(state.values())]
    found = []
    for number in range(len(state.decision.options)):
        then = state.copy()
        then.choose(number)
        found += ends(then)
    return found


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("way", WAYS)
def test_every_result_comes_once(way: str, engine: str, tmp_path: Path) -> None:
    body, number = WAYS[way]
    found = ends(load_game(tmp_path, text(body), engine=engine).start(0))
    assert len(found) == number
    assert len({repr(values) for values in found}) == number


@pytest.mark.parametrize("way", WAYS)
def test_games_go_on_alike(way: str, made: Callable[[str], Any]) -> None:
    same_on_both(made(text(WAYS[way][0])), games=4)


@pytest.mark.parametrize("engine", ENGINES)
def test_large_choices_have_short_lists(engine: str, tmp_path: Path) -> None:
    state = load_game(tmp_path, text("p chooses 10 of n in 1..20\n  set numbers to n"), engine=engine).start(0)
    for _ in range(10):
        assert len(state.decision.options) <= 11
        state.choose(len(state.decision.options) - 1)
    assert state.values()["numbers"] == list(range(11, 21))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_promise_that_is_broken_stops_the_game(engine: str, tmp_path: Path) -> None:
    game = load_game(tmp_path, text("set none_at_all to yes\nsurely p chooses 5 of c in hand[p]"), engine=engine)
    with pytest.raises(RuleFault, match="nothing to choose"):
        game.start(0)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_game_is_saved_between_two_questions(engine: str, tmp_path: Path) -> None:
    game = load_game(tmp_path, text(WAYS["two pieces"][0]), engine=engine)
    state = game.start(0)
    state.choose(0)
    again = game.resume(game.save(state))
    assert again.decision.options == state.decision.options
    for each in (state, again):
        each.choose(0)
    assert state.values() == again.values()


def test_what_may_not_be_there_is_reported(tmp_path: Path) -> None:
    found = mistakes(tmp_path, text("p chooses 2 of c in barn"))
    assert found == [("R0502", "There may not be enough to choose from.")]
    assert mistakes(tmp_path, text("if count(barn) >= 2\n  p chooses 2 of c in barn\n  do nothing")) == []
    assert mistakes(tmp_path, text("if count(barn) >= 2\n  p chooses 3 of c in barn\n  p scores 1")) == found


def test_who_chooses_must_be_allowed_to_see_it(tmp_path: Path) -> None:
    (found,) = mistakes(tmp_path, text("p chooses up to 2 of c in hand[next(p)]"))
    assert found[0] == "R0508"
    assert mistakes(tmp_path, text("openly p chooses up to 2 of c in hand[next(p)]")) == []


def test_how_many_are_chosen_is_no_secret(tmp_path: Path) -> None:
    chosen = "p chooses up to 2 of c in hand[p]\nmove c from hand[p] to hand[next(p)]"
    assert mistakes(tmp_path, text(f"{chosen}\nif count(c) is 2\n  p scores 1")) == []
    (found,) = mistakes(tmp_path, text(f"{chosen}\nif c[apple] is 2\n  p scores 1"))
    assert found[0] == "R0512"


def test_whether_there_are_enough_of_a_kind_is_not_to_be_seen(tmp_path: Path) -> None:
    chosen = "p chooses 2 of c in hand[p] where c is not pear\n  move c from hand[p] to barn"
    assert [code for code, _ in mistakes(tmp_path, text(chosen))] == ["R0512"]
    assert mistakes(tmp_path, text(f"openly {chosen}")) == []
