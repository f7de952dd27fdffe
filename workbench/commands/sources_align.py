"""Documents without rules: ``rulelang sources align``, ``pair`` and ``read``."""

from __future__ import annotations

import re
import tomllib
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from rulelang.diagnostics import Sink
from rulelang.files.contents import content
from rulelang.source import SourceFile
from rulelang.words import several

from ..arguments import OutFile
from ..output import Progress, emit, fail, failing, reason, say, tell, write, write_file, write_or_print
from ..rulebook.align import Alignment, AlignSettings, Link, Text
from ..rulebook.align.constraints import Constraints, PinError, constraints, parse_pins, updated
from ..rulebook.align.documents import Input, UnreadablePdf, UnusableInput, open_input, read_pdf, seed_toml, terms_of
from ..rulebook.bitext.bitext import Bitext, open_all, read_bitext
from ..rulebook.glossary import read_glossary

_LANGUAGE = re.compile(r"[a-z]{2,3}")
_MOST_PAIRS = 4_000_000
_EXCERPT = 64


class AlignForm(StrEnum):
    """The form of the result."""

    text = "text"
    json = "json"
    toml = "toml"


PinsOption = Annotated[Path | None, typer.Option(metavar="FILE", help="Pairs that a person has confirmed or rejected.")]

LanguagesOption = Annotated[
    str | None, typer.Option(metavar="A,B", help="Languages of A and B, for example nl,fr; guessed if left out.")
]
ToOption = Annotated[
    AlignForm, typer.Option("--to", "--format", help="The links as text or JSON, or a map of B as TOML.")
]


def align(
    left: Annotated[Path, typer.Argument(metavar="A", help="A text file, or a document's map (seeds/NAME.toml).")],
    right: Annotated[Path, typer.Argument(metavar="B", help="Its counterpart in another language.")],
    pins: PinsOption = None,
    glossary: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The game's glossary.toml, with terms in both languages.")
    ] = None,
    languages: LanguagesOption = None,
    to: ToOption = AlignForm.text,
    update_pins: Annotated[
        bool, typer.Option("--update-pins", help="Writes the links to the file of pins, for a person to decide on.")
    ] = False,
    with_text: Annotated[bool, typer.Option("--with-text", help="Shows how each passage begins.")] = False,
) -> None:
    """Proposes which passages of two documents in two languages say the same thing, how certain that is, and why.

    If A has a map, --to toml gives a map of B, in which each passage states what its counterparts in A state.

    \b
    Example:
      rulelang sources align seeds/mygame-nl.toml mygame-fr.txt --to toml > seeds/mygame-fr.toml
    """
    from ..rulebook.align import align

    if update_pins and pins is None:
        fail("--update-pins: name the file with --pins FILE")
    first, second = _languages(languages)
    with failing(UnusableInput):
        a, b = open_input(left, first), open_input(right, second)
    _check(a, b, to)
    decided, before = _read_pins(pins, a.text, b.text, create=update_pins)
    with Progress(AlignSettings().rounds, "aligning") as work:
        found = align(
            a.text,
            b.text,
            same=decided.same,
            different=decided.different,
            terms=_terms(glossary, a.text.language, b.text.language),
            progress=work.step,
        )
    for pin in decided.lost:
        say(f"{pins}: {pin.left} and {pin.right} are not lines of these documents, so the pin is ignored")
    if update_pins and pins is not None:
        write_file(pins, updated(before, found))
        say(f"{pins}: {several(len(found.links), 'link')} written or kept")
    if to is AlignForm.json:
        emit(_links_as_json(found, decided))
    elif to is AlignForm.toml:
        write(_map(found, a, b))
    else:
        _tell(found, with_text)


def _languages(text: str | None) -> tuple[str | None, str | None]:
    if text is None:
        return None, None
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not all(map(_LANGUAGE.fullmatch, parts)):
        fail(f"--languages {text}: name two, for example --languages nl,fr")
    return parts[0], parts[1]


def _check(a: Input, b: Input, to: AlignForm) -> None:
    """Reports problems that can be found before the long work starts."""
    if to is AlignForm.toml and a.document is None:
        fail("--to toml: A has no map, so what its passages state is unknown; give its map (seeds/NAME.toml) as A")
    if a.text.name == b.text.name:
        fail(f"A and B are both called {a.text.name}; rename one, because pins name documents by their files")
    pairs = len(a.text.sentences) * len(b.text.sentences)
    if pairs > _MOST_PAIRS:
        fail(
            f"{len(a.text.sentences):,} sentences by {len(b.text.sentences):,} are too many to compare at once; "
            "align the chapters one by one"
        )
    if a.text.language == b.text.language:
        say(f"both texts are in `{a.text.language}`; if that is wrong, name the languages with --languages")


