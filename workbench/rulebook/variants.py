"""Rulebook texts of variants: ``text/<NAME>.<language>.md`` beside the variant's file ``<NAME>.rules``.

They are written like the texts of a game (``book``) and merged into those:

- A section numbered from 1 takes the place of the section with its id; one numbered on from that section's last
  statement adds to it. Two variants that add to one section are numbered on one after the other.
- A section with a new id goes to the end of the chapter whose heading (``##``) stands above it. A heading that the
  book does not have yet begins a chapter of its own, after the chapter named before it; at the end if there is none.
- Sections of what the variant removes are dropped. Its title (``#``) is added to the book's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

import attrs

from rulelang import workspace
from rulelang.diagnostics import Sink
from rulelang.files.folder import GameFiles, shown
from rulelang.link import Linked, blocks
from rulelang.source import Span
from rulelang.syntax import tree

from .texts import NEEDED, Book, Heading, Statement, check_language, check_sections, ids_of, read_book, read_books


def merge_all(books: Sequence[Book], files: GameFiles, variants: Sequence[str], sink: Sink) -> list[Book]:
    """``books`` (of the game itself, one a language) with the texts of ``variants`` and of those they stand on."""
    linked = workspace.default().linked(files, variants, sink)
    base = workspace.default().linked(files)
    if linked is None or base is None:
        return list(books)
    gone = ids_of(base).keys() - ids_of(linked).keys()
    texts = [(name, texts_of(files, name, sink)) for name in linked.variants if name in files.variants]
    known = {book.language for book in books}
    for _, found in texts:
        for language in found.keys() - known:
            sink.error(
                "R0705",
                Span(found[language].file, 1, 1, 1, 2),
                f"The game itself has no text in `{language}`.",
                help=f"Write text/{language}.md in the folder of the game first.",
            )
    return [
        _merge(book, [(name, found.get(book.language)) for name, found in texts], gone, files, sink) for book in books
    ]


def texts_of(files: GameFiles, variant: str, sink: Sink) -> dict[str, Book]:
    """The texts of one variant by language."""
    file = files.paths[files.variants[variant].span.file]
    found = {}
    for path in sorted((file.parent / "text").glob("*.md")):
        name, _, language = path.stem.rpartition(".")
        if name == file.stem:
            book = read_book(path, language, variant, files, sink)
            if book is not None:
                found[language] = book
    return found


# ---------------------------------------------------------------- merging


@attrs.define
class _Chapter:
    """A heading with the sections up to the next one, by id."""

    heading: Heading | None
    sections: dict[str, tuple[Span, list[Statement]]] = attrs.field(factory=dict)


def _chapters(book: Book) -> list[_Chapter]:
    statements: dict[str, list[Statement]] = {}
    for statement in book.statements:
        statements.setdefault(statement.section, []).append(statement)
    marks: list[tuple[int, Heading | str]] = [(p.span.line, p) for p in book.parts if isinstance(p, Heading)]
    marks += [(span.line, id_) for id_, span in book.sections.items()]
    chapters: list[_Chapter] = []
    for _, mark in sorted(marks, key=lambda m: m[0]):
        if isinstance(mark, Heading):
            chapters.append(_Chapter(mark))
            continue
        if not chapters:
            chapters.append(_Chapter(None))
        chapters[-1].sections[mark] = (book.sections[mark], statements.get(mark, []))
    return chapters


def _merge(
    book: Book, overlays: Sequence[tuple[str, Book | None]], gone: Set[str], files: GameFiles, sink: Sink
) -> Book:
    chapters = _chapters(book)
    for name, text in overlays:
        removed = {item.id for item in files.variants[name].items if isinstance(item, tree.RemoveRule)}
        chapters = _without(chapters, removed)
        if text is not None:
            _add(chapters, text, {name, *bases_of(files, name)}, sink)
    chapters = _without(chapters, gone)
    parts: list[Heading | Statement] = []
    sections: dict[str, Span] = {}
    for chapter in chapters:
        parts += [] if chapter.heading is None else [chapter.heading]
        for id_, (span, statements) in chapter.sections.items():
            sections[id_] = span
            parts += statements
    return Book(book.language, book.file, tuple(parts), sections)


def _without(chapters: list[_Chapter], ids: Set[str]) -> list[_Chapter]:
    """The chapters without these sections, and without chapters that lose their last one."""
    left = []
    for chapter in chapters:
        kept = {id_: section for id_, section in chapter.sections.items() if id_ not in ids}
        if kept or not chapter.sections:
            left.append(_Chapter(chapter.heading, kept))
    return left


def _add(chapters: list[_Chapter], text: Book, own: Set[str], sink: Sink) -> None:
    """Merges one variant's text. ``own``: the variant and those it stands on."""
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


