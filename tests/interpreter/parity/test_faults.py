"""What stops a game stops it on both engines, in the same rule, file and line, and leaves everything usable."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_games import load_program

from interpreter.errors import RuleFault
from tests.tools.parity import Pair
from tests.tools.parity.games_compared import attempt, difference, same_fault

HEAD = """
game tiny
  players 2

enum Good: wood, wool, iron
enum Hill, ring: oak, elm, ash

the game has
  n: -9..99
  big: 0..2147483647 = 2000000000
  few: 0..3 or none
  some_hills: set of 0..3
  bank: pool of Good = {wood: 5}
  room: pool of Good, at most 2
  sack: bag of Good = {wood: 1}
  pile: stack of Good = [wool, iron]
  short: stack of Good, at most 1

each Player has
  score: 0..9
  hand: pool of Good
  land: grid of Good, at most 2

each Hill has
  stone: slot of Player

winner most score[p], then shared

define rest_of(k: 0..2147483647) = k * 2 mod 7
define later(k: 0..99) = n > k after do wary(k mod 4)
define long(k: 0..2147483647) = LONG
define far(k: 0..2147483647) = k * k * k mod 5 + rest_of(k)

rule inner(k: 0..3)
  increase n by k

rule wary(k: 0..99)
  needs k > 3
  increase n by k

rule turn(p: Player)
  p chooses k in 0..9
  set n to k
{body}

rule play
  take turns p from first(Player) until n is 99
    do turn(p)
"""

BODIES = {
    "range": "  increase n by 95",
    "range below": "  decrease n by 20",
    "set outside": "  set few to n + 2",
    "none is not less than nothing": "  set few to 0 - n - 1",
    "a member of a set outside": "  set some_hills to set(i for i in 0..n + 3)",
    "score": "  p scores n + 8",
    "argument": "  do inner(n + 4)",
    "need": "  do wary(n mod 4)",
    "short of a kind": "  surely move n + 6 of wood from bank to hand[p]",
    "short of several": "  surely move {wood: 1, wool: n + 1} from bank to hand[p]",
    "short of any": "  surely move n + 4 from sack to hand[p]",
    "short stack": "  surely move n + 4 from pile to bank",
    "no such position": "  surely move at n + 3 from pile to bank",
    "no kind": "  surely move n + 1 from pile to bank\n  surely move {wood: 9} from hand[p] to bank",
    "full pool": "  surely move 3 of wood from bank to room",
    "full stack": "  surely move all from pile to short",
    "full slot": "  set stone[oak] to p\n  set stone[elm] to p\n  surely move 1 from stone[elm] to stone[oak]",
    "taken square": "  surely move 1 of wood from bank to land[p] at (0, 0)\n"
    "  surely move 1 of wood from bank to land[p] at (0, 0)",
    "out of reach": "  surely move 1 of wood from bank to land[p] at (n * 30, 0)",
    "full grid": "  each i in 0..2\n    surely move 1 of wood from bank to land[p] at (i, 0)",
    "nothing to choose": "  surely p chooses i in 5..n - 9",
    "nothing to roll": "  surely roll i in 5..n - 9",
    "no option": "  surely p chooses one of\n    option never\n      needs n > 50\n      do nothing",
    "a payment": "  surely p pays {iron: 3} from hand[p] to bank",
    "a measure that does not fall": "  repeat falling 9 - n\n    if n is 50\n      stop",
    "overflow": "  set n to big * big mod 7",
    "overflow in a definition": "  set n to far(big)",
    "overflow in a definition that is no part of the code": "  set n to long(big) mod 7",
    "overflow in a condition": "  if big * 3 > 5 + n\n    do nothing",
    "overflow of a sum": "  set n to sum(big for i in 0..n + 1) mod 7",
    "overflow of a sign": "  set n to -(0 - big - 147483639 - n) mod 7",
    "overflow of a quotient": "  set n to (0 - big - 147483639 - n) / min(0 - 1, n - 2) rounded down mod 7",
    "a need of what would be": "  if n > 5 after do wary(n mod 4)\n    set n to 1",
    "an argument of what would be": "  if n > 5 after do inner(n + 4)\n    set n to 1",
    "what would be, in a definition": "  if later(n)\n    set n to 1",
    "what would be, in what would be": "  if (n > 5 after do wary(2)) after do inner(1)\n    set n to 1",
    "the value of what would be": "  if big * 3 > n after do inner(0)\n    set n to 1",
    "no overflow of a rest": "  set n to 120 - 12 * n + (0 - big - 147483639 - n) mod min(0 - 1, n - 2)",
}  # fmt: skip


HEAD = HEAD.replace("LONG", " + ".join(f"(k * {i} mod {i + 2}) * (k / {i + 3} rounded down)" for i in range(2, 20)))


def program(tmp_path: Path, body: str) -> Any:
    return load_program(tmp_path, HEAD.replace("{body}", body))


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_both_engines_stop_at_the_same_place(tmp_path: Path, body: str) -> None:
    pair = Pair(program(tmp_path, body))
    stopped = 0
    for index in range(10):
        x, y = pair.reference.start(1), pair.fast.start(1)
        before = y.key()
        _, a = attempt(lambda: x.choose(index))  # noqa: B023
        _, b = attempt(lambda: y.choose(index))  # noqa: B023
        assert same_fault(a, b), (a, b)
        if a is not None:
            stopped += 1
            assert isinstance(b, RuleFault) and b.span.file == str(tmp_path / "tiny.rules") and b.span.line
            assert y.key() == before
            again = [attempt(lambda s=s: s.choose((index + 5) % 10))[1] for s in (x, y)]  # noqa: B023
            assert same_fault(*again) if again[0] or again[1] else difference(x, y, True) is None
    assert stopped
