"""Boards in letters: squares, rings of cells, grids in which pieces are laid, and the faces of tiles."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, TypeAlias

import attrs
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from rulelang.program import Grid, Program, Variable
from rulelang.types import Domain

from ..pictures.build.facts import PLAYER, Facts, domain_of, facts_of, has_to_be
from ..pictures.build.piece_parts import Maker
from ..pictures.layout.piece_boxes import covers, order, things, turned
from ..pictures.paint.colours import colour_of
from ..pictures.scene.look import Look
from ..pictures.scene.nodes import Node, is_empty, with_shown
from ..wording.names import Names
from .palette import seat_styles
from .telling import coloured, plain_table, plain_text, short_names

Size: TypeAlias = tuple[int, int]
"""Columns and lines of a face, both odd, so that a road leaves a side in its middle."""
SIZES: tuple[Size, ...] = ((11, 5), (9, 5), (7, 3))
"""From the most readable to the smallest."""
LARGE: Size = (27, 13)
_ROADS = " ╹╺┗╻┃┏┣╸┛━┻┓┫┳╋"
"""By the sides that a road reaches: 1 for north, 2 for east, 4 for south, 8 for west."""
_CROSSED = {5: "╫", 10: "╫", 3: "╲", 12: "╲", 6: "╱", 9: "╱"}
"""What stands in the middle where one road passes another, by the sides of the first."""
_ROAD = "bold #3b2c14"

_Cell: TypeAlias = tuple[str, str]


@attrs.define
class Faces:
    """Draws the tiles of a game. ``used`` collects what the letters on them stand for."""

    program: Program
    look: Look
    used: dict[str, str] = attrs.field(factory=dict)

    @property
    def facts(self) -> Facts:
        """What the declarations say."""
        return facts_of(self.program)

    @functools.cached_property
    def maker(self) -> Maker:
        """Makes the nodes that are drawn."""
        return Maker(self.facts, self.look)

    def has(self, domain: Domain | None) -> bool:
        """Whether the members of a domain are tiles."""
        return domain is not None and domain.name in self.facts.tiles

    def face(self, domain: Domain, name: str, turn: int = 0, size: Size = SIZES[0]) -> Text:
        """A tile, turned clockwise by quarters: as many lines as ``size`` says, each as wide as it says."""
        node = self.maker.tile(domain, name, turn=turn)
        canvas = self._ground(node, self._terrains(domain, name), size)
        _draw_roads(canvas, node.look["roads"], turn)
        taken: set[tuple[int, int]] = set()
        for x, y, thing in things(node):
            self._lay(canvas, taken, thing, (x, y))
        return Text("\n").join(Text.assemble(*row) for row in canvas)

    def row(self, domain: Domain, names: Sequence[str], size: Size = SIZES[0]) -> Text:
        """Several tiles side by side, each under its name."""
        lines = [Text() for _ in range(size[1] + 1)]
        for number, name in enumerate(names):
            label = Text(self.maker.name(domain, name), style="bold")
            label.truncate(size[0], pad=True)
            face = self.face(domain, name, size=size).split("\n")
            for line, part in zip(lines, (label, *face), strict=True):
                line.append("  " if number else "").append_text(part)
        return Text("\n").join(lines)

    def legend(self) -> Text:
        """What the letters used so far stand for."""
        return Text("  ".join(f"{short}={name}" for short, name in sorted(self.used.items())), style="dim")

    def _terrains(self, domain: Domain, name: str) -> list[tuple[str, str]]:
        row = domain.members.index(name)
        return [part.terrain for part in self.facts.tiles[domain.name][row] if part.terrain is not None]

    def _ground(self, node: Node, terrains: Sequence[tuple[str, str]], size: Size) -> list[list[_Cell]]:
        regions: Sequence[Mapping[str, Any]] = node.look["regions"]
        painted = order(regions)
        width, height = size

        def cell(column: int, line: int) -> _Cell:
            x, y = turned((column + 0.5) / width * 100, (line + 0.5) / height * 100, -node.look["turn"])
            top = next((n for n in reversed(painted) if n == painted[0] or covers(regions[n]["sides"], x, y)), None)
            if top is None:
                return ("·", "dim")
            kind, member = terrains[top]
            letter = self._letters(kind)[member]
            self.used[letter] = self.look.label(f"{kind}~{member}")
            colour = colour_of(regions[top]["hue"])
            return (letter, f"{colour.ink} on {colour.fill}")

        return [[cell(column, line) for column in range(width)] for line in range(height)]

    def _lay(
        self, canvas: list[list[_Cell]], taken: set[tuple[int, int]], thing: Node, at: tuple[float, float]
    ) -> None:
        """Writes the sign of a thing where it lies, or on the nearest free spot."""
        sign = self._sign(thing)
        width, height = len(canvas[0]), len(canvas)
        column = at[0] / 100 * width - len(sign) / 2
        line = at[1] / 100 * height - 0.5
        free = [
            (x, y)
            for y in range(height)
            for x in range(width - len(sign) + 1)
            if not taken & {(x + i, y) for i in range(-1, len(sign) + 1)}
        ]
        if not free:
            return
        left, top = min(free, key=lambda spot: (spot[0] - column) ** 2 + 4 * (spot[1] - line) ** 2)
        colour = colour_of(str(thing.look.get("hue", "plain")))
        for i, letter in enumerate(sign):
            canvas[top][left + i] = (letter, f"bold {colour.ink} on {colour.fill}")
            taken.add((left + i, top))

    def _sign(self, thing: Node) -> str:
        text = str(thing.look.get("text", ""))
        if text.isdigit():
            return text
        sign = self._signs.get(thing.alt, thing.alt[:2])
        self.used[sign] = thing.alt
        return sign

    @functools.cached_property
    def _signs(self) -> dict[str, str]:
        """Two letters for all that lies on tiles: the first is a capital, so that it differs from the ground."""
        nodes = (
            thing
            for name in self.facts.tiles
            for member in self.facts.domain(name).members
            for thing in self.maker.tile(self.facts.domain(name), member).children
        )
        names = dict.fromkeys(thing.alt for thing in nodes)
        short = short_names([name[:1].upper() + name[1:] for name in names])
        return {name: short[name[:1].upper() + name[1:]][:2] for name in names}

    def _letters(self, kind: str) -> dict[str, str]:
        """A small letter of its own for each terrain."""
        found: dict[str, str] = {}
        for member in self.facts.domain(kind).members:
            label = self.look.label(f"{kind}~{member}").lower()
            free = [letter for letter in label + "abcdefghijklmnopqrstuvwxyz" if letter.isalpha()]
            found[member] = next((letter for letter in free if letter not in found.values()), "·")
        return found


@attrs.frozen
class TerminalScene:
    """A view of a state (``State.view``) together with the program it belongs to."""

    program: Program
    view: Mapping[str, Any]
    look: Look = attrs.field(factory=Look)
    faces: Faces = attrs.field(init=False, eq=False)

    @faces.default
    def _faces(self) -> Faces:
        return Faces(self.program, self.look)

    @property
    def names(self) -> Names:
        return Names(self.program, self.look)

    def seat(self, name: str) -> str:
        """What people call a player, or whatever else owns a place."""
        return self.names.member(PLAYER, name) if name in self.program.seats else name

    def label(self, name: str) -> str:
        """What people call a variable or a domain; its name in the rules where the look has no language."""
        if not self.look.lang:
            return name
        return self.names.words.say("table.score") if name == self.program.score else self.look.label(name)

    def told(self, value: Any, domain: Domain | None) -> str:
        """Plain data of a view in words. ``domain``: of the members in it."""
        return self.names.seen(value, domain) if self.look.lang else plain_text(value)

    @property
    def state(self) -> Mapping[str, Any]:
        """The view's state without what is only bookkeeping."""
        state = {name: value for name, value in self.view["state"].items() if self._shows(name)}
        return with_shown(self.program, state, self.view.get("seat"))

    def _shows(self, name: str) -> bool:
        variable = self.program.variables[name]
        if variable.counted and name not in facts_of(self.program).changed and _is_bare(self.view["state"][name]):
            return False  # nothing ever lies there under the settings in force
        return not variable.bookkeeping and not self.look.says(name, "hidden")

    @property
    def styles(self) -> dict[str, str]:
        """Colours by the names of the seats, in the rules and as people call them."""
        named = dict(zip(self.program.seats, seat_styles(self.program.seats), strict=True))
        return {self.seat(name): style for name, style in named.items()} | named

    def owned(self, *domains: str) -> list[Variable]:
        """The variables with exactly these owners that the view shows at least in part, except grids."""
        return [
            v
            for v in self.program.variables.values()
            if tuple(o.domain.name for o in v.owners) == domains and v.name in self.state and v.kind != "grid"
        ]

    def at(self, variable: Variable, *members: str) -> Any:
        """The content of a cell, None where the view leaves it out."""
        value = self.state.get(variable.name)
        for member in members:
            value = value.get(member) if isinstance(value, Mapping) else None
        return value

    def sees(self, variable: Variable, *members: str) -> bool:
        value: Any = self.state
        for key in (variable.name, *members):
            if not isinstance(value, Mapping) or key not in value:
                return False
            value = value[key]
        return True

    def cell(self, variable: Variable, *members: str, most: int = 4) -> Text:
        """The content of a cell as text, ``?`` where this seat may not see it; up to ``most`` tiles are drawn."""
        if not self.sees(variable, *members):
            return Text("?", style="dim")
        domain, value = domain_of(variable.element or variable.type), self.at(variable, *members)
        if domain is not None and self.faces.has(domain):
            names = [value] if isinstance(value, str) else list(value) if isinstance(value, (list, Mapping)) else []
            if 0 < len(names) <= most and all(name in domain.members for name in names):
                return self.faces.row(domain, names, SIZES[0])
        return coloured(self.told(self.at(variable, *members), domain), self.styles)