def _read_pins(file: Path | None, left: Text, right: Text, *, create: bool) -> tuple[Constraints, str]:
    """The decisions and the text of the file of pins."""
    if file is None:
        return Constraints(frozenset(), frozenset(), ()), ""
    if not file.exists() and not create:
        fail(f"{file} does not exist; --update-pins creates it")
    text = _pins_text(file) if file.exists() else ""
    with failing(PinError):
        return constraints(parse_pins(text, str(file)), left, right), text


def _terms(file: Path | None, left: str, right: str) -> list[Any]:
    if file is None:
        return []
    folder = file if file.is_dir() else file.parent
    if file.name != "glossary.toml" and not file.is_dir():
        fail(f"--glossary {file}: a glossary must be a file called glossary.toml")
    sink, sources = Sink(), dict[str, SourceFile]()
    glossary = read_glossary(folder, sink, sources)
    if glossary is None or sink.has_errors:
        finding = next(iter(sink), None)
        fail(f"{finding.span}: {finding.message} {finding.help or ''}" if finding else f"{file} does not exist")
    return list(terms_of(glossary, left, right))


def _map(found: Alignment, a: Input, b: Input) -> str:
    assert a.document is not None
    title = b.document.title if b.document else a.document.title
    return seed_toml(found, a.document.game, title, b.path, b.data)


def _links_as_json(found: Alignment, decided: Constraints) -> dict[str, Any]:
    def side(text: Text) -> dict[str, Any]:
        return {
            "name": text.name, "language": text.language, "lines": len(text.lines), "passages": len(text.pieces),
            "mapped": text.mapped,
        }  # fmt: skip

    def link(one: Link) -> dict[str, Any]:
        why = one.evidence
        return {
            "left": found.left.pieces[one.left].lines,
            "right": found.right.pieces[one.right].lines,
            "confidence": round(one.confidence, 3),
            "evidence": {
                "words": [list(pair) for pair in why.words],
                "numbers": list(why.numbers),
                "alike": round(why.alike, 3),
                "order": round(why.order, 3),
                "headings": why.heading,
                "pinned": why.pinned,
            },
        }

    return {
        "documents": [side(found.left), side(found.right)],
        "links": [link(one) for one in found.links],
        "alone": {
            "left": [found.left.pieces[i].lines for i in found.alone_left],
            "right": [found.right.pieces[j].lines for j in found.alone_right],
        },
        "pins": {
            "same": len(decided.same),
            "different": len(decided.different),
            "lost": [[str(pin.left), str(pin.right)] for pin in decided.lost],
        },
        "terms": [{"left": a, "right": b, "strength": round(s, 3)} for a, b, s in found.terms()],
    }


def _tell(found: Alignment, with_text: bool) -> None:
    left, right = found.left, found.right
    tell(
        f"{left.name} ({left.language}, {several(len(left.pieces), 'passage')}) and "
        f"{right.name} ({right.language}, {several(len(right.pieces), 'passage')}):"
        f" {several(len(found.links), 'link')}\n"
    )
    for p, piece in enumerate(left.pieces):
        links = sorted(found.of_left(p), key=lambda link: (-link.confidence, link.right))
        if links and with_text:
            tell(f"{piece.lines:>9}  {_excerpt(left, p)}")
        for link in links:
            tell(f"{piece.lines:>9} = {right.pieces[link.right].lines:<9} {link.confidence:4.0%}  {_why(link)}")
            if with_text:
                tell(f"{'':>9}   {_excerpt(right, link.right)}")
    for text, alone in ((left, found.alone_left), (right, found.alone_right)):
        if alone:
            tell()
            tell(f"{text.name}, without a counterpart: {', '.join(text.pieces[i].lines for i in alone)}")


def _excerpt(text: Text, piece: int) -> str:
    said = text.said(text.pieces[piece])
    return said if len(said) <= _EXCERPT else said[: _EXCERPT - 3].rstrip() + "..."


def _why(link: Link) -> str:
    why = link.evidence
    parts = ["pinned"] if why.pinned else []
    parts += [", ".join(f"{a} = {b}" for a, b in why.words[:3])] if why.words else []
    parts += ["numbers " + ", ".join(map(str, why.numbers))] if why.numbers else []
    parts += ["both headings"] if why.heading else []
    parts += [f"order {why.order:.0%}"] if why.order else []
    return "; ".join(parts)


class PairForm(StrEnum):
    """The form of the result."""

    text = "text"
    html = "html"
    json = "json"
    tmx = "tmx"
    xliff = "xliff"


_ENDINGS = {
    ".html": PairForm.html,
    ".htm": PairForm.html,
    ".json": PairForm.json,
    ".tmx": PairForm.tmx,
    ".xlf": PairForm.xliff,
    ".xliff": PairForm.xliff,
}


