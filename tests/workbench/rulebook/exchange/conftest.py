"""The small game with texts in English and Dutch, for sending out and taking back in."""

from __future__ import annotations

from pathlib import Path

import pytest
from pile import SUFFIX, edit

EN = """\
# The Pile

## Pieces

### `Colour`
1. There are {count(Colour)} colours.

### `size`
1. The pile has {size} pieces; "{size}" is printed on the box.

### `share`
1. Take {share@2} pieces when two play, {share@3} when three play.

## Play

### `play`
1. Play until the pile is gone.
2. You may look at it <often> & long.

### `turn`
1. In your turn you must take.

### `take`
1. Each piece scores a point.
"""

NL = """\
# De stapel

## Stukken

### `Colour`
1. Er zijn {count(Colour)} kleuren.

### `size`
1. De stapel heeft {size} stukken; op de doos staat ‘{size}’.
<!-- ignore punctuation: the box has them -->

### `share`
1. Neem er {share@2} met z'n tweeën, {share@3} met z'n drieën.

## Spel

### `play`
1. Speel tot de stapel op is.
2. Je mag er vaak & lang naar kijken.

### `turn`
1. In je beurt moet je nemen.

### `take`
1. Elk stuk levert een punt op.
"""

SEED = """\
[document]
game = "pile"
language = "en"
title = "The Pile"
file = "pile.txt"
sha256 = "{0}"
lines = 9

[[passage]]
lines = "1-9"
sha256 = "{0}"
kind = "rule"
states = ["play.1"]
""".format("0" * 64)


@pytest.fixture
def pile(small_game, tmp_path: Path) -> Path:
    """The game's folder."""
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds" / "pile-en.toml").write_text(SEED)
    return small_game({"text/en.md": EN, "text/nl.md": NL})


@pytest.fixture
def export(texts):
    """Writes the texts of a game in a file beside it."""

    def call(game: Path, to: str = "po", lang: str | None = "nl", source: str = "en") -> Path:
        file = game.parent / f"{lang}.{SUFFIX[to]}"
        language = [] if lang is None else ["--lang", lang]
        assert texts("export", game, "--from", source, *language, "--to", to, "--out", file).status == 0
        return file

    return call


@pytest.fixture
def inflected(pile: Path) -> Path:
    """The game with plural forms in two of its sentences."""
    en = "The pile has {size: one # piece; other # pieces}; take {share@2: one # piece; other # pieces}"
    nl = "De stapel heeft {size: one # stuk; other # stukken}; neem er {share@2} van {count(Colour)}."
    short = "There {size: one is # piece; other are # pieces} here."
    kort = "Hier {size: one ligt # stuk; other liggen # stukken}."
    edit(pile / "text" / "en.md", "1. In your turn you must take.", f"1. {en} of {{count(Colour)}}.\n2. {short}")
    edit(pile / "text" / "nl.md", "1. In je beurt moet je nemen.", f"1. {nl}\n2. {kort}")
    return pile
