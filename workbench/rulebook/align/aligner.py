"""Aligner: which passages of two documents in two languages say the same.

Two sentences are alike by translated words, numbers by value, length, headings. Order is evidence: two rulebooks say
the same things in runs that keep their order, but the runs themselves may be anywhere. So no single path through the
two texts is looked for, as Gale and Church do; instead each pair receives the strength of the best chain that leads to
it and of the best one that goes on from it. A chain steps ahead by one to three sentences in each text and fades as it
goes, which leaves whole blocks free to move.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import attrs

from .segment import Table, Text, Translations, Words, cognates, learn


@attrs.frozen
class AlignSettings:
    """What counts how much, each from 0 to 1 unless said otherwise.

    ``cognates``, ``learn``: whether words spelt alike and the learnt lexicon are used at all.
    ``numbers``: share of the numbers in the likeness of two sentences that have any.
    ``either``: share of the better covered sentence; the rest asks that both cover each other.
    ``length``: how strongly a difference in length counts (0: not).
    ``information``: nats of common information at which words are trusted to two thirds (0: at once).
    ``heading``: factor when only one of the two is a heading.
    ``order``: share of the neighbourhood; ``reach``: how far it carries on; ``skip``: factor per sentence left out.
    ``rounds``: how often lexicon and alignment improve each other.
    ``least``: share of a good pair's likeness under which nothing corresponds; ``near_best``: how near a pair must be
    to the best of one of its two sentences, ``near_both``: to the best of both.
    """

    cognates: bool = True
    learn: bool = True
    numbers: float = 0.3
    either: float = 0.2
    length: float = 0.2
    information: float = 1.0
    heading: float = 0.6
    order: float = 0.65
    reach: float = 0.85
    skip: float = 0.85
    rounds: int = 4
    least: float = 0.25
    near_best: float = 0.9
    near_both: float = 0.8


# ---------------------------------------------------------------- alignment


Pair = tuple[int, int]


@attrs.frozen
class Evidence:
    """Why two passages correspond.

    ``words``: pairs of words that translate each other, the most telling first; ``numbers``: values that both hold;
    ``alike``, ``order``: likeness by itself and strength of the neighbourhood, 0 to 1; ``heading``: both are
    headings; ``pinned``: a person said so.
    """

    words: tuple[tuple[str, str], ...]
    numbers: tuple[int, ...]
    alike: float
    order: float
    heading: bool
    pinned: bool = False


@attrs.frozen
class Link:
    """Passage ``left`` of the first text and passage ``right`` of the second (indices) say the same, or partly so."""

    left: int
    right: int
    confidence: float
    evidence: Evidence


@attrs.frozen
class Alignment:
    """The links by order of the first text. A passage may have several, or none."""

    left: Text
    right: Text
    links: tuple[Link, ...]
    lexicon: Translations = attrs.field(repr=False)

    def of_left(self, passage: int) -> tuple[Link, ...]:
        return tuple(link for link in self.links if link.left == passage)

    def of_right(self, passage: int) -> tuple[Link, ...]:
        return tuple(link for link in self.links if link.right == passage)

    def terms(self, least: float = 0.5) -> tuple[tuple[str, str, float], ...]:
        """Words that translate each other, as written, with their strength: a beginning for a glossary."""
        found = [
            (self.left.surface[a], self.right.surface[b], weight)
            for a, row in self.lexicon.there.items()
            for b, weight in row.items()
            if weight >= least and a in self.left.surface and b in self.right.surface
        ]
        return tuple(sorted(found, key=lambda item: (-item[2], item[:2])))

    @property
    def alone_left(self) -> tuple[int, ...]:
        """Passages of the first text without a counterpart."""
        taken = {link.left for link in self.links}
        return tuple(i for i in range(len(self.left.pieces)) if i not in taken)

    @property
    def alone_right(self) -> tuple[int, ...]:
        taken = {link.right for link in self.links}
        return tuple(j for j in range(len(self.right.pieces)) if j not in taken)


def align(
    left: Text,
    right: Text,
    *,
    same: Collection[Pair] = (),
    different: Collection[Pair] = (),
    terms: Iterable[tuple[Words, Words]] = (),
    settings: AlignSettings = AlignSettings(),
    progress: Callable[[int], None] = lambda done: None,
) -> Alignment:
    """Proposes links between the passages of two texts; the same input always gives the same links.

    ``same`` and ``different`` are pairs of passages that a person has decided. ``terms`` are known translations
    (stems) from outside the two texts. ``progress`` is called with how many rounds are done.
    """
    prior = _prior(left, right, terms, settings)
    inside_left = [left.inside(piece) for piece in left.pieces]
    inside_right = [right.inside(piece) for piece in right.pieces]
    apart = {(i, j) for p, q in different for i in inside_left[p] for j in inside_right[q]}
    lexicon = learn((), prior)
    alone: Matrix = []
    together: Matrix = []
    for turn in range(max(1, settings.rounds)):
        alone = similarity(left, right, lexicon, settings)
        certain = _certain(alone, [(inside_left[p], inside_right[q]) for p, q in sorted(same)])
        together = _together(alone, certain, apart, settings)
        progress(turn + 1)
        if not settings.learn or turn + 1 == settings.rounds:
            break
        lexicon = learn(_likely(left, right, together, apart), prior)
    chosen = _choose(together, apart, settings)
    links = _project(chosen, inside_left, inside_right, set(same), set(different))
    return Alignment(
        left,
        right,
        tuple(
            Link(p, q, confidence, _evidence(left, right, lexicon, alone, together, settings.order, at, (p, q) in same))
            for (p, q), (confidence, at) in sorted(links.items())
        ),
        lexicon,
    )


def _prior(
    left: Text, right: Text, terms: Iterable[tuple[Words, Words]], settings: AlignSettings
) -> dict[tuple[str, str], float]:
    """What is believed of words before anything is learnt: cognates and given terms."""
    prior: dict[tuple[str, str], float] = {}
    if settings.cognates:
        prior.update(cognates((w for ws in left.words for w in ws), (w for ws in right.words for w in ws)))
    for a_words, b_words in terms:
        for a in a_words:
            for b in b_words:
                # A term of several words is spread over them; the learnt lexicon sorts out which is which.
                prior[a, b] = max(prior.get((a, b), 0.0), 1.8 / max(len(a_words), len(b_words), 1))
    return prior


def _certain(alone: Matrix, same: Iterable[tuple[Sequence[int], Sequence[int]]]) -> set[Pair]:
    """In pairs of passages that a person confirmed, the sentences that are each other's best there."""
    found = set()
    for lefts, rights in same:
        for i in lefts if rights else ():
            j = max(rights, key=alone[i].__getitem__)
            if alone[i][j] == max(alone[other][j] for other in lefts):
                found.add((i, j))
    return found


