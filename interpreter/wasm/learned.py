"""Worth of options, learned from random games, and games played by it inside the module that stops at decisions.

``learned.wat`` does the work. The value of an option is the mean reward of those who took it, less that of all who
could have. In a random game every option is taken with a known chance, so that weighing each game by one over it
(Horvitz and Thompson, "A Generalization of Sampling Without Replacement from a Finite Universe", 1952) makes the two
comparable: an option is not thought good because only leaders have it. Values with few games behind them are drawn
towards those of all seats together, and these towards 0. Playing by average values of moves is what the Move-Average
Sampling Technique does (Finnsson and Björnsson, "Simulation-Based Approach to General Game Playing", AAAI 2008).
"""

from __future__ import annotations

import struct
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from ..chance import Stream, mix
from ..lowered import code
from .host import Trap
from .layout.addresses import (
    ASK_PLAYER,
    ASK_WIDTHS,
    DECISIONS,
    LEARN_LOG,
    LEARN_MASK,
    LEARN_ROOM,
    LEARN_STRIDE,
    LEARN_TABLE,
    SEARCH_SIZE,
    STREAMS,
)
from .layout.rows import row_words
from .search import WINNING, Stakes
from .whole import Whole

if TYPE_CHECKING:
    from .engine import WasmGame
    from .state import WasmState

DECISIONS_LEARNED, GAMES_LEARNED = 1_000_000, 10_000
"""Random games are played until they had so many decisions, or until there are so many games."""

LONGEST = 5_000
"""Decisions after which one of these games is judged as it stands."""

DOUBT = 80.0
"""Games that must have taken an option before its value counts for half of what they say."""

WARMTH = 0.01
"""The worth that makes an option e times as likely."""

_LEARNING = struct.Struct("<qdddddii")
_KNOWN = struct.Struct("<qd")
_PLACES = 1 << 18
_LOG, _LOGGED = 1 << 18, 12
_SEED = 0x1EA54
_one_at_a_time = threading.Lock()


@attrs.frozen(eq=False)
class Learned:
    """Values of options. ``table``: as it lies in the memory of a module; ``options``: how many it has; ``games``: how
    many were played to learn them."""

    table: bytes
    options: int
    games: int

    @classmethod
    def of(cls, game: WasmGame) -> Learned:
        """Those of a game, which are learned when they are first asked for, and the same on every machine."""
        with _one_at_a_time:
            found: Learned | None = game.kept.get("learned")
            if found is None:
                found = game.kept["learned"] = _learned(game)
        return found


