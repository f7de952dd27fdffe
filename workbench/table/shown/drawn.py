"""The picture of a position, and what of it can be clicked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import attrs

from ...pictures.draw import arrange, described
from ...pictures.layout.page import place
from ...pictures.paint import painted
from ...pictures.scene.nodes import Node

if TYPE_CHECKING:
    from rulelang.program import Program

    from ...pictures.build.reuse import Kept
    from ...pictures.scene.look import Look
    from .asked import Asked

_COARSE = frozenset({"panel", "zone", "row"})
"""Kinds of nodes that need not be clicked where something inside them, or beside them, says more."""


@attrs.frozen
class Drawn:
    """``svg``: the picture, in pieces; ``described``: the same in sentences; ``targets``: the options that each address
    in it may mean."""

    svg: list[str]
    described: list[str]
    targets: Mapping[str, list[int]]


def drawn(
    program: Program, view: Mapping[str, Any], look: Look, width: int, choice: Asked | None, kept: Kept | None = None
) -> Drawn:
    """The picture of a view, ``width`` pixels wide, with the empty squares that may be filled.

    ``kept``: parts of earlier pictures.
    """
    meant = choice.meant if choice is not None else {}
    keep = [address for address in meant if "@" in address]
    scene = arrange(program, view, look, keep, kept=kept)
    svg = painted(place(scene, width, titled=False), styled=False)
    return Drawn(svg, described(scene.root), _targets(scene.root, meant))


def _targets(root: Node, meant: Mapping[str, frozenset[int]]) -> dict[str, list[int]]:
    """What can be clicked: addresses in the picture, without the coarse ones whose options finer ones mean as well."""
    coarse = {node.address: _is_coarse(node) for node in root.walk() if node.address}
    seen = {address: options for address, options in meant.items() if address in coarse}

    def is_needed(address: str) -> bool:
        if not coarse[address]:
            return True
        own = seen[address]
        finer = [o for a, o in seen.items() if a != address and (o < own or (o == own and not coarse[a]))]
        return not own <= frozenset().union(*finer)

    return {address: sorted(options) for address, options in sorted(seen.items()) if is_needed(address)}


def _is_coarse(node: Node) -> bool:
    """Areas: not things that one would take in hand."""
    return node.kind in _COARSE
