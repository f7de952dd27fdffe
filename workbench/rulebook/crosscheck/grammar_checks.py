"""Grammar of one language: words that go with one another."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

import attrs

from rulelang.diagnostics import Diagnostic, finding
from rulelang.fixes import Help, write

from ..corpus import Corpus
from ..languages.dictionary import base_form, in_dictionary
from ..languages.lexicon import FOUR_FORMS, Lexicon, is_plural_of, lexicon, pole_words
from ..languages.locale import OTHER, category
from ..languages.numbers import Number, numbers
from ..texts import Statement
from ..texts.interpolation import VALUE, Forms, forms_in, inflected, spoken
from .finding import Check, about

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
    """The forms for one and for several are exchanged, or a number stands beside a noun of the other number; an article
    is not the one that its noun has elsewhere, or a verb is for one and its subject for several."""
    for language in corpus.languages:
        if not lexicon(language).plurals:
            continue
        statements = [group[language] for _, group in corpus.groups() if language in group]
        if not statements:
            continue
        nouns = _nouns(corpus, language)
        for statement in statements:
            exchanged = list(_exchanged(statement, nouns))
            yield from exchanged or _beside(corpus, statement, nouns)
            articles = list(_with_another_article(corpus, statement, language))
            yield from articles or _in_phrases(corpus, statement, language)
            yield from _with_another_verb(corpus, statement, nouns)
            yield from _after_copulas(statement, language)
            yield from _never_said(statement, language)


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
    listed = {noun for noun in lexicon(language).nouns if not _is_unchanged(noun, language)}
    singulars |= listed
    multiples |= {f"{noun}s" for noun in listed if lexicon(language).nouns[noun] == {_ONE}}
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
        if lexicon(language).capitals and found["word"] == found["word"].lower():
            continue
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


# ---------------------------------------------------------------- articles and verbs


_PLURAL = "plural"
_FEWEST = 3
"""Other places at which a noun has articles, two different ones, from which on it is believed to need such ones."""
_ARTICLE = re.compile(rf"(?<![\w'’])(?<!, )(?P<article>[^\W\d_]+){_BLANK}(?P<noun>[^\W\d_]{{2,}})(?!['’\w])")
_ENDS_HERE = re.compile(r"\s*(?:[^\w\s{]|\Z)|\s+(?P<word>[^\W\d_]+)")


@functools.lru_cache(maxsize=20_000)
def _articles(text: str, language: str) -> tuple[tuple[str, str, int, int, bool], ...]:
    """Articles of a text with the word after each, in lower case, and their place; whether that word surely is what
    the article belongs to: a little word or a mark follows."""
    known = lexicon(language)
    found = []
    for start in (match.start() for match in _TOKEN.finditer(text)):
        match = _ARTICLE.match(text, start)
        if match is None or match["article"].lower() not in known.agreement or match["noun"].lower() in known.function:
            continue
        after = _ENDS_HERE.match(text, match.end())
        sure = after is not None and (after["word"] is None or after["word"].lower() in known.function)
        if not known.capitals or match["noun"] != match["noun"].lower():
            sure = sure or known.capitals
            found.append((match["article"].lower(), match["noun"].lower(), match.start(), match.end(), sure))
    return tuple(found)


def _with_another_article(corpus: Corpus, statement: Statement, language: str) -> Iterator[Diagnostic]:
    """An article and a noun that at all other places has articles of another gender or number."""
    known = lexicon(language)
    here = _articles(statement.spoken, language)
    evidence = _evidence(corpus, language) if here else {}
    for article, noun, start, end, sure in here:
        others = evidence.get(noun, Counter()) - Counter(a for a, n, *_, sure_ in here if n == noun and sure_)
        if sum(others.values()) < _FEWEST or len(others) < 2 or article in others:
            continue
        genders = _genders(noun, others, known)
        ours = known.agreement[article]
        if not sure and _PLURAL in str(genders | ours):
            continue  # what follows may be the noun, and this a part of it
        if genders and genders.isdisjoint(ours):
            said, usual = statement.spoken[start:end], others.most_common(1)[0][0]
            message = (
                f'`{statement.id}` says "{said}" in {language}; elsewhere the text has "{usual}" beside this word.'
            )
            help = "Correct the article or the word. If they are right, give the reason with `ignore`."
            place = statement.place(start, end)
            yield Diagnostic(AGREEMENT.code, message, place, help=help, rule=statement.section)


def _genders(noun: str, articles: Collection[str], known: Lexicon) -> frozenset[str]:
    """The genders, or the plural, that all articles of a noun go with; none where they do not agree."""
    kinds = [known.agreement[article] for article in articles]
    if not noun.endswith(known.unchanged or ("",)) or not known.unchanged:
        return frozenset.intersection(*kinds)
    single = [kind for kind in kinds if _PLURAL not in kind]  # the same word may be the plural
    found = frozenset.intersection(*single) if single else frozenset()
    return found | {_PLURAL} if found else found


def _evidence(corpus: Corpus, language: str) -> Mapping[str, Counter[str]]:
    """Noun to the articles that it surely has, in the whole text."""
    texts = tuple(statement.spoken for statement in corpus.text_in(language).statements)

    def evidence() -> Mapping[str, Counter[str]]:
        found: dict[str, Counter[str]] = {}
        every = [entry for text in texts for entry in _articles(text, language)]
        known = lexicon(language)
        # Where compounds are one word, what stands between an article and another word is an adjective.
        adjectives = {noun for _, noun, *_, sure in every if known.joints and not sure}
        for article, noun, *_, sure in every:
            if sure and noun not in adjectives:
                found.setdefault(noun, Counter())[article] += 1
        return found

    return corpus.memo.once(("articles", language, texts), evidence)


# ---------------------------------------------------------------- phrases: article, adjective, noun


_Word: TypeAlias = re.Match[str]
_NEVER = "never"
_ONE = "one"
"""The gender of articles and nouns in a language that has none, in the singular."""
_CLAUSE_BEGINS = re.compile(r"(?:\A|[.,;:] )\Z")
_SUBJECT_BEGINS = re.compile(r"(?:\A|[.,;:] )(?:[^\W\d_]+ )?\Z")
_SHORTEST_PART = 4
"""Letters of a noun that is looked for at the end of a compound."""


def _in_phrases(corpus: Corpus, statement: Statement, language: str) -> Iterator[Diagnostic]:
    """An adjective whose ending goes with no noun after this article, or an article and its adjective that do not go
    with the noun, by what the lexicon knows of nouns and the text shows."""
    known = lexicon(language)
    words = list(_TOKEN.finditer(statement.spoken))
    for place, word in enumerate(words[:-1]):
        article = word[0].lower()
        if article not in known.agreement or not known.nouns or statement.spoken[: word.start()].endswith(", "):
            continue
        run = [word]
        for after in words[place + 1 : place + 5]:
            if statement.spoken[run[-1].end() : after.start()].strip(_BLANK[1:-2]):
                break
            run.append(after)
        if known.modifiers:
            run = [w for i, w in enumerate(run) if i in (0, len(run) - 1) or not _is_between(w[0], i, known)]
        if len(run) > 1 and (found := _phrase_slip(corpus, run, language)):
            yield _slip_told(statement, language, *found)


_PhraseSlip: TypeAlias = tuple[int, int, str | Help]
_CORRECT = "Correct the article, the adjective or the noun. If they are right, give the reason with `ignore`."


def _phrase_slip(corpus: Corpus, run: Sequence[_Word], language: str) -> _PhraseSlip | None:
    known = lexicon(language)
    article, first = run[0][0].lower(), run[1][0]
    ours = known.agreement[article]
    if known.modifiers:
        return _before_modifier(corpus, run, language)
    if not known.phrases:
        return _several_for_one(run, _nouns(corpus, language)) if len(ours) == 1 else None
    endings = known.phrases.get(article, {})
    noun, adjective = first, ""
    if len(run) > 2 and _is_adjective(first, run[2][0], endings, known):
        adjective, noun = first, run[2][0]
        fitting = max((e for e in endings if adjective.endswith(e[1:]) or adjective == e), key=len, default=None)
        if fitting is None:
            return None
        ours = endings[fitting]
        if ours == {_NEVER}:
            return run[0].start(), run[1].end(), _CORRECT
    if known.capitals and noun == noun.lower():
        return None
    genders = _genders_of(corpus, noun.lower(), language)
    if genders and genders.isdisjoint(ours):
        return run[0].start(), run[2 if adjective else 1].end(), _CORRECT
    return None


def _several_for_one(run: Sequence[_Word], nouns: _Nouns) -> _PhraseSlip | None:
    """A noun for several after an article for one: a warehouses, a full warehouses; or one for one after an article for
    several: both player receive."""
    known = lexicon(nouns.language)
    article, first = run[0][0].lower(), run[1][0]
    if known.agreement[article] == {_PLURAL}:
        alone = len(run) < 3 or run[2][0] not in nouns.one | nouns.several
        return (run[0].start(), run[1].end(), _CORRECT) if first in nouns.one and alone else None
    counts = any(not number.weak for number in numbers(article, nouns.language))
    if _ends_at(run, 1, known) and article in known.one and _is_several(first, nouns, listed=counts):
        return run[0].start(), run[1].end(), _CORRECT
    if len(run) < 3 or first in nouns.one | known.function or not _ends_at(run, 2, known):
        return None
    return (run[0].start(), run[2].end(), _CORRECT) if _is_several(run[2][0], nouns, listed=True) else None


def _ends_at(run: Sequence[_Word], at: int, known: Lexicon) -> bool:
    return len(run) <= at + 1 or run[at + 1][0].lower() in known.function


def _is_several(word: str, nouns: _Nouns, *, listed: bool = False) -> bool:
    """Whether a word is a plural: of the text or the lexicon, and, unless only what is ``listed`` counts, by a
    dictionary."""
    base = base_form(word, nouns.language)
    if word in nouns.several:
        return True
    return not listed and word == word.lower() and base != word and is_plural_of(word, base, nouns.language)


def _is_adjective(word: str, noun: str, endings: Collection[str], known: Lexicon) -> bool:
    """Whether a word between an article and another word belongs to that one."""
    if word != word.lower() or word in known.function or word in known.agreement or noun.lower() in known.function:
        return False
    if known.capitals:
        return noun != noun.lower() and word[-1] in "enrsm" and len(word) > 3
    return word not in known.nouns and not word.endswith("je") and any(word.endswith(e[1:]) for e in endings)


_Genders: TypeAlias = set[tuple[str, bool]]
"""Genders without their number, ``""`` for any, and whether each is the plural."""


def _after_copulas(statement: Statement, language: str) -> Iterator[Diagnostic]:
    """A verb for several with an adjective of one, or the other way round: sont vide."""
    known = lexicon(language)
    words = list(_TOKEN.finditer(statement.spoken))
    for place, word in enumerate(words):
        verb = re.split("['’]", word[0])[-1]
        if verb not in known.copulas or word.string[word.end() :].startswith(("'", "’")):
            continue
        after = _past_adverbs(words, place + 1, known)
        heads = _heads(words[after][0], known, adjective=True) if after else set()
        plural = {several for _, several in heads}
        if (
            heads
            and words[after][0] not in {*known.function, *known.nouns}
            and _number_of_whole_verb(verb, known) not in plural
        ):
            yield _slip_told(statement, language, word.start(), words[after].end(), _CORRECT)


def _slip_told(statement: Statement, language: str, start: int, end: int, help: str | Help) -> Diagnostic:
    message = f'`{statement.id}` says "{statement.spoken[start:end]}" in {language}; these words do not go together.'
    return attrs.evolve(finding(AGREEMENT.code, message, statement.place(start, end), help), rule=statement.section)


def _is_between(word: str, place: int, known: Lexicon) -> bool:
    """Whether a word may be passed over: a number after the article, an adverb, an adjective without forms."""
    if _form_of(word, known)[1]:
        return False
    return word in known.between or (place == 1 and any(numbers(word, known.language)))


def _before_modifier(corpus: Corpus, run: Sequence[_Word], language: str) -> _PhraseSlip | None:
    """A noun, a second article or an adjective before it, and an adjective after it or after a verb between them."""
    known = lexicon(language)
    agreed, at = _with_number(known.agreement[run[0][0].lower()]), 1
    second = run[1][0].lower()
    if len(run) > 2 and second in known.agreement:
        genders = _genders_of(corpus, run[2][0].lower(), language)
        if second in known.attributes or not genders:
            return None
        at, both = 2, _common(known.agreement[second], agreed)
        if not both and _common(known.agreement[second], genders):
            return run[0].start(), run[2].end(), _CORRECT
        agreed = both
    noun = run[at][0].lower()
    if not agreed or noun in {*known.function, *known.agreement} or any(numbers(noun, language)):
        return None
    genders = _genders_of(corpus, noun, language)
    if not genders and len(run) > at + 1 and (adjective := _heads(run[at][0], known, adjective=True)):
        at, genders = at + 1, _genders_of(corpus, run[at + 1][0].lower(), language)
        agreed = _common(adjective, agreed)
    if not agreed or not _common(agreed, genders):
        return run[0].start(), run[at].end(), _CORRECT
    return _modified(run, at, _common(agreed, genders), language)


def _modified(run: Sequence[_Word], at: int, agreed: _Genders, language: str) -> _PhraseSlip | None:
    """An adjective after the noun, or after the verb of which the phrase is the subject."""
    known = lexicon(language)
    through = len(run) > at + 2 and run[at + 1][0] in known.copulas and _begins_clause(run[0], language)
    place = at + 2 if through else at + 1
    if len(run) <= place or run[place][0].lower() in {*known.function, *known.nouns}:
        return None
    word = run[place]
    heads = _heads(word[0], known, adjective=through)
    if not heads or _common(heads, agreed):
        return None
    forms, form = _form_of(word[0], known)
    wanted = {r for r, head in zip(forms, FOUR_FORMS, strict=True) if r != "." and _with_number({head}) <= agreed}
    stem_ = word[0].removesuffix(form.lstrip("-"))
    help = write(stem_ + wanted.pop().lstrip("-"), _CORRECT) if len(wanted) == 1 else _CORRECT
    return word.start(), word.end(), help


def _heads(word: str, known: Lexicon, *, adjective: bool = False) -> _Genders:
    """What a form of an adjective goes with; nothing if it is none, or may be a verb and is not surely an
    ``adjective``."""
    forms, form = _form_of(word, known)
    if not form or (not adjective and forms in known.regular and _may_be_verb(word, form, known)):
        return set()
    return _with_number([head for said, head in zip(forms, FOUR_FORMS, strict=True) if said == form])


def _may_be_verb(word: str, form: str, known: Lexicon) -> bool:
    """Whether a dictionary has the word as a verb: with the ending of the other number, or by its infinitive."""
    endings = [(one[1:], several[1:]) for one, several in known.verbs if several[0] == "-"]
    if any(word.endswith(a) and in_dictionary(word.removesuffix(a) + b, known.language) for a, b in endings):
        return True
    stem_ = word.removesuffix(form[1:])
    if form == "-" and not word.endswith("é") and base_form(word, known.language).endswith(known.infinitives):
        return base_form(word, known.language) != word
    return form == "-as" and bool(in_dictionary(stem_ + "ar", known.language))


def _begins_clause(word: _Word, language: str) -> bool:
    """Whether a word is the first or second of a clause, or the first after "if" and the like."""
    return bool(_SUBJECT_BEGINS.search(word.string, 0, word.start())) or _follows_condition(word, language)


def _follows_condition(word: _Word, language: str) -> bool:
    return any(w.end == word.start() - 1 and w.axis == "condition" for w in pole_words(word.string, language))


def _common(one: Collection[str] | _Genders, other: Collection[str] | _Genders) -> _Genders:
    """The genders that both go with; those of the first where nothing is known of the second."""
    ours, theirs = _with_number(one), _with_number(other)
    both = {(g or h, n) for g, n in ours for h, m in theirs if n == m and (g == h or not g or not h)}
    return both if theirs else ours


def _form_of(word: str, known: Lexicon) -> tuple[tuple[str, ...], str]:
    """The four forms of an adjective in the lexicon, and which of them a word is; nothing if it is none."""
    for forms in known.modifiers:
        for form in forms:
            if word == form or (form[0] == "-" and word.endswith(form[1:]) and len(word) > len(form)):
                return forms, form
    return _regular_form(word, known.language)


@functools.lru_cache(maxsize=20_000)
def _regular_form(word: str, language: str) -> tuple[tuple[str, ...], str]:
    """The regular endings of which a dictionary has all four forms, and the one that a word has."""
    for forms in lexicon(language).regular:
        for ending in sorted(forms, key=len, reverse=True):
            stem_ = word.removesuffix(ending[1:])
            if word.endswith(ending[1:]) and len(stem_) > 2 and word == word.lower():
                if all(in_dictionary(stem_ + form[1:], language) for form in forms):
                    return forms, ending
    return (), ""


def _with_number(genders: Collection[str] | _Genders) -> _Genders:
    split = ((g.replace(_PLURAL, "").strip(), _PLURAL in g) if isinstance(g, str) else g for g in genders)
    return set(split)


def _genders_of(corpus: Corpus, noun: str, language: str) -> frozenset[str]:
    """The genders of a noun, with ``plural``: by its articles elsewhere in the text, else by the lexicon; none where
    nobody knows."""
    known = lexicon(language)
    seen = _evidence(corpus, language).get(noun, Counter())
    if sum(seen.values()) > 1 and (genders := _genders(noun, seen, known)):
        return genders
    found = _listed_genders(noun, language)
    if not found and known.joints and _is_plural(noun, language):
        return frozenset({_PLURAL})
    if found or not known.modifiers:
        return found
    for ending in ("es", "s", "x"):
        one = noun.removesuffix(ending)
        if one != noun and (genders := _listed_genders(one, language)):
            exact = one in known.nouns or in_dictionary(one, language)
            return frozenset(f"{gender} {_PLURAL}" for gender in genders) if exact else frozenset()
    return frozenset()


@functools.lru_cache(maxsize=20_000)
def _is_plural(noun: str, language: str) -> bool:
    """Whether a noun is the plural of one that the lexicon has, alone or at the end of a compound."""
    base = base_form(noun.capitalize() if lexicon(language).capitals else noun, language).lower()
    return base != noun and is_plural_of(noun, base, language) and bool(_listed_genders(base, language))


@functools.lru_cache(maxsize=20_000)
def _listed_genders(noun: str, language: str) -> frozenset[str]:
    """What the lexicon says of a noun in the singular: of the word, the last part of a compound, or its ending."""
    known = lexicon(language)
    if noun in known.nouns:
        found = known.nouns[noun]
    else:
        parts = [word for word in known.nouns if known.joints and len(word) >= _SHORTEST_PART and noun.endswith(word)]
        ends = [word for word in known.nouns if word[0] == "-" and noun.endswith(word[1:]) and len(noun) > len(word)]
        longest = max(ends, key=len, default="")
        if noun[-1] in "sx" and not parts and known.modifiers:
            return frozenset()
        found = known.nouns.get(max(parts, key=len, default=longest), frozenset())
    return found | {_PLURAL} if found and _is_unchanged(noun, language) else found


def _is_unchanged(noun: str, language: str) -> bool:
    known = lexicon(language)
    return noun[0] == "-" or (bool(known.unchanged) and noun.endswith(known.unchanged))


# ---------------------------------------------------------------- what is never right


def _never_said(statement: Statement, language: str) -> Iterator[Diagnostic]:
    """What the lexicon says is never right."""
    pattern = lexicon(language).never
    for match in re.finditer(pattern, statement.spoken) if pattern else ():
        message = f'`{statement.id}` says "{match[0]}" in {language}; a word has the wrong form or the wrong place.'
        help = "Correct its form, or put it where it belongs. If it is right, give the reason with `ignore`."
        yield Diagnostic(AGREEMENT.code, message, statement.place(*match.span()), help=help, rule=statement.section)


def _with_another_verb(corpus: Corpus, statement: Statement, nouns: _Nouns) -> Iterator[Diagnostic]:
    """A subject of several and a verb of one, or the other way round."""
    language = nouns.language
    words = list(_TOKEN.finditer(statement.spoken))
    for first, last, subject, verb in (*_subjects_first(corpus, words, nouns), *_verbs_first(corpus, words, nouns)):
        if subject != verb:
            start, end = words[first].start(), words[last].end()
            message = f'`{statement.id}` says "{statement.spoken[start:end]}" in {language}: the subject is '
            message += f"{_IN_WORDS[subject]}, the verb for {_IN_WORDS[verb]}."
            help = "Correct the verb or its subject. If they are right, give the reason with `ignore`."
            yield Diagnostic(AGREEMENT.code, message, statement.place(start, end), help=help, rule=statement.section)


_Clause: TypeAlias = tuple[int, int, bool, bool]
"""The first and the last word of a subject and its verb, and whether the subject, and the verb, is several."""


def _subjects_first(corpus: Corpus, words: Sequence[_Word], nouns: _Nouns) -> Iterator[_Clause]:
    """Subjects at the beginning of a clause, and what follows them."""
    known = lexicon(nouns.language)
    for place, word in enumerate(words):
        strictly = bool(_CLAUSE_BEGINS.search(word.string, 0, word.start()))
        if known.openers and (not strictly or word.string[: word.start()].endswith(", ")):
            continue  # the verb comes last, or first
        bare = strictly and _is_bare(words, place, nouns)
        if bare or strictly or _follows_condition(word, nouns.language):
            found = (place, True) if bare else _subject(corpus, words, place, nouns)
            verb = found and _verb_after(corpus, words, (place, *found), nouns)
            if found and verb and not (bare and verb[1]):
                yield place, verb[0], found[1], verb[1]


def _verb_after(
    corpus: Corpus, words: Sequence[_Word], subject: tuple[int, int, bool], nouns: _Nouns
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
    everyone = any(w.name == "everyone" for w in pole_words(_text(words, place, noun), nouns.language))
    surely = place == noun or (everyone and after == noun + 1) or (verb > after and not known.joints)
    told = _number_of_verb(corpus, said, nouns.language, surely)
    if told and not several and said in known.copulas and not known.openers:
        return None  # the goal are ten points
    return None if told is None else (verb, told)


def _past_adverbs(words: Sequence[_Word], at: int, known: Lexicon) -> int:
    """The place of the next word that is no adverb; 0 if a mark comes first."""
    while _follows(words, at) and words[at][0] in known.adverbs:
        at += 1
    return at if _follows(words, at) else 0


def _is_bare(words: Sequence[_Word], place: int, nouns: _Nouns) -> bool:
    """Whether a sentence begins with a plural without an article, in a language without inflected adjectives."""
    known, word = lexicon(nouns.language), words[place][0]
    several = known.verbs and not known.phrases and not known.modifiers and word[0].isupper()
    return bool(several) and _is_several(word.lower(), nouns) and word.lower() not in known.agreement


def _subject(corpus: Corpus, words: Sequence[_Word], place: int, nouns: _Nouns) -> tuple[int, bool] | None:
    """The noun of the phrase that begins with an article, and whether it is several."""
    known = lexicon(nouns.language)
    plural = _plural_of_article(words[place][0].lower(), known) if place < len(words) else set()
    at = place + 1
    while plural and _follows(words, at) and at < place + 4:
        word = words[at][0]
        if at == place + 1 and word.lower() in known.agreement:
            plural = plural & {_PLURAL in gender for gender in known.agreement[word.lower()]}
        elif any(number.value > 1 and not number.ordinal for number in numbers(word, nouns.language)):
            plural = {True}
        elif word.lower() in known.function or (word != word.lower() and not known.capitals):
            return None
        elif _ends_subject(corpus, words, at, nouns):
            if len(plural) > 1 and word.lower() in nouns.one | nouns.several:
                plural = {word.lower() in nouns.several}
            linked = _follows(words, at + 1) and words[at + 1][0] in known.links
            return (at, plural.pop()) if len(plural) == 1 and not linked else None
        at += 1
    return None


def _plural_of_article(article: str, known: Lexicon) -> set[bool]:
    """Whether a subject with an article is several, or may be both; nothing for an article that no subject has."""
    if known.oblique and article.endswith(known.oblique):
        return set()
    genders = known.agreement.get(article, frozenset())
    return {_PLURAL in gender and not (known.oblique and article.endswith("er")) for gender in genders}


def _ends_subject(corpus: Corpus, words: Sequence[_Word], at: int, nouns: _Nouns) -> bool:
    """Whether a word is a noun, and not the first of two that make one."""
    known = lexicon(nouns.language)
    after = words[at + 1][0] if _follows(words, at + 1) else ""
    if not _is_known_noun(corpus, words[at][0], nouns):
        return _number_of_whole_verb(after, known) is not None and after not in known.function - known.copulas
    return bool(known.joints or known.modifiers) or not after or not _is_known_noun(corpus, after, nouns)


def _is_known_noun(corpus: Corpus, word: str, nouns: _Nouns) -> bool:
    known = lexicon(nouns.language)
    if known.capitals:
        return word != word.lower()
    low = word.lower()
    if low in nouns.one | nouns.several or low in known.nouns or low in _evidence(corpus, nouns.language):
        return True
    return base_form(low, nouns.language) in known.nouns and low != base_form(low, nouns.language)


def _verbs_first(corpus: Corpus, words: Sequence[_Word], nouns: _Nouns) -> Iterator[_Clause]:
    """Verbs with their subjects after them, where something else opens the clause."""
    known = lexicon(nouns.language)
    for place, word in enumerate(words if known.openers else ()):
        opens = _CLAUSE_BEGINS.search(word.string, 0, word.start())
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


def _is_verb(corpus: Corpus, word: _Word, nouns: _Nouns) -> bool:
    if word[0] != word[0].lower() or _is_known_noun(corpus, word[0], nouns):
        return False
    return _number_of_verb(corpus, word[0], nouns.language, False) is not None


def _follows(words: Sequence[_Word], at: int) -> bool:
    """Whether there is a word at a place, and only a blank before it."""
    return 0 < at < len(words) and not words[at].string[words[at - 1].end() : words[at].start()].strip(_BLANK[1:-2])


def _text(words: Sequence[_Word], first: int, last: int) -> str:
    return words[first].string[words[first].start() : words[last].end()]


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
    noun = verb in _evidence(corpus, language) or (corpus.glossary and corpus.glossary.uses(verb, language))
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


CHECKS = (AGREEMENT,)
