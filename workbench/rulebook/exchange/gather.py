"""From the texts of a game to a Job for a translator."""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.diagnostics import Sink
from rulelang.files.folder import GameFiles
from rulelang.program import Program
from rulelang.source import Span

from ..crosscheck.corpus import Corpus
from ..crosscheck.corpus import gather as gather_corpus
from ..placeholders import placeholders
from ..sources.documents import read_documents, seeds_folder
from ..texts import Heading, Statement, fill
from .states import section_states, state_of
from .texts import Text, path_of, read_text
from .units import MISSING, ExchangeError, Job, Note, Unit, unprintable

_RULE_LINES = 15


def gather(files: GameFiles, variant: str | None, source: str, target: str) -> Job:
    """The texts in ``source`` beside those in ``target``, as far as they are there.

    Raises ExchangeError (no text in the source language, a language the game does not name, text that no file can
    carry) and RulesError (mistakes in rules or texts).
    """
    check_languages(files, source, target)
    here = read_text(files, variant, source)
    if here is None:
        raise ExchangeError(f"There is no text in `{source}`: {_missing(files, variant, source)}.")
    there = read_text(files, variant, target, like=here)
    corpus = gather_corpus(files, [] if variant is None else [variant], (), None, Sink())
    assert corpus is not None
    _check_carriable(here, there)
    notes = _Notes(corpus, here)
    known = section_states(corpus)
    units = []
    for id_, part in here.parts.items():
        section = part.section if isinstance(part, Statement) else ""
        translated = None if there is None else there.parts.get(id_)
        if there is None or translated is None:
            text, state = None, MISSING
        else:
            text = translated.text
            state = state_of(known.get((here.book.file, section)), known.get((there.book.file, section)))
        units.append(Unit(id_, section, part.text, text, state, notes.of(part), part.span.line))
    return Job(
        book=book_name(files, variant),
        source_language=source,
        target_language=target,
        file=here.path.relative_to(files.root).as_posix() if here.path.is_relative_to(files.root) else here.path.name,
        units=tuple(units),
        values=notes.values,
    )


def gather_all(files: GameFiles, variant: str | None, source: str) -> list[Job]:
    """A Job for ``source`` beside each other language of the game that has a text. Raises as ``gather``."""
    assert files.game is not None
    others = [code for code in files.game.languages if code != source and path_of(files, variant, code).exists()]
    if not others:
        raise ExchangeError(f"{book_name(files, variant)} has no text in a language besides `{source}`.")
    return [gather(files, variant, source, code) for code in others]


def book_name(files: GameFiles, variant: str | None) -> str:
    """How files name what they translate: ``game`` or ``game/variant``."""
    assert files.game is not None
    return files.game.name if variant is None else f"{files.game.name}/{variant}"


def check_languages(files: GameFiles, *languages: str) -> None:
    """Each is a language of the game, no two are the same. Raises ExchangeError."""
    assert files.game is not None
    known = files.game.languages
    for language in languages:
        if language not in known:
            told = f"; it names {', '.join(known)}" if known else ""
            raise ExchangeError(
                f"`{language}` is not among the languages of {files.game.name}{told}. "
                f"Add it to the game's header: `languages {', '.join([*known, language])}`."
            )
    if len(set(languages)) < len(languages):
        raise ExchangeError(f"Source and target are both `{languages[0]}`; name another language with --from.")


def _missing(files: GameFiles, variant: str | None, language: str) -> str:
    path = path_of(files, variant, language)
    there = [p.stem.rpartition(".")[2] for p in sorted(path.parent.glob(path.name.replace(f"{language}.md", "*.md")))]
    there = [code for code in there if files.game is not None and code in files.game.languages]
    return f"write {path.name} first" + (f", or take one of {', '.join(there)} with --from" if there else "")


def _check_carriable(*texts: Text | None) -> None:
    problems = [
        f"{part.span.file}:{part.span.line}: `{id_}` holds the character {bad}, which exchange files cannot carry; "
        "delete it."
        for text in texts
        if text is not None
        for id_, part in text.parts.items()
        if (bad := unprintable(part.text)) is not None
    ]
    if problems:
        raise ExchangeError(*problems)


class _Notes:
    """What a translator should know about a sentence besides its words."""

    def __init__(self, corpus: Corpus, text: Text) -> None:
        self.corpus = corpus
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
            value = fill(name, self.corpus.programs, statement.span, sink)
            self.values.setdefault(name, "" if sink.has_errors else value)
        return ", ".join(f"{name} = {self.values[name]}" for name in dict.fromkeys(names) if self.values[name])

    def _rule(self, section: str) -> str:
        """Where what runs is written, and how it begins; told once, with the first statement about it."""
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


def _chapters(text: Text) -> dict[str, str]:
    """Statement id to the heading it stands under."""
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
