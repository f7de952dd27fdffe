"""Rules, and the statements they are made of."""

from __future__ import annotations

from typing import Literal, TypeAlias, Union

import attrs

from ...structural import Structural, frozen, node
from ...types import Domain, NumberType, Type
from .declarations import Definition, Event, Graph, Grid, Invariant, Param, Rank, Setting, Table, Variable
from .expressions import Apply, Binds, Expr, Local, Node


@node
class Place(Node):
    """A cell of a variable, as the target of a change or an end of a move."""

    variable: str
    indices: tuple[Expr, ...]


@node
class Action(Node):
    """A part of a rule that looks at the position, and may say ``openly``: everybody learns what it looks at."""

    openly: bool = attrs.field(default=False, kw_only=True)


@node
class Vouched(Action):
    """One that may turn out to be impossible.

    ``surely``: the author's word that it never is: the checks then ask for no proof, the run still does.
    """

    surely: bool = attrs.field(default=False, kw_only=True)


@node
class Needs(Action):
    """A guard. ``text`` is the condition as written."""

    condition: Expr
    text: str


@node
class Let(Action):
    slot: int
    name: str
    value: Expr


@node
class SetValue(Action):
    target: Place
    value: Expr


@node
class Change(Action):
    """Adds ``sign`` times ``amount``. Out of the variable's bounds: a fault, but for ``not_below``, ``not_above``."""

    target: Place
    sign: Literal[1, -1]
    amount: Expr


@node
class Move(Vouched):
    """Moves pieces between places with the same element.

    ``what``: ``all`` · ``all of`` (every piece of ``kind``) · ``number`` (``amount`` pieces: from the open end of a
    stack, at random from a bag, the piece of a slot) · ``number of`` (``amount`` pieces of ``kind``) · ``at`` (the
    piece at position ``amount`` of a stack, from 1 at the bottom) · ``pieces`` (``amount`` is pieces).
    ``up_to``: take what is there when there is less. Otherwise a shortage is a fault that names the rule.
    Several pieces taken off a stack keep their order. Onto a full place: a fault.
    ``square`` and ``turn``: where in a grid the piece is laid, and by how many quarter turns. A grid takes one piece a
    move; on a square that is taken, or out of reach: a fault.
    """

    what: Literal["all", "all of", "number", "number of", "at", "pieces"]
    amount: Expr | None
    kind: Expr | None
    up_to: bool
    source: Place
    target: Place
    square: Expr | None = None
    turn: Expr | None = None


@node
class Shuffle(Action):
    place: Place


@node
class Show(Vouched):
    """Shows what is in a place to some seats: all of it (``what`` None), or such pieces as a move would take.

    ``who``: to this player; ``seats``: to each of these (one bind); without either, to everybody. What a seat was shown
    is remembered for it (``Variable.shows``) as long as it is certainly true.
    """

    what: Literal["all", "all of", "number", "number of", "at", "pieces"] | None
    amount: Expr | None
    kind: Expr | None
    up_to: bool
    place: Place
    who: Expr | None
    seats: Binds | None


@node
class Roll(Vouched):
    """Chance, uniform over the combinations that pass the condition; binds the slots."""

    binds: Binds


@node
class Nothing(Action):
    """``do nothing``."""


@node
class Do(Action):
    rule: str
    arguments: tuple[Expr, ...]


@node
class Announce(Action):
    """Runs the rules that wait for the event, in the order of ``Program.handlers``."""

    event: str
    arguments: tuple[Expr, ...]


@node
class Stop(Action):
    """Leaves the innermost repeat or take turns."""


@node
class EndGame(Action):
    """The game ends; the ranks say who wins."""


@node
class Branch(Action):
    """``by_column``: it looks for the rule that the text names by a column of a table."""

    condition: Expr
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]
    by_column: bool = attrs.field(default=False, kw_only=True)


@node
class IfThere(Action):
    """``then`` runs for the first of the combinations, ``otherwise`` when there is none."""

    binds: Binds
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@node
class Each(Action):
    """The combinations are taken once, before the first pass."""

    binds: Binds
    body: tuple[Statement, ...]


@node
class Together(Action):
    """The players of ``binds`` (one bind) decide as if at the same time: each runs the body on the position before it,
    nobody sees what another does there, and at the end everything done is carried out and announced.

    The body changes only what belongs to the player in the bind's slot, and asks nobody else."""

    binds: Binds
    body: tuple[Statement, ...]


@node
class Repeat(Action):
    """``at most``: ``value`` is taken once, before the first pass. ``falling``: passes until ``stop``;
    ``value`` must be smaller at the start of each pass than at the start of the one before."""

    word: Literal["at most", "falling"]
    value: Expr
    body: tuple[Statement, ...]
    carries: tuple[int, ...] = ()
    """Slots that one pass hands to the next."""


@node
class TakeTurns(Action):
    """For ever: bind ``slot`` to a player, run the body, test ``until`` (with the same player), go to ``following``.

    A player who is ``out`` is passed over, and the turns end when ``nobody`` is in; None where nobody can be out. Once
    as many have been passed over as there are players, the turn goes to the next at the table.
    """

    slot: int
    name: str
    start: Expr
    following: Expr
    until: Expr | None
    body: tuple[Statement, ...]
    out: Expr | None = None
    nobody: Expr | None = None

    @property
    def clockwise(self) -> Apply:
        """The next at the table."""
        return Apply("next", (Local(self.slot, self.name, self.start.type),), self.start.type)


