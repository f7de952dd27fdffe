"""SVG text from boxes: every form of a box has a function that draws it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from html import escape
from typing import Any

import attrs

from rulelang.source import visible

from ..layout.boxes import Box
from ..layout.piece_boxes import BAND, BLOB, DEPTH, order
from ..scene.look import SIZE, Style, path_of
from .colours import Colour, colour_of

_HATCHES = (
    '<path d="M4 7v-3M12 12v-3" stroke="#000" stroke-width="1.1"/>',
    '<path d="M-2 18 18-2M-2 10 10-2M6 18 18 6" stroke="#000" stroke-width=".9"/>',
    '<path d="M0 5q4-4 8 0t8 0M0 13q4-4 8 0t8 0" stroke="#fff" stroke-width="1.2" fill="none"/>',
    '<path d="M4 4h.1M12 12h.1" stroke="#000" stroke-width="2.4" stroke-linecap="round"/>',
)
"""Textures, so that regions can be told apart without colours."""


def hatches() -> str:
    """The definitions of the textures."""
    return "".join(
        f'<pattern id="h{i}" width="16" height="16" patternUnits="userSpaceOnUse">'
        f'<g opacity=".22">{drawing}</g></pattern>'
        for i, drawing in enumerate(_HATCHES)
    )


def symbol(face: str, regions: Sequence[Mapping[str, Any]], roads: Sequence[Sequence[int]]) -> str:
    """A ``<symbol>`` for a face."""
    parts = []
    painted = order(regions)
    for place, number in enumerate(painted):
        region = regions[number]
        outline = _outline(region["sides"]) if place else '<path d="M0 0H100V100H0Z"/>'
        fill = colour_of(region["hue"]).fill
        parts.append(f'<g fill="{fill}" stroke="#0005" stroke-width="1">{outline}</g>')
        parts.append(f'<g fill="url(#h{_texture(region["hue"])})">{outline}</g>')
    if not painted:
        parts.append('<path d="M0 0H100V100H0Z" fill="#e8e2d0"/>')
    line = "".join(_road(sides) for sides in roads if sides)
    if line:
        parts.append(f'<g fill="none" stroke="#4b3a22" stroke-width="12" stroke-linecap="butt">{line}</g>')
        parts.append(f'<g fill="none" stroke="#f4e6c4" stroke-width="8.5">{line}</g>')
    return f'<symbol id="{face}" viewBox="0 0 100 100">{"".join(parts)}</symbol>'


def _texture(hue: str) -> int:
    """By the number of the terrain; of a colour of the look, by its name."""
    kind, _, rest = hue.partition(":")
    number = int(rest.partition(":")[0]) if kind == "kind" else _NUMBERS.get(hue, sum(map(ord, hue)))
    return number % len(_HATCHES)


_NUMBERS = {"grass": 0, "rock": 1, "water": 2, "forest": 3, "green": 0, "blue": 2, "sky": 2, "stone": 1, "grey": 1}


def _outline(sides: Sequence[int]) -> str:
    if not sides:
        return f'<circle cx="50" cy="50" r="{BLOB:g}"/>'
    turn = f' transform="rotate({90 * sides[0]} 50 50)"' if sides[0] else ""
    if len(sides) == 1:
        return f'<path d="M0 0Q50 {2 * DEPTH:g} 100 0Z"{turn}/>'
    if len(sides) == 2 and (sides[1] - sides[0]) % 2 == 0:
        low, high = 50 - BAND, 50 + BAND
        return f'<path d="M{low:g} 0H{high:g}V100H{low:g}Z"{turn}/>'
    if len(sides) == 2:
        first = sides[0] if (sides[1] - sides[0]) % 4 == 1 else sides[1]
        return f'<path d="M0 0H100V100Z" transform="rotate({90 * first} 50 50)"/>'
    return '<path d="M0 0H100V100H0Z"/>'


_ENDS = ("50 0", "100 50", "50 100", "0 50")


def _road(sides: Sequence[int]) -> str:
    """A road that joins sides: straight, round a corner, or from the middle."""
    if len(sides) == 2:
        bend = "" if (sides[1] - sides[0]) % 2 == 0 else "Q50 50 "
        joint = "L" if not bend else ""
        return f'<path d="M{_ENDS[sides[0]]}{joint}{bend}{_ENDS[sides[1]]}"/>'
    reach = "".join(f"M{_ENDS[side]}L50 50" for side in sides)
    end = '<path d="M50 50h.01" stroke-linecap="round"/>' if len(sides) == 1 else ""
    return f'<path d="{reach}"/>{end}'


SHAPES = {
    "disc": '<circle cx="12" cy="12" r="11"/>',
    "chip": '<rect x="1.5" y="1.5" width="21" height="21" rx="4"/>',
    "house": '<path d="M12 1 23 10.5H20.5V23H3.5V10.5H1Z"/>',
    "column": '<path d="M3 1h18v4h-2.5v13H21v5H3v-5h2.5V5H3Z"/>',
    "diamond": '<path d="M12 .5 23.5 12 12 23.5.5 12Z"/>',
    "pawn": '<path d="M12 1a5.5 5.5 0 0 1 3.6 9.6C17 13 18.5 16.5 19.5 19H21v4H3v-4h1.5C5.5 16.5 7 13 8.4'
    ' 10.6A5.5 5.5 0 0 1 12 1Z"/>',
    "shield": '<path d="M2 2h20v9c0 6-4 10-10 12C6 21 2 17 2 11Z"/>',
    "hexagon": '<path d="M12 .8 22 6.4V17.6L12 23.2 2 17.6V6.4Z"/>',
    "star": '<path d="M12 .5 15.3 8.2 23.5 9 17.3 14.5 19.2 22.7 12 18.4 4.8 22.7 6.7 14.5 .5 9 8.7 8.2Z"/>',
    "triangle": '<path d="M12 1 23.5 22.5H.5Z"/>',
    "cube": '<rect x="2.5" y="2.5" width="19" height="19"/>',
    "card": '<rect x="4" y="1" width="16" height="22" rx="2"/>',
    "drop": '<path d="M12 .8C16 7 20 11 20 15.5A8 8 0 0 1 4 15.5C4 11 8 7 12 .8Z"/>',
}
"""Each with the colour left to who draws it."""


_LIGHT = {
    "bg": "fill:#faf8f2", "ink": "fill:#1d1d1f", "dim": "fill:#5c5a55", "accent": "fill:#b04a10",
    "zone": "fill:#f1ece0;stroke:#dcd4c2", "panel": "fill:#fffefa", "field": "fill:#f6efdc;stroke:#bfb393",
    "paper": "fill:#fffefa", "back": "fill:#5b6b8f;stroke:#fffefa", "slot": "fill:none;stroke:#8d8778",
    "sq": "fill:#f3ead4;stroke:#bfb393", "sd": "fill:#ecdfc3;stroke:#bfb393", "cq": "fill:#f0dfba;stroke:#a88f60",
    "cd": "fill:#b98d5b;stroke:#a88f60", "edge": "stroke:#0009", "link": "stroke:#9b927e", "halo": "stroke:#fff",
    "over": "fill:#1d1d1f;stroke:#faf8f2;stroke-width:3px;stroke-linejoin:round;paint-order:stroke",
    "ring": "stroke:#0a8f6a", "own": "stroke:#bfb393", "number": "fill:#9c3410",
}  # fmt: skip
_DARK = {
    "bg": "fill:#1f2124", "ink": "fill:#f0eee8", "dim": "fill:#b3b0a8", "accent": "fill:#ff9d5c",
    "zone": "fill:#2d3035;stroke:#484c53", "panel": "fill:#282b30", "field": "fill:#3b382f;stroke:#6d6750",
    "paper": "fill:#34373d", "back": "fill:#6c7ea6;stroke:#1f2124", "slot": "fill:none;stroke:#8d8f94",
    "sq": "fill:#4a4638;stroke:#6d6750", "sd": "fill:#413d31;stroke:#6d6750", "cq": "fill:#c9b48a;stroke:#5c4a30",
    "cd": "fill:#7d5c38;stroke:#5c4a30", "edge": "stroke:#fffb", "link": "stroke:#8b8674", "halo": "stroke:#000",
    "over": "fill:#f0eee8;stroke:#1f2124;stroke-width:3px;stroke-linejoin:round;paint-order:stroke",
    "ring": "stroke:#3fd6a8", "own": "stroke:#6d6750", "number": "fill:#b8481c",
}  # fmt: skip


def sheet() -> str:
    """The rules, each class prefixed so that pages can hold pictures beside anything else."""
    base = 'text.rl{font-family:"DejaVu Sans","Rulelang Sans",Verdana,sans-serif}.rl-b{font-weight:700}'
    light = _rules(_LIGHT)
    dark = f"@media (prefers-color-scheme:dark){{{_rules(_DARK)}}}"
    return f"{base}{light}{dark}@media print{{{_rules(_LIGHT)}.rl-bg{{fill:#fff}}}}"


def ground(name: str) -> tuple[str, str]:
    """The colour that fills what has a class, as ``#rrggbb``: in light pictures and on paper, and in dark mode."""
    light, dark = (colours[name].partition("fill:")[2].partition(";")[0] for colours in (_LIGHT, _DARK))
    return light, dark


