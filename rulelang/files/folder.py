"""The text files of a game's folder, sorted by their headers."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

from ..diagnostics import Diagnostic, Label, Sink, UnusablePath
from ..fixes import Fix, Help, ReplaceText
from ..limits import standard
from ..source import SourceFile, Span
from ..structural import Structural, frozen
from ..syntax import layout, tree
from ..syntax.parse import WORD, ParsedItems
from . import contents
from .contents import MAX_BYTES, is_below, leads_into

_HELP = "Start the file with `game NAME`, `part of NAME`, `examples of NAME` or `variant NAME of NAME`."


# Current texts: files on disk, replaced where an editor has unsaved changes.


@frozen
class Texts(Structural):
    """``unsaved``: texts that count instead of what is on disk, by resolved path."""

    unsaved: Mapping[Path, str] = attrs.field(factory=dict)

    def read(self, path: Path, name: str, sink: Sink, within: Path | None) -> SourceFile | None:
        """The text of a file, or None with a finding. ``name``: how messages call it; ``within``: see ``content``."""
        text = self._unsaved(path)
        if text is not None and (within is None or contents.leads_into(path, within)):
            return layout.decode(text.encode("utf-8", "surrogatepass"), name, sink)
        return layout.read(path, name, sink, within)

    def exists(self, path: Path) -> bool:
        """Whether there is a file or folder. Raises OSError for a name that no system takes."""
        return path.exists() or self._unsaved(path) is not None

    def is_file(self, path: Path) -> bool:
        return path.is_file() or self._unsaved(path) is not None

    def rules_below(self, root: Path) -> list[Path]:
        """The rules files of a game's folder, hidden ones left out, in order."""
        found = contents.files_below(root, ".rules")
        if not self.unsaved:
            return found
        there = {path.resolve() for path in found}
        base = root.resolve()
        for path in self.unsaved:
            if path not in there and path.suffix == ".rules" and base in path.parents:
                inside = path.relative_to(base)
                if not any(part.startswith(".") for part in inside.parts):
                    found.append(root / inside)
        return sorted(found)

    def root_of(self, path: Path) -> Path | None:
        """The nearest folder above a file with a file that has a ``game`` header."""
        return contents.root_of(path, self.unsaved)

    def _unsaved(self, path: Path) -> str | None:
        if not self.unsaved:
            return None
        try:
            return self.unsaved.get(path.resolve())
        except (OSError, RuntimeError):  # a link that leads to itself
            return None


DISK = Texts()
"""The files on disk and nothing else."""


# The folder of a game


@frozen
class Unsound(Structural):
    """A variant's file with mistakes in its text. ``name``: of the variant, as far as the header can be read.

    They matter to whoever asks for this variant, and to nobody else.
    """

    name: str | None
    findings: tuple[Diagnostic, ...]


@frozen
class GameFiles(Structural):
    """The parsed files of one game. ``parts`` starts with the file that holds the ``game`` header.

    ``variants``: by name, with what could be read of those that are ``unsound`` (by shown file name).
    """

    root: Path
    game: tree.Game | None
    parts: tuple[tree.File, ...]
    examples: tuple[tree.File, ...]
    variants: dict[str, tree.File]
    sources: dict[str, SourceFile] = attrs.field(repr=False)
    paths: dict[str, Path] = attrs.field(repr=False)
    """Shown file name to its place on disk."""
    unsound: dict[str, Unsound] = attrs.field(factory=dict)
    texts: Texts = attrs.field(factory=Texts, repr=False)
    _tables: dict[tuple[str, str], SourceFile | None] = attrs.field(factory=dict, repr=False)

    def header(self, variant: str) -> tree.Variant:
        """The header of one of ``variants``."""
        found = self.variants[variant].items[0]
        assert isinstance(found, tree.Variant)
        return found

    @property
    def sound_variants(self) -> list[str]:
        """The names of the variants without mistakes in their text."""
        return [name for name, file in self.variants.items() if file.span.file not in self.unsound]

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

    @property
    def rules_and_tables(self) -> list[SourceFile]:
        """The rules files, and the files of rows that were read so far."""
        rules = (source for name, source in self.sources.items() if name.endswith(".rules"))
        return [*rules, *(table for table in self._tables.values() if table is not None)]

    def _read_table(self, path: Path) -> SourceFile | None:
        try:
            if not leads_into(path, self.root) or not self.texts.is_file(path):
                return None
        except OSError:  # a name no system takes
            return None
        return self.texts.read(path, shown(path), Sink(), self.root)

    def read_beside(self, path: Path, sink: Sink) -> SourceFile | None:
        """A file in a folder beside the rules or beside those of a variant elsewhere, or None with a finding."""
        within = self.root if is_below(path, self.root) else path.parents[1]
        return self.texts.read(path, shown(path), sink, within)


