"""Colours of the seats: a seat named after a colour gets it, any other gets one of its own."""

from __future__ import annotations

from collections.abc import Sequence

_BY_NAME = {
    "red": "bright_red",
    "green": "green",
    "blue": "dodger_blue1",
    "yellow": "yellow",
    "purple": "medium_purple1",
    "violet": "medium_purple1",
    "orange": "dark_orange",
    "white": "bright_white",
    "black": "grey50",
    "grey": "grey62",
    "gray": "grey62",
    "brown": "orange4",
    "pink": "hot_pink",
    "cyan": "cyan",
    "magenta": "magenta",
    "silver": "grey70",
    "gold": "gold1",
}
_PALETTE = ("bright_red", "dodger_blue1", "green", "yellow", "medium_purple1", "dark_orange", "cyan", "hot_pink")


def seat_styles(seats: Sequence[str]) -> list[str]:
    """A rich style for each seat."""
    named = [_BY_NAME.get(seat.lower()) for seat in seats]
    free = [style for style in _PALETTE if style not in named] or list(_PALETTE)
    styles: list[str] = []
    given = 0
    for style in named:
        if style is None:
            style = free[given % len(free)]
            given += 1
        styles.append(f"bold {style}")
    return styles
