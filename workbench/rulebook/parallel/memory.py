"""Links for translators' tools: a translation memory (TMX 1.4b), and XLIFF 2.0 of two documents."""

from __future__ import annotations

from collections.abc import Iterator

from ..exchange.formats.tmx import tmx_head
from ..exchange.formats.xml import attributes, escape
from .blocks import Block, said
from .read import Parallel

NOTHING = "nothing of it"


def as_tmx(parallel: Parallel) -> str:
    """Every block that at least two documents have; ``x-verdict`` says whether a person confirmed it."""
    out = [*tmx_head("block", parallel.texts[0].language), "</header>", "<body>"]
    for number, block, told in _linked(parallel):
        out.append(f"<tu{attributes(tuid=_id(number))}>")
        out.append(f'<prop type="x-verdict">{block.verdict}</prop>')
        out.append(f'<prop type="x-confidence">{block.confidence:.2f}</prop>')
        for document, text in told.items():
            language = attributes({"xml:lang": parallel.texts[document].language})
            out.append(f"<tuv{language}><seg>{escape(_printable(text))}</seg></tuv>")
        out.append("</tu>")
    return "\n".join([*out, "</body>", "</tmx>\n"])


def as_xliff(parallel: Parallel, other: int = 1) -> str:
    """The first document beside the one with index ``other``; confirmed links are ``reviewed``."""
    source, target = parallel.texts[0], parallel.texts[other]
    head = attributes(
        xmlns="urn:oasis:names:tc:xliff:document:2.0", version="2.0", srcLang=source.language, trgLang=target.language
    )
    units = []
    for number, block, told in _linked(parallel):
        if 0 not in told or other not in told:
            continue
        notes = "".join(
            f"<note{attributes(id=f'n{n}', category='contradiction')}>"
            f"{escape(_printable(f'{flag.found.kind}: {flag.found.one or NOTHING} / {flag.found.other or NOTHING}'))}"
            "</note>"
            for n, flag in enumerate(parallel.flags.get(number, ()), 1)
            if (flag.left, flag.right) == (0, other)
        )
        state = attributes(id="s1", canResegment="no", state="reviewed" if block.verdict == "same" else "translated")
        units.append(
            f"<unit{attributes(id=_id(number))}>\n{f'<notes>{notes}</notes>' if notes else ''}<segment{state}>\n"
            f"<source>{escape(_printable(told[0]))}</source>\n<target>{escape(_printable(told[other]))}</target>\n"
            "</segment>\n</unit>\n"
        )
    file = attributes({"id": "links", "original": f"{source.name}:{target.name}", "xml:space": "preserve"})
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<xliff{head}>\n<file{file}>\n{"".join(units)}</file>\n</xliff>\n'


def _linked(parallel: Parallel) -> Iterator[tuple[int, Block, dict[int, str]]]:
    for number, block in enumerate(parallel.blocks):
        told = dict(said(block, parallel.texts))
        if len(told) > 1:
            yield number, block, told


def _id(number: int) -> str:
    return f"b{number + 1}"


def _printable(text: str) -> str:
    """Without control characters, which XML cannot carry."""
    return "".join(c for c in text if c >= " " and c not in "\ufffe\uffff" and not "\ud800" <= c <= "\udfff")
