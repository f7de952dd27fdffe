"""The text files of a game's folder, sorted by their headers."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path

import attrs

from ..diagnostics import Label, Sink, UnusablePath
from ..limits import standard
from ..source import SourceFile, Span
from ..syntax import tree
from ..syntax.items import Items
from ..syntax.parse import WORD
from .contents import MAX_BYTES
from .texts import Texts

_HELP = "Start the file with `game NAME`, `part of NAME`, `examples of NAME` or `variant NAME of NAME`."


@attrs.frozen
class GameFiles:
    """The parsed files of one game. ``parts`` starts with the file that holds the ``game`` header."""

    root: Path
    game: tree.Game | None
    parts: tuple[tree.File, ...]
    examples: tuple[tree.File, ...]
    variants: dict[str, tree.File]
    sources: dict[str, SourceFile] = attrs.field(repr=False)
    paths: dict[str, Path] = attrs.field(repr=False)
    """Shown file name to its place on disk."""
    texts: Texts = attrs.field(factory=Texts, repr=False)
    _tables: dict[tuple[str, str], SourceFile | None] = attrs.field(factory=dict, repr=False)

    def header(self, variant: str) -> tree.Variant:
        """The header of one of ``variants``."""
        found = self.variants[variant].items[0]
        assert isinstance(found, tree.Variant)
        return found

    def folder_of(self, file: str) -> Path:
        """The folder that a file lies in, by its shown name."""
        return self.paths.get(file, self.root).parent

    def table(self, file: str, name: str) -> SourceFile | None:
        """The file of rows that the rules file ``file`` calls ``name``, read once; None when it cannot be used."""
        key = file, name
        if key not in self._tables:
            found = self._tables[key] = self._read_table(self.folder_of(file) / name)
            total = sum(len(table.text) for table in self._tables.values() if table is not None)
            if found is not None and total > standard().text:
                raise UnusablePath(f"The csv files of {self.root} are larger together than a game may be; see {name}.")
        return self._tables[key]

    def _read_table(self, path: Path) -> SourceFile | None:
        try:
            path = path.resolve()
            if self.root.resolve() not in path.parents or not self.texts.is_file(path):
                return None
        except (OSError, RuntimeError):  # a name no system takes, or a link that leads to itself
            return None
        return self.texts.read(path, shown(path), Sink())


def shown(path: Path) -> str:
    """The path as messages show it: relative to the working folder if it is inside it."""
    try:
        return path.resolve().relative_to(Path.cwd().resolve()).as_posix()
    except (ValueError, OSError, RuntimeError):  # elsewhere, or a link that leads to itself
        return path.as_posix()


def read_folder(root: Path, sink: Sink, texts: Texts, items: Items, *, examples: bool = True) -> GameFiles:
    """All rules files below ``root``, parsed by ``items``. Raises UnusablePath when there are none.

    Without ``examples``, files of examples are listed among the sources but not parsed.
    """
    paths = texts.rules_below(root)
    if not paths:
        raise UnusablePath(f"The folder {root} has no rules files (*.rules).")
    if len(paths) > 500:
        raise UnusablePath(f"The folder {root} has {len(paths)} rules files; a game may have at most 500.")
    _not_too_much(root, paths)
    sources: dict[str, SourceFile] = {}
    places: dict[str, Path] = {}
    files: list[tree.File] = []
    unreadable = False
    for path in paths:
        name = shown(path)
        places[name] = path
        source = texts.read(path, name, sink)
        if source is None:
            unreadable = True
            continue
        sources[name] = source
        if not source.text.strip():
            sink.error("R0106", Span(name, 1, 1, 1, 1), "The file is empty.", help=_HELP)
            continue
        if examples or not source.lines[_first_line(source) - 1].startswith("examples of "):
            files.append(items.parse(source, sink))
    found = attrs.evolve(_sort(root, files, sources, places, sink), texts=texts)
    # What an unreadable file declares is unknown, so the rest cannot be judged without it.
    return attrs.evolve(found, game=None) if unreadable else found


def _not_too_much(root: Path, paths: Sequence[Path]) -> None:
    """Raises UnusablePath when the rules files together are larger than a game may be."""
    total = 0
    for path in paths:
        with contextlib.suppress(OSError):  # what cannot be read is reported when it is opened
            size = path.stat().st_size
            total += size if size <= MAX_BYTES else 0  # too long to be read at all
    most = standard().text
    if total > most:
        raise UnusablePath(f"The rules files in {root} have {total:,} bytes together; a game may have {most:,}.")


def _sort(
    root: Path, files: list[tree.File], sources: dict[str, SourceFile], places: dict[str, Path], sink: Sink
) -> GameFiles:
    game: tree.Game | None = None
    parts: list[tree.File] = []
    examples: list[tree.File] = []
    variants: dict[str, tree.File] = {}
    for file in files:
        header = file.items[0] if file.items else None
        for later in file.items[1:]:
            if isinstance(later, (tree.Game, tree.Part, tree.Examples, tree.Variant)):
                sink.error(
                    "R0301",
                    later.span,
                    "A file has only one header, in its first line.",
                    help="Move this and what follows to a file of its own.",
                )
        if isinstance(header, tree.Game):
            if game is None:
                game = header
                parts.insert(0, file)
            else:
                sink.error(
                    "R0302",
                    header.span,
                    f"This folder already holds the game `{game.name}`.",
                    labels=[Label(game.span, "declared here")],
                    help=f"Give each game a folder of its own, or start this file with `part of {game.name}`.",
                )
        elif isinstance(header, tree.Part):
            parts.append(file)
        elif isinstance(header, tree.Examples):
            examples.append(file)
        elif isinstance(header, tree.Variant):
            if header.name in variants:
                first = variants[header.name].items[0].span
                sink.error(
                    "R0303",
                    header.span,
                    f"There are two variants called `{header.name}`.",
                    labels=[Label(first, "first declared here")],
                    help="Rename one of them.",
                )
            variants[header.name] = file
        else:
            parts.append(_without_header(file, header, sources[file.span.file], sink))
    if game is None and not sink.has_errors:
        raise UnusablePath(f"No file in {root} starts with `game NAME`.")
    if game is not None:
        for file in [*parts, *examples, *variants.values()]:
            if file.items:
                _belongs(file.items[0], game, sink)
    return GameFiles(root, game, tuple(parts), tuple(examples), variants, sources, places)


def _without_header(file: tree.File, first: tree.Item | None, source: SourceFile, sink: Sink) -> tree.File:
    """The remains of a file whose header is missing, or has a mistake that is reported already.

    Nothing in the file can be used, but its words are kept, so that names it may declare are not reported as unknown
    elsewhere.
    """
    line = _first_line(source)
    sound = not file.words if first is None else first.span.line == line
    if sound:
        place = Span(source.name, line, 1, line, 2)
        sink.error("R0301", place, "This file does not say what it belongs to.", help=_HELP)
    return tree.File((), frozenset(WORD.findall(source.text)), span=file.span)


def _first_line(source: SourceFile) -> int:
    """The first line (from 1) that is neither blank nor a comment."""
    for number, line in enumerate(source.lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            return number
    return 1


def _belongs(header: tree.Item, game: tree.Game, sink: Sink) -> None:
    name = header.game if isinstance(header, (tree.Part, tree.Examples)) else None
    if isinstance(header, tree.Variant):
        name = header.of[0]
    if name is not None and name != game.name:
        sink.error(
            "R0304",
            header.span,
            f"This file belongs to `{name}`, but the game in this folder is `{game.name}`.",
            help=f"Write `{game.name}`, or move the file to the other game's folder.",
        )
