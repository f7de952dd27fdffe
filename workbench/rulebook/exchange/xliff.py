"""XLIFF 2.0, read also as 2.1 (OASIS, xliff-core). A unit has one segment; its placeholders are ``<ph>`` elements.

What a placeholder means is kept in ``originalData``, as the standard has it: ``equiv`` names it, ``disp`` shows
its value. ``state`` is initial, translated or reviewed; a stale translation is ``translated`` with the subState
``rulelang:stale``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..texts.placeholders import split
from .units import Delivery, Entry, ExchangeError, Job, Unit
from .xml import attributes, escape, local, parse

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_NAMESPACE = "urn:oasis:names:tc:xliff:document:2.0"
_STATES = {
    "new": ("initial", None),
    "stale": ("translated", "rulelang:stale"),
    "translated": ("translated", None),
    "reviewed": ("reviewed", None),
}
_TOKEN = re.compile(r"[\w.:\-]+")


def write_xliff(job: Job) -> str:
    """The job as an XLIFF file."""
    head = attributes(xmlns=_NAMESPACE, version="2.0", srcLang=job.source_language, trgLang=job.target_language)
    units = "".join(_unit(unit, number, job) for number, unit in enumerate(job.units, 1))
    file = attributes(id="text", original=f"{job.name}:{job.file}", xml_space="preserve")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<xliff{head}>\n<file{file}>\n{units}</file>\n</xliff>\n'


def _unit(unit: Unit, number: int, job: Job) -> str:
    id_ = unit.id if _TOKEN.fullmatch(unit.id) else f"unit-{number}"
    notes = "".join(
        f"<note{attributes(id=f'n{n}', category=note.category, appliesTo='source')}>{escape(note.text)}</note>"
        for n, note in enumerate(unit.notes, 1)
    )
    ids: dict[str, list[str]] = {}
    data: list[str] = []
    source = _content(unit.source, ids, data, job, reuse=False)
    free = {name: list(numbers) for name, numbers in ids.items()}
    target = None if unit.target is None else _content(unit.target, free, data, job, reuse=True)
    state, sub = _STATES[unit.state]
    segment = attributes(id="s1", canResegment="no", state=state, subState=sub)
    out = [f"<unit{attributes(id=id_, name=unit.id)}>"]
    out += [f"<notes>{notes}</notes>"] if notes else []
    out += [f"<originalData>{''.join(data)}</originalData>"] if data else []
    out.append(f"<segment{segment}>")
    out.append(f"<source>{source}</source>")
    out += [f"<target>{target}</target>"] if target is not None else []
    return "\n".join([*out, "</segment>", "</unit>\n"])


def _content(text: str, ids: dict[str, list[str]], data: list[str], job: Job, *, reuse: bool) -> str:
    """A sentence with ``<ph>`` elements. ``ids``: placeholder to the ids it has in the source, filled or used up."""
    out = []
    for position, piece in enumerate(split(text)):
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


def read_xliff(text: str) -> Delivery:
    """An XLIFF 2 file as it came back. Raises ExchangeError."""
    root = parse(text, "XLIFF")
    if local(root) != "xliff":
        raise ExchangeError(f"This is not an XLIFF file: its outermost element is <{local(root)}>.")
    version = root.get("version", "")
    if version not in ("2.0", "2.1"):
        raise ExchangeError(f"This is XLIFF {version or 'of no version'}; 2.0 and 2.1 can be read. Export it as 2.0.")
    names = {(file.get("original") or "").partition(":")[0] for file in _all(root, "file")} - {""}
    if len(names) > 1:
        raise ExchangeError(f"The file holds several texts: {', '.join(sorted(names))}. Import them one by one.")
    entries = tuple(_read_unit(unit) for unit in _all(root, "unit"))
    return Delivery(next(iter(names), None), root.get("srcLang"), root.get("trgLang"), entries)


def _all(root: Element, name: str) -> Iterator[Element]:
    return (element for element in root.iter() if local(element) == name)


def _read_unit(unit: Element) -> Entry:
    id_ = unit.get("name") or unit.get("id") or ""
    if not id_:
        raise ExchangeError("A unit has no id.")
    data = {d.get("id"): d.text or "" for d in _all(unit, "data")}
    source, target = "", ""
    some = False
    for part in unit:
        if local(part) not in ("segment", "ignorable"):
            continue
        sides = {local(side): _text(side, data, id_) for side in part if local(side) in ("source", "target")}
        source += sides.get("source", "")
        if local(part) == "segment":
            some = some or bool(sides.get("target"))
            target += sides.get("target", "")
        else:
            target += sides.get("target", sides.get("source", ""))
    return Entry(id_, source, target if some else None)


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
