"""Parsing again after an edit: items whose text is as it was are not parsed again, only moved to their lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from ..diagnostics import Diagnostic, Sink
from ..recent import Recent
from ..source import SourceFile, Span
from ..structural import Structural, frozen
from . import tree
from .parse import parse_chunks, parse_item

_TEXT = 6_000_000
"""Characters of files, and of items, whose trees are kept."""


@frozen
class _File(Structural):
    source: SourceFile
    tree: tree.File
    findings: tuple[Diagnostic, ...]


@frozen
class _Item(Structural):
    """An item where it was parsed, and its mistakes there."""

    line: int
    text: str
    tree: tree.Item | None
    findings: tuple[Diagnostic, ...]


def _length_of_file(file: _File) -> int:
    return len(file.source.text)


def _length_of_item(item: _Item) -> int:
    return len(item.text)


@attrs.define
class Items:
    """Parses files and remembers files and items by their text."""

    _files: Recent[_File] = attrs.field(factory=lambda: Recent(_TEXT, _length_of_file))
    _items: Recent[_Item] = attrs.field(factory=lambda: Recent(_TEXT, _length_of_item))

    def parse(self, source: SourceFile, sink: Sink) -> tree.File:
        """As ``parse_source``: the same tree and the same findings, whatever was parsed before."""
        key = source.name, source.text
        known = self._files.get(key)
        if known is None:
            own = Sink()
            file = parse_chunks(source, own, self._item)
            known = self._files.put(key, _File(source, file, tuple(own)))
        sink.extend(known.findings)
        return known.tree

    def _item(self, name: str, line: int, text: str, sink: Sink) -> tree.Item | None:
        key = name, text
        known = self._items.get(key)
        if known is None or (known.findings and known.line != line):
            own = Sink()
            made = parse_item(name, line, text, own)
            known = self._items.put(key, _Item(line, text, made, tuple(own)))
        elif known.line != line:
            known = self._items.put(key, attrs.evolve(known, line=line, tree=moved(known.tree, line - known.line)))
        sink.extend(known.findings)
        return known.tree


# ---------------------------------------------------------------- moving


def moved(node: Any, lines: int) -> Any:
    """The same tree further down (or, with a negative number, further up) in its file."""
    cls = type(node)
    if cls is tuple:
        return tuple([moved(part, lines) for part in node])
    if cls is Span:
        return Span(node.file, node.line + lines, node.column, node.end_line + lines, node.end_column)
    fields = _fields(cls)
    if not fields:
        return node
    made = object.__new__(cls)
    for get, put in fields:
        put(made, moved(get(node), lines))
    return made


_Field = tuple[Callable[[Any], Any], Callable[[Any, Any], None]]
_FIELDS: dict[type, tuple[_Field, ...]] = {}


def _fields(cls: type) -> tuple[_Field, ...]:
    """Readers of the fields of a node, and writers for a node that is being made."""
    found = _FIELDS.get(cls)
    if found is None:
        found = ()
        if issubclass(cls, tree.Node):
            slots = [getattr(cls, field.name) for field in attrs.fields(cls)]
            found = tuple((slot.__get__, slot.__set__) for slot in slots)
        _FIELDS[cls] = found
    return found
