"""Corpus of a game: its rulebook texts in every language, its rules, its glossary, its sources, read together.

What runs is written down in one canonical form, by id, that can be hashed: as the printer writes it. The text of a rule
leaves out the bodies of rules and options inside it, which have sections of their own; the text of a table has its
rows, wherever they are kept.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import attrs

from rulelang import workspace
from rulelang.diagnostics import Sink
from rulelang.files.folder import GameFiles
from rulelang.link import Linked
from rulelang.program import Program
from rulelang.source import Span
from rulelang.syntax import tree
from rulelang.syntax.printer import INDENT, lines
from rulelang.syntax.walk import rewrite, rules_in

from ..glossary import Glossary, read_glossary
from ..memo import Memo
from ..sources import Document, SourcePassage, text_of
from ..sources.maps import joined_lines
from ..texts import Heading, RulebookText, Statement, check_values, fill, read_merged
from ..texts.interpolation import choices_of, settings_in_force, settled, term_of, values_in
from .journals import COMMENTS, Comment, Confirmation, Key, read_confirmations

_LITERAL = re.compile(r"\b[0-9]+\b")


@attrs.frozen(eq=False, slots=False)
class Corpus:
    """What the checks look at.

    ``asked``: the variants asked for; ``variants``: those with the ones they build on, in their order. ``texts``: one a
    language, with those of the ``variants`` merged in; ``originals``: the lines of the documents that are available, by
    document id; ``only``: ids of statements to look at (None: all), for checking again after a small change. ``memo``:
    what was worked out from the rules, the glossary and single texts, shared by every corpus that ``attrs.evolve``
    makes of this one with other texts; so checking again, or under each value of the settings, costs what has changed.
    ``own``: what holds of this corpus alone.
    """

    files: GameFiles
    asked: tuple[str, ...]
    variants: tuple[str, ...]
    linked: Linked
    programs: tuple[Program, ...]
    texts: tuple[RulebookText, ...]
    glossary: Glossary | None
    confirmed: Mapping[Key, Confirmation]
    comments: Mapping[Key, tuple[Comment, ...]] = attrs.field(factory=dict)
    documents: tuple[Document, ...] = ()
    originals: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict)
    only: frozenset[str] | None = None
    memo: Memo = attrs.field(factory=Memo, repr=False)
    own: Memo = attrs.field(factory=Memo, init=False, repr=False)

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
        return self.memo.once("running", lambda: canonical(self.linked, self.programs))

    @cached_property
    def literals(self) -> Mapping[str, frozenset[int]]:
        """The whole numbers in the text of what runs, by id, with the ends of the ranges it names."""
        return self.memo.once("literals", self._literals)

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

        return self.memo.once(("filled", text, language), words)

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

    def _text(self, document: Document, passage: SourcePassage) -> str | None:
        lines = self.originals.get(document.id)
        return None if lines is None else joined_lines(lines[passage.first - 1 : passage.last])

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
        COMMENTS.read(folders, sink, files.sources),
    )
    return with_documents(corpus, documents, folder)


def with_documents(corpus: Corpus, documents: Sequence[Document], folder: Path | None) -> Corpus:
    """The corpus with these documents, and their lines as far as they are in ``folder``."""
    originals = {d.id: lines for d in documents if (lines := text_of(d, folder)) is not None}
    return attrs.evolve(corpus, documents=tuple(documents), originals=originals)


# ---------------------------------------------------------------- excerpts of documents


_ALIKE = 0.4
"""The share of their statements that passages have in common, at least, when they say much the same."""

_NEIGHBOURS = 8
"""The most lines between two passages of one stretch."""


@attrs.frozen(eq=False)
class Excerpt:
    """A passage with its document and, where the document is available, its text with words mended at line ends."""

    document: Document
    passage: SourcePassage
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


def counterparts_of(excerpts: Sequence[Excerpt]) -> Iterator[Counterpart]:
    """For every passage and every place of every document that states much the same, all that is said there.

    Documents cut their texts differently, so a passage is compared with a stretch of neighbouring ones; they also
    say things twice (rules, summary), and each place counts by itself. Within its own document a passage is
    compared with those that state just the same. Examples are compared with examples. Excerpts without text are left
    out.
    """
    by_statement: dict[str, list[Excerpt]] = {}
    for excerpt in excerpts:
        for statement in excerpt.passage.states if excerpt.text else ():
            by_statement.setdefault(statement, []).append(excerpt)
    for one in excerpts:
        near: dict[Excerpt, float] = {}
        for other in (o for statement in one.passage.states for o in by_statement.get(statement, ())):
            share = _share(one.passage.states, other.passage.states)
            alike = share == 1 if other.document.id == one.document.id else True
            example = (one.passage.kind == "example") == (other.passage.kind == "example")
            if one.text and other is not one and alike and example:
                near[other] = share
        for stretch in _stretches(near):
            best = max(stretch, key=lambda other: (near[other], -other.passage.first))
            if near[best] >= _ALIKE:
                text = "\n\n".join(other.text or "" for other in stretch)
                yield Counterpart(one, best, text, near[best])


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


def _share(one: Sequence[str], other: Sequence[str]) -> float:
    return len(set(one) & set(other)) / len({*one, *other})


# ---------------------------------------------------------------- canonical text of what runs


def canonical(linked: Linked, programs: Sequence[Program]) -> dict[str, str]:
    """Id to text, for every id that a section of the rulebook can have."""
    found = {name: _declaration(name, item, linked) for name, item in linked.names.items()}
    for name in found.keys() & {name for program in programs for name in program.tables}:
        found[name] += "\n" + "\n".join(_table_rows(program, name) for program in programs if name in program.tables)
    for name, adjustments in linked.adjustments.items():
        found[name] = "\n".join([found.get(name, ""), *map(_printed, adjustments)])
    for rule in linked.rules.values():
        found |= {inner.id: _own_text(inner) for inner in rules_in(rule)}
    found |= {invariant.id: _printed(invariant) for invariant in linked.invariants.values()}
    if linked.winner is not None:
        found["winner"] = _printed(linked.winner)
    return found


def short_hash(text: str) -> str:
    """Enough of a SHA-256 to see that a text has changed."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _printed(item: Any) -> str:
    return "\n".join(INDENT * line.indent + line.text for line in lines(item))


