"""XML in and out: nothing outside the file is fetched, no entity is expanded, mistakes are reported by line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from ...texts.interpolation import pieces_of
from ..units import ExchangeError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


MAX_DEPTH = 40
LANG = "{http://www.w3.org/XML/1998/namespace}lang"

__all__ = ["LANG", "attributes", "escape", "local", "parse", "with_placeholders"]


def attributes(named: Mapping[str, str | None] | None = None, /, **plain: str | None) -> str:
    """`` name="value"`` for each that is not None. ``named``: those whose names are no words of Python."""
    values = {**(named or {}), **plain}
    return "".join(f" {name}={quoteattr(value)}" for name, value in values.items() if value is not None)


def with_placeholders(
    text: str,
    ids: dict[str, list[str]],
    new_id: Callable[[int, str], str],
    mark: Callable[[str, str], str],
    *,
    reuse: bool,
) -> str:
    """A sentence with an element for each placeholder: ``mark`` of its id and the placeholder.

    ``ids``: placeholder to the ids it has in the source; the source fills it, a translation (``reuse``) uses it up.
    ``new_id``: of the placeholder with this number (from 1) in the sentence.
    """
    out = []
    for position, piece in enumerate(pieces_of(text)):
        if position % 2 == 0:
            out.append(escape(piece))
            continue
        known = ids.setdefault(piece, [])
        if reuse and known:
            id_ = known.pop(0)
        else:
            id_ = new_id(position // 2 + 1, piece)
            if not reuse:
                known.append(id_)
        out.append(mark(id_, piece))
    return "".join(out)


def parse(text: str, kind: str) -> Element:
    """The root of an XML text. Raises ExchangeError for what is not well-formed, defines entities or nests too deep."""
    from defusedxml import DefusedXmlException  # type: ignore[import-untyped]
    from defusedxml.ElementTree import ParseError, fromstring  # type: ignore[import-untyped]

    # It is decoded already; what it says of its encoding would be wrong for a text that was UTF-16.
    text = re.sub(r"\A\s*(<\?xml[^>]*?)\s+encoding=(\"[^\"]*\"|'[^']*')", r"\1", text)
    try:
        root: Element = fromstring(text, forbid_dtd=False, forbid_entities=True, forbid_external=True)
    except DefusedXmlException:
        raise ExchangeError(
            f"This {kind} file defines entities or refers to other files; that is refused. Save it without a DOCTYPE."
        ) from None
    except ParseError as problem:
        line, column = problem.position
        raise ExchangeError(
            f"line {line}, column {column + 1}: this is not well-formed XML; it may be cut off."
        ) from None
    _check_depth(root)
    return root


def _check_depth(root: Element) -> None:
    level = [root]
    for _ in range(MAX_DEPTH):
        level = [child for element in level for child in element]
        if not level:
            return
    raise ExchangeError(f"Elements are nested more than {MAX_DEPTH} deep; this is not a file for translators.")


def local(element: Element) -> str:
    """The element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]
