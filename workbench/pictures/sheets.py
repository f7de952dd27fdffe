"""The pieces and boards of a game in their numbers, front and back, and sheets of them to print and cut."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any, Literal, TypeAlias
from zlib import crc32

import attrs

from rulelang.program import Program
from rulelang.types import Domain, MemberType, NumberType

from ..rulebook.languages.catalogue import counted, say
from .build.facts import PLAYER, facts_of
from .build.piece_parts import Contents, Maker
from .build.reuse import Reader
from .build.zones import Boards
from .layout import piece_boxes
from .layout.boxes import Box, centred, column, lines_of, longest, text
from .layout.fit import fit
from .looks import look_for
from .paint import paint
from .paint.colours import Colour, colour_of
from .scene.nodes import Node
from .stock import Die, Number, Standing, Stock, added, dice_of, kept_numbers, most, standing, stock_of

Form: TypeAlias = Literal["tile", "card", "token"]

SIZES: Mapping[Form, tuple[float, float]] = {"tile": (45.0, 45.0), "card": (56.0, 86.0), "token": (18.0, 18.0)}
"""Width and height on paper, in mm: landscape tiles, bridge cards, chips."""
_WIDTHS: Mapping[Form, float] = {"tile": 170.0, "card": 105.0, "token": 60.0}
"""The width while they are drawn, in pixels."""


def form_of(stock: Stock, make: Maker) -> Form:
    """What the pieces of a sort are: tiles, cards (what has a card's face, or lies in stacks), or tokens."""
    of = stock.of
    if isinstance(of, Domain) and of.name in make.facts.tiles:
        return "tile"
    if isinstance(of, Domain) and of.name == PLAYER:
        return "token"
    stacked = any(variable.kind == "stack" for variable in stock.places)
    if stacked or (isinstance(of, Domain) and make.facts.is_card(of)):
        return "card"
    return "tile" if _node(stock, next(iter(stock.counts)), make).kind == "pill" else "token"


def front(node: Node, form: Form, wide: float, high: float) -> Box:
    """A piece from the front."""
    match form, node.kind:
        case "tile", "tile":
            inner = piece_boxes.tile(node, min(wide, high))
        case "token", "token":
            inner = piece_boxes.face(node.look, min(wide, high) * 52 / 60)
        case _, "card":  # as high as it is on paper, with what it says at its top
            return attrs.evolve(piece_boxes.card(node, wide), height=high, alt=node.alt)
        case _:
            inner = _plain(node, wide, high)
    return attrs.evolve(centred(inner, wide, high), alt=node.alt)


def _drawn(nodes: Sequence[Node], form: Form, size: tuple[float, float]) -> tuple[float, float]:
    """Width and height of pieces while they are drawn: larger where a card says more than there is room for."""
    wide = _WIDTHS[form]
    cards = [node for node in nodes if node.kind == "card"]
    while wide < 4 * _WIDTHS[form] and any(
        piece_boxes.card(node, wide).height > wide * size[1] / size[0] for node in cards
    ):
        wide *= 1.1
    return wide, wide * size[1] / size[0]


def back(stock: Stock, form: Form, wide: float, high: float, make: Maker, heap: str = "") -> Box:
    """All pieces of a sort from behind: their colour and what they are called.

    ``heap``: the place where these lie ready, if others of the sort lie elsewhere; they have another colour then.
    """
    number = list(dict.fromkeys(stock.heaps.values())).index(heap) if heap else 0
    hue = f"kind:{crc32(stock.name.encode()) % 64 + number}:{stock.name}"  # the same in a game and in its expansions
    label = make.look.label(stock.name)
    font = min(18.0 if form != "token" else 8.0, (wide - 18) / longest(label))
    tone = f"on {hue}"
    lines = [text(line, font, tone, bold=True) for line in lines_of(label, font, wide - 16, True, most=3)]
    if heap:
        lines += [
            text(line, font * 0.7, tone) for line in lines_of(make.look.label(heap), font * 0.7, wide - 16, most=2)
        ]
    if form != "token":
        lines.append(text(make.facts.program.title, 11, tone))
    return attrs.evolve(centred(column(lines, 6, "middle"), wide, high, "strip", {"hue": hue}), alt=label)


def _node(stock: Stock, kind: str, make: Maker) -> Node:
    if not isinstance(stock.of, Domain):
        return make.number(int(kind))
    if all(variable.element is None for variable in stock.places):
        shape = make.look.of(stock.places[0].name).shape
        return make.piece(stock.of, kind, shape=shape)
    return make.element(MemberType(stock.of), kind, "", make.shape_of(stock.places[0].name))


def _plain(node: Node, wide: float, high: float) -> Box:
    """What has no face of its own: its sign, if it has one, with its name."""
    hue = node.look.get("hue", "plain")
    parts = [piece_boxes.face(node.look, wide * 0.55)] if node.kind == "token" else []
    words = node.label or node.alt
    if node.kind != "token" or words != node.look.get("text"):
        size = min(17.0, (wide - 20) / longest(words))
        parts += [text(line, size, bold=True) for line in lines_of(words, size, wide - 19, True, most=3)]
    inner = column(parts, 8, "middle")
    place = ((wide - inner.width) / 2, (high - inner.height) / 2 + 5, inner)
    return Box(wide, high, "card", {"hue": hue, "strip": 12.0}, (place,))


def as_svg(box: Box, size: tuple[int, int] | None = None, bleed: float = 0) -> str:
    """The SVG of a piece or a board. ``size``: as an image of so many pixels, on paper; else on nothing. ``bleed``: how
    far what is at its edge goes on beyond it, as a share of its width.
    """
    inner = _beyond(box, bleed * box.width)
    data = {"title": box.alt, "alt": box.alt}
    form = "group" if size is None else "page"
    return paint(Box(inner.width, inner.height, form, data, ((0, 0, inner),)), size=size)


def _beyond(box: Box, more: float) -> Box:
    """A box with its edge so much farther out on all sides."""
    edge = {"strip": box.data["strip"] + more} if box.form == "card" else {}
    inside = tuple(
        (x, y, _beyond(b, more)) if b.form in _EDGED and b.width == box.width else (x + more, y + more, b)
        for x, y, b in box.inside
    )
    wide, high = box.width + 2 * more, box.height + 2 * more
    return attrs.evolve(box, width=wide, height=high, data={**box.data, **edge}, inside=inside)


_EDGED = frozenset({"card", "strip", "tile"})
"""Forms of boxes that are painted up to their edge."""


_BOARD = 720.0
"""The width of a board while it is drawn, in pixels."""
_ON_TABLE = 480.0
"""The same on a table, in mm: several tokens fit on a field."""
_SQUARE = 25.0
"""The width of the squares of boards on which one piece stands at most, in mm."""


class NothingToPrint(ValueError):
    """The game has no piece and no board."""


@attrs.frozen
class Face:
    """Pieces that look alike, ``count`` of them. ``front``, ``back``: the names of pictures."""

    label: str
    count: int
    front: str
    back: str


@attrs.frozen
class Sort:
    """Pieces of one sort. ``size`` in mm; ``mixed``: they lie ready together, in a stack or bag. ``start``: the
    addresses on a board where some stand when a game begins, each with the number of its face."""

    name: str
    label: str
    form: Form
    size: tuple[float, float]
    mixed: bool
    faces: tuple[Face, ...]
    start: tuple[tuple[str, int], ...] = ()

    @property
    def fronts(self) -> tuple[str, ...]:
        """The picture of each piece."""
        return tuple(face.front for face in self.faces for _ in range(face.count))

    @property
    def backs(self) -> tuple[str, ...]:
        """The picture of each piece from behind."""
        return tuple(face.back for face in self.faces for _ in range(face.count))


@attrs.frozen
class Board:
    """``picture``: its name; ``ratio`` of height to width; ``width`` on a table in mm. ``spots``: the middle of each
    member by its address, as shares of width and height."""

    picture: str
    label: str
    ratio: float
    width: float
    spots: Mapping[str, tuple[float, float]]

    @property
    def size(self) -> tuple[float, float]:
        """Width and height on a table in mm."""
        return self.width, round(self.width * self.ratio, 1)


@attrs.frozen
class Sheets:
    """All pieces and boards of a game, with ``pictures`` by name. ``dice`` and ``numbers``: what has no picture;
    ``seats``: the letters and the colour of each player's markers."""

    game: str
    title: str
    sorts: tuple[Sort, ...]
    boards: tuple[Board, ...]
    pictures: Mapping[str, Box]
    dice: tuple[Die, ...]
    numbers: tuple[Number, ...]
    seats: tuple[tuple[str, Colour], ...] = ()

    def plain(self) -> dict[str, Any]:
        """What there is, as JSON holds it."""
        sorts = [
            {"name": s.name, "label": s.label, "form": s.form, "size": list(s.size), "pieces": len(s.fronts)}
            for s in self.sorts
        ]
        return {"game": self.game, "sorts": sorts, "boards": [board.label for board in self.boards]}

    def missing(self, dice: Sequence[Die], numbers: Sequence[Number]) -> list[str]:
        """What is not among the pieces and boards, in words. ``dice`` and ``numbers``: those that are missing."""
        found = [] if self.sorts else ["the rules have no pieces that could be drawn"]
        found += [] if self.boards else ["the rules have no board that could be drawn"]
        found += [f"{die.count} {'die' if die.count == 1 else 'dice'}: {die.detail}" for die in dice]
        found += [f"numbers to keep count of: {', '.join(number.label for number in numbers)}"] if numbers else []
        return found


def sheets_of(
    programs: Sequence[Program],
    base: Sequence[Program] = (),
    lang: str | None = None,
    sizes: Mapping[Form, tuple[float, float]] = SIZES,
) -> Sheets:
    """The pieces of a game: enough for each of the numbers of players that ``programs`` are for.

    ``base``: of the game that an expansion is for; what is in it already is left out. ``sizes``: those on paper, in
    mm. Raises NothingToPrint.
    """
    last, make = programs[-1], _maker(programs[-1], lang)
    stocks = added(most([stock_of(p) for p in programs]), most([stock_of(p) for p in base]))
    pictures: dict[str, Box] = {}
    sorts = [_sort(stock, make, sizes, pictures) for stock in stocks]
    known = {stand.name: stand.counts for stand in (standing(base[-1], _maker(base[-1], lang)) if base else ())}
    stands = list(standing(last, make))
    sorts += [_figures(stand, known.get(stand.name, Counter()), sizes, pictures) for stand in stands]
    sorts = [sort for sort in sorts if sort.faces]
    boards = tuple(_boards(programs, base, lang, pictures, {stand.name for stand in stands}))
    if not sorts and not boards:
        raise NothingToPrint("it adds no pieces and no board" if base else "it has no pieces and no board")
    dice, numbers = _loose(last, make, stands)
    if base:
        old_dice, old_numbers = _loose(base[-1], _maker(base[-1], lang), stands)
        dice = [die for die in dice if die not in old_dice]
        numbers = [number for number in numbers if number not in old_numbers]
    return Sheets(last.name, last.title, tuple(sorts), boards, pictures, tuple(dice), tuple(numbers), _seats(make))


def _seats(make: Maker) -> tuple[tuple[str, Colour], ...]:
    players = make.facts.domain(PLAYER)
    looks = (make.token(players, seat, "", "disc").look for seat in players.members)
    return tuple((str(look["text"]), colour_of(str(look["hue"]))) for look in looks)


def _loose(program: Program, make: Maker, stands: Sequence[Standing]) -> tuple[list[Die], list[Number]]:
    """The dice, and the numbers that no piece stands for."""
    names = {stand.name for stand in stands}
    return list(dice_of(make.facts, make.look)), list(kept_numbers(program, make.look, names))


def _maker(program: Program, lang: str | None) -> Maker:
    return Maker(facts_of(program), look_for(program, lang))


def _sort(stock: Stock, make: Maker, sizes: Mapping[Form, tuple[float, float]], pictures: dict[str, Box]) -> Sort:
    form = form_of(stock, make)
    nodes = [_node(stock, kind, make) for kind in stock.counts]
    wide, high = _drawn(nodes, form, sizes[form])
    heaps = list(dict.fromkeys(stock.heaps.get(kind, "") for kind in stock.counts))
    alike = getattr(stock.of, "name", None) == PLAYER  # players' pieces look the same from both sides
    faces = []
    for number, (kind, node) in enumerate(zip(stock.counts, nodes, strict=True)):
        name = f"{stock.name}-{number}".lower()
        behind = f"{stock.name}-back{heaps.index(stock.heaps.get(kind, ''))}".lower()
        pictures[name] = front(node, form, wide, high)
        faces.append(Face(node.label or node.alt, stock.counts[kind], name, name if alike else behind))
    for number, heap in enumerate(() if alike else heaps):
        pictures[f"{stock.name}-back{number}".lower()] = back(stock, form, wide, high, make, heap)
    mixed = any(variable.kind in ("stack", "bag") for variable in stock.places)
    return Sort(stock.name, make.look.label(stock.name), form, sizes[form], mixed, tuple(faces))


def _figures(
    stand: Standing,
    known: Mapping[str, int],
    sizes: Mapping[Form, tuple[float, float]],
    pictures: dict[str, Box],
) -> Sort:
    """What stands on a board; it looks the same from both sides."""
    wide, high = _drawn((), "token", sizes["token"])
    faces: list[Face] = []
    for number, (name, count) in enumerate(stand.counts.items()):
        if count > known.get(name, 0):
            picture = f"{stand.name}-{number}".lower()
            pictures[picture] = front(stand.nodes[name], "token", wide, high)
            faces.append(Face(name, count - known.get(name, 0), picture, picture))
    numbers = {face.label: number for number, face in enumerate(faces)}
    start = () if known else tuple((address, numbers[name]) for address, name in stand.start)
    return Sort(stand.name, stand.label, "token", sizes["token"], False, tuple(faces), start)


def _boards(
    programs: Sequence[Program],
    base: Sequence[Program],
    lang: str | None,
    pictures: dict[str, Box],
    pieces: Set[str],
) -> Iterator[Board]:
    """The boards, each of those that differ once, with the numbers of players that it is for."""
    seen = {repr(node) for program in base for node in _empty(program, lang, pieces)}
    found: dict[str, tuple[Node, list[int]]] = {}
    for program in programs:
        for node in _empty(program, lang, pieces):
            if repr(node) not in seen:
                found.setdefault(repr(node), (node, []))[1].append(program.players)
    for number, (node, players) in enumerate(found.values()):
        box = fit(node, _BOARD)
        name = f"board-{number}"
        pictures[name] = Box(box.width, box.height, "page", inside=((0, 0, box),), alt=node.alt)
        label = node.label if len(players) == len(programs) else f"{node.label} ({for_players(players, lang)})"
        spots = dict(_spots(node, box))
        width = _ON_TABLE
        if node.kind == "board":
            square = min(inner.width for _, _, inner in box.walk() if inner.address in spots)
            width = min(width, _SQUARE * box.width / square)
        yield Board(name, label, box.height / box.width, round(width, 1), spots)


def _spots(node: Node, box: Box) -> Iterator[tuple[str, tuple[float, float]]]:
    """The middle of each member of a board, as shares of its width and height."""
    for x, y, inner in box.walk():
        if inner.address.startswith(f"{node.address}:"):
            points = inner.data.get("points") or [(0.0, 0.0), (inner.width, inner.height)]
            middle = [sum(each) / len(points) for each in zip(*points, strict=True)]
            yield inner.address, ((x + middle[0]) / box.width, (y + middle[1]) / box.height)


def for_players(numbers: Sequence[int], lang: str | None) -> str:
    """Numbers of players, in words."""
    if len(numbers) > 1:
        return say("players_range", lang, low=numbers[0], high=numbers[-1])
    return counted("players", lang, numbers[0])


def _empty(program: Program, lang: str | None, pieces: Set[str]) -> list[Node]:
    """The boards with nothing on them. ``pieces``: the variables that are pieces."""
    from interpreter.loading import game_of

    values = game_of(program, "reference").blank().values()
    state = {name: values[name] for name, variable in program.variables.items() if variable.owners and name in values}
    for name in pieces & state.keys():
        if isinstance(program.variables[name].type, NumberType):
            state[name] = dict.fromkeys(state[name], 0)
    return list(Boards(Contents(_maker(program, lang), Reader(state))).all())


PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height in mm, by the names that Typst has for them too (``letter`` is ``us-letter``)."""
MARGIN = 10.0
"""What printers leave blank, in mm; the cutting marks lie in it."""


@attrs.frozen
class SheetGrid:
    """The grid of a page: pieces of one size, ``columns`` by ``rows``, from ``left`` and ``top``; all in mm."""

    width: float
    height: float
    columns: int
    rows: int
    left: float
    top: float

    @classmethod
    def on(cls, paper: tuple[float, float], size: tuple[float, float]) -> SheetGrid:
        """As many as there is room for; at least one."""
        wide, high = paper
        columns = max(1, int((wide - 2 * MARGIN) // size[0]))
        rows = max(1, int((high - 2 * MARGIN) // size[1]))
        return cls(*size, columns, rows, (wide - columns * size[0]) / 2, (high - rows * size[1]) / 2)

    @property
    def number(self) -> int:
        return self.columns * self.rows

    def at(self, index: int, *, mirrored: bool = False) -> tuple[float, float]:
        """The upper left corner of a cell, row by row; ``mirrored``: seen from behind, turned over its long edge."""
        row, column = divmod(index, self.columns)
        column = self.columns - 1 - column if mirrored else column
        return self.left + column * self.width, self.top + row * self.height

    def marks(self, paper: tuple[float, float]) -> Iterator[tuple[float, float, float, float]]:
        """The ends of the cutting marks, at every edge of a piece, outside of all pieces."""
        wide, high = paper
        right, low = self.left + self.columns * self.width, self.top + self.rows * self.height
        for edge in range(self.columns + 1):
            x = self.left + edge * self.width
            yield x, max(2.0, self.top - 6), x, self.top - 1
            yield x, low + 1, x, min(high - 2, low + 6)
        for edge in range(self.rows + 1):
            y = self.top + edge * self.height
            yield max(2.0, self.left - 6), y, self.left - 1, y
            yield right + 1, y, min(wide - 2, right + 6), y


def pages(faces: Sequence[str], cells: SheetGrid) -> Iterator[Sequence[str]]:
    """The faces page by page."""
    for at in range(0, len(faces), cells.number):
        yield faces[at : at + cells.number]


_NAMES = {"a4": "a4", "letter": "us-letter"}


def as_typst(sheets: Sheets, paper: str, lang: str | None = None) -> str:
    """The whole text; a picture is expected in the file ``NAME.svg``. ``paper``: of PAPERS."""
    size = PAPERS[paper]
    head = f'#set page(paper: "{_NAMES[paper]}", margin: 0pt)\n#set text(font: "DejaVu Sans", size: 7pt)'
    by_size: dict[tuple[float, float], list[Sort]] = {}
    for sort in sheets.sorts:
        by_size.setdefault(sort.size, []).append(sort)
    made = [page for sorts in by_size.values() for page in _pieces(sheets, sorts, size, lang)]
    made += [_board(board.picture, board.ratio, size) for board in sheets.boards]
    made += _counting(sheets)
    return head + "\n" + "\n#pagebreak()\n".join(made) + "\n"


def _pieces(sheets: Sheets, sorts: Sequence[Sort], paper: tuple[float, float], lang: str | None) -> Iterator[str]:
    """Pages of pieces of one size."""
    cells = SheetGrid.on(paper, sorts[0].size)
    sides = [[face for sort in sorts for face in sort.fronts], [face for sort in sorts for face in sort.backs]]
    labels = ", ".join(sort.label for sort in sorts)
    for number, (fronts, backs) in enumerate(zip(*(pages(side, cells) for side in sides), strict=True), 1):
        for side, faces in (("front", fronts), ("back", backs)):
            words = f"{sheets.title} · {labels} · {number} · {say(f'sheet_{side}', lang)}"
            yield _page(faces, cells, paper, words, mirrored=side == "back")


def _page(faces: Sequence[str], cells: SheetGrid, paper: tuple[float, float], words: str, *, mirrored: bool) -> str:
    lines = [_line(*ends) for ends in cells.marks(paper)]
    for index, face in enumerate(faces):
        x, y = cells.at(index, mirrored=mirrored)
        image = f'image("{face}.svg", width: {cells.width}mm, height: {cells.height}mm)'
        lines.append(f"#place(dx: {x:.2f}mm, dy: {y:.2f}mm, {image})")
    lines.append(f"#place(dx: {MARGIN}mm, dy: {paper[1] - 4.5:.2f}mm, {_string(words)})")
    return "\n".join(lines)


def _line(x: float, y: float, to_x: float, to_y: float) -> str:
    ends = f"start: ({x:.2f}mm, {y:.2f}mm), end: ({to_x:.2f}mm, {to_y:.2f}mm)"
    return f"#place(line({ends}, stroke: 0.3pt))"


def _board(name: str, ratio: float, paper: tuple[float, float]) -> str:
    """A board as large as the page allows, turned where that makes it larger."""
    wide, high = paper[0] - 2 * MARGIN, paper[1] - 2 * MARGIN
    turned = ratio < 1
    room, across = (high, wide) if turned else (wide, high)
    width = min(room, across / ratio)
    image = f'image("{name}.svg", width: {width:.2f}mm)'
    shown = f"rotate(90deg, reflow: true, {image})" if turned else image
    return f"#place(center + horizon, {shown})"


_FIELDS = """\
#let track(label, numbers, starts) = block(above: 6mm, breakable: false, text(11pt, strong(label)) + v(-1mm) + grid(
  columns: 10 * (18mm,), rows: 11mm, stroke: 0.4pt, align: center + horizon,
  ..numbers.map(one => grid.cell(fill: if one in starts { luma(225) }, text(11pt, str(one))))))
