"""What does not depend on a loop is worked out once before it, when it is asked for; both engines play alike."""

from __future__ import annotations

from pathlib import Path

import pytest
from alike import same_on_both
from small_games import corpus, load_game, load_program

from interpreter.errors import RuleFault
from interpreter.position.blueprint import Blueprint
from interpreter.wasm.write.module import Module

TRADE = corpus("trade")


def test_not_for_each_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = load_program(tmp_path, TRADE)
    with_it = Module(Blueprint(program), steps=False).text()
    monkeypatch.setenv("RULELANG_WITHOUT", "hoist")
    assert Module(Blueprint(program), steps=False).text() != with_it
    same_on_both(load_game(tmp_path, TRADE).program)


EMPTY = """
game empty
  players 2

grid Cell: SIZE by SIZE
option mode: plain, odd
  default plain

the game has
  n: 0..999
  some_cells: list of Cell, at most 9
  zero: 0..3

each Cell has
  owner: Player or none

each Player has
  score: 0..999

winner most score[p], then shared

define nowhere = list(b in Cell where no)
define in_vain(p: Player) = list((b, c) for b in Cell, c in Cell where owner[b] is p and mode is odd and owner[c] is p)

rule play
  take turns p from first(Player) until n > 8
    set n to n + 1
    p chooses c in nowhere + list(b in Cell where owner[b] is none and index(b) mod 5 < 3)
      set owner[c] to p
    p scores count(in_vain(p)) + count(b in Cell where n > 4 and owner[b] is p)
    p scores count(b in some_cells where no) + count(b in Cell while no)
    p scores count(b in Cell where owner[b] is p and n is 3 and zero is 0)
"""


def test_a_test_that_needs_no_name_of_a_run_is_made_before_it(tmp_path: Path) -> None:
    same_on_both(load_program(tmp_path, EMPTY.replace("SIZE", "8")), games=15)


def test_where_there_is_no_run_nothing_is_written(tmp_path: Path) -> None:
    body = "    p scores count(in_vain(p)) + count(b in Cell where n > 4 and owner[b] is p)\n"
    text = EMPTY.replace("SIZE", "8").replace("nowhere + ", "")
    with_it = Module(Blueprint(load_program(tmp_path, text)), steps=False).text()
    without = Module(Blueprint(load_program(tmp_path, text.replace("count(in_vain(p)) + ", ""))), steps=False).text()
    assert body in text and with_it.count("(loop") == without.count("(loop")


FAULTING = EMPTY.replace("SIZE", "3").replace(
    "    p scores count(in_vain(p))", "    LINE\n    p scores count(in_vain(p))"
)  # fmt: skip


@pytest.mark.parametrize(
    ("line", "faults"),
    [
        ("p scores count(i in 1..(n + 1) * 2000000000 where no)", True),  # what there is to go through cannot be told
        ("p scores count(b in Cell where (n + 1) * 2000000000 > 3 and no)", True),
        ("p scores count(b in Cell where no and (n + 1) * 2000000000 > 3)", False),
        ("p scores count(b in Cell where owner[b] is p and (n + 1) * 2000000000 > 3 and no)", True),
        ("p scores count(b in some_cells where (n + 1) * 2000000000 > 3)", False),
        ("p scores count(b in Cell, i in 1..(n + 1) * 2000000000 where no)", False),
        ("p scores count(b in Cell, i in 1..(n + 1) * 2000000000 where n > 99)", False),
        ("p scores count(b in Cell, i in 1..(n + 1) * 2000000000 where n < 99)", True),
    ],
)
def test_what_may_fault_is_worked_out_when_it_is_due(tmp_path: Path, line: str, *, faults: bool) -> None:
    game = load_game(tmp_path, FAULTING.replace("LINE", line))
    same_on_both(game.program)
    state = game.start(1)
    if faults:
        with pytest.raises(RuleFault, match="does not fit in 32 bits"):
            state.choose(0)
    else:
        state.choose(0)
