"""Small games as texts, and how tests write, load and check them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import interpreter
import rulelang


def write_game(folder: Path, text: str, **others: str) -> Path:
    """Writes a game in one text, and further rules files by name, into ``folder``, which it makes. Returns it.

    The game's file has the name in its header.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (name,) = re.findall(r"^game (\w+)", text, flags=re.M)
    for stem, content in {name: text, **others}.items():
        (folder / f"{stem}.rules").write_text(content, encoding="utf-8")
    return folder


def load_game(folder: Path, text: str, **wanted: Any) -> Any:
    """The game in one text, written into ``folder``; ``wanted`` as in ``interpreter.load``."""
    return interpreter.load(write_game(folder, text), **wanted)


def load_program(folder: Path, text: str) -> rulelang.Program:
    """The program of a game in one text, written into ``folder``."""
    return rulelang.load(write_game(folder, text))


def mistakes(folder: Path, text: str) -> list[tuple[str, str]]:
    """Code and message of each error in a game, written into ``folder``."""
    found = rulelang.check_path(write_game(folder, text)).diagnostics
    return [(d.code, d.message) for d in found if d.severity == "error"]


def changed(text: str, old: str, new: str) -> str:
    """The text with the first ``old`` replaced; fails when it has none."""
    assert old in text
    return text.replace(old, new, 1)


PILE = """\
# Take one, two or three from a pile of seven; each piece is a point.
game pile
  title "The Pile"
  players 2..3
  seats red, blue, green
  languages en

number size = 7

the game has
  left: 0..9 = size

each Player has
  score: 0..50

winner most score[p], then shared

invariant nothing_lost: left + sum(score[p] for p in Player) is size

rule play
  take turns p from first(Player) until left is 0
    do turn(p)
  end the game

rule turn(p: Player)
  surely p chooses one of
    option take(n in 1..3)
      needs n <= left
      decrease left by n
      p scores n
"""
"""Take one, two or three from a pile; each piece is a point."""

DASH = """\
game dash
  players 2..3
  seats red, blue, green

number goal = 20

each Player has
  score: 0..60

winner most score[p], then shared

rule play
  take turns p from first(Player) until score[p] >= goal
    do turn(p)

rule turn(p: Player)
  roll pips in 1..6
  p chooses one of
    option keep
      p scores pips
    option throw_again
      roll more in 1..6
      p scores more
"""
"""A race with dice, short enough to be played hundreds of times."""

SMALL = """\
variant small of pile
  "a pile of four"

change number size to 4
"""
"""A variant of the pile."""

SACK = """\
# Draw gems from a sack nobody looks into, and sell them; what is in a hand is its owner's secret.
game sack
  title "The Sack"
  players 2..2
  seats north, south
  languages en

enum Gem: ruby, opal, jade

table Face
  worth: 1..3
  rows
    low: 1
    high: 3

option rest: yes, no
  default yes

the game has
  bag: bag of Gem = {g: 3 for g in Gem}, seen by nobody, counted
  box: pool of Gem
  rounds: 0..40

each Player has
  hand: pool of Gem, seen by owner, counted
  score: 0..99

winner most score[p], then shared

invariant gems_kept: every(box[g] + sum(hand[p][g] for p in Player) <= 3 for g in Gem)

rule play
  take turns p from first(Player) until rounds is 12
    increase rounds by 1
    do turn(p)
  end the game

rule turn(p: Player)
  surely p chooses one of
    option gem.dig
      needs count(bag) > 0
      move 1 from bag to hand[p]
    option gem.sell(g in Gem)
      needs hand[p][g] > 0
      move 1 of g from hand[p] to box
      p scores 2
    option gem.gamble(g in Gem)
      needs hand[p][g] > 0
      move 1 of g from hand[p] to box
      roll face in Face
      p scores face.worth
    option rest.now
      needs rest is yes
      do nothing
"""
"""Gems drawn from a sack nobody looks into, and a roll."""

