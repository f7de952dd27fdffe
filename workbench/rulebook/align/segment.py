"""Segmentation: a text cut into sentences and passages, with the words and numbers that are compared.

Lines broken by a printer are joined, headings and bullets kept apart.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

import attrs

from ..languages.lexicon import lexicon
from ..languages.locale import stem
from ..languages.numbers import values

Kind = Literal["heading", "item", "text"]

_MARKER = re.compile(r"<\|[^|]*\|>|</?\w{1,3}>|\*\*|[\u00ad\ufeff\f]")
_BULLET = re.compile(r"\s*(?:[•●▪◦‣·*–—-]|[0-9]{1,2}[.)]|[A-Z][.)])\s+\S")
_END = re.compile(r"[.!?…:;][\"'”’»)\]]*$")
# A sentence ends before a capital, a quotation or a bracket; an abbreviation ("max. 3") goes on in lower case.
_SPLIT = re.compile(r"(?<=[.!?…])[\"'”’»)\]]*\s+(?=[\"'“‘«(\[¿¡–-]*\s*[^\W\d_a-zà-öø-ÿ])")
_SHORT = re.compile(r"(?:^|\W)(?:(?:[^\W\d_]\.)+|(?:bzw|ca|evt|ggf|max|min|no|nr|vgl)\.)$", re.IGNORECASE)

_LOOK_BACK = 30
"""Characters before the end of a sentence that tell whether it is an abbreviation."""


@attrs.frozen
class Sentence:
    """``text`` on one line; ``lines``: how many of its letters are on which line (from 1), in order.

    ``block`` numbers the paragraph, bullet or heading it belongs to.
    """

    text: str
    kind: Kind
    block: int
    lines: tuple[tuple[int, int], ...]

    @property
    def first(self) -> int:
        return self.lines[0][0]

    @property
    def last(self) -> int:
        return self.lines[-1][0]

    @property
    def letters(self) -> int:
        return sum(count for _, count in self.lines)


def sentences(lines: Sequence[str]) -> tuple[Sentence, ...]:
    """Every line with a letter or digit belongs to at least one sentence. Sentences are in reading order."""
    clean = [_MARKER.sub(" ", line).rstrip() for line in lines]
    found: list[Sentence] = []
    for number, (kind, block) in enumerate(_blocks(clean)):
        found += _cut(clean, block, kind, number)
    return tuple(found)


def _blocks(lines: Sequence[str]) -> Iterator[tuple[Kind, list[int]]]:
    """Headings, bullets and paragraphs as lists of line indices."""
    current: list[int] = []
    kind: Kind = "text"
    blank = True
    for index, line in enumerate(lines):
        if not any(c.isalnum() for c in line):
            blank = True
            continue
        if current and not _continues(lines[current[-1]], line, blank, len(current) == 1):
            yield _kind(lines, current, kind), current
            current = []
        if not current:
            kind = "item" if _BULLET.match(line) else "text"
        current.append(index)
        blank = False
    if current:
        yield _kind(lines, current, kind), current


def _continues(before: str, line: str, blank: bool, alone: bool) -> bool:
    """Whether a line goes on with the paragraph of the line before it; ``blank``: an empty line is between them."""
    if _BULLET.match(line) or (_capitals(before) != _capitals(line)):
        return False
    start = line.lstrip().lstrip("\"'“‘«([")[:1]
    if blank:
        # A printer's page often sets each line apart: a sentence that is not over goes on in lower case.
        return start.islower() and not _END.search(before) and len(before) > 25
    # A short line alone above a longer one that begins with a capital is a heading without room above the text.
    headed = alone and len(before) < 40 and len(line) > len(before) * 1.5
    return not (headed and start.isupper() and not _END.search(before))


def _capitals(line: str) -> bool:
    letters = [c for c in line if c.isalpha()]
    return len(letters) > 3 and sum(c.isupper() for c in letters) > 0.8 * len(letters)


def _kind(lines: Sequence[str], block: Sequence[int], kind: Kind) -> Kind:
    text = " ".join(lines[i].strip() for i in block)
    if _capitals(text) or (kind == "text" and len(text) < 60 and (not _END.search(text) or text.endswith(":"))):
        return "heading"
    return kind


def _cut(lines: Sequence[str], block: Sequence[int], kind: Kind, number: int) -> Iterator[Sentence]:
    """The sentences of one block."""
    text = ""
    owner: list[int] = []  # the line of each letter of ``text``
    for index in block:
        part = " ".join(lines[index].split())
        if re.search(r"[^\W\d_]-$", text[-2:]) and part[:1].islower():
            text, owner = text[:-1], owner[:-1]
        elif text:
            text, owner = text + " ", [*owner, owner[-1]]
        text += part
        owner += [index + 1] * len(part)
    start = 0
    for end in [*_ends(text), len(text)]:
        if any(c.isalnum() for c in text[start:end]):
            counts: dict[int, int] = {}
            for position in range(start, end):
                if not text[position].isspace():
                    counts[owner[position]] = counts.get(owner[position], 0) + 1
            yield Sentence(text[start:end].strip(), kind, number, tuple(sorted(counts.items())))
            start = end


def _ends(text: str) -> Iterator[int]:
    for found in _SPLIT.finditer(text):
        if not _SHORT.search(text[max(0, found.start() - _LOOK_BACK) : found.start()]):
            yield found.end()


# ---------------------------------------------------------------- passages and their words


@attrs.frozen
class AlignedPiece:
    """A passage to align: lines ``first`` to ``last`` (from 1, both included).

    ``states``: the statements that its map gives it.
    """

    first: int
    last: int
    kind: str | None = None
    states: tuple[str, ...] = ()

    @property
    def lines(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


@attrs.frozen
class Text:
    """One document in one language.

    ``words[i]`` and ``numbers[i]`` are the stems and values of sentence i, ``surface`` shows a stem as it is written.
    ``weight`` is the information of a stem or value: log(1 + sentences / sentences that have it).
    """

    name: str
    language: str
    lines: tuple[str, ...] = attrs.field(repr=False)
    pieces: tuple[AlignedPiece, ...] = attrs.field(repr=False)
    mapped: bool
    sentences: tuple[Sentence, ...] = attrs.field(repr=False)
    words: tuple[tuple[str, ...], ...] = attrs.field(repr=False)
    numbers: tuple[tuple[int, ...], ...] = attrs.field(repr=False)
    weight: Mapping[str | int, float] = attrs.field(repr=False)
    surface: Mapping[str, str] = attrs.field(repr=False)

    def inside(self, piece: AlignedPiece) -> tuple[int, ...]:
        """The sentences that a passage holds a good part of, or that hold a good part of it."""
        shares = {
            i: sum(letters for line, letters in s.lines if piece.first <= line <= piece.last)
            for i, s in enumerate(self.sentences)
            if s.first <= piece.last and piece.first <= s.last
        }
        total = sum(shares.values())
        return tuple(
            i
            for i, share in shares.items()
            if share and (share >= 0.3 * total or share >= 0.5 * self.sentences[i].letters)
        )

    def said(self, piece: AlignedPiece) -> str:
        """The passage on one line."""
        return " ".join(" ".join(self.lines[piece.first - 1 : piece.last]).split())


def prepare(name: str, language: str, lines: Sequence[str], pieces: Iterable[AlignedPiece] | None = None) -> Text:
    """A text ready for alignment; without ``pieces`` it is cut into passages here."""
    found = sentences(lines)
    given = None if pieces is None else tuple(pieces)
    surface: dict[str, str] = {}
    words = []
    for sentence in found:
        pairs = content_words(sentence.text, language)
        for folded, word in pairs:
            if not surface.get(folded, "").islower():  # rather as it is written within a sentence than in a heading
                surface[folded] = word
        words.append(tuple(folded for folded, _ in pairs))
    numbers = tuple(values(sentence.text, language) for sentence in found)
    return Text(
        name,
        language,
        tuple(lines),
        given if given is not None else cut(found, len(lines)),
        given is not None,
        found,
        tuple(words),
        numbers,
        _weights(words) | _weights(numbers),
        surface,
    )


def cut(found: Sequence[Sentence], lines: int) -> tuple[AlignedPiece, ...]:
    """Passages that cover lines 1 to ``lines`` exactly once: a sentence each, or more where they share a line.

    Empty lines belong to the passage before them.
    """
    starts: list[tuple[int, str]] = []
    reached = 0
    for sentence in found:
        if sentence.first > reached:
            starts.append((sentence.first, "heading" if sentence.kind == "heading" else "rule"))
        reached = max(reached, sentence.last)
    if not starts:
        return (AlignedPiece(1, lines, "noise"),) if lines else ()
    starts[0] = (1, starts[0][1])
    ends = [start - 1 for start, _ in starts[1:]] + [lines]
    return tuple(AlignedPiece(start, end, kind) for (start, kind), end in zip(starts, ends, strict=True))


def _weights(items: Sequence[Iterable[str | int]]) -> dict[str | int, float]:
    counts = Counter(x for row in items for x in set(row))
    return {x: math.log(1 + len(items) / count) for x, count in counts.items()}


# ---------------------------------------------------------------- words


_WORD = re.compile(r"[^\W\d_]+")
_LIGATURES = str.maketrans({"œ": "oe", "æ": "ae", "ß": "ss", "ø": "o"})


def fold(word: str) -> str:
    """Lower case without accents, for comparing spellings across languages."""
    plain = unicodedata.normalize("NFD", word.lower().translate(_LIGATURES))
    return "".join(c for c in plain if not unicodedata.combining(c))


def content_words(text: str, language: str) -> tuple[tuple[str, str], ...]:
    """The words that carry meaning, in order: stem (lower case, no accents) and the word as it is written."""
    stop = lexicon(language).function
    return tuple(
        (fold(stem(word, language)), word) for word in _WORD.findall(text) if len(word) > 1 and word.lower() not in stop
    )


# Translation model learnt from the two texts themselves: cognates to begin with, then IBM model 1.
#
# Brown, Della Pietra, Della Pietra and Mercer, "The Mathematics of Statistical Machine Translation" (1993), model 1.


Words = Sequence[str]
Table = Mapping[str, Mapping[str, float]]


@attrs.frozen
class Translations:
    """How well words of two languages translate each other, 0 to 1: ``there[a][b]`` for words a and b."""

    there: Table

    @property
    def back(self) -> Table:
        """The same seen from the second language."""
        out: dict[str, dict[str, float]] = defaultdict(dict)
        for a, row in self.there.items():
            for b, weight in row.items():
                out[b][a] = weight
        return out


def cognates(left: Iterable[str], right: Iterable[str], least: float = 0.72) -> dict[tuple[str, str], float]:
    """Pairs of words (folded stems) spelt nearly alike, with their likeness; words under four letters must be equal."""
    from rapidfuzz.distance import JaroWinkler, Levenshtein

    found: dict[tuple[str, str], float] = {}
    by_letter: dict[str, list[str]] = defaultdict(list)
    for b in sorted(set(right)):
        by_letter[b[:1]].append(b)
    for a in sorted(set(left)):
        for b in by_letter[a[:1]]:
            if a == b:
                found[a, b] = 1.0
            elif min(len(a), len(b)) >= 4:
                likeness = Levenshtein.normalized_similarity(a, b)
                if likeness >= least or (likeness > least - 0.12 and JaroWinkler.similarity(a, b) > 0.87):
                    found[a, b] = likeness
    return found


def learn(
    pairs: Iterable[tuple[Words, Words, float]], prior: Mapping[tuple[str, str], float], rounds: int = 6
) -> Translations:
    """IBM model 1 in both directions over weighted pairs of sentences; ``prior`` counts in favour of some pairs.

    The two directions are multiplied (geometric mean), which leaves only words that translate each other.
    """
    corpus = [(tuple(a), tuple(b), weight) for a, b, weight in pairs if a and b and weight > 0]
    there = _train(corpus, prior, rounds)
    back = _train(
        [(b, a, weight) for a, b, weight in corpus], {(b, a): weight for (a, b), weight in prior.items()}, rounds
    )
    table: dict[str, dict[str, float]] = defaultdict(dict)
    for a, row in there.items():
        for b, forward in row.items():
            weight = (forward * back.get(b, {}).get(a, 0.0)) ** 0.5
            if weight > 0.04:
                table[a][b] = weight
    for (a, b), likeness in prior.items():
        # A word seen in no pair yet is still a cognate, only a less certain one.
        if likeness * 0.5 > table[a].get(b, 0.0):
            table[a][b] = likeness * 0.5
    return Translations({a: dict(row) for a, row in table.items() if row})


def _train(
    corpus: Sequence[tuple[Words, Words, float]], prior: Mapping[tuple[str, str], float], rounds: int
) -> dict[str, dict[str, float]]:
    """p(b | a) for the words a of the first and b of the second language; a null word takes what has no source."""
    null = ""
    table: dict[str, dict[str, float]] = defaultdict(dict)
    for left, right, _ in corpus:
        for a in (null, *left):
            for b in right:
                table[a][b] = 1.0
    for _ in range(rounds):
        counts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for left, right, weight in corpus:
            sources = (null, *left)
            for b in right:
                shares = [table[a].get(b, 0.0) for a in sources]
                total = sum(shares)
                if total > 0:
                    for a, share in zip(sources, shares, strict=True):
                        counts[a][b] += weight * share / total
        for (a, b), likeness in prior.items():
            if a in counts:
                counts[a][b] += likeness
        table = defaultdict(dict)
        for a, row in counts.items():
            total = sum(row.values()) + 0.3  # a word seen once is not yet sure of its translation
            table[a] = {b: count / total for b, count in row.items() if count / total > 0.005}
    return table
