"""Quotes, apostrophes and spaces as each language has them."""

from __future__ import annotations

import pytest

from workbench.rulebook.languages.locale import set_type


@pytest.mark.parametrize(
    ("language", "written", "printed"),
    [
        ("fr", 'Qu\'est-ce ? "Ici": oui; non !', "Qu’est-ce\u202f? «\u202fIci\u202f»\u00a0: oui\u202f; non\u202f!"),
        ("fr", "La « hutte » et le “temple”.", "La «\u202fhutte\u202f» et le «\u202ftemple\u202f»."),
        ("fr", "Quoi ?! À 10:30.", "Quoi\u202f?! À 10:30."),
        ("fr", ": un jeton", "\u00a0: un jeton"),  # behind a value
        ("fr", '" et un jeton "', "\u202f» et un jeton «\u202f"),  # between two values
        ("de", 'Ein "2", ein “3” und ein „4“.', "Ein „2“, ein „3“ und ein „4“."),
        ("es", 'La ficha "2" (“dos”).', "La ficha «2» («dos»)."),
        ("nl", '\'s Avonds het fiche "2" („twee“).', "’s Avonds het fiche “2” (“twee”)."),
        ("en", 'The druid\'s "2" chip: 3-4.', "The druid’s “2” chip: 3-4."),
    ],
)
def test_a_sentence_as_it_is_printed(language: str, written: str, printed: str) -> None:
    assert set_type(written, language) == printed
    assert set_type(printed, language) == printed
