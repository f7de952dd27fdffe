"""The pieces and boards of a game in their numbers, front and back, and sheets of them to print and cut."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias
from zlib import crc32

import attrs

from rulelang.program import Program
from rulelang.program.nodes import Variable
from rulelang.types import Domain, MemberType, NumberType, OptionalType

from ..rulebook.languages.catalogue import counted, say
from .build.facts import PLAYER, domain_of, facts_of
from .build.pieces import Contents, Maker
from .build.reuse import Reader
from .build.zones import Boards
from .layout import pieces
from .layout.boxes import Box, centred, column, lines_of, longest, text
from .layout.fit import fit
from .looks import look_for
from .paint import paint
from .scene.nodes import Node, cells


@attrs.frozen
class Stock:
    """All pieces of one sort. ``name``: the domain of their kinds; of players' pieces and of numbers the place where
    they lie ready. ``counts``: how many there are of each kind. ``places``: the variables they lie ready in; ``heaps``:
    the one of each kind, where they lie in several heaps of the whole table that share no kind.
    """

    name: str
    of: Domain | NumberType
    counts: Counter[str]
    places: tuple[Variable, ...]
    heaps: Mapping[str, str] = attrs.field(factory=dict)


def stock_of(program: Program) -> list[Stock]:
    """The sorts of pieces, in the order in which the rules name the places where they lie; then what can be owned."""
    from interpreter.loading import game_of

    values = game_of(program, "reference").blank().values()
    found: dict[str, Stock] = {}
    lying: dict[str, list[tuple[Variable, Counter[str]]]] = {}
    for variable in program.variables.values():
        kind, inside = variable.element, pieces_in(variable, values)
        if kind is None or variable.bookkeeping or not inside:
            continue
        of = kind if isinstance(kind, NumberType) else kind.domain
        name = variable.name if isinstance(of, NumberType) or of.name == PLAYER else of.name
        before = found.get(name, Stock(name, of, Counter(), ()))
        found[name] = Stock(name, of, before.counts + inside, (*before.places, variable))
        lying.setdefault(name, []).append((variable, inside))
    for variable in belongings(program):
        domain = variable.owners[0].domain
        found.setdefault(domain.name, Stock(domain.name, domain, Counter(domain.members), (variable,)))
    return [attrs.evolve(stock, heaps=_heaps(lying.get(stock.name, ()))) for stock in found.values()]


def _heaps(lying: Sequence[tuple[Variable, Counter[str]]]) -> Mapping[str, str]:
    """The place of each kind; nothing where one heap holds all, a kind lies in two, or players have some."""
    apart = {kind: variable.name for variable, inside in lying for kind in inside}
    shared = len(apart) < sum(len(inside) for _, inside in lying)
    return {} if len(lying) < 2 or shared or any(variable.owners for variable, _ in lying) else apart


def belongings(program: Program) -> list[Variable]:
    """What says whose each member of a domain is, or that it is nobody's: these members are things to be owned."""
    facts = facts_of(program)
    found = []
    for variable in facts.shown:
        owners = [owner.domain.name for owner in variable.owners]
        owned = variable.kind == "value" and isinstance(variable.type, OptionalType)
        if owned and domain_of(variable.type) == program.domains[PLAYER] and len(owners) == 1:
            if owners[0] not in {PLAYER, *facts.stages}:
                found.append(variable)
    return found


def most(stocks: Sequence[Sequence[Stock]]) -> list[Stock]:
    """Of each sort and kind the most that there are in any of several stocks."""
    found: dict[str, Stock] = {}
    for stock in (stock for listed in stocks for stock in listed):
        before = found.get(stock.name, stock)
        heaps = {**before.heaps, **stock.heaps}
        found[stock.name] = attrs.evolve(stock, counts=before.counts | stock.counts, heaps=heaps)
    return list(found.values())


def added(stocks: Sequence[Stock], base: Sequence[Stock]) -> list[Stock]:
    """What there is beyond a base."""
    known = {stock.name: stock.counts for stock in base}
    left = (attrs.evolve(stock, counts=stock.counts - known.get(stock.name, Counter())) for stock in stocks)
    return [stock for stock in left if stock.counts]


def pieces_in(variable: Variable, values: Mapping[str, Any]) -> Counter[str]:
    """How many pieces of each kind lie in all places of a variable. ``values``: as ``State.values`` gives them."""
    found: Counter[str] = Counter()
    for _, content in cells(variable.name, values.get(variable.name), len(variable.owners)):
        found.update(counted_pieces(content))
    return found


def counted_pieces(content: Any) -> Counter[str]:
    """The pieces in a place of any kind, by kind."""
    if content is None:
        return Counter()
    if isinstance(content, Mapping):
        return Counter({str(kind): number for kind, number in content.items() if number})
    if isinstance(content, list):
        return Counter(str(one["piece"]) if isinstance(one, Mapping) else str(one) for one in content)
    return Counter([str(content)])


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
            inner = pieces.tile(node, min(wide, high))
        case "token", "token":
            inner = pieces.face(node.look, min(wide, high) * 52 / 60)
        case _, "card":  # as high as it is on paper, with what it says at its top
            return attrs.evolve(pieces.card(node, wide), height=high, alt=node.alt)
        case _:
            inner = _plain(node, wide, high)
    return attrs.evolve(centred(inner, wide, high), alt=node.alt)


