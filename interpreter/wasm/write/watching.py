"""Code for the watchers, which run one after another when cells have changed."""

from __future__ import annotations

from ...lowered.code import WATCHING as WATCHERS
from ..emit.registry import Where
from ..layout.addresses import DIRTY, DONE, STATE, WATCHING
from ..wat import ir
from ..wat.builder import Builder, Function
from .context import Context
from .frames import write_entry
from .rules import RuleWriter


def write_watch(context: Context) -> None:
    """``watch``: the watchers whose conditions hold."""
    unit = context.blueprint.units[WATCHERS]
    first = context.program.rules[context.program.watchers[0]]
    b = Builder(Function("watch", (), ("i32",)))
    writer = RuleWriter(context, b, unit, Where(first.id, first.span))
    writer.resume = b.local()
    with b.aside() as body:
        with writer.fresh():
            b.store(ir.ZERO, ir.ZERO, STATE + DIRTY)
        writer.nodes(unit.body)
        b.store(ir.ZERO, ir.ZERO, STATE + WATCHING)
    if writer.suspends:
        write_entry(writer)
    b.out.extend(body)
    b.ret(ir.const(DONE))
    context.registry.add(b.function)
