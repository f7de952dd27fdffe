"""Saved games on disk: what the engine saves, with how the game was loaded, so that it can be loaded again."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from interpreter.errors import SaveError
from rulelang.files.contents import content, game_in, root_of
from rulelang.source import visible, visible_json

MAX_BYTES = 50_000_000
"""Size of the largest save that is read."""

_KEY = "opened_with"
_NOTES = "notes"


@attrs.frozen
class SaveOrigin:
    """How the game was loaded: ``path`` as given on the command line, settings, variant files, and bots as typed."""

    path: str
    settings: Mapping[str, str] = attrs.field(factory=dict)
    variants: Sequence[str] = ()
    bots: str | None = None


@attrs.frozen
class Note:
    """What somebody wrote about the position after ``at`` choices, in one line; ``by``: a seat's name, or another's."""

    at: int
    by: str = attrs.field(converter=visible)
    text: str = attrs.field(converter=visible)


@attrs.frozen
class Saved:
    """A save as read: ``game`` is what ``Game.resume`` takes; ``origin`` is None when a program saved it."""

    game: dict[str, Any]
    origin: SaveOrigin | None
    notes: tuple[Note, ...] = ()

    @property
    def players(self) -> int | None:
        players = self.game.get("players")
        return players if isinstance(players, int) and not isinstance(players, bool) else None

    def game_path(self, file: Path) -> Path | None:
        """The game that the save in ``file`` names; None where it names none.

        Raises SaveError where there is no game: a save may come from anybody, and what else it could name is nobody's
        business.
        """
        if self.origin is None:
            return None
        path = Path(self.origin.path)
        try:
            folder = path if path.is_dir() else root_of(path) if path.suffix == ".rules" else None
            games = [game_in(rules, folder) for rules in folder.glob("*.rules")] if folder is not None else []
        except (OSError, ValueError, RuntimeError):
            games = []
        if not any(games):
            raise SaveError(f"{file} names {path} as its game, and there is none; give the folder with --game PATH.")
        return path


def write(file: Path, saved: Mapping[str, Any], origin: SaveOrigin, notes: Sequence[Note] = ()) -> None:
    """Writes the whole file or leaves the old one: the text goes to a temporary file, which then replaces it.

    Raises OSError when the folder is not writable.
    """
    here = file.resolve().parent
    start = origin.path if Path(origin.path).is_absolute() else os.path.relpath(origin.path, here)
    opened = {
        "path": Path(start).as_posix(),
        "settings": dict(origin.settings),
        "variants": [_relative(v, here) for v in origin.variants],
        "bots": origin.bots,
    }
    said = {_NOTES: [attrs.asdict(note) for note in notes]} if notes else {}
    text = visible_json({_KEY: opened, **said, **saved}, indent=1) + "\n"
    temporary = here / f".{file.name}.{os.getpid()}.part"
    try:
        with temporary.open("x", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        temporary.replace(file)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def read(file: Path) -> Saved:
    """Reads a save. Raises SaveError if it is damaged; the position itself is checked by ``Game.resume``."""
    try:
        data = json.loads(content(file, None, MAX_BYTES).decode("utf-8"))
    except OSError as error:
        raise SaveError(f"{file} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError):  # broken text or JSON, or a number with too many digits
        raise SaveError(f"{file} is not a saved game: it is not JSON, or it was cut short.") from None
    if not isinstance(data, dict) or "format" not in data:
        raise SaveError(f"{file} is not a saved game.")
    opened, notes = data.pop(_KEY, None), data.pop(_NOTES, [])
    return Saved(data, None if opened is None else _origin(opened, file), _notes(notes, file))


def _notes(data: Any, file: Path) -> tuple[Note, ...]:
    if isinstance(data, list) and all(isinstance(note, dict) for note in data):
        found = [(note.get("at", -1), note.get("by", ""), note.get("text", "")) for note in data]
        if all(type(at) is int and at >= 0 and type(by) is str and type(text) is str for at, by, text in found):
            return tuple(Note(*note) for note in found)
    raise SaveError(f"{file} has notes that cannot be read; it was edited or cut short.")


def _origin(opened: Any, file: Path) -> SaveOrigin:
    here = file.resolve().parent
    match opened:
        case {"path": str(path), "settings": dict(settings), "variants": list(variants), "bots": bots} if all(
            isinstance(v, str) for v in (*variants, *settings, *settings.values())
        ) and (bots is None or isinstance(bots, str)):
            return SaveOrigin(str(_found(path, here)), settings, [str(_found(v, here)) for v in variants], bots)
    raise SaveError(f"{file} does not say how its game was loaded; it was edited or cut short.")


def _relative(variant: str, here: Path) -> str:
    """A variant may be a file or the name of one in the game's folder; a name stays as it is."""
    path = Path(variant)
    if path.is_absolute() or not path.exists():
        return variant
    return Path(os.path.relpath(path, here)).as_posix()


def _found(path: str, here: Path) -> Path | str:
    """A path in the save, followed from the save's folder; relative to the working folder if it lies below it."""
    try:
        full = (here / path).resolve()
        if not full.exists():
            return path
    except (OSError, ValueError, RuntimeError):  # what no system takes for a path, or a link that leads to itself
        return path
    try:
        return full.relative_to(Path.cwd())
    except (OSError, ValueError):
        return full
