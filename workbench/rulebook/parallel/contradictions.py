"""Contradictions between linked passages: numbers, negation, order, direction, comparison, bounds, duty, conditions,
persons, only and exactly.

Two documents may cut and phrase their texts freely, so only what one says and the other does not say at all, or says
the other way round, is flagged; what a language has no words for is not compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import attrs

from ..languages.lexicon import PoleWord, covered_classes, knows_force, modality, pole_words
from ..languages.numbers import lacking

_OPPOSED = (
    ("side", "left", "right"),
    ("turning", "clockwise", "counter"),
    ("order", "first", "last"),
    ("time", "before", "after"),
    ("face", "up", "down"),
    ("height", "top", "bottom"),
    ("place", "front", "behind"),
    ("amount", "more", "fewer"),
    ("rank", "highest", "lowest"),
    ("size", "higher", "lower"),
    ("most", "most", "fewest"),
    ("bound", "at least", "at most"),
    ("change", "gain", "loss"),
)
"""Axes with two poles: where one language has more of the one, the other language has more of the other."""

_CONDITIONS = ("unless", "even if", "as long as")
"""Conditions that languages say by few means; *if* is said by too many."""
_ACTORS = ("rival", "owner")
"""Persons that are named; *you* is often left to the verb."""
_LIMITS = ("only", "exactly")
_DUTIES = ("must", "may")
_SHORT = 160
"""Characters up to which two languages say no equally often; longer passages are phrased too freely."""


@attrs.frozen
class Contradiction:
    """``kind``: ``number``, ``negation``, ``duty`` or an axis. ``one``, ``other``: what either side says."""

    kind: str
    one: str
    other: str


def contradictions(one: str, language: str, other: str, other_language: str) -> tuple[Contradiction, ...]:
    """What two texts that should say the same say otherwise, the gravest first."""
    sides = (one, language, other, other_language)
    return (*_numbers(*sides), *_poles(*sides), *_negation(*sides), *_duty(*sides), *_named(*sides))


def _numbers(one: str, language: str, other: str, other_language: str) -> Iterator[Contradiction]:
    ours = [one[n.start : n.end] for n in lacking(one, other, language, other_language)]
    theirs = [other[n.start : n.end] for n in lacking(other, one, other_language, language)]
    if ours or theirs:
        yield Contradiction("number", ", ".join(dict.fromkeys(ours)), ", ".join(dict.fromkeys(theirs)))


def _poles(one: str, language: str, other: str, other_language: str) -> Iterator[Contradiction]:
    ours, theirs = _by_name(one, language), _by_name(other, other_language)
    known = covered_classes(language) & covered_classes(other_language)
    for axis, first, second in _OPPOSED:
        if axis not in known:
            continue
        poles = (first, second)
        here, there = (Counter({name: len(said.get(name, ())) for name in poles}) for said in (ours, theirs))
        if len(gone := +(here - there)) == len(extra := +(there - here)) == 1 and gone.keys() != extra.keys():
            yield Contradiction(axis, _quoted(one, ours[min(gone)]), _quoted(other, theirs[min(extra)]))


def _negation(one: str, language: str, other: str, other_language: str) -> Iterator[Contradiction]:
    if not {"not"} <= covered_classes(language) & covered_classes(other_language):
        return
    ours, theirs = (_by_name(text, code).get("not", []) for text, code in ((one, language), (other, other_language)))
    count = len if max(len(one), len(other)) <= _SHORT else bool
    if count(ours) != count(theirs):
        yield Contradiction("negation", _quoted(one, ours), _quoted(other, theirs))


def _duty(one: str, language: str, other: str, other_language: str) -> Iterator[Contradiction]:
    if not (knows_force(language, "modality") and knows_force(other_language, "modality")):
        return
    sides = ((one, language), (other, other_language))
    ours, theirs = ({name for name in modality(text, code) if name in _DUTIES} for text, code in sides)
    if len(ours) == len(theirs) == 1 and ours != theirs:
        yield Contradiction("duty", ours.pop(), theirs.pop())


def _named(one: str, language: str, other: str, other_language: str) -> Iterator[Contradiction]:
    """A condition, a person or a limit that one text names and the other does not; short passages only."""
    if max(len(one), len(other)) > _SHORT:
        return
    ours, theirs = _by_name(one, language), _by_name(other, other_language)
    known = covered_classes(language) & covered_classes(other_language)
    for kind, names in (("condition", _CONDITIONS), ("actor", _ACTORS), ("limit", _LIMITS)):
        here, there = ({name for name in names if name in said and name in known} for said in (ours, theirs))
        if here != there:
            gone, new = (
                [word for name in names if name in more for word in said[name]]
                for more, said in ((here - there, ours), (there - here, theirs))
            )
            yield Contradiction(kind, _quoted(one, gone), _quoted(other, new))


def _by_name(text: str, language: str) -> Mapping[str, list[PoleWord]]:
    found: dict[str, list[PoleWord]] = {}
    for word in pole_words(text, language):
        found.setdefault(word.name, []).append(word)
    return found


def _quoted(text: str, said: list[PoleWord]) -> str:
    return ", ".join(dict.fromkeys(text[word.start : word.end] for word in said))
