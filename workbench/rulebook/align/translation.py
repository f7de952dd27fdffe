"""Translation model learnt from the two texts themselves: cognates to begin with, then IBM model 1.

Brown, Della Pietra, Della Pietra and Mercer, "The Mathematics of Statistical Machine Translation" (1993), model 1.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import attrs

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
