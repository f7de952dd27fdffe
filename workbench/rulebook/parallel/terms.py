"""Terms: words, and pairs of words, that come together again and again in linked passages of two languages."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import attrs

from ..align import Text
from ..align.words import fold
from ..languages.lexicon import lexicon, pole_words
from ..languages.locale import stem
from ..languages.numbers import numbers
from .blocks import Block, said

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_OFTEN = 2
"""Blocks in which both must come together, at least."""
_ALIKE = 0.6
"""Dice's coefficient of the blocks in which the two come."""
_LONGER = 0.001
"""Of two phrases that come in the same blocks the longer one is the term."""

Phrase = tuple[str, ...]


@attrs.frozen
class Term:
    """A proposed pair of terms of the first document and another one (index ``other``), as they are written.

    ``together``: blocks that have both; ``left_in``, ``right_in``: blocks that have either.
    """

    other: int
    left: str
    right: str
    together: int
    left_in: int
    right_in: int


def terms(texts: Sequence[Text], blocks: Iterable[Block]) -> tuple[Term, ...]:
    """The proposed terms, the commonest first: pairs that are each other's best."""
    found: list[Term] = []
    told = [dict(said(block, texts)) for block in blocks]
    for other in range(1, len(texts)):
        both = [(block[0], block[other]) for block in told if 0 in block and other in block]
        found += _pairs(other, both, texts[0].language, texts[other].language)
    return tuple(sorted(found, key=lambda t: (t.other, -t.together, t.left)))


def _pairs(other: int, both: Sequence[tuple[str, str]], language: str, other_language: str) -> list[Term]:
    left_words, right_words = _Index(language), _Index(other_language)
    for number, (one, two) in enumerate(both):
        left_words.add(number, one)
        right_words.add(number, two)
    together: dict[tuple[Phrase, Phrase], int] = Counter(
        (a, b) for number in range(len(both)) for a in left_words.often_in(number) for b in right_words.often_in(number)
    )
    scores: dict[tuple[Phrase, Phrase], float] = {}
    for (a, b), number in together.items():
        score = 2 * number / (len(left_words.where[a]) + len(right_words.where[b]))
        if number >= _OFTEN and score >= _ALIKE:
            scores[a, b] = score + _LONGER * (len(a) + len(b))
    best_left, best_right = _best(scores, 0), _best(scores, 1)
    chosen = [pair for pair in scores if best_left[pair[0]] == pair[1] and best_right[pair[1]] == pair[0]]
    chosen = [pair for pair in chosen if not any(_part(pair, whole, together) for whole in chosen)]
    return [
        Term(other, left_words.written(a), right_words.written(b), together[a, b], len(left_words.where[a]),
             len(right_words.where[b]))
        for a, b in chosen
    ]  # fmt: skip


def _best(scores: Mapping[tuple[Phrase, Phrase], float], side: int) -> dict[Phrase, Phrase]:
    found: dict[Phrase, tuple[float, Phrase]] = {}
    for pair, score in sorted(scores.items()):
        mine, other = pair[side], pair[1 - side]
        if mine not in found or score > found[mine][0]:
            found[mine] = (score, other)
    return {mine: other for mine, (_, other) in found.items()}


def _part(
    pair: tuple[Phrase, Phrase], whole: tuple[Phrase, Phrase], together: Mapping[tuple[Phrase, Phrase], int]
) -> bool:
    """Whether a pair only comes as a part of a longer one."""
    inside = set(pair[0]) <= set(whole[0]) and set(pair[1]) <= set(whole[1])
    return pair != whole and inside and together[pair] <= together[whole]


class _Index:
    """The phrases of one language: in which blocks they come, and how they are written."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.where: dict[Phrase, set[int]] = defaultdict(set)
        self.surface: dict[Phrase, Counter[str]] = defaultdict(Counter)
        self.inside: dict[int, set[Phrase]] = defaultdict(set)

    def add(self, number: int, text: str) -> None:
        function = lexicon(self.language).function
        counted = [(n.start, n.end) for n in numbers(text, self.language)]
        tokens = [m for m in _WORD.finditer(text) if not any(a <= m.start() < b for a, b in counted)]
        turning = pole_words(text, self.language)  # "most" and "left" are no terms of a game
        for position, token in enumerate(tokens):
            if len(token[0]) < 2 or token[0].lower() in function:
                continue
            if not any(word.start <= token.start() < word.end for word in turning):
                self._put(number, (self._stem(token[0]),), token[0])
            following = tokens[position + 1] if position + 1 < len(tokens) else None
            if following is None or following[0].lower() in function or text[token.end() : following.start()] != " ":
                continue
            phrase = (self._stem(token[0]), self._stem(following[0]))
            self._put(number, phrase, f"{token[0]} {following[0]}")

    def _stem(self, word: str) -> str:
        return fold(stem(word, self.language))

    def _put(self, number: int, phrase: Phrase, text: str) -> None:
        self.where[phrase].add(number)
        self.surface[phrase][text] += 1
        self.inside[number].add(phrase)

    def often_in(self, number: int) -> list[Phrase]:
        return [phrase for phrase in self.inside[number] if len(self.where[phrase]) >= _OFTEN]

    def written(self, phrase: Phrase) -> str:
        """As it is written most often, rather without capitals."""
        counts = self.surface[phrase]
        return min(counts, key=lambda text: (-counts[text], not text.islower(), text))
