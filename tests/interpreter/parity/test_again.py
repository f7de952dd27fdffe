"""Rules and definitions that use themselves, and rules that rows name: the same on both engines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from alike import same_on_both
from small_games import changed, corpus, load_game, load_program, mistakes

from interpreter.errors import RuleFault
from interpreter.loading import ENGINES

CARDS = corpus("cards_with_rules")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_rule_waits_inside_itself(engine: str, tmp_path: Path) -> None:
    game = load_game(tmp_path, CARDS, engine=engine)
    state = game.start(0)
    assert state.get("boxes") == 2 + 5 + 2 + 7 + 4
    for card in ("encore", "encore", "gift"):
        state.choose({"c": card})
        state = game.resume(json.loads(json.dumps(game.save(state))))
    assert state.get("tried") == 30
    assert state.fired["play_card"] == 5  # an encore, another one, the gift twice, and the other one again
    assert state.get("score[player_1]") == 3 + 3 + 1
    state.choose({"c": "gift"})
    assert (state.fired["play_card"], state.decision.rule) == (7, "play")
    assert state.get("score[player_1]") == 7 + 3 + 3 + 1 + 1


@pytest.mark.parametrize("deep", [1, 2, 3])
def test_too_deep_is_a_fault_of_the_line_that_goes_on(deep: int, tmp_path: Path) -> None:
    text = CARDS.replace("at most 5 deep", f"at most {deep} deep").replace("may choose c", "chooses c")
    program = load_program(tmp_path, text)
    same_on_both(program, games=12)
    told = set()
    for engine in ENGINES:
        game = load_game(tmp_path, text, engine=engine)
        state = game.start(0)
        with pytest.raises(RuleFault) as found:
            for _ in range(deep + 1):
                state.choose({"c": "encore"})
        told.add((found.value.rule, found.value.span.line, found.value.reason))
    assert told == {("twice", 47, f"rule play_card would run itself more than {deep} deep")}


VALUES = {
    "hops(5)": 5,
    "sum(hops(k) for k in 0..5)": 15,
    "fib(12)": 144,
    "if even(9) then 1 else 2": 2,
    "count(way(elm))": 3,
    "count(set(h for h in way(oak)))": 4,
    "count(reach(elm, 2))": 3,
    "best(2)": 6,
    "best(0) + best(1)": 3,
}
DEFINED = """
game hills
  players 2

enum Hill: oak, elm, ash, fir

the game has
  found: 0..999
  n: 0..999

define hops(k: 0..20): 0..99, at most 6 deep = if k is 0 then 0 else 1 + hops(k - 1)
define fib(k: 0..20): 0..9999, at most 12 deep
  when k < 2: k
  otherwise: fib(k - 1) + fib(k - 2)
define even(k: 0..20): flag, at most 8 deep = k is 0 or odd(k - 1)
define odd(k: 0..20) = k > 0 and even(k - 1)
define way(h: Hill): list of Hill, at most 4 deep = [h] + list(e for g in next(h), e in way(g))
define reach(h: Hill, k: 0..9): set of Hill, at most 4 deep
  when k is 0: [h]
  otherwise: set(f for g in next(h), f in reach(g, k - 1)) + [h]
define best(k: 0..3): 0..99, at most 4 deep =
  if k is 0 then n else max(best(k - 1) after do grow(a) for a in 1..3) otherwise 0
rule grow(k: 0..9)
  increase n by k

rule play
  set found to {value}
  each p in Player
    p chooses chosen in 1..2
    set found to {value}
"""


@pytest.mark.parametrize("value", VALUES)
def test_definitions_that_use_themselves(value: str, tmp_path: Path) -> None:
    text = DEFINED.replace("{value}", value)
    for engine in ENGINES:
        state = load_game(tmp_path, text, engine=engine).start(0)
        assert state.get("found") == VALUES[value], engine
        assert state.get("n") == 0
    same_on_both(load_program(tmp_path, text))


FAULTS = {
    "hops(6)": "hops would use itself more than 6 deep",
    "fib(13)": "fib would use itself more than 12 deep",
    "low(3)": "3 is outside 0..2, the range that low gives",
    "n + (n after do again(9))": "what would be cannot be told: rule again (hills.rules:26): "
    "rule again would run itself more than 4 deep",
}


@pytest.mark.parametrize("value", FAULTS)
def test_faults_are_told_alike(value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = DEFINED.replace("{value}", value).replace(
        "rule grow",
        "define low(k: 0..9): 0..2, at most 9 deep = if k is 0 then 0 else 1 + low(k - 1)\n"
        "rule again(k: 0..9), at most 4 deep\n  if k > 0\n    set n to n after do again(k - 1)\nrule grow",
        1,
    )
    told = set()
    for engine in ENGINES:
        with pytest.raises(RuleFault) as found:
            load_game(tmp_path, text, engine=engine).start(0)
        told.add((found.value.rule, found.value.reason.replace(f"{tmp_path}/", "")))
    assert told == {("play", FAULTS[value])}


def test_a_hundred_deep(tmp_path: Path) -> None:
    text = """
game far
  players 2
each Player has
  score: 0..99999
winner most score[p], then shared
define total(k: 0..99): 0..9999, at most 100 deep =
  if k is 0 then 0 else sum(total(k - 1) for a in 1..1, b in 1..1 where count(list(c in 1..3 where c > a)) > b) + 1
define hope(p: Player, k: 0..99): 0..99999, at most 100 deep =
  if k is 0 then score[p] else hope(p, k - 1) after do give(p)
rule give(p: Player)
  p scores 1
rule deep(p: Player, k: 0..99), at most 100 deep
  let before = list(n in 0..k)
  if k > 0
    do deep(next(p), k - 1)
  otherwise
    p chooses n in 1..3
    p scores n
  p scores count(before)
rule play
  each p in Player
    do deep(p, 99)
    p scores total(99) + hope(p, 99)
"""
    same_on_both(load_program(tmp_path, text), games=2)


def refused(tmp_path: Path, text: str) -> Any:
    ((code, message),) = mistakes(tmp_path, text)
    return code, message


def test_a_circle_needs_a_bound_somewhere(tmp_path: Path) -> None:
    code, message = mistakes(tmp_path, CARDS.replace(", at most 5 deep", ""))[0]
    assert (code, message) == ("R0504", "Rule `play_card` runs itself: play_card -> twice -> play_card.")
    assert not mistakes(
        tmp_path,
        CARDS.replace(", at most 5 deep", "").replace("rule twice(p: Player)", "rule twice(p: Player), at most 2 deep"),
    )


def test_what_is_supposed_may_not_ask(tmp_path: Path) -> None:
    code, message = refused(
        tmp_path,
        changed(CARDS, "gift: gain", "gift: gain, ask")
        + "\nrule ask(p: Player, n: 0..3)\n  p chooses k in 0..n\n  p scores k\n",
    )
    assert code == "R0520" and "`ask`" in message


def test_a_refusal_tells_of_the_column_as_written(tmp_path: Path) -> None:
    text = changed(
        CARDS, "p chooses c in hand[p]\n", "p chooses c in hand[p] where score[p] > 1 after do c.effect(p)\n"
    )
    text = changed(text, "gift: gain", "gift: gain\n    lamp: none").replace(
        "encore: twice, take", "encore: none, take"
    )
    for engine in ENGINES:
        state = load_game(tmp_path, text, engine=engine).start(0)
        assert [option.value for option in state.decision.options] == [{"c": "gift"}]
        refused = state.why_not(None, {"c": "penny"}).text
        assert "score[p] > 1 after do c.effect(p) (score[p] after do c.effect(p) is 0) does not hold" in refused
