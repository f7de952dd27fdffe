"""Graphs: their nodes and edges, and the ways through them."""

from __future__ import annotations

import attrs

from .. import program as ir
from .. import types as ty
from ..diagnostics import Diagnostic, Sink
from ..program.walk import free_slots
from ..source import Span
from ..syntax import tree
from . import board_functions
from .comprehensions import with_condition
from .environment import MAX_NUMBER, Environment
from .expressions import Expressions
from .scope import LocalName, Scope, SlotFrame, params
from .typing import choose_branch, join_types


def elaborate_graph(env: Environment, node: tree.Graph) -> ir.Graph | None:
    """Nodes and what joins them. An edge that starts elsewhere is one of the node that it starts at."""
    scope = Scope(SlotFrame())
    expressions = Expressions(env, scope)
    parameters = params(env, expressions, node.params, None)
    nodes = expressions.binds(node.node)
    types = tuple(b.type for b in nodes.binds)
    if ty.UNKNOWN in types:
        return None
    for bind in nodes.binds:
        if ty.size_of(bind.type) > 5_000:
            env.sink.error(
                "R0404", node.node.span, "A graph can have at most 5,000 nodes.", help="Go through something smaller."
            )
            return None
    node_type: ty.Type = types[0] if len(types) == 1 else ty.TupleType(types)
    edges: list[ir.Edge] = []
    for edge in node.edges:
        inner = expressions.inside(scope.inner())
        binds = None if edge.binders is None else inner.binds(edge.binders)
        target = inner.value(edge.target, ty.OptionalType(node_type))
        there = None if edge.condition is None else inner.flag(edge.condition)
        if _names(edge.source) != tuple(b.name for b in nodes.binds):
            starts = _starts_there(inner, edge.source, nodes, node_type)
            if binds is not None:
                binds = with_condition(binds, starts)
            else:
                there = starts if there is None else ir.Apply("and", (starts, there), ty.FLAG, span=there.span)
        if there is not None:
            maybe = ty.OptionalType(node_type)
            target = choose_branch(ir.If(there, target, ir.Const(None, maybe, span=edge.span), maybe, span=edge.span))
        length = None if edge.length is None else board_functions.length(inner, edge.length)
        edges.append(ir.Edge(target, binds, length, edge.one_way, span=edge.span))
    return ir.Graph(node.name, parameters, nodes, tuple(edges), node_type, scope.frame.size, span=node.span)


def _names(source: tree.Expr) -> tuple[str | None, ...]:
    parts = source.items if isinstance(source, tree.TupleValue) else (source,)
    return tuple(part.name if isinstance(part, tree.Name) else None for part in parts)


def _starts_there(e: Expressions, source: tree.Expr, nodes: ir.Binds, node_type: ty.Type) -> ir.Expr:
    """Whether an edge that starts at ``source`` starts at the node."""
    found = e.value(source, ty.OptionalType(node_type))
    parts = tuple(ir.Local(b.slot, b.name, b.type, span=source.span) for b in nodes.binds)
    node = parts[0] if len(parts) == 1 else ir.Apply("tuple", parts, node_type, span=source.span)
    return ir.Apply("is", (found, node), ty.FLAG, span=source.span)


MOST_STEPS = 100

_ROUNDS = 6
"""How often the type of what a way leads past is looked for: parts of it may only be known from the steps."""


def elaborate_ways(expressions: Expressions, node: tree.Define, ways: tree.Ways) -> ir.Expr:
    """The list of all ways; ``expressions`` sees the parameters of the item.

    What a way leads past has the type of what follows ``from``, joined with what the steps lead to. Since a step may
    look at the way so far, that is found round by round, and only the findings of the last round count.
    """
    most = _most(expressions, node, ways)
    frame = expressions.scope.frame
    start = _aside(expressions, ways.span)
    type_ = start.value(ways.start).type
    for attempt in range(_ROUNDS):
        attempted = _Attempt(_aside(expressions, ways.span), node.name, ways, type_, most)
        made = attempted.made()
        if made.type is ty.UNKNOWN or attempted.type == type_ or attempt == _ROUNDS - 1:
            break
        type_ = attempted.type if attempt < 2 else _widened(attempted.type)
    frame.size = attempted.expressions.scope.frame.size
    expressions.env.sink.extend(attempted.expressions.env.sink)
    if most is None or made.type is ty.UNKNOWN:
        return ir.Const(None, ty.UNKNOWN, span=node.span)
    return made


