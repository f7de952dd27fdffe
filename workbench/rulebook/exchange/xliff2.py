"""XLIFF 2.0, read also as 2.1 (OASIS, xliff-core). A unit has one segment; its placeholders are ``<ph>`` elements.

What a placeholder means is kept in ``originalData``, as the standard has it: ``equiv`` names it, ``disp`` shows
its value. ``state`` is initial, translated or reviewed; a stale translation is ``translated`` with the subState
``rulelang:stale``. The terms of a sentence stand in its unit as the glossary module has them. A sentence with plural
forms is a group with a unit for each form. Notes of other categories than ours are comments.
"""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING

from ..texts.interpolation import pieces_of
from .spread import gathered, kind_of, spread
from .units import OURS, Delivery, Entry, ExchangeError, Job, Note, Term, Unit, comments_in
from .xliff import check_language, descendants, name_in
from .xml import attributes, escape, local

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

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
    numbers = count(1)
    units = "".join(_group(spread(unit, job), unit, numbers, job) for unit in job.units)
    file = attributes(id="text", original=f"{job.name}:{job.file}", xml_space="preserve")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<xliff{head}>\n<file{file}>\n{units}</file>\n</xliff>\n'


def _group(forms: tuple[Unit, ...], unit: Unit, numbers: Iterator[int], job: Job) -> str:
    """A unit, or a group with the units of a sentence's forms."""
    written = "".join(_unit(form, next(numbers), job) for form in forms)
    if len(forms) == 1 and forms[0] is unit:
        return written
    head = attributes(id=f"g{next(numbers)}", name=unit.id, type=f"rulelang:{kind_of(unit, job)}")
    return f"<group{head}>\n{written}</group>\n"


def _unit(unit: Unit, number: int, job: Job) -> str:
    id_ = unit.id if _TOKEN.fullmatch(unit.id) else f"unit-{number}"
    ids: dict[str, list[str]] = {}
    data: list[str] = []
    source = _content(unit.source, ids, data, job, reuse=False)
    free = {name: list(numbers) for name, numbers in ids.items()}
    target = None if unit.target is None else _content(unit.target, free, data, job, reuse=True)
    state, sub = _STATES[unit.state]
    segment = attributes(id="s1", canResegment="no", state=state, subState=sub)
    out = [f"<unit{attributes(id=id_, name=unit.id)}>", *_terms(unit.terms), *_notes(unit)]
    out += [f"<originalData>{''.join(data)}</originalData>"] if data else []
    out.append(f"<segment{segment}>")
    out.append(f"<source>{source}</source>")
    out += [f"<target>{target}</target>"] if target is not None else []
    return "\n".join([*out, "</segment>", "</unit>\n"])


def _notes(unit: Unit) -> list[str]:
    notes = [(note, "source") for note in unit.notes]
    notes += [(Note("review", f"reviewed by {unit.reviewer}"), "target")] if unit.reviewer else []
    notes += [(Note("basis", unit.basis), "target")] if unit.basis else []
    notes += [(Note("comment", str(comment)), "target") for comment in unit.comments]
    written = "".join(
        f"<note{attributes(id=f'n{n}', category=note.category, appliesTo=side)}>{escape(note.text)}</note>"
        for n, (note, side) in enumerate(notes, 1)
    )
    return [f"<notes>{written}</notes>"] if written else []


def _terms(terms: tuple[Term, ...]) -> list[str]:
    """The terms of a sentence, by the glossary module."""
    if not terms:
        return []
    out = [f"<gls:glossary{attributes(xmlns_gls=_GLOSSARY)}>"]
    for term in terms:
        words = [f"<gls:term>{escape(term.source)}</gls:term>"]
        words += [f"<gls:translation>{escape(name)}</gls:translation>" for name in term.targets]
        words += [f"<gls:definition>{escape(' '.join(term.note.split()))}</gls:definition>"] if term.note else []
        out.append(f"<gls:glossEntry>{''.join(words)}</gls:glossEntry>")
    return ["".join([*out, "</gls:glossary>"])]


def _content(text: str, ids: dict[str, list[str]], data: list[str], job: Job, *, reuse: bool) -> str:
    """A sentence with ``<ph>`` elements. ``ids``: placeholder to the ids it has in the source, filled or used up."""
    out = []
    for position, piece in enumerate(pieces_of(text)):
        if position % 2 == 0:
            out.append(escape(piece))
            continue
        known = ids.setdefault(piece, [])
        if reuse and known:
            number = known.pop(0)
        else:
            number = str(len(data) + 1)
            data.append(f'<data id="d{number}">{escape(piece)}</data>')
            if not reuse:
                known.append(number)
        disp = job.values.get(piece) or None
        ph = attributes(id=number, dataRef=f"d{number}", equiv=piece, disp=disp, type="other", canDelete="no")
        out.append(f"<ph{ph}/>")
    return "".join(out)


# ---------------------------------------------------------------- reading


def read_xliff2(root: Element) -> Delivery:
    """The sentences of an XLIFF 2 file. Raises ExchangeError."""
    language = root.get("trgLang")
    entries = gathered(_read_unit(unit, language) for unit in descendants(root, "unit"))
    return Delivery(name_in(root), root.get("srcLang"), language, entries)


def _read_unit(unit: Element, language: str | None) -> Entry:
    id_ = unit.get("name") or unit.get("id") or ""
    if not id_:
        raise ExchangeError("A unit has no id.")
    data = {d.get("id"): d.text or "" for d in descendants(unit, "data")}
    source, target = "", ""
    states = []
    some = False
    for part in unit:
        if local(part) not in ("segment", "ignorable"):
            continue
        for side in part:
            if local(side) == "target":
                check_language(side, language, id_)
        sides = {local(side): _text(side, data, id_) for side in part if local(side) in ("source", "target")}
        source += sides.get("source", "")
        if local(part) == "segment":
            some = some or bool(sides.get("target"))
            target += sides.get("target", "")
            states.append(part.get("state"))
        else:
            target += sides.get("target", sides.get("source", ""))
    notes = [(note.get("category"), "".join(note.itertext())) for note in descendants(unit, "note")]
    return Entry(
        id_,
        source,
        target if some else None,
        reviewed=bool(states) and all(state in _REVIEWED for state in states),
        basis=next((text.strip() for category, text in notes if category == "basis"), None),
        comments=comments_in(text for category, text in notes if category not in OURS),
    )


def _text(element: Element, data: dict[str | None, str], id_: str) -> str:
    """The words of a source or target; a placeholder becomes its data, marks around words are ignored."""
    out = [element.text or ""]
    for child in element:
        match local(child):
            case "ph":
                value = data.get(child.get("dataRef")) or child.get("equiv")
                if not value:
                    raise ExchangeError(f"`{id_}`: nothing says what the placeholder {child.get('id')} means.")
                out.append(value)
            case "cp":
                raise ExchangeError(f"`{id_}` holds the control character U+{child.get('hex', '')}; delete it.")
            case "mrk" | "pc":
                out.append(_text(child, data, id_))
            case "sm" | "em" | "sc" | "ec":
                pass
            case other:
                raise ExchangeError(f"`{id_}` holds an element <{other}>, which no sentence of a rulebook has.")
        out.append(child.tail or "")
    return "".join(out)
