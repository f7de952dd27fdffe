"""The report: every statement in every language, with what the checks found, as one HTML page that needs no script."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from html import escape
from itertools import groupby
from pathlib import Path

import attrs
from babel import Locale, UnknownLocaleError

from rulelang.diagnostics import Diagnostic, Sink
from rulelang.words import several

from ... import web
from ..corpus import STATES, Corpus, Excerpt, State, progress, section_states
from ..crosscheck import NAMES
from ..crosscheck.review import Review
from ..sources import Document, DocumentReport, SourcePassage
from ..texts import Heading, Statement, fill
from ..texts.interpolation import pieces_of, value_of

_STYLE = Path(__file__).parent / "assets" / "report.css"
_CODE = re.compile(r"`([^`]+)`")
_STATE_WORDS = {
    "new": "not translated yet",
    "translated": "not reviewed yet",
    "reviewed": "reviewed",
    "stale": "stale: changed since the review",
}
SOURCES, OTHER = "sources", "other"
"""Columns of the table at the top, behind those of the languages."""

_Spot = tuple[str, int]


@attrs.frozen
class Finding:
    """One finding where it belongs. ``check`` is its short name; ``reason``: why it is all right, if silenced."""

    check: str
    severity: str
    message: str
    help: str | None
    place: str
    reason: str | None = None

    @classmethod
    def of(cls, found: Diagnostic, reason: str | None = None) -> Finding:
        name, place = NAMES.get(found.code, found.code), f"{found.span.file}:{found.span.line}"
        return cls(name, found.severity, found.message, found.help, place, reason)


@attrs.define(slots=False)
class Report:
    """Shows each finding where it belongs, and what belongs nowhere in the list of all.

    ``with_passages``: the documents' own sentences too, where they are available. ``statements``: how many there are in
    each language, known once the page is made.
    """

    review: Review
    with_passages: bool = False
    statements: Counter[str] = attrs.field(factory=Counter)
    _found: dict[_Spot, list[Finding]] = attrs.field(factory=dict)
    _anchors: dict[_Spot, str] = attrs.field(factory=dict)
    _columns: dict[_Spot, str] = attrs.field(factory=dict)
    _links: list[tuple[str, str]] = attrs.field(factory=list)

    def __attrs_post_init__(self) -> None:
        told: list[tuple[Diagnostic, str | None]] = [(found, None) for found in self.review.findings]
        told += [(silenced.finding, silenced.reason) for silenced in self.review.silenced]
        for diagnostic, reason in told:
            spot = (diagnostic.span.file, diagnostic.span.line)
            self._found.setdefault(spot, []).append(Finding.of(diagnostic, reason))

    @cached_property
    def languages(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(language for corpus in self.review.corpora for language in corpus.languages))

    @cached_property
    def states(self) -> dict[State, dict[str, int]]:
        """State to language to number of statements."""
        done = progress(self.review.corpora)
        return {state: {language: counts[state] for language, counts in done.items()} for state in STATES}

    @cached_property
    def findings(self) -> list[tuple[_Spot, Finding]]:
        """All that are not silenced."""
        return [(spot, one) for spot, found in self._found.items() for one in found if one.reason is None]

    @cached_property
    def checks(self) -> dict[str, Counter[str]]:
        """Check to number of findings by column; known once the page is made."""
        found: dict[str, Counter[str]] = {}
        for spot, finding in self.findings:
            found.setdefault(finding.check, Counter())[self._columns.get(spot, OTHER)] += 1
        order = [*NAMES.values(), *sorted(set(found) - set(NAMES.values()))]
        return {name: found[name] for name in order if name in found}

    def page(self) -> str:
        """The whole page. Each statement and each passage is an element with its id, so that links lead to it."""
        game = self.review.corpora[0].linked.game if self.review.corpora else None
        title = f"{(game.title or game.name) if game else 'Source documents'}: texts side by side"
        documents = "".join(map(self._document, self.review.documents))
        parts = "".join(map(self._part, self.review.corpora))
        body = f"""<a class="skip" href="#main">To the texts</a>
