"""``rulelang rulebook --teach``: components, setup, a turn, points of doubt, a summary and an index around the text."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from every_game import GAMES, files
from small_games import corpus

from rulelang import workspace
from workbench.cli import run
from workbench.illustrated.figures import after_setup

RULES = corpus("printed_market")

EN = """\
# Market

## Aim

### `play`
1. Sell fruit.

## Material

### `Fruit`
1. There are {count(Fruit)} kinds of fruit.
2. An apple is red, and apples are round.

## A turn

### `turn`
1. Roll the die.

### `pick`
1. Take a card from the deck.

### `sell`
1. Give a fruit back for {prize} points.

### `first_choice`
1. You must choose.
2. You may choose.

## End

### `winner`
1. Most points win.
"""

GLOSSARY = """\
[[concept]]
id = "deck"
en = ["deck"]

[[concept]]
id = "fruit"
en = ["fruit"]
"""

EXAMPLES = """\
examples of market

example sold
  players Ann, Ben
  given hand[Ann] is {apple: 2}, deck is [pear, apple, apple, pear, pear, pear]
  chance 4
  run turn(Ann)
  Ann cannot choose sell(pear)
  Ann chooses sell(apple)
  then score[Ann] is 3
"""


LOOK = """\
look of market

Fruit
  apple: red, icon apple-seeds
  pear: green
"""


@pytest.fixture
def market(tmp_path: Path) -> Path:
    folder = tmp_path / "market"
    (folder / "text").mkdir(parents=True)
    (folder / "market.rules").write_text(RULES, encoding="utf-8")
    (folder / "market.look").write_text(LOOK, encoding="utf-8")
    (folder / "examples.rules").write_text(EXAMPLES, encoding="utf-8")
    (folder / "text" / "en.md").write_text(EN, encoding="utf-8")
    (folder / "text" / "nl.md").write_text(EN, encoding="utf-8")
    (folder / "text" / "glossary.toml").write_text(GLOSSARY, encoding="utf-8")
    return folder


def printed(market: Path, lang: str, name: str) -> str:
    out = market.parent / name
    assert run(["rulebook", str(market), "--lang", lang, "--teach", "--out", str(out)]) == 0
    return unescape(out.read_text(encoding="utf-8"))


def rows(text: str) -> list[str]:
    """Rows of the tables of a page, without their markup."""
    found = re.findall(r"<tr>(.*?)</tr>", text, re.DOTALL)
    return [" | ".join(re.sub("<[^>]*>", "", cell) for cell in re.split(r"</t[hd]>", row)[:-1]) for row in found]


def test_components_are_counted_from_the_rules(market: Path) -> None:
    listed = rows(printed(market, "en", "market.html"))
    assert "Fruit | 8 | 4 each: apple, pear" in listed
    assert "Owner | 2 | corner, bridge" in listed  # what can belong to a player
    assert "Die | 1 | 1–6" in listed
    assert "Flags | 15 | 5 per player" in listed  # as many as three players need


def test_matter_belongs_in_the_chapters_about_it(market: Path) -> None:
    text = printed(market, "en", "market.md")
    titles = re.findall("^## (.*)$", text, re.MULTILINE)
    assert titles[:6] == ["Setup by number of players", "Aim", "Material", "A turn at a glance", "A turn", "End"]
    told = text[text.index("## Material") :]
    assert told.index("| Fruit |") < told.index("There are 2 kinds") < told.index("## A turn")


def test_the_setup_by_number_of_players(market: Path) -> None:
    listed = rows(printed(market, "en", "market.html"))
    assert "Deck | 6 | 5" in listed  # which cards are left is for chance to say
    assert "Hand | 1 | 1" in listed
    assert "Coins | 2 | 3" in listed


def test_a_turn_in_the_order_of_the_rules(market: Path) -> None:
    text = printed(market, "en", "market.md")
    turn = text[text.index("A turn at a glance") : text.index("## A turn\n")]
    assert [turn.index(part) for part in ("Take a card", "Give a fruit")] == sorted(
        turn.index(part) for part in ("Take a card", "Give a fruit")
    )
    assert "done" not in turn  # the rulebook says nothing of it


TWICE = """
example twice
  players Ann, Ben
  given hand[Ann] is {apple: 1}, deck is [pear, apple]
  chance 2
  run turn(Ann)
  Ann chooses pick
  chance 5
  run turn(Ann)
  Ann chooses sell(apple)
  then score[Ann] is 3
