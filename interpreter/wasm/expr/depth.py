"""Depth of rules and definitions that may use themselves: a global for each, raised around its calls.

A game that stops for a decision leaves all its functions, and goes on by calling them again; so no state holds them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulelang.program import Definition, Graph, Rule

from ..emit.emitter import Emitter
from ..wat import ir


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
    with writer.b.if_(ir.ge(ir.global_(depth), ir.const(most))):
        writer.fault(fault, name=name, deep=most)
    writer.b.set_global(depth, ir.add(ir.global_(depth), ir.ONE))
    yield
    writer.b.set_global(depth, ir.sub(ir.global_(depth), ir.ONE))
