"""How often a rule that may run itself is running: a global for each such rule, raised around its calls.

A game that stops for a decision leaves all its functions, and goes on by calling them again; so no state holds them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulelang.program import Rule

from ..emit.emitter import Emitter
from ..wat import ir


@contextmanager
def entered(writer: Emitter, rule: Rule | None) -> Iterator[None]:
    """Around a call of a rule's function; a fault where it is running as often as it may be."""
    if rule is None or rule.deep is None:
        yield
        return
    name = writer.registry.depths[rule.id]
    with writer.b.if_(ir.ge(ir.global_(name), ir.const(rule.deep))):
        writer.fault("deep", rule=rule.id, deep=rule.deep)
    writer.b.set_global(name, ir.add(ir.global_(name), ir.ONE))
    yield
    writer.b.set_global(name, ir.sub(ir.global_(name), ir.ONE))
