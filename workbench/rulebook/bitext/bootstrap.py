"""Bootstrap of a game from a bitext: ids and empty statements for what it says, and maps that say where.

A heading of the first document begins a rule; each block below it becomes a statement of that rule. No sentence of
the documents is copied: headings, line numbers, hashes and the terms that somebody chose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

import attrs

from rulelang.words import RESERVED

from ..align import Text
from ..align.documents import Input
from ..align.segment import fold
from ..sources.maps import document_toml, passage_toml, toml_string
from .bitext import Bitext, BitextBlock

_ROOT = "play"
"""The rule that the engine begins with; it has what stands above the first heading."""


@attrs.define
class _Chapter:
    """``heading``: the block with the heading, None for what comes before the first; ``blocks``: what is below it."""

    id: str
    heading: BitextBlock | None
    blocks: list[BitextBlock] = attrs.field(factory=list)


def begin_game(bitext: Bitext, name: str, title: str, chosen: Sequence[Mapping[str, Any]] = ()) -> dict[str, str]:
    """The files of the game by their path in its folder. ``chosen``: pairs of terms, as the file of pins has them."""
    chapters = _chapters(bitext)
    found = {f"{name}.rules": _rules(bitext, name, title, chapters)}
    for number, each in enumerate(bitext.inputs):
        found[f"text/{each.text.language}.md"] = _text(title, number, bitext.texts, chapters)
        found[f"seeds/{each.text.name}.toml"] = _map(name, title, number, each, chapters)
        if each.path.suffix.lower() == ".pdf":
            found[f"sources/{_file(each)}"] = "\n".join(each.text.lines) + "\n"
    glossary = "\n\n".join(_concepts(bitext.texts, chosen))
    return found | ({"text/glossary.toml": f"{glossary}\n"} if glossary else {})


def _chapters(bitext: Bitext) -> list[_Chapter]:
    """The blocks under their headings, and at the end what only other documents say."""
    first = bitext.texts[0]
    linked = {p for block in bitext.blocks for p in block.passages[0]}
    alone = [_only(0, p, len(bitext.texts)) for p in range(len(first.pieces)) if p not in linked and _says(first, p)]
    chapters = [_Chapter(_ROOT, None)]
    taken = {_ROOT}
    for block in sorted([*(b for b in bitext.blocks if b.passages[0]), *alone], key=lambda b: b.passages[0]):
        pieces = [first.pieces[p] for p in block.passages[0]]
        if all(piece.kind == "heading" for piece in pieces) and block.passages[0][0] > 0:
            chapters.append(_Chapter(_id(first.said(pieces[0]), taken), block))
        else:
            chapters[-1].blocks.append(block)
    rest = [block for block in bitext.blocks if not block.passages[0]]
    for number, alignment in enumerate(bitext.alignments, 1):
        text = bitext.texts[number]
        rest += [_only(number, q, len(bitext.texts)) for q in alignment.alone_right if _says(text, q)]
    if rest:
        chapters.append(_Chapter(_id("said elsewhere only", taken), None, rest))
    return chapters


def _only(document: int, passage: int, documents: int) -> BitextBlock:
    return BitextBlock(tuple((passage,) if n == document else () for n in range(documents)), 1.0, "proposed")


def _says(text: Text, passage: int) -> bool:
    return sum(c.isalpha() for c in text.said(text.pieces[passage])) > 2


def _id(heading: str, taken: set[str]) -> str:
    """A name made of a heading's first words, another one each time."""
    words = re.findall(r"[a-z0-9]+", fold(heading))[:3]
    name = "_".join(words)
    name = name if re.match(r"[a-z]", name) and name not in RESERVED else f"part_{name}".rstrip("_")
    number, free = 2, name
    while free in taken:
        free, number = f"{name}_{number}", number + 1
    taken.add(free)
    return free


def _rules(bitext: Bitext, name: str, title: str, chapters: Sequence[_Chapter]) -> str:
    out = [
        "# Begun from the texts: a rule for each heading. Replace `do nothing` by what the statements say.",
        f"game {name}",
        f"  title {toml_string(title)}",
        "  players 2..4",
        f"  languages {', '.join(text.language for text in bitext.texts)}",
        "",
        "each Player has",
        "  score: 0..100",
        "",
        "winner most score[p], then shared",
        "",
        f"rule {_ROOT}",
        *(f"  do {chapter.id}" for chapter in chapters[1:]),
        "  end the game",
    ]
    for chapter in chapters[1:]:
        out += ["", f"rule {chapter.id}", "  do nothing"]
    return "\n".join(out) + "\n"


def _text(title: str, document: int, texts: Sequence[Text], chapters: Sequence[_Chapter]) -> str:
    out = [f"# {title}", "", "##"]
    for chapter in chapters:
        if chapter.heading is not None:
            text, passages = texts[document], chapter.heading.passages[document]
            words = " ".join(text.said(text.pieces[p]) for p in passages)
            out += ["", f"## {words}".rstrip()]
        out += ["", f"### `{chapter.id}`", *(f"{n}." for n in range(1, max(1, len(chapter.blocks)) + 1))]
    return "\n".join(out) + "\n"


def _map(name: str, title: str, document: int, each: Input, chapters: Sequence[_Chapter]) -> str:
    states: dict[int, list[str]] = {}
    for chapter in chapters:
        for number, block in enumerate(chapter.blocks, 1):
            for passage in block.passages[document]:
                states.setdefault(passage, []).append(f"{chapter.id}.{number}")
    text = each.text
    lines = text.lines
    data = "\n".join(lines).encode() + b"\n" if each.path.suffix.lower() == ".pdf" else each.data
    out = [document_toml(name, text.language, title, _file(each), data, len(lines))]
    for passage, piece in enumerate(text.pieces):
        kind = (piece.kind or "rule") if _says(text, passage) else "noise"
        out.append(passage_toml(lines, piece.first, piece.last, kind, states.get(passage, []), text.language))
    return "\n\n".join(out) + "\n"


def _file(each: Input) -> str:
    """The name of the document's text: of a PDF, what was read from it."""
    name = PurePosixPath(each.path.name)
    return name.with_suffix(".txt").name if name.suffix.lower() == ".pdf" else name.name


def _concepts(texts: Sequence[Text], chosen: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """A concept for each term of the first document, with its terms in the others."""
    terms: dict[str, dict[str, str]] = {}
    for pair in chosen:
        left, right = (_side(str(pair.get(side, "")), texts) for side in ("left", "right"))
        if left is not None and right is not None and left[0] is texts[0]:
            terms.setdefault(left[1], {left[0].language: left[1]})[right[0].language] = right[1]
    taken: set[str] = set()
    for term, by in terms.items():
        yield "\n".join(
            ["[[concept]]", f'id = "{_id(term, taken)}"', *(f"{k} = [{toml_string(v)}]" for k, v in by.items())]
        )


def _side(value: str, texts: Sequence[Text]) -> tuple[Text, str] | None:
    """The document and the term of ``guide-en draw pile``."""
    for text in texts:
        if value.startswith(f"{text.name} ") and value.removeprefix(f"{text.name} ").strip():
            return text, value.removeprefix(f"{text.name} ").strip()
    return None