def bases_of(files: GameFiles, variant: str) -> list[str]:
    """The variants that this one stands on, directly or through others."""
    found: list[str] = []
    todo = list(files.header(variant).of[1:])
    while todo:
        name = todo.pop()
        if name not in found and name in files.variants:
            found.append(name)
            todo += files.header(name).of[1:]
    return found


# ---------------------------------------------------------------- checks


def check_overlays(files: GameFiles, variants: Sequence[str], sink: Sink) -> None:
    """Each text belongs to a variant, speaks of all that the variant adds or changes, and fits into the game's own.

    Variants that are not among ``variants`` are tried by themselves; only the values in their texts are not looked at.
    """
    _orphans(files, sink)
    for name in files.variants:
        texts = texts_of(files, name, sink)
        linked = workspace.default().linked(files, [name])
        before = workspace.default().linked(files, bases_of(files, name))
        if not texts or linked is None or before is None:
            continue
        known = ids_of(linked)
        needed = {id_: span for id_, span in changed_ids(files.variants[name], before).items() if id_ in known}
        for text in texts.values():
            check_language(text, linked.game, sink)
            check_sections(text, known, sink)
            for id_, span in needed.items():
                if id_ not in text.sections:
                    sink.error(
                        "R0701",
                        span,
                        f"`{id_}`, added or changed by `{name}`, has no statement in {text.file}.",
                        help=f"Add a section: ### `{id_}`.",
                    )
        if name not in variants:
            merge_all(read_books(files, Sink()), files, [name], sink)


def _orphans(files: GameFiles, sink: Sink) -> None:
    """Texts that no variant's file stands beside would be read by nobody."""
    stems = {files.paths[file.span.file].with_suffix("") for file in files.variants.values()}
    folders = {path.parent for path in files.paths.values() if files.root in path.parents}
    for folder in sorted(folders):
        for path in sorted((folder / "text").glob("*.md")):
            name, dot, _ = path.stem.rpartition(".")
            if dot and folder / name not in stems:
                message = f"There is no variant {name}.rules beside the folder of this text."
            elif not dot and folder != files.root:
                message = "This text does not say which variant it belongs to, and in which language it is."
            else:
                continue
            place = Span(shown(path), 1, 1, 1, 2)
            sink.error("R0705", place, message, help="Name it like the variant's file: NAME.rules has text/NAME.en.md.")


def changed_ids(file: tree.File, before: Linked) -> dict[str, Span]:
    """The ids that a variant adds or changes. A number that is only changed stands in braces: its text stays true."""
    old = _within(before.rules.values())
    found: dict[str, Span] = {}
    for item in file.items:
        match item:
            case tree.Replace(tree.Rule() | tree.MenuOption() as inner):
                found |= {id_: rule.head for id_, rule in _within([inner]).items() if old.get(id_) != rule}
            case tree.Replace(tree.Enum() | tree.Table() | tree.Number() as inner):
                found[inner.name] = inner.span
            case tree.Rule():
                found |= {id_: rule.head for id_, rule in _within([item]).items()}
            case tree.Insert():
                found |= {id_: rule.head for id_, rule in _within(item.body).items()}
            case tree.ExtendRule():
                found |= {id_: rule.head for id_, rule in _within(item.options).items()}
            case tree.ExtendEnum() | tree.ExtendTable() | tree.ChangeSetting():
                found[item.name] = item.span
            case _ if isinstance(item, NEEDED):
                found[item.name] = item.span
    return found


def _within(body: Iterable[tree.Statement | tree.MenuOption]) -> dict[str, tree.Rule | tree.MenuOption]:
    """All rules and options among these statements and in them, by id."""
    found: dict[str, tree.Rule | tree.MenuOption] = {}
    for statement in body:
        if isinstance(statement, (tree.Rule, tree.MenuOption)):
            found[statement.id] = statement
            found |= _within(statement.body)
        elif isinstance(statement, tree.Menu):
            found |= _within(statement.options)
        else:
            for block in blocks(statement):
                found |= _within(block)
    return found
