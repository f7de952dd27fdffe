"""Functions made of definitions and graphs: one for each combination of constant arguments, called from many places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from rulelang.program import Definition, Expr, Graph, Param, Rule
from rulelang.program.analysis.faults import may_leave
from rulelang.types import ListType, NothingType, NumberType, OptionalType, RecordType, SetType, TupleType, Type

from ..emit import registry
from ..emit.emitter import Emitter
from ..emit.registry import Env, SharedFunction, Val, Where
from ..layout.shapes import NotLowered, components, holds_addresses
from ..wat import ir
from ..wat.builder import Builder, Function
from ..wat.ir import E, Ty
from .hoisted import heavy
from .iteration import iterate_value

MOST_VERSIONS = 24
"""Functions made of one definition; further calls pass constants as they pass everything else."""


def function(
    writer: Emitter,
    sort: str,
    node: Definition | Graph,
    given: Mapping[int, Val],
    type_: Type | None,
    write: Callable[[Emitter, Env], Val | E],
) -> SharedFunction:
    """The function for these arguments, written when it is first asked for. Raises NotLowered.

    ``sort`` tells functions of one node from each other. ``type_``: what it gives; None: an address in the arena.
    ``write`` writes its body and gives its result.
    """
    registry = writer.registry
    deep = node.deep if isinstance(node, Definition) else None
    fixed = {slot: tuple(p.value for p in v.parts) for slot, v in given.items() if v.is_const}
    if deep is not None or registry.versions[sort + node.name] >= MOST_VERSIONS:
        fixed = {}
    key = (sort, node.name, tuple(sorted(fixed.items())))
    if key in registry.shared:
        return registry.shared[key]
    passed = tuple(p.slot for p in node.params if p.slot not in fixed)
    types = {p.slot: p.type for p in node.params}
    params = tuple(ty for slot in passed for ty in components(types[slot]))
    results: tuple[Ty, ...] = components(type_) if type_ is not None else ("i32",)
    made = Function(registry.name(sort, node.name), params, results)
    if deep is not None:  # it calls itself, so it is known, and can stop, before it is written
        registry.shared[key] = SharedFunction(made.name, passed)
        registry.stopping.add(made.name)
    builder = Builder(made)
    inner = writer.another(builder, Where(node.name, node.span))
    env = dict(given)
    local = 0
    for slot in passed:
        number = len(components(types[slot]))
        env[slot] = inner.of_locals(types[slot], range(local, local + number))
        local += number
    releases = type_ is not None and not holds_addresses(type_)
    try:
        with inner.releasing(when=releases), at_work(inner, node):
            found = write(inner, env)
            parts = [builder.fix(p) for p in (found.parts if isinstance(found, Val) else (found,))]
    except NotLowered as problem:
        raise problem.at(node.name, inner.where.span) from None
    builder.ret(*parts)
    if releases:
        registry.keeps_no_room(made.name)
    if inner.stops or heavy(made.body):  # it may be here that too much has been done
        registry.stopping.add(made.name)
    registry.add(made)
    registry.shared[key] = SharedFunction(made.name, passed)
    return registry.shared[key]


# Arguments of definitions and graphs: worked out before what is called, and within the bounds of its parameters.


def arguments(writer: Emitter, given: Sequence[Expr], params: Sequence[Param], name: str, env: Env) -> dict[int, Val]:
    """The values of the parameters of a definition or graph by their slots, each fixed."""
    found = {}
    for argument, param in zip(given, params, strict=True):
        value = writer.value(argument, env)
        if may_leave(param.type, argument.type):
            value = writer.fix(value)
            within(writer, value, param.type, name)
        found[param.slot] = writer.fix(writer.fit(value, param.type))
    return found


def within(writer: Emitter, value: Val, type_: Type, name: str, verb: str = "accepts") -> None:
    """A fault where a number is outside; it is looked at before it is fitted, as it could look like another then.

    ``verb``: ``gives`` of the value of a definition.
    """

    def outside(number: E, low: int, high: int) -> None:
        beyond = ir.either(number < low, number > high)
        with writer.b.if_(beyond):
            writer.fault("beyond", number, low=low, high=high, name=name, verb=verb)

    numbers(writer, value, type_, outside)


def numbers(writer: Emitter, value: Val, type_: Type, look: Callable[[E, int, int], None]) -> None:
    """Writes ``look`` for every number in a value, with the bounds it has in a type that takes the value."""
    if isinstance(value.type, NothingType):
        return
    match type_:
        case OptionalType(item) if isinstance(value.type, OptionalType):
            fixed = writer.fix(value)
            with writer.b.if_(registry.is_some(fixed)):
                numbers(writer, registry.held(fixed), item, look)
        case OptionalType(item):
            numbers(writer, value, item, look)
        case NumberType(low, high):
            look(writer.b.fix(value.one), low, high)
        case TupleType(items) | RecordType(items=items):
            for position, item in enumerate(items):
                numbers(writer, registry.part_of(value, position), item, look)
        case ListType(item) | SetType(item):
            iterate_value(writer, value, lambda member: numbers(writer, member, item, look))


# Depth of rules and definitions that may use themselves: a global for each, raised around its calls.
#
# A game that stops for a decision leaves all its functions, and goes on by calling them again; so no state holds them.


@contextmanager
def entered(writer: Emitter, rule: Rule | None) -> Iterator[None]:
    """Around a call of a rule's function; a fault where it is running as often as it may be."""
    if rule is None or rule.deep is None:
        yield
        return
    with _raised(writer, writer.registry.depths[rule.id], rule.deep, "deep", rule.id):
        yield


@contextmanager
def at_work(writer: Emitter, node: Definition | Graph) -> Iterator[None]:
    """Around what works out a definition; a fault where it is at work as often as it may be."""
    if isinstance(node, Graph) or node.deep is None:
        yield
        return
    with _raised(writer, writer.registry.definition_depths[node.name], node.deep, "too often", node.name):
        yield


@contextmanager
def _raised(writer: Emitter, depth: str, most: int, fault: str, name: str) -> Iterator[None]:
    with writer.b.if_(ir.global_(depth) >= most):
        writer.fault(fault, name=name, deep=most)
    writer.b.set_global(depth, ir.global_(depth) + 1)
    yield
    writer.b.set_global(depth, ir.global_(depth) - 1)
