"""All that the checks compare: a game's rulebook texts in every language, its rules, its glossary, its sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

import attrs

from rulelang import workspace
from rulelang.diagnostics import Sink
from rulelang.files.folder import GameFiles
from rulelang.link import Linked
from rulelang.program import Program
from rulelang.source import Span
from rulelang.syntax import tree

from ..sources.documents import Document, Passage, text_of
from ..texts import Book, Statement, fill, read_merged
from .confirmed import Confirmations, read_confirmed
from .glossary import Glossary, read_glossary
from .running import canonical

_HYPHEN = re.compile(r"(?<=\w)[-‐][ \t]*\n(?=[a-zà-ÿ])")
_ALIKE = 0.4
"""Passages that have at least this share of their statements in common say much the same."""

_NEIGHBOURS = 8
"""Lines between passages of one stretch at most."""

_LITERAL = re.compile(r"\b[0-9]+\b")


@attrs.frozen(eq=False)
class Excerpt:
    """A passage with its document and, where the document is at hand, its text with words mended at line ends."""

    document: Document
    passage: Passage
    text: str | None

    @property
    def language(self) -> str:
        return self.document.language

    @property
    def span(self) -> Span:
        return self.passage.span

    @property
    def name(self) -> str:
        """How messages call it: ``rulebook-nl, lines 12-14``."""
        word = "line" if self.passage.first == self.passage.last else "lines"
        return f"{self.document.id}, {word} {self.passage.lines}"


@attrs.frozen
class Counterpart:
    """A passage and what one document says about the same statements: all of it (``text``), and where mostly.

    ``share``: the share of statements that ``one`` and ``other`` have in common.
    """

    one: Excerpt
    other: Excerpt
    text: str
    share: float


@attrs.frozen(eq=False, slots=False)
class Corpus:
    """What the checks look at.

    ``asked``: the variants asked for; ``variants``: those with the ones they stand on, in their order. ``books``: one a
    language, with the texts of the ``variants`` merged in; ``texts``: lines of the documents at hand by document id;
    ``only``: ids of statements to look at (None: all), for checking again after a small change.
    """

    files: GameFiles
    asked: tuple[str, ...]
    variants: tuple[str, ...]
    linked: Linked
    programs: tuple[Program, ...]
    books: tuple[Book, ...]
    glossary: Glossary | None
    confirmed: Confirmations
    documents: tuple[Document, ...] = ()
    texts: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict)
    only: frozenset[str] | None = None
    _filled: dict[str, str] = attrs.field(factory=dict, repr=False)

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages with a text, in the order of the game's header."""
        declared = self.linked.game.languages
        found = [book.language for book in self.books]
        return tuple(sorted(found, key=lambda x: (declared.index(x) if x in declared else len(declared), x)))

    @cached_property
    def statements(self) -> Mapping[str, Mapping[str, Statement]]:
        """Statement id to language to statement, in reading order."""
        found: dict[str, dict[str, Statement]] = {}
        for language in self.languages:
            book = next(b for b in self.books if b.language == language)
            for statement in book.statements:
                found.setdefault(statement.id, {})[language] = statement
        return found

    @cached_property
    def overlaid(self) -> frozenset[str]:
        """The statements that only variants of the game add: documents may state them too."""
        found: set[str] = set()
        for name in self.files.variants:
            for book in read_merged(self.files, [name], Sink()):
                found |= {statement.id for statement in book.statements}
        return frozenset(found - self.statements.keys())

    def groups(self) -> Iterator[tuple[str, Mapping[str, Statement]]]:
        """The statements to look at, each with its languages."""
        for id_, group in self.statements.items():
            if self.only is None or id_ in self.only:
                yield id_, group

    def each(self) -> Iterator[tuple[str, Statement]]:
        """The statements to look at one by one, with their language."""
        for _, group in self.groups():
            yield from group.items()

    @cached_property
    def running(self) -> Mapping[str, str]:
        """The canonical text of what runs, by id."""
        return canonical(self.linked, self.programs)

    @cached_property
    def literals(self) -> Mapping[str, frozenset[int]]:
        """The whole numbers that stand in the text of what runs, by id, with the ends of the ranges it names."""
        ranges = [name for name, item in self.linked.names.items() if isinstance(item, (tree.Range, tree.Grid))]
        found = {}
        for id_, text in self.running.items():
            named = [self.running[name] for name in ranges if re.search(rf"\b{name}\b", text)]
            found[id_] = frozenset(int(n) for part in (text, *named) for n in _LITERAL.findall(part))
        return found

    def filled(self, text: str) -> str:
        """A statement's text with the values of the rules in it."""
        if text not in self._filled:
            self._filled[text] = fill(text, self.programs, Span("", 0, 0, 0, 0), Sink())
        return self._filled[text]

    @cached_property
    def excerpts(self) -> tuple[Excerpt, ...]:
        """The passages of all documents, in order."""
        return tuple(
            Excerpt(document, passage, self._text(document, passage))
            for document in self.documents
            for passage in document.passages
        )

    def _text(self, document: Document, passage: Passage) -> str | None:
        lines = self.texts.get(document.id)
        return None if lines is None else joined(lines[passage.first - 1 : passage.last])

    @cached_property
    def counterparts(self) -> tuple[Counterpart, ...]:
        """For every passage and every place of every document that states much the same, all that is said there.

        Documents cut their texts differently, so a passage is compared with a stretch of neighbouring ones; they also
        say things twice (rules, summary), and each place counts by itself. Within its own document a passage is
        compared with those that state just the same. Examples are compared with examples. Only where texts are at hand.
        """
        by_statement: dict[str, list[Excerpt]] = {}
        for excerpt in self.excerpts:
            for state in excerpt.passage.states if excerpt.text else ():
                by_statement.setdefault(state, []).append(excerpt)
        found: list[Counterpart] = []
        for one in self.excerpts:
            near: dict[Excerpt, float] = {}
            for other in (o for state in one.passage.states for o in by_statement.get(state, ())):
                share = _share(one.passage.states, other.passage.states)
                alike = share == 1 if other.document.id == one.document.id else True
                example = (one.passage.kind == "example") == (other.passage.kind == "example")
                if one.text and other is not one and alike and example:
                    near[other] = share
            for stretch in _stretches(near):
                best = max(stretch, key=lambda other: (near[other], -other.passage.first))
                if near[best] >= _ALIKE:
                    text = "\n\n".join(other.text or "" for other in stretch)
                    found.append(Counterpart(one, best, text, near[best]))
        return tuple(found)


