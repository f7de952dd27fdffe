"""What every engine offers: a game, its states, decisions, events and explanations.

All values are plain data, as JSON holds it: see ``Plain``. Players are seats, counted from 0; ``game.program.seats``
has their names, by which values and events call them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NotRequired, Protocol, SupportsIndex, TypeAlias, TypedDict

import attrs

from rulelang.source import NOWHERE, Span

if TYPE_CHECKING:
    from rulelang.program import Expr, Program

    from .position.blueprint import Blueprint
    from .position.position import Position

Plain: TypeAlias = Any
"""Plain data, as JSON holds it. A member of an enum, a table, a board or the players is its name; a number an ``int``;
yes and no are ``True`` and ``False``; none is ``None``; pieces are ``{"wood": 2, "wool": 1}`` without zeros; a list, a
set (in rising order) and the contents of a stack (bottom first) are lists; a record is ``{"x": 0, "y": -1}``, a tuple
without names a list. (Spelled out as a type it would have to be narrowed at every use.)"""

Value: TypeAlias = dict[str, Plain] | None
"""What an option stands for; see ``Option``."""

DecisionKind: TypeAlias = Literal["choose", "menu", "pay"]
EventKind: TypeAlias = Literal["rule", "roll", "choice", "move", "set", "score", "shuffle", "end"]


@attrs.frozen
class Option:
    """One thing that may be chosen.

    ``text`` is for people; ``id`` is the option rule of a menu, None elsewhere; ``value`` is plain data:

    - of a plain choice the values by their names: ``{"m": "wood"}``, ``{"t": "t24", "c": {"x": 0, "y": -1}}``;
    - of a menu the option and its values: ``{"option": "build.hut", "with": {"f": "f4"}}``,
      ``{"option": "pass", "with": {}}``;
    - of a payment the pieces: ``{"pays": {"wood": 1, "stone": 2}}``;
    - None for "no", where a player may choose nothing.

    No two options of a decision have the same value, and ``state.choose`` takes it back.
    """

    text: str
    value: Value
    id: str | None = None


Choice: TypeAlias = SupportsIndex | Option | str | dict[str, Plain] | Sequence[Plain] | None
"""What ``State.choose`` takes: the index of an option, an Option, or an option's value."""


@attrs.frozen
class Decision:
    """A question, with all its answers.

    ``player`` is the seat that is asked, ``rule`` the id of the rule that asks. ``kind``: ``choose`` (values for
    names), ``menu`` (one of several actions), ``pay`` (pieces that cover a price). ``options``: at least one, each
    once, in an order that is always the same.

    ``subject``: what the question is about. The names in force where it is asked, each with its value as plain data,
    for example ``{"p": "red", "f": "f19"}`` for an offer about field f19. It has only what the player knows; what
    nobody else knows is left out as soon as the rules do not need it any more.
    """

    player: int
    rule: str
    kind: DecisionKind
    options: tuple[Option, ...]
    subject: dict[str, Plain] = attrs.field(factory=dict)


@attrs.frozen
class Event:
    """One line of the log.

    ``rule`` is the id of the rule in whose text it happened, ``text`` is for people. ``seats``: who is told, None for
    everybody. What is hidden comes as two events, in full for those who may see it and with less for the others.

    ``data`` by ``kind`` (players and places by name; what is in brackets is left out for seats that may not see it):

    - ``rule``: ``{}``; the rule ran.
    - ``choice``: ``player``, [``option`` (the id in a menu, else None), ``value`` (as in ``Option``)].
    - ``roll``: each name with the value that came up; ``{}`` for a hidden roll.
    - ``move``: ``from``, ``to``, ``number``, [``pieces``: ``{"wood": 2}``]; ``random``: True for a draw; ``x``, ``y``,
      ``turn`` for a piece laid in a grid.
    - ``set``: ``place``, [``value``].
    - ``score``: ``player``, [``amount``, ``total``, ``because``: ``[["size(f)", "3"], ...]``].
    - ``shuffle``: ``place``.
    - ``end``: ``winners``, ``scores`` by seat.
    """

    kind: EventKind
    rule: str
    text: str
    data: dict[str, Plain]
    seats: tuple[int, ...] | None = None

    def told_to(self, seat: int | None) -> bool:
        """Whether a seat is told of it; None is a spectator, who is told what everybody is told."""
        return self.seats is None or seat in self.seats


@attrs.frozen
class Condition:
    """A condition as it came out. ``text``: as the rules have it; ``rule`` and ``span``: where.

    ``values``: the parts worth showing, each with its value in words: ``(("goods[red][wood]", "1"),)``. A value that
    the player who is asked may not see is ``"hidden"``.
    """

    text: str
    holds: bool
    values: tuple[tuple[str, str], ...]
    rule: str
    span: Span = NOWHERE


