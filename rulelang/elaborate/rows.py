"""Rows of tables as they are read."""

from __future__ import annotations

from ..source import Span
from ..structural import Structural, frozen
from ..syntax import tree


@frozen
class RawRow(Structural):
    """A row before its values are known: ``cells`` are texts from a csv file or expressions from the rules."""

    name: str
    cells: dict[str, str | tree.Expr]
    spans: dict[str, Span]
    span: Span
    file: str | None = None