def _most(expressions: Expressions, node: tree.Define, ways: tree.Ways) -> int | None:
    if ways.most is None:
        written = f"{node.name}(...)" if node.params else node.name
        expressions.error(
            "R0510",
            node.span,
            f"`{node.name}` does not say how many steps a way can have.",
            f"Add a bound that no way goes beyond: `ways {written}, at most 20 deep`.",
        )
        return None
    most: int | None = expressions.env.constant(ways.most, ty.NumberType(1, MOST_STEPS))
    return most


class _Sieve(Sink):
    """Findings about other items, which are worked out when they are first needed, go to the sink behind."""

    def __init__(self, behind: Sink, own: Span) -> None:
        super().__init__()
        self._behind = behind
        self._own = own

    def add(self, diagnostic: Diagnostic) -> None:
        span, own = diagnostic.span, self._own
        if span.file == own.file and own.line <= span.line <= own.end_line:
            super().add(diagnostic)
        else:
            self.added += 1  # so that nobody takes the other item for one without mistakes
            self._behind.add(diagnostic)


def _aside(expressions: Expressions, own: Span) -> Expressions:
    """The same expressions with findings about the item put aside, and slots of their own."""
    env = expressions.env
    sieve = _Sieve(env.sink, own)
    scope = Scope(
        SlotFrame(expressions.scope.frame.size), dict(expressions.scope.names), dict(expressions.scope.params)
    )
    return attrs.evolve(expressions, env=env.reporting_to(sieve), scope=scope)


