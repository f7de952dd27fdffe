"""The game as the fast engine offers it. Its states are in ``state``; ``running`` takes them from one to the next."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from rulelang.collection import no_collection
from rulelang.limits import Limits, standard
from rulelang.words import several

from ..chance import is_luck
from ..game import Game, State, Trial
from ..learning import MOST_DECISIONS, MOST_OPTIONS
from . import running
from .compiled import Compiled, CompiledFacts, Origin, compiled
from .host import Instance
from .layout.addresses import CHANCE, STATE, WORD
from .state import WasmState

if TYPE_CHECKING:
    from pathlib import Path

    from rulelang.program import Program

    from ..data import Event, Plain
    from ..learning.vector import Vector
    from ..lowered import code
    from ..position.blueprint import Blueprint
    from ..position.position import Choices, Coming, Made, Position
    from .looking import Looking
    from .running import Ask


class WasmGame:
    """See ``interpreter.game.Game``. ``invariants``: check them after every choice.

    ``facts`` are what is known at once. ``program`` is asked for when more is wanted than machine code can tell that is
    kept where the game comes from.
    """

    engine = "wasm"

    def __init__(
        self,
        facts: CompiledFacts,
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
        self._asking: dict[tuple[int, int], tuple[code.Ask, bool]] = {}
        self.kept: dict[Any, Any] = {}
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
        return cls(CompiledFacts.of(program), lambda: program, reference, origin, invariants=invariants, limits=limits)

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
        blueprint.count = lambda: self
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
        from ..position.position import question_of
        from .codec import raw_of

        _, unit, site, _, _ = ask
        question = question_of(self.blueprint, self.asks(unit, site))
        known = self.rows_read.setdefault((unit, site), {})
        return raw_of(question, row, known) if row else None

    def may_refuse(self, unit: int, site: int) -> bool:
        """Whether the last option of what is asked at a site of a unit is to choose nothing."""
        return self._asks(unit, site)[1]

    def asks(self, unit: int, site: int) -> code.Ask:
        """The statement that asks at a site of a unit."""
        return self._asks(unit, site)[0]

    def _asks(self, unit: int, site: int) -> tuple[code.Ask, bool]:
        known = self._asking.get((unit, site))
        if known is None:
            from ..lowered import code

            found = self.blueprint.units[self.steps.units[unit]].sites[site]
            assert isinstance(found, code.Ask)
            known = self._asking[unit, site] = found, isinstance(found, code.Choose) and found.may
        return known

    def played_again(self, seed: int, choices: Sequence[Made]) -> State:
        """The game of a seed after these choices, on the engine that keeps a log.

        The last one is kept: mostly the same game is asked for again, a few choices later.
        """
        from ..position.position import follow, laid_first

        known: tuple[int, list[Made], State] | None = getattr(self._last, "played", None)
        if known is not None and known[0] == seed and known[1] == list(choices[: len(known[1])]):
            done, state = len(known[1]), known[2].copy()
        else:
            done, state = 0, self.reference.start(seed, *laid_first(choices))
        follow(state, choices[done:])
        self._last.played = (seed, list(choices), state)
        return state

    @cached_property
    def steps(self) -> Compiled:
        """The code that stops at decisions."""
        return compiled(self._facts, lambda: self.blueprint, self._origin, steps=True)

    @cached_property
    def playouts(self) -> Compiled:
        """The code that plays whole games."""
        return compiled(
            self._facts,
            lambda: self.blueprint,
            self._origin,
            steps=False,
            counted=self._profiled,
        )

    @cached_property
    def recorder(self) -> Compiled:
        """The code that plays whole games and counts what they leave behind."""
        return compiled(self._facts, lambda: self.blueprint, self._origin, steps=False, recorded=True)

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

    # -- states

    def blank(self, seed: int = 0) -> WasmState:
        """A position with the initial values, in which nothing runs."""
        from ..position.position import blank

        return self.state_of(blank(self.blueprint, seed))

    def start(self, seed: int, chance: Sequence[Any] = (), carried: Mapping[str, Any] | None = None) -> WasmState:
        """A new game, run to its first decision."""
        if chance or carried is not None or is_luck(seed):
            return self.state_of(self.reference.start(seed, chance, carried).position)
        found, ask, rows, trace = running.begin(self.steps, seed)
        state = WasmState(self, found, ask, rows, seed, None, False)
        state._course = ()
        state._traced = (None, trace) if trace else None
        if self.check:
            state._broken()
        return state

    def state_after(self, instance: Instance, status: int, seed: int, choices: Sequence[int]) -> WasmState:
        """The state that a game stands in which was played inside the module; ``choices``: all since it began."""
        data, ask, rows, _ = running.after(self.steps, instance, status)
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

    def vector(
        self,
        n: int,
        *,
        seed: int = 0,
        rewards: str = "win",
        threads: int = 1,
        max_options: int = MOST_OPTIONS,
        max_decisions: int = MOST_DECISIONS,
    ) -> Vector:
        """See ``interpreter.game.Game``."""
        from .stepping import vector

        return vector(self, n, seed, rewards, threads, max_options, max_decisions)

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

    def with_chance(self, state: WasmState, seed: int) -> WasmState:
        """The same position with other chance to come: that of a seed."""
        data = bytearray(state._data)
        data[CHANCE : CHANCE + 8] = (seed % 2**64).to_bytes(8, "little")
        return WasmState(self, bytes(data), state._ask, state._rows, 0, None, True)

    def trial(self, position: Position, *, told: bool = False) -> Trial:
        """The position as something to try choices in; ``told``: with a log, which another engine keeps."""
        return self.reference.trial(position, told=True) if told else self.state_of(position)

    def save(self, state: State) -> dict[str, Any]:
        """The state as plain JSON data; either engine can take it up."""
        if isinstance(state, WasmState) and state.game is self:
            data, course = self.looking.save(state), state.course()
            return data if course is None else {**data, "course": course}
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
        return f"<{self.name} for {several(self.players, 'player')}, fast engine>"


# The log of a game: told by an engine that keeps one, which follows the choices and lists no others.


Course: TypeAlias = "tuple[Any, ...]"
"""The choices of a game as a chain, the last first: earlier ones, what was asked, the row of the option."""


Asking: TypeAlias = "tuple[Ask, bytes]"
"""What is asked, with rows that stand for options of it."""


class FollowedState(Protocol):
    """A state on an engine that keeps a log, of a game of which the choices are known."""

    @property
    def position(self) -> Position:
        """The position, with what was told in it."""

    @property
    def log(self) -> list[Event]:
        """What has happened so far, oldest first."""

    def copy(self) -> FollowedState:
        """An independent copy."""

    def follow(self, raw: Any, coming: Callable[[], Coming]) -> None:
        """Go on with a choice, a bare value, to what is asked next."""


class LoggedGame(Game, Protocol):
    """A game on an engine that keeps a log and runs single rules."""

    def followed(self, seed: int) -> FollowedState:
        """The game of a seed, run to its first decision."""


Reference: TypeAlias = Callable[["Blueprint"], LoggedGame]
"""Makes the same game on an engine that keeps a log and runs single rules."""


def followed(
    game: WasmGame, seed: int, course: Course, known: tuple[Course, FollowedState] | None, asked: Asking | None
) -> FollowedState:
    """The state at the end of a course.

    ``known``: one that was followed before, perhaps the beginning of it. ``asked``: what is asked there, with the rows
    of its options; None if the game is over.
    """
    since: list[Asking] = []
    while course and not (known is not None and course is known[0]):
        course, ask, row = course
        since.append((ask, row))
    begun = known is not None and course is known[0]
    state = known[1].copy() if known is not None and begun else game.reference.followed(seed)
    since.reverse()
    for (ask, row), following in zip(since, (*since[1:], asked), strict=False):
        state.follow(game.chosen(ask, row), partial(_coming, game, following))
    return state


def _coming(game: WasmGame, asked: Asking | None) -> Coming:
    """What is asked, and the first option in the rows."""
    from ..position.position import Coming

    if asked is None:
        return Coming(None, None)
    ask, rows = asked
    _, unit, site, count, width = ask
    row = b"" if count == 1 and game.may_refuse(unit, site) else rows[: WORD * width]
    return Coming(game.asks(unit, site), game.chosen(ask, row))
