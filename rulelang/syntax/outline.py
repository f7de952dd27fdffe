"""A syntax tree as text: a line for each node, with its plain fields, indented below the node it belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from ..source import Span
from . import tree
from .walk import fields


def outline(node: tree.Node) -> str:
    """The tree below a node, ending with a line break."""
    return "".join(f"{line}\n" for line in _lines(node, "", 0))


def _lines(node: tree.Node, label: str, depth: int) -> Iterator[str]:
    below = fields(type(node))
    plain = [
        f"{field.name}={getattr(node, field.name)!r}"
        for field in attrs.fields(type(node))
        if field.name not in below and not isinstance(getattr(node, field.name), Span) and _says(node, field)
    ]
    place = f"  @{node.span.line}:{node.span.column}" if node.span.file else ""
    yield f"{'  ' * depth}{label}{' '.join([type(node).__name__, *plain])}{place}"
    for name in below:
        yield from _field(name, getattr(node, name), depth + 1)


def _says(node: tree.Node, field: Any) -> bool:
    """Whether a plain field holds anything worth a word: not no, nothing, or its default."""
    value = getattr(node, field.name)
    return value is not False and value is not None and bool(value != field.default)


def _field(name: str, value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, tree.Node):
        yield from _lines(value, f"{name}: ", depth)
    elif isinstance(value, Sequence) and value:
        yield f"{'  ' * depth}{name}:"
        for part in value:
            if isinstance(part, tree.Node):
                yield from _lines(part, "", depth + 1)
            else:
                yield from _field("-", part, depth + 1)
