"""Confirmations: ``confirmed.toml`` beside the rulebook texts.

For each text (``nl`` for ``nl.md``, ``"big.nl"`` for ``big.nl.md``) and section it keeps a hash of the canonical text
of what runs and a hash of the statements as they were when somebody found that they agree; who that was, and when; and
what each statement said, in the words of ``outline``, so that a later edit can be told by what it changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import attrs

from rulelang.api import replace_file
from rulelang.diagnostics import Sink
from rulelang.files.folder import shown
from rulelang.source import SourceFile, Span

from ..toml_file import read_toml

_NAME = "confirmed.toml"


@attrs.frozen
class Confirmation:
    """Hashes of what ran (``rule``) and of the statements (``text``) when they were confirmed.

    ``by`` and ``on``: who confirmed them, and the day as ``2026-01-31``; ``said``: the outline of each statement. These
    are empty for confirmations of old.
    """

    rule: str
    text: str
    by: str = attrs.field(default="", eq=False)
    on: str = attrs.field(default="", eq=False)
    said: tuple[str, ...] = attrs.field(default=(), eq=False)

    @property
    def who(self) -> str:
        """By whom and when, as words that follow "confirmed"; empty where nobody wrote it down."""
        return (f" by {self.by}" if self.by else "") + (f" on {self.on}" if self.on else "")


Key = tuple[str, str]
"""The file of a rulebook text as messages show it, and a section's id."""

Confirmations = Mapping[Key, Confirmation]


def read_confirmations(folders: Iterable[Path], sink: Sink, sources: dict[str, SourceFile]) -> Confirmations:
    """The confirmations kept in folders of rulebook texts. Mistakes go to ``sink`` (R0903); what is right is kept."""
    found: dict[Key, Confirmation] = {}
    for folder in folders:
        path = folder / _NAME
        if not path.exists():
            continue
        read = read_toml(path, "R0903", sink, sources)
        if read is None:
            continue
        source, data = read
        for stem, entries in data.items():
            file = shown(folder / f"{stem}.md")
            for section, entry in entries.items() if isinstance(entries, dict) else ():
                match entry:
                    case {"rule": str(rule), "text": str(text)}:
                        said = tuple(map(str, entry.get("said", ())))
                        by, on = str(entry.get("by", "")), str(entry.get("on", ""))
                        found[file, section] = Confirmation(rule, text, by, on, said)
                    case _:
                        message = f"`{section}` of `{stem}` is not a confirmation."
                        place = Span(source.name, *_line(source, section))
                        sink.error("R0903", place, message, help="Confirm the section again.")
    return found


def _line(source: SourceFile, section: str) -> tuple[int, int, int, int]:
    starts = (section, f'"{section}"')
    line = next((n for n, line in enumerate(source.lines, 1) if line.startswith(starts)), 1)
    return line, 1, line, 2


def write_confirmations(folder: Path, entries: Mapping[Key, Confirmation], order: list[Key]) -> None:
    """Replaces the file in a folder of rulebook texts.

    A table for each text, sections in the ``order`` of the rulebook, so that a change is one line.
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
    fields = [f'rule = "{entry.rule}", text = "{entry.text}"']
    fields += [f"by = {json.dumps(entry.by, ensure_ascii=False)}"] if entry.by else []
    fields += [f'on = "{entry.on}"'] if entry.on else []
    fields += [f"said = {json.dumps(entry.said, ensure_ascii=False)}"] if entry.said else []
    return ", ".join(fields)
