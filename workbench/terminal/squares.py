"""Boards of squares: domains whose members are named like those of a chessboard, a1 at the bottom left.

Where members are missing, lines between the others show which of them are linked. Rows of hexagonal cells are
shifted by half a cell.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from rich.console import Group, RenderableType
from rich.text import Text

from ..pictures.build.facts import PLAYER, domain_of, facts_of, has_to_be
from ..pictures.scene.nodes import is_empty
from .words import plain_table, short_names

if TYPE_CHECKING:
    from rulelang.program import Grid, Variable
    from rulelang.types import Domain

    from .table import Scene

_SQUARE = re.compile(r"([A-Za-z]+)([0-9]+)")


def squares(scene: Scene, domain: Domain) -> RenderableType | None:
    """A domain whose members are named like the squares of a chessboard, drawn as one: a1 at the bottom left."""
    found = [_SQUARE.fullmatch(member) for member in domain.members]
    if any(match is None for match in found):
        return None
    names = [(match[1], int(match[2])) for match in found if match]
    files = list(dict.fromkeys(name for name, _ in names))
    ranks = sorted({number for _, number in names}, reverse=True)
    links = facts_of(scene.program).networks.get(domain.name, ())
    grid = scene.program.grids.get(domain.name)
    leaning = grid is not None and grid.shape != "squares"
    full = len(files) * len(ranks) == len(domain)
    if len(files) < 2 or len(ranks) < 2 or not (leaning or links or full):
        return None
    variables = scene.owned(domain.name)
    short = _short_pieces(scene, variables)
    there = {at: _on(scene, variables, member, short) for at, member in zip(names, domain.members, strict=True)}
    there = {at: text if text.plain else Text("·", style="dim") for at, text in there.items()}
    table: RenderableType
    if leaning and grid is not None:
        table = _leaning(list(there.values()), domain.members, grid)
    elif links:
        table = _linked(there, sorted(files), ranks, [(names[a], names[b]) for a, b in links])
    else:
        table = plain_table("", *files)
        for number in ranks:
            table.add_row(str(number), *(there[name, number] for name in files))
    named = {letters: name for (kind, name), letters in short.items() if kind != PLAYER and letters != name}
    legend = "  ".join(f"{letters}={name}" for letters, name in named.items())
    return Group(table, Text(legend, style="dim")) if legend else table


def _leaning(there: Sequence[Text], names: Sequence[str], grid: Grid) -> Text:
    """Rows of hexagonal cells, each called after its first cell, and below them the letters of the lowest row."""
    lean = 1 if grid.shape == "rhombus" else -1
    wide = max(4, 2 * (max(text.cell_len for text in there) // 2 + 1))
    left = [wide * x + lean * wide // 2 * y for x, y in grid.cells]
    rows: dict[int, list[int]] = {}
    for number, (_, y) in enumerate(grid.cells):
        rows.setdefault(y, []).append(number)
    start = 2 + max(len(names[cells[0]]) for cells in rows.values()) - min(left)
    shown = Text()
    for cells in reversed(rows.values()):
        line = Text(" " * (start + left[cells[0]] - 2 - len(names[cells[0]])))
        line.append(names[cells[0]] + "  ", style="dim")
        for cell in cells:
            line.append_text(there[cell])
            line.append(" " * (wide - there[cell].cell_len))
        shown.append_text(line).append("\n")
    lowest = rows[0]
    letters = "".join(f"{names[cell].rstrip('0123456789'):<{wide}}" for cell in lowest)
    shown.append(" " * (start + left[lowest[0]]) + letters, style="dim")
    return shown


_At: TypeAlias = tuple[str, int]


def _linked(
    there: Mapping[_At, Text], files: Sequence[str], ranks: Sequence[int], links: Sequence[tuple[_At, _At]]
) -> Text:
    """Places with lines between those in one row or column that are linked, and their letters and numbers around."""
    wide = max(text.cell_len for text in there.values()) + 3
    column, line = {name: i for i, name in enumerate(files)}, {number: 2 * i for i, number in enumerate(ranks)}
    across: set[tuple[int, int]] = set()
    down: set[tuple[int, int]] = set()
    for (file, rank), (other_file, other_rank) in links:
        if rank == other_rank:
            first, last = sorted((column[file], column[other_file]))
            across.update((line[rank], x) for x in range(first, last))
        elif file == other_file:
            first, last = sorted((line[rank], line[other_rank]))
            down.update((y, column[file]) for y in range(first + 1, last))
    margin = len(str(max(ranks))) + 1
    shown = Text()
    for y in range(2 * len(ranks) - 1):
        at_rank = ranks[y // 2]
        shown.append(f"{'' if y % 2 else at_rank:<{margin}}", style="dim")
        for x, name in enumerate(files):
            text = there.get((name, at_rank)) if y % 2 == 0 else None
            bare = "│" if (y, x) in down else "─" if (y, x) in across and (y, x - 1) in across else " "
            text = text or Text(bare, style="dim")
            shown.append_text(text)
            shown.append(("─" if (y, x) in across else " ") * (wide - text.cell_len), style="dim")
        shown.append("\n")
    shown.append(" " * margin + "".join(f"{name:<{wide}}" for name in files), style="dim")
    return shown


def _short_pieces(scene: Scene, variables: Sequence[Variable]) -> dict[tuple[str, str], str]:
    """A letter for each player; two for each kind of piece, where squares keep both an owner and a kind."""
    found = {(PLAYER, name): letters for name, letters in short_names(scene.program.seats, 1).items()}
    kinds = [domain_of(variable.element or variable.type) for variable in variables]
    if any(kind is not None and kind.name == PLAYER for kind in kinds):
        for kind in kinds:
            if kind is not None and kind.name != PLAYER:
                called = {member: scene.names.member(kind.name, member) for member in kind.members}
                letters = short_names(called.values())
                found |= {(kind.name, name): letters[name] for name in called.values()}
    return found


def _on(scene: Scene, variables: Sequence[Variable], member: str, short: Mapping[tuple[str, str], str]) -> Text:
    """What is on a square: an owner and a kind are one piece, in the owner's colour."""
    text, style = Text(), ""
    nobody = any(_is_whose(v) and is_empty(scene.at(v, member)) for v in variables)
    by_owner = sorted(variables, key=lambda v: getattr(domain_of(v.element or v.type), "name", "") != PLAYER)
    for variable in by_owner:
        value, kind = scene.at(variable, member), domain_of(variable.element or variable.type)
        if is_empty(value) or (nobody and isinstance(value, str) and has_to_be(variable, value)):
            continue
        name = scene.names.member(kind.name, value) if kind is not None and isinstance(value, str) else ""
        if kind is not None and kind.name == PLAYER and value in scene.styles:
            style = scene.styles[value]
            text.append(short[PLAYER, value], style=style)
        elif style and kind is not None and (kind.name, name) in short:
            text.append(short[kind.name, name], style=style)
        else:
            told = scene.told(value, kind)
            text.append(told if len(variables) == 1 else f" {scene.label(variable.name)} {told}".lstrip())
    return text


def _is_whose(variable: Variable) -> bool:
    """Whether a variable says whose piece it is."""
    domain = domain_of(variable.element or variable.type)
    return variable.kind == "value" and domain is not None and domain.name == PLAYER
