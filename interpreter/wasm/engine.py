"""The game and its states as the fast engine offers them.

A state is the bytes of its position and the options of its decision. Whatever people look at (options in words, views,
explanations, saves) is made from the same position as the reference engine holds it, by the same code; so is the key.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rulelang.collection import no_collection

from ..position.state import Position
from .compiled import Compiled, compiled
from .host import Instance, Trap
from .layout.places import (
    ASK_COUNT,
    ASK_PLAYER,
    ASK_WORDS,
    ASKED,
    CHANCE,
    OVER,
    SAVED,
    SECRET,
    STATE,
    STREAMS,
    TRACE,
    TRACE_LENGTH,
    TRACE_ROOM,
    TURNS,
    WINNERS,
    WORD,
)
from .stored import Facts, Origin

if TYPE_CHECKING:
    from pathlib import Path

    from rulelang.program import Program

    from ..game import Decision, Event
    from ..reference.asks import Asked
    from ..reference.book import Book
    from ..reference.engine import ReferenceGame, ReferenceState
    from ..reference.machine import Machine

Ask = tuple[int, int, int, int, int]
"""The seat asked, the unit and the place in it, the number of options, the words of each."""


class WasmState(Position):
    """See ``interpreter.game.State``. A method that raises leaves the state as it was.

    ``trace``: ids of the rules run since the game began, or since the state was made.
    """

    __slots__ = (
        "_ask",
        "_asked",
        "_choices",
        "_data",
        "_edited",
        "_log",
        "_machine",
        "_rows",
        "_seed",
        "_traced",
        "game",
    )

    game: WasmGame

    def __init__(
        self, game: WasmGame, data: bytes, ask: Ask | None, rows: bytes, seed: int, choices: Any, edited: bool
    ) -> None:
        self.game = game
        self._data = data
        self._ask = ask
        self._rows = rows
        self._seed = seed
        self._choices = choices
        self._edited = edited
        self._traced: Any = None
        self._asked: Asked | None = None
        self._machine: Machine | None = None
        self._log: ReferenceState | None = None

    # -- looking

    @property
    def machine(self) -> Machine:
        """The position as the reference engine holds it; not to be changed."""
        if self._machine is None:
            from . import codec

            game = self.game
            machine = codec.to_machine(game.steps, game.book, self._data, self._seed, self._choices, self._edited)
            machine.pending = self._pending()
            self._machine = machine
        return self._machine

    def _pending(self) -> Asked | None:
        """The decision as the reference engine holds it."""
        if self._asked is None and self._ask is not None:
            from ..reference import asks
            from .codec import raws_of

            player, unit, site, count, width = self._ask
            instruction = self.game.book.units[self.game.steps.units[unit]].code[site]
            assert isinstance(instruction, asks.Ask)
            self._asked = asks.Asked(instruction, player, raws_of(instruction, self._rows, count, width))
        return self._asked

    def _word(self, field: int) -> int:
        return int.from_bytes(self._data[field : field + 4], "little", signed=True)

    @property
    def decision(self) -> Decision | None:
        pending = self._pending()
        return None if pending is None else pending.decision

    @property
    def option_count(self) -> int:
        return 0 if self._ask is None else self._ask[3]

    @property
    def player(self) -> int | None:
        """The seat that decides, None when nobody does."""
        return None if self._ask is None else self._ask[0]

    @property
    def over(self) -> bool:
        return bool(self._word(OVER))

    @property
    def scores(self) -> tuple[int, ...]:
        at = self.game.score_offsets
        if at is not None:
            data = self._data
            return tuple(int.from_bytes(data[a : a + 4], "little", signed=True) for a in at)
        return self.machine.scores()

    @property
    def winners(self) -> tuple[int, ...]:
        if self.over:
            mask = self._word(WINNERS)
            return tuple(p for p in range(self.game.players) if mask >> p & 1)
        return () if self._word(SAVED) else self.game.book.best(self.machine.cells)

    @property
    def turns(self) -> int:
        return self._word(TURNS)

    @property
    def fired(self) -> Counter[str]:
        return Counter(self.machine.fired)

    @property
    def trace(self) -> list[str]:
        found: list[str] = []
        chain = self._traced
        parts = []
        while chain is not None:
            chain, part = chain
            parts.append(part)
        rules = self.game.rules
        for part in reversed(parts):
            found.extend(rules[n] for n in memoryview(part).cast("H"))
        return found

    @property
    def log(self) -> list[Event]:
        """What happened, told by playing the choices again on the reference engine."""
        if self._log is None:
            from ..game import GameError
            from ..position import saves

            if self._edited:
                raise GameError("a position that was laid out by hand has no log on this engine")
            reference = self.game.reference.start(self._seed)
            for index in saves.choices_of(self._choices):
                reference.choose(index)
            self._log = reference
        return self._log.log

    # -- changing

    def copy(self) -> WasmState:
        other = WasmState(self.game, self._data, self._ask, self._rows, self._seed, self._choices, self._edited)
        other._traced, other._machine, other._log = self._traced, self._machine, self._log
        other._asked = self._asked
        return other

    def choose(self, index: int) -> None:
        index = self._index(index)
        if self.game.check:
            self._choose_checked(index)
            return
        self._data, self._ask, self._rows, traced = self.game.step(self, index)
        self._choices = (self._choices, index)
        if traced:
            self._traced = (self._traced, traced)
        self._asked = self._machine = self._log = None

    def _choose_checked(self, index: int) -> None:
        after = self.copy()
        after._data, after._ask, after._rows, traced = self.game.step(self, index)
        after._choices, after._asked, after._machine, after._log = (self._choices, index), None, None, None
        after._broken()
        self._data, self._ask, self._rows, self._choices = after._data, after._ask, after._rows, after._choices
        if traced:
            self._traced = (self._traced, traced)
        self._asked, self._machine, self._log = after._asked, after._machine, None

    def playout(self, seed: int, limit: int) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """Random choices from here to the end: scores and winners; None when ``limit`` decisions do not get there."""
        return self.game.playout(self, seed, limit)

    def _change(self, machine: Machine) -> None:
        """Takes over a position of the reference engine."""
        made = self.game.state_of(machine)
        self._data, self._ask, self._rows = made._data, made._ask, made._rows
        self._edited, self._asked, self._machine, self._log = True, None, None, None

    def _by_reference(self) -> ReferenceState:
        from ..reference.engine import ReferenceState

        return ReferenceState(self.game.reference, self.machine.copy())

    def set(self, variable: str, indices: tuple[int, ...], value: Any) -> None:
        """Stores a value in a cell, as when a position is laid out by hand."""
        state = self._by_reference()
        state.set(variable, indices, value)
        self._change(state.machine)

    def run(self, rule: str, arguments: tuple[Any, ...] = ()) -> None:
        """Runs a rule by itself until it asks or ends; the first stretch runs on the reference engine."""
        state = self._by_reference()
        state.run(rule, arguments)
        self._change(state.machine)

    @property
    def fixed_chance(self) -> tuple[Any, ...]:
        return ()

    def fix_chance(self, values: Sequence[Any]) -> None:
        from ..game import GameError

        raise GameError("outcomes of chance can be laid down on the reference engine only")


class WasmGame:
    """See ``interpreter.game.Game``. ``invariants``: check them after every choice.

    ``facts`` are what is known at once. ``program`` is asked for when more is wanted than machine code can tell that is
    kept where the game comes from.
    """

    engine = "wasm"

    def __init__(
        self, facts: Facts, program: Callable[[], Program], origin: Origin | None = None, *, invariants: bool = False
    ) -> None:
        self.check = invariants
        self._facts = facts
        self._program = program
        self._origin = origin

    @classmethod
    def of(cls, program: Program, origin: Origin | None = None, *, invariants: bool = False) -> WasmGame:
        """The game of a program at hand."""
        return cls(Facts.of(program), lambda: program, origin, invariants=invariants)

    @classmethod
    def load(
        cls,
        path: str | Path,
        players: int | None,
        settings: Mapping[str, Any],
        variants: Sequence[str | Path],
        *,
        invariants: bool = False,
    ) -> WasmGame:
        """The game in a folder; nothing is read again when machine code of it is kept. Raises as ``rulelang.load``."""
        origin = Origin(path, players, settings, variants)
        entry = origin.get(steps=False) or origin.get(steps=True)
        if entry is None:
            with no_collection():
                return cls.of(origin.program(), origin, invariants=invariants)
        return cls(entry.facts, origin.program, origin, invariants=invariants)

    @property
    def name(self) -> str:
        return self._facts.name

    @property
    def title(self) -> str:
        return self._facts.title

    @property
    def players(self) -> int:
        return self._facts.players

    @property
    def rules(self) -> tuple[str, ...]:
        return self._facts.rules

    @cached_property
    def program(self) -> Program:
        """Loaded when it is first asked for. Raises GameError when the rules are no longer those of this game."""
        from rulelang import RulesError, UnusablePath

        from ..game import GameError

        changed = f"the rules of {self.name} have changed since the game was loaded; load it again"
        try:
            program = self._program()
        except (RulesError, UnusablePath) as error:
            raise GameError(f"{changed} ({error})") from error
        if program.version != self._facts.version:
            raise GameError(changed)
        return program

    @cached_property
    def reference(self) -> ReferenceGame:
        """The same game on the reference engine."""
        from ..reference.engine import ReferenceGame

        return ReferenceGame(self.program)

    @property
    def book(self) -> Book:
        return self.reference.book

    @property
    def invariants(self) -> Any:
        return self.reference.invariants

    @cached_property
    def steps(self) -> Compiled:
        """The code that stops at decisions."""
        return compiled(self._facts, lambda: self.book, self._origin, steps=True)

    @cached_property
    def playouts(self) -> Compiled:
        """The code that plays whole games."""
        return compiled(self._facts, lambda: self.book, self._origin, steps=False)

    @cached_property
    def score_offsets(self) -> tuple[int, ...] | None:
        """Where the score of each seat lies in the bytes of a state, when a variable holds it."""
        name = self.program.score
        if name is None:
            return None
        cell = self.steps.memory.cells[name]
        return tuple(cell.base - STATE + seat * cell.strides[0] for seat in range(self.players))

    # -- running

    def _call(self, instance: Instance, name: str, argument: int) -> tuple[bytes, Ask | None, bytes, bytes]:
        """The state after a call: its bytes, what is asked, the options, and the rules that ran."""
        places = self.steps.places
        instance.holds = None  # whatever the call leaves behind if it stops half way
        try:
            status = instance.call(name, argument)
        except Trap as trap:
            raise self.steps.fault(instance, trap) from None
        words = instance.words
        saved = words[(STATE + SAVED) >> 2]
        fixed = places.fixed_size if words[(STATE + SECRET) >> 2] else places.open_size
        data = instance.read(STATE, fixed)
        if saved:
            data += instance.read(STATE + places.fixed_size, saved)
        # The memory still holds this state when the next choice is made in it, as it mostly is.
        instance.holds = data
        at = places.scratch >> 2
        traced = words[at + (TRACE_LENGTH >> 2)]
        trace = instance.read(places.scratch + TRACE, 2 * min(traced, TRACE_ROOM)) if traced else b""
        if status != ASKED:
            return data, None, b"", trace
        player, unit, site, count, width = words[at + (ASK_PLAYER >> 2) : at + (ASK_WORDS >> 2) + 1]
        ask = (player, unit, site, count, width)
        return data, ask, instance.read(places.options, WORD * count * width), trace

    def step(self, state: WasmState, index: int) -> tuple[bytes, Ask | None, bytes, bytes]:
        """What follows when an option of a state is taken. The state stays as it is."""
        instance, places = self.steps.ready(), self.steps.places
        assert state._ask is not None
        if instance.holds is not state._data:
            self._put(instance, state)
            width = WORD * state._ask[4]
            at = index * width
            instance.write(places.options + at, state._rows[at : at + width])
            instance.put_word(places.scratch + ASK_COUNT, state._ask[3])
        return self._call(instance, "step", index)

    def _put(self, instance: Instance, state: WasmState) -> None:
        """Writes a state to the memory."""
        instance.holds = None
        places, data = self.steps.places, state._data
        fixed = places.fixed_size if state._word(SECRET) else places.open_size
        instance.write(STATE, data[:fixed])
        if len(data) > fixed:
            instance.write(STATE + places.fixed_size, data[fixed:])

    def playout(self, state: WasmState, seed: int, limit: int) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        if state._ask is None:
            return state.scores, state.winners
        instance, places = self.steps.ready(), self.steps.places
        self._put(instance, state)
        instance.write(places.options, state._rows)
        instance.put_word(places.scratch + ASK_COUNT, state._ask[3])
        instance.write(places.scratch + STREAMS, (seed % 2**64).to_bytes(8, "little"))
        try:
            instance.call("rollout", limit)
            words = instance.words
            if not words[(STATE + OVER) >> 2]:
                return None
            instance.call("scores")
        except Trap as trap:
            raise self.steps.fault(instance, trap) from None
        first = places.options >> 2
        mask = words[(STATE + WINNERS) >> 2]
        scores = tuple(words[first : first + self.players])
        return scores, tuple(p for p in range(self.players) if mask >> p & 1)

    # -- states

    def blank(self, seed: int = 0) -> WasmState:
        """A position with the initial values, in which nothing runs."""
        return self.state_of(self.reference.blank(seed).machine)

    def start(self, seed: int) -> WasmState:
        """A new game, run to its first decision."""
        data = bytearray(self.steps.initial)
        data += bytes(self.steps.places.open_size - len(data))
        data[CHANCE : CHANCE + 8] = (seed % 2**64).to_bytes(8, "little")
        instance = self.steps.ready()
        instance.write(STATE, bytes(data))
        found, ask, rows, trace = self._call(instance, "begin", 0)
        state = WasmState(self, found, ask, rows, seed, None, False)
        state._traced = (None, trace) if trace else None
        if self.check:
            state._broken()
        return state

    def state_of(self, machine: Machine) -> WasmState:
        """The state of this engine for a position of the reference engine; GameError when it cannot go on from it."""
        from . import codec

        data = codec.from_machine(self.steps, machine)
        pending = machine.pending
        ask, rows = None, b""
        if pending is not None:
            frame = machine.frames[-1]
            width = codec.width_of(pending.instruction)
            ask = (pending.player, self.steps.units.index(frame.unit), frame.pc, len(pending.raws), width)
            rows = codec.rows_of(pending, width)
        return WasmState(self, data, ask, rows, machine.seed, machine.choices, machine.edited)

    def save(self, state: WasmState) -> dict[str, Any]:
        """The state as plain JSON data; either engine can take it up."""
        from ..position import saves

        return saves.save(state.machine)

    def resume(self, data: Any) -> WasmState:
        """The state that ``save`` made ``data`` of; SaveError says what does not fit."""
        return self.state_of(self.reference.resume(data).machine)

    def __repr__(self) -> str:
        return f"<{self.name} for {self.players} players, fast engine>"
