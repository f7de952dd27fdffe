"""Players on both sides of a row of places: aligned columns, each side growing away from the middle."""

from __future__ import annotations

from ..scene.nodes import Node
from .boxes import Box, centred, text
from .fit import fit

_NAME = 78.0


def facing(node: Node, width: float) -> Box:
    """The rows in columns of equal width; the far sides stand on the middle, the near side hangs from it."""
    columns = node.look["columns"]
    narrow = width < 560
    label = 24.0 if narrow else _NAME
    step = min((width - label) / columns, 165.0)
    inside, y = [], 0.0
    for row in node.children:
        cells = [fit(child, step) for child in row.children[1:]]
        height = max((c.height for c in cells), default=0)
        head = fit(row.children[0], label) if row.children and row.children[0].children else None
        if head is not None:
            inside.append((0.0, y + (height - head.height) / 2, head))
        if row.label and not narrow:
            inside.append((22.0, y + height / 2 - 7, text(row.label, 11, bold=True)))
        for i, cell in enumerate(cells):
            top = {"far": height - cell.height, "middle": 0.0}.get(row.look.get("side", ""), 0.0)
            scale = min(1.0, step / max(cell.width, 1))
            wide = centred(cell, step, cell.height) if scale == 1 else cell
            inside.append((label + i * step, y + top, wide))
        y += height + 8
    return Box(label + columns * step, max(0.0, y - 8), "facing", inside=tuple(inside)).of(node)
