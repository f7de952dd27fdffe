"""Ways: both engines find the same ones, in the same order, offer them alike, and stop with the same faults."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from alike import same_on_both
from hypothesis import given
from hypothesis import strategies as st
from small_games import load_program

import interpreter
from interpreter.errors import RuleFault
from interpreter.evaluation import runtime
from rulelang.limits import Limits

GAME = """
game trip
  players 2

enum Hill, ring: oak, elm, ash, fir
grid Cell: 9 by 9

the game has
  n: 0..9
  far: 0..9 = 3
  here: Cell
  seen: set of Cell
  guest: Player or none

each Player has
  score: 0..999
  hand: pool of Hill = {oak: 1, ash: 2}

each Hill has
  stone: Player or none
each Cell has
  man: Player or none

winner most score[p], then shared

ways climbs(a: Cell, much: 0..9), at most 6 deep
  from a
  step w to step(last(w), north) where count(w) <= much
  step v to b for d in [east, north_east], b in step(last(v), d) where count(v) < much and man[b] is none

ways loops(h: Hill), at most 4 deep
  from (h, none)
  step w to (g, p) for (b, q) in last(w), g in around(b), p in [q, first(Player)] where count(w) < 4 and free(g)
  w may end where count(w) mod 2 is 0

define free(h: Hill) = stone[h] is none
define around(h: Hill) = [next(h), opposite(h), next(h)]

ways counted, at most 8 deep
  from 1
  step w to last(w) * 2 where last(w) < 20
  step w to last(w) + 3 where last(w) < 20 and last(w) is not in w[1..1]

ways endless(h: Hill), at most 3 deep
  from h
  step w to next(last(w)) where n < 5

rule mark(a: Cell, p: Player)
  set man[a] to p
define after_it(a: Cell, p: Player) = count(climbs(a, 3)) after do mark(b2, p)

rule turn(p: Player)
  p chooses k in 0..2
    set n to k
BODY
  set man[b1] to p

rule play
  take turns p from first(Player) until n is 2
    do turn(p)
