"""Everybody sees a fault: where something hidden decides it, it must be certain not to happen, or be disclosed."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from small_games import write_game

import interpreter
import rulelang

HOST = """\
game vault
  players 3
  seats red, blue, green

enum Gem: ruby, opal, jade

the game has
  rounds: 0..9
  level: 0..9
  deck: stack of Gem = {{g: 9 for g in Gem}}, seen by nobody, counted
  well: stack of Gem = {{g: 9 for g in Gem}}, seen by nobody
  table: pool of Gem = {{ruby: 9}}
  sealed: slot of Gem, seen by nobody
  fate: 0..9, seen by nobody
  storm: flag, seen by nobody

each Player has
  coins: 0..20 = 9, seen by owner
  debt: 0..20, not below 0, not above 20, seen by owner
  hand: pool of Gem = {{ruby: 2}}, seen by owner, counted
  purse: pool of Gem, seen by owner, 2 of ruby for 1
  plan: 0..9, seen by owner
  score: 0..99

define price(g: Gem) = {{g: 2}}
define due(g: Gem) = if level > 5 then {{}} else price(g)
define third(n: 0..9) = n / 3 rounded down
define leads(p: Player, g: Gem) = g is ruby or not some(h is ruby for h in hand[p])
event shout(p: Player, n: 0..99)

rule play
  take turns p from first(Player) until rounds is 9
    increase rounds by 1
    roll n in 0..9
    set level to n
    do turn(p, next(p))

rule turn(p: Player, q: Player)
{body}
{items}
"""


def found(folder: Path, body: str, items: str = "") -> list[str]:
    text = HOST.format(body=textwrap.indent(textwrap.dedent(body).strip("\n"), "  "), items=textwrap.dedent(items))
    every = rulelang.check_path(write_game(folder, text)).diagnostics
    return [d.code for d in every if d.code != "R0509"]


PAY = """
rule pay(p: Player, n: 0..9)
  decrease coins[p] by n
"""

PAY_IF = """
rule pay(p: Player, n: 0..9)
  needs coins[p] >= n
  decrease coins[p] by n
