"""Going from a name to where it gets its meaning, and to everywhere it is used."""

from __future__ import annotations

from lsprotocol import types

from .renaming import everywhere, location, name_at
from .session import Desk, Document


def definition(desk: Desk, document: Document, params: types.DefinitionParams) -> types.Location | None:
    """Where the name under the cursor gets its meaning."""
    named = name_at(desk, document, params.position)
    span = None if named is None else named.symbols.declaration(named.use.symbol)
    return None if span is None else location(desk, span)


def references(desk: Desk, document: Document, params: types.ReferenceParams) -> list[types.Location]:
    """Everywhere in the game's files where the name under the cursor is used."""
    named = name_at(desk, document, params.position)
    if named is None:
        return []
    return [
        types.Location(found.uri, found.lines.range(use.span))
        for found, use in everywhere(desk, named)
        if params.context.include_declaration or not use.mention.declares
    ]


def highlights(
    desk: Desk, document: Document, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight] | None:
    """The places in this document where the name under the cursor is used; those that change it stand out."""
    named = name_at(desk, document, params.position)
    if named is None:
        return None
    return [
        types.DocumentHighlight(
            found.lines.range(use.span),
            types.DocumentHighlightKind.Write if use.mention.changes else types.DocumentHighlightKind.Read,
        )
        for found, use in everywhere(desk, named)
        if found.path == document.path
    ]
