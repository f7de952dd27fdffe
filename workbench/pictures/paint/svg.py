"""SVG text from boxes: every form of a box has a function that draws it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from html import escape
from typing import Any

import attrs

from rulelang.source import visible

from ..place.boxes import Box
from ..scene.symbols import path_of
from . import tiles
from .colours import Colour, colour_of
from .shapes import SHAPES
from .style import sheet

_PLAIN_TONES = frozenset({"ink", "dim", "accent"})


def paint(
    page: Box, marked: Collection[str] = (), numbers: Sequence[tuple[float, float]] = (), *, styled: bool = True
) -> str:
    """The SVG of a page. ``marked``: addresses round which a ring is drawn; on a page that holds several pages, with
    the number of the page, from 0: ``2|supply``. ``numbers``: the middles of badges numbered from 1. ``styled``: False
    for a page that brings the style sheet by itself (``style.sheet``); there is then no style in the SVG at all.
    """
    return "".join(painted(page, marked, numbers, styled=styled))


def painted(
    page: Box, marked: Collection[str] = (), numbers: Sequence[tuple[float, float]] = (), *, styled: bool = True
) -> list[str]:
    """As ``paint``, in pieces: what stays as it was in the next picture of a game is a piece of it again."""
    painter = _Painter(frozenset(marked))
    whole = painter.box(page, 0, 0)
    rings = [*painter.rings, *(_number(i, x, y) for i, (x, y) in enumerate(numbers, 1))]
    title, alt = _escaped(page.data["title"], quote=False), _escaped(page.data["alt"], quote=False)
    named = whole.definitions
    credit = "<metadata>Symbols: game-icons.net, CC BY 3.0</metadata>" if any(n[0] == "s" for n in named) else ""
    hatches = tiles.hatches() if any(n[0] == "f" for n in named) else ""
    width, height = _n(page.width), _n(page.height)
    style = f"<style>{sheet()}</style>" if styled else ""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}"><title>{title}</title><desc>{alt}</desc>'
    )
    defs = [f"{credit}{style}<defs>{hatches}", *named.values(), "</defs>"]
    return [head, *defs, *whole.pieces, *rings, "</svg>\n"]


def _escaped(text: str, quote: bool = True) -> str:
    return escape(visible(text), quote)


def _number(number: int, x: float, y: float) -> str:
    disc = f'<circle class="rl-number rl-halo" cx="{_n(x)}" cy="{_n(y)}" r="9" stroke-width="1.5"/>'
    words = f'class="rl rl-b" x="{_n(x)}" y="{_n(y + 4)}" font-size="11" fill="#fff" text-anchor="middle"'
    return f"{disc}<text {words}>{number}</text>"


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


_PIECE = 4000
"""Characters of a piece at most, unless it is one thing."""


@attrs.frozen
class _Painted:
    """A box as SVG text, with the ``definitions`` of the symbols in it by their ids."""

    pieces: tuple[str, ...]
    definitions: Mapping[str, str]


@attrs.define
class _Painter:
    marked: frozenset[str]
    definitions: dict[str, str] = attrs.field(factory=dict)
    rings: list[str] = attrs.field(factory=list)
    page: int = -2
    """The number of the page inside the page, from 0."""

    def box(self, box: Box, x: float, y: float) -> _Painted:
        """The box with all inside it; what has an address becomes a group that says what it is."""
        if box.form == "page":
            self.page += 1
        if self.marked or not (box.address or box.form == "on") or not (box.inside or "points" in box.data):
            return self.fresh(box, x, y)
        return box.once((x, y), _fresh, self, x, y)

    def fresh(self, box: Box, x: float, y: float) -> _Painted:
        """The same, painted now."""
        pieces: list[str] = []
        around, self.definitions = self.definitions, {}
        named = bool(box.address)
        if named:
            title = f"<title>{_escaped(box.alt, quote=False)}</title>" if box.alt and box.form not in _QUIET else ""
            pieces.append(f'<g data-at="{_escaped(box.address)}">{title}')
            if box.address in self.marked or f"{self.page}|{box.address}" in self.marked:
                self._ring(box, x, y)
        if box.form == "on":
            pieces.append(f'<g data-on="{_escaped(box.data["on"])}">')
        draw = _FORMS.get(box.form)
        if draw is not None:
            pieces.append(draw(self, box, x, y))
        for dx, dy, inner in box.inside:
            painted = self.box(inner, x + dx, y + dy)
            pieces += painted.pieces
            self.definitions.update(painted.definitions)
        if named or box.form == "on":
            pieces.append("</g>")
        found, self.definitions = self.definitions, around
        short = sum(map(len, pieces)) <= _PIECE
        return _Painted(("".join(pieces),) if short else tuple(pieces), found)

    def _ring(self, box: Box, x: float, y: float) -> None:
        points = box.data.get("points")
        if points:
            outline = " ".join(f"{_n(px + x)},{_n(py + y)}" for px, py in points)
            shape = f'<polygon points="{outline}" '
        else:
            at = f'x="{_n(x - 3)}" y="{_n(y - 3)}" width="{_n(box.width + 6)}" height="{_n(box.height + 6)}" rx="6"'
            shape = f"<rect {at} "
        self.rings.append(f'{shape}fill="none" class="rl-halo" stroke-width="6" stroke-linejoin="round"/>')
        self.rings.append(f'{shape}fill="none" class="rl-ring" stroke-width="3" stroke-linejoin="round"/>')

    def symbol(self, name: str) -> str | None:
        """The id of a symbol, which is defined once; None when there is no such symbol."""
        if f"s-{name}" not in self.definitions:
            path = path_of(name)
            if path is None:
                return None
            self.definitions[f"s-{name}"] = f'<symbol id="s-{name}" viewBox="0 0 512 512"><path d="{path}"/></symbol>'
        return f"s-{name}"

    def face(self, data: Any) -> str:
        """The id of a tile's face, which is defined once."""
        name = f"f-{data['face']}"
        if name not in self.definitions:
            self.definitions[name] = tiles.symbol(name, data["regions"], data["roads"])
        return name