"""


def test_a_turn_with_the_chapters_that_tell_of_its_steps(market: Path) -> None:
    (market / "examples.rules").write_text(EXAMPLES + TWICE, encoding="utf-8")
    headed = EN.replace("### `pick`", "## Drawing\n\n### `pick`").replace("### `sell`", "## Selling\n\n### `sell`")
    (market / "text" / "en.md").write_text(headed, encoding="utf-8")
    text = printed(market, "en", "market.md")
    shown = text[text.index("A turn at a glance") : text.index("## A turn\n")]
    told = [line.rpartition(" (→ ")[2] for line in shown.splitlines() if "→" in line]
    assert told == ["A turn)", "Drawing)", "A turn)", "Selling)"]
    assert "How it may go" in shown and text.count("How it may go") == 1


def test_doubts_summary_and_index(market: Path) -> None:
    text = printed(market, "en", "market.html")
    doubts = text[text.index('id="doubts"') : text.index('id="index"')]
    assert "You must choose. (One source only.)" in doubts
    assert '<p class="aside">Variant: You may choose.</p>' in doubts
    summary = text[text.index('id="summary"') :]  # on the last page
    assert "Give a fruit back for 3 points." in summary
    assert "Most points win." in summary
    index = text[text.index('id="index"') : text.index('id="summary"')]
    assert '<dt>fruit</dt><dd><a href="#play">Aim</a>, <a href="#Fruit">Material</a>' in index
    links = set(re.findall(r'href="#([^"]*)"', text))
    assert links <= set(re.findall(r' id="([^"]*)"', text))


def test_examples_are_told_step_by_step(market: Path) -> None:
    text = printed(market, "en", "market.md")
    told = text[text.index("Give a fruit back", text.index("## A turn\n")) : text.index("You must choose")]
    assert [line for line in told.splitlines() if re.match("[0-9]", line)] == [
        "1. Pips: 4.",
        "2. Ann chooses: sell pear? That is not allowed.",
        "3. Ann chooses: sell apple. Ann hands in 1 apple. Ann scores 3 points and now has 3.",
    ]
    told = printed(market, "nl", "dutch.md")
    assert "2. Ann kiest: sell pear? Dat mag niet." in told and "Ann krijgt 3 punten en heeft er nu 3." in told


def test_symbols_stand_before_the_words_for_them(market: Path) -> None:
    text = printed(market, "en", "market.html")
    said = text[text.index('id="Fruit.2"') :].partition("</span>")[0]
    symbol = '<svg class="symbol" aria-hidden="true"><use href="#emblem-1"/></svg>'
    assert said.count(symbol) == 1  # once a section is enough
    assert said.replace(symbol, "").replace("\u2060", "").endswith("An apple is red, and apples are round.")
    assert text.count('<symbol id="emblem-1"') == 1 and "game-icons.net" in text
    assert "emblem" not in printed(market, "en", "market.md")


def test_words_follow_the_language(market: Path) -> None:
    text = printed(market, "nl", "market.md")
    for word in ("Onderdeel", "Elke speler heeft", "Een beurt in het kort", "Twijfelgevallen", "In het kort"):
        assert word in text
    assert "One source only" not in text  # the rules speak English


def test_it_can_be_typeset(rulelang, market: Path) -> None:
    pytest.importorskip("typst", reason="a PDF needs typst: pip install 'rulelang[draw]'")
    out = market.parent / "market.pdf"
    rulelang("rulebook", market, "--lang", "en", "--teach", "--out", out, status=0)
    assert out.read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_setup_of_every_game_is_drawn(game: Path) -> None:
    state = after_setup(workspace.default().programs(files(game))[-1], 1)
    assert state.over or state.decision is not None