#let marker(letters, fill, ink) = box(inset: 0.5mm, circle(radius: 5mm, fill: fill, stroke: 0.5pt,
  align(center + horizon, text(10pt, fill: ink, strong(letters)))))
"""


_COINS = {1: 6, 5: 4, 20: 3}
"""How many coins of each worth there are for each player."""


def _counting(sheets: Sheets) -> Iterator[str]:
    """A track for each number that everybody sees, a marker for each whose it is, and coins for what is secret."""
    lines: list[str] = []
    discs: list[tuple[str, Colour]] = []
    for number in sheets.numbers:
        whose = sheets.seats if "" not in number.values else ((number.label[:1].upper(), colour_of("plain")),)
        if number.track:
            fields, starts = ("".join(f"{one}, " for one in some) for some in (number.track, {*number.values.values()}))
            lines.append(f"#track({_string(number.label)}, ({fields}), ({starts}))")
            discs += whose
        elif number.coins:
            for worth, count in _COINS.items():
                discs += count * len(whose) * [(str(worth), colour_of("gold"))]
    if discs:
        cut = [f'marker({_string(words)}, rgb("{hue.fill}"), rgb("{hue.ink}"))' for words, hue in discs]
        body = [*lines, f"#block(above: 6mm, par({{{' + '.join(cut)}}}))"]
        yield "\n".join([f"#[#set page(margin: {MARGIN}mm)", _FIELDS, *body, "]"])


def _string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
