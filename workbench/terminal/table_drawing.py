"""Drawing of the table, made from the declarations of a game and what one seat may see.

A ring that owns variables becomes a ring of cells, variables with two owners a grid, other owners small tables, the
players a table of their own, laid pieces a map, and what belongs to the game itself a list. No game is treated
specially.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group, RenderableType
from rich.segment import Segment
from rich.text import Text

from rulelang.program.sides import team_of
from rulelang.types import Domain, FlagType, MemberType, OptionalType

from ..pictures.build.facts import PLAYER
from ..pictures.scene.nodes import is_empty
from . import boards
from .boards import TerminalScene, grids, squares
from .telling import plain_table, plain_text, short_names

if TYPE_CHECKING:
    from rulelang.program import Variable

_MANY_ROWS = 12
_MARK = "◆"
_NARROW, _WIDE = 6, 10
_ROOM = 40
_ALONG = 6
"""Most tiles of one place that are drawn, in a column of a table and over the whole width; more are named."""


def draw(scene: TerminalScene, console: Console) -> RenderableType:
    """Everything this seat may see, at the width of the console."""
    players = _players(scene)
    game = _game(scene)
    rest = [*_others(scene), *grids(scene, console.width)]
    domains = [d for d in scene.program.domains.values() if d.ring and d.name != PLAYER and scene.owned(d.name)]
    drawings: list[RenderableType] = []
    inside: list[RenderableType] = [part for part in (players, game, *rest) if part is not None]
    for domain in domains:
        drawn, used = _ring(scene, domain, inside, console)
        drawings.append(drawn)
        if used:
            inside = []
    legend = scene.faces.legend()
    return Group(*drawings, _spaced(inside), *([legend] if legend.plain else []))


# ---------------------------------------------------------------- a ring


def _ring(
    scene: TerminalScene, domain: Domain, inside: Sequence[RenderableType], console: Console
) -> tuple[RenderableType, bool]:
    """The drawing, and whether ``inside`` found room in its middle."""
    words = _shortened(scene, domain)
    cells = [list(_cell(scene, domain, member, words)) for member in domain.members]
    width = max(line.cell_len for cell in cells for line in cell)
    form = boards.shape(cells, console.width, min(max(width, _NARROW), _WIDE))
    room, height = form.middle
    lines: list[Text] = []
    if room >= _ROOM:
        spaced = _rendered(_spaced(inside), console, room)
        lines = spaced if len(spaced) <= height else _rendered(Group(*inside), console, room)
    fits = 0 < len(lines) <= height
    drawing = boards.draw(cells, form, lines if fits else ())
    legend = _legend(scene, words)
    return Group(*drawing, *([legend] if legend.plain else [])), fits


def _spaced(parts: Sequence[RenderableType]) -> RenderableType:
    """The parts with a blank line after each."""
    return Group(*(line for part in parts for line in (part, Text(""))))


def _rendered(what: RenderableType, console: Console, width: int) -> list[Text]:
    rows = console.render_lines(what, console.options.update(width=width), pad=False)
    return [Text.assemble(*(_piece(segment) for segment in row)) for row in rows]


def _piece(segment: Segment) -> tuple[str, str]:
    return (segment.text, str(segment.style) if segment.style else "")


def _shortened(scene: TerminalScene, domain: Domain) -> dict[str, dict[str, str]]:
    """Short names for everything a cell may show, by kind."""
    table = scene.program.tables.get(domain.name)
    types = [*(table.types.values() if table else ()), *(v.element or v.type for v in scene.owned(domain.name))]
    kinds = [kind for kind in map(_domain_of, types) if kind is not None]
    called = {(kind.name, m): scene.names.member(kind.name, m) for kind in kinds for m in kind.members}
    pool = short_names(called.values())
    words = {kind.name: {m: pool[called[kind.name, m]] for m in kind.members} for kind in kinds}
    names = [v.name for v in (*scene.owned(domain.name), *_markers(scene, domain))]
    words[""] = short_names(map(scene.label, names), 4) if names else {}
    return words


def _cell(scene: TerminalScene, domain: Domain, member: str, words: Mapping[str, Mapping[str, str]]) -> Iterator[Text]:
    head = Text(member, style="bold")
    for variable in _markers(scene, domain):
        for style, value in _values(scene, variable):
            if value == member:
                head.append(f" {_MARK}{words[''][scene.label(variable.name)]}", style=style or "bold yellow")
    columns, flags = _columns(scene, domain, member, words)
    yield head.append_text(flags)
    if columns.plain:
        yield columns
    for variable in scene.owned(domain.name):
        value = scene.at(variable, member)
        if is_empty(value):
            continue
        kind = _domain_of(variable.element or variable.type)
        short = words.get(kind.name, {}) if kind else {}
        style = scene.styles.get(value, "") if isinstance(value, str) else ""
        shown = short.get(value, value) if isinstance(value, str) else scene.told(value, kind)
        yield Text(f"{words[''][scene.label(variable.name)]} {shown}", style=style)


def _columns(
    scene: TerminalScene, domain: Domain, member: str, words: Mapping[str, Mapping[str, str]]
) -> tuple[Text, Text]:
    """The columns of the ring's table in short form, and its flags. A flag is shown only where it is the exception."""
    table = scene.program.tables.get(domain.name)
    parts: list[str] = []
    flags: list[str] = []
    row = domain.members.index(member)
    for column, type_ in table.types.items() if table and domain.first is None else ():
        values = table.cells[column] if table else ()
        value = values[row]
        kind = _domain_of(type_)
        if isinstance(type_, FlagType):
            if value and 4 * sum(map(bool, values)) <= len(domain):
                flags.append(f" ~{column}")
        elif value is None:
            continue
        elif kind is not None:
            parts.append(words[kind.name][kind.members[value]])
        else:
            parts.append(plain_text(value))
    return Text(" ".join(parts), style="dim"), Text("".join(flags), style="cyan")


