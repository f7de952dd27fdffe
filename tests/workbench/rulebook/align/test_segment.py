"""Texts as they come: printed lines, bullets, words cut at the end of a line, pages with every line apart."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workbench.rulebook.align import prepare
from workbench.rulebook.align.segment import content_words, cut, sentences


def said(text: str) -> list[tuple[str, str, int, int]]:
    return [(s.kind, s.text, s.first, s.last) for s in sentences(text.split("\n"))]


def test_lines_of_a_paragraph_are_joined_and_cut_into_sentences() -> None:
    assert said("The miller grinds\nthe corn. Then he sells\nthe flour.") == [
        ("text", "The miller grinds the corn.", 1, 2),
        ("text", "Then he sells the flour.", 2, 3),
    ]


def test_a_word_cut_at_the_end_of_a_line_is_whole_again() -> None:
    assert (
        said("Leg de munten in de voor-\nraad van de molenaar.")[0][1]
        == "Leg de munten in de voorraad van de molenaar."
    )


def test_a_dash_before_a_capital_stays() -> None:
    assert "Noord- Holland" in said("De molen staat in Noord-\nHolland en draait.")[0][1]


def test_bullets_and_headings_stand_apart() -> None:
    assert said("THE MILL\nThe wind turns the sails.\n• Grind: take one sack.\n• Sell: take one coin.") == [
        ("heading", "THE MILL", 1, 1),
        ("text", "The wind turns the sails.", 2, 2),
        ("item", "• Grind: take one sack.", 3, 3),
        ("item", "• Sell: take one coin.", 4, 4),
    ]


def test_abbreviations_end_no_sentence() -> None:
    assert len(said("Op elk veld staan max. 3 molens. Elke molen telt.")) == 2


def test_a_page_with_every_line_apart_is_still_one_paragraph() -> None:
    assert len(said("the miller of the village grinds\n\nall the corn that the farmers\n\nbring to him.")) == 1


@given(st.lists(st.text(alphabet="ab A.•-\n1é", max_size=40), max_size=30))
def test_passages_cover_every_line_once_whatever_the_text(lines: list[str]) -> None:
    lines = [line.replace("\n", " ") for line in lines]
    pieces = cut(sentences(lines), len(lines))
    assert [n for piece in pieces for n in range(piece.first, piece.last + 1)] == list(range(1, len(lines) + 1))


def test_words_are_compared_by_stem_and_without_accents() -> None:
    assert content_words("Les Châteaux du joueur", "fr") == (("chateau", "Châteaux"), ("joueur", "joueur"))


def test_a_text_without_words_can_be_prepared() -> None:
    assert [piece.kind for piece in prepare("empty", "en", ["", "---"]).pieces] == ["noise"]
