"""``rulelang sources pair`` and ``sources read``: documents without rules, side by side; the text of a PDF."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulelang.files.contents import content

from ..loading import count
from ..output import fail, say, write, write_file
from ..progress import Progress

if TYPE_CHECKING:
    from ..rulebook.bitext.bitext import Bitext


class Result(StrEnum):
    """The form of the result."""

    text = "text"
    html = "html"
    json = "json"
    tmx = "tmx"
    xliff = "xliff"


_ENDINGS = {".html": Result.html, ".htm": Result.html, ".json": Result.json, ".tmx": Result.tmx, ".xlf": Result.xliff,
            ".xliff": Result.xliff}  # fmt: skip


def command(
    documents: Annotated[
        list[Path], typer.Argument(metavar="A B...", help="Two documents or more: text files in UTF-8, or PDFs.")
    ],
    pins: Annotated[
        Path | None, typer.Option("--pins", metavar="FILE", help="What was decided on the page, as it was downloaded.")
    ] = None,
    languages: Annotated[
        str | None,
        typer.Option("--languages", metavar="A,B...", help="Their languages, for example en,nl; guessed if left out."),
    ] = None,
    to: Annotated[
        Result | None,
        typer.Option("--to", "--format", help="By default as --out ends, else text; html: a page to decide on."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Writes to this file instead of standard output.")
    ] = None,
) -> None:
    """Puts documents in different languages side by side, without any rules: which passages say the same, where they
    contradict each other, and which terms go together.

    The page (html) is one file that needs no server: links are confirmed or cut with a click, and downloaded as a file
    for --pins, which improves the next round. tmx and xliff are for translation tools. `rulelang new --texts` begins a
    game with ids and empty statements.

    \b
    Example:
      rulelang sources pair rules-en.txt rules-nl.pdf --out links.html
      rulelang sources pair rules-en.txt rules-nl.pdf --pins links.pins.toml --out links.tmx
    """
    result = to or _ENDINGS.get(out.suffix.lower() if out is not None else "", Result.text)
    if result is Result.html and out is None:
        fail("--to html: a page is not for a terminal; give its name with --out FILE")
    if result is Result.xliff and len(documents) != 2:
        fail("--to xliff: XLIFF holds two languages; name two documents")
    bitext = read_documents(documents, pins, languages)
    for pin in bitext.lost:
        say(f"{pins}: {pin.left} and {pin.right} are not lines of these documents, so the decision is ignored")
    text = _written(bitext, result)
    if out is None:
        write(text)
        return
    write_file(out, text)
    flags = sum(map(len, bitext.flags.values()))
    say(f"{out}: {count(len(bitext.blocks), 'block')} of passages, {count(flags, 'contradiction')}, "
        f"{count(len(bitext.terms), 'term')}")  # fmt: skip


def read_documents(documents: list[Path], pins: Path | None, languages: str | None) -> Bitext:
    """The documents, read with what was decided. Ends the command with a message where that cannot be."""
    from ..rulebook.align import Settings
    from ..rulebook.align.constraints import PinError, parse_pins
    from ..rulebook.align.documents import UnusableInput
    from ..rulebook.bitext.bitext import open_all, read_bitext

    try:
        inputs = open_all(documents, [code.strip() for code in languages.split(",")] if languages else None)
        decided = parse_pins(_pins_text(pins), str(pins)) if pins is not None else ()
    except (UnusableInput, PinError) as error:
        fail(str(error))
    work = Progress(Settings().rounds * (len(inputs) - 1), "comparing")
    try:
        return read_bitext(inputs, decided, work.step)
    except PinError as error:
        fail(str(error))
    finally:
        work.close()


def chosen_terms(pins: Path | None) -> list[dict[str, Any]]:
    """The pairs of terms in a file of pins that can be read."""
    import tomllib

    rows = tomllib.loads(_pins_text(pins)).get("term", []) if pins is not None else []
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _pins_text(pins: Path) -> str:
    try:
        return content(pins, None).decode("utf-8-sig")
    except OSError as problem:
        fail(f"{pins} cannot be read: {(problem.strerror or 'unknown reason').lower()}")
    except UnicodeDecodeError:
        fail(f"{pins} is not UTF-8 text; save it as UTF-8")


def _written(bitext: Bitext, result: Result) -> str:
    match result:
        case Result.html:
            from ..rulebook.bitext.writers import as_page

            return as_page(bitext)
        case Result.tmx:
            from ..rulebook.bitext.writers import as_tmx

            return as_tmx(bitext)
        case Result.xliff:
            from ..rulebook.bitext.writers import as_xliff

            return as_xliff(bitext)
        case Result.json:
            from rulelang.source import visible_json

            return visible_json(_json(bitext)) + "\n"
    return "\n".join(_told(bitext)) + "\n"


def _json(bitext: Bitext) -> dict[str, Any]:
    texts = bitext.texts
    return {
        "documents": [{"name": t.name, "language": t.language, "passages": len(t.pieces)} for t in texts],
        "blocks": [
            {
                "lines": [[t.pieces[p].lines for p in ps] for t, ps in zip(texts, block.passages, strict=True)],
                "confidence": round(block.confidence, 3),
                "verdict": block.verdict,
                "contradictions": [
                    {"kind": f.found.kind, "documents": [texts[f.left].name, texts[f.right].name],
                     "say": [f.found.one, f.found.other]}
                    for f in bitext.flags.get(number, ())
                ],
            }
            for number, block in enumerate(bitext.blocks)
        ],
        "alone": {
            other.right.name: {
                "left": [other.left.pieces[i].lines for i in other.alone_left],
                "right": [other.right.pieces[j].lines for j in other.alone_right],
            }
            for other in bitext.alignments
        },
        "terms": [{"document": texts[t.other].name, "left": t.left, "right": t.right, "together": t.together}
                  for t in bitext.terms],
    }  # fmt: skip


def _told(bitext: Bitext) -> list[str]:
    texts = bitext.texts
    out = [", ".join(f"{t.name} ({t.language}, {count(len(t.pieces), 'passage')})" for t in texts), ""]
    for number, block in enumerate(bitext.blocks):
        lines = [", ".join(t.pieces[p].lines for p in ps) or "-" for t, ps in zip(texts, block.passages, strict=True)]
        mark = "same" if block.verdict == "same" else f"{block.confidence:.0%}"
        out.append(f"{' = '.join(f'{one:>9}' for one in lines)}  {mark}")
        for flag in bitext.flags.get(number, ()):
            one, other = (f'"{said}"' if said else "nothing of it" for said in (flag.found.one, flag.found.other))
            names = texts[flag.left].name, texts[flag.right].name
            out.append(f"           {flag.found.kind}: {one} in {names[0]}, {other} in {names[1]}")
    for pair in bitext.alignments:
        for text, alone in ((pair.left, pair.alone_left), (pair.right, pair.alone_right)):
            if alone:
                out.append(f"\n{text.name}, without a counterpart: {', '.join(text.pieces[i].lines for i in alone)}")
    if bitext.terms:
        out += ["", "Terms that go together:"]
        out += [f"  {t.left} = {t.right} ({texts[t.other].language}, {t.together} times)" for t in bitext.terms]
    return out


def read(
    document: Annotated[Path, typer.Argument(metavar="FILE.pdf", help="A PDF with text in it, not a scan.")],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Writes to this file instead of standard output.")
    ] = None,
) -> None:
    """Writes the text of a PDF as it is read: one column after the other, without page numbers and running heads.

    What was left out is told, so that you can see whether it was right. PDF needs `pip install 'rulelang[pdf]'`.

    \b
    Example:
      rulelang sources read rules-nl.pdf --out rules-nl.txt
    """
    from ..rulebook.align.documents import UnreadablePdf, read_pdf

    try:
        found = read_pdf(document)
    except UnreadablePdf as problem:
        fail(str(problem))
    text = "\n".join(found.lines) + "\n"
    if out is None:
        write(text)
    else:
        write_file(out, text)
    columns = f", up to {found.columns} columns" if found.columns > 1 else ""
    say(f"{document}: {count(found.pages, 'page')}{columns}, {count(len(found.lines), 'line')}")
    if found.dropped:
        say("left out as page numbers and running heads: " + "; ".join(found.dropped[:12]))
