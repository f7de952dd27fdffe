"""Variables and places: their types, owners, capacities, and who may see them."""

from __future__ import annotations

from itertools import product
from typing import Self, assert_never

import attrs

from .. import program as ir
from .. import types as ty
from ..program.analysis.sizes import MANY, longest
from ..program.analysis.static_values import Fixed, NotFixed
from ..syntax import tree
from .environment import MAX_CELLS, MAX_NUMBER, Environment
from .expressions import Expressions

_MOST = 100_000
"""Combinations of owners and a player for which a condition is tested."""


def seats_of(
    env: Environment, node: tree.Variable, owners: list[ty.MemberType], keys: tuple[str | None, ...]
) -> tuple[tuple[int, ...], ...] | None:
    """The seats that see each cell, in the order of the cells; None after a finding.

    It is empty where ``Variable.seen_by`` says it all. ``keys``: names of the owners.
    """
    for attribute in node.attributes:
        if isinstance(attribute, tree.VariableAttribute) and attribute.word == "seen by all but owner":
            if owners and owners[0].domain.name == "Player":
                cells = product(*(range(len(owner.domain)) for owner in owners))
                return tuple(tuple(p for p in range(env.players) if p != cell[0]) for cell in cells)
        elif isinstance(attribute, tree.VariableAttribute) and attribute.word == "seen by":
            return _where(env, attribute, owners, keys)
    return ()


def _where(
    env: Environment, node: tree.VariableAttribute, owners: list[ty.MemberType], keys: tuple[str | None, ...]
) -> tuple[tuple[int, ...], ...] | None:
    """``seen by q where ...``: the condition may use the names of the owners, and what never changes."""
    assert node.name is not None and node.value is not None
    expressions = env.settled().expressions()
    named = [
        None if key is None else expressions.declare(key, owner, node.span)
        for key, owner in zip(keys, owners, strict=False)
    ]
    named += [None] * (len(owners) - len(named))
    seat = expressions.declare(node.name, env.player, node.span)
    condition = expressions.flag(node.value)
    sizes = [1 if slot is None else len(owner.domain) for slot, owner in zip(named, owners, strict=True)]
    if (number := env.players * _product(sizes)) > _MOST:
        env.sink.error(
            "R0404",
            node.span,
            f"Who sees this must be worked out for {number:,} combinations; the limit is {_MOST:,}.",
            help="Leave out the names that do not matter.",
        )
        return None
    fixed = Fixed(env.settled_definition, env.tables)
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    try:
        for cell in product(*map(range, sizes)):
            local = {slot: member for slot, member in zip(named, cell, strict=True) if slot is not None}
            found[cell] = tuple(p for p in range(env.players) if fixed.value(condition, local | {seat: p}))
    except NotFixed as error:
        if isinstance(error.node, ir.Const):
            return None  # it has been reported
        env.sink.error(
            "R0409",
            error.node.span if error.node.span.line else node.span,
            "Who sees something is settled before the game starts, so it cannot depend on this.",
            help="Use players, `next(...)`, `index(...)`, tables, numbers and settings. To show something during the "
            "game, write `show ... to ...`.",
        )
        return None
    every = product(*(range(len(owner.domain)) for owner in owners))
    cut = [tuple(0 if size == 1 else m for m, size in zip(cell, sizes, strict=True)) for cell in every]
    return tuple(found[cell] for cell in cut)


def _product(sizes: list[int]) -> int:
    total = 1
    for size in sizes:
        total *= size
    return total


def elaborate_variable(
    env: Environment, node: tree.Variable, owners: tuple[tree.Name, ...], keys: tuple[str | None, ...]
) -> ir.Variable | None:
    """A part of the state, or None after a finding. ``keys``: names of the owners for what it starts with."""
    owner_types = _owners(env, owners)
    content = None if owner_types is None else _content(env, node)
    if owner_types is None or content is None:
        return None
    place, type_, element = content
    given = _Attributes(env, node, place, owner_types, type_).read()
    seers = seats_of(env, node, owner_types, keys)
    if seers is None:
        return None
    if place == "grid" and given.capacity is None:
        env.sink.error(
            "R0410",
            node.span,
            f"`{node.name}` does not say how many pieces it can hold.",
            help=f"Add a bound of at most {ty.REACH}, for example `..., at most 30`.",
        )
        return None
    variable = ir.Variable(
        node.name,
        tuple(owner_types),
        place,
        type_,
        element,
        _initial(env, node, place, type_, element, list(zip(keys, owner_types, strict=False))),
        1 if place == "slot" else given.capacity,
        given.seen_by,
        given.counted,
        tuple(given.exchanges),
        given.not_below,
        given.not_above,
        has_word(node, "bookkeeping"),
        seers,
        rolling=has_word(node, "last"),
        span=node.span,
    )
    if place == "value" and isinstance(type_, ty.ListType) and not _can_be_kept(env, node, variable, type_):
        return None
    if variable.cells > MAX_CELLS:
        env.sink.error(
            "R0404",
            node.span,
            f"`{node.name}` has {variable.cells:,} cells; the limit is {MAX_CELLS:,}.",
            help="Keep it for fewer things.",
        )
        return None
    return variable


