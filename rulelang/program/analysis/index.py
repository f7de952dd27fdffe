"""Tables about a Program that the checks look things up in."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import attrs

from ...structural import Structural, frozen
from .. import nodes as ir
from ..walk import children, nested, walk
from .effects import Effect, rule_writes
from .reads import OfPart, Reads, Supposed

T = TypeVar("T")


@frozen
class Index(Structural):
    """A Program with what the checks ask again and again: the nodes of each rule, what it runs, what it changes.

    ``nodes``: of a rule's guard, needs, binds and body, without the rules and options inside it.
    ``inside``: the rule's own id and those nested in it. ``called``: (rule, node, whether through an event) for what it
    runs by ``do`` or ``announce`` or supposes to run, nested rules included. ``writes``: variables that running it may
    change. ``hidden``: the variables whose content not everybody sees. ``supposed``: finds where rules are supposed to
    run.
    """

    program: ir.Program
    nodes: dict[str, tuple[ir.Node, ...]]
    inside: dict[str, tuple[str, ...]]
    called: dict[str, tuple[tuple[str, ir.Node, bool], ...]]
    writes: dict[str, frozenset[str]]
    reads: Reads
    hidden: frozenset[str]
    supposed: Supposed
    _shared: dict[Any, Any] = attrs.field(init=False, eq=False, repr=False, factory=dict)

    @classmethod
    def of(
        cls,
        program: ir.Program,
        of_part: OfPart | None = None,
        effects: Mapping[str, Sequence[Effect]] | None = None,
    ) -> Index:
        """``of_part``: remembers what depends on one rule alone; ``effects``: of each rule, where they are known."""
        of_part = of_part or _afresh
        nodes = {id_: of_part("nodes", rule, functools.partial(_nodes, rule)) for id_, rule in program.rules.items()}
        hidden = frozenset(name for name, variable in program.variables.items() if variable.seen_by != "all")
        inside = {id_: tuple(_inside(id_, nodes)) for id_ in program.rules}
        supposed = Supposed(program, of_part)
        called = {id_: tuple(_called(program, inside[id_], nodes, supposed)) for id_ in program.rules}
        writes, reads = rule_writes(program, effects), Reads(program)
        return cls(program, nodes, inside, called, writes, reads, hidden, supposed)

    def once(self, make: Callable[[Index], T]) -> T:
        """What ``make`` makes of the index: worked out by the first check that asks, and the same for all."""
        if make not in self._shared:
            self._shared[make] = make(self)
        found: T = self._shared[make]
        return found

    @property
    def top_level(self) -> list[str]:
        return [id_ for id_, rule in self.program.rules.items() if rule.parent is None]


def _afresh(kind: str, part: ir.Node, make: Callable[[], tuple[ir.Node, ...]]) -> tuple[ir.Node, ...]:
    return make()


def _nodes(rule: ir.Rule) -> tuple[ir.Node, ...]:
    return tuple(walk(children(rule)))


def _inside(id_: str, nodes: dict[str, tuple[ir.Node, ...]]) -> Iterator[str]:
    yield id_
    for node in nodes[id_]:
        for inner in nested(node):
            yield from _inside(inner, nodes)


def _called(
    program: ir.Program, inside: tuple[str, ...], nodes: dict[str, tuple[ir.Node, ...]], supposed: Supposed
) -> Iterator[tuple[str, ir.Node, bool]]:
    for part in inside:
        for expr in supposed.within(nodes[part]):
            yield expr.rule, expr, False
        for node in nodes[part]:
            if isinstance(node, ir.Do):
                yield node.rule, node, False
            elif isinstance(node, ir.Announce):
                for handler in program.handlers.get(node.event, ()):
                    yield handler, node, True
