"""Who sees what, by the rules and by what they show: what players go by is what they may know."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from small_games import write_game

import rulelang

HOST = """\
game veil
  players 2..4

enum Suit: spade, heart

define team(p: Player) = index(p) mod 2

the game has
  rounds: 0..9
  level: 0..9
  deck: stack of Suit = {{spade: 9}}, seen by nobody, counted
  well: stack of Suit = {{spade: 9}}, seen by nobody
  fate: 0..9, seen by nobody

each Player p has
  hand: pool of Suit = {{heart: 2}}, seen by owner, counted
  brow: pool of Suit = {{heart: 2}}, seen by all but owner, counted
  plan: 0..9, seen by q where team(q) is team(p)
  wish: 0..9, seen by q where q is p or q is next(p)
  bid: 0..9, seen by owner
  score: 0..99

winner most score[p], then shared

rule play
  take turns p from first(Player) until rounds is 9
    increase rounds by 1
    roll luck in 1..6
    set level to luck
    do body(p)

rule body(p: Player)
{body}

rule take_one(p: Player, r: Player)
  openly move up to 1 of heart from hand[r] to hand[p]
"""


def found(folder: Path, body: str) -> list[tuple[str, str]]:
    """The findings about secrecy in a rule whose turn it is for ``p``."""
    text = HOST.format(body=textwrap.indent(textwrap.dedent(body).strip("\n"), "  "))
    every = [(d.code, d.message) for d in rulelang.check_path(write_game(folder, text)).diagnostics]
    relevant = [d for d in every if d[0] != "R0509"]
    assert {code for code, _ in relevant} <= {"R0508", "R0512", "R0513", "R0514"}, relevant
    return relevant


KNOWN = {
    "what others hold up": """
        p chooses q in Player where q is not p and brow[q][heart] > 1
          p scores 1
        """.replace("p chooses", "openly p chooses"),
    "an option for one of the others": """
        p chooses one of
          option tell(q in Player where q is not p)
            needs brow[q][heart] > 0
            p scores 1
          option pass
        """,
    "a need after one that says it is another": """
        p chooses one of
          option tell(q in Player)
            needs q is not p
            needs brow[q][heart] > 0
          option pass
        """,
    "within one condition": "surely p chooses n in 0..2 where some(q is not p and brow[q][heart] is n "
    "for q in Player) or n is 0",
    "of everybody ahead": "surely p chooses n in 0..2 where n is 0 or some(brow[q][heart] is n for q in ahead(p))",
    "the next one": "surely p chooses n in 0..2 where n <= brow[next(p)][heart] or n is 0",
    "one's own team": "surely p chooses n in 0..9 where n <= plan[p]",
    "somebody of one's team": "surely p chooses n in 0..9 where n is 0 or some(plan[q] > n for q in Player "
    "where team(q) is team(p))",
    "what the one before is seen to wish": "surely p chooses n in 0..9 where n <= wish[prev(p)] or n is 0",
    "kept where the same see it": "set wish[p] to wish[p]",
    "shown": """
        show bid[next(p)] to p
        surely p chooses n in 0..9 where n <= bid[next(p)] or n is 0
        """,
    "shown to each of the others": """
        show bid[p] to each q in Player where q is not p
        surely next(p) chooses n in 0..9 where n <= bid[p] or n is 0
        """,
    "shown to all": """
        show fate to all
        if fate > 3
          p scores fate
        let doubled = fate * 2
        p scores doubled
        """,
    "the top one": """
        show 1 from deck to p
        p chooses one of
          option keep
            needs top(deck) is heart
            p scores 1
          option leave
        """.replace("show 1", "surely show 1"),
    "seen to move": """
        show hand[next(p)] to p
        p chooses f in hand[next(p)]
          move 1 of f from hand[next(p)] to hand[p]
          p chooses g in hand[next(p)]
            move 1 of g from hand[next(p)] to hand[p]
        """,
}

UNKNOWN = {
    "what is on one's own brow": "surely p chooses n in 0..2 where n <= brow[p][heart] or n is 0",
    "perhaps one's own": "surely p chooses n in 0..2 where n is 0 or some(brow[q][heart] is n for q in Player)",
    "before it is said that it is another": """
        p chooses one of
          option tell(q in Player)
            needs brow[q][heart] > 0
            needs q is not p
          option pass
        """,
    "another team": "surely p chooses n in 0..9 where n <= plan[next(p)] or n is 0",
    "the wish of the next one": "surely p chooses n in 0..9 where n <= wish[next(p)] or n is 0",
    "told to those who see": "set plan[p] to wish[p]",
    "shown to somebody else": """
        show bid[next(p)] to next(next(p))
        surely p chooses n in 0..9 where n <= bid[next(p)] or n is 0
        """,
    "shown before": """
        if level > 3
          show bid[next(p)] to p
        surely p chooses n in 0..9 where n <= bid[next(p)] or n is 0
        """,
    "changed since": """
        show fate to all
        roll m in 0..9
        set fate to m
        if fate > 3
          p scores 1
        """,
    "changed by another rule": """
        show hand[next(p)] to p
        do take_one(next(next(p)), next(p))
        p chooses f in hand[next(p)]
          do nothing
        """,
    "changed round a loop": """
        show fate to all
        repeat at most 3
          if fate > 3
            p scores 1
          roll m in 0..9
          set fate to m
        """,
    "shown to one, and gone by in sight of all": """
        show bid[next(p)] to p
        if bid[next(p)] > 2
          p scores 1
        """,
    "only the top one": """
        surely show 1 from deck to p
        p chooses one of
          option keep
            needs bottom(deck) is heart
            p scores 1
          option leave
        """,
    "perhaps not even the top one": """
        surely show level from deck to p
        p chooses one of
          option keep
            needs top(deck) is heart
            p scores 1
          option leave
        """,
    "shown to some of a list": """
        show bid[p] to each q in list(r in Player where score[r] > 3) where q is not p
        surely next(p) chooses n in 0..9 where n <= bid[p] or n is 0
        """,
    "what is picked to be shown": "show up to 1 of (if fate > 3 then heart else spade) from hand[p] to next(p)",
    "to whom": "show bid[p] to each q in Player where bid[p] > index(q)",
}


@pytest.mark.parametrize("way", KNOWN)
def test_players_go_by_what_they_may_know(way: str, tmp_path: Path) -> None:
    assert found(tmp_path, KNOWN[way]) in (
        [],
        [("R0514", "Nothing is disclosed here: everybody may know what this looks at.")],
    )


@pytest.mark.parametrize("way", UNKNOWN)
def test_nobody_goes_by_what_they_may_not_know(way: str, tmp_path: Path) -> None:
    codes = {code for code, _ in found(tmp_path, UNKNOWN[way])}
    assert codes and codes <= {"R0508", "R0512", "R0513"}


@pytest.mark.parametrize(("shown", "who"), [("level to p", "Everybody"), ("hand[p] to p", "`p`")])
def test_what_is_seen_anyway_need_not_be_shown(shown: str, who: str, tmp_path: Path) -> None:
    ((code, message),) = found(tmp_path, f"show {shown}")
    assert code == "R0514" and message.startswith(who)
