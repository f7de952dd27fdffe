"""Canonical layout of a rules file: its tree, printed, with every comment put back where it was.

The source is cut into logical lines (a line with the lines in which it goes on), the printer gives the lines
they become; comments and blank lines move along from the one to the other.
"""

from __future__ import annotations

import re

import attrs

from ..source import SourceFile
from . import tree
from .layout import continued
from .printer import INDENT, CanonicalLine, fold, keep_together, lines

_PIECE = re.compile(r'"[^"]*"|#.*')
_FIRST_WORD = re.compile(r"\w+|\S")


@attrs.frozen
class _Comment:
    """A comment on a line of its own. ``column`` is its indentation, ``blank`` says that a blank line precedes it."""

    text: str
    column: int
    blank: bool


@attrs.define
class _Source:
    """A logical line of the source: physical lines ``first`` to ``last`` (from 1) and the comments in and before it."""

    first: int
    last: int
    column: int
    word: str
    blank: bool
    before: list[_Comment]
    inside: list[str] = attrs.Factory(list)
    trailing: str | None = None


@attrs.define
class _Output:
    """A line to be written; ``code`` is False for a comment."""

    level: int
    text: list[str]
    blank: bool
    code: bool = True


def format_text(source: SourceFile, file: tree.File) -> str:
    """The text of ``file`` in canonical layout, with the comments of ``source`` and ``\\n`` line ends.

    ``file`` must be the tree of ``source``, parsed without errors: ValueError when it lacks an item of the text.
    Every comment appears exactly once: on a line of its own before the line it preceded (at the end of a block: in
    that block), or behind the line it stood behind. A comment inside brackets comes to stand before the statement.
    """
    logical, closing = _logical_lines(source)
    starts = [i for i, line in enumerate(logical) if line.column == 0]
    if len(starts) != len(file.items) or (logical and not starts[:1] == [0]):
        raise ValueError(f"the tree of {source.name} does not have all items of the text")
    out: list[_Output] = []
    open_blocks: list[tuple[int, int]] = []  # column in the source, level in the output
    for number, (item, start, stop) in enumerate(zip(file.items, starts, [*starts[1:], len(logical)], strict=False)):
        printed = lines(item)
        part = logical[start:stop]
        owners = _owners(printed, part)
        leading = [_own_line(c, open_blocks, 0, 0) for c in part[0].before]
        body = _item_lines(printed, part, owners, open_blocks)
        if number and not keep_together(file.items[number - 1], item):
            _part_with_blank(leading, body[0])
        out += leading + body
    out += [_own_line(c, open_blocks, 0, 0) for c in closing]
    return _written(out)


# ---------------------------------------------------------------- reading the source


def _logical_lines(source: SourceFile) -> tuple[list[_Source], list[_Comment]]:
    """The logical lines, and the comments after the last of them."""
    found: list[_Source] = []
    pending: list[_Comment] = []
    blank = False
    joined = continued(source.lines)
    for number, raw in enumerate(source.lines, 1):
        code, comment = _split(raw)
        column = len(raw) - len(raw.lstrip())
        if number - 1 in joined:
            found[-1].last = number
        elif code.strip():
            word = _FIRST_WORD.findall(code)[0]
            found.append(_Source(number, number, column, word, blank, pending))
            pending, blank = [], False
        else:
            if comment is not None:
                pending.append(_Comment(comment, column, blank))
            blank = comment is None
            continue
        if comment is not None and number in joined:  # the next line belongs to this one
            found[-1].inside.append(comment)
        elif comment is not None:
            found[-1].trailing = comment
    return found, pending


def _split(line: str) -> tuple[str, str | None]:
    """The code and the comment of a physical line."""
    for piece in _PIECE.finditer(line):
        if piece[0].startswith("#"):
            return line[: piece.start()], piece[0].rstrip()
    return line, None


# ---------------------------------------------------------------- from the source's lines to the printed ones


def _owners(printed: list[CanonicalLine], part: list[_Source]) -> list[int]:
    """For each logical line of an item, which printed line it has become. Several may have become one."""
    place = {number: i for i, line in enumerate(part) for number in range(line.first, line.last + 1)}
    owners: list[int | None] = [None] * len(part)
    for j, line in enumerate(printed):
        if line.first in place:
            owners[place[line.first]] = j
    previous = 0
    for j, line in enumerate(printed):
        if line.first in place:
            previous = place[line.first]
            continue
        # A line without a node: the next free line that begins alike. The head lines of a game may stand in any order.
        word = _FIRST_WORD.findall(line.text)[0]
        free = [i for i, candidate in enumerate(part) if owners[i] is None and candidate.word == word]
        if free:
            previous = next((i for i in free if i > previous), free[0])
            owners[previous] = j
    return _fill(owners)


def _fill(owners: list[int | None]) -> list[int]:
    """Lines that have been merged belong to the line that follows them, or else to the one before them."""
    filled: list[int] = []
    following: int | None = None
    for owner in reversed(owners):
        following = owner if owner is not None else following
        filled.append(-1 if following is None else following)
    filled.reverse()
    last = next((owner for owner in reversed(owners) if owner is not None), 0)
    return [last if owner == -1 else owner for owner in filled]


def _item_lines(
    printed: list[CanonicalLine], part: list[_Source], owners: list[int], open_blocks: list[tuple[int, int]]
) -> list[_Output]:
    """The output of an item, without the comments before its first line; ``open_blocks`` is carried along."""
    pieces: list[list[_Output]] = [[] for _ in printed]
    last_source = {owner: i for i, owner in enumerate(owners)}
    trailing: dict[int, str | None] = {}
    for i, (line, owner) in enumerate(zip(part, owners, strict=True)):
        level = printed[owner].indent
        if i:
            pieces[owner] += [_own_line(c, open_blocks, line.column, level) for c in line.before]
        while open_blocks and open_blocks[-1][0] >= line.column:
            open_blocks.pop()
        open_blocks.append((line.column, level))
        notes = list(line.inside)
        if last_source[owner] == i:
            trailing[owner] = line.trailing
        elif line.trailing is not None:
            notes.append(line.trailing)
        pieces[owner] += [_Output(level, [note], line.blank and not k, code=False) for k, note in enumerate(notes)]
        if last_source[owner] == i:
            pieces[owner].append(_Output(level, [], line.blank and not notes))
    out: list[_Output] = []
    for j, result in enumerate(printed):
        written = pieces[j] or [_Output(result.indent, [], False)]
        written[-1].text = fold(result)
        if trailing.get(j):
            written[-1].text[-1] += f"  {trailing[j]}"
        out += written
    return out


def _own_line(comment: _Comment, open_blocks: list[tuple[int, int]], column: int, level: int) -> _Output:
    """The comment before a line that stood in ``column`` and is printed at ``level``.

    Indented deeper than that line, it closes one of the blocks that end there.
    """
    inner = [own for outer, own in open_blocks if column < outer <= comment.column]
    return _Output(max(level, inner[-1]) if inner else level, [comment.text], comment.blank, code=False)


def _part_with_blank(leading: list[_Output], head: _Output) -> None:
    """Sees to a blank line between an item and the one before it, which may end with comments of its own block."""
    after = [*leading, head]
    while after[0].level > 0:
        after.pop(0)
    if not any(line.blank for line in after):
        after[0].blank = True


def _written(out: list[_Output]) -> str:
    text: list[str] = []
    for line in out:
        if line.blank and text:
            text.append("")
        text += line.text if line.code else [INDENT * line.level + line.text[0]]
    return "".join(f"{line}\n" for line in text)
