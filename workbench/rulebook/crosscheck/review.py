"""Review of a game's source documents and rulebook texts together: what ``rulelang sources check`` reports, and what
``rulelang sources show`` tells of one statement, from the passages of documents that state it to what runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import attrs

from rulelang import workspace
from rulelang.diagnostics import Diagnostic, RulesError, Sink, UnusablePath, did_you_mean, in_order
from rulelang.files.contents import files_below, game_in
from rulelang.files.folder import GameFiles
from rulelang.render import as_json
from rulelang.source import SourceFile

from ..corpus import Corpus, Excerpt, State, read_corpus, section_states, statement_states, with_documents
from ..sources import Document, DocumentReport, check_documents, documents_folder, read_documents, seeds_folder
from ..sources.maps import SETTING
from ..texts import Statement, ids_of
from . import NAMES, Silenced, cross_check

_LEVELS = 4
"""How deep below ``rules`` a game's folder may lie."""


@attrs.frozen(slots=False)
class Review:
    """``corpora``: of each game and each of its variants with texts of their own; ``sources``: texts to show."""

    documents: tuple[DocumentReport, ...]
    findings: tuple[Diagnostic, ...]
    silenced: tuple[Silenced, ...]
    corpora: tuple[Corpus, ...]
    sources: dict[str, SourceFile] = attrs.field(repr=False)

    @property
    def sentences(self) -> int:
        """The statements in all languages, each once however many variants have it."""
        return len(
            {(s.span.file, s.span.line) for corpus in self.corpora for text in corpus.texts for s in text.statements}
        )

    def data_of(self, found: Diagnostic) -> dict[str, Any]:
        """A finding for other programs. ``segment`` and ``language``: of the statement that it is about, or None."""
        statement, language = self._segments.get((found.span.file, found.span.line), (None, None))
        return as_json(found) | {"check": NAMES.get(found.code), "segment": statement, "language": language}

    @cached_property
    def _segments(self) -> dict[tuple[str, int], tuple[str, str]]:
        every = (pair for corpus in self.corpora for pair in corpus.each())
        return {(statement.span.file, statement.span.line): (statement.id, language) for language, statement in every}


def folder_at_hand() -> Path | None:
    """The folder of the documents, if the setting names one. Raises UnusablePath when there is no such folder."""
    folder = documents_folder()
    if folder is not None and not folder.is_dir():
        raise UnusablePath(f"{SETTING} names {folder}, and there is no such folder.")
    return folder


def review(paths: Sequence[Path], variants: Sequence[str | Path] = (), folder: Path | None = None) -> Review:
    """Checks games (their folders) or maps (the folder ``seeds``, or one of its files).

    ``folder``: where the documents are (None: where the setting RULELANG_SOURCES says). Raises UnusablePath when there
    is neither at a path. Mistakes in rules are findings like all others.
    """
    folder = folder or folder_at_hand()
    sink = Sink()
    sources: dict[str, SourceFile] = {}
    reports: dict[str, DocumentReport] = {}
    silenced: list[Silenced] = []
    corpora: list[Corpus] = []
    for path in paths:
        documents, gathered = load(path, variants, folder, sink, sources)
        for report in check_documents(documents, folder, sink):
            reports.setdefault(report.document.id, report)
        met = {(corpus.files.root, corpus.variants) for corpus in corpora}
        fresh = [corpus for corpus in gathered if (corpus.files.root, corpus.variants) not in met]
        for corpus in fresh:
            found = cross_check(corpus)
            sink.extend(found.findings)
            silenced += [s for s in found.silenced if s not in silenced]
        corpora += fresh
    return Review(tuple(reports.values()), tuple(in_order(sink)), tuple(silenced), tuple(corpora), sources)


def load(
    path: Path,
    variants: Sequence[str | Path],
    folder: Path | None,
    sink: Sink,
    sources: dict[str, SourceFile],
) -> tuple[list[Document], list[Corpus]]:
    """The documents and texts meant by a path, not yet checked. Mistakes of form go to ``sink``.

    ``folder``: where the documents' texts are; ``sources`` receives the texts that places point into.
    """
    every: list[Document] = []
    corpora: list[Corpus] = []
    for files, names, documents in _games(path, variants, sink, sources):
        every += documents
        if files is not None:
            corpora += _corpora(files, names, documents, folder, sink)
            sources |= files.sources
    return every, corpora


_Asked: TypeAlias = tuple[GameFiles | None, tuple[str, ...], list[Document]]
"""A game with the variants asked for and the documents about it; None: no such game."""


def _games(path: Path, variants: Sequence[str | Path], sink: Sink, sources: dict[str, SourceFile]) -> list[_Asked]:
    """The games meant by a path."""
    if path.is_dir() and not any(path.glob("*.rules")) and not any(path.glob("*.toml")):
        roots = _games_below(path)
        if roots:
            return [game for root in roots for game in _games(root, variants, sink, sources)]
    if path.suffix != ".toml" and not (path.is_dir() and any(path.glob("*.toml")) and not any(path.glob("*.rules"))):
        files, names = workspace.default().open(path, variants, sink)
        maps = seeds_folder(files.root)
        every = read_documents(maps, sink, sources) if maps else []
        return [(files, names, [d for d in every if files.game is not None and d.game == files.game.name])]
    if not path.exists():
        raise UnusablePath(f"There is nothing at {path}.")
    return list(_games_mapped(path, variants, sink, sources))


