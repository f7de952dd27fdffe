"""Sentences with forms as several units, one a form, for files that know only sentences; and together again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from .inflected import chosen_by, folded, form_id, form_of, forms_of, in_form, inflected_by
from .units import Entry, ExchangeError, Job, Note, Unit


def spread(unit: Unit, job: Job) -> tuple[Unit, ...]:
    """The unit itself, or a unit for each form of its sentence. Only the first has its notes and comments."""
    return tuple(form for each in by_setting(unit, job) for form in _by_number(each, job))


def by_setting(unit: Unit, job: Job) -> tuple[Unit, ...]:
    """The unit itself, or a unit for each value of the setting it depends on, with a note that says which."""
    value = chosen_by((unit.source, unit.target), job.choices)
    if value is None:
        return (unit,)
    units = [
        attrs.evolve(
            unit,
            id=form_id(unit.id, value, name),
            source=in_form(unit.source, value, name),
            target=None if unit.target is None else in_form(unit.target, value, name),
            notes=(Note("form", f"where {{{value}}} is {term}"), *unit.notes),
        )
        for name, term in job.choices[value].items()
    ]
    return _first_with_notes(units)


def _by_number(unit: Unit, job: Job) -> tuple[Unit, ...]:
    value = inflected_by(unit.source, unit.target)
    if value is None or value in job.choices:
        return (unit,)
    forms = forms_of(unit.source, unit.target, value, (job.source_language, job.target_language))
    return _first_with_notes(
        [
            attrs.evolve(unit, id=form_id(unit.id, value, form.category), source=form.source, target=form.target)
            for form in forms
        ]
    )


def _first_with_notes(units: Sequence[Unit]) -> tuple[Unit, ...]:
    """The units of one sentence; later ones say only which form they are."""
    form = [tuple(note for note in unit.notes if note.category == "form") for unit in units]
    later = zip(units[1:], form[1:], strict=True)
    return (units[0], *(attrs.evolve(unit, notes=notes, comments=(), terms=()) for unit, notes in later))


def kind_of(unit: Unit, job: Job) -> str:
    """What the forms of a sentence depend on, as tools call it: ``plural``, or ``select`` for a setting."""
    return "plural" if chosen_by((unit.source, unit.target), job.choices) is None else "select"


def gathered(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """The entries with those of one sentence's forms as one. Raises ExchangeError."""
    found = tuple(entries)
    while any(form_of(entry.id) for entry in found):
        found = _gathered(found)
    return found


def _gathered(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """The entries with their last forms together."""
    found: list[Entry | tuple[str, str]] = []
    forms: dict[tuple[str, str], dict[str, Entry]] = {}
    for entry in entries:
        parts = form_of(entry.id)
        if parts is None:
            found.append(entry)
            continue
        key = parts[:2]
        if key not in forms:
            found.append(key)
        if parts[2] in forms.setdefault(key, {}):
            raise ExchangeError(f"The file has units twice: `{entry.id}`. Keep one of each.")
        forms[key][parts[2]] = entry
    return tuple(item if isinstance(item, Entry) else _one(*item, forms[item]) for item in found)


def _one(id_: str, value: str, forms: dict[str, Entry]) -> Entry:
    parts = list(forms.values())
    first = parts[0]
    return Entry(
        id_,
        folded(((name, entry.source) for name, entry in forms.items()), value, id_),
        folded(((name, entry.target) for name, entry in forms.items()), value, id_),
        all(entry.finished for entry in parts),
        all(entry.reviewed for entry in parts),
        first.by,
        next((entry.basis for entry in parts if entry.basis), None),
        tuple(dict.fromkeys(comment for entry in parts for comment in entry.comments)),
    )
