"""Outline of a statement: what of its meaning can be told from its words, and nothing of how it is phrased."""

from __future__ import annotations

from collections import Counter

from ..languages.lexicon import pole_words
from ..languages.numbers import numbers
from ..texts.interpolation import pieces_of, placeholders, spoken


def outline(text: str, language: str) -> str:
    """Numbers, values in braces and the classes of the words in the lexicon, sorted: ``2 {stock} before not``.

    Sorted, since moving a part of a sentence changes nothing of what it says; two words of one axis keep their order.
    """
    text = spoken(text)
    plain = " ".join(pieces_of(text)[::2])
    said = [str(number.value) for number in numbers(plain, language) if not number.weak] + placeholders(text)
    by_axis: dict[str, list[str]] = {}
    for word in pole_words(text, language):
        by_axis.setdefault(word.axis, []).append(word.name)
    return " ".join([*sorted(said), *("+".join(names).replace(" ", "-") for _, names in sorted(by_axis.items()))])


def changes(before: str, after: str) -> tuple[list[str], list[str]]:
    """What an outline lost and what it gained."""
    old, new = Counter(_pieces(before)), Counter(_pieces(after))
    lost, gained = sorted((old - new).elements()), sorted((new - old).elements())
    if lost or gained or before == after:
        return lost, gained
    return _turned(before, after), _turned(after, before)


def _pieces(outline: str) -> list[str]:
    return [name.replace("-", " ") for part in outline.split() for name in part.split("+")]


def _turned(one: str, other: str) -> list[str]:
    """The runs of one axis whose words stand in another order."""
    return [part.replace("+", ", then ").replace("-", " ") for part in one.split() if part not in other.split()]
