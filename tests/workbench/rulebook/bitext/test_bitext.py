"""Two texts and no rules: from documents, one of them a PDF, to a checked map, a glossary and a game with ids."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import ferries
import pytest

from workbench.rulebook.align.documents import PrintLine, PrintPage, text_of_pages
from workbench.rulebook.bitext.bitext import contradictions


def pair(rulelang, *arguments: object):
    ran = rulelang("sources", "pair", *arguments, "--to", "json")
    assert ran.status == 0, ran.err
    return json.loads(ran.out)


# ---------------------------------------------------------------- what is found


def test_links_contradictions_and_terms(rulelang, english: Path, dutch: Path) -> None:
    found = pair(rulelang, english, dutch)
    assert all(block["lines"][0] == block["lines"][1] for block in found["blocks"])
    assert found["alone"] == {"ferries-nl": {"left": [], "right": []}}
    flags = {c["kind"]: block["lines"][0][0] for block in found["blocks"] for c in block["contradictions"]}
    assert flags.keys() == ferries.MISTAKES.keys()
    lines = ferries.EN.splitlines()
    for kind, word in ferries.MISTAKES.items():
        first, _, last = flags[kind].partition("-")
        assert word in " ".join(lines[int(first) - 1 : int(last or first)])
    terms = {(term["left"], term["right"]) for term in found["terms"]}
    assert {("ferry", "veerpont"), ("draw pile", "trekstapel"), ("passenger cards", "passagierskaarten")} <= terms


def test_a_pdf_says_the_same_as_the_text(rulelang, english: Path, printed: Path) -> None:
    read = rulelang("sources", "read", printed)
    assert read.status == 0
    told = " ".join(re.sub(r"-\n+(?=[a-z])", "", read.out).split())
    wanted = " ".join(line for line in ferries.NL.split("\n") if line and not line.startswith("-")).split()
    assert len([word for word in wanted if word not in told]) <= 2
    assert "Pagina" not in read.out and "Spelregels" not in read.out and "Pagina 1" in read.err
    assert "2 columns" in read.err
    order = [told.index(word) for word in ("Voorbereiding", "trekstapel", "Je beurt", "haven", "storm op", "winnaar")]
    assert order == sorted(order)
    found = pair(rulelang, english, printed)
    assert {c["kind"] for block in found["blocks"] for c in block["contradictions"]} == ferries.MISTAKES.keys()


@pytest.mark.parametrize(
    ("one", "other", "kinds"),
    [
        ("Take two cards.", "Neem drie kaarten.", ["number"]),
        ("Pass to the left.", "Geef door naar rechts.", ["side"]),
        ("You must pay.", "Je mag betalen.", ["duty"]),
        ("You may take at most two cards.", "Je mag minstens twee kaarten nemen.", ["bound"]),
        ("You may pass.", "Je mag passen.", []),
        ("Each player draws a card.", "Elke speler trekt één kaart.", []),
        ("You may stop even if you hold cards.", "Je mag stoppen tenzij je kaarten hebt.", ["condition"]),
        ("Its owner takes it back.", "De startspeler neemt hem terug.", ["actor"]),
        ("You draw only one.", "Je trekt er één.", ["limit"]),
    ],
)
def test_contradictions(one: str, other: str, kinds: list[str]) -> None:
    assert [found.kind for found in contradictions(one, "en", other, "nl")] == kinds


def test_what_a_language_has_no_words_for_is_not_compared() -> None:
    assert contradictions("You must not take two cards.", "en", "Ta två kort.", "sv") == ()


# ---------------------------------------------------------------- deciding


def test_the_page_needs_nothing_else_and_knows_what_was_decided(rulelang, english: Path, dutch: Path) -> None:
    folder = english.parent
    pins = folder / "links.pins.toml"
    pins.write_text(
        '[[term]]\nleft = "ferries-en ferry"\nright = "ferries-nl veerpont"\n\n'
        '[[pin]]\nleft = "ferries-en 5"\nright = "ferries-nl 5"\nverdict = "same"\n\n'
        '[[pin]]\nleft = "ferries-en 6"\nright = "ferries-nl 6"\nverdict = "different"\n'
    )
    page = folder / "links.html"
    ran = rulelang("sources", "pair", english, dutch, "--pins", pins, "--out", page)
    assert ran.status == 0 and "4 contradictions" in ran.err
    text = page.read_text()
    assert not re.search(r"(?:src|href)=\"?http|@import|<link", text)
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    data = json.loads(found[1])
    assert [link["verdict"] for link in data["links"] if link["left"] == "5"] == ["same"]
    assert data["cut"] == [{"other": 1, "left": "6", "right": "6"}]
    assert not [link for link in data["links"] if (link["left"], link["right"]) == ("6", "6")]
    assert data["documents"][1]["passages"][0]["text"] == "VEERPONTEN" and len(data["flags"]) == 4


def test_words_of_a_document_cannot_leave_the_data_of_the_page(rulelang, english: Path, dutch: Path) -> None:
    english.write_text(ferries.EN + "\nWrite </script><script>alert(1)</script> on the board.\n")
    page = english.parent / "links.html"
    assert rulelang("sources", "pair", english, dutch, "--out", page).status == 0
    assert "<script>alert" not in page.read_text()


def test_links_go_to_translation_tools(rulelang, english: Path, dutch: Path) -> None:
    tmx = ElementTree.fromstring(rulelang("sources", "pair", english, dutch, "--to", "tmx").out.encode())
    assert len(tmx.findall("./body/tu")) == 25 and len(tmx.findall("./body/tu/tuv")) == 50
    xliff = rulelang("sources", "pair", english, dutch, "--to", "xliff").out
    root = ElementTree.fromstring(xliff.encode())
    assert root.get("srcLang") == "en" and root.get("trgLang") == "nl"
    assert "time: before / nadat" in xliff


# ---------------------------------------------------------------- a game


def test_a_game_begins_with_ids_and_empty_statements(
    rulelang, english: Path, printed: Path, tmp_path: Path, monkeypatch
) -> None:
    pins = tmp_path / "links.pins.toml"
    pins.write_text('[[term]]\nleft = "ferries-en ferry"\nright = "ferries-nl veerpont"\n')
    game = tmp_path / "rules" / "ferries"
    ran = rulelang("new", game, "--texts", english, "--texts", printed, "--pins", pins)
    assert ran.status == 0, ran.err
    text = (game / "text" / "nl.md").read_text()
    assert "## Voorbereiding\n\n### `setup`\n1.\n" in text and "vuurtoren" not in text
    glossary = tomllib.loads((game / "text" / "glossary.toml").read_text())
    assert glossary["concept"] == [{"id": "ferry", "en": ["ferry"], "nl": ["veerpont"]}]
    assert "error" not in rulelang("check", game).out
    (game / "sources" / english.name).write_text(english.read_text())
    monkeypatch.setenv("RULELANG_SOURCES", str(game / "sources"))
    checked = rulelang("sources", "check", game)
    assert "error" not in checked.out and checked.out.count("text and numbers verified") == 2
    shown = rulelang("sources", "show", game, "setup").out
    assert "Put the lighthouse in the middle" in shown and "Zet de vuurtoren" in shown


# ---------------------------------------------------------------- bad input


def test_documents_that_cannot_be_paired(rulelang, english: Path, dutch: Path, tmp_path: Path) -> None:
    def refused(*arguments: object) -> str:
        ran = rulelang("sources", "pair", *arguments)
        assert ran.status == 2 and "Traceback" not in ran.err
        return ran.err

    files = {
        "empty.txt": b"",
        "zip.txt": b"PK\x03\x04" + b"\0" * 50,
        "page.txt": b"<!DOCTYPE html><html>",
        "evil.txt": b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
        "long.txt": b"Take a card. " * 400_000,
        "broken.pdf": b"%PDF-1.7\n1 0 obj << /Type /Catalog >>",
        "other-en.txt": ferries.EN.replace("ferry", "boat").encode(),
        "copy.txt": ferries.EN.encode(),
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    assert "no words" in refused(english, tmp_path / "empty.txt", "--languages", "en,nl")
    assert "a zip archive" in refused(english, tmp_path / "zip.txt")
    assert "a page for a browser" in refused(english, tmp_path / "page.txt")
    assert "an XML file" in refused(english, tmp_path / "evil.txt")
    assert "a rulebook has at most" in refused(english, tmp_path / "long.txt")
    assert "it is damaged; save or print it anew" in refused(english, tmp_path / "broken.pdf")
    assert "both seem to be in `en`" in refused(english, tmp_path / "other-en.txt")
    assert "hold the same text" in refused(english, tmp_path / "copy.txt", "--languages", "en,nl")
    assert "are both in `en`" in refused(english, tmp_path / "other-en.txt", "--languages", "en,en")
    assert "name two documents" in refused(english)
    assert "names 1 for 2 documents" in refused(english, dutch, "--languages", "en")


def test_one_line_without_an_end_is_read_in_time(rulelang, dutch: Path, tmp_path: Path) -> None:
    path = tmp_path / "line.txt"
    path.write_text("Take a card and put it down again. " * 25_000)
    ran = rulelang("sources", "pair", path, dutch, "--languages", "en,nl")
    assert ran.status == 2 and "too many to compare at once" in ran.err


def test_a_pdf_of_pictures_is_told_from_a_text(rulelang, tmp_path: Path) -> None:
    typst = pytest.importorskip("typst")
    source = tmp_path / "scan.typ"
    source.write_text("#rect(width: 5cm, height: 5cm, fill: blue)")
    path = tmp_path / "scan.pdf"
    typst.compile(str(source), output=str(path))
    ran = rulelang("sources", "read", path)
    assert ran.status == 2 and "without any text" in ran.err and "text recognition" in ran.err


def test_columns_are_read_one_after_the_other() -> None:
    def line(text: str, left: float, top: float) -> PrintLine:
        return PrintLine(text, left, left + 200, top, top + 10)

    lines = [line(f"{side} column, line number {n}.", 50 if side == "left" else 300, 200 + 12 * n)
             for n in range(5) for side in ("left", "right")]  # fmt: skip
    title = PrintLine("A title that crosses both of the columns of the page", 50, 500, 150, 165)
    found = text_of_pages([PrintPage((title, *lines), 800)])
    told = [text for text in found.lines if text]
    assert told[0].startswith("A title") and [t.split()[0] for t in told[1:]] == ["left"] * 5 + ["right"] * 5
    assert found.columns == 2
