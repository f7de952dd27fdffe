"""Variables: their type, who sees them, how much they hold and what they start with."""

from __future__ import annotations

from .. import program as ir
from ..syntax import tree
from ..types import (
    REACH,
    UNKNOWN,
    FlagType,
    ListType,
    MemberType,
    NumberType,
    OptionalType,
    PiecesType,
    RecordType,
    TupleType,
    Type,
    describe,
    spot_of,
)
from .constants import MANY, longest
from .environment import MAX_CELLS, MAX_NUMBER, Environment
from .expressions import Expressions
from .seers import seats_of


def elaborate_variable(
    env: Environment, node: tree.Variable, owners: tuple[str, ...], keys: tuple[str | None, ...]
) -> ir.Variable | None:
    """A part of the state, or None after a finding. ``keys``: names of the owners for what it starts with."""
    owner_types: list[MemberType] = []
    for owner in owners:
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
        owner_types.append(MemberType(env.domains[owner]))
    place = node.type.place if isinstance(node.type, tree.TypePlace) else "value"
    element: MemberType | NumberType | None = None
    type_: Type
    if isinstance(node.type, tree.TypePlace):
        element = env.kind(node.type.item)
        if element is None:
            return None
        if place in ("pool", "bag"):
            type_ = PiecesType(element)
        elif place == "slot":
            type_ = OptionalType(element)
        else:
            type_ = ListType(spot_of(element) if place == "grid" else element)
    else:
        type_ = env.type(node.type)
        if type_ is UNKNOWN:
            return None
    capacity, seen_by, counted, exchanges, stops = _attributes(env, node, place, owner_types, type_)
    seers = seats_of(env, node, owner_types, keys)
    if seers is None:
        return None
    if place == "grid" and capacity is None:
        env.sink.error(
            "R0410",
            node.span,
            f"`{node.name}` does not say how many pieces it can hold.",
            help=f"Add a bound of at most {REACH}, for example `..., at most 30`.",
        )
        return None
    variable = ir.Variable(
        node.name,
        tuple(owner_types),
        place,  # type: ignore[arg-type]
        type_,
        element,
        _initial(env, node, place, type_, element, list(zip(keys, owner_types, strict=False))),
        1 if place == "slot" else capacity,
        seen_by,
        counted,
        exchanges,
        stops.get("not below"),
        stops.get("not above"),
        has_word(node, "bookkeeping"),
        seers,
        rolling=has_word(node, "last"),
        span=node.span,
    )
    if place == "value" and isinstance(type_, ListType):
        first = variable.initial
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
                f"A list cannot keep {describe(type_.item)}.",
                help="Keep members, numbers, `flag` or `square`, each perhaps `or none`, or several with `and`.",
            )
            return None
        if capacity is None:
            if has_word(node, "at most") or has_word(node, "last"):
                return None  # the bound is reported
            env.sink.error(
                "R0410",
                node.span,
                f"`{node.name}` does not say how long it can be.",
                help="Add `..., at most 100`, or `..., last 8` to keep only the last ones. "
                "For pieces, write `stack of ...`.",
            )
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


def has_word(node: tree.Variable | tree.History, word: str) -> bool:
    """Whether an attribute is there."""
    return any(isinstance(a, tree.VariableAttribute) and a.word == word for a in node.attributes)


