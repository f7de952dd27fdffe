"""Phrases: an article, the adjectives and the noun that go with one another."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TypeAlias

import attrs

from rulelang.diagnostics import Diagnostic, finding
from rulelang.fixes import Help, write

from ..corpus import Corpus
from ..languages.dictionary import base_form, in_dictionary
from ..languages.lexicon import FOUR_FORMS, Lexicon, is_plural_of, lexicon, pole_words
from ..languages.numbers import numbers
from ..texts import Statement
from .nouns import BLANK, CODE, TOKEN, Nouns, is_unchanged, nouns_of_text

PLURAL = "plural"
_FEWEST = 3
"""Other places at which a noun has articles, two different ones, from which on it is believed to need such ones."""
_ARTICLE = re.compile(rf"(?<![\w'’])(?<!, )(?P<article>[^\W\d_]+){BLANK}(?P<noun>[^\W\d_]{{2,}})(?!['’\w])")
_ENDS_HERE = re.compile(r"\s*(?:[^\w\s{]|\Z)|\s+(?P<word>[^\W\d_]+)")


@functools.lru_cache(maxsize=20_000)
def _articles(text: str, language: str) -> tuple[tuple[str, str, int, int, bool], ...]:
    """Articles of a text with the word after each, in lower case, and their place; whether that word surely is what
    the article belongs to: a little word or a mark follows."""
    known = lexicon(language)
    found = []
    for start in (match.start() for match in TOKEN.finditer(text)):
        match = _ARTICLE.match(text, start)
        if match is None or match["article"].lower() not in known.agreement or match["noun"].lower() in known.function:
            continue
        after = _ENDS_HERE.match(text, match.end())
        sure = after is not None and (after["word"] is None or after["word"].lower() in known.function)
        if not known.capitals or match["noun"] != match["noun"].lower():
            sure = sure or known.capitals
            found.append((match["article"].lower(), match["noun"].lower(), match.start(), match.end(), sure))
    return tuple(found)


def with_another_article(corpus: Corpus, statement: Statement, language: str) -> Iterator[Diagnostic]:
    """An article and a noun that at all other places has articles of another gender or number."""
    known = lexicon(language)
    here = _articles(statement.spoken, language)
    evidence = articles_of(corpus, language) if here else {}
    for article, noun, start, end, sure in here:
        others = evidence.get(noun, Counter()) - Counter(a for a, n, *_, sure_ in here if n == noun and sure_)
        if sum(others.values()) < _FEWEST or len(others) < 2 or article in others:
            continue
        genders = _genders(noun, others, known)
        ours = known.agreement[article]
        if not sure and PLURAL in str(genders | ours):
            continue  # what follows may be the noun, and this a part of it
        if genders and genders.isdisjoint(ours):
            said, usual = statement.spoken[start:end], others.most_common(1)[0][0]
            message = (
                f'`{statement.id}` says "{said}" in {language}; elsewhere the text has "{usual}" beside this word.'
            )
            help = "Correct the article or the word. If they are right, give the reason with `ignore`."
            place = statement.place(start, end)
            yield Diagnostic(CODE, message, place, help=help, rule=statement.section)


def _genders(noun: str, articles: Collection[str], known: Lexicon) -> frozenset[str]:
    """The genders, or the plural, that all articles of a noun go with; none where they do not agree."""
    kinds = [known.agreement[article] for article in articles]
    if not noun.endswith(known.unchanged or ("",)) or not known.unchanged:
        return frozenset.intersection(*kinds)
    single = [kind for kind in kinds if PLURAL not in kind]  # the same word may be the plural
    found = frozenset.intersection(*single) if single else frozenset()
    return found | {PLURAL} if found else found


def articles_of(corpus: Corpus, language: str) -> Mapping[str, Counter[str]]:
    """Noun to the articles that it surely has, in the whole text."""
    texts = corpus.text_in(language).spoken

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


Word: TypeAlias = re.Match[str]
_NEVER = "never"
CLAUSE_BEGINS = re.compile(r"(?:\A|[.,;:] )\Z")
_SUBJECT_BEGINS = re.compile(r"(?:\A|[.,;:] )(?:[^\W\d_]+ )?\Z")
_SHORTEST_PART = 4
"""Letters of a noun that is looked for at the end of a compound."""


def in_phrases(corpus: Corpus, statement: Statement, language: str) -> Iterator[Diagnostic]:
    """An adjective whose ending goes with no noun after this article, or an article and its adjective that do not go
    with the noun, by what the lexicon knows of nouns and the text shows."""
    known = lexicon(language)
    words = list(TOKEN.finditer(statement.spoken))
    for place, word in enumerate(words[:-1]):
        article = word[0].lower()
        if article not in known.agreement or not known.nouns or statement.spoken[: word.start()].endswith(", "):
            continue
        run = [word]
        for after in words[place + 1 : place + 5]:
            if statement.spoken[run[-1].end() : after.start()].strip(BLANK[1:-2]):
                break
            run.append(after)
        if known.modifiers:
            run = [w for i, w in enumerate(run) if i in (0, len(run) - 1) or not _is_between(w[0], i, known)]
        if len(run) > 1 and (found := _phrase_slip(corpus, run, language)):
            yield slip_told(statement, language, *found)


_PhraseSlip: TypeAlias = tuple[int, int, str | Help]
CORRECT = "Correct the article, the adjective or the noun. If they are right, give the reason with `ignore`."


def _phrase_slip(corpus: Corpus, run: Sequence[Word], language: str) -> _PhraseSlip | None:
    known = lexicon(language)
    article, first = run[0][0].lower(), run[1][0]
    ours = known.agreement[article]
    if known.modifiers:
        return _before_modifier(corpus, run, language)
    if not known.phrases:
        return _several_for_one(run, nouns_of_text(corpus, language)) if len(ours) == 1 else None
    endings = known.phrases.get(article, {})
    noun, adjective = first, ""
    if len(run) > 2 and _is_adjective(first, run[2][0], endings, known):
        adjective, noun = first, run[2][0]
        fitting = max((e for e in endings if adjective.endswith(e[1:]) or adjective == e), key=len, default=None)
        if fitting is None:
            return None
        ours = endings[fitting]
        if ours == {_NEVER}:
            return run[0].start(), run[1].end(), CORRECT
    if known.capitals and noun == noun.lower():
        return None
    genders = _genders_of(corpus, noun.lower(), language)
    if genders and genders.isdisjoint(ours):
        return run[0].start(), run[2 if adjective else 1].end(), CORRECT
    return None


def _several_for_one(run: Sequence[Word], nouns: Nouns) -> _PhraseSlip | None:
    """A noun for several after an article for one: a warehouses, a full warehouses; or one for one after an article for
    several: both player receive."""
    known = lexicon(nouns.language)
    article, first = run[0][0].lower(), run[1][0]
    if known.agreement[article] == {PLURAL}:
        alone = len(run) < 3 or run[2][0] not in nouns.one | nouns.several
        return (run[0].start(), run[1].end(), CORRECT) if first in nouns.one and alone else None
    counts = any(not number.weak for number in numbers(article, nouns.language))
    if _ends_at(run, 1, known) and article in known.one and is_several(first, nouns, listed=counts):
        return run[0].start(), run[1].end(), CORRECT
    if len(run) < 3 or first in nouns.one | known.function or not _ends_at(run, 2, known):
        return None
    return (run[0].start(), run[2].end(), CORRECT) if is_several(run[2][0], nouns, listed=True) else None


def _ends_at(run: Sequence[Word], at: int, known: Lexicon) -> bool:
    return len(run) <= at + 1 or run[at + 1][0].lower() in known.function


def is_several(word: str, nouns: Nouns, *, listed: bool = False) -> bool:
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


def slip_told(statement: Statement, language: str, start: int, end: int, help: str | Help) -> Diagnostic:
    message = f'`{statement.id}` says "{statement.spoken[start:end]}" in {language}; these words do not go together.'
    return attrs.evolve(finding(CODE, message, statement.place(start, end), help), rule=statement.section)


def _is_between(word: str, place: int, known: Lexicon) -> bool:
    """Whether a word may be passed over: a number after the article, an adverb, an adjective without forms."""
    if _form_of(word, known)[1]:
        return False
    return word in known.between or (place == 1 and any(numbers(word, known.language)))


def _before_modifier(corpus: Corpus, run: Sequence[Word], language: str) -> _PhraseSlip | None:
    """A noun, a second article or an adjective before it, and an adjective after it or after a verb between them."""
    known = lexicon(language)
    agreed, at = _with_number(known.agreement[run[0][0].lower()]), 1
    genders = [_genders_of(corpus, word[0].lower(), language) for word in run]
    if len(run) > 2 and (second := known.agreement.get(run[1][0].lower())):
        if run[1][0].lower() in known.attributes or not genders[2]:
            return None
        at, agreed = 2, _common(second, agreed)
        if not agreed:
            return (run[0].start(), run[2].end(), CORRECT) if _common(second, genders[2]) else None
    if not _may_be_noun(run[at][0].lower(), known):
        return None
    following = len(run) > at + 1 and genders[at + 1]
    if not genders[at] and following and (adjective := heads_of(run[at][0], known, adjective=True)):
        at, agreed = at + 1, _common(adjective, agreed)
    if not agreed or not _common(agreed, genders[at]):
        return run[0].start(), run[at].end(), CORRECT
    return _modified(run, at, _common(agreed, genders[at]), language)


def _may_be_noun(word: str, known: Lexicon) -> bool:
    return word not in {*known.function, *known.agreement} and not any(numbers(word, known.language))


def _modified(run: Sequence[Word], at: int, agreed: _Genders, language: str) -> _PhraseSlip | None:
    """An adjective after the noun, or after the verb of which the phrase is the subject."""
    known = lexicon(language)
    through = len(run) > at + 2 and run[at + 1][0] in known.copulas and _begins_clause(run[0], language)
    place = at + 2 if through else at + 1
    if len(run) <= place or run[place][0].lower() in {*known.function, *known.nouns}:
        return None
    word = run[place]
    heads = heads_of(word[0], known, adjective=through)
    if not heads or _common(heads, agreed):
        return None
    forms, form = _form_of(word[0], known)
    wanted = {r for r, head in zip(forms, FOUR_FORMS, strict=True) if r != "." and _with_number({head}) <= agreed}
    stem_ = word[0].removesuffix(form.lstrip("-"))
    help = write(stem_ + wanted.pop().lstrip("-"), CORRECT) if len(wanted) == 1 else CORRECT
    return word.start(), word.end(), help


def heads_of(word: str, known: Lexicon, *, adjective: bool = False) -> _Genders:
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


def _begins_clause(word: Word, language: str) -> bool:
    """Whether a word is the first or second of a clause, or the first after "if" and the like."""
    return bool(_SUBJECT_BEGINS.search(word.string, 0, word.start())) or follows_condition(word, language)


def follows_condition(word: Word, language: str) -> bool:
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
    split = ((g.replace(PLURAL, "").strip(), PLURAL in g) if isinstance(g, str) else g for g in genders)
    return set(split)


def _genders_of(corpus: Corpus, noun: str, language: str) -> frozenset[str]:
    """The genders of a noun, with ``plural``: by its articles elsewhere in the text, else by the lexicon; none where
    nobody knows."""
    known = lexicon(language)
    seen = articles_of(corpus, language).get(noun, Counter())
    if sum(seen.values()) > 1 and (genders := _genders(noun, seen, known)):
        return genders
    found = _listed_genders(noun, language)
    if not found and known.joints and _is_plural(noun, language):
        return frozenset({PLURAL})
    if found or not known.modifiers:
        return found
    for ending in ("es", "s", "x"):
        one = noun.removesuffix(ending)
        if one not in ("", noun) and (genders := _listed_genders(one, language)):
            exact = one in known.nouns or in_dictionary(one, language)
            return frozenset(f"{gender} {PLURAL}" for gender in genders) if exact else frozenset()
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
    return found | {PLURAL} if found and is_unchanged(noun, language) else found
