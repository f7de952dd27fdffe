"""The page on which links are confirmed or cut with a click: one file that needs no server and no network.

What is decided is kept by the browser as one goes, and leaves the page as a file of pins, which ``--pins`` reads.
"""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from typing import Any

from .read import Parallel


def as_page(parallel: Parallel) -> str:
    """The whole page, with the decisions that the documents were read with."""
    names = ", ".join(text.name for text in parallel.texts)
    data = json.dumps(_data(parallel), ensure_ascii=False).replace("<", "\\u003c").replace("\u2028", "\\u2028")
    assets = files(__package__) / "assets"
    style, script = ((assets / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    body = (assets / "page.html").read_text(encoding="utf-8")
    return (
        body.replace("{{title}}", escape(names))
        .replace("{{style}}", style)
        .replace("{{data}}", data)
        .replace("{{script}}", script)
    )


def _data(parallel: Parallel) -> dict[str, Any]:
    return {
        "documents": [
            {
                "name": text.name,
                "language": text.language,
                "passages": [
                    {"lines": piece.lines, "text": text.said(piece), "kind": piece.kind or "rule"}
                    for piece in text.pieces
                    if any(c.isalnum() for c in text.said(piece))
                ],
            }
            for text in parallel.texts
        ],
        "links": list(_links(parallel)),
        "cut": _cut(parallel),
        "flags": _flags(parallel),
        "terms": [
            {
                "other": t.other,
                "left": t.left,
                "right": t.right,
                "together": t.together,
                "of": max(t.left_in, t.right_in),
            }
            for t in parallel.terms
        ],
    }


def _links(parallel: Parallel) -> list[dict[str, Any]]:
    """Links by document and lines: the page knows nothing of indices, so that decisions outlive a new reading."""
    return [
        {
            "other": other,
            "left": alignment.left.pieces[link.left].lines,
            "right": alignment.right.pieces[link.right].lines,
            "confidence": round(link.confidence, 2),
            "verdict": "same" if link.evidence.pinned else "proposed",
            "why": [*(f"{a} = {b}" for a, b in link.evidence.words[:4]), *map(str, link.evidence.numbers)],
        }
        for other, alignment in enumerate(parallel.alignments, 1)
        for link in alignment.links
    ]


def _cut(parallel: Parallel) -> list[dict[str, Any]]:
    return [
        {"other": other, "left": alignment.left.pieces[p].lines, "right": alignment.right.pieces[q].lines}
        for other, (alignment, decided) in enumerate(zip(parallel.alignments, parallel.decided, strict=True), 1)
        for p, q in sorted(decided.different)
    ]


def _flags(parallel: Parallel) -> list[dict[str, Any]]:
    """Contradictions, each at the first passage of its block in the first document that it is about."""
    found = []
    for number, flags in parallel.flags.items():
        for flag in flags:
            text, passages = parallel.texts[flag.left], parallel.blocks[number].passages[flag.left]
            found.append(
                {
                    "document": flag.left,
                    "lines": [text.pieces[p].lines for p in passages],
                    "other": flag.right,
                    "kind": flag.found.kind,
                    "one": flag.found.one,
                    "two": flag.found.other,
                }
            )
    return found
