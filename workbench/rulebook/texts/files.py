"""Rulebook texts on disk: those of a game, and those of its variants.

A game has ``text/<language>.md`` in its folder. A variant ``NAME.rules`` has ``text/NAME.<language>.md`` beside it.
"""

from __future__ import annotations

from pathlib import Path

from rulelang import workspace
from rulelang.diagnostics import Diagnostic, Sink
from rulelang.files.contents import MAX_LINE
from rulelang.files.folder import GameFiles, shown
from rulelang.fixes import leave_out
from rulelang.source import SourceFile, Span, visible

from .model import RulebookText
from .parse import parse_text

_LONGEST = 2 * MAX_LINE
"""Characters of a line at most: comparing texts takes time that grows with its square."""


def read_texts(files: GameFiles, sink: Sink) -> list[RulebookText]:
    """The rulebook texts of a game without its variants, by language."""
    paths = sorted((files.root / "text").glob("*.md"))
    texts = (read_text(path, path.stem, None, files, sink) for path in paths if "." not in path.stem)
    return [text for text in texts if text is not None]


def read_text(path: Path, language: str, origin: str | None, files: GameFiles, sink: Sink) -> RulebookText | None:
    """One rulebook text, that of the variant ``origin`` or the game's own; None if it cannot be read."""
    name = shown(path)
    source = files.read_beside(path, sink)
    if source is None:
        return None
    files.sources[name] = source

    def parsed() -> tuple[RulebookText, tuple[Diagnostic, ...]]:
        own = Sink()
        return parse_text(language, name, _seen(source, own), own, origin), tuple(own)

    text, findings = workspace.default().remember(("rulebook text", language, name, source.text, origin), parsed)
    sink.extend(findings)
    return text


def _seen(source: SourceFile, sink: Sink) -> list[str]:
    """The lines without what nobody sees, and none longer than anybody reads; what is left out is told."""
    lines = source.lines
    for number, line in enumerate(lines, 1):
        if len(line) > _LONGEST:
            place = Span(source.name, number, _LONGEST, number, _LONGEST + 1)
            message = f"This line has {len(line):,} characters; a line of a text can have at most {_LONGEST:,}."
            sink.error("R0104", place, message, help="Split it into several statements.")
            lines[number - 1] = line = line[:_LONGEST]
        shown_line = visible(line, lines=True)
        if shown_line != line:
            column, char = next((i, a) for i, (a, b) in enumerate(zip(line, shown_line, strict=False), 1) if a != b)
            place = Span(source.name, number, column, number, column + 1)
            message = f"There is an invisible character here (U+{ord(char):04X}); it is left out."
            help_ = leave_out("the character", "Delete it; if you cannot find it, retype the words around it.")
            sink.error("R0105", place, message, help=help_, severity="warning")
            lines[number - 1] = visible(line, lines=True, mark="")
    return lines


def variant_texts(files: GameFiles, variant: str, sink: Sink) -> dict[str, RulebookText]:
    """The texts of one variant by language."""
    file = files.paths[files.variants[variant].span.file]
    found = {}
    for path in sorted((file.parent / "text").glob("*.md")):
        name, _, language = path.stem.rpartition(".")
        if name == file.stem:
            text = read_text(path, language, variant, files, sink)
            if text is not None:
                found[language] = text
    return found