def _rules(colours: dict[str, str]) -> str:
    return "".join(f".rl-{name}{{{rule}}}" for name, rule in colours.items())


_PLAIN_TONES = frozenset({"ink", "dim", "accent", "over"})


def paint(
    page: Box,
    marked: Collection[str] = (),
    numbers: Sequence[tuple[float, float]] = (),
    *,
    styled: bool = True,
    size: tuple[int, int] | None = None,
) -> str:
    """The SVG of a page. ``marked``: addresses round which a ring is drawn; on a page that holds several pages, with
    the number of the page, from 0: ``2|supply``. ``numbers``: the middles of badges numbered from 1. ``styled``: False
    for a page that brings the style sheet by itself (``style.sheet``); there is then no style in the SVG at all.
    ``size``: the width and height in which it is shown, by default its own.
    """
    return "".join(painted(page, marked, numbers, styled=styled, size=size))


def painted(
    page: Box,
    marked: Collection[str] = (),
    numbers: Sequence[tuple[float, float]] = (),
    *,
    styled: bool = True,
    size: tuple[int, int] | None = None,
) -> list[str]:
    """As ``paint``, in pieces: what stays as it was in the next picture of a game is a piece of it again."""
    painter = _Painter(frozenset(marked))
    whole = painter.box(page, 0, 0)
    rings = [*painter.rings, *(_number(i, x, y) for i, (x, y) in enumerate(numbers, 1))]
    title, alt = _escaped(page.data["title"], quote=False), _escaped(page.data["alt"], quote=False)
    named = whole.definitions
    credit = "<metadata>Symbols: game-icons.net, CC BY 3.0</metadata>" if any(n[0] == "s" for n in named) else ""
    textures = hatches() if any(n[0] == "f" for n in named) else ""
    width, height = _n(page.width), _n(page.height)
    style = f"<style>{sheet()}</style>" if styled else ""
    shown = f'width="{width}" height="{height}"'
    if size is not None:
        shown = f'width="{size[0]}" height="{size[1]}" preserveAspectRatio="none"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {shown} '
        f'viewBox="0 0 {width} {height}"><title>{title}</title><desc>{alt}</desc>'
    )
    defs = [f"{credit}{style}<defs>{textures}", *named.values(), "</defs>"]
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
        if box.data.get("points"):
            shape = f'<polygon points="{_points(box, x, y)}" '
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
            self.definitions[name] = symbol(name, data["regions"], data["roads"])
        return name


