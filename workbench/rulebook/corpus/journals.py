"""Journals beside the rulebook texts: what people confirmed, what they took back, and what translators remarked.

Each is a TOML file with rows for each text (``nl`` for ``nl.md``, ``"big.nl"`` for ``big.nl.md``) and statement, in the
order of the rulebook, so that a change is one line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

import attrs

from rulelang.api import replace_file
from rulelang.diagnostics import Diagnostic, Severity, Sink
from rulelang.files.folder import shown
from rulelang.source import SourceFile, Span

from ..toml_file import read_toml

Key = tuple[str, str]
"""The file of a rulebook text as messages show it, and a statement's id (of a comment also a heading's key)."""


_R = TypeVar("_R")


@attrs.frozen
class Journal(Generic[_R]):
    """A kind of journal. ``file``: its name; ``head``: its first line; ``row``: reads one, None where it is none.

    ``single``: a statement has one row, not a list of them. A row that cannot be read is reported with ``code``:
    ``problem`` with the statement's id and the text's name in it, and the remedy ``help``.
    """

    file: str
    head: str
    row: Callable[[Any], _R | None]
    code: str
    problem: str
    help: str
    severity: Severity = "warning"
    single: bool = False

    def read(self, folders: Iterable[Path], sink: Sink, sources: dict[str, SourceFile]) -> dict[Key, tuple[_R, ...]]:
        """The rows kept in folders of rulebook texts. Mistakes go to ``sink``; what is right is kept."""
        found: dict[Key, tuple[_R, ...]] = {}
        for folder in folders:
            path = folder / self.file
            read = read_toml(path, self.code, sink, sources, folder.parent) if path.exists() else None
            for stem, entries in read[1].items() if read is not None else ():
                text = shown(folder / f"{stem}.md")
                for id_, entry in entries.items() if isinstance(entries, dict) else ():
                    rows = [entry] if self.single else entry if isinstance(entry, list) else [None]
                    known = [self.row(row) for row in rows]
                    found[text, id_] = tuple(row for row in known if row is not None)
                    if None in known and read is not None:
                        message = self.problem.format(id=id_, text=stem)
                        span = _line_of(read[0], id_)
                        sink.add(Diagnostic(self.code, message, span, self.severity, help=self.help))
        return found

    def content(self, folder: Path, entries: Mapping[Key, Sequence[_R]], order: Sequence[Key] = ()) -> tuple[Path, str]:
        """The file of a folder of rulebook texts and what it says with these rows, statements in this ``order``."""
        places = {key: place for place, key in enumerate(order)}
        out = [self.head]
        for file in sorted({file for file, _ in entries}):
            out += ["", f"[{json.dumps(Path(file).stem)}]"]
            keys = (key for key, rows in entries.items() if key[0] == file and rows)
            for key in sorted(keys, key=lambda key: places.get(key, len(places))):
                rows = [_written(row) for row in entries[key]]
                if self.single:
                    out.append(f"{json.dumps(key[1])} = {rows[0]}")
                else:
                    out += [f"{json.dumps(key[1])} = [", *(f"  {row}," for row in rows), "]"]
        return folder / self.file, "\n".join(out) + "\n"

    def write(self, folder: Path, entries: Mapping[Key, Sequence[_R]], order: Sequence[Key] = ()) -> None:
        """Replaces the file of a folder of rulebook texts."""
        path, content = self.content(folder, entries, order)
        replace_file(path, content)


def _written(row: Any) -> str:
    """A row as an inline table, without the keys that say nothing."""
    fields = ((field.name, getattr(row, field.name)) for field in attrs.fields(type(row)))
    return (
        f"{{ {', '.join(f'{key} = {json.dumps(value, ensure_ascii=False)}' for key, value in fields if value != '')} }}"
    )


def _line_of(source: SourceFile, id_: str) -> Span:
    key = re.compile(rf"""\s*["']?{re.escape(id_)}["']?\s*=""")
    line = next((number for number, line in enumerate(source.lines, 1) if key.match(line)), 1)
    return Span(source.name, line, 1, line, 2)


# ---------------------------------------------------------------- confirmations


@attrs.frozen
class Confirmation:
    """Hashes of what ran (``rule``) and of the statement (``text``) when somebody found that they agree.

    ``among``: how many statements its section had, in whichever language; ``by`` and ``on``: who confirmed it, and the
    day as ``2026-01-31``; ``said``: the fingerprint of the statement, by which it can be told what an edit changed.
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

    @classmethod
    def of_row(cls, row: Any) -> Self | None:
        match row:
            case {"rule": str(rule), "text": str(text), "among": int(among)}:
                return cls(rule, text, among, *(str(row.get(key, "")) for key in ("by", "on", "said")))
        return None


CONFIRMATIONS = Journal(
    "confirmed.toml",
    "# Written by `rulelang sources confirm`: hashes of what runs and of what the texts say.",
    Confirmation.of_row,
    "R0903",
    "`{id}` of `{text}` is not a confirmation.",
    "Confirm the statement again.",
    single=True,
)


def read_confirmations(folders: Iterable[Path], sink: Sink, sources: dict[str, SourceFile]) -> dict[Key, Confirmation]:
    """The confirmations kept in folders of rulebook texts, as ``Journal.read``."""
    return {key: rows[0] for key, rows in CONFIRMATIONS.read(folders, sink, sources).items() if rows}


# ---------------------------------------------------------------- withdrawals


@attrs.frozen
class Withdrawal:
    """A confirmation taken back: the statement counts as unconfirmed again. ``why``, ``by`` whom and ``on`` which day
    (``2026-01-31``); ``was``: by whom and when it had been given, as words that follow "confirmed"."""

    why: str
    by: str = ""
    on: str = ""
    was: str = ""

    def __str__(self) -> str:
        """As translators' files have it: ``review withdrawn by Anna on 2026-01-31: the number is wrong``."""
        return f"review withdrawn{f' by {self.by}' if self.by else ''}{f' on {self.on}' if self.on else ''}: {self.why}"

    @classmethod
    def of_row(cls, row: Any) -> Self | None:
        match row:
            case {"why": str(why)} if why.strip():
                return cls(why, *(str(row.get(key, "")) for key in ("by", "on", "was")))
        return None


WITHDRAWALS = Journal(
    "withdrawn.toml",
    "# Written by `rulelang sources withdraw`: confirmations that were taken back, and why.",
    Withdrawal.of_row,
    "R0903",
    "A withdrawal of `{id}` of `{text}` does not say why.",
    'Write it as `{ why = "...", by = "...", on = "2026-01-31" }`.',
)
"""It only grows: a row for each withdrawal, the oldest first."""


# ---------------------------------------------------------------- what translations were made from


@attrs.frozen
class Origin:
    """The sentence that a translation was made from, in its ``language``."""

    language: str
    text: str

    @classmethod
    def of_row(cls, row: Any) -> Self | None:
        match row:
            case {"language": str(language), "text": str(text)}:
                return cls(language, text)
        return None


ORIGINS = Journal(
    "translated.toml",
    "# Kept by `rulelang desk` and `rulelang texts import`: the sentences that translations were made from.",
    Origin.of_row,
    "R0903",
    "What `{id}` of `{text}` was translated from is not a sentence with its language.",
    'Write it as `{ language = "en", text = "..." }`, or delete the line.',
    single=True,
)


# ---------------------------------------------------------------- comments

_SIGNED = re.compile(r"(?P<text>.*\S)\s+\[(?P<by>[^\[\]]*?),? ?(?P<on>[0-9]{4}-[0-9]{2}-[0-9]{2})?\]")


@attrs.frozen
class Comment:
    """One remark of a translator or reviewer, a single line. ``by`` and ``on``: who made it, and the day as
    ``2026-01-31``."""

    text: str
    by: str = attrs.field(default="", eq=False)
    on: str = attrs.field(default="", eq=False)

    def __str__(self) -> str:
        """As it stands in translators' files: ``Is this a coin? [Anna, 2026-01-31]``."""
        signed = ", ".join(filter(None, (self.by, self.on)))
        return f"{self.text} [{signed}]" if signed else self.text

    @classmethod
    def of(cls, line: str) -> Self:
        """The comment of such a line; every run of blanks becomes one."""
        line = " ".join(line.split())
        found = _SIGNED.fullmatch(line)
        return cls(line) if found is None else cls(found["text"], found["by"].strip(), found["on"] or "")

    @classmethod
    def of_row(cls, row: Any) -> Self | None:
        match row:
            case {"text": str(text)} if text.strip():
                return cls(" ".join(text.split()), str(row.get("by", "")), str(row.get("on", "")))
        return None


COMMENTS = Journal(
    "comments.toml",
    "# Comments of translators, kept by `rulelang texts import`. Delete what is settled.",
    Comment.of_row,
    "R0908",
    "A comment on `{id}` of `{text}` has no text.",
    'Write it as `{ text = "...", by = "...", on = "2026-01-31" }`.',
    "error",
)
"""What translators and reviewers wrote about a sentence. It goes out with every export; whoever settles one deletes its
line."""
