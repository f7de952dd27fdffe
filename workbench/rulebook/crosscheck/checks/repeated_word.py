"""``repeated-word``: a word appears twice in a row."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from rulelang.diagnostics import Diagnostic

from ...corpus import Corpus
from ...languages.lexicon import lexicon
from .finding import about

CODE = "R0922"
_TWICE = re.compile(r"\b([^\W\d_]+)[ \u00a0]+\1\b", re.IGNORECASE)


def find(corpus: Corpus) -> Iterator[Diagnostic]:
    """A word appears twice in a row."""
    for language, statement in corpus.each():
        for match in _TWICE.finditer(statement.spoken):
            if match[1].lower() not in lexicon(language).twice:
                found = about(CODE, statement, f"`{match[1]}` appears twice in a row.", "Remove one of them.")
                yield attrs.evolve(found, span=statement.place(match.start(), match.end()))
