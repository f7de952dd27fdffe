"""A document made ready for alignment: its sentences with their words and numbers, and its passages."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import attrs

from ..languages.numbers import values
from .segment import Sentence, sentences
from .words import content_words


@attrs.frozen
class Piece:
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
    pieces: tuple[Piece, ...] = attrs.field(repr=False)
    mapped: bool
    sentences: tuple[Sentence, ...] = attrs.field(repr=False)
    words: tuple[tuple[str, ...], ...] = attrs.field(repr=False)
    numbers: tuple[tuple[int, ...], ...] = attrs.field(repr=False)
    weight: Mapping[str | int, float] = attrs.field(repr=False)
    surface: Mapping[str, str] = attrs.field(repr=False)

    def inside(self, piece: Piece) -> tuple[int, ...]:
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

    def said(self, piece: Piece) -> str:
        """The passage on one line."""
        return " ".join(" ".join(self.lines[piece.first - 1 : piece.last]).split())


def prepare(name: str, language: str, lines: Sequence[str], pieces: Iterable[Piece] | None = None) -> Text:
    """A text ready for alignment; without ``pieces`` it is cut into passages here."""
    found = sentences(lines)
    given = None if pieces is None else tuple(pieces)
    surface: dict[str, str] = {}
    words = []
    for sentence in found:
        pairs = content_words(sentence.text, language)
        for stem, word in pairs:
            if not surface.get(stem, "").islower():  # rather as it is written within a sentence than in a heading
                surface[stem] = word
        words.append(tuple(stem for stem, _ in pairs))
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


def cut(found: Sequence[Sentence], lines: int) -> tuple[Piece, ...]:
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
        return (Piece(1, lines, "noise"),) if lines else ()
    starts[0] = (1, starts[0][1])
    ends = [start - 1 for start, _ in starts[1:]] + [lines]
    return tuple(Piece(start, end, kind) for (start, kind), end in zip(starts, ends, strict=True))


def _weights(items: Sequence[Iterable[str | int]]) -> dict[str | int, float]:
    counts = Counter(x for row in items for x in set(row))
    return {x: math.log(1 + len(items) / count) for x, count in counts.items()}
