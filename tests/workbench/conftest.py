"""Small games, written out as rule texts, for trying the command line on."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.cli import run

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

VARIANT = """\
variant small of pile
  "a pile of four"

change number size to 4
"""

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

BROKEN = PILE.replace("by n\n", "by m\n").replace("n <= left", "n <= lef")


@pytest.fixture
def pile(tmp_path: Path) -> Path:
    return _game(tmp_path, "pile", PILE, small=VARIANT)


@pytest.fixture
def sack(tmp_path: Path) -> Path:
    return _game(tmp_path, "sack", SACK)


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    return _game(tmp_path, "broken", BROKEN)


def _game(where: Path, name: str, text: str, **variants: str) -> Path:
    folder = where / name
    folder.mkdir()
    (folder / f"{name}.rules").write_text(text)
    for variant, rules in variants.items():
        (folder / f"{variant}.rules").write_text(rules)
    return folder


class Ran:
    """What a command line did: its exit status and what it wrote."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err


@pytest.fixture
def rulelang(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """Runs a command line in this process; ``typed`` are the lines for `input`."""

    def call(*arguments: object, typed: list[str] | None = None) -> Ran:
        lines = iter(typed or [])

        def read(prompt: str = "") -> str:
            print(prompt, end="")
            try:
                line = next(lines)
            except StopIteration:
                raise EOFError from None
            print(line)
            return line

        monkeypatch.setattr("builtins.input", read)
        capsys.readouterr()
        status = run([str(a) for a in arguments])
        written = capsys.readouterr()
        return Ran(status, written.out, written.err)

    return call
