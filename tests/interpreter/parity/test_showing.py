"""What is shown, and what is remembered of it while pieces come and go, on both engines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from alike import same_on_both
from small_games import corpus, load_game, write_game

import rulelang
from interpreter.loading import ENGINES

GAME = corpus("veil")


def test_both_engines_remember_the_same(tmp_path: Path) -> None:
    same_on_both(rulelang.load(write_game(tmp_path, GAME), players=4), games=4, limit=250)


# ---------------------------------------------------------------- what is remembered, step by step

STEPS = """
game steps
  players 3
  seats ann, ben, cas

enum Card: red, blue, green

the game has
  deck: stack of Card = [red, blue, green, red, blue, green], seen by nobody, counted
  pit: stack of Card, seen by nobody
  out: pool of Card
  moon: 0..9 = 4, seen by nobody

each Player has
  hand: pool of Card = {red: 2, blue: 1}, seen by owner
  bid: 0..9, seen by owner

rule play
  ann wins

rule two_of_them
  openly surely show 2 of red from hand[ann] to ben
  ann wins

rule taken
  show hand[ann] to all
  openly surely move 1 of red from hand[ann] to out
  ann wins

rule given
  show hand[ann] to each q in Player where q is not ann
  openly surely move 1 of red from hand[ann] to hand[ben]
  ann wins

rule some_gone
  show hand[ann] to all
  move up to bid[ann] of blue from hand[ann] to hand[ben]
  ann wins

rule drawn
  surely show 3 from deck to ben
  surely move 1 from deck to hand[ann]
  ann wins

rule laid
  surely show 2 from deck to ben
  openly surely move 1 of blue from hand[ann] to deck
  ann wins

rule from_below
  surely show at 4 from deck to ben
  surely move at 1 from deck to hand[ann]
  surely move at 4 from deck to pit
  ann wins

rule shuffled
  surely show 2 from deck to ben
  shuffle deck
  ann wins

rule told_anew
  show moon to all
  set moon to 5
  show moon to cas
  ann wins
"""

RED, BLUE, GREEN = range(3)

REMEMBERED = {
    "two_of_them": {"hand.shown": {1: (2, 0, 0)}},
    "taken": {"hand.shown": {1: (1, 1, 0), 2: (1, 1, 0)}},
    "given": {"hand.shown": {1: (1, 1, 0), 2: (1, 0, 0)}},  # cas knows that one has gone, and not which
    "some_gone": {"hand.shown": {1: (2, 1, 0)}},  # ben saw that there was none; cas cannot know how many have gone
    "drawn": {"deck.shown": {1: (BLUE, RED)}},
    "laid": {"deck.shown": {1: (None, GREEN, BLUE)}},
    "from_below": {"deck.shown": {1: (None, RED, None, None)}},
    "shuffled": {"deck.shown": {}},
    "told_anew": {"moon.shown": {2: (5,)}},
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("rule", REMEMBERED)
def test_what_is_remembered_is_what_is_certain(rule: str, engine: str, tmp_path: Path) -> None:
    text = STEPS.replace("rule play\n", "rule at_first\n").replace(f"rule {rule}\n", "rule play\n")
    game: Any = load_game(tmp_path, text.replace("move up to bid", "openly move up to bid"), engine=engine)
    state = game.start(1)
    layout = game.blueprint.layout
    for name, expected in REMEMBERED[rule].items():
        place = layout.places[name]
        cells = state.position.cells
        for seat in range(3):
            owners = (seat, 0) if name.startswith("hand") else (seat,)
            found = cells[place.index(owners)]
            empty = (0, 0, 0) if name.startswith("hand") else ()
            assert found == expected.get(seat, empty), (name, seat)
