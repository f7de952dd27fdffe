"""Similarity of two sentences in two languages: translated words, numbers by value, length, headings."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from .lexicon import Lexicon, Table
from .prepare import Text
from .settings import Settings

Matrix = list[list[float]]
"""One row per sentence of the first text, one column per sentence of the second; values from 0 to 1."""


def similarity(left: Text, right: Text, lexicon: Lexicon, settings: Settings) -> Matrix:
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
    a, b = Counter(left.numbers[i]), Counter(right.numbers[j])
    if not a and not b:
        return None

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
