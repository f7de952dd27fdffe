"""The order of the alphabet in each language."""

from __future__ import annotations

import pytest

from workbench.rulebook.languages.locale import alphabetical


@pytest.mark.parametrize(
    ("language", "terms"),
    [
        ("de", ["„2“-Chip", "„100“-Chip", "Aktion", "ältere Karte", "„Axt“", "Straße", "Strassenbahn", "Zug"]),
        ("fr", ["case", "« château »", "cœur", "côté", "égalité", "étape", "l’or", "zone"]),
        ("es", ["nunca", "ñandú", "zorro"]),
        ("sv", ["zebra", "ångbåt", "älg", "ö"]),
    ],
)
def test_quotes_and_accents_do_not_part_neighbours(language: str, terms: list[str]) -> None:
    assert sorted(set(terms), key=lambda term: alphabetical(term, language)) == terms