"""

CERTAIN = {
    "offered by a need": """
        p chooses one of
          option pay(n in 1..5)
            needs coins[p] >= n + 1
            decrease coins[p] by n
            decrease coins[p] by 1
          option pass
        """,
    "offered by where": "p chooses n in 0..min(9, coins[p])\ndecrease coins[p] by n",
    "of a choice that must be made": "surely p chooses n in 0..20 where n <= coins[p]\ndecrease coins[p] by n",
    "cut off": "set coins[p] to max(0, min(20, coins[p] + plan[p] - 4))",
    "a number that stops": "increase debt[p] by plan[p]\ndecrease debt[q] by coins[q]",
    "either way": "set plan[p] to if coins[p] > 9 then 9 else coins[p]",
    "a third of it": "set plan[p] to coins[p] / 3 rounded down",
    "what was put there before": "set plan[p] to 3\nincrease plan[p] by 4\ndecrease plan[p] by 7",
    "an argument that is tested first": "let x = if coins[p] <= 9 then third(coins[p]) else 0",
    "an argument behind `and`": "let x = coins[p] < 10 and third(coins[p]) > 1",
    "the name of a value": "let most = min(coins[p], 3)\ndecrease coins[p] by most",
    "a card to follow with": "surely p chooses g in hand[p] where leads(p, g)",
    "a card to follow with, said otherwise": """
        surely p chooses g in hand[p] where g is opal or every(h is not opal for h in hand[p])
        """,
    "as many as all may count": "surely move 2 from deck to hand[p]\nsurely p chooses 2 of g in hand[p]",
    "a bundle chosen": "p chooses b in bundles(hand[p], 2)\n  move b from hand[p] to table",
    "a bundle out of a list": """
        p chooses b in list(x for n in 1..2, x in bundles(hand[p], n))
          move b from hand[p] to table
        """,
    "a price that depends": """
        p chooses one of
          option buy(g in Gem)
            needs purse[p] covers due(g)
            if level <= 5
              p pays price(g) from purse[p] to table
          option pass
        """,
    "one option or the other": """
        p chooses one of
          option many
            needs coins[p] > 3
          option few
            needs coins[p] <= 3
        """,
    "none to sell, so pass": """
        p chooses one of
          option sell(g in Gem)
            needs purse[p][g] > 1
            move 1 of g from purse[p] to table
          option pass
            needs not some(purse[p][g] > 1 for g in Gem)
        """,
    "as many of each as it takes": """
        p chooses one of
          option pay(g in Gem)
            needs g is not ruby and hand[p][g] + hand[p][ruby] >= 3
            surely p chooses n in 0..3 where hand[p][ruby] >= n and hand[p][g] >= 3 - n
            surely move n of ruby from hand[p] to table
            surely move 3 - n of g from hand[p] to table
          option pass
        """,
    "counted where they come to": "surely move 28 from well to hand[p]",
    "put aside in between": "surely move all from hand[p] to sealed\nopenly move all from sealed to hand[q]",
    "found where it lies": (
        "surely move at (first(n in 1..count(deck) where deck[n] is ruby) otherwise 1) from deck to hand[p]"
    ),
    "what is public": "surely move 9 of ruby from table to hand[p]\nset level to level + rounds",
    "pieces of a choice added up": """
        p chooses b in bundles(hand[p], 2)
          let worth = sum(1000 * b[g] for g in b)
        otherwise
          do nothing
        """,
}


@pytest.mark.parametrize("body", CERTAIN.values(), ids=CERTAIN)
def test_what_is_certain_not_to_fault_tells_nothing(body: str, tmp_path: Path) -> None:
    assert found(tmp_path, body) == []


TELLING = {
    "of another": "p chooses n in 0..9\nset coins[q] to coins[q] + n",
    "a need about another player": """
        p chooses one of
          option pay(n in 1..5)
            needs coins[p] >= n
            decrease coins[q] by n
          option pass
        """,
    "used up in between": """
        p chooses n in 0..min(9, coins[p])
        decrease coins[q] by min(coins[q], n)
        decrease coins[p] by n
        """,
    "twice": "p chooses n in 0..min(9, coins[p])\ndecrease coins[p] by n\ndecrease coins[p] by n",
    "again and again": """
        p chooses n in 0..min(9, coins[p])
        repeat at most 2
          decrease coins[p] by n
        """,
    "set past its bounds": "set debt[p] to debt[p] + plan[p]",
    "an argument not tested": "let x = third(coins[p])",
    "an argument behind `or`": "let x = coins[p] < 10 or third(coins[p]) > 1",
    "only if it is hidden": "if storm\n  let x = third(rounds + level)",
    "only for some of the hidden": "each g in purse[q]\n  let x = third(rounds + level)",
    "without a proof": "surely p chooses n in 1..9 where n <= plan[p]",
    "one that cannot follow": "surely p chooses g in hand[p] where g is opal or not some(h is ruby for h in hand[p])",
    "as many as nobody may count": "surely move 28 from well to purse[p]",
    "more of one than it takes": """
        p chooses one of
          option pay(g in Gem)
            needs g is not ruby and hand[p][g] + hand[p][ruby] >= 3
            surely p chooses n in 0..3 where hand[p][ruby] >= n and hand[p][g] >= 4 - n
            surely move n of ruby from hand[p] to table
            surely move 4 - n of g from hand[p] to table
          option pass
        """,
    "of what may be the same kind": """
        p chooses one of
          option pay(g in Gem)
            needs hand[p][g] + hand[p][ruby] >= 3
            surely p chooses n in 0..3 where hand[p][ruby] >= n and hand[p][g] >= 3 - n
            surely move n of ruby from hand[p] to table
            surely move 3 - n of g from hand[p] to table
          option pass
        """,
    "put aside with what nobody counts": "surely move all from hand[p] to sealed\nmove all from sealed to well",
    "put aside where all do so unseen": """
        together each r in Player
          surely move all from hand[r] to sealed
          move all from sealed to hand[r]
        """,
    "found where it may not lie": (
        "surely move at (first(n in 1..count(deck) where deck[n] is ruby) otherwise 2) from deck to hand[p]"
    ),
    "no room": "move all from sealed to well\nsurely move 2 from deck to sealed",
    "one option or none": """
        surely p chooses one of
          option many
            needs coins[p] > 4
          option few
            needs coins[p] < 4
        """,
    "a number of pieces below 0": "move up to coins[q] - 5 from well to purse[q]",
    "turns of a value": "let x = third(plan[q] + rounds)",
    "too big": "let x = coins[q] * 1000000000",
}


@pytest.mark.parametrize("body", TELLING.values(), ids=TELLING)
def test_what_may_fault_on_something_hidden_is_found_and_can_be_disclosed(body: str, tmp_path: Path) -> None:
    assert "R0515" in found(tmp_path / "closed", body)


def test_what_is_said_openly_is_meant(tmp_path: Path) -> None:
    for number, line in enumerate(("decrease coins[p] by 7", "let x = third(coins[q])", "do pay(q, 3)")):
        items = PAY_IF.replace("needs", "openly needs") if "pay" in line else ""
        openly = f"openly {line}" if "pay" not in line else line
        assert found(tmp_path / f"open{number}", openly, items) == []
        assert found(tmp_path / f"closed{number}", line, items.replace("openly ", "")) == ["R0515"]


def test_what_holds_wherever_a_rule_is_run_holds_in_it(tmp_path: Path) -> None:
    guarded = """
        p chooses one of
          option once(n in 1..5)
            needs n <= coins[p]
            do pay(p, n)
          option again(m in 2..4)
            needs coins[p] > 8
            do pay(p, m)
          option pass
        """
    for number, rule in enumerate((PAY_IF, PAY)):
        assert found(tmp_path / f"all{number}", guarded.replace("coins[p] > 8", "m <= coins[p]"), rule) == []
        assert found(tmp_path / f"none{number}", guarded.replace("needs n <= coins[p]", "needs n > 0"), rule) == [
            "R0515"
        ]
    assert found(tmp_path / "enough", guarded, PAY_IF) == []


def test_who_hears_of_an_event_later_may_find_it_otherwise(tmp_path: Path) -> None:
    items = """
        rule first_of_all on shout(r, n)
          set coins[r] to 0
        rule then_paid on shout(r, n)
          decrease coins[r] by min(1, n)
        """
    body = "p chooses one of\n  option call\n    needs coins[p] > 3\n    announce shout(p, 3)\n  option pass"
    assert found(tmp_path / "second", body, items) == ["R0515"]
    first = (
        items.replace("set coins[r] to 0", "do nothing")
        .replace("then_paid", "also")
        .replace("rule first_of_all", "rule a")
    )
    assert found(tmp_path / "alone", body, "\nrule then_paid on shout(r, n)\n  decrease coins[r] by min(1, n)\n") == []
    assert found(tmp_path / "behind", body, first) == ["R0515"]


def test_what_is_supposed_tells_as_well(tmp_path: Path) -> None:
    body = "let x = count(Gem) after do spend(q)"
    spend = "\nrule spend(p: Player)\n  openly decrease coins[p] by 5\n"
    assert found(tmp_path / "closed", body, spend) == ["R0515"]
    assert found(tmp_path / "safe", body, spend.replace("openly decrease coins[p] by 5", "set coins[p] to 5")) == []


def test_one_finding_a_statement_and_source(tmp_path: Path) -> None:
    assert found(tmp_path, "let x = third(coins[q]) + third(coins[q] + 1) + third(coins[q] + 2)") == ["R0515"]


def test_a_number_stops_where_it_is_told_to_on_both_engines(tmp_path: Path) -> None:
    text = """\
