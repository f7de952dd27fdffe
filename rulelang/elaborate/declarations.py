"""Variables, definitions and graphs."""

from __future__ import annotations

from collections.abc import Sequence

from .. import program as ir
from ..diagnostics import Label, did_you_mean
from ..fixes import Below, Fix, Help
from ..syntax import tree
from ..syntax.printer.expressions import params_text, print_expr
from ..types import (
    FLAG,
    REACH,
    UNKNOWN,
    FlagType,
    ListType,
    MemberType,
    NumberType,
    OptionalType,
    PiecesType,
    RecordType,
    SetType,
    TupleType,
    Type,
    describe,
    spot_of,
)
from . import lengths
from .builtins import with_condition
from .calls import depth
from .constants import MANY, arithmetic_type, choose_branch, longest, simplify, size_of
from .environment import MAX_CELLS, MAX_NUMBER, Environment
from .expressions import Expressions
from .histories import history_definition as history_definition
from .histories import history_variable as history_variable
from .scope import Frame, Scope
from .seers import seats_of
from .ways import elaborate_ways


def expressions(env: Environment, rule: str | None) -> Expressions:
    """What works out expressions that see no local names."""
    return Expressions(env, Scope(Frame()), rule)


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
    capacity, seen_by, counted, exchanges, not_below = _attributes(env, node, place, owner_types, type_)
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
        not_below,
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
) -> tuple[int | None, ir.SeenBy, bool, tuple[ir.Exchange, ...], int | None]:
    capacity: int | None = None
    seen_by: ir.SeenBy = "all"
    counted = False
    exchanges: list[ir.Exchange] = []
    not_below: int | None = None
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
        elif word == "not below":
            assert attribute.value is not None
            if not isinstance(type_, NumberType):
                sink.error(
                    "R0410",
                    span,
                    f"`not below` is for numbers, but `{node.name}` is {describe(type_)}.",
                    help="Remove it.",
                )
                continue
            not_below = env.constant(attribute.value, type_)
    return capacity, seen_by, counted, tuple(exchanges), not_below


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


def params(
    env: Environment, scope: Expressions, nodes: tuple[tree.Param, ...], rule: str | None
) -> tuple[ir.Param, ...]:
    """Declares the parameters in the scope."""
    made = []
    for node in nodes:
        type_ = env.type(node.type, rule)
        slot = scope.declare(node.name, type_, node.span, param=True)
        made.append(ir.Param(node.name, slot, type_))
    return tuple(made)


# ---------------------------------------------------------------- definitions


def elaborate_definition(
    env: Environment, node: tree.Define, adjustments: tuple[tree.Adjust, ...]
) -> ir.Definition | None:
    """A pure function with what variants add to it; its cases must be complete."""
    scope = Scope(Frame())
    expressions = Expressions(env, scope)
    parameters = params(env, expressions, node.params, None)
    promised = None if node.result is None else env.type(node.result)
    if node.value is not None:
        saying = FLAG if node.name == "out" and "out" in env.sayings else None
        body = expressions.value(node.value, promised or saying)
    elif node.ways is not None:
        body = elaborate_ways(expressions, node, node.ways)
    elif node.cases:
        body = _cases(expressions, node, promised)
    else:
        body = _matches(env, expressions, node, parameters, promised)
    for adjustment in adjustments:
        body = _adjust(env, expressions, node, adjustment, body)
    if promised is not None:
        body = expressions.fit(body, promised, node.span)
        deep = depth(env, node.deep)
        return ir.Definition(node.name, parameters, body, promised, scope.frame.size, deep, span=node.span)
    return ir.Definition(node.name, parameters, body, body.type, scope.frame.size, span=node.span)


def _cases(expressions: Expressions, node: tree.Define, promised: Type | None) -> ir.Expr:
    if node.cases[-1].when is not None:
        expressions.error(
            "R0501",
            node.span,
            f"`{node.name}` has no value when none of its cases applies.",
            help=Help("Add `otherwise: ...` at the end.", (_like_the_last(("otherwise",), node.cases[-1].value),)),
        )
        return ir.Const(None, UNKNOWN, span=node.span)
    for case in node.cases[:-1]:
        if case.when is None:
            expressions.error(
                "R0501",
                case.span,
                "The cases below `otherwise` can never be reached.",
                help="Move `otherwise` to the end.",
            )
            return ir.Const(None, UNKNOWN, span=node.span)
    hint = promised
    made: list[tuple[ir.Expr | None, ir.Expr]] = []
    for case in sorted(node.cases, key=lambda c: _is_empty(c.value)):  # an empty value learns its type from the others
        value = expressions.any_type(case.value, hint) if promised is None else expressions.value(case.value, promised)
        hint = hint or (value.type if value.type is not UNKNOWN else None)
        made.append((None if case.when is None else expressions.flag(case.when), value))
    order = sorted(node.cases, key=lambda c: _is_empty(c.value))
    in_text = [made[order.index(case)] for case in node.cases]
    result = in_text[-1][1]
    for condition, value in reversed(in_text[:-1]):
        assert condition is not None
        type_ = expressions.join(_taken(value.type, promised), _taken(result.type, promised), value.span)
        result = choose_branch(ir.If(condition, value, result, type_, span=node.span))
    return result


