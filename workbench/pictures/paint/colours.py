"""Colours: what a hue of a Scene means, which ink can be read on it, and how far two colours are apart."""

from __future__ import annotations

import functools
import math
import re

import attrs

NAMED = {
    "red": "#cf2e2e", "green": "#2e9f4d", "blue": "#2a6ac8", "yellow": "#f2c31b", "purple": "#7d3fa8",
    "violet": "#7d3fa8", "orange": "#e3801c", "white": "#fbfaf5", "black": "#2b2b2b", "grey": "#8b8f94",
    "gray": "#8b8f94", "brown": "#85552f", "pink": "#e58fb4", "cyan": "#25a5b8", "turquoise": "#2bb3a3",
    "magenta": "#c03e9a", "silver": "#b9bec4", "gold": "#e0ac1e", "amber": "#e8a317", "copper": "#c46a2f",
    "bronze": "#a9702c", "wool": "#f1ead6", "cream": "#f5efdc", "sand": "#e3cf9b", "stone": "#7c828a",
    "slate": "#52606e", "water": "#62b0e2", "sky": "#9fd0ee", "grass": "#a3ce61", "forest": "#3f7d45",
    "rock": "#9c948c", "wood": "#9a6b3f", "lilac": "#b9a3d6", "navy": "#24406f", "olive": "#7d8a3a",
    "rust": "#a5482a", "indigo": "#44489c", "teal": "#138086", "beige": "#eadfc6", "maroon": "#7c2234",
    "coral": "#ef7c66", "lime": "#b5d332", "ivory": "#f7f3e6",
}  # fmt: skip
"""The colours that a look may name."""

_SEATS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#f0e442", "#4a4a4a")
"""The palette of Okabe and Ito, which people see apart whatever colours they see."""
_KINDS = ("#72afd3", "#f0ca70", "#73c9b1", "#e0b1cd", "#e6a572", "#9fd3ef", "#bca9d4", "#f6ef93", "#b5b5b5", "#c98f8f",
          "#a9c47f", "#8f9fc9")  # fmt: skip
_LANDS = ("#a3ce61", "#a79d92", "#62b0e2", "#e3cf9b", "#4f8f58", "#c98f6f", "#b9a3d6", "#e8e2d0")
_OWN = {"plain": "#f1ead8", "accent": "#c2571a", "marker": "#3a3a44"}
_PALETTES = {"seat": _SEATS, "kind": _KINDS, "land": _LANDS}
_HEX = re.compile(r"#[0-9a-fA-F]{6}")


@attrs.frozen
class Colour:
    """``fill`` and the ``ink`` that can be read on it, both as ``#rrggbb``."""

    fill: str
    ink: str


@functools.lru_cache(maxsize=2048)
def colour_of(hue: str) -> Colour:
    """The colour of a hue of a Scene: ``seat:0:red``, ``kind:2:wood``, ``land:2:water``, a name, or ``#rrggbb``."""
    kind, _, rest = hue.partition(":")
    if kind in _PALETTES and rest:
        number, _, name = rest.partition(":")
        palette = _PALETTES[kind]
        fill = NAMED.get(name.lower()) or palette[int(number) % len(palette)]
    else:
        fill = NAMED.get(hue) or _OWN.get(hue) or (hue if _HEX.fullmatch(hue) else _OWN["plain"])
    return Colour(fill, "#ffffff" if contrast(fill, "#ffffff") > 3.4 else "#1d1d1f")


def is_colour(word: str) -> bool:
    """Whether a look may use it as a colour."""
    return word in NAMED or bool(_HEX.fullmatch(word))


@functools.lru_cache(maxsize=4096)
def luminance(colour: str) -> float:
    """The relative luminance of WCAG 2, from 0 (black) to 1 (white)."""
    red, green, blue = _linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2, from 1 to 21."""
    a, b = sorted((luminance(one), luminance(other)), reverse=True)
    return (a + 0.05) / (b + 0.05)


def apart(one: str, other: str) -> float:
    """How far two colours are apart to the eye, about 0 to 765 ("redmean")."""
    (r, g, b), (s, h, c) = (tuple(int(x[i : i + 2], 16) for i in (1, 3, 5)) for x in (one, other))
    mean = (r + s) / 2
    return float(((2 + mean / 256) * (r - s) ** 2 + 4 * (g - h) ** 2 + (2 + (255 - mean) / 256) * (b - c) ** 2) ** 0.5)


# ---------------------------------------------------------------- how others see colours

VISIONS: dict[str, tuple[tuple[float, float, float], ...]] = {
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""What becomes of linear red, green and blue for those who lack one kind of cones (Machado, Oliveira and Fernandes)."""


def seen_by(colour: str, vision: str) -> str:
    """A colour as people with a colour vision of ``VISIONS`` see it."""
    parts = _linear(colour)
    seen = [sum(a * b for a, b in zip(row, parts, strict=True)) for row in VISIONS[vision]]
    return "#" + "".join(f"{round(255 * _encoded(min(max(part, 0.0), 1.0))):02x}" for part in seen)


@functools.lru_cache(maxsize=4096)
def difference(one: str, other: str) -> float:
    """How different two colours look, as their distance in Oklab: 0 for equal ones, 1 for black and white."""
    return math.dist(_oklab(one), _oklab(other))


def _linear(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return _decoded(red), _decoded(green), _decoded(blue)


def _decoded(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def _encoded(part: float) -> float:
    return 12.92 * part if part <= 0.0031308 else float(1.055 * part ** (1 / 2.4) - 0.055)


def _oklab(colour: str) -> tuple[float, float, float]:
    r, g, b = _linear(colour)
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    middle = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )
