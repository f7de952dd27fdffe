"""The picture of a position, and what of it can be clicked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import attrs

from ...pictures import scene_of
from ...pictures.paint import painted
from ...pictures.place import place
from ...pictures.scene.nodes import Node

if TYPE_CHECKING:
    from interpreter.game import State

    from ...pictures.arrange.kept import Kept
    from ...pictures.scene.look import Look
    from .asked import Asked

_COARSE = frozenset({"panel", "counter", "zone", "row"})
"""Kinds of nodes that need not be clicked where something inside them, or beside them, says more."""


@attrs.frozen
class Drawn:
    """``svg``: the picture, in pieces; ``targets``: the options that each address in it may mean."""

    svg: list[str]
    targets: Mapping[str, list[int]]


def drawn(
    state: State,
    seat: int | None,
    look: Look,
    width: int,
    choice: Asked | None,
    everything: bool = False,
    kept: Kept | None = None,
) -> Drawn:
    """The picture that a seat sees, ``width`` pixels wide, with the empty squares that it may fill.

    ``kept``: parts of earlier pictures of the game with this look.
    """
    meant = choice.meant if choice is not None else {}
    keep = [address for address in meant if "@" in address]
    scene = scene_of(state, seat, look=look, keep=keep, everything=everything, kept=kept)
    svg = painted(place(scene, width, titled=False), styled=False)
    return Drawn(svg, _targets(scene.root, meant))


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
    """Areas and numbers, also those that are hidden: not things that one would take in hand."""
    return node.kind in _COARSE or (node.kind == "backs" and node.count == 0)
