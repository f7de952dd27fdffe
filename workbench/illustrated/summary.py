"""Pages to look things up: a summary, an index of terms, and the symbols in running text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

import attrs

from rulelang.program import Program
from rulelang.program import nodes as ir
from rulelang.program.walk import walk
from rulelang.source import NOWHERE

from ..pictures.build.facts import PLAYER, facts_of
from ..pictures.build.piece_parts import Maker
from ..pictures.paint.svg import emblem
from ..pictures.scene.look import Look, words
from ..rulebook.glossary import Concept, Glossary
from ..rulebook.languages.catalogue import say
from ..rulebook.languages.catalogue import section as words_of
from ..rulebook.languages.locale import alphabetical
from ..rulebook.languages.numbers import numbers as numbers_in
from ..rulebook.print import Rulebook, StatementPart
from ..rulebook.print.document import Piece, Sentence
from ..rulebook.print.matter import ListEntry, Listing, TermIndex, items_of
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
        ("end", [*_ends(program), "winner"]),
        ("numbers", [name for name in program.numbers if name not in numbers]),
    )
    found = []
    for word, ids in lists:
        entries = []
        for id_ in ids:
            text = scoring.sentence(id_) if word == "points" else book.valued(id_)
            if text and id_ not in told:
                told.add(id_)
                entries.append(ListEntry(" ".join(book.says(id_)) if word in ("aim", "end") else text, link=id_))
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


def _ends(program: Program) -> Iterator[str]:
    loops = [node for node in walk(list(program.rules.values())) if isinstance(node, ir.TakeTurns)]
    waited = {node.variable for loop in loops if loop.until is not None for node in walk(loop.until)
              if isinstance(node, ir.Read)} - {program.score}  # fmt: skip
    for id_, rule in program.rules.items():
        ends = any(isinstance(node, (ir.EndGame, ir.Wins)) for node in walk(rule.body))
        sets = any(isinstance(node, ir.SetValue) and node.target.variable in waited for node in walk(rule.body))
        if id_ != program.start and (ends or sets):
            yield id_


_SECTIONS = 5
"""A term leads to at most so many sections: those that speak of it most."""
_RARE = 4
"""A term in so many sections at most is about what these tell."""
_SPREAD = 0.7
"""A term of which the sections lie in more than this share of as many chapters is about nothing in particular."""


def index_of(program: Program, glossary: Glossary, book: Book, parts: Sequence[str]) -> TermIndex:
    """The terms in the order of the alphabet. ``parts``: what lists of components and the like call its parts."""
    lang = book.rulebook.language
    found = _Terms(
        program, glossary, book, frozenset(_named(program, glossary, book, parts)), _everyday(glossary, lang)
    )
    order = {section: number for number, section in enumerate(book.sections)}
    terms: dict[str, set[str]] = {}
    for concept, sections in found.chosen():
        own = {concept.id} & sections.keys()
        best = own | {section for section, _ in sections.most_common(_SECTIONS - len(own))}
        terms.setdefault(concept.term(lang), set()).update(best)
    listed = []
    for term in sorted(terms, key=lambda term: alphabetical(term, lang)):
        where = sorted(terms[term], key=order.__getitem__)
        listed.append((term, tuple((section, book.chapters[section]) for section in where)))
    return TermIndex(tuple(listed))


@attrs.frozen
class _Terms:
    """``named``: concepts that name something of the game; ``everyday``: those of any game."""

    program: Program
    glossary: Glossary
    book: Book
    named: frozenset[str]
    everyday: frozenset[str]

    def chosen(self) -> Iterator[tuple[Concept, Counter[str]]]:
        """The concepts that help, with their sections; what begins with one counts twice."""
        lang = self.book.rulebook.language
        uses: dict[str, Counter[str]] = {}
        for section in self.book.sections:
            for number, text in enumerate(self.book.says(section)):
                for use in self.glossary.uses(text, lang):
                    for id_ in use.concepts:
                        uses.setdefault(id_, Counter())[section] += 2 if number == 0 else 1
        for id_, sections in uses.items():
            concept = self.glossary.concepts[id_]
            if lang in concept.terms and (id_ in self.named or self._tells(concept, sections)):
                yield concept, sections

    def _tells(self, concept: Concept, sections: Mapping[str, int]) -> bool:
        """Whether a concept that names no part is about something of its own."""
        if concept.id in self.everyday or not _noun(concept):
            return False
        chapters = {self.book.chapters[section] for section in sections}
        return len(sections) <= _RARE or len(chapters) <= _SPREAD * len(sections)


def _named(program: Program, glossary: Glossary, book: Book, parts: Sequence[str]) -> Iterator[str]:
    """Concepts that stand for something the rules declare, for a part, or for what one chapter alone is about."""
    lang = book.rulebook.language
    declared = {*program.variables, *program.definitions, *program.numbers, *program.rules}
    for domain in program.domains.values():
        if domain.name != PLAYER:
            declared |= {domain.name, *(member for member in domain.members if isinstance(member, str))}
    for name in declared:
        yield from _whole(words(name), "en", glossary)
    for part in parts:
        yield from _whole(part, lang, glossary)
    headings = [heading for heading in dict.fromkeys(book.chapters.values()) if heading]
    met = Counter(
        id_ for heading in headings for id_ in {c for use in glossary.uses(heading, lang) for c in use.concepts}
    )
    yield from (id_ for id_, number in met.items() if number == 1)


def _whole(text: str, lang: str, glossary: Glossary) -> Iterator[str]:
    """The concepts that a text as a whole is a term of."""
    for use in glossary.uses(text, lang):
        if (use.start, use.end) == (0, len(text)):
            yield from use.concepts


def _everyday(glossary: Glossary, lang: str) -> frozenset[str]:
    """Concepts that words about any game speak of."""
    said = (text for name in ("players", "summary", "result") for text in words_of(name, lang).values())
    return frozenset(concept for text in said for use in glossary.uses(text, lang) for concept in use.concepts)


def _noun(concept: Concept) -> bool:
    """Whether the term is a noun, as far as can be seen: German, where the glossary has it, writes these large."""
    terms = concept.terms.get("de", ())
    return not terms or any(letter.isupper() for letter in terms[0])


_MARK = "symbol "


def with_symbols(
    rulebook: Rulebook, program: Program, look: Look, glossary: Glossary | None
) -> tuple[Rulebook, Mapping[str, str]]:
    """The rulebook with the names of symbols in its sentences, and these symbols: SVG elements by name."""
    drawn = dict(_drawn(program, look))
    names = {name: f"emblem-{number}" for number, name in enumerate(drawn, 1)}
    known = _joined(glossary, drawn, look)
    used: dict[str, str] = {}
    parts = []
    section, met = "", set[str]()
    for part in rulebook.parts:
        if isinstance(part, StatementPart):
            if part.section != section:
                section, met = part.section, set()
            marked = tuple(_marked(part.sentence, known, rulebook.language, names, met))
            used |= {piece.symbol: "" for piece in marked if piece.symbol}
            part = attrs.evolve(part, sentence=marked)
        parts.append(part)
    symbols = {names[name]: svg for name, svg in drawn.items() if names[name] in used}
    return attrs.evolve(rulebook, parts=tuple(parts)), symbols


def _drawn(program: Program, look: Look) -> Iterator[tuple[str, str]]:
    """What has a symbol of its own, with the emblem; places before the kinds of pieces."""
    make = Maker(facts_of(program), look)
    for name in sorted(look.styles, key=lambda name: ("~" in name, name)):
        domain, _, member = name.partition("~")
        if member and member in getattr(program.domains.get(domain), "members", ()):
            hue = make.hue(program.domains[domain], member)
        elif name in program.variables:
            hue = "plain"
        else:
            continue
        svg = emblem(look.of(name), hue)
        if svg is not None:
            yield name, svg


def _joined(glossary: Glossary | None, drawn: Mapping[str, str], look: Look) -> Glossary:
    """The glossary with what has a symbol: by its label, and by the forms of the concept that has its name."""
    concepts = dict(glossary.concepts) if glossary is not None else {}
    lang = look.lang or "en"
    for name in drawn:
        bare = name.rpartition("~")[2]
        forms = concepts[bare].terms.get(lang, ()) if bare in concepts else ()
        terms = {lang: (look.label(name), *forms)}
        concepts[_MARK + name] = Concept(_MARK + name, terms, {}, None, NOWHERE)
    return Glossary("", concepts)


def _marked(sentence: Sentence, known: Glossary, lang: str, names: Mapping[str, str], met: set[str]) -> Iterator[Piece]:
    """The pieces, cut where a symbol comes. ``met``: the symbols that the section has already."""
    for piece in sentence:
        if piece.placeholder is not None:
            yield piece
            continue
        at, symbol = 0, piece.symbol
        for use in known.uses(piece.text, lang):
            found = [names[name] for name in names if _MARK + name in use.concepts]
            if found and use.start >= at and met.isdisjoint(found):
                if use.start > at or symbol:
                    yield attrs.evolve(piece, text=piece.text[at : use.start], symbol=symbol)
                at, symbol = use.start, found[0]
                met.add(symbol)
        yield attrs.evolve(piece, text=piece.text[at:], symbol=symbol)
