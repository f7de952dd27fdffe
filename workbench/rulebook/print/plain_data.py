"""A rulebook as plain data, as in ``rulelang rulebook --format json``."""

from __future__ import annotations

from typing import Any

import attrs

from .model import HeadingPart, Part, Rulebook, plain


def as_data(rulebook: Rulebook) -> dict[str, Any]:
    """Keys: ``game title language players variants[] parts[] changes[] unworded[]``."""
    return {
        "game": rulebook.game,
        "title": rulebook.title,
        "language": rulebook.language,
        "players": list(rulebook.players),
        "variants": [attrs.asdict(variant) for variant in rulebook.variants],
        "parts": [_part(part) for part in rulebook.parts],
        "changes": [attrs.asdict(change) for change in rulebook.changes],
        "unworded": list(rulebook.unworded),
    }


def _part(part: Part) -> dict[str, Any]:
    """``kind`` heading: ``level text anchor``; ``kind`` statement: ``id section text old values[] doubt[]``.

    ``borrowed``: the language whose words stand in, where the text does not have its own yet.
    """
    common = {"mark": part.mark, "origin": part.origin, "borrowed": part.borrowed}
    if isinstance(part, HeadingPart):
        return {"kind": "heading", "level": part.level, "text": part.text, "anchor": part.anchor, **common}
    values = [
        {"placeholder": p.placeholder[1:-1], "value": p.text, "old": p.old}
        for p in part.sentence
        if p.placeholder is not None
    ]
    old = plain(part.old) if part.old is not None else None
    return {"kind": "statement", "id": part.id, "section": part.section, "text": part.text, "old": old,
            "values": values, "doubt": list(part.doubt), **common}  # fmt: skip
