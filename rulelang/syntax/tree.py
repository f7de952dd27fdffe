"""The syntax tree: what an author wrote, before names are resolved.

Every node is immutable and knows its place (``span``, left out of comparison, so two texts that
differ only in layout have equal trees). Names are plain strings here; rule ids are dotted strings.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, Union

import attrs

from ..source import NOWHERE, Span


@attrs.frozen
class Node:
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


# ---------------------------------------------------------------- expressions


@attrs.frozen
class Name(Node):
    name: str


@attrs.frozen
class Integer(Node):
    value: int


@attrs.frozen
class NoneValue(Node):
    pass


@attrs.frozen
class Flag(Node):
    value: bool


@attrs.frozen
class PlayerCount(Node):
    """The word ``players``: how many play."""


@attrs.frozen
class Sequence(Node):
    items: tuple[Expr, ...]


@attrs.frozen
class TupleValue(Node):
    items: tuple[Expr, ...]


@attrs.frozen
class Entry(Node):
    kind: Expr
    count: Expr


@attrs.frozen
class Bundle(Node):
    """Pieces by kind, ``{gold: 2, iron: 1}``."""

    entries: tuple[Entry, ...]


@attrs.frozen
class BundleFor(Node):
    entry: Entry
    binders: Binders


@attrs.frozen
class Filter(Node):
    """``where`` passes over what fails; ``while`` ends the run there."""

    word: Literal["where", "while"]
    condition: Expr


@attrs.frozen
class Binder(Node):
    """``name in domain``, optionally ``from start`` (a ring is entered at ``start``), and filters, the first one first.

    ``(a, b) in domain`` takes tuples apart: ``parts`` holds the names in the brackets, and ``name`` is empty.
    """

    name: str
    domain: Expr
    start: Expr | None = None
    parts: tuple[Expr, ...] = ()
    filters: tuple[Filter, ...] = ()


@attrs.frozen
class Binders(Node):
    """One or more binders."""

    binders: tuple[Binder, ...]


@attrs.frozen
class FoldValues(Node):
    """``max(a, b)``, ``count(hand[p])``: a fold word over given values."""

    word: str
    values: tuple[Expr, ...]


@attrs.frozen
class FoldOf(Node):
    """``sum(size(f) for f in Field where ...)``."""

    word: str
    body: Expr
    binders: Binders


@attrs.frozen
class FoldMembers(Node):
    """``count(f in Field where ...)``, ``some(...)``, ``first(...)``: a fold over the members themselves."""

    word: str
    binders: Binders


@attrs.frozen
class Rank(Node):
    word: Literal["most", "fewest"]
    value: Expr


@attrs.frozen
class FoldRanked(Node):
    """``ranked(p in Player where ... by most score[p], then fewest cards[p])``, ``leaders(...)``."""

    word: str
    binders: Binders
    ranks: tuple[Rank, ...]


@attrs.frozen
class Attribute(Node):
    value: Expr
    name: str


@attrs.frozen
class Index(Node):
    value: Expr
    indices: tuple[Expr, ...]


@attrs.frozen
class Apply(Node):
    function: Expr
    arguments: tuple[Expr, ...]


@attrs.frozen
class Unary(Node):
    op: Literal["-", "not"]
    value: Expr


@attrs.frozen
class Binary(Node):
    """``op`` is one of ``+ - * mod and or otherwise .. < <= > >= is``, ``is not``, ``is in``, ``is not in``,
    ``covers``, ``holds``, ``/ down``, ``/ up``."""

    op: str
    left: Expr
    right: Expr


@attrs.frozen
class AllBut(Node):
    """A price of which ``number`` pieces need not be paid; only as what is paid or covered."""

    number: Expr
    cost: Expr


@attrs.frozen
class Conditional(Node):
    condition: Expr
    then: Expr
    otherwise: Expr


@attrs.frozen
class After(Node):
    """``value`` in the position as it would be after ``do rule(arguments)``."""

    value: Expr
    rule: str
    arguments: tuple[Expr, ...] = ()


Expr: TypeAlias = Union[
    Name,
    Integer,
    NoneValue,
    Flag,
    PlayerCount,
    Sequence,
    TupleValue,
    Bundle,
    BundleFor,
    FoldValues,
    FoldOf,
    FoldMembers,
    FoldRanked,
    Attribute,
    Index,
    Apply,
    Unary,
    Binary,
    AllBut,
    Conditional,
    After,
]

# ---------------------------------------------------------------- types


@attrs.frozen
class TypeName(Node):
    name: str


@attrs.frozen
class TypeRange(Node):
    low: Expr
    high: Expr


@attrs.frozen
class TypeFlag(Node):
    pass


@attrs.frozen
class TypeOptional(Node):
    item: TypeExpr


@attrs.frozen
class TypeSet(Node):
    item: TypeExpr


@attrs.frozen
class TypePieces(Node):
    """``pieces of Metal``: a bundle as a value."""

    item: TypeExpr


@attrs.frozen
class TypeSpot(Node):
    """``spot of Shape``: a piece that lies in a grid."""

    item: TypeExpr


@attrs.frozen
class TypeSquare(Node):
    """``square``: a place in a grid, with a piece or without."""


@attrs.frozen
class TypeList(Node):
    """``list of Cell``, or with several values a member, ``list of Cell and Player``: what is kept, or what a
    definition gives that may use itself."""

    items: tuple[TypeExpr, ...]


@attrs.frozen
class TypeRule(Node):
    """``rule(p: Player)``: the name of a rule with such parameters, in a column of a table."""

    params: tuple[Param, ...]


@attrs.frozen
class TypePlace(Node):
    """``pool of Metal``: a place for pieces."""

    place: str
    item: TypeExpr


TypeExpr: TypeAlias = Union[
    TypeName,
    TypeRange,
    TypeFlag,
    TypeOptional,
    TypeSet,
    TypeList,
    TypePieces,
    TypeSpot,
    TypeSquare,
    TypeRule,
    TypePlace,
]

# ---------------------------------------------------------------- declarations


@attrs.frozen
class Team(Node):
    """Players who win and lose together: names or numbers of seats. ``when``: whether there is such a team."""

    name: str
    seats: tuple[Name | Integer, ...]
    when: Expr | None


@attrs.frozen
class Game(Node):
    name: str
    title: str | None
    low: int
    high: int
    seats: tuple[str, ...]
    languages: tuple[str, ...]
    teams: tuple[Team, ...] = ()


@attrs.frozen
class Part(Node):
    game: str


@attrs.frozen
class Examples(Node):
    game: str


@attrs.frozen
class Variant(Node):
    name: str
    of: tuple[str, ...]
    after: tuple[str, ...] = ()
    summary: str | None = None


@attrs.frozen
class Enum(Node):
    name: str
    members: tuple[str, ...]
    ring: bool = False


@attrs.frozen
class Range(Node):
    name: str
    low: Expr
    high: Expr


@attrs.frozen
class Grid(Node):
    """``grid Cell: 7 by 6``: the cells of a board, ``width`` columns and ``height`` rows.

    ``hexes Cell: 7 by 6``: a rhombus of hexagonal cells. ``hexes Cell: 5 to a side``: a hexagon of them, whose
    ``width`` is its side.
    """

    name: str
    width: Expr
    height: Expr | None
    word: Literal["grid", "hexes"] = "grid"


@attrs.frozen
class Column(Node):
    name: str
    type: TypeExpr
    default: Expr | None = None


@attrs.frozen
class Row(Node):
    name: str
    values: tuple[Expr, ...]


@attrs.frozen
class RowsFile(Node):
    file: str
    when: Expr | None = None


@attrs.frozen
class RowsInline(Node):
    rows: tuple[Row, ...]
    when: Expr | None = None


@attrs.frozen
class StandIn(Node):
    where: Expr | None
    because: str


@attrs.frozen
class Table(Node):
    """``table Card: Suit and Rank``: ``parts`` are the enums whose combinations are its rows; else it is empty."""

    name: str
    ring: bool
    columns: tuple[Column, ...]
    rows: tuple[RowsFile | RowsInline, ...]
    stand_in: StandIn | None = None
    parts: tuple[str, ...] = attrs.field(default=(), kw_only=True)
    edits: tuple[ChangeRow | ChangeCell | RemoveRow, ...] = attrs.field(default=(), kw_only=True)
    """What variants change in single rows, set by the linker; in this order."""


@attrs.frozen
class Case(Node):
    """``when`` is None in the ``otherwise`` case."""

    when: Expr | None
    value: Expr


@attrs.frozen
class Match(Node):
    members: tuple[str, ...]
    value: Expr


@attrs.frozen
class Number(Node):
    """A number that may be changed. A plain one has a single case without condition."""

    name: str
    cases: tuple[Case, ...]
    plain: bool = True


@attrs.frozen
class Setting(Node):
    """An ``option`` or a ``reading``."""

    kind: Literal["option", "reading"]
    name: str
    values: tuple[str, ...]
    default: str
    because: str | None = None


@attrs.frozen
class VariableAttribute(Node):
    """``word``: ``at most``, ``last``, ``seen by owner``, ``seen by nobody``, ``seen by all but owner``, ``seen by``,
    ``counted``, ``not below``, ``bookkeeping``.

    ``name``: of those who see it, in ``seen by q where ...``; ``value`` is then the condition.
    """

    word: str
    value: Expr | None = None
    name: str | None = None


@attrs.frozen
class Exchange(Node):
    """``2 of [ruby, opal] for 1 of pearl``; ``given`` None: ``any 2 others``; ``due`` None: for any kind.

    ``one`` is the number after ``for``, as it is written.
    """

    number: Expr
    given: Expr | None
    one: int
    due: Expr | None


@attrs.frozen
class Variable(Node):
    name: str
    type: TypeExpr
    initial: Expr | None
    attributes: tuple[VariableAttribute | Exchange, ...] = ()


@attrs.frozen
class Variables(Node):
    """``the game has`` (no owners) or ``each Player and Place has``.

    ``each Place a and Colour has``: ``keys`` are names of the owners for what is there first, here a and None. It
    is empty when there are none.
    """

    owners: tuple[str, ...]
    variables: tuple[Variable, ...]
    keys: tuple[str | None, ...] = ()


@attrs.frozen
class Param(Node):
    name: str
    type: TypeExpr


@attrs.frozen
class WaysStep(Node):
    """``step w to c for c in ...``, or ``step w to f(w) where ...``. ``way``: the name of the way so far."""

    way: str
    target: Expr
    binders: Binders | None = None
    condition: Expr | None = None


@attrs.frozen
class WaysEnd(Node):
    """``w may end where ...``."""

    way: str
    condition: Expr | None = None


@attrs.frozen
class Ways(Node):
    """What stands below ``ways NAME, at most N steps``."""

    most: Expr | None
    start: Expr
    steps: tuple[WaysStep, ...]
    end: WaysEnd | None = None


@attrs.frozen
class Define(Node):
    """Exactly one of ``value``, ``cases``, ``matches``, ``ways`` is used; ``by`` names the parameter matched.

    ``result`` and ``deep``: of a definition that may use itself, what it gives, and how often it may be at work at the
    same time.
    """

    name: str
    params: tuple[Param, ...]
    value: Expr | None = None
    cases: tuple[Case, ...] = ()
    by: str | None = None
    matches: tuple[Match, ...] = ()
    result: TypeExpr | None = attrs.field(default=None, kw_only=True)
    deep: Expr | None = attrs.field(default=None, kw_only=True)
    ways: Ways | None = None


@attrs.frozen
class GraphEdge(Node):
    """``edge c to f(c, d), length 2 for d in ...``, or ``edge c to f(c) where ...``."""

    source: Expr
    target: Expr
    one_way: bool = False
    length: Expr | None = None
    binders: Binders | None = None
    condition: Expr | None = None


@attrs.frozen
class Graph(Node):
    name: str
    params: tuple[Param, ...]
    node: Binders
    edges: tuple[GraphEdge, ...]


@attrs.frozen
class History(Node):
    """``history diagram(p: Player), at most 200: man, side, p``: which positions, as far as these parts tell them
    apart, were remembered."""

    name: str
    params: tuple[Param, ...]
    attributes: tuple[VariableAttribute | Exchange, ...]
    parts: tuple[Expr, ...]


@attrs.frozen
class Event(Node):
    name: str
    params: tuple[Param, ...]


@attrs.frozen
class Winner(Node):
    ranks: tuple[Rank, ...]


@attrs.frozen
class Out(Node):
    """Who is out of the game; the condition is about the player ``p``."""

    condition: Expr


@attrs.frozen
class Invariant(Node):
    id: str
    condition: Expr


# ---------------------------------------------------------------- statements


@attrs.frozen
class Action(Node):
    """A statement that may begin with ``openly``: everybody learns what it looks at."""

    openly: bool = attrs.field(default=False, kw_only=True)


@attrs.frozen
class Trigger(Action):
    """``word``: ``when``, ``unless``, ``whenever`` (with ``condition``) or ``on`` (with ``event``, ``names``)."""

    word: str
    condition: Expr | None = None
    event: str | None = None
    names: tuple[str, ...] = ()


@attrs.frozen
class Rule(Node):
    """``deep``: how often the rule may be running at the same time, where it may run itself."""

    id: str
    params: tuple[Param, ...]
    triggers: tuple[Trigger, ...]
    body: tuple[Statement, ...]
    deep: Expr | None = None
    head: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@attrs.frozen
class Needs(Action):
    condition: Expr


@attrs.frozen
class Let(Action):
    name: str
    value: Expr


@attrs.frozen
class Set(Action):
    target: Expr
    value: Expr


@attrs.frozen
class Change(Action):
    """``increase X by E`` or ``decrease X by E``."""

    word: Literal["increase", "decrease"]
    target: Expr
    value: Expr


@attrs.frozen
class Amount(Node):
    """The pieces that move. ``word``: ``all``, ``up to``, ``at`` or empty; ``of`` names the kind."""

    word: Literal["all", "up to", "at", ""]
    number: Expr | None = None
    of: Expr | None = None


@attrs.frozen
class Move(Action):
    """``square`` and ``turn``: where in a grid a piece is laid, and by how many quarter turns."""

    surely: bool
    amount: Amount
    source: Expr
    target: Expr
    square: Expr | None = None
    turn: Expr | None = None


@attrs.frozen
class Shuffle(Action):
    place: Expr


@attrs.frozen
class Show(Action):
    """``amount``: what is shown of the pieces in ``place``, None for all that is there. ``who``: to this player;
    ``seats``: to each of these; without either, to all."""

    surely: bool
    amount: Amount | None
    place: Expr
    who: Expr | None
    seats: Binders | None


@attrs.frozen
class Roll(Action):
    surely: bool
    binders: Binders


@attrs.frozen
class DoNothing(Action):
    pass


@attrs.frozen
class Do(Action):
    rule: str
    arguments: tuple[Expr, ...]


@attrs.frozen
class Announce(Action):
    event: str
    arguments: tuple[Expr, ...]


@attrs.frozen
class Remember(Action):
    """``remember diagram(p)``: a history gets one more entry, the position as it is."""

    history: str
    arguments: tuple[Expr, ...]


@attrs.frozen
class Forget(Action):
    """``forget diagram``: a history has no entries any more."""

    history: str


@attrs.frozen
class Stop(Action):
    pass


@attrs.frozen
class EndGame(Action):
    pass


@attrs.frozen
class If(Action):
    condition: Expr
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] | None = None


@attrs.frozen
class IfThere(Action):
    """``if there is x in ...``: the block runs for the first that there is."""

    binders: Binders
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] | None = None


@attrs.frozen
class Each(Action):
    binders: Binders
    body: tuple[Statement, ...]


@attrs.frozen
class Together(Action):
    """``together each p in Player``: all decide in secret, as if at the same time."""

    binders: Binders
    body: tuple[Statement, ...]


@attrs.frozen
class Repeat(Action):
    """``repeat at most N`` or ``repeat falling MEASURE``."""

    word: Literal["at most", "falling"]
    value: Expr
    body: tuple[Statement, ...]


@attrs.frozen
class TakeTurns(Action):
    name: str
    start: Expr
    until: Expr | None
    body: tuple[Statement, ...]


@attrs.frozen
class Choose(Action):
    """``p chooses x in D`` (``may`` adds "no"). Without a body the names stay bound in the rest of the block."""

    surely: bool
    may: bool
    who: Expr
    binders: Binders
    body: tuple[Statement, ...] | None = None
    otherwise: tuple[Statement, ...] | None = None


@attrs.frozen
class Some(Node):
    """How many to choose. ``word``: ``up to``, ``any`` (without a number), ``orders`` (all of them) or empty."""

    word: Literal["up to", "any", "orders", ""]
    number: Expr | None = None


@attrs.frozen
class ChooseSome(Action):
    """``p chooses up to 3 of x in D``, ``p orders x in D``: afterwards the name stands for all that was chosen."""

    surely: bool
    who: Expr
    some: Some
    binder: Binder
    body: tuple[Statement, ...] | None = None
    otherwise: tuple[Statement, ...] | None = None


@attrs.frozen
class MenuOption(Node):
    id: str
    binders: Binders | None
    body: tuple[Statement, ...]
    variant: str | None = attrs.field(default=None, eq=False, kw_only=True)
    """The variant that added the option, set by the linker. Such an option sees parameters only."""
    head: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@attrs.frozen
class Menu(Action):
    surely: bool
    who: Expr
    options: tuple[MenuOption, ...]
    otherwise: tuple[Statement, ...] | None = None


@attrs.frozen
class Pay(Action):
    surely: bool
    who: Expr
    cost: Expr
    source: Expr
    target: Expr


@attrs.frozen
class Score(Action):
    word: Literal["scores", "loses"]
    who: Expr
    value: Expr


@attrs.frozen
class Wins(Action):
    who: Expr


@attrs.frozen
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

# ---------------------------------------------------------------- variants


@attrs.frozen
class ChangeNumber(Node):
    name: str
    value: Expr


@attrs.frozen
class ChangeSetting(Node):
    kind: Literal["option", "reading"]
    name: str
    value: str


@attrs.frozen
class ChangeRow(Node):
    """``change row lunch of Basket to {apple: 1}, 2``; ``when``: only then."""

    row: str
    table: str
    values: tuple[Expr, ...]
    when: Expr | None = None


@attrs.frozen
class ChangeCell(Node):
    """``change row lunch.points of Basket to 3``."""

    row: str
    column: str
    table: str
    value: Expr
    when: Expr | None = None


@attrs.frozen
class RemoveRow(Node):
    row: str
    table: str
    when: Expr | None = None


@attrs.frozen
class Replace(Node):
    item: Rule | MenuOption | Define | Enum | Table | Grid | Graph | History | Winner | Out | Invariant | Number


@attrs.frozen
class RemoveRule(Node):
    kind: Literal["rule", "option"]
    id: str


@attrs.frozen
class Insert(Node):
    where: Literal["before", "after"]
    id: str
    body: tuple[Statement, ...]
    kind: Literal["rule", "option"] = "rule"


@attrs.frozen
class ExtendEnum(Node):
    name: str
    members: tuple[str, ...]


@attrs.frozen
class ExtendTable(Node):
    name: str
    columns: tuple[Column, ...]
    rows: tuple[RowsFile | RowsInline, ...]
    stand_in: StandIn | None = None


@attrs.frozen
class ExtendDefine(Node):
    name: str
    matches: tuple[Match, ...]


@attrs.frozen
class ExtendRule(Node):
    id: str
    options: tuple[MenuOption, ...]


@attrs.frozen
class Adjust(Node):
    """``by -1, not below 0``: ``least`` is the number it stops at."""

    name: str
    params: tuple[Param, ...]
    value: Expr
    least: Expr | None = None


# ---------------------------------------------------------------- examples


@attrs.frozen
class Passage(Node):
    """Lines of a source text, both ends included."""

    language: str
    first: int
    last: int


@attrs.frozen
class Documented(Node):
    passages: tuple[Passage, ...]


@attrs.frozen
class ExPlayers(Node):
    names: tuple[str, ...]


@attrs.frozen
class Using(Node):
    variants: tuple[str, ...]


@attrs.frozen
class WithValue(Node):
    """Another value for a number, an option or a reading."""

    name: str
    value: Expr


@attrs.frozen
class Given(Node):
    facts: tuple[Expr, ...]


@attrs.frozen
class Run(Node):
    rule: str
    arguments: tuple[Expr, ...]


@attrs.frozen
class Chance(Node):
    values: tuple[Expr, ...]


@attrs.frozen
class ExChooses(Node):
    who: Expr
    values: tuple[Expr, ...]


@attrs.frozen
class ExDeclines(Node):
    who: Expr


@attrs.frozen
class ExPays(Node):
    who: Expr
    pieces: Expr


@attrs.frozen
class ExRefused(Node):
    """``because``: the id of a rule; ``needs``: which of its conditions does not hold."""

    who: Expr
    values: tuple[Expr, ...]
    because: str | None = None
    needs: Expr | None = None


@attrs.frozen
class ExCannotPay(Node):
    """``because``: ``too little``, ``too much``, ``not there``, or no reason given."""

    who: Expr
    pieces: Expr
    because: str | None = None


@attrs.frozen
class Asked(Node):
    who: Expr
    rule: str | None = None


@attrs.frozen
class Offered(Node):
    """``count``: a number, or the name of a column of the example's cases."""

    count: Integer | Name
    id: str


