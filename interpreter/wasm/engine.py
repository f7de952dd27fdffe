"""The game and its states as the fast engine offers them.

A state is the bytes of its position and the options of its decision. Whatever people look at (options in words, views,
explanations, saves) is made from the position by the code that all engines share; so is the key. A log is kept by
another engine: the game is given one that plays the choices again when somebody asks what happened.
"""

from __future__ import annotations

import struct
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from rulelang.collection import no_collection
from rulelang.limits import Limits, standard
from rulelang.words import so_many_players

from ..position.state import PositionState
from .compiled import Compiled, compiled
from .host import Instance, Trap
from .layout.addresses import (
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
    WHOLE,
    WINNERS,
    WORD,
)
from .stored import Facts, Origin

if TYPE_CHECKING:
    from pathlib import Path

    from rulelang.program import Program

    from ..data import Choice, Decision, Event, Plain, View
    from ..game import State, Trial
    from ..lowered import code
    from ..position.asked import Asked
    from ..position.blueprint import Blueprint
    from ..position.position import Choices, Frame, Made, Position
    from .logged import Course, FollowedState, LoggedGame, Reference
    from .looking import Looking

Ask = tuple[int, int, int, int, int]
"""The seat asked, the unit and the site in it, the number of options, the words of each."""

After: TypeAlias = "tuple[bytes, Ask | None, bytes, bytes]"
"""The state after a call: its bytes, what is asked, the options, and the rules that ran."""


