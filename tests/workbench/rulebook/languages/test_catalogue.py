"""The catalogue of words besides a game's text: every language whole, and honest where one is not."""

from __future__ import annotations

import tomllib
from string import Formatter

import pytest

from rulelang.diagnostics import UnusablePath
from workbench.rulebook.languages.catalogue import catalogues, counted, lacking, say
from workbench.rulebook.languages.lexicon import SETTING, path_of
from workbench.rulebook.languages.locale import category

LANGUAGES = ("de", "en", "es", "fr", "nl")


def entries(language: str) -> dict[str, str]:
    path = path_of("catalogue", language)
    assert path is not None
    return {
        word: text for table in tomllib.loads(path.read_text(encoding="utf-8")).values() for word, text in table.items()
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_everything_with_the_same_values(language: str) -> None:
    ours, english = entries(language), entries("en")
    assert ours.keys() == english.keys() and not lacking(language)
    for word, text in ours.items():
        values = [{name for _, name, _, _ in Formatter().parse(t) if name} for t in (text, english[word])]
        assert values[0] == values[1] or word.endswith("_one"), word


def test_these_are_the_languages_with_a_catalogue() -> None:
    assert set(LANGUAGES) <= set(catalogues())


def test_a_language_without_a_catalogue_takes_english_and_says_so() -> None:
    assert say("contents", "xx") == "Contents"
    assert "contents" in lacking("xx")


def test_numbers_take_the_plural_form_of_their_language() -> None:
    assert counted("players", "es", 1) == "1 jugador"
    assert counted("players", "es", 4) == "4 jugadores"
    assert category(3, "pl") == "few" and category(5, "pl") == "many" and category(0, "fr") == "one"


def test_a_folder_of_ones_own_comes_first(tmp_path, monkeypatch) -> None:
    (tmp_path / "catalogue").mkdir()
    own = tmp_path / "catalogue" / "pl.toml"
    own.write_text('[rulebook]\nplayers_few = "{players} gracze"\nplayers_other = "{players} graczy"\n')
    monkeypatch.setenv(SETTING, str(tmp_path))
    assert [counted("players", "pl", n) for n in (3, 5)] == ["3 gracze", "5 graczy"]
    assert say("contents", "pl") == "Contents" and "contents" in lacking("pl")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[rulebook]\ncontents = "{pages}"\n', "cannot be filled in"),
        ("[rulebook]\ncontents = 3\n", "must be a text"),
        ('contents = "Spis"\n', "below a [section]"),
        ("[rulebook\n", "is not TOML"),
    ],
)
def test_a_broken_catalogue_is_refused_with_its_file(text: str, told: str, tmp_path, monkeypatch) -> None:
    (tmp_path / "catalogue").mkdir()
    (tmp_path / "catalogue" / "pl.toml").write_text(text)
    monkeypatch.setenv(SETTING, str(tmp_path))
    with pytest.raises(UnusablePath) as caught:
        say("contents", "pl")
    assert told in str(caught.value) and "pl.toml" in str(caught.value)
