"""What a game is played for, as the module judges where play ended."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import attrs

from rulelang.program import Program
from rulelang.program.sides import all_together, only_counts, sides
from rulelang.types import NumberType, Type

from .host import Instance
from .layout import addresses as mem

if TYPE_CHECKING:
    from .engine import WasmGame

ONE = 1 << 16
"""A reward of 1."""


@attrs.frozen
class Stakes:
    """What a game is played for. ``sides``: by seat, the side that it wins with; ``span``: where all win or lose
    together, the least and the most points; ``winning``: whether there is anything to win; ``leads``: whether anybody
    can be ahead before the end."""

    sides: tuple[int, ...]
    span: tuple[int, int] | None
    winning: bool
    leads: bool

    @classmethod
    def of(cls, program: Program) -> Stakes:
        ranks = [rank for rank in program.ranks if not rank.implied]
        leads = bool(ranks) or program.score is not None
        if not all_together(program):
            return cls(sides(program), None, True, leads)
        type_: Type = ranks[0].value.type if ranks else NumberType(0, 1)
        if program.score is not None:
            type_ = program.variables[program.score].type
        assert isinstance(type_, NumberType)
        span = (type_.low, type_.high) if not ranks or ranks[0].most else (-type_.high, -type_.low)
        return cls(sides(program), span, not only_counts(program), leads)

    @classmethod
    def at(cls, game: WasmGame) -> Stakes:
        """Those of a game, which are worked out once."""
        found: Stakes = game.kept.get("stakes") or game.kept.setdefault("stakes", cls.of(game.program))
        return found

    def lay_out(self, instance: Instance, base: int, winning: float) -> None:
        """Writes what rewards depend on to the block of words at ``base``; ``winning``: see ``share``."""
        for field, value in {
            mem.SEARCH_WINNING: self.share(winning),
            mem.SEARCH_RIVALS: self.span is None,
            mem.SEARCH_UNWON: ONE // number if (number := len(set(self.sides))) > 1 else 0,
            mem.SEARCH_LOW: self.span[0] if self.span else 0,
            mem.SEARCH_LOW + mem.WORD: self.span[1] - self.span[0] if self.span else 0,
        }.items():
            instance.put_word(base + field, value)
        instance.write(base + mem.SEARCH_SIDES, struct.pack(f"<{len(self.sides)}i", *self.sides))

    def share(self, winning: float) -> int:
        """The share of a reward that is for winning, where it should be ``winning``, as a fraction of ``ONE``."""
        if not self.winning:
            return 0
        return int(winning * ONE) if self.leads else ONE
