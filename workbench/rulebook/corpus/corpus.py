"""Corpus of a game: its rulebook texts in every language, its rules, its glossary, its sources, read together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
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

from ..glossary import Glossary, read_glossary
from ..sources import Document, Passage, text_of
from ..sources.originals import joined
from ..texts import Heading, RulebookText, Statement, check_values, fill, read_merged
from ..texts.interpolation import choices_of, settings_in_force, settled, term_of, values_in
from .canonical import canonical
from .comments import Comments, read_comments
from .confirmations import Confirmations, read_confirmations
from .excerpts import Counterpart, Excerpt, counterparts_of
from .once import Once

_LITERAL = re.compile(r"\b[0-9]+\b")


@attrs.frozen(eq=False, slots=False)
class Corpus:
    """What the checks look at.

    ``asked``: the variants asked for; ``variants``: those with the ones they build on, in their order. ``texts``: one a
    language, with those of the ``variants`` merged in; ``originals``: the lines of the documents that are available, by
    document id; ``only``: ids of statements to look at (None: all), for checking again after a small change. ``once``:
    what was worked out from the rules, the glossary and single texts, shared by every corpus that ``attrs.evolve``
    makes of this one with other texts.
    """

    files: GameFiles
    asked: tuple[str, ...]
    variants: tuple[str, ...]
    linked: Linked
    programs: tuple[Program, ...]
    texts: tuple[RulebookText, ...]
    glossary: Glossary | None
    confirmed: Confirmations
    comments: Comments = attrs.field(factory=dict)
    documents: tuple[Document, ...] = ()
    originals: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict)
    only: frozenset[str] | None = None
    once: Once = attrs.field(factory=Once, repr=False)

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages with a text, in the order of the game's header."""
        declared = self.linked.game.languages
        found = [text.language for text in self.texts]
        return tuple(sorted(found, key=lambda x: (declared.index(x) if x in declared else len(declared), x)))

    @cached_property
    def statements(self) -> Mapping[str, Mapping[str, Statement]]:
        """Statement id to language to statement, in reading order."""
        found: dict[str, dict[str, Statement]] = {}
        for language in self.languages:
            for statement in self.text_in(language).statements:
                found.setdefault(statement.id, {})[language] = statement
        return found

    @cached_property
    def wordless(self) -> frozenset[str]:
        """The statements that have a place in some text and words in none."""
        places = {p.id for text in self.texts for p in text.untranslated if isinstance(p, Statement)}
        return frozenset(places - self.statements.keys())

    @cached_property
    def added_by_variants(self) -> frozenset[str]:
        """The statements that only variants of the game add: documents may state them too."""
        found: set[str] = set()
        for name in self.files.variants:
            for text in read_merged(self.files, [name], Sink()):
                found |= {statement.id for statement in text.statements}
        return frozenset(found - self.statements.keys())

    def text_in(self, language: str) -> RulebookText:
        """The rulebook text in one of the ``languages``."""
        return next(text for text in self.texts if text.language == language)

    def groups(self) -> Iterator[tuple[str, Mapping[str, Statement]]]:
        """The statements to look at, each with its languages."""
        yield from self._looked_at

    @cached_property
    def _looked_at(self) -> tuple[tuple[str, Mapping[str, Statement]], ...]:
        return tuple((id_, group) for id_, group in self.statements.items() if self.only is None or id_ in self.only)

    def each(self) -> Iterator[tuple[str, Statement]]:
        """The statements to look at one by one, with their language."""
        for _, group in self.groups():
            yield from group.items()

    @cached_property
    def running(self) -> Mapping[str, str]:
        """The canonical text of what runs, by id."""
        return self.once.worked_out("running", lambda: canonical(self.linked, self.programs))

    @cached_property
    def literals(self) -> Mapping[str, frozenset[int]]:
        """The whole numbers in the text of what runs, by id, with the ends of the ranges it names."""
        return self.once.worked_out("literals", self._literals)

    def _literals(self) -> Mapping[str, frozenset[int]]:
        ranges = [name for name, item in self.linked.names.items() if isinstance(item, (tree.Range, tree.Grid))]
        found = {}
        for id_, text in self.running.items():
            named = [self.running[name] for name in ranges if re.search(rf"\b{name}\b", text)]
            found[id_] = frozenset(int(n) for part in (text, *named) for n in _LITERAL.findall(part))
        return found

    def filled(self, text: str, language: str) -> str:
        """A statement's text with the values of the rules in it."""

        def words() -> str:
            return fill(text, language, self.programs, Span("", 0, 0, 0, 0), Sink(), glossary=self.glossary)

        return self.once.worked_out(("filled", text, language), words)

    def settled(self) -> Iterator[tuple[str, Corpus]]:
        """The corpus as it reads under each value of the settings that its statements depend on: the setting and the
        value in words, and the statements that depend on it with no setting in them. First, without words, the whole
        corpus under the values in force.
        """
        usual = settings_in_force(self.programs)
        choices = choices_of(self.linked)
        printed: dict[str, set[str]] = {}
        for text in self.texts:
            for statement in text.statements:
                for setting in values_in(statement.text) & choices.keys():
                    printed.setdefault(setting, set()).add(statement.id)
        yield "", self._under(usual) if printed else self
        for setting, names in choices.items():
            every = frozenset(printed.get(setting, ()))
            ids = every if self.only is None else every & self.only
            for name in names if ids else ():
                if name != usual[setting]:
                    told = f"`{setting}` is `{name}`"
                    yield told, attrs.evolve(self._under({**usual, setting: name}), only=ids)

    def _under(self, values: Mapping[str, str]) -> Corpus:
        """The corpus with words in place of settings. ``values``: by setting."""
        return attrs.evolve(self, texts=tuple(self._text_under(text, values) for text in self.texts))

    def _text_under(self, text: RulebookText, values: Mapping[str, str]) -> RulebookText:
        terms = {setting: term_of(name, text.language, self.glossary) for setting, name in values.items()}

        def under(part: Heading | Statement) -> Heading | Statement:
            depends = isinstance(part, Statement) and not values_in(part.text).isdisjoint(values)
            return attrs.evolve(part, text=settled(part.text, values, terms)) if depends else part

        return attrs.evolve(text, parts=tuple(map(under, text.parts)))

    @cached_property
    def excerpts(self) -> tuple[Excerpt, ...]:
        """The passages of all documents, in order."""
        return tuple(
            Excerpt(document, passage, self._text(document, passage))
            for document in self.documents
            for passage in document.passages
        )

    def _text(self, document: Document, passage: Passage) -> str | None:
        lines = self.originals.get(document.id)
        return None if lines is None else joined(lines[passage.first - 1 : passage.last])

    @cached_property
    def counterparts(self) -> tuple[Counterpart, ...]:
        """What documents say about the same statements, pair by pair."""
        return tuple(counterparts_of(self.excerpts))


