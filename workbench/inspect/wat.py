"""WebAssembly text laid out for reading: one statement a line, what stands inside another indented below it."""

from __future__ import annotations

import re
from collections.abc import Iterator

_FUNCTION = re.compile(r"^\(func \$([^\s()]+)", re.MULTILINE)


def indented(text: str) -> str:
    """The text with every line indented by how many brackets are open before it."""
    return "".join(f"{line}\n" for line in _lines(text))


def _lines(text: str) -> Iterator[str]:
    depth = 0
    for line in text.splitlines():
        bare = line.strip()
        if not bare:
            continue
        code = _without_strings(bare)
        closes = len(code) - len(code.lstrip(")"))
        yield "  " * max(0, depth - closes) + bare
        depth += code.count("(") - code.count(")")


def _without_strings(line: str) -> str:
    """The line without what stands in quotes or in a comment."""
    return re.sub(r'"[^"]*"', '""', line).partition(";;")[0]


def function_of(text: str, name: str) -> str | None:
    """The text of one function of a module; None when there is no such function."""
    starts = [match.start() for match in _FUNCTION.finditer(text) if match[1] == name]
    if not starts:
        return None
    start = starts[0]
    depth = 0
    for place in range(start, len(text)):
        if text[place] == "(":
            depth += 1
        elif text[place] == ")":
            depth -= 1
            if depth == 0:
                return text[start : place + 1]
    return None
