"""Files and their layout: encoding, line ends, indentation, and the items it is made of.

An item is a line that starts in the first column together with the indented lines below it. Items are parsed one by
one, so a mistake in one of them never hides the others.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from ..diagnostics import Label, Sink
from ..files.contents import MAX_BYTES, MAX_LINE, TooLarge, Unreadable, content
from ..fixes import AtEnd, Fix, Help, ReplaceText, leave_out, write
from ..source import SourceFile, Span
from ..structural import Structural, frozen

BLANK_LETTERS = "\u115f\u1160\u3164\uffa0"
"""Letters that look like nothing: the fillers of Hangul."""

MAX_BLOCKS = 24
MAX_BRACKETS = 40
_REPEATED = 20  # how often one kind of layout mistake is reported in a file


@frozen
class Chunk(Structural):
    """The text of one item; ``line`` is the number of its first line in the file."""

    line: int
    text: str


def read(path: Path, name: str, sink: Sink, within: Path | None) -> SourceFile | None:
    """The file's text with ``\\n`` line ends and without a BOM, or None with a finding. ``within``: see ``content``."""
    whole = Span(name, 1, 1, 1, 1)
    try:
        data = content(path, within)
    except TooLarge as problem:
        sink.error(
            "R0104",
            whole,
            f"The file has {problem.size:,} bytes; a rules file can have at most {MAX_BYTES:,}.",
            help="Split it into several files, or check that it really is a rules file.",
        )
        return None
    except Unreadable as problem:
        sink.error("R0101", whole, f"The file cannot be read: {problem.strerror}.", help=problem.remedy)
        return None
    except OSError as problem:
        why = (problem.strerror or "unknown reason").lower()
        sink.error(
            "R0101",
            whole,
            f"The file cannot be read: {why}.",
            help="Check that it exists and that you have permission to read it.",
        )
        return None
    return decode(data, name, sink)


def decode(data: bytes, name: str, sink: Sink) -> SourceFile | None:
    """As ``read``, from bytes."""
    bom = data.startswith(b"\xef\xbb\xbf")
    if bom:
        data = data[3:]
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        sink.error("R0102", Span(name, 1, 1, 1, 1), "The file is encoded as UTF-16.", help="Save it as UTF-8.")
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as problem:
        before = data[: problem.start]
        line = before.count(b"\n") + 1
        column = len(before.rsplit(b"\n", 1)[-1].decode("utf-8", "replace")) + 1
        sink.error(
            "R0102",
            Span(name, line, column, line, column + 1),
            f"This file is not UTF-8 text (byte 0x{data[problem.start]:02x}).",
            help="Save it as UTF-8. It may be in an older encoding such as Latin-1, or not be text at all.",
        )
        return None
    newline = "\r\n" if "\r\n" in text else "\n"
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return SourceFile(name, text, newline, bom)


def chunks(source: SourceFile, sink: Sink) -> list[Chunk]:
    """The items of a file. Layout mistakes become findings; an item whose blocks are unclear is left out."""
    lines, broken = _clean_lines(source, sink)
    found: list[Chunk] = []
    start: int | None = None
    for number, line in enumerate([*lines, "end"]):
        if line and not line[0].isspace() and not line.startswith("#"):
            if start is not None:
                _add_chunk(found, source.name, lines, start, number, broken, sink)
            else:
                _stray(source.name, lines[:number], sink)
            start = number
    return found


def without_tabs(line: str) -> str:
    """The line with each tab of its indentation as one level, so that its block is clear, and others as a space."""
    code = line.lstrip()
    return line[: len(line) - len(code)].replace("\t", "  ") + code.replace("\t", " ")


def _stray(name: str, lines: list[str], sink: Sink) -> None:
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            sink.error(
                "R0108",
                Span(name, number, 1, number, len(line) + 1),
                "The first line of a file cannot be indented.",
                help="Remove the spaces at its start.",
            )
            return


