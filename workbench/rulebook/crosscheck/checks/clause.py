"""``clause``: a statement that is much shorter or longer than in the other languages."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from statistics import median

import attrs

from rulelang.diagnostics import Diagnostic

from ...corpus import Corpus
from ...languages.lexicon import compared_classes, covered_classes, pole_words
from ...texts import Statement
from .finding import about, in_words

CODE = "R0926"
_ALONE = 0.45
"""Natural logarithm of the ratio of lengths from which on length alone tells: a third shorter, half as long again."""
_WITH_A_WORD = 0.22
"""The same where besides a word or a term is missing, or is there in no other language."""
_SHORTEST = 18
"""Characters that a clause has at least."""
_ALIKE = 0.8
"""From which share on, the shortest of the others by the longest, they agree on how long the statement is."""
_WITH_A_PART = 0.1
"""The same where the others have a part of a sentence, set off by a semicolon, more or less."""
_SENTENCE_ENDS = re.compile(r"[.!?](?=\s|\Z)")
_PART_ENDS = re.compile(r"[;.!?](?=\s|\Z)")
_COMMAS = re.compile(r"[,;.!?](?=\s|\Z)")
_FEWEST = 20
"""Statements from which how long-winded a language is can be told."""


def find(corpus: Corpus) -> Iterator[Diagnostic]:
    """A statement is much shorter in one language than in all the others, or much longer, or has a sentence more or
    less: a clause may have been left out or added."""
    usual = _usual(corpus)
    for _, group in corpus.groups():
        if len(group) < 3:
            continue
        lengths = {language: _length(corpus, s, language) / usual.get(language, 1.0) for language, s in group.items()}
        for language, length in lengths.items():
            others = [other for name, other in lengths.items() if name != language]
            expected = _expected(length, others)
            ratio, more = math.log(length / expected), length - expected
            if _tells(corpus, group, language, ratio, more):
                yield _told(group, language, length / expected)
            elif _may_tell(group, language, ratio, more):
                yield attrs.evolve(_told(group, language, length / expected), severity="note")


def _expected(length: float, others: Sequence[float]) -> float:
    """How long a statement should be; where the others do not agree on it, the nearest of them."""
    if min(others) >= _ALIKE * max(others):
        return median(others)
    return min(max(length, min(others)), max(others))


def _tells(corpus: Corpus, group: Mapping[str, Statement], language: str, ratio: float, more: float) -> bool:
    """Whether something seems to be left out or added. ``ratio``: of the length to what one would expect, as a natural
    logarithm; ``more``: the difference in characters."""
    if abs(more) < _SHORTEST or abs(ratio) < _WITH_A_PART:
        return False
    if _parts(group, language, _SENTENCE_ENDS, more) or _parts(group, language, _PART_ENDS, more):
        return True
    return abs(ratio) >= _ALONE or (abs(ratio) >= _WITH_A_WORD and _differs(corpus, group, language, ratio < 0))


def _may_tell(group: Mapping[str, Statement], language: str, ratio: float, more: float) -> bool:
    """Whether something may be left out: it is shorter, and a word of the lexicon is missing that all the others have,
    or a part between commas."""
    if more > -_SHORTEST or ratio > -_WITH_A_PART:
        return False
    said = {name: {word.name for word in pole_words(statement.spoken, name)} for name, statement in group.items()}
    comparable = frozenset.intersection(*(covered_classes(name) for name in group))
    ours = said.pop(language)
    return _parts(group, language, _COMMAS, more) or bool(set.intersection(*said.values()) & comparable - ours)


def _parts(group: Mapping[str, Statement], language: str, ends: re.Pattern[str], more: float) -> bool:
    """Whether a language has more parts than each of the others, which agree, and is longer; or fewer, and shorter."""
    counts = {name: len(ends.findall(statement.spoken)) for name, statement in group.items()}
    ours = counts.pop(language)
    return len(set(counts.values())) == 1 and (ours - min(counts.values())) * more > 0


def _length(corpus: Corpus, statement: Statement, language: str) -> int:
    def counted() -> int:
        return max(1, len(" ".join(corpus.filled(statement.text, language).split())))

    return corpus.memo.once(("length", statement.text, language), counted)


def _usual(corpus: Corpus) -> Mapping[str, float]:
    """How long a language's statements are beside the mean of all languages, by the median over the whole text."""
    complete = [group for group in corpus.statements.values() if len(group) == len(corpus.languages)]
    if len(complete) < _FEWEST:
        return {}
    shares: dict[str, list[float]] = {language: [] for language in corpus.languages}
    for group in complete:
        lengths = {language: _length(corpus, statement, language) for language, statement in group.items()}
        mean = sum(lengths.values()) / len(lengths)
        for language, length in lengths.items():
            shares[language].append(length / mean)
    return {language: median(list_) for language, list_ in shares.items()}


def _differs(corpus: Corpus, group: Mapping[str, Statement], language: str, shorter: bool) -> bool:
    """Whether a word of the lexicon or a term of the glossary is missing (``shorter``), or is there in no other
    language."""
    said = {name: _things(corpus, statement, name) for name, statement in group.items()}
    comparable = set.intersection(*(_known(corpus, name) for name in group))
    said = {name: things & comparable for name, things in said.items()}
    ours = said.pop(language)
    if shorter:
        return bool(set.intersection(*said.values()) - ours)
    return any(all(name not in theirs for theirs in said.values()) for name in ours)


def _things(corpus: Corpus, statement: Statement, language: str) -> set[str]:
    terms: set[str] = set() if corpus.glossary is None else set(corpus.glossary.count(statement.spoken, language)[1])
    return terms | {
        word.name for word in pole_words(statement.spoken, language) if word.name in compared_classes().counted
    }


def _known(corpus: Corpus, language: str) -> set[str]:
    """What a language has words or terms for."""
    concepts = {} if corpus.glossary is None else corpus.glossary.concepts
    return set(covered_classes(language)) | {id_ for id_, concept in concepts.items() if language in concept.terms}


def _told(group: Mapping[str, Statement], language: str, share: float) -> Diagnostic:
    here = group[language]
    rest = {name: statement for name, statement in group.items() if name != language}
    per_cent = round(100 * abs(share - 1))
    word, question = ("shorter", "left out") if share < 1 else ("longer", "added")
    message = f"`{here.id}` is {per_cent} % {word} in {language} than one would expect from {in_words(list(rest))}."
    help = f"Has something been {question}? If nothing has, give the reason with `ignore`."
    return about(CODE, here, message, help, rest.values())
