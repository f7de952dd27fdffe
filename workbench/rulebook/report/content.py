"""Content of the report as plain data, collected from a review of a game's texts and sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import attrs

from rulelang.diagnostics import Diagnostic, Sink

from ..corpus import STATES, Corpus, State, progress, section_states
from ..crosscheck import NAMES
from ..crosscheck.review import Review
from ..sources import DocumentReport, SourcePassage
from ..texts import Heading, Statement, fill
from ..texts.interpolation import pieces_of, value_of


@attrs.frozen
class ReportPiece:
    """A stretch of a sentence. ``value``: the placeholder that gave it, None for words."""

    text: str
    value: str | None = None


@attrs.frozen
class Finding:
    """One finding where it belongs. ``check`` is its short name; ``reason``: why it is all right, if silenced."""

    check: str
    severity: str
    message: str
    help: str | None
    place: str
    reason: str | None = None


@attrs.frozen
class RowCell:
    """A statement in one language. ``comments``: of translators, with who made them."""

    pieces: tuple[ReportPiece, ...]
    findings: tuple[Finding, ...]
    comments: tuple[str, ...] = ()


@attrs.frozen
class StatedPlace:
    """Lines of a document that state a statement. ``anchor`` leads to the passage on the page."""

    document: str
    language: str
    lines: str
    anchor: str
    findings: int
    text: str | None


@attrs.frozen
class ReportRow:
    """A statement side by side: by language its cell; a language without it is missing."""

    id: str
    anchor: str
    cells: Mapping[str, RowCell]
    places: tuple[StatedPlace, ...]


@attrs.frozen
class Section:
    """What belongs to one id: the text that runs, the values it shows, and per language its state."""

    id: str
    anchor: str
    runs: str
    values: tuple[tuple[str, str], ...]
    states: Mapping[str, str]
    rows: tuple[ReportRow, ...]


@attrs.frozen
class ReportChapter:
    """Sections below one heading of the rulebook; ``titles`` by language."""

    anchor: str
    titles: Mapping[str, str]
    sections: tuple[Section, ...]


@attrs.frozen
class ReportPart:
    """The game itself (``title`` None), or what a variant adds to it."""

    title: str | None
    chapters: tuple[ReportChapter, ...]


@attrs.frozen
class PassageRow:
    """A passage of a source document. ``text`` only where it was asked for and is available."""

    anchor: str
    lines: str
    kind: str
    states: tuple[str, ...]
    numbers: tuple[int, ...]
    remarks: tuple[str, ...]
    findings: tuple[Finding, ...]
    text: str | None


@attrs.frozen
class DocumentPart:
    """A source document with its passages. ``facts`` are short labels with values."""

    id: str
    anchor: str
    language: str
    title: str
    facts: tuple[tuple[str, str], ...]
    findings: tuple[Finding, ...]
    passages: tuple[PassageRow, ...]


@attrs.frozen
class ReportSummary:
    """Numbers for the table at the top.

    ``statements`` by language; ``states``: state to language to number of statements; ``severities`` and
    ``checks``: to number of findings by column, which are the languages, ``sources`` and ``other``; ``silent``: the
    checks that found nothing.
    """

    statements: Mapping[str, int]
    states: Mapping[str, Mapping[str, int]]
    severities: Mapping[str, Mapping[str, int]]
    checks: Mapping[str, Mapping[str, int]]
    silent: tuple[str, ...]


@attrs.frozen
class Listed:
    """A finding in the list of all, with the anchor of where it is shown (None: only in the list)."""

    finding: Finding
    anchor: str | None


@attrs.frozen
class ReportPage:
    title: str
    languages: tuple[str, ...]
    parts: tuple[ReportPart, ...]
    documents: tuple[DocumentPart, ...]
    summary: ReportSummary
    findings: tuple[Listed, ...]
    silenced: int
    with_passages: bool


# ---------------------------------------------------------------- collecting


SOURCES, OTHER = "sources", "other"

_Spot = tuple[str, int]


def collect(review: Review, with_passages: bool = False) -> ReportPage:
    """The page of a review. ``with_passages``: the documents' own sentences too, where they are available."""
    return _Collector(review, with_passages).page()


