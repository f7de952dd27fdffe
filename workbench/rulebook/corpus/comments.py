"""Comments of translators: ``comments.toml`` beside the rulebook texts, as ``rulelang texts import`` finds them.

For each text (``nl`` for ``nl.md``, ``"big.nl"`` for ``big.nl.md``) and sentence it keeps what translators and
reviewers wrote about it. Comments go out with every export; whoever settles one deletes its line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import attrs

from rulelang.api import replace_file
from rulelang.diagnostics import Diagnostic, Sink
from rulelang.files.folder import shown
from rulelang.source import SourceFile, Span

from ..toml_file import read_toml
from .confirmations import Key

_NAME = "comments.toml"
_SIGNED = re.compile(r"(?P<text>.*\S)\s+\[(?P<by>[^\[\]]*?),? ?(?P<on>[0-9]{4}-[0-9]{2}-[0-9]{2})?\]")


@attrs.frozen
class Comment:
    """One remark, a single line. ``by`` and ``on``: who made it, and the day as ``2026-01-31``."""

    text: str
    by: str = attrs.field(default="", eq=False)
    on: str = attrs.field(default="", eq=False)

    def __str__(self) -> str:
        """As it stands in translators' files: ``Is this a coin? [Anna, 2026-01-31]``."""
        signed = ", ".join(filter(None, (self.by, self.on)))
        return f"{self.text} [{signed}]" if signed else self.text

    @classmethod
    def of(cls, line: str) -> Comment:
        """The comment of such a line; every run of blanks becomes one."""
        line = " ".join(line.split())
        found = _SIGNED.fullmatch(line)
        return cls(line) if found is None else cls(found["text"], found["by"].strip(), found["on"] or "")


Comments = Mapping[Key, tuple[Comment, ...]]
"""By the file of the text and the sentence: a statement's id, or that of a heading in translators' files."""


def read_comments(folders: Iterable[Path], sink: Sink, sources: dict[str, SourceFile]) -> Comments:
    """The comments kept in folders of rulebook texts. Mistakes go to ``sink`` (R0908); what is right is kept."""
    found: dict[Key, tuple[Comment, ...]] = {}
    for folder in folders:
        read = read_toml(folder / _NAME, "R0908", sink, sources, folder.parent) if (folder / _NAME).exists() else None
        if read is None:
            continue
        source, data = read
        for stem, entries in data.items():
            for id_, rows in entries.items() if isinstance(entries, dict) else ():
                comments = [_comment(row) for row in rows] if isinstance(rows, list) else [None]
                found[shown(folder / f"{stem}.md"), id_] = tuple(c for c in comments if c is not None)
                if None in comments:
                    line = next((n for n, line in enumerate(source.lines, 1) if id_ in line), 1)
                    message = f"A comment on `{id_}` of `{stem}` has no text."
                    help = 'Write it as `{ text = "...", by = "...", on = "2026-01-31" }`.'
                    sink.add(Diagnostic("R0908", message, Span(source.name, line, 1, line, 2), help=help))
    return found


def _comment(row: Any) -> Comment | None:
    match row:
        case {"text": str(text)} if text.strip():
            return Comment(" ".join(text.split()), str(row.get("by", "")), str(row.get("on", "")))
    return None


def comments_file(folder: Path, entries: Comments) -> tuple[Path, str]:
    """The file of a folder of rulebook texts and what it says with these comments; a line for each."""
    out = ["# Comments of translators, kept by `rulelang texts import`. Delete what is settled."]
    for file in sorted({file for file, _ in entries}):
        out += ["", f"[{json.dumps(Path(file).stem)}]"]
        for key in (key for key in entries if key[0] == file and entries[key]):
            out += [f"{json.dumps(key[1])} = [", *(f"  {_row(comment)}," for comment in entries[key]), "]"]
    return folder / _NAME, "\n".join(out) + "\n"


def _row(comment: Comment) -> str:
    fields = {"text": comment.text, "by": comment.by, "on": comment.on}
    told = (f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in fields.items() if value)
    return f"{{ {', '.join(told)} }}"


def write_comments(folder: Path, entries: Comments) -> None:
    """Replaces the file of a folder of rulebook texts."""
    path, content = comments_file(folder, entries)
    replace_file(path, content)
