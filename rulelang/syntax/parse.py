"""Parsing of text into a syntax tree. A mistake costs one item at most; one run finds all mistakes of a file."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import attrs

from ..diagnostics import Diagnostic, Sink
from ..recent import Recent
from ..source import SourceFile, Span
from ..structural import Structural, frozen
from . import parse_tables, tree
from .automaton import Automaton
from .layout import Chunk, chunks, continued

if TYPE_CHECKING:
    from .mistakes import Mistake


_MAX_ERRORS = 12  # mistakes looked for in one item
WORD = re.compile(r"[^\W\d]\w*")


def parse_text(name: str, text: str) -> tuple[tree.File, list[Diagnostic]]:
    """The syntax tree of ``text`` and its mistakes; ``name`` is the file name for messages.

    Items that cannot be parsed are left out of the tree; their words are in ``File.words``.
    """
    sink = Sink()
    file = parse_source(SourceFile(name, text.replace("\r\n", "\n").replace("\r", "\n")), sink)
    return file, list(sink)


def parse_source(source: SourceFile, sink: Sink) -> tree.File:
    """As ``parse_text``, for a file already read; mistakes go to ``sink``."""
    return parse_chunks(source, sink, parse_item)


ParseItem = Callable[[str, int, str, Sink], "tree.Item | None"]
"""Parses one item: the file's name, the item's first line, its text, where mistakes go."""


def parse_chunks(source: SourceFile, sink: Sink, parse: ParseItem) -> tree.File:
    """As ``parse_source``, each item by ``parse``."""
    items: list[tree.Item] = []
    unread: list[tree.Unread] = []
    found = chunks(source, sink)
    for chunk in found:
        item = parse(source.name, chunk.line, chunk.text, sink)
        if item is not None:
            items.append(item)
        else:
            unread.append(_unread(source.name, chunk))
    words: frozenset[str] = frozenset()
    if len(items) < len(found) or sink.has_errors:
        words = frozenset(WORD.findall(source.text))
    last = source.text.count("\n") + 1
    return tree.File(tuple(items), words, tuple(unread), span=Span(source.name, 1, 1, last, 1))


def _unread(name: str, chunk: Chunk) -> tree.Unread:
    word, _, rest = chunk.text.lstrip().partition("\n")[0].partition(" ")
    last = chunk.line + chunk.text.rstrip().count("\n")
    head = re.match(r"[\w.]*", rest.strip())
    assert head is not None
    return tree.Unread(word, head[0], span=Span(name, chunk.line, 1, last, 1))


def parse_item(name: str, line: int, text: str, sink: Sink) -> tree.Item | None:
    """The item that begins in ``line`` of the file ``name``, or None with at least one finding.

    After a mistake its line is blanked, with the lines indented below it, and the rest is parsed again. A line of an
    earlier version of the language is read as it is said now.
    Mistakes that only the blanking made (a block that lost its only line) are not reported.
    """
    read = automaton().item(name, line - 1, text)
    return _parse_slowly(name, line, text, sink) if read is None else read


@functools.cache
def automaton() -> Automaton:
    """The automaton of the grammar."""
    found = parse_tables.read()
    if found is None:
        from .grammar import parser

        found = parse_tables.tables(parser())
    return Automaton(found)


def _parse_slowly(name: str, line: int, text: str, sink: Sink) -> tree.Item | None:
    """As ``parse_item``, for an item with mistakes."""
    from lark.exceptions import LarkError, UnexpectedInput
    from lark.indenter import DedentError

    from .build import Builder, too_deep
    from .grammar import parser
    from .mistakes import explain

    chunk = Chunk(line, text)
    lines = text.split("\n")
    whole = list(lines)
    for _ in range(_MAX_ERRORS):
        try:
            parsed = parser().parse("\n".join(lines))
        except UnexpectedInput as problem:
            if not _can_go_on(explain(name, chunk, lines, problem), lines, whole, sink):
                return None
            continue
        except (DedentError, LarkError, AssertionError, IndexError):
            sink.error(
                "R0202",
                Span(name, chunk.line, 1, chunk.line, 2),
                "The brackets or blocks of this item do not match.",
                help="Look for a bracket that is opened but not closed.",
            )
            return None
        deep = too_deep(parsed)
        if deep is not None:
            span = Builder(name, chunk.line - 1, chunk.text).span(deep)
            sink.error(
                "R0107", span, "This is nested too deeply.", help="Give parts of it names with `define` or `let`."
            )
            return None
        item = Builder(name, chunk.line - 1, "\n".join(lines)).build(parsed)
        return item if lines == whole else None
    return None


def _can_go_on(found: Mistake, lines: list[str], whole: list[str], sink: Sink) -> bool:
    """Reports a mistake and takes it out of the lines; whether anything is left."""
    from .slips import in_an_earlier_version

    newer = in_an_earlier_version(lines, found.line, found.diagnostic)
    if newer is not None:
        lines[found.line], earlier = newer
        whole[found.line] = lines[found.line]
        sink.add(earlier)
        return True
    if not _made_by_blanking(found, lines, whole):
        sink.add(found.diagnostic)
    return _blank(lines, found.line)


def _made_by_blanking(found: Mistake, lines: list[str], whole: list[str]) -> bool:
    """Whether the mistake is there only because lines beside it were blanked."""
    if found.needs_block:
        below = next((i for i in range(found.line + 1, len(whole)) if whole[i].strip()), found.line)
        return not lines[below].strip()
    if found.word == "otherwise":
        above = next((i for i in range(found.line - 1, -1, -1) if whole[i].strip()), found.line)
        return not lines[above].strip()
    return False


def _blank(lines: list[str], line: int) -> bool:
    """Blanks ``line`` (from 0) and the lines indented below it. False when nothing would be left.

    The lines above in which the same statement begins are blanked with it."""
    inside = continued(lines)
    while line in inside:
        line -= 1
    if line <= 0 or line >= len(lines) or not lines[line].strip():
        return False
    indent = len(lines[line]) - len(lines[line].lstrip())
    lines[line] = ""
    for below in range(line + 1, len(lines)):
        text = lines[below]
        if text.strip() and len(text) - len(text.lstrip()) <= indent:
            break
        lines[below] = ""
    return any(text.strip() for text in lines)


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


@attrs.define
class ParsedItems:
    """Parses files and remembers files and items by their text."""

    _files: Recent[_File] = attrs.field(factory=lambda: Recent(_TEXT, lambda file: len(file.source.text)))
    _items: Recent[_Item] = attrs.field(factory=lambda: Recent(_TEXT, lambda item: len(item.text)))

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