def _together(alone: Matrix, certain: Collection[Pair], apart: Collection[Pair], settings: AlignSettings) -> Matrix:
    """The likeness with the neighbourhood's mixed in, where what a person decided holds.

    Certain pairs support their neighbours like good ones, rejected ones do not support them. By themselves both stay
    what they are: a certain pair keeps nothing else from being seen, and what is less alike than a rejected pair does
    not simply move up into its place.
    """
    good = max(_usual(_best(alone)[0]), 0.5)
    decided = [row.copy() for row in alone]
    for i, j in certain:
        decided[i][j] = max(decided[i][j], good)
    for i, j in apart:
        decided[i][j] = 0.0
    together = with_neighbours(decided, settings.order, settings.reach, settings.skip)
    for i, j in {*certain, *apart}:
        together[i][j] += (1 - settings.order) * (alone[i][j] - decided[i][j])
    return together


def _best(matrix: Matrix) -> tuple[list[float], list[float]]:
    """The highest value of each row and of each column."""
    return [max(row, default=0.0) for row in matrix], [max(column) for column in zip(*matrix, strict=True)]


def _likely(left: Text, right: Text, matrix: Matrix, apart: Collection[Pair]) -> list[tuple[Words, Words, float]]:
    """Pairs of sentences to learn from; those that are each other's best count double."""
    rows, columns = _best(matrix)
    usual = _usual(rows)
    pairs: list[tuple[Words, Words, float]] = []
    for i, row in enumerate(matrix):
        for j in sorted(range(len(row)), key=lambda j: (-row[j], j))[:3]:
            best_row, best_column = row[j] == rows[i], row[j] == columns[j]
            if row[j] > 0.2 * usual and (best_row or best_column) and (i, j) not in apart:
                trust = (row[j] / usual) ** 2
                pairs.append((left.words[i], right.words[j], (2.0 if best_row and best_column else 1.0) * trust))
    return pairs


