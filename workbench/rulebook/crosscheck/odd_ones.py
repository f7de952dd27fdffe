"""Odd ones out: which of several languages differs from the others. Most checks share this comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import attrs

Counts = tuple[Counter[str], Counter[str]]
"""How often each thing is said: at least, and at most where a word has several meanings."""


@attrs.frozen
class Odd:
    """A language that says less of some things than the others (``missing``), and more of other things (``extra``).

    ``without``: what it does not say at all while all the others do.
    """

    language: str
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    without: tuple[str, ...]


def odd_ones(counts: Mapping[str, Counts]) -> Iterator[Odd]:
    """The languages that differ from the others.

    Something is missing when at least two others (or the only other) say it more often, and extra when it is said more
    often than in any other. Of two languages the second one is said to differ.
    """
    for position, (language, (surely, perhaps)) in enumerate(counts.items()):
        if position == 0 and len(counts) == 2:
            continue
        others = [pair for name, pair in counts.items() if name != language]
        if not others:
            return
        names = {name for said, _ in others for name, number in said.items() if number}
        enough = min(2, len(others))
        missing = {n: sum(said[n] > perhaps[n] for said, _ in others) for n in names}
        less = tuple(sorted(n for n, more in missing.items() if more >= enough))
        without = tuple(sorted(n for n in names if not perhaps[n] and all(said[n] for said, _ in others)))
        extra = tuple(sorted(n for n, number in surely.items() if number > max(may[n] for _, may in others)))
        if less or extra:
            yield Odd(language, less, extra, without)


def exact(counts: Counter[str]) -> Counts:
    """Counts of things whose words have one meaning."""
    return counts, counts
