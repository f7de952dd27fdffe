"""Quality of an alignment, measured against maps of both documents made by hand."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import attrs

from .match import Alignment
from .prepare import Piece, Text


@attrs.frozen
class Score:
    """Precision, recall and their harmonic mean, 0 to 1."""

    right: int
    proposed: int
    wanted: int

    @property
    def precision(self) -> float:
        return self.right / self.proposed if self.proposed else 0.0

    @property
    def recall(self) -> float:
        return self.right / self.wanted if self.wanted else 0.0

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    def __str__(self) -> str:
        return f"P {self.precision:.3f}  R {self.recall:.3f}  F1 {self.f1:.3f}"


@attrs.frozen
class Figures:
    """``links``: passages linked directly; ``pairs``: passages that state the same once the statements are carried
    over; ``statements``: statements carried over to each passage of the second text.

    Two passages correspond when they share a statement. Pairs of two passages that state nothing are not judged.
    """

    links: Score
    pairs: Score
    statements: Score


def measure(alignment: Alignment, left: Text, right: Text) -> Figures:
    """``left`` and ``right`` have the passages of ``alignment`` with the statements of the maps made by hand."""
    ours = [set(piece.states) for piece in left.pieces]
    theirs = [set(piece.states) for piece in right.pieces]
    gold = {(p, q) for p, a in enumerate(ours) for q, b in enumerate(theirs) if a & b}
    proposed = {(link.left, link.right) for link in alignment.links}
    judged = {(p, q) for p, q in proposed if ours[p] or theirs[q]}
    carried = carry(alignment, left)
    pairs = {(p, q) for q, states in enumerate(carried) for p, a in enumerate(ours) if a & states}
    known: set[str] = set().union(*ours) if ours else set()
    return Figures(
        _score(judged, gold),
        _score(pairs | judged, gold),
        _score(
            {(q, s) for q, states in enumerate(carried) for s in states},
            {(q, s) for q, states in enumerate(theirs) for s in states & known},
        ),
    )


def measure_lines(alignment: Alignment, right: Text) -> Score:
    """Statements carried over to each line, where the second text was cut by the aligner itself.

    ``right`` has the passages made by hand. Empty lines are not judged.
    """
    known = {state for piece in alignment.left.pieces for state in piece.states}
    full = {number for number, line in enumerate(right.lines, 1) if line.strip()}
    carried = zip(alignment.right.pieces, carry(alignment, alignment.left), strict=True)
    return _score(
        {(line, state) for piece, states in carried for line in full & _range(piece) for state in states},
        {
            (line, state)
            for piece in right.pieces
            for line in full & _range(piece)
            for state in known.intersection(piece.states)
        },
    )


def _range(piece: Piece) -> set[int]:
    return set(range(piece.first, piece.last + 1))


def carry(alignment: Alignment, left: Text) -> list[set[str]]:
    """The statements that each passage of the second text receives from its counterparts."""
    out: list[set[str]] = [set() for _ in alignment.right.pieces]
    for link in alignment.links:
        out[link.right].update(left.pieces[link.left].states)
    return out


def _score(found: Collection[object], gold: Iterable[object]) -> Score:
    wanted = set(gold)
    return Score(len(wanted.intersection(found)), len(found), len(wanted))
