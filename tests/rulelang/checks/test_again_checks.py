"""What checks say of rules and definitions that use themselves, and of rules that rows name."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_games import mistakes

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
