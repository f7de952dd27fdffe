"""Outlines of tokens as SVG paths in a square of 24 units."""

from __future__ import annotations

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
