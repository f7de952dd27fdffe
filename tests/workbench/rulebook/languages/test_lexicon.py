"""The words that carry the force of a rule (must, may, at most), and those that tell a language."""

from __future__ import annotations

import pytest

from workbench.rulebook.languages.lexicon import binding, guess_language, modality


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
