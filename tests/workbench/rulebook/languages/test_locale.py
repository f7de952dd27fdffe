"""The order of the alphabet, the language of whoever reads, and quotes and spaces as each language has them."""

from __future__ import annotations

import pytest

from workbench.rulebook.languages.locale import alphabetical, language_for_reader, set_type


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


GAME = ("nl", "en", "fr")


@pytest.mark.parametrize(
    ("surroundings", "languages", "expected"),
    [
        ({"LANG": "fr_FR.UTF-8"}, GAME, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "nl"}, GAME, "nl"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, GAME, "fr"),
        ({"LANGUAGE": "nl:en", "LANG": "fr_BE@euro"}, GAME, "nl"),
        ({"LANG": "pt_BR.UTF-8"}, GAME, "en"),
        ({"LANG": "C.UTF-8"}, ("nl", "de"), "nl"),
        ({"LANG": "POSIX"}, GAME, "en"),
        ({"LANG": "../nl"}, GAME, "en"),
        ({"LANG": "nl_NL"}, (), None),
        ({}, GAME, "en"),
    ],
)
def test_the_readers_own_language_comes_first(
    surroundings: dict[str, str], languages: tuple[str, ...], expected: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LANG")
    for name, value in surroundings.items():
        monkeypatch.setenv(name, value)
    assert language_for_reader(languages) == expected


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