def _clean_lines(source: SourceFile, sink: Sink) -> tuple[list[str], set[int]]:
    lines = source.lines
    broken: set[int] = set()
    reported: dict[str, int] = {}

    def report(code: str, number: int, column: int, message: str, help: str | Help) -> None:
        reported[code] = reported.get(code, 0) + 1
        if reported[code] <= _REPEATED:
            sink.error(code, Span(source.name, number, column, number, column + 1), message, help=help)

    for number, line in enumerate(lines, 1):
        if len(line) > MAX_LINE:
            report(
                "R0104",
                number,
                MAX_LINE,
                f"This line has {len(line):,} characters; a line can have at most {MAX_LINE:,}.",
                "Break it inside brackets or after a comma, `and` or `or`; or split it into several statements.",
            )
            broken.add(number - 1)
            lines[number - 1] = line[:MAX_LINE]
            continue
        if "\t" in line:
            column = line.index("\t") + 1
            indent = not line[:column].strip()
            untabbed = ReplaceText(without_tabs(line), _whole(source.name, number, line))
            report(
                "R0103",
                number,
                column,
                "There is a tab in the indentation." if indent else "There is a tab in this line.",
                Help("Use spaces, two for each level.", (Fix("Write spaces", (untabbed,), preferred=True),)),
            )
            line = without_tabs(line)
        line = line.replace("\u00a0", " ")
        if not _is_seen(line):
            column, char = next((i, c) for i, c in enumerate(line, 1) if not _is_seen(c))
            report(
                "R0105",
                number,
                column,
                f"There is an invisible character here (U+{ord(char):04X}).",
                leave_out("the character", "Delete it; if you cannot find it, retype the words around it."),
            )
            line = "".join(c if _is_seen(c) else " " for c in line)
        loose = None if line.isascii() else _loose_accent(without_comment(line))
        if loose is not None:
            whole = unicodedata.normalize("NFC", line)
            edit = ReplaceText(whole, _whole(source.name, number, line))
            fix = Fix("Write letters with their accents", (edit,), preferred=True)
            report(
                "R0416",
                number,
                loose,
                f"The accent of `{whole[loose - 1]}` is a character of its own.",
                Help("Write the letter with its accent as one character.", (fix,)),
            )
            line = whole
        lines[number - 1] = line.rstrip()
    return lines, broken


def _is_seen(text: str) -> bool:
    return text.isprintable() and (text.isascii() or not any(char in text for char in BLANK_LETTERS))


def _whole(name: str, number: int, line: str) -> Span:
    return Span(name, number, 1, number, len(line) + 1)


def _loose_accent(code: str) -> int | None:
    """The column of the first letter that is followed by an accent it could have been written with."""
    for at, char in enumerate(code):
        if at and unicodedata.combining(char) and len(unicodedata.normalize("NFC", code[at - 1 : at + 1])) == 1:
            return at
    return None


def _add_chunk(
    found: list[Chunk], name: str, lines: list[str], start: int, stop: int, broken: set[int], sink: Sink
) -> None:
    if broken & set(range(start, stop)):
        return
    if _blocks_are_sound(name, lines, start, stop, sink):
        found.append(Chunk(start + 1, "\n".join(lines[start:stop]).rstrip() + "\n"))


