"""Histories and kept lists: who may know them, and where they may change."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_games import mistakes, write_game

import rulelang

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
