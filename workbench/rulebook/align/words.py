"""Words of a text: guess its language, and reduce its content words to stems that can be compared."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from ..languages.lexicon import lexicon, lexicons
from ..languages.locale import stem

_WORD = re.compile(r"[^\W\d_]+")
_LIGATURES = str.maketrans({"œ": "oe", "æ": "ae", "ß": "ss", "ø": "o"})


def guess_language(text: str) -> str | None:
    """The language whose function words are commonest in the text; None when none is clearly ahead."""
    words = Counter(found.lower() for found in _WORD.findall(text))
    total = sum(words.values())
    shares = sorted(
        ((sum(words[w] for w in lexicon(name).function) / total, name) for name in lexicons()) if total else (),
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
    stop = lexicon(language).function
    return tuple(
        (fold(stem(word, language)), word) for word in _WORD.findall(text) if len(word) > 1 and word.lower() not in stop
    )
