"""What is certain when pieces are moved: what has been checked, what steps have left behind, what fills a place."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_games import changed, mistakes

import rulelang

# Between the condition and the move a nested rule ends, and there the watcher empties the pile.
LAMP = """\
game lamp
  players 2..2
  seats red, blue

enum Gem: ruby, opal

the game has
  pile: pool of Gem = {ruby: 3}
  bin: pool of Gem
  lit: flag
  rounds: 0..9

each Player has
  score: 0..9

winner most score[p], then shared

rule play
  take turns p from first(Player) until rounds is 3
    increase rounds by 1
    p chooses n in 1..2
    if pile[ruby] > 0
      rule switch
        set lit to yes
      move 1 of ruby from pile to bin
  end the game

rule empty whenever lit
  move all from pile to bin
  set lit to no
"""


def test_a_watcher_may_empty_a_place_at_the_end_of_a_nested_rule(tmp_path: Path) -> None:
    ((code, message),) = mistakes(tmp_path / "with", LAMP)
    assert code == "R0502" and "`pile`" in message
    harmless = changed(LAMP, "  move all from pile to bin\n  set lit to no", "  set lit to no")
    assert mistakes(tmp_path / "without", harmless) == []


# What earlier steps have made certain, and what is not certain after all.
YARD = """\
game yard
  players 2

enum Gem: ruby, opal
enum Hill, ring: oak, elm, ash

the game has
  pile: pool of Gem = {ruby: 9, opal: 9}
  deck: stack of Gem = {ruby: 9}
  bin: pool of Gem
  row: stack of Gem, at most 3
  spot: slot of Gem
  watch: flag
  here: Hill

each Player has
  hand: pool of Gem, at most 4
  score: 0..99

each Hill has
  stone: slot of Gem
  tower: stack of Gem, at most 2

winner most score[p], then shared

rule play
  take turns p from first(Player) until score[p] > 9
    do turn(p)
    surely p chooses n in 1..3
    p scores n

rule other
  surely move 1 from deck to spot

