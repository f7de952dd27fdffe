"""Rules that ask for too much: a named fault on both engines, at the same line, soon and without much memory."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from small_games import load_game, write_game

from interpreter import load
from interpreter.bots import make_bot
from interpreter.chance import Stream
from interpreter.errors import GameError, RuleFault
from interpreter.reference.engine import ReferenceGame
from interpreter.simulate.games import play_many, play_range
from interpreter.simulate.tally import tally
from rulelang import RulesError
from rulelang.limits import Limits

GAME = """
game greedy
  players 2

enum K: a, b
range Kind: 1..4000
grid Cell: 26 by 26
graph pairs
  node x in Cell, y in Cell
  edge (x, y) to (y, x)

the game has
  n: 0..9
  round: 0..2000000000
  many: pool of Kind

each Player has
  score: 0..9
  gold: pool of K = {a: 9, b: 9}, 2 of any for 1

winner most score[p], then shared

define twofold(k: 0..60): 0..9, at most 70 deep = if k is 0 then 0 else min(9, twofold(k - 1) + twofold(k - 1))
define sixty_times(k: 0..9) = count(i in 1..60000, j in 1..60000 where i * j mod 7 is k) mod 5
graph net
  node c in Cell where c.column < 7 and c.row < 7
  edge c to b for d in Direction, b in step(c, d)

rule grow
  set n to 1
rule again(k: 0..90), at most 95 deep
  each i in 1..3 where k > 0
    do again(k - 1)
rule linger
  repeat at most 2000000000
    repeat at most 2000000000
      set n to 1 - n

rule play
  surely first(Player) chooses begin in 1..2
  let p = first(Player)
