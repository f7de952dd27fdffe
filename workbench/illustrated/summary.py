"""A page to look things up: the aim, what brings points, how the game ends, and the numbers to remember."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

import attrs

from rulelang.program import Program
from rulelang.program import nodes as ir
from rulelang.program.walk import walk

from ..pictures.scene.look import Look, words
from ..rulebook.glossary import Glossary
from ..rulebook.languages.catalogue import say
from ..rulebook.languages.numbers import numbers as numbers_in
from ..rulebook.print.matter import Entry, Listing, items_of
from .course import Book


def summary(
    program: Program, book: Book, look: Look, glossary: Glossary | None, numbers: Collection[str]
) -> tuple[Listing, ...]:
    """The lists of the page, each with its title. ``numbers``: told elsewhere."""
    lang = book.rulebook.language
    rules, known = _rules(program), glossary or Glossary("", {})
    groups = [(id_, *_called(_amounts(program, id_))) for id_ in rules]
    scoring = _Scoring(program, book, look, known, _points(book, known, groups))
    told: set[str] = set()
    lists = (
        ("aim", [program.start]),
        ("points", rules),
        ("end", _ending(program)),
        ("numbers", [name for name in program.numbers if name not in numbers]),
    )
    found = []
    for word, ids in lists:
        entries = []
        for id_ in ids:
            text = scoring.sentence(id_) if word == "points" else book.valued(id_)
            if text and id_ not in told:
                told.add(id_)
                entries.append(Entry(" ".join(book.says(id_)) if word in ("aim", "end") else text, link=id_))
        if entries:
            found.append(Listing(tuple(entries), title=say(f"summary_{word}", lang)))
    return tuple(found)


# ---------------------------------------------------------------- what brings points


@attrs.frozen
class _Scoring:
    """Finds the sentence that says what a rule scores. ``points``: the concept for what is scored."""

    program: Program
    book: Book
    look: Look
    glossary: Glossary
    points: str | None

    def sentence(self, id_: str) -> str:
        """Of the rule's sentences, and of those about the definitions that it reads, the one that tells most: points
        with their number, and the things they depend on; the first where none does.
        """
        own = [(self._worth(text, id_), text) for text in self._said(id_)]
        other = [
            (self._worth(text, id_), text) for name in _called(_amounts(self.program, id_)) for text in self._said(name)
        ]
        if own and max(own)[0] < (_NUMBERED, 0):
            own += [(worth, text) for worth, text in other if worth >= (_NUMBERED, 0)]
        return max(own, key=lambda found: found[0])[1] if own else self.book.opening(id_)

    def _said(self, id_: str) -> list[str]:
        """The sentences of a section but for the items of an enumeration, none of which speaks for all."""
        held = [part for part in self.book.sections.get(id_, ()) if not part.aside]
        return [part.text for part in items_of(held)[0]]

    def _worth(self, text: str, id_: str) -> tuple[int, int]:
        """What a sentence tells of, and among equals how much else."""
        lang = self.book.rulebook.language
        uses = self.glossary.uses(text, lang)
        said = {concept for use in uses for concept in use.concepts}
        things = len(said & self._read(id_) - {self.points})
        ends = {number.end for number in numbers_in(text, lang)}
        counted = any(self.points in use.concepts and use.start - 1 in ends for use in uses)
        points = self.points in said and (counted or things > 0)
        return things + points * (_NUMBERED if counted else 1), len(said)

    def _read(self, id_: str) -> set[str]:
        """The concepts of what an amount is worked out from."""
        names = {node.variable for node in walk(_amounts(self.program, id_)) if isinstance(node, ir.Read)}
        names |= set(_called(_amounts(self.program, id_)))
        uses = (use for name in names for use in self.glossary.uses(self.look.label(name), self.look.lang or "en"))
        return {concept for use in uses for concept in use.concepts}


def _points(book: Book, glossary: Glossary, groups: Sequence[Sequence[str]]) -> str | None:
    """The concept that most of what scores speaks of, and little else: points. ``groups``: of sections that tell of
    one way to score. What the rules call what is worked out comes first.
    """
    sections: dict[str, set[str]] = {}
    for section in book.sections:
        uses = (use for text in book.says(section) for use in glossary.uses(text, book.rulebook.language))
        sections[section] = {concept for use in uses for concept in use.concepts}
    shared = Counter(c for group in groups for c in set().union(*(sections.get(one, set()) for one in group)))
    uses_of_names = (use for group in groups for use in glossary.uses(words(group[0]), "en"))
    own = {concept for use in uses_of_names for concept in use.concepts}
    overall = Counter(c for concepts in sections.values() for c in concepts)
    return max(shared, key=lambda concept: (shared[concept], concept in own, -overall[concept]), default=None)


_NUMBERED = 3
"""What it is worth that a sentence tells of points with their number: more than things they depend on."""


def _rules(program: Program) -> list[str]:
    """Rules that score, and definitions that decide who wins."""
    rules = [id_ for id_, rule in program.rules.items() if any(isinstance(node, ir.Score) for node in walk(rule.body))]
    return list(dict.fromkeys([*rules, *_called(program.ranks)]))


def _amounts(program: Program, id_: str) -> list[ir.Node]:
    """What works out how much a rule scores; a definition as a whole."""
    rule = program.rules.get(id_)
    if rule is not None:
        return [node for node in walk(rule.body) if isinstance(node, ir.Score)]
    definition = program.definitions.get(id_)
    return [definition] if definition is not None else []


def _called(roots: Sequence[ir.Node]) -> list[str]:
    return list(dict.fromkeys(node.definition for node in walk(list(roots)) if isinstance(node, ir.Call)))


# ---------------------------------------------------------------- the end


def _ending(program: Program) -> list[str]:
    """Rules that end the game or set what turns wait for, and who wins then."""
    return [*_ends(program), "winner"]


def _ends(program: Program) -> Iterator[str]:
    loops = [node for node in walk(list(program.rules.values())) if isinstance(node, ir.TakeTurns)]
    waited = {node.variable for loop in loops if loop.until is not None for node in walk(loop.until)
              if isinstance(node, ir.Read)} - {program.score}  # fmt: skip
    for id_, rule in program.rules.items():
        ends = any(isinstance(node, (ir.EndGame, ir.Wins)) for node in walk(rule.body))
        sets = any(isinstance(node, ir.SetValue) and node.target.variable in waited for node in walk(rule.body))
        if id_ != program.start and (ends or sets):
            yield id_
