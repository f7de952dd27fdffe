"""TMX 1.4b: the texts of all languages as a translation memory. ``tuid`` is the unit's id, placeholders are ``<ph>``.

A sentence with forms is a unit for each form. Comments are the notes of a translation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import attrs

from ..sentence_forms import categories_for, chosen_by, form_id, gathered, in_form, inflected_by, sentence_forms
from ..units import DeliveredUnit, Delivery, ExchangeError, FileFormat, Job, SentenceUnit, comments_in, primary
from .xml import LANG, attributes, escape, local, parse, with_placeholders

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


_BOOK = "x-rulelang-book"
_VALUE = "x-value"


def write_tmx(jobs: Sequence[Job]) -> str:
    """Jobs with one and the same source as one memory."""
    first = jobs[0]
    out = [
        *tmx_head("sentence", first.source_language),
        f'<prop type="{_BOOK}">{escape(first.name)}</prop>',
        "</header>",
        "<body>",
    ]
    targets = [(job, {unit.id: unit for unit in job.units}) for job in jobs]
    for unit in first.units:
        there = {job.target_language: units[unit.id] for job, units in targets if unit.id in units}
        out += _sentences(unit, there, first)
    return "\n".join([*out, "</body>", "</tmx>\n"])


def tmx_head(segments: str, source: str) -> list[str]:
    """How a memory begins, with its header left open. ``segments``: what a unit is; ``source``: its language."""
    header = attributes(
        {
            "creationtool": "rulelang",
            "creationtoolversion": "1",
            "segtype": segments,
            "o-tmf": "rulelang",
            "adminlang": "en",
            "srclang": source,
            "datatype": "plaintext",
        }
    )
    return ['<?xml version="1.0" encoding="UTF-8"?>', '<tmx version="1.4">', f"<header{header}>"]


def _sentences(unit: SentenceUnit, there: dict[str, SentenceUnit], job: Job) -> Iterator[str]:
    """A unit, or one for each form, with the translations ``there``."""
    texts = [unit.source, *(other.target for other in there.values())]
    setting, value = chosen_by(texts, job.choices), inflected_by(*texts)
    if setting is None:
        yield from _sentence(unit, there, job) if value is None else _forms(unit, there, job, value)
        return
    rest = attrs.evolve(job, choices={})  # further settings stay as they are written
    for number, name in enumerate(job.choices[setting]):
        here = attrs.evolve(unit, id=form_id(unit.id, setting, name), source=in_form(unit.source, setting, name))
        others = {language: _translated(other, setting, name) for language, other in there.items()}
        if number:
            others = {language: attrs.evolve(other, comments=()) for language, other in others.items()}
        yield from _sentences(here, others, rest)


def _translated(unit: SentenceUnit, value: str, name: str) -> SentenceUnit:
    return unit if unit.target is None else attrs.evolve(unit, target=in_form(unit.target, value, name))


def _sentence(unit: SentenceUnit, there: dict[str, SentenceUnit], job: Job) -> list[str]:
    words = {language: other.target for language, other in there.items()}
    return _unit(unit.id, unit.source, words, there, job)


def _forms(unit: SentenceUnit, there: dict[str, SentenceUnit], job: Job, value: str) -> list[str]:
    """A unit for each category of any language; each has the languages that have it."""
    out: list[str] = []
    sources: dict[str, str] = {}
    words: dict[str, dict[str, str | None]] = {}
    for language, other in there.items():
        for form in sentence_forms(unit.source, other.target, value, (job.source_language, language)):
            sources.setdefault(form.category, form.source)
            words.setdefault(form.category, {})[language] = form.target
    for name in categories_for(unit.source, value, job.source_language):
        sources[name] = in_form(unit.source, value, name)
    for number, (name, source) in enumerate(sources.items()):
        said = there if number == 0 else {}
        out += _unit(form_id(unit.id, value, name), source, words.get(name, {}), said, job)
    return out


def _unit(id_: str, source: str, words: dict[str, str | None], there: dict[str, SentenceUnit], job: Job) -> list[str]:
    """``words``: by language; ``there``: the units whose comments are written."""
    ids: dict[str, list[str]] = {}
    out = [f"<tu{attributes(tuid=id_)}>", _variant(job.source_language, source, ids)]
    for language, text in words.items():
        if text is not None:
            notes = "".join(f"<note>{escape(str(c))}</note>" for c in (there[language].comments if there else ()))
            out.append(_variant(language, text, {piece: list(known) for piece, known in ids.items()}, notes))
    return [*out, "</tu>"]


def _variant(language: str, text: str, ids: dict[str, list[str]], notes: str = "") -> str:
    """A translation; ``ids``: the placeholders of the source with their numbers, filled by the source itself."""
    reuse = bool(ids)

    def ph(id_: str, piece: str) -> str:
        return f"<ph{attributes(x=id_, type=_VALUE)}>{escape(piece)}</ph>"

    words = with_placeholders(text, ids, lambda number, _: str(number + 100 * reuse), ph, reuse=reuse)
    return f"<tuv{attributes({'xml:lang': language})}>{notes}<seg>{words}</seg></tuv>"


# ---------------------------------------------------------------- reading


def read_tmx(text: str, language: str | None) -> Delivery:
    """The sentences of one language in a memory that was written here. Raises ExchangeError."""
    root = parse(text, "TMX")
    if local(root) != "tmx":
        raise ExchangeError(f"This is not a TMX file: its outermost element is <{local(root)}>.")
    header = next((e for e in root if local(e) == "header"), None)
    props = [] if header is None else [e for e in header if local(e) == "prop" and e.get("type") == _BOOK]
    source = None if header is None else header.get("srclang")
    there = {_language(e) for e in root.iter() if local(e) == "tuv"} - {primary(source)}
    if language is None:
        if len(there) != 1:
            raise ExchangeError(f"The memory holds {', '.join(sorted(there)) or 'nothing'}; choose with --lang.")
        language = next(iter(there))
    elif language not in there:
        raise ExchangeError(f"The memory holds nothing in `{language}`, but {', '.join(sorted(there)) or 'nothing'}.")
    units = [unit for unit in root.iter() if local(unit) == "tu"]
    entries = gathered(_entry(unit, primary(source), language) for unit in units if _has(unit, language))
    return Delivery(props[0].text if props else None, source, language, entries)


def _language(variant: Element) -> str:
    return primary(variant.get(LANG) or variant.get("lang"))


def _has(unit: Element, language: str) -> bool:
    """Whether a unit is whole, or a form that the language has."""
    said = any(local(v) == "tuv" and _language(v) == language for v in unit)
    return said or "[" not in (unit.get("tuid") or "")


def _entry(unit: Element, source: str, language: str) -> DeliveredUnit:
    id_ = unit.get("tuid")
    if not id_:
        raise ExchangeError("A `tu` has no `tuid`, so nothing says which sentence it is.")
    variants = {_language(variant): variant for variant in unit if local(variant) == "tuv"}
    values: dict[str | None, str] = {}
    words = {name: _text(variants[name], values, id_) for name in (source, language) if name in variants}
    notes = [] if language not in variants else [e for e in variants[language] if local(e) == "note"]
    comments = comments_in("".join(note.itertext()) for note in notes)
    return DeliveredUnit(id_, words.get(source), words.get(language) or None, comments=comments)


def _text(variant: Element, values: dict[str | None, str], id_: str) -> str:
    """The words of a translation. ``values``: what the placeholders of the source say, by number; filled by it."""
    out: list[str] = []
    for segment in variant:
        if local(segment) != "seg":
            continue
        out.append(segment.text or "")
        for child in segment:
            said = "".join(child.itertext())
            if local(child) == "ph":
                said = said or values.get(child.get("x"), "")
                if not said:
                    raise ExchangeError(f"`{id_}`: nothing says what the placeholder {child.get('x')} means.")
                values.setdefault(child.get("x"), said)
            out += [said, child.tail or ""]
    return "".join(out)


TMX = FileFormat(
    "tmx",
    "a memory of all languages",
    (".tmx",),
    write_tmx,
    read_tmx,
    frozenset(("forms", "settings", "comments", "languages")),
)
