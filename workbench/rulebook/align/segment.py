"""A text document cut into sentences: lines broken by a printer are joined, headings and bullets kept apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import attrs

Kind = Literal["heading", "item", "text"]

_MARKER = re.compile(r"<\|[^|]*\|>|</?\w{1,3}>|\*\*|[\u00ad\ufeff\f]")
_BULLET = re.compile(r"\s*(?:[•●▪◦‣·*–—-]|[0-9]{1,2}[.)]|[A-Z][.)])\s+\S")
_END = re.compile(r"[.!?…:;][\"'”’»)\]]*$")
# A sentence ends before a capital, a quotation or a bracket; an abbreviation ("max. 3") goes on in lower case.
_SPLIT = re.compile(r"(?<=[.!?…])[\"'”’»)\]]*\s+(?=[\"'“‘«(\[¿¡–-]*\s*[^\W\d_a-zà-öø-ÿ])")
_SHORT = re.compile(r"(?:^|\W)(?:(?:[^\W\d_]\.)+|(?:bzw|ca|evt|ggf|max|min|no|nr|vgl)\.)$", re.IGNORECASE)

_LOOK_BACK = 30
"""Characters before the end of a sentence that tell whether it is an abbreviation."""


@attrs.frozen
class Sentence:
    """``text`` on one line; ``lines``: how many of its letters are on which line (from 1), in order.

    ``block`` numbers the paragraph, bullet or heading it belongs to.
    """

    text: str
    kind: Kind
    block: int
    lines: tuple[tuple[int, int], ...]

    @property
    def first(self) -> int:
        return self.lines[0][0]

    @property
    def last(self) -> int:
        return self.lines[-1][0]

    @property
    def letters(self) -> int:
        return sum(count for _, count in self.lines)


def sentences(lines: Sequence[str]) -> tuple[Sentence, ...]:
    """Every line with a letter or digit belongs to at least one sentence. Sentences are in reading order."""
    clean = [_MARKER.sub(" ", line).rstrip() for line in lines]
    found: list[Sentence] = []
    for number, (kind, block) in enumerate(_blocks(clean)):
        found += _cut(clean, block, kind, number)
    return tuple(found)


def _blocks(lines: Sequence[str]) -> Iterator[tuple[Kind, list[int]]]:
    """Headings, bullets and paragraphs as lists of line indices."""
    current: list[int] = []
    kind: Kind = "text"
    blank = True
    for index, line in enumerate(lines):
        if not any(c.isalnum() for c in line):
            blank = True
            continue
        if current and not _continues(lines[current[-1]], line, blank, len(current) == 1):
            yield _kind(lines, current, kind), current
            current = []
        if not current:
            kind = "item" if _BULLET.match(line) else "text"
        current.append(index)
        blank = False
    if current:
        yield _kind(lines, current, kind), current


def _continues(before: str, line: str, blank: bool, alone: bool) -> bool:
    """Whether a line goes on with the paragraph of the line before it; ``blank``: an empty line is between them."""
    if _BULLET.match(line) or (_capitals(before) != _capitals(line)):
        return False
    start = line.lstrip().lstrip("\"'“‘«([")[:1]
    if blank:
        # A printer's page often sets each line apart: a sentence that is not over goes on in lower case.
        return start.islower() and not _END.search(before) and len(before) > 25
    # A short line alone above a longer one that begins with a capital is a heading without room above the text.
    headed = alone and len(before) < 40 and len(line) > len(before) * 1.5
    return not (headed and start.isupper() and not _END.search(before))


def _capitals(line: str) -> bool:
    letters = [c for c in line if c.isalpha()]
    return len(letters) > 3 and sum(c.isupper() for c in letters) > 0.8 * len(letters)


def _kind(lines: Sequence[str], block: Sequence[int], kind: Kind) -> Kind:
    text = " ".join(lines[i].strip() for i in block)
    if _capitals(text) or (kind == "text" and len(text) < 60 and (not _END.search(text) or text.endswith(":"))):
        return "heading"
    return kind


def _cut(lines: Sequence[str], block: Sequence[int], kind: Kind, number: int) -> Iterator[Sentence]:
    """The sentences of one block."""
    text = ""
    owner: list[int] = []  # the line of each letter of ``text``
    for index in block:
        part = " ".join(lines[index].split())
        if re.search(r"[^\W\d_]-$", text[-2:]) and part[:1].islower():
            text, owner = text[:-1], owner[:-1]
        elif text:
            text, owner = text + " ", [*owner, owner[-1]]
        text += part
        owner += [index + 1] * len(part)
    start = 0
    for end in [*_ends(text), len(text)]:
        if any(c.isalnum() for c in text[start:end]):
            counts: dict[int, int] = {}
            for position in range(start, end):
                if not text[position].isspace():
                    counts[owner[position]] = counts.get(owner[position], 0) + 1
            yield Sentence(text[start:end].strip(), kind, number, tuple(sorted(counts.items())))
            start = end


def _ends(text: str) -> Iterator[int]:
    for found in _SPLIT.finditer(text):
        if not _SHORT.search(text[max(0, found.start() - _LOOK_BACK) : found.start()]):
            yield found.end()
