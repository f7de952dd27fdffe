"""Plain data of a view as text, and short names that remain distinct."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from ..pictures.scene.nodes import is_empty

SHORT = 2


def short_names(names: Iterable[str], width: int = SHORT) -> dict[str, str]:
    """A distinct name of at most ``width`` letters for each, made of its first letter and one that tells it apart.

    Names that are short enough stay as they are. If no short name is free, the name stays whole.
    """
    pool = list(dict.fromkeys(names))
    short = {name: name for name in pool if len(name) <= width}
    for name in pool:
        if name in short:
            continue
        others = [n for n in pool if n != name]
        candidates = [name[:width]] if not any(n.startswith(name[:width]) for n in others) else []
        candidates += [name[: width - 1] + letter for letter in name[width - 1 :]]
        taken = set(short.values())
        clear = [c for c in candidates if c not in taken and not _could_be(c, others)]
        free = clear or [c for c in candidates if c not in taken]
        short[name] = free[0] if free else name
    return short


def _could_be(short: str, others: Iterable[str]) -> bool:
    """Whether another name starts with the short name."""
    return any(other.startswith(short) for other in others)


def plain_text(value: Any) -> str:
    """A value of a view as text: ``2 oak, 1 elm``, ``red, blue``, ``-`` for nothing."""
    if value is None or value == [] or value == {}:
        return "-"
    if value is True:
        return "yes"
    if value is False:
        return "no"
    if isinstance(value, Mapping):
        if set(value) == {"count"}:
            return f"{value['count']} hidden"
        if "shown" in value and set(value) <= {"count", "shown"}:
            hidden = f"{value['count']} hidden" if "count" in value else "?"
            known = value["shown"]
            told = plain_text(["?" if one is None else one for one in known] if isinstance(known, list) else known)
            return f"{hidden}, shown {told}"
        shown = [f"{inner} {name}" if isinstance(inner, int) else f"{name}: {plain_text(inner)}"
                 for name, inner in value.items() if not is_empty(inner)]  # fmt: skip
        return ", ".join(shown) or "-"
    if isinstance(value, (list, tuple)):
        return ", ".join(plain_text(inner) for inner in value)
    return str(value)


def coloured(text: str, styles: Mapping[str, str]) -> Text:
    """The text, with every seat's name in its colour."""
    out = Text(text)
    for seat, style in styles.items():
        out.highlight_regex(rf"(?<![\w.]){_escaped(seat)}(?![\w.])", style)
    return out


def _escaped(word: str) -> str:
    import re

    return re.escape(word)


def plain_table(*headers: str) -> Table:
    """A table without lines, as narrow as its content."""
    return Table(*headers, box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
