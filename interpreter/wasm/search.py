"""Search inside the module that stops at decisions; see ``search.wat``, which does the work.

What is searched are worlds: positions that a seat can imagine, with the decision it faces. Nothing else is given to the
module, so nothing else can be used.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import attrs

from ..lowered import code
from .host import Instance, Trap
from .layout import addresses as mem
from .stakes import ONE, Stakes

if TYPE_CHECKING:
    from .engine import WasmGame
    from .state import WasmState
    from .value import Value

DEEPEST = 4_096
"""Choices on one way down the tree."""

MOST_NODES = 1 << 20
"""A tree grows no further; a node takes 48 bytes."""

WINNING = 0.5
"""The share of a reward that is for winning and not for being ahead, where nobody says otherwise."""

_LOGARITHMS = struct.pack("<1024d", 0.0, *(math.log(n) for n in range(1, 1024)))


class Judged(NamedTuple):
    """What a search found of one option of its root.

    ``visits``: the iterations that tried it; ``available``: those in which it could have been tried; ``value``: the
    mean reward of the seat, from 0 to 1; ``error``: half the width of an interval of 95 % around it.
    """

    visits: int
    available: int
    value: float
    error: float


@attrs.frozen
class Settings:
    """``limit``: decisions after which a playout is judged as it stands; ``explore``: the weight of options tried
    little; ``wide``: the options that are tried at first; ``depth``: choices on one way down the tree; ``winning``: the
    share of a reward that is for winning and not for being ahead."""

    limit: int = 2_000
    explore: float = 0.7
    wide: int = 10
    depth: int = DEEPEST
    winning: float = WINNING


class Search:
    """One tree. ``worlds`` have the same options in the same order; ``nodes``: the most it may have; ``value``: what
    judges where random play is cut short, or None for who is ahead."""

    def __init__(
        self,
        game: WasmGame,
        worlds: Sequence[WasmState],
        settings: Settings,
        seed: int,
        nodes: int,
        value: Value | None = None,
    ) -> None:
        self._game, self._value = game, value
        self._compiled = game.steps
        self._instance = game.steps.searching
        first = worlds[0]._ask
        assert first is not None
        self.options = first[3]
        asked = game.blueprint.units[game.steps.units[first[1]]].sites[first[2]]
        assert isinstance(asked, code.Ask)
        stakes = Stakes.at(game)
        self.late = False
        self.only_winning = stakes.share(settings.winning) == ONE
        self._prepare(worlds, settings, stakes, asked.hidden, seed % 2**64, min(nodes + 1, MOST_NODES))

    def _prepare(
        self, worlds: Sequence[WasmState], settings: Settings, stakes: Stakes, hidden: bool, seed: int, nodes: int
    ) -> None:
        addresses = self._compiled.addresses
        ask = worlds[0]._ask
        assert ask is not None
        every = [packed(world, addresses.fixed_size, addresses.open_size) for world in worlds]
        stride = -max(map(len, every)) % 8 + max(map(len, every))
        rows = worlds[0]._rows
        entries = 1 << (2 * nodes).bit_length()
        at = mem.SEARCH_SIZE
        regions: list[int] = []
        sizes = (len(_LOGARITHMS), mem.WORD * ask[3], mem.WORD * DEEPEST, 7 * mem.WORD, len(rows), stride * len(every))
        valued = 0 if self._value is None else self._value.room(self._game)
        for size in (*sizes, mem.NODE_SIZE * (nodes + 1), mem.WORD * entries, valued):
            at = -at % 8 + at
            regions.append(addresses.search + at)
            at += size
        instance = self._instance
        if not instance.call("reserve", at):
            raise MemoryError(f"a search needs {at:,} bytes")
        instance.look()
        instance.room = self
        self._base = base = addresses.search
        logarithms, order, passed, asked, rows_at, worlds_at, nodes_at, table, value_at = regions
        instance.write(logarithms, _LOGARITHMS)
        instance.write(asked, struct.pack("<7i", *ask, 0, hidden))  # each of these rows is one of a kind as it is
        instance.write(rows_at, rows)
        for number, data in enumerate(every):
            instance.write(worlds_at + number * stride, data)
        instance.write(table, bytes(mem.WORD * entries))
        instance.write(base, bytes(mem.SEARCH_SIZE))
        for field, value in {
            mem.SEARCH_WORLDS: worlds_at,
            mem.SEARCH_COUNT: len(every),
            mem.SEARCH_STRIDE: stride,
            mem.SEARCH_ASK: asked,
            mem.SEARCH_ROWS: rows_at,
            mem.SEARCH_ORDER: order,
            mem.SEARCH_NODES: nodes_at,
            mem.SEARCH_MOST: nodes,
            mem.SEARCH_MADE: 0,
            mem.SEARCH_TABLE: table,
            mem.SEARCH_MASK: entries - 1,
            mem.SEARCH_LN: logarithms,
            mem.SEARCH_PASSED: passed,
            mem.SEARCH_LIMIT: settings.limit,
            mem.SEARCH_WIDE: settings.wide,
            mem.SEARCH_DEPTH: min(settings.depth, DEEPEST),
        }.items():
            instance.put_word(base + field, value)
        stakes.lay_out(instance, base, settings.winning)
        instance.write(base + mem.SEARCH_SEED, struct.pack("<Q", seed))
        instance.write(base + mem.SEARCH_EXPLORE, struct.pack("<d", settings.explore))
        if self._value is not None:
            self._value.lay_out(self._game, instance, value_at)
            self.judge_by(self._value.scale)
        self._order = order
        self.ordered(range(ask[3]))

    def ordered(self, options: Sequence[int]) -> None:
        """The order in which the options of the root are tried first."""
        ranks = [0] * len(options)
        for rank, option in enumerate(options):
            ranks[option] = rank
        self._instance.write(self._order, struct.pack(f"<{len(ranks)}i", *ranks))

    def attempt(self, option: int, world: int, stream: int, limit: int) -> float | None:
        """What an option is worth to its seat after so many random decisions, from 0 to 1; None where it faults, and
        once one has taken too long."""
        if self.late:
            return None
        try:
            return self._instance.call("attempt", option, world, stream % 2**64, limit) / ONE
        except Trap as trap:
            self.late = trap.late
            self._ready()
            return None

    def seek(self, iterations: int) -> bool:
        """Grows the tree; false if it takes too long, or something did before. An iteration that faults counts as
        neither good nor bad for anybody."""
        if self.late:
            return False
        until = self.iterations + iterations
        while (left := until - self.iterations) > 0:
            try:
                self._instance.call("seek", left)
            except Trap as trap:
                self._ready().call("dropped")
                if trap.late:
                    self.late = True
                    return False
        return True

    def _ready(self) -> Instance:
        """The instance after a trap."""
        return self._compiled.searching

    @property
    def iterations(self) -> int:
        return self._instance.word(self._base + mem.SEARCH_ITERATIONS)

    @property
    def decisions(self) -> int:
        """How many the random play of the last attempt had."""
        return self._instance.word(self._compiled.addresses.scratch + mem.DECISIONS)

    @property
    def scale(self) -> int:
        """By how many points the first seat's side was mostly apart from the best of the others where play ended."""
        return int.from_bytes(self._instance.read(self._base + mem.SEARCH_SCALE, 8), "little")

    def judge_by(self, scale: int) -> None:
        """Keeps the measure of how far sides are apart, so that equal ends are worth the same from now on."""
        self._instance.write(self._base + mem.SEARCH_SCALE, struct.pack("<q", scale))
        self._instance.put_word(self._base + mem.SEARCH_SEEN, mem.MARGINS_SEEN)

    @property
    def dropped(self) -> int:
        """The iterations that ended in a fault."""
        return self._instance.word(self._base + mem.SEARCH_DROPPED)

    @property
    def nodes(self) -> int:
        return self._instance.word(self._base + mem.SEARCH_MADE)

    def judged(self) -> list[Judged]:
        """What was found of every option of the root, by its number."""
        found = []
        for option in range(self.options):
            node = self._instance.call("root_node", option)
            if not node:
                found.append(Judged(0, 0, 0.0, 1.0))
                continue
            data = self._instance.read(node, mem.NODE_SIZE)
            _, total, squares, _, visits, available = struct.unpack("<QqqiiI4x", data)
            mean = total / ONE / visits if visits else 0.0
            variance = max(0.0, squares / ONE / visits - mean * mean) if visits else 1.0
            found.append(Judged(visits, available, mean, 1.96 * math.sqrt(variance / visits) if visits > 1 else 1.0))
        return found


def packed(world: WasmState, fixed_size: int, open_size: int) -> bytes:
    """The lengths of a state's fixed part and of its saved frames, and both."""
    data = world._data
    fixed = fixed_size if world._word(mem.SECRET) else open_size
    return struct.pack("<2i", fixed, len(data) - fixed) + data
