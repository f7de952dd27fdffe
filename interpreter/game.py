"""What every engine offers: a game, its states, decisions, events and explanations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

import attrs

from rulelang.source import NOWHERE, Span

if TYPE_CHECKING:
    from rulelang.program import Expr, Program

    from .position.blueprint import Blueprint
    from .position.position import Position

DecisionKind: TypeAlias = Literal["choose", "menu", "pay"]
EventKind: TypeAlias = Literal["rule", "roll", "choice", "move", "set", "score", "shuffle", "end"]


@attrs.frozen
class Option:
    """One thing that may be chosen. ``text`` is for people, ``value`` plain data, ``id`` the option rule of a menu."""

    text: str
    value: Any
    id: str | None = None


@attrs.frozen
class Decision:
    """``player`` (a seat, from 0) is asked by a statement of ``rule``.

    ``subject``: what the question is about, the names in force where it is asked with their values as plain data, as
    far as the player knows them.
    """

    player: int
    rule: str
    kind: DecisionKind
    options: tuple[Option, ...]
    subject: dict[str, Any] = attrs.field(factory=dict)


@attrs.frozen
class Event:
    """One line of the log: what happened, in the text of which rule. ``seats``: who may see it, None for everybody."""

    kind: EventKind
    rule: str
    text: str
    data: dict[str, Any]
    seats: tuple[int, ...] | None = None


@attrs.frozen
class Condition:
    """A condition as it came out. ``values``: parts of it worth showing, each with its value."""

    text: str
    holds: bool
    values: tuple[tuple[str, str], ...]
    rule: str
    span: Span = NOWHERE


@attrs.frozen
class Explanation:
    """Why something may or may not be chosen. ``text`` says it in one sentence."""

    rule: str
    allowed: bool
    conditions: tuple[Condition, ...]
    text: str


class GameError(Exception):
    """Something a person can cause and mend; the message is meant for people."""


class IllegalChoice(GameError):
    """A choice that is not offered; the message tells why not."""


class ChanceError(GameError):
    """A fixed outcome of chance that cannot come up; the message lists what could."""


class SaveError(GameError):
    """A saved game that cannot be taken up again."""


class RuleFault(GameError):
    """A rule that cannot be carried out: a fault in the rules, named by rule, file and line."""

    def __init__(self, message: str, rule: str, span: Span = NOWHERE) -> None:
        place = f" ({span.file}:{span.line})" if span.file else ""
        super().__init__(f"rule {rule}{place}: {message}")
        self.reason = message
        self.rule = rule
        self.span = span


class InvariantBroken(GameError):
    """An invariant of the rules does not hold."""

    def __init__(self, ids: tuple[str, ...], span: Span = NOWHERE) -> None:
        place = f" ({span.file}:{span.line})" if span.file else ""
        words = ("invariants", "do") if len(ids) > 1 else ("invariant", "does")
        super().__init__(f"the {words[0]} {', '.join(ids)} {words[1]} not hold{place}")
        self.ids = ids
        self.span = span


class State(Protocol):
    """A position of a game, stopped at a decision, finished, or (blank) with nothing running.

    A method that raises leaves the state as it was. ``player`` and ``option_count`` tell who decides and among how many
    options without putting these into words (None and 0 when nobody does). ``log`` is append-only; ``fired`` counts how
    often each rule and option ran; ``turns`` counts the passes begun by ``take turns``.
    """

    @property
    def decision(self) -> Decision | None: ...

    @property
    def player(self) -> int | None: ...

    @property
    def option_count(self) -> int: ...

    @property
    def over(self) -> bool: ...

    @property
    def scores(self) -> tuple[int, ...]: ...

    @property
    def winners(self) -> tuple[int, ...]: ...

    @property
    def log(self) -> list[Event]: ...

    @property
    def fired(self) -> Counter[str]: ...

    @property
    def turns(self) -> int: ...

    def choose(self, index: int) -> None: ...

    def copy(self) -> State: ...

    def key(self) -> bytes: ...

    def view(self, seat: int) -> dict[str, Any]: ...

    def why(self, index: int) -> Explanation: ...

    def why_not(self, option: str | None, values: Mapping[str, Any], seat: int | None = None) -> Explanation: ...

    @property
    def position(self) -> Position: ...

    def set(self, variable: str, indices: tuple[int, ...], value: Any) -> None: ...

    def run(self, rule: str, arguments: tuple[Any, ...] = ()) -> None: ...

    def evaluate(self, expr: Expr) -> Any: ...

    @property
    def fixed_chance(self) -> tuple[Any, ...]: ...

    def fix_chance(self, values: Sequence[Any]) -> None: ...

    def check_invariants(self) -> tuple[str, ...]: ...


class Trial(Protocol):
    """A position to try choices in: less than a ``State``, and quicker. A ``choose`` that raises may leave it unusable.

    ``log``: what has happened since, of a trial that was asked to tell. ``playout`` goes on at random, for at most
    ``limit`` decisions, and gives scores and winners by then; of a game that was not over, those who lead. None when it
    got stuck.
    """

    @property
    def decision(self) -> Decision | None: ...

    @property
    def scores(self) -> tuple[int, ...]: ...

    @property
    def winners(self) -> tuple[int, ...]: ...

    @property
    def over(self) -> bool: ...

    @property
    def log(self) -> list[Event]: ...

    def copy(self) -> Trial: ...

    def choose(self, index: int) -> None: ...

    def playout(self, seed: int, limit: int) -> tuple[tuple[int, ...], tuple[int, ...]] | None: ...


class Game(Protocol):
    """A game ready to play, for a number of players and with its settings in force."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def players(self) -> int: ...

    @property
    def rules(self) -> tuple[str, ...]: ...

    @property
    def program(self) -> Program: ...

    @property
    def engine(self) -> str: ...

    def start(self, seed: int) -> State: ...

    def blank(self, seed: int = 0) -> State: ...

    @property
    def blueprint(self) -> Blueprint: ...

    def state_of(self, position: Position) -> State: ...

    def trial(self, position: Position, *, told: bool = False) -> Trial: ...

    def save(self, state: Any) -> dict[str, Any]: ...

    def resume(self, data: Any) -> State: ...
