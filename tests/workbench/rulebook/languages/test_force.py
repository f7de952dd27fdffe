"""The words that carry the force of a rule: must, may, at most, in each language."""

from __future__ import annotations

import pytest

from workbench.rulebook.languages.lexicon import binding, modality


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