<div class="layout">
<div class="side">
{self._controls()}
{self._contents()}
</div>
<main id="main">
<header>
<h1>{escape(title)}</h1>
<p class="lead">{self._lead()}</p>
</header>
{self._summary()}
<p class="nothing">No statement matches these filters.</p>
{parts}
{documents}
{self._all()}
</main>
</div>"""
        return web.page(title, "en", body, _STYLE, filters(self.checks, self.languages))

    def _at(self, spot: _Spot, anchor: str, column: str) -> str:
        """The findings at a place, which is shown at ``anchor`` and counted in ``column``."""
        self._anchors.setdefault(spot, anchor)
        self._columns.setdefault(spot, column)
        return "".join(map(_finding, self._found.get(spot, ())))

    # ------------------------------------------------------------ the top of the page

    def _lead(self) -> str:
        names = [name_of(language) for language in self.languages]
        listed = ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else "".join(names)
        parts = [f"{several(max(self.statements.values(), default=0), 'statement')} in {listed}"]
        parts += [several(len(self.review.documents), "source document")]
        silenced = len(self.review.silenced)
        parts += [f"{several(len(self.findings), 'finding')}, {silenced} more silenced with a reason"]
        passages = "" if self.with_passages else " The sentences of the source documents are left out."
        return escape(f"{'; '.join(parts)}.") + passages

    def _controls(self) -> str:
        counts = {check: sum(by.values()) for check, by in self.checks.items()}
        findings = [_radio("finding", "all", "everything", None, checked=True)]
        findings += [_radio("finding", "any", "any finding", sum(counts.values()))]
        serious = sum(finding.severity != "note" for _, finding in self.findings)
        findings += [_radio("finding", SERIOUS, "an error or a warning", serious)]
        findings += [_radio("finding", check, check, number) for check, number in counts.items()]
        where = [_radio("in", "any", "any language", None, checked=True)]
        where += [_radio("in", language, name_of(language), None) for language in self.languages]
        shown = [
            f'<label><input type="checkbox" id="show-{x}" checked> {escape(name_of(x))}</label>' for x in self.languages
        ]
        return (
            '<p class="unfit">This browser cannot filter; the list of all findings is at the end of the page.</p>\n'
            '<form autocomplete="off">\n'
            f"<fieldset><legend>Show statements with</legend>\n{_joined(findings)}\n</fieldset>\n"
            f"<fieldset><legend>found in</legend>\n{_joined(where)}\n</fieldset>\n"
            f"<fieldset><legend>Columns</legend>\n{_joined(shown)}\n</fieldset>\n</form>"
        )

    def _contents(self) -> str:
        documents = [(f"document-{report.document.id}", report.document.id) for report in self.review.documents]
        links = [("summary", "Summary"), *self._links, *documents, ("findings", "All findings")]
        items = [f'<li><a href="#{escape(anchor)}">{escape(title)}</a></li>' for anchor, title in links]
        return f'<nav class="contents" aria-label="Contents"><h2>Contents</h2>\n<ol>\n{_joined(items)}\n</ol></nav>'

    def _summary(self) -> str:
        heads = "".join(f'<th scope="col">{escape(name_of(x))}</th>' for x in self.languages)
        severities: dict[str, Counter[str]] = {"errors": Counter(), "warnings": Counter(), "notes": Counter()}
        for spot, finding in self.findings:
            severities[f"{finding.severity}s"][self._columns.get(spot, OTHER)] += 1
        named = {f'<a href="#check-{escape(check)}">{escape(check)}</a>': by for check, by in self.checks.items()}
        groups: list[tuple[Mapping[str, Mapping[str, int]], bool]] = [
            ({_STATE_WORDS[state]: by for state, by in self.states.items()}, False),
            (severities, True),
            (named, True),
        ]
        rows = [self._numbers("statements", self.statements, "")]
        rows += [
            self._numbers(label, by, ' class="rule"' if not n else "", wide=wide)
            for group, wide in groups
            for n, (label, by) in enumerate(group.items())
        ]
        silent = [name for name in NAMES.values() if name not in self.checks]
        said = f"<p>Nothing was found by {', '.join(silent)}.</p>" if silent else ""
        return (
            '<section id="summary" aria-label="Summary">\n<div class="scroll"><table class="numbers">\n'
            f'<thead><tr><th scope="col">Summary</th>{heads}<th scope="col">source documents</th>'
            '<th scope="col">elsewhere</th></tr></thead>\n'
            f"<tbody>\n{_joined(rows)}\n</tbody>\n</table></div>\n{said}</section>"
        )

    def _numbers(self, label: str, by: Mapping[str, int], attributes: str, wide: bool = False) -> str:
        def cell(number: int) -> str:
            return f"<td>{number}</td>" if number else '<td class="zero">0</td>'

        cells = [cell(by.get(language, 0)) for language in self.languages]
        cells += [cell(by.get(column, 0)) if wide else "<td></td>" for column in (SOURCES, OTHER)]
        return f'<tr{attributes}><th scope="row">{label}</th>{"".join(cells)}</tr>'

    # ------------------------------------------------------------ statements

    def _part(self, corpus: Corpus) -> str:
        """The game's statements; of a corpus with variants only those that the variants bring."""
        by_section: dict[str, dict[str, Mapping[str, Statement]]] = {}
        for id_, group in corpus.statements.items():
            own = {language: s for language, s in group.items() if not corpus.variants or s.origin is not None}
            if own:
                by_section.setdefault(next(iter(own.values())).section, {})[id_] = own
        prefix, variants = "".join(f"{name}/" for name in corpus.variants), ", ".join(corpus.variants)
        places, states = _places(corpus), section_states(corpus)
        titles = {text.language: _titles(text.parts) for text in corpus.texts}
        chapters: dict[str, tuple[dict[str, str], list[str]]] = {}
        for section, statements in by_section.items():
            named = {x: titles[x][section] for x in corpus.languages if section in titles[x]}
            chapter = chapters.setdefault(next(iter(named.values()), ""), (named, []))
            chapter[1].append(self._section(corpus, section, statements, places, states.get(section, {})))
        variant = f"<span>{escape(variants)}</span>" if variants else ""
        out = []
        for number, (key, (named, sections)) in enumerate(chapters.items(), 1):
            anchor, title = f"chapter-{prefix}{number}", key or "Without a heading"
            self._links.append((anchor, f"{variants}: {title}" if variants else title))
            told = "".join(f'<span lang="{escape(x)}">{escape(title)}</span>' for x, title in named.items() if title)
            heading = f'<h2 class="chapter" id="{escape(anchor)}">{variant}{told}</h2>'
            out.append(f'<section class="group">\n{heading}\n{"".join(sections)}</section>\n')
        return "".join(out)

    def _section(
        self,
        corpus: Corpus,
        section: str,
        group: Mapping[str, Mapping[str, Statement]],
        places: Mapping[str, Sequence[Excerpt]],
        states: Mapping[str, State],
    ) -> str:
        prefix = "".join(f"{name}/" for name in corpus.variants)
        anchor, runs = escape(prefix + section), corpus.running.get(section, "")
        values: dict[str, str] = {}
        rows = "".join(
            self._row(corpus, id_, prefix + id_, statements, places.get(id_, ()), values)
            for id_, statements in group.items()
        )
        told = ", ".join(f"<code>{escape(name)}</code> = {escape(value)}" for name, value in sorted(values.items()))
        heads = "".join(f'<th scope="col" class="col-{x}">{escape(name_of(x))}</th>' for x in self.languages)
        return (
            f'<section class="section" aria-labelledby="{anchor}">\n'
            f'<h3 id="{anchor}"><a href="#{anchor}"><code>{escape(section)}</code></a></h3>\n'
            f'<p class="about">{self._states(states)}</p>\n'
            + (f'<p class="about">Values: {told}</p>\n' if told else "")
            + (
                f"<details><summary>What runs</summary><pre><code>{escape(runs)}</code></pre></details>\n"
                if runs
                else ""
            )
            + '<div class="scroll"><table class="statements">\n'
            f'<thead><tr><th scope="col" class="id"><span aria-label="Number of the statement">no.</span></th>{heads}'
            f'<th scope="col" class="sources">Stated in</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n'
            "</section>\n"
        )

    def _states(self, states: Mapping[str, State]) -> str:
        """How far a section is: once where that is the same in all languages."""
        if len(states) == len(self.languages) > 1 and len(set(states.values())) == 1:
            state = next(iter(states.values()))
            return f'<span class="badge {state}">All languages: <b>{_STATE_WORDS[state]}</b></span>'
        return "".join(
            f'<span class="badge {states[x]} col-{x}">{escape(name_of(x))}: <b>{_STATE_WORDS[states[x]]}</b></span>'
            for x in self.languages
            if x in states
        )

    def _row(
        self,
        corpus: Corpus,
        id_: str,
        anchor: str,
        statements: Mapping[str, Statement],
        places: Sequence[Excerpt],
        values: dict[str, str],
    ) -> str:
        """A statement side by side: in each language with its findings, and below it what documents in it say.
        ``values``: those that it shows are added."""
        self.statements.update(statements.keys())
        worded = {x: self._wording(corpus, x, one, anchor, values) for x, one in statements.items()}
        missing = '<span class="missing">missing</span>'
        cells = "".join(
            f'<td class="col-{x} at-{x}">{worded.get(x, missing)}'
            f"{''.join(self._quote(place) for place in places if place.language == x)}</td>"
            for x in self.languages
        )
        at, number = escape(anchor), escape(id_.rpartition(".")[2])
        return (
            f'<tr class="row" id="{at}"><th scope="row" class="id">'
            f'<a href="#{at}" aria-label="{escape(id_)}">{number}</a></th>{cells}'
            f'<td class="sources">{self._stated(places)}</td></tr>\n'
        )

    def _wording(self, corpus: Corpus, language: str, statement: Statement, anchor: str, values: dict[str, str]) -> str:
        words = []
        for number, text in enumerate(pieces_of(statement.text)):
            if number % 2:
                filled = fill(text, language, corpus.programs, statement.span, Sink(), glossary=corpus.glossary)
                value = value_of(text)
                values |= {value: filled} if value else {}
                words.append(f'<span class="v" title="{escape(value)}">{escape(filled)}</span>')
            else:
                words.append(escape(text))
        said = corpus.comments.get((statement.span.file, statement.id), ())
        comments = "".join(f'<p class="comment">{escape(str(comment))}</p>' for comment in said)
        findings = self._at((statement.span.file, statement.span.line), anchor, language)
        return f'<span lang="{escape(language)}">{"".join(words)}</span>{comments}{findings}'

    def _quote(self, place: Excerpt) -> str:
        text = (place.text or "").strip() if self.with_passages else ""
        if not text:
            return ""
        return (
            f"<details><summary>{escape(place.document.id)} {place.passage.lines}</summary>"
            f'<p class="quote" lang="{escape(place.language)}">{escape(text)}</p></details>'
        )

    def _stated(self, places: Sequence[Excerpt]) -> str:
        """Links to the passages; those in a language without a column are quoted here."""
        out = []
        for document, group in groupby(places, key=lambda place: place.document.id):
            links = []
            for passage in (place.passage for place in group):
                found = self._found.get((passage.span.file, passage.span.line), ())
                number = sum(finding.reason is None for finding in found)
                mark = f' <span title="{several(number, "finding")}">&#9873;</span>' if number else ""
                links.append(f'<a href="#{escape(f"{document}:{passage.first}")}">{passage.lines}</a>{mark}')
            out.append(f"<div>{escape(document)} {', '.join(links)}</div>")
        return "".join([*out, *(self._quote(place) for place in places if place.language not in self.languages)])

    # ------------------------------------------------------------ documents and the list of all findings

    def _document(self, report: DocumentReport) -> str:
        document = report.document
        anchor = f"document-{document.id}"
        facts = (
            f"edition: {document.edition or 'not known'}; lines: {document.lines} ({report.covered} in a passage);"
            f" passages: {len(document.passages)}; text available and unchanged: {report.verified}"
        )
        own = self._at((document.span.file, document.span.line), anchor, SOURCES)
        if own:
            own = f'<div class="row"><div class="at-{document.language}">{own}</div></div>\n'
        rows = "".join(self._passage(report, passage) for passage in document.passages)
        return (
            f'<section class="group col-{document.language}">\n<h2 class="chapter" id="{escape(anchor)}">'
            f"<span>{escape(document.id)}</span>"
            f'<span lang="{escape(document.language)}">{escape(document.title)}</span></h2>\n'
            f'<p class="about">{escape(facts)}</p>\n{own}<div class="scroll"><table class="passages">\n'
            '<thead><tr><th scope="col" class="lines">Lines</th><th scope="col" class="kind">Kind</th>'
            '<th scope="col">States, numbers, findings</th></tr></thead>\n'
            f"<tbody>\n{rows}</tbody>\n</table></div>\n</section>\n"
        )

    def _passage(self, report: DocumentReport, passage: SourcePassage) -> str:
        anchor, language = f"{report.document.id}:{passage.first}", report.document.language
        text = None
        if self.with_passages and report.text is not None:
            text = "\n".join(report.text[passage.first - 1 : passage.last]).strip("\n")
        about = "".join(_about(passage, report.document, text))
        findings = self._at((passage.span.file, passage.span.line), anchor, SOURCES)
        at = escape(anchor)
        return (
            f'<tr class="row" id="{at}"><th scope="row" class="lines"><a href="#{at}">{passage.lines}</a></th>'
            f'<td>{escape(passage.kind)}</td><td class="at-{language}">{about}{findings}</td></tr>\n'
        )

    def _all(self) -> str:
        if not self.findings:
            return '<section id="findings"><h2 class="chapter">All findings</h2>\n<p>Nothing was found.</p></section>'
        groups = []
        for check in self.checks:
            items = [_listed(one, self._anchors.get(spot)) for spot, one in self.findings if one.check == check]
            name = escape(check)
            groups.append(
                f'<section><h3 id="check-{name}">{name}: {len(items)}</h3>\n'
                f'<ul class="plain all">\n{_joined(items)}\n</ul></section>'
            )
        heading = '<h2 class="chapter">All findings</h2>'
        return f'<section class="group" id="findings">\n{heading}\n{_joined(groups)}\n</section>'


