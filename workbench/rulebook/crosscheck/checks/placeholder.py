"""``placeholder``: a language takes other values from the rules than the others."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.diagnostics import Diagnostic

from ...corpus import Corpus
from ...texts.placeholders import bindings
from ..odd_ones import exact, odd_ones
from .finding import differs

CODE = "R0913"


def find(corpus: Corpus) -> Iterator[Diagnostic]:
    """The values in braces differ between the languages of a statement, by name or by how often they occur."""
    for _, group in corpus.groups():
        names = {language: bindings(statement.text) for language, statement in group.items()}
        if len({frozenset(counter.items()) for counter in names.values()}) < 2:
            continue
        for odd in odd_ones({language: exact(counter) for language, counter in names.items()}):
            yield differs(CODE, group, odd, "Use the same values in braces in every language.", "`{}`".format)
