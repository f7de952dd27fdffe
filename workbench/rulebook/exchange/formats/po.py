"""Gettext PO files: ``msgctxt`` is the unit's id, ``fuzzy`` a translation that is stale.

A sentence with plural forms has ``msgid_plural`` and a ``msgstr[n]`` for each category that whole numbers have in its
language; the header says which. One that depends on a setting is an entry for each value. Where an earlier file had
another source, that is the ``#| msgid``. Comments stand as a translator's own (``# ...``), and
``# Reviewed-by: NAME`` signs a sentence off.
"""

from __future__ import annotations

import functools
import gettext
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from ...languages.locale import CATEGORIES, OTHER, category, example_of, usual_categories
from ..sentence_forms import by_setting, fold, gathered, inflected_by, sentence_forms
from ..units import (
    STALE,
    DeliveredUnit,
    Delivery,
    ExchangeError,
    FileFormat,
    Job,
    SentenceUnit,
    comments_in,
    one,
    primary,
    reviewer_in,
)

_BOOK = "X-Rulelang-Book"
_SOURCE = "X-Source-Language"
_PLURALS = "Plural-Forms"
_BASIS = "basis: "
_VALUE = "plural: "
_QUOTED = re.compile(r'\s*(?:msg\w+(?:\[[0-9]+\])?\s*)?"(?:[^"\\]|\\.)*"\s*')
_HEADER = re.compile(r"\s*nplurals\s*=\s*([1-6])\s*;\s*plural\s*=\s*([^;]+);?\s*")


def write_po(job: Job) -> str:
    """The job as a PO file; lines are not wrapped."""
    import polib  # type: ignore[import-untyped]

    file = polib.POFile(wrapwidth=0)
    file.metadata = {
        "Project-Id-Version": job.name,
        "PO-Revision-Date": f"{datetime.now(UTC):%Y-%m-%d %H:%M%z}",
        "Last-Translator": "",
        "Language-Team": "",
        "Language": job.target_language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        _PLURALS: plural_header(job.target_language),
        _SOURCE: job.source_language,
        _BOOK: job.name,
    }
    for unit in job.units:
        # Gettext has forms for numbers only: a sentence that depends on a setting is an entry for each value.
        for each in by_setting(unit, job):
            file.append(_written(each, job))
    return f"{file}\n"


def _written(unit: SentenceUnit, job: Job) -> Any:
    import polib

    notes = _notes(unit)
    signed = [f"Reviewed-by: {unit.reviewer}"] if unit.reviewer else []
    entry = polib.POEntry(
        msgctxt=unit.id,
        msgid=unit.source,
        msgstr=unit.target or "",
        occurrences=[(job.file.replace(" ", "%20"), str(unit.line))],
        previous_msgid=unit.before or None,
        flags=["fuzzy"] if unit.before or unit.state == STALE else [],
        tcomment="\n".join([*map(str, unit.comments), *signed]),
    )
    value = inflected_by(unit.source, unit.target)
    if value is not None and value not in job.choices:
        languages = job.source_language, job.target_language
        one, several = (category(number, job.source_language) for number in (1, 2))
        sources = {form.category: form.source for form in sentence_forms(unit.source, None, value, (languages[0],) * 2)}
        entry.msgid, entry.msgid_plural = sources.get(one, unit.source), sources.get(several, unit.source)
        forms = {
            form.category: form.target or "" for form in sentence_forms(unit.source, unit.target, value, languages)
        }
        entry.msgstr_plural = {n: forms[name] for n, name in enumerate(usual_categories(job.target_language))}
        notes.append(f"{_VALUE}{value}")
    entry.comment = "\n".join(notes)
    return entry


def _notes(unit: SentenceUnit) -> list[str]:
    """What a translator should know of a sentence, a comment each."""
    notes = [f"{note.category}: {note.text}" for note in unit.notes]
    notes += [f"term: {term.source} = {', '.join(term.targets)}" for term in unit.terms]
    notes += [f"in {language}: {text}" for language, text in unit.others.items()]
    return [*notes, f"{_BASIS}{unit.basis}"] if unit.basis else notes


def plural_header(language: str) -> str:
    """What a PO file says of the forms of a language: those of whole numbers, in the order of CLDR."""
    from babel.plural import PluralRule, to_gettext

    usual = usual_categories(language)
    if usual == ("one", OTHER):  # in the words that every tool knows
        return f"nplurals=2; plural=(n {'>' if category(0, language) == 'one' else '!='} 1);"
    return str(to_gettext(PluralRule({name: rule for name, rule in _rules(language).items() if name in usual})))


def _rules(language: str) -> Mapping[str, str]:
    from babel import Locale

    rules: Mapping[str, str] = Locale.parse(language).plural_form.rules
    return rules