def _declaration(name: str, item: Any, linked: Linked) -> str:
    if isinstance(item, tree.Variable):
        item = tree.Variables(linked.owners.get(name, ()), (item,), linked.keys.get(name, ()), span=item.span)
    return _printed(item)


def _table_rows(program: Program, name: str) -> str:
    """A table's rows as plain text; long tables as a hash."""
    table = program.tables[name]
    columns = [f"{column}: {cells!r}" for column, cells in sorted(table.cells.items())]
    text = "\n".join([repr(table.domain.members), *columns])
    return f"{program.players} players, rows {short_hash(text)}"


def _own_text(node: tree.Rule | tree.MenuOption) -> str:
    """The lines of a rule or option, with empty bodies in the rules and options inside it."""
    body = tuple(rewrite(statement, _emptied) for statement in node.body)
    if isinstance(node, tree.Rule):
        return _printed(attrs.evolve(node, body=body))
    # An option has no item of its own; a rule with its body prints the same lines.
    menu = tree.Menu(True, tree.Name("p", span=node.span), (attrs.evolve(node, body=()),), span=node.span)
    head = _printed(tree.Rule(node.id, (), (), (menu,), span=node.span)).splitlines()[-1].strip()
    return "\n".join([head, *_printed(tree.Rule(node.id, (), (), body, span=node.span)).splitlines()[1:]])


def _emptied(node: tree.Node) -> tree.Node:
    return attrs.evolve(node, body=()) if isinstance(node, (tree.Rule, tree.MenuOption)) else node
