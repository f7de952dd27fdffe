"""The small game with texts in English and Dutch, for sending out and taking back in."""

from __future__ import annotations

from pathlib import Path

import pytest

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
<!-- ignore quotes: the box has them -->

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