def read_po(text: str) -> Delivery:
    """A PO file as it came back. Raises ExchangeError."""
    import polib

    if "msgid" not in text:
        raise ExchangeError("This is not a PO file: it has no `msgid`.")
    for number, line in enumerate(text.splitlines(), 1):
        # polib cuts off the last letter of a string that is not closed.
        if line.lstrip()[:1] in ("m", '"') and not _QUOTED.fullmatch(line):
            raise ExchangeError(f"line {number}: a string is not closed, or something follows it.")
    try:
        # polib takes a text for the name of a file when there is one; no file is called by a comment and a line end.
        file = polib.pofile(f"#\n{text}", encoding="utf-8")
    except (OSError, ValueError, IndexError) as problem:
        raise ExchangeError(f"This PO file cannot be read: {_told(problem)}.") from None
    meta = file.metadata
    language = meta.get("Language") or None
    forms = functools.partial(_categories, meta.get(_PLURALS), primary(language))
    entries = [_entry(entry, forms) for entry in file if not entry.obsolete]
    return Delivery(meta.get(_BOOK), meta.get(_SOURCE), language, gathered(entries))


def _entry(entry: Any, categories: Any) -> DeliveredUnit:
    where = f"line {max(entry.linenum - 1, 1)}"
    if not entry.msgctxt:
        raise ExchangeError(f"{where}: an entry has no `msgctxt`, so nothing says which sentence it is.")
    source, target = entry.msgid, entry.msgstr or None
    notes = entry.comment.splitlines()
    if entry.msgid_plural:
        value = next((line.removeprefix(_VALUE).strip() for line in notes if line.startswith(_VALUE)), None)
        if value is None:
            raise ExchangeError(
                f"{where}: `{entry.msgctxt}` has a plural, and no line `#. {_VALUE}...` says which value it goes with."
            )
        try:
            # The singular and the plural of a source are what tools show; which categories they are does not matter.
            source = fold({"one": entry.msgid, OTHER: entry.msgid_plural}, value)
            target = _folded(entry.msgstr_plural, categories, value)
        except ExchangeError as problem:
            raise ExchangeError(f"{where}: `{entry.msgctxt}`: {problem}") from None
    lines = entry.tcomment.splitlines()
    by = [name for line in lines if (name := reviewer_in(line))]
    basis = next((line.removeprefix(_BASIS).strip() for line in notes if line.startswith(_BASIS)), None)
    fuzzy = "fuzzy" in entry.flags
    return DeliveredUnit(
        entry.msgctxt,
        source,
        target,
        not fuzzy,
        bool(by) and not fuzzy,
        by[-1] if by else "",
        basis,
        comments_in(lines),
    )


def _folded(forms: Mapping[int, str], categories: Any, value: str) -> str | None:
    """One text of the forms of an entry; None where one of them is not translated."""
    names: Mapping[str, int] = categories()
    if not any(forms.values()):
        return None
    lost = sorted({number for number in names.values() if not forms.get(number)})
    if lost:
        raise ExchangeError(f"msgstr[{lost[0]}] is not translated, but others are.")
    surplus = sorted(set(forms) - set(names.values()))
    if surplus and any(forms[number] for number in surplus):
        raise ExchangeError(f"msgstr[{surplus[0]}] is a plural form that the header of the file does not have.")
    return fold({name: forms[number] for name, number in names.items()}, value)


def _categories(header: str | None, language: str) -> Mapping[str, int]:
    """The categories of a language with the number of their form, as the header of a file counts them."""
    usual = usual_categories(language)
    if header is None:
        return {name: number for number, name in enumerate(usual)}
    found = _HEADER.fullmatch(header)
    try:
        if found is None:
            raise ValueError
        number_of = gettext.c2py(found[2].strip())
        numbers = {name: number_of(example) for name in usual if (example := example_of(name, language)) is not None}
    except (ValueError, ArithmeticError, RecursionError):
        raise ExchangeError(f"the header `{_PLURALS}: {header}` cannot be read.") from None
    last = int(found[1]) - 1
    if any(not 0 <= number <= last for number in numbers.values()):
        raise ExchangeError(f"the header `{_PLURALS}: {header}` gives a form that it does not count.")
    if len(usual) == last + 1 and len(set(numbers.values())) < len(numbers):
        return {name: number for number, name in enumerate(usual)}  # another count of the same forms
    # What no whole number has: the form that is left, or that of most numbers.
    free = [number for number in range(last + 1) if number not in numbers.values()]
    numbers.setdefault(OTHER, free[-1] if free else max(numbers.values(), default=0))
    return {name: numbers[name] for name in CATEGORIES if name in numbers}


def _told(problem: Exception) -> str:
    """The line that polib could not read (counted without the one we put before it)."""
    found = re.search(r"line (\d+)\)?:?\s*(.*)", str(problem))
    return f"line {int(found[1]) - 1}: {found[2] or 'syntax error'}" if found else "it is broken or cut off"


PO = FileFormat(
    "po",
    "gettext",
    (".po",),
    lambda jobs: write_po(one(jobs)),
    lambda text, _: read_po(text),
    frozenset(("forms", "settings", "comments", "reviews", "reviewers", "guesses", "terms")),
)
