"""What rules may do, read off their text: writes, calls, faults, repeats, private slots, free names."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_games import corpus, load_program, write_game

import interpreter
import rulelang
from interpreter.lowered import code
from interpreter.lowered.code import NodeEffects
from interpreter.lowered.lower import lower_program
from rulelang import program as ir
from rulelang.program import Definition
from rulelang.program.analysis.cardinality import MOST, Bounds, Repeats
from rulelang.program.analysis.effects import (
    Effects,
    Reads,
    effect,
    least,
    reaching,
    reads_state,
    rule_writes,
    spread,
    variables_read,
)
from rulelang.program.analysis.faults import Faults
from rulelang.program.analysis.flow import flow_of
from rulelang.program.walk import conjuncts, free_slots, statements
from rulelang.types import FLAG, ListType, NumberType

GAME = corpus("told")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> ir.Program:
    return rulelang.load(folder_of(tmp_path_factory.mktemp("told")))


def folder_of(path: Path) -> Path:
    (path / "told.rules").write_text(GAME)
    return path


def test_writes_spread_through_calls_events_and_nested_rules(program: ir.Program) -> None:
    writes = rule_writes(program)
    assert writes["note"] == {"secret", "noise"}, "what waits for `late` may run at its end"
    assert writes["turn.tell"] == {"rounds", "noise"}
    assert writes["turn"] == writes["play"] == {"secret", "rounds", "noise"}


def test_asking_and_ending(program: ir.Program) -> None:
    effects = Effects(program)
    assert effects.asking == {"play", "turn"}
    assert effects.ending == frozenset()
    (turns,) = program.rules["play"].body
    assert not effect(program, turns).asks
    (node,) = (n for n in lower_program(program)["play"].nodes() if isinstance(n, code.TakeTurns))
    assert NodeEffects(program, effects).asks(node)


def test_every_statement_of_a_body_is_gone_through(program: ir.Program) -> None:
    kinds = [type(s).__name__ for s in statements(program, program.rules["turn"].body)]
    assert kinds == ["Choose", "Do", "NamedRule", "Announce"]


def test_reads_go_through_definitions(program: ir.Program) -> None:
    late = program.definitions["late"].body
    assert variables_read(program, late) == Reads(program).variables((None, [late])) == {"rounds", "noise"}
    assert reads_state(program, late) and not reads_state(program, ir.Const(1, NumberType(1, 1)))


def test_a_value_that_reaches_hidden_places_only_is_private(program: ir.Program) -> None:
    (_, note), (k,) = program.rules["note"].params, program.rules["turn"].body[0].binds.binds  # type: ignore[union-attr]
    private = flow_of(program).private
    assert private["note"] == {note.slot} and private["turn"] == {k.slot}


@pytest.mark.parametrize("engine", interpreter.ENGINES)
def test_a_rule_may_take_no_values_from_its_event(tmp_path: Path, engine: str) -> None:
    state = interpreter.load(folder_of(tmp_path), engine=engine).start(1)
    decided = 0
    while state.decision is not None:
        state.choose(0)
        decided += 1
    assert decided == 3


def test_free_slots_leave_out_what_is_bound() -> None:
    n = NumberType(0, 9)
    a, b, c = (ir.Local(slot, name, n) for slot, name in enumerate("abc"))
    domain = ir.Apply("range", (a, b), ListType(n))
    binds = ir.Binds((ir.Bind(1, "b", domain, n),), ir.Apply("<", (b, c), FLAG))
    assert free_slots(binds) == {0, 1, 2}  # the domain is worked out before b is bound
    assert free_slots(ir.Fold("sum", b, binds, n)) == {0, 1, 2}
    assert free_slots(ir.Fold("sum", b, ir.Binds((ir.Bind(1, "b", a, n),)), n)) == {0}
    assert free_slots((None, [a, (c,)])) == {0, 2}
    both = ir.Apply("and", (ir.Apply("and", (a, b), FLAG), c), FLAG)
    assert conjuncts(both) == [a, b, c] and conjuncts(None) == []


def test_fixed_points() -> None:
    calls = {"a": ["b"], "b": ["c", "a"], "c": [], "d": ["d"]}
    own = {key: frozenset(key) for key in calls}
    assert spread(own, calls) == {"a": set("abc"), "b": set("abc"), "c": {"c"}, "d": {"d"}}
    assert reaching({"c"}, calls) == {"a", "b", "c"}
    assert least(
        {1: frozenset()}, lambda key, sets: frozenset({len(sets[key])}) if len(sets[key]) < 3 else sets[key]
    ) == {1: {0, 1, 2}}


# Which expressions can stop a game: what the engines may work out early, late or never hangs on it.


FAULTS = """game tiny
  players 2

the game has
  n: 0..9
  big: 0..2147483647

each Player has
  score: 0..9

winner most score[p], then shared

define some_number = n
define small(k: 0..9) = k + n
define great(k: 0..9) = k * big
define tried = DEFINED

rule play
  first(Player) wins

rule grow
  set n to 3
"""

CASES = {
    "n + 1 > 3": False,
    "big + 1 > 3": True,
    "small(n) > 3": False,
    "small(n + 1) > 3": True,  # 10 is more than it takes
    "great(n) > 3": True,
    "some(great(k) > 3 for k in 1..3)": True,
    "sum(n for k in 1..3) > 3": False,
    "sum(big for k in 1..3) > 3": True,
    "ranked(k in 1..3 by most big + k)[1] is 3": True,
    "ranked(k in 1..3 by most n + k)[1] is 3": False,
    "count(k in 1..3 where big + k > 3 while k < 2) > 3": True,
    "([n] + [big + 1])[1] is 1": True,
    "[n, 2][n..n] is [1]": False,
    "n > 3 after do grow": True,
    "n / 2 rounded down > 3": False,
    "count(list(k for k in 1..n)) > 3": False,
}


@pytest.mark.parametrize("text", CASES)
def test_which_can_stop_a_game(tmp_path: Path, text: str) -> None:
    program = load_program(tmp_path, FAULTS.replace("DEFINED", text))
    tried: Definition = program.definitions["tried"]
    assert Faults(program).may(tried.body) is CASES[text]


@pytest.mark.parametrize(
    ("text", "singly"),
    [
        ("list(k for k in 1..3)", True),
        ("[n, great(n)]", True),
        ("[n, 1]", False),
        ("1..3", False),
        ("list(k for k in 1..3) + [n]", False),
        ("list(k for k in 1..3)[1..2]", False),
        ("ranked(k in 1..3 by most k)", False),
    ],
)
def test_which_lists_come_one_member_at_a_time(tmp_path: Path, text: str, singly: bool) -> None:
    program = load_program(tmp_path, FAULTS.replace("DEFINED", text))
    assert Faults(program).comes_singly(program.definitions["tried"].body) is singly


# Which runs can give a value twice, and how many values at most: both hold for whatever the runs are given.


REPEATS = """game tiny
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
    game = interpreter.load(write_game(tmp_path, REPEATS.replace("DEFINED", text)), engine="reference")
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