def _owners(env: Environment, owners: tuple[tree.Name, ...]) -> list[ty.MemberType] | None:
    """The types of what it is kept for; None after a finding."""
    found: list[ty.MemberType] = []
    for node in owners:
        owner = node.name
        if owner in env.ranges:
            env.sink.error(
                "R0402",
                node.span,
                f"`{owner}` is a range; only an enum, a table, a grid or `Player` can follow `each`.",
                help=f"Make `{owner}` a table whose rows have the number as a column.",
            )
            return None
        if owner not in env.domains:
            env.unknown(owner, node.span, "enum or table", list(env.domains))
            return None
        found.append(ty.MemberType(env.domains[owner]))
    return found


def _content(
    env: Environment, node: tree.Variable
) -> tuple[ir.PlaceKind, ty.Type, ty.MemberType | ty.NumberType | None] | None:
    """What kind of place it is, the type of what is in it, and of each piece; None after a finding."""
    if not isinstance(node.type, tree.TypePlace):
        type_ = env.type(node.type)
        return None if type_ is ty.UNKNOWN else ("value", type_, None)
    element = env.kind(node.type.item)
    if element is None:
        return None
    match node.type.place:
        case "pool" | "bag":
            return node.type.place, ty.PiecesType(element), element
        case "slot":
            return "slot", ty.OptionalType(element), element
        case "grid":
            return "grid", ty.ListType(ty.spot_of(element)), element
        case "stack":
            return "stack", ty.ListType(element), element
    assert_never(node.type.place)


def _can_be_kept(env: Environment, node: tree.Variable, variable: ir.Variable, type_: ty.ListType) -> bool:
    """Whether a list has a bound, room for what it starts with, and members that can be kept; else with a finding."""
    first, capacity = variable.initial, variable.capacity
    number = len(first.value) if isinstance(first, ir.Const) else longest(first, env.grids) if first else 0
    if capacity is not None and not variable.rolling and capacity < number < MANY:
        env.sink.error(
            "R0404",
            node.initial.span if node.initial else node.span,
            f"This {'has' if isinstance(first, ir.Const) else 'may have'} {number} members; "
            f"there is room for {capacity}.",
            help="Raise the bound, or leave some out.",
        )
    if not keepable(type_.item):
        env.sink.error(
            "R0402",
            node.type.span,
            f"A list cannot keep {ty.describe(type_.item)}.",
            help="Keep members, numbers, `flag` or `square`, each perhaps `or none`, or several with `and`.",
        )
        return False
    if capacity is None and not (has_word(node, "at most") or has_word(node, "last")):  # else the bound is reported
        env.sink.error(
            "R0410",
            node.span,
            f"`{node.name}` does not say how long it can be.",
            help="Add `..., at most 100`, or `..., last 8` to keep only the last ones. "
            "For pieces, write `stack of ...`.",
        )
    return capacity is not None


def has_word(node: tree.Variable | tree.History, word: str) -> bool:
    """Whether an attribute is there."""
    return any(isinstance(a, tree.VariableAttribute) and a.word == word for a in node.attributes)


def _initial(
    env: Environment,
    node: tree.Variable,
    place: str,
    type_: ty.Type,
    element: ty.MemberType | ty.NumberType | None,
    keys: list[tuple[str | None, ty.MemberType]],
) -> ir.Expr | None:
    """What a cell starts with; the slots of its owners come first."""
    if node.initial is None:
        return None
    expressions = env.expressions()
    for key, owner in keys:
        if key is None:
            expressions.scope.frame.slot()
        else:
            expressions.declare(key, owner, node.span)
    if place == "stack":
        assert element is not None
        return stack_content(expressions, node.initial, type_, element)
    found = expressions.value(node.initial, type_)
    if isinstance(type_, ty.NumberType) and isinstance(found.type, ty.NumberType) and keys:
        if found.type.low < type_.low or found.type.high > type_.high:
            env.sink.error(
                "R0404",
                node.initial.span,
                f"This is {ty.describe(found.type)}; {ty.describe(type_)} is needed here.",
                help="Widen the bounds, or write `max(..., ...)` or `min(..., ...)`.",
            )
    return found


def keepable(type_: ty.Type) -> bool:
    """Whether a list that is kept can have such members: those of a few words each."""
    match type_:
        case ty.OptionalType(item):
            return keepable(item)
        case ty.TupleType() | ty.RecordType():
            return all(map(keepable, type_.items))
    return isinstance(type_, (ty.NumberType, ty.FlagType, ty.MemberType))


def stack_content(
    expressions: Expressions, node: tree.Expr, type_: ty.Type, element: ty.MemberType | ty.NumberType
) -> ir.Expr:
    """The contents of a stack: a list, or counts by kind, which are laid down kind after kind."""
    if isinstance(node, (tree.Bundle, tree.BundleFor)):
        pieces = expressions.value(node, ty.PiecesType(element))
        return ir.Apply("spread", (pieces,), type_, span=node.span)
    return expressions.value(node, type_)