def shown(path: Path) -> str:
    """The path as messages show it: relative to the working folder if it is inside it."""
    try:
        return (path.parent.resolve() / path.name).relative_to(Path.cwd().resolve()).as_posix()
    except (ValueError, OSError, RuntimeError):  # elsewhere, or a link that leads to itself
        return path.as_posix()


def read_folder(root: Path, sink: Sink, texts: Texts, items: ParsedItems, *, examples: bool = True) -> GameFiles:
    """All rules files below ``root``, parsed by ``items``. Raises UnusablePath when there are none.

    Without ``examples``, files of examples are listed among the sources but not parsed.
    """
    paths = texts.rules_below(root)
    if not paths:
        raise UnusablePath(f"The folder {root} has no rules files (*.rules).")
    if len(paths) > 500:
        raise UnusablePath(f"The folder {root} has {len(paths)} rules files; a game may have at most 500.")
    _not_too_much(root, paths)
    reading = _Reading(root, texts, items, examples, sink)
    for path in paths:
        reading.read(path)
    reading.parse()
    return reading.sorted()


@attrs.define
class _Reading:
    """The files of a folder while they are read. Mistakes in a variant's file are kept apart from the others."""

    root: Path
    texts: Texts
    items: ParsedItems
    examples: bool
    sink: Sink
    sources: dict[str, SourceFile] = attrs.field(factory=dict)
    places: dict[str, Path] = attrs.field(factory=dict)
    words: dict[Path, str] = attrs.field(factory=dict)
    """The first word of each file; empty where there is none."""
    files: list[tree.File] = attrs.field(factory=list)
    variants: list[tree.File] = attrs.field(factory=list)
    findings: dict[str, Sink] = attrs.field(factory=dict)
    """The mistakes in the text of each file, by its shown name."""
    unreadable: bool = False

    def read(self, path: Path) -> None:
        name = shown(path)
        self.places[name] = path
        self.findings[name] = Sink()
        source = self.texts.read(path, name, self.findings[name], self.root)
        if source is not None:
            self.sources[name] = source
        self.words[path] = "" if source is None else first_word(source)

    def parse(self) -> None:
        for name, path in self.places.items():
            source, own = self.sources.get(name), self.findings[name]
            if source is None or not source.text.strip():
                self._nothing_in(name, path, source, own)
            elif self.examples or self.words[path] != "examples":
                self._parse(name, path, source, own)

    def _parse(self, name: str, path: Path, source: SourceFile, own: Sink) -> None:
        file = self.items.parse(source, own)
        header = file.items[0] if file.items else None
        if isinstance(header, tree.Variant) or (not isinstance(header, _HEADERS) and self._is_variant(path)):
            self.variants.append(file)
            if not isinstance(header, tree.Variant):
                _without_header(file, header, source, own)
        else:
            self.files.append(file)
            self.sink.extend(own)

    def _nothing_in(self, name: str, path: Path, source: SourceFile | None, own: Sink) -> None:
        """A file that cannot be read, or that is empty."""
        if source is not None:
            own.error("R0106", Span(name, 1, 1, 1, 1), "The file is empty.", help=_HELP)
        if self._is_variant(path):
            self.variants.append(tree.File((), span=Span(name, 1, 1, 1, 1)))
        else:
            self.sink.extend(own)
            self.unreadable |= source is None

    def _is_variant(self, path: Path) -> bool:
        """Whether a file whose header cannot be read is a variant's: by its first word, or by its folder.

        A folder is one of variants by its name, or because it holds variants and no part of the game itself.
        """
        inside = path.relative_to(self.root).parts[:-1] if path.is_relative_to(self.root) else ()
        beside = {word for other, word in self.words.items() if other.parent == path.parent}
        return (
            self.words[path] == "variant"
            or _VARIANTS in inside
            or ("variant" in beside and not beside & {"game", "part"})
        )

    def sorted(self) -> GameFiles:
        found = _sort(self.root, self.files, self.sources, self.places, self.sink)
        variants, unsound = self._variants(found.game)
        found = attrs.evolve(found, texts=self.texts, variants=variants, unsound=unsound)
        # What an unreadable file declares is unknown, so the rest cannot be judged without it.
        return attrs.evolve(found, game=None) if self.unreadable else found

    def _variants(self, game: tree.Game | None) -> tuple[dict[str, tree.File], dict[str, Unsound]]:
        """The variants by name, and the files with mistakes; of those that share a name the one whose file has it."""
        variants: dict[str, tree.File] = {}
        unsound: dict[str, Unsound] = {}
        for file in sorted(self.variants, key=_has_another_name):
            shown_name = file.span.file
            own = self.findings[shown_name]
            header = file.items[0] if file.items else None
            if isinstance(header, tree.Variant):
                name: str | None = header.name
                _one_header(file, own)
                if game is not None:
                    _belongs(header, game, own)
                if header.name in variants:
                    _twice(header, variants[header.name], own)
                else:
                    variants[header.name] = file
            else:
                name = _name_in(self.sources.get(shown_name))
            if own.has_errors:
                unsound[shown_name] = Unsound(name, tuple(own))
        return variants, unsound


