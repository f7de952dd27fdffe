"""A state of the fast engine: the bytes of its position and the options of its decision.

Whatever people look at (options in words, views, explanations, saves) is made from the position by the code that all
engines share; so is the key. A log is kept by another engine, which plays the choices again when somebody asks.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import GameError
from ..position.state import PositionState
from . import running
from .host import Trap
from .layout.addresses import ASK_COUNT, ASK_WORDS, OVER, SAVED, SECRET, TURNS, WHOLE, WINNERS, WORD

if TYPE_CHECKING:
    from ..data import Choice, Decision, Event, Plain, View
    from ..game import State
    from ..lowered.code import Frame
    from ..position.blueprint import Blueprint
    from ..position.position import ChoiceListing, Made, OpenQuestion, Position
    from .engine import Course, FollowedState, WasmGame
    from .running import Ask


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
        "_listing",
        "_log",
        "_luck",
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
        self._luck: int | None = None
        self._traced: Any = None
        self._asked: OpenQuestion | None = None
        self._position: Position | None = None
        self._log: tuple[Course, FollowedState] | None = None
        self._course: Course | None = None
        self._listing: ChoiceListing | None = None

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
        return list(self.listing().made)

    def listing(self) -> ChoiceListing:
        """The same, with where outcomes of chance are among them."""
        from ..position.position import listing

        self._listing = listing(self._choices, self._listing)
        return self._listing

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

    def _open_decision(self) -> OpenQuestion | None:
        if self._asked is None and self._ask is not None:
            from ..position.position import OpenQuestion, question_of
            from .codec import raws_of

            player, unit, site, count, width = self._ask
            question = question_of(self.game.blueprint, self.game.asks(unit, site))
            known = self.game.rows_read.setdefault((unit, site), {})
            self._asked = OpenQuestion(question, player, raws_of(question, self._rows, count, width, known))
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
        return running.scores_of(self.game.steps, self)

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
            raise GameError("a position that was laid out by hand has no log on this engine")
        return self._told().log

    def _told(self) -> State | FollowedState:
        """The same state on an engine that keeps a log."""
        if self._course is None:  # played inside the module, or resumed: only the numbers of the choices are known
            return self.game.played_again(self._seed, self.choices())
        if self._log is None or self._log[0] is not self._course:
            from .engine import followed

            asked = None if self._ask is None else (self._ask, self._rows)
            self._log = self._course, followed(self.game, self._seed, self._course, self._log, asked)
        return self._log[1]

    def course(self) -> list[str] | None:
        """The steps of the game so far, as a save has them; None in a position that was laid out by hand."""
        from ..position.saves import course_of

        return None if self._edited else course_of(self._told().position)

    # -- changing

    def copy(self) -> WasmState:
        other = WasmState(self.game, self._data, self._ask, self._rows, self._seed, self._choices, self._edited)
        other._traced, other._position = self._traced, self._position
        other._log, other._course, other._listing = self._log, self._course, self._listing
        other._asked, other._fixed, other.kept = self._asked, self._fixed, self.kept
        other._luck = self._luck
        return other

    def choose(self, choice: Choice) -> None:
        index = self._index(choice)
        if self._luck is not None:
            self._choose_elsewhere(index, self._luck)
            return
        course = self._course_after(index)
        if self.game.check:
            self._choose_checked(index)
            self._course = course
            return
        if self._fixed:
            (self._data, self._ask, self._rows, traced), self._fixed = running.step_fixed(self.game.steps, self, index)
        else:
            self._data, self._ask, self._rows, traced = running.step(self.game.steps, self, index)
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
            (after._data, after._ask, after._rows, traced), after._fixed = running.step_fixed(
                self.game.steps, self, index
            )
        else:
            after._data, after._ask, after._rows, traced = running.step(self.game.steps, self, index)
        after._choices, after._asked, after._position = (self._choices, index), None, None
        after._broken()
        self._data, self._ask, self._rows, self._choices = after._data, after._ask, after._rows, after._choices
        if traced:
            self._traced = (self._traced, traced)
        self._asked, self._position, self._fixed = after._asked, after._position, after._fixed

    def _choose_elsewhere(self, index: int, luck: int) -> None:
        """A choice whose chance the module does not know."""
        after = self.game.reference.state_of(self.position)
        after.fix_luck(luck)
        after.choose(index)
        self._change(after.position)
        self._choices, self._edited = after.position.choices, after.position.edited

    def playout(self, seed: int, limit: int) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """Random choices from here to the end: scores and winners; None when ``limit`` decisions do not get there.

        Outcomes that are fixed are for those who play on, and count for nothing here.
        """
        return running.playout(self.game.steps, self, seed, limit)

    def sequences(self, depth: int) -> int:
        if self.game.check or self._fixed:
            return super().sequences(depth)

        return sequences(self.game, self, depth)

    def _change(self, position: Position) -> None:
        """Takes over another position."""
        made = self.game.state_of(position)
        self._data, self._ask, self._rows = made._data, made._ask, made._rows
        self._edited, self._asked, self._position, self._log, self._course = True, None, None, None, None
        self._fixed, self._luck = made._fixed, None

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
        (self._data, self._ask, self._rows, traced), self._fixed = running.run(self.game.steps, self, rule, values)
        if traced:
            self._traced = (self._traced, traced)
        self._edited, self._asked, self._position, self._log, self._course = True, None, None, None, None

    @property
    def fixed_chance(self) -> tuple[Any, ...]:
        return self._fixed

    def fix_luck(self, luck: int) -> None:
        self._luck = luck

    def fix_chance(self, values: Sequence[Any]) -> None:
        from ..position import fixed
        from ..position.position import Laid

        outcomes = tuple(fixed.outcome(v) for v in values)
        self._fixed, self._position, self._course = (*self._fixed, *outcomes), None, None
        if self._word(WHOLE) and not self._edited:
            self._choices = (self._choices, Laid(outcomes))
        else:
            self._edited, self._log = True, None


# Count the ways a game can go inside the module that stops at decisions; see ``perft.wat``, which does the work.


STEPS = 1_000
"""Choices tried in one call, so that Ctrl-C is heeded."""

MORE, NO_ROOM = 0, 2


def sequences(game: WasmGame, state: WasmState, depth: int) -> int:
    """The number of different sequences of exactly ``depth`` choices, from 1 up.

    Raises RuleFault when the rules cannot go on somewhere, GameError when the positions on the way do not fit into
    memory.
    """
    if state._ask is None or depth == 1:
        return state.option_count
    steps = game.steps
    instance, addresses = steps.searching, steps.addresses
    instance.room = None
    running.put(steps, instance, state)
    instance.write(addresses.options, state._rows)
    instance.put_word(addresses.scratch + ASK_COUNT, state._ask[3])
    instance.put_word(addresses.scratch + ASK_WORDS, state._ask[4])
    try:
        status = MORE if instance.call("count_from") else NO_ROOM
        while status == MORE:
            status = instance.call("count_on", depth - 1, STEPS)
    except Trap as trap:
        raise steps.fault(instance, trap) from None
    finally:
        instance.look()  # the memory may have grown
    if status == NO_ROOM:
        raise GameError(f"the positions on the way to depth {depth} need more memory than there is room for")
    found: int = struct.unpack("<Q", instance.read(addresses.search, 8))[0]
    return found