@attrs.define
class _Attributes:
    """What the attributes of a variable say, with findings for those that do not belong to it."""

    env: Environment
    node: tree.Variable
    place: ir.PlaceKind
    owners: list[ty.MemberType]
    type: ty.Type
    capacity: int | None = None
    seen_by: ir.SeenBy = "all"
    counted: bool = False
    exchanges: list[ir.Exchange] = attrs.field(factory=list)
    not_below: int | None = None
    not_above: int | None = None

    def read(self) -> Self:
        for attribute in self.node.attributes:
            if isinstance(attribute, tree.Exchange):
                exchange = _exchange(self.env, attribute, self.node.name, self.place, self.type)
                self.exchanges += [] if exchange is None else [exchange]
            else:
                self._word(attribute)
        return self

    def _word(self, attribute: tree.VariableAttribute) -> None:
        match attribute.word:
            case "at most" | "last":
                self._bound(attribute)
            case "seen by owner" | "seen by all but owner":
                self._seen(attribute)
            case "seen by nobody":
                self.seen_by = "nobody"
            case "seen by":
                self.seen_by = "some"
            case "counted":
                self.counted = True
            case "not below" | "not above":
                self._stop(attribute)

    def _stop(self, attribute: tree.VariableAttribute) -> None:
        assert attribute.value is not None
        if not isinstance(self.type, ty.NumberType):
            self._wrong(attribute, f"`{attribute.word}` is for numbers, but `{self.node.name}` is {self._kind}.")
        elif attribute.word == "not below":
            self.not_below = self.env.constant(attribute.value, self.type)
        else:
            self.not_above = self.env.constant(attribute.value, self.type)

    def _bound(self, attribute: tree.VariableAttribute) -> None:
        assert attribute.value is not None
        if self.place == "value" and isinstance(self.type, ty.ListType):
            most = self.env.constant(attribute.value, ty.NumberType(1, MAX_NUMBER))
            self.capacity = most if self.capacity is None or most is None else min(self.capacity, most)
        elif attribute.word == "last":
            problem = f"`last` is for lists, but `{self.node.name}` is {self._kind}."
            self._wrong(attribute, problem, "Remove it, or keep a `list of ...`.")
        elif self.place in ("value", "slot"):
            problem = f"`at most` is for pools, bags, stacks and grids, but `{self.node.name}` is a {self.place}."
            self._wrong(attribute, problem)
        else:
            most = ty.REACH if self.place == "grid" else MAX_NUMBER
            self.capacity = self.env.constant(attribute.value, ty.NumberType(0, most))

    def _seen(self, attribute: tree.VariableAttribute) -> None:
        only_owner = attribute.word == "seen by owner"
        if self.owners and self.owners[0].domain.name == "Player":
            self.seen_by = "owner" if only_owner else "others"
            return
        self.env.sink.error(
            "R0508",
            attribute.span,
            f"`{self.node.name}` has no owner" + (" to see it." if only_owner else " who could be left out."),
            help="Declare it under `each Player has`, or write `seen by nobody`.",
        )

    @property
    def _kind(self) -> str:
        return f"a {self.place}" if self.place != "value" else ty.describe(self.type)

    def _wrong(self, attribute: tree.VariableAttribute, problem: str, remedy: str = "Remove it.") -> None:
        self.env.sink.error("R0410", attribute.span, problem, help=remedy)


def _exchange(env: Environment, node: tree.Exchange, variable: str, place: str, type_: ty.Type) -> ir.Exchange | None:
    if place != "pool" or not isinstance(type_, ty.PiecesType):
        env.sink.error(
            "R0410",
            node.span,
            f"Only a pool can have an exchange, but `{variable}` is a {place}.",
            help="Remove it, or make this a pool.",
        )
        return None
    if node.one != 1:
        env.sink.error(
            "R0410",
            node.span,
            f"An exchange replaces 1 piece that is due, not {node.one}.",
            help="Write `for 1`, as in `3 of any for 1` or `2 of gold for 1 of silver`.",
        )
        return None
    number = env.constant(node.number, ty.NumberType(1, 100))
    given, due = _exchanged(env, node.given, type_), _exchanged(env, node.due, type_)
    if number is None or given == () or due == ():
        return None
    if given is not None and given == due and len(given) == 1:
        env.sink.error(
            "R0410",
            node.span,
            "A piece cannot stand for another of the same kind.",
            help="Name another kind after `of`.",
        )
        return None
    return ir.Exchange(number, given, due)


def _exchanged(env: Environment, node: tree.Expr | None, type_: ty.PiecesType) -> tuple[int, ...] | None:
    """The kinds named by a kind, a list or a set of them, in order; empty after a finding, None for every kind."""
    if node is None:
        return None
    several = isinstance(node, (tree.Sequence, tree.FoldOf, tree.FoldMembers, tree.FoldValues))
    value = env.constant(node, ty.ListType(type_.kind) if several else type_.kind)
    if value == ():
        env.sink.error("R0410", node.span, "An exchange needs a kind of pieces.", help="Name one, or a list of them.")
    return () if value is None else tuple(sorted(set(value))) if several else (value,)