def _drawn(nodes: Sequence[Node], form: Form, size: tuple[float, float]) -> tuple[float, float]:
    """Width and height of pieces while they are drawn: larger where a card says more than there is room for."""
    wide = _WIDTHS[form]
    cards = [node for node in nodes if node.kind == "card"]
    while wide < 4 * _WIDTHS[form] and any(pieces.card(node, wide).height > wide * size[1] / size[0] for node in cards):
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
    parts = [pieces.face(node.look, wide * 0.55)] if node.kind == "token" else []
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
BOARD = 480.0
"""The same on a table, in mm: a token fits on a field."""


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
    """Pieces of one sort. ``size`` in mm; ``mixed``: they lie ready together, in a stack or bag."""

    name: str
    label: str
    form: Form
    size: tuple[float, float]
    mixed: bool
    faces: tuple[Face, ...]

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
    """``picture``: its name; ``ratio`` of height to width."""

    picture: str
    label: str
    ratio: float


@attrs.frozen
class Sheets:
    """All pieces and boards of a game, with ``pictures`` by name."""

    game: str
    title: str
    sorts: tuple[Sort, ...]
    boards: tuple[Board, ...]
    pictures: Mapping[str, Box]

    def plain(self) -> dict[str, Any]:
        """What there is, as JSON holds it."""
        sorts = [
            {"name": s.name, "label": s.label, "form": s.form, "size": list(s.size), "pieces": len(s.fronts)}
            for s in self.sorts
        ]
        return {"game": self.game, "sorts": sorts, "boards": [board.label for board in self.boards]}


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
    last = programs[-1]
    make = Maker(facts_of(last), look_for(last, lang))
    stocks = added(most([stock_of(p) for p in programs]), most([stock_of(p) for p in base]))
    pictures: dict[str, Box] = {}
    sorts = tuple(_sort(stock, make, sizes, pictures) for stock in stocks)
    boards = tuple(_boards(programs, base, lang, pictures))
    if not sorts and not boards:
        raise NothingToPrint("it adds no pieces and no board" if base else "it has no pieces and no board")
    return Sheets(last.name, last.title, sorts, boards, pictures)


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


def _boards(
    programs: Sequence[Program], base: Sequence[Program], lang: str | None, pictures: dict[str, Box]
) -> Iterator[Board]:
    """The boards, each of those that differ once, with the numbers of players that it is for."""
    seen = {repr(node) for program in base for node in _empty(program, lang)}
    found: dict[str, tuple[Node, list[int]]] = {}
    for program in programs:
        for node in _empty(program, lang):
            if repr(node) not in seen:
                found.setdefault(repr(node), (node, []))[1].append(program.players)
    for number, (node, players) in enumerate(found.values()):
        box = fit(node, _BOARD)
        name = f"board-{number}"
        pictures[name] = Box(box.width, box.height, "page", inside=((0, 0, box),), alt=node.alt)
        label = node.label if len(players) == len(programs) else f"{node.label} ({for_players(players, lang)})"
        yield Board(name, label, box.height / box.width)


def for_players(numbers: Sequence[int], lang: str | None) -> str:
    """Numbers of players, in words."""
    if len(numbers) > 1:
        return say("players_range", lang, low=numbers[0], high=numbers[-1])
    return counted("players", lang, numbers[0])


def _empty(program: Program, lang: str | None) -> list[Node]:
    """The boards with nothing on them."""
    from interpreter.loading import game_of

    values = game_of(program, "reference").blank().values()
    state = {name: values[name] for name, variable in program.variables.items() if variable.owners and name in values}
    return list(Boards(Contents(Maker(facts_of(program), look_for(program, lang)), Reader(state))).all())


PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height in mm, by the names that Typst has for them too (``letter`` is ``us-letter``)."""
MARGIN = 10.0
"""What printers leave blank, in mm; the cutting marks lie in it."""


@attrs.frozen
class Cells:
    """The grid of a page: pieces of one size, ``columns`` by ``rows``, from ``left`` and ``top``; all in mm."""

    width: float
    height: float
    columns: int
    rows: int
    left: float
    top: float

    @classmethod
    def on(cls, paper: tuple[float, float], size: tuple[float, float]) -> Cells:
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


def pages(faces: Sequence[str], cells: Cells) -> Iterator[Sequence[str]]:
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
    return head + "\n" + "\n#pagebreak()\n".join(made) + "\n"


def _pieces(sheets: Sheets, sorts: Sequence[Sort], paper: tuple[float, float], lang: str | None) -> Iterator[str]:
    """Pages of pieces of one size."""
    cells = Cells.on(paper, sorts[0].size)
    sides = [[face for sort in sorts for face in sort.fronts], [face for sort in sorts for face in sort.backs]]
    labels = ", ".join(sort.label for sort in sorts)
    for number, (fronts, backs) in enumerate(zip(*(pages(side, cells) for side in sides), strict=True), 1):
        for side, faces in (("front", fronts), ("back", backs)):
            words = f"{sheets.title} · {labels} · {number} · {say(f'sheet_{side}', lang)}"
            yield _page(faces, cells, paper, words, mirrored=side == "back")


def _page(faces: Sequence[str], cells: Cells, paper: tuple[float, float], words: str, *, mirrored: bool) -> str:
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


def _string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