BODY
"""

POSSIBILITIES = "there are more than 100,000 possibilities; narrow them down"
MEMBERS = "more than 100,000 members would have to be listed; narrow them down"
TOO_LONG = "it ran too long without a decision"
ROOM = "its lists need more room than the fast engine has"
WORK = 100_000_000
"""Steps of work that are made in no time."""

GREEDY = {
    "options": ("surely p chooses i in 1..60000, j in 1..60000", POSSIBILITIES),
    "a menu": ("surely p chooses one of\n  option take(i in 1..400, j in 1..400)\n    p scores 1", POSSIBILITIES),
    "a roll": ("roll i in 1..60000, j in 1..60000", POSSIBILITIES),
    "one die": ("roll i in 1..2000000", POSSIBILITIES),
    "a list": ("let l = list(i * 2 for i in 1..2000000000)\nset n to count(l) mod 5", MEMBERS),
    "a set": ("let l = set(i * 2 for i in 1..2000000)\nset n to count(l) mod 5", MEMBERS),
    "a range": ("let l = list(i for i in 1..2000000000)\nif 5 is in l\n  set n to 1", MEMBERS),
    "rounds": ("each i in 1..60000, j in 1..60000\n  set n to i mod 5", MEMBERS),
    "together": ("together each q in Player\n  surely q chooses i in 1..60000, j in 1..60000", POSSIBILITIES),
    "a fold": ("set n to count(i in 1..60000, j in 1..60000 where i * j mod 7 is 3) mod 5", TOO_LONG),
    "a search": ("if some(i mod 7 + j mod 7 + k mod 7 > 18 for i in 1..60000, j in 1..60000, k in 1..60000)\n"
                 "  set n to 1", TOO_LONG),
    "a loop": ("repeat at most 2000000000\n  repeat at most 2000000000\n    set n to 1 - n", TOO_LONG),
    "lists of lists": ("let l = list(list(j for j in 1..50000) for i in 1..50000)\nset n to count(l) mod 5",
                       f"{TOO_LONG}|{ROOM}"),
    "lists joined": ("let l = list(i * 2 for i in 1..90000)\nlet m = l + l\nset n to count(m) mod 5", MEMBERS),
    "lists joined and gone through": ("let l = list(i * 2 for i in 1..90000)\n"
                                      "set n to count(i in l + l) mod 5", MEMBERS),
    "sets united": ("let l = set(i * 2 for i in 1..60000)\nlet m = l + set(i * 3 for i in 1..60000)\n"
                    "set n to count(m) mod 5", MEMBERS),
    "a ranking": ("let l = ranked(i in 1..2000000 by most i mod 7)\nset n to count(l) mod 5", MEMBERS),
    "leaders": ("let l = leaders(i in 1..2000000 by most 1)\nset n to count(l) mod 5", MEMBERS),
    "many rankings": ("set n to sum(count(leaders(i in 1..5000 by most i * j mod 7)) for j in 1..50000) mod 5",
                      f"{TOO_LONG}|{ROOM}"),
    "parts of lists": ("let l = list(i * 2 for i in 1..90000)\n"
                       "set n to sum(count(l[i..90000]) mod 2 for i in 1..60000, j in 1..99) mod 5",
                       f"{TOO_LONG}|{ROOM}"),
    "differences of sets": ("let l = set(i * 2 for i in 1..9000)\n"
                            "set n to sum(count(l - [i]) for i in 1..60000) mod 5", f"{TOO_LONG}|{ROOM}"),
    "pieces of many kinds": ("let l = list(many + many for i in 1..90000)\nset n to count(l) mod 5",
                             f"{TOO_LONG}|{ROOM}"),
    "suppositions": ("set n to count(i in 1..60000, j in 1..60000 where n is i * j after do grow) mod 5", TOO_LONG),
    "a supposition": ("set n to n after do linger", TOO_LONG),
    "a graph": ("set n to count(groups(pairs)) mod 5", MEMBERS),
    "a definition that uses itself": ("set n to twofold(60)", TOO_LONG),
    "a definition": ("set n to sixty_times(3)", TOO_LONG),
    "a definition in a condition": ("if sixty_times(3) is 2\n  set n to 1", TOO_LONG),
    "a rule that runs itself": ("do again(90)", TOO_LONG),
    "rules inside loops": ("repeat at most 2000000000\n  do grow", TOO_LONG),
    "a loop that falls": ("repeat falling 2000000000 - round\n  increase round by 1\n  set n to 1 - n\n"
                          "  if round is 1999999999\n    stop", TOO_LONG),
    "each in each": ("each i in 1..60000\n  each j in 1..60000\n    each k in 1..60000\n      set n to k mod 5",
                     TOO_LONG),
    "a way through a net": ("set n to longest_trail(net) mod 5", TOO_LONG),
    "distances": ("set n to sum(count(within(net, c, i mod 9)) for i in 1..60000, c in Cell) mod 5", TOO_LONG),
}  # fmt: skip


FIRST_LINE = GAME.split("BODY")[0].count("\n")


def loaded(folder: Path, body: str, engine: str, limits: Limits | None = None) -> Any:
    lines = "".join(f"  {line}\n" for line in body.split("\n"))
    text = re.sub(r"(?m)^define (\w+).*$", lambda define: define[0] if define[1] in body else "", GAME)
    write_game(folder, text.replace("BODY\n", lines))
    return load(folder, engine=engine, limits=limits or Limits(work=WORK))


@pytest.mark.parametrize(("body", "why"), GREEDY.values(), ids=GREEDY)
def test_what_asks_for_too_much_is_the_same_fault_on_both_engines(tmp_path: Path, body: str, why: str) -> None:
    faults = []
    for engine in ("reference", "wasm"):
        game = loaded(tmp_path, body, engine, Limits(work=WORK))
        state = game.start(1)
        before = state.key()
        with pytest.raises(RuleFault, match=why) as caught:
            state.choose(0)
            assert state.decision is not None  # a menu or a question is only open now
        assert (caught.value.rule, caught.value.span.line >= FIRST_LINE) in [("play", True), ("again", False)]
        assert state.key() == before
        faults.append(str(caught.value))
    (played,) = play_range(game, 3, 0, 1)
    assert [faults[0]] * 2 == [faults[1], played.fault]
    if TOO_LONG in faults[0]:
        assert f"beyond {WORK:,} steps of work" in faults[0] and "raise the limit `work`" in faults[0]


ENDLESS = [name for name, (_, why) in GREEDY.items() if TOO_LONG in why]


@pytest.mark.parametrize("work", [1_000, 10_000_000])
@pytest.mark.parametrize("name", ENDLESS)
def test_whatever_the_limit(tmp_path: Path, name: str, work: int) -> None:
    faults = []
    for engine in ("reference", "wasm"):
        game = loaded(tmp_path, GREEDY[name][0], engine, Limits(work=work))
        with pytest.raises(RuleFault) as caught:
            game.start(1).choose(0)
        faults.append(str(caught.value))
    assert faults[0] == faults[1]


@pytest.mark.parametrize("engine", ["reference", "wasm"])
def test_up_to_the_limit_nothing_changes(tmp_path: Path, engine: str) -> None:
    limits = Limits(options=12, members=120)
    state = loaded(tmp_path, "surely p chooses i in 1..3, j in 1..4", engine, limits).start(1)
    state.choose(0)
    assert state.option_count == 12
    state = loaded(tmp_path, "surely p chooses i in 1..13", engine, limits)
    with pytest.raises(RuleFault, match="more than 12 possibilities"):
        state.start(1).choose(0)
    for size, fits in ((120, True), (121, False)):
        body = f"let l = list(i * 3 for i in 1..{size * 10} where i mod 10 is 0)\nset n to count(l) mod 9"
        state = loaded(tmp_path, body, engine, limits).start(1)
        if fits:
            state.choose(0)
            assert state.over
        else:
            with pytest.raises(RuleFault, match="more than 120 members"):
                state.choose(0)
    for size, fits in ((60, True), (61, False)):
        body = f"let l = list(i * 3 for i in 1..60)\nlet m = l + list(i for i in 1..{size})\nset n to count(m) mod 9"
        state = loaded(tmp_path, body, engine, limits).start(1)
        if fits:
            state.choose(0)
            assert state.over
        else:
            with pytest.raises(RuleFault, match="more than 120 members"):
                state.choose(0)


@pytest.mark.parametrize("engine", ["reference", "wasm"])
def test_equal_options_count_once(tmp_path: Path, engine: str) -> None:
    body = "surely p chooses i in list(j mod 3 for j in 1..300)\nset n to i"
    state = loaded(tmp_path, body, engine, Limits(options=3)).start(1)
    state.choose(0)
    assert state.option_count == 3


@pytest.mark.parametrize("engine", ["reference", "wasm"])
def test_definitions_that_double_their_work_are_remembered(tmp_path: Path, engine: str) -> None:
    lines = [f"define d{i}(x: 0..9) = min(9, d{i - 1}(x) + d{i - 1}(x))" for i in range(1, 41)]
    text = "\n".join([*lines, "define d0(x: 0..9) = x", ""])
    state = load_game(tmp_path, GAME.replace("BODY\n", "  set n to d40(n + 1)\n") + text, engine=engine).start(1)
    state.choose(0)
    assert state.get("n") == 9


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ("pile: stack of K = {a: 400000000}", "may begin with 400,000,036 pieces of K; the limit is 1,000,000"),
        ("pile: pool of K = {k: 2000000000 for k in K}", "may begin with 4,000,000,036 pieces of K"),
        ("pile: stack of Cell = list(x for x in Cell, y in Cell, z in Cell)", "308,915,776 pieces of Cell"),
        ("pile: stack of K, at most 2000000000", r"A state of the game takes 2,0\d\d,\d{3},\d{3} bytes"),
    ],
)
def test_a_game_that_is_too_large_does_not_pass_check(tmp_path: Path, declared: str, message: str) -> None:
    text = GAME.replace("BODY\n", "").replace("  n: 0..9", f"  n: 0..9\n  {declared}")
    with pytest.raises(RulesError, match=message) as caught:
        load_game(tmp_path, text)
    (found,) = (d for d in caught.value.diagnostics if d.code == "R0404")
    assert found.span.line == 14 and found.help


def test_an_initial_value_that_takes_too_long_is_a_fault(tmp_path: Path) -> None:
    text = GAME.replace("BODY\n", "").replace(
        "n: 0..9", "n: 0..9 = count(i in 1..60000, j in 1..60000 where i is j) mod 5"
    )
    load_game(tmp_path, text)
    for engine in ("reference", "wasm"):
        with pytest.raises(RuleFault, match=TOO_LONG) as caught:
            load(tmp_path, engine=engine, limits=Limits(work=WORK)).start(1)
        assert caught.value.span.line == 13


def test_bounds_of_numbers_do_not_grow_without_end(tmp_path: Path) -> None:
    numbers = "number m0 = 2000000000\n" + "".join(f"number m{i} = m{i - 1} * m{i - 1}\n" for i in range(1, 31))
    with pytest.raises(RulesError) as caught:
        load_game(tmp_path, GAME.replace("BODY\n", "  set n to m30\n") + numbers)
    assert {found.code for found in caught.value.diagnostics} == {"R0404"}
    squares = "".join(f"define d{i}(x: 0..2000000000) = d{i - 1}(x) * d{i - 1}(x)\n" for i in range(1, 31))
    load_game(tmp_path / "squares", GAME.replace("BODY\n", "  set n to 1\n") + squares
              + "define d0(x: 0..2000000000) = x\n")  # fmt: skip


# ---------------------------------------------------------------- what is within the limits

HEAVY = "set n to count(i in 1..300, j in 1..300 where i * j mod 7 is n) mod 5\np chooses k in 1..2"
"""Passes of loops by the ten thousand, which the fast engine makes in no time."""


def test_what_the_fast_engine_plays_the_other_plays_too(tmp_path: Path) -> None:
    limits = Limits(work=20_000_000)
    slow, fast = (loaded(tmp_path, HEAVY, engine, limits) for engine in ("reference", "wasm"))
    ends = []
    for game in (slow, fast):
        state = game.start(1)
        for _ in range(2):
            state.choose(1)
        ends.append((state.key(), state.log, game.resume(game.save(state)).key()))
    assert ends[0] == ends[1]
    state = slow.blank(1)
    state.run("play")
    trial = slow.trial(state.position)
    trial.choose(0)
    assert trial.decision is not None
    assert slow.start(1, ()).copy().option_count == 2


def test_an_engine_by_itself_counts_its_own_passes(tmp_path: Path) -> None:
    limits = Limits(work=20_000_000)
    game = ReferenceGame(loaded(tmp_path, HEAVY, "reference").program, limits=limits)
    with pytest.raises(RuleFault, match=TOO_LONG):
        game.start(1).choose(0)


def test_who_waits_too_long_gives_up_and_the_game_is_not_to_blame(tmp_path: Path) -> None:
    body = "set n to count(i in 1..60000, j in 1..1000 where i * j mod 7 is n) mod 5"
    game = loaded(tmp_path, body, "reference", Limits(seconds=1))
    state = game.start(1)
    before = state.key()
    with pytest.raises(
        GameError, match=r"longer than 1 second .* no fault of the rules.* the limit `seconds`"
    ) as caught:
        state.choose(0)
    assert not isinstance(caught.value, RuleFault)
    assert state.key() == before
    state = loaded(tmp_path, body, "wasm", Limits(seconds=1)).start(1)
    state.choose(0)
    assert state.over


WILD = GAME.replace("  surely first(Player) chooses begin in 1..2\n  let p = first(Player)\nBODY\n", """\
  take turns p from first(Player) until round > 5
    increase round by 1
    surely p chooses k in 1..4
    p scores k mod 3
    if k is 2
      repeat at most 2000000000
        repeat at most 2000000000
          set n to 1 - n
