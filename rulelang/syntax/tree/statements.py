"""Rules, and the statements they are made of."""

from __future__ import annotations

from typing import Literal, TypeAlias, Union

import attrs

from ...source import NOWHERE, Span
from ...structural import node
from .expressions import Binder, Binders, Expr, Node, Param, Rank


@node
class Action(Node):
    """A statement that may begin with ``openly``: everybody learns what it looks at."""

    openly: bool = attrs.field(default=False, kw_only=True)


@node
class Trigger(Action):
    """``word``: ``when``, ``unless``, ``whenever`` (with ``condition``) or ``on`` (with ``event``, ``names``)."""

    word: str
    condition: Expr | None = None
    event: str | None = None
    names: tuple[str, ...] = ()


@node
class Rule(Node):
    """``deep``: how often the rule may be running at the same time, where it may run itself."""

    id: str
    params: tuple[Param, ...]
    triggers: tuple[Trigger, ...]
    body: tuple[Statement, ...]
    deep: Expr | None = None
    head: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@node
class Needs(Action):
    condition: Expr


@node
class Let(Action):
    name: str
    value: Expr


@node
class Set(Action):
    target: Expr
    value: Expr


@node
class Change(Action):
    """``increase X by E`` or ``decrease X by E``."""

    word: Literal["increase", "decrease"]
    target: Expr
    value: Expr


@node
class Amount(Node):
    """The pieces that move. ``word``: ``all``, ``up to``, ``at`` or empty; ``of`` names the kind."""

    word: Literal["all", "up to", "at", ""]
    number: Expr | None = None
    of: Expr | None = None


@node
class Move(Action):
    """``square`` and ``turn``: where in a grid a piece is laid, and by how many quarter turns."""

    surely: bool
    amount: Amount
    source: Expr
    target: Expr
    square: Expr | None = None
    turn: Expr | None = None


@node
class Shuffle(Action):
    place: Expr


@node
class Show(Action):
    """``amount``: what is shown of the pieces in ``place``, None for all that is there. ``who``: to this player;
    ``seats``: to each of these; without either, to all."""

    surely: bool
    amount: Amount | None
    place: Expr
    who: Expr | None
    seats: Binders | None


@node
class Roll(Action):
    surely: bool
    binders: Binders


@node
class DoNothing(Action):
    pass


@node
class Do(Action):
    rule: str
    arguments: tuple[Expr, ...]


@node
class Announce(Action):
    event: str
    arguments: tuple[Expr, ...]


@node
class Remember(Action):
    """``remember diagram(p)``: a history gets one more entry, the position as it is."""

    history: str
    arguments: tuple[Expr, ...]


@node
class Forget(Action):
    """``forget diagram``: a history has no entries any more."""

    history: str


@node
class Stop(Action):
    pass


@node
class EndGame(Action):
    pass


@node
class If(Action):
    condition: Expr
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] | None = None


@node
class IfThere(Action):
    """``if there is x in ...``: the block runs for the first that there is."""

    binders: Binders
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] | None = None


@node
class Each(Action):
    binders: Binders
    body: tuple[Statement, ...]


@node
class Together(Action):
    """``together each p in Player``: all decide in secret, as if at the same time."""

    binders: Binders
    body: tuple[Statement, ...]


@node
class Repeat(Action):
    """``repeat at most N`` or ``repeat falling MEASURE``."""

    word: Literal["at most", "falling"]
    value: Expr
    body: tuple[Statement, ...]


@node
class TakeTurns(Action):
    """``following``: whose turn comes after that of the one named; without it the next at the table."""

    name: str
    start: Expr
    following: Expr | None
    until: Expr | None
    body: tuple[Statement, ...]


@node
class Choose(Action):
    """``p chooses x in D`` (``may`` adds "no"). Without a body the names stay bound in the rest of the block."""

    surely: bool
    may: bool
    who: Expr
    binders: Binders
    body: tuple[Statement, ...] | None = None
    otherwise: tuple[Statement, ...] | None = None


@node
class Some(Node):
    """How many to choose. ``word``: ``up to``, ``any`` (without a number), ``orders`` (all of them) or empty."""

    word: Literal["up to", "any", "orders", ""]
    number: Expr | None = None


@node
class ChooseSome(Action):
    """``p chooses up to 3 of x in D``, ``p orders x in D``: afterwards the name stands for all that was chosen."""

    surely: bool
    who: Expr
    some: Some
    binder: Binder
    body: tuple[Statement, ...] | None = None
    otherwise: tuple[Statement, ...] | None = None


@node
class MenuOption(Node):
    id: str
    binders: Binders | None
    body: tuple[Statement, ...]
    variant: str | None = attrs.field(default=None, eq=False, kw_only=True)
    """The variant that added the option, set by the linker. Such an option sees parameters only."""
    head: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@node
class Aim(Node):
    """``for fewest sum(dice), at most 4 deep``: only options that lead to the best value, going on with the menu."""

    rank: Rank
    deep: Expr


@node
class Menu(Action):
    surely: bool
    who: Expr
    options: tuple[MenuOption, ...]
    otherwise: tuple[Statement, ...] | None = None
    aim: Aim | None = None


@node
class Pay(Action):
    surely: bool
    who: Expr
    cost: Expr
    source: Expr
    target: Expr


@node
class Score(Action):
    word: Literal["scores", "loses"]
    who: Expr
    value: Expr


@node
class Wins(Action):
    who: Expr


@node
class Inserted(Node):
    """Statements that a variant has put into a rule of its base: they see the rule's parameters, not its locals.

    The linker makes these; no text parses to one.
    """

    variant: str
    body: tuple[Statement, ...]


Statement: TypeAlias = Union[
    Inserted,
    Rule,
    Needs,
    Let,
    Set,
    Change,
    Move,
    Shuffle,
    Show,
    Roll,
    DoNothing,
    Do,
    Announce,
    Remember,
    Forget,
    Stop,
    EndGame,
    If,
    IfThere,
    Each,
    Together,
    Repeat,
    TakeTurns,
    Choose,
    ChooseSome,
    Menu,
    Pay,
    Score,
    Wins,
]
