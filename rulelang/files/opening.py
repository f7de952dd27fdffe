"""Opening a game: from a path, and names of variants and settings, to its files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import attrs

from ..diagnostics import Diagnostic, RulesError, Sink, UnusablePath, did_you_mean
from ..syntax import tree
from ..syntax.parse import ParsedItems
from ..traversal import closure
from .contents import home_of
from .folder import GameFiles, Texts, first_word, read_folder, shown


def open_game(
    path: str | Path,
    variants: Sequence[str | Path],
    sink: Sink,
    texts: Texts,
    items: ParsedItems,
    *,
    examples: bool = True,
    notes: bool = True,
) -> tuple[GameFiles, tuple[str, ...]]:
    """The files of the game at ``path`` and the names of the variants asked for, the path's own included.

    ``examples``: with those that are files of their own.
    A variant is named, or given as a file, which may lie outside the game's folder. Mistakes in the texts of variants
    that nobody asked for keep nobody from anything: with ``notes``, each such file gets a note. Raises UnusablePath.
    """
    files, own = open_path(path, sink, texts, items, examples=examples)
    names = [own] if own is not None else []
    for variant in variants:
        name, files = _variant(files, str(variant), items, sink)
        if name not in names:
            names.append(name)
    needed = _needed(files, names, examples)
    for file, found in files.unsound.items():
        namesake = files.variants.get(found.name or "")
        if found.name in needed and (namesake is None or namesake.span.file == file):
            sink.extend(found.findings)
        elif notes:
            sink.add(left_out(found.findings, found.name))
    return files, tuple(names)


def _needed(files: GameFiles, names: Iterable[str], examples: bool) -> frozenset[str]:
    """The variants asked for, those they build on, and those that ``examples`` to be looked at use."""
    todo = list(names)
    if examples:
        for file in (*files.parts, *files.examples, *(files.variants[n] for n in names if n in files.variants)):
            todo += _used(file)
    return frozenset(closure(todo, lambda name: files.header(name).of[1:] if name in files.variants else ()))


def _used(file: tree.File) -> Iterator[str]:
    for item in file.items:
        if isinstance(item, tree.Example):
            for step in item.steps:
                if isinstance(step, tree.Using):
                    yield from step.variants


def left_out(findings: Sequence[Diagnostic], name: str | None) -> Diagnostic:
    """A note in place of the mistakes of a variant that is not needed."""
    errors = [d for d in findings if d.severity == "error"]
    first = errors[0]
    what = f"The variant `{name}`" if name is not None else "This variant"
    mistakes = "a mistake" if len(errors) == 1 else f"{len(errors)} mistakes"
    return attrs.evolve(
        first,
        severity="note",
        message=f"{what} has {mistakes} and is left out. {first.message}",
        help=" ".join(filter(None, [first.help, "Everything else works without it."])),
    )


def _variant(files: GameFiles, variant: str, items: ParsedItems, sink: Sink) -> tuple[str, GameFiles]:
    if variant in files.variants:
        return variant, files
    path = Path(variant)
    if not _is_file(files, path):
        for found in files.unsound.values():
            if found.name == variant:
                raise RulesError(found.findings, files.sources)
        near = did_you_mean(variant, files.variants)
        known = f"The game has {', '.join(sorted(files.variants))}."
        if not files.variants:
            game = "GAME" if files.game is None else files.game.name
            name = variant if variant.isidentifier() else "NAME"
            known = f"The game has none yet: a file that begins with `variant {name} of {game}` is one."
        raise UnusablePath(f"There is no variant `{variant}` and no such file. {near or known}")
    for name, file in files.variants.items():
        if files.paths[file.span.file].resolve() == path.resolve():
            return name, files
    for name, found in files.unsound.items():
        if files.paths[name].resolve() == path.resolve():
            raise RulesError(found.findings, files.sources)
    name = shown(path)
    source = files.texts.read(path, name, sink, home_of(path))
    if source is None:
        raise RulesError(sink, {})
    if first_word(source) != "variant":
        raise UnusablePath(f"{variant} does not start with `variant NAME of GAME`.")
    file = items.parse(source, sink)
    header = file.items[0] if file.items else None
    files.sources[name] = source
    files.paths[name] = path
    if not isinstance(header, tree.Variant):
        raise RulesError(sink, files.sources)
    if files.game is not None and header.of[0] != files.game.name:
        raise UnusablePath(f"{variant} changes `{header.of[0]}`, but the game is `{files.game.name}`.")
    return header.name, attrs.evolve(files, variants={**files.variants, header.name: file})


def _is_file(files: GameFiles, path: Path) -> bool:
    try:
        return files.texts.is_file(path)
    except OSError:  # a name too long for any system
        return False


def check_settings(files: GameFiles, given: Mapping[str, str]) -> None:
    """Refuses settings that do not exist. Variants may bring their own, so all files count.

    Raises UnusablePath.
    """
    known: dict[str, tree.Setting] = {}
    for file in [*files.parts, *files.variants.values()]:
        for item in file.items:
            if isinstance(item, tree.Setting):
                known[item.name] = item
    for name, value in given.items():
        if name not in known:
            near = (
                did_you_mean(name, known) or f"The settings are {', '.join(known)}." if known else "This game has none."
            )
            raise UnusablePath(f"There is no setting called `{name}`. {near}")
        if value not in known[name].values:
            raise UnusablePath(f"`{value}` is not a value of `{name}`. Choose one of {', '.join(known[name].values)}.")


def open_path(
    path: str | Path, sink: Sink, texts: Texts, items: ParsedItems, *, examples: bool = True
) -> tuple[GameFiles, str | None]:
    """The game at ``path`` (its folder, its main file, or a variant of it) and the variant's name, if it is one.

    Raises UnusablePath when there is no game to be found.
    """
    path = Path(path)
    try:
        there = texts.exists(path)
    except OSError:  # a name too long for any system
        there = False
    if not there:
        raise UnusablePath(f"There is no file or folder at {path}.")
    if path.is_dir():
        return read_folder(path, sink, texts, items, examples=examples), None
    if path.suffix != ".rules":
        raise UnusablePath(f"{path} is not a rules file (*.rules) or a game's folder.")
    scratch = Sink()
    home = home_of(path)
    source = texts.read(path, shown(path), scratch, home)
    file = items.parse(source, scratch) if source else None
    header = file.items[0] if file and file.items else None
    root = home or texts.root_of(path)
    if root is None:
        if isinstance(header, tree.Variant):
            sink.extend(scratch)
            sink.error(
                "R0304",
                header.span,
                f"`{header.name}` changes `{header.of[0]}`, but no folder above this file holds that game.",
                help="Move the variant into the game's folder.",
            )
            empty = {} if source is None else {source.name: source}
            return GameFiles(path.parent, None, (), (), {}, empty, {}), None
        raise UnusablePath(f"No folder from {path.parent} upwards holds a file that starts with `game NAME`.")
    files = read_folder(root, sink, texts, items, examples=examples)
    unsound = files.unsound.get(shown(path))
    sink.extend(unsound.findings if unsound is not None else ())
    return files, header.name if isinstance(header, tree.Variant) else None
