"""The face of a tile: its regions and roads, unturned, in a square of 100 units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..place.tiles import BAND, BLOB, DEPTH, order
from .colours import colour_of

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
