"""Reports of a simulation's games: details, tables, and the profile of the fast engine."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import attrs
from rich.table import Table
from rich.text import Text

from interpreter.bots import Bot
from interpreter.comparing.measures import ShapeRun
from interpreter.game import Game
from interpreter.simulate.batch import Part
from interpreter.simulate.recorded import parts_of, play_recorded
from interpreter.simulate.recorders import FORMATS, About, TableFiles
from interpreter.wasm.profile import LineCost, Profile
from interpreter.wasm.profile import RulesPart as Profiled
from rulelang.files.contents import content, home_of

from ..bench.measured import as_json, looks_of, show_shape
from ..bench.text import show_looks
from ..interrupts import held_back
from ..output import console


@attrs.define(eq=False)
class Details:
    """The games as they are counted. ``tables``: where they are written, if anywhere; ``replay``: the command that
    explains the game of a number."""

    game: Game
    shape: ShapeRun
    tables: TableFiles | None
    replay: Callable[[int], str]

    @classmethod
    def of(
        cls, game: Game, seed: int, about: About, folder: Path | None, kind: str, replay: Callable[[int], str]
    ) -> Details:
        """Raises RecordError where there cannot be tables."""
        tables = None if folder is None else TableFiles(folder, about, kind)
        playing = set(about.bots)
        return cls(game, ShapeRun(game, playing.pop() if len(playing) == 1 else "", seed, 1), tables, replay)

    def parts(
        self, seed: int, games: int, bots: Sequence[Bot] | None, limit: int, threads: int
    ) -> Generator[Part]:  # fmt: skip
        """Plays the games, counts and writes them, and gives them back for the summary. Raises RecordError."""
        with closing(play_recorded(self.game, seed, games, bots, limit=limit, threads=threads)) as played:
            for records in played:
                with held_back():
                    if self.tables is not None:
                        self.tables.add(records)
                    self.shape.add(records)
                yield from parts_of(records)

    def as_json(self) -> dict[str, Any]:
        return as_json(self.shape.shape())

    def show(self) -> None:
        out = console()
        out.print(Text("\nThe shape of play", style="bold"))
        shape = self.shape.shape()
        show_shape(out, shape)
        show_looks(out, looks_of(shape, self.replay))


def is_folder(out: Path) -> bool:
    """Whether ``--out`` names a folder for tables: one that is there, or a name without an ending; a file of games has
    one that says what it is."""
    return not out.suffix or (out.is_dir() and out.suffix.lower() not in FORMATS)


MOST_PARTS, MOST_LINES = 20, 10
WIDEST = 72
"""Characters of a line that are shown."""


def profile_as_json(profile: Profile, games: int) -> dict[str, Any]:
    """All parts and lines that cost anything, the dearest first."""
    return {
        "games": games,
        "work": profile.work,
        "parts": [
            {**_named(cost.part), "work": cost.work, "share": _share(cost.work, profile), "runs": cost.runs}
            for cost in profile.parts
        ],
        "lines": [
            {
                "file": line.file,
                "line": line.line,
                "text": text,
                "part": _named(line.part),
                "work": line.work,
                "share": _share(line.work, profile),
            }
            for line, text in zip(profile.lines, _texts(profile.lines), strict=True)
        ],
    }


def _named(part: Profiled) -> dict[str, Any]:
    place = {"file": part.file, "line": part.line} if part.line else {"file": None, "line": None}
    return {"kind": part.kind, "name": part.name, **place}


def _share(work: int, profile: Profile) -> float:
    return round(work / max(1, profile.work), 4)


def show_profile(profile: Profile, games: int) -> None:
    """Prints the parts and the lines that cost most."""
    out, per_game = console(), max(1, games)
    out.print(Text("Where the work goes", style="bold"), f"- {profile.work / per_game:,.0f} steps of work per game")
    parts = Table("share", "work per game", "runs per game", "what", "where", box=None, pad_edge=False)
    for cost in profile.parts[:MOST_PARTS]:
        runs = "" if cost.runs is None else f"{cost.runs / per_game:,.1f}"
        what = Text(f"{cost.part.kind} {cost.part.name}".strip())
        parts.add_row(
            _percent(cost.work, profile), f"{cost.work / per_game:,.0f}", runs, what, Text(_place(cost.part))
        )  # fmt: skip
    lines = Table("share", "the dearest lines", "where", box=None, pad_edge=False)
    dearest = [line for line in profile.lines if line.line][:MOST_LINES]
    for line, text in zip(dearest, _texts(dearest), strict=True):
        shown = text if len(text) <= WIDEST else text[: WIDEST - 3] + "..."
        lines.add_row(_percent(line.work, profile), Text(shown), Text(f"{line.file}:{line.line}"))
    for table in (parts, lines):
        table.header_style = "dim"
        table.columns[0].justify = "right"
    parts.columns[1].justify = parts.columns[2].justify = "right"
    out.print(parts)
    out.print()
    out.print(lines)


def _percent(work: int, profile: Profile) -> str:
    return f"{100 * work / max(1, profile.work):.1f} %"


def _place(part: Profiled) -> str:
    return f"{part.file}:{part.line}" if part.line else ""


def _texts(lines: Sequence[LineCost]) -> list[str]:
    """The text of each line, as its file holds it now; empty where it cannot be read."""
    files: dict[str, list[str]] = {}
    for name in {line.file for line in lines}:
        try:
            files[name] = content(Path(name), home_of(Path(name))).decode("utf-8-sig").splitlines()
        except (OSError, ValueError):
            files[name] = []
    return [files[at.file][at.line - 1].strip() if 0 < at.line <= len(files[at.file]) else "" for at in lines]