def _usual(bests: Sequence[float]) -> float:
    """What a good pair is like in this matrix: nine in ten sentences have a best one below it."""
    ordered = sorted(bests)
    return max(ordered[len(ordered) * 9 // 10], 1e-9) if ordered else 1.0


def _choose(matrix: Matrix, apart: Collection[Pair], settings: AlignSettings) -> dict[Pair, float]:
    """The pairs of sentences that correspond, with how sure that is."""
    rows, columns = _best(matrix)
    usual = _usual(rows)
    chosen: dict[Pair, float] = {}
    for i, row in enumerate(matrix):
        for j, value in enumerate(row):
            if value < settings.least * usual or (i, j) in apart:
                continue
            low, high = sorted((rows[i], columns[j]))
            if value >= settings.near_best * low and value >= settings.near_both * high:
                chosen[i, j] = min(1.0, value / usual) * value / high
    return chosen


def _project(
    chosen: Mapping[Pair, float],
    inside_left: Sequence[Sequence[int]],
    inside_right: Sequence[Sequence[int]],
    same: Collection[Pair],
    different: Collection[Pair],
) -> dict[Pair, tuple[float, Pair | None]]:
    """From sentences to passages: a pair of passages is as sure as its surest pair of sentences."""
    holders_left, holders_right = _holders(inside_left), _holders(inside_right)
    links: dict[Pair, tuple[float, Pair | None]] = {}
    for (i, j), value in chosen.items():
        for p in holders_left.get(i, ()):
            for q in holders_right.get(j, ()):
                if (p, q) not in different and value > links.get((p, q), (0.0, None))[0]:
                    links[p, q] = (value, (i, j))
    for pair in same:
        links[pair] = (1.0, links[pair][1] if pair in links else None)
    return links


def _holders(inside: Sequence[Sequence[int]]) -> dict[int, list[int]]:
    out: dict[int, list[int]] = {}
    for passage, indices in enumerate(inside):
        for i in indices:
            out.setdefault(i, []).append(passage)
    return out


def _evidence(
    left: Text,
    right: Text,
    lexicon: Translations,
    alone: Matrix,
    together: Matrix,
    order: float,
    at: Pair | None,
    pinned: bool,
) -> Evidence:
    if at is None:
        return Evidence((), (), 0.0, 0.0, False, pinned)
    i, j = at
    found = []
    for a in dict.fromkeys(left.words[i]):
        row = lexicon.there.get(a, {})
        b = max(right.words[j], key=lambda b: row.get(b, 0.0), default="")
        if row.get(b, 0.0) > 0.1:
            found.append((row[b] * left.weight[a], left.surface[a], right.surface[b]))
    found.sort(key=lambda item: (-item[0], item[1:]))
    shared = common_numbers(left, right, i, j)
    numbers = tuple(n for n in dict.fromkeys(left.numbers[i]) if n in right.numbers[j]) if shared else ()
    return Evidence(
        tuple((a, b) for _, a, b in found[:5]),
        numbers,
        alone[i][j],
        (together[i][j] - (1 - order) * alone[i][j]) / order if order else 0.0,
        left.sentences[i].kind == right.sentences[j].kind == "heading",
        pinned,
    )


# ---------------------------------------------------------------- likeness of two sentences


Matrix = list[list[float]]
"""One row per sentence of the first text, one column per sentence of the second; values from 0 to 1."""


def similarity(left: Text, right: Text, lexicon: Translations, settings: AlignSettings) -> Matrix:
    """The likeness of every sentence of ``left`` with every sentence of ``right``, by themselves."""
    there = _coverage(left, right, lexicon.there)
    back = _coverage(right, left, lexicon.back)
    mass_left, mass_right = _masses(left), _masses(right)
    out = []
    for i, sentence in enumerate(left.sentences):
        row = [0.0] * len(right.sentences)
        for j, other in enumerate(right.sentences):
            x, y = there[i].get(j, 0.0), back[j].get(i, 0.0)
            likeness = (1 - settings.either) * math.sqrt(x * y) + settings.either * max(x, y) if x and y else 0.0
            shared = common_numbers(left, right, i, j) if settings.numbers else None
            if shared is not None:
                likeness += settings.numbers * (shared - likeness)
            if likeness <= 0:
                continue
            if settings.information:
                known = min(x * mass_left[i], y * mass_right[j]) + (3.0 if shared else 0.0)
                likeness *= 1 - math.exp(-known / settings.information)
            if settings.length:
                # Gale and Church, "A Program for Aligning Sentences in Bilingual Corpora" (1993): lengths go together.
                ratio = math.log((sentence.letters + 5) / (other.letters + 5))
                likeness *= math.exp(-settings.length * ratio * ratio)
            if (sentence.kind == "heading") != (other.kind == "heading"):
                likeness *= settings.heading
            row[j] = likeness
        out.append(row)
    return out


def common_numbers(left: Text, right: Text, i: int, j: int) -> float | None:
    """The share of the numbers of two sentences that both have, rare values counting more; None without any."""
    ours, theirs = left.numbers[i], right.numbers[j]
    if not ours or not theirs:  # nearly always
        return 0.0 if ours or theirs else None
    a, b = Counter(ours), Counter(theirs)

    def weight(numbers: Counter[int]) -> float:
        return sum(count * (left.weight.get(n, 0.0) + right.weight.get(n, 0.0)) / 2 for n, count in numbers.items())

    return weight(a & b) / weight(a | b)


def _coverage(left: Text, right: Text, table: Table) -> list[Mapping[int, float]]:
    """Per sentence of ``left``: which part of its information the words of a sentence of ``right`` translate."""
    where: dict[str, list[int]] = defaultdict(list)
    for j, words in enumerate(right.words):
        for word in dict.fromkeys(words):
            where[word].append(j)
    out: list[Mapping[int, float]] = []
    for words in left.words:
        total = sum(left.weight[word] for word in words)
        row: dict[int, float] = defaultdict(float)
        for word in words:
            best: dict[int, float] = {}
            for translation, likely in table.get(word, {}).items():
                for j in where.get(translation, ()):
                    if likely > best.get(j, 0.0):
                        best[j] = likely
            for j, likely in best.items():
                row[j] += likely * left.weight[word] / total
        out.append(row)
    return out


def _masses(text: Text) -> Sequence[float]:
    return [sum(text.weight[word] for word in words) for words in text.words]


# ---------------------------------------------------------------- support by neighbours


_AHEAD = 3


def with_neighbours(matrix: Matrix, order: float, reach: float, skip: float) -> Matrix:
    """The likeness of each pair with that of its neighbourhood mixed in, which has the share ``order``."""
    if not order or not matrix:
        return matrix
    before = _arriving(matrix, reach, skip)
    after = [row[::-1] for row in _arriving([row[::-1] for row in matrix[::-1]], reach, skip)[::-1]]
    return [
        [(1 - order) * alone + order * (b + a) / 2 for alone, b, a in zip(*rows, strict=True)]
        for rows in zip(matrix, before, after, strict=True)
    ]


def _arriving(matrix: Matrix, reach: float, skip: float) -> Matrix:
    """For each pair the strength of the best chain that ends just before it, from 0 to 1."""
    width = len(matrix[0])
    nothing = [0.0] * width
    strengths: Matrix = []
    out: Matrix = []
    beside = skip**0.5
    for i, row in enumerate(matrix):
        best = nothing
        for down in range(1, min(_AHEAD, i) + 1):
            above = strengths[i - down]
            for across in range(0 if down == 1 else 1, _AHEAD + 1):
                factor = skip ** (max(down, across) - 1 + abs(down - across) / 2)
                shifted = [0.0] * min(across, width) + [value * factor for value in above[: width - across]]
                best = list(map(max, best, shifted))
        arriving, strength, previous = [], [], 0.0
        for j, alone in enumerate(row):
            value = max(best[j], previous * beside)
            previous = (1 - reach) * alone + reach * value
            arriving.append(value)
            strength.append(previous)
        out.append(arriving)
        strengths.append(strength)
    return out
