"""Grammar of one language: words that go with one another."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulelang.diagnostics import Diagnostic

from ..corpus import Corpus
from ..languages.lexicon import is_plural_of, lexicon
from ..languages.locale import category
from ..languages.numbers import Number, numbers
from ..texts import Statement
from ..texts.interpolation import forms_in
from .finding import Check, about
from .nouns import BESIDE, CODE, PART_OF_NOUN, Nouns, nouns_of_text, word_pairs
from .phrases import in_phrases, with_another_article
from .verbs import after_copulas, with_another_verb

# ---------------------------------------------------------------- agreement


def _find_agreement(corpus: Corpus) -> Iterator[Diagnostic]:
    """The forms for one and for several are exchanged, or a number stands beside a noun of the other number; an article
    is not the one that its noun has elsewhere, or a verb is for one and its subject for several."""
    for language in corpus.languages:
        if not lexicon(language).plurals:
            continue
        statements = [group[language] for _, group in corpus.groups() if language in group]
        if not statements:
            continue
        nouns = nouns_of_text(corpus, language)
        for statement in statements:
            exchanged = list(_exchanged(statement, nouns))
            yield from exchanged or _beside(corpus, statement, nouns)
            articles = list(with_another_article(corpus, statement, language))
            yield from articles or in_phrases(corpus, statement, language)
            yield from with_another_verb(corpus, statement, nouns)
            yield from after_copulas(statement, language)
            yield from _never_said(statement, language)


AGREEMENT = Check("agreement", CODE, "warning", _find_agreement)


def _exchanged(statement: Statement, nouns: Nouns) -> Iterator[Diagnostic]:
    """Plural forms in which the word for several stands under one, and the other way round."""
    for start, end, plural in forms_in(statement.text):
        pairs = word_pairs(plural, nouns.language)
        if pairs and sum(_is_right(a, b, nouns) for a, b in pairs) < 0:
            a, b = pairs[0]
            message = f'`{statement.id}` has "{a}" for one and "{b}" for several in {nouns.language}; it seems to be '
            message += "the other way round."
            help = "Exchange the two forms. If they are right, give the reason with `ignore`."
            place = statement.place(start, end)
            yield Diagnostic(CODE, message, place, help=help, rule=statement.section)


def _is_right(one: str, several: str, nouns: Nouns) -> int:
    """1 if a pair of words is as it should be, -1 if it is the wrong way round, 0 if nobody knows.

    Elsewhere in the text: without this pair, which adds one to the first word and takes one from the second.
    """
    elsewhere = (nouns.forms[one] - 1) - (nouns.forms[several] + 1)
    if elsewhere:
        return 1 if elsewhere > 0 else -1
    language = nouns.language
    return is_plural_of(several, one, language) - is_plural_of(one, several, language)


def _beside(corpus: Corpus, statement: Statement, nouns: Nouns) -> Iterator[Diagnostic]:
    """A number, typed or filled in, and the noun right after it."""
    language = nouns.language
    text = corpus.filled(statement.text, language)
    for number in numbers(text, language):
        found = BESIDE.match(text, number.end)
        if found is None or number.weak or number.ordinal or number.value == 0:
            continue
        if _unknown(found["word"], nouns) and (part := PART_OF_NOUN.match(text, number.end)) is not None:
            found = BESIDE.match(text, part.end()) or found
        if lexicon(language).capitals and found["word"] == found["word"].lower():
            continue
        if _is_wrong(number, found["word"], nouns) and not _modifies(number, found["next"], nouns):
            said = text[number.start : found.end("word")]
            needed = "one" if number.value == 1 else "several"
            message = (
                f'`{statement.id}` says "{said}" in {language}; beside {number.value} a word for {needed} is needed.'
            )
            help = "Correct the word, or write forms: {value: one # word; other # words}."
            yield about(CODE, statement, message, help)


def _unknown(word: str, nouns: Nouns) -> bool:
    """Whether a word may be part of a noun of several words, or say how something is: `3 victory points`."""
    return word.lower() not in nouns.one | nouns.several | lexicon(nouns.language).function


def _is_wrong(number: Number, word: str, nouns: Nouns) -> bool:
    wanted = category(number.value, nouns.language)
    return word.lower() in (nouns.several if wanted == category(1, nouns.language) else nouns.one)


def _modifies(number: Number, following: str | None, nouns: Nouns) -> bool:
    """Whether the noun may be part of a compound whose last word agrees: `2 bonus cards`, `a 2 player game`."""
    if following is None or following.lower() in lexicon(nouns.language).function:
        return False
    if following.lower() in nouns.several | nouns.one:
        return not _is_wrong(number, following, nouns)
    return not lexicon(nouns.language).joints


# ---------------------------------------------------------------- what is never right


def _never_said(statement: Statement, language: str) -> Iterator[Diagnostic]:
    """What the lexicon says is never right."""
    pattern = lexicon(language).never
    for match in re.finditer(pattern, statement.spoken) if pattern else ():
        message = f'`{statement.id}` says "{match[0]}" in {language}; a word has the wrong form or the wrong place.'
        help = "Correct its form, or put it where it belongs. If it is right, give the reason with `ignore`."
        yield Diagnostic(CODE, message, statement.place(*match.span()), help=help, rule=statement.section)


CHECKS = (AGREEMENT,)
