"""Lowered code: a rule as a tree of plain nodes, with everything decided that does not depend on the engine.

The reference engine runs it as it is; the fast engine turns it into functions. Rules and options nested in
a rule are part of its tree, ``announce`` has become calls of its handlers, and the slots that loops need are numbered.

A node where a rule may wait, for a decision or for another rule, has a :class:`Site`. On either engine the number of
the site and its live slots are the whole state of a waiting rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias, Union, assert_never

import attrs

from rulelang.program import Binds, Exchange, Expr, Place, Program, Rule
from rulelang.program import Node as ProgramNode
from rulelang.program.analysis.effects import Effects, variables_read
from rulelang.program.analysis.flow import Source
from rulelang.program.walk import free_slots
from rulelang.source import Span
from rulelang.structural import Structural, frozen
from rulelang.types import NumberType, Type

WATCHING = "(whenever)"
"""The name of the unit that runs the watchers one after another; no rule can be called this."""


@attrs.define(eq=False)
class Site:
    """A point where a rule may be suspended. ``number``: from 0 in the order of the text, unique in its unit.

    ``live``: the slots whose values are still needed when the rule goes on, in rising order.
    """

    number: int
    live: tuple[int, ...] = ()


@frozen
class Name(Structural):
    """A name that the text gives to a slot. ``public``: everybody knows its value, whatever it is."""

    name: str
    slot: int
    type: Type
    public: bool


@frozen
class Items(Structural):
    """The content of a loop's slot: the combinations it ranges over, each a tuple of these types."""

    types: tuple[Type, ...]


Holds: TypeAlias = Type | Items | None
"""The content of a slot: a value of a type, the combinations of a loop, or (None) a loop's internal counter."""


@attrs.frozen(eq=False, kw_only=True)
class Node:
    """``rule``: the id of the rule whose text the node comes from; ``span``: where.

    ``openly``: the text says that everybody learns what the node looks at, and not only if it faults.
    """

    rule: str
    span: Span
    openly: bool = False


Block: TypeAlias = "tuple[Code, ...]"

# ---------------------------------------------------------------- control flow


@attrs.frozen(eq=False, kw_only=True)
class Need(Node):
    """A condition that must hold when the rule is run; a fault otherwise. ``text``: as written."""

    condition: Expr
    text: str


@attrs.frozen(eq=False, kw_only=True)
class Leave(Node):
    """The end of a rule or an option: the watchers are tested if a cell has changed since the last test.

    Only in programs with watchers.
    """

    site: Site


@attrs.frozen(eq=False, kw_only=True)
class Inline(Node):
    """A rule or an option carried out in place. ``noted``: the log says that it ran.

    If the ``guard`` fails, nothing of it happens. The body ends with its ``Leave``.
    """

    id: str
    guard: Expr | None
    needs: tuple[Need, ...]
    noted: bool
    body: Block


@attrs.frozen(eq=False, kw_only=True)
class Assign(Node):
    """Sets a slot to a value: ``let``, or an argument of ``announce``."""

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
    """A loop over players who decide as if at the same time; see ``rulelang.program.Together``.

    ``site``: the start of a pass, where an imagined position resumes.
    """

    site: Site


@attrs.frozen(eq=False, kw_only=True)
class Repeat(Node):
    """``repeat at most``: slot ``left`` holds the number of passes left, at first ``value``."""

    value: Expr
    left: int
    body: Block
    carries: tuple[int, ...] = ()
    """Slots that one pass hands to the next."""


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
    """Passes for one player after another, in ``slot``, from ``start`` on, until the condition holds after a pass; then
    for the ``following`` one.

    Whoever is ``out`` before a pass is passed over, and the loop ends if then ``nobody`` is in. ``clockwise``: the next
    at the table, who has the turn after as many have been passed over as there are players.
    """

    slot: int
    start: Expr
    following: Expr
    clockwise: Expr
    until: Expr | None
    out: Expr | None
    nobody: Expr | None
    body: Block


@attrs.frozen(eq=False, kw_only=True)
class Break(Node):
    """Leaves the innermost loop of the unit."""


@attrs.frozen(eq=False, kw_only=True)
class Return(Node):
    """Ends the unit."""


@attrs.frozen(eq=False, kw_only=True)
class Call(Node):
    """Runs another rule. ``bounds``: for each argument, the range of its parameter if it may lie outside."""

    unit: str
    arguments: tuple[Expr, ...]
    bounds: tuple[NumberType | None, ...]
    site: Site


