"""Whole files."""

from __future__ import annotations

from .. import tree as t
from .folding import fold
from .items import lines


def print_file(file: t.File) -> str:
    """The whole file, without comments; short items of one sort stand together where the source had nothing between."""
    out: list[str] = []
    before: tuple[t.Item, int] | None = None
    for item in file.items:
        printed = lines(item)
        if before is not None and not (keep_together(before[0], item) and printed[0].first <= before[1] + 1):
            out.append("")
        for line in printed:
            out.extend(fold(line))
        reached = 0
        for line in printed:
            reached = line.last or reached + 1
        before = item, reached
    return "".join(f"{line}\n" for line in out)


def keep_together(before: t.Item, item: t.Item) -> bool:
    """Whether two items that follow one another may do so without a blank line between them."""
    sort = _sort(item)
    return sort is not None and sort == _sort(before)


def _sort(item: t.Item | t.MenuOption) -> str | None:
    """The name shared by short items that are often written as a list, or None."""
    match item:
        case t.Define(value=None):
            return None
        case t.Setting(kind=kind):
            return kind
        case t.Replace(replaced):
            sort = _sort(replaced)
            return None if sort is None else f"replace {sort}"
        case t.ChangeNumber() | t.ChangeSetting() | t.ChangeRow() | t.ChangeCell():
            return "change"
        case t.Enum() | t.Range() | t.Grid() | t.Number() | t.Define() | t.Event() | t.Invariant():
            return type(item).__name__
        case t.RemoveRule() | t.RemoveRow() | t.ExtendEnum() | t.Adjust():
            return type(item).__name__
        case _:
            return None