def _games_mapped(
    path: Path, variants: Sequence[str | Path], sink: Sink, sources: dict[str, SourceFile]
) -> Iterator[_Asked]:
    """The games that the maps at a path are about."""
    maps = path.parent if path.suffix == ".toml" else path
    documents = [d for d in read_documents(maps, sink, sources) if path in (maps, d.path)]
    for game in dict.fromkeys(d.game for d in documents):
        about = [d for d in documents if d.game == game]
        root = _root_of(game, maps)
        if root is None:
            message = f"There is no game `{game}` in {maps.parent / 'rules'}."
            sink.error("R0901", about[0].span, message, help="Correct `game`, or add the game.")
            yield None, (), about
            continue
        files, names = workspace.default().open(root, variants, sink)
        yield files, names, about


def _root_of(game: str, maps: Path) -> Path | None:
    """The folder below ``rules`` beside the maps whose header declares the game."""
    return next((root for root, name in _declared(maps.parent / "rules") if name == game), None)


def _games_below(folder: Path) -> list[Path]:
    """The folders of the games in a folder that holds several."""
    return list(dict.fromkeys(root for root, _ in _declared(folder)))


def _declared(folder: Path) -> Iterator[tuple[Path, str]]:
    """The folder and the name of each game that is declared below a folder, by the headers of its files."""
    for file in files_below(folder, ".rules") if folder.is_dir() else ():
        name = game_in(file, folder) if len(file.relative_to(folder).parts) < _LEVELS else None
        if name is not None:
            yield file.parent, name


def _corpora(
    files: GameFiles, names: tuple[str, ...], documents: Sequence[Document], folder: Path | None, sink: Sink
) -> list[Corpus]:
    """The game itself, or with the variants asked for; else also each variant that has texts of its own.

    A document is compared with the texts that have most of what it states: it may be an expansion's rulebook.
    """
    chosen = [names] if names else [(), *((name,) for name in files.sound_variants)]
    found: list[Corpus] = []
    for variants in chosen:
        try:
            corpus = read_corpus(files, variants, (), folder, sink)
        except RulesError as error:
            sink.extend(error.diagnostics)
            continue
        if corpus is not None and (not variants or names or _has_texts(corpus)):
            found.append(corpus)
    shared: dict[int, list[Document]] = {}
    for document in documents if found else ():
        states = {state for passage in document.passages for state in passage.states}
        place = max(range(len(found)), key=lambda n: (len(states & found[n].statements.keys()), -n))
        shared.setdefault(place, []).append(document)
    return [with_documents(corpus, shared.get(place, ()), folder) for place, corpus in enumerate(found)]


def _has_texts(corpus: Corpus) -> bool:
    return any(part.origin is not None for text in corpus.texts for part in text.parts)


# ---------------------------------------------------------------- from a passage to what runs


@attrs.frozen
class TracedStatement:
    """A statement in every language, with the passages that state it. ``states``: by language."""

    id: str
    words: Mapping[str, Statement]
    passages: tuple[Excerpt, ...]
    states: Mapping[str, State]

    def as_data(self, corpus: Corpus) -> dict[str, Any]:
        return {
            "id": self.id,
            "words": {
                language: {
                    "text": corpus.filled(s.text, language),
                    "source": s.text,
                    "state": self.states.get(language),
                    "comments": [attrs.asdict(c) for c in corpus.comments.get((s.span.file, s.id), ())],
                    "file": s.span.file,
                    "line": s.span.line,
                }
                for language, s in self.words.items()
            },
            "passages": [
                {
                    "document": e.document.id,
                    "language": e.language,
                    "lines": e.passage.lines,
                    "kind": e.passage.kind,
                    "damage": e.passage.damage,
                    "note": e.passage.note,
                    "text": e.text,
                }
                for e in self.passages
            ],
        }


@attrs.frozen
class Trace:
    """What runs under ``section`` and what is said about it.

    ``runs``: its canonical text; ``states``: of all statements together, by language.
    """

    section: str
    runs: str
    file: str
    line: int
    statements: tuple[TracedStatement, ...]
    states: Mapping[str, State]
    variants: tuple[str, ...]

    def as_data(self, corpus: Corpus) -> dict[str, Any]:
        """Plain data, as ``rulelang sources show --format json`` gives it."""
        return {
            "section": self.section,
            "rule": {"text": self.runs, "file": self.file, "line": self.line},
            "variants": list(self.variants),
            "states": dict(self.states),
            "statements": [statement.as_data(corpus) for statement in self.statements],
        }


def find_trace(corpora: Sequence[Corpus], wanted: str) -> tuple[Corpus, Trace]:
    """The trace of a statement (``income.gold.2``: that one only) or of what runs (``income.gold``).

    The first of ``corpora`` that knows the id is used. Raises UnusablePath when none does.
    """
    for corpus in corpora:
        every = (*corpus.statements, *sorted(corpus.wordless))
        ids = [id_ for id_ in every if wanted in (id_, id_.rpartition(".")[0])]
        section = ids[0].rpartition(".")[0] if ids else wanted
        if ids or wanted in corpus.running:
            return corpus, _trace(corpus, section, ids)
    known = [name for corpus in corpora for name in (*corpus.running, *corpus.statements)]
    help = did_you_mean(wanted, known) or "`rulelang rulebook` shows the ids of all statements."
    raise UnusablePath(f"Nothing has the id `{wanted}`, and no statement has it. {help}")


def _trace(corpus: Corpus, section: str, ids: Sequence[str]) -> Trace:
    span = ids_of(corpus.linked).get(section)
    states = statement_states(corpus)
    stating = {id_: tuple(e for e in corpus.excerpts if id_ in e.passage.states) for id_ in ids}
    return Trace(
        section,
        corpus.running.get(section, ""),
        span.file if span else "",
        span.line if span else 0,
        tuple(TracedStatement(id_, corpus.statements.get(id_, {}), stating[id_], states.get(id_, {})) for id_ in ids),
        section_states(corpus).get(section, {}),
        corpus.variants,
    )
