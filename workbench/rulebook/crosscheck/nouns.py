"""Nouns of one text: which are for one and which for several, as the text itself shows."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

import attrs

from ..corpus import Corpus
from ..languages.lexicon import is_plural_of, lexicon
from ..languages.locale import OTHER, category
from ..languages.numbers import numbers
from ..texts.interpolation import VALUE, Forms, forms_in, inflected, spoken

CODE = "R0929"
"""Of all findings about words that do not agree."""
ONE = "one"
"""The gender of articles and nouns in a language that has none, in the singular."""
TOKEN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|#")
BLANK = "[ \u00a0\u202f]+"
BESIDE = re.compile(rf"{BLANK}(?P<word>[^\W\d_]+)(?:{BLANK}(?P<next>[^\W\d_]+))?")
PART_OF_NOUN = re.compile(rf"{BLANK}[^\W\d_]+(?={BLANK})")


@attrs.frozen
class Nouns:
    """The nouns of one language whose number is known, in lower case; ``forms``: words to how often a plural form says
    them for one, less how often for several."""

    language: str
    one: frozenset[str]
    several: frozenset[str]
    forms: Mapping[str, int]


def nouns_of_text(corpus: Corpus, language: str) -> Nouns:
    """What the text itself shows: its plural forms, and terms of the glossary that it has in both numbers."""
    texts = tuple(statement.text for statement in corpus.text_in(language).statements)
    return corpus.memo.once(("nouns", language, texts), lambda: _nouns_of(corpus, language, texts))


def _nouns_of(corpus: Corpus, language: str, texts: Sequence[str]) -> Nouns:
    forms: Counter[str] = Counter()
    concepts: dict[str, set[str]] = {}
    beside: set[str] = set()
    for text in texts:
        beside |= _beside_several(corpus, text, language)
        for one, several in _forms_of(text, language):
            forms[one] += 1
            forms[several] -= 1
        for id_, word in _named(corpus, text, language):
            concepts.setdefault(id_, set()).add(word)
    known = {pair for words in concepts.values() for pair in _numbers_of(frozenset(words), language)}
    known |= _numbers_of(frozenset(beside), language)
    singulars = {a for a, _ in known} | {word for word, votes in forms.items() if votes > 0}
    multiples = {b for _, b in known} | {word for word, votes in forms.items() if votes < 0}
    listed = {noun for noun in lexicon(language).nouns if not is_unchanged(noun, language)}
    singulars |= listed
    multiples |= {f"{noun}s" for noun in listed if lexicon(language).nouns[noun] == {ONE}}
    return Nouns(language, frozenset(singulars - multiples), frozenset(multiples - singulars), forms)


@functools.lru_cache(maxsize=20_000)
def _forms_of(text: str, language: str) -> frozenset[tuple[str, str]]:
    """The words for one and for several that the plural forms of a text have side by side."""
    return frozenset(pair for _, _, plural in forms_in(text) for pair in word_pairs(plural, language))


def _beside_several(corpus: Corpus, text: str, language: str) -> frozenset[str]:
    """The words right after numbers from two on, in lower case: nearly all of them are plurals."""

    def beside() -> frozenset[str]:
        filled = corpus.filled(text, language)
        found = (BESIDE.match(filled, n.end) for n in numbers(filled, language) if n.value > 1 and not n.ordinal)
        return frozenset(match["word"].lower() for match in found if match is not None) - lexicon(language).function

    return corpus.memo.once(("beside several", text, language), beside)


def _named(corpus: Corpus, text: str, language: str) -> frozenset[tuple[str, str]]:
    """The concepts of the glossary that a text names, with the words it has for them, in lower case."""
    glossary = corpus.glossary
    if glossary is None:
        return frozenset()

    def named() -> frozenset[tuple[str, str]]:
        versions = {spoken(text), inflected(text, {plural.value: "one" for _, _, plural in forms_in(text)})}
        uses = ((version, use) for version in versions for use in glossary.uses(version, language))
        return frozenset((id_, version[use.start : use.end].lower()) for version, use in uses for id_ in use.concepts)

    return corpus.memo.once(("named", text, language), named)


@functools.lru_cache(maxsize=20_000)
def _numbers_of(words: frozenset[str], language: str) -> frozenset[tuple[str, str]]:
    """Of words for one thing those of which one is the plural of the other: the one, then the several."""
    found = set()
    for a, b in combinations(sorted(words), 2):
        one, other = is_plural_of(b, a, language), is_plural_of(a, b, language)
        if one != other:
            found.add((a, b) if one else (b, a))
    return frozenset(found)


def word_pairs(plural: Forms, language: str) -> tuple[tuple[str, str], ...]:
    """The words after the value that differ between the form of one and that of several, side by side."""
    forms = dict(plural.forms)
    one, several = forms.get(category(1, language)), forms.get(OTHER)
    if one is None or several is None or category(1, language) == OTHER:
        return ()
    ours, theirs = _after(one), _after(several)
    return tuple((a, b) for a, b in zip(ours, theirs, strict=True) if a != b) if len(ours) == len(theirs) else ()


def _after(form: str) -> list[str]:
    tokens = [token.lower() for token in TOKEN.findall(form)]
    return tokens[tokens.index(VALUE) + 1 :] if VALUE in tokens else []


def is_unchanged(noun: str, language: str) -> bool:
    known = lexicon(language)
    return noun[0] == "-" or (bool(known.unchanged) and noun.endswith(known.unchanged))