rule turn(p: Player)
"""


def yard(tmp_path: Path, body: str, more: str = "") -> list[str]:
    """The codes of the mistakes of a turn with these lines."""
    text = YARD + "".join(f"  {line}\n" for line in body.strip("\n").split("\n")) + "\n" + more
    return [code for code, _ in mistakes(tmp_path / "yard", text) if code != "R0509"]


@pytest.mark.parametrize(
    "body",
    [
        "move all from spot to bin\nif deck[1] is ruby\n  move 1 from deck to spot",
        "move all from row to bin\nif count(deck) >= 3\n  move 3 from deck to row",
        "move all from stone[here] to bin\nif count(deck) > 0\n  move 1 from deck to stone[here]",
        "set spot to none\nif count(deck) > 0\n  move 1 from deck to spot",
        "set spot to ruby\nmove 1 from spot to bin",
        "move up to 1 from spot to bin\nif count(deck) > 0\n  move 1 from deck to spot",
        "each g in spot\n  move all of g from spot to bin\n  if count(deck) > 0\n    move 1 from deck to spot",
        "each h in Hill\n  move all from stone[h] to bin\nif count(deck) > 0\n  move 1 from deck to stone[elm]",
        "each h in Hill from here\n  move all from tower[h] to bin\neach g in deck\n  move all of g from deck to pile"
        "\nif count(deck) > 1\n  move 2 from deck to tower[here]",
        "if every(stone[h] is none for h in Hill) and count(deck) > 0\n  move 1 from deck to stone[here]",
        "if not some(stone[h] is not none for h in Hill) and count(deck) > 0\n  move 1 from deck to stone[ash]",
        "if not some(h in Hill where stone[h] is not none) and count(deck) > 0\n  move 1 from deck to stone[ash]",
        "if count(row) is 1 and count(deck) >= 2\n  move 2 from deck to row",
        "if count(row) <= 1 and count(deck) >= 2\n  move 2 from deck to row",
        "if pile[ruby] >= 2\n  move 2 of ruby from pile to bin\n  move 2 of ruby from bin to pile",
        "if count(deck) > 1\n  move at 2 from deck to bin",
        "if count(deck) > 0\n  surely move 1 from row to bin\n  move 1 from deck to row",
        "set score[p] to min(99, max(score[q] for q in Player) + min(index(h) for h in Hill))",
        "let most = max(score[q] for q in Player)\nset score[p] to min(99, most + 1)",
        "if there is g in first(k for k in pile)\n  move 1 of g from pile to bin",
        "if there is g in ranked(k in pile by most index(k))[1]\n  move 1 of g from pile to bin",
        "surely move up to 1 from deck to spot\neach g in spot\n  move 1 of g from spot to bin\nif count(deck) > 0\n"
        "  move 1 from deck to spot",
        "each h in ranked(h in Hill by most index(h))\n  move all from stone[h] to bin\nif count(deck) > 0\n"
        "  move 1 from deck to stone[elm]",
        "set here to first(h in Hill from next(here))\nset here to first(ahead(here))\nset here to last([oak, elm])",
    ],
)
def test_what_is_certain_needs_no_surely(tmp_path: Path, body: str) -> None:
    assert yard(tmp_path, body) == []


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ("move all from spot to bin\ndo other\nif count(deck) > 0\n  move 1 from deck to spot", ["R0503"]),
        ("move all from row to bin\nif count(deck) >= 4\n  move 4 from deck to row", ["R0503"]),
        ("move up to 1 from row to bin\nif count(deck) > 0\n  move 1 from deck to row", ["R0503"]),
        (
            "move all from stone[oak] to stone[here]\nif count(deck) > 0\n  move 1 from deck to stone[oak]",
            ["R0503", "R0503"],
        ),
        (
            "move all from stone[here] to bin\nset here to elm\nif count(deck) > 0\n  move 1 from deck to stone[here]",
            ["R0503"],
        ),
        (
            "each h in Hill where h is not elm\n  move all from stone[h] to bin\n"
            "if count(deck) > 0\n  move 1 from deck to stone[elm]",
            ["R0503"],
        ),
        (
            "each h in [oak, ash]\n  move all from stone[h] to bin\n"
            "if count(deck) > 0\n  move 1 from deck to stone[elm]",
            ["R0503"],
        ),
        (
            "each h in Hill\n  move all from stone[h] to bin\n  set stone[next(h)] to ruby\n"
            "if count(deck) > 0\n  move 1 from deck to stone[elm]",
            ["R0503"],
        ),
        (
            "each h in Hill\n  if watch\n    move all from stone[h] to bin\n"
            "if count(deck) > 0\n  move 1 from deck to stone[elm]",
            ["R0503"],
        ),
        (
            "each g in spot\n  move all of opal from spot to bin\n  if count(deck) > 0\n    move 1 from deck to spot",
            ["R0503"],
        ),
        ("if some(stone[h] is none for h in Hill) and count(deck) > 0\n  move 1 from deck to stone[here]", ["R0503"]),
        ("move up to 2 of ruby from pile to bin\nmove 2 of ruby from bin to pile", ["R0502"]),
        (
            "surely move up to 1 from deck to spot\neach g in spot\n  if watch\n    move 1 of g from spot to bin\n"
            "if count(deck) > 0\n  move 1 from deck to spot",
            ["R0503"],
        ),
        ("if there is g in first(k for k in bin)\n  move 1 of g from pile to bin", ["R0502"]),
        ("if count(deck) > 1\n  move at 3 from deck to bin", ["R0502"]),
        ("set score[p] to max(score[q] for q in Player where q is not p)", ["R0407"]),
        ("set here to first(h in Hill where stone[h] is none)", ["R0407"]),
        ("set score[p] to max(n for n in 1..score[p])", ["R0407"]),
    ],
)
def test_what_only_looks_certain_is_reported(tmp_path: Path, body: str, codes: list[str]) -> None:
    assert yard(tmp_path, body) == codes


def test_a_watcher_forgets_what_a_loop_has_emptied(tmp_path: Path) -> None:
    body = "rule clear\n  each h in Hill\n    move all from stone[h] to bin\nif count(deck) > 0\n"
    body += "  move 1 from deck to stone[elm]"
    assert yard(tmp_path, body) == []
    watcher = "rule fill whenever watch\n  set stone[oak] to ruby\n  set watch to no\n"
    assert yard(tmp_path, body, watcher) == ["R0503"]


def test_a_value_that_is_never_none_can_still_be_used_as_one_that_may_be(tmp_path: Path) -> None:
    body = "each n in max(score[q] for q in Player)\n  if (first(h in Hill) otherwise oak) is elm\n    p scores 1\n"
    body += "if max(score[q] for q in Player) is none\n  p scores 1"
    assert yard(tmp_path, body) == []


# What a game begins with, and what loops take from it.
DEAL = """\
game deal
  players 3

