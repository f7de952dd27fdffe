"""Inequalities between numbers: what is certain of them at a point of a rule, and what follows from that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import attrs

from .. import program as ir
from ..program.substitute import substitute
from ..structural import Structural, frozen
from ..types import NumberType

_DEEP = 4  # how deep definitions are opened
_STEPS = 4  # inequalities that are added up to prove another one
_FRAME = 1_000_000  # more locals than a definition has
_CASES = 3  # conditionals in a number that are looked at case by case


@frozen
class Sum(Structural):
    """Multiples of expressions, and a constant. As a fact: it is not negative."""

    terms: frozenset[tuple[ir.Expr, int]]
    constant: int

    @classmethod
    def of(cls, factors: Mapping[ir.Expr, int], constant: int) -> Sum:
        return cls(frozenset((expr, factor) for expr, factor in factors.items() if factor), constant)

    @property
    def parts(self) -> tuple[ir.Expr, ...]:
        return tuple(expr for expr, _ in self.terms)

    def plus(self, other: Sum, times: int = 1) -> Sum:
        factors = dict(self.terms)
        for expr, factor in other.terms:
            factors[expr] = factors.get(expr, 0) + times * factor
        return Sum.of(factors, self.constant + times * other.constant)

    def minus(self, other: Sum) -> Sum:
        return self.plus(other, -1)

    def more(self, number: int) -> Sum:
        return attrs.evolve(self, constant=self.constant + number)

    def replacing(self, expr: ir.Expr, by: Sum) -> Sum:
        """The sum with something else in place of an expression."""
        factor = dict(self.terms).get(expr, 0)
        rest = Sum(self.terms - {(expr, factor)}, self.constant)
        return rest.plus(by, factor)

    def least(self) -> int | None:
        """The least it can be, as far as types tell; None without a bound."""
        total = self.constant
        for expr, factor in self.terms:
            if not isinstance(expr.type, NumberType):
                return None
            total += factor * (expr.type.low if factor > 0 else expr.type.high)
        return total


def number(value: int) -> Sum:
    return Sum(frozenset(), value)


@frozen
class Inequalities(Structural):
    """Works them out for the expressions of one program."""

    program: ir.Program

    def sum(self, expr: ir.Expr, depth: int = 0) -> Sum:
        """A number as a sum; what cannot be taken apart is a term by itself."""
        match expr:
            case ir.Const(int() as value):
                return number(value)
            case ir.Apply("+", (a, b)):
                return self.sum(a, depth).plus(self.sum(b, depth))
            case ir.Apply("-", (a, b)):
                return self.sum(a, depth).minus(self.sum(b, depth))
            case ir.Apply("neg", (a,)):
                return number(0).minus(self.sum(a, depth))
            case ir.Apply("*", (ir.Const(int() as times), b)) | ir.Apply("*", (b, ir.Const(int() as times))):
                return number(0).plus(self.sum(b, depth), times)
            case ir.Apply("present", (a,)):
                return self.sum(a, depth)
            case ir.Call() if depth < _DEEP and self.program.definitions[expr.definition].deep is None:
                return self.sum(self.opened(expr, depth), depth + 1)
        return Sum(frozenset([(expr, 1)]), 0)

    def opened(self, call: ir.Call, depth: int) -> ir.Expr:
        """What a definition says, with the arguments filled in. ``depth``: of definitions opened around it."""
        definition = self.program.definitions[call.definition]
        given = {p.slot: a for p, a in zip(definition.params, call.arguments, strict=True)}
        return substitute(definition.body, given, -1 - depth * _FRAME)

    def compared(self, op: str, a: ir.Expr, b: ir.Expr) -> tuple[Sum, ...] | None:
        """The sums that are not negative exactly if the comparison holds; None where sums cannot say it."""
        if not (isinstance(a.type, NumberType) and isinstance(b.type, NumberType)):
            return None
        difference = self.sum(a).minus(self.sum(b))
        opposite = number(0).minus(difference)
        match op:
            case ">=":
                return (difference,)
            case ">":
                return (difference.more(-1),)
            case "<=":
                return (opposite,)
            case "<":
                return (opposite.more(-1),)
            case "is":
                return (difference, opposite)
        return self._beside(difference, opposite) if op == "is_not" else None

    def _beside(self, difference: Sum, opposite: Sum) -> tuple[Sum, ...] | None:
        """That a number is not the one at the end of its range says on which side it is."""
        if difference.least() == 0:
            return (difference.more(-1),)
        return (opposite.more(-1),) if opposite.least() == 0 else None

    def length(self, expr: ir.Expr, depth: int = 0) -> Sum | None:
        """How many members a list has; None where that cannot be told."""
        match expr:
            case ir.Const(tuple() as members):
                return number(len(members))
            case ir.Apply("list", parts):
                return number(len(parts))
            case ir.Apply("reversed", (a,)):
                return self.length(a, depth)
            case ir.Apply("joined", (a, b)):
                first, second = self.length(a, depth), self.length(b, depth)
                return None if first is None or second is None else first.plus(second)
            case ir.Read():
                capacity = self.program.variables[expr.variable].capacity
                type_ = NumberType(0, capacity) if capacity is not None else NumberType(0, 2**31 - 1)
                return Sum(frozenset([(ir.Apply("size", (expr,), type_), 1)]), 0)
            case ir.Call() if depth < _DEEP and self.program.definitions[expr.definition].deep is None:
                return self.length(self.opened(expr, depth), depth + 1)
        return None

    # -- proofs

    def certain(self, goal: Sum, facts: Iterable[Sum], cases: int = _CASES) -> bool:
        """Whether a sum is certainly not negative, where others are not."""
        known = tuple(facts)
        if self._follows(goal, known, _STEPS):
            return True
        split = next((expr for expr, _ in goal.terms if isinstance(expr, ir.If)), None)
        return split is not None and cases > 0 and self._either_way(goal, split, known, cases - 1)

    def _either_way(self, goal: Sum, split: ir.If, known: tuple[Sum, ...], cases: int) -> bool:
        then, otherwise = (self._given(split.condition, holds) for holds in (True, False))
        return self.certain(goal.replacing(split, self.sum(split.then)), (*known, *then), cases) and self.certain(
            goal.replacing(split, self.sum(split.otherwise)), (*known, *otherwise), cases
        )

    def _given(self, condition: ir.Expr, holds: bool) -> tuple[Sum, ...]:
        match condition:
            case ir.Apply(op, (a, b)) if op in NOT:
                return self.compared(op if holds else NOT[op], a, b) or ()
        return ()

    def _follows(self, goal: Sum, known: tuple[Sum, ...], steps: int) -> bool:
        least = goal.least()
        if least is not None and least >= 0:
            return True
        if not steps:
            return False
        for fact in (*known, *(law for expr in goal.parts for law in self._laws(expr))):
            factors = dict(fact.terms)
            for expr, factor in goal.terms:
                given = factors.get(expr, 0)
                if given and factor * given > 0 and factor % given == 0:
                    left = goal.plus(fact, -(factor // given))
                    if self._follows(left, known, steps - 1):
                        return True
        return False

    def _laws(self, expr: ir.Expr) -> Iterator[Sum]:
        """What always holds of a term, whatever the position."""
        own = Sum(frozenset([(expr, 1)]), 0)
        match expr:
            case ir.Apply("min", parts):
                yield from (self.sum(part).minus(own) for part in parts)
            case ir.Apply("max", parts):
                yield from (own.minus(self.sum(part)) for part in parts)
            case ir.Apply("div_down", (a, ir.Const(int() as by))) if by > 0:
                yield self.sum(a).plus(own, -by)
                yield number(by - 1).plus(own, by).minus(self.sum(a))
            case ir.Apply("div_up", (a, ir.Const(int() as by))) if by > 0:
                yield number(0).plus(own, by).minus(self.sum(a))
                yield self.sum(a).plus(own, -by).more(by - 1)


NOT = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "is": "is_not", "is_not": "is"}
"""What holds of two numbers when a comparison does not."""
