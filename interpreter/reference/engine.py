"""Game and State as implemented by the reference engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulelang.limits import Limits, standard
from rulelang.program import Program
from rulelang.words import several

from ..data import Choice, Decision, Event, Plain
from ..errors import GameError, InvariantBroken
from ..game import Game, State
from ..position import fixed, readout, saves
from ..position.blueprint import Blueprint
from ..position.events import Chain, tell
from ..position.position import Coming, Laid, Position, blank
from ..position.state import PositionState
from ..record.observer import Observer
from .from_lowered import image_of
from .machine import Machine
from .trial import MachineTrial, Supposer


class ReferenceState(PositionState):
    """See ``interpreter.game.State``. A method that raises leaves the state unchanged."""

    __slots__ = ("_events", "_told", "game", "kept", "machine")

    game: ReferenceGame
    machine: Machine
    kept: dict[str, Any]

    def __init__(self, game: ReferenceGame, machine: Machine) -> None:
        self.kept = {}
        self.game = game
        self.machine = machine
        self._events: list[Event] = []
        self._told: Chain = None

    # -- looking

    @property
    def position(self) -> Position:
        return self.machine

    @property
    def _blueprint(self) -> Blueprint:
        return self.game.blueprint

    @property
    def decision(self) -> Decision | None:
        machine = self.machine  # which stays as it is: a choice is made on a copy
        asked, frames = machine.asked, machine.frames
        return None if asked is None else asked.decision_of(machine.blueprint, lambda: frames)

    @property
    def player(self) -> int | None:
        asked = self.machine.asked
        return None if asked is None else asked.player

    @property
    def option_count(self) -> int:
        asked = self.machine.asked
        return 0 if asked is None else len(asked.raws)

    @property
    def over(self) -> bool:
        return self.machine.over

    @property
    def scores(self) -> tuple[int, ...]:
        return self.machine.scores()

    @property
    def winners(self) -> tuple[int, ...]:
        """The winners of a finished game; with no rule running, the players currently ranked best; else nobody."""
        machine = self.machine
        if machine.over:
            return machine.winners
        return () if machine.frames else self.game.blueprint.best(machine.cells)

    @property
    def log(self) -> list[Event]:
        log = self.machine.log
        if log is not self._told:
            self._events = self._events + tell(self.game.blueprint, log, self._told)
            self._told = log
        return self._events

    @property
    def fired(self) -> Counter[str]:
        return Counter(self.machine.fired)

    @property
    def turns(self) -> int:
        return self.machine.turns

    # -- changing

    def copy(self) -> ReferenceState:
        other = ReferenceState(self.game, self.machine.copy())
        other._events, other._told, other.kept = self._events, self._told, self.kept
        return other

    def choose(self, choice: Choice) -> None:
        index = self._index(choice)
        before = self.machine
        machine = before.copy()
        machine.choose(index, before)
        self.machine = machine
        if self.game.check:
            try:
                self._broken()
            except InvariantBroken:
                self.machine = before
                raise

    def follow(self, raw: Any, coming: Callable[[], Coming]) -> None:
        """Take what is known to have been chosen, a bare value, in a game that is ``followed``; ``coming``: what is
        asked next."""
        self.machine.follow(raw, coming)

    def set(self, place: str, value: Plain) -> None:
        self._at_rest(f"setting {place}")
        cell, bare = readout.placed(self.machine, place, value)
        for memory, nothing in readout.forgotten(self.machine.blueprint, cell).items():
            self.machine.cells[memory] = nothing
        self.machine.cells[cell] = bare
        self.machine.edited = True

    def run(self, rule: str, arguments: Sequence[Plain] = ()) -> None:
        self._at_rest(f"running {rule}")
        values = readout.arguments(self.game.blueprint, rule, arguments)
        before = self.machine
        machine = before.copy()
        machine.edited = True
        machine.open(rule, values, None)
        machine.advance(lambda game: game.state_of(before).run(rule, arguments))
        self.machine = machine

    @property
    def fixed_chance(self) -> tuple[Any, ...]:
        return self.machine.fixed

    def fix_chance(self, values: Sequence[Any]) -> None:
        machine, outcomes = self.machine.copy(), tuple(fixed.outcome(v) for v in values)
        machine.fixed = (*machine.fixed, *outcomes)
        if machine.whole and not machine.edited:
            machine.choices = (machine.choices, Laid(outcomes))
        else:
            machine.edited = True
        self.machine = machine

    def fix_luck(self, luck: int) -> None:
        machine = self.machine.copy()
        machine.luck = luck
        self.machine = machine


class ReferenceGame:
    """See ``interpreter.game.Game``. ``invariants``: check them after every choice. ``recall``: see ``Blueprint``."""

    engine = "reference"

    def __init__(
        self, program: Program, *, invariants: bool = False, limits: Limits | None = None, recall: bool = True
    ) -> None:
        self._prepare(Blueprint(program, limits or standard(), recall), invariants)

    @classmethod
    def of(cls, blueprint: Blueprint, *, invariants: bool = False) -> ReferenceGame:
        """The game whose positions share a blueprint."""
        made = cls.__new__(cls)
        made._prepare(blueprint, invariants)
        return made

    def _prepare(self, blueprint: Blueprint, invariants: bool) -> None:
        self.program = blueprint.program
        self.blueprint = blueprint
        self.check = invariants
        self.image = image_of(blueprint)
        blueprint.supposing = Supposer(self.image)

    @property
    def name(self) -> str:
        return self.program.name

    @property
    def title(self) -> str:
        return self.program.title

    @property
    def players(self) -> int:
        return self.program.players

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(self.program.rules)

    def blank(self, seed: int = 0) -> ReferenceState:
        """A position with the initial values and no rule running."""
        return ReferenceState(self, Machine.of(self.image, blank(self.blueprint, seed)))

    def followed(self, seed: int) -> ReferenceState:
        """A game of which the choices are known: see ``ReferenceState.follow``. It has a log, but lists no options."""
        return self.start(seed, brief=True)

    def start(
        self,
        seed: int,
        chance: Sequence[Any] = (),
        carried: Mapping[str, Any] | None = None,
        *,
        observer: Observer | None = None,
        brief: bool = False,
    ) -> ReferenceState:
        """A new game, run to its first decision. ``observer``: counts what happens in it from its beginning; ``brief``:
        it is ``followed``."""
        before = blank(self.blueprint, seed, carried)
        state = ReferenceState(self, Machine.of(self.image, before))
        machine = state.machine
        machine.brief = brief
        machine.observer = observer
        machine.edited, machine.whole = False, True
        if chance or carried is not None:
            machine.fixed = tuple(fixed.outcome(v) for v in chance)
            machine.choices = (None, Laid(machine.fixed, first=True, carried=carried))
        machine.open(self.program.start, (), None)
        machine.advance(lambda game: _begin(game, before, chance))
        if self.check:
            state._broken()
        return state

    def state_of(self, position: Position) -> ReferenceState:
        """A state in this position, which is not changed. If it is between two decisions, it runs on to the next."""
        machine = Machine.of(self.image, position)
        if machine.frames and machine.asked is None:
            machine.advance()
        return ReferenceState(self, machine)

    def trial(self, position: Position, *, told: bool = False) -> MachineTrial:
        """The position as something to try choices in. This engine always keeps the log."""
        return MachineTrial(self.state_of(position).machine)

    def save(self, state: State) -> dict[str, Any]:
        """The state as plain JSON data."""
        return saves.save(state.position)

    def vector(self, n: int, **settings: Any) -> Any:
        """Games side by side, on the engine that ``blueprint.count`` gives."""
        if self.blueprint.count is None:
            raise GameError("only the fast engine has games side by side: load the game with engine='wasm'")
        return self.blueprint.count().vector(n, **settings)

    def evaluate(self, expression: str, state: State) -> Plain:
        """The value of an expression of the rules language."""
        return readout.evaluate_in(self.blueprint, expression, state.position)

    def resume(self, data: Any) -> ReferenceState:
        """The state that ``save`` turned into ``data``; SaveError says what is wrong."""
        position, choices = saves.load(self.blueprint, data)
        if choices is not None:
            saves.replay(self.start, position, choices)
        return self.state_of(position)

    def __repr__(self) -> str:
        return f"<{self.name} for {several(self.players, 'player')}, reference engine>"


def _begin(game: Game, before: Position, chance: Sequence[Any]) -> None:
    """Begins a game on another engine."""
    state = game.state_of(before)
    state.fix_chance(chance)
    state.run(game.program.start)
