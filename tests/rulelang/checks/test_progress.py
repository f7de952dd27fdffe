"""Turns, loops, rules and definitions that may go on and on, histories, and what ends them."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_games import load_game, mistakes, write_game

import interpreter
import rulelang

DEAL = """\
game deal
  players 2..3

enum Card: sun, moon

the game has
  deck: stack of Card = {sun: 4, moon: 3}
  spare: stack of Card
  count_up: 0..9
  lit: flag

each Player has
  hand: pool of Card
  score: 0..99

winner most score[p], then shared

rule play
"""


def codes(folder: Path, body: str, more: str = "") -> list[str]:
    text = DEAL + "".join(f"  {line}\n" for line in body.split("\n")) + "\n" + more
    return [code for code, _ in mistakes(folder / "deal", text)]


ENDING = [
    "take turns p from first(Player) until count(deck) is 0\n  move up to 1 from deck to hand[p]",
    "take turns p from first(Player) until count(deck) is 0\n  move up to 2 from deck to hand[p]\n  p scores 1",
    "take turns p from first(Player) until not count(deck) > 0\n  move up to 1 from deck to hand[p]",
    "take turns p from first(Player) until count(deck) < 2\n  surely move 1 from deck to hand[p]",
    "take turns p from first(Player) until count_up is 5\n  increase count_up by 1",
    "take turns p from first(Player) until count_up is 5\n  do step(p)",
    "take turns p from first(Player) until score[p] > 20\n  p scores count(deck) + 1",
    "take turns p from first(Player)\n  if count(deck) is 0\n    stop\n  move up to 1 from deck to hand[p]\n"
    "  increase count_up by 1",
]
MORE = "rule step(p: Player)\n  rule counted\n    increase count_up by 1\n"


@pytest.mark.parametrize("body", ENDING)
def test_turns_that_use_something_up_need_no_decision(tmp_path: Path, body: str) -> None:
    more = MORE if "do step" in body else ""
    assert codes(tmp_path, body, more) == []


def test_such_turns_are_played_the_same_by_both_engines(tmp_path: Path) -> None:
    body = "".join(f"  {line}\n" for line in ENDING[1].split("\n"))
    text = (
        DEAL + body + "  take turns p from first(Player) until score[p] > 9\n    p chooses n in 1..3\n    p scores n\n"
    )
    reference = load_game(tmp_path / "deal", text, players=3)
    fast = interpreter.load(write_game(tmp_path / "deal", text), players=3, engine="wasm")
    states = [game.start(1) for game in (reference, fast)]
    assert states[0].view(None) == states[1].view(None)
    assert states[0].decision.player == states[1].decision.player == 0


@pytest.mark.parametrize(
    "body",
    [
        "take turns p from first(Player) until lit\n  p scores 0",
        "take turns p from first(Player) until count(deck) is 7\n  move up to 1 from deck to hand[p]",
        "take turns p from first(Player) until count(spare) is 7\n  move up to 1 from deck to spare",
        "take turns p from first(Player) until count_up is 5\n  if lit\n    increase count_up by 1",
        "take turns p from first(Player) until count_up is 5\n  increase count_up by 1\n"
        "  if lit\n    set count_up to 0",
        "take turns p from first(Player) until count(deck) is 0\n  move up to 1 from deck to spare\n"
        "  move up to 1 from spare to deck",
        "take turns p from first(Player) until count(deck) is 0\n  move up to 1 from deck to spare\n  do back",
    ],
)
def test_turns_in_which_nothing_is_sure_to_be_used_up_are_reported(tmp_path: Path, body: str) -> None:
    more = "rule back\n  move all from spare to deck\n" if "do back" in body else ""
    assert codes(tmp_path, body, more) == ["R0507"]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("take turns p from first(Player)\n  p chooses n in 1..3\n  repeat at most 3\n    stop", ["R0510"]),
        ("take turns p from first(Player)\n  p chooses n in 1..3\n  if n > 2\n    stop", []),
        ("take turns p from first(Player)\n  p chooses n in 1..3\n  rule third when n > 2\n    stop", []),
        ("take turns p from first(Player)\n  p chooses n in 1..3\n  each m in 2..n\n    if m > 2\n      stop", []),
        ("repeat falling count(deck)\n  repeat at most 2\n    stop\n  move up to 1 from deck to spare", ["R0510"]),
    ],
)
def test_a_stop_in_an_inner_loop_leaves_only_that(tmp_path: Path, body: str, found: list[str]) -> None:
    assert codes(tmp_path, body) == found


# What checks say of rules and definitions that use themselves, and of rules that rows name.


SECRETS = """
game secrets
  players 3