def _fresh(box: Box, painter: _Painter, x: float, y: float) -> _Painted:
    return painter.fresh(box, x, y)


# ---------------------------------------------------------------- forms


def _rect(cls: str, box: Box, x: float, y: float, rx: float = 0, extra: str = "") -> str:
    corner = f' rx="{_n(rx)}"' if rx else ""
    size = f'width="{_n(box.width)}" height="{_n(box.height)}"'
    return f'<rect class="{cls}" x="{_n(x)}" y="{_n(y)}" {size}{corner}{extra}/>'


def _page(painter: _Painter, box: Box, x: float, y: float) -> str:
    return _rect("rl-bg", box, x, y)


def _text(painter: _Painter, box: Box, x: float, y: float) -> str:
    data = box.data
    size, tone = data["size"], data["tone"]
    cls = ("rl rl-b" if data["bold"] else "rl") + (f" rl-{tone}" if tone in _PLAIN_TONES else "")
    colour = "" if tone in _PLAIN_TONES else f' fill="{colour_of(tone.removeprefix("on ")).ink}"'
    base = y + size * 0.98
    turn = ""
    if data["angle"]:
        turn = f' transform="rotate({_n(data["angle"])} {_n(x + box.width / 2)} {_n(y + box.height / 2)})"'
    words = data["text"]
    length = f' textLength="{_n(box.width)}" lengthAdjust="spacingAndGlyphs"' if len(words) > 3 else ""
    at = f'x="{_n(x)}" y="{_n(base)}"'
    return (
        f'<text class="{cls}" {at} font-size="{_n(size)}"{length}{colour}{turn}>{_escaped(words, quote=False)}</text>'
    )


