"""Excerpts of source documents, and what other documents say about the same statements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import attrs

from rulelang.source import Span

from ..sources import Document, Passage

_ALIKE = 0.4
"""The share of their statements that passages have in common, at least, when they say much the same."""

_NEIGHBOURS = 8
"""The most lines between two passages of one stretch."""


@attrs.frozen(eq=False)
class Excerpt:
    """A passage with its document and, where the document is available, its text with words mended at line ends."""

    document: Document
    passage: Passage
    text: str | None

    @property
    def language(self) -> str:
        return self.document.language

    @property
    def span(self) -> Span:
        return self.passage.span

    @property
    def name(self) -> str:
        """How messages call it: ``rulebook-nl, lines 12-14``."""
        word = "line" if self.passage.first == self.passage.last else "lines"
        return f"{self.document.id}, {word} {self.passage.lines}"


@attrs.frozen
class Counterpart:
    """A passage and what one document says about the same statements: all of it (``text``), and where mostly.

    ``share``: the share of statements that ``one`` and ``other`` have in common.
    """

    one: Excerpt
    other: Excerpt
    text: str
    share: float


def counterparts_of(excerpts: Sequence[Excerpt]) -> Iterator[Counterpart]:
    """For every passage and every place of every document that states much the same, all that is said there.

    Documents cut their texts differently, so a passage is compared with a stretch of neighbouring ones; they also
    say things twice (rules, summary), and each place counts by itself. Within its own document a passage is
    compared with those that state just the same. Examples are compared with examples. Excerpts without text are left
    out.
    """
    by_statement: dict[str, list[Excerpt]] = {}
    for excerpt in excerpts:
        for statement in excerpt.passage.states if excerpt.text else ():
            by_statement.setdefault(statement, []).append(excerpt)
    for one in excerpts:
        near: dict[Excerpt, float] = {}
        for other in (o for statement in one.passage.states for o in by_statement.get(statement, ())):
            share = _share(one.passage.states, other.passage.states)
            alike = share == 1 if other.document.id == one.document.id else True
            example = (one.passage.kind == "example") == (other.passage.kind == "example")
            if one.text and other is not one and alike and example:
                near[other] = share
        for stretch in _stretches(near):
            best = max(stretch, key=lambda other: (near[other], -other.passage.first))
            if near[best] >= _ALIKE:
                text = "\n\n".join(other.text or "" for other in stretch)
                yield Counterpart(one, best, text, near[best])


def _stretches(excerpts: Iterable[Excerpt]) -> Iterator[list[Excerpt]]:
    """The excerpts in groups of one document with few lines between them."""
    group: list[Excerpt] = []
    for excerpt in sorted(excerpts, key=lambda e: (e.document.id, e.passage.first)):
        last = group[-1] if group else None
        if last is not None and (
            last.document.id != excerpt.document.id or excerpt.passage.first - last.passage.last > _NEIGHBOURS
        ):
            yield group
            group = []
        group.append(excerpt)
    if group:
        yield group


def _share(one: Sequence[str], other: Sequence[str]) -> float:
    return len(set(one) & set(other)) / len({*one, *other})
