"""Functions made of definitions and graphs: one for each combination of constant arguments, called from many places."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rulelang.program import Definition, Graph
from rulelang.types import Type

from ..emit.emitter import Emitter
from ..emit.registry import Shared, Where
from ..emit.values import Env, Val
from ..layout.shapes import NotLowered, components, holds_addresses
from ..wat.builder import Builder, Function
from ..wat.ir import E, Ty
from .depth import at_work
from .remembered import heavy

MOST_VERSIONS = 24
"""Functions made of one definition; further calls pass constants as they pass everything else."""


def function(
    writer: Emitter,
    sort: str,
    node: Definition | Graph,
    given: Mapping[int, Val],
    type_: Type | None,
    write: Callable[[Emitter, Env], Val | E],
) -> Shared:
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
        registry.shared[key] = Shared(made.name, passed)
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
    registry.shared[key] = Shared(made.name, passed)
    return registry.shared[key]
