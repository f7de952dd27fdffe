"""Writers of a bitext: a page to decide on, a translation memory (TMX 1.4b), and XLIFF 2.0 of two documents.

On the page links are confirmed or cut with a click. It is one file that needs no server and no network; what is decided
is kept by the browser as one goes, and leaves the page as a file of pins, which ``--pins`` reads.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...web import asset, page
from ..exchange.formats.tmx import tmx_head
from ..exchange.formats.xml import attributes, escape
from .bitext import Bitext, Block, said

_ASSETS = Path(__file__).parent / "assets"

# ---------------------------------------------------------------- HTML


def as_page(bitext: Bitext) -> str:
    """The whole page, with the decisions that the documents were read with."""
    names = ", ".join(text.name for text in bitext.texts)
    data = json.dumps(_page_data(bitext), ensure_ascii=False).replace("<", "\\u003c").replace("\u2028", "\\u2028")
    body, style, script = (asset(_ASSETS / f"page.{ending}") for ending in ("html", "css", "js"))
    body = body.replace("{{title}}", escape(names)).replace("{{data}}", data).replace("{{script}}", script)
    return page(f"{names}: links", "en", body, style)


def _page_data(bitext: Bitext) -> dict[str, Any]:
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
            for text in bitext.texts
        ],
        "links": list(_links(bitext)),
        "cut": _cut(bitext),
        "flags": _flags_by_passage(bitext),
        "terms": [
            {
                "other": t.other,
                "left": t.left,
                "right": t.right,
                "together": t.together,
                "of": max(t.left_in, t.right_in),
            }
            for t in bitext.terms
        ],
    }


def _links(bitext: Bitext) -> list[dict[str, Any]]:
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
        for other, alignment in enumerate(bitext.alignments, 1)
        for link in alignment.links
    ]


def _cut(bitext: Bitext) -> list[dict[str, Any]]:
    return [
        {"other": other, "left": alignment.left.pieces[p].lines, "right": alignment.right.pieces[q].lines}
        for other, (alignment, decided) in enumerate(zip(bitext.alignments, bitext.decided, strict=True), 1)
        for p, q in sorted(decided.different)
    ]


def _flags_by_passage(bitext: Bitext) -> list[dict[str, Any]]:
    """Contradictions, each at the first passage of its block in the first document that it is about."""
    found = []
    for number, flags in bitext.flags.items():
        for flag in flags:
            text, passages = bitext.texts[flag.left], bitext.blocks[number].passages[flag.left]
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


# ---------------------------------------------------------------- TMX and XLIFF


NOTHING = "nothing of it"


def as_tmx(bitext: Bitext) -> str:
    """Every block that at least two documents have; ``x-verdict`` says whether a person confirmed it."""
    out = [*tmx_head("block", bitext.texts[0].language), "</header>", "<body>"]
    for number, block, told in _linked(bitext):
        out.append(f"<tu{attributes(tuid=_block_id(number))}>")
        out.append(f'<prop type="x-verdict">{block.verdict}</prop>')
        out.append(f'<prop type="x-confidence">{block.confidence:.2f}</prop>')
        for document, text in told.items():
            language = attributes({"xml:lang": bitext.texts[document].language})
            out.append(f"<tuv{language}><seg>{escape(_printable(text))}</seg></tuv>")
        out.append("</tu>")
    return "\n".join([*out, "</body>", "</tmx>\n"])


def as_xliff(bitext: Bitext, other: int = 1) -> str:
    """The first document beside the one with index ``other``; confirmed links are ``reviewed``."""
    source, target = bitext.texts[0], bitext.texts[other]
    head = attributes(
        xmlns="urn:oasis:names:tc:xliff:document:2.0", version="2.0", srcLang=source.language, trgLang=target.language
    )
    units = []
    for number, block, told in _linked(bitext):
        if 0 not in told or other not in told:
            continue
        notes = "".join(
            f"<note{attributes(id=f'n{n}', category='contradiction')}>"
            f"{escape(_printable(f'{flag.found.kind}: {flag.found.one or NOTHING} / {flag.found.other or NOTHING}'))}"
            "</note>"
            for n, flag in enumerate(bitext.flags.get(number, ()), 1)
            if (flag.left, flag.right) == (0, other)
        )
        state = attributes(id="s1", canResegment="no", state="reviewed" if block.verdict == "same" else "translated")
        units.append(
            f"<unit{attributes(id=_block_id(number))}>\n{f'<notes>{notes}</notes>' if notes else ''}<segment{state}>\n"
            f"<source>{escape(_printable(told[0]))}</source>\n<target>{escape(_printable(told[other]))}</target>\n"
            "</segment>\n</unit>\n"
        )
    file = attributes({"id": "links", "original": f"{source.name}:{target.name}", "xml:space": "preserve"})
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<xliff{head}>\n<file{file}>\n{"".join(units)}</file>\n</xliff>\n'


def _linked(bitext: Bitext) -> Iterator[tuple[int, Block, dict[int, str]]]:
    for number, block in enumerate(bitext.blocks):
        told = dict(said(block, bitext.texts))
        if len(told) > 1:
            yield number, block, told


def _block_id(number: int) -> str:
    return f"b{number + 1}"


def _printable(text: str) -> str:
    """Without control characters, which XML cannot carry."""
    return "".join(c for c in text if c >= " " and c not in "\ufffe\uffff" and not "\ud800" <= c <= "\udfff")