@attrs.frozen
class Explanation:
    """Why something may or may not be chosen. ``text`` says it in a sentence, ``conditions`` one by one.

    ``rule``: the id of the option rule, or of the rule that asks.
    """

    rule: str
    allowed: bool
    conditions: tuple[Condition, ...]
    text: str


class AskedView(TypedDict):
    """The open decision as a seat sees it; ``options`` (in words) and ``subject`` only for the seat that is asked."""

    player: int
    rule: str
    options: NotRequired[list[str]]
    subject: NotRequired[dict[str, Plain]]


class View(TypedDict):
    """What a seat may see.

    ``players``: the names of the seats. ``seat``: whose view it is, None for a spectator. ``scores``: by seat, None
    where hidden. ``decision``: None when nobody is asked. ``state``: every variable by name, its value or its values
    nested by the names of its owners: ``{"goods": {"red": {"wood": 2}, "blue": {"count": 5}}}``. A hidden place shows
    ``{"count": number}`` if it is counted, and is left out otherwise.
    """

    game: str
    players: list[str]
    seat: int | None
    over: bool
    scores: list[int | None]
    decision: AskedView | None
    state: dict[str, Plain]


class GameError(Exception):
    """Something a person can cause and mend; the message is meant for people. The base of all errors below."""


class IllegalChoice(GameError):
    """A choice that is not offered. The message tells why not, and what is offered when that is short."""


class ChanceError(GameError):
    """A fixed outcome of chance that cannot come up; the message lists what could."""


class SaveError(GameError):
    """A saved game that cannot be taken up again: damaged, or of another game, version or setting."""


class RuleFault(GameError):
    """A rule that cannot be carried out: a fault in the rules.

    ``reason``: what is wrong; ``rule`` and ``span``: where. The message has all three.
    """

    def __init__(self, message: str, rule: str, span: Span = NOWHERE) -> None:
        place = f" ({span.file}:{span.line})" if span.file else ""
        super().__init__(f"rule {rule}{place}: {message}")
        self.reason = message
        self.rule = rule
        self.span = span


class InvariantBroken(GameError):
    """An invariant of the rules does not hold. ``ids``: which; ``span``: of the first. Only when they are checked."""

    def __init__(self, ids: tuple[str, ...], span: Span = NOWHERE) -> None:
        place = f" ({span.file}:{span.line})" if span.file else ""
        words = ("invariants", "do") if len(ids) > 1 else ("invariant", "does")
        super().__init__(f"the {words[0]} {', '.join(ids)} {words[1]} not hold{place}")
        self.ids = ids
        self.span = span


class State(Protocol):
    """A position of a game: stopped at a decision, finished, or (``game.blank()``) with nothing running.

    A method that raises leaves the state as it was. States are independent of each other. One state must not be used
    by two threads at once; different states of one game may be.
    """

    # -- looking

    @property
    def decision(self) -> Decision | None:
        """The open decision; None when the game is over, or nothing runs."""

    @property
    def player(self) -> int | None:
        """The seat that decides, None when nobody does; quicker than ``decision``, which has everything in words."""

    @property
    def option_count(self) -> int:
        """The number of options, 0 when nobody decides; quicker than ``decision``."""

    @property
    def over(self) -> bool:
        """Whether the game has come to its end."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The points by seat, hidden or not. A game without points has what decides first who wins, or 1 for a win."""

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won, several when they share; () while the game runs, or when nobody wins.

        In a position laid out by hand: who would win as things stand.
        """

    @property
    def log(self) -> list[Event]:
        """What happened, the oldest first; it only grows. ``[e for e in log if e.told_to(seat)]``: for one seat.

        The fast engine plays the game again on the reference engine to tell it, and raises GameError for a position
        that was laid out by hand.
        """

    @property
    def fired(self) -> Counter[str]:
        """How often each rule and option ran, by id."""

    @property
    def turns(self) -> int:
        """The passes begun by ``take turns``."""

    def view(self, seat: int | None) -> View:
        """What a seat may see, and nothing else; None: a spectator, who sees what everybody sees.

        Raises GameError for a seat that does not exist.
        """

    def values(self) -> dict[str, Plain]:
        """The whole truth: every variable by name as in a view's ``state``, whether anybody may see it or not."""

    def get(self, place: str) -> Plain:
        """What one place holds, hidden or not: ``"druid"``, ``"goods[blue]"``, ``"goods[blue][wood]"``.

        With fewer names, all below them nested by name. Raises GameError when there is no such place.
        """

    def key(self) -> bytes:
        """Equal exactly when two positions of a game are, whichever engine plays. History does not count."""

    def why(self, choice: Choice) -> Explanation:
        """What makes an offered option legal. Raises IllegalChoice when it is not offered."""

    def why_not(self, option: str | None, values: Mapping[str, Plain], seat: int | None = None) -> Explanation:
        """What speaks for or against something, offered or not: every condition with its values.

        ``option``: the id in a menu, else None. ``values``: by the names of what is chosen, as plain data or text;
        ``{"pays": ...}`` for a payment, ``{"no": None}`` to decline. ``seat``: who would like to choose it.
        """

    @property
    def position(self) -> Position:
        """The position in the interpreter's own form, not to be changed. Not part of the stable interface."""

    # -- playing

    def choose(self, choice: Choice) -> None:
        """Takes an option and runs on to the next decision, or to the end.

        ``choice``: the index of an option, an Option, or its ``value``. A value may be written more briefly: in a menu
        the id alone for an option without values, values in their order (``["f4"]`` for ``{"f": "f4"}``), a value by
        itself where one thing is chosen (``"wood"``; a number would be an index), records in their order too.
        Raises IllegalChoice when it is not offered, RuleFault when the rules cannot go on, InvariantBroken where
        invariants are checked.
        """

    def copy(self) -> State:
        """The same position, independent of this one."""

    # -- laying positions out

    def set(self, place: str, value: Plain) -> None:
        """Stores plain data in a place that is named as for ``get``: ``set("goods[blue]", {"wood": 2})``.

        Only where nothing runs. Raises GameError when there is no such place, or when it cannot hold the value.
        """

    def run(self, rule: str, arguments: Sequence[Plain] = ()) -> None:
        """Runs one rule by itself until it asks or ends.

        ``arguments``: the values of its parameters as plain data. Only where nothing runs. Raises GameError when the
        rule or an argument does not fit, RuleFault when it cannot be carried out.
        """

    @property
    def fixed_chance(self) -> tuple[Any, ...]:
        """Outcomes laid down that have not been needed yet."""

    def fix_chance(self, values: Sequence[Any]) -> None:
        """Lays down the next outcomes of rolls and draws, in order, by name or number.

        The fast engine has no such thing and raises GameError. An outcome that cannot come up is a ChanceError when
        it is needed.
        """

    def check_invariants(self) -> tuple[str, ...]:
        """The ids of the invariants that do not hold."""

    def value_of(self, expr: Expr) -> Any:
        """The value of a typed expression in the interpreter's own form. For text use ``game.evaluate``."""