def _blocks_are_sound(name: str, lines: list[str], start: int, stop: int, sink: Sink) -> bool:
    levels = [(0, start)]
    brackets: list[tuple[str, Span]] = []
    inside = continued(lines[start:stop])
    sound = True
    for number in range(start, stop):
        code = without_comment(lines[number])
        if not code.strip():
            continue
        indent = len(code) - len(code.lstrip())
        here = Span(name, number + 1, 1, number + 1, indent + 1)
        if number - start not in inside:
            if indent > levels[-1][0]:
                levels.append((indent, number))
                if len(levels) > MAX_BLOCKS + 1:
                    sink.error(
                        "R0107",
                        here,
                        f"Blocks are nested more than {MAX_BLOCKS} deep.",
                        help="Move the inner blocks into rules of their own.",
                    )
                    return False
            inner = levels[-1]
            while indent < levels[-1][0]:
                inner = levels.pop()
            if indent != levels[-1][0]:
                sink.error(
                    "R0108",
                    here,
                    f"This line is indented by {indent}, so it is unclear which block it belongs to.",
                    help=_even(inner, levels[-1]),
                )
                levels.append((indent, number))
                sound = False
        if not _brackets_match(name, number + 1, code, brackets, sink):
            return False
    if brackets:
        opened, span = brackets[-1]
        missing = _CLOSING[opened]
        fix = Fix(f"Close it with `{missing}` at the end of the line", (AtEnd(missing),))
        sink.error(
            "R0202",
            span,
            f"This `{opened}` is not closed.",
            help=Help(f"Add the matching `{missing}`.", (fix,)),
        )
        return False
    return sound


_GOES_ON = re.compile(r"(?:,|(?<!\w)(?:and|or))$")


def continued(lines: Sequence[str]) -> frozenset[int]:
    """The lines (from 0) that belong to one above them, with the blank lines and comments between.

    A line goes on in the next while a bracket is open. After a comma, `and` or `or` it goes on in a line that is
    indented deeper than it began.
    """
    found: set[int] = set()
    depth = indent = last = 0
    goes_on = False
    for number, line in enumerate(lines):
        code = without_comment(line).rstrip()
        column = len(code) - len(code.lstrip())
        if not code and not depth:
            continue
        if depth or (goes_on and column > indent):
            found.update(range(last + 1, number + 1))
        else:
            indent = column
        last = number
        bare = _STRING.sub("", code)
        depth = max(0, depth + sum(map(bare.count, "([{")) - sum(map(bare.count, ")]}")))
        goes_on = bool(_GOES_ON.search(code)) if code else goes_on
    return frozenset(found)


_STRING = re.compile(r'"[^"]*"')


def _even(inner: tuple[int, int], outer: tuple[int, int]) -> str:
    """How to indent a line: like the block it comes after, or the block around that; each with its first line."""
    like = [f"by {indent} like line {number + 1}" for indent, number in (inner, outer) if indent > 0]
    return f"Indent it {', or '.join(like)}."


_BRACKET = re.compile(r"[()\[\]{}]")
_CLOSING = {"(": ")", "[": "]", "{": "}"}


def _brackets_match(name: str, line: int, code: str, opened: list[tuple[str, Span]], sink: Sink) -> bool:
    """Follows the brackets of one line; ``opened`` are those still open, innermost last."""
    for found in _BRACKET.finditer(code):
        column, char = found.end(), found[0]
        here = Span(name, line, column, line, column + 1)
        if char in _CLOSING:
            opened.append((char, here))
            if len(opened) > MAX_BRACKETS:
                sink.error(
                    "R0107",
                    here,
                    f"Brackets are nested more than {MAX_BRACKETS} deep.",
                    help="Give the inner parts names with `define` or `let`.",
                )
                return False
        else:
            if not opened:
                sink.error(
                    "R0202",
                    here,
                    f"This `{char}` has no opening bracket.",
                    help=leave_out(f"`{char}`", "Delete it, or add the opening bracket."),
                )
                return False
            before, span = opened.pop()
            if _CLOSING[before] != char:
                sink.error(
                    "R0202",
                    here,
                    f"Expected `{_CLOSING[before]}`, not `{char}`.",
                    labels=[Label(span, "opened here")],
                    help=Help("Close the last bracket opened first.", write(_CLOSING[before]).fixes),
                )
                return False
    return True


def without_comment(line: str) -> str:
    """The line without its comment, and with the contents of its strings made harmless."""
    if "#" not in line and '"' not in line:
        return line
    out = []
    in_string = False
    for char in line:
        if char == '"':
            in_string = not in_string
        elif char == "#" and not in_string:
            break
        out.append("_" if in_string and char != '"' else char)
    return "".join(out)
