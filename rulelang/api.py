"""What the rest of the project calls: load a game, check a path."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from .checks import check_program
from .collection import no_collection
from .diagnostics import Diagnostic, RulesError, Sink, UnusablePath, did_you_mean
from .elaborate import elaborate
from .examples import examples_in, resolve_examples
from .files.folder import GameFiles, open_path, shown
from .link import Linked, link
from .program import Program
from .source import SourceFile
from .syntax import tree
from .syntax.layout import read
from .syntax.parse import parse_source
from .types import FlagType, ListType, MemberType, NumberType, OptionalType, PiecesType, Type, kinds


@attrs.frozen
class CheckReport:
    """What ``check`` found. ``games`` has one entry: name, players, rules, examples, state_bytes.

    ``files`` and ``variants`` say what was checked. ``programs``, one for each number of players, are there for whoever
    goes on to check what hangs on the rules; there are none when the rules themselves have errors.
    """

    diagnostics: list[Diagnostic]
    games: list[dict[str, Any]]
    sources: dict[str, SourceFile] = attrs.field(repr=False)
    files: GameFiles | None = attrs.field(default=None, repr=False)
    variants: tuple[str, ...] = ()
    programs: tuple[Program, ...] = attrs.field(default=(), repr=False)

    @property
    def has_errors(self) -> bool:
        return any(d.severity == "error" for d in self.diagnostics)


def open_game(
    path: str | Path, variants: Sequence[str | Path], sink: Sink, *, examples: bool = True
) -> tuple[GameFiles, tuple[str, ...]]:
    """The files of the game at ``path`` and the names of the variants asked for, the path's own included.

    ``examples``: with those that are files of their own.
    A variant is named, or given as a file, which may lie outside the game's folder. Raises UnusablePath.
    """
    files, own = open_path(path, sink, examples=examples)
    names = [own] if own is not None else []
    for variant in variants:
        name, files = _variant(files, str(variant), sink)
        if name not in names:
            names.append(name)
    return files, tuple(names)


def _variant(files: GameFiles, variant: str, sink: Sink) -> tuple[str, GameFiles]:
    if variant in files.variants:
        return variant, files
    path = Path(variant)
    if not os.path.isfile(path):
        near = did_you_mean(variant, files.variants)
        known = f" The game has {', '.join(sorted(files.variants))}." if files.variants else ""
        raise UnusablePath(f"There is no variant `{variant}` and no such file. {near or known.strip()}".strip())
    for name, file in files.variants.items():
        if files.paths[file.span.file].resolve() == path.resolve():
            return name, files
    name = shown(path)
    source = read(path, name, sink)
    if source is None:
        raise RulesError(sink, {})
    file = parse_source(source, sink)
    header = file.items[0] if file.items else None
    files.sources[name] = source
    files.paths[name] = path
    if not isinstance(header, tree.Variant):
        if sink.has_errors:
            raise RulesError(sink, files.sources)
        raise UnusablePath(f"{variant} does not start with `variant NAME of GAME`.")
    if files.game is not None and header.of[0] != files.game.name:
        raise UnusablePath(f"{variant} changes `{header.of[0]}`, but the game is `{files.game.name}`.")
    return header.name, attrs.evolve(files, variants={**files.variants, header.name: file})


def check_settings(files: GameFiles, given: Mapping[str, str]) -> None:
    """Refuses options and readings that do not exist. Variants may bring their own, so all files count.

    Raises UnusablePath.
    """
    known: dict[str, tree.Setting] = {}
    for file in [*files.parts, *files.variants.values()]:
        for item in file.items:
            if isinstance(item, tree.Setting):
                known[item.name] = item
    for name, value in given.items():
        if name not in known:
            near = did_you_mean(name, known) or f"There are {', '.join(known)}." if known else "This game has none."
            raise UnusablePath(f"There is no option or reading called `{name}`. {near}")
        if value not in known[name].values:
            raise UnusablePath(f"`{value}` is no value of `{name}`; its values are {', '.join(known[name].values)}.")


def load(
    path: str | Path,
    players: int | None = None,
    settings: Mapping[str, str] | None = None,
    variants: Sequence[str | Path] = (),
) -> Program:
    """The checked Program of a game.

    ``path``: its folder, its main file or a variant's file; ``players``: how many play (default: the fewest);
    ``settings``: values of options and readings; ``variants``: names or files.
    Raises RulesError (findings in the texts) or UnusablePath (nothing to read, unknown option, wrong player count).
    Files of examples are not looked at: a mistake in them keeps nobody from playing.
    """
    with no_collection():
        return _load(path, players, settings or {}, variants)


def _load(
    path: str | Path, players: int | None, settings: Mapping[str, str], variants: Sequence[str | Path]
) -> Program:
    sink = Sink()
    files, names = open_game(path, variants, sink, examples=False)
    check_settings(files, settings)
    game = files.game
    if game is None:
        raise RulesError(sink, files.sources)
    count = game.low if players is None else players
    if not game.low <= count <= game.high:
        raise UnusablePath(f"{game.name} is for {game.low} to {game.high} players, not {count}.")
    linked = link(files, names, sink)
    if linked is None or sink.has_errors:
        raise RulesError(sink, files.sources)
    program, _ = elaborate(linked, files, count, settings, sink)
    if not sink.has_errors:
        check_program(program, sink)
    if sink.has_errors:
        raise RulesError(sink, files.sources)
    return program


def check_path(
    path: str | Path, settings: Mapping[str, str] | None = None, variants: Sequence[str | Path] = ()
) -> CheckReport:
    """Everything there is to find about the rules of a game: every number of players, every variant, its examples.

    Raises UnusablePath when there is no game at ``path``.
    """
    sink = Sink()
    games: list[dict[str, Any]] = []
    sound: tuple[Program, ...] = ()
    with no_collection():
        try:
            files, names = open_game(path, variants, sink)
        except RulesError as error:  # a variant's file that cannot be read
            return CheckReport(error.diagnostics, games, error.sources)
        check_settings(files, settings or {})
        if files.game is not None:
            games, sound = _check_game(files, names, settings or {}, sink)
    return CheckReport(list(sink), games, files.sources, files, names, sound)


def _check_game(
    files: GameFiles, variants: tuple[str, ...], settings: Mapping[str, str], sink: Sink
) -> tuple[list[dict[str, Any]], tuple[Program, ...]]:
    """What is known about the game, and its Programs if they have no errors."""
    game = files.game
    assert game is not None
    if not 1 <= game.low <= game.high <= 12:
        sink.error("R0307", game.span, "Say for how many players the game is: `players 2..4` (1 to 12).")
        return [], ()
    programs: list[Program] = []
    for players in range(game.low, game.high + 1):
        linked = link(files, variants, sink)
        if linked is None:
            return [], ()
        program, _ = elaborate(linked, files, players, settings, sink)
        if not sink.has_errors:
            _check_linked(linked, files, program, settings, sink)
        programs.append(program)
    sound = not sink.has_errors
    if sound:
        resolve_examples(files, sink, variants, settings, to_run=False)
        _check_variants(files, variants, settings, sink)
        _stand_ins(programs, sink)
    last = programs[-1]
    about = {
        "name": game.name,
        "players": [game.low, game.high],
        "rules": len(last.rules),
        "examples": sum(1 for _ in examples_in(files, variants)),
        "state_bytes": state_bytes(last),
        "variants": sorted(files.variants),
    }
    return [about], tuple(programs) if sound else ()


def _check_variants(files: GameFiles, chosen: tuple[str, ...], settings: Mapping[str, str], sink: Sink) -> None:
    """Each variant of the folder must link on top of the base by itself."""
    assert files.game is not None
    for name in files.variants:
        if name in chosen:
            continue
        linked = link(files, [name], sink)
        if linked is not None and not sink.has_errors:
            scratch = Sink()
            program, _ = elaborate(linked, files, files.game.high, settings, scratch, every_setting=True)
            if scratch.has_errors:
                elaborate(linked, files, files.game.high, settings, sink)
            else:
                check_program(program, sink)


def _check_linked(linked: Linked, files: GameFiles, program: Program, settings: Mapping[str, str], sink: Sink) -> None:
    """The checks, with every value of every option and reading in view."""
    scratch = Sink()
    open_program, _ = elaborate(linked, files, program.players, settings, scratch, every_setting=True)
    check_program(program if scratch.has_errors else open_program, sink)


def _stand_ins(programs: list[Program], sink: Sink) -> None:
    for program in programs:
        for table in program.tables.values():
            if not table.stand_ins:
                continue
            rows = f"{len(table.stand_ins)} of {len(table.domain)} rows of `{table.domain.name}`"
            where = f" ({', '.join(table.files)})" if table.files else ""
            sink.error(
                "R0801",
                table.span,
                f"With {program.players} players, {rows} are stand-ins{where}: {table.stand_in_because}.",
                help="Replace them when the real data is known, and drop the mark.",
                severity="note",
            )


@attrs.frozen
class FormatResult:
    """``changed``: files whose layout was not canonical. Files with mistakes are left alone and reported."""

    changed: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]
    sources: dict[str, SourceFile] = attrs.field(repr=False)


def format_path(path: str | Path, write: bool = True) -> FormatResult:
    """Brings a rules file, or all rules files below a folder, into canonical layout.

    ``write``: False only tells which files would change. A file is replaced as a whole or not at all.
    Raises UnusablePath when there is no rules file.
    """
    from .syntax.formatter import format_text

    path = Path(path)
    if os.path.isdir(path):
        paths = sorted(path.rglob("*.rules"))
    else:
        paths = [path] if os.path.isfile(path) and path.suffix == ".rules" else []
    if not paths:
        raise UnusablePath(f"There are no rules files (*.rules) at {path}.")
    changed: list[str] = []
    sink = Sink()
    sources: dict[str, SourceFile] = {}
    for file in paths:
        name = shown(file)
        own = Sink()
        source = read(file, name, own)
        if source is not None:
            sources[name] = source
            parsed = parse_source(source, own)
            if not own.has_errors:
                text = format_text(source, parsed)
                again = parse_source(SourceFile(name, text), own)
                if own.has_errors or again != parsed:
                    raise AssertionError(f"formatting would change the meaning of {name}; the file is left as it was")
                if text != source.text:
                    changed.append(name)
                    if write:
                        replace_file(file, ("\ufeff" if source.bom else "") + text.replace("\n", source.newline))
        sink.extend(own)
    return FormatResult(tuple(changed), tuple(sink), sources)


def replace_file(path: Path, text: str) -> None:
    """Writes a text in place of a file at once: a reader sees the old file or the new one, never a part."""
    import tempfile

    target = path.resolve()
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.chmod(temporary, target.stat().st_mode if target.exists() else 0o666 & ~_umask())
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def _umask() -> int:
    """What the user takes away from the rights of new files; it can be asked for only by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def state_bytes(program: Program) -> int:
    """Bytes that the cells of a state need when packed, without the place the game is stopped at."""
    return sum(v.cells * _width(v.type, v.capacity) for v in program.variables.values())


def _width(type_: Type, capacity: int | None) -> int:
    match type_:
        case NumberType(low, high):
            return 1 if high - low < 256 else 2 if high - low < 65_536 else 4
        case FlagType():
            return 1
        case MemberType(domain):
            return 1 if len(domain) < 256 else 2
        case OptionalType(item):
            return _width(item, None)
        case PiecesType(kind):
            return 2 * len(kinds(kind))
        case ListType(item):
            return 2 + (capacity or 64) * _width(item, None)
    return 8


__all__ = [
    "CheckReport",
    "FormatResult",
    "check_path",
    "check_settings",
    "format_path",
    "load",
    "open_game",
    "replace_file",
    "state_bytes",
]
