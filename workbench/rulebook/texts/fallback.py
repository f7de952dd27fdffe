"""Falling back on other languages: what a text does not have yet comes from another one, marked as borrowed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from rulelang.diagnostics import Sink
from rulelang.files.folder import GameFiles
from rulelang.source import Span

from .files import read_texts, variant_texts
from .keys import parts_by_key
from .merge import merge_variants
from .model import Heading, RulebookText, Statement

Texts = Mapping[str, RulebookText]
"""Texts of one rulebook by language."""


def read_completed(files: GameFiles, variants: Sequence[str], language: str, sink: Sink) -> RulebookText | None:
    """The text of a game with its variants in one language, completed from others; None where it has none.

    Completed is each text by itself, so that what a variant says is never left out in favour of what the game says
    without it.
    """
    texts = {text.language: text for text in read_texts(files, sink)}
    if language not in texts:
        return None
    order = chain(texts, language, files, sink)

    def added(variant: str) -> dict[str, RulebookText]:
        there = variant_texts(files, variant, sink)
        found = [there[name] for name in (language, *order) if name in there]
        return {language: completed(_in_language(found[0], language), found[1:])} if found else {}

    whole = completed(texts[language], [texts[name] for name in order])
    return merge_variants([whole], files, variants, sink, added)[0] if variants else whole


def chain(texts: Texts, language: str, files: GameFiles, sink: Sink) -> list[str]:
    """The languages that stand in for one, the nearest first: as the texts say, then in the order of the game.

    Reported (R0705): a language without a text, and one that falls back to itself by way of others.
    """
    found: list[str] = []
    here = texts.get(language)
    while here is not None and (fallback := here.fallback) is not None:
        if fallback.language == language or fallback.language in found:
            sink.error(
                "R0705",
                fallback.span,
                f"`{language}` falls back in a circle: {' to '.join([language, *found, fallback.language])}.",
                help="Name a language here that does not lead back, or remove the line.",
            )
            break
        if fallback.language not in texts:
            there = ", ".join(name for name in texts if name != language)
            message = f"There is no text in `{fallback.language}` to fall back to."
            sink.error("R0705", fallback.span, message, help=f"Name one of {there}, or remove the line.")
            break
        found.append(fallback.language)
        here = texts[fallback.language]
    declared = files.game.languages if files.game is not None else ()
    rest = sorted(texts, key=lambda name: (declared.index(name) if name in declared else len(declared), name))
    return [*found, *(name for name in rest if name != language and name not in found)]


def completed(text: RulebookText, others: Sequence[RulebookText]) -> RulebookText:
    """The text with what it lacks in the words of the first of ``others`` that has it, where that one has it."""
    for other in others:
        text = _completed(text, other)
    return text


def _completed(text: RulebookText, other: RulebookText) -> RulebookText:
    ours, theirs = parts_by_key(text, other), parts_by_key(other)
    if all(key in ours and ours[key].text for key in theirs):
        return text
    keys = list(ours)
    before = -1
    for key in theirs:
        if key in ours:
            before = keys.index(key)
        else:
            before += 1
            keys.insert(before, key)
    parts = [_words(ours.get(key), theirs.get(key), other.language) for key in keys]
    sections = {**text.sections, **{id_: span for id_, span in other.sections.items() if id_ not in text.sections}}
    return attrs.evolve(text, parts=tuple(parts), sections=_in_order(parts, sections))


def _words(own: Heading | Statement | None, other: Heading | Statement | None, language: str) -> Heading | Statement:
    if own is not None and (own.text or other is None):
        return own
    assert other is not None
    return other if other.borrowed or not other.text else attrs.evolve(other, borrowed=language)


def _in_order(parts: Sequence[Heading | Statement], sections: Mapping[str, Span]) -> dict[str, Span]:
    """The sections as they come in the text; those without a statement at the end."""
    told = dict.fromkeys(part.section for part in parts if isinstance(part, Statement))
    return {id_: sections[id_] for id_ in (*told, *(id_ for id_ in sections if id_ not in told)) if id_ in sections}


def _in_language(text: RulebookText, language: str) -> RulebookText:
    """A text for ``language``; all of it is borrowed if it is in another one."""
    if text.language == language:
        return text
    parts = tuple(attrs.evolve(part, borrowed=text.language) for part in text.parts)
    return attrs.evolve(text, language=language, parts=parts)
