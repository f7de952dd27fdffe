"""Gettext PO files: ``msgctxt`` is the unit's id, ``fuzzy`` a translation that is stale."""

from __future__ import annotations

import re
from typing import Any

from .units import Delivery, Entry, ExchangeError, Job

_BOOK = "X-Rulelang-Book"
_SOURCE = "X-Source-Language"
_QUOTED = re.compile(r'\s*(?:msg\w+(?:\[[0-9]+\])?\s*)?"(?:[^"\\]|\\.)*"\s*')


def write_po(job: Job) -> str:
    """The job as a PO file; lines are not wrapped."""
    import polib  # type: ignore[import-untyped]

    file = polib.POFile(wrapwidth=0)
    file.metadata = {
        "Project-Id-Version": job.name,
        "Language": job.target_language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        _SOURCE: job.source_language,
        _BOOK: job.name,
    }
    for unit in job.units:
        file.append(
            polib.POEntry(
                msgctxt=unit.id,
                msgid=unit.source,
                msgstr=unit.target or "",
                comment="\n".join(f"{note.category}: {note.text}" for note in unit.notes),
                occurrences=[(job.file.replace(" ", "%20"), str(unit.line))],
                flags=["fuzzy"] if unit.state == "stale" else [],
            )
        )
    return f"{file}\n"


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
    entries = [_entry(entry) for entry in file if not entry.obsolete]
    meta = file.metadata
    return Delivery(meta.get(_BOOK), meta.get(_SOURCE), meta.get("Language") or None, tuple(entries))


def _entry(entry: Any) -> Entry:
    where = f"line {max(entry.linenum - 1, 1)}"
    if not entry.msgctxt:
        raise ExchangeError(f"{where}: an entry has no `msgctxt`, so nothing says which sentence it is.")
    if entry.msgid_plural:
        raise ExchangeError(f"{where}: `{entry.msgctxt}` has a plural; rulebook sentences have none.")
    return Entry(entry.msgctxt, entry.msgid, entry.msgstr or None, "fuzzy" not in entry.flags)


def _told(problem: Exception) -> str:
    """The line that polib could not read (counted without the one we put before it)."""
    found = re.search(r"line (\d+)\)?:?\s*(.*)", str(problem))
    return f"line {int(found[1]) - 1}: {found[2] or 'syntax error'}" if found else "it is broken or cut off"
