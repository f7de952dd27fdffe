"""Confirmation that statements say what runs, and the state of each section since.

When the rules change, the statements of every language are stale until somebody confirms them again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Literal

from rulelang.diagnostics import Sink

from ..texts import Statement
from .canonical import short_hash
from .confirmations import Confirmation, Key, read_confirmations, write_confirmations
from .corpus import Corpus
from .outline import outline

State = Literal["unconfirmed", "confirmed", "edited", "stale"]
"""``edited``: the words changed since, the rules did not; ``stale``: the rules changed since."""


def confirmable_sections(corpus: Corpus) -> Mapping[Key, tuple[str, tuple[Statement, ...]]]:
    """The sections to confirm: key to language and statements, as far as they are in that file.

    With a variant only what its own text says: every other text is confirmed against the rules it was written for,
    without what this variant changes. So with several variants at once there is nothing to confirm.
    """
    if len(corpus.asked) > 1:
        return {}
    origin = corpus.asked[0] if corpus.asked else None
    found: dict[Key, tuple[str, list[Statement]]] = {}
    for text in corpus.texts:
        for statement in text.statements:
            if statement.origin == origin:
                entry = found.setdefault((statement.span.file, statement.section), (text.language, []))
                entry[1].append(statement)
    return {key: (language, tuple(statements)) for key, (language, statements) in found.items()}


def _confirmation_now(
    corpus: Corpus, section: str, language: str, statements: Sequence[Statement], by: str = "", on: str = ""
) -> Confirmation:
    """The confirmation that a section would get now."""
    text = "\n".join(statement.text for statement in statements)
    said = tuple(outline(statement.text, language) for statement in statements)
    return Confirmation(short_hash(corpus.running.get(section, "")), short_hash(text), by, on, said)


def confirmation_state(corpus: Corpus, key: Key, statements: Sequence[Statement]) -> State:
    """Whether a section has been confirmed, and what changed since."""
    kept = corpus.confirmed.get(key)
    if kept is None:
        return "unconfirmed"
    now = _confirmation_now(corpus, key[1], "", statements)
    if kept.rule != now.rule:
        return "stale"
    return "confirmed" if kept.text == now.text else "edited"


def section_states(corpus: Corpus) -> Mapping[Key, State]:
    """The state of every section that can be confirmed."""
    return {key: confirmation_state(corpus, key, told) for key, (_, told) in confirmable_sections(corpus).items()}


def confirm(
    corpus: Corpus, languages: Iterable[str] | None = None, ids: Iterable[str] | None = None, by: str = ""
) -> list[Key]:
    """Confirms sections (all, or those of ``languages`` and ``ids``) and writes down ``by`` whom, and today's date.
    Gives what changed.

    A file is replaced as a whole; entries of sections that are no more are dropped.
    """
    wanted_languages = None if languages is None else set(languages)
    wanted = None if ids is None else set(ids)
    changed: list[Key] = []
    here = confirmable_sections(corpus)
    # Read again: another variant's texts in the same folder may have been confirmed since.
    kept = dict(read_confirmations(sorted({Path(file).parent for file, _ in here}), Sink(), {}))
    for key, (language, statements) in here.items():
        if (wanted_languages is None or language in wanted_languages) and (wanted is None or key[1] in wanted):
            now = _confirmation_now(corpus, key[1], language, statements, by, date.today().isoformat())
            if kept.get(key) != now or not kept[key].said:
                kept[key] = now
                changed.append(key)
    for folder in sorted({Path(file).parent for file, _ in changed}):
        own = {key: entry for key, entry in kept.items() if Path(key[0]).parent == folder}
        alive = {key: entry for key, entry in own.items() if key in here or not _is_read(key[0], here)}
        write_confirmations(folder, alive, list(here))
    return changed


def _is_read(file: str, here: Iterable[Key]) -> bool:
    return any(known == file for known, _ in here)