class Trial(Protocol):
    """A position to try choices in: less than a ``State``, and quicker.

    A ``choose`` that raises may leave it unusable.
    """

    @property
    def decision(self) -> Decision | None:
        """As of a State."""

    @property
    def scores(self) -> tuple[int, ...]:
        """As of a State."""

    @property
    def winners(self) -> tuple[int, ...]:
        """As of a State."""

    @property
    def over(self) -> bool:
        """As of a State."""

    @property
    def log(self) -> list[Event]:
        """What has happened since, of a trial that was asked to tell."""

    def copy(self) -> Trial:
        """The same, independent of this one."""

    def choose(self, index: int) -> None:
        """Takes the option with this index."""

    def playout(self, seed: int, limit: int) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """Goes on at random for at most ``limit`` decisions: scores and winners by then.

        The winners of a game that was not over are those who lead. None when it got stuck.
        """


class Game(Protocol):
    """A game ready to play, for a number of players and with its settings in force. Threads may share it."""

    @property
    def name(self) -> str:
        """The name in the rules, for programs."""

    @property
    def title(self) -> str:
        """The name for people."""

    @property
    def players(self) -> int:
        """How many play."""

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of all rules and options, in the order of the text."""

    @property
    def program(self) -> Program:
        """The checked rules: ``program.seats``, ``.variables``, ``.rules``, ``.settings`` and so on."""

    @property
    def engine(self) -> str:
        """``reference`` or ``wasm``."""

    def start(self, seed: int) -> State:
        """A new game, run to its first decision. The same 64-bit seed gives the same game on either engine.

        Raises RuleFault when the rules cannot go on.
        """

    def blank(self, seed: int = 0) -> State:
        """A position with the initial values, in which nothing runs: to lay out by hand. ``seed``: of its chance."""

    def evaluate(self, expression: str, state: State) -> Plain:
        """The value of an expression of the rules language: ``evaluate("sum(score[p] for p in Player)", state)``.

        It may use every name of the game, and reads what is hidden as well. ``state`` may be of either engine. Raises
        GameError with the place of a mistake, or when the expression has no value (a division by zero).
        """

    def save(self, state: State) -> dict[str, Any]:
        """The state as plain data for ``json``, with the version of the rules."""

    def resume(self, data: Any) -> State:
        """The state that ``save`` made ``data`` of, on either engine. SaveError says what does not fit."""

    @property
    def blueprint(self) -> Blueprint:
        """What all positions of the game share. Not part of the stable interface."""

    def state_of(self, position: Position) -> State:
        """A state in a position, which stays as it is. Not part of the stable interface."""

    def trial(self, position: Position, *, told: bool = False) -> Trial:
        """A position to try choices in; ``told``: with a log. Not part of the stable interface."""
