"""XLIFF 1.2 (OASIS, transitional), for tools that know no other. Placeholders are ``<x>`` elements.

``approved="yes"`` and the states ``signed-off`` and ``final`` sign a sentence off; a stale translation is
``needs-review-translation``. The glossary stands in the header as TBX. A sentence with plural forms is a group with a
unit for each form. Notes that are not from ``rulelang`` are comments.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from rulelang.source import Span

from ..glossary import Concept, Glossary
from ..texts.interpolation import pieces_of
from .spread import gathered, kind_of, spread
from .tbx import write_tbx
from .units import Delivery, Entry, ExchangeError, Job, Unit, comments_in
from .xliff import check_language, descendants, name_in
from .xml import attributes, escape, local

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

_NAMESPACE = "urn:oasis:names:tc:xliff:document:1.2"
_OURS = "rulelang"
_STATES = {"stale": "needs-review-translation", "translated": "translated", "reviewed": "signed-off"}
_REVIEWED = ("signed-off", "final")
_BASIS = "basis: "


def write_xliff1(job: Job) -> str:
    """The job as an XLIFF 1.2 file."""
    numbers = count(1)
    units = "".join(_group(spread(unit, job), unit, numbers, job) for unit in job.units)
    file = (
        attributes(
            original=f"{job.name}:{job.file}",
            source_language=job.source_language,
            target_language=job.target_language,
            datatype="plaintext",
        )
        .replace("_language", "-language")
        .replace(":language", "-language")
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<xliff{attributes(xmlns=_NAMESPACE, version='1.2')}>\n<file{file}>\n"
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


def _group(forms: tuple[Unit, ...], unit: Unit, numbers: Iterator[int], job: Job) -> str:
    written = "".join(_unit(form, next(numbers)) for form in forms)
    if len(forms) == 1 and forms[0] is unit:
        return written
    kind = attributes(id=f"g{next(numbers)}", resname=unit.id, restype=f"x-{kind_of(unit, job)}")
    return f"<group{kind}>\n{written}</group>\n"


def _unit(unit: Unit, number: int) -> str:
    approved = "yes" if unit.state == "reviewed" else "no"
    head = attributes(id=f"unit-{number}", resname=unit.id, approved=approved, xml_space="preserve")
    ids: dict[str, list[int]] = {}
    out = [f"<trans-unit{head}>", f"<source>{_content(unit.source, ids, reuse=False)}</source>"]
    if unit.target is not None:
        state = attributes(state=_STATES[unit.state])
        out.append(f"<target{state}>{_content(unit.target, ids, reuse=True)}</target>")
    lines = [(f"{note.category}: {note.text}", "source") for note in unit.notes]
    lines += [(f"reviewed by {unit.reviewer}", "target")] if unit.reviewer else []
    lines += [(f"{_BASIS}{unit.basis}", "target")] if unit.basis else []
    for line, side in lines:
        out.append(f"<note{attributes(**{'from': _OURS}, annotates=side)}>{escape(line)}</note>")
    for comment in unit.comments:
        out.append(f"<note{attributes(annotates='target')}>{escape(str(comment))}</note>")
    return "\n".join([*out, "</trans-unit>\n"])


def _content(text: str, ids: dict[str, list[int]], *, reuse: bool) -> str:
    """A sentence with ``<x>`` elements; those of a translation have the ids they have in the source."""
    out = []
    for position, piece in enumerate(pieces_of(text)):
        if position % 2 == 0:
            out.append(escape(piece))
            continue
        known = ids.setdefault(piece, [])
        if reuse and known:
            number = known.pop(0)
        else:
            number = 1 + position // 2 + (1000 if reuse else 0)
            if not reuse:
                known.append(number)
        mark = attributes(id=str(number), ctype="x-value", equiv_text=piece).replace("equiv:text", "equiv-text")
        out.append(f"<x{mark}/>")
    return "".join(out)


# ---------------------------------------------------------------- reading


def read_xliff1(root: Element) -> Delivery:
    """The sentences of an XLIFF 1.2 file. Raises ExchangeError."""
    files = list(descendants(root, "file"))
    languages = {(file.get("source-language"), file.get("target-language")) for file in files}
    if len(languages) > 1:
        raise ExchangeError("The parts of the file are in different languages. Import them one by one.")
    source, target = next(iter(languages), (None, None))
    entries = gathered(_read_unit(unit, target) for unit in descendants(root, "trans-unit"))
    return Delivery(name_in(root), source, target, entries)


def _read_unit(unit: Element, language: str | None) -> Entry:
    id_ = unit.get("resname") or unit.get("id") or ""
    if not id_:
        raise ExchangeError("A trans-unit has no id.")
    source = next((e for e in unit if local(e) == "source"), None)
    target = next((e for e in unit if local(e) == "target"), None)
    values = {} if source is None else {x.get("id"): x.get("equiv-text") for x in descendants(source, "x")}
    if target is not None:
        check_language(target, language, id_)
    state = None if target is None else target.get("state")
    notes = [(note.get("from"), "".join(note.itertext())) for note in unit if local(note) == "note"]
    basis = [text.removeprefix(_BASIS).strip() for who, text in notes if who == _OURS and text.startswith(_BASIS)]
    return Entry(
        id_,
        None if source is None else _text(source, values, id_),
        None if target is None else _text(target, values, id_) or None,
        reviewed=unit.get("approved") == "yes" or state in _REVIEWED,
        basis=basis[0] if basis else None,
        comments=comments_in(_signed(who, text) for who, text in notes if who != _OURS),
    )


def _signed(who: str | None, text: str) -> str:
    return f"{text} [{who}]" if who and not text.rstrip().endswith("]") else text


def _text(element: Element, values: dict[str | None, str | None], id_: str) -> str:
    """The words of a source or target; a placeholder becomes its value, marks around words are ignored."""
    out = [element.text or ""]
    for child in element:
        match local(child):
            case "x" | "ph" | "bx" | "ex":
                value = child.get("equiv-text") or values.get(child.get("id"))
                if not value:
                    raise ExchangeError(f"`{id_}`: nothing says what the placeholder {child.get('id')} means.")
                out.append(value)
            case "mrk" | "g":
                out.append(_text(child, values, id_))
            case other:
                raise ExchangeError(f"`{id_}` holds an element <{other}>, which no sentence of a rulebook has.")
        out.append(child.tail or "")
    return "".join(out)