game purse
  players 2

each Player has
  gold: 0..10 = 5, not below 1, not above 8
  score: 0..2147483647, not above 2147483000

winner most score[p], then shared

rule play
  each p in Player
    surely p chooses n in -9..9
    increase gold[p] by n
    p scores 2147483000
    p scores n * n * 1000
"""
    folder = write_game(tmp_path, text)
    for engine in ("reference", "wasm"):
        game = interpreter.load(folder, engine=engine)
        for first, second, gold in ((0, 18, (1, 8)), (18, 0, (8, 1)), (10, 11, (6, 7))):
            state = game.start(seed=1)
            state.choose(first)
            state.choose(second)
            assert tuple(game.evaluate(f"gold[{seat}]", state) for seat in ("player_1", "player_2")) == gold
            assert set(state.scores) == {2147483000}


POT = """\
game pot
  players 3..5

number all_chips = 11 * players

the game has
  pot: 0..all_chips
  sealed: 0..all_chips, seen by nobody

each Player has
  chips: 0..all_chips = 11, seen by owner

{invariant}

rule play
  take turns p from first(Player) until pot is 5
    p chooses one of
      option take
        {before}
        increase chips[p] by pot
        set pot to 0
      option pay
        needs chips[p] > 0
        decrease chips[p] by 1
        increase pot by 1
      option pass
"""
STAYS = "invariant stays: pot + sum(chips[p] for p in Player) is all_chips"


@pytest.mark.parametrize(
    ("invariant", "before", "severity"),
    [
        (STAYS, "do nothing", "warning"),
        ("invariant stays: sum(chips[p] for p in Player) <= all_chips - pot", "do nothing", "warning"),
        ("invariant stays: all_chips - pot is sum(chips[q] for q in Player)", "set sealed to pot", "warning"),
        (STAYS, "increase pot by 1", "error"),
        (STAYS, "if sealed > 0\n          set chips[next(p)] to 0", "error"),
        ("", "do nothing", "error"),
        ("invariant stays: pot + sum(chips[p] for p in Player) <= all_chips + 1", "do nothing", "error"),
        ("invariant stays: pot + sum(chips[p] for p in Player where pot > 0) is all_chips", "do nothing", "error"),
        ("invariant stays: pot + chips[first(Player)] <= all_chips", "do nothing", "error"),
    ],
)
def test_an_invariant_is_a_promise(invariant: str, before: str, severity: str, tmp_path: Path) -> None:
    text = POT.format(invariant=invariant, before=before)
    every = [d for d in rulelang.check_path(write_game(tmp_path, text)).diagnostics if d.code == "R0515"]
    own = [d for d in every if "increase chips[p] by pot" in text.splitlines()[d.span.line - 1]]
    assert [d.severity for d in own] == [severity], "once, whatever the number of players"
    assert ("Only a promise" in (own[0].help or "")) is (severity == "warning")
