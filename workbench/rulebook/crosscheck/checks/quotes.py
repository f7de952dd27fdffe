"""``quotes``: a quotation mark or bracket without its partner."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulelang.diagnostics import Diagnostic

from ...corpus import Corpus
from .finding import about

CODE = "R0923"
_PARTNERS = {"(": ")", "[": "]", "«": "»", "„": "“", "‚": "‘"}
_ENGLISH = {"(": ")", "[": "]", "«": "»", "“": "”"}


def find(corpus: Corpus) -> Iterator[Diagnostic]:
    """A bracket or quotation mark is opened and not closed, or closed and not opened."""
    for _, statement in corpus.each():
        lone = _lone(statement.spoken)
        if lone is not None:
            mark = statement.spoken[lone]
            found = about(CODE, statement, f"`{mark}` has no partner.", "Add the partner, or remove this mark.")
            span = statement.place(lone, lone + 1)
            yield attrs.evolve(found, span=span)


def _lone(text: str) -> int | None:
    """The place of the first mark without a partner."""
    partners = _PARTNERS if "„" in text else _ENGLISH
    closing = {shut: open_ for open_, shut in partners.items()}
    stack: list[tuple[str, int]] = []
    straight: int | None = None
    for place, character in enumerate(text):
        if character == '"':
            straight = place if straight is None else None
        elif character in partners:
            stack.append((character, place))
        elif character in closing:
            if not stack or stack[-1][0] != closing[character]:
                return place
            stack.pop()
    return stack[-1][1] if stack else straight
