"""Ranges gone through no further than the tests on their numbers allow.

``i in 1..n where i + 2 <= m and ...`` ends at ``m - 2``. The tests that say so may stand in definitions. They are still
made, and none of them may fault, so nothing else changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from rulelang.program import Apply, Bind, Call, Const, Expr, Local, Node
from rulelang.program.analysis.free_variables import conjuncts, free_slots
from rulelang.program.walk import rewrite
from rulelang.structural import Structural, frozen
from rulelang.types import NumberType

from ...passes import on
from ..emit import values
from ..emit.emitter import Emitter
from ..emit.known import FEW, item_of, static_members
from ..emit.values import Env
from ..layout.shapes import is_scalar
from ..wat import ir
from ..wat.ir import E

GREATEST = 1 << 30
"""What the numbers of a comparison may add up to, so that they can be moved from side to side."""

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "is": "is"}


def narrowed(writer: Emitter, bind: Bind, tests: Sequence[Expr], env: Env) -> tuple[E, E] | None:
    """The first and last number of a range that can pass the tests, both fixed.

    None where the domain is no range, or they say nothing.
    """
    domain = bind.domain
    if not on("ranges") or not (isinstance(domain, Apply) and domain.op in ("range", "members")):
        return None
    if not isinstance(item_of(domain.type), NumberType) or writer.faults.may((domain, list(tests))):
        return None
    static = static_members(writer, domain, env)
    if static is not None and len(static) <= FEW:
        return None
    placeholder = {**env, bind.slot: writer.of_locals(bind.type, writer.locals_for(bind.type))}
    with writer.b.aside() as code:
        scope = _Scope(writer, placeholder, frozenset((bind.slot,)))
        found = [bound for test in tests for part in conjuncts(test) for bound in scope.bounds(part)]
    if not found:
        return None
    low, high = _ends(writer, domain, env)
    writer.b.out.extend(code)
    for is_last, bound in found:
        if is_last:
            high = writer.b.fix(ir.select(ir.lt(bound, high), bound, high))
        else:
            low = writer.b.fix(ir.select(ir.gt(bound, low), bound, low))
    writer.registry.done["ranges"].append((writer.where.rule, domain.span))
    return low, high


def within_range(writer: Emitter, bind: Bind, tests: list[Expr]) -> list[Expr]:
    """Tests on a number of a range, which may be known to end sooner than its type says.

    So fewer of them may fault: places in a stack lie within the bounds of a parameter that takes any of them.
    """
    domain, type_ = bind.domain, bind.type
    if not on("ranges") or not (isinstance(domain, Apply) and domain.op == "range" and isinstance(type_, NumberType)):
        return tests
    last = writer.bounds.last(domain.arguments[1])
    if not type_.low <= last < type_.high:
        return tests
    narrower = attrs.evolve(type_, high=last)

    def change(node: Node) -> Node:
        return attrs.evolve(node, type=narrower) if isinstance(node, Local) and node.slot == bind.slot else node

    return [rewrite(test, change) if bind.slot in free_slots(test) else test for test in tests]


def _ends(writer: Emitter, domain: Apply, env: Env) -> tuple[E, E]:
    if domain.op == "members":
        low, high = values.bounds(item_of(domain.type))
        return ir.const(low), ir.const(high)
    first, last = (writer.b.fix(writer.scalar(end, env)) for end in domain.arguments)
    return first, last


@frozen
class _Sum(Structural):
    """The number, ``times`` it, with other numbers added, or taken away where their sign is -1."""

    times: int
    constant: int
    terms: tuple[tuple[int, Expr], ...] = ()

    def plus(self, other: _Sum, sign: int) -> _Sum:
        terms = tuple((sign * s, term) for s, term in other.terms)
        return _Sum(self.times + sign * other.times, self.constant + sign * other.constant, self.terms + terms)


@frozen
class _Scope(Structural):
    """Where a test stands: the slots that hold the number in question, and the values of the others."""

    writer: Emitter
    env: Env
    slots: frozenset[int]

    def bounds(self, test: Expr) -> Iterator[tuple[bool, E]]:
        """The bounds that a test puts on the number: whether it is the last or the first, and which it is."""
        match test:
            case Apply(op="<" | "<=" | ">" | ">=" | "is" as op, arguments=(a, b)):
                yield from self._compared(op, a, b)
            case Call() if self.writer.inlines(test) and all(map(self._passes, test.arguments)):
                definition = self.writer.program.definitions[test.definition]
                pairs = zip(definition.params, test.arguments, strict=True)
                slots = frozenset(param.slot for param, given in pairs if free_slots(given) & self.slots)
                parts = [part for part in conjuncts(definition.body) if free_slots(part) & slots]
                if parts:
                    inner = _Scope(self.writer, self.writer.given(test, self.env), slots)
                    for part in parts:
                        yield from inner.bounds(part)

    def _passes(self, given: Expr) -> bool:
        """Whether an argument is the number itself, or does not depend on it."""
        return not free_slots(given) & self.slots or isinstance(given, Local)

    def _compared(self, op: str, a: Expr, b: Expr) -> Iterator[tuple[bool, E]]:
        if not (isinstance(a.type, NumberType) and isinstance(b.type, NumberType)):
            return
        left, right = self._sum(a), self._sum(b)
        if left is None or right is None:
            return
        whole = left.plus(right, -1)
        if whole.times not in (1, -1) or self._greatest(whole) > GREATEST:
            return
        if whole.times < 0:
            op = _MIRRORED[op]
        # The number is compared with what is left when it is alone on its side.
        alone: E = ir.const(-whole.times * whole.constant)
        for sign, term in whole.terms:
            value = self.writer.b.fix(self.writer.scalar(term, self.env))
            alone = ir.sub(alone, value) if sign * whole.times > 0 else ir.add(alone, value)
        alone = self.writer.b.fix(alone)
        if op in ("<", "<=", "is"):
            yield True, ir.sub(alone, ir.const(int(op == "<")))
        if op in (">", ">=", "is"):
            yield False, ir.add(alone, ir.const(int(op == ">")))

    def _sum(self, expr: Expr) -> _Sum | None:
        match expr:
            case Const(value) if isinstance(expr.type, NumberType):
                return _Sum(0, int(value))
            case Local(slot) if slot in self.slots:
                return _Sum(1, 0)
            case Apply(op="+" | "-" as op, arguments=(a, b)) if free_slots(expr) & self.slots:
                left, right = self._sum(a), self._sum(b)
                if left is None or right is None:
                    return None
                return left.plus(right, 1 if op == "+" else -1)
        if free_slots(expr) & self.slots or not is_scalar(expr.type):
            return None
        return _Sum(0, 0, ((1, expr),))

    def _greatest(self, whole: _Sum) -> int:
        spans = [values.bounds(term.type) for _, term in whole.terms]
        return abs(whole.constant) + sum(max(abs(low), abs(high)) for low, high in spans)