def _markers(scene: TerminalScene, domain: Domain) -> list[Variable]:
    """Variables of the game or of a player whose value is a member of the ring."""
    found = [*scene.owned(), *scene.owned(PLAYER)]
    return [v for v in found if v.kind == "value" and _domain_of(v.type) == domain]


def _values(scene: TerminalScene, variable: Variable) -> Iterator[tuple[str, Any]]:
    if not variable.owners:
        yield "", scene.at(variable)
        return
    for seat in scene.program.seats:
        yield scene.styles[seat], scene.at(variable, seat)


def _domain_of(type_: object) -> Domain | None:
    if isinstance(type_, OptionalType):
        return _domain_of(type_.item)
    return type_.domain if isinstance(type_, MemberType) else None


def _legend(scene: TerminalScene, words: Mapping[str, Mapping[str, str]]) -> Text:
    pairs = {
        short: scene.names.member(kind, name) if kind else name
        for kind, names in words.items()
        for name, short in names.items()
    }
    told = (f"{short}={name}" for short, name in pairs.items() if short != name)
    return Text("  ".join(told), style="dim")


# ---------------------------------------------------------------- tables and lists


def _players(scene: TerminalScene) -> RenderableType | None:
    variables = [v for v in scene.owned(PLAYER) if any(not is_empty(scene.at(v, s)) for s in scene.program.seats)]
    score = scene.program.score
    variables.sort(key=lambda v: v.name != score)
    if not variables:
        return None
    table = plain_table("", *(scene.label(v.name) for v in variables))
    decision = scene.view.get("decision") or {}
    teams = team_of(scene.program)
    for number, seat in enumerate(scene.program.seats):
        here = decision.get("player") in (number, seat)
        name = Text(("▶ " if here else "  ") + scene.seat(seat), style=scene.styles[seat])
        if teams is not None:
            name.append(f" ({scene.program.domains['Team'].members[teams[number]]})", style="dim")
        table.add_row(name, *(scene.cell(v, seat) for v in variables))
    return table


