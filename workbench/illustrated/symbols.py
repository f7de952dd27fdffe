"""Symbols in running text: the emblem of a thing before the first word that names it, in each section."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from rulelang.program import Program
from rulelang.source import NOWHERE

from ..pictures.build.facts import facts_of
from ..pictures.build.pieces import Maker
from ..pictures.paint.svg import emblem
from ..pictures.scene.look import Look
from ..rulebook.glossary import Concept, Glossary
from ..rulebook.print import Rulebook, StatementPart
from ..rulebook.print.document import Piece, Sentence

_MARK = "symbol "


def with_symbols(
    rulebook: Rulebook, program: Program, look: Look, glossary: Glossary | None
) -> tuple[Rulebook, Mapping[str, str]]:
    """The rulebook with the names of symbols in its sentences, and these symbols: SVG elements by name."""
    drawn = dict(_drawn(program, look))
    names = {name: f"emblem-{number}" for number, name in enumerate(drawn, 1)}
    known = _joined(glossary, drawn, look)
    used: dict[str, str] = {}
    parts = []
    section, met = "", set[str]()
    for part in rulebook.parts:
        if isinstance(part, StatementPart):
            if part.section != section:
                section, met = part.section, set()
            marked = tuple(_marked(part.sentence, known, rulebook.language, names, met))
            used |= {piece.symbol: "" for piece in marked if piece.symbol}
            part = attrs.evolve(part, sentence=marked)
        parts.append(part)
    symbols = {names[name]: svg for name, svg in drawn.items() if names[name] in used}
    return attrs.evolve(rulebook, parts=tuple(parts)), symbols


def _drawn(program: Program, look: Look) -> Iterator[tuple[str, str]]:
    """What has a symbol of its own, with the emblem; places before the kinds of pieces."""
    make = Maker(facts_of(program), look)
    for name in sorted(look.styles, key=lambda name: ("~" in name, name)):
        domain, _, member = name.partition("~")
        if member and member in getattr(program.domains.get(domain), "members", ()):
            hue = make.hue(program.domains[domain], member)
        elif name in program.variables:
            hue = "plain"
        else:
            continue
        svg = emblem(look.of(name), hue)
        if svg is not None:
            yield name, svg


def _joined(glossary: Glossary | None, drawn: Mapping[str, str], look: Look) -> Glossary:
    """The glossary with what has a symbol: by its label, and by the forms of the concept that has its name."""
    concepts = dict(glossary.concepts) if glossary is not None else {}
    lang = look.lang or "en"
    for name in drawn:
        bare = name.rpartition("~")[2]
        forms = concepts[bare].terms.get(lang, ()) if bare in concepts else ()
        terms = {lang: (look.label(name), *forms)}
        concepts[_MARK + name] = Concept(_MARK + name, terms, {}, None, NOWHERE)
    return Glossary("", concepts)


def _marked(sentence: Sentence, known: Glossary, lang: str, names: Mapping[str, str], met: set[str]) -> Iterator[Piece]:
    """The pieces, cut where a symbol comes. ``met``: the symbols that the section has already."""
    for piece in sentence:
        if piece.placeholder is not None:
            yield piece
            continue
        at, symbol = 0, piece.symbol
        for use in known.uses(piece.text, lang):
            found = [names[name] for name in names if _MARK + name in use.concepts]
            if found and use.start >= at and met.isdisjoint(found):
                if use.start > at or symbol:
                    yield attrs.evolve(piece, text=piece.text[at : use.start], symbol=symbol)
                at, symbol = use.start, found[0]
                met.add(symbol)
        yield attrs.evolve(piece, text=piece.text[at:], symbol=symbol)