def _places(corpus: Corpus) -> dict[str, list[Excerpt]]:
    """Statement to the passages that state it."""
    found: dict[str, list[Excerpt]] = {}
    for excerpt in corpus.excerpts:
        for id_ in excerpt.passage.states:
            found.setdefault(id_, []).append(excerpt)
    return found


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


def name_of(language: str) -> str:
    """The English name of a language, its code where there is none."""
    try:
        return Locale.parse(language).get_language_name("en") or language
    except (UnknownLocaleError, ValueError):
        return language


def _radio(group: str, value: str, label: str, number: int | None, checked: bool = False) -> str:
    count = "" if number is None else f' <span class="n">{number}</span>'
    mark = " checked" if checked else ""
    return (
        f'<label><input type="radio" name="{group}" id="{group}-{escape(value)}"{mark}> {escape(label)}{count}</label>'
    )


def _joined(lines: Iterable[str]) -> str:
    return "\n".join(lines)


def _finding(finding: Finding) -> str:
    message = _prose(finding.message)
    if finding.reason is not None:
        return f'<p class="silenced">{escape(finding.check)}: {message} All right: {_prose(finding.reason)}</p>'
    help = f'<span class="help">{_prose(finding.help)}</span>' if finding.help else ""
    return (
        f'<p class="finding {finding.severity} check-{escape(finding.check)}">'
        f"<b>{finding.severity.capitalize()}, {escape(finding.check)}:</b> {message}{help}</p>"
    )


