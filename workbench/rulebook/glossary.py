"""The glossary of a game, ``text/glossary.toml``: each concept with its terms in every language.

A ``[[concept]]`` has an ``id`` and, by language, a list: the term, then forms of it that a stemmer would not find; it
is empty as long as nobody has chosen a term.
``not_nl = [...]`` are words that must not stand for it in that language, ``note`` is for people.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import attrs

from rulelang.diagnostics import Sink
from rulelang.source import SourceFile, Span

from .languages.lexicon import PoleWord, compared_classes, lexicon, pole_words
from .languages.locale import WORD, stem
from .memo import Memo
from .toml_file import read_toml

_DIVIDED = re.compile(r"[.;:!?]")
_SHORTEST_PART = 3
_SHORTEST_HEAD = 5
_LANGUAGE_KEY = re.compile(r"[a-z]{2,3}")


@attrs.frozen
class Concept:
    """``terms``: by language, the term first; ``forbidden``: by language, words that must not stand for it."""

    id: str
    terms: Mapping[str, tuple[str, ...]]
    forbidden: Mapping[str, tuple[str, ...]]
    note: str | None
    span: Span

    def term(self, language: str) -> str:
        """What it is called in a language, else its id."""
        return self.terms.get(language, (self.id,))[0]


@attrs.frozen
class TermUse:
    """A stretch of a text (offsets) that names one of ``concepts``: more than one where a word has two meanings.

    ``inside``: concepts whose terms are part of this longer one.
    """

    concepts: frozenset[str]
    start: int
    end: int
    inside: frozenset[str] = frozenset()


@attrs.frozen(eq=False, slots=False)
class Glossary:
    """The concepts of a game by id, and the uses of their terms in texts."""

    file: str
    concepts: Mapping[str, Concept]
    _memo: Memo = attrs.field(factory=Memo, init=False, repr=False)

    def uses(self, text: str, language: str) -> tuple[TermUse, ...]:
        """Where a text uses terms of the glossary, in order; the longest term wins."""
        return self._memo.once((language, text), lambda: tuple(self._index(language, forbidden=False).find(text)))

    def forbidden(self, text: str, language: str) -> tuple[TermUse, ...]:
        """Where a text uses words that must not stand for a concept and are no part of another one's term."""
        index = self._index(language, forbidden=True)
        if not index.phrases:
            return ()
        fine = self.uses(text, language)
        return tuple(u for u in index.find(text) if not any(f.start <= u.start and u.end <= f.end for f in fine))

    def count(self, text: str, language: str) -> tuple[Counter[str], Counter[str]]:
        """How often each concept is named: at least (words of one meaning), and at most (all its words)."""
        surely: Counter[str] = Counter()
        perhaps: Counter[str] = Counter()
        for use in self.uses(text, language):
            perhaps.update(use.concepts | use.inside)
            if len(use.concepts) == 1:
                surely.update(use.concepts)
        return surely, perhaps

    def implied(self, text: str, language: str) -> frozenset[str]:
        """The concepts that a text may speak of without their terms: as part of another term, in whatever language
        that shows it; in words that stand apart ("the card on top"); by a pronoun, if it is a word for a player."""
        parts = (self._parts.get(id_, frozenset()) for use in self.uses(text, language) for id_ in use.concepts)
        return frozenset(self._index(language, forbidden=False).apart(text)).union(*parts)

    @cached_property
    def _parts(self) -> Mapping[str, frozenset[str]]:
        """The concepts that are part of each concept's term in some language: card, of court card."""
        found: dict[str, set[str]] = {}
        for language in {language for concept in self.concepts.values() for language in concept.terms}:
            for id_, part in self._index(language, forbidden=False).parts():
                found.setdefault(id_, set()).add(part)
        return {id_: frozenset(parts - {id_}) for id_, parts in found.items()}

    def _index(self, language: str, *, forbidden: bool) -> _Index:
        def index() -> _Index:
            phrases: dict[tuple[str, ...], set[str]] = {}
            for concept in self.concepts.values():
                for term in (concept.forbidden if forbidden else concept.terms).get(language, ()):
                    words = tuple(stem(w[0], language) for w in WORD.finditer(term))
                    if words:
                        phrases.setdefault(words, set()).add(concept.id)
            known = {words: frozenset(ids) for words, ids in phrases.items()}
            return _Index(language, known, lexicon(language).joints)

        return self._memo.once((language, forbidden), index)