@attrs.frozen(eq=False, kw_only=True)
class Finish(Node):
    """The game ends; ``who``, a player or a set of players, wins, or without it the players ranked best."""

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
    """``who`` decides. ``hidden``: the choice goes to places that not everybody can see.

    ``names``: the names in scope, outermost first. The public ones are live at the site.
    """

    site: Site
    who: Expr
    hidden: bool
    names: tuple[Name, ...]


@attrs.frozen(eq=False, kw_only=True)
class Choose(Ask):
    """Without a ``body`` (None) the rule continues the same way after any choice, and having no choice is a fault."""

    binds: Binds
    may: bool
    body: Block | None
    otherwise: Block
    some: int | None = None
    """The slot of how many have been chosen, if this asks for one of several. Whether that is enough is asked even when
    nothing more can be chosen."""


@frozen
class Item(Structural):
    """An option of a menu: offered for each combination of its ``binds`` for which the conditions hold."""

    rule: Rule
    conditions: tuple[Expr, ...]
    body: Inline

    @property
    def binds(self) -> Binds | None:
        return self.rule.binds


@attrs.frozen(eq=False, kw_only=True)
class Menu(Ask):
    """With no option that is possible, ``otherwise`` runs; if it is None, that is a fault."""

    items: tuple[Item, ...]
    otherwise: Block | None


@attrs.frozen(eq=False, kw_only=True)
class Pay(Ask):
    """``exchanges``: those of the source. ``less``: how many pieces of the cost need not be paid.

    ``known``: see ``MovePieces``.
    """

    known: bool
    cost: Expr
    less: Expr | None
    source: Place
    target: Place
    exchanges: tuple[Exchange, ...]


# ---------------------------------------------------------------- changing cells, and chance


@attrs.frozen(eq=False, kw_only=True)
class SetCell(Node):
    """``checked``: the value may not fit, so it is checked. ``quiet``: nobody hears of it, and no watcher is tested."""

    target: Place
    value: Expr
    checked: bool
    quiet: bool = False


@attrs.frozen(eq=False, kw_only=True)
class ChangeCell(Node):
    target: Place
    sign: Literal[1, -1]
    amount: Expr


@attrs.frozen(eq=False, kw_only=True)
class ScorePoints(Node):
    """``variable``: the one that keeps each player's score. ``secret``: slots that the amount depends on and that not
    everybody knows."""

    secret: frozenset[int]
    variable: str
    who: Expr
    sign: Literal[1, -1]
    amount: Expr


@attrs.frozen(eq=False, kw_only=True)
class ShuffleStack(Node):
    place: Place


@attrs.frozen(eq=False, kw_only=True)
class ShowPieces(Node):
    """Tells ``who`` (None: everybody) what is in a place; see ``rulelang.program.Show``. It changes nothing."""

    what: Literal["all", "all of", "number", "number of", "at", "pieces"] | None
    amount: Expr | None
    kind: Expr | None
    up_to: bool
    source: Place
    who: Expr | None


@attrs.frozen(eq=False, kw_only=True)
class RollChance(Node):
    """``hidden``: the outcome goes to places that not everybody can see."""

    binds: Binds
    hidden: bool


@attrs.frozen(eq=False, kw_only=True)
class MovePieces(Node):
    """See ``rulelang.program.Move``. ``known``: everybody knows how many pieces move, even where nobody may count them:
    the text says it."""

    known: bool
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
    ShowPieces,
    RollChance,
    MovePieces,
]

Changing: TypeAlias = SetCell | ChangeCell | ScorePoints | ShuffleStack | ShowPieces | RollChance | MovePieces
"""The nodes that change or show cells, or use chance."""

Suspending: TypeAlias = Leave | Call | RunWatcher | Together | Choose | Menu | Pay
"""The nodes that have a site."""


@attrs.frozen(eq=False)
class Unit:
    """A rule that can be run by itself. Its parameters are the first slots of a frame of ``size`` slots.

    ``slots``: the content of each slot. ``sites``: the nodes with a site, by its number. ``labels``: the hidden things
    that the value of a slot is worked out from, without slots that everybody knows.
    """

    rule: str
    body: Block
    size: int
    slots: dict[int, Holds]
    sites: tuple[Suspending, ...]
    labels: Mapping[int, frozenset[Source]] = attrs.field(factory=dict)

    def nodes(self) -> Iterator[Code]:
        """All nodes in the order of the text."""
        return walk(self.body)