def _fresh(box: Box, painter: _Painter, x: float, y: float) -> _Painted:
    return painter.fresh(box, x, y)


# ---------------------------------------------------------------- forms


def _rect(cls: str, box: Box, x: float, y: float, rx: float = 0, extra: str = "") -> str:
    corner = f' rx="{_n(rx)}"' if rx else ""
    size = f'width="{_n(box.width)}" height="{_n(box.height)}"'
    return f'<rect class="{cls}" x="{_n(x)}" y="{_n(y)}" {size}{corner}{extra}/>'


def _fill(box: Box) -> str:
    return colour_of(str(box.data["hue"])).fill


def _points(box: Box, x: float, y: float) -> str:
    return " ".join(f"{_n(px + x)},{_n(py + y)}" for px, py in box.data["points"])


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
    return f'<use href="#{id_}" x="{_n(x)}" y="{_n(y)}" {size} fill="{_fill(box)}" class="rl-edge" stroke-width="6"/>'


def _card(painter: _Painter, box: Box, x: float, y: float) -> str:
    top = float(box.data["strip"])
    strip = (
        f'<path fill="{_fill(box)}" d="M{_n(x)} {_n(y + top)}v-{_n(top - 5)}a5 5 0 0 1 5-5h{_n(box.width - 10)}'
        f'a5 5 0 0 1 5 5v{_n(top - 5)}z"/>'
    )
    edge = _rect("rl-edge", box, x, y, 5, ' fill="none" stroke-width="1"')
    return _rect("rl-paper", box, x, y, 5) + strip + edge


def _tile(painter: _Painter, box: Box, x: float, y: float) -> str:
    turn = box.data["turn"]
    middle = f"{_n(x + box.width / 2)} {_n(y + box.height / 2)}"
    spin = f' transform="rotate({90 * turn} {middle})"' if turn else ""
    size = f'width="{_n(box.width)}" height="{_n(box.height)}"'
    use = f'<use href="#{_escaped(painter.face(box.data))}" x="{_n(x)}" y="{_n(y)}" {size}{spin}/>'
    return use + _rect("rl-edge", box, x, y, 0, ' fill="none" stroke-width="1.4"')