def _initial(
    env: Environment,
    node: tree.Variable,
    place: str,
    type_: Type,
    element: MemberType | NumberType | None,
    keys: list[tuple[str | None, MemberType]],
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
    if isinstance(type_, NumberType) and isinstance(found.type, NumberType) and keys:
        if found.type.low < type_.low or found.type.high > type_.high:
            env.sink.error(
                "R0404",
                node.initial.span,
                f"This is {describe(found.type)}; {describe(type_)} is needed here.",
                help="Widen the bounds, or write `max(..., ...)` or `min(..., ...)`.",
            )
    return found


def keepable(type_: Type) -> bool:
    """Whether a list that is kept can have such members: those of a few words each."""
    match type_:
        case OptionalType(item):
            return keepable(item)
        case TupleType() | RecordType():
            return all(map(keepable, type_.items))
    return isinstance(type_, (NumberType, FlagType, MemberType))


def stack_content(expressions: Expressions, node: tree.Expr, type_: Type, element: MemberType | NumberType) -> ir.Expr:
    """The contents of a stack: a list, or counts by kind, which are laid down kind after kind."""
    if isinstance(node, (tree.Bundle, tree.BundleFor)):
        pieces = expressions.value(node, PiecesType(element))
        return ir.Apply("spread", (pieces,), type_, span=node.span)
    return expressions.value(node, type_)


def _attributes(
    env: Environment, node: tree.Variable, place: str, owners: list[MemberType], type_: Type
) -> tuple[int | None, ir.SeenBy, bool, tuple[ir.Exchange, ...], dict[str, int | None]]:
    capacity: int | None = None
    seen_by: ir.SeenBy = "all"
    counted = False
    exchanges: list[ir.Exchange] = []
    stops: dict[str, int | None] = {}
    sink = env.sink
    for attribute in node.attributes:
        if isinstance(attribute, tree.Exchange):
            exchange = _exchange(env, attribute, node.name, place, type_)
            exchanges += [] if exchange is None else [exchange]
            continue
        word, span = attribute.word, attribute.span
        if word in ("at most", "last") and place == "value" and isinstance(type_, ListType):
            assert attribute.value is not None
            most = env.constant(attribute.value, NumberType(1, MAX_NUMBER))
            capacity = most if capacity is None or most is None else min(capacity, most)
        elif word == "last":
            sink.error(
                "R0410",
                span,
                f"`last` is for lists, but `{node.name}` is {f'a {place}' if place != 'value' else describe(type_)}.",
                help="Remove it, or keep a `list of ...`.",
            )
        elif word == "at most":
            if place in ("value", "slot"):
                sink.error(
                    "R0410",
                    span,
                    f"`at most` is for pools, bags, stacks and grids, but `{node.name}` is a {place}.",
                    help="Remove it.",
                )
                continue
            assert attribute.value is not None
            capacity = env.constant(attribute.value, NumberType(0, REACH if place == "grid" else MAX_NUMBER))
        elif word in ("seen by owner", "seen by all but owner"):
            if not owners or owners[0].domain.name != "Player":
                sink.error(
                    "R0508",
                    span,
                    f"`{node.name}` has no owner"
                    + (" to see it." if word == "seen by owner" else " who could be left out."),
                    help="Declare it under `each Player has`, or write `seen by nobody`.",
                )
                continue
            seen_by = "owner" if word == "seen by owner" else "others"
        elif word == "seen by nobody":
            seen_by = "nobody"
        elif word == "seen by":
            seen_by = "some"
        elif word == "counted":
            counted = True
        elif word in ("not below", "not above"):
            assert attribute.value is not None
            if not isinstance(type_, NumberType):
                sink.error(
                    "R0410",
                    span,
                    f"`{word}` is for numbers, but `{node.name}` is {describe(type_)}.",
                    help="Remove it.",
                )
                continue
            stops[word] = env.constant(attribute.value, type_)
    return capacity, seen_by, counted, tuple(exchanges), stops


def _exchange(env: Environment, node: tree.Exchange, variable: str, place: str, type_: Type) -> ir.Exchange | None:
    if place != "pool" or not isinstance(type_, PiecesType):
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
            help="Write `for 1`, as in `any 3 others for 1` or `2 of gold for 1 of silver`.",
        )
        return None
    number = env.constant(node.number, NumberType(1, 100))
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


def _exchanged(env: Environment, node: tree.Expr | None, type_: PiecesType) -> tuple[int, ...] | None:
    """The kinds named by a kind, a list or a set of them, in order; empty after a finding, None for every kind."""
    if node is None:
        return None
    several = isinstance(node, (tree.Sequence, tree.FoldOf, tree.FoldMembers, tree.FoldValues))
    value = env.constant(node, ListType(type_.kind) if several else type_.kind)
    if value == ():
        env.sink.error("R0410", node.span, "An exchange needs a kind of pieces.", help="Name one, or a list of them.")
    return () if value is None else tuple(sorted(set(value))) if several else (value,)
