"""Which runs can give a value twice, and how many values at most: both hold for whatever the runs are given."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_games import write_game

import interpreter
from rulelang.program.analysis.cardinality import MOST, Bounds, Repeats

GAME = """game tiny
  players 2

grid Square: 4 by 3

table Tool
  weight: 0..9
  colour: 0..9
  rows
    axe: 3, 1
    saw: 5, 1
    pick: 4, 2

each Square has
  man: Player or none

each Player has
  score: 0..9

winner most score[p], then shared

define straight = [north, east, south, west]
define crooked = [north, east, north]
define open(c: Square, d: Direction) = count(e in ray(c, d) while man[e] is none)
define near(c: Square) = list(e for d in straight, e in step(c, d))
define slides(c: Square, d: Direction) = list(e for n in 1..open(c, d) + 1, e in ray(c, d)[n])
define onwards(c: Square, d: Direction) = list(e in ray(c, d) where man[e] is none)
define either(c: Square) = if man[c] is none then near(c) else slides(c, north)
define tried(c: Square, n: 0..3) = DEFINED

rule play
  set man[b2] to first(Player)
  set man[c1] to first(Player)
  first(Player) wins
"""

ONCE = [
    "list(e for d in straight, e in ray(c, d))",
    "list(e for d in Direction, e in slides(c, d))",
    "list(e for d in Direction, e in onwards(c, d))",
    "list(e for m in 1..n, e in ray(c, north)[m])",
    "list(e in near(c) where man[e] is none)",
    "near(c)",
    "either(c)",
    "list(e for e in reversed(near(c)))",
    "list(e for b in near(c), e in step(b, north))",
    "list((b, e) for b in near(c), e in near(b))",
    "list((e, d) for b in straight, d in straight, e in step(c, b))",
    "list(t.weight for t in Tool)",
    "ranked(e in near(c) by most index(e))",
    "list(x for x in near(c)[1..n])",
    "list(e for d in straight, e in (if n > 2 then onwards(c, d) else slides(c, d)))",
]
AGAIN = [
    "list(e for d in crooked, e in step(c, d))",
    "list(e for b in near(c), e in near(b))",
    "list(e for b in [c, c], e in step(b, north))",
    "list(t.colour for t in Tool)",
    "list(m mod 2 for m in 0..n)",
    "[c, c]",
    "near(c) + near(c)",
    "list(e for d in straight, m in 1..n, e in step(c, d))",
    "list(e for d in straight, e in ray(c, (if n > 1 then d else north)))",
    "list(e for d in straight, e in (if d is north then onwards(c, south) else onwards(c, d)))",
]


@pytest.mark.parametrize("text", [*ONCE, *AGAIN])
def test_which_give_a_value_twice(tmp_path: Path, text: str) -> None:
    game = interpreter.load(write_game(tmp_path, GAME.replace("DEFINED", text)), engine="reference")
    body, repeats = game.program.definitions["tried"].body, Repeats(game.program)
    assert repeats.may(body) == (text in AGAIN)
    bound = Bounds(game.program, repeats, lambda _: None).of(body)
    state = game.start(1)
    some_twice, longest = False, 0
    for square in (f"{column}{row}" for column in "abcd" for row in (1, 2, 3)):
        for number in range(4):
            members = game.evaluate(f"tried({square}, {number})", state)
            longest = max(longest, len(members))
            some_twice = some_twice or len(set(map(repr, members))) < len(members)
    assert some_twice == (text in AGAIN)
    assert 0 < longest <= bound < MOST
    # What the fast engine has worked out beforehand is lists in columns.
    fast = interpreter.load(tmp_path, engine="wasm").steps.writer.registry
    body = fast.program.definitions["tried"].body
    assert fast.repeats.may(body) or text in ONCE
    assert longest <= fast.bounds.of(body) < MOST
