"""Place a Scene on a page of some width: every part gets its box."""

from __future__ import annotations

from itertools import groupby

from ..scene.nodes import Node, Scene
from .boxes import Box, column, flow, lines_of, text
from .fit import fit, line, natural_width, players
from .rings import room_of
from .room import ROOMS, Rooms

_WIDE = 860.0
_GAP = 10.0


def place(
    scene: Scene, width: float = 1200, *, titled: bool = True, close: bool = False, rooms: Rooms | None = None
) -> Box:
    """The boxes of a Scene on a page ``width`` pixels wide, as high as it needs to be.

    ``titled``: with its title. ``close``: as many players beside each other as their areas allow without being drawn
    smaller, however narrow the page: for pictures that never change. ``rooms``: what room places are given
    for what may come.
    """
    token = ROOMS.set(rooms)
    try:
        return _placed(scene, width, titled, close)
    finally:
        ROOMS.reset(token)


def _placed(scene: Scene, width: float, titled: bool, close: bool) -> Box:
    room = width - 2 * _GAP
    parts: dict[str, list[Node]] = {"table": [], "players": []}
    boards: list[Node] = []
    rest: list[Node] = []
    for node in scene.root.children:
        name = str(node.look.get("part", ""))
        if name:
            parts[name].append(node)
        elif node.kind in ("ring", "board", "map", "facing"):
            boards.append(node)
        else:
            rest.append(node)
    blocks = [_title(scene.title, room)] if titled else []
    beside = width >= _WIDE and any(node.kind != "facing" for node in boards)
    if beside:
        blocks.append(_beside(boards, parts, room))
    else:
        blocks += _boards(boards, room)
        blocks = _with_table(blocks, parts["table"], room)
        blocks += [players(node, room, _columns(node, width, room, close)) for node in parts["players"]]
    blocks += [fit(node, room) for node in rest]
    inner = column([b for b in blocks if b.height], _GAP)
    return Box(width, inner.height + 2 * _GAP, "page", {"title": scene.title, "alt": scene.alt}, ((_GAP, _GAP, inner),))


def _columns(node: Node, width: float, room: float, close: bool) -> int:
    """How many players' areas are beside each other; those of one game look alike where they all need the same."""
    if not close:
        return 2 if width >= _WIDE else 1
    need = max((natural_width(child, room) for child in node.children), default=room)
    return max(1, int((room + _GAP) // (need + _GAP)))


def _title(words: str, width: float) -> Box:
    return column([text(line, 15, bold=True) for line in lines_of(words, 15, width, True)], 2)


def _beside(boards: list[Node], parts: dict[str, list[Node]], room: float) -> Box:
    """Boards on the left, the players on the right."""
    share = 0.71 if any(node.kind in ("ring", "map") for node in boards) else 0.58
    left = _with_table(_boards(boards, room * share), parts["table"], room * share)
    wide = max(box.width for box in left)
    right = [players(node, room - wide - 2 * _GAP, 1) for node in parts["players"]]
    aside = column(right, _GAP)
    inside = ((0.0, 0.0, column(left, _GAP)), (wide + 2 * _GAP, 0.0, aside))
    return Box(room, max(inside[0][2].height, aside.height), inside=inside)


def _boards(nodes: list[Node], room: float) -> list[Box]:
    """The boards below each other; stretches of one ring beside each other, where they fit."""
    boxes: list[Box] = []
    for stretch, group in groupby(nodes, lambda node: node.address if node.look.get("stretch") else None):
        placed = [fit(node, room) for node in group]
        boxes += placed if stretch is None else [flow(placed, room, 7)]
    return boxes


def _with_table(boards: list[Box], table: list[Node], room: float) -> list[Box]:
    """What lies on the table, inside a ring if it finds room there, else below the boards."""
    for node in table:
        for i, box in enumerate(boards):
            free = room_of(box)
            if free is None:
                continue
            x, y, width, height = free
            inner = flow(line(node, node.children, width), width, 7)
            if inner.height <= height and inner.width <= width:
                at = (x + (width - inner.width) / 2, y + (height - inner.height) / 2, inner.of(node))
                boards[i] = Box(box.width, box.height, box.form, box.data, (*box.inside, at), box.address, box.alt)
                break
        else:
            boards = [*boards, fit(node, room)]
    return boards
