"""Values of definitions remembered between two changes: both engines play alike, with them and without."""

from __future__ import annotations

from pathlib import Path

import pytest
from alike import same_on_both
from small_games import corpus, load_game, load_program

from interpreter.passes.remember import MemoryPlan, apart, plan
from interpreter.wasm.expr.hoisted import fits, span
from rulelang.program import Program

MINES = corpus("mines")

FAULTY = corpus("faulty")


def made(program: Program) -> MemoryPlan:
    return plan(program, span, fits)


def test_a_game_with_suppositions_secrets_and_watchers(tmp_path: Path) -> None:
    program = load_program(tmp_path, MINES)
    assert {"wealth", "worth", "mine", "goal"} <= made(program).kept.keys()
    same_on_both(program, games=12)


def test_what_reads_nothing_needs_no_clock(tmp_path: Path) -> None:
    found = made(load_program(tmp_path, MINES))
    assert found.kept["goal"].clock is None
    assert found.clocks_of(["round", "score"]) == []
    assert found.clocks_of(["left"]) == sorted({found.kept[name].clock for name in ("wealth", "worth", "mine")})
    assert found.clocks_of(["holder"]) == [found.kept["mine"].clock]


def test_a_fault_comes_where_it_comes_without(tmp_path: Path) -> None:
    program = load_program(tmp_path, FAULTY)
    assert made(program).kept.keys() == {"grown"}
    same_on_both(program, games=12)


def test_switched_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULELANG_WITHOUT", "remember")
    program = load_program(tmp_path, MINES)
    assert not made(program).kept
    same_on_both(program)


def test_scores_are_those_of_the_position_at_hand(tmp_path: Path) -> None:
    text = """
game ranked
  players 2

enum Hill: oak, elm, ash, fir

each Hill has
  holder: Player or none

winner most worth(p) + worth(p), then shared

define held(p: Player) = count(h in Hill where holder[h] is p)
define worth(p: Player) = sum(held(p) * (index(a) + index(b)) for a in Hill, b in Hill)

rule play
  take turns p from first(Player) until every(holder[h] is not none for h in Hill)
    p chooses h in Hill where holder[h] is none and worth(p) < 10000
      set holder[h] to p
    otherwise
      do nothing
"""
    game = load_game(tmp_path, text, engine="wasm")
    played, fresh = game.start(1), game.start(1)
    before = fresh.scores
    for _ in range(3):
        played.choose(0)
        assert played.scores != fresh.scores == before
    same_on_both(load_program(tmp_path, text))


WARES = """
game wares
  players 2

enum Ware: silk, salt, dye, gem
enum Deal: small, fair, large, grand, royal, final

table Lot
  ware: Ware
  price: pieces of Ware
  rows
    hat: silk, {silk: 1, salt: 1}
    tub: salt, {salt: 1, dye: 2}
    pot: dye, {dye: 1, gem: 3}
    ring: gem, {gem: 1, silk: 1}
    cap: silk, {silk: 1, dye: 2}
    jar: salt, {salt: 1, gem: 3}
    cup: dye, {dye: 1, silk: 1}
    pin: gem, {gem: 1, salt: 2}
    bag: silk, {silk: 1, gem: 3}
    urn: salt, {salt: 1, silk: 1}
    pan: dye, {dye: 1, salt: 2}
    gown: gem, {gem: 1, dye: 3}

the game has
  bank: pool of Ware = {w: 9 for w in Ware}
  lots: pool of Lot = {l: 2 for l in Lot}

each Player has
  purse: pool of Ware, EXCHANGES
  won: pool of Lot
  score: 0..99

winner most score[p], then shared

define due(p: Player, l: Lot) = l.price - {w.ware: 1 for w in won[p]}
define open(p: Player, l: Lot) = purse[p] covers due(p, l)
define owned(p: Player, d: Deal, l: Lot) = count({w.ware: 1 for w in won[p]} + l.price) + index(d)

rule play
  repeat at most 9
    take turns p from first(Player) until p is last(Player)
      do turn(p)

rule turn(p: Player)
  each w in Ware where bank[w] > 0
    p chooses one of
      option take
        move 1 of w from bank to purse[p]
      option pass
        do nothing
  p chooses up to 1 of l in Lot where lots[l] > 0 and (open(p, l) or some(owned(p, d, l) > 9 for d in Deal))
    each one in l
      if open(p, one)
        p pays due(p, one) from purse[p] to bank
        surely move 1 of one from lots to won[p]
        p scores min(9, count(due(p, one)))
"""


@pytest.mark.parametrize("exchanges", ["1 of gem for 1", "2 of [silk, salt] for 1 of dye", "2 of any for 1"])
def test_pieces_that_a_definition_gathers(tmp_path: Path, exchanges: str) -> None:
    program = load_program(tmp_path, WARES.replace("EXCHANGES", exchanges))
    shared = apart(program, made)
    assert {name for name in made(shared).kept if name not in program.definitions} == {
        "portion 1 of due",
        "portion 1 of owned",
    }
    same_on_both(program, games=8)