def read_corpus(
    files: GameFiles,
    variants: Sequence[str],
    documents: Sequence[Document],
    folder: Path | None,
    sink: Sink,
) -> Corpus | None:
    """Reads all that is compared. Mistakes of form go to ``sink``; None when the rules themselves do not link.

    ``documents``: those about this game; ``folder``: where they are, if they are available.
    Raises RulesError when the rules have mistakes.
    """
    programs = workspace.default().programs(files, variants)
    linked = workspace.default().linked(files, variants, sink)
    if linked is None:
        return None
    texts = read_merged(files, variants, sink)
    glossary = read_glossary(files.root / "text", sink, files.sources)
    for text in texts:
        check_values(text, files, variants, programs, glossary, sink)
    folders = sorted({Path(statement.span.file).parent for text in texts for statement in text.statements})
    corpus = Corpus(
        files,
        tuple(variants),
        linked.variants,
        linked,
        tuple(programs),
        tuple(texts),
        glossary,
        read_confirmations(folders, sink, files.sources),
        read_comments(folders, sink, files.sources),
    )
    return with_documents(corpus, documents, folder)


def with_documents(corpus: Corpus, documents: Sequence[Document], folder: Path | None) -> Corpus:
    """The corpus with these documents, and their lines as far as they are in ``folder``."""
    originals = {d.id: lines for d in documents if (lines := text_of(d, folder)) is not None}
    return attrs.evolve(corpus, documents=tuple(documents), originals=originals)
