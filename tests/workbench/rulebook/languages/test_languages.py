"""Languages of rulebooks: catalogues, lexicons, numbers, and the order of letters."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulelang.diagnostics import UnusablePath
from workbench.cli import run
from workbench.rulebook.languages.catalogue import catalogues, counted, lacking, say
from workbench.rulebook.languages.lexicon import SETTING, binding, guess_language, modality, path_of
from workbench.rulebook.languages.locale import alphabetical, category, language_for_reader, set_type
from workbench.rulebook.languages.numbers import lacking as lacking_numbers
from workbench.rulebook.languages.numbers import numbers, values

# The catalogue of words besides a game's text: every language whole, and honest where one is not.


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


# The words that carry the force of a rule (must, may, at most), and those that tell a language.


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "You must pay, but you may wait.", {"must": 1, "may": 1}),
        ("en", "You cannot pass; nobody may look; you need not pay.", {"must not": 2, "need not": 1}),
        ("en", "Nobody has to pay as much as possible.", {"need not": 1}),
        ("nl", "Je mag dat nu niet doen, en je hoeft niets te betalen.", {"must not": 1, "need not": 1}),
        ("nl", "Neem zo veel mogelijk; je moet, je kunt.", {"must": 1, "may": 1}),
        ("fr", "Tu ne peux pas passer, tu dois payer, tu peux attendre.", {"must not": 1, "must": 1, "may": 1}),
        ("fr", "Personne n'est obligé de payer.", {"need not": 1}),
        ("es", "No puedes pasar, debes pagar, puedes esperar.", {"must not": 1, "must": 1, "may": 1}),
        ("es", "Nadie tiene que pagar tanto como sea posible.", {"need not": 1}),
        (
            "de",
            "Du darfst das nicht, musst aber zahlen; niemand muss warten.",
            {"must not": 1, "must": 1, "need not": 1},
        ),
    ],
)
def test_modality(language: str, text: str, expected: dict[str, int]) -> None:
    assert dict(modality(text, language)) == expected


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Each player takes at most three, at least one, and only once."),
        ("nl", "Elke speler neemt hoogstens drie, minstens één, en alleen dit keer."),
        ("fr", "Chaque joueur prend au plus trois, au moins une, et seulement cette fois."),
        ("es", "Cada jugador toma como máximo tres, al menos una, y solo esta vez."),
        ("de", "Jeder Spieler nimmt höchstens drei, mindestens eins, und nur dieses Mal."),
    ],
)
def test_quantifiers_are_the_same_in_each_language(language: str, text: str) -> None:
    assert dict(binding(text, language)) == {"each or any": 1, "at most": 1, "at least": 1, "only": 1}


def test_languages_are_told_by_their_function_words() -> None:
    assert guess_language("On your turn you take one of the tiles and put it in front of you.") == "en"
    assert guess_language("In je beurt neem je een van de tegels en leg je die voor je neer.") == "nl"
    assert guess_language("Le joueur pose une tuile sur le plateau et prend les pièces de la réserve.") == "fr"
    assert guess_language("Der Spieler legt ein Plättchen auf den Plan und nimmt sich die Münzen.") == "de"
    assert guess_language("1 2 3 + 4 = ?") is None


# The order of the alphabet, the language of whoever reads, and quotes and spaces as each language has them.


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


# Numbers by value: digits, words, ordinals, multiples.


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
    assert lacking_numbers("three cards", "trzy karty", "en", "pl") == []


def test_lacking_looks_at_weak_numbers_too() -> None:
    assert lacking_numbers("1 card and two chips", "une carte et les deux jetons", "en", "fr") == []
    assert [n.value for n in lacking_numbers("3 cards", "2 cartes", "en", "fr")] == [3]


@given(st.integers(2, 999_999), st.sampled_from(sorted(SAME)))
def test_digits_are_found_anywhere(number: int, language: str) -> None:
    assert number in values(f"({number}) ", language)


@given(st.text(max_size=60), st.sampled_from([*SAME, "xx"]))
def test_any_text_can_be_read(text: str, language: str) -> None:
    places = [n.start for n in numbers(text, language)]
    assert places == sorted(places)


# A lexicon proposed from texts, and what lexicons would warn of in good ones.


BABEL = Path(__file__).resolve().parents[4] / "rules" / "babel"


def test_words_of_a_language_are_proposed_from_its_texts(tmp_path: Path) -> None:
    assert run(["texts", "lexicon", "fr", str(BABEL), "--out", str(tmp_path)]) == 0
    text = (tmp_path / "lexicons" / "fr.toml").read_text(encoding="utf-8")
    meaning = tomllib.loads(text)["meaning"]
    assert meaning["time"]["after"].splitlines()[0] == "après"
    assert meaning["person"]["rival"].split() == ["adversaire"]
    assert '# "après": Après' in text


def test_what_a_lexicon_would_warn_of_in_good_texts(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["texts", "lexicon", "check", str(BABEL), "--lang", "fr", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["findings"]
    assert {entry["language"] for entry in found} == {"fr"}
    assert {entry["check"] for entry in found} <= {"meaning", "modality", "quantifier"}


@pytest.mark.parametrize("arguments", [["pt"], ["check", str(BABEL), "--lang", "pt"], ["pt", str(BABEL), "--out", "x"]])
def test_what_cannot_be_done_is_told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["texts", "lexicon", *arguments]) == 2
    assert capsys.readouterr().err