CARDS = """\
game cards
  players 3
  seats ann, ben, cas

enum Card: oak, elm, ash, fir
range Bid: 1..5

number of_each = 3
number turned_up = 2

the game has
  deck: stack of Card = {c: of_each for c in Card}, seen by nobody, counted
  vault: bag of Card, seen by nobody
  table: pool of Card
  trump: slot of Card, seen by nobody
  yard: grid of Card, at most 5, seen by nobody, counted

each Player has
  hand: pool of Card, seen by owner
  bid: 0..500, seen by owner
  pledge: 0..500
  secret: Card or none, seen by owner
  score: 0..99

winner most score[p], then shared

define in_hands(c: Card) = sum(hand[p][c] for p in Player) + (if trump is c then 1 else 0)
define in_stacks(c: Card) = count(d in deck where d is c) + count(s in yard where s.piece is c)

invariant cards_kept: every(in_hands(c) + in_stacks(c) + vault[c] + table[c] is of_each for c in Card)
invariant bids_kept: every(bid[p] + pledge[p] is 0 or bid[p] + pledge[p] is 100 for p in Player)

rule play
  shuffle deck
  each p in Player
    surely move 2 from deck to hand[p]
  move up to turned_up from deck to table
  surely move up to 1 from deck to trump
  openly surely move up to 1 from deck to yard at (0, 0)
  each p in Player
    set bid[p] to 100
  take turns p from first(Player) until score[p] >= 3
    do turn(p)
  end the game

rule turn(p: Player)
  p scores 1
  let kept = top(deck)
  let mine = count(hand[p])
  openly p chooses c in Card where hand[p][c] > 0
    rule turn.where
      p chooses one of
        option show
          move 1 of c from hand[p] to table
        option hide
          move 1 of c from hand[p] to vault
        option pledge.some(n in Bid)
          needs n <= bid[p]
          decrease bid[p] by n
          increase pledge[p] by n
        option favourite(f in Card)
          set secret[p] to f
    openly if kept is not none and count(hand[p]) < mine
      move up to 1 from deck to hand[p]
  otherwise
    end the game
"""
"""Hands, a deck, a bag, a slot and a grid that nobody sees."""

PLEDGES = """\
game bids
  players 3
  seats ann, ben, cas

enum Lot: vase, lamp

the game has
  rounds: 0..3

each Player has
  gold: 0..20 = 9, seen by owner
  bid: 0..9
  chest: pool of Lot = {vase: 1, lamp: 1}, seen by owner
  given: pool of Lot, seen by owner
  score: 0..99

winner most score[p], then shared

invariant gold_kept: every(gold[p] + bid[p] is 9 for p in Player)

rule play
  take turns q from first(Player) until rounds is 3
    increase rounds by 1
    together each p in Player from q
      p chooses n in 0..gold[p]
      decrease gold[p] by n
      increase bid[p] by n
      openly p chooses l in chest[p]
        move 1 of l from chest[p] to given[p]
    each p in Player where bid[p] > 4
      p scores 1
  end the game
"""
"""Players bid and choose together, from a secret chest."""

BIDS = """\
game bids
  players 3
  seats ann, ben, cas

enum Lot: vase, lamp

the game has
  prize: pool of Lot = {l: 1 for l in Lot}
  rounds: 0..3
  alarm: flag

each Player has
  gold: 0..20 = 9, seen by owner
  bid: 0..9
  bids: 0..9
  won: pool of Lot
  purse: bag of Lot = {vase: 1}
  score: 0..99

winner most score[p], then shared

define best = max(bid[p] for p in Player) otherwise 0
define others_bids(p: Player) = sum(bid[q] for q in Player where q is not p)

invariant gold_kept: every(gold[p] + bid[p] is 9 for p in Player) or rounds > 0

rule play
  take turns p from first(Player) until rounds is 2
    do auction(p)
  end the game

rule auction(first_asked: Player)
  rule auction.bids
    together each p in Player from first_asked
      do bidding(p)
  rule auction.end
    increase rounds by 1
    each p in Player where bid[p] is best
      p scores 1
    each p in Player
      decrease bid[p] by bid[p]

rule bidding(p: Player)
  openly p chooses n in 0..min(gold[p], 9 - others_bids(p))
    set bid[p] to n
    decrease gold[p] by n
    if n > 2
      rule bidding.more
        p chooses one of
          option shout
            p scores 1
          option whisper
            increase bids[p] by 1

rule alarm.rings whenever some(p in Player where bid[p] > 4) and not alarm
  set alarm to yes
"""
"""Players bid together; a menu, a die and a watcher inside."""

