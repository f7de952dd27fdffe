"""Numbers are worked out before the game starts from all that does not depend on how it goes."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_games import load_program, mistakes

GAME = """\
game jar
  players 2..4

enum Fruit, ring: apple, plum, fig

table Basket
  price: 1..9
  rows
    small: 2
    large: 5

number size
{cases}

the game has
  level: 0..99
  pile: stack of Fruit = [apple]

rule play
  surely first(Player) chooses n in 1..size
  set level to size
"""


@pytest.mark.parametrize(
    ("cases", "value"),
    [
        ("  when players is in 2..3: 5\n  otherwise: 7", 5),
        ("  when players is in 3..4: 5\n  otherwise: 7", 7),
        ("  when players is not in [2, 4]: 5\n  otherwise: 7", 7),
        ("  otherwise: index(fig) + 1", 3),
        ("  otherwise: large.price", 5),
        ("  otherwise: distance(plum, apple) + count(Basket)", 4),
        ("  otherwise: max(small.price, index(prev(apple)))", 2),
    ],
)
def test_it_is_known(cases: str, value: int, tmp_path: Path) -> None:
    program = load_program(tmp_path, GAME.format(cases=cases))
    (choice,) = [s for s in program.rules["play"].body if type(s).__name__ == "Choose"]
    assert choice.binds.binds[0].domain.type.item.high == value  # type: ignore[attr-defined]


@pytest.mark.parametrize("value", ["count(pile)", "level + 1", "index(top(pile) otherwise fig) + 1"])
def test_what_depends_on_the_game_is_not(value: str, tmp_path: Path) -> None:
    assert "R0409" in {code for code, _ in mistakes(tmp_path, GAME.format(cases=f"  otherwise: {value}"))}


def test_whether_a_number_lies_in_a_range_can_be_asked_of_any(tmp_path: Path) -> None:
    body = "  if 12 is in 1..3 or level is in 50..60\n    set level to 1\n"
    assert not mistakes(tmp_path, GAME.format(cases="  otherwise: 3") + body)
    wrong = "  if apple is in 1..3\n    set level to 1\n"
    assert [code for code, _ in mistakes(tmp_path / "b", GAME.format(cases="  otherwise: 3") + wrong)] == ["R0402"]
