"""Skeleton of a text in a new language: the headings and sections of another text, without a word in them."""

from __future__ import annotations

from .model import Heading, RulebookText, Statement


def skeleton(text: RulebookText, *, fallback: bool = True) -> str:
    """A text with a place for everything that ``text`` says. ``fallback``: that one stands in for what is missing."""
    places = {part.span.line: _place(part) for part in text.parts}
    places |= {span.line: f"\n### `{id_}`" for id_, span in text.sections.items()}
    head = [f"<!-- fallback: {text.language} -->"] if fallback else []
    return "\n".join([*head, *(places[line] for line in sorted(places))]).lstrip("\n") + "\n"


def _place(part: Heading | Statement) -> str:
    return f"\n{'#' * part.level}" if isinstance(part, Heading) else f"{part.id.rpartition('.')[2]}."
