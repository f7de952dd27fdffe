"""Facts about places that are certain at a point of a rule: what guards, loops and earlier moves have established."""

from __future__ import annotations

import attrs

from .. import program as ir
from ..program.analysis.reads import variables_read
from ..program.walk import substitute, walk
from ..structural import Structural, frozen
from ..types import UNKNOWN, ListType, NothingType, NumberType, OptionalType, PiecesType

_DEPTH = 4  # how deep definitions are opened when looking for facts
_FLIP = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_NOT = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "is": "is_not", "is_not": "is"}

EVERY = ir.Const("every", UNKNOWN)
_ONE = ir.Const(1, NumberType(1, 1))


@frozen
class Fact(Structural):
    """``kind``: ``size`` (at least ``amount`` pieces), ``of`` (of ``subject``), ``room`` (for ``amount`` more),
    ``free`` (the square ``subject``), ``at`` (position ``subject``), ``covers``/``holds`` (the cost ``subject``).

    An index of the place that is EVERY stands for all members: the fact holds for each of them.
    """

    kind: str
    place: ir.Read
    subject: ir.Expr | None = None
    amount: ir.Expr | int = 1


Facts = frozenset[Fact]


def matches(known: ir.Read, place: ir.Read) -> bool:
    """Whether a fact about ``known`` is one about ``place``."""
    return known.variable == place.variable and all(
        a in (EVERY, b) for a, b in zip(known.indices, place.indices, strict=True)
    )


def read(program: ir.Program, place: ir.Place) -> ir.Read:
    """The place as an expression that reads it."""
    return ir.Read(place.variable, place.indices, program.variables[place.variable].type)


