"""XML in and out: nothing outside the file is fetched, no entity is expanded, mistakes are reported by line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from .units import ExchangeError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MAX_DEPTH = 40

__all__ = ["attributes", "escape", "local", "parse"]


def attributes(**values: str | None) -> str:
    """`` name="value"`` for each that is not None. An underscore in a name becomes a colon."""
    return "".join(f" {k.replace('_', ':')}={quoteattr(v)}" for k, v in values.items() if v is not None)


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
