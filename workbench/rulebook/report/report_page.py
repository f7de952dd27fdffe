"""The report as one HTML page that needs no script and no other file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from itertools import groupby
from pathlib import Path

from rulelang.words import several

from ... import web
from ..corpus import STATES
from . import content

_STYLE = Path(__file__).parent / "assets" / "report.css"
_CODE = re.compile(r"`([^`]+)`")
_STATE_WORDS = {
    "new": "not translated yet",
    "translated": "not reviewed yet",
    "reviewed": "reviewed",
    "stale": "stale: changed since the review",
}


def as_html(page: content.ReportPage) -> str:
    """The whole page. Each statement and each passage is an element with its id, so that links lead to it."""
    title = f"{page.title}: texts side by side"
    body = f"""<a class="skip" href="#main">To the texts</a>
<div class="layout">
<div class="side">
{_controls(page)}
{_contents(page)}
</div>
<main id="main">
<header>
<h1>{escape(title)}</h1>
<p class="lead">{_lead(page)}</p>
</header>
{_summary(page)}
<p class="nothing">No statement matches these filters.</p>
{"".join(_part(part, page) for part in page.parts)}
{"".join(_document(document) for document in page.documents)}
{_all(page)}
</main>
</div>"""
    return web.page(title, "en", body, _STYLE, filters(page.summary.checks, page.languages))


def _lead(page: content.ReportPage) -> str:
    parts = [f"{several(max(page.summary.statements.values(), default=0), 'statement')} in {_names(page.languages)}"]
    parts += [several(len(page.documents), "source document")]
    parts += [f"{several(len(page.findings), 'finding')}, {page.silenced} more silenced with a reason"]
    passages = "" if page.with_passages else " The sentences of the source documents are left out."
    return escape(f"{'; '.join(parts)}.") + passages


def _names(languages: Iterable[str]) -> str:
    names = [name_of(language) for language in languages]
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else "".join(names)


def name_of(language: str) -> str:
    """The English name of a language, its code where there is none."""
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(language).get_language_name("en") or language
    except (UnknownLocaleError, ValueError):
        return language


# ---------------------------------------------------------------- filters and contents


def _controls(page: content.ReportPage) -> str:
    counts = {check: sum(by.values()) for check, by in page.summary.checks.items()}
    findings = [_radio("finding", "all", "everything", None, checked=True)]
    findings += [_radio("finding", "any", "any finding", sum(counts.values()))]
    serious = sum(listed.finding.severity != "note" for listed in page.findings)
    findings += [_radio("finding", SERIOUS, "an error or a warning", serious)]
    findings += [_radio("finding", check, check, number) for check, number in counts.items()]
    where = [_radio("in", "any", "any language", None, checked=True)]
    where += [_radio("in", language, name_of(language), None) for language in page.languages]
    shown = [
        f'<label><input type="checkbox" id="show-{x}" checked> {escape(name_of(x))}</label>' for x in page.languages
    ]
    return (
        '<p class="unfit">This browser cannot filter; the list of all findings is at the end of the page.</p>\n'
        '<form autocomplete="off">\n'
        f"<fieldset><legend>Show statements with</legend>\n{_joined(findings)}\n</fieldset>\n"
        f"<fieldset><legend>found in</legend>\n{_joined(where)}\n</fieldset>\n"
        f"<fieldset><legend>Columns</legend>\n{_joined(shown)}\n</fieldset>\n</form>"
    )


def _radio(group: str, value: str, label: str, number: int | None, checked: bool = False) -> str:
    count = "" if number is None else f' <span class="n">{number}</span>'
    mark = " checked" if checked else ""
    return (
        f'<label><input type="radio" name="{group}" id="{group}-{escape(value)}"{mark}> {escape(label)}{count}</label>'
    )


def _contents(page: content.ReportPage) -> str:
    links = [("summary", "Summary")]
    for part in page.parts:
        for chapter in part.chapters:
            title = next(iter(chapter.titles.values()), "") or "Without a heading"
            links.append((chapter.anchor, f"{part.title}: {title}" if part.title else title))
    links += [(document.anchor, document.id) for document in page.documents]
    links.append(("findings", "All findings"))
    items = [f'<li><a href="#{escape(anchor)}">{escape(title)}</a></li>' for anchor, title in links]
    return f'<nav class="contents" aria-label="Contents"><h2>Contents</h2>\n<ol>\n{_joined(items)}\n</ol></nav>'


def _joined(lines: Iterable[str]) -> str:
    return "\n".join(lines)


# ---------------------------------------------------------------- summary


def _summary(page: content.ReportPage) -> str:
    summary = page.summary
    heads = "".join(f'<th scope="col">{escape(name_of(x))}</th>' for x in page.languages)
    rows = [_numbers("statements", summary.statements, page, "")]
    rows += [
        _numbers(_STATE_WORDS[state], summary.states[state], page, ' class="rule"' if not n else "")
        for n, state in enumerate(STATES)
    ]
    rows += [
        _numbers(f"{severity}s", by, page, ' class="rule"' if not n else "", wide=True)
        for n, (severity, by) in enumerate(summary.severities.items())
    ]
    for n, (check, by) in enumerate(summary.checks.items()):
        label = f'<a href="#check-{escape(check)}">{escape(check)}</a>'
        rows.append(_numbers(label, by, page, ' class="rule"' if not n else "", wide=True))
    silent = f"<p>Nothing was found by {', '.join(summary.silent)}.</p>" if summary.silent else ""
    return (
        '<section id="summary" aria-label="Summary">\n<div class="scroll"><table class="numbers">\n'
        f'<thead><tr><th scope="col">Summary</th>{heads}<th scope="col">source documents</th>'
        '<th scope="col">elsewhere</th></tr></thead>\n'
        f"<tbody>\n{_joined(rows)}\n</tbody>\n</table></div>\n{silent}</section>"
    )


def _numbers(label: str, by: Mapping[str, int], page: content.ReportPage, attributes: str, wide: bool = False) -> str:
    def cell(number: int) -> str:
        return f"<td>{number}</td>" if number else '<td class="zero">0</td>'

    cells = [cell(by.get(language, 0)) for language in page.languages]
    cells += [cell(by.get(column, 0)) if wide else "<td></td>" for column in (content.SOURCES, content.OTHER)]
    return f'<tr{attributes}><th scope="row">{label}</th>{"".join(cells)}</tr>'


# ---------------------------------------------------------------- statements


def _part(part: content.ReportPart, page: content.ReportPage) -> str:
    return "".join(_chapter(chapter, part, page) for chapter in part.chapters)


def _chapter(chapter: content.ReportChapter, part: content.ReportPart, page: content.ReportPage) -> str:
    titles = [
        f'<span lang="{escape(language)}">{escape(title)}</span>' for language, title in chapter.titles.items() if title
    ]
    variant = f"<span>{escape(part.title)}</span>" if part.title else ""
    sections = "".join(_section(section, page) for section in chapter.sections)
    return (
        f'<section class="group">\n<h2 class="chapter" id="{escape(chapter.anchor)}">{variant}{"".join(titles)}</h2>\n'
        f"{sections}</section>\n"
    )


def _section(section: content.Section, page: content.ReportPage) -> str:
    anchor = escape(section.anchor)
    values = ", ".join(f"<code>{escape(name)}</code> = {escape(value)}" for name, value in section.values)
    heads = "".join(
        f'<th scope="col" class="col-{language}">{escape(name_of(language))}</th>' for language in page.languages
    )
    runs = (
        f"<details><summary>What runs</summary><pre><code>{escape(section.runs)}</code></pre></details>\n"
        if section.runs
        else ""
    )
    return (
        f'<section class="section" aria-labelledby="{anchor}">\n'
        f'<h3 id="{anchor}"><a href="#{anchor}"><code>{escape(section.id)}</code></a></h3>\n'
        f'<p class="about">{_states(section, page)}</p>\n'
        + (f'<p class="about">Values: {values}</p>\n' if values else "")
        + runs
        + '<div class="scroll"><table class="statements">\n'
        f'<thead><tr><th scope="col" class="id"><span aria-label="Number of the statement">no.</span></th>{heads}'
        '<th scope="col" class="sources">Stated in</th></tr></thead>\n<tbody>\n'
        + "".join(_row(row, page) for row in section.rows)
        + "</tbody>\n</table></div>\n</section>\n"
    )


def _states(section: content.Section, page: content.ReportPage) -> str:
    """How far the section is: once where that is the same in all languages."""
    if len(section.states) == len(page.languages) > 1 and len(set(section.states.values())) == 1:
        state = next(iter(section.states.values()))
        return f'<span class="badge {state}">All languages: <b>{_STATE_WORDS[state]}</b></span>'
    return "".join(
        f'<span class="badge {section.states[x]} col-{x}">{escape(name_of(x))}: '
        f"<b>{_STATE_WORDS[section.states[x]]}</b></span>"
        for x in page.languages
        if x in section.states
    )


def _row(row: content.ReportRow, page: content.ReportPage) -> str:
    anchor, number = escape(row.anchor), escape(row.id.rpartition(".")[2])
    cells = "".join(_cell(language, row) for language in page.languages)
    return (
        f'<tr class="row" id="{anchor}"><th scope="row" class="id">'
        f'<a href="#{anchor}" aria-label="{escape(row.id)}">{number}</a></th>{cells}'
        f'<td class="sources">{_places(row.places, page)}</td></tr>\n'
    )


def _cell(language: str, row: content.ReportRow) -> str:
    """A statement in one language, its findings, and below it what documents in that language say."""
    return (
        f'<td class="col-{language} at-{language}">{_wording(language, row.cells.get(language))}'
        f"{''.join(_quote(place) for place in row.places if place.language == language)}</td>"
    )


def _wording(language: str, cell: content.RowCell | None) -> str:
    if cell is None:
        return '<span class="missing">missing</span>'
    words = "".join(
        escape(piece.text)
        if piece.value is None
        else f'<span class="v" title="{escape(piece.value)}">{escape(piece.text)}</span>'
        for piece in cell.pieces
    )
    comments = "".join(f'<p class="comment">{escape(comment)}</p>' for comment in cell.comments)
    return f'<span lang="{escape(language)}">{words}</span>{comments}{_findings(cell.findings)}'


def _quote(place: content.StatedPlace) -> str:
    if not place.text:
        return ""
    return (
        f"<details><summary>{escape(place.document)} {place.lines}</summary>"
        f'<p class="quote" lang="{escape(place.language)}">{escape(place.text)}</p></details>'
    )


def _places(places: Iterable[content.StatedPlace], page: content.ReportPage) -> str:
    """Links to the passages; those in a language without a column are quoted here."""
    places = tuple(places)
    out = []
    for document, group in groupby(places, key=lambda p: p.document):
        links = []
        for place in group:
            mark = f' <span title="{several(place.findings, "finding")}">&#9873;</span>' if place.findings else ""
            links.append(f'<a href="#{escape(place.anchor)}">{place.lines}</a>{mark}')
        out.append(f"<div>{escape(document)} {', '.join(links)}</div>")
    return "".join([*out, *(_quote(place) for place in places if place.language not in page.languages)])


def _findings(findings: Iterable[content.Finding]) -> str:
    return "".join(map(_finding, findings))


def _finding(finding: content.Finding) -> str:
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


# ---------------------------------------------------------------- documents and the list of all findings


def _document(document: content.DocumentPart) -> str:
    facts = "; ".join(f"{name}: {value}" for name, value in document.facts)
    own = ""
    if document.findings:
        own = f'<div class="row"><div class="at-{document.language}">{_findings(document.findings)}</div></div>\n'
    rows = "".join(_passage(passage, document) for passage in document.passages)
    return (
        f'<section class="group col-{document.language}">\n<h2 class="chapter" id="{escape(document.anchor)}">'
        f"<span>{escape(document.id)}</span>"
        f'<span lang="{escape(document.language)}">{escape(document.title)}</span></h2>\n'
        f'<p class="about">{escape(facts)}</p>\n{own}<div class="scroll"><table class="passages">\n'
        '<thead><tr><th scope="col" class="lines">Lines</th><th scope="col" class="kind">Kind</th>'
        '<th scope="col">States, numbers, findings</th></tr></thead>\n'
        f"<tbody>\n{rows}</tbody>\n</table></div>\n</section>\n"
    )


def _passage(passage: content.PassageRow, document: content.DocumentPart) -> str:
    anchor = escape(passage.anchor)
    return (
        f'<tr class="row" id="{anchor}"><th scope="row" class="lines"><a href="#{anchor}">{passage.lines}</a></th>'
        f"<td>{escape(passage.kind)}</td>"
        f'<td class="at-{document.language}">{"".join(_about(passage, document))}</td></tr>\n'
    )


def _about(passage: content.PassageRow, document: content.DocumentPart) -> Iterator[str]:
    if passage.states:
        yield ", ".join(f'<a href="#{escape(state)}"><code>{escape(state)}</code></a>' for state in passage.states)
    if passage.numbers:
        yield f" <span>numbers: {', '.join(map(str, passage.numbers))}</span>"
    for remark in passage.remarks:
        yield f'<p class="silenced">{escape(remark)}</p>'
    if passage.text:
        yield f'<p class="quote" lang="{escape(document.language)}">{escape(passage.text)}</p>'
    yield _findings(passage.findings)


def _all(page: content.ReportPage) -> str:
    if not page.findings:
        return '<section id="findings"><h2 class="chapter">All findings</h2>\n<p>Nothing was found.</p></section>'
    groups = []
    for check in page.summary.checks:
        items = [_listed(listed) for listed in page.findings if listed.finding.check == check]
        name = escape(check)
        groups.append(
            f'<section><h3 id="check-{name}">{name}: {len(items)}</h3>\n'
            f'<ul class="plain all">\n{_joined(items)}\n</ul></section>'
        )
    return (
        f'<section class="group" id="findings">\n<h2 class="chapter">All findings</h2>\n{_joined(groups)}\n</section>'
    )


def _listed(listed: content.Listed) -> str:
    finding = listed.finding
    place = f"<code>{escape(finding.place)}</code>"
    if listed.anchor is not None:
        place = f'<a href="#{escape(listed.anchor)}">{place}</a>'
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
