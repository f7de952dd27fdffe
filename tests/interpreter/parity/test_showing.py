"""What is shown, and what is remembered of it while pieces come and go, on both engines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from alike import same_on_both
from small_games import load_game, write_game

import rulelang
from interpreter.loading import ENGINES

GAME = """
game veil
  players 2..4

enum Card: red, blue, green
enum Spot: left, right

the game has
  deck: stack of Card = {c: 6 for c in Card}, seen by nobody, counted
  well: stack of Card = {c: 3 for c in Card}, seen by nobody
  vault: bag of Card = {c: 3 for c in Card}, seen by nobody
  heap: stack of Card
  purse: pool of Card = {red: 9}
  trump: slot of Card, seen by nobody
  secret: Card or none, seen by nobody
  trap: flag, seen by nobody
  moon: 0..9, seen by nobody
  steps: 0..500

each Player p has
  hand: pool of Card, seen by owner
  stash: stack of Card, seen by q where index(q) mod 2 is index(p) mod 2 and q is not p
  score: -50..900, not above 900, seen by owner
each Player p and Spot s has
  note: slot of Card, seen by all but owner
  mark: Card or none, seen by q where q is p or s is left

winner most score[p], then shared

rule reveal(p: Player)
  show hand[p] to all
  show stash[p] to next(p)
  p scores 1

rule watch whenever steps is 12
  increase steps by 1
  show moon to all

rule play
  shuffle deck
  shuffle well
  roll a in 0..9
  set moon to a
  roll b in Card
  set secret to b
  each p in Player
    surely move 2 from deck to hand[p]
    openly surely move 1 from well to stash[p]
    openly surely move 1 from vault to note[p, left]
  take turns p from first(Player) until count(deck) < 2 or steps > 60
    increase steps by 1
    openly let gain = score[p] after do reveal(p)
    together each q in Player
      q chooses n in 0..1
        surely move up to n of red from hand[q] to hand[q]
    surely p chooses one of
      option peek(n in 1..3)
        show up to n from deck to p
        show all from well to next(p)
        surely show at 1 from deck to p
      option pull
        surely move 1 from deck to hand[p]
        openly move up to 1 from well to stash[p]
      option dive
        surely move at 1 from deck to hand[p]
      option bag
        show all of red from vault to p
        openly surely show min(1, vault[blue]) of blue from vault to each q in Player where q is not p
        openly move up to 1 from vault to hand[p]
      option free
        show trump to p
        show secret to p
        show trap to each q in Player where index(q) < 2
        show moon to next(p)
        show score[p] to next(p)
        show note[p, left] to p
        show mark[p, right] to all
        show stash[p] to p
        p scores 1
      option change(n in 0..9, c in Card)
        set moon to n
        set secret to c
        increase moon by 0
        set trap to n > 3
        set mark[p, right] to c
        set trump to c
      option swap(c in Card)
        openly move up to 1 from stash[p] to heap
        move all from heap to stash[p]
        shuffle stash[p]
      option give(c in Card)
        openly move up to 1 of c from hand[p] to hand[next(p)]
        openly surely show {red: min(1, vault[red])} from vault to p
      option pay
        openly needs hand[p] holds {red: 1}
        show hand[p] to next(p)
        openly surely p pays {red: 1} from hand[p] to purse
      option topple
        openly move up to 2 from stash[p] to deck
        openly if note[p, left] is not none
          surely move 1 from note[p, left] to hand[p]
"""


@pytest.mark.parametrize("players", [2, 3, 4])
def test_both_engines_remember_the_same(players: int, tmp_path: Path) -> None:
    same_on_both(rulelang.load(write_game(tmp_path, GAME), players=players), games=4, limit=250)


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
