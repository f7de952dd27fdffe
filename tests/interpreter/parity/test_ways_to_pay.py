"""The ways to pay, which the fast engine lists by code written for a pool: the same ones, in the same order."""

from __future__ import annotations

from pathlib import Path

import pytest
from alike import noted
from small_games import load_game, load_program

GAME = """game till
  players 1

enum Good: wood, wool, iron, gems

the game has
  bank: pool of Good = {g: 200000 for g in Good}

each Player has
  purse: pool of Good, EXCHANGE

define price(n: 0..9999) = {
    wood: n mod 3 + GREAT, wool: n / 3 rounded down mod 3,
    iron: n / 9 rounded down mod 2, gems: n / 18 rounded down mod 2}

rule play
  repeat at most 400
    roll a in 0..3, b in 0..4, c in 0..5, d in 0..3, n in 0..35
    move all from purse[first(Player)] to bank
    surely move {wood: a + GREAT, wool: b, iron: c, gems: d} from bank to purse[first(Player)]
    if purse[first(Player)] covers price(n)
      do pay(first(Player), n)

rule pay(p: Player, n: 0..9999)
  surely p pays price(n) from purse[p] to bank
"""

EXCHANGES = (
    "1 of any for 1",
    "2 of any for 1",
    "3 of any for 1",
    "1 of gems for 1",
    "2 of iron for 1 of [wood, wool]",
    "1 of [iron, gems] for 1",
    "2 of any for 1, 1 of gems for 1",
)
BY_THE_KERNEL = EXCHANGES[-2:]
"""Those of several kinds, and several of them."""


@pytest.mark.parametrize(("exchange", "great"), [*((exchange, 0) for exchange in EXCHANGES), ("", 100000)])
def test_the_same_ways_to_pay(tmp_path: Path, exchange: str, great: int) -> None:
    text = GAME.replace(", EXCHANGE", f", {exchange}" if exchange else "").replace("GREAT", str(great))
    states = [load_game(tmp_path, text, engine=engine).start(5) for engine in ("reference", "wasm")]
    several = 0
    for number in range(20 if exchange else 3):
        asked = [state.decision for state in states]
        if asked[0] is None:
            break
        ways = [[option.value for option in decision.options] for decision in asked if decision is not None]
        assert ways[0] == ways[1]
        several += len(ways[0]) > 1
        for state in states:
            state.choose(number % len(ways[0]))
    assert several > 1 or not exchange
    assert bool(noted(load_program(tmp_path, text))["payments"]) == (exchange not in BY_THE_KERNEL)
