"""Rulebook texts on disk: those of a game, and those of its variants.

A game has ``text/<language>.md`` in its folder. A variant ``NAME.rules`` has ``text/NAME.<language>.md`` beside it.
"""

from __future__ import annotations

from pathlib import Path

from rulelang import workspace
from rulelang.diagnostics import Diagnostic, Sink
from rulelang.files.folder import GameFiles, shown

from .model import RulebookText
from .parse import parse_text


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
        return parse_text(language, name, source.lines, own, origin), tuple(own)

    text, findings = workspace.default().remember(("rulebook text", language, name, source.text, origin), parsed)
    sink.extend(findings)
    return text


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