table Card
  effect: rule(p: Player) or none = none
  rows
    penny
    gift: gain
    encore: twice

the game has
  found: 0..9, seen by nobody
  box: stack of Card = [penny, gift, encore], seen by nobody

each Player has
  secret: 0..9 = 3, seen by owner
  score: 0..99

winner most score[p], then shared

define far(p: Player, n: 0..9): 0..20, at most 5 deep = if n is 0 then secret[p] else far(next(p), n - 1)
define own(p: Player, n: 0..9): 0..20, at most 5 deep = if n is 0 then secret[p] else own(p, n - 1)

rule look(p: Player, n: 0..9), at most 5 deep
  if n is 0
    set found to secret[p]
  otherwise
    do look(next(p), n - 1)
rule mine(p: Player, n: 0..9), at most 5 deep
  if n is 0
    set found to secret[p]
  otherwise
    do mine(p, n - 1)
rule gain(p: Player)
  p scores 1
rule twice(p: Player)
  p scores 2

rule play
  each p in Player
    do look(p, 1)
    do mine(p, 1)
    do penny.effect(p)
    if own(p, 2) < 40
      do nothing
    {line}
"""


@pytest.mark.parametrize(
    ("line", "code", "about"),
    [
        ("surely p chooses n in 0..3 where far(p, 1) >= 0 or n > 1", "R0508", "`secret`"),
        ("surely p chooses n in 0..3 where own(p, 1) >= 0 or n > 1", None, ""),
        ("surely p chooses n in 0..3 where (secret[p] >= 0 after do look(p, 2)) or n > 1", "R0508", "`look`"),
        ("surely p chooses n in 0..3 where (score[p] >= 0 after do mine(p, 2)) or n > 1", "R0508", "`found`"),
        ("p scores far(p, 2)", "R0513", "`secret`"),
        ("let c = top(box) otherwise penny\n    do c.effect(p)", "R0512", "Everybody sees which rule runs"),
        ("let c = top(box) otherwise penny\n    openly do c.effect(p)", None, ""),
        ("let c = last(Card)\n    do c.effect(p)", None, ""),
    ],
)
def test_secrets_are_followed_through_what_uses_itself(line: str, code: str | None, about: str, tmp_path: Path) -> None:
    found = mistakes(tmp_path, SECRETS.replace("{line}", line))
    assert {c for c, _ in found} == ({code} if code else set()), found
    assert all(about in message for _, message in found), found


DEEP = """
game deep
  players 2

each Player has
  score: 0..99

winner most score[p], then shared

{item}

rule play
  each p in Player
    {line}
"""


@pytest.mark.parametrize(
    ("item", "line", "code"),
    [
        ("rule a(p: Player)\n  do b(p)\nrule b(p: Player), at most 3 deep\n  do a(p)", "do a(p)", None),
        ("rule a(p: Player)\n  do b(p)\nrule b(p: Player)\n  do a(p)", "do a(p)", "R0504"),
        ("rule a(p: Player), at most 101 deep\n  do a(p)", "do a(p)", "R0404"),
        ("rule a(p: Player), at most players deep\n  do a(p)", "do a(p)", None),
        ("rule a(p: Player), at most score[p] deep\n  do a(p)", "do a(p)", "R0401"),
        ("define a(n: 0..9) = if n is 0 then 0 else a(n - 1)", "p scores a(3)", "R0504"),
        ("define a(n: 0..9): 0..9, at most 4 deep = if n is 0 then yes else 3", "p scores a(3)", "R0402"),
        ("define a(n: 0..9): 5..9, at most 4 deep = if n is 0 then 1 else 2", "p scores a(3)", "R0404"),
        ("define a(n: 0..9): 0..9, at most 4 deep = b(n)\ndefine b(n: 0..9) = a(n - 1)", "p scores a(3)", None),
        ("event e\nrule heard, at most 2 deep on e\n  announce e", "announce e", None),
    ],
)
def test_every_circle_has_a_bound(item: str, line: str, code: str | None, tmp_path: Path) -> None:
    found = mistakes(tmp_path, DEEP.replace("{item}", item).replace("{line}", line))
    assert {c for c, _ in found} == ({code} if code else set()), found


def test_a_long_circle_cannot_go_very_deep(tmp_path: Path) -> None:
    rules = [f"rule r{n}(p: Player)\n  do r{n + 1}(p)" for n in range(9)]
    text = DEEP.replace("{item}", "\n".join([*rules, "rule r9(p: Player), at most {deep} deep\n  do r0(p)"]))
    text = text.replace("{line}", "do r0(p)")
    assert not mistakes(tmp_path, text.replace("{deep}", "30"))
    ((code, message),) = mistakes(tmp_path, text.replace("{deep}", "90"))
    assert code == "R0504" and "more than 400 rules" in message


def test_rows_of_every_setting_are_looked_at(tmp_path: Path) -> None:
    text = """
