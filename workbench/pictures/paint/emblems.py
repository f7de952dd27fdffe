"""Emblems: the symbol of a thing on its shape and colour, small enough to stand in a line of text."""

from __future__ import annotations

from ..scene.look import Style
from ..scene.symbols import SIZE, path_of
from .colours import colour_of
from .shapes import SHAPES

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
