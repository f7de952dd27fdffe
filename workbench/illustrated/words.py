"""Words of the captions, in the languages of rulebooks; English where there is no other."""

from __future__ import annotations

import attrs


@attrs.frozen
class Captions:
    """``setup`` takes the number of players."""

    title: str
    parts: str
    setup: str
    alone: str
    example: str


_CAPTIONS = {
    "en": Captions(
        title="The game at a glance",
        parts="What lies on the table",
        setup="Setup for {} players, for instance",
        alone="Setup for one player, for instance",
        example="Example. What changes has a ring round it.",
    ),
    "nl": Captions(
        title="Het spel in beeld",
        parts="Wat er op tafel ligt",
        setup="Beginopstelling voor {} spelers, als voorbeeld",
        alone="Beginopstelling voor één speler, als voorbeeld",
        example="Voorbeeld. Wat verandert, is omlijnd.",
    ),
    "fr": Captions(
        title="Le jeu en images",
        parts="Ce qui se trouve sur la table",
        setup="Mise en place à {} joueurs, par exemple",
        alone="Mise en place pour un joueur, par exemple",
        example="Exemple. Ce qui change est encadré.",
    ),
    "de": Captions(
        title="Das Spiel im Bild",
        parts="Was auf dem Tisch liegt",
        setup="Aufbau für {} Spieler, zum Beispiel",
        alone="Aufbau für eine Person, zum Beispiel",
        example="Beispiel. Was sich ändert, ist umrandet.",
    ),
}


def captions(language: str) -> Captions:
    """The captions in a language."""
    return _CAPTIONS.get(language, _CAPTIONS["en"])
