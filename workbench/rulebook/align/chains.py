"""Order as evidence: pairs of sentences that belong to a chain of similar pairs support each other.

Two rulebooks say the same things in runs that keep their order, but the runs themselves may be anywhere. So no
single path through the two texts is looked for, as Gale and Church do; instead each pair receives the strength of the
best chain that leads to it and of the best one that goes on from it. A chain steps ahead by one to three sentences in
each text and fades as it goes, which leaves whole blocks free to move.
"""

from __future__ import annotations

from .similarity import Matrix

_AHEAD = 3


def supported(matrix: Matrix, order: float, reach: float, skip: float) -> Matrix:
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
