"""Alignment of two rulebooks in two languages: which passage of one says what a passage of the other says.

Nothing is downloaded and nothing needs training: translations are learnt from the two texts themselves, pairs that keep
the order support each other, and blocks may have moved. In order: ``documents`` opens a text, ``segment`` cuts it into
sentences and passages, ``translation`` learns which words translate each other, ``aligner`` compares and decides.
``constraints`` are what people decided.
"""

from .aligner import Alignment, AlignSettings, Link, align
from .segment import AlignedPiece, Text, prepare

__all__ = ["AlignSettings", "AlignedPiece", "Alignment", "Link", "Text", "align", "prepare"]
