"""Words that a printed rulebook needs besides its text, in each language of rulebooks."""

from __future__ import annotations

import attrs

from .model import Change, Rulebook


@attrs.frozen
class Words:
    contents: str
    players: str
    to: str
    variant: str
    changes: str
    instead: str
    new: str
    gone: str
    changed: str
    unworded: str
    section: str
    aside: str


_WORDS = {
    "en": Words(
        contents="Contents",
        players="players",
        to="to",
        variant="With the variant",
        changes="What is different",
        instead="instead of",
        new="new",
        gone="no longer applies",
        changed="changed",
        unworded="Not in the text yet",
        section="Link to this section",
        aside="Variant: ",
    ),
    "nl": Words(
        contents="Inhoud",
        players="spelers",
        to="tot",
        variant="Met de variant",
        changes="Wat er anders is",
        instead="in plaats van",
        new="nieuw",
        gone="vervalt",
        changed="gewijzigd",
        unworded="Nog niet in de tekst verteld",
        section="Link naar deze paragraaf",
        aside="Variant: ",
    ),
    "fr": Words(
        contents="Sommaire",
        players="joueurs",
        to="à",
        variant="Avec la variante",
        changes="Ce qui change",
        instead="au lieu de",
        new="nouveau",
        gone="ne s’applique plus",
        changed="modifié",
        unworded="Pas encore expliqué dans le texte",
        section="Lien vers cette section",
        aside="Variante : ",
    ),
    "de": Words(
        contents="Inhalt",
        players="Spieler",
        to="bis",
        variant="Mit der Variante",
        changes="Was sich ändert",
        instead="statt",
        new="neu",
        gone="entfällt",
        changed="geändert",
        unworded="Noch nicht im Text erklärt",
        section="Link zu diesem Abschnitt",
        aside="Variante: ",
    ),
}


def words(language: str) -> Words:
    """The words of a language; English where we have none."""
    return _WORDS.get(language, _WORDS["en"])


def for_players(rulebook: Rulebook) -> str:
    """``2 to 4 players``, ``3 players``."""
    w = words(rulebook.language)
    low, high = rulebook.players[0], rulebook.players[-1]
    if low == high == 1:
        return f"1 {_ONE.get(rulebook.language, _ONE['en'])}"
    return f"{low} {w.players}" if low == high else f"{low} {w.to} {high} {w.players}"


_ONE = {"en": "player", "nl": "speler", "fr": "joueur", "de": "Spieler"}


def variant_lines(rulebook: Rulebook) -> list[str]:
    """A line for each variant in the rulebook. Their summaries are English, as the rules are."""
    lines = []
    for variant in rulebook.variants:
        line = f"{words(rulebook.language).variant} {variant.title}"
        told = variant.summary is not None and rulebook.language == "en"
        lines.append(f"{line}: {variant.summary}" if told else line)
    return lines


def label(change: Change, language: str) -> str:
    """What kind of change it is, in a word."""
    w = words(language)
    return {"added": w.new, "removed": w.gone}.get(change.kind, w.changed)