game moods
  players 2

option mood: calm, wild
  default calm

table Card
  effect: rule(p: Player) or none
  rows
    penny: none
  rows when mood is calm
    gift: gain
  rows when mood is wild
    gift: storm

each Player has
  score: 0..99 = 9

winner most score[p], then shared

rule gain(p: Player)
  p scores 2
rule storm(p: Player)
  p loses 1
  if score[p] > 5
    do gift.effect(p)

rule play
  each p in Player
    do gift.effect(p)
"""
    assert [code for code, _ in mistakes(tmp_path, text)] == ["R0504"]
    assert not mistakes(tmp_path, text.replace("rule storm(p: Player)", "rule storm(p: Player), at most 9 deep"))


# Histories and kept lists: who may know them, and where they may change.


GAME = """
game tiny
  players 2

enum Good: wood, wool

each Player has
  hand: pool of Good = {wood: 2, wool: 1}, seen by owner
  notes: list of Good, last 4, seen by owner
  score: 0..99

the game has
  n: 0..9
  bank: pool of Good
  told: list of Good, at most 9

winner most score[p], then shared

history hands, at most 9, seen by nobody: hand
history open, at most 9: n, bank

rule turn(p: Player)
  remember open
  remember hands
BODY

rule play
  take turns p from first(Player) until n is 9
    increase n by 1
    p chooses k in 1..2
    do turn(p)
"""

BODIES: dict[str, list[tuple[str, str]]] = {
    "do nothing": [],
    "set notes[p] to notes[p] + [if hand[p][wood] > 0 then wood else wool]": [],
    "openly if occurrences(hands) > 2\n    p scores 1": [],
    "if occurrences(open) > 2\n    p scores 1": [],
    "if occurrences(hands) > 2\n    p scores 1": [
        (
            "R0512",
            "Everybody sees which way this goes, and would learn something about `hands`, which nobody can see.",
        )
    ],
    "set told to notes[p]": [
        (
            "R0513",
            "Everybody sees `told`, and would learn something about `notes`, which only its owner can see.",
        )
    ],
    "together each q in Player\n    remember open": [
        ("R0511", "`open` cannot change here, only what belongs to `q`. All players are deciding at the same time."),
    ],
}


@pytest.mark.parametrize("body", BODIES)
def test_what_is_found(body: str, tmp_path: Path) -> None:
    assert mistakes(tmp_path, GAME.replace("BODY", f"  {body}")) == BODIES[body]


def test_a_history_of_what_is_hidden_is_hidden(tmp_path: Path) -> None:
    text = GAME.replace("BODY", "").replace(", seen by nobody: hand", ": hand")
    ((code, message),) = mistakes(tmp_path, text)
    assert code == "R0513"
    assert message.startswith("Everybody sees when `hands` holds a position again, and would learn something about")


def test_a_history_that_never_remembers_anything_is_reported(tmp_path: Path) -> None:
    text = GAME.replace("BODY", "").replace("  remember hands", "  forget hands")
    found = rulelang.check_path(write_game(tmp_path, text)).diagnostics
    assert [(d.code, d.message) for d in found] == [("R0509", "The history `hands` never remembers anything.")]
