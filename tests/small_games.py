"""The small games of the tests, which lie in ``corpus``, and how tests write, load and check them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from paths import CORPUS

import interpreter
import rulelang


def corpus(name: str) -> str:
    """The text of a small game, ``corpus/NAME.rules``; those in ``endless`` take too long to be played by chance."""
    return (CORPUS / f"{name}.rules").read_text(encoding="utf-8")


def write_game(folder: Path, text: str, **others: str) -> Path:
    """Writes a game in one text, and further rules files by name, into ``folder``, which it makes. Returns it.

    The game's file has the name in its header.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (name,) = re.findall(r"^game (\w+)", text, flags=re.M)
    for stem, content in {name: text, **others}.items():
        (folder / f"{stem}.rules").write_text(content, encoding="utf-8")
    return folder


def load_game(folder: Path, text: str, **wanted: Any) -> Any:
    """The game in one text, written into ``folder``; ``wanted`` as in ``interpreter.load``."""
    return interpreter.load(write_game(folder, text), **wanted)


def load_program(folder: Path, text: str) -> rulelang.Program:
    """The program of a game in one text, written into ``folder``."""
    return rulelang.load(write_game(folder, text))


def mistakes(folder: Path, text: str) -> list[tuple[str, str]]:
    """Code and message of each error in a game, written into ``folder``."""
    found = rulelang.check_path(write_game(folder, text)).diagnostics
    return [(d.code, d.message) for d in found if d.severity == "error"]


def changed(text: str, old: str, new: str) -> str:
    """The text with the first ``old`` replaced; fails when it has none."""
    assert old in text
    return text.replace(old, new, 1)


PILE = corpus("pile")
"""Take one, two or three from a pile; each piece is a point."""

DASH = corpus("dash")
"""A race with dice, short enough to be played hundreds of times."""

SMALL = """\
variant small of pile
  "a pile of four"

change number size to 4
"""
"""A variant of the pile."""

LONGER = """\
variant longer of pile
  "Nine pieces."

change number size to 9
"""
"""Another one."""

SACK = corpus("sack")
"""Gems drawn from a sack nobody looks into, and a roll."""

CARDS = corpus("hands_and_deck")
"""Hands, a deck, a bag, a slot and a grid that nobody sees."""

PLEDGES = corpus("pledges")
"""Players bid and choose together, from a secret chest."""

BIDS = corpus("bids_and_dice")
"""Players bid together; a menu, a die and a watcher inside."""

MOSAIC = corpus("mosaic")
"""Tiles laid on a grid without an edge, with quarter turns."""

LINES = corpus("lines")
"""A graph and its longest trails."""

COINS = corpus("coins")
"""A coin worth what it says, and an option like the others, which only those have who are ahead."""

GAMES = (PILE, SACK, CARDS, PLEDGES, BIDS, MOSAIC, LINES)
