"""Verbs and their subjects: both for one, or both for several."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from rulelang.diagnostics import Diagnostic

from ..corpus import Corpus
from ..languages.dictionary import base_form, in_dictionary
from ..languages.lexicon import Lexicon, lexicon, pole_words
from ..languages.numbers import numbers
from ..texts import Statement
from .nouns import BLANK, CODE, TOKEN, Nouns
from .phrases import (
    CLAUSE_BEGINS,
    CORRECT,
    PLURAL,
    Word,
    articles_of,
    follows_condition,
    heads_of,
    is_several,
    slip_told,
)


def with_another_verb(corpus: Corpus, statement: Statement, nouns: Nouns) -> Iterator[Diagnostic]:
    """A subject of several and a verb of one, or the other way round."""
    language = nouns.language
    words = list(TOKEN.finditer(statement.spoken))
    for first, last, subject, verb in (*_subjects_first(corpus, words, nouns), *_verbs_first(corpus, words, nouns)):
        if subject != verb:
            start, end = words[first].start(), words[last].end()
            message = f'`{statement.id}` says "{statement.spoken[start:end]}" in {language}: the subject is '
            message += f"{_IN_WORDS[subject]}, the verb for {_IN_WORDS[verb]}."
            help = "Correct the verb or its subject. If they are right, give the reason with `ignore`."
            yield Diagnostic(CODE, message, statement.place(start, end), help=help, rule=statement.section)


_Clause: TypeAlias = tuple[int, int, bool, bool]
"""The first and the last word of a subject and its verb, and whether the subject, and the verb, is several."""


def _subjects_first(corpus: Corpus, words: Sequence[Word], nouns: Nouns) -> Iterator[_Clause]:
    """Subjects at the beginning of a clause, and what follows them."""
    known = lexicon(nouns.language)
    for place, word in enumerate(words):
        strictly = bool(CLAUSE_BEGINS.search(word.string, 0, word.start()))
        if known.openers and (not strictly or word.string[: word.start()].endswith(", ")):
            continue  # the verb comes last, or first
        bare = strictly and _is_bare(words, place, nouns)
        if bare or strictly or follows_condition(word, nouns.language):
            found = (place, True) if bare else _subject(corpus, words, place, nouns)
            verb = found and _verb_after(corpus, words, (place, *found), nouns)
            if found and verb and not (bare and verb[1]):
                yield place, verb[0], found[1], verb[1]


def _verb_after(
    corpus: Corpus, words: Sequence[Word], subject: tuple[int, int, bool], nouns: Nouns
) -> tuple[int, bool] | None:
    """The verb of a subject, given by its first word, its noun and its number; and whether the verb is for several."""
    known = lexicon(nouns.language)
    place, noun, several = subject
    after, whole = noun + 1, False
    if _follows(words, after) and words[after][0] in known.attributes:
        within = _subject(corpus, words, after + 1, nouns)
        after, whole = (within[0] + 1, False) if within else (after + 2, True)
    verb = _past_adverbs(words, after, known)
    said = words[verb][0]
    if not verb or said != said.lower() or (whole and _number_of_whole_verb(said, known) is None):
        return None
    surely = place == noun or (verb > after and not known.joints)
    surely = surely or (after == noun + 1 and _says_each(words, place, noun, nouns))
    told = _number_of_verb(corpus, said, nouns.language, surely)
    if told and _is_equation(said, several, known):
        return None
    return None if told is None else (verb, told)


def _is_equation(verb: str, several: bool, known: Lexicon) -> bool:
    """Whether a verb may go with what follows: the goal are ten points."""
    return not several and verb in known.copulas and not known.openers


def _past_adverbs(words: Sequence[Word], at: int, known: Lexicon) -> int:
    """The place of the next word that is no adverb; 0 if a mark comes first."""
    while _follows(words, at) and words[at][0] in known.adverbs:
        at += 1
    return at if _follows(words, at) else 0


def _is_bare(words: Sequence[Word], place: int, nouns: Nouns) -> bool:
    """Whether a sentence begins with a plural without an article, in a language without inflected adjectives."""
    known, word = lexicon(nouns.language), words[place][0]
    several = known.verbs and not known.phrases and not known.modifiers and word[0].isupper()
    return bool(several) and is_several(word.lower(), nouns) and word.lower() not in known.agreement


def _subject(corpus: Corpus, words: Sequence[Word], place: int, nouns: Nouns) -> tuple[int, bool] | None:
    """The noun of the phrase that begins with an article, and whether it is several."""
    known = lexicon(nouns.language)
    plural = _plural_of_article(words[place][0].lower(), known) if place < len(words) else set()
    at = place + 1
    while plural and _follows(words, at) and at < place + 4:
        word = words[at][0]
        if at == place + 1 and word.lower() in known.agreement:
            plural = plural & {PLURAL in gender for gender in known.agreement[word.lower()]}
        elif _is_number_of_several(word, nouns.language):
            plural = {True}
        elif word.lower() in known.function or (word != word.lower() and not known.capitals):
            return None
        elif _ends_subject(corpus, words, at, nouns):
            linked = _follows(words, at + 1) and words[at + 1][0] in known.links
            return None if linked else _with_noun(plural, at, word.lower(), nouns)
        at += 1
    return None


def _with_noun(plural: set[bool], at: int, noun: str, nouns: Nouns) -> tuple[int, bool] | None:
    """The place of a noun, and whether it is several, by its article if that tells, else by the noun."""
    if len(plural) > 1 and noun in nouns.one | nouns.several:
        return at, noun in nouns.several
    return (at, min(plural)) if len(plural) == 1 else None


def _is_number_of_several(word: str, language: str) -> bool:
    return any(number.value > 1 and not number.ordinal for number in numbers(word, language))


def _plural_of_article(article: str, known: Lexicon) -> set[bool]:
    """Whether a subject with an article is several, or may be both; nothing for an article that no subject has."""
    if known.oblique and article.endswith(known.oblique):
        return set()
    genders = known.agreement.get(article, frozenset())
    return {PLURAL in gender and not (known.oblique and article.endswith("er")) for gender in genders}


def _ends_subject(corpus: Corpus, words: Sequence[Word], at: int, nouns: Nouns) -> bool:
    """Whether a word is a noun, and not the first of two that make one."""
    known = lexicon(nouns.language)
    after = words[at + 1][0] if _follows(words, at + 1) else ""
    if not _is_known_noun(corpus, words[at][0], nouns):
        return _number_of_whole_verb(after, known) is not None and after not in known.function - known.copulas
    return bool(known.joints or known.modifiers) or not after or not _is_known_noun(corpus, after, nouns)


def _is_known_noun(corpus: Corpus, word: str, nouns: Nouns) -> bool:
    known = lexicon(nouns.language)
    if known.capitals:
        return word != word.lower()
    low = word.lower()
    if low in nouns.one | nouns.several or low in known.nouns or low in articles_of(corpus, nouns.language):
        return True
    return base_form(low, nouns.language) in known.nouns and low != base_form(low, nouns.language)


def _verbs_first(corpus: Corpus, words: Sequence[Word], nouns: Nouns) -> Iterator[_Clause]:
    """Verbs with their subjects after them, where something else opens the clause."""
    known = lexicon(nouns.language)
    for place, word in enumerate(words if known.openers else ()):
        opens = CLAUSE_BEGINS.search(word.string, 0, word.start())
        if not opens or word[0].lower() in known.agreement:
            continue
        at = place
        if word[0].lower() in known.openers:
            at = next((i for i in range(place + 1, min(place + 6, len(words))) if _is_verb(corpus, words[i], nouns)), 0)
            if any(not _follows(words, i) for i in range(place + 1, at + 1)):
                continue
        after = _past_adverbs(words, at + 1, known)
        verb = _number_of_whole_verb(words[at][0].lower(), known)
        if verb is None and (at > place or after > at + 1):
            verb = _number_of_verb(corpus, words[at][0], nouns.language, False)
        if verb is not None and after and (found := _subject(corpus, words, after, nouns)):
            yield at, found[0], found[1], verb


def _is_verb(corpus: Corpus, word: Word, nouns: Nouns) -> bool:
    if word[0] != word[0].lower() or _is_known_noun(corpus, word[0], nouns):
        return False
    return _number_of_verb(corpus, word[0], nouns.language, False) is not None


def _follows(words: Sequence[Word], at: int) -> bool:
    """Whether there is a word at a place, and only a blank before it."""
    return 0 < at < len(words) and not words[at].string[words[at - 1].end() : words[at].start()].strip(BLANK[1:-2])


def _says_each(words: Sequence[Word], first: int, last: int, nouns: Nouns) -> bool:
    text = words[first].string[words[first].start() : words[last].end()]
    return any(word.name == "everyone" for word in pole_words(text, nouns.language))


_IN_WORDS = {True: "several", False: "one"}


def _number_of_whole_verb(verb: str, known: Lexicon) -> bool | None:
    """Whether a verb of the lexicon is for several; None for other words."""
    whole = {word: word == several for one, several in known.verbs for word in (one, several) if several[0] != "-"}
    return whole.get(verb)


def _number_of_verb(corpus: Corpus, verb: str, language: str, everyone: bool) -> bool | None:
    """Whether a verb is for several: a word of the lexicon, or one whose other form the text or a dictionary has.
    ``everyone``: after "each player" what follows is a verb."""
    known = lexicon(language)
    whole = _number_of_whole_verb(verb, known)
    if whole is not None or verb in known.function:
        return whole
    if (several := _by_infinitive(verb, known)) is not None:
        return several
    noun = verb in articles_of(corpus, language) or (corpus.glossary and corpus.glossary.uses(verb, language))
    if noun and not everyone:
        return None  # a noun beside another one
    for ours, other, several in _verb_endings(known, everyone):
        stem = verb.removesuffix(ours)
        doubled = (stem + stem[-1:], re.sub(r"(.)\1(?=.?\Z)", r"\1", stem)) if known.joints else ()
        forms = [form + other for form in (stem, *doubled)]
        if verb.endswith(ours) and any(f in _all_words(corpus, language) or in_dictionary(f, language) for f in forms):
            return several
    return None


_PREFIXES = ("be", "ver", "ent", "er", "zer", "ont", "her", "ge")


def _by_infinitive(verb: str, known: Lexicon) -> bool | None:
    """Whether a word is for several, by its ending, where a dictionary has it as a form of a verb."""
    base = base_form(verb, known.language)
    if verb == base or not base.endswith(known.infinitives or ("?",)) or _may_be_participle(verb, base, known):
        return None
    rows = [(one, several) for one, several in known.verbs if several[0] == "-"]
    endings = [(form[1:], form == several) for one, several in rows for form in (one, several)]
    fitting = [(len(ending), several) for ending, several in endings if ending and verb.endswith(ending)]
    return max(fitting)[1] if fitting else None


def _may_be_participle(verb: str, base: str, known: Lexicon) -> bool:
    """Whether a word of a language that joins parts is as well what has been done: verdeckt, betaald."""
    return bool(known.joints) and base[:3] == verb[:3] and verb.startswith(_PREFIXES) and verb[:-1] + "en" == base


def _verb_endings(known: Lexicon, everyone: bool) -> Iterator[tuple[str, str, bool]]:
    """An ending of verbs, the one of the other number, and whether the first is for several. That of several is left
    out where it is the infinitive's too, or none at all, unless a verb must follow."""
    for one, several in ((one[1:], several[1:]) for one, several in known.verbs if several[0] == "-"):
        if one:
            yield one, several, False
        if everyone or (several and not known.joints):
            yield several, one, True


def _all_words(corpus: Corpus, language: str) -> frozenset[str]:
    texts = tuple(statement.text for statement in corpus.text_in(language).statements)
    return corpus.memo.once(("words", language, texts), lambda: frozenset().union(*map(_words_of, texts)))


@functools.lru_cache(maxsize=20_000)
def _words_of(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W\d_]+", text))


def after_copulas(statement: Statement, language: str) -> Iterator[Diagnostic]:
    """A verb for several with an adjective of one, or the other way round: sont vide."""
    known = lexicon(language)
    words = list(TOKEN.finditer(statement.spoken))
    for place, word in enumerate(words):
        verb = re.split("['’]", word[0])[-1]
        if verb not in known.copulas or word.string[word.end() :].startswith(("'", "’")):
            continue
        after = _past_adverbs(words, place + 1, known)
        heads = heads_of(words[after][0], known, adjective=True) if after else set()
        plural = {several for _, several in heads}
        if (
            heads
            and words[after][0] not in {*known.function, *known.nouns}
            and _number_of_whole_verb(verb, known) not in plural
        ):
            yield slip_told(statement, language, word.start(), words[after].end(), CORRECT)