class WasmState(PositionState):
    """See ``interpreter.game.State``. A method that raises leaves the state as it was.

    ``trace``: ids of the rules run since the game began, or since the state was made; of one step the first 16,384.
    """

    __slots__ = (
        "_ask",
        "_asked",
        "_choices",
        "_course",
        "_data",
        "_edited",
        "_fixed",
        "_log",
        "_position",
        "_rows",
        "_seed",
        "_traced",
        "game",
        "kept",
    )

    game: WasmGame
    kept: dict[str, Any]

    def __init__(
        self, game: WasmGame, data: bytes, ask: Ask | None, rows: bytes, seed: int, choices: Any, edited: bool
    ) -> None:
        self.game = game
        self.kept = {}
        self._data = data
        self._ask = ask
        self._rows = rows
        self._seed = seed
        self._choices = choices
        self._edited = edited
        self._fixed: tuple[Any, ...] = ()
        self._traced: Any = None
        self._asked: Asked | None = None
        self._position: Position | None = None
        self._log: tuple[Course, FollowedState] | None = None
        self._course: Course | None = None

    # -- looking

    @property
    def data(self) -> bytes:
        """The bytes of the position; see ``codec``."""
        return self._data

    @property
    def seed(self) -> int:
        """The seed that the game began with."""
        return self._seed

    @property
    def deciding_together(self) -> bool:
        """Whether players are deciding as if at the same time."""
        return bool(self._word(SECRET))

    @property
    def edited(self) -> bool:
        """Whether the choices do not lead from the seed to this position."""
        return self._edited

    def choices(self) -> list[Made]:
        """The choices made so far, oldest first."""
        from ..position.position import listed

        return listed(self._choices)

    def view(self, seat: int | None) -> View:
        return self.game.looking.view(self, self.decision, self._seat(seat))

    @property
    def position(self) -> Position:
        if self._position is None:
            from . import codec

            game = self.game
            position = codec.to_position(
                game.steps, game.blueprint, self._data, self._seed, self._choices, self._edited, self._fixed
            )
            position.asked = self._open_decision()
            self._position = position
        return self._position

    @property
    def _blueprint(self) -> Blueprint:
        return self.game.blueprint

    def _running(self) -> Callable[[], list[Frame]]:
        """The rules that are running now, as frames once somebody needs them."""
        game, data = self.game, self._data

        def frames() -> list[Frame]:
            from . import codec

            return codec.frames_of(game.steps, game.blueprint, data)

        return frames

    def _open_decision(self) -> Asked | None:
        if self._asked is None and self._ask is not None:
            from ..position.asked import Asked
            from .codec import raws_of

            player, unit, site, count, width = self._ask
            question = self.game.blueprint.question(self.game.asks(unit, site))
            known = self.game.rows_read.setdefault((unit, site), {})
            self._asked = Asked(question, player, raws_of(question, self._rows, count, width, known))
        return self._asked

    def _word(self, field: int) -> int:
        return int.from_bytes(self._data[field : field + 4], "little", signed=True)

    @property
    def decision(self) -> Decision | None:
        asked = self._open_decision()
        return None if asked is None else asked.decision_of(self._blueprint, self._running())

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
        return self.game.scores_of(self)

    @property
    def winners(self) -> tuple[int, ...]:
        if self.over:
            mask = self._word(WINNERS)
            return tuple(p for p in range(self.game.players) if mask >> p & 1)
        return () if self._word(SAVED) else self.game.blueprint.best(self.position.cells)

    @property
    def turns(self) -> int:
        return self._word(TURNS)

    @property
    def fired(self) -> Counter[str]:
        return Counter(self.position.fired)

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
        """What happened, told by the reference engine, which plays the choices made since somebody looked last."""
        if self._edited:
            from ..errors import GameError

            raise GameError("a position that was laid out by hand has no log on this engine")
        if self._course is None:  # played inside the module, or resumed: only the numbers of the choices are known
            return self.game.played_again(self._seed, self.choices()).log
        if self._log is None or self._log[0] is not self._course:
            from .logged import followed

            self._log = self._course, followed(self.game, self._seed, self._course, self._log)
        return self._log[1].log

    # -- changing

    def copy(self) -> WasmState:
        other = WasmState(self.game, self._data, self._ask, self._rows, self._seed, self._choices, self._edited)
        other._traced, other._position, other._log = self._traced, self._position, self._log
        other._course = self._course
        other._asked, other._fixed, other.kept = self._asked, self._fixed, self.kept
        return other

    def choose(self, choice: Choice) -> None:
        index = self._index(choice)
        course = self._course_after(index)
        if self.game.check:
            self._choose_checked(index)
            self._course = course
            return
        if self._fixed:
            (self._data, self._ask, self._rows, traced), self._fixed = self.game.step_fixed(self, index)
        else:
            self._data, self._ask, self._rows, traced = self.game.step(self, index)
        self._choices, self._course = (self._choices, index), course
        if traced:
            self._traced = (self._traced, traced)
        self._asked = self._position = None

    def _course_after(self, index: int) -> Course | None:
        """The course with an option of the open decision, as the row that stands for it; none for choosing nothing."""
        if self._course is None or self._ask is None:
            return None
        _, unit, site, count, width = self._ask
        if index == count - 1 and self.game.may_refuse(unit, site):
            return self._course, self._ask, b""
        size = WORD * width
        return self._course, self._ask, self._rows[index * size : (index + 1) * size]

    def _choose_checked(self, index: int) -> None:
        after = self.copy()
        if self._fixed:
            (after._data, after._ask, after._rows, traced), after._fixed = self.game.step_fixed(self, index)
        else:
            after._data, after._ask, after._rows, traced = self.game.step(self, index)
        after._choices, after._asked, after._position = (self._choices, index), None, None
        after._broken()
        self._data, self._ask, self._rows, self._choices = after._data, after._ask, after._rows, after._choices
        if traced:
            self._traced = (self._traced, traced)
        self._asked, self._position, self._fixed = after._asked, after._position, after._fixed

    def playout(self, seed: int, limit: int) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """Random choices from here to the end: scores and winners; None when ``limit`` decisions do not get there.

        Outcomes that are fixed are for those who play on, and count for nothing here.
        """
        return self.game.playout(self, seed, limit)

    def sequences(self, depth: int) -> int:
        if self.game.check or self._fixed:
            return super().sequences(depth)
        from . import perft

        return perft.sequences(self.game, self, depth)

    def _change(self, position: Position) -> None:
        """Takes over another position."""
        made = self.game.state_of(position)
        self._data, self._ask, self._rows = made._data, made._ask, made._rows
        self._edited, self._asked, self._position, self._log, self._course = True, None, None, None, None
        self._fixed = made._fixed

    def set(self, place: str, value: Plain) -> None:
        """Stores a value in a cell, as when a position is laid out by hand."""
        state = self.game.reference.state_of(self.position)
        state.set(place, value)
        self._change(state.position)

    def run(self, rule: str, arguments: Sequence[Plain] = ()) -> None:
        """Runs a rule by itself until it asks or ends."""
        from ..position import readout

        self._at_rest(f"running {rule}")
        values = readout.arguments(self.game.blueprint, rule, arguments)
        (self._data, self._ask, self._rows, traced), self._fixed = self.game.run(self, rule, values)
        if traced:
            self._traced = (self._traced, traced)
        self._edited, self._asked, self._position, self._log, self._course = True, None, None, None, None

    @property
    def fixed_chance(self) -> tuple[Any, ...]:
        return self._fixed

    def fix_chance(self, values: Sequence[Any]) -> None:
        from ..position import fixed
        from ..position.position import Laid

        outcomes = tuple(fixed.outcome(v) for v in values)
        self._fixed, self._position, self._course = (*self._fixed, *outcomes), None, None
        if self._word(WHOLE) and not self._edited:
            self._choices = (self._choices, Laid(outcomes))
        else:
            self._edited, self._log = True, None