def _taken(type_: Type, promised: Type | None) -> Type:
    """The type of a case where a set is promised: lists are taken as sets."""
    return SetType(type_.item) if isinstance(promised, SetType) and isinstance(type_, ListType) else type_


def _is_empty(value: tree.Expr) -> bool:
    match value:
        case tree.NoneValue():
            return True
        case tree.Bundle(entries=parts) | tree.Sequence(items=parts):
            return not parts
    return False


def _like_the_last(missing: Sequence[str], value: tree.Expr) -> Fix:
    """Adds a line for each missing case, with the value of the last one there is."""
    text = print_expr(value)
    title = f"Add `{missing[0]}: {text}`" if len(missing) == 1 else f"Add {len(missing)} cases with `{text}`"
    return Fix(title, (Below("\n".join(f"{case}: {text}" for case in missing), deeper=1, past="block"),))


def _matches(
    env: Environment,
    expressions: Expressions,
    node: tree.Define,
    parameters: tuple[ir.Param, ...],
    promised: Type | None,
) -> ir.Expr:
    param = next((p for p in parameters if p.name == node.by), None)
    unknown = ir.Const(None, UNKNOWN, span=node.span)
    if param is None:
        return expressions.error(
            "R0401",
            node.span,
            f"`{node.by}` is not a parameter of `{node.name}`.",
            "Write the name of a parameter after `by`.",
        )
    if not isinstance(param.type, MemberType):
        return expressions.error(
            "R0402",
            node.span,
            f"Cases by name need an enum or a table; `{node.by}` is {describe(param.type)}.",
            "Write cases with `when`.",
        )
    domain = param.type.domain
    values: dict[str, tuple[tree.Match, ir.Expr]] = {}
    for match in node.matches:
        value = expressions.value(match.value, promised)
        for member in match.members:
            if member not in domain.members:
                env.sink.error(
                    "R0401",
                    match.span,
                    f"`{domain.name}` has no member `{member}`.",
                    help=did_you_mean(member, domain.members) or f"Choose one of {', '.join(domain.members[:8])}.",
                )
            elif member in values:
                env.sink.error(
                    "R0303",
                    match.span,
                    f"`{member}` has two cases.",
                    labels=[Label(values[member][0].span, "first declared here")],
                    help="Remove one of them.",
                )
            else:
                values[member] = (match, value)
    missing = [m for m in domain.members if m not in values]
    if missing:
        named = ", ".join(f"`{m}`" for m in missing[:8]) + (" ..." if len(missing) > 8 else "")
        return expressions.error(
            "R0501",
            node.span,
            f"`{node.name}` has no case for {named}.",
            help=Help(f"Add `{missing[0]}: ...`.", (_like_the_last(missing, node.matches[-1].value),)),
        )
    local = ir.Local(param.slot, param.name, param.type, span=node.span)
    result = values[domain.members[-1]][1]
    for position, member in reversed(list(enumerate(domain.members))[:-1]):
        value = values[member][1]
        test = ir.Apply("is", (local, ir.Const(position, param.type)), FLAG, span=node.span)
        type_ = expressions.join(_taken(value.type, promised), _taken(result.type, promised), value.span)
        if type_ is UNKNOWN:
            return unknown
        result = ir.If(test, value, result, type_, span=values[member][0].span)
    return result


