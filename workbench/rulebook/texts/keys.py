"""Keys of the parts of a text, the same in every language, by which texts of one rulebook are put beside each other.

A statement has its own id. A heading is named after the section that follows: ``heading:income.gold``, the title
``title:income.gold``; further ones of its kind above the same section get ``+2``, ``+3``, the farthest last. At the end
of a text no section follows, and the name is ``end``.
"""

from __future__ import annotations

from .model import Heading, RulebookText, Statement


def parts_by_key(text: RulebookText, like: RulebookText | None = None) -> dict[str, Heading | Statement]:
    """The parts of one text by their keys, in reading order.

    A text with the same headings as ``like`` takes their keys, even if a section is missing in it.
    """
    headings = _headings(text)
    if like is not None:
        theirs = _headings(like)
        if [h.level for h in theirs.values()] == [h.level for h in headings.values()]:
            headings = dict(zip(theirs, headings.values(), strict=True))
    names = {heading.span: key for key, heading in headings.items()}
    return {part.id if isinstance(part, Statement) else names[part.span]: part for part in text.parts}


def _headings(text: RulebookText) -> dict[str, Heading]:
    """The headings by their keys, in order."""
    found: dict[str, Heading] = {}
    following = "end"
    sections = sorted(text.sections.items(), key=lambda item: item[1].line)
    for heading in reversed([part for part in text.parts if isinstance(part, Heading)]):
        while sections and sections[-1][1].line > heading.span.line:
            following = sections.pop()[0]
        name = f"{'title' if heading.level == 1 else 'heading'}:{following}"
        count = sum(key.partition("+")[0] == name for key in found)
        found[f"{name}+{count + 1}" if count else name] = heading
    return dict(reversed(found.items()))


def heading_section(key: str) -> str:
    """The section that a heading's key names."""
    return key.partition(":")[2].partition("+")[0]
