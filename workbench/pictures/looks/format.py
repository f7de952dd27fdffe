"""The canonical layout of look files: one space after commas and colons, two spaces of indentation for members."""

from __future__ import annotations

import re
from pathlib import Path

import attrs

from rulelang.api import FormatResult, replace_file
from rulelang.diagnostics import Sink
from rulelang.files.contents import home_of
from rulelang.files.folder import shown
from rulelang.source import SourceFile
from rulelang.syntax.layout import read

from .find import paths_below
from .syntax import parse

_TOKENS = re.compile(r'"[^"]*"|#.*|[^\s",:#]+|[,:]|\s+')


def formatted(text: str) -> str:
    """A look file in its canonical layout. Comments stay where they are; at most one blank line in a row is kept."""
    out: list[str] = []
    for line in text.split("\n"):
        made = _line(line)
        if made or (out and out[-1]):
            out.append(made)
    return "\n".join(out).rstrip("\n") + "\n"


def _line(line: str) -> str:
    inner = line[:1].isspace() and line.strip() != ""
    made = ""
    for token in _TOKENS.findall(line.strip()):
        if token.startswith("#"):
            made = f"{made.rstrip()}  {token}" if made.strip() else token
        elif token in ",:":
            made = made.rstrip() + token + " "
        elif not token.isspace():
            made = f"{made.rstrip()} {token}" if made and not made.endswith(" ") else made + token
    return ("  " if inner else "") + made.rstrip()


def format_looks(path: Path, write: bool) -> FormatResult:
    """Formats a look, or all looks below a folder; nothing where there are none. As ``rulelang.format_path`` does."""
    changed: list[str] = []
    sink = Sink()
    sources: dict[str, SourceFile] = {}
    paths = paths_below(path) if path.is_dir() else [path] if path.suffix == ".look" else []
    for file in paths:
        name = shown(file)
        own = Sink()
        source = read(file, name, own, path if path.is_dir() else home_of(path))
        if source is not None:
            sources[name] = source
            parse(source, own)
            text = source.text if own.has_errors else formatted(source.text)
            if text != source.text:
                changed.append(name)
                if write:
                    replace_file(file, text.replace("\n", source.newline))
        sink.extend(own)
    return FormatResult(tuple(changed), tuple(sink), sources)


def joined(one: FormatResult, other: FormatResult) -> FormatResult:
    """Two results as one."""
    return attrs.evolve(
        one,
        changed=(*one.changed, *other.changed),
        diagnostics=(*one.diagnostics, *other.diagnostics),
        sources=one.sources | other.sources,
    )
