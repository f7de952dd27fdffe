"""Grids in which pieces are laid, drawn as maps with north at the top."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..pictures.build.facts import domain_of
from .faces import SIZES, Faces, Size

if TYPE_CHECKING:
    from rulelang.program import Variable
    from rulelang.types import Domain

    from .table import Scene

_TURNS = ("", "→", "↓", "←")
"""Direction of a piece's top after 0 to 3 quarter turns; nothing for a piece that lies as printed."""


def grids(scene: Scene, width: int = 80) -> Iterator[RenderableType]:
    """Every grid that the view shows, within ``width`` letters; those of one place side by side where they fit."""
    for variable in scene.program.variables.values():
        if variable.kind == "grid" and variable.name in scene.state:
            found = [*_of(scene, variable, width)]
            if found:
                yield Columns(found, padding=(0, 4))


def _of(scene: Scene, variable: Variable, width: int) -> Iterator[RenderableType]:
    """The grids of one place, each under its name and that of its owner."""
    for owners, spots in _cells(scene.state[variable.name], ()):
        head = Text(scene.look.label(variable.name), style="dim")
        for owner in owners:
            head.append(f" {scene.seat(owner)}", style=scene.styles.get(owner, ""))
        if isinstance(spots, Mapping):
            yield head.append(f" {scene.names.words.say('table.hidden', n=spots['count'])}")
        elif spots:
            tiles = domain_of(variable.element)
            yield Group(head, _tiles(scene.faces, tiles, spots, width) or _map(spots))


def _cells(value: Any, owners: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, Mapping) and set(value) != {"count"}:
        for owner, inner in value.items():
            yield from _cells(inner, (*owners, owner))
    else:
        yield owners, value


def _tiles(faces: Faces, domain: Domain | None, spots: Sequence[Mapping[str, Any]], width: int) -> Table | None:
    """Tiles side by side as they lie, as large as fits; None for pieces that are no tiles, or too many of them."""
    if domain is None or not faces.has(domain):
        return None
    there = {(spot["x"], spot["y"]): spot for spot in spots}
    columns, rows = _extent(there)
    margin = max(len(str(y)) for y in rows) + 1
    size = next((size for size in SIZES if margin + len(columns) * (size[0] + 1) <= width), None)
    if size is None:
        return None
    table = Table("", box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim")
    for x in columns:
        table.add_column(str(x), justify="center", width=size[0], no_wrap=True)
    for y in rows:
        found = [there.get((x, y)) for x in columns]
        drawn = [faces.face(domain, s["piece"], s["turn"], size) if s else _nothing(size) for s in found]
        middle = "\n" * (size[1] // 2)
        table.add_row(Text(f"{middle}{y:>{margin - 1}} ", style="dim"), *drawn)
    return table


def _nothing(size: Size) -> Text:
    middle = "\n" * (size[1] // 2)
    return Text(f"{middle}·", style="dim")


def _extent(there: Collection[tuple[int, int]]) -> tuple[range, range]:
    """The columns and rows between the outermost pieces, north first."""
    columns, rows = [x for x, _ in there], [y for _, y in there]
    return range(min(columns), max(columns) + 1), range(max(rows), min(rows) - 1, -1)


def _map(spots: Sequence[Mapping[str, Any]]) -> Table:
    """The squares between the outermost pieces, with their coordinates at the margins."""
    there = {(spot["x"], spot["y"]): spot for spot in spots}
    columns, rows = _extent(there)
    table = Table("", *map(str, columns), box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for y in rows:
        cells = [Text(str(y), style="dim")]
        for x in columns:
            spot = there.get((x, y))
            cells.append(Text("·", style="dim") if spot is None else Text(f"{spot['piece']}{_TURNS[spot['turn']]}"))
        table.add_row(*cells)
    return table
