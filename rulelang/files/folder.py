"""A game's folder: its text files, and the kind of each according to its header."""

from __future__ import annotations

from pathlib import Path

import attrs

from ..diagnostics import Label, Sink, UnusablePath
from ..source import SourceFile, Span
from ..syntax import tree
from ..syntax.layout import read
from ..syntax.parse import WORD, parse_remembered, parse_source
from .contents import root_of, rules_below

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
    """Path on disk by shown file name."""

    def header(self, variant: str) -> tree.Variant:
        """The header of one of ``variants``."""
        found = self.variants[variant].items[0]
        assert isinstance(found, tree.Variant)
        return found


def shown(path: Path) -> str:
    """The path as shown in messages: relative to the working folder if it lies below it."""
    try:
        return path.resolve().relative_to(Path.cwd().resolve()).as_posix()
    except (ValueError, OSError, RuntimeError):  # elsewhere, or a link that leads to itself
        return path.as_posix()


def open_path(path: str | Path, sink: Sink, *, examples: bool = True) -> tuple[GameFiles, str | None]:
    """The game at ``path`` (its folder, its main file, or a variant of it) and the variant's name, if it is one.

    Raises UnusablePath if no game is found.
    """
    path = Path(path)
    try:
        there = path.exists()
    except OSError:  # a name too long for any system
        there = False
    if not there:
        raise UnusablePath(f"{path} does not exist.")
    if path.is_dir():
        return read_folder(path, sink, examples=examples), None
    if path.suffix != ".rules":
        raise UnusablePath(f"{path} is not a rules file (*.rules) or a game's folder.")
    scratch = Sink()
    source = read(path, shown(path), scratch)
    file = parse_source(source, scratch) if source else None
    header = file.items[0] if file and file.items else None
    root = root_of(path)
    if root is None:
        if isinstance(header, tree.Variant):
            sink.extend(scratch)
            sink.error(
                "R0304",
                header.span,
                f"`{header.name}` changes `{header.of[0]}`, but that game is not in any folder above this file.",
                help="Put the variant into the game's folder.",
            )
            empty = {} if source is None else {source.name: source}
            return GameFiles(path.parent, None, (), (), {}, empty, {}), None
        raise UnusablePath(f"Neither {path.parent} nor a folder above it has a file that starts with `game NAME`.")
    files = read_folder(root, sink, examples=examples)
    return files, header.name if isinstance(header, tree.Variant) else None


def read_folder(root: Path, sink: Sink, *, examples: bool = True) -> GameFiles:
    """All rules files below ``root``. Raises UnusablePath if there are none.

    Without ``examples``, files of examples are listed among the sources but not parsed.
    """
    paths = rules_below(root)
    if not paths:
        raise UnusablePath(f"The folder {root} has no rules files (*.rules).")
    if len(paths) > 500:
        raise UnusablePath(f"The folder {root} has {len(paths)} rules files; a game may have at most 500.")
    sources: dict[str, SourceFile] = {}
    places: dict[str, Path] = {}
    files: list[tree.File] = []
    unreadable = False
    for path in paths:
        name = shown(path)
        places[name] = path
        source = read(path, name, sink)
        if source is None:
            unreadable = True
            continue
        sources[name] = source
        if not source.text.strip():
            sink.error("R0106", Span(name, 1, 1, 1, 1), "The file is empty.", help=_HELP)
            continue
        if examples or not source.lines[_first_line(source) - 1].startswith("examples of "):
            files.append(parse_remembered(source, sink))
    found = _sort(root, files, sources, places, sink)
    # What an unreadable file declares is unknown, so the rest cannot be judged without it.
    return attrs.evolve(found, game=None) if unreadable else found


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
                    "A file can have only one header, in its first line.",
                    help="Move this part to a file of its own.",
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
                    labels=[Label(first, "first here")],
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
    """A stand-in for a file whose header is missing, or has a mistake that has already been reported.

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
