"""Liveness: the slots of a frame that are still needed at each site of a unit.

States are compared and saved by what can still matter, so a slot that nothing will read is left out. This is the usual
backward data-flow analysis; loops are repeated until nothing changes.
"""

from __future__ import annotations

from typing import TypeAlias, assert_never

import attrs

from rulelang.program.walk import free_slots

from . import code
from .code import Block, Code

Slots: TypeAlias = frozenset[int]

NONE: Slots = frozenset()


def mark_live(body: Block) -> None:
    """Fill in ``Site.live`` for all sites of a unit's body."""
    _Liveness([]).block(body, NONE)


@attrs.define
class _Liveness:
    """``ends``: the slots live after each loop around the current node, the innermost last."""

    ends: list[Slots]

    def block(self, block: Block, after: Slots) -> Slots:
        """The slots live before a block, given those live after it."""
        for node in reversed(block):
            after = self.node(node, after)
        return after

    def node(self, node: Code, after: Slots) -> Slots:
        match node:
            case code.Leave() | code.RunWatcher():
                return self._waits(node.site, after)
            case code.Inline():
                inside = self.block((*node.needs, *node.body), after)
                return inside if node.guard is None else inside | after | free_slots(node.guard)
            case code.Assign():
                return free_slots(node.value) | (after - {node.slot})
            case code.Branch():
                both = self.block(node.then, after) | self.block(node.otherwise, after)
                return both | free_slots(node.condition)
            case code.Each():
                return self._each(node, after)
            case code.Repeat():
                own = frozenset((node.left,))
                return free_slots(node.value) | (self._loop(node.body, own, NONE, after) - own)
            case code.RepeatFalling():
                own = frozenset((node.last,))
                return self._loop(node.body, own | free_slots(node.measure), NONE, after) - own
            case code.TakeTurns():
                own = frozenset((node.slot,))
                until = free_slots((node.following, node.until, node.out, node.nobody))
                return free_slots(node.start) | (self._loop(node.body, own | until, NONE, after) - own)
            case code.Break():
                return self.ends[-1]
            case code.Return():
                return NONE
            case code.Call():
                return self._waits(node.site, after) | free_slots(node.arguments)
            case code.Finish():
                return free_slots(node.who)
            case code.Choose():
                return self._choose(node, after)
            case code.Menu():
                return self._menu(node, after)
            case code.Pay():
                return self._asks(
                    node, after | free_slots((node.cost, node.less, *node.source.indices, *node.target.indices))
                )
            case code.RollChance():
                return free_slots(node.binds) | (after - {b.slot for b in node.binds.binds})
            case code.Need() | code.SetCell() | code.ChangeCell() | code.ScorePoints() | code.ShuffleStack():
                return after | free_slots(code.read(node))
            case code.ShowPieces() | code.MovePieces():
                return after | free_slots(code.read(node))
            case _:
                assert_never(node)

    def _waits(self, site: code.Site, live: Slots) -> Slots:
        site.live = tuple(sorted(live))
        return live

    def _asks(self, node: code.Ask, live: Slots) -> Slots:
        """A rule waits just before its decision: the options are worked out again from the live slots."""
        return self._waits(node.site, live | free_slots(node.who) | {name.slot for name in node.names if name.public})

    def _loop(self, body: Block, head: Slots, bound: Slots, after: Slots) -> Slots:
        """The slots live before the passes of a loop. ``head``: read around each pass; ``bound``: set by it"""
        top = after | head
        self.ends.append(after)
        while True:
            inside = (self.block(body, top) - bound) | head | after
            if inside == top:
                break
            top = inside
        self.ends.pop()
        return top

    def _each(self, node: code.Each, after: Slots) -> Slots:
        own = frozenset((node.items, node.position))
        bound = frozenset(bind.slot for bind in node.binds.binds)
        top = self._loop(node.body, own, bound, after)
        if isinstance(node, code.Together):
            self._waits(node.site, top)
        return free_slots(node.binds) | (top - own)

    def _choose(self, node: code.Choose, after: Slots) -> Slots:
        bound = {bind.slot for bind in node.binds.binds}
        if node.body is None:
            live = after - bound
        else:
            live = (self.block(node.body, after) - bound) | self.block(node.otherwise, after)
        counted = NONE if node.some is None else {node.some}
        return self._asks(node, live | free_slots(node.binds) | counted)

    def _menu(self, node: code.Menu, after: Slots) -> Slots:
        live: Slots = NONE
        for item in node.items:
            bound = {bind.slot for bind in item.binds.binds} if item.binds is not None else set()
            live |= self.node(item.body, after) - bound
            live |= free_slots(item.binds) | (free_slots(item.conditions) - bound)
        if node.otherwise is not None:
            live |= self.block(node.otherwise, after)
        return self._asks(node, live)
