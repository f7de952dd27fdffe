"""Protocols of every engine: a game, its states, and positions to try choices in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from .learning import MOST_DECISIONS, MOST_OPTIONS

if TYPE_CHECKING:
    from rulelang.program import Expr, Program

    from .data import Choice, Decision, Event, Explanation, Plain, View
    from .learning.vector import Vector
    from .position.blueprint import Blueprint
    from .position.position import Position


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
    def forced(self) -> bool:
        """Whether there is only one option and everybody knows it, so that it may be taken without a word.

        Where others do not know it, how soon it is taken would tell them.
        """

    @property
    def over(self) -> bool:
        """Whether the game has come to its end."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The points by seat, hidden or not. A game without points has what decides first who wins, or 1 for a win."""

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won, several when they share; () while the game runs, when it is drawn, and when all have
        lost together. A tie of all sides is a draw, however the rules express it.

        In a position laid out by hand: who would win as things stand.
        """

    @property
    def carried(self) -> dict[str, list[Plain]]:
        """What a finished game hands on to the next: all values of what the rules ``carry``, by name, hidden or not.

        Raises GameError while it runs.
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
        """Turns of players so far, counted alike whatever loop the rules use; see ``interpreter.record.rounds``."""

    def view(self, seat: int | None) -> View:
        """What a seat may see, and nothing else; None: a spectator, who sees what everybody sees.

        Raises GameError for a seat that does not exist.
        """

    def values(self) -> dict[str, Plain]:
        """The whole truth: every variable by name as in a view's ``state``, whether anybody may see it or not."""

    def get(self, place: str) -> Plain:
        """What one place holds, hidden or not: ``"round"``, ``"goods[blue]"``, ``"goods[blue][gold]"``.

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

    kept: dict[str, Any]
    """What was worked out of the past of this game, to save time; copies share it. Not part of the stable interface."""

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

    def sequences(self, depth: int) -> int:
        """The number of different sequences of exactly ``depth`` choices from here, from 1 up: what is called perft.

        A game that is over is counted at its own depth and nowhere deeper; a choice to pass is a choice.
        Raises RuleFault when the rules cannot go on after one of them.
        """

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

        An outcome that cannot come up is a ChanceError when it is needed. Playouts and searches know nothing of them.
        """

    def fix_luck(self, luck: int) -> None:
        """Lays down where the chance of the next choice comes from: ``chance.luck()``, which nobody can foresee.

        Without one it comes from the seed, and can be foreseen by those who work that out from what came up.
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

        The winners of a game that was not over are those who lead, if not all win or lose together. None when it got
        stuck.
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

    def start(self, seed: int, chance: Sequence[Any] = (), carried: Mapping[str, Any] | None = None) -> State:
        """A new game, run to its first decision. The same 64-bit seed gives the same game on either engine.

        A ``chance.luck()`` in place of the seed gives a beginning that nobody can foresee; see ``State.fix_luck``.
        ``chance``: the first outcomes, laid down as by ``fix_chance``. ``carried``: what the game before it handed on,
        as ``State.carried`` gives it; GameError says what does not fit. Raises RuleFault when the rules cannot go on,
        ChanceError for an outcome that cannot come up.
        """

    def blank(self, seed: int = 0) -> State:
        """A position with the initial values, in which nothing runs: to lay out by hand. ``seed``: of its chance."""

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
        """``n`` games side by side for a learning agent, on the fast engine whichever the game is on.

        ``seed``: of all of them; each game has one of its own that follows from it. ``rewards``: ``win`` or ``margin``,
        as of ``pettingzoo_env``. ``threads``: among which the games are divided. ``max_options``: the actions shared
        by options without one of their own; ``max_decisions``: after so many a game is given up. Raises GameError for
        settings that do not fit, and for games that can end before anybody decides.
        """

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
