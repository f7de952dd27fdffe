"""Confirmation that statements say what runs: write down who found it, and when."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date
from pathlib import Path

import attrs

from rulelang.diagnostics import Sink

from .confirmations import Key, read_confirmations, write_confirmations
from .corpus import Corpus
from .states import Danger, dangers, keys_of, standings


@attrs.frozen
class Confirmed:
    """What confirming did. ``changed``: the statements that were written down; ``refused``: those that must be looked
    at first."""

    changed: tuple[Key, ...]
    refused: tuple[Danger, ...]


def confirm(
    corpus: Corpus,
    languages: Iterable[str] | None = None,
    ids: Iterable[str] | None = None,
    by: str = "",
    anyway: bool = False,
) -> Confirmed:
    """Confirms statements (all, or those of ``languages`` and of ``ids``, which are sections or statements) and writes
    down ``by`` whom, and today's date.

    A statement whose edit changed what it says, while other languages did not change, is confirmed only ``anyway``.
    """
    return confirm_keys(corpus, keys_of(corpus, languages, ids), by, anyway)


def confirm_keys(corpus: Corpus, keys: Collection[Key], by: str = "", anyway: bool = False) -> Confirmed:
    """Confirms these statements; see ``confirm``. A file is replaced as a whole; entries of statements that are no
    more are dropped."""
    here = standings(corpus)
    dangerous = {} if anyway else dangers(corpus)
    # Read again: another variant's texts in the same folder may have been confirmed since.
    before = read_confirmations(sorted({Path(file).parent for file, _ in here}), Sink(), {})
    kept = {key: entry for key, entry in before.items() if key in here or not _is_read(key[0], here)}
    gone = [key for key in before if key not in kept]
    changed = [key for key in here if key in keys and key not in dangerous and kept.get(key) != here[key].now]
    today = date.today().isoformat()
    kept |= {key: attrs.evolve(here[key].now, by=by, on=today) for key in changed}
    for folder in sorted({Path(file).parent for file, _ in (*changed, *gone)}):
        own = {key: entry for key, entry in kept.items() if Path(key[0]).parent == folder}
        write_confirmations(folder, own, list(here))
    return Confirmed(tuple(changed), tuple(danger for key, danger in dangerous.items() if key in keys))


def _is_read(file: str, here: Iterable[Key]) -> bool:
    return any(known == file for known, _ in here)