def _is_bare(content: Any) -> bool:
    """Whether a place, or that of each owner, holds nothing, seen or counted."""
    if isinstance(content, Mapping):
        return all(_is_bare(inner) for inner in content.values())
    return not content


def _draw_roads(canvas: list[list[_Cell]], roads: Sequence[Sequence[int]], turn: int) -> None:
    """Each road runs from the middles of its sides to the middle of the tile; one that ends there is a dead end."""
    width, height = len(canvas[0]), len(canvas)
    middle, centre = width // 2, height // 2
    masks = [sum(1 << (side + turn) % 4 for side in road) for road in roads]
    for mask in masks:
        ways = (
            [(middle, line) for line in range(centre)],
            [(column, centre) for column in range(middle + 1, width)],
            [(middle, line) for line in range(centre + 1, height)],
            [(column, centre) for column in range(middle)],
        )
        for side, way in enumerate(ways):
            if mask >> side & 1:
                for column, line in way:
                    canvas[line][column] = _lying_on(canvas[line][column], "━" if side % 2 else "┃")
        crossed = len(masks) > 1
        sign = _CROSSED.get(masks[0], _ROADS[mask]) if crossed else _ROADS[mask]
        canvas[centre][middle] = _lying_on(canvas[centre][middle], sign)


def _lying_on(cell: _Cell, sign: str) -> _Cell:
    """The sign of a road on the ground that is there."""
    _, _, ground = cell[1].partition(" on ")
    return (sign, f"{_ROAD} on {ground}" if ground else "bold")


