"""TMX 1.4b: the texts of all languages as a translation memory. ``tuid`` is the unit's id."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..texts.placeholders import split
from .units import Delivery, Entry, ExchangeError, Job
from .xml import attributes, escape, local, parse

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_BOOK = "x-rulelang-book"


def write_tmx(jobs: Sequence[Job]) -> str:
    """Jobs with one and the same source as one memory."""
    first = jobs[0]
    header = attributes(
        creationtool="rulelang",
        creationtoolversion="1",
        segtype="sentence",
        o_tmf="rulelang",
        adminlang="en",
        srclang=first.source_language,
        datatype="plaintext",
    ).replace("o:tmf", "o-tmf")
    targets = [(job.target_language, {unit.id: unit.target for unit in job.units}) for job in jobs]
    out = ['<?xml version="1.0" encoding="UTF-8"?>', '<tmx version="1.4">', f"<header{header}>"]
    out += [f'<prop type="{_BOOK}">{escape(first.name)}</prop>', "</header>", "<body>"]
    for unit in first.units:
        out.append(f"<tu{attributes(tuid=unit.id)}>")
        out.append(_variant(first.source_language, unit.source))
        out += [_variant(code, text) for code, texts in targets if (text := texts.get(unit.id)) is not None]
        out.append("</tu>")
    return "\n".join([*out, "</body>", "</tmx>\n"])


def _variant(language: str, text: str) -> str:
    pieces = split(text)
    words = [
        f'<ph x="{(n + 1) // 2}">{escape(piece)}</ph>' if n % 2 else escape(piece) for n, piece in enumerate(pieces)
    ]
    return f"<tuv{attributes(xml_lang=language)}><seg>{''.join(words)}</seg></tuv>"


def read_tmx(text: str, language: str | None) -> Delivery:
    """The sentences of one language in a memory that was written here. Raises ExchangeError."""
    root = parse(text, "TMX")
    if local(root) != "tmx":
        raise ExchangeError(f"This is not a TMX file: its outermost element is <{local(root)}>.")
    header = next((e for e in root if local(e) == "header"), None)
    props = [] if header is None else [e for e in header if local(e) == "prop" and e.get("type") == _BOOK]
    source = None if header is None else header.get("srclang")
    there = {(e.get(_LANG) or "").lower() for e in root.iter() if local(e) == "tuv"} - {(source or "").lower()}
    if language is None:
        if len(there) != 1:
            raise ExchangeError(f"The memory holds {', '.join(sorted(there)) or 'nothing'}; choose with --lang.")
        language = next(iter(there))
    elif language not in there:
        raise ExchangeError(f"The memory holds nothing in `{language}`, but {', '.join(sorted(there)) or 'nothing'}.")
    entries = [_entry(unit, source, language) for unit in root.iter() if local(unit) == "tu"]
    return Delivery(props[0].text if props else None, source, language, tuple(entries))


def _entry(unit: Element, source: str | None, language: str) -> Entry:
    id_ = unit.get("tuid")
    if not id_:
        raise ExchangeError("A `tu` has no `tuid`, so nothing says which sentence it is.")
    words = {
        (variant.get(_LANG) or "").lower(): "".join("".join(seg.itertext()) for seg in variant if local(seg) == "seg")
        for variant in unit
        if local(variant) == "tuv"
    }
    return Entry(id_, words.get((source or "").lower()), words.get(language) or None)