class _Attempt:
    """The ways as they are when they lead past values of a type; ``type`` is the one they then turn out to need."""

    def __init__(self, expressions: Expressions, name: str, ways: tree.Ways, type_: ty.Type, most: int | None) -> None:
        self.expressions = expressions
        self.name = name
        self.ways = ways
        self.type = type_
        self.most = most
        self.slot = expressions.scope.frame.slot()
        self.so_far = ty.ListType(type_, filled=True)

    def made(self) -> ir.Expr:
        ways, e = self.ways, self.expressions
        start = e.value(ways.start)
        if start.type is not ty.UNKNOWN and (start.type == ty.NOTHING or not _is_plain(start.type)):
            return self._not_plain(start)
        steps = [self._step(step) for step in ways.steps]
        end = None
        if ways.end is not None:
            inner = self._seeing(ways.end.way, ways.end.span)
            end = ir.Const(True, ty.FlagType()) if ways.end.condition is None else inner.flag(ways.end.condition)
        parts = [start, *steps, *([] if end is None else [end])]
        if any(part.type is ty.UNKNOWN for part in parts):
            return ir.Const(None, ty.UNKNOWN, span=ways.span)
        listed = ty.ListType(self.type)
        steps = [_listed(step, listed) for step in steps]
        every = steps[0]
        for step in steps[1:]:
            every = ir.Apply("joined", (every, step), listed, span=ways.span)
        found = ty.ListType(ty.ListType(self.type, filled=True, most=1 + (self.most or 0)))
        way = ways.steps[0].way
        return ir.Ways(self.name, start, self.slot, way, every, end, self.most or 1, found, span=ways.span)

    def _seeing(self, way: str, span: Span) -> Expressions:
        """What sees the way so far under a name."""
        inner = self.expressions.inside(self.expressions.scope.inner())
        inner.free_name(way, span)
        inner.scope.names[way] = LocalName(self.slot, self.so_far)
        return inner

    def _step(self, step: tree.WaysStep) -> ir.Expr:
        """The list of what a step can lead to."""
        inner = self._seeing(step.way, step.span)
        binds = ir.Binds(()) if step.binders is None else inner.binds(step.binders)
        target = inner.value(step.target)
        condition = None if step.condition is None else inner.flag(step.condition)
        known = [b.type for b in binds.binds] + [c.type for c in (target, condition, binds.condition) if c is not None]
        if ty.UNKNOWN in known:
            return ir.Const(None, ty.UNKNOWN, span=step.span)
        led = target.type.item if isinstance(target.type, ty.OptionalType) else target.type
        if not _is_plain(led):
            return self._not_plain(target)
        joined = join_types(self.type, led)
        if joined is None or (isinstance(joined, ty.OptionalType) and not isinstance(self.type, ty.OptionalType)):
            return inner.error(
                "R0402",
                step.target.span,
                f"This step leads to {ty.describe(led)}, but the way begins with {ty.describe(self.type)}.",
                "Let every step lead to the same kind of value as the one after `from`.",
            )
        found = self._found(inner, binds, target, led, step.span)
        if condition is not None:
            found = ir.If(condition, found, ir.Const((), found.type, span=step.span), found.type, span=step.span)
        if self.slot not in free_slots(found):
            return inner.error(
                "R0510",
                step.span,
                "This step does not look at the way so far, so it is always possible again.",
                f"Begin where the way has got to, `last({step.way})`, or say what ends it: `... where count({step.way})"
                " < 4`.",
            )
        wide = _widened(self.type) == self.type and join_types(self.type, _widened(led)) == self.type
        self.type = self.type if wide else joined
        return found

    @staticmethod
    def _found(inner: Expressions, binds: ir.Binds, target: ir.Expr, led: ty.Type, span: Span) -> ir.Expr:
        """None is left out."""
        if isinstance(target.type, ty.OptionalType):
            slot = inner.scope.frame.slot()
            there = ir.Bind(slot, "", target, led, span=target.span)
            binds = attrs.evolve(binds, binds=(*binds.binds, there))
            target = ir.Local(slot, "", led, span=target.span)
        if not binds.binds:
            return ir.Apply("list", (target,), ty.ListType(led), span=span)
        return ir.Fold("list", target, binds, ty.ListType(led), span=span)

    def _not_plain(self, value: ir.Expr) -> ir.Expr:
        return self.expressions.error(
            "R0402",
            value.span,
            f"This is {ty.describe(value.type)}; a way cannot lead past it.",
            "Lead to a member, a number, or several of them in brackets: `step w to (a, b)`.",
        )


def _listed(step: ir.Expr, type_: ty.ListType) -> ir.Expr:
    """The same list with members of the type."""
    match step:
        case ir.If():
            return attrs.evolve(
                step, then=_listed(step.then, type_), otherwise=_listed(step.otherwise, type_), type=type_
            )
        case ir.Const():
            return attrs.evolve(step, type=type_)
        case ir.Fold() | ir.Apply():
            return attrs.evolve(step, type=type_)
    raise ValueError(f"{step!r} is no list of steps")


def _is_plain(type_: ty.Type) -> bool:
    """Whether values of the type have a size of their own, and hold no lists, sets or pieces."""
    match type_:
        case ty.OptionalType(item):
            return _is_plain(item)
        case ty.TupleType(items) | ty.RecordType(items=items):
            return all(map(_is_plain, items))
    return isinstance(type_, (ty.NumberType, ty.MemberType, ty.FlagType, ty.NothingType)) or type_ is ty.UNKNOWN


def _widened(type_: ty.Type) -> ty.Type:
    """The type with numbers of any size."""
    match type_:
        case ty.NumberType():
            return ty.NumberType(-MAX_NUMBER, MAX_NUMBER)
        case ty.OptionalType(item):
            return ty.OptionalType(_widened(item))
        case ty.TupleType(items):
            return ty.TupleType(tuple(map(_widened, items)))
    return type_
