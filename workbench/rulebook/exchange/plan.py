"""Plan of an import: check a translator's file against the texts there are, and list what it would change."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import attrs

from rulelang import workspace
from rulelang.diagnostics import Sink
from rulelang.files.contents import MAX_BYTES
from rulelang.files.folder import GameFiles

from ..texts import Heading, Statement
from ..texts.check import mistakes
from ..texts.interpolation import Choices, bindings, choices_of, forms_in
from ..texts.new_language import skeleton
from ..texts.rulebook_text import heading_section
from .inflected import alike
from .language import check_sentences
from .reviews import Reviews, reviews_in
from .text_files import TextFile, check_languages, name_of, parse_text_file, path_of, read_text_file
from .units import Delivery, Entry, ExchangeError, unprintable
from .write_back import written

_SHOWN = 12
"""How many ids a message names."""


@attrs.frozen
class Change:
    """A sentence or heading that becomes another; ``old`` None where the text had none."""

    id: str
    old: str | None
    new: str


@attrs.frozen
class Plan:
    """``content``: the whole file as it will be, with its own line ends; ``notes``: what to know besides;
    ``reviews``: what is signed off, and comments to keep."""

    path: Path
    language: str
    creates: bool
    content: str
    changes: tuple[Change, ...]
    notes: tuple[str, ...]
    reviews: Reviews


def plan_import(files: GameFiles, variant: str | None, delivery: Delivery, language: str | None = None) -> Plan:
    """What a delivery changes in the text of its language.

    Raises ExchangeError with every reason to refuse it, and RulesError when a text there has mistakes.
    """
    source_code, code = _languages(files, variant, delivery, language)
    source = read_text_file(files, variant, source_code)
    if source is None:
        raise ExchangeError(f"The text in `{source_code}` that this file translates no longer exists.")
    entries = _by_id(delivery)
    path = path_of(files, variant, code)
    target = read_text_file(files, variant, code, like=source)
    creates = target is None
    lines = [] if target is None else list(files.sources[target.text.file].lines)
    if target is None:
        lines = skeleton(source.text, fallback=not _whole(entries, source)).splitlines()
        target = parse_text_file(path, code, variant, lines, like=source)
    linked = workspace.default().linked(files, [] if variant is None else [variant], Sink())
    choices = choices_of(linked)
    old = {id_: part.text for id_, part in target.parts.items() if part.text}
    problems = list(_unknown(entries, source, source_code))
    wanted: dict[str, str] = {}
    kept: list[str] = []
    for id_, entry in entries.items():
        text = (entry.target or "").strip()
        if id_ not in source.parts or not text or (id_ in old and alike(text, old[id_], choices)):
            continue
        if not entry.finished:
            kept.append(id_)
            continue
        problems += _broken(id_, source.parts[id_].text, text, code, choices)
        wanted[id_] = text
    missing = [id_ for id_ in source.parts if id_ not in wanted and id_ not in old]
    if problems:
        raise ExchangeError(*problems)
    check_sentences(files, variant, source, code, wanted)
    wanted, left = _continuous(wanted, old, target, source)
    reviews = reviews_in(files, variant, path, source, entries, wanted)
    notes = _notes(entries, source, choices, old, missing, kept, left, reviews)
    content = _content(files, None if creates else target.text.file, written(target, lines, source, wanted))
    _check_result(path, code, variant, content, source, {**old, **wanted})
    changes = tuple(Change(id_, old.get(id_), text) for id_, text in wanted.items())
    return Plan(path, code, creates, content, changes, tuple(notes), reviews)


def _languages(files: GameFiles, variant: str | None, delivery: Delivery, language: str | None) -> tuple[str, str]:
    """Source and target, if the file is about this text and in the language that is asked for."""
    here = name_of(files, variant)
    if delivery.name is None:
        raise ExchangeError(f"The file does not say which text it translates; export {here} again and work on that.")
    if delivery.name != here:
        raise ExchangeError(f"The file translates {delivery.name}, not {here}.")
    source, code = _primary(delivery.source_language), _primary(delivery.target_language)
    if source is None or code is None:
        raise ExchangeError("The file does not say its languages; export it again and work on that.")
    if language is not None and code != language:
        raise ExchangeError(f"The file is in `{code}`, not in `{language}`.")
    check_languages(files, source, code)
    return source, code


def _primary(language: str | None) -> str | None:
    """``fr`` of ``fr-BE`` and ``fr_FR``: tools like to add a country."""
    return language and re.split("[-_]", language)[0].lower()


def _by_id(delivery: Delivery) -> Mapping[str, Entry]:
    twice = [id_ for id_, count in Counter(entry.id for entry in delivery.entries).items() if count > 1]
    if twice:
        raise ExchangeError(f"The file has units twice: {_list(twice)}. Keep one of each.")
    if not delivery.entries:
        raise ExchangeError("The file has no unit.")
    return {entry.id: entry for entry in delivery.entries}


def _whole(entries: Mapping[str, Entry], source: TextFile) -> bool:
    """Whether a delivery has a finished translation of every sentence."""
    done = {id_ for id_, entry in entries.items() if entry.finished and (entry.target or "").strip()}
    return source.parts.keys() <= done


def _unknown(entries: Mapping[str, Entry], source: TextFile, language: str) -> Iterator[str]:
    unknown = [id_ for id_ in entries if id_ not in source.parts]
    if unknown:
        yield f"The text in `{language}` has no {_list(unknown)}. Remove the units, or export again and work on that."


def _broken(id_: str, source: str, target: str, language: str, choices: Choices) -> Iterator[str]:
    """What is wrong with one translation."""
    bad = unprintable(target)
    if bad is not None:
        what = "a line end" if bad in ("U+000A", "U+000D") else f"the character {bad}"
        yield f"`{id_}` holds {what}; a sentence is one line of text."
        return
    wrong = _wrong_forms(target, language, choices)
    if wrong:
        yield from (f"`{id_}`: {message} {remedy}" for message, remedy in wrong)
        return
    wanted, found = bindings(source, choices), bindings(target, choices)
    for name in {**wanted, **found}:
        if wanted[name] != found[name]:
            remedy = "Keep each placeholder as it is." if wanted[name] else "Take it out: values come from the rules."
            yield f"`{id_}` has {name} {_times(found[name])}, the source {_times(wanted[name])}. {remedy}"


def _wrong_forms(target: str, language: str, choices: Choices) -> list[tuple[str, str]]:
    """What is wrong with the forms of a translation, whatever the numbers are that some depend on."""
    plurals = [plural for _, _, plural in forms_in(target)]
    return [wrong for p in plurals for wrong in mistakes(p, language, frozenset(), choices.get(p.value))]


def _times(count: int) -> str:
    return {0: "not at all", 1: "once", 2: "twice"}.get(count, f"{count} times")


def _continuous(
    wanted: Mapping[str, str], old: Mapping[str, str], target: TextFile, source: TextFile
) -> tuple[dict[str, str], list[str]]:
    """What can be written without a gap in the numbers of a section, and the ids of what cannot.

    A heading needs the section it is named after.
    """
    fine: dict[str, str] = {}
    gaps: set[str] = set()
    for id_, part in source.parts.items():
        if isinstance(part, Statement):
            if id_ not in wanted and id_ not in target.parts:
                gaps.add(part.section)
            elif id_ in wanted and part.section not in gaps:
                fine[id_] = wanted[id_]
    sections = {id_.rpartition(".")[0] for id_ in (*old, *target.parts, *fine)} | {"end"}
    for id_ in wanted:
        if isinstance(source.parts[id_], Heading) and (id_ in target.parts or heading_section(id_) in sections):
            fine[id_] = wanted[id_]
    return {id_: fine[id_] for id_ in source.parts if id_ in fine}, [id_ for id_ in wanted if id_ not in fine]


def _notes(
    entries: Mapping[str, Entry],
    source: TextFile,
    choices: Choices,
    old: Mapping[str, str],
    missing: list[str],
    kept: list[str],
    left: list[str],
    reviews: Reviews,
) -> list[str]:
    absent = [id_ for id_ in source.parts if id_ not in entries and id_ in old]
    empty = [id_ for id_, entry in entries.items() if not (entry.target or "").strip() and id_ in old]
    newer = [
        id_
        for id_, entry in entries.items()
        if entry.source is not None and not alike(entry.source.strip(), source.parts[id_].text, choices)
    ]
    told = (
        (absent, "are not in the file and stay as they are"),
        (empty, "have no translation in the file and stay as they are"),
        (kept, "are marked for review (fuzzy) and stay as they are"),
        (newer, "were translated from an older source sentence; read them again"),
        (missing, "are still not translated"),
        (list(reviews.outdated), "are signed off, but their source or the rule changed since; read them again"),
        (list(reviews.doubtful), "were changed after they had been signed off; confirm them if they are right"),
        (left, "belong to sections of which something before them is missing, and are left out"),
    )
    return [f"{len(ids)} of {len(source.parts)} {what}: {_list(ids)}." for ids, what in told if ids]


def _list(ids: list[str]) -> str:
    shown = ", ".join(f"`{id_}`" for id_ in ids[:_SHOWN])
    return shown if len(ids) <= _SHOWN else f"{shown} and {len(ids) - _SHOWN} more"


def _content(files: GameFiles, file: str | None, lines: list[str]) -> str:
    """The new file with the byte order mark and the line ends of the old one, if there is an old one."""
    text = "\n".join(lines)
    if file is None:
        return text.rstrip("\n") + "\n"
    before = files.sources[file]
    return ("\ufeff" if before.bom else "") + text.replace("\n", before.newline)


def _check_result(
    path: Path, language: str, variant: str | None, content: str, source: TextFile, expected: Mapping[str, str]
) -> None:
    """The file says, read again, exactly what it should."""
    if len(content.encode()) > MAX_BYTES:
        raise ExchangeError(f"The text would have more than {MAX_BYTES:,} bytes, which is not read.")
    lines = content.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    again = parse_text_file(path, language, variant, lines, like=source).parts
    wrong = [id_ for id_ in {**again, **expected} if id_ not in again or again[id_].text != expected.get(id_, "")]
    if wrong:
        raise ExchangeError(
            f"{_list(wrong)} would end up elsewhere in {path.name} than in the source. "
            "Put its headings and sections in the order of the source first."
        )