@attrs.define(eq=False)
class Frame:
    """A running rule. ``at``: the number of the site where it waits; ``local``: its slots.

    Slots that are not live at the site may hold anything.
    """

    unit: Unit
    at: int
    local: list[Any]

    def waiting(self) -> Frame:
        """The frame as it waits now, with slots of its own."""
        return Frame(self.unit, self.at, self.local[:])

    def live(self) -> tuple[int, ...]:
        """The slots that are still needed, in rising order."""
        return self.unit.sites[self.at].site.live


def blocks(node: Code) -> tuple[Block, ...]:
    """The blocks directly inside a node, in the order of the text."""
    match node:
        case Inline(needs=needs, body=body):
            return (needs, body)
        case Branch(then=then, otherwise=otherwise):
            return (then, otherwise)
        case Each(body=body) | Repeat(body=body) | RepeatFalling(body=body) | TakeTurns(body=body):
            return (body,)
        case Choose(body=body, otherwise=refused):
            return (body or (), refused)
        case Menu(items=items, otherwise=otherwise):
            return (*((item.body,) for item in items), otherwise or ())
        case Need() | Leave() | Assign() | Break() | Return() | Call() | Finish() | RunWatcher() | Pay():
            return ()
        case SetCell() | ChangeCell() | ScorePoints() | ShuffleStack() | ShowPieces() | RollChance() | MovePieces():
            return ()
        case _:
            assert_never(node)


def discloses(node: Code) -> bool:
    """Whether the text says that everybody learns what a node looks at."""
    needs = [need for item in node.items for need in item.rule.needs] if isinstance(node, Menu) else []
    return node.openly or any(need.openly for need in needs)


def read(node: Code) -> list[ProgramNode]:
    """The expressions and places that stand in the fields of a node."""
    values = (getattr(node, field.name) for field in attrs.fields(type(node)))
    return [value for value in values if isinstance(value, ProgramNode)]


def walk(block: Block) -> Iterator[Code]:
    """The nodes of a block and all those inside them, in the order of the text."""
    for node in block:
        yield node
        for inner in blocks(node):
            yield from walk(inner)


# Effects of lowered nodes: may they ask for a decision, and do they change what a loop ranges over?


@frozen
class NodeEffects(Structural):
    """Effects of one program's nodes; ``rules``: those of whole rules."""

    program: Program
    rules: Effects

    @classmethod
    def of(cls, program: Program) -> NodeEffects:
        return cls(program, Effects(program))

    @property
    def watchers_ask(self) -> bool:
        """Whether the end of a rule may lead to a decision."""
        return any(name in self.rules.asking for name in self.program.watchers)

    def asks(self, node: Code) -> bool:
        """Whether running the node may lead to a decision."""
        return any(self._asks(inner) for inner in walk((node,)))

    def _asks(self, node: Code) -> bool:
        match node:
            case Ask():
                return True
            case Call():
                return node.unit in self.rules.asking
            case RunWatcher():
                return node.rule in self.rules.asking
            case Leave():
                return self.watchers_ask
            case _:  # nothing else asks or runs what does
                return False

    def undisturbed(self, each: Each) -> bool:
        """Whether the body of a loop changes nothing that its combinations depend on."""
        written = {name for watcher in self.program.watchers for name in self.rules.writes[watcher]}
        slots: set[int] = set()
        for node in walk(each.body):
            written |= set(self.written(node))
            if isinstance(node, Call):
                written |= self.rules.writes[node.unit]
            slots |= set(_assigned(node))
        return not written & variables_read(self.program, each.binds) and not slots & free_slots(each.binds)

    def written(self, node: Code) -> Iterator[str]:
        """The variables that a node changes itself, without the nodes and rules inside it."""
        match node:
            case SetCell() | ChangeCell():
                yield node.target.variable
            case MovePieces() | Pay():
                yield node.source.variable
                yield node.target.variable
            case ShuffleStack():
                yield node.place.variable
            case ScorePoints():
                yield node.variable
            case _:  # all others change slots, or nothing by themselves
                return


def _assigned(node: Code) -> Iterator[int]:
    """The named slots that a node sets, except those of loops over combinations."""
    match node:
        case Assign() | TakeTurns():
            yield node.slot
        case Choose() | RollChance():
            for bind in node.binds.binds:
                yield bind.slot
        case _:  # no other node binds a name for those after it
            return