@frozen
class Knowledge(Structural):
    """Derives facts about the places of one program."""

    program: ir.Program

    # ------------------------------------------------------------ from what has been done

    def after(self, s: ir.Move | ir.SetValue, before: Facts) -> Facts:
        """Facts that a step leaves behind; ``before``: those that held when it began."""
        if isinstance(s, ir.SetValue):
            return self._after_set(s)
        found: set[Fact] = set()
        source, target = read(self.program, s.source), read(self.program, s.target)
        if s.source.variable != s.target.variable:
            room = self._room_left(s, source, before)
            if room is not None:
                found.add(Fact("room", source, None, room))
        if not s.up_to and s.amount is not None and s.what in ("number", "number of"):
            found.add(Fact("size", target, None, s.amount))
            if s.kind is not None:
                found.add(Fact("of", target, s.kind, s.amount))
        return frozenset(f for f in found if not self._moved(f, {s.source.variable, s.target.variable}))

    def _room_left(self, s: ir.Move, source: ir.Read, before: Facts) -> ir.Expr | int | None:
        """The room that is certain in the place that pieces were taken from."""
        variable = self.program.variables[source.variable]
        capacity = 1 if variable.kind == "slot" else variable.capacity
        if capacity is None:
            return None
        if s.what == "all" or (s.what == "number" and variable.kind == "slot" and reaches(s.amount or 0, _ONE)):
            return capacity
        if s.what == "all of":
            known = any(f.kind == "of" and f.subject == s.kind and matches(f.place, source) for f in before)
            return 1 if known else None
        if s.up_to or s.what == "pieces":
            return None
        return 1 if s.what == "at" else s.amount

    def _after_set(self, s: ir.SetValue) -> Facts:
        place = read(self.program, s.target)
        if self.program.variables[place.variable].kind != "slot" or self._moved(Fact("room", place), {place.variable}):
            return frozenset()
        if isinstance(s.value, ir.Const) and s.value.value is None:
            return frozenset([Fact("room", place)])
        if isinstance(s.value.type, (OptionalType, NothingType)):
            return frozenset()
        return frozenset([Fact("size", place)])

    def _moved(self, fact: Fact, written: set[str]) -> bool:
        """Whether the words of a fact mean something else once the variables have changed."""
        words = [*fact.place.indices, *(part for part in (fact.subject, fact.amount) if isinstance(part, ir.Node))]
        return bool(variables_read(self.program, words) & written)

    # ------------------------------------------------------------ about all members of something

    def everywhere(self, binds: ir.Binds, facts: Facts) -> Facts:
        """Facts that hold for all combinations, where each of ``facts`` holds for one of them."""
        if binds.condition is not None or not all(_all_members(bind.domain) for bind in binds.binds):
            return frozenset()
        slots = {bind.slot for bind in binds.binds}
        found = set()
        for fact in facts:
            indices = tuple(EVERY if _is_one_of(i, slots) else i for i in fact.place.indices)
            wide = attrs.evolve(fact, place=attrs.evolve(fact.place, indices=indices))
            words = [part for part in (wide.place, fact.subject, fact.amount) if isinstance(part, ir.Node)]
            if EVERY in indices and not any(_is_one_of(node, slots) for node in walk(words)):
                found.add(wide)
        return frozenset(found)

    # ------------------------------------------------------------ from loops and conditions

    def bind_facts(self, binds: ir.Binds) -> Facts:
        """Facts that going through places establishes: the kinds of a pool are there, the top of a stack is there."""
        facts: set[Fact] = set()
        for bind in binds.binds:
            local = ir.Local(bind.slot, bind.name, bind.type)
            domain = bind.domain
            if isinstance(domain, ir.Read):
                if isinstance(domain.type, (PiecesType, ListType, OptionalType)):
                    facts |= {Fact("of", domain, local), Fact("size", domain)}
            elif isinstance(domain, ir.Apply) and domain.op in ("top", "bottom", "reversed"):
                inner = domain.arguments[0]
                if isinstance(inner, ir.Read):
                    facts |= {Fact("size", inner), Fact("of", inner, local)}
            elif isinstance(domain, ir.Apply) and domain.op == "at":
                inner, position = domain.arguments
                if isinstance(inner, ir.Read):
                    facts |= {Fact("at", inner, position), Fact("size", inner), Fact("of", inner, local)}
            elif isinstance(domain, ir.Apply) and domain.op == "openings":
                inner = domain.arguments[0]
                if isinstance(inner, ir.Read):
                    facts.add(Fact("free", inner, local))
            elif isinstance(domain, ir.Apply) and domain.op == "bundles":
                inner = domain.arguments[0]
                if isinstance(inner, ir.Read):
                    facts.add(Fact("holds", inner, local))
        for condition in (binds.condition, binds.passing):
            if condition is not None:
                facts |= self.facts(condition)
        return frozenset(facts)

    def none_there(self, binds: ir.Binds) -> Facts:
        """Facts that are certain when there is no combination: a slot that holds nothing has room."""
        match binds.binds:
            case (ir.Bind(domain=ir.Read(type=OptionalType()) as slot),) if binds.condition is None:
                return frozenset([Fact("room", slot)])
        return frozenset()

    def facts(self, condition: ir.Expr, negated: bool = False, depth: int = 0) -> Facts:
        """Facts that are certain when the condition holds (or, ``negated``, does not hold)."""
        match condition:
            case ir.Fold(word="every", body=ir.Node() as body) if not negated:
                return self.everywhere(condition.binds, self.facts(body, False, depth))
            case ir.Fold(word="some", body=body) if negated:
                if body is not None:
                    return self.everywhere(condition.binds, self.facts(body, True, depth))
                free = attrs.evolve(condition.binds, condition=None)
                test = condition.binds.condition
                if condition.binds.stop_at_first_failure:  # nothing is known of what comes after the first
                    return frozenset()
                return frozenset() if test is None else self.everywhere(free, self.facts(test, True, depth))
            case ir.Apply("and", (a, b)) if not negated:
                return self.facts(a, False, depth) | self.facts(b, False, depth)
            case ir.Apply("or", (a, b)) if negated:
                return self.facts(a, True, depth) | self.facts(b, True, depth)
            case ir.Apply("or", (a, b)):
                return self.facts(a, False, depth) & self.facts(b, False, depth)
            case ir.Apply("not", (a,)):
                return self.facts(a, not negated, depth)
            case ir.Call() if depth < _DEPTH:
                definition = self.program.definitions[condition.definition]
                slots = {p.slot: a for p, a in zip(definition.params, condition.arguments, strict=True)}
                return self.facts(substitute(definition.body, slots), negated, depth + 1)
            case ir.Apply("covers_all_but", (pool, less, cost)) if not negated:
                return frozenset([Fact("covers", pool, cost, less)]) if isinstance(pool, ir.Read) else frozenset()
            case ir.Apply(op, (pool, cost)) if op in ("covers", "holds") and not negated:
                return frozenset([Fact(op, pool, cost)]) if isinstance(pool, ir.Read) else frozenset()
            case ir.Apply("in", (value, place)) if not negated and isinstance(place, ir.Read):
                return frozenset([Fact("of", place, value), Fact("size", place)])
            case ir.Apply(op, (a, b)) if op in _NOT:
                return self._comparison(_NOT[op] if negated else op, a, b)
        return frozenset()

    def _comparison(self, op: str, a: ir.Expr, b: ir.Expr) -> Facts:
        if op in _FLIP and not _measures(a) and _measures(b):
            op, a, b = _FLIP[op], b, a
        if op in (">", ">="):
            least: ir.Expr | int = b
            if isinstance(b, ir.Const) and isinstance(b.value, int):
                least = b.value + 1 if op == ">" else b.value
            elif op == ">":
                least = b  # more than b is at least b
            return self._at_least(a, least)
        if op in ("<", "<="):
            return self._less(a, b, op)
        if op == "is":
            return self._equal(a, b) | self._equal(b, a)
        if op == "is_not" and isinstance(b, ir.Const):
            if b.value is None and isinstance(a, ir.Read):
                return frozenset([Fact("size", a)])
            if b.value == 0 and _measures(a):
                return self._at_least(a, 1)
        return frozenset()

    def _at_least(self, a: ir.Expr, least: ir.Expr | int) -> Facts:
        match a:
            case ir.Apply("count_of", (ir.Read() as place, kind)):
                return frozenset([Fact("of", place, kind, least), Fact("size", place, None, least)])
            case ir.Apply("size", (ir.Read() as place,)):
                return frozenset([Fact("size", place, None, least)])
        return frozenset()

    def _less(self, a: ir.Expr, b: ir.Expr, op: str) -> Facts:
        if isinstance(a, ir.Apply) and a.op == "size" and isinstance(a.arguments[0], ir.Read):
            place = a.arguments[0]
            capacity = self.program.variables[place.variable].capacity
            if isinstance(b, ir.Const) and capacity is not None and b.value + (op == "<=") <= capacity:
                return frozenset([Fact("room", place, None, capacity - b.value + (op == "<"))])
        return frozenset()

    def _equal(self, a: ir.Expr, b: ir.Expr) -> Facts:
        none = isinstance(b, ir.Const) and b.value is None
        match a:
            case ir.Read() if isinstance(a.type, OptionalType):
                return frozenset([Fact("room", a)] if none else [Fact("size", a), Fact("of", a, b)])
            case ir.Apply("at", (ir.Read() as place, position)) if not none:
                return frozenset([Fact("at", place, position), Fact("size", place), Fact("of", place, b)])
            case ir.Apply("top" | "bottom", (ir.Read() as place,)) if not none:
                return frozenset([Fact("size", place), Fact("of", place, b)])
            case ir.Apply("size", (ir.Read() as place,)) if isinstance(b, ir.Const):
                capacity = self.program.variables[place.variable].capacity
                found = {Fact("size", place, None, b.value)}
                if capacity is not None and b.value < capacity:
                    found.add(Fact("room", place, None, capacity - b.value))
                return frozenset(found)
            case ir.Apply("size" | "count_of"):
                return self._at_least(a, b.value if isinstance(b, ir.Const) else b)
        return frozenset()


def _is_one_of(node: ir.Node, slots: set[int]) -> bool:
    return isinstance(node, ir.Local) and node.slot in slots


def _all_members(domain: ir.Expr) -> bool:
    """Whether going through it reaches every value of its type."""
    while isinstance(domain, ir.Apply) and domain.op in ("rotate", "reversed"):
        domain = domain.arguments[0]
    return isinstance(domain, ir.Apply) and domain.op == "members"


def _measures(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Apply) and expr.op in ("size", "count_of")


def reaches(known: ir.Expr | int, wanted: ir.Expr | int | None) -> bool:
    """Whether "at least ``known``" is enough for ``wanted``."""
    if wanted is None or known == wanted:
        return True
    (least, _), (_, most) = _bounds(known), _bounds(wanted)
    return least is not None and most is not None and least >= most


def _bounds(number: ir.Expr | int) -> tuple[int | None, int | None]:
    if isinstance(number, int):
        return number, number
    return (number.type.low, number.type.high) if isinstance(number.type, NumberType) else (None, None)
