"""Faces of single pieces, as pictures of the size that they have on paper."""

from __future__ import annotations

from typing import Literal, TypeAlias
from zlib import crc32

from rulelang.types import Domain, MemberType

from ..arrange.facts import PLAYER
from ..arrange.pieces import Maker
from ..paint import paint
from ..place import pieces
from ..place.boxes import Box, column, text
from ..place.metrics import lines_of, longest
from ..scene.nodes import Node
from ..stock import Stock

Form: TypeAlias = Literal["tile", "card", "token"]

SIZES: dict[Form, tuple[float, float]] = {"tile": (45.0, 45.0), "card": (56.0, 86.0), "token": (18.0, 18.0)}
"""Width and height on paper, in mm: landscape tiles, bridge cards, chips."""
_PIXELS: dict[Form, tuple[float, float]] = {"tile": (170.0, 170.0), "card": (105.0, 161.25), "token": (60.0, 60.0)}
"""The same while they are drawn."""


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


def front(stock: Stock, kind: str, form: Form, make: Maker) -> str:
    """The SVG of a piece from the front."""
    node = _node(stock, kind, make)
    wide, high = _PIXELS[form]
    match form, node.kind:
        case "tile", "tile":
            inner = pieces.tile(node, wide)
        case "token", "token":
            inner = pieces.face(node.look, 52)
        case _, "card":
            return _svg(_stretched(pieces.card(node, wide), high), node)
        case _:
            inner = _plain(node, wide, high)
    return _svg(_middle(inner, wide, high), node)


def back(stock: Stock, form: Form, make: Maker, heap: str = "") -> str:
    """The SVG of all pieces of a sort from behind: their colour and what they are called.

    ``heap``: the place where these lie ready, if others of the sort lie elsewhere; they have another colour then.
    """
    wide, high = _PIXELS[form]
    number = list(dict.fromkeys(stock.heaps.values())).index(heap) if heap else 0
    hue = f"kind:{crc32(stock.name.encode()) % 64 + number}:{stock.name}"  # the same in a game and in its expansions
    label = make.look.label(stock.name)
    size = min(18.0 if form != "token" else 8.0, (wide - 18) / longest(label))
    tone = f"on {hue}"
    lines = [text(line, size, tone, bold=True) for line in lines_of(label, size, wide - 16, True, most=3)]
    if heap:
        lines += [
            text(line, size * 0.7, tone) for line in lines_of(make.look.label(heap), size * 0.7, wide - 16, most=2)
        ]
    if form != "token":
        lines.append(text(make.facts.program.title, 11, tone))
    whole = Box(wide, high, "strip", {"hue": hue})
    words = column(lines, 6, "middle")
    place = ((wide - words.width) / 2, (high - words.height) / 2, words)
    return _svg(Box(wide, high, inside=((0, 0, whole), place)), Node("text", alt=label))


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


def _stretched(card: Box, high: float) -> Box:
    """A card as high as it is on paper, with what it says at its top."""
    return Box(card.width, max(high, card.height), card.form, card.data, card.inside)


def _middle(inner: Box, wide: float, high: float) -> Box:
    return Box(wide, high, inside=(((wide - inner.width) / 2, (high - inner.height) / 2, inner),))


def _svg(box: Box, node: Node) -> str:
    page = Box(box.width, box.height, "group", {"title": node.alt, "alt": node.alt}, ((0, 0, box),))
    return paint(page)
