"""Trying the options of a decision by short random play, and whole games in which every seat does so; see
``greedy.wat``, which does the work."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from ..chance import Stream
from ..lowered import code
from .host import Instance, Trap
from .layout import addresses as mem
from .search import packed
from .stakes import Stakes
from .whole import Whole

if TYPE_CHECKING:
    from .engine import WasmGame
    from .state import WasmState
    from .value import Value

_RESUME = 2**32 - 1
_ENTRY = 16
_ASK = struct.Struct("<7i")


@attrs.frozen
class Race:
    """How options drop out. ``clear``: by how many standard errors behind the one that leads. ``first``: the least that
    an option is tried in a round. ``wide``: how many race; of more options each is tried once, and the best of them
    race. ``scale``: by how many points the sides are mostly apart at the end of a game."""

    clear: float
    first: int
    wide: int
    scale: int


@attrs.frozen
class Trying:
    """How options are tried. ``limit``: random decisions behind an option before it is judged. ``tries``: the most of
    an option; ``budget``: of all options together, if that is enough for a few of each. ``most``: of more options a
    sample is tried. ``winning``: the share of a reward that is for winning and not for being ahead. ``epsilon``: the
    chance that nothing is tried and any option taken. ``value``: what judges where random play is cut short; None: who
    is ahead."""

    limit: int
    tries: int
    budget: int
    most: int
    winning: float
    epsilon: float
    race: Race
    value: Value | None = None


class Room:
    """The room of a search, laid out for trying options. ``longest``: the most decisions of a whole game."""

    def __init__(self, game: WasmGame, trying: Trying, longest: int) -> None:
        self.game = game
        self.trying = trying
        self.longest = longest
        self._base = base = game.steps.addresses.search
        self._instance = instance = game.steps.searching
        self._whole = Whole.of(game, instance, mem.SEARCH_SIZE, longest)
        seats = -(-self._whole.end // 8) * 8
        self._rest = rest = seats + 8 * game.players
        if trying.value is not None:
            self._rest += trying.value.room(game)
        self._reserve(self._rest)
        instance.write(base, bytes(mem.SEARCH_SIZE))
        if trying.value is not None:
            trying.value.lay_out(game, instance, base + rest)
        self._whole.lay_out()
        Stakes.at(game).lay_out(instance, base, trying.winning)
        instance.write(base + mem.GREEDY_EPSILON, struct.pack("<d", trying.epsilon))
        race = trying.race
        instance.write(base + mem.GREEDY_CLEAR, struct.pack("<d", race.clear))
        for field, value in {
            mem.GREEDY_SEATS: base + seats,
            mem.GREEDY_OPTIONS: base + self._rest,
            mem.GREEDY_LIMIT: trying.limit,
            mem.GREEDY_TRIES: trying.tries,
            mem.GREEDY_BUDGET: trying.budget,
            mem.GREEDY_MOST: trying.most,
            mem.GREEDY_FIRST: race.first,
            mem.GREEDY_SCALE: race.scale,
            mem.GREEDY_WIDE: race.wide,
        }.items():
            instance.put_word(base + field, value)
        instance.room = self

    @classmethod
    def of(cls, game: WasmGame, trying: Trying, longest: int) -> Room:
        """One on this thread: that of the last decision, unless somebody else was there meanwhile."""
        found = game.steps.searching.room
        if isinstance(found, Room) and found.trying == trying and found.longest == longest:
            return found
        return cls(game, trying, longest)

    def choose(self, worlds: Sequence[WasmState], stream: Stream) -> int:
        """The option that is taken of a decision that is open in all worlds, which have the same options."""
        instance, base, addresses = self._instance, self._base, self.game.steps.addresses
        ask = worlds[0]._ask
        assert ask is not None
        asked = self.game.asks(ask[1], ask[2])
        assert isinstance(asked, code.Ask)
        data = [packed(world, addresses.fixed_size, addresses.open_size) for world in worlds]
        stride = -(-max(map(len, data)) // 8) * 8
        at = -(-(self._rest + _ENTRY * ask[3] + mem.WORD * self.trying.most * self.trying.tries) // 8) * 8
        rows = at + stride * len(data)
        about = -(-(rows + len(worlds[0]._rows)) // 8) * 8
        self._reserve(about + _ASK.size)
        for number, world in enumerate(data):
            instance.write(base + at + number * stride, world)
        instance.write(base + rows, worlds[0]._rows)
        instance.write(base + about, _ASK.pack(*ask, 0, asked.hidden))
        for field, value in {
            mem.SEARCH_WORLDS: base + at,
            mem.SEARCH_COUNT: len(data),
            mem.SEARCH_STRIDE: stride,
            mem.SEARCH_ROWS: base + rows,
            mem.SEARCH_ASK: base + about,
        }.items():
            instance.put_word(base + field, value)
        instance.write(base + mem.GREEDY_OWN, struct.pack("<Q", stream.state))
        choice = self._kept_up("foresee", (0,), (1,))
        stream.state = int.from_bytes(instance.read(base + mem.GREEDY_OWN, 8), "little")
        return choice

    def play(self, seed: int, streams: Sequence[int], limit: int, *, by_question: bool) -> WasmState:
        """The last state of the game of a seed, after so many decisions at most. Nothing may be hidden in it from
        anybody but chance that is still to come. ``streams``: see ``Whole``. Raises Trap for a game that faults."""
        status = self._whole.begin(seed, streams, by_question=by_question)
        self._instance.put_word(self._base + mem.GREEDY_DONE, 0)
        status = self._kept_up("play_greedy", (status, limit), (_RESUME, limit))
        return self._whole.state(seed, status, self._instance.word(self._base + mem.GREEDY_DONE))

    def _kept_up(self, name: str, begin: tuple[int, ...], go_on: tuple[int, ...]) -> int:
        """Calls a function, and again after each try that faults. Raises Trap for another, or one that takes long."""
        instance = self._instance
        instance.put_word(self._base + mem.GREEDY_TRYING, 0)
        arguments = begin
        try:
            while True:
                try:
                    return instance.call(name, *arguments)
                except Trap as trap:
                    instance = self._ready()
                    instance.look()
                    if trap.late or not instance.word(self._base + mem.GREEDY_TRYING):
                        raise
                    arguments = go_on
        finally:
            instance.look()  # the memory may have grown

    def _ready(self) -> Instance:
        """The instance after a trap."""
        return self.game.steps.searching

    def _reserve(self, size: int) -> None:
        if not self._instance.call("reserve", size):
            raise MemoryError(f"trying options needs {size:,} bytes")
        self._instance.look()


__all__ = ["Room", "Trying"]
