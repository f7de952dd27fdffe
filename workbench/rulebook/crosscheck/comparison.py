"""Comparison of what the languages of one statement say, by the words of the lexicons.

A language is odd where all the others agree with one another and it says something else: a word of the other pole
(*turned*; *opposed* where most of the others agree and nobody else says it), a word less or more of a class in which
languages agree word by word, or one thing in place of another (*exchanged*). Where two languages stand against two,
neither is odd: both sides are shown. *Faint* is what may well be right: a class that languages say by many means is
missing in one of them.
What a lexicon has no words for is not compared in its language.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal, TypeAlias

import attrs

from ..corpus import Corpus
from ..languages.lexicon import PoleWord, comes_to_the_same, compared_classes, covered_classes, modality, pole_words
from ..texts import Statement

Kind = Literal["turned", "opposed", "exchanged", "missing", "extra", "faint"]
Said = Mapping[str, Sequence[PoleWord]]
"""Language to the words that its lexicon knows, in the order of the text, with those that may mean something else."""
Duties = Mapping[str, Counter[str]]
"""Language to how often it says may and must; "may not" is may here, and not, and so is "need not" must."""
Covered = Mapping[str, frozenset[str]]
"""Language to the classes it has words for, and the axes of which it has all classes."""


@attrs.frozen
class Difference:
    """What ``languages`` say otherwise than the rest: one language, or several against at least as many.

    ``words``: for every language the words that were compared, in order; none where it does not say the thing.
    """

    kind: Kind
    languages: tuple[str, ...]
    words: Mapping[str, tuple[PoleWord, ...]]


def differences(said: Said, duties: Duties) -> Iterator[Difference]:
    """How the languages of a statement differ: for each language the strongest difference only."""
    told: set[str] = set()
    surely = {language: [word for word in list_ if word.sure] for language, list_ in said.items()}
    known = {language: covered_classes(language) for language in said}
    for find in (_turned, _against, _opposed, _exchanged, _miscounted, _counted_otherwise, _unpaired, _faint):
        for difference in find(said if find is _opposed else surely, known):
            if difference.kind in ("exchanged", "missing", "extra", "faint") and _excused(said, difference):
                continue
            names = {word.name for list_ in difference.words.values() for word in list_}
            if names <= compared_classes().logic and any(
                turned_round(said, language, duties) for language in difference.languages
            ):
                continue
            if told.isdisjoint(difference.languages):
                told |= set(difference.languages)
                yield difference


def turned_round(said: Said, language: str, duties: Duties) -> bool:
    """Whether a language says something otherwise than at least half of the others, and all mean the same: you may not
    move without a permit, you may only move with a permit, to move you must have a permit."""
    ours = _logic(said[language])
    same = 0
    for name, list_ in said.items():
        if name != language:
            step = _step(ours, _logic(list_))
            further = _step(duties[language], duties[name])
            same += bool(step and comes_to_the_same(step)) or bool(further and comes_to_the_same({**step, **further}))
    return 2 * same >= len(said) - 1


def _step(ours: Counter[str], theirs: Counter[str]) -> dict[str, int]:
    return {name: ours[name] - theirs[name] for name in ours | theirs if ours[name] != theirs[name]}


def _logic(words: Sequence[PoleWord]) -> Counter[str]:
    classes = compared_classes()
    names = (word.name for word in words if word.sure and word.name in classes.logic)
    return Counter(name for name in names if name not in classes.passing)


def _excused(said: Said, difference: Difference) -> bool:
    """Whether a language that seems to leave something out may say it with a word that means several things, or with
    one of a near class that the others do not have; or whether they say what is near to what it alone says."""
    (language,) = difference.languages
    looked_for = {word.name for list_ in difference.words.values() for word in list_}
    instead = set().union(*(pair - looked_for for pair in compared_classes().near if pair & looked_for))
    ours = said[language]
    others = [{word.name for word in list_} for name, list_ in said.items() if name != language]
    if difference.kind == "exchanged" and any(pair <= looked_for for pair in compared_classes().near):
        return True
    if difference.kind == "extra":
        perhaps = [{word.name for word in list_ if not word.sure} for name, list_ in said.items() if name != language]
        return all(instead & theirs or looked_for & may for theirs, may in zip(others, perhaps, strict=True))
    if any(not word.sure and word.name in looked_for for word in ours):
        return True
    return any(word.name in instead and not any(word.name in theirs for theirs in others) for word in ours)


def _turned(said: Said, known: Covered) -> Iterator[Difference]:
    """Words of an axis as many as elsewhere, but with other poles."""
    for axis in _axes(said):
        words = {language: _of_axis(list_, axis) for language, list_ in _covering(said, axis, known).items()}
        poles: dict[str, tuple[str, ...]] = {name: tuple(word.name for word in list_) for name, list_ in words.items()}
        if axis in compared_classes().free:
            poles = {language: tuple(sorted(names)) for language, names in poles.items()}
        groups = Counter(poles.values())
        if len(groups) != 2 or len({len(sequence) for sequence in groups}) != 1:
            continue
        yield _told_apart(poles, words)
    spoken = _names(said)
    for one, other in compared_classes().opposites:
        if one.isdisjoint(spoken) or other.isdisjoint(spoken):
            continue
        words = {language: _of_names(list_, one | other) for language, list_ in said.items()}
        sides = {language: tuple(word.name in one for word in list_) for language, list_ in words.items()}
        shown = Counter(sides.values())
        if len(said) > 2 and len(shown) == 2 and len({tuple(sorted(sequence)) for sequence in shown}) == 1:
            yield _told_apart(sides, words)


def _told_apart(poles: Mapping[str, tuple[object, ...]], words: Mapping[str, tuple[PoleWord, ...]]) -> Difference:
    """The difference between two sequences: the odd language, or those who say the rarer one."""
    other, fewer = Counter(poles.values()).most_common(2)[1]
    odd = tuple(language for language, sequence in poles.items() if sequence == other)
    return Difference("turned", odd[-1:] if fewer == 1 else odd, words)


def _against(said: Said, known: Covered) -> Iterator[Difference]:
    """Of two languages one says one pole only, and the other the opposite only."""
    spoken = _names(said)
    for one, other in compared_classes().opposites if len(said) == 2 else ():
        if one.isdisjoint(spoken) or other.isdisjoint(spoken) or not all(one | other <= known[name] for name in said):
            continue
        words = {language: _of_names(list_, one | other) for language, list_ in said.items()}
        ours, theirs = ({word.name in one for word in list_} for list_ in words.values())
        if any(word.axis in compared_classes().elsewhere for list_ in words.values() for word in list_):
            continue
        if len(ours) == len(theirs) == 1 and ours != theirs:
            yield Difference("turned", tuple(said)[1:], words)


def _opposed(said: Said, known: Covered) -> Iterator[Difference]:
    """One pole that no other language says, in place of the opposite that most of the others say."""
    if len(said) < 3:
        return
    spoken = _names(said)
    for one, other in compared_classes().opposites:
        for pole, opposite in ((one, other), (other, one)):
            if pole.isdisjoint(spoken) or opposite.isdisjoint(spoken):
                continue
            words = {name: _of_names(list_, one | other) for name, list_ in said.items() if known[name] & pole}
            said_it = [language for language, list_ in words.items() if any(word.name in pole for word in list_)]
            if len(said_it) != 1 or len(words) < 3:
                continue
            ours = len(_of_names(words[said_it[0]], opposite))
            others = [len(_of_names(list_, opposite)) for name, list_ in words.items() if name != said_it[0]]
            if sum(number > ours for number in others) >= max(2, (len(others) + 1) // 2):
                yield Difference("opposed", (said_it[0],), words)


def _exchanged(said: Said, known: Covered) -> Iterator[Difference]:
    """A class that all the others have is gone, and one that none of them has is there."""
    if len(said) < 3:
        return
    names = {language: Counter(word.name for word in list_) for language, list_ in said.items()}
    shared = frozenset.intersection(*(known[name] for name in said))
    for language, ours in names.items():
        others = [theirs for other, theirs in names.items() if other != language]
        for group in compared_classes().exchanged:
            gone = {n for n in group & shared if not ours[n] and all(theirs[n] for theirs in others)}
            new = {n for n in group & shared if ours[n] and not any(theirs[n] for theirs in others)}
            if gone and new:
                chosen = {other: gone if other != language else new for other in said}
                yield Difference("exchanged", (language,), {o: _of_names(said[o], chosen[o]) for o in said})


def _miscounted(said: Said, known: Covered) -> Iterator[Difference]:
    """A word less or more than in each of the others, which agree, on an axis where languages agree word by word."""
    if len(said) < 3:
        return
    for axis in _axes(said):
        words = {language: _of_axis(list_, axis) for language, list_ in _covering(said, axis, known).items()}
        for language, ours in words.items():
            others = {tuple(word.name for word in list_) for other, list_ in words.items() if other != language}
            if axis not in compared_classes().tight or len(words) < 3 or len(others) > 1:
                continue
            if len(theirs := others.pop()) != len(ours):
                yield Difference("missing" if len(ours) < len(theirs) else "extra", (language,), words)


def _counted_otherwise(said: Said, known: Covered) -> Iterator[Difference]:
    """A word less or more than in each of the others of a class that is counted; one of a class that is noted may be
    left out where a pronoun stands for it."""
    for name in compared_classes().counted if len(said) > 2 else ():
        words = {language: _of_names(list_, {name}) for language, list_ in _covering(said, name, known).items()}
        for language, here in words.items():
            rest = [len(list_) for other, list_ in words.items() if other != language]
            if len(rest) > 1 and (len(here) < min(rest) or len(here) > max(rest)):
                less: Kind = "faint" if name in compared_classes().noted else "missing"
                yield Difference(less if len(here) < min(rest) else "extra", (language,), words)


def _unpaired(said: Said, known: Covered) -> Iterator[Difference]:
    """Of two languages only one says something that both say or neither."""
    spoken = _names(said)
    for group in compared_classes().paired if len(said) == 2 else ():
        if group.isdisjoint(spoken) or not all(group <= known[language] for language in said):
            continue
        words = {language: _of_names(list_, group) for language, list_ in said.items()}
        silent = [language for language, list_ in words.items() if not list_]
        if len(silent) == 1:
            yield Difference("missing", (silent[0],), words)


def _faint(said: Said, known: Covered) -> Iterator[Difference]:
    """A class that all the others say and this language does not, where languages have many ways to say it."""
    for name in compared_classes().noted:
        words = {language: _of_names(list_, {name}) for language, list_ in _covering(said, name, known).items()}
        silent = [language for language, list_ in words.items() if not list_]
        if len(words) > 2 and len(silent) == 1:
            yield Difference("faint", (silent[0],), words)


def _names(said: Said) -> frozenset[str]:
    """The classes that any language speaks of."""
    return frozenset(word.name for list_ in said.values() for word in list_)


def _covering(said: Said, name: str, known: Covered) -> Said:
    """The languages that have words for a class, or for all classes of an axis."""
    return {language: list_ for language, list_ in said.items() if name in known[language]}


def _axes(said: Said) -> list[str]:
    """The axes that any language speaks of, in the order in which they are met."""
    axes = dict.fromkeys(word.axis for list_ in said.values() for word in list_)
    return [axis for axis in axes if axis not in compared_classes().elsewhere]


def _of_axis(words: Sequence[PoleWord], axis: str) -> tuple[PoleWord, ...]:
    return tuple(word for word in words if word.axis == axis)


def _of_names(words: Sequence[PoleWord], names: Collection[str]) -> tuple[PoleWord, ...]:
    return tuple(word for word in words if word.name in names)


# ---------------------------------------------------------------- how closely sentences follow one another


_Outline: TypeAlias = tuple[list[str], Counter[str], int]
_COMMAS = re.compile("[,;:،؛、，；：]")
_THINGS_A_SPARE_ONE = 6
_MOST_TURNED = 2
"""Pairs in another order that count: where languages differ in grammar, one word makes many."""
_PLAIN = {"must not": "may", "need not": "must"}


def duties_of(text: str, language: str) -> Counter[str]:
    """How often a text says may and must; "may not" is may here, and "need not" must."""
    return Counter(_PLAIN.get(force, force) for force in modality(text, language).elements())


def is_reworded(
    corpus: Corpus, group: Mapping[str, Statement], language: str, spare: int, *, instead: bool = False
) -> bool:
    """Whether a language says more than ``spare`` things, and one for each six, otherwise than the closest of the
    others: words of the lexicon, terms, what stands in another order, commas. Somebody has put it in other words then,
    and it means the same nine times in ten, whatever single words tell. ``instead``: only what it says in place of
    something else counts; what was left out is many things by itself. The only other language is further away than the
    closest of several."""
    ours, *others = (_outline(corpus, group[name].spoken, name) for name in sorted(group, key=language.__ne__))
    number = min((_apart(ours, theirs, instead) for theirs in others), default=0)
    return number > spare + (len(others) == 1 and not instead) + (len(ours[0]) + ours[1].total()) // _THINGS_A_SPARE_ONE


def _outline(corpus: Corpus, text: str, language: str) -> _Outline:
    """What a text says, in order, and its duties and commas."""

    def made() -> _Outline:
        found = [(word.start, word.name) for word in pole_words(text, language)]
        uses = () if corpus.glossary is None else corpus.glossary.uses(text, language)
        found += [(use.start, f"#{id_}") for use in uses for id_ in use.concepts if len(use.concepts) == 1]
        return [name for _, name in sorted(found)], duties_of(text, language), len(_COMMAS.findall(text))

    return corpus.memo.once(("outline", text, language), made)


def _apart(ours: _Outline, theirs: _Outline, instead: bool) -> int:
    one, other = (Counter(names) + duties for names, duties, _ in (ours, theirs))
    sums = [sum((a - b).values()) for a, b in ((one, other), (other, one))]
    once = {name for name in ours[0] if ours[0].count(name) == 1 == theirs[0].count(name)}
    orders = [[name for name in names if name in once] for names in (ours[0], theirs[0])]
    turned = sum(orders[1].index(a) > orders[1].index(b) for a, b in combinations(orders[0], 2))
    return (min(sums) if instead else max(sums)) + min(turned, _MOST_TURNED) + (ours[2] != theirs[2])