def _token(painter: _Painter, box: Box, x: float, y: float) -> str:
    data, size = box.data, box.width
    hue = str(data.get("hue", "plain"))
    colour = colour_of(hue)
    shape = SHAPES.get(str(data.get("shape", "disc")), SHAPES["disc"])
    line = 1.2 if size > 20 else 1.5
    parts = [f'<g transform="translate({_n(x)} {_n(y)}) scale({size / 24:.3f})">']
    halo = f'<g class="rl-halo" fill="none" stroke-width="4.5">{shape}</g>' if data.get("marker") else ""
    parts.append(f'{halo}<g fill="{colour.fill}" class="rl-edge" stroke-width="{line}">{shape}</g>')
    if data.get("symbol"):
        parts.append(_drawn(painter, str(data["symbol"]), colour, 3.6, 3.6, 16.8))
    badge = data.get("badge")
    if badge:
        parts.append(_badge(painter, badge, colour))
    parts.append("</g>")
    return "".join(parts)


def _drawn(painter: _Painter, symbol: str, colour: Colour, x: float, y: float, size: float) -> str:
    id_ = painter.symbol(symbol)
    if id_ is None:
        return ""
    return f'<use href="#{id_}" x="{x}" y="{y}" width="{size}" height="{size}" fill="{colour.ink}"/>'


def _badge(painter: _Painter, badge: Any, colour: Colour) -> str:
    if badge.get("symbol"):
        return _drawn(painter, badge["symbol"], colour, 5, 5, 14)
    dot = f'<circle cx="19" cy="5" r="5" fill="{colour.ink}" class="rl-edge" stroke-width="1"/>'
    letter = _escaped(str(badge.get("text", "")))
    words = f'class="rl rl-b" x="19" y="7.6" font-size="7" text-anchor="middle" fill="{colour.fill}"'
    return f"{dot}<text {words}>{letter}</text>"


def _symbol(painter: _Painter, box: Box, x: float, y: float) -> str:
    id_ = painter.symbol(str(box.data["symbol"]))
    if id_ is None:
        return ""
    size = f'width="{_n(box.width)}" height="{_n(box.height)}"'
    fill = colour_of(str(box.data["hue"])).fill
    return f'<use href="#{id_}" x="{_n(x)}" y="{_n(y)}" {size} fill="{fill}" class="rl-edge" stroke-width="6"/>'


def _pill(painter: _Painter, box: Box, x: float, y: float) -> str:
    stroke = colour_of(str(box.data["hue"])).fill
    return _rect("rl-paper", box, x, y, 5, f' stroke="{stroke}" stroke-width="2"')


def _card(painter: _Painter, box: Box, x: float, y: float) -> str:
    colour = colour_of(str(box.data["hue"]))
    top = float(box.data["strip"])
    strip = (
        f'<path fill="{colour.fill}" d="M{_n(x)} {_n(y + top)}v-{_n(top - 5)}a5 5 0 0 1 5-5h{_n(box.width - 10)}'
        f'a5 5 0 0 1 5 5v{_n(top - 5)}z"/>'
    )
    edge = _rect("rl-edge", box, x, y, 5, ' fill="none" stroke-width="1"')
    return _rect("rl-paper", box, x, y, 5) + strip + edge


def _strip(painter: _Painter, box: Box, x: float, y: float) -> str:
    colour = colour_of(str(box.data["hue"]))
    return _rect("rl-edge", box, x, y, 4, f' fill="{colour.fill}" stroke-width="1"')


def _tile(painter: _Painter, box: Box, x: float, y: float) -> str:
    turn = box.data["turn"]
    middle = f"{_n(x + box.width / 2)} {_n(y + box.height / 2)}"
    spin = f' transform="rotate({90 * turn} {middle})"' if turn else ""
    size = f'width="{_n(box.width)}" height="{_n(box.height)}"'
    use = f'<use href="#{_escaped(painter.face(box.data))}" x="{_n(x)}" y="{_n(y)}" {size}{spin}/>'
    return use + _rect("rl-edge", box, x, y, 0, ' fill="none" stroke-width="1.4"')


def _backs(painter: _Painter, box: Box, x: float, y: float) -> str:
    shown = box.data["count"]
    one = [
        f'<rect class="rl-back" x="{_n(x + 4 * i + 0.5)}" y="{_n(y + 0.5)}" width="19" height="27" rx="3"/>'
        for i in range(shown)
    ]
    return "".join(one)


