"""The course of a turn, from the rules: what runs in it, in order, as far as the rulebook has a section about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import attrs

from rulelang.program import Program
from rulelang.program import nodes as ir
from rulelang.program.walk import children, walk

_LOOPS = (ir.TakeTurns, ir.Each, ir.Repeat)


@attrs.frozen
class Stage:
    """A rule or an option of a menu by its id, with what runs in it."""

    id: str
    inner: tuple[Stage, ...] = ()


def course_of(program: Program, told: Callable[[str], bool], depth: int) -> tuple[Stage, ...]:
    """What makes up a turn, or a round where no rule says ``take turns``. ``told``: whether an id is worth a line; what
    runs in one that is not takes its place. ``depth``: of the deepest stage.
    """
    loop = main_loop(program)
    if loop is None:
        return ()
    return tuple(_Course(program, told).stages(loop, depth, frozenset()))


def main_loop(program: Program) -> ir.Node | None:
    """The loop that most of the game runs in: of the outermost ones that with most rules below it."""
    found = list(_outermost(program, program.start, set()))
    return max(found, key=lambda loop: len(below(program, loop)), default=None)


def _outermost(program: Program, rule: str, seen: set[str]) -> Iterator[ir.Node]:
    if rule in seen or rule not in program.rules:
        return
    seen.add(rule)

    def visit(node: ir.Node) -> Iterator[ir.Node]:
        if isinstance(node, _LOOPS):
            yield node
            return
        for id_ in runs(program, node):
            yield from _outermost(program, id_, seen)
        for child in children(node):
            yield from visit(child)

    for statement in program.rules[rule].body:
        yield from visit(statement)


def runs(program: Program, node: ir.Node) -> Sequence[str]:
    """The rules and options that a statement runs by itself, without those of the statements inside it."""
    match node:
        case ir.Do() | ir.NamedRule():
            return (node.rule,)
        case ir.Menu():
            return node.options
        case ir.Announce():
            return program.handlers.get(node.event, ())
    return ()


def below(program: Program, *roots: ir.Node) -> frozenset[str]:
    """The ids of all rules and options that may run in statements."""
    found: set[str] = set()
    waiting: list[ir.Node] = list(roots)
    while waiting:
        for node in walk(waiting.pop()):
            for id_ in runs(program, node):
                if id_ in program.rules and id_ not in found:
                    found.add(id_)
                    waiting += program.rules[id_].body
    return frozenset(found)


@attrs.define
class _Course:
    """Gathers stages; every id once, where it first runs."""

    program: Program
    told: Callable[[str], bool]
    met: set[str] = attrs.field(factory=set)

    def stages(self, node: ir.Node, depth: int, above: frozenset[str]) -> Iterator[Stage]:
        for id_ in runs(self.program, node):
            yield from self._stage(id_, depth, above)
        for child in children(node):
            yield from self.stages(child, depth, above)

    def _stage(self, id_: str, depth: int, above: frozenset[str]) -> Iterable[Stage]:
        rule = self.program.rules.get(id_)
        if rule is None or id_ in above or id_ in self.met:
            return ()
        if not self.told(id_):
            return self._inside(rule, depth, above)
        if depth == 0:
            return ()
        self.met.add(id_)
        return (Stage(id_, tuple(self._inside(rule, depth - 1, above))),)

    def _inside(self, rule: ir.Rule, depth: int, above: frozenset[str]) -> list[Stage]:
        inner = above | {rule.id}
        return [stage for statement in rule.body for stage in self.stages(statement, depth, inner)]