@attrs.define
class _Collector:
    """Hands each finding out to the place it belongs to, and keeps what belongs to none for the list of all."""

    review: Review
    with_passages: bool
    found: dict[_Spot, list[Finding]] = attrs.field(factory=dict)
    anchors: dict[_Spot, str] = attrs.field(factory=dict)
    columns: dict[_Spot, str] = attrs.field(factory=dict)

    def page(self) -> ReportPage:
        for diagnostic in self.review.findings:
            self._keep(diagnostic, None)
        for silenced in self.review.silenced:
            self._keep(silenced.finding, silenced.reason)
        corpora = self.review.corpora
        languages = tuple(dict.fromkeys(language for corpus in corpora for language in corpus.languages))
        documents = tuple(self._document(report) for report in self.review.documents)
        parts = tuple(self._part(corpus) for corpus in corpora)
        parts = tuple(part for part in parts if part.chapters)
        game = corpora[0].linked.game if corpora else None
        return ReportPage(
            (game.title or game.name) if game else "Source documents",
            languages,
            parts,
            documents,
            self._summary(languages, corpora, parts),
            self._listed(),
            len(self.review.silenced),
            self.with_passages,
        )

    # -------------------------------------------------------- findings

    def _keep(self, diagnostic: Diagnostic, reason: str | None) -> None:
        span = diagnostic.span
        name = NAMES.get(diagnostic.code, diagnostic.code)
        place = f"{span.file}:{span.line}"
        finding = Finding(name, diagnostic.severity, diagnostic.message, diagnostic.help, place, reason)
        self.found.setdefault((span.file, span.line), []).append(finding)

    def _at(self, spot: _Spot, anchor: str, column: str) -> tuple[Finding, ...]:
        """The findings at a place, which is shown at ``anchor`` and counted in ``column``."""
        self.anchors.setdefault(spot, anchor)
        self.columns.setdefault(spot, column)
        return tuple(self.found.get(spot, ()))

    def _listed(self) -> tuple[Listed, ...]:
        return tuple(
            Listed(finding, self.anchors.get(spot))
            for spot, findings in self.found.items()
            for finding in findings
            if finding.reason is None
        )

    # -------------------------------------------------------- texts

    def _part(self, corpus: Corpus) -> ReportPart:
        """The game's statements; of a corpus with variants only those that the variants bring."""
        own = {
            id_: {language: s for language, s in group.items() if not corpus.variants or s.origin is not None}
            for id_, group in corpus.statements.items()
        }
        by_section: dict[str, dict[str, Mapping[str, Statement]]] = {}
        for id_, group in own.items():
            if group:
                by_section.setdefault(next(iter(group.values())).section, {})[id_] = group
        prefix = "".join(f"{name}/" for name in corpus.variants)
        places = self._places(corpus)
        states = section_states(corpus)
        titles = {text.language: _titles(text.parts) for text in corpus.texts}
        chapters: dict[str, tuple[dict[str, str], list[Section]]] = {}
        for section, statements in by_section.items():
            named = {x: titles[x][section] for x in corpus.languages if section in titles[x]}
            key = next(iter(named.values()), "")
            chapter = chapters.setdefault(key, (named, []))
            chapter[1].append(self._section(corpus, prefix, section, statements, places, states))
        return ReportPart(
            ", ".join(corpus.variants) or None,
            tuple(
                ReportChapter(f"chapter-{prefix}{number}", named, tuple(found))
                for number, (named, found) in enumerate(chapters.values(), 1)
            ),
        )

    def _section(
        self,
        corpus: Corpus,
        prefix: str,
        section: str,
        group: Mapping[str, Mapping[str, Statement]],
        places: Mapping[str, tuple[StatedPlace, ...]],
        states: Mapping[str, Mapping[str, State]],
    ) -> Section:
        rows = []
        values: dict[str, str] = {}
        for id_, statements in group.items():
            anchor = prefix + id_
            cells = {}
            for language, statement in statements.items():
                pieces = _pieces(corpus, statement, language)
                values |= {p.value: p.text for p in pieces if p.value}
                spot = (statement.span.file, statement.span.line)
                comments = corpus.comments.get((statement.span.file, statement.id), ())
                cells[language] = RowCell(pieces, self._at(spot, anchor, language), tuple(map(str, comments)))
            rows.append(ReportRow(id_, anchor, cells, places.get(id_, ())))
        return Section(
            section,
            prefix + section,
            corpus.running.get(section, ""),
            tuple(sorted(values.items())),
            states.get(section, {}),
            tuple(rows),
        )

    def _places(self, corpus: Corpus) -> dict[str, tuple[StatedPlace, ...]]:
        """Statement to the passages that state it."""
        found: dict[str, list[StatedPlace]] = {}
        for excerpt in corpus.excerpts:
            passage, document = excerpt.passage, excerpt.document
            open_ = [f for f in self.found.get((passage.span.file, passage.span.line), ()) if f.reason is None]
            place = StatedPlace(
                document.id,
                document.language,
                passage.lines,
                f"{document.id}:{passage.first}",
                len(open_),
                (excerpt.text or "").strip() or None if self.with_passages else None,
            )
            for id_ in passage.states:
                found.setdefault(id_, []).append(place)
        return {id_: tuple(places) for id_, places in found.items()}

    # -------------------------------------------------------- documents

    def _document(self, report: DocumentReport) -> DocumentPart:
        document = report.document
        anchor = f"document-{document.id}"
        facts = (
            ("edition", document.edition or "not known"),
            ("lines", f"{document.lines} ({report.covered} in a passage)"),
            ("passages", str(len(document.passages))),
            ("text available and unchanged", report.verified),
        )
        return DocumentPart(
            document.id,
            anchor,
            document.language,
            document.title,
            facts,
            self._at((document.span.file, document.span.line), anchor, SOURCES),
            tuple(self._passage(report, passage) for passage in document.passages),
        )

    def _passage(self, report: DocumentReport, passage: SourcePassage) -> PassageRow:
        anchor = f"{report.document.id}:{passage.first}"
        remarks = [f"damaged: {passage.damage}"] if passage.damage else []
        remarks += [passage.note] if passage.note else []
        text = None
        if self.with_passages and report.text is not None:
            text = "\n".join(report.text[passage.first - 1 : passage.last]).strip("\n")
        return PassageRow(
            anchor,
            passage.lines,
            passage.kind,
            passage.states,
            passage.numbers or (),
            tuple(remarks),
            self._at((passage.span.file, passage.span.line), anchor, SOURCES),
            text,
        )

    # -------------------------------------------------------- summary

    def _summary(
        self, languages: Sequence[str], corpora: Sequence[Corpus], parts: Iterable[ReportPart]
    ) -> ReportSummary:
        rows = [row for part in parts for chapter in part.chapters for s in chapter.sections for row in s.rows]
        done = progress(corpora)
        severities: dict[str, Counter[str]] = {"error": Counter(), "warning": Counter(), "note": Counter()}
        checks: dict[str, Counter[str]] = {}
        for spot, findings in self.found.items():
            for finding in findings:
                if finding.reason is None:
                    column = self.columns.get(spot, OTHER)
                    severities[finding.severity][column] += 1
                    checks.setdefault(finding.check, Counter())[column] += 1
        order = [*NAMES.values(), *sorted(set(checks) - set(NAMES.values()))]
        return ReportSummary(
            {language: sum(language in row.cells for row in rows) for language in languages},
            {state: {language: counts[state] for language, counts in done.items()} for state in STATES},
            severities,
            {name: checks[name] for name in order if name in checks},
            tuple(name for name in NAMES.values() if name not in checks),
        )


def _titles(parts: Iterable[Heading | Statement]) -> dict[str, str]:
    """Section to the heading it is under."""
    found: dict[str, str] = {}
    title = ""
    for part in parts:
        if isinstance(part, Heading):
            title = part.text
        else:
            found.setdefault(part.section, title)
    return found


def _pieces(corpus: Corpus, statement: Statement, language: str) -> tuple[ReportPiece, ...]:
    found = []
    for number, text in enumerate(pieces_of(statement.text)):
        if number % 2:
            filled = fill(text, language, corpus.programs, statement.span, Sink(), glossary=corpus.glossary)
            found.append(ReportPiece(filled, value_of(text)))
        elif text:
            found.append(ReportPiece(text))
    return tuple(found)
