"""Sources of the games of a comparison: played here and forgotten, or kept in a folder, perhaps played by a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple, Protocol

import attrs

from ..bots.streams import BY_QUESTION
from ..simulate.recorded import play_recorded
from ..simulate.records import Records

if TYPE_CHECKING:
    from ..studies.blocks import Block
    from ..studies.cluster import Cluster
    from ..studies.plan import Cell
    from ..studies.shelf import Shelf
    from .run import RuleSet

LIMIT = 20_000
"""Decisions after which a game is stopped: house rules may never end."""


class Wanted(NamedTuple):
    """Games ``first`` to ``first + number - 1`` of the simulation of a rule set from ``seed``. ``until``: by
    ``time.monotonic()``, when it is too late for them."""

    rules: RuleSet
    seed: int
    first: int
    number: int
    until: float | None = None


class Source(Protocol):
    """Gives games; the same ones wherever they come from."""

    def ready(self, wanted: Sequence[Wanted]) -> None:
        """Told what will be asked for next, so that it can be played side by side. Raises StudyError as ``games``."""

    def games(self, wanted: Wanted) -> Records:
        """The records of games. Raises StudyError when they cannot be kept, or nobody is left to play them, and
        TimeIsUp when that takes too long."""

    def close(self) -> None:
        """Let go of whatever is held."""


class Here:
    """Games are played on this machine, when they are asked for."""

    def ready(self, wanted: Sequence[Wanted]) -> None:
        pass

    def games(self, wanted: Wanted) -> Records:
        rules, seed, first, number, until = wanted
        played = play_recorded(
            rules.game,
            seed,
            number,
            rules.bots,
            first=first,
            limit=LIMIT,
            threads=rules.threads,
            streams=BY_QUESTION,
            until=until,
        )
        return Records.joined(list(played))

    def close(self) -> None:
        pass


@attrs.define(eq=False)
class Kept:
    """Games are kept in a folder as those of a study, and played only if they are not there; by a cluster, if there is
    one. ``path``: of the game."""

    path: Path
    shelf: Shelf
    cluster: Cluster | None = None
    _here: Here = attrs.field(factory=Here)
    _cells: dict[tuple[int, int], Cell] = attrs.field(factory=dict)
    _rules: list[RuleSet] = attrs.field(factory=list)
    _temporary: TemporaryDirectory[str] | None = None

    @classmethod
    def of(cls, path: Path, game: str, seed: int, folder: Path | None, scheduler: str | None) -> Kept:
        """``folder``: None for one that is thrown away afterwards. Raises StudyError for a folder that holds something
        else, and where there is no scheduler."""
        from ..studies.shelf import Shelf

        temporary = None
        if folder is None:
            temporary = TemporaryDirectory()
            folder = Path(temporary.name)
        shelf = Shelf.of(folder, f"comparison of {game}", seed)
        cluster = None
        if scheduler is not None:
            from ..studies.cluster import Cluster

            cluster = Cluster(scheduler)
        return cls(path.resolve(), shelf, cluster, temporary=temporary)

    def ready(self, wanted: Sequence[Wanted]) -> None:
        if self.cluster is not None:
            blocks = [block for each in wanted for block in self._missing(each)]
            for block, content in self.cluster.play(blocks):
                self.shelf.keep(block, content)

    def games(self, wanted: Wanted) -> Records:
        from ..studies.blocks import to_bytes

        if self.cluster is not None:
            self.ready([wanted])
        for block in self._missing(wanted):
            played = self._here.games(wanted._replace(first=block.first, number=block.games))
            self.shelf.keep(block, to_bytes(played))
        return self.shelf.records(self._cell(wanted), wanted.first, wanted.number)

    def close(self) -> None:
        if self.cluster is not None:
            self.cluster.close()
        if self._temporary is not None:
            self._temporary.cleanup()

    def _missing(self, wanted: Wanted) -> list[Block]:
        """What is not there yet; for a cluster in pieces, so that all its workers have some."""
        from ..studies.blocks import Block

        cell = self._cell(wanted)
        gaps = list(self.shelf.missing(cell, wanted.first, wanted.number))
        pieces = 1 if self.cluster is None else 2 * self.cluster.workers
        size = max(1, -(-wanted.number // pieces))
        return [Block(cell, at, min(size, gap.stop - at)) for gap in gaps for at in range(gap.start, gap.stop, size)]

    def _cell(self, wanted: Wanted) -> Cell:
        key = id(wanted.rules), wanted.seed
        if key not in self._cells:
            self._rules.append(wanted.rules)  # so that nothing else gets its id
            self._cells[key] = self._made(wanted.rules, wanted.seed)
        return self._cells[key]

    def _made(self, rules: RuleSet, seed: int) -> Cell:
        from ..studies.plan import cell_of

        items = rules.alternative.items
        variants = tuple(_anywhere(item.name) for item in items if item.kind == "variant")
        settings = tuple(sorted((item.name, item.value) for item in items if item.kind == "setting"))
        numbers = tuple((item.name, int(item.value)) for item in items if item.kind == "number")
        seats = (rules.names,) * rules.game.players
        return cell_of(
            rules.game,
            self.path,
            variants,
            settings,
            seats,
            seed,
            LIMIT,
            0,
            numbers,
            BY_QUESTION,
            rules.printed.program.version,
        )


def _anywhere(variant: str) -> str:
    """The name of a variant, or its file from wherever one looks."""
    return str(Path(variant).resolve()) if Path(variant).suffix == ".rules" else variant


__all__ = ["LIMIT", "Here", "Kept", "Source", "Wanted"]
