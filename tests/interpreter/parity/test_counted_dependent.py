"""Names of an option that depend on each other, counted where chance takes one: the same options in the same order."""

from __future__ import annotations

from pathlib import Path

import pytest
from alike import noted, same_on_both, same_random_games
from small_games import load_game, load_program

from interpreter.bots import Stream

BOARD = """game board
  players 2

grid Cell: SIZE

each Cell has
  man: Player or none
  lame: flag

each Player has
  score: 0..99999

winner most score[p], then shared

define sides = [north, east, south, west]
define free(c: Cell) = man[c] is none
define run(a: Cell, d: Direction) = list(c in ray(a, d) while free(c))
define runs(a: Cell) = list(c for d in sides, c in run(a, d))
define jumps(p: Player, a: Cell, o: Cell, b: Cell) = man[a] is p and not free(o) and free(b)
define worth(c: Cell) = c.row * 11 + c.column

rule play
  each c in Cell
    if c.row <= 2
      set man[c] to first(Player)
    if c.row >= 6
      set man[c] to last(Player)
    if c.column is 3
      set lame[c] to yes
  repeat at most 12
    each p in Player
      CHOICE
"""

STEPS = """p chooses a in Cell, d in Direction, b in step(a, d) where man[a] is p and man[b] is not p
        set man[a] to none
        set man[b] to p
        p scores worth(b)"""

JUMPS = """p may choose a in Cell, d in sides, o in step(a, d), b in step(o, d) where jumps(p, a, o, b)
        set man[a] to none
        set man[b] to p
        p scores worth(b)"""

SLIDES = """p chooses a in Cell, b in runs(a) where man[a] is p and not lame[b]
        set man[a] to none
        set man[b] to p
        p scores worth(b)"""

TWICE = """p chooses a in Cell, d in [north, east, north], b in step(a, d) where man[a] is p and free(b)
        set man[a] to none
        set man[b] to p
        p scores worth(b)"""

MENU = """surely p chooses one of
        option slide(a in Cell, d in sides, b in run(a, d) where man[a] is p)
          set man[a] to none
          set man[b] to p
          p scores worth(b)
        option hop(d in sides, a in Cell, b in step(a, d) where man[a] is p and not free(b))
          set man[b] to none
          p scores 3
        option rest
          needs score[p] > 20
          p scores 1
        option lay(b in Cell where free(b) and lame[b])
          set man[b] to p
        option far(a in Cell, n in 1..a.row where man[a] is p and lame[a])
          p scores n"""

RUNS = """p chooses a in Cell where man[a] is p and count(runs(a)) > 0
        p chooses b in runs(a) where not lame[b]
          set man[b] to p
          p scores worth(b)"""


@pytest.mark.parametrize(
    ("size", "choice", "fires"),
    [
        ("6 by 7", STEPS, True),
        ("9 by 9", JUMPS, True),
        ("6 by 7", SLIDES, True),
        ("9 by 9", TWICE, False),
        ("6 by 7", MENU, True),
        ("9 by 9", MENU, True),
        ("9 by 9", RUNS, True),
    ],
    ids=["steps", "jumps", "slides", "twice", "menu", "menu on a large board", "runs"],
)
def test_names_that_depend_on_each_other(tmp_path: Path, size: str, choice: str, *, fires: bool) -> None:
    text = BOARD.replace("SIZE", size).replace("CHOICE", choice)
    program = load_program(tmp_path, text)
    assert bool(noted(program)["counted"]) == fires
    assert len({record[5] for record in same_random_games(tmp_path, text, 20)}) > 5
    same_on_both(program)
    for state in (load_game(tmp_path, text, engine="wasm").start(seed) for seed in range(5)):
        stepped, stream = state.copy(), Stream(77)
        while not stepped.over:
            stepped.choose(stream.below(stepped.option_count))
        assert state.playout(77, 1000) == (stepped.scores, stepped.winners), "rolling on is stepping by chance"


HUGE = """p chooses a in Cell, n in 1..2000000000 where lame[a] and man[a] is none
        p scores 1"""

HUGE_MENU = """surely p chooses one of
        option many(n in 1..2000000000)
          p scores 1
        option more(n in 1..2000000000)
          p scores 2
        option most(a in Cell, n in 1..2000000000 * index(a) where lame[a])
          p scores 3"""


@pytest.mark.parametrize("choice", [HUGE, HUGE_MENU])
def test_more_than_can_be_counted(tmp_path: Path, choice: str) -> None:
    text = BOARD.replace("SIZE", "7 by 7").replace("CHOICE", choice)
    (record, *_) = same_random_games(tmp_path, text, 2)
    assert "100,000" in record[-1]
