"""Menus with an aim: they offer what a recursive definition would, on both engines, and say why not."""

from __future__ import annotations

from pathlib import Path

import pytest
from alike import same_on_both
from small_games import load_game, mistakes

from interpreter.loading import ENGINES

BY_HAND = """
define best(p: Player): 0..60, at most {more} deep = min(left(p),
    min(best(p) after do go(p, f, n) for f in Foot, n in set(dice) where can(p, f, n)) otherwise 60,
    if coins[p] > 0 and price <= left(p) then best(p) after do trade(p) else 60)
"""
GAME = """
game rush
  players 2

track Field: 9
enum Foot: hop, skip
number price = 3

the game has
  dice: list of 1..6, at most 3
  rounds: 0..40

each Player has
  coins: 0..4 = 4
  purse: 0..2147483647 = 7
  score: 0..400
each Player and Foot has
  spot: Field

define free(b: Field) = every(spot[q, f] is not b for q in Player, f in Foot)
define can(p: Player, f: Foot, n: 1..6) = some(free(b) for b in spot[p, f] + n)
define left(p: Player): 0..60 = min(60, sum(dice) + coins[p])
winner most score[p], then shared

rule play
  take turns p from first(Player) until rounds >= 30
    increase rounds by 1
    roll x in 1..6, y in 1..6, z in 1..6
    set dice to [x, y, z]
    do turn(p)

rule turn(p: Player)
  repeat at most 4
    p chooses one of{aim}
      option step(f in Foot, n in set(dice))
        needs can(p, f, n)
{needs_step}        do go(p, f, n)
      option sell
        needs coins[p] > 0
        needs price <= left(p)
{needs_sell}        do trade(p)
    otherwise
      stop
    p scores 1
  each f in Foot
    if spot[p, f].number > 6 and free(field_1)
      set spot[p, f] to field_1

rule go(p: Player, f: Foot, n: 1..6)
  set spot[p, f] to spot[p, f] + n otherwise spot[p, f]
  let k = first(i in 1..3 where dice[i] is n) otherwise 9
  set dice to dice[1..k - 1] + dice[k + 1..3]

rule trade(p: Player)
  decrease coins[p] by 1
"""


def aimed(aim: str) -> str:
    return GAME.format(aim=f" for {aim}", needs_step="", needs_sell="")


def by_hand(deep: int) -> str:
    """The same without the aim: each option leads to the best that can be reached at all."""
    assert deep > 8, "a recursive definition has no bound that cuts it off"
    return GAME.format(
        aim="",
        needs_step="        needs (best(p) after do go(p, f, n)) is best(p)\n",
        needs_sell="        needs (best(p) after do trade(p)) is best(p)\n",
    ) + BY_HAND.format(more=deep)


def courses(folder: Path, text: str, engine: str, seed: int) -> list[list[str]]:
    """What was on offer at each question of a game in which the options are taken in turn."""
    folder.mkdir()
    state = load_game(folder, text, engine=engine).start(seed=seed)
    found = []
    while (decision := state.decision) is not None and len(found) < 60:
        found.append([str(option) for option in decision.options])
        state.choose((len(found) + seed) % len(decision.options))
    return found


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seed", range(3))
def test_an_aim_offers_what_a_recursive_definition_would(engine: str, seed: int, tmp_path: Path) -> None:
    aims = ("fewest left(p), at most 9 deep", "most 0 - left(p), at most 9 deep")
    texts = [*map(aimed, aims), by_hand(10)]
    least, most, hand = (courses(tmp_path / str(number), text, engine, seed) for number, text in enumerate(texts))
    assert least == most == hand


@pytest.mark.parametrize(
    "aim",
    [
        "fewest left(p), at most 3 deep",
        "most coins[p], at most 2 deep",
        "fewest sum(dice), at most 1 deep",
        "most 3 + purse[p], at most 1 deep",
    ],
)
def test_both_engines_offer_the_same(aim: str, tmp_path: Path) -> None:
    same_on_both(load_game(tmp_path, aimed(aim)).program, games=8)


def test_a_mistake_in_an_option_is_reported_once(tmp_path: Path) -> None:
    text = aimed("fewest left(p), at most 3 deep").replace("needs can(p, f, n)", "needs cann(p, f, n)")
    assert [code for code, _ in mistakes(tmp_path, text)] == ["R0401"]


def test_a_list_with_a_name_cannot_be_passed_on(tmp_path: Path) -> None:
    text = aimed("fewest left(p), at most 3 deep").replace("set(dice))", "set(some_dice))")
    text = text.replace("  repeat at most 4\n", "  let some_dice = dice\n  repeat at most 4\n")
    assert [code for code, _ in mistakes(tmp_path, text)] == ["R0402"]


def test_what_an_aim_looks_at_and_is_hidden_is_told(tmp_path: Path) -> None:
    text = aimed("fewest left(p), at most 3 deep").replace("coins: 0..4 = 4", "coins: 0..4 = 4, seen by nobody")
    assert {code for code, _ in mistakes(tmp_path, text)} & {"R0508", "R0512"}