def _game(scene: TerminalScene) -> RenderableType | None:
    lines = Text()
    for variable in scene.owned():
        value = scene.at(variable)
        if is_empty(value):
            continue
        lines.append("\n" if lines.plain else "")
        lines.append(f"{scene.label(variable.name)} ", style="dim")
        told = scene.cell(variable, most=_ALONG)
        lines.append_text(Text("\n") + told if "\n" in told.plain else told)  # tiles stand below their label
    return lines if lines.plain else None


def _others(scene: TerminalScene) -> Iterator[RenderableType]:
    seen: list[tuple[str, ...]] = []
    for variable in scene.program.variables.values():
        owners = tuple(o.domain.name for o in variable.owners)
        if owners in seen or not owners or owners == (PLAYER,) or not scene.owned(*owners):
            continue
        seen.append(owners)
        if len(owners) == 1:
            domain = variable.owners[0].domain
            if not domain.ring:
                yield squares(scene, domain) or _one_owner(scene, domain)
        elif len(owners) == 2:
            yield _two_owners(scene, variable.owners[0].domain, variable.owners[1].domain)
        else:
            yield _list(scene, scene.owned(*owners))


def _one_owner(scene: TerminalScene, domain: Domain) -> RenderableType:
    variables = scene.owned(domain.name)
    filled = [m for m in domain.members if any(not is_empty(scene.at(v, m)) for v in variables)]
    if not filled:
        places = ", ".join(scene.label(v.name) for v in variables)
        said = scene.names.words.say("table.empty", places=f"{scene.label(domain.name)}: {places}")
        return Text(said, style="dim")
    if len(variables) == 1 and len(filled) <= _MANY_ROWS:
        line = Text(f"{scene.label(variables[0].name)} ", style="dim")
        for i, member in enumerate(filled):
            line.append("  " if i else "")
            line.append(f"{scene.names.member(domain.name, member)}: ", style="dim")
            line.append_text(scene.cell(variables[0], member))
        return Text("").append_text(line)
    rows = domain.members if len(domain) <= _MANY_ROWS else filled
    table = plain_table(scene.label(domain.name), *(scene.label(v.name) for v in variables))
    for member in rows:
        table.add_row(scene.names.member(domain.name, member), *(scene.cell(v, member) for v in variables))
    if len(rows) < len(domain):
        left = len(domain) - len(rows)
        said = scene.names.words.say("table.more_empty", n=left, what=scene.label(domain.name))
        return Group(table, Text(said, style="dim"))
    return table


def _two_owners(scene: TerminalScene, first: Domain, second: Domain) -> RenderableType:
    """A grid with the players along the top, whichever of the two owners they are."""
    turned = first.name == PLAYER
    across, down = (first, second) if turned else (second, first)
    variables = scene.owned(first.name, second.name)
    short = short_names(scene.program.seats, 2)
    table = plain_table(scene.label(down.name), *(scene.names.member(across.name, m) for m in across.members))
    for number, member in enumerate(across.members, 1):
        if member in scene.styles:
            table.columns[number].header_style = scene.styles[member]
    for row in down.members:
        cells: list[Text] = []
        for column in across.members:
            members = (column, row) if turned else (row, column)
            shown = [(v, scene.at(v, *members)) for v in variables if not is_empty(scene.at(v, *members))]
            text = Text()
            for variable, value in shown:
                text.append("\n" if text.plain else "")
                if len(variables) > 1:
                    text.append(f"{scene.label(variable.name)} ", style="dim")
                if value in scene.styles if isinstance(value, str) else False:
                    text.append(short[value], style=scene.styles[value])
                else:
                    shown_cell = scene.cell(variable, *members)
                    text.append("\n" if "\n" in shown_cell.plain and text.plain else "").append_text(shown_cell)
            cells.append(text if text.plain else Text("·", style="dim"))
        table.add_row(scene.names.member(down.name, row), *cells)
    return table


def _list(scene: TerminalScene, variables: Sequence[Variable]) -> RenderableType:
    lines = Text()
    for variable in variables:
        lines.append("\n" if lines.plain else "")
        lines.append(f"{scene.label(variable.name)} ", style="dim")
        lines.append_text(scene.cell(variable))
    return lines
