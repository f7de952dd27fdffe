"""Withdrawal of confirmations: ``withdrawn.toml`` beside the rulebook texts, a journal that only grows.

Somebody confirmed a statement by mistake: it counts as unconfirmed again, and the journal keeps who took the
confirmation back, when and why, and whose it was. For each text (``nl`` for ``nl.md``) and statement it has a row for
each withdrawal, the oldest first.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import attrs

from rulelang.api import replace_file
from rulelang.diagnostics import Diagnostic, Sink
from rulelang.files.folder import shown
from rulelang.source import SourceFile, Span

from ..toml_file import read_toml
from .confirmations import Key, read_confirmations, write_confirmations
from .corpus import Corpus
from .states import standings

_NAME = "withdrawn.toml"


@attrs.frozen
class Withdrawal:
    """``why``, ``by`` whom and ``on`` which day (``2026-01-31``) a confirmation was withdrawn; ``was``: by whom and
    when it had been given, as words that follow "confirmed"."""

    why: str
    by: str = ""
    on: str = ""
    was: str = ""

    def __str__(self) -> str:
        """As translators' files have it: ``review withdrawn by Anna on 2026-01-31: the number is wrong``."""
        return f"review withdrawn{f' by {self.by}' if self.by else ''}{f' on {self.on}' if self.on else ''}: {self.why}"


Withdrawals = Mapping[Key, tuple[Withdrawal, ...]]


def withdraw(corpus: Corpus, keys: Collection[Key], by: str, why: str) -> tuple[Key, ...]:
    """Takes the confirmations of statements back and writes down ``by`` whom, ``why``, and today's date; gives those
    that had one. Both files of a folder are replaced as a whole. Raises RulesError when the journal cannot be read."""
    here = standings(corpus)
    folders = sorted({Path(file).parent for file, _ in here})
    kept = dict(read_confirmations(folders, Sink(), {}))
    taken = tuple(key for key in here if key in keys and key in kept)
    journal = dict(read_withdrawals(folders, Sink(), {}))
    today = date.today().isoformat()
    for key in taken:
        journal[key] = (*journal.get(key, ()), Withdrawal(why, by, today, kept.pop(key).who.strip()))
    for folder in sorted({Path(file).parent for file, _ in taken}):
        _write(folder, {key: rows for key, rows in journal.items() if Path(key[0]).parent == folder})
        write_confirmations(folder, {k: e for k, e in kept.items() if Path(k[0]).parent == folder}, list(here))
    return taken


def read_withdrawals(folders: Iterable[Path], sink: Sink, sources: dict[str, SourceFile]) -> Withdrawals:
    """The journals of folders of rulebook texts. Mistakes go to ``sink`` (R0903); what is right is kept."""
    found: dict[Key, tuple[Withdrawal, ...]] = {}
    for folder in folders:
        read = read_toml(folder / _NAME, "R0903", sink, sources, folder.parent) if (folder / _NAME).exists() else None
        if read is None:
            continue
        source, data = read
        for stem, entries in data.items():
            for id_, rows in entries.items() if isinstance(entries, dict) else ():
                known = [_withdrawal(row) for row in rows] if isinstance(rows, list) else [None]
                found[shown(folder / f"{stem}.md"), id_] = tuple(row for row in known if row is not None)
                if None in known:
                    line = next((n for n, line in enumerate(source.lines, 1) if id_ in line), 1)
                    message = f"A withdrawal of `{id_}` of `{stem}` does not say why."
                    help = 'Write it as `{ why = "...", by = "...", on = "2026-01-31" }`.'
                    sink.add(Diagnostic("R0903", message, Span(source.name, line, 1, line, 2), "warning", help=help))
    return found


def _withdrawal(row: Any) -> Withdrawal | None:
    match row:
        case {"why": str(why)} if why.strip():
            return Withdrawal(why, *(str(row.get(key, "")) for key in ("by", "on", "was")))
    return None


def _write(folder: Path, journal: Withdrawals) -> None:
    out = ["# Written by `rulelang sources withdraw`: confirmations that were taken back, and why."]
    for file in sorted({file for file, _ in journal}):
        out += ["", f"[{json.dumps(Path(file).stem)}]"]
        for key, rows in journal.items():
            if key[0] == file:
                out += [f"{json.dumps(key[1])} = [", *(f"  {_row(row)}," for row in rows), "]"]
    replace_file(folder / _NAME, "\n".join(out) + "\n")


def _row(row: Withdrawal) -> str:
    fields = {"why": row.why, "by": row.by, "on": row.on, "was": row.was}
    told = (f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in fields.items() if value)
    return f"{{ {', '.join(told)} }}"
