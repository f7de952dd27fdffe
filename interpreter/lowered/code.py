"""Lowered code: a rule as a tree of plain nodes, with everything settled that does not depend on the engine.

The reference engine flattens it into instructions, the fast engine writes functions from it. Rules and options nested
in a rule are part of its tree; ``announce`` has become calls of its handlers; the slots that loops need are numbered.

Where a rule may wait, for a decision or for another rule, the node has a :class:`Site`. Its number and the slots that
are live there are all that a waiting rule consists of, on either engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias, Union

import attrs

from rulelang.program import Binds, Expr, Place, Rule
from rulelang.source import Span
from rulelang.types import NumberType, Type

WATCHING = "(whenever)"
"""The name of the unit that runs the watchers one after another; no rule can have it."""


@attrs.define(eq=False)
class Site:
    """A point where a rule may be suspended. ``number``: from 0 in the order of the text, unique in its unit.

    ``live``: the slots whose values are still needed when the rule goes on, in rising order.
    """

    number: int
    live: tuple[int, ...] = ()


@attrs.frozen
class Name:
    """A name that the text gives to a slot. ``public``: whatever its value is, everybody knows it."""

    name: str
    slot: int
    type: Type
    public: bool


@attrs.frozen
class Items:
    """What the slot of a loop holds: the combinations it goes through, each a tuple of these types."""

    types: tuple[Type, ...]


Holds: TypeAlias = Type | Items | None
"""What a slot holds: a value of a type, the combinations of a loop, or (None) a count of the loop's own."""


@attrs.frozen(eq=False, kw_only=True)
class Node:
    """``rule``: id of the rule in whose text the node stands; ``span``: where."""

    rule: str
    span: Span


Block: TypeAlias = "tuple[Code, ...]"

# ---------------------------------------------------------------- steering


@attrs.frozen(eq=False, kw_only=True)
class Need(Node):
    """A condition that whoever runs the rule must have met; a fault otherwise. ``text``: as written."""

    condition: Expr
    text: str


@attrs.frozen(eq=False, kw_only=True)
class Leave(Node):
    """The end of a rule or an option: when a cell has changed since they were last tested, the watchers are tested.

    Only in programs with watchers.
    """

    site: Site


@attrs.frozen(eq=False, kw_only=True)
class Inline(Node):
    """A rule or an option carried out in place. ``noted``: the log says that it ran (of an option, what was chosen).

    With a ``guard`` that fails nothing of it happens. The body ends with its ``Leave``.
    """

    id: str
    guard: Expr | None
    needs: tuple[Need, ...]
    noted: bool
    body: Block


@attrs.frozen(eq=False, kw_only=True)
class Assign(Node):
    """Works out a value for a slot: ``let``, or what is announced."""

    slot: int
    value: Expr


@attrs.frozen(eq=False, kw_only=True)
class Branch(Node):
    condition: Expr
    then: Block
    otherwise: Block


@attrs.frozen(eq=False, kw_only=True)
class Each(Node):
    """Lists the combinations once in slot ``items``; ``position`` counts the passes begun."""

    binds: Binds
    items: int
    position: int
    body: Block


@attrs.frozen(eq=False, kw_only=True)
class Together(Each):
    """The same for players who decide as if at the same time; see ``rulelang.program.Together``.

    ``site``: the start of a pass, where a position that was imagined goes on.
    """

    site: Site


@attrs.frozen(eq=False, kw_only=True)
class Repeat(Node):
    """``repeat at most``: slot ``left`` holds the number of passes to come, ``value`` the first."""

    value: Expr
    left: int
    body: Block


@attrs.frozen(eq=False, kw_only=True)
class RepeatFalling(Node):
    """``repeat falling``: slot ``last`` holds ``measure`` at the start of the pass before, none before the first.

    ``text``: the measure as written.
    """

    measure: Expr
    text: str
    last: int
    body: Block


@attrs.frozen(eq=False, kw_only=True)
class TakeTurns(Node):
    """Passes for one player after another from ``start`` on, in ``slot``, until the condition holds after a pass."""

    slot: int
    start: Expr
    until: Expr | None
    body: Block


@attrs.frozen(eq=False, kw_only=True)
class Break(Node):
    """Leaves the innermost loop of the unit."""


@attrs.frozen(eq=False, kw_only=True)
class Return(Node):
    """Ends the unit."""


@attrs.frozen(eq=False, kw_only=True)
class Call(Node):
    """Runs another rule. ``bounds``: the numbers a parameter takes, for each argument that may lie outside."""

    unit: str
    arguments: tuple[Expr, ...]
    bounds: tuple[NumberType | None, ...]
    site: Site