enum Gem: ruby, opal
enum Hill, ring: oak, elm, ash

the game has
  deck: stack of Gem = {g: 6 for g in Gem}, seen by nobody, counted
  store: pool of Gem = {ruby: 6, opal: 4}
  bin: pool of Gem
  heap: 0..9 = 9
  watch: flag

each Player has
  hand: pool of Gem
  spot: slot of Gem
each Hill h has
  pile: stack of Gem = {g: index(h) + 1 for g in Gem}
  stone: slot of Gem

rule play
"""


@pytest.mark.parametrize(
    ("body", "more", "codes"),
    [
        ("shuffle deck\neach p in Player\n  move 4 from deck to hand[p]", "", []),
        ("each p in Player\n  move 5 from deck to hand[p]", "", ["R0502"]),
        ("each p in Player\n  move 3 from deck to hand[p]\nmove 3 from deck to bin", "", []),
        ("each p in Player\n  move 3 from deck to hand[p]\nmove 4 from deck to bin", "", ["R0502"]),
        ("each p in Player, g in Gem\n  move 1 of g from store to hand[p]", "", []),
        ("each p in Player, g in Gem\n  move 2 of g from store to hand[p]", "", ["R0502"]),
        ("each p in Player\n  move 2 of ruby from store to hand[p]\n  move 1 of opal from store to hand[p]", "", []),
        ("each p in Player\n  move 2 of opal from store to hand[p]", "", ["R0502"]),
        ("each h in Hill\n  move 2 from pile[h] to bin", "", []),
        ("each h in Hill\n  move 3 from pile[h] to bin", "", ["R0502"]),
        ("each h in Hill\n  move 1 from deck to stone[h]", "", []),
        ("each h in Hill, p in Player\n  move 1 from deck to stone[h]", "", ["R0503"]),
        ("each h in Hill\n  move 1 from deck to stone[next(h)]", "", ["R0503"]),
        ("repeat at most 12\n  move 1 from deck to bin", "", []),
        ("repeat at most 13\n  move 1 from deck to bin", "", ["R0502"]),
        (
            "repeat at most 12\n  if watch\n    move 1 from deck to bin\n  otherwise\n    move 1 from deck to bin",
            "",
            [],
        ),
        (
            "repeat at most 12\n  move 1 from deck to bin\n  do more",
            "rule more\n  move up to 1 from deck to bin",
            ["R0502"],
        ),
        (
            "repeat at most 4\n  each p in Player from first(Player)\n    move 1 from deck to spot[p]\n  do clear",
            "rule clear\n  each p in Player\n    move all from spot[p] to bin",
            [],
        ),
        (
            "repeat at most 4\n  each p in Player from first(Player)\n    move 1 from deck to spot[p]\n  do clear",
            "rule clear when watch\n  each p in Player\n    move all from spot[p] to bin",
            ["R0503"],
        ),
        (
            "take turns p from first(Player) until count(deck) is 0\n  do turn(p)",
            "rule turn(p: Player)\n  move 1 from deck to hand[p]",
            [],
        ),
        (
            "move all from deck to bin\ntake turns p from first(Player) until count(deck) is 0\n  do turn(p)",
            "rule turn(p: Player)\n  move 1 from deck to hand[p]",
            ["R0502"],
        ),
        (
            "take turns p from first(Player)\n  p chooses n in 1..3 where n <= heap\n  decrease heap by n\n"
            "  rule over when heap is 0\n    p wins",
            "",
            [],
        ),
        (
            "take turns p from first(Player)\n  p chooses n in 1..3 where n <= heap\n  decrease heap by n\n"
            "  rule over when heap is 1\n    p wins",
            "",
            ["R0502"],
        ),
        ("each p in Player\n  move 4 from deck to hand[p]", "rule w whenever watch\n  move all from deck to bin", []),
        (
            "each p in Player\n  rule one\n    move 4 from deck to hand[p]",
            "rule w whenever watch\n  move all from deck to bin",
            ["R0502"],
        ),
        (
            "roll p in Player\np chooses one of\n  option some(g in Gem)\n    needs store[g] > 0\n    do nothing\n"
            "  option nothing_left\n    needs count(store) is 0\n    do nothing",
            "",
            [],
        ),
        ("roll p in Player\nrepeat at most count(hand[p])\n  move 1 from deck to bin", "", ["R0502"]),
        (
            "roll p in Player, h in Hill\nif count(hand[p]) > 2\n  p chooses count(hand[p]) - 2 of gone in hand[p]",
            "",
            [],
        ),
        ("roll p in Player, h in Hill\nif count(hand[p]) > 2\n  p chooses b in bundles(hand[p], 3)", "", []),
        ("roll p in Player, h in Hill\nif count(hand[p]) > 2\n  p chooses b in bundles(hand[p], 4)", "", ["R0502"]),
        ("roll h in Hill\nroll i in 1..9\nif i <= count(pile[h])\n  move at i from pile[h] to bin", "", []),
        ("roll h in Hill\nroll i in 0..9\nif i <= count(pile[h])\n  move at i from pile[h] to bin", "", ["R0502"]),
    ],
)
def test_what_a_game_begins_with_is_counted(tmp_path: Path, body: str, more: str, codes: list[str]) -> None:
    text = DEAL + "".join(f"  {line}\n" for line in body.split("\n")) + f"  nobody wins\n\n{more}\n"
    assert [code for code, _ in mistakes(tmp_path / "deal", text) if code != "R0509"] == codes


# A place that is filled up to its capacity is never too full.


GAME = """\
game cap
  players 2

enum Kind: a, b

the game has
  deck: stack of Kind = {a: 9, b: 9}
  market: pool of Kind, at most 4

rule play
  roll s in Player
  LINE
  s wins
"""

SURELY = "or begin with `surely` if this can never happen."


@pytest.mark.parametrize(
    ("amount", "help_"),
    [
        ("4 - count(market)", None),
        ("3 - count(market)", None),
        ("5 - count(market)", f"Check first that `count(market...) < 4`, {SURELY}"),
        ("3", f"Check first that `count(market...) <= 1`, {SURELY}"),
    ],
)
def test_filling_up(tmp_path: Path, amount: str, help_: str | None) -> None:
    text = GAME.replace("LINE", f"move up to 2 from deck to market\n  move up to {amount} from deck to market")
    (tmp_path / "cap.rules").write_text(text, encoding="utf-8")
    found = [d.help for d in rulelang.check_path(tmp_path).diagnostics if d.code == "R0503"]
    assert found == ([] if help_ is None else [help_])
