"""Words of a text: guess its language, and reduce its content words to stems that can be compared."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from ..languages.stems import stem

# The commonest function words. They set languages apart and say nothing about what a sentence is about.
_STOP = {
    "nl": (
        "aan al alle als bij dan dat de deze die dit door dus een één elk elke en er ga geen haar had heb hebt heeft "
        "het hij hier hierop hoe hun iedere in is ja je jij jouw jullie kan krijgt kun kunnen maar mag met mogen moet "
        "moeten na naar nee neen niet nog nu of om omdat onder ook op over per reeds te tegen ten ter tot u uit uw van "
        "vanaf veel voor waar was wat we weer werd wie wij wil worden wordt ze zich zij zijn zo zoals zodra zonder "
        "zou"
    ),
    "en": (
        "a about after all already also an and any are as at be been but by can do does did each every for from had "
        "has have he her here him his how if in into is it its may more must my no not now of off on once one only or "
        "other our out own she so some still than that the their them then there these they this those to up was we "
        "were what when where which who will with would you your"
    ),
    "fr": (
        "à afin ai alors au aucun aucune aussi aux avec avoir car ce cela celle celles celui ces cet cette ceux chaque "
        "comme d dans de des dès deux donc du elle elles en encore entre es est et eux fait fois il ils je jusqu l la "
        "le les leur leurs lors lorsque lui m ma mais me même mes moins mon n ne ni non nos notre nous on ont ou où "
        "par pas peut peuvent plus pour qu que quel quelle quelles qui quoi s sa sans se ses si soit son sont sous "
        "sur ta tes toi ton tous tout toute toutes tu un une vers vos votre vous y"
    ),
    "de": (
        "ab aber alle allem allen aller alles als also am an auch auf aus bei beim bereits bis da damit dann das dass "
        "dem den denn der des dessen die dies diese diesem diesen dieser dieses doch du durch ein eine einem einen "
        "einer eines er es euch euer eure für gegen hat ihm ihn ihr ihre ihren ihrer im immer in ist ja jede jedem "
        "jeden jeder jedes jetzt kann kein keine keinen man mehr mit muss nach nicht noch nun nur ob oder ohne sein "
        "seine seinem seinen seiner sich sie sind so über um und uns unter vom von vor war was weil wenn wer werden "
        "wie wieder wird wo zu zum zur zwei"
    ),
}
STOP_WORDS = {language: frozenset(words.split()) for language, words in _STOP.items()}
"""Function words by language."""

_WORD = re.compile(r"[^\W\d_]+")
_LIGATURES = str.maketrans({"œ": "oe", "æ": "ae", "ß": "ss", "ø": "o"})


def guess_language(text: str) -> str | None:
    """The language whose function words are commonest in the text; None when none is clearly ahead."""
    words = Counter(found.lower() for found in _WORD.findall(text))
    total = sum(words.values())
    shares = sorted(
        ((sum(words[w] for w in stop) / total, language) for language, stop in STOP_WORDS.items()) if total else (),
        reverse=True,
    )
    if not shares or shares[0][0] < 0.15 or shares[0][0] < shares[1][0] * 1.2:
        return None
    return shares[0][1]


def fold(word: str) -> str:
    """Lower case without accents, for comparing spellings across languages."""
    plain = unicodedata.normalize("NFD", word.lower().translate(_LIGATURES))
    return "".join(c for c in plain if not unicodedata.combining(c))


def content_words(text: str, language: str) -> tuple[tuple[str, str], ...]:
    """The words that carry meaning, in order: stem (lower case, no accents) and the word as it is written."""
    stop = STOP_WORDS.get(language, frozenset())
    return tuple(
        (fold(stem(word, language)), word) for word in _WORD.findall(text) if len(word) > 1 and word.lower() not in stop
    )