@node
class NamedRule(Node):
    """A rule inside another: runs in place, when its guard holds, and is traced under its own id."""

    rule: str


@node
class Choose(Vouched):
    """``who`` decides among the combinations of ``binds`` (canonical order: as enumerated, equal ones once).

    ``may``: one more option, "no". With ``body`` (not None): the body runs after a choice; with nothing to choose or
    "no", ``otherwise`` runs. Without a body nothing to choose is a fault.
    """

    who: Expr
    binds: Binds
    may: bool
    body: tuple[Statement, ...] | None
    otherwise: tuple[Statement, ...]
    some: int | None = attrs.field(default=None, kw_only=True)
    """If this asks for one of several, see ``ChooseSome``: the slot of how many there are so far. "No" then means that
    it is enough, and is offered even when there is nothing else."""


@node
class ChooseSome(Vouched):
    """``who`` chooses ``low`` to ``high`` members of ``domain``, one after another; ``high`` None: any number.

    ``asks``: the statements that do it; they keep what has been chosen in ``slot`` (pieces, a set, or a list when an
    order is chosen) and how many in the local ``taken``. ``body`` runs if any was chosen, else ``otherwise``.
    ``filtered``: not all members of the domain can be chosen. ``text``: what is chosen, as written.
    """

    who: Expr
    name: str
    slot: int
    type: Type
    domain: Expr
    filtered: bool
    low: Expr
    high: Expr | None
    text: str
    asks: tuple[Statement, ...]
    taken: Expr
    body: tuple[Statement, ...] | None
    otherwise: tuple[Statement, ...]


@node
class Menu(Vouched):
    """``who`` decides among all options that pass their needs, in the order of ``options`` (ids of option rules).

    With none that is possible, ``otherwise`` runs; if it is None, that is a fault.
    """

    who: Expr
    options: tuple[str, ...]
    otherwise: tuple[Statement, ...] | None = None


@node
class Pay(Vouched):
    """``who`` decides how to pay ``cost`` (pieces) from a pool; the pieces go to ``target``.

    The plans follow the pool's exchanges; the direct one (no exchange) comes first. An empty cost asks nothing.
    ``less``: so many pieces of the cost, whichever the payer likes, need not be paid. No plan: a fault.
    """

    who: Expr
    cost: Expr
    source: Place
    target: Place
    less: Expr | None = None


@node
class Score(Action):
    """``who`` scores ``sign`` times ``amount`` in the variable ``Program.score``."""

    who: Expr
    sign: Literal[1, -1]
    amount: Expr


@node
class Wins(Action):
    """The game ends at once. ``who``, a player or a set of players, wins, and nobody else."""

    who: Expr


Statement: TypeAlias = Union[
    Let,
    SetValue,
    Change,
    Move,
    Shuffle,
    Show,
    Roll,
    Nothing,
    Do,
    Announce,
    Stop,
    EndGame,
    Branch,
    IfThere,
    Each,
    Together,
    Repeat,
    TakeTurns,
    NamedRule,
    Choose,
    ChooseSome,
    Menu,
    Pay,
    Score,
    Wins,
]


@node
class Rule(Action):
    """A rule, nested or not, or an option of a menu (``kind`` ``option``).

    ``guard``: runs only when it holds (a nested rule or a handler), evaluated on entry. ``needs``: of an option, what
    makes it legal; of a rule, a condition its callers must have met (a fault otherwise).
    ``frame``: slots of a top-level rule's frame, shared by the rules and options nested in it (0 for nested ones).
    ``openly`` is about the guard and ``whenever``. ``parent``: id of the rule it is written in.
    ``binds``: of an option, what is chosen with it. ``deep``: of a top-level rule that may run itself, how often it may
    be running at the same time; once more is a fault.
    """

    id: str
    kind: Literal["rule", "option"]
    params: tuple[Param, ...]
    guard: Expr | None
    needs: tuple[Needs, ...]
    body: tuple[Statement, ...]
    frame: int
    parent: str | None = None
    binds: Binds | None = None
    event: str | None = None
    whenever: Expr | None = None
    deep: int | None = None


@frozen
class Program(Structural):
    """A whole game, linked for ``players`` players and the settings in force.

    ``rules`` holds every rule and option by id, in the order of the text. ``handlers``: event name to rule ids.
    ``watchers``: ids of ``whenever`` rules; they are tested at the end of each rule or option that changed the state.
    ``start`` is the rule ``play``. ``score`` names the variable that ``scores`` and ``loses`` change (None: no scores).
    ``version``: a hash of all rule texts and settings; saves carry it. ``ranges``: the numbers that have a name.
    """

    name: str
    title: str
    players: int
    min_players: int
    max_players: int
    seats: tuple[str, ...]
    languages: tuple[str, ...]
    version: str
    variants: tuple[str, ...]
    domains: dict[str, Domain]
    grids: dict[str, Grid]
    tables: dict[str, Table]
    numbers: dict[str, int]
    settings: dict[str, Setting]
    variables: dict[str, Variable]
    definitions: dict[str, Definition]
    graphs: dict[str, Graph]
    events: dict[str, Event]
    rules: dict[str, Rule]
    handlers: dict[str, tuple[str, ...]]
    watchers: tuple[str, ...]
    ranks: tuple[Rank, ...]
    invariants: tuple[Invariant, ...]
    score: str | None
    start: str = "play"
    ranges: dict[str, NumberType] = attrs.field(factory=dict)