def pair(
    documents: Annotated[
        list[Path], typer.Argument(metavar="A B...", help="Two documents or more: text files in UTF-8, or PDFs.")
    ],
    pins: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What was decided on the page, as it was downloaded.")
    ] = None,
    languages: Annotated[
        str | None, typer.Option(metavar="A,B...", help="Their languages, for example en,nl; guessed if left out.")
    ] = None,
    to: Annotated[
        PairForm | None,
        typer.Option("--to", "--format", help="By default as --out ends, else text; html: a page to decide on."),
    ] = None,
    out: OutFile = None,
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
    result = to or _ENDINGS.get(out.suffix.lower() if out is not None else "", PairForm.text)
    if result is PairForm.html and out is None:
        fail("--to html: a page is not for a terminal; give its name with --out FILE")
    if result is PairForm.xliff and len(documents) != 2:
        fail("--to xliff: XLIFF holds two languages; name two documents")
    bitext = read_documents(documents, pins, languages)
    for pin in bitext.lost:
        say(f"{pins}: {pin.left} and {pin.right} are not lines of these documents, so the decision is ignored")
    write_or_print(_written(bitext, result), out)
    if out is None:
        return
    flags = sum(map(len, bitext.flags.values()))
    say(f"{out}: {several(len(bitext.blocks), 'block')} of passages, {several(flags, 'contradiction')}, "
        f"{several(len(bitext.terms), 'term')}")  # fmt: skip


def read_documents(documents: list[Path], pins: Path | None, languages: str | None) -> Bitext:
    """The documents, read with what was decided. Ends the pair with a message where that cannot be."""
    with failing(UnusableInput, PinError):
        inputs = open_all(documents, [code.strip() for code in languages.split(",")] if languages else None)
        decided = parse_pins(_pins_text(pins), str(pins)) if pins is not None else ()
    with failing(PinError), Progress(AlignSettings().rounds * (len(inputs) - 1), "comparing") as work:
        return read_bitext(inputs, decided, work.step)


def chosen_terms(pins: Path | None) -> list[dict[str, Any]]:
    """The pairs of terms in a file of pins that can be read."""
    rows = tomllib.loads(_pins_text(pins)).get("term", []) if pins is not None else []
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _pins_text(pins: Path) -> str:
    try:
        return content(pins, None).decode("utf-8-sig")
    except OSError as problem:
        fail(f"{pins} cannot be read: {reason(problem)}")
    except UnicodeDecodeError:
        fail(f"{pins} is not UTF-8 text; save it as UTF-8")


def _written(bitext: Bitext, result: PairForm) -> str:
    match result:
        case PairForm.html:
            from ..rulebook.bitext.bitext import as_page

            return as_page(bitext)
        case PairForm.tmx:
            from ..rulebook.bitext.bitext import as_tmx

            return as_tmx(bitext)
        case PairForm.xliff:
            from ..rulebook.bitext.bitext import as_xliff

            return as_xliff(bitext)
        case PairForm.json:
            from rulelang.source import visible_json

            return visible_json(_pairs_as_json(bitext)) + "\n"
    return "\n".join(_told(bitext)) + "\n"


def _pairs_as_json(bitext: Bitext) -> dict[str, Any]:
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


def _quoted(said: str, text: Text) -> str:
    return f'"{said}" in {text.name}' if said else f"nothing of it in {text.name}"


def _told(bitext: Bitext) -> list[str]:
    texts = bitext.texts
    out = [", ".join(f"{t.name} ({t.language}, {several(len(t.pieces), 'passage')})" for t in texts), ""]
    for number, block in enumerate(bitext.blocks):
        lines = [", ".join(t.pieces[p].lines for p in ps) or "-" for t, ps in zip(texts, block.passages, strict=True)]
        mark = "same" if block.verdict == "same" else f"{block.confidence:.0%}"
        out.append(f"{' = '.join(f'{one:>9}' for one in lines)}  {mark}")
        for flag in bitext.flags.get(number, ()):
            one, other = _quoted(flag.found.one, texts[flag.left]), _quoted(flag.found.other, texts[flag.right])
            out.append(f"           {flag.found.kind}: {one}, {other}")
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
    out: OutFile = None,
) -> None:
    """Writes the text of a PDF as it is read: one column after the other, without page numbers and running heads.

    What was left out is told, so that you can see whether it was right. PDF needs `pip install 'rulelang[pdf]'`.

    \b
    Example:
      rulelang sources read rules-nl.pdf --out rules-nl.txt
    """
    with failing(UnreadablePdf):
        found = read_pdf(document)
    write_or_print("\n".join(found.lines) + "\n", out)
    columns = f", up to {found.columns} columns" if found.columns > 1 else ""
    say(f"{document}: {several(found.pages, 'page')}{columns}, {several(len(found.lines), 'line')}")
    if found.dropped:
        say("left out as page numbers and running heads: " + "; ".join(found.dropped[:12]))
