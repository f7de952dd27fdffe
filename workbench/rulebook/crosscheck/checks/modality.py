"""``modality``: what is a duty in one language is a choice or a ban in another."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.diagnostics import Diagnostic

from ...corpus import Corpus, Counterpart
from ...languages.lexicon import knows_force, modality
from ..odd_ones import exact, odd_ones
from .finding import between, differs, in_words, quoted

CODE = "R0916"


def find(corpus: Corpus) -> Iterator[Diagnostic]:
    """The languages of a statement, or two passages, differ in must, may, must not and need not."""
    for _, group in corpus.groups():
        counts = {name: exact(modality(s.spoken, name)) for name, s in group.items() if knows_force(name, "modality")}
        for odd in odd_ones(counts):
            if odd.without or (odd.missing and odd.extra):
                yield differs(
                    CODE, group, odd, "Say the same in every language: must, may, must not or need not.", quoted
                )
    if corpus.only is None:
        for pair in corpus.counterparts:
            yield from _passages(pair)


def _passages(pair: Counterpart) -> Iterator[Diagnostic]:
    one, other = pair.one, pair.other
    ours = set(modality(one.text or "", one.language))
    theirs = set(modality(pair.text, other.language))
    if theirs and ours - theirs and (theirs - ours or ours - theirs - {"may"}):
        mine, yours = (in_words([quoted(name) for name in sorted(names)]) for names in (ours - theirs, theirs))
        yield between(CODE, pair, f"{other.document.id} says {yours} where {one.name} says {mine}.")
