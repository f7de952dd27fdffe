"""Blocks of passages that belong together: all that links connect, directly or through one another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

import attrs

from ..align import Alignment, Text

Verdict: TypeAlias = Literal["same", "proposed"]


@attrs.frozen
class Block:
    """``passages``: for each document (index), the passages (indices) in order; none where it says nothing of it.

    ``confidence``: of its weakest link, 0 to 1; ``verdict``: ``same`` if a person confirmed every link.
    """

    passages: tuple[tuple[int, ...], ...]
    confidence: float
    verdict: Verdict


def blocks(texts: Sequence[Text], alignments: Sequence[Alignment]) -> tuple[Block, ...]:
    """The blocks in the order of the first text. ``alignments``: of the first text with each of the others."""
    roots: dict[tuple[int, int], tuple[int, int]] = {}

    def root(node: tuple[int, int]) -> tuple[int, int]:
        while roots.setdefault(node, node) != node:
            roots[node] = roots[roots[node]]
            node = roots[node]
        return node

    sure: list[tuple[tuple[int, int], float, bool]] = []
    for other, alignment in enumerate(alignments, 1):
        for link in alignment.links:
            roots[root((other, link.right))] = root((0, link.left))
            sure.append(((0, link.left), link.confidence, link.evidence.pinned))
    groups: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for node in sorted(roots):
        groups.setdefault(root(node), []).append(node)
    found = []
    for top, nodes in groups.items():
        links = [(confidence, pinned) for node, confidence, pinned in sure if root(node) == top]
        passages = tuple(tuple(p for document, p in nodes if document == number) for number in range(len(texts)))
        verdict: Verdict = "same" if all(pinned for _, pinned in links) else "proposed"
        found.append(Block(passages, min((c for c, _ in links), default=0.0), verdict))
    return tuple(sorted(found, key=lambda block: block.passages))


def said(block: Block, texts: Sequence[Text]) -> Iterator[tuple[int, str]]:
    """What a block says in each document that has it."""
    for number, (text, passages) in enumerate(zip(texts, block.passages, strict=True)):
        if passages:
            yield number, " ".join(text.said(text.pieces[p]) for p in passages)
