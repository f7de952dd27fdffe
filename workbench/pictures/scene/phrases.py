"""The few words of its own that a picture needs, in the languages of rulebooks; English where there is no other."""

from __future__ import annotations

_WORDS = {
    "you": {"en": "you", "nl": "jij", "fr": "toi", "de": "du"},
    "decides": {"en": "decides", "nl": "is aan zet", "fr": "décide", "de": "entscheidet"},
    "wins": {"en": "wins", "nl": "wint", "fr": "gagne", "de": "gewinnt"},
    "score": {"en": "score", "nl": "punten", "fr": "points", "de": "Punkte"},
    "over": {"en": "The game is over", "nl": "Het spel is afgelopen", "fr": "La partie est finie",
             "de": "Das Spiel ist aus"},
    "setup": {"en": "Setup", "nl": "Voorbereiding", "fr": "Mise en place", "de": "Aufbau"},
    "before": {"en": "Before", "nl": "Vóór", "fr": "Avant", "de": "Vorher"},
    "after": {"en": "After", "nl": "Na", "fr": "Après", "de": "Nachher"},
    "hidden": {"en": "hidden", "nl": "verborgen", "fr": "caché", "de": "verdeckt"},
    "empty": {"en": "nothing to draw", "nl": "niets te tekenen", "fr": "rien à dessiner", "de": "nichts zu zeichnen"},
}  # fmt: skip


def say(word: str, lang: str | None) -> str:
    """A word of the picture itself in a language."""
    known = _WORDS[word]
    return known.get(lang or "en", known["en"])
