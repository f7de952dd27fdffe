"""XLIFF, as its version says: 2.0, read also as 2.1 (OASIS, xliff-core), or 1.2 for tools that know no other.

2.0: a unit has one segment; its placeholders are ``<ph>`` elements. What a placeholder means is kept in
``originalData``, as the standard has it: ``equiv`` names it, ``disp`` shows its value. ``state`` is initial, translated
or reviewed; a stale translation is ``translated`` with the subState ``rulelang:stale``. The terms of a sentence stand
in its unit as the glossary module has them. Notes of other categories than ours are comments.

1.2: placeholders are ``<x>`` elements. ``approved="yes"`` and the states ``signed-off`` and ``final`` sign a sentence
off; a stale translation is ``needs-review-translation``. The glossary stands in the header as TBX. Notes that are not
from ``rulelang`` are comments.

A sentence with plural forms is a group with a unit for each form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import count
from typing import TYPE_CHECKING

import attrs

from rulelang.source import Span

from ...glossary import Concept, Glossary
from ..sentence_forms import gathered, kind_of, spread
from ..units import (
    OURS,
    Carried,
    DeliveredUnit,
    Delivery,
    ExchangeError,
    FileFormat,
    Job,
    Note,
    SentenceUnit,
    Term,
    comments_in,
    one,
    primary,
)
from .tbx import write_tbx
from .xml import LANG, attributes, escape, local, parse, with_placeholders

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


def read_xliff(text: str) -> Delivery:
    """An XLIFF file as it came back. Raises ExchangeError."""
    root = parse(text, "XLIFF")
    if local(root) != "xliff":
        raise ExchangeError(f"This is not an XLIFF file: its outermost element is <{local(root)}>.")
    match root.get("version", ""):
        case "2.0" | "2.1":
            return _read2(root)
        case "1.2":
            return _read1(root)
        case version:
            raise ExchangeError(
                f"This is XLIFF {version or 'of no version'}; 2.0, 2.1 and 1.2 can be read. Export it as one of them."
            )


def _descendants(root: Element, name: str) -> Iterator[Element]:
    """The elements of this name below another, whatever their namespace, in the order of the file."""
    return (element for element in root.iter() if local(element) == name)


def _name_in(root: Element) -> str | None:
    """What the file translates, as its files name it. Raises ExchangeError when it holds several texts."""
    names = {(file.get("original") or "").partition(":")[0] for file in _descendants(root, "file")} - {""}
    if len(names) > 1:
        raise ExchangeError(f"The file holds several texts: {', '.join(sorted(names))}. Import them one by one.")
    return next(iter(names), None)


def _units(job: Job, write: Callable[[SentenceUnit, int], str], group: Callable[[SentenceUnit], dict[str, str]]) -> str:
    """All sentences of a job, each by ``write`` with a number of its own; the forms of one in a group, which has the
    attributes that ``group`` says."""
    numbers = count(1)
    out = []
    for unit in job.units:
        forms = spread(unit, job)
        written = "".join(write(form, next(numbers)) for form in forms)
        if len(forms) > 1 or forms[0] is not unit:
            written = f"<group{attributes({'id': f'g{next(numbers)}', **group(unit)})}>\n{written}</group>\n"
        out.append(written)
    return "".join(out)


def _text(element: Element, id_: str, meaning: Callable[[Element], str | None]) -> str:
    """The words of a source or target; a placeholder becomes its ``meaning``, marks around words are ignored."""
    out = [element.text or ""]
    for child in element:
        match local(child):
            case "ph" | "x" | "bx" | "ex":
                value = meaning(child)
                if not value:
                    raise ExchangeError(f"`{id_}`: nothing says what the placeholder {child.get('id')} means.")
                out.append(value)
            case "cp":
                raise ExchangeError(f"`{id_}` holds the control character U+{child.get('hex', '')}; delete it.")
            case "mrk" | "pc" | "g":
                out.append(_text(child, id_, meaning))
            case "sm" | "em" | "sc" | "ec":
                pass
            case other:
                raise ExchangeError(f"`{id_}` holds an element <{other}>, which no sentence of a rulebook has.")
        out.append(child.tail or "")
    return "".join(out)


def _check_language(target: Element, language: str | None, id_: str) -> None:
    """A translation is in the language that the whole file is in. Raises ExchangeError."""
    own = target.get(LANG)
    if own and language and primary(own) != primary(language):
        raise ExchangeError(f"`{id_}` is in `{own}`, but the file says that it is in `{language}`.")


# ---------------------------------------------------------------- XLIFF 2.0


_NAMESPACE = "urn:oasis:names:tc:xliff:document:2.0"
_GLOSSARY = "urn:oasis:names:tc:xliff:glossary:2.0"
_STATES = {
    "new": ("initial", None),
    "stale": ("translated", "rulelang:stale"),
    "translated": ("translated", None),
    "reviewed": ("reviewed", None),
}
_REVIEWED = ("reviewed", "final")
_TOKEN = re.compile(r"[\w.:\-]+")


def write_xliff(job: Job) -> str:
    """The job as an XLIFF 2.0 file."""
    head = attributes(xmlns=_NAMESPACE, version="2.0", srcLang=job.source_language, trgLang=job.target_language)

    def group(unit: SentenceUnit) -> dict[str, str]:
        return {"name": unit.id, "type": f"rulelang:{kind_of(unit, job)}"}

    units = _units(job, lambda unit, number: _unit(unit, number, job), group)
    file = attributes({"id": "text", "original": f"{job.name}:{job.file}", "xml:space": "preserve"})
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<xliff{head}>\n<file{file}>\n{units}</file>\n</xliff>\n'


def _unit(unit: SentenceUnit, number: int, job: Job) -> str:
    id_ = unit.id if _TOKEN.fullmatch(unit.id) else f"unit-{number}"
    ids: dict[str, list[str]] = {}
    data: list[str] = []
    source = _content(unit.source, ids, data, job, reuse=False)
    free = {name: list(numbers) for name, numbers in ids.items()}
    target = None if unit.target is None else _content(unit.target, free, data, job, reuse=True)
    state, sub = _STATES[unit.state]
    segment = attributes(id="s1", canResegment="no", state=state, subState=sub)
    out = [f"<unit{attributes(id=id_, name=unit.id)}>", *_glossary(unit.terms), *_notes(unit)]
    out += [f"<originalData>{''.join(data)}</originalData>"] if data else []
    out.append(f"<segment{segment}>")
    out.append(f"<source>{source}</source>")
    out += [f"<target>{target}</target>"] if target is not None else []
    return "\n".join([*out, "</segment>", "</unit>\n"])


def _notes(unit: SentenceUnit) -> list[str]:
    notes = [(note, "source") for note in unit.notes]
    notes += [(Note("review", f"reviewed by {unit.reviewer}"), "target")] if unit.reviewer else []
    notes += [(Note("basis", unit.basis), "target")] if unit.basis else []
    notes += [(Note("comment", str(comment)), "target") for comment in unit.comments]
    written = "".join(
        f"<note{attributes(id=f'n{n}', category=note.category, appliesTo=side)}>{escape(note.text)}</note>"
        for n, (note, side) in enumerate(notes, 1)
    )
    return [f"<notes>{written}</notes>"] if written else []


def _glossary(terms: tuple[Term, ...]) -> list[str]:
    """The terms of a sentence, by the glossary module."""
    if not terms:
        return []
    out = [f"<gls:glossary{attributes({'xmlns:gls': _GLOSSARY})}>"]
    for term in terms:
        words = [f"<gls:term>{escape(term.source)}</gls:term>"]
        words += [f"<gls:translation>{escape(name)}</gls:translation>" for name in term.targets]
        words += [f"<gls:definition>{escape(' '.join(term.note.split()))}</gls:definition>"] if term.note else []
        out.append(f"<gls:glossEntry>{''.join(words)}</gls:glossEntry>")
    return ["".join([*out, "</gls:glossary>"])]


def _content(text: str, ids: dict[str, list[str]], data: list[str], job: Job, *, reuse: bool) -> str:
    """A sentence with ``<ph>`` elements, whose meaning is added to ``data``."""

    def new_id(_: int, piece: str) -> str:
        number = str(len(data) + 1)
        data.append(f'<data id="d{number}">{escape(piece)}</data>')
        return number

    def ph(id_: str, piece: str) -> str:
        disp = job.values.get(piece) or None
        return f"<ph{attributes(id=id_, dataRef=f'd{id_}', equiv=piece, disp=disp, type='other', canDelete='no')}/>"

    return with_placeholders(text, ids, new_id, ph, reuse=reuse)


# ---------------------------------------------------------------- reading


def _read2(root: Element) -> Delivery:
    """The sentences of an XLIFF 2 file. Raises ExchangeError."""
    language = root.get("trgLang")
    entries = gathered(_read_unit(unit, language) for unit in _descendants(root, "unit"))
    return Delivery(_name_in(root), root.get("srcLang"), language, entries)


def _read_unit(unit: Element, language: str | None) -> DeliveredUnit:
    id_ = unit.get("name") or unit.get("id") or ""
    if not id_:
        raise ExchangeError("A unit has no id.")
    source, target, states = _segments(unit, language, id_)
    notes = [(note.get("category"), "".join(note.itertext())) for note in _descendants(unit, "note")]
    return DeliveredUnit(
        id_,
        source,
        target,
        reviewed=bool(states) and all(state in _REVIEWED for state in states),
        basis=next((text.strip() for category, text in notes if category == "basis"), None),
        comments=comments_in(text for category, text in notes if category not in OURS),
    )


def _segments(unit: Element, language: str | None, id_: str) -> tuple[str, str | None, list[str | None]]:
    """The source and the target of all segments together, and the states of each."""
    data = {d.get("id"): d.text or "" for d in _descendants(unit, "data")}

    def meaning(ph: Element) -> str | None:
        return data.get(ph.get("dataRef")) or ph.get("equiv")

    source, target, some = "", "", False
    states = []
    for part in unit:
        if local(part) not in ("segment", "ignorable"):
            continue
        for side in part:
            if local(side) == "target":
                _check_language(side, language, id_)
        sides = {local(side): _text(side, id_, meaning) for side in part if local(side) in ("source", "target")}
        source += sides.get("source", "")
        if local(part) == "segment":
            some = some or bool(sides.get("target"))
            target += sides.get("target", "")
            states.append(part.get("state"))
        else:
            target += sides.get("target", sides.get("source", ""))
    return source, target if some else None, states


# ---------------------------------------------------------------- XLIFF 1.2


_NAMESPACE1 = "urn:oasis:names:tc:xliff:document:1.2"
_OURS = "rulelang"
_STATES1 = {"stale": "needs-review-translation", "translated": "translated", "reviewed": "signed-off"}
_REVIEWED1 = ("signed-off", "final")
_BASIS = "basis: "


def write_xliff1(job: Job) -> str:
    """The job as an XLIFF 1.2 file."""

    def group(unit: SentenceUnit) -> dict[str, str]:
        return {"resname": unit.id, "restype": f"x-{kind_of(unit, job)}"}

    units = _units(job, _unit1, group)
    file = attributes(
        {
            "original": f"{job.name}:{job.file}",
            "source-language": job.source_language,
            "target-language": job.target_language,
            "datatype": "plaintext",
        }
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<xliff{attributes(xmlns=_NAMESPACE1, version='1.2')}>\n<file{file}>\n"
        f"{_header(job)}<body>\n{units}</body>\n</file>\n</xliff>\n"
    )


def _header(job: Job) -> str:
    """The terms that the sentences use, as TBX inside the file; nothing without a glossary."""
    languages = job.source_language, job.target_language
    terms = {term.id: term for unit in job.units for term in unit.terms}
    here = Span("glossary.toml", 1, 1, 1, 2)
    concepts = {
        id_: Concept(id_, {languages[0]: (term.source,), languages[1]: term.targets}, {}, term.note, here)
        for id_, term in terms.items()
    }
    if not concepts:
        return ""
    base = write_tbx(Glossary("", concepts), job.name, job.source_language)
    return f'<header><glossary><internal-file form="text/xml">{escape(base)}</internal-file></glossary></header>\n'


def _unit1(unit: SentenceUnit, number: int) -> str:
    approved = "yes" if unit.state == "reviewed" else "no"
    head = attributes({"id": f"unit-{number}", "resname": unit.id, "approved": approved, "xml:space": "preserve"})
    ids: dict[str, list[str]] = {}
    out = [f"<trans-unit{head}>", f"<source>{_content1(unit.source, ids, reuse=False)}</source>"]
    if unit.target is not None:
        state = attributes(state=_STATES1[unit.state])
        out.append(f"<target{state}>{_content1(unit.target, ids, reuse=True)}</target>")
    lines = [(f"{note.category}: {note.text}", "source") for note in unit.notes]
    lines += [(f"reviewed by {unit.reviewer}", "target")] if unit.reviewer else []
    lines += [(f"{_BASIS}{unit.basis}", "target")] if unit.basis else []
    for line, side in lines:
        out.append(f"<note{attributes({'from': _OURS}, annotates=side)}>{escape(line)}</note>")
    for comment in unit.comments:
        out.append(f"<note{attributes(annotates='target')}>{escape(str(comment))}</note>")
    return "\n".join([*out, "</trans-unit>\n"])


def _content1(text: str, ids: dict[str, list[str]], *, reuse: bool) -> str:
    """A sentence with ``<x>`` elements."""

    def x(id_: str, piece: str) -> str:
        return f"<x{attributes({'id': id_, 'ctype': 'x-value', 'equiv-text': piece})}/>"

    return with_placeholders(text, ids, lambda number, _: str(number + 1000 * reuse), x, reuse=reuse)


# ---------------------------------------------------------------- reading


def _read1(root: Element) -> Delivery:
    """The sentences of an XLIFF 1.2 file. Raises ExchangeError."""
    files = list(_descendants(root, "file"))
    languages = {(file.get("source-language"), file.get("target-language")) for file in files}
    if len(languages) > 1:
        raise ExchangeError("The parts of the file are in different languages. Import them one by one.")
    source, target = next(iter(languages), (None, None))
    entries = gathered(_read_unit1(unit, target) for unit in _descendants(root, "trans-unit"))
    return Delivery(_name_in(root), source, target, entries)


def _read_unit1(unit: Element, language: str | None) -> DeliveredUnit:
    id_ = unit.get("resname") or unit.get("id") or ""
    if not id_:
        raise ExchangeError("A trans-unit has no id.")
    source = next((e for e in unit if local(e) == "source"), None)
    target = next((e for e in unit if local(e) == "target"), None)
    values = {} if source is None else {x.get("id"): x.get("equiv-text") for x in _descendants(source, "x")}

    def meaning(x: Element) -> str | None:
        return x.get("equiv-text") or values.get(x.get("id"))

    if target is not None:
        _check_language(target, language, id_)
    state = None if target is None else target.get("state")
    notes = [(note.get("from"), "".join(note.itertext())) for note in unit if local(note) == "note"]
    basis = [text.removeprefix(_BASIS).strip() for who, text in notes if who == _OURS and text.startswith(_BASIS)]
    return DeliveredUnit(
        id_,
        None if source is None else _text(source, id_, meaning),
        None if target is None else _text(target, id_, meaning) or None,
        reviewed=unit.get("approved") == "yes" or state in _REVIEWED1,
        basis=basis[0] if basis else None,
        comments=comments_in(_signed(who, text) for who, text in notes if who != _OURS),
    )


def _signed(who: str | None, text: str) -> str:
    return f"{text} [{who}]" if who and not text.rstrip().endswith("]") else text


_CARRIES: frozenset[Carried] = frozenset(("forms", "settings", "comments", "reviews", "terms"))

XLIFF = FileFormat(
    "xliff",
    "XLIFF 2.0",
    (".xlf", ".xliff"),
    lambda jobs: write_xliff(one(jobs)),
    lambda text, _: read_xliff(text),
    _CARRIES,
)

XLIFF1 = attrs.evolve(XLIFF, name="xliff1.2", about="XLIFF 1.2", write=lambda jobs: write_xliff1(one(jobs)))
