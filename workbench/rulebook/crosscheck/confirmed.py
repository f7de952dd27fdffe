"""What somebody has confirmed: ``confirmed.toml`` beside the rulebook texts.

For each text (``nl`` for ``nl.md``, ``"big.nl"`` for ``big.nl.md``) and section it keeps a hash of the canonical text
of what runs and a hash of the statements as they were when somebody found that they agree. When the rules change
later, the statements of every language are stale until they are confirmed again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import attrs

from rulelang.api import replace_file
from rulelang.diagnostics import Sink
from rulelang.files.folder import shown
from rulelang.source import SourceFile, Span

from ..texts import Statement
from ..toml_file import read_toml
from .running import short_hash

if TYPE_CHECKING:
    from .corpus import Corpus

NAME = "confirmed.toml"

State = Literal["unconfirmed", "confirmed", "edited", "stale"]
"""``edited``: the words changed since, the rules did not; ``stale``: the rules changed since."""


@attrs.frozen
class Confirmation:
    """Hashes of what ran and of the statements when they were confirmed."""

    rule: str
    text: str


Key = tuple[str, str]
"""The file of a rulebook text as messages show it, and a section's id."""

Confirmations = Mapping[Key, Confirmation]


def read_confirmed(folders: Iterable[Path], sink: Sink, sources: dict[str, SourceFile]) -> Confirmations:
    """The confirmations kept in folders of rulebook texts. Mistakes go to ``sink`` (R0903); what is right is kept."""
    found: dict[Key, Confirmation] = {}
    for folder in folders:
        path = folder / NAME
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
                        found[file, section] = Confirmation(rule, text)
                    case _:
                        message = f"`{section}` of `{stem}` holds no confirmation."
                        place = Span(source.name, *_line(source, section))
                        sink.error("R0903", place, message, help="Confirm the section again.")
    return found


def _line(source: SourceFile, section: str) -> tuple[int, int, int, int]:
    starts = (section, f'"{section}"')
    line = next((n for n, line in enumerate(source.lines, 1) if line.startswith(starts)), 1)
    return line, 1, line, 2


def sections(corpus: Corpus) -> Mapping[Key, tuple[str, tuple[Statement, ...]]]:
    """The sections to confirm: key to language and statements, as far as they stand in that file.

    With a variant only what its own text says: every other text is confirmed against the rules it was written for,
    without what this variant changes. So with several variants at once there is nothing to confirm.
    """
    if len(corpus.asked) > 1:
        return {}
    origin = corpus.asked[0] if corpus.asked else None
    found: dict[Key, tuple[str, list[Statement]]] = {}
    for book in corpus.books:
        for statement in book.statements:
            if statement.origin == origin:
                entry = found.setdefault((statement.span.file, statement.section), (book.language, []))
                entry[1].append(statement)
    return {key: (language, tuple(statements)) for key, (language, statements) in found.items()}


def as_it_is(corpus: Corpus, section: str, statements: Iterable[Statement]) -> Confirmation:
    """The confirmation that a section would get now."""
    text = "\n".join(statement.text for statement in statements)
    return Confirmation(short_hash(corpus.running.get(section, "")), short_hash(text))


def state(corpus: Corpus, key: Key, statements: Iterable[Statement]) -> State:
    """Whether a section has been confirmed, and what changed since."""
    kept = corpus.confirmed.get(key)
    if kept is None:
        return "unconfirmed"
    now = as_it_is(corpus, key[1], statements)
    if kept.rule != now.rule:
        return "stale"
    return "confirmed" if kept.text == now.text else "edited"


def confirm(corpus: Corpus, languages: Iterable[str] | None = None, ids: Iterable[str] | None = None) -> list[Key]:
    """Confirms sections (all, or those of ``languages`` and ``ids``) and writes it down. Gives what changed.

    A file is replaced as a whole; entries of sections that are no more are dropped.
    """
    wanted_languages = None if languages is None else set(languages)
    wanted = None if ids is None else set(ids)
    changed: list[Key] = []
    here = sections(corpus)
    # Read again: another variant's texts in the same folder may have been confirmed since.
    kept = dict(read_confirmed(sorted({Path(file).parent for file, _ in here}), Sink(), {}))
    for key, (language, statements) in here.items():
        if (wanted_languages is None or language in wanted_languages) and (wanted is None or key[1] in wanted):
            now = as_it_is(corpus, key[1], statements)
            if kept.get(key) != now:
                kept[key] = now
                changed.append(key)
    for folder in sorted({Path(file).parent for file, _ in changed}):
        own = {key: entry for key, entry in kept.items() if Path(key[0]).parent == folder}
        alive = {key: entry for key, entry in own.items() if key in here or not _is_read(key[0], here)}
        replace_file(folder / NAME, _written(alive, list(here)))
    return changed


def _is_read(file: str, here: Iterable[Key]) -> bool:
    return any(known == file for known, _ in here)


def _written(entries: Mapping[Key, Confirmation], order: list[Key]) -> str:
    """The file: a table for each text, sections in the order of the book, so that a change is one line."""
    places = {key: place for place, key in enumerate(order)}
    out = ["# Written by `rulelang sources confirm`: hashes of what runs and of what the texts say about it."]
    for file in sorted({file for file, _ in entries}):
        out += ["", f"[{json.dumps(Path(file).stem)}]"]
        keys = [key for key in entries if key[0] == file]
        for key in sorted(keys, key=lambda k: places.get(k, len(places))):
            entry = entries[key]
            out.append(f'{json.dumps(key[1])} = {{ rule = "{entry.rule}", text = "{entry.text}" }}')
    return "\n".join(out) + "\n"
