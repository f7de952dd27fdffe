"""Aligning any two rulebooks in two languages: which passage of one says what a passage of the other says.

Nothing is downloaded and nothing needs training: a lexicon is learnt from the two texts themselves, pairs that keep
the order support each other, and blocks may have moved. In order: ``segment`` cuts a text into sentences, ``lexicon``
and ``similarity`` compare two of them, ``chains`` brings in the order, ``match`` decides; ``pins`` holds what people
decided, ``seedfile`` writes the map of a new document.
"""

from .match import Alignment, Evidence, Link, align
from .prepare import Piece, Text, prepare
from .settings import Settings

__all__ = ["Alignment", "Evidence", "Link", "Piece", "Settings", "Text", "align", "prepare"]