@attrs.frozen
class OfferedOnly(Node):
    values: tuple[Expr, ...]


@attrs.frozen
class Then(Node):
    conditions: tuple[Expr, ...]


@attrs.frozen
class Fired(Node):
    ids: tuple[str, ...]
    negated: bool = False


@attrs.frozen
class Winners(Node):
    """Who wins by the ranks in the state reached."""

    names: tuple[str, ...]


@attrs.frozen
class Finished(Node):
    """The rule that was run has come to its end."""


@attrs.frozen
class ExampleCases(Node):
    """The example is run once for each row, with the row's values in place of the names of the columns."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]


Step: TypeAlias = Union[
    Documented,
    ExPlayers,
    Using,
    WithValue,
    Given,
    Run,
    Chance,
    ExChooses,
    ExDeclines,
    ExPays,
    ExRefused,
    ExCannotPay,
    Asked,
    Offered,
    OfferedOnly,
    Then,
    Fired,
    Winners,
    Finished,
    ExampleCases,
]


@attrs.frozen
class Example(Node):
    id: str
    steps: tuple[Step, ...]


Header: TypeAlias = Union[Game, Part, Examples, Variant]
VariantItem: TypeAlias = Union[
    ChangeNumber,
    ChangeSetting,
    ChangeRow,
    ChangeCell,
    RemoveRow,
    Replace,
    RemoveRule,
    Insert,
    ExtendEnum,
    ExtendTable,
    ExtendDefine,
    ExtendRule,
    Adjust,
]
"""Items that only the file of a variant can hold: changes to its base."""

Item: TypeAlias = Union[
    Header,
    Enum,
    Range,
    Grid,
    Table,
    Number,
    Setting,
    Variables,
    Define,
    Graph,
    History,
    Event,
    Winner,
    Out,
    Invariant,
    Rule,
    Example,
    VariantItem,
]


@attrs.frozen
class File(Node):
    """One text file: its items in order, the first of which is its header."""

    items: tuple[Item, ...]
    words: frozenset[str] = attrs.field(default=frozenset(), eq=False)
    """Words of the stretches that could not be parsed: no message is given for names among them."""