def _stretches(excerpts: Iterable[Excerpt]) -> Iterator[list[Excerpt]]:
    """The excerpts in groups of one document with few lines between them."""
    group: list[Excerpt] = []
    for excerpt in sorted(excerpts, key=lambda e: (e.document.id, e.passage.first)):
        last = group[-1] if group else None
        if last is not None and (
            last.document.id != excerpt.document.id or excerpt.passage.first - last.passage.last > _NEIGHBOURS
        ):
            yield group
            group = []
        group.append(excerpt)
    if group:
        yield group


def joined(lines: Sequence[str]) -> str:
    """The lines as one text; words cut at the end of a line are whole again."""
    return _HYPHEN.sub("", "\n".join(lines))


def _share(one: Sequence[str], other: Sequence[str]) -> float:
    return len(set(one) & set(other)) / len({*one, *other})


def gather(
    files: GameFiles,
    variants: Sequence[str],
    documents: Sequence[Document],
    folder: Path | None,
    sink: Sink,
) -> Corpus | None:
    """Reads all that is compared. Mistakes of form go to ``sink``; None when the rules themselves do not link.

    ``documents``: those of this game; ``folder``: where their texts are, if they are at hand.
    Raises RulesError when the rules have mistakes.
    """
    programs = workspace.default().programs(files, variants)
    linked = workspace.default().linked(files, variants, sink)
    if linked is None:
        return None
    books = read_merged(files, variants, sink)
    for book in books:
        for statement in book.statements:
            fill(statement.text, programs, statement.span, sink)
    folders = sorted({Path(s.span.file).parent for book in books for s in book.statements})
    corpus = Corpus(
        files,
        tuple(variants),
        linked.variants,
        linked,
        tuple(programs),
        tuple(books),
        read_glossary(files.root / "text", sink, files.sources),
        read_confirmed(folders, sink, files.sources),
    )
    return with_documents(corpus, documents, folder)


def with_documents(corpus: Corpus, documents: Sequence[Document], folder: Path | None) -> Corpus:
    """The corpus with these documents, and their texts as far as they are in ``folder``."""
    texts = {d.id: text for d in documents if (text := text_of(d, folder)) is not None}
    return attrs.evolve(corpus, documents=tuple(documents), texts=texts)
