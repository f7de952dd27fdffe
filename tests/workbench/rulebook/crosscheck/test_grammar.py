"""Words that do not go with one another, spelling and punctuation, in the texts of the games."""

from __future__ import annotations

import re

import pytest
from games import GAMES, base_of, new_findings, with_text

from workbench.rulebook.crosscheck import cross_check

_FORMS = re.compile(r"\{(?P<value>[^{}:]+): one (?P<one>[^{};]*#[^{};]*); other (?P<other>[^{};]*#[^{};]*)\}")


_EACH = 7
"""One of so many is tried."""


def test_forms_that_changed_places_are_found() -> None:
    tried, place, missed = 0, 0, []
    for corpus in (base_of(game) for game in GAMES):
        for language in corpus.languages:
            for statement in corpus.text_in(language).statements:
                found = _FORMS.search(statement.text)
                if found is None or found["one"] == found["other"]:
                    continue
                place += 1
                if place % _EACH:
                    continue
                tried += 1
                swapped = f"{{{found['value']}: one {found['other']}; other {found['one']}}}"
                text = statement.text.replace(found[0], swapped)
                if "R0929" not in {d.code for d in cross_check(with_text(corpus, statement, language, text)).findings}:
                    missed.append(f"{statement.id} in {language}: {text}")
    assert tried > 10
    assert len(missed) <= 0.15 * tried, missed


def test_one_form_with_a_value_of_several_is_found() -> None:
    """A form of one in place of both: ``{n: one # card; other # cards}`` becomes ``{n} card``."""
    tried, place, missed = 0, 0, []
    for corpus in (base_of(game) for game in GAMES):
        for language in corpus.languages:
            for statement in corpus.text_in(language).statements:
                found = _FORMS.search(statement.text)
                if found is None or not found["one"].startswith("#") or found["one"] == found["other"]:
                    continue
                if corpus.filled(f"{{{found['value']}}}", language) in ("0", "1"):
                    continue
                place += 1
                if place % _EACH:
                    continue
                tried += 1
                text = statement.text.replace(found[0], found["one"].replace("#", f"{{{found['value']}}}"))
                if "R0929" not in {d.code for d in cross_check(with_text(corpus, statement, language, text)).findings}:
                    missed.append(f"{statement.id} in {language}: {text}")
    assert tried > 5
    assert len(missed) <= 0.3 * tried, missed


SLIPS_OF_FORM = [
    ("skye", "nl", "play.2", "een clan", "een  clan", "R0923"),
    ("babel", "en", "pawn.2", "board, at", "board , at", "R0923"),
    ("babel", "es", "People.3", "emplazamiento, cada", "emplazamiento,cada", "R0923"),
    ("skye", "nl", "gold.2", "op.", "op..", "R0923"),
    ("skye", "de", "lay.2", "legst.", "legst", "R0923"),
    ("babel", "es", "turn.2", "Después", "después", "R0923"),
    ("skye", "en", "play.2", "a clan", "a CLan", "R0923"),
    ("skye", "fr", "goal_value.6", "Moutons :", "Moutons:", "R0923"),
    ("skye", "en", "goal_value.6", "Sheep:", "Sheep :", "R0923"),
    ("skye", "de", "buy.1", "Preis", "preis", "R0932"),
    ("babel", "de", "turn.draw.1", "und auf", "and auf", "R0932"),
    ("babel", "fr", "travel.4", "une carte", "un carte", "R0929"),
    ("babel", "de", "pawn.1", "eine Spielfigur", "ein Spielfigur", "R0929"),
    ("babel", "es", "lay.3", "la carta", "el carta", "R0929"),
    ("babel", "en", "pawn.1", "has", "have", "R0929"),
    ("babel", "es", "start_hand.1", "reciben", "recibe", "R0929"),
]


@pytest.mark.parametrize("game, language, id_, words, wrong, code", SLIPS_OF_FORM)
def test_slips_of_form_are_found(game: str, language: str, id_: str, words: str, wrong: str, code: str) -> None:
    corpus = next(base_of(folder) for folder in GAMES if folder.name == game)
    statement = corpus.statements[id_][language]
    text = statement.text.replace("\u00a0", " ")
    assert words in text
    mutant = with_text(corpus, statement, language, text.replace(words, wrong, 1))
    assert code in {d.code for d in new_findings(corpus, mutant)}


def test_a_word_that_no_dictionary_has_is_a_slip_of_the_pen() -> None:
    pytest.importorskip("simplemma", reason="the extra `spell`")
    corpus = next(base_of(folder) for folder in GAMES if folder.name == "skye")
    cases = (
        ("fr", "gold.1", "changer", "chagner"),
        ("nl", "offer.prices.1", "spelers", "speelrs"),
        ("de", "lay.2", "Plättchen", "Plätcthen"),
    )
    for language, id_, right, wrong in cases:
        statement = corpus.statements[id_][language]
        mutant = with_text(corpus, statement, language, statement.text.replace(right, wrong, 1))
        found = [d for d in new_findings(corpus, mutant) if d.code == "R0932"]
        assert right in found[0].message, found
        assert found[0].fixes, "it can be mended at once"
