"""Alignment of two rulebooks in two languages: which passage of one says what a passage of the other says.

Nothing is downloaded and nothing needs training: a lexicon is learnt from the two texts themselves, pairs that keep
the order support each other, and blocks may have moved. In order: ``segment`` cuts a text into sentences and
``prepare`` reads their words and numbers, ``lexicon`` and ``similarity`` compare two of them, ``chains`` adds the
order as evidence, ``match`` decides. ``pins`` holds what people decided, ``seedfile`` writes the map of a new document.
"""

from .match import Alignment, Link, align
from .prepare import Piece, Text, prepare
from .settings import Settings

__all__ = ["Alignment", "Link", "Piece", "Settings", "Text", "align", "prepare"]
