"""Grammar of one language: forms that say the same, words that go with their number, no word twice, no lone quote."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import attrs

from rulelang.diagnostics import Diagnostic

from ..corpus import Corpus, fingerprint, fingerprint_changes
from ..languages.lexicon import is_plural_of, lexicon
from ..languages.locale import OTHER, category
from ..languages.numbers import Number, numbers
from ..texts import Statement
from ..texts.interpolation import VALUE, Forms, forms_in, inflected, spoken
from .finding import Check, about, in_words, quoted

# ---------------------------------------------------------------- form


def _find_form(corpus: Corpus) -> Iterator[Diagnostic]:
    """A form of a statement has another word that turns the meaning, or another number, than its form ``other``."""
    for language, statement in corpus.each():
        told: set[str] = set()
        for start, end, plural in forms_in(statement.text):
            for name, _ in plural.forms:
                if plural.value not in told and (found := _difference(statement, language, plural.value, name)):
                    told.add(plural.value)
                    yield _form_told(statement, (start, end), name, found)


FORM = Check("form", "R0928", "warning", _find_form)


def _difference(statement: Statement, language: str, value: str, name: str) -> tuple[list[str], list[str]] | None:
    """What the sentence says in its usual form only, and in this form only."""
    usual = fingerprint(inflected(statement.text, {value: OTHER}), language)
    lost, gained = fingerprint_changes(usual, fingerprint(inflected(statement.text, {value: name}), language))
    return (lost, gained) if lost or gained else None


def _form_told(
    statement: Statement, place: tuple[int, int], name: str, found: tuple[list[str], list[str]]
) -> Diagnostic:
    lost, gained = found
    parts = [f"does not say {in_words([quoted(word) for word in lost])}"] if lost else []
    parts += [f"says {in_words([quoted(word) for word in gained])}"] if gained else []
    message = f"`{statement.id}` {', but '.join(parts)} in the form `{name}`, unlike in `{OTHER}`."
    help = "Let every form say the same."
    return Diagnostic(FORM.code, message, statement.place(*place), help=help, rule=statement.section)


# ---------------------------------------------------------------- agreement


_TOKEN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|#")
_BLANK = "[ \u00a0\u202f]+"
_BESIDE = re.compile(rf"{_BLANK}(?P<word>[^\W\d_]+)(?:{_BLANK}(?P<next>[^\W\d_]+))?")
_PART_OF_NOUN = re.compile(rf"{_BLANK}[^\W\d_]+(?={_BLANK})")


@attrs.frozen
class _Nouns:
    """The nouns of one language whose number is known, in lower case; ``forms``: words to how often a plural form says
    them for one, less how often for several."""

    language: str
    one: frozenset[str]
    several: frozenset[str]
    forms: Mapping[str, int]


def _find_agreement(corpus: Corpus) -> Iterator[Diagnostic]:
    """The forms for one and for several are exchanged, or a number stands beside a noun of the other number."""
    for language in corpus.languages:
        if not lexicon(language).plurals:
            continue
        statements = [group[language] for _, group in corpus.groups() if language in group]
        statements = [s for s in statements if "{" in s.text or numbers(s.text, language)]
        if not statements:
            continue
        nouns = _nouns(corpus, language)
        for statement in statements:
            exchanged = list(_exchanged(statement, nouns))
            yield from exchanged or _beside(corpus, statement, nouns)


AGREEMENT = Check("agreement", "R0929", "warning", _find_agreement)


def _nouns(corpus: Corpus, language: str) -> _Nouns:
    """What the text itself shows: its plural forms, and terms of the glossary that it has in both numbers."""
    texts = tuple(statement.text for statement in corpus.text_in(language).statements)
    return corpus.memo.once(("nouns", language, texts), lambda: _nouns_of(corpus, language, texts))


def _nouns_of(corpus: Corpus, language: str, texts: Sequence[str]) -> _Nouns:
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
    return _Nouns(language, frozenset(singulars - multiples), frozenset(multiples - singulars), forms)


@functools.lru_cache(maxsize=20_000)
def _forms_of(text: str, language: str) -> frozenset[tuple[str, str]]:
    """The words for one and for several that the plural forms of a text have side by side."""
    return frozenset(pair for _, _, plural in forms_in(text) for pair in _word_pairs(plural, language))


def _beside_several(corpus: Corpus, text: str, language: str) -> frozenset[str]:
    """The words right after numbers from two on, in lower case: nearly all of them are plurals."""

    def beside() -> frozenset[str]:
        filled = corpus.filled(text, language)
        found = (_BESIDE.match(filled, n.end) for n in numbers(filled, language) if n.value > 1 and not n.ordinal)
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


def _word_pairs(plural: Forms, language: str) -> tuple[tuple[str, str], ...]:
    """The words after the value that differ between the form of one and that of several, side by side."""
    forms = dict(plural.forms)
    one, several = forms.get(category(1, language)), forms.get(OTHER)
    if one is None or several is None or category(1, language) == OTHER:
        return ()
    ours, theirs = _after(one), _after(several)
    return tuple((a, b) for a, b in zip(ours, theirs, strict=True) if a != b) if len(ours) == len(theirs) else ()


def _after(form: str) -> list[str]:
    tokens = [token.lower() for token in _TOKEN.findall(form)]
    return tokens[tokens.index(VALUE) + 1 :] if VALUE in tokens else []


def _exchanged(statement: Statement, nouns: _Nouns) -> Iterator[Diagnostic]:
    """Plural forms in which the word for several stands under one, and the other way round."""
    for start, end, plural in forms_in(statement.text):
        pairs = _word_pairs(plural, nouns.language)
        if pairs and sum(_is_right(a, b, nouns) for a, b in pairs) < 0:
            a, b = pairs[0]
            message = f'`{statement.id}` has "{a}" for one and "{b}" for several in {nouns.language}; it seems to be '
            message += "the other way round."
            help = "Exchange the two forms. If they are right, give the reason with `ignore`."
            place = statement.place(start, end)
            yield Diagnostic(AGREEMENT.code, message, place, help=help, rule=statement.section)


def _is_right(one: str, several: str, nouns: _Nouns) -> int:
    """1 if a pair of words is as it should be, -1 if it is the wrong way round, 0 if nobody knows.

    Elsewhere in the text: without this pair, which adds one to the first word and takes one from the second.
    """
    elsewhere = (nouns.forms[one] - 1) - (nouns.forms[several] + 1)
    if elsewhere:
        return 1 if elsewhere > 0 else -1
    language = nouns.language
    return is_plural_of(several, one, language) - is_plural_of(one, several, language)


def _beside(corpus: Corpus, statement: Statement, nouns: _Nouns) -> Iterator[Diagnostic]:
    """A number, typed or filled in, and the noun right after it."""
    language = nouns.language
    text = corpus.filled(statement.text, language)
    for number in numbers(text, language):
        found = _BESIDE.match(text, number.end)
        if found is None or number.weak or number.ordinal or number.value == 0:
            continue
        if _unknown(found["word"], nouns) and (part := _PART_OF_NOUN.match(text, number.end)) is not None:
            found = _BESIDE.match(text, part.end()) or found
        if _is_wrong(number, found["word"], nouns) and not _modifies(number, found["next"], nouns):
            said = text[number.start : found.end("word")]
            needed = "one" if number.value == 1 else "several"
            message = (
                f'`{statement.id}` says "{said}" in {language}; beside {number.value} a word for {needed} is needed.'
            )
            help = "Correct the word, or write forms: {value: one # word; other # words}."
            yield about(AGREEMENT.code, statement, message, help)


def _unknown(word: str, nouns: _Nouns) -> bool:
    """Whether a word may be part of a noun of several words, or say how something is: `3 victory points`."""
    return word.lower() not in nouns.one | nouns.several | lexicon(nouns.language).function


def _is_wrong(number: Number, word: str, nouns: _Nouns) -> bool:
    wanted = category(number.value, nouns.language)
    return word.lower() in (nouns.several if wanted == category(1, nouns.language) else nouns.one)


def _modifies(number: Number, following: str | None, nouns: _Nouns) -> bool:
    """Whether the noun may be part of a compound whose last word agrees: `2 bonus cards`, `a 2 player game`."""
    if following is None or following.lower() in lexicon(nouns.language).function:
        return False
    if following.lower() in nouns.several | nouns.one:
        return not _is_wrong(number, following, nouns)
    return not lexicon(nouns.language).joints


# ---------------------------------------------------------------- repeated word


_TWICE = re.compile(r"\b([^\W\d_]+)[ \u00a0]+\1\b", re.IGNORECASE)


def _find_repeated_word(corpus: Corpus) -> Iterator[Diagnostic]:
    """A word appears twice in a row."""
    for language, statement in corpus.each():
        for match in _TWICE.finditer(statement.spoken):
            if match[1].lower() not in lexicon(language).twice:
                found = about(
                    REPEATED_WORD.code, statement, f"`{match[1]}` appears twice in a row.", "Remove one of them."
                )
                yield attrs.evolve(found, span=statement.place(match.start(), match.end()))


REPEATED_WORD = Check("repeated-word", "R0922", "warning", _find_repeated_word)


# ---------------------------------------------------------------- quotes


_PARTNERS = {"(": ")", "[": "]", "«": "»", "„": "“", "‚": "‘"}
_ENGLISH = {"(": ")", "[": "]", "«": "»", "“": "”"}


def _find_quotes(corpus: Corpus) -> Iterator[Diagnostic]:
    """A bracket or quotation mark is opened and not closed, or closed and not opened."""
    for _, statement in corpus.each():
        lone = _lone(statement.spoken)
        if lone is not None:
            mark = statement.spoken[lone]
            found = about(QUOTES.code, statement, f"`{mark}` has no partner.", "Add the partner, or remove this mark.")
            span = statement.place(lone, lone + 1)
            yield attrs.evolve(found, span=span)


QUOTES = Check("quotes", "R0923", "warning", _find_quotes)


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


CHECKS = (FORM, AGREEMENT, REPEATED_WORD, QUOTES)