MOSAIC = """\
game mosaic
  players 2
  seats red, blue

table Shard
  open: set of Side
  rows
    cross: [north, east, south, west]
    bend: [north, east]
    stub: [north]

the game has
  sack: bag of Shard = {t: 4 for t in Shard}
  box: pool of Shard

each Player has
  hand: pool of Shard
  floor: grid of Shard, at most 5
  score: 0..99

winner most score[p], then shared

graph net(p: Player)
  node s in floor[p], d in Side where d is in turned(s.piece.open, s.turn)
  edge (s, d) to (s, e) for e in Side
  edge (s, d) to (o, opposite(d)) for o in beside(floor[p], s, d)

define longest(p: Player) = max(count(set(s for (s, d) in g)) for g in groups(net(p))) otherwise 0

invariant nothing_lost: count(sack) + count(box) + sum(count(hand[p]) + count(floor[p]) for p in Player) is 12

rule play
  each p in Player
    surely move 1 of cross from sack to floor[p] at (0, 0)
  take turns p from first(Player) until count(sack) is 0
    do turn(p)
  each p in Player
    p scores longest(p)

rule turn(p: Player)
  move up to 1 from sack to hand[p]
  p chooses t in hand[p], c in openings(floor[p]), k in 0..3
    move 1 of t from hand[p] to floor[p] at c turned k
  otherwise
    move all from hand[p] to box

rule lay(p: Player, t: Shard, x: -9..9)
  surely move 1 of t from hand[p] to floor[p] at (x, 0)

rule take_up(p: Player)
  surely move 1 from floor[p] to hand[p]

rule slide(p: Player)
  surely move at 1 from floor[p] to floor[next(p)] at (0, 0) turned 3

example shards.meaning
  players red, blue
  given floor[red] is [(cross, 0, 0, 0), (bend, 1, 0, 2)], hand[red] is {stub: 1}, sack is {bend: 3}
  given box is {cross: 3, stub: 3}, hand[blue] is {}
  then openings(floor[blue]) is [(0, 0)], count(openings(floor[red])) is 6
  then openings(floor[red]) is [(-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (2, 0)]
  then beside(floor[red], (1, 0), west) is (cross, 0, 0, 0), beside(floor[red], (1, 0), east) is none
  then list(o.piece for s in floor[red], o in beside(floor[red], s, west)) is [cross]
  then turned([north, east], 3) is [west, north], turned(west, 1) is north, turned(north, -1) is west
  then first(s.turn for s in floor[red] where s.y is 0 and s.x > 0) is 2, floor[red][2] is (bend, 1, 0, 2)
  then longest(red) is 2, longest(blue) is 0
  then list(b for (a, b) in [(1, 2), (3, 4)] where a > 1) is [4], sum(a * b for (a, b) in [(1, 2), (3, 4)]) is 14
  chance bend
  run turn(red)
  red chooses bend, (1, -1), 0
  then floor[red][3] is (bend, 1, -1, 0), longest(red) is 3, hand[red] is {stub: 1}
"""
"""Tiles laid on a grid without an edge, with quarter turns."""

LINES = """\
game lines
  players 2

enum Town: a, b, c, d, e

each Town has
  open: flag = yes

graph net(all: flag)
  node t in Town, n in 1..2 where all or open[t]
  edge (t, n) to (t, 3 - n)
  edge (t, n) to (u, n) for u in next(t)

rule play
  do nothing

example lines.longest
  then longest_trail(net(yes), t) is 5, longest_trail(net(no), (t, n)) is 10
  then longest_trail(net(no), n) is 2, max(longest_trail(net(no), t) + x for x in [1, 2]) is 7

example lines.cut
  given not open[c]
  then longest_trail(net(no), t) is 2, longest_trail(net(no), (t, n)) is 4, longest_trail(net(yes), t) is 5
"""
"""A graph and its longest trails."""

COINS = """\
game coins
  players 2

number coin_worth = 2

each Player has
  score: 0..999

winner most score[p], then shared

rule play
  repeat at most 12
    each p in Player
      p chooses one of
        option rest(n in 1..3)
          p scores 0
        option coin
          p scores coin_worth
      p chooses one of
        option boast
          needs score[p] > 30
          p scores 2
        option wait(n in 0..4)
          p scores n
"""
"""A coin worth what it says, and an option like the others, which only those have who are ahead."""

GAMES = (PILE, SACK, CARDS, PLEDGES, BIDS, MOSAIC, LINES)
