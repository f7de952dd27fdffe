"""Stretches of rings: of a long ring only the fields around what matters, in a row, so that they can be seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from .place.rings import clipped
from .scene.addresses import around
from .scene.nodes import Node, Scene

_PART = 0.7
"""A ring of which more than this part matters is not cut."""
_MOST = 3
"""Nor is one cut into more stretches."""
_NEAR = 1
"""Fields beside what matters that are drawn with it."""


def stretched(scenes: Sequence[Scene], matters: frozenset[str]) -> list[Scene]:
    """Scenes of one game with the same stretches of its rings: the fields where something matters in one of them, the
    pieces that adjoin these, and a few fields beside them.
    """
    found = list(scenes)
    for name in dict.fromkeys(node.address for node in found[0].root.children if node.kind == "ring"):
        rings = [_ring(scene, name) for scene in found]
        if any(ring is None for ring in rings):
            continue
        fields = [[child for child in ring.children if child.kind == "field"] for ring in rings if ring is not None]
        kept = _kept(fields, matters)
        starts = sum((number - 1) % len(fields[0]) not in kept for number in kept)
        if kept and starts <= _MOST and len(kept) <= _PART * len(fields[0]):
            found = [_cut(scene, name, kept) for scene in found]
    return found


def _ring(scene: Scene, address: str) -> Node | None:
    return next((node for node in scene.root.children if node.kind == "ring" and node.address == address), None)


def _kept(rings: Sequence[Sequence[Node]], matters: frozenset[str]) -> set[int]:
    """The numbers of the fields to draw, from those of a ring in each Scene."""
    count = len(rings[0])
    core = {i for fields in rings for i, field in enumerate(fields) if _matters(field, matters)}
    taken = {i for fields in rings for i, field in enumerate(fields) if any(child.address for child in field.children)}
    kept = set(core)
    for number in core:
        for way in (1, -1):
            beside = (number + way) % count
            while beside in taken and beside not in kept:
                kept.add(beside)
                beside = (beside + way) % count
    kept |= {(number + way) % count for number in kept for way in range(-_NEAR, _NEAR + 1)} if kept else set()
    return kept | {i for i in range(count) if {(i - 1) % count, (i + 1) % count} <= kept}


def _matters(field: Node, matters: frozenset[str]) -> bool:
    """Whether the field, what lies on it or what may lie on it matters."""
    name = field.address.partition(":")[2]
    if any(name in address.partition("[")[2].rstrip("]").split(", ") for address in matters):
        return True
    return any(matters & {node.address, around(node.address)} for node in field.walk() if node.address)


def _cut(scene: Scene, address: str, kept: set[int]) -> Scene:
    parts: list[Node] = []
    for node in scene.root.children:
        parts += _stretches(node, kept) if node.kind == "ring" and node.address == address else [node]
    return attrs.evolve(scene, root=attrs.evolve(scene.root, children=tuple(parts)))


def _stretches(ring: Node, kept: set[int]) -> Iterator[Node]:
    """The stretches of a ring, each as a ring that does not close."""
    fields = [child for child in ring.children if child.kind == "field"]
    bands = [child for child in ring.children if child.kind == "band"]
    count = len(fields)
    starts = [i for i in sorted(kept) if (i - 1) % count not in kept]
    for first in starts:
        length = next(n for n in range(1, count + 1) if (first + n) % count not in kept)
        part = [fields[(first + i) % count] for i in range(length)]
        outside = tuple(clipped(bands, first, length, count))
        look = {**ring.look, "fields": length, "stretch": True}
        yield attrs.evolve(ring, look=look, children=(*part, *outside))
