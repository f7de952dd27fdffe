"""``copy``: a statement that was not translated."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from itertools import combinations

from rulelang.diagnostics import Diagnostic

from ...corpus import Corpus
from .finding import about

CODE = "R0920"
_ALIKE = 92
"""Per cent of letters in common; sentences of different languages stay below 70."""
_SHORTEST = 20


def find(corpus: Corpus) -> Iterator[Diagnostic]:
    """A statement is the same in two languages, or nearly so: one is a copy that still has to be translated."""
    for id_, group in corpus.groups():
        for (one, ours), (other, theirs) in combinations(group.items(), 2):
            if min(len(ours.text), len(theirs.text)) >= _SHORTEST and _ratio(ours.text, theirs.text) >= _ALIKE:
                yield about(
                    CODE,
                    theirs,
                    f"`{id_}` is the same, or nearly so, in {other} and {one}.",
                    f"Translate it, in {other} or in {one}.",
                    [ours],
                )


@functools.lru_cache(maxsize=20_000)
def _ratio(one: str, other: str) -> float:
    from rapidfuzz import fuzz

    return fuzz.ratio(one, other)
