"""Jobs for translators, made from the texts of a game, with notes: what they should know besides the words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import attrs

from rulelang.diagnostics import Sink
from rulelang.files.folder import GameFiles, shown
from rulelang.program import Program
from rulelang.source import Span

from ..corpus import WITHDRAWALS, Corpus, State, Withdrawal, read_corpus, statement_states
from ..corpus.corpus import short_hash
from ..corpus.journals import ORIGINS, Origin
from ..glossary import Glossary
from ..sources import read_documents, seeds_folder
from ..texts import Heading, Statement, fill
from ..texts.interpolation import choices_of, placeholders, spoken, term_of
from . import units as u


def make_job(files: GameFiles, variant: str | None, source: str, target: str) -> u.Job:
    """The texts in ``source`` beside those in ``target``, as far as they are there.

    Raises ExchangeError (no text in the source language, a language the game does not name, text that no file can
    carry) and RulesError (mistakes in rules or texts).
    """
    u.check_languages(files, source, target)
    here = u.read_text_file(files, variant, source)
    if here is None:
        raise u.ExchangeError(f"There is no text in `{source}`: {_missing(files, variant, source)}.")
    there = u.read_text_file(files, variant, target, like=here)
    corpus = read_corpus(files, [] if variant is None else [variant], (), None, Sink())
    assert corpus is not None
    _check_carriable(here, there)
    notes, known = Notes(corpus, here), statement_states(corpus)
    file = u.path_of(files, variant, target)
    shown_as = shown(file) if there is None else there.text.file
    journal = WITHDRAWALS.read([file.parent], Sink(), {})
    origins = ORIGINS.read([file.parent], Sink(), {})
    units = []
    for id_, part in here.parts.items():
        if not part.text:
            continue
        section = part.section if isinstance(part, Statement) else ""
        translated = None if there is None else there.parts.get(id_)
        if translated is None or not translated.text:
            text, state = None, u.NEW
        else:
            text, state = translated.text, known.get(id_, {}).get(target, u.TRANSLATED)
        kept = corpus.confirmed.get((shown_as, id_)) if state == u.REVIEWED else None
        units.append(
            u.SentenceUnit(
                id_,
                section,
                part.text,
                text,
                state,
                (*notes.of(part), *_taken_back(journal.get((shown_as, id_), ()), state)),
                part.span.line,
                comments=corpus.comments.get((shown_as, id_), ()),
                terms=terms_of(corpus.glossary, part, source, target),
                basis=basis_of(corpus, part),
                others=_others(corpus, id_, source, target),
                before=_older(part, source, origins.get((shown_as, id_), ())) if text else "",
                reviewer="" if kept is None else " ".join(filter(None, (kept.by, kept.on and f"[{kept.on}]"))),
            )
        )
    return u.Job(
        u.name_of(files, variant),
        source,
        target,
        file=here.path.relative_to(files.root).as_posix() if here.path.is_relative_to(files.root) else here.path.name,
        units=tuple(units),
        values=notes.values,
        choices={
            setting: {name: term_of(name, source, corpus.glossary) for name in names}
            for setting, names in choices_of(corpus.linked).items()
        },
    )


def _older(part: Heading | Statement, source: str, origins: Sequence[Origin]) -> str:
    """What a sentence was when it was translated, if that is known and something else."""
    return next((one.text for one in origins if one.language == source and one.text != part.text), "")


def _taken_back(journal: Sequence[Withdrawal], state: State) -> Iterator[u.Note]:
    """A note for whoever reviews a sentence again of which a review was withdrawn."""
    if journal and state != u.REVIEWED:
        yield u.Note("review", str(journal[-1]))


def make_jobs(files: GameFiles, variant: str | None, source: str) -> list[u.Job]:
    """A Job for ``source`` beside each other language of the game that has a text. Raises as ``make_job``."""
    assert files.game is not None
    others = [code for code in files.game.languages if code != source and u.path_of(files, variant, code).exists()]
    if not others:
        raise u.ExchangeError(f"{u.name_of(files, variant)} has no text in a language besides `{source}`.")
    return [make_job(files, variant, source, code) for code in others]


def _missing(files: GameFiles, variant: str | None, language: str) -> str:
    path = u.path_of(files, variant, language)
    there = [p.stem.rpartition(".")[2] for p in sorted(path.parent.glob(path.name.replace(f"{language}.md", "*.md")))]
    there = [code for code in there if files.game is not None and code in files.game.languages]
    return f"write {path.name} first" + (f", or take one of {', '.join(there)} with --from" if there else "")


def _check_carriable(*texts: u.TextFile | None) -> None:
    problems = [
        f"{part.span.file}:{part.span.line}: `{id_}` holds the character {bad}, which exchange files cannot carry; "
        "delete it."
        for text in texts
        if text is not None
        for id_, part in text.parts.items()
        if (bad := u.unprintable(part.text)) is not None
    ]
    if problems:
        raise u.ExchangeError(*problems)


# ---------------------------------------------------------------- notes


_RULE_LINES = 15
"""The most lines of a rule that a note shows."""


def basis_of(corpus: Corpus, part: Heading | Statement) -> str:
    """A hash of a source sentence and of what runs: a review made on another basis says nothing. Headings have none."""
    if isinstance(part, Heading):
        return ""
    return short_hash(f"{part.text}\n{corpus.running.get(part.section, '')}")


def _others(corpus: Corpus, id_: str, *languages: str) -> Mapping[str, str]:
    """A statement in the languages other than these."""
    return {name: s.text for name, s in corpus.statements.get(id_, {}).items() if name not in languages and s.text}


def since(job: u.Job, earlier: u.Delivery) -> u.Job:
    """A job that knows which sources are no longer those of an earlier file, and what they were."""
    sources = {entry.id: entry.source for entry in earlier.entries if entry.source and entry.target}
    before = {
        unit.id: old for unit in job.units if (old := sources.get(unit.id)) and old != unit.source and unit.target
    }
    units = (attrs.evolve(unit, before=before.get(unit.id, "")) for unit in job.units)
    return attrs.evolve(job, units=tuple(units))


def terms_of(glossary: Glossary | None, part: Heading | Statement, source: str, target: str) -> tuple[u.Term, ...]:
    """The terms of the glossary that a sentence uses, as far as they have a name in the other language."""
    if glossary is None:
        return ()
    used = (id_ for use in glossary.uses(spoken(part.text), source) for id_ in sorted(use.concepts))
    concepts = [glossary.concepts[id_] for id_ in dict.fromkeys(used)]
    return tuple(u.Term(c.id, c.term(source), c.terms[target], c.note) for c in concepts if target in c.terms)


class Notes:
    """The notes of one text, sentence by sentence. ``values``: placeholder (with braces) to what it prints as."""

    def __init__(self, corpus: Corpus, text: u.TextFile) -> None:
        self.corpus = corpus
        self.language = text.text.language
        self.values: dict[str, str] = {}
        self.passages = _passages_stating(corpus.files)
        self.chapters = _chapter_of_each(text)
        self.told: set[str] = set()

    def of(self, part: Heading | Statement) -> tuple[u.Note, ...]:
        if isinstance(part, Heading):
            return ()
        found = (
            u.Note("values", self._values(part)),
            u.Note("section", part.section),
            u.Note("chapter", self.chapters.get(part.id, "")),
            u.Note("rule", self._rule(part.section)),
            u.Note("sources", self.passages.get(part.id, "")),
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
        span = _place_of(self.corpus.programs[-1], section)
        return "\n".join([*([f"{span.file}:{span.line}"] if span else []), *lines[:_RULE_LINES], *more])


def _place_of(program: Program, id_: str) -> Span | None:
    """Where what has this id is declared."""
    for domain in (program.rules, program.tables, program.settings, program.definitions, program.graphs):
        if id_ in domain:
            span: Span = domain[id_].span
            return span if span.file else None
    return None


def _chapter_of_each(text: u.TextFile) -> dict[str, str]:
    """Statement id to the heading it is under."""
    found: dict[str, str] = {}
    heading = ""
    for id_, part in text.parts.items():
        if isinstance(part, Heading):
            heading = part.text
        else:
            found[id_] = heading
    return found


def _passages_stating(files: GameFiles) -> Mapping[str, str]:
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
