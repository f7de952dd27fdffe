"""Sentences with plural forms as several units, one a form, for files that know only sentences; and together again."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from ..languages.plurals import CATEGORIES
from .inflected import folded, form_id, form_of, forms_of, inflected_by
from .units import Entry, ExchangeError, Job, Unit


def spread(unit: Unit, job: Job) -> tuple[Unit, ...]:
    """The unit itself, or a unit for each plural form of its sentence. Only the first has its notes and comments."""
    value = inflected_by(unit.source, unit.target)
    if value is None:
        return (unit,)
    forms = forms_of(unit.source, unit.target, value, (job.source_language, job.target_language))
    units = [
        attrs.evolve(unit, id=form_id(unit.id, value, form.category), source=form.source, target=form.target)
        for form in forms
    ]
    return (units[0], *(attrs.evolve(later, notes=(), comments=(), terms=()) for later in units[1:]))


def gathered(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """The entries with those of one sentence's forms as one. Raises ExchangeError."""
    found: list[Entry | tuple[str, str]] = []
    forms: dict[tuple[str, str], dict[str, Entry]] = {}
    for entry in entries:
        parts = form_of(entry.id)
        if parts is None:
            found.append(entry)
            continue
        if parts[2] not in CATEGORIES:
            raise ExchangeError(f"There is no plural category `{parts[2]}`, as `{entry.id}` has it.")
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
