"""Confirmations: ``confirmed.toml`` beside the rulebook texts.

For each text (``nl`` for ``nl.md``, ``"big.nl"`` for ``big.nl.md``) and statement it keeps a hash of the canonical text
of what runs and a hash of the statement as they were when somebody found that they agree; who that was, and when; and
what the statement said, in the words of ``outline``, so that a later edit can be told by what it changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from rulelang.api import replace_file
from rulelang.diagnostics import Diagnostic, Sink
from rulelang.files.folder import shown
from rulelang.source import SourceFile, Span

from ..toml_file import read_toml

_NAME = "confirmed.toml"


@attrs.frozen
class Confirmation:
    """Hashes of what ran (``rule``) and of the statement (``text``) when it was confirmed.

    ``among``: how many statements its section had, in whichever language; ``by`` and ``on``: who confirmed it, and the
    day as ``2026-01-31``; ``said``: the outline of the statement.
    """

    rule: str
    text: str
    among: int = 0
    by: str = attrs.field(default="", eq=False)
    on: str = attrs.field(default="", eq=False)
    said: str = attrs.field(default="", eq=False)

    @property
    def who(self) -> str:
        """By whom and when, as words that follow "confirmed"; empty where nobody wrote it down."""
        return (f" by {self.by}" if self.by else "") + (f" on {self.on}" if self.on else "")


Key = tuple[str, str]
"""The file of a rulebook text as messages show it, and a statement's id."""

Confirmations = Mapping[Key, Confirmation]


def read_confirmations(folders: Iterable[Path], sink: Sink, sources: dict[str, SourceFile]) -> Confirmations:
    """The confirmations kept in folders of rulebook texts. Mistakes go to ``sink`` (R0903); what is right is kept."""
    found: dict[Key, Confirmation] = {}
    for folder in folders:
        read = read_toml(folder / _NAME, "R0903", sink, sources, folder.parent) if (folder / _NAME).exists() else None
        if read is None:
            continue
        source, data = read
        files = {stem: shown(folder / f"{stem}.md") for stem in data}
        for stem, id_, entry in _entries(data):
            confirmation = _confirmation(entry)
            if confirmation is not None:
                found[files[stem], id_] = confirmation
            else:
                message = f"`{id_}` of `{stem}` is not a confirmation."
                place = Span(source.name, *_line(source, id_))
                sink.add(Diagnostic("R0903", message, place, "warning", help="Confirm the statement again."))
    return found


def _entries(data: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    for stem, entries in data.items():
        for id_, entry in entries.items() if isinstance(entries, dict) else ():
            yield stem, id_, entry


def _confirmation(entry: Any) -> Confirmation | None:
    match entry:
        case {"rule": str(rule), "text": str(text), "among": int(among), **more}:
            by, on, said = (str(more.get(key, "")) for key in ("by", "on", "said"))
            return Confirmation(rule, text, among, by, on, said)
    return None


def _line(source: SourceFile, id_: str) -> tuple[int, int, int, int]:
    line = next((n for n, line in enumerate(source.lines, 1) if line.startswith((f'"{id_}"', id_))), 1)
    return line, 1, line, 2


def write_confirmations(folder: Path, entries: Mapping[Key, Confirmation], order: Sequence[Key]) -> None:
    """Replaces the file in a folder of rulebook texts.

    A table for each text, statements in the ``order`` of the rulebook, so that a change is one line.
    """
    places = {key: place for place, key in enumerate(order)}
    out = ["# Written by `rulelang sources confirm`: hashes of what runs and of what the texts say."]
    for file in sorted({file for file, _ in entries}):
        out += ["", f"[{json.dumps(Path(file).stem)}]"]
        keys = [key for key in entries if key[0] == file]
        for key in sorted(keys, key=lambda k: places.get(k, len(places))):
            out.append(f"{json.dumps(key[1])} = {{ {_fields(entries[key])} }}")
    replace_file(folder / _NAME, "\n".join(out) + "\n")


def _fields(entry: Confirmation) -> str:
    fields = [f'rule = "{entry.rule}", text = "{entry.text}", among = {entry.among}']
    fields += [f"by = {json.dumps(entry.by, ensure_ascii=False)}"] if entry.by else []
    fields += [f'on = "{entry.on}"'] if entry.on else []
    fields += [f"said = {json.dumps(entry.said, ensure_ascii=False)}"] if entry.said else []
    return ", ".join(fields)
