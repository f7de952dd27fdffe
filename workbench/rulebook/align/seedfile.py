"""A map of a new document, ready to be read through by a person: each passage states what its counterparts state."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ..languages.numbers import values
from ..sources.maps import digest
from .match import Alignment, Link
from .prepare import Piece, Text

_SURE = 0.5
_WIDTH = 120


def seed_toml(alignment: Alignment, game: str, title: str, file: Path, data: bytes) -> str:
    """The text of ``seeds/<document>.toml`` for the second text of ``alignment``; the first one is mapped.

    ``data`` are the bytes of ``file``. Every line is in exactly one passage. What the aligner is not sure of carries a
    ``note`` for the person who reads it through.
    """
    text = alignment.right
    head = [
        "[document]",
        f"game = {quoted(game)}",
        f"language = {quoted(text.language)}",
        f"title = {quoted(title)}",
        f"file = {quoted(file.name)}",
        f'sha256 = "{hashlib.sha256(data).hexdigest()}"',
        f"lines = {len(text.lines)}",
    ]
    blocks = ["\n".join(head)]
    blocks += [_passage(alignment, q, piece) for q, piece in enumerate(text.pieces)]
    return "\n\n".join(blocks) + "\n"


def _passage(alignment: Alignment, index: int, piece: Piece) -> str:
    text = alignment.right
    links = sorted(alignment.of_right(index), key=lambda link: (-link.confidence, link.left))
    given = [state for link in links for state in alignment.left.pieces[link.left].states]
    states = list(dict.fromkeys(given))
    said = "\n".join(text.lines[piece.first - 1 : piece.last])
    lines = [
        "[[passage]]",
        f'lines = "{piece.lines}"',
        f'sha256 = "{digest(text.lines[piece.first - 1 : piece.last])}"',
        f"kind = {quoted(_kind(alignment.left, links, piece, said))}",
        _listed("states", [quoted(state) for state in states]),
        _listed("numbers", [str(n) for n in values(said, text.language)]),
    ]
    note = _note(alignment.left, links, piece, said)
    return "\n".join([*lines, f"note = {quoted(note)}"] if note else lines)


def _kind(left: Text, links: Sequence[Link], piece: Piece, said: str) -> str:
    if sum(c.isalpha() for c in said) < 3:
        return "noise"
    votes: Counter[str] = Counter()
    for link in links:
        votes[left.pieces[link.left].kind or "rule"] += 1
    return votes.most_common(1)[0][0] if votes else piece.kind or "rule"


def _note(left: Text, links: Sequence[Link], piece: Piece, said: str) -> str | None:
    if any(link.evidence.pinned for link in links):
        return None
    if not links:
        return (
            None
            if piece.kind != "rule" or sum(c.isalpha() for c in said) < 3
            else "Nothing like it was found; read it."
        )
    if links[0].confidence < _SURE:
        near = ", ".join(left.pieces[link.left].lines for link in links)
        return f"Not sure that this is {left.name} {near}; read it."
    return None


def _listed(key: str, items: Sequence[str]) -> str:
    line = f"{key} = [{', '.join(items)}]"
    if len(line) <= _WIDTH:
        return line
    return "\n".join([f"{key} = [", *(f"  {item}," for item in items), "]"])


def quoted(value: str) -> str:
    """A TOML string."""
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    return '"' + "".join(escapes.get(c, c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}") for c in value) + '"'
