"""Numbers in a text by value: digits, number words, ordinals, multiples.

Number words are read by the library text2num, in the languages that it knows; what it leaves out (multiples such as
"twice", words for "both", forms of ordinals that a scan has damaged) is in the lexicons. ``1`` as a word is mostly an
article, and zero is as well said as nothing: they never count as more than weak evidence. Neither do "first" and words
that name two without counting ("both"). Of other languages only digits are read.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from itertools import pairwise

import attrs

from .lexicon import Lexicon, lexicon
from .locale import SPACELESS

_DIGITS = re.compile(
    rf"(?:(?<![\w.,])|(?<=[{SPACELESS}]))(?:[x×]\s?)?"
    r"(?P<digits>\d{1,3}(?:[.,\u00a0\u202f'٬]\d{3})+|\d{1,9})"
    rf"(?:\^?(?:ème|eme|er|re|ste|de|st|nd|rd|th|e|º|°|[x×]))?(?:(?![\w^]|[.,]\d)|(?=[{SPACELESS}]))"
)
_WORD = re.compile(r"[^\W\d_]+(?:[-‑][^\W\d_]+)*")
_SIGN = re.compile(r"(?P<sign>[+\-−–])(?P<gap>[ \t]*)\Z")


@attrs.frozen
class Number:
    """A number in a text: its place, its value, how sure it is that a number is meant, and its sign.

    ``weak``: perhaps only an article or the like; ``sign``: "+", "-", "" or "?" (a minus that can as well be the bullet
    of a list); ``ordinal``: a number word such as "third".
    """

    value: int
    start: int
    end: int
    weak: bool = False
    sign: str = ""
    ordinal: bool = False


@functools.lru_cache(maxsize=50_000)
def numbers(text: str, language: str) -> tuple[Number, ...]:
    """The numbers of a text in order of appearance."""
    found = {n.start: n for n in (*_words(text, language), *_digits(text))}
    return tuple(found[start] for start in sorted(found))


@functools.cache
def knows_words(language: str) -> bool:
    """Whether number words of a language can be read."""
    from text_to_num import find_numbers  # type: ignore[import-untyped]

    try:
        find_numbers([], language, 0.0)
    except ValueError:
        return False
    return True


def values(text: str, language: str) -> tuple[int, ...]:
    """The values of a text that are surely numbers, in order of appearance: what ``numbers`` of a passage holds."""
    return tuple(n.value for n in numbers(text, language) if not n.weak)


def lacking(text: str, other: str, language: str, other_language: str) -> list[Number]:
    """The numbers of ``text`` whose value is not in ``other`` in any form; none where its words cannot be read."""
    if not knows_words(other_language):
        return []
    there = {n.value for n in numbers(other, other_language)}
    return [n for n in numbers(text, language) if not n.weak and n.value not in there]


def _digits(text: str) -> Iterator[Number]:
    for match in _DIGITS.finditer(text):
        start = match.start("digits")
        yield Number(int(re.sub(r"\D", "", match["digits"])), start, match.end(), sign=_sign(text, match.start()))


def _sign(text: str, start: int) -> str:
    found = _SIGN.search(text, max(0, start - 8), start)
    if found is None:
        return ""
    before = text[: found.start("sign")].rstrip()
    if found["sign"] == "+":
        return "+" if not before[-1:].isdigit() else ""
    if found["gap"]:
        line = text[text.rfind("\n", 0, start) + 1 : found.start("sign")]
        return "?" if not line.strip() else ""
    return "-" if not before[-1:].isalnum() else ""


@attrs.frozen
class _Token:
    """A word, or the gap between two that no number reaches across, as text2num wants it."""

    word: str
    start: int
    end: int

    def text(self) -> str:
        return self.word

    def nt_separated(self, previous: _Token) -> bool:
        return False

    def not_a_number_part(self) -> bool:
        return False


def _words(text: str, language: str) -> Iterator[Number]:
    if not knows_words(language):
        return
    lower = text.lower()
    taken: set[int] = set()
    for match in _two(lexicon(language).two).finditer(lower):
        taken.update(range(match.start(), match.end()))
        yield Number(2, match.start(), match.end(), weak=True)
    tokens = [t for t in _tokens(lower, language) if t.start not in taken]
    for first, last, value, ordinal in _read(tokens, language):
        weak = value <= 1 and first == last
        yield Number(value, tokens[first].start, tokens[last].end, weak=weak, ordinal=ordinal)


@functools.cache
def _two(words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{words})\b" if words else "(?!)")


def _tokens(text: str, language: str) -> list[_Token]:
    """The words and what divides them; a word with hyphens stays whole only where it is one number."""
    found: list[_Token] = []
    end = 0
    for match in _WORD.finditer(text):
        if text[end : match.start()].strip():
            found.append(_Token(",", end, match.start()))
        word = match[0].replace("‑", "-")
        if "-" not in word or _single(word, language) is not None:
            found.append(_Token(word, match.start(), match.end()))
        else:
            place = match.start()
            for part in word.split("-"):
                found += [_Token(part, place, place + len(part)), _Token(",", place, place)]
                place += len(part) + 1
        end = match.end()
    return found


def _read(tokens: list[_Token], language: str) -> Iterator[tuple[int, int, int, bool]]:
    """(first token, last token, value, whether it is an ordinal) of each number, in order."""
    words = [t.word for t in tokens]
    known = lexicon(language)
    joined = known.joined  # "vingt et une" is one number
    words = [joined.get(pair, pair[1]) for pair in pairwise(["", *words])] if joined else words
    for position, word in enumerate(words):
        own = _own(word, language, known)
        if own:
            words[position] = ","
            yield position, position, own, False
    yield from _find(tuple(words), language)


@functools.lru_cache(maxsize=20_000)
def _find(words: tuple[str, ...], language: str) -> tuple[tuple[int, int, int, bool], ...]:
    from text_to_num import find_numbers

    tokens = [_Token(word, 0, 0) for word in words]
    found = find_numbers(tokens, language, 0.0)
    return tuple((o.start, o.end - 1, int(o.value), o.is_ordinal) for o in found if o.value == int(o.value))


def _own(word: str, language: str, known: Lexicon) -> int | None:
    """The value of a word that text2num does not read, or reads as part of what is no number."""
    if word in known.one:
        return 1
    if word in known.values:
        return known.values[word]
    stem = re.fullmatch(rf"(.+?)-?(?:{known.times})", word) if known.times else None
    return _single(stem[1], language) if stem else None


@functools.lru_cache(maxsize=20_000)
def _single(word: str, language: str) -> int | None:
    """The value of one word, or None when it is no number."""
    from text_to_num import text2num

    try:
        return int(text2num(word, language))
    except ValueError:
        return None
