"""Merging the texts of variants into the game's own rulebook texts.

- A section numbered from 1 takes the place of the section with its id; one numbered on from that section's last
  statement adds to it. Two variants that add to one section are numbered on one after the other.
- A section with a new id goes to the end of the chapter whose heading (``##``) is above it. A heading that the
  text does not have yet begins a chapter of its own, after the chapter named before it; at the end if there is none.
- Sections of what the variant removes are dropped. Its title (``#``) is added to the text's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set

import attrs

from rulelang import workspace
from rulelang.diagnostics import Sink
from rulelang.files.folder import GameFiles
from rulelang.source import Span
from rulelang.syntax import tree

from .files import read_texts, variant_texts
from .model import Heading, RulebookText, Statement
from .subjects import bases_of, ids_of


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
class _Chapter:
    """A heading with the sections up to the next one, by id."""

    heading: Heading | None
    sections: dict[str, tuple[Span, list[Statement]]] = attrs.field(factory=dict)


def _chapters(text: RulebookText) -> list[_Chapter]:
    chapters: list[_Chapter] = []
    homes: dict[str, _Chapter] = {}
    for part in text.parts:
        if isinstance(part, Heading) or not chapters:
            chapters.append(_Chapter(part if isinstance(part, Heading) else None))
        if isinstance(part, Statement):
            home = homes.setdefault(part.section, chapters[-1])
            home.sections.setdefault(part.section, (text.sections[part.section], []))[1].append(part)
    for id_ in text.sections.keys() - homes.keys():  # it has a head and no statement, which is reported elsewhere
        above = [c for c in chapters if c.heading is not None and c.heading.span.line < text.sections[id_].line]
        (above or chapters or [_Chapter(None)])[-1].sections[id_] = (text.sections[id_], [])
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


def _without(chapters: list[_Chapter], ids: Set[str]) -> list[_Chapter]:
    """The chapters without these sections, and without chapters that lose their last one."""
    left = []
    for chapter in chapters:
        kept = {id_: section for id_, section in chapter.sections.items() if id_ not in ids}
        if kept or not chapter.sections:
            left.append(_Chapter(chapter.heading, kept))
    return left


def _add(chapters: list[_Chapter], text: RulebookText, own: Set[str], sink: Sink) -> None:
    """Merges one variant's text. ``own``: the variant and those it builds on."""
    here: _Chapter | None = None
    for chapter in _chapters(text):
        heading = chapter.heading
        if heading is not None and heading.level == 1:
            _entitle(chapters, heading)
        elif heading is not None:
            here = _chapter_of(chapters, heading, here)
        for id_, (span, statements) in chapter.sections.items():
            home = next((c for c in chapters if id_ in c.sections), None)
            old = [] if home is None else home.sections[id_][1]
            first = _number(statements[0]) if statements else 1
            _check_first(id_, first, old, statements, own, sink)
            if home is None:
                if not chapters:
                    chapters.append(_Chapter(None))
                home = here or chapters[-1]
            elif first > 1:
                span = home.sections[id_][0]
                added = (attrs.evolve(s, id=f"{id_}.{n}") for n, s in enumerate(statements, len(old) + 1))
                statements = [*old, *added]
            home.sections[id_] = (span, statements)


def _number(statement: Statement) -> int:
    return int(statement.id.rpartition(".")[2])


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


def _entitle(chapters: list[_Chapter], title: Heading) -> None:
    for chapter in chapters:
        if chapter.heading is not None and chapter.heading.level == 1:
            chapter.heading = attrs.evolve(chapter.heading, text=f"{chapter.heading.text} + {title.text}")
            return
    chapters.insert(0, _Chapter(title))


def _chapter_of(chapters: list[_Chapter], heading: Heading, after: _Chapter | None) -> _Chapter:
    """The chapter with this heading; a new one follows ``after``, or is the last."""
    for chapter in chapters:
        if chapter.heading is not None and chapter.heading.level == 2 and chapter.heading.text == heading.text:
            return chapter
    new = _Chapter(heading)
    # By identity: two chapters may say the same.
    place = next((n for n, c in enumerate(chapters) if c is after), len(chapters) - 1)
    chapters.insert(place + 1, new)
    return new
