"""Entry points of the package: load a game, check it, format its texts."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

from . import whole_game, workspace
from .diagnostics import Diagnostic, Sink, UnusablePath
from .files.contents import files_below, home_of, inside
from .files.folder import shown
from .program import Program
from .source import SourceFile
from .structural import Structural, frozen
from .syntax.layout import read
from .syntax.parse import parse_source
from .whole_game import CheckReport


def load(
    path: str | Path,
    players: int | None = None,
    settings: Mapping[str, str] | None = None,
    variants: Sequence[str | Path] = (),
) -> Program:
    """The checked Program of a game.

    ``path``: its folder, its main file or a variant's file; ``players``: the number of players (default: the fewest);
    ``settings``: values of its settings (options and readings); ``variants``: names or files.
    Raises RulesError (findings in the texts) or UnusablePath (nothing to read, unknown setting, wrong player count).
    Files of examples are not looked at: a mistake in them keeps nobody from playing.
    """
    return workspace.default().load(path, players, settings, variants)


def check_path(
    path: str | Path, settings: Mapping[str, str] | None = None, variants: Sequence[str | Path] = ()
) -> CheckReport:
    """All findings about the rules of a game: for every number of players and every example.

    ``path``: a folder, without ``variants``: the game and each of its variants by itself. Otherwise only what is asked
    for: the game (by its main file) or the variants together. Others then get at most a note.
    Raises UnusablePath when there is no game at ``path``.
    """
    return whole_game.check(workspace.default(), path, settings, variants)


@frozen
class FormatResult(Structural):
    """``changed``: files whose layout was not canonical. Files with mistakes are left alone and reported."""

    changed: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]
    sources: dict[str, SourceFile] = attrs.field(repr=False)


def format_path(path: str | Path, write: bool = True, upgrade: bool = False) -> FormatResult:
    """Formats a rules file, or all rules files below a folder. ``upgrade``: rewrites what earlier versions said.

    ``write``: False only lists the files that would change. A file is replaced as a whole or not at all.
    Raises UnusablePath when there is no rules file.
    """
    path = Path(path)
    within = path if os.path.isdir(path) else home_of(path)
    if within == path:
        paths = files_below(path, ".rules")
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
        source = read(file, name, own, within)
        if source is not None:
            sources[name] = source
            text = _formatted(source, own, upgrade)
            if text != source.text:
                changed.append(name)
                if write:
                    replace_file(file, ("\ufeff" if source.bom else "") + text.replace("\n", source.newline))
        sink.extend(own)
    return FormatResult(tuple(changed), tuple(sink), sources)


def _formatted(source: SourceFile, sink: Sink, upgrade: bool) -> str:
    """The text in the canonical layout; as it is where there are findings, of which an upgrade leaves only mistakes."""
    from .syntax.formatter import format_text

    own = Sink()
    parsed = parse_source(source, own)
    if own.has_errors or (len(own) and not upgrade):
        sink.extend(own)
        return source.text
    text = format_text(source, parsed)
    if parse_source(SourceFile(source.name, text), sink) != parsed or sink.has_errors:
        raise AssertionError(f"formatting would change the meaning of {source.name}; the file is left as it was")
    return text


def replace_file(path: Path, text: str) -> None:
    """Writes a text in place of a file at once: a reader sees the old file or the new one, never a part.

    Nothing is written through a link that leads out of a game's folder. Raises OSError.
    """
    import tempfile

    home = home_of(path)
    target = path.resolve() if home is None else inside(path, home)
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
    """The permissions withheld from new files; they can be read only by setting them."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


__all__ = ["CheckReport", "FormatResult", "check_path", "format_path", "load", "replace_file"]