""")  # fmt: skip
"""Who chooses 2 waits for ever."""


@pytest.mark.parametrize("bot", ["greedy", "greedy:quick", "ismcts:200", "learned"])
def test_a_search_that_meets_what_has_no_end_comes_to_an_end(tmp_path: Path, bot: str) -> None:
    chosen = []
    for _ in range(2):
        game = load(write_game(tmp_path, WILD), engine="wasm", limits=Limits(work=1_000_000))
        player = make_bot(bot, game)
        states = [game.start(seed) for seed in range(3)]
        chosen.append([player.choose(state, state.decision, Stream(3)) for state in states])
    assert chosen[0] == chosen[1], "whatever the clock says"


def test_counting_ways_to_go_on_meets_what_has_no_end(tmp_path: Path) -> None:
    for engine in ("reference", "wasm"):
        state = load(write_game(tmp_path, WILD), engine=engine, limits=Limits(work=1_000_000)).start(1)
        with pytest.raises(RuleFault, match=TOO_LONG):
            state.sequences(3)


def test_games_that_have_no_end_are_counted_as_faults(tmp_path: Path) -> None:
    found = []
    for engine in ("reference", "wasm"):
        game = load(write_game(tmp_path, WILD), engine=engine, limits=Limits(work=1_000_000))
        parts = play_range(game, 3, 0, 12) if engine == "wasm" else play_many(game, 3, 12)
        found.append([record for part in parts for record in part.records(2)])
        summary = tally(parts if engine == "wasm" else play_many(game, 3, 12), 2, game.rules)
        assert 0 < summary.faulted == len(summary.faults) and not summary.astray
    assert found[0] == found[1]
