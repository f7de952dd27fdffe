"""Numbers by value: digits, words, ordinals, multiples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.rulebook.languages.numbers import lacking, numbers, values

SAME = {
    "en": "Take 12 of the twenty-one cards, the 3rd and the fifth row, twice two and one hundred and seven.",
    "nl": "Neem 12 van de eenentwintig kaarten, de 3e en de vijfde rij, tweemaal twee en honderdzeven.",
    "fr": "Prends 12 des vingt et une cartes, la 3e et la cinquième rangée, 2 fois deux et cent sept.",
    "es": "Toma 12 de las veintiuna cartas, la 3.ª y la quinta fila, dos veces dos y ciento siete.",
    "de": "Nimm 12 der einundzwanzig Karten, die 3. und die fünfte Reihe, zweimal zwei und hundertsieben.",
}


@pytest.mark.parametrize("language", SAME)
def test_the_same_numbers_in_each_language(language: str) -> None:
    assert values(SAME[language], language) == (12, 21, 3, 5, 2, 2, 107)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "one of the cards, a card, once, the first one, both cards"),
        ("nl", "een van de kaarten, één kaart, eenmaal, de eerste, beide kaarten"),
        ("fr", "une des cartes, un seul jeton, la première carte, les deux cartes"),
        ("es", "una de las cartas, un peón, una vez, la primera carta, ambas cartas, los dos peones"),
        ("de", "eine der Karten, einmal, die erste, beide Karten, die zweitmeisten"),
    ],
)
def test_articles_first_and_both_are_weak(language: str, text: str) -> None:
    assert values(text, language) == ()
    assert {n.value for n in numbers(text, language)} == {1, 2}


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("nl", "18x hout, 1/2, driemaal, de 4e", (18, 1, 2, 3, 4)),
        ("nl", "met zijn drieën", (3,)),
        ("fr", "la 2^e, 3º, 2ème, quatre-vingt-dix", (2, 3, 2, 90)),
        ("de", "zu zweit, zu dritt, dreifach, 1.000", (2, 3, 3, 1000)),
        ("en", "2-4 players, three-for-one, a threefold 2nd try", (2, 4, 3, 3, 2)),
        ("en", "file a1b2c3, 3.5 or x7", (7,)),
    ],
)
def test_other_forms(language: str, text: str, expected: tuple[int, ...]) -> None:
    found = tuple(v for v in values(text, language) if v != 1 or "1" in text)
    assert found == expected


def test_signs_and_a_minus_that_may_be_a_bullet() -> None:
    text = "+1, -2, 3 - 4 and 5\n- 6 for it"
    assert [(n.value, n.sign) for n in numbers(text, "en") if not n.weak] == [
        (1, "+"),
        (2, "-"),
        (3, ""),
        (4, ""),
        (5, ""),
        (6, "?"),
    ]


def test_an_unknown_language_has_digits_only() -> None:
    assert values("trzy karty i 4 pionki", "pl") == (4,)


def test_number_words_of_a_language_without_a_lexicon_are_read_where_a_library_knows_them() -> None:
    assert values("tre kort og 4 brikker", "da") == (3, 4)
    assert lacking("three cards", "trzy karty", "en", "pl") == []


def test_lacking_looks_at_weak_numbers_too() -> None:
    assert lacking("1 card and two chips", "une carte et les deux jetons", "en", "fr") == []
    assert [n.value for n in lacking("3 cards", "2 cartes", "en", "fr")] == [3]


@given(st.integers(2, 999_999), st.sampled_from(sorted(SAME)))
def test_digits_are_found_anywhere(number: int, language: str) -> None:
    assert number in values(f"({number}) ", language)


@given(st.text(max_size=60), st.sampled_from([*SAME, "xx"]))
def test_any_text_can_be_read(text: str, language: str) -> None:
    places = [n.start for n in numbers(text, language)]
    assert places == sorted(places)