_HEADERS = (tree.Game, tree.Part, tree.Examples, tree.Variant)
_VARIANTS = "variants"
"""A folder of this name holds variants, so a file there that cannot be read is taken for one."""


def _has_another_name(file: tree.File) -> bool:
    """Whether a variant's file is not called after the variant."""
    header = file.items[0] if file.items else None
    return not isinstance(header, tree.Variant) or Path(file.span.file).stem != header.name


def _name_in(source: SourceFile | None) -> str | None:
    """The name in the header of a variant, when the rest of the header cannot be read."""
    words = WORD.findall(source.lines[_first_line(source) - 1]) if source is not None else []
    return words[1] if words[:1] == ["variant"] and len(words) > 1 else None


def _one_header(file: tree.File, sink: Sink) -> None:
    for later in file.items[1:]:
        if isinstance(later, _HEADERS):
            sink.error(
                "R0301",
                later.span,
                "A file has only one header, in its first line.",
                help="Move this and what follows to a file of its own.",
            )


def _twice(header: tree.Variant, first: tree.File, sink: Sink) -> None:
    sink.error(
        "R0303",
        header.span,
        f"There are two variants called `{header.name}`.",
        labels=[Label(first.items[0].span, "first declared here")],
        help="Rename one of them.",
    )


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
    """The files that are not variants, by their headers."""
    game: tree.Game | None = None
    parts: list[tree.File] = []
    examples: list[tree.File] = []
    for file in files:
        header = file.items[0] if file.items else None
        _one_header(file, sink)
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
        else:
            parts.append(_without_header(file, header, sources[file.span.file], sink))
    if game is None and not sink.has_errors:
        raise UnusablePath(f"No file in {root} starts with `game NAME`.")
    if game is not None:
        for file in [*parts, *examples]:
            if file.items:
                _belongs(file.items[0], game, sink)
    return GameFiles(root, game, tuple(parts), tuple(examples), {}, sources, places)


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


def first_word(source: SourceFile) -> str:
    """The word that says what a file is; empty where there is none."""
    return source.lines[_first_line(source) - 1].split(" ")[0]


def _first_line(source: SourceFile) -> int:
    """The first line (from 1) that is neither blank nor a comment."""
    for number, line in enumerate(source.lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            return number
    return 1


def _belongs(header: tree.Item, game: tree.Game, sink: Sink) -> None:
    name = header.of[0] if isinstance(header, tree.Variant) else getattr(header, "game", None)
    if name is not None and name != game.name:
        sink.error(
            "R0304",
            header.span,
            f"This file belongs to `{name}`, but the game in this folder is `{game.name}`.",
            help=Help(
                f"Write `{game.name}`, or move the file to the other game's folder.",
                (Fix(f"Change `{name}` to `{game.name}`", (ReplaceText(game.name, word=name),), preferred=True),),
            ),
        )