class Room:
    """The room of a search, laid out for learning or for playing by what was learned. ``longest``: the most
    decisions of a game."""

    def __init__(self, game: WasmGame, table: bytes, stride: int, longest: int) -> None:
        self.game = game
        self._steps = game.steps
        self._base = base = game.steps.addresses.search
        self.longest = longest
        self.instance = instance = game.steps.searching
        at = -SEARCH_SIZE % 8 + SEARCH_SIZE
        log = at + len(table)
        self._whole = Whole.of(game, instance, log + _LOGGED * _LOG, longest)
        if not instance.call("reserve", self._whole.end):
            raise MemoryError(f"values of options need {self._whole.end:,} bytes")
        instance.look()
        instance.write(base, bytes(SEARCH_SIZE))
        self._whole.lay_out()
        Stakes.at(game).lay_out(instance, base, WINNING)
        instance.write(base + at, table)
        for field, value in {
            LEARN_TABLE: base + at,
            LEARN_STRIDE: stride,
            LEARN_MASK: len(table) // stride - 1,
            LEARN_LOG: base + log,
            LEARN_ROOM: _LOG,
        }.items():
            instance.put_word(base + field, value)
        instance.room = self

    @classmethod
    def playing(cls, game: WasmGame, longest: int) -> Room:
        """One for playing, on this thread: that of the last game, unless somebody else was there meanwhile."""
        found = game.steps.searching.room
        if isinstance(found, Room) and found.longest == longest:
            return found
        return cls(game, Learned.of(game).table, _KNOWN.size, longest)

    @property
    def decisions(self) -> int:
        """How many there were in the game played last."""
        return self.instance.word(self._steps.addresses.scratch + DECISIONS)

    def play(
        self, seed: int, streams: Sequence[int], limit: int, *, learning: bool = False, by_question: bool = False
    ) -> int:
        """Plays the game of a seed, at most so many decisions of it; the status then. ``streams``: the state of each
        stream of chance, by seat; ``by_question``: from which each rule that asks has its own.

        Raises Trap.
        """
        status = self._whole.begin(seed, streams, by_question=by_question)
        return self._steps.searching.call("play_on", status, limit, learning)

    def state(self, seed: int, status: int) -> WasmState:
        """How the game of a seed stands that was played last."""
        return self._whole.state(seed, status, self.decisions)

    def prefer(self, state: WasmState, stream: Stream) -> int:
        """The option that is taken in a state. Of the state nothing is looked at but its decision."""
        instance, scratch = self._steps.searching, self._steps.addresses.scratch
        assert state._ask is not None
        instance.write(scratch + ASK_PLAYER, struct.pack("<5i", *state._ask))
        instance.put_word(scratch + ASK_WIDTHS, self._widths(state))
        instance.write(self._steps.addresses.options, state._rows)
        instance.write(scratch + STREAMS, struct.pack("<Q", stream.state))
        choice = instance.call("prefer", scratch + STREAMS)
        stream.state = int.from_bytes(instance.read(scratch + STREAMS, 8), "little")
        return choice

    def _widths(self, state: WasmState) -> int:
        """Where it lies how many words of a row are used, as the module has it for the open decision."""
        assert state._ask is not None
        _, unit, site, _, _ = state._ask
        asked = self.game.blueprint.units[self._steps.units[unit]].sites[site]
        if isinstance(asked, code.Choose):
            return -1 if asked.may else 0
        if not isinstance(asked, code.Menu):
            return 0
        used = [1 + row_words(item.binds) for item in asked.items]
        at = self.instance.word(self._base + LEARN_LOG)  # nothing is logged meanwhile
        self.instance.write(at, struct.pack(f"<{len(used)}i", *used))
        return at

    def learned(self) -> bytes:
        """The table as it is in the memory."""
        at, places = (self.instance.word(self._base + field) for field in (LEARN_TABLE, LEARN_MASK))
        return self.instance.read(at, _LEARNING.size * (places + 1))


def _learned(game: WasmGame) -> Learned:
    """Plays random games and works out what options were worth in them. A game that faults teaches nothing."""
    room = Room(game, bytes(_PLACES * _LEARNING.size), _LEARNING.size, LONGEST)
    games = decisions = 0
    while games < GAMES_LEARNED and decisions < DECISIONS_LEARNED:
        seed = mix(_SEED, games)
        try:
            room.play(seed, [mix(seed)], LONGEST, learning=True)
        except Trap as trap:
            if trap.late:
                break
        games += 1
        decisions += room.decisions
    at = room.instance.word(game.steps.addresses.search + LEARN_TABLE)
    values = _values(room.learned(), at)
    return Learned(_table(values), len(values), games)


def _values(table: bytes, at: int) -> dict[int, float]:
    """The worth of each option by its key; ``at``: where the table lay."""
    rows = {place: row for place, row in enumerate(_LEARNING.iter_unpack(table)) if row[0]}
    common = {place: _drawn(_said(row), row[6], 0.0) for place, row in rows.items()}
    found = {}
    for place, (key, _, _, _, _, _, taken, link) in rows.items():
        found[key] = common[place]
        if link:
            together = common[(link - at) // _LEARNING.size]
            found[key] = _drawn(_said(rows[place]), taken, together)
    return found


def _exponential(x: float) -> float:
    """e**x nearly, between -8 and 8, and to the last bit the same on every machine."""
    found = 1 + min(8.0, max(-8.0, x)) / 4096
    for _ in range(12):
        found *= found
    return found


def _said(row: tuple[float, ...]) -> float:
    """What the games say that an option is worth."""
    _, _, possible, rewards, weight, weighted, *_ = row
    return weighted / weight - rewards / possible if weight else 0.0


def _drawn(said: float, taken: float, towards: float) -> float:
    return towards + (said - towards) * taken / (taken + DOUBT)


def _table(values: dict[int, float]) -> bytes:
    """The table that ``learned.wat`` looks up, at most half full: how much each option is liked."""
    places = 1 << (2 * len(values)).bit_length()
    table = bytearray(places * _KNOWN.size)
    for key, worth in values.items():
        place = (key % 2**64 >> 20) % places
        while table[place * _KNOWN.size : place * _KNOWN.size + 8] != bytes(8):
            place = (place + 1) % places
        _KNOWN.pack_into(table, place * _KNOWN.size, key, _exponential(worth / WARMTH))
    return bytes(table)
