"""Grids in which pieces are laid, drawn as maps with north at the top."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from .table import Scene

_TURNS = ("", "→", "↓", "←")
"""Direction of a piece's top after 0 to 3 quarter turns; nothing for a piece that lies as printed."""


def grids(scene: Scene) -> Iterator[RenderableType]:
    """Every grid that the view shows, each under the names of its place and its owners."""
    for variable in scene.program.variables.values():
        if variable.kind == "grid" and variable.name in scene.state:
            for owners, spots in _cells(scene.state[variable.name], ()):
                head = Text(variable.name, style="dim")
                for owner in owners:
                    head.append(f" {owner}", style=scene.styles.get(owner, ""))
                if isinstance(spots, Mapping):
                    yield head.append(f" {spots['count']} hidden")
                elif spots:
                    yield Group(head, _map(spots))


def _cells(value: Any, owners: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, Mapping) and set(value) != {"count"}:
        for owner, inner in value.items():
            yield from _cells(inner, (*owners, owner))
    else:
        yield owners, value


def _map(spots: Sequence[Mapping[str, Any]]) -> Table:
    """The squares between the outermost pieces, with their coordinates at the margins."""
    there = {(spot["x"], spot["y"]): spot for spot in spots}
    columns = range(min(x for x, _ in there), max(x for x, _ in there) + 1)
    rows = range(max(y for _, y in there), min(y for _, y in there) - 1, -1)
    table = Table("", *map(str, columns), box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for y in rows:
        cells = [Text(str(y), style="dim")]
        for x in columns:
            spot = there.get((x, y))
            cells.append(Text("·", style="dim") if spot is None else Text(f"{spot['piece']}{_TURNS[spot['turn']]}"))
        table.add_row(*cells)
    return table
