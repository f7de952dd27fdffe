"""``rulelang rulebook --teach`` and ``--pictures``: components, setup, a turn, examples, a summary and an index."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest
from every_game import GAMES, files
from pages import Page
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


# ``rulelang rulebook --pictures``: parts, setups and worked examples, in a page, in files and in a PDF.


NL = """\
# De stapel

## Spel

### `left`
1. De stapel ligt op tafel.

### `take`
1. Neem stenen; elke steen is een punt.

### `pass`
1. Je mag passen.
"""

PICTURED_EXAMPLES = """\
examples of pile

example some.taken
  players red, blue
  given left is 5
  run turn(red)
  red chooses take(2)
  then left is 3, score[red] is 2

example too.many
  players red, blue
  given left is 1
  run turn(red)
  red cannot choose take(2)
"""


@pytest.fixture
def pile(small_game) -> Path:
    return small_game({"text/nl.md": NL, "examples/taking.rules": PICTURED_EXAMPLES})


def svg(address: str) -> str:
    kind, _, content = address.partition(",")
    assert kind == "data:image/svg+xml"
    return unquote(content)


def width(text: str) -> float:
    return float(ElementTree.fromstring(text).attrib["width"])


def test_one_page_holds_its_pictures(rulelang, pile: Path, tmp_path: Path) -> None:
    out = tmp_path / "pile.html"
    rulelang("rulebook", pile, "--lang", "nl", "--pictures", "--out", out, status=0)
    text = out.read_text(encoding="utf-8")
    page = Page(text)
    pictures = [svg(address) for address in page.every("src", "img")]
    narrow = page.every("srcset", "source")
    assert not any(re.search(r"[ ,]", address.partition(",")[2]) for address in narrow)  # either would end the address
    assert len(pictures) == 1 + 2 + 2  # the parts, a setup for two and for three, an example before and after
    assert len(page.every("alt", "img")) == len(pictures)
    assert {width(picture) for picture in pictures} == {672, 330}
    assert [width(svg(address)) for address in narrow] == [350, 350, 350]
    assert "Een mogelijke beginopstelling" in text
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)


def test_an_example_follows_the_rule_it_is_about(pile: Path, tmp_path: Path) -> None:
    out = tmp_path / "pile.html"
    run(["rulebook", str(pile), "--lang", "nl", "--pictures", "--out", str(out)])
    text = out.read_text(encoding="utf-8")
    taking, passing = text.index('id="take"'), text.index('id="pass"')
    assert taking < text.index("Wat verandert, is omlijnd") < passing
    before, after = map(svg, Page(text).every("src", "img")[-2:])
    assert "Vóór" in before and 'rl-ring" stroke' not in before
    assert "Na<" in after and 'rl-ring" stroke' in after


def test_markdown_keeps_its_pictures_in_a_folder(rulelang, pile: Path, tmp_path: Path) -> None:
    out = tmp_path / "my pile.md"
    rulelang("rulebook", pile, "--lang", "nl", "--pictures", "--out", out, status=0)
    files = re.findall(r"!\[.*\]\((.*)\)", out.read_text(encoding="utf-8"))
    assert files == [
        f"my%20pile-pictures/{n}.svg" for n in ("parts", "setup-2", "setup-3", "take-before", "take-after")
    ]
    for file in files:
        ElementTree.fromstring((tmp_path / unquote(file)).read_text(encoding="utf-8"))


def test_without_a_file_there_is_no_place_for_pictures(rulelang, pile: Path) -> None:
    assert "--out FILE" in rulelang("rulebook", pile, "--lang", "nl", "--pictures", status=2).err
    assert "--out FILE" in rulelang("rulebook", pile, "--lang", "nl", "--to", "pdf", status=2).err


@pytest.mark.parametrize("pictures", [[], ["--pictures"]])
def test_a_pdf(rulelang, pile: Path, tmp_path: Path, pictures: list[str]) -> None:
    pytest.importorskip("typst", reason="a PDF needs typst: pip install 'rulelang[draw]'")
    text = pile / "text" / "nl.md"
    text.write_text(NL.replace("Je mag passen.", 'Je "mag" #passen\\, $x$ [of] *niet*.'), encoding="utf-8")
    out = tmp_path / "pile.pdf"
    rulelang("rulebook", pile, "--lang", "nl", *pictures, "--out", out, status=0)
    assert out.read_bytes().startswith(b"%PDF")


def test_a_broken_example_is_told(rulelang, pile: Path, tmp_path: Path) -> None:
    (pile / "examples" / "taking.rules").write_text(PICTURED_EXAMPLES.replace("take(2)", "tkae(2)"), encoding="utf-8")
    out = tmp_path / "pile.html"
    assert "tkae" in rulelang("rulebook", pile, "--lang", "nl", "--pictures", "--out", out, status=1).err
    assert not out.exists()
