"""``quantifier``: at most, at least, exactly, only, both, each or any."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.diagnostics import Diagnostic

from ...corpus import Corpus, Counterpart
from ...languages.lexicon import binding, knows_force, quantifiers
from ..odd_ones import exact, odd_ones
from .finding import between, differs, in_words, quoted

CODE = "R0917"

_TELLING = ("at most", "at least", "exactly", "more than", "only", "other", "last", "again", "at once")
"""What is worth a note when one of two passages says it: the rest is said in passing."""


def find(corpus: Corpus) -> Iterator[Diagnostic]:
    """The languages of a statement, or two passages, differ in at most, at least, exactly, only, both, each or any."""
    for _, group in corpus.groups():
        counts = {name: exact(binding(s.spoken, name)) for name, s in group.items() if knows_force(name, "quantifiers")}
        for odd in odd_ones(counts):
            if odd.without or (odd.missing and odd.extra):
                yield differs(CODE, group, odd, "Say it in every language, or in none.", quoted)
    if corpus.only is None:
        for pair in corpus.counterparts:
            yield from _passages(pair)


def _passages(pair: Counterpart) -> Iterator[Diagnostic]:
    one, other = pair.one, pair.other
    ours = quantifiers(one.text or "", one.language)
    theirs = quantifiers(pair.text, other.language)
    gone = [name for name in _TELLING if ours[name] and not theirs[name]]
    if gone:
        words = in_words([quoted(name) for name in gone])
        yield between(CODE, pair, f"{other.document.id} does not say {words} as {one.name} does.")
