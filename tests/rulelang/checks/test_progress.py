"""Turns that end although nobody decides in them, and loops that do not end although they look as if."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_games import load_game, mistakes, write_game

import interpreter

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
