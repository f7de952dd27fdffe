"""What a variant takes away may still be named beside the rules: in looks, texts and examples of the game itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_games import corpus, write_game

import interpreter
from workbench.checking import check_game
from workbench.pictures.looks.find import look_for

MARKET = corpus("trimmed_market")

LOOK = """\
look of market

Fruit: disc
  apple: red, en "apple"
  pear: green, en "pear"
  fig: purple, en "fig"
Basket: card, by points
  lunch: en "lunch"
  picnic: en "picnic"
sell: en "sell {b}"
taste: en "try {f}", told en "{f} is tasted"
rest: en "rest"
worth: en "worth", told en "worth of {f}"
"""

TEXT = "# Market\n" + "".join(
    f"\n### `{id_}`\n\n1. {words}\n"
    for id_, words in {
        "rounds": "There are {rounds} rounds.",
        "Fruit": "There are {count(Fruit)} kinds.",
        "Basket": "There are {count(Basket)} baskets.",
        "worth": "A fig is worth two.",
        "play": "Play.",
        "turn": "Take a turn.",
        "sell": "Sell a basket.",
        "taste": "Taste a fruit.",
        "rest": "Rest.",
    }.items()
)

VARIANTS = {
    "no_market": "remove option sell\n",
    "no_picnic": "remove row picnic of Basket\n",
    "no_fig": "replace enum Fruit: apple, pear\n\nreplace define worth(f: Fruit) by f\n  apple: 1\n  pear: 2\n",
    "other_name": "replace option taste(g in Fruit)\n  p scores worth(g)\n",
    "other_columns": "replace table Basket\n  value: 0..9\n  rows\n    lunch: 3\n\n"
    "replace option sell(b in Basket)\n  p scores b.value\n",
    "other_worth": "replace define worth(g: Fruit) by g\n  apple: 1\n  pear, fig: 2\n",
}


@pytest.fixture
def market(tmp_path: Path) -> Path:
    variants = {name: f"variant {name} of market\n\n{text}" for name, text in VARIANTS.items()}
    game = write_game(tmp_path / "market", MARKET, **variants)
    (game / "market.look").write_text(LOOK)
    (game / "text").mkdir()
    (game / "text/en.md").write_text(TEXT)
    return game


@pytest.mark.parametrize("name", VARIANTS)
def test_it_is_a_note_at_most(rulelang: Callable[..., Any], market: Path, name: str, tmp_path: Path) -> None:
    found = check_game(market, variants=[name]).diagnostics
    assert {(d.severity, d.code) for d in found} == {("note", "R1002")}
    assert all(d.message.startswith(f"With `{name}`: ") and d.help for d in found)
    assert rulelang("check", market, "--variant", name).status == 0
    for form in (["rulebook", market, "--lang", "en", "--teach", "--to", "html"], ["draw", market, "--lang", "en"]):
        ran = rulelang(*form, "--variant", name, "--out", tmp_path / "out")
        assert ran.status == 0, ran.err
    ran = rulelang("draw", market, "--variant", name, "--example", "resting", "--out", tmp_path / "out")
    assert ran.status == 0, ran.err
    assert rulelang("tour", market, "--variant", name, "--games", "2").status in (0, 1)
    assert rulelang("test", market, "--variant", name).status in (0, 1)


def test_without_variants_there_is_nothing_to_say(market: Path) -> None:
    assert check_game(market).diagnostics == []


def test_words_about_a_value_that_is_gone_are_not_used(market: Path) -> None:
    for variants, label in (([], "try {f}"), (["other_name"], None), (["no_picnic"], "try {f}")):
        program = interpreter.load(market, variants=variants).program
        assert look_for(program, "en").of("taste").labels.get("en") == label


def test_mistakes_of_the_look_itself_and_of_the_variants_own_look_stay_mistakes(market: Path) -> None:
    (market / "market.look").write_text(LOOK + "sells: red\n")
    for variants in ([], ["no_market"]):
        found = check_game(market, variants=variants).diagnostics
        assert [d.message for d in found if d.severity == "error"] == ["The game has nothing called `sells`."]
    (market / "market.look").write_text(LOOK)
    (market / "no_market.look").write_text("look of no_market\n\nsell: red\n")
    found = check_game(market, variants=["no_market"]).diagnostics
    assert [Path(d.span.file).name for d in found if d.severity == "error"] == ["no_market.look"]
    (market / "no_picnic.look").write_text("look of no_picnic\n\nsell: red\n")
    (market / "no_market.look").unlink()
    found = check_game(market, variants=["no_picnic", "no_market"]).diagnostics
    assert {d.severity for d in found} == {"note"}


def test_examples_of_the_variant_itself_must_fit(rulelang: Callable[..., Any], market: Path, tmp_path: Path) -> None:
    own = "\nexample selling_still\n  run turn(ann)\n  ann chooses sell(lunch)\n  then score[ann] is 3\n"
    (market / "no_market.rules").write_text(f"variant no_market of market\n\n{VARIANTS['no_market']}{own}")
    ran = rulelang(
        "rulebook", market, "--lang", "en", "--teach", "--variant", "no_market", "--out", tmp_path / "o.html"
    )
    assert ran.status == 1 and "R0603" in ran.err
