"""Notes for translators: what they should know about a sentence besides its words."""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.diagnostics import Sink
from rulelang.files.folder import GameFiles
from rulelang.program import Program
from rulelang.source import Span

from ..corpus import Corpus
from ..corpus.corpus import short_hash
from ..glossary import Glossary
from ..sources import read_documents, seeds_folder
from ..texts import Heading, Statement, fill
from ..texts.interpolation import placeholders, spoken
from .text_files import TextFile
from .units import Note, Term

_RULE_LINES = 15
"""The most lines of a rule that a note shows."""


def basis_of(corpus: Corpus, part: Heading | Statement) -> str:
    """A hash of a source sentence and of what runs: a review made on another basis says nothing. Headings have none."""
    if isinstance(part, Heading):
        return ""
    return short_hash(f"{part.text}\n{corpus.running.get(part.section, '')}")


def terms_of(glossary: Glossary | None, part: Heading | Statement, source: str, target: str) -> tuple[Term, ...]:
    """The terms of the glossary that a sentence uses, as far as they have a name in the other language."""
    if glossary is None:
        return ()
    used = (id_ for use in glossary.uses(spoken(part.text), source) for id_ in sorted(use.concepts))
    concepts = [glossary.concepts[id_] for id_ in dict.fromkeys(used)]
    return tuple(Term(c.id, c.term(source), c.terms[target], c.note) for c in concepts if target in c.terms)


class Notes:
    """The notes of one text, sentence by sentence. ``values``: placeholder (with braces) to what it prints as."""

    def __init__(self, corpus: Corpus, text: TextFile) -> None:
        self.corpus = corpus
        self.language = text.text.language
        self.values: dict[str, str] = {}
        self.passages = _passages(corpus.files)
        self.chapters = _chapters(text)
        self.told: set[str] = set()

    def of(self, part: Heading | Statement) -> tuple[Note, ...]:
        if isinstance(part, Heading):
            return ()
        found = (
            Note("values", self._values(part)),
            Note("section", part.section),
            Note("chapter", self.chapters.get(part.id, "")),
            Note("rule", self._rule(part.section)),
            Note("sources", self.passages.get(part.id, "")),
        )
        return tuple(note for note in found if note.text)

    def _values(self, statement: Statement) -> str:
        names = placeholders(statement.text)
        for name in names:
            sink = Sink()
            value = fill(name, self.language, self.corpus.programs, statement.span, sink, glossary=self.corpus.glossary)
            self.values.setdefault(name, "" if sink.has_errors else value)
        return ", ".join(f"{name} = {self.values[name]}" for name in dict.fromkeys(names) if self.values[name])

    def _rule(self, section: str) -> str:
        """Where what runs is written, and how it begins; only with the first statement about it."""
        running = self.corpus.running.get(section)
        if running is None or section in self.told:
            return ""
        self.told.add(section)
        lines = running.strip().split("\n")
        more = ["..."] if len(lines) > _RULE_LINES else []
        span = _place(self.corpus.programs[-1], section)
        return "\n".join([*([f"{span.file}:{span.line}"] if span else []), *lines[:_RULE_LINES], *more])


def _place(program: Program, id_: str) -> Span | None:
    """Where what has this id is declared."""
    for domain in (program.rules, program.tables, program.settings, program.definitions, program.graphs):
        if id_ in domain:
            span: Span = domain[id_].span
            return span if span.file else None
    return None


def _chapters(text: TextFile) -> dict[str, str]:
    """Statement id to the heading it is under."""
    found: dict[str, str] = {}
    heading = ""
    for id_, part in text.parts.items():
        if isinstance(part, Heading):
            heading = part.text
        else:
            found[id_] = heading
    return found


def _passages(files: GameFiles) -> Mapping[str, str]:
    """Statement id to the lines of the source documents that state it."""
    assert files.game is not None
    folder = seeds_folder(files.root)
    found: dict[str, list[str]] = {}
    for document in read_documents(folder, Sink()) if folder is not None else ():
        if document.game == files.game.name:
            for passage in document.passages:
                for statement in passage.states:
                    found.setdefault(statement, []).append(f"{document.id} {passage.lines}")
    return {statement: ", ".join(places) for statement, places in found.items()}