@attrs.frozen(eq=False, kw_only=True)
class Finish(Node):
    """The game ends; ``who`` alone wins, or without it the best by the ranks."""

    who: Expr | None


@attrs.frozen(eq=False, kw_only=True)
class RunWatcher(Node):
    """Runs the watcher with this number if its condition holds."""

    number: int
    condition: Expr
    site: Site


# ---------------------------------------------------------------- asking


@attrs.frozen(eq=False, kw_only=True)
class Ask(Node):
    """``who`` decides. ``hidden``: what is chosen goes to places that not everybody sees.

    ``names``: the names in force where it is asked, outermost first. The public ones are live at the site.
    """

    site: Site
    who: Expr
    hidden: bool
    names: tuple[Name, ...]


@attrs.frozen(eq=False, kw_only=True)
class Choose(Ask):
    """``body`` None: what follows is the same whatever is chosen, and nothing to choose from is a fault."""

    binds: Binds
    may: bool
    body: Block | None
    otherwise: Block


@attrs.frozen
class Item:
    """An option of a menu: offered for each combination of its ``binds`` for which the conditions hold."""

    rule: Rule
    conditions: tuple[Expr, ...]
    body: Inline

    @property
    def binds(self) -> Binds | None:
        return self.rule.binds


@attrs.frozen(eq=False, kw_only=True)
class Menu(Ask):
    items: tuple[Item, ...]


@attrs.frozen(eq=False, kw_only=True)
class Pay(Ask):
    """``rate``: how many other pieces stand for a missing one; 0: none can."""

    cost: Expr
    source: Place
    target: Place
    rate: int


# ---------------------------------------------------------------- changing cells, and chance


@attrs.frozen(eq=False, kw_only=True)
class SetCell(Node):
    """``checked``: the value may not fit."""

    target: Place
    value: Expr
    checked: bool


@attrs.frozen(eq=False, kw_only=True)
class ChangeCell(Node):
    target: Place
    sign: Literal[1, -1]
    amount: Expr


@attrs.frozen(eq=False, kw_only=True)
class ScorePoints(Node):
    """``variable``: the one that holds the points of each player."""

    variable: str
    who: Expr
    sign: Literal[1, -1]
    amount: Expr


@attrs.frozen(eq=False, kw_only=True)
class ShuffleStack(Node):
    place: Place


@attrs.frozen(eq=False, kw_only=True)
class RollChance(Node):
    """``hidden``: the outcome goes to places that not everybody sees."""

    binds: Binds
    hidden: bool


@attrs.frozen(eq=False, kw_only=True)
class MovePieces(Node):
    """See ``rulelang.program.Move``."""

    what: Literal["all", "all of", "number", "number of", "at", "pieces"]
    amount: Expr | None
    kind: Expr | None
    up_to: bool
    source: Place
    target: Place
    square: Expr | None
    turn: Expr | None


Code: TypeAlias = Union[
    Need,
    Leave,
    Inline,
    Assign,
    Branch,
    Each,
    Together,
    Repeat,
    RepeatFalling,
    TakeTurns,
    Break,
    Return,
    Call,
    Finish,
    RunWatcher,
    Choose,
    Menu,
    Pay,
    SetCell,
    ChangeCell,
    ScorePoints,
    ShuffleStack,
    RollChance,
    MovePieces,
]

Suspending: TypeAlias = Leave | Call | RunWatcher | Together | Choose | Menu | Pay
"""The nodes that have a site."""


@attrs.frozen(eq=False)
class Unit:
    """A rule that can be run by itself. Its parameters are the first slots of a frame of ``size`` slots.

    ``slots``: what each slot holds. ``sites``: the nodes that have a site, by its number.
    """

    rule: str
    body: Block
    size: int
    slots: dict[int, Holds]
    sites: tuple[Suspending, ...]

    def nodes(self) -> Iterator[Code]:
        """All nodes in the order of the text."""
        return walk(self.body)


def blocks(node: Code) -> tuple[Block, ...]:
    """The blocks directly inside a node, in the order of the text."""
    match node:
        case Inline(needs=needs, body=body):
            return (needs, body)
        case Branch(then=then, otherwise=otherwise):
            return (then, otherwise)
        case Each(body=body) | Repeat(body=body) | RepeatFalling(body=body) | TakeTurns(body=body):
            return (body,)
        case Choose(body=body, otherwise=otherwise):
            return (body or (), otherwise)
        case Menu(items=items):
            return tuple((item.body,) for item in items)
    return ()


def walk(block: Block) -> Iterator[Code]:
    """The nodes of a block and all those inside them, in the order of the text."""
    for node in block:
        yield node
        for inner in blocks(node):
            yield from walk(inner)