"""

RUNS = """
p chooses w in climbs(here, far)|  set here to last(w)|  p scores count(w)
p chooses w in leaders(v in climbs(a1, 2) by most count(v))|  p chooses k in 0..1|  p scores count(w) + k
p may choose w in loops(oak)|  p scores count(w)|otherwise|  p loses 0
p chooses w in loops(elm)|  each (g, q) in w|    set stone[g] to q
p chooses w in counted|  p scores last(w) mod 9 + w[1]
p chooses (h, w) in list((h, w) for h in Hill, w in loops(h))|  p chooses k in 0..1|  if there is (g, q) in last(w)|    set stone[h] to q
p chooses s in list(set(w) for w in climbs(a1, 3))|  set seen to s
p chooses (b, s) in list((last(w), set(w)) for w in climbs(a1, 3))|  p chooses k in 1..2|  set seen to s + [b]
p chooses w in list(w[2..3] for w in climbs(a1, 3))|  p scores count(w)
p chooses w in list(if count(w) > 2 then w else [] for w in climbs(a1, 2))|  p scores count(w)
p chooses w in list(first(v in climbs(c, 1)) for c in [a1, i9, b2])|  if there is v in w|    set here to last(v)
p chooses one of|  option go(w in climbs(here, 2))|    set here to last(w)|  option stay(s in [seen, set([a1])])|    set seen to s
p chooses one of|  option go(h in Hill, w in loops(h) where h is not oak)|    needs count(w) > 2|    p scores count(w)|otherwise|  p scores 1
surely roll w in climbs(a1, 2)|p scores count(w)
each w in climbs(b2, 2)|  p scores count(w)
let all = climbs(here, 2)|p chooses k in 1..2|p scores count(all)|set here to last(all[k] otherwise [a1]) otherwise a1
together each q in Player|  q chooses w in climbs(a1, 2)|    set hand_of[q] to count(w)
p scores after_it(a1, p) + count(climbs(b1, 2))
p scores sum(count(w) for h in Hill, w in loops(h)) mod 50
if some(last(w) is c3 for w in climbs(a1, 4))|  p scores 1
if [a1, a2] is in climbs(a1, 2) and climbs(a1, 1) is climbs(a1, 1)|  p scores 1
p scores max(count(w) for w in climbs(here, 3)) otherwise 0
p scores count(endless(oak)) + count(leaders(w in endless(ash) by most count(w)))
p chooses w in endless(oak)|  p scores count(w)
set seen to set(c for w in climbs(a1, 3), c in w)|p scores count(seen)
"""  # noqa: E501


def text(line: str) -> str:
    body = "\n".join(f"  {part}" for part in line.split("|"))
    kept = "\neach Player has\n  hand_of: 0..9\n"
    return GAME.replace("BODY", body) + kept


@pytest.mark.parametrize("line", [line for line in RUNS.splitlines() if line])
def test_both_engines_play_it_alike(tmp_path: Path, line: str) -> None:
    same_on_both(load_program(tmp_path, text(line)), games=3)


@pytest.mark.parametrize("engine", ["reference", "wasm"])
def test_a_way_that_goes_on_too_long_is_a_fault(tmp_path: Path, engine: Any) -> None:
    load_program(tmp_path, text("p scores count(endless(oak))"))
    state = interpreter.load(tmp_path, engine=engine).start(1)
    before = state.key()
    with pytest.raises(RuleFault, match="a way of endless goes on after 3 steps; see to it that every way") as caught:
        state.choose(0)
    assert caught.value.rule == "turn"
    assert "p scores count" in text("p scores count(endless(oak))").splitlines()[caught.value.span.line - 1]
    assert state.key() == before


MEMBERS = "more than 100,000 members would have to be listed"
TOO_LONG = "it ran too long without a decision"
ROOM = "its lists need more room than the fast engine has"

GREEDY = {
    "many": ("  step w to b for d in Direction, b in step(last(w), d) where count(w) < 9", MEMBERS),
    "no end": (
        "  step w to b for d in Direction, b in step(last(w), d) where b is not in w\n  w may end where no",
        TOO_LONG,
    ),
    "long": ("  step w to b for d in Direction, b in step(last(w), d) where b is not in w", f"{TOO_LONG}|{ROOM}"),
    "steps": ("  step w to last(w) for x in 1..200000 where count(w) > 0", MEMBERS),
}


@pytest.mark.parametrize("engine", ["reference", "wasm"])
@pytest.mark.parametrize(("step", "why"), GREEDY.values(), ids=GREEDY)
def test_ways_without_number_are_a_fault(tmp_path: Path, step: str, why: str, engine: Any) -> None:
    more = f"\nways greedy(a: Cell), at most 100 deep\n  from a\n{step}\n"
    load_program(tmp_path, text("surely p chooses w in greedy(a1)") + more)
    limits = Limits(work=1_000_000_000)
    state = interpreter.load(tmp_path, engine=engine, limits=limits).start(1)
    with pytest.raises(RuleFault, match=why) as caught:
        state.choose(0)
    assert caught.value.rule == "turn"


@pytest.mark.parametrize("engine", ["reference", "wasm"])
def test_equal_steps_count_once_and_the_order_is_that_of_the_steps(tmp_path: Path, engine: Any) -> None:
    load_program(tmp_path, text("p chooses w in loops(oak)|  p scores 0"))
    state = interpreter.load(tmp_path, engine=engine).start(1)
    state.choose(0)
    told = [option.text for option in state.decision.options]
    assert told[:3] == [
        "[(oak, none), (elm, none)]",
        "[(oak, none), (elm, none), (ash, none), (fir, none)]",
        "[(oak, none), (elm, none), (ash, none), (fir, player_1)]",
    ]
    assert len(set(told)) == len(told)


Steps = Callable[[tuple[int, ...]], list[int]]


def by_recursion(way: tuple[int, ...], steps: Steps, end: Callable[[tuple[int, ...]], bool] | None) -> Iterator[Any]:
    further = list(dict.fromkeys(steps(way)))
    if len(way) > 1 and (not further if end is None else end(way)):
        yield way
    for step in further:
        yield from by_recursion((*way, step), steps, end)


@given(st.lists(st.lists(st.integers(0, 5), max_size=4), min_size=6, max_size=6), st.booleans())
def test_they_are_all_there_is(nodes: list[list[int]], even: bool) -> None:
    def steps(way: tuple[int, ...]) -> list[int]:
        return [n for n in nodes[way[-1]] if way.count(n) < 2 and len(way) < 6]

    end = (lambda way: len(way) % 2 == 0) if even else None
    assert runtime.ways(0, steps, end, 5, "x") == tuple(by_recursion((0,), steps, end))
