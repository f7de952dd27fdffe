"""Plain data that games give: options, decisions, events, explanations and views.

All values are as JSON holds them: see ``Plain``. Players are seats, counted from 0; ``game.program.seats`` has their
names, by which values and events call them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NotRequired, SupportsIndex, TypeAlias, TypedDict

import attrs

from rulelang.source import NOWHERE, Span

Plain: TypeAlias = Any
"""Plain data, as JSON holds it. A member of an enum, a table, a board or the players is its name; a number an ``int``;
yes and no are ``True`` and ``False``; none is ``None``; pieces are ``{"gold": 2, "iron": 1}`` without zeros; a list, a
set (in rising order) and the contents of a stack (bottom first) are lists; a record is ``{"x": 0, "y": -1}``, a tuple
without names a list. (Spelled out as a type it would have to be narrowed at every use.)"""

Value: TypeAlias = dict[str, Plain] | None
"""What an option stands for; see ``Option``."""

DecisionKind: TypeAlias = Literal["choose", "menu", "pay"]
EventKind: TypeAlias = Literal["rule", "roll", "choice", "move", "set", "score", "shuffle", "show", "end"]


@attrs.frozen
class Option:
    """One thing that may be chosen.

    ``text`` is for people; ``id`` is the option rule of a menu, None elsewhere; ``value`` is plain data:

    - of a plain choice the values by their names: ``{"m": "gold"}``, ``{"t": "t4", "c": {"x": 0, "y": -1}}``;
    - of a menu the option and its values: ``{"option": "buy", "with": {"c": "c4"}}``,
      ``{"option": "pass", "with": {}}``;
    - of a payment the pieces: ``{"pays": {"gold": 1, "iron": 2}}``;
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
    for example ``{"p": "red", "c": "c4"}`` for an offer about card c4. It has only what the player knows; what
    nobody else knows is left out as soon as the rules do not need it any more.
    """

    player: int
    rule: str
    kind: DecisionKind
    options: tuple[Option, ...]
    about: Callable[[], dict[str, Plain]] = attrs.field(default=dict, eq=False, repr=False)
    """Works out ``subject``, which most who play never ask for."""

    @property
    def subject(self) -> dict[str, Plain]:
        return self.about()


@attrs.frozen
class Event:
    """One line of the log.

    ``rule`` is the id of the rule in whose text it happened, ``text`` is for people. ``seats``: who is told, None for
    everybody. What is hidden comes as two events, in full for those who may see it and with less for the others.
    Whether and how a seat is told never depends on what is hidden from it: that a hidden value is set is told even if
    it stays the same.

    ``data`` by ``kind`` (players and places by name; what is in brackets is left out for seats that may not see it):

    - ``rule``: ``{}``; the rule ran.
    - ``choice``: ``player``, [``option`` (the id in a menu, else None), ``value`` (as in ``Option``)].
    - ``roll``: each name with the value that came up; ``{}`` for a hidden roll.
    - ``move``: ``from``, ``to``, [``number``, ``pieces``: ``{"gold": 2}``]; ``random``: True for a draw; ``x``, ``y``,
      ``turn`` for a piece laid in a grid. The number is told to all if one of the places is ``counted``, or if the
      rules say how many pieces move.
    - ``set``: ``place``, [``value``].
    - ``score``: ``player``, or ``team`` where the teams keep the score, [``amount``, ``total``, ``because``:
      ``[["size(f)", "3"], ...]``].
    - ``shuffle``: ``place``.
    - ``show``: ``place`` and ``to`` (a seat, or ``all``); for those who see it ``value``, all that is there, or
      ``pieces``: the count of each kind, of a stack the kinds from the top on.
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

    ``values``: the parts worth showing, each with its value in words: ``(("goods[red][gold]", "1"),)``. A value that
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
    nested by the names of its owners: ``{"goods": {"red": {"gold": 2}, "blue": {"count": 5}}}``. A hidden place shows
    ``{"count": number}`` if it is counted, and is left out otherwise.
    """

    game: str
    players: list[str]
    seat: int | None
    over: bool
    scores: list[int | None]
    decision: AskedView | None
    state: dict[str, Plain]
