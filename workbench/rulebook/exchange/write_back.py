"""Writing sentences back into a text: only sentences and headings change, everything else stays line by line.

What the text does not have yet is inserted where the source text has it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import attrs

from ..texts import Heading
from .text_files import TextFile, order_of

_PREFIX = re.compile(r"(?:#{1,6}|[0-9]+\.)(?:\s+|$)")


@attrs.define
class _Block:
    """The lines from one heading, section or statement up to the next; ``key`` as ``order_of`` has it."""

    key: str
    lines: list[str]


def written(text: TextFile, lines: Sequence[str], source: TextFile, sentences: Mapping[str, str]) -> list[str]:
    """The lines of the target text with ``sentences`` (by unit id) in it.

    ``text``: the target as it is, and ``lines`` its lines. Sentences that the target does not have must be units of
    ``source``.
    """
    blocks = _blocks(text, lines)
    for block in blocks:
        if block.key in sentences:
            prefix = _PREFIX.match(block.lines[0])
            before = prefix[0] if prefix else ""
            block.lines[0] = f"{before}{'' if before[-1:].isspace() else ' '}{sentences[block.key]}"
    _insert(blocks, source, sentences)
    return [line for block in blocks for line in block.lines]


def _blocks(text: TextFile, lines: Sequence[str]) -> list[_Block]:
    """The text cut into blocks; the first one holds what comes before everything else."""
    starts = [("", 0), *((key, span.line - 1) for key, span in order_of(text))]
    ends = [start for _, start in starts[1:]] + [len(lines)]
    return [_Block(key, list(lines[start:end])) for (key, start), end in zip(starts, ends, strict=True)]


def _insert(blocks: list[_Block], source: TextFile, sentences: Mapping[str, str]) -> None:
    there = {block.key for block in blocks}
    wanted = {key for key in sentences if key not in there}
    wanted |= {f"§{_section(key)}" for key in wanted if ":" not in key} - there
    before = ""
    for key, _ in order_of(source):
        if key in wanted:
            place = next(n for n, block in enumerate(blocks) if block.key == before) + 1
            blocks.insert(place, _new(key, blocks[place - 1], source, sentences))
        if key in there or key in wanted:
            before = key


def _section(statement: str) -> str:
    return statement.rpartition(".")[0]


def _new(key: str, before: _Block, source: TextFile, sentences: Mapping[str, str]) -> _Block:
    """A block to follow ``before``, whose blank lines at the end move below the new one."""
    blank: list[str] = []
    while before.lines and not before.lines[-1].strip():
        blank.append(before.lines.pop())
    if key.startswith("§"):
        lines = [f"### `{key[1:]}`"]
    elif isinstance(part := source.parts[key], Heading):
        lines = [f"{'#' * part.level} {sentences[key]}"]
    else:
        return _Block(key, [f"{key.rpartition('.')[2]}. {sentences[key]}", *blank])
    before.lines += [""] if before.lines or before.key else []
    return _Block(key, lines + (blank or [""] if not key.startswith("§") else blank))