class WasmGame:
    """See ``interpreter.game.Game``. ``invariants``: check them after every choice.

    ``facts`` are what is known at once. ``program`` is asked for when more is wanted than machine code can tell that is
    kept where the game comes from.
    """

    engine = "wasm"

    def __init__(
        self,
        facts: Facts,
        program: Callable[[], Program],
        reference: Reference,
        origin: Origin | None = None,
        *,
        invariants: bool = False,
        limits: Limits | None = None,
    ) -> None:
        self.check = invariants
        self.limits = limits or standard()
        self._make_reference = reference
        self._facts = facts
        self._program = program
        self._origin = origin
        self._profiled = False
        self._last = threading.local()
        self.rows_read: dict[tuple[int, int], dict[bytes, Any]] = {}
        """Options as bare values by their rows, for each unit and site that asks."""
        self.kept: dict[str, Any] = {}
        """What was found out about the game and does not depend on any position of it."""

    @classmethod
    def of(
        cls,
        program: Program,
        reference: Reference,
        origin: Origin | None = None,
        *,
        invariants: bool = False,
        limits: Limits | None = None,
    ) -> WasmGame:
        """The game of a program that has been loaded."""
        return cls(Facts.of(program), lambda: program, reference, origin, invariants=invariants, limits=limits)

    @classmethod
    def beside(cls, blueprint: Blueprint, reference: Reference) -> WasmGame:
        """The game of a blueprint that another engine uses; there is one for each."""
        if blueprint.beside is None:
            blueprint.beside = cls.of(blueprint.program, reference, limits=blueprint.limits)
            blueprint.beside.__dict__["blueprint"] = blueprint
        found: WasmGame = blueprint.beside
        return found

    @classmethod
    def load(
        cls,
        path: str | Path,
        players: int | None,
        settings: Mapping[str, Any],
        variants: Sequence[str | Path],
        reference: Reference,
        *,
        invariants: bool = False,
        limits: Limits | None = None,
    ) -> WasmGame:
        """The game in a folder; nothing is read again when machine code of it is kept. Raises as ``rulelang.load``."""
        origin = Origin(path, players, settings, variants, limits or standard())
        entry = origin.get(steps=False) or origin.get(steps=True)
        if entry is None:
            with no_collection():
                return cls.of(origin.program(), reference, origin, invariants=invariants, limits=limits)
        return cls(entry.facts, origin.program, reference, origin, invariants=invariants, limits=limits)

    def profiled(self) -> WasmGame:
        """The same game with playouts that count what they cost; see ``profile``."""
        found = WasmGame(self._facts, self._program, self._make_reference, invariants=self.check, limits=self.limits)
        found._profiled = True
        return found

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

        from ..errors import GameError

        changed = f"the rules of {self.name} have changed since the game was loaded; load it again"
        try:
            program = self._program()
        except (RulesError, UnusablePath) as error:
            raise GameError(f"{changed} ({error})") from error
        if program.version != self._facts.version:
            raise GameError(changed)
        return program

    @cached_property
    def blueprint(self) -> Blueprint:
        """The part that all positions of the game share."""
        from ..position.blueprint import Blueprint

        blueprint = Blueprint(self.program, self.limits)
        blueprint.supposing = self._suppose
        return blueprint

    def _suppose(self, *supposed: Any) -> list[Any]:
        """The cells as they would be after a rule: looking at a state asks the engine that runs single rules."""
        self._make_reference(self.blueprint)  # which then supposes for the blueprint instead of this
        suppose = self.blueprint.supposing
        assert suppose is not None
        return suppose(*supposed)

    @cached_property
    def reference(self) -> LoggedGame:
        """The same game on an engine that keeps a log and runs single rules."""
        return self._make_reference(self.blueprint)

    def chosen(self, ask: Ask, row: bytes) -> Any:
        """The bare value of an option, by its row; None for choosing nothing, which has none."""
        from .codec import raw_of

        _, unit, site, _, _ = ask
        question = self.blueprint.question(self.asks(unit, site))
        known = self.rows_read.setdefault((unit, site), {})
        return raw_of(question, row, known) if row else None

    def may_refuse(self, unit: int, site: int) -> bool:
        """Whether the last option of what is asked at a site of a unit is to choose nothing."""
        from ..lowered import code

        asked = self.asks(unit, site)
        return isinstance(asked, code.Choose) and asked.may

    def asks(self, unit: int, site: int) -> code.Ask:
        """The statement that asks at a site of a unit."""
        from ..lowered import code

        found = self.blueprint.units[self.steps.units[unit]].sites[site]
        assert isinstance(found, code.Ask)
        return found

    def played_again(self, seed: int, choices: Sequence[Made]) -> State:
        """The game of a seed after these choices, on the engine that keeps a log.

        The last one is kept: mostly the same game is asked for again, a few choices later.
        """
        from ..position.position import follow, laid_first

        known: tuple[int, list[Made], State] | None = getattr(self._last, "played", None)
        if known is not None and known[0] == seed and known[1] == list(choices[: len(known[1])]):
            done, state = len(known[1]), known[2].copy()
        else:
            done, state = 0, self.reference.start(seed, laid_first(choices))
        follow(state, choices[done:])
        self._last.played = (seed, list(choices), state)
        return state

    @cached_property
    def steps(self) -> Compiled:
        """The code that stops at decisions."""
        return compiled(self._facts, lambda: self.blueprint, self._origin, self.limits.seconds, steps=True)

    @cached_property
    def playouts(self) -> Compiled:
        """The code that plays whole games."""
        return compiled(
            self._facts,
            lambda: self.blueprint,
            self._origin,
            self.limits.seconds,
            steps=False,
            counted=self._profiled,
        )

    @cached_property
    def recorder(self) -> Compiled:
        """The code that plays whole games and counts what they leave behind."""
        return compiled(
            self._facts, lambda: self.blueprint, self._origin, self.limits.seconds, steps=False, recorded=True
        )

    @cached_property
    def looking(self) -> Looking:
        """How views and saves are read from the bytes of a state."""
        from .looking import Looking

        return Looking(self.steps)

    @cached_property
    def score_offsets(self) -> tuple[int, ...] | None:
        """Where the score of each seat lies in the bytes of a state, when a variable holds it."""
        name = self.program.score
        if name is None:
            return None
        cell = self.steps.memory.cells[name]
        return tuple(cell.base - STATE + owner * cell.strides[0] for owner in self.blueprint.score_owners)

    # -- running

    def _call(self, instance: Instance, name: str, argument: int) -> After:
        instance.holds = None  # whatever the call leaves behind if it stops half way
        try:
            status = instance.call(name, argument)
        except Trap as trap:
            raise self.steps.fault(instance, trap) from None
        return self._after(instance, status)

    def _call_fixed(
        self, name: str, argument: int, put: Callable[[Instance], None], fixed: tuple[Any, ...]
    ) -> tuple[After, tuple[Any, ...]]:
        """As ``_call``, with outcomes of chance that are fixed; those left come second. ``put``: lays out the state."""
        from . import fixing

        try:
            instance, status, left = fixing.call(self.steps, name, argument, put, fixed)
        except Trap as trap:
            raise self.steps.fault(self.steps.instance, trap) from None
        return self._after(instance, status), left

    def _after(self, instance: Instance, status: int) -> After:
        """What a call has left in the memory."""
        addresses, words = self.steps.addresses, instance.words
        saved = words[(STATE + SAVED) >> 2]
        fixed = addresses.fixed_size if words[(STATE + SECRET) >> 2] else addresses.open_size
        data = instance.read(STATE, fixed)
        if saved:
            data += instance.read(STATE + addresses.fixed_size, saved)
        # The memory still holds this state when the next choice is made in it, as it mostly is.
        instance.holds = data
        at = addresses.scratch >> 2
        traced = words[at + (TRACE_LENGTH >> 2)]
        trace = instance.read(addresses.scratch + TRACE, 2 * min(traced, TRACE_ROOM)) if traced else b""
        if status != ASKED:
            return data, None, b"", trace
        player, unit, site, count, width = words[at + (ASK_PLAYER >> 2) : at + (ASK_WORDS >> 2) + 1]
        ask = (player, unit, site, count, width)
        return data, ask, instance.read(addresses.options, WORD * count * width), trace

    def step(self, state: WasmState, index: int) -> After:
        """What follows when an option of a state is taken. The state stays as it is."""
        instance = self.steps.ready()
        if instance.holds is not state._data:
            self._put_asked(instance, state, index)
        return self._call(instance, "step", index)

    def step_fixed(self, state: WasmState, index: int) -> tuple[After, tuple[Any, ...]]:
        """As ``step``, with the outcomes that are fixed in the state; those left come second."""
        return self._call_fixed("step", index, lambda i: self._put_asked(i, state, index), state._fixed)

    def run(self, state: WasmState, rule: str, values: Sequence[Any]) -> tuple[After, tuple[Any, ...]]:
        """What follows when a rule is run by itself, and the fixed outcomes left. The state stays as it is."""
        from .layout.row_values import encode_row

        params = self.program.rules[rule].params
        row = [word for value, param in zip(values, params, strict=True) for word in encode_row(value, param.type)]

        def put(instance: Instance) -> None:
            self.put(instance, state)
            instance.write(self.steps.addresses.results, struct.pack(f"<{len(row)}i", *row))

        return self._call_fixed("run", self.steps.units.index(rule), put, state._fixed)

    def _put_asked(self, instance: Instance, state: WasmState, index: int) -> None:
        """Writes a state to the memory, and the one option of it that will be taken."""
        addresses = self.steps.addresses
        assert state._ask is not None
        self.put(instance, state)
        width = WORD * state._ask[4]
        at = index * width
        instance.write(addresses.options + at, state._rows[at : at + width])
        instance.put_word(addresses.scratch + ASK_COUNT, state._ask[3])

    def put(self, instance: Instance, state: WasmState) -> None:
        """Writes a state to the memory."""
        instance.holds = None
        addresses, data = self.steps.addresses, state._data
        fixed = addresses.fixed_size if state._word(SECRET) else addresses.open_size
        instance.write(STATE, data[:fixed])
        if len(data) > fixed:
            instance.write(STATE + addresses.fixed_size, data[fixed:])

    def playout(self, state: WasmState, seed: int, limit: int) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        if state._ask is None:
            return state.scores, state.winners
        instance, addresses = self.steps.ready(), self.steps.addresses
        self.put(instance, state)
        instance.write(addresses.options, state._rows)
        instance.put_word(addresses.scratch + ASK_COUNT, state._ask[3])
        instance.write(addresses.scratch + STREAMS, (seed % 2**64).to_bytes(8, "little"))
        try:
            instance.call("rollout", limit)
            words = instance.words
            if not words[(STATE + OVER) >> 2]:
                return None
            instance.call("scores")
        except Trap as trap:
            raise self.steps.fault(instance, trap) from None
        mask = words[(STATE + WINNERS) >> 2]
        return self._scores_in(instance), tuple(p for p in range(self.players) if mask >> p & 1)

    def _scores_in(self, instance: Instance) -> tuple[int, ...]:
        """What a call of ``scores`` has left among the options."""
        first = self.steps.addresses.options >> 2
        return tuple(instance.words[first : first + self.players])

    def scores_of(self, state: WasmState) -> tuple[int, ...]:
        """The points of a state where no variable keeps them."""
        instance = self.steps.searching
        self.put(instance, state)
        try:
            instance.call("scores")
        except Trap:  # told by the code that all engines share
            return state.position.scores()
        return self._scores_in(instance)

    # -- states

    def blank(self, seed: int = 0) -> WasmState:
        """A position with the initial values, in which nothing runs."""
        from ..position.position import blank

        return self.state_of(blank(self.blueprint, seed))

    def start(self, seed: int, chance: Sequence[Any] = ()) -> WasmState:
        """A new game, run to its first decision."""
        if chance:
            return self.state_of(self.reference.start(seed, chance).position)
        data = bytearray(self.steps.initial)
        data += bytes(self.steps.addresses.open_size - len(data))
        data[CHANCE : CHANCE + 8] = (seed % 2**64).to_bytes(8, "little")
        instance = self.steps.ready()
        instance.write(STATE, bytes(data))
        found, ask, rows, trace = self._call(instance, "begin", 0)
        state = WasmState(self, found, ask, rows, seed, None, False)
        state._course = ()
        state._traced = (None, trace) if trace else None
        if self.check:
            state._broken()
        return state

    def state_after(self, instance: Instance, status: int, seed: int, choices: Sequence[int]) -> WasmState:
        """The state that a game stands in which was played inside the module; ``choices``: all since it began."""
        data, ask, rows, _ = self._after(instance, status)
        chain: Choices = None
        for index in choices:
            chain = (chain, index)
        return WasmState(self, data, ask, rows, seed, chain, False)

    def state_of(self, position: Position) -> WasmState:
        """The state in a position; GameError when this engine cannot go on from it."""
        from . import codec

        data = codec.from_position(self.steps, position)
        asked = position.asked
        ask, rows = None, b""
        if asked is not None:
            frame = position.frames[-1]
            width = codec.width_of(asked.question)
            ask = (asked.player, self.steps.units.index(frame.unit.rule), frame.at, len(asked.raws), width)
            rows = codec.rows_of(asked, width, self.blueprint.limits.options)
        state = WasmState(self, data, ask, rows, position.seed, position.choices, position.edited)
        state._fixed = position.fixed
        return state

    def without_chance(self, state: State) -> WasmState:
        """A state with the chance to come taken out, and nothing told of how it came about."""
        if not isinstance(state, WasmState):
            state = self.state_of(state.position)
        addresses = self.steps.addresses
        data = bytearray(state._data)
        data[CHANCE : CHANCE + 8] = bytes(8)
        fired = addresses.fired - STATE
        data[fired : fired + WORD * len(self.rules)] = bytes(WORD * len(self.rules))
        return WasmState(self, bytes(data), state._ask, state._rows, 0, None, True)

    def trial(self, position: Position, *, told: bool = False) -> Trial:
        """The position as something to try choices in; ``told``: with a log, which another engine keeps."""
        return self.reference.trial(position, told=True) if told else self.state_of(position)

    def save(self, state: State) -> dict[str, Any]:
        """The state as plain JSON data; either engine can take it up."""
        if isinstance(state, WasmState) and state.game is self:
            return self.looking.save(state)
        from ..position import saves

        return saves.save(state.position)

    def evaluate(self, expression: str, state: State) -> Plain:
        """The value of an expression of the rules language."""
        from ..position import readout

        return readout.evaluate_in(self.blueprint, expression, state.position)

    def resume(self, data: Any) -> WasmState:
        """The state that ``save`` made ``data`` of; SaveError says what does not fit."""
        return self.state_of(self.reference.resume(data).position)

    def __repr__(self) -> str:
        return f"<{self.name} for {so_many_players(self.players)}, fast engine>"
