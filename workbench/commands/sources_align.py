"""``rulelang sources align``: finds which passages of two documents in two languages correspond."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulelang.files.contents import content

from ..loading import count
from ..output import emit, fail, say, tell, write, write_file
from ..progress import Progress

if TYPE_CHECKING:
    from ..rulebook.align import Alignment, Link, Text
    from ..rulebook.align.constraints import Constraints
    from ..rulebook.align.documents import Input

_LANGUAGE = re.compile(r"[a-z]{2,3}")
_MOST_PAIRS = 4_000_000
_EXCERPT = 64


class Result(StrEnum):
    """The form of the result."""

    text = "text"
    json = "json"
    toml = "toml"


def command(
    left: Annotated[Path, typer.Argument(metavar="A", help="A text file, or a document's map (seeds/NAME.toml).")],
    right: Annotated[Path, typer.Argument(metavar="B", help="Its counterpart in another language.")],
    pins: Annotated[
        Path | None, typer.Option("--pins", metavar="FILE", help="Pairs that a person has confirmed or rejected.")
    ] = None,
    glossary: Annotated[
        Path | None,
        typer.Option("--glossary", metavar="FILE", help="The game's glossary.toml, with terms in both languages."),
    ] = None,
    languages: Annotated[
        str | None,
        typer.Option(
            "--languages", metavar="A,B", help="Languages of A and B, for example nl,fr; guessed if left out."
        ),
    ] = None,
    to: Annotated[
        Result, typer.Option("--to", "--format", help="The links as text or JSON, or a map of B as TOML.")
    ] = Result.text,
    update_pins: Annotated[
        bool,
        typer.Option("--update-pins", help="Writes the links to the file of pins, for a person to decide on."),
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
    from ..rulebook.align.documents import UnusableInput, open_input

    if update_pins and pins is None:
        fail("--update-pins: name the file with --pins FILE")
    first, second = _languages(languages)
    try:
        a, b = open_input(left, first), open_input(right, second)
    except UnusableInput as error:
        fail(str(error))
    _check(a, b, to)
    decided, before = _read_pins(pins, a.text, b.text, create=update_pins)
    work = Progress(_rounds(), "aligning")
    try:
        found = align(
            a.text,
            b.text,
            same=decided.same,
            different=decided.different,
            terms=_terms(glossary, a.text.language, b.text.language),
            progress=work.step,
        )
    finally:
        work.close()
    for pin in decided.lost:
        say(f"{pins}: {pin.left} and {pin.right} are not lines of these documents, so the pin is ignored")
    if update_pins and pins is not None:
        from ..rulebook.align.constraints import updated

        write_file(pins, updated(before, found))
        say(f"{pins}: {count(len(found.links), 'link')} written or kept")
    if to is Result.json:
        emit(_json(found, decided))
    elif to is Result.toml:
        write(_map(found, a, b))
    else:
        _tell(found, with_text)


def _rounds() -> int:
    from ..rulebook.align import Settings

    return Settings().rounds


def _languages(text: str | None) -> tuple[str | None, str | None]:
    if text is None:
        return None, None
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not all(map(_LANGUAGE.fullmatch, parts)):
        fail(f"--languages {text}: name two, for example --languages nl,fr")
    return parts[0], parts[1]


def _check(a: Input, b: Input, to: Result) -> None:
    """Reports problems that can be found before the long work starts."""
    if to is Result.toml and a.document is None:
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
    from ..rulebook.align.constraints import Constraints, PinError, constraints, parse_pins

    if file is None:
        return Constraints(frozenset(), frozenset(), ()), ""
    try:
        text = content(file, None).decode("utf-8-sig")
    except FileNotFoundError:
        if not create:
            fail(f"{file} does not exist; --update-pins creates it")
        text = ""
    except OSError as problem:
        fail(f"{file} cannot be read: {(problem.strerror or 'unknown reason').lower()}")
    except UnicodeDecodeError:
        fail(f"{file} is not UTF-8 text; save it as UTF-8")
    try:
        return constraints(parse_pins(text, str(file)), left, right), text
    except PinError as error:
        fail(str(error))


def _terms(file: Path | None, left: str, right: str) -> list[Any]:
    if file is None:
        return []
    from rulelang.diagnostics import Sink
    from rulelang.source import SourceFile

    from ..rulebook.align.documents import terms_of
    from ..rulebook.glossary import read_glossary

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
    from ..rulebook.align.documents import seed_toml

    assert a.document is not None
    title = b.document.title if b.document else a.document.title
    return seed_toml(found, a.document.game, title, b.path, b.data)


def _json(found: Alignment, decided: Constraints) -> dict[str, Any]:
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
        f"{left.name} ({left.language}, {count(len(left.pieces), 'passage')}) and "
        f"{right.name} ({right.language}, {count(len(right.pieces), 'passage')}): {count(len(found.links), 'link')}\n"
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