_SQUARE = re.compile(r"([A-Za-z]+)([0-9]+)")


def squares(scene: TerminalScene, domain: Domain) -> RenderableType | None:
    """A domain whose members are named like the squares of a chessboard, drawn as one: a1 at the bottom left."""
    found = [_SQUARE.fullmatch(member) for member in domain.members]
    if any(match is None for match in found):
        return None
    names = [(match[1], int(match[2])) for match in found if match]
    files = list(dict.fromkeys(name for name, _ in names))
    ranks = sorted({number for _, number in names}, reverse=True)
    links = facts_of(scene.program).networks.get(domain.name, ())
    grid = scene.program.grids.get(domain.name)
    lean = facts_of(scene.program).leans(domain) if grid is not None else 0
    full = len(files) * len(ranks) == len(domain)
    if len(files) < 2 or len(ranks) < 2 or not (lean or links or full):
        return None
    variables = scene.owned(domain.name)
    short = _short_pieces(scene, variables)
    there = {at: _on(scene, variables, member, short) for at, member in zip(names, domain.members, strict=True)}
    there = {at: text if text.plain else Text("·", style="dim") for at, text in there.items()}
    table: RenderableType
    if lean and grid is not None:
        table = _leaning(list(there.values()), domain.members, grid, lean)
    elif links:
        table = _linked(there, sorted(files), ranks, [(names[a], names[b]) for a, b in links])
    else:
        table = plain_table("", *files)
        for number in ranks:
            table.add_row(str(number), *(there[name, number] for name in files))
    named = {letters: name for (kind, name), letters in short.items() if kind != PLAYER and letters != name}
    legend = "  ".join(f"{letters}={name}" for letters, name in named.items())
    return Group(table, Text(legend, style="dim")) if legend else table


def _leaning(there: Sequence[Text], names: Sequence[str], grid: Grid, lean: int) -> Text:
    """Rows of hexagonal cells, each called after its first cell, and below them the letters of the lowest row."""
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