def _prose(text: str) -> str:
    """A message, with what is in backticks as code."""
    return _CODE.sub(r"<code>\1</code>", escape(text))


def _about(passage: SourcePassage, document: Document, text: str | None) -> Iterator[str]:
    if passage.states:
        yield ", ".join(f'<a href="#{escape(state)}"><code>{escape(state)}</code></a>' for state in passage.states)
    if passage.numbers:
        yield f" <span>numbers: {', '.join(map(str, passage.numbers))}</span>"
    for remark in (passage.damage and f"damaged: {passage.damage}", passage.note):
        if remark:
            yield f'<p class="silenced">{escape(remark)}</p>'
    if text:
        yield f'<p class="quote" lang="{escape(document.language)}">{escape(text)}</p>'


def _listed(finding: Finding, anchor: str | None) -> str:
    place = f"<code>{escape(finding.place)}</code>"
    if anchor is not None:
        place = f'<a href="#{escape(anchor)}">{place}</a>'
    help = f' <span class="help">{_prose(finding.help)}</span>' if finding.help else ""
    return f"<li>{place} {finding.severity}: {_prose(finding.message)}{help}</li>"


# ---------------------------------------------------------------- filters

SERIOUS = "serious"
"""The name of the filter for errors and warnings."""

_MARKS = {"any": ".finding", SERIOUS: ":is(.error, .warning)"}


def filters(checks: Iterable[str], languages: Iterable[str]) -> str:
    """Rules by which the page's own inputs hide what does not fit, without a script.

    ``finding-NAME`` chooses a check, ``in-LANGUAGE`` where it must have been found, ``show-LANGUAGE`` the columns.
    """
    languages = tuple(languages)
    rules = [f"body:has(#show-{x}:not(:checked)) .col-{x} {{ display: none; }}" for x in languages]
    for check in (*_MARKS, *checks):
        mark = _MARKS.get(check, f".check-{check}")
        for where in ("any", *languages):
            wanted = mark if where == "any" else f".at-{where} {mark}"
            when = f"body:has(#finding-{check}:checked):has(#in-{where}:checked)"
            hidden = [f"{when} {box}:not(:has({wanted}))" for box in (".row", ".section", ".group")]
            rules.append(f"{', '.join(hidden)} {{ display: none; }}")
            rules.append(f"{when} main:not(:has(.row {wanted})) .nothing {{ display: block; }}")
    return "\n".join(rules) + "\n"
