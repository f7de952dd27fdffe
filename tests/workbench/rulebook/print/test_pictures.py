"""``rulelang rulebook --pictures``: parts, setups and worked examples, in a page, in files and in a PDF."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from urllib.parse import unquote

import pytest
from pages import Page

from workbench.cli import run

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

EXAMPLES = """\
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
    return small_game({"text/nl.md": NL, "examples/taking.rules": EXAMPLES})


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
    (pile / "examples" / "taking.rules").write_text(EXAMPLES.replace("take(2)", "tkae(2)"), encoding="utf-8")
    out = tmp_path / "pile.html"
    assert "tkae" in rulelang("rulebook", pile, "--lang", "nl", "--pictures", "--out", out, status=1).err
    assert not out.exists()
