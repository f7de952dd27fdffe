"""Facts that are certain at a point of a rule: what guards, loops and earlier steps have established.

Some are about places, some about numbers (see ``inequalities``), and any other condition that holds is one by itself.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import TypeAlias, TypeVar, Union, assert_never

import attrs

from .. import program as ir
from ..program.analysis.cardinality import all_members, pieces_at_start
from ..program.analysis.effects import Reads
from ..program.analysis.static_values import Fixed, NotFixed
from ..program.walk import substitute, walk
from ..structural import Structural, frozen
from ..types import FLAG, UNKNOWN, ListType, NothingType, NumberType, OptionalType, PiecesType, kinds
from .inequalities import NOT, Inequalities, Sum, number

DEPTH = 4  # how deep definitions are opened when looking for facts
_OTHERS = -1_000_000_000  # where locals bound inside of a fact are numbered from, downwards
_CELLS, _PIECES = 400, 20_000  # of a place, whose contents at the start are looked at
_GIVE_MEMBERS = ("list", "set", "ranked", "leaders", "first", "min", "max")
_FLIP = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}

T = TypeVar("T")

EVERY = ir.Const("every", UNKNOWN)
NEVER = ir.Const(False, FLAG)
"""The fact that what stands there is never reached."""

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


Facts: TypeAlias = frozenset[Union[Fact, Sum, ir.Expr]]


def about_places(facts: Facts) -> Iterable[Fact]:
    return (fact for fact in facts if isinstance(fact, Fact))


def sums(facts: Facts) -> Iterable[Sum]:
    return (fact for fact in facts if isinstance(fact, Sum))


def words(fact: Fact | Sum | ir.Expr) -> list[ir.Expr]:
    """The expressions in a fact."""
    match fact:
        case Sum():
            return list(fact.parts)
        case Fact():
            return [part for part in (fact.place, fact.subject, fact.amount) if isinstance(part, ir.Node)]
    return [fact]


def renamed(fact: Fact | Sum | ir.Expr, names: Mapping[int, ir.Expr]) -> Fact | Sum | ir.Expr:
    """The fact with other expressions in place of locals, by slot."""

    def new(part: T) -> T:
        return substitute(part, names, _OTHERS) if isinstance(part, ir.Node) else part

    match fact:
        case Sum(terms, constant):
            return Sum.of({new(expr): factor for expr, factor in terms}, constant)
        case Fact():
            return attrs.evolve(fact, place=new(fact.place), subject=new(fact.subject), amount=new(fact.amount))
    return new(fact)


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
    """Derives facts about the places and numbers of one program."""

    program: ir.Program
    reads: Reads = attrs.field(
        eq=False, repr=False, default=attrs.Factory(lambda self: Reads(self.program), takes_self=True)
    )
    numbers: Inequalities = attrs.field(
        init=False, eq=False, default=attrs.Factory(lambda self: Inequalities(self.program), takes_self=True)
    )

    def at_first(self) -> Facts:
        """What is certain when the game begins."""
        found = set[Fact | Sum | ir.Expr]()
        for variable in self.program.variables.values():
            if variable.carried:  # it may begin as another game left it
                continue
            place = ir.Read(variable.name, (EVERY,) * len(variable.owners), variable.type)
            if not variable.owners and isinstance(variable.type, NumberType) and isinstance(variable.initial, ir.Const):
                found |= self._same(place, variable.initial)
            elif variable.initial is None and variable.element is not None and variable.capacity is not None:
                found.add(Fact("room", place, None, variable.capacity))
            elif variable.initial is not None and variable.kind in ("pool", "bag", "stack"):
                found |= {fact for fact in self._held_at_first(variable, place, variable.initial) if fact.amount}
        return frozenset(found)

    def _held_at_first(self, variable: ir.Variable, place: ir.Read, initial: ir.Expr) -> Iterable[Fact]:
        """What is in every cell of a place when the game begins."""
        if variable.element is None or variable.cells > _CELLS or pieces_at_start(variable) > _PIECES:
            return
        if sum(isinstance(part, (ir.Fold, ir.PiecesOf)) for part in walk(initial)) > 1:
            return  # what is gone through inside of what is gone through may have no end
        fixed = Fixed(self.program.definitions.get, self.program.tables)
        cells = product(*(range(len(owner.domain)) for owner in variable.owners))
        try:
            contents = [fixed.value(initial, dict(enumerate(owners))) for owners in cells]
        except NotFixed:
            return
        members = kinds(variable.element)
        if variable.kind == "stack":
            contents = [tuple(map(Counter(content).__getitem__, members)) for content in contents]
        least = [min(counts) for counts in zip(*contents, strict=True)]
        yield Fact("size", place, None, min(map(sum, contents)))
        yield Fact("of", place, EVERY, min(least))
        for kind, count in zip(members, least, strict=True):
            yield Fact("of", place, ir.Const(kind, variable.element), count)

    # ------------------------------------------------------------ from what has been done

    def after(self, s: ir.Move | ir.SetValue | ir.Change | ir.Score | ir.Let, before: Facts) -> Facts:
        """Facts that a step leaves behind; ``before``: those that held when it began."""
        match s:
            case ir.Move():
                return self._after_move(s, before)
            case ir.SetValue():
                return self._after_set(s) | self._stored(s.target, s.value, before)
            case ir.Change():
                return self._changed(s.target, self.numbers.sum(s.amount).times(s.sign), before)
            case ir.Score():
                score = ir.Place(self.program.score or "", (s.who,))
                return self._changed(score, self.numbers.sum(s.amount).times(s.sign), before)
            case ir.Let():
                return self._same(ir.Local(s.slot, s.name, s.value.type), s.value)
            case _:
                assert_never(s)

    def _after_move(self, s: ir.Move, before: Facts) -> Facts:
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

    def untouched(self, s: ir.Move, facts: Facts) -> Facts:
        """Facts about other kinds of pieces than those that a move takes."""
        moved = {s.source.variable, s.target.variable}

        def reads(*parts: ir.Expr | int | None) -> bool:
            return bool(self.reads.variables([part for part in parts if isinstance(part, ir.Node)]) & moved)

        def of_another(kind: ir.Expr | None) -> bool:
            pairs = ((kind, s.kind), (s.kind, kind)) if kind not in (None, EVERY) and s.kind is not None else ()
            return any(self.certain(ir.Apply("is_not", pair, FLAG), facts) for pair in pairs)

        def stays(fact: Fact | Sum | ir.Expr) -> bool:
            match fact:
                case Fact("of", place, kind, amount):
                    return of_another(kind) and not reads(*place.indices, kind, amount)
                case Sum():
                    return all(stays(part) for part in fact.parts if reads(part))
                case ir.Apply("count_of", (ir.Read() as place, kind)):
                    return stays(Fact("of", place, kind))
            return False

        return frozenset(fact for fact in facts if stays(fact)) if s.what in ("number of", "all of") else frozenset()

    def _room_left(self, s: ir.Move, source: ir.Read, before: Facts) -> ir.Expr | int | None:
        """The room that is certain in the place that pieces were taken from."""
        variable = self.program.variables[source.variable]
        capacity = 1 if variable.kind == "slot" else variable.capacity
        if capacity is None:
            return None
        surely_all = variable.kind == "slot" and (s.what == "number" or (s.what == "number of" and not s.up_to))
        if s.what == "all" or (surely_all and reaches(s.amount or 0, _ONE)):
            return capacity
        if s.what == "all of":
            of = (f for f in about_places(before) if f.kind == "of" and f.subject == s.kind)
            known = any(matches(f.place, source) for f in of)
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
        return bool(self.reads.variables([*fact.place.indices, *words(fact)[1:]]) & written)

    def _same(self, name: ir.Expr, value: ir.Expr) -> Facts:
        """That something has a value, so far as it is a number."""
        return frozenset(self.numbers.compared("is", name, value) or ())

    def _stored(self, target: ir.Place, value: ir.Expr, before: Facts) -> Facts:
        """That a cell has the value now, or is by so much more than it was."""
        cell = read(self.program, target)
        if not isinstance(cell.type, NumberType) or not isinstance(value.type, NumberType):
            return frozenset()
        if target.variable not in self.reads.variables((value, *target.indices)):
            return self._same(cell, value)
        more = self.numbers.sum(value).minus(self.numbers.sum(cell))
        return self._changed(target, more, before)

    def _changed(self, target: ir.Place, change: Sum, before: Facts) -> Facts:
        """What was known of a number, now that it has been changed by so much, as far as its limits let it."""
        variable = self.program.variables.get(target.variable)
        if variable is None or variable.name in self.reads.variables((*change.parts, *target.indices)):
            return frozenset()
        assert isinstance(variable.type, NumberType)
        least, most = self.numbers.least(change), self.numbers.most(change)
        stops_low = variable.not_below is not None and (least is None or least < 0)
        stops_high = variable.not_above is not None and (most is None or most > 0)
        cell, low, high = read(self.program, target), variable.type.low, variable.type.high
        itself = self.numbers.sum(cell)
        was = itself.minus(change)
        found = set[Sum]()
        for fact in (*sums(before), itself.more(-low), number(high).minus(itself)):
            factor = dict(fact.terms).get(cell, 0)
            if (factor > 0 and not stops_high) or (factor < 0 and not stops_low):
                found.add(fact.replacing(cell, was))
        if stops_high and most is not None and low + most <= (variable.not_above or high):
            found.add(was.more(-low))
        if stops_low and least is not None and high + least >= (variable.not_below or low):
            found.add(number(high).minus(was))
        others = ((new, [part for part in new.parts if part != cell]) for new in found)
        return frozenset(new for new, rest in others if variable.name not in self.reads.variables(rest))

    # ------------------------------------------------------------ about all members of something

    def everywhere(self, binds: ir.Binds, facts: Facts) -> Facts:
        """Facts that hold for all combinations, where each of ``facts`` holds for one of them."""
        if binds.condition is not None or not all(all_members(bind.domain) for bind in binds.binds):
            return frozenset()
        slots = {bind.slot for bind in binds.binds}
        found: set[Fact] = set()
        for fact in about_places(facts):
            indices = tuple(EVERY if _is_one_of(i, slots) else i for i in fact.place.indices)
            wide = attrs.evolve(fact, place=attrs.evolve(fact.place, indices=indices))
            if EVERY in indices and not any(_is_one_of(node, slots) for node in walk(words(wide))):
                found.add(wide)
        return frozenset(found)

    # ------------------------------------------------------------ from loops and conditions

    def bind_facts(self, binds: ir.Binds) -> Facts:
        """Facts that going through places establishes: the kinds of a pool are there, the top of a stack is there."""
        facts: set[Fact | Sum | ir.Expr] = set()
        for bind in binds.binds:
            local = ir.Local(bind.slot, bind.name, bind.type)
            match self._gone_through(bind.domain):
                case ir.Read(type=PiecesType() | ListType() | OptionalType()) as place:
                    facts |= {Fact("of", place, local), Fact("size", place)}
                case ir.Apply("top" | "bottom" | "reversed", (ir.Read() as place,)):
                    facts |= {Fact("of", place, local), Fact("size", place)}
                case ir.Apply("at", (ir.Read() as place, position)):
                    facts |= {Fact("at", place, position), Fact("size", place), Fact("of", place, local)}
                case ir.Apply("openings", (ir.Read() as place,)):
                    facts.add(Fact("free", place, local))
                case ir.Apply("bundles", (ir.Read() as place, _)):
                    facts.add(Fact("holds", place, local))
                case ir.Apply("range") as range_:
                    facts |= self.facts(_within(local, range_))
        for condition in (binds.condition, binds.passing):
            if condition is not None:
                facts |= self.facts(condition)
        return frozenset(facts)

    def _gone_through(self, domain: ir.Expr) -> ir.Expr:
        """What a value is a member of, or those of a list, if they are given as they are."""
        match domain:
            case ir.Fold(word, ir.Local(slot), binds) if word in _GIVE_MEMBERS:
                found = [bind.domain for bind in binds.binds if bind.slot == slot]
                return self._gone_through(found[0]) if found else domain
            case ir.Apply("at", (ir.Fold() | ir.Call() as several, _)):
                inner = self._gone_through(several)
                return domain if inner == several else inner
        opened = self.settled(domain, frozenset())
        return domain if opened == domain else self._gone_through(opened)

    def none_there(self, binds: ir.Binds) -> Facts:
        """Facts that are certain when there is no combination: a slot that holds nothing has room."""
        match binds.binds:
            case (ir.Bind(domain=ir.Read(type=OptionalType()) as slot),) if binds.condition is None:
                return frozenset([Fact("room", slot)])
        return frozenset()

    def facts(self, condition: ir.Expr, negated: bool = False, depth: int = 0) -> Facts:
        """Facts that are certain when the condition holds (or, ``negated``, does not hold)."""
        itself = frozenset([_said(condition, negated)])
        match condition:
            case ir.Const(value):
                return frozenset([NEVER] if value is negated else [])
            case ir.Fold(word="every", body=ir.Node() as body) if not negated:
                return itself | self.everywhere(condition.binds, self.facts(body, False, depth))
            case ir.Fold(word="some", body=body) if negated:
                if body is not None:
                    return itself | self.everywhere(condition.binds, self.facts(body, True, depth))
                free = attrs.evolve(condition.binds, condition=None)
                test = condition.binds.condition
                if test is None or condition.binds.stop_at_first_failure:  # nothing is known of what comes later
                    return itself
                return itself | self.everywhere(free, self.facts(test, True, depth))
            case ir.Apply("and", (a, b)) if not negated:
                return self.facts(a, False, depth) | self.facts(b, False, depth)
            case ir.Apply("or", (a, b)) if negated:
                return self.facts(a, True, depth) | self.facts(b, True, depth)
            case ir.Apply("or", (a, b)):
                ways = [found for part in (a, b) if NEVER not in (found := self.facts(part, False, depth))]
                return itself | (frozenset.intersection(*ways) if ways else {NEVER})
            case ir.Apply("not", (a,)):
                return self.facts(a, not negated, depth)
            case ir.Call() if depth < DEPTH:
                return itself | self.facts(self.numbers.opened(condition, depth), negated, depth + 1)
            case ir.Apply("covers_all_but", (ir.Read() as pool, less, cost)) if not negated:
                return itself | {Fact("covers", pool, cost, less)}
            case ir.Apply(op, (ir.Read() as pool, cost)) if op in ("covers", "holds") and not negated:
                return itself | {Fact(op, pool, cost)}
            case ir.Apply("in", (value, ir.Read() as place)) if not negated:
                return itself | {Fact("of", place, value), Fact("size", place)}
            case ir.Apply("in", (value, ir.Apply("range") as range_)) if not negated:
                return self.facts(_within(value, range_), depth=depth)
            case ir.Apply(op, (a, b)) if op in NOT:
                op = NOT[op] if negated else op
                said = self.numbers.compared(op, a, b)
                if said is None:
                    return self._comparison(op, a, b) | itself
                return self._comparison(op, a, b).union(*map(self.numbers.spelled_out, said))
        return itself

    def given(self, facts: Facts, condition: ir.Expr, negated: bool = False) -> Facts:
        """The facts with those that a condition adds, and what is left of "this or that" when one of them fails."""
        facts |= self.facts(condition, negated)
        for fact in facts:
            match fact:
                case ir.Apply("or", (a, b)):
                    if self.certain(a, facts, negated=True):
                        facts |= self.facts(b)
                    elif self.certain(b, facts, negated=True):
                        facts |= self.facts(a)
        return facts

    def settled(self, expr: ir.Expr, facts: Facts, depth: int = 0) -> ir.Expr:
        """What an expression comes to where its conditions are certain."""
        match expr:
            case ir.If():
                for branch, negated in ((expr.then, False), (expr.otherwise, True)):
                    if self.certain(expr.condition, facts, negated):
                        return self.settled(branch, facts, depth)
            case ir.Call() if depth < DEPTH and self.program.definitions[expr.definition].deep is None:
                return self.settled(self.numbers.opened(expr, depth), facts, depth + 1)
        return expr

    # ------------------------------------------------------------ what follows

    def certain(self, condition: ir.Expr | None, facts: Facts, negated: bool = False, depth: int = 0) -> bool:
        """Whether a condition certainly holds (or, ``negated``, does not hold) where the facts do."""
        match condition:
            case None:
                return not negated
            case ir.Const(value):
                return value is not negated
            case ir.Apply("not", (a,)):
                return self.certain(a, facts, not negated, depth)
            case ir.Apply("and" | "or", (a, b)):
                if (condition.op == "or") is negated:  # both are needed
                    return self.certain(a, facts, negated, depth) and self.certain(b, facts, negated, depth)
                if self.certain(a, facts, negated, depth):
                    return True
                return self.certain(b, facts | self.facts(a, not negated), negated, depth)
            case ir.Apply("in", (value, ir.Apply("range") as range_)):
                return self.certain(_within(value, range_), facts, negated, depth)
            case ir.Apply(op, (a, b)) if op in NOT and isinstance(a.type, NumberType):
                if self.compares(NOT[op] if negated else op, a, b, facts):
                    return True
            case ir.Apply("is" | "is_not", (a, b)) if a == b:
                return (condition.op == "is") is not negated
            case ir.Apply("is" | "is_not", (ir.Const(a), ir.Const(b))):
                return ((a == b) is (condition.op == "is")) is not negated
        if _said(condition, negated) in facts:
            return True
        if isinstance(condition, ir.Call) and depth < DEPTH:
            return self.certain(self.numbers.opened(condition, depth), facts, negated, depth + 1)
        return False

    def holds(self, fact: Fact | Sum | ir.Expr, facts: Facts) -> bool:
        """Whether a fact certainly is one where others are."""
        match fact:
            case Sum():
                return self.numbers.certain(fact, sums(facts))
            case Fact(kind, place, subject, amount):
                alike = (f for f in about_places(facts) if f.kind == kind and f.subject == subject)
                return any(matches(f.place, place) and reaches(f.amount, amount) for f in alike)
        return self.certain(fact, facts)

    def both(self, one: Facts, other: Facts) -> Facts:
        """What is certain wherever the facts of one or the other are."""
        found = one & other
        for mine, theirs in ((one - found, other), (other - found, one)):
            found |= {fact for fact in mine if not isinstance(fact, ir.Node) and self.holds(fact, theirs)}
        return found

    def compares(self, op: str, a: ir.Expr, b: ir.Expr, facts: Facts) -> bool:
        if op == "is_not":
            return self.compares("<", a, b, facts) or self.compares(">", a, b, facts)
        goals = self.numbers.compared(op, a, b)
        return goals is not None and all(self.numbers.certain(goal, sums(facts)) for goal in goals)

    def fits(self, value: ir.Expr, type_: NumberType, facts: Facts) -> bool:
        """Whether a number certainly lies in a range."""
        total = self.numbers.sum(value)
        return self.not_beyond(total, type_.low, type_.high, facts)

    def not_beyond(self, total: Sum, low: int | None, high: int | None, facts: Facts) -> bool:
        """Whether a sum certainly lies between bounds, of which either may be missing."""
        goals = [] if low is None else [total.more(-low)]
        goals += [] if high is None else [number(high).minus(total)]
        return all(self.numbers.certain(goal, sums(facts)) for goal in goals)

    def _comparison(self, op: str, a: ir.Expr, b: ir.Expr) -> Facts:
        if op in _FLIP and not _measures(a) and _measures(b):
            op, a, b = _FLIP[op], b, a
        if op in (">", ">="):
            least: ir.Expr | int = b  # more than b is at least b
            if isinstance(b, ir.Const) and isinstance(b.value, int):
                least = b.value + 1 if op == ">" else b.value
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


def all_of(conditions: Sequence[ir.Expr]) -> ir.Expr | None:
    """The condition that all of them hold."""
    if not conditions:
        return None
    return functools.reduce(lambda a, b: ir.Apply("and", (a, b), FLAG), conditions)


def _said(condition: ir.Expr, negated: bool) -> ir.Expr:
    """A condition, or that it does not hold, always said in the same way."""
    match condition:
        case ir.Apply("is_not", sides):
            return _said(ir.Apply("is", sides, FLAG), not negated)
    return ir.Apply("not", (condition,), FLAG) if negated else condition


def _within(value: ir.Expr, range_: ir.Apply) -> ir.Expr:
    """The condition that a number is in a range."""
    low, high = range_.arguments
    return ir.Apply("and", (ir.Apply("<=", (low, value), FLAG), ir.Apply("<=", (value, high), FLAG)), FLAG)


def _is_one_of(node: ir.Node, slots: set[int]) -> bool:
    return isinstance(node, ir.Local) and node.slot in slots


def _measures(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Apply) and expr.op in ("size", "count_of")


def reaches(known: ir.Expr | int, wanted: ir.Expr | int | None) -> bool:
    """Whether "at least ``known``" is enough for ``wanted``."""
    if wanted is None or known == wanted:
        return True
    least, (_, most) = least_of(known), _bounds(wanted)
    return least is not None and most is not None and least >= most


def least_of(amount: ir.Expr | int) -> int | None:
    return _bounds(amount)[0]


def _bounds(number: ir.Expr | int) -> tuple[int | None, int | None]:
    if isinstance(number, int):
        return number, number
    return (number.type.low, number.type.high) if isinstance(number.type, NumberType) else (None, None)
