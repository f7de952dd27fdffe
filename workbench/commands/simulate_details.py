"""Details of a simulation's games: printed with ``--details``, written as tables with ``--out FOLDER``."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

import attrs

from ..interrupts import held_back
from ..output import console

if TYPE_CHECKING:
    from pathlib import Path

    from interpreter.bots import Bot
    from interpreter.comparing.measures import ShapeRun
    from interpreter.game import Game
    from interpreter.simulate.record import About
    from interpreter.simulate.results import Part
    from interpreter.simulate.tables import Tables


@attrs.define(eq=False)
class Details:
    """The games as they are counted. ``tables``: where they are written, if anywhere; ``replay``: the command that
    explains the game of a number."""

    game: Game
    shape: ShapeRun
    tables: Tables | None
    replay: Callable[[int], str]

    @classmethod
    def of(
        cls, game: Game, seed: int, about: About, folder: Path | None, kind: str, replay: Callable[[int], str]
    ) -> Details:
        """Raises RecordError where there cannot be tables."""
        from interpreter.comparing.measures import ShapeRun
        from interpreter.simulate.tables import Tables

        tables = None if folder is None else Tables(folder, about, kind)
        playing = set(about.bots)
        return cls(game, ShapeRun(game, playing.pop() if len(playing) == 1 else "", seed, 1), tables, replay)

    def parts(
        self, seed: int, games: int, bots: Sequence[Bot] | None, limit: int, threads: int
    ) -> Generator[Part]:  # fmt: skip
        """Plays the games, counts and writes them, and gives them back for the summary. Raises RecordError."""
        from interpreter.simulate.recorded import parts_of, play_recorded

        with closing(play_recorded(self.game, seed, games, bots, limit=limit, threads=threads)) as played:
            for records in played:
                with held_back():
                    if self.tables is not None:
                        self.tables.add(records)
                    self.shape.add(records)
                yield from parts_of(records)

    def as_json(self) -> dict[str, Any]:
        from ..bench.measured import as_json

        return as_json(self.shape.shape())

    def show(self) -> None:
        from rich.text import Text

        from ..bench.measured import looks_of, show_shape
        from ..bench.text import show_looks

        out = console()
        out.print(Text("\nThe shape of play", style="bold"))
        shape = self.shape.shape()
        show_shape(out, shape)
        show_looks(out, looks_of(shape, self.replay))


def is_folder(out: Path) -> bool:
    """Whether ``--out`` names a folder for tables: one that is there, or a name without an ending; a file of games has
    one that says what it is."""
    from interpreter.simulate.record import FORMATS

    return not out.suffix or (out.is_dir() and out.suffix.lower() not in FORMATS)
