"""Construction of the syntax tree from Lark's parse tree, for texts with mistakes or a cursor in them."""

from __future__ import annotations

from typing import Any

from lark import Token, Tree

from ..source import Span
from .makers import MAKERS, MAX_DEPTH, code_of, end_of, value_of


class Builder:
    """Builds the nodes of one item from its ``text``; ``offset`` is added to line numbers."""

    def __init__(self, file: str, offset: int, text: str) -> None:
        self.file = file
        self.offset = offset
        self.code = code_of(text)

    def build(self, node: Tree[Token] | Token | None) -> Any:
        if node is None:
            return None
        if isinstance(node, Token):
            return value_of(node.type, str(node))
        return MAKERS[node.data](self.span(node), [self.build(child) for child in node.children])

    def span(self, node: Tree[Token]) -> Span:
        m = node.meta
        if m.empty:
            return Span(self.file, self.offset + 1, 1, self.offset + 1, 1)
        end_line, end_column = end_of(self.code, m.line, m.end_line, m.end_column)
        return Span(self.file, m.line + self.offset, m.column, end_line + self.offset, end_column)


def too_deep(node: Tree[Token], limit: int = MAX_DEPTH) -> Tree[Token] | None:
    """The first part of a parse tree that is nested deeper than ``limit``, or None."""
    stack: list[tuple[Tree[Token], int]] = [(node, 1)]
    while stack:
        current, depth = stack.pop()
        if depth > limit:
            return current
        stack.extend((child, depth + 1) for child in current.children if isinstance(child, Tree))
    return None
