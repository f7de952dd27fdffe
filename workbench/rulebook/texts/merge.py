"""Merging of texts: those of variants into the game's own, and what a text lacks from those of other languages.

- A section numbered from 1 takes the place of the section with its id; one numbered on from that section's last
  statement adds to it. Two variants that add to one section are numbered on one after the other.
- A section with a new id goes to the end of the chapter whose heading (``##``) is above it. A heading that the
  text does not have yet begins a chapter of its own, after the chapter named before it; at the end if there is none.
- Sections of what the variant removes are dropped. Its title (``#``) is added to the text's.
- What a text does not have yet comes from another language, marked as borrowed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set

import attrs

from rulelang import workspace
from rulelang.diagnostics import Sink
from rulelang.files.folder import GameFiles
from rulelang.source import Span
from rulelang.syntax import tree

from .rulebook_text import Heading, RulebookText, Statement, bases_of, ids_of, parts_by_key, read_texts, variant_texts


def read_merged(files: GameFiles, variants: Sequence[str], sink: Sink) -> list[RulebookText]:
    """The rulebook texts of a game with what its variants add, replace and remove, by language.

    ``variants``: names, in any order; those they build on come by themselves. Parts name the variant they come from.
    """
    texts = read_texts(files, sink)
    return merge_variants(texts, files, variants, sink) if variants else texts


def merge_variants(
    texts: Sequence[RulebookText],
    files: GameFiles,
    variants: Sequence[str],
    sink: Sink,
    added_by: Callable[[str], dict[str, RulebookText]] | None = None,
) -> list[RulebookText]:
    """``texts`` (the game's own, one a language) with those of ``variants`` and of the variants they build on.

    ``added_by``: the texts of a variant by language, if they are not simply those of its files.
    """
    linked = workspace.default().linked(files, variants, sink)
    base = workspace.default().linked(files)
    if linked is None or base is None:
        return list(texts)
    gone = ids_of(base).keys() - ids_of(linked).keys()
    said = added_by or (lambda name: variant_texts(files, name, sink))
    additions = [(name, said(name)) for name in linked.variants if name in files.variants]
    known = {text.language for text in texts}
    for _, added in additions:
        for language in added.keys() - known:
            sink.error(
                "R0705",
                Span(added[language].file, 1, 1, 1, 2),
                f"The game itself has no text in `{language}`.",
                help=f"Write text/{language}.md in the folder of the game first.",
            )
    return [
        _merge(text, [(name, added.get(text.language)) for name, added in additions], gone, files, sink)
        for text in texts
    ]


# ---------------------------------------------------------------- chapters and sections


@attrs.define
class _HeadedSections:
    """A heading with the sections up to the next one, by id."""

    heading: Heading | None
    sections: dict[str, tuple[Span, list[Statement]]] = attrs.field(factory=dict)


def _chapters(text: RulebookText) -> list[_HeadedSections]:
    chapters: list[_HeadedSections] = []
    homes: dict[str, _HeadedSections] = {}
    for part in text.parts:
        if isinstance(part, Heading) or not chapters:
            chapters.append(_HeadedSections(part if isinstance(part, Heading) else None))
        if isinstance(part, Statement):
            home = homes.setdefault(part.section, chapters[-1])
            home.sections.setdefault(part.section, (text.sections[part.section], []))[1].append(part)
    for id_ in text.sections.keys() - homes.keys():  # it has a head and no statement, which is reported elsewhere
        above = [c for c in chapters if c.heading is not None and c.heading.span.line < text.sections[id_].line]
        (above or chapters or [_HeadedSections(None)])[-1].sections[id_] = (text.sections[id_], [])
    return chapters


def _merge(
    text: RulebookText,
    additions: Sequence[tuple[str, RulebookText | None]],
    gone: Set[str],
    files: GameFiles,
    sink: Sink,
) -> RulebookText:
    """The text with the ``additions`` (a variant's name with its text, if it has one) and without sections ``gone``."""
    chapters = _chapters(text)
    for name, added in additions:
        removed = {item.id for item in files.variants[name].items if isinstance(item, tree.RemoveRule)}
        chapters = _without(chapters, removed)
        if added is not None:
            _add(chapters, added, {name, *bases_of(files, name)}, sink)
    chapters = _without(chapters, gone)
    parts: list[Heading | Statement] = []
    sections: dict[str, Span] = {}
    for chapter in chapters:
        parts += [] if chapter.heading is None else [chapter.heading]
        for id_, (span, statements) in chapter.sections.items():
            sections[id_] = span
            parts += statements
    return RulebookText(text.language, text.file, tuple(parts), sections)


def _without(chapters: list[_HeadedSections], ids: Set[str]) -> list[_HeadedSections]:
    """The chapters without these sections, and without chapters that lose their last one."""
    left = []
    for chapter in chapters:
        kept = {id_: section for id_, section in chapter.sections.items() if id_ not in ids}
        if kept or not chapter.sections:
            left.append(_HeadedSections(chapter.heading, kept))
    return left


def _add(chapters: list[_HeadedSections], text: RulebookText, own: Set[str], sink: Sink) -> None:
    """Merges one variant's text. ``own``: the variant and those it builds on."""
    here: _HeadedSections | None = None
    for chapter in _chapters(text):
        heading = chapter.heading
        if heading is not None and heading.level == 1:
            _entitle(chapters, heading)
        elif heading is not None:
            here = _chapter_of(chapters, heading, here)
        for id_, (span, statements) in chapter.sections.items():
            home = next((c for c in chapters if id_ in c.sections), None)
            old = [] if home is None else home.sections[id_][1]
            first = int(statements[0].id.rpartition(".")[2]) if statements else 1
            _check_first(id_, first, old, statements, own, sink)
            if home is None:
                if not chapters:
                    chapters.append(_HeadedSections(None))
                home = here or chapters[-1]
            elif first > 1:
                span = home.sections[id_][0]
                added = (attrs.evolve(s, id=f"{id_}.{n}") for n, s in enumerate(statements, len(old) + 1))
                statements = [*old, *added]
            home.sections[id_] = (span, statements)


def _check_first(
    id_: str, first: int, old: Sequence[Statement], new: Sequence[Statement], own: Set[str], sink: Sink
) -> None:
    """A section begins at 1, or goes on from what its author knew: the statements of the game and of its bases."""
    seen = [s for s in old if s.origin is None or s.origin in own]
    if first in (1, len(seen) + 1) or (old and not seen):
        return
    what = f"`{id_}` has {len(seen)} statements so far" if seen else f"`{id_}` is a new section"
    sink.error(
        "R0705",
        new[0].span,
        f"{what}, but this one is numbered {first}.",
        help=f"Number from 1 to say it anew, or on from {len(seen) + 1} to add to it." if seen else "Number from 1.",
    )


def _entitle(chapters: list[_HeadedSections], title: Heading) -> None:
    for chapter in chapters:
        if chapter.heading is not None and chapter.heading.level == 1:
            chapter.heading = attrs.evolve(chapter.heading, text=f"{chapter.heading.text} + {title.text}")
            return
    chapters.insert(0, _HeadedSections(title))


def _chapter_of(chapters: list[_HeadedSections], heading: Heading, after: _HeadedSections | None) -> _HeadedSections:
    """The chapter with this heading; a new one follows ``after``, or is the last."""
    for chapter in chapters:
        if chapter.heading is not None and chapter.heading.level == 2 and chapter.heading.text == heading.text:
            return chapter
    new = _HeadedSections(heading)
    # By identity: two chapters may say the same.
    place = next((n for n, c in enumerate(chapters) if c is after), len(chapters) - 1)
    chapters.insert(place + 1, new)
    return new


# ---------------------------------------------------------------- words of other languages


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
    order = fallback_chain(texts, language, files, sink)

    def added(variant: str) -> dict[str, RulebookText]:
        there = variant_texts(files, variant, sink)
        found = [there[name] for name in (language, *order) if name in there]
        return {language: completed(_in_language(found[0], language), found[1:])} if found else {}

    whole = completed(texts[language], [texts[name] for name in order])
    return merge_variants([whole], files, variants, sink, added)[0] if variants else whole


def fallback_chain(texts: Texts, language: str, files: GameFiles, sink: Sink) -> list[str]:
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
    parts = [_own_or_borrowed(ours.get(key), theirs.get(key), other.language) for key in keys]
    sections = {**text.sections, **{id_: span for id_, span in other.sections.items() if id_ not in text.sections}}
    return attrs.evolve(text, parts=tuple(parts), sections=_in_order(parts, sections))


def _own_or_borrowed(
    own: Heading | Statement | None, other: Heading | Statement | None, language: str
) -> Heading | Statement:
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