def _short_pieces(scene: TerminalScene, variables: Sequence[Variable]) -> dict[tuple[str, str], str]:
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


def _on(scene: TerminalScene, variables: Sequence[Variable], member: str, short: Mapping[tuple[str, str], str]) -> Text:
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


_CORNERS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
_UP, _RIGHT, _DOWN, _LEFT = 1, 2, 4, 8


@attrs.frozen
class CellShape:
    """The rectangle: columns of cells, the width inside a cell, and the height inside the cells of each row."""

    columns: int
    cell_width: int
    heights: tuple[int, ...]

    @property
    def rows(self) -> int:
        return len(self.heights)

    @property
    def tops(self) -> tuple[int, ...]:
        """The line of the upper edge of each row, and of the lower edge of the last."""
        return tuple(accumulate((height + 1 for height in self.heights), initial=0))

    @property
    def middle(self) -> tuple[int, int]:
        """Width and height of the room in the middle, less a margin of one column."""
        width = (self.columns - 2) * (self.cell_width + 1) - 3
        height = self.tops[-2] - self.tops[1] - 1
        return max(0, width), max(0, height)


def shape(cells: Sequence[Sequence[Text]], width: int, cell_width: int) -> CellShape:
    """A rectangle for the cells within ``width`` characters: as wide as it can be, with room in the middle."""
    widest = max(2, (width - 1) // (cell_width + 1))
    half = (len(cells) + 1) // 2
    columns = max(2, min(widest, half - 2 if half >= 6 else half))
    rows = max(2, half - columns + 2)
    heights = [1] * rows
    for (_, row), lines in zip(places(len(cells), columns, rows), cells, strict=True):
        heights[row] = max(heights[row], len(lines))
    return CellShape(columns, cell_width, tuple(heights))


def places(count: int, columns: int, rows: int) -> list[tuple[int, int]]:
    """Column and row of each cell, clockwise from the top left."""
    last_column, last_row = columns - 1, rows - 1
    way = [(column, 0) for column in range(columns)]
    way += [(last_column, row) for row in range(1, rows)]
    way += [(column, last_row) for column in range(last_column - 1, -1, -1)]
    way += [(0, row) for row in range(last_row - 1, 0, -1)]
    return way[:count]


def draw(cells: Sequence[Sequence[Text]], form: CellShape, middle: Sequence[Text] = ()) -> list[Text]:
    """The lines of the drawing. ``cells`` holds the lines of each cell; lines too wide for their cell are cut."""
    step, tops = form.cell_width + 1, form.tops
    width, height = form.columns * step + 1, tops[-1] + 1
    edges = [[0] * width for _ in range(height)]
    there = places(len(cells), form.columns, form.rows)
    for column, row in there:
        _frame(edges, column * step, (column + 1) * step, tops[row], tops[row + 1])
    shown = [Text.assemble(*((_CORNERS[edge], "grey42" if edge else "") for edge in row)) for row in edges]
    for (column, row), lines in zip(there, cells, strict=True):
        for y, line in enumerate(lines, tops[row] + 1):
            shown[y] = _written(shown[y], column * step + 1, line[: form.cell_width])
    middle_width, middle_height = form.middle
    for y, line in enumerate(middle[:middle_height], tops[1] + 1):
        shown[y] = _written(shown[y], step + 2, line[:middle_width])
    return shown


def _written(line: Text, left: int, part: Text) -> Text:
    """A line with a part of it written over."""
    return Text.assemble(line[:left], part, line[left + len(part) :])


def _frame(edges: list[list[int]], left: int, right: int, top: int, bottom: int) -> None:
    for y in (top, bottom):
        for x in range(left, right + 1):
            edges[y][x] |= (_RIGHT if x < right else 0) | (_LEFT if x > left else 0)
    for x in (left, right):
        for y in range(top, bottom + 1):
            edges[y][x] |= (_DOWN if y < bottom else 0) | (_UP if y > top else 0)


_TURNS = ("", "→", "↓", "←")
"""Direction of a piece's top after 0 to 3 quarter turns; nothing for a piece that lies as printed."""


def grids(scene: TerminalScene, width: int = 80) -> Iterator[RenderableType]:
    """Every grid that the view shows, within ``width`` letters; those of one place side by side where they fit."""
    for variable in scene.program.variables.values():
        if variable.kind == "grid" and variable.name in scene.state:
            found = [*_of(scene, variable, width)]
            if found:
                yield Columns(found, padding=(0, 4))


def _of(scene: TerminalScene, variable: Variable, width: int) -> Iterator[RenderableType]:
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
