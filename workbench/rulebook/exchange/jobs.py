"""Jobs for translators, made from the texts of a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulelang.diagnostics import Sink
from rulelang.files.folder import GameFiles, shown

from ..corpus import WITHDRAWALS, State, Withdrawal, read_corpus, statement_states
from ..texts import Statement
from ..texts.interpolation import choices_of, term_of
from .notes import Notes, basis_of, terms_of
from .text_files import TextFile, check_languages, name_of, path_of, read_text_file
from .units import NEW, REVIEWED, TRANSLATED, ExchangeError, Job, Note, Unit, unprintable


def make_job(files: GameFiles, variant: str | None, source: str, target: str) -> Job:
    """The texts in ``source`` beside those in ``target``, as far as they are there.

    Raises ExchangeError (no text in the source language, a language the game does not name, text that no file can
    carry) and RulesError (mistakes in rules or texts).
    """
    check_languages(files, source, target)
    here = read_text_file(files, variant, source)
    if here is None:
        raise ExchangeError(f"There is no text in `{source}`: {_missing(files, variant, source)}.")
    there = read_text_file(files, variant, target, like=here)
    corpus = read_corpus(files, [] if variant is None else [variant], (), None, Sink())
    assert corpus is not None
    _check_carriable(here, there)
    notes = Notes(corpus, here)
    known = statement_states(corpus)
    file = path_of(files, variant, target)
    shown_as = shown(file) if there is None else there.text.file
    journal = WITHDRAWALS.read([file.parent], Sink(), {})
    units = []
    for id_, part in here.parts.items():
        if not part.text:
            continue
        section = part.section if isinstance(part, Statement) else ""
        translated = None if there is None else there.parts.get(id_)
        if translated is None or not translated.text:
            text, state = None, NEW
        else:
            text, state = translated.text, known.get(id_, {}).get(target, TRANSLATED)
        kept = corpus.confirmed.get((shown_as, id_)) if state == REVIEWED else None
        units.append(
            Unit(
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
                reviewer="" if kept is None else " ".join(filter(None, (kept.by, kept.on and f"[{kept.on}]"))),
            )
        )
    return Job(
        name=name_of(files, variant),
        source_language=source,
        target_language=target,
        file=here.path.relative_to(files.root).as_posix() if here.path.is_relative_to(files.root) else here.path.name,
        units=tuple(units),
        values=notes.values,
        choices={
            setting: {name: term_of(name, source, corpus.glossary) for name in names}
            for setting, names in choices_of(corpus.linked).items()
        },
    )


def _taken_back(journal: Sequence[Withdrawal], state: State) -> Iterator[Note]:
    """A note for whoever reviews a sentence again of which a review was withdrawn."""
    if journal and state != REVIEWED:
        yield Note("review", str(journal[-1]))


def make_jobs(files: GameFiles, variant: str | None, source: str) -> list[Job]:
    """A Job for ``source`` beside each other language of the game that has a text. Raises as ``make_job``."""
    assert files.game is not None
    others = [code for code in files.game.languages if code != source and path_of(files, variant, code).exists()]
    if not others:
        raise ExchangeError(f"{name_of(files, variant)} has no text in a language besides `{source}`.")
    return [make_job(files, variant, source, code) for code in others]


def _missing(files: GameFiles, variant: str | None, language: str) -> str:
    path = path_of(files, variant, language)
    there = [p.stem.rpartition(".")[2] for p in sorted(path.parent.glob(path.name.replace(f"{language}.md", "*.md")))]
    there = [code for code in there if files.game is not None and code in files.game.languages]
    return f"write {path.name} first" + (f", or take one of {', '.join(there)} with --from" if there else "")


def _check_carriable(*texts: TextFile | None) -> None:
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
