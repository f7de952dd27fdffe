"""Inequalities between numbers: what is certain of them at a point of a rule, and what follows from that."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from math import prod

import attrs

from .. import program as ir
from ..program.analysis.cardinality import all_members, pieces_by_sort
from ..program.analysis.sizes import arithmetic_type, longest
from ..program.operations import Members, members_of
from ..program.walk import free_slots, substitute, walk
from ..structural import Structural, frozen
from ..types import MemberType, NumberType, PiecesType

_DEEP = 4  # how deep definitions are opened
_STEPS = 4  # inequalities that are added up to prove another one
_MOST = 2**31 - 1  # pieces, and members of a list
_ANY = NumberType(0, _MOST)
_ARITHMETIC = frozenset(("+", "-", "*", "neg", "div_down", "div_up", "mod", "min", "max"))
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

    def times(self, factor: int) -> Sum:
        return number(0).plus(self, factor)

    def more(self, number: int) -> Sum:
        return attrs.evolve(self, constant=self.constant + number)

    def limit_of(self, slot: int) -> tuple[bool, Sum] | None:
        """The limit that it sets a local, and whether that is one from above; None where it says so in no plain way."""
        for expr, factor in self.terms:
            if isinstance(expr, ir.Local) and expr.slot == slot and abs(factor) == 1:
                rest = Sum(self.terms - {(expr, factor)}, self.constant).times(-factor)
                return None if slot in free_slots(rest.parts) else (factor < 0, rest)
        return None

    def replacing(self, expr: ir.Expr, by: Sum) -> Sum:
        """The sum with something else in place of an expression."""
        factor = dict(self.terms).get(expr, 0)
        rest = Sum(self.terms - {(expr, factor)}, self.constant)
        return rest.plus(by, factor)


def number(value: int) -> Sum:
    return Sum(frozenset(), value)


class Inequalities:
    """Works them out for the expressions of one program."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._bounds: dict[int, tuple[ir.Expr, NumberType]] = {}

    @cached_property
    def _pieces(self) -> Mapping[MemberType | NumberType, int]:
        """How many pieces of each sort there are: moves neither make nor lose any."""
        return pieces_by_sort(self.program)

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
                return self.sum(a, depth).times(-1)
            case ir.Apply("*", (ir.Const(int() as times), b)) | ir.Apply("*", (b, ir.Const(int() as times))):
                return self.sum(b, depth).times(times)
            case ir.Apply("size", (of,)):
                return self.size(of)
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
        opposite = difference.times(-1)
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
        return self._off_the_end(difference, opposite) if op == "is_not" else None

    def _off_the_end(self, difference: Sum, opposite: Sum) -> tuple[Sum, ...] | None:
        """That a number is not the one at the end of its range says on which side it is."""
        if self.least(difference) == 0:
            return (difference.more(-1),)
        return (opposite.more(-1),) if self.least(opposite) == 0 else None

    def length(self, expr: ir.Expr, depth: int = 0) -> Sum | None:
        """How many members a list has; None where that cannot be told."""
        made = members_of(expr)
        match expr:
            case ir.Const(tuple() as members):
                return number(len(members))
            case ir.Apply(_, parts) if made is Members.ARGUMENTS:
                return number(len(parts))
            case ir.Apply(_, (listed, *_)) if made is Members.SAME:
                return self.length(listed, depth)
            case ir.Apply("joined", (a, b)):
                first, second = self.length(a, depth), self.length(b, depth)
                return None if first is None or second is None else first.plus(second)
            case ir.Read():
                return self.size(expr)
            case ir.Call() if depth < _DEEP and self.program.definitions[expr.definition].deep is None:
                return self.length(self.opened(expr, depth), depth + 1)
        return None

    def size(self, of: ir.Expr) -> Sum:
        """How many there are, in the same words whatever else is known of it."""
        return Sum(frozenset([(ir.Apply("size", (of,), _ANY), 1)]), 0)

    def spelled_out(self, total: Sum) -> Iterator[Sum]:
        """A sum that is not negative, and others that are not because of that: no more than the least of two is no
        more than either."""
        yield total
        for expr, factor in total.terms:
            if isinstance(expr, ir.Apply) and expr.op == ("min" if factor > 0 else "max"):
                for part in expr.arguments:
                    yield from self.spelled_out(total.replacing(expr, self.sum(part)))

    # -- proofs

    def least(self, total: Sum) -> int | None:
        """The least that a sum can be, as far as types tell; None without a bound."""
        least = total.constant
        for expr, factor in total.terms:
            if not isinstance(expr.type, NumberType):
                return None
            bounds = self.bounds(expr)
            least += factor * (bounds.low if factor > 0 else bounds.high)
        return least

    def most(self, total: Sum) -> int | None:
        least = self.least(total.times(-1))
        return None if least is None else -least

    def bounds(self, expr: ir.Expr, depth: int = 0) -> NumberType:
        """The bounds of a number, which may be closer than those of its type: there are only so many pieces."""
        assert isinstance(expr.type, NumberType)
        kept = self._bounds.get(id(expr))
        if kept is None:
            found = self._closer(expr, depth)
            low, high = max(found.low, expr.type.low), min(found.high, expr.type.high)
            # The expression is kept, so that no other one can get its number.
            kept = self._bounds[id(expr)] = (expr, NumberType(low, high) if low <= high else expr.type)
        return kept[1]

    def _closer(self, expr: ir.Expr, depth: int) -> NumberType:
        match expr:
            case ir.Apply("size" | "count_of", (ir.Read() as place, *_)):
                return NumberType(0, self._held(place))
            case ir.Apply("count_of", (pieces, _)):
                return NumberType(0, self._of_a_kind(pieces))
            case ir.Apply("size", (listed,)) if not isinstance(listed.type, PiecesType):
                return NumberType(0, min(_MOST, longest(listed, self.program.grids)))
            case ir.Apply(op, parts) if op in _ARITHMETIC and all(isinstance(p.type, NumberType) for p in parts):
                return arithmetic_type(op, [self.bounds(part, depth) for part in parts])
            case ir.If(_, then, otherwise) if isinstance(then.type, NumberType):
                if isinstance(otherwise.type, NumberType):
                    both = self.bounds(then, depth), self.bounds(otherwise, depth)
                    return NumberType(min(b.low for b in both), max(b.high for b in both))
            case ir.Fold("sum", ir.Node() as body, binds) if isinstance(body.type, NumberType):
                times, each = prod(max(1, self.runs(bind.domain)) for bind in binds.binds), self.bounds(body, depth)
                return NumberType(times * min(0, each.low), times * max(0, each.high))
            case ir.Call() if depth < _DEEP and self.program.definitions[expr.definition].deep is None:
                opened = self.opened(expr, depth)
                if isinstance(opened.type, NumberType):
                    return self.bounds(opened, depth + 1)
        assert isinstance(expr.type, NumberType)
        return expr.type

    def _of_a_kind(self, pieces: ir.Expr, around: tuple[ir.Expr, ...] = ()) -> int:
        """How many of one kind there can be among some pieces. ``around``: what this is being asked for already."""
        if pieces in around or len(around) > _DEEP:
            return _MOST
        ask = functools.partial(self._of_a_kind, around=(*around, pieces))
        match pieces:
            case ir.Const(tuple() as counts):
                return max(counts, default=0)
            case ir.Read():
                return self._held(pieces)
            case ir.Apply("add_pieces", parts):
                return min(_MOST, sum(map(ask, parts)))
            case ir.Apply("sub_pieces" | "bundles" | "spread", (first, *_)):
                return ask(first)
            case ir.Fold("list", ir.Local() as each):
                return ask(each)
            case ir.Apply("scale_pieces", (factor, scaled)):
                return min(_MOST, max(0, self.bounds(factor).high) * ask(scaled))
            case ir.ColumnOf(table, column):
                return max((max(counts, default=0) for counts in self.program.tables[table].cells[column]), default=0)
            case ir.If(_, then, otherwise):
                return max(ask(then), ask(otherwise))
            case ir.Local(slot, name):
                return max(map(ask, self._values.get((slot, name), [])), default=_MOST)
        return _MOST

    @cached_property
    def _values(self) -> Mapping[tuple[int, str], list[ir.Expr]]:
        """What locals are given, or go through, wherever one has this slot and name."""
        found: dict[tuple[int, str], list[ir.Expr]] = {}
        several: dict[tuple[int, str], list[ir.Expr]] = {}
        for node in walk(list(self.program.rules.values())):
            if isinstance(node, ir.ChooseSome):
                several.setdefault((node.slot, node.name), []).append(node.domain)
            elif isinstance(node, (ir.Let, ir.Bind)):
                value = node.value if isinstance(node, ir.Let) else node.domain
                found.setdefault((node.slot, node.name), []).append(value)
        for rule in self.program.rules.values():
            for param in rule.params:
                found.setdefault((param.slot, param.name), []).append(ir.Local(param.slot, param.name, param.type))
        return found | several

    def runs(self, domain: ir.Expr) -> int:
        """How often something is gone round at most."""
        most = longest(domain, self.program.grids)
        return min(most, self._held(domain)) if isinstance(domain, ir.Read) else most

    def _held(self, place: ir.Read) -> int:
        """The most pieces, or members of a list, that something can hold."""
        variable = self.program.variables[place.variable]
        if variable.element is None:
            return _MOST if variable.capacity is None else variable.capacity
        return min(self._pieces[variable.element], variable.capacity or _MOST)

    def certain(self, goal: Sum, facts: Iterable[Sum], cases: int = _CASES) -> bool:
        """Whether a sum is certainly not negative, where others are not."""
        known = tuple(facts)
        if self._follows(goal, known, _STEPS):
            return True
        if not cases:
            return False
        for expr, factor in goal.terms:
            ways = list(self._ways(expr, factor))
            if ways:
                return all(
                    self.certain(goal.replacing(expr, self.sum(value)), (*known, *given), cases - 1)
                    for value, given in ways
                )
        return False

    def _ways(self, expr: ir.Expr, factor: int) -> Iterator[tuple[ir.Expr, tuple[Sum, ...]]]:
        """The values that a number may have, each with what holds then; none where that does not help."""
        match expr:
            case ir.If():
                yield expr.then, self._given(expr.condition, True)
                yield expr.otherwise, self._given(expr.condition, False)
            case ir.Apply("min" | "max", parts) if (expr.op == "min") is (factor > 0):
                yield from ((part, ()) for part in parts)
            case ir.Apply("otherwise", (found, other)):
                yield found, tuple(self._picked(found))
                yield other, ()

    def _picked(self, found: ir.Expr) -> Iterator[Sum]:
        """What holds of a number that was found in a range."""
        match found:
            case ir.Fold("first" | "min" | "max", ir.Local(slot), binds):
                for bind in binds.binds:
                    if bind.slot == slot and isinstance(bind.domain, ir.Apply) and bind.domain.op == "range":
                        own = Sum(frozenset([(found, 1)]), 0)
                        yield own.minus(self.sum(bind.domain.arguments[0]))
                        yield self.sum(bind.domain.arguments[1]).minus(own)

    def _given(self, condition: ir.Expr, holds: bool) -> tuple[Sum, ...]:
        match condition:
            case ir.Apply(op, (a, b)) if op in NOT:
                return self.compared(op if holds else NOT[op], a, b) or ()
        return ()

    def _follows(self, goal: Sum, known: tuple[Sum, ...], steps: int) -> bool:
        least = self.least(goal)
        if least is not None and least >= 0:
            return True
        if not steps:
            return False
        for fact in (*known, *(law for expr in goal.parts for law in self._laws(expr, goal.parts))):
            factors = dict(fact.terms)
            for expr, factor in goal.terms:
                given = factors.get(expr, 0)
                if given and factor * given > 0 and factor % given == 0:
                    left = goal.plus(fact, -(factor // given))
                    if self._follows(left, known, steps - 1):
                        return True
        return False

    def _laws(self, expr: ir.Expr, others: Iterable[ir.Expr]) -> Iterator[Sum]:
        """What always holds of a term, and of others beside it, whatever the position."""
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
            case ir.Fold("count", _, ir.Binds(binds=(bind,))):
                most = self.length(bind.domain)
                if most is not None:
                    yield most.minus(own)  # no more of them than there are
            case ir.Fold("sum", ir.Read() as body, ir.Binds(binds=(bind,), condition=None, passing=None)):
                if all_members(bind.domain) and self.bounds(body).low >= 0:
                    ours = (other for other in others if _one_of(other, body, bind.slot))
                    yield from (own.minus(self.sum(other)) for other in ours)  # no part is more than the whole


def _one_of(cell: ir.Expr, body: ir.Read, slot: int) -> bool:
    """Whether a cell is what stands in ``body``, with some value for the local."""
    if not isinstance(cell, ir.Read) or cell.variable != body.variable:
        return False
    named = zip(cell.indices, body.indices, strict=True)
    value = next((mine for mine, theirs in named if isinstance(theirs, ir.Local) and theirs.slot == slot), None)
    return value is not None and substitute(body, {slot: value}) == cell


NOT = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "is": "is_not", "is_not": "is"}
"""What holds of two numbers when a comparison does not."""