@attrs.frozen(eq=False)
class _Index:
    """Terms of one language by the stems of their words; ``joints`` as in its lexicon."""

    language: str
    phrases: Mapping[tuple[str, ...], frozenset[str]]
    joints: tuple[str, ...]

    def find(self, text: str) -> Iterator[TermUse]:
        tokens = [(stem(m[0], self.language), m.start(), m.end(), m[0].lower()) for m in WORD.finditer(text)]
        longest = max(map(len, self.phrases), default=0)
        position = 0
        while position < len(tokens):
            for length in range(min(longest, len(tokens) - position), 0, -1):
                part = tokens[position : position + length]
                stems = tuple(t[0] for t in part)
                ids = self.phrases.get(stems)
                if ids and (length == 1 or not _DIVIDED.search(text[part[0][1] : part[-1][2]])):
                    yield TermUse(ids, part[0][1], part[-1][2], self._inside(stems) - ids)
                    position += length
                    break
            else:
                _, start, end, word = tokens[position]
                for ids in self._parts(word):
                    yield TermUse(ids, start, end)
                position += 1

    def parts(self) -> Iterator[tuple[str, str]]:
        """Each concept with one whose term is part of its own."""
        for stems, ids in self.phrases.items():
            parts = self._inside(stems).union(*(found for stem_ in stems for found in self._parts(stem_)))
            yield from ((id_, part) for id_ in ids for part in parts)

    def apart(self, text: str) -> Iterator[str]:
        """The concepts of several words that all stand somewhere in a text, and those that a pronoun may stand for."""
        tokens = {stem(word, self.language) for word in WORD.findall(text)}
        player, *pronouns = lexicon(self.language).persons or [""]
        if not tokens.isdisjoint(stem(word, self.language) for word in pronouns):
            tokens.add(stem(player, self.language))
        yield from (id_ for stems, ids in self.phrases.items() if tokens.issuperset(stems) for id_ in ids)

    def _inside(self, stems: tuple[str, ...]) -> frozenset[str]:
        """The concepts of shorter terms within a term."""
        ends = [(a, b) for a in range(len(stems)) for b in range(a + 1, len(stems) + 1)]
        return frozenset(id_ for a, b in ends for id_ in self.phrases.get(stems[a:b], ()))

    def _parts(self, word: str) -> Sequence[frozenset[str]]:
        """The terms that a compound is made of: those at its end and before that, else a long one at its beginning."""
        if not self.joints or any(_is_whole(known, word) for known in pole_words(word, self.language)):
            return ()  # a word of the lexicon is none: "sofort" names no "Ort"
        for cut in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
            tail = self.phrases.get((stem(word[cut:], self.language),))
            if tail:
                return (*self._head(word[:cut]), tail)
        heads = (self._head(word[:cut]) for cut in range(len(word) - _SHORTEST_PART, _SHORTEST_HEAD - 1, -1))
        return next((head for head in heads if head), ())

    def _head(self, word: str) -> Sequence[frozenset[str]]:
        for link in self.joints:
            if word.endswith(link):
                found = self.phrases.get((stem(word[: len(word) - len(link)], self.language),))
                if found:
                    return (found,)
        return ()


def _is_whole(known: PoleWord, word: str) -> bool:
    return known.end - known.start == len(word) and known.axis not in compared_classes().compounds


# ---------------------------------------------------------------- reading


def read_glossary(folder: Path, sink: Sink, sources: dict[str, SourceFile]) -> Glossary | None:
    """``glossary.toml`` of a folder of rulebook texts; None when there is none or it cannot be read (R0902)."""
    path = folder / "glossary.toml"
    if not path.exists():
        return None
    found = read_toml(path, "R0902", sink, sources, folder.parent)
    if found is None:
        return None
    source, data = found
    name = source.name
    heads = [number for number, line in enumerate(source.lines, 1) if line.strip().startswith("[[concept]]")]
    concepts: dict[str, Concept] = {}
    rows = data.get("concept", [])
    for position, row in enumerate(rows if isinstance(rows, list) else []):
        number = heads[position] if position < len(heads) else 1
        span = Span(name, number, 1, number, len(source.lines[number - 1]) + 1)
        concept = _concept(row, span, sink)
        if concept is None:
            continue
        if concept.id in concepts:
            first = concepts[concept.id].span
            sink.error(
                "R0902",
                span,
                f"The concept `{concept.id}` appears twice; the first is at {first}.",
                help="Join the two.",
            )
        concepts[concept.id] = concept
    if not concepts:
        sink.error("R0902", Span(name, 1, 1, 1, 2), "The glossary has no concept.", help="Write [[concept]].")
    return Glossary(name, concepts)


def _concept(row: Any, span: Span, sink: Sink) -> Concept | None:
    if not isinstance(row, dict) or not isinstance(row.get("id"), str) or not row["id"].strip():
        sink.error("R0902", span, "A concept has no id.", help='Write `id = "..."`.')
        return None
    terms: dict[str, tuple[str, ...]] = {}
    forbidden: dict[str, tuple[str, ...]] = {}
    for key, value in row.items():
        if key in ("id", "note"):
            continue
        language = key.removeprefix("not_")
        if not _LANGUAGE_KEY.fullmatch(language):
            help = 'A concept has `id`, `note`, a language such as `nl = ["..."]`, and `not_nl`.'
            sink.error("R0902", span, f"A concept has no `{key}`.", help=help)
        elif (
            not isinstance(value, list)
            or not all(isinstance(v, str) and v.strip() for v in value)
            or (not value and key.startswith("not_"))
        ):
            help = f'Write `{key} = ["term", "form"]`, or leave the key out.'
            sink.error("R0902", span, f"`{key}` of `{row['id']}` must be a list of terms.", help=help)
        elif value:
            (forbidden if key.startswith("not_") else terms)[language] = tuple(" ".join(term.split()) for term in value)
    note = row.get("note")
    return Concept(row["id"].strip(), terms, forbidden, note if isinstance(note, str) else None, span)
