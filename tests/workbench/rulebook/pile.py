"""A small game of taking pieces from a pile, whose rules the tests of this room share, and its files on disk."""

from __future__ import annotations

from pathlib import Path

from small_games import corpus

RULES = corpus("printed_pile")

SUFFIX = {"po": "po", "xliff": "xlf", "xliff1.2": "xlf", "csv": "csv", "tmx": "tmx", "tbx": "tbx"}
"""How the files of translators' tools end, by format."""
FORMS = tuple(form for form in SUFFIX if form != "tbx")


def write(folder: Path, name: str, text: str) -> Path:
    """Writes a file of a game, with the folders it needs."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def edit(path: Path, *changes: str) -> Path:
    """Puts every second text of ``changes`` in place of the one before it, which must be there."""
    text = path.read_text(encoding="utf-8")
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        assert old in text, text
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")
    return path


def everything(folder: Path) -> dict[str, bytes]:
    """All files with their content: what a refusal must leave as it was."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
