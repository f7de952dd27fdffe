"""Exchanges and discounts in the text: what each means, and what is said when it means nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
import rulelang
from rulelang.diagnostics import RulesError

GAME = """\
game stall
  players 2

enum Gem: ruby, opal, pearl, gold

the game has
  bank: pool of Gem
  pile: stack of Gem

each Player has
  gems: pool of Gem = {ruby: 1, opal: 1, gold: 2}<exchange>
  score: 0..9

winner most score[p], then shared

rule play
  take turns p from first(Player) until score[p] > 0
    p scores 1
    if gems[p] covers <price>
      p pays <price> from gems[p] to bank
"""


def stall(folder: Path, exchange: str = "", price: str = "{pearl: 1}") -> Path:
    file = folder / "stall.rules"
    file.write_text(GAME.replace("<exchange>", exchange).replace("<price>", price), encoding="utf-8")
    return file


def ways(folder: Path, exchange: str, price: str) -> list[str]:
    """The payments offered, on both engines."""
    path = stall(folder, exchange, price)
    both = []
    for engine in ("reference", "wasm"):
        decision = interpreter.load(path, engine=engine).start(seed=1).decision
        both.append([] if decision is None else [option.text for option in decision.options])
    assert both[0] == both[1]
    return both[0]


@pytest.mark.parametrize(
    ("exchange", "price", "expected"),
    [
        ("", "{pearl: 1}", []),
        (", 1 of gold for 1", "{pearl: 1, ruby: 1}", ["pay 1 ruby, 1 gold", "pay 2 gold"]),
        (", 2 of [ruby, opal] for 1 of pearl", "{pearl: 1}", ["pay 1 ruby, 1 opal"]),
        (", 2 of [ruby, opal] for 1 of pearl", "{opal: 2}", []),
        (", any 2 others for 1 of [pearl, opal]", "{ruby: 2}", []),
        (", 1 of gold for 1 of pearl, 2 of gold for 1 of ruby", "{pearl: 1}", ["pay 1 gold"]),
        ("", "all but 1 of {ruby: 1, opal: 1}", ["pay 1 opal", "pay 1 ruby"]),
        ("", "all but 5 of {pearl: 3}", []),
        ("", "all but 0 of {ruby: 1}", ["pay 1 ruby"]),
        (", 1 of gold for 1", "all but 1 of {pearl: 2}", ["pay 1 gold"]),
    ],
)
def test_what_can_be_paid(exchange: str, price: str, expected: list[str], tmp_path: Path) -> None:
    assert ways(tmp_path, exchange, price) == expected


@pytest.mark.parametrize(
    ("exchange", "message"),
    [
        (", any 2 others for 3", "An exchange replaces 1 piece that is due, not 3."),
        (", 2 of gold for 1 of gold", "A piece cannot stand for another of the same kind."),
        (", 2 of golden for 1", "There is no Gem called `golden`."),
        (", 2 of [] for 1", "An exchange needs a kind of pieces."),
        (", 0 of gold for 1", "0 is out of bounds; a number from 1 to 100 is needed here."),
    ],
)
def test_exchanges_that_mean_nothing(exchange: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(RulesError) as error:
        rulelang.load(stall(tmp_path, exchange))
    (found,) = [d for d in error.value.diagnostics if d.severity == "error"]
    assert found.message == message and found.help


def test_only_pools_have_exchanges(tmp_path: Path) -> None:
    path = stall(tmp_path)
    path.write_text(path.read_text().replace("pile: stack of Gem", "pile: stack of Gem, 1 of gold for 1"))
    with pytest.raises(RulesError, match="Only a pool can have an exchange, but `pile` is a stack"):
        rulelang.load(path)


def test_a_discount_that_was_not_checked(tmp_path: Path) -> None:
    path = stall(tmp_path)
    text = path.read_text().replace("p pays {pearl: 1}", "p pays all but 1 of {pearl: 1}")
    path.write_text(text)
    with pytest.raises(RulesError, match="may not hold enough for this payment"):
        rulelang.load(path)
