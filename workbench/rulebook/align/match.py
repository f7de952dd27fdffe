"""Correspondence of the passages of two documents in two languages."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import attrs

from .chains import supported
from .lexicon import Lexicon, Words, cognates, learn
from .prepare import Text
from .settings import Settings
from .similarity import Matrix, common_numbers, similarity

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
    lexicon: Lexicon = attrs.field(repr=False)

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
    settings: Settings = Settings(),  # noqa: B008 -- frozen
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
    left: Text, right: Text, terms: Iterable[tuple[Words, Words]], settings: Settings
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


def _together(alone: Matrix, certain: Collection[Pair], apart: Collection[Pair], settings: Settings) -> Matrix:
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
    together = supported(decided, settings.order, settings.reach, settings.skip)
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


def _choose(matrix: Matrix, apart: Collection[Pair], settings: Settings) -> dict[Pair, float]:
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
    lexicon: Lexicon,
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