def _adjust(
    env: Environment, expressions: Expressions, node: tree.Define, adjustment: tree.Adjust, body: ir.Expr
) -> ir.Expr:
    """The value plus what a variant adds to it. The variant may name the parameters as it likes."""
    if len(adjustment.params) != len(node.params):
        return expressions.error(
            "R0403",
            adjustment.span,
            f"`{node.name}` has {len(node.params)} parameters, but {len(adjustment.params)} are named here.",
            f"Name each of them: `adjust {node.name}{params_text(node.params)} by ...`.",
        )
    scope = Scope(expressions.scope.frame)
    for own, theirs in zip(adjustment.params, node.params, strict=True):
        scope.names[own.name] = expressions.scope.names[theirs.name]
    inner = expressions.inside(scope)
    if isinstance(body.type, PiecesType):
        less = _taken_away(adjustment.value)
        extra = inner.value(adjustment.value if less is None else less, body.type)
        if isinstance(adjustment.value, tree.Binary) and adjustment.value.op == "-":
            expressions.error(
                "R0402",
                adjustment.value.span,
                "There are never fewer than no pieces, so this difference takes nothing away.",
                "Write a line for what is added, `by {KIND: 1}`, and one for what is taken away, `by -{KIND: 1}`.",
            )
        if adjustment.least is not None:
            expressions.error(
                "R0402", adjustment.least.span, "There are never fewer than no pieces.", "Remove `not below ...`."
            )
        return ir.Apply("add_pieces" if less is None else "sub_pieces", (body, extra), body.type, span=adjustment.span)
    if isinstance(body.type, NumberType):
        extra = inner.number(adjustment.value)
        if not isinstance(extra.type, NumberType):
            return extra
        type_ = arithmetic_type("+", [body.type, extra.type])
        changed = simplify(ir.Apply("+", (body, extra), type_, span=adjustment.span))
        return changed if adjustment.least is None else _not_below(inner, adjustment.least, changed)
    if body.type is not UNKNOWN:
        expressions.error(
            "R0402",
            adjustment.span,
            "Only numbers and pieces can be adjusted.",
            f"Write `replace {'define' if node.ways is None else 'ways'} {node.name} ...`.",
        )
    return body


def _taken_away(value: tree.Expr) -> tree.Expr | None:
    """The pieces behind a minus: of ``-{apple: 1}`` and ``-2 * {apple: 1}``; None without one."""
    match value:
        case tree.Unary("-", pieces):
            return pieces
        case tree.Binary("*", tree.Unary("-", number), pieces):
            return tree.Binary("*", number, pieces, span=value.span)
    return None


def _not_below(inner: Expressions, bound: tree.Expr, value: ir.Expr) -> ir.Expr:
    least = inner.number(bound)
    if not isinstance(least.type, NumberType) or not isinstance(value.type, NumberType):
        return least
    type_ = arithmetic_type("max", [value.type, least.type])
    return simplify(ir.Apply("max", (value, least), type_, span=bound.span))


# ---------------------------------------------------------------- graphs


def _names(source: tree.Expr) -> tuple[str | None, ...]:
    parts = source.items if isinstance(source, tree.TupleValue) else (source,)
    return tuple(part.name if isinstance(part, tree.Name) else None for part in parts)


def _starts_there(e: Expressions, source: tree.Expr, nodes: ir.Binds, node_type: Type) -> ir.Expr:
    """Whether an edge that starts at ``source`` starts at the node."""
    found = e.value(source, OptionalType(node_type))
    parts = tuple(ir.Local(b.slot, b.name, b.type, span=source.span) for b in nodes.binds)
    node = parts[0] if len(parts) == 1 else ir.Apply("tuple", parts, node_type, span=source.span)
    return ir.Apply("is", (found, node), FLAG, span=source.span)


def elaborate_graph(env: Environment, node: tree.Graph) -> ir.Graph | None:
    """Nodes and what joins them. An edge that starts elsewhere is one of the node that it starts at."""
    scope = Scope(Frame())
    expressions = Expressions(env, scope)
    parameters = params(env, expressions, node.params, None)
    nodes = expressions.binds(node.node)
    types = tuple(b.type for b in nodes.binds)
    if UNKNOWN in types:
        return None
    for bind in nodes.binds:
        if size_of(bind.type) > 5_000:
            env.sink.error(
                "R0404", node.node.span, "A graph can have at most 5,000 nodes.", help="Go through something smaller."
            )
            return None
    node_type: Type = types[0] if len(types) == 1 else TupleType(types)
    edges: list[ir.Edge] = []
    for edge in node.edges:
        inner = expressions.inside(scope.inner())
        binds = None if edge.binders is None else inner.binds(edge.binders)
        target = inner.value(edge.target, OptionalType(node_type))
        there = None if edge.condition is None else inner.flag(edge.condition)
        if _names(edge.source) != tuple(b.name for b in nodes.binds):
            starts = _starts_there(inner, edge.source, nodes, node_type)
            if binds is not None:
                binds = with_condition(binds, starts)
            else:
                there = starts if there is None else ir.Apply("and", (starts, there), FLAG, span=there.span)
        if there is not None:
            maybe = OptionalType(node_type)
            target = choose_branch(ir.If(there, target, ir.Const(None, maybe, span=edge.span), maybe, span=edge.span))
        length = None if edge.length is None else lengths.length(inner, edge.length)
        edges.append(ir.Edge(target, binds, length, edge.one_way, span=edge.span))
    return ir.Graph(node.name, parameters, nodes, tuple(edges), node_type, scope.frame.size, span=node.span)
