"""How a rulebook is divided into pages of paper: what belongs together stays together."""

from __future__ import annotations

import io

import pytest

from workbench.pictures.files import typeset
from workbench.rulebook.print import Matter, Rulebook, StatementPart, as_typst
from workbench.rulebook.print.document import HeadingPart, Piece
from workbench.rulebook.print.matter import Chapter, Figure, ListEntry, Listing, MatterTable, Picture, TableRow
from workbench.rulebook.print.stamp import Stamp

pytest.importorskip("typst", reason="a PDF needs typst: pip install 'rulelang[draw]'")

LINE = "Whoever has the most of them takes one and puts it in front of the others, where all can see it. "


def pages(rulebook: Rulebook, matter: Matter) -> list[str]:
    """The text of each page, in one line."""
    from pdfminer.high_level import extract_text
    from pdfminer.pdfpage import PDFPage

    square = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>'
    pdf = typeset(as_typst(rulebook, matter), {f"{name}.svg": square for name in matter.on_paper()})
    number = sum(1 for _ in PDFPage.get_pages(io.BytesIO(pdf)))
    texts = (extract_text(io.BytesIO(pdf), page_numbers=[page]) for page in range(number))
    return [" ".join(text.split()) for text in texts]


def book(chapters: int, sections: int, lines: int) -> Rulebook:
    parts: list[HeadingPart | StatementPart] = [HeadingPart(1, "Pile", "part-0")]
    for chapter in range(chapters):
        parts.append(HeadingPart(2, f"Chapter {chapter}", f"part-{chapter + 1}"))
        for number in range(sections):
            id_ = f"s{chapter}x{number}"
            words = f"Begin {id_}. {LINE * (lines + chapter % 5)}End {id_}."
            parts.append(StatementPart(f"{id_}.1", id_, (Piece(words),)))
    return Rulebook("pile", "Pile", "en", (2, 3), (), tuple(parts), (), (), Stamp("pile", (), {}, "en", None, "0", "0"))


def example(number: int) -> Figure:
    drawn = tuple(Picture(f"p{number}-{side}", "", "", 1.0, "") for side in "ab")
    return Figure("", drawn, lead=f"Example {number}", steps=("Red takes a stone.",))


def test_paragraphs_stay_whole_and_examples_with_their_chapter() -> None:
    numbers = range(12)
    examples = {f"s{number // 4}x{number % 4}": (example(number + 1),) for number in numbers}
    found = pages(book(3, 4, 5), Matter(sections=examples))
    for number in numbers:
        id_ = f"s{number // 4}x{number % 4}"
        (page,) = [at for at, text in enumerate(found) if f"Begin {id_}." in text]
        assert f"End {id_}." in found[page]
        lead = f"Example {number + 1} "  # with the number in the text, and above the pictures
        at = next(at for at in range(page, len(found)) if lead in found[at].replace(f"(→ {lead.strip()})", ""))
        assert at - page <= 1
        assert at == page or f"Chapter {number // 4 + 1}" not in found[page].partition(f"End {id_}.")[2]


def test_a_heading_never_ends_a_page_and_a_summary_is_not_divided() -> None:
    back = []
    for letter in "ABC":
        entries = tuple(ListEntry(f"Point {letter}{number}. {LINE * 2}") for number in range(14))
        back.append(Chapter(f"Summary {letter}", f"summary-{letter}", (Listing(entries, title="Points"),), whole=True))
    found = pages(book(24, 1, 2), Matter(back=tuple(back)))
    assert not any(text.rstrip("0123456789 ").endswith("Chapter") for text in found[1:])
    for letter in "ABC":
        (page,) = [text for text in found if f"Point {letter}0." in text]
        assert f"Summary {letter}" in page and f"Point {letter}13." in page


def test_what_is_longer_than_a_page_is_divided() -> None:
    rows = tuple(TableRow(f"Part {number}", (str(number),)) for number in range(70))
    long = Chapter("Lists", "lists", (MatterTable(("Part", "Number"), rows),), whole=True)
    found = pages(book(1, 1, 60), Matter(back=(long,)))
    text = " ".join(found)
    assert all(f"Part {number} " in text for number in range(70))
    assert "End s0x0." in text