def _backs(painter: _Painter, box: Box, x: float, y: float) -> str:
    return "".join(
        f'<rect class="rl-back" x="{_n(x + 4 * i + 0.5)}" y="{_n(y + 0.5)}" width="19" height="27" rx="3"/>'
        for i in range(box.data["count"])
    )


def _slot(painter: _Painter, box: Box, x: float, y: float) -> str:
    inner = attrs.evolve(box, width=box.width - 6, height=box.height - 6)
    return _rect("rl-slot", inner, x + 3, y + 3, 4, ' stroke-dasharray="4 3"')


def _panel(painter: _Painter, box: Box, x: float, y: float) -> str:
    width = 3.0 if box.data["you"] else 1.6
    edge = _rect("rl-panel rl-edge", box, x, y, 8, f' stroke-width="{width + 1.2:.1f}"')
    return edge + _rect("rl-panel", box, x, y, 8, f' stroke="{_fill(box)}" stroke-width="{width}"')


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


def _line(painter: _Painter, box: Box, x: float, y: float) -> str:
    title = f"<title>{_escaped(box.alt, quote=False)}</title>"
    line = f'<polyline points="{_points(box, x, y)}" fill="none" stroke-linejoin="round" stroke-linecap="round"'
    return f'{line} class="rl-halo" stroke-width="7"/>{line} stroke="{_fill(box)}" stroke-width="5">{title}</polyline>'


def _link(painter: _Painter, box: Box, x: float, y: float) -> str:
    line = f'<polyline points="{_points(box, x, y)}" fill="none" stroke-linejoin="round"'
    if not box.address:
        return f'{line} class="rl-link" stroke-width="3"/>'
    colour = f'stroke="{_fill(box)}"' if box.data["hue"] else 'class="rl-link"'
    return f'{line} class="rl-edge" stroke-width="8"/>{line} {colour} stroke-width="6"/>'


_QUIET = frozenset({"page", "zone", "panel", "board", "ring", "laid"})
"""Forms whose description is that of what is inside them."""

_FORMS: dict[str, Callable[[_Painter, Box, float, float], str]] = {
    "page": lambda _, box, x, y: _rect("rl-bg", box, x, y),
    "text": _text,
    "token": _token,
    "symbol": _symbol,
    "pill": lambda _, box, x, y: _rect("rl-paper", box, x, y, 5, f' stroke="{_fill(box)}" stroke-width="2"'),
    "card": _card,
    "strip": lambda _, box, x, y: _rect("rl-edge", box, x, y, 4, f' fill="{_fill(box)}" stroke-width="1"'),
    "tile": _tile,
    "backs": _backs,
    "slot": _slot,
    "zone": lambda _, box, x, y: _rect("rl-zone", box, x, y, 5),
    "panel": _panel,
    "square": _square,
    "hexagon": _hexagon,
    "field": lambda _, box, x, y: f'<polygon points="{_points(box, x, y)}" class="rl-field"/>',
    "band": lambda _, box, x, y: (
        f'<polygon points="{_points(box, x, y)}" fill="{_fill(box)}" class="rl-edge" stroke-width=".8"/>'
    ),
    "line": _line,
    "link": _link,
    "place": lambda _, box, x, y: _rect("rl-zone", box, x, y, box.width / 2),
}


BOX = 24
"""The side of the square that an emblem is drawn in."""
CREDIT = "Symbols: game-icons.net, CC BY 3.0"
_INSET = 3.6


def emblem(style: Style, hue: str) -> str | None:
    """SVG elements in a square of BOX units; None for a style without a symbol."""
    path = path_of(style.icon) if style.icon else None
    if path is None:
        return None
    colour = colour_of(style.colour or hue)
    shape = SHAPES.get(style.shape or "disc", SHAPES["disc"])
    edge = 'stroke="#000" stroke-opacity=".6" stroke-width="1.2"'
    scale = (BOX - 2 * _INSET) / SIZE
    drawn = f'<path transform="translate({_INSET} {_INSET}) scale({scale:.5f})" fill="{colour.ink}" d="{path}"/>'
    return f'<g fill="{colour.fill}" {edge}>{shape}</g>{drawn}'


def alone(inner: str) -> str:
    """An emblem as a picture of its own."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{BOX}" height="{BOX}" viewBox="0 0 {BOX} {BOX}">'
    return f"{head}<metadata>{CREDIT}</metadata>{inner}</svg>\n"