def _slot(painter: _Painter, box: Box, x: float, y: float) -> str:
    inner = attrs.evolve(box, width=box.width - 6, height=box.height - 6)
    return _rect("rl-slot", inner, x + 3, y + 3, 4, ' stroke-dasharray="4 3"')


def _zone(painter: _Painter, box: Box, x: float, y: float) -> str:
    return _rect("rl-zone", box, x, y, 5)


def _panel(painter: _Painter, box: Box, x: float, y: float) -> str:
    stroke = colour_of(str(box.data["hue"])).fill
    width = 3.0 if box.data["you"] else 1.6
    edge = _rect("rl-panel rl-edge", box, x, y, 8, f' stroke-width="{width + 1.2:.1f}"')
    return edge + _rect("rl-panel", box, x, y, 8, f' stroke="{stroke}" stroke-width="{width}"')


def _square(painter: _Painter, box: Box, x: float, y: float) -> str:
    data = box.data
    if data.get("hue"):
        fill = f' fill="{colour_of(data["hue"]).fill}"'
        return _rect("rl-own", box, x, y, 0, fill + (' fill-opacity=".82"' if data["dark"] else ""))
    cls = ("rl-cd" if data["dark"] else "rl-cq") if data["chequered"] else ("rl-sd" if data["dark"] else "rl-sq")
    return _rect(cls, box, x, y)


def _hexagon(painter: _Painter, box: Box, x: float, y: float) -> str:
    w, h = box.width, box.height
    corners = ((w / 2, 0), (w, h / 4), (w, h * 3 / 4), (w / 2, h), (0, h * 3 / 4), (0, h / 4))
    points = " ".join(f"{_n(x + a)},{_n(y + b)}" for a, b in corners)
    own = f'class="rl-own" fill="{colour_of(box.data["hue"]).fill}"' if box.data.get("hue") else 'class="rl-sq"'
    return f'<polygon {own} points="{points}"/>'


def _polygon(box: Box, x: float, y: float, rest: str) -> str:
    points = " ".join(f"{_n(px + x)},{_n(py + y)}" for px, py in box.data["points"])
    return f'<polygon points="{points}" {rest}/>'


def _field(painter: _Painter, box: Box, x: float, y: float) -> str:
    return _polygon(box, x, y, 'class="rl-field"')


def _band(painter: _Painter, box: Box, x: float, y: float) -> str:
    return _polygon(box, x, y, f'fill="{colour_of(box.data["hue"]).fill}" class="rl-edge" stroke-width=".8"')


def _line(painter: _Painter, box: Box, x: float, y: float) -> str:
    points = " ".join(f"{_n(px + x)},{_n(py + y)}" for px, py in box.data["points"])
    colour = colour_of(str(box.data["hue"])).fill
    title = f"<title>{_escaped(box.alt, quote=False)}</title>"
    line = f'<polyline points="{points}" fill="none" stroke-linejoin="round" stroke-linecap="round"'
    return f'{line} class="rl-halo" stroke-width="7"/>{line} stroke="{colour}" stroke-width="5">{title}</polyline>'


def _link(painter: _Painter, box: Box, x: float, y: float) -> str:
    (ax, ay), (bx, by) = box.data["points"]
    ends = f'x1="{_n(ax + x)}" y1="{_n(ay + y)}" x2="{_n(bx + x)}" y2="{_n(by + y)}"'
    return f'<line class="rl-link" {ends} stroke-width="3"/>'


def _place(painter: _Painter, box: Box, x: float, y: float) -> str:
    return _rect("rl-zone", box, x, y, box.width / 2)


_QUIET = frozenset({"page", "zone", "panel", "board", "ring", "laid"})
"""Forms whose description is that of what is inside them."""

_FORMS: dict[str, Callable[[_Painter, Box, float, float], str]] = {
    "page": _page,
    "text": _text,
    "token": _token,
    "symbol": _symbol,
    "pill": _pill,
    "card": _card,
    "strip": _strip,
    "tile": _tile,
    "backs": _backs,
    "slot": _slot,
    "zone": _zone,
    "panel": _panel,
    "square": _square,
    "hexagon": _hexagon,
    "field": _field,
    "band": _band,
    "line": _line,
    "link": _link,
    "place": _place,
}
