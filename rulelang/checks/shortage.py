"""Shortages: what is moved, paid or chosen is there, or the text says what happens otherwise.

A step that may fall short, and a place that may be full, is reported unless what is certain there rules it out (guards:
``needs``, ``if``, ``where``), the step takes ``up to``, or the author vouches for it with ``surely``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product

import attrs

from .. import program as ir
from ..diagnostics import Sink
from ..fixes import Help
from ..program.analysis.cardinality import all_members, fewest_members, has_members
from ..program.analysis.effects import ProgramIndex
from ..program.walk import conjuncts, free_slots, substitute
from ..structural import Structural, frozen
from ..types import FLAG, MemberType, NumberType, OptionalType, kinds
from . import remedies
from .certain import Certainties
from .facts import DEPTH, EVERY, NEVER, Facts, Knowledge, about_places, all_of, matches, reaches, read, sums
from .inequalities import NOT

_NOTHING, _ONE = (ir.Const(n, NumberType(n, n)) for n in (0, 1))
_SAMPLES = 12  # members of an enum that are tried


def check(index: ProgramIndex, sink: Sink) -> None:
    certainties = index.once(Certainties)
    supply = Supply(index.program, certainties.known)
    for root in index.top_level:
        certain = certainties.called(root)
        for id_ in index.inside[root]:  # rules and options inside another are looked at with it
            for node in index.nodes[id_]:
                if not getattr(node, "surely", False):
                    for short in supply.shortages(node, certain.at(node)):
                        sink.error(short.code, node.span, short.message, help=short.help, rule=id_)


@frozen
class Shortage(Structural):
    """``code``: R0503 where something may be full."""

    code: str
    message: str
    help: Help


@frozen
class Supply(Structural):
    """Finds what may fall short in one program."""

    program: ir.Program
    known: Knowledge

    def shortages(self, s: ir.Node, facts: Facts) -> Iterator[Shortage]:
        """Of a statement, whether or not its author vouches for it; ``facts``: what is certain there."""
        if NEVER in facts:
            return
        match s:
            case ir.Menu(otherwise=None) if not self.always_possible(s, facts):
                yield Shortage("R0502", "Possibly none of these options can be chosen.", remedies.MENU)
            case ir.Choose(body=None) if s.some is None and not self.some_certain(s.binds, facts):
                yield Shortage("R0502", "There may be nothing to choose.", remedies.CHOICE)
            case ir.ChooseSome(body=None) if not self._enough_to_choose(s, facts):
                message = "There may not be enough to choose from."
                yield Shortage("R0502", message, remedies.of_choosing_some(s))
            case ir.Roll() if not self.some_certain(s.binds, facts):
                yield Shortage("R0502", "There may be nothing to roll.", remedies.ROLL)
            case ir.Move():
                yield from self._of_move(s, facts)
            case ir.Show() if s.what is not None and not s.up_to:
                yield from self._of_show(s, facts)
            case ir.Pay() if not self._can_pay(s, facts):
                message = f"`{s.source.variable}` may not hold enough for this payment."
                yield Shortage("R0502", message, remedies.of_paying(s, read(self.program, s.source)))
            case _:  # nothing else needs a supply, nor do those proved above
                return

    # ------------------------------------------------------------ choices

    def always_possible(self, s: ir.Menu, facts: Facts) -> bool:
        """Whether some option certainly is possible, perhaps another one from time to time."""
        some: ir.Expr = ir.Const(False, FLAG)
        named: list[tuple[ir.Binds, ir.Expr]] = []
        for option in map(self.program.rules.__getitem__, s.options):
            every = all_of([need.condition for need in option.needs]) or ir.Const(True, FLAG)
            if option.binds is None or self.some_certain(option.binds, facts | self.known.facts(every)):
                some = ir.Apply("or", (some, every), FLAG)
            if option.binds is not None:
                named.append((option.binds, every))
        if self.known.certain(some, facts):
            return True
        otherwise = self.known.given(facts, some, negated=True)
        return any(
            self.some_certain(attrs.evolve(binds, condition=all_of([*conjuncts(binds.condition), every])), otherwise)
            or (
                binds.condition is None
                and any(
                    self.known.certain(substitute(every, names), facts | given)
                    for way in self.ways(some)
                    for given, names in self.when_fails(way, binds)
                )
            )
            for binds, every in named
        )

    def _enough_to_choose(self, s: ir.ChooseSome, facts: Facts) -> bool:
        if reaches(0, s.low):
            return True
        if s.filtered:
            return False
        if (isinstance(s.domain, ir.Apply) and s.domain.op == "members") or isinstance(s.domain, ir.Const):
            return reaches(fewest_members(s.domain), s.low)
        return isinstance(s.domain, ir.Read) and self._holds(s.domain, s.low, facts)

    def _holds(self, place: ir.Read, least: ir.Expr, facts: Facts) -> bool:
        """Whether a place certainly holds at least so many pieces."""
        known = (f for f in about_places(facts) if f.kind == "size" and matches(f.place, place))
        if any(reaches(fact.amount, least) for fact in known):
            return True
        size = ir.Apply("size", (place,), NumberType(0, 2**31 - 1))
        return isinstance(least.type, NumberType) and self.known.compares("<=", least, size, facts)

    # ------------------------------------------------------------ whether there is any combination

    def some_certain(self, binds: ir.Binds, facts: Facts) -> bool:
        """Whether there certainly is a combination: of all that there are, or one that is easily tried."""
        if not all(has_members(bind.domain) or self._filled(bind.domain, facts) for bind in binds.binds):
            return False
        if binds.condition is None:
            return True
        if binds.passing is not None or binds.stop_at_first_failure:
            return False
        decisive = self.decisive(binds)
        if (decisive != binds and self.some_certain(decisive, facts)) or self._let_in(binds, facts):
            return True
        slots = [bind.slot for bind in binds.binds]
        combinations = islice(product(*map(_samples, binds.binds)), _SAMPLES)
        tried = (dict(zip(slots, one, strict=True)) for one in combinations)
        return any(self.known.certain(substitute(binds.condition, one), facts) for one in tried)

    def _let_in(self, binds: ir.Binds, facts: Facts) -> bool:
        """Whether all limits let in some number of a range: none from below lies above one from above."""
        numbers, bind = self.known.numbers, binds.binds[0]
        if len(binds.binds) > 1 or not isinstance(bind.domain, ir.Apply) or bind.domain.op != "range":
            return False
        ends = [[numbers.sum(bind.domain.arguments[0])], [numbers.sum(bind.domain.arguments[1])]]
        for part in conjuncts(binds.condition):
            if bind.slot not in free_slots(part):
                if not self.known.certain(part, facts):
                    return False
                continue
            said = numbers.compared(part.op, *part.arguments) if isinstance(part, ir.Apply) and part.op in NOT else None
            limits = [total.limit_of(bind.slot) for total in said or ()]
            if not limits or None in limits:
                return False
            for above, limit in filter(None, limits):
                ends[above].append(limit)
        return all(numbers.certain(high.minus(low), sums(facts)) for low, high in product(*ends))

    def decisive(self, binds: ir.Binds) -> ir.Binds:
        """What decides whether there is a combination: without a condition that one of all members always meets."""
        free = binds.passing is None and not binds.stop_at_first_failure
        place = _picked_from(binds) if free else None
        if place is not None:
            return attrs.evolve(binds, binds=(attrs.evolve(binds.binds[0], domain=place),), condition=None)
        if free and binds.condition is not None and self._one_meets(binds, binds.condition):
            return attrs.evolve(binds, condition=None)
        return binds

    def _filled(self, domain: ir.Expr, facts: Facts) -> bool:
        match domain:
            case ir.Read():
                return any(
                    fact.kind in ("size", "of") and matches(fact.place, domain) and reaches(fact.amount, 1)
                    for fact in about_places(facts)
                )
            case ir.Apply("range", (low, high)):
                return self.known.compares("<=", low, high, facts)
            case ir.Apply("bundles", (ir.Read() as place, number)):
                return self.known.compares(">=", number, _NOTHING, facts) and self._holds(place, number, facts)
        return False

    def _one_meets(self, binds: ir.Binds, condition: ir.Expr) -> bool:
        """Whether one of all members, if there is any, meets a condition, as in "follow suit if you can".

        A part that is enough by itself, and does not ask about the member, may fail only if a member meets another.
        """
        own = {bind.slot for bind in binds.binds}
        bare = self.known.numbers.opened(condition, DEPTH) if isinstance(condition, ir.Call) else condition
        match bare:
            case ir.Fold("every", ir.Node() as body, one) if isinstance(one.binds[0].domain.type, OptionalType):
                if one.free and not own & free_slots(one):  # what is asked of one thing at most, as of the card led
                    condition = body
        return any(
            self.known.certain(substitute(condition, names), given)
            for way in self.ways(condition)
            if not own & free_slots(way)
            for given, names in self.when_fails(way, binds)
        )

    def when_fails(self, way: ir.Expr, binds: ir.Binds) -> Iterator[tuple[Facts, Mapping[int, ir.Expr]]]:
        """What is certain when a condition fails, each time with a combination that there is then, by slot."""
        given = self.known.facts(way, negated=True)
        for fact in about_places(given):
            if fact.kind == "of" and fact.subject is not None and [fact.place] == [b.domain for b in binds.binds]:
                yield given, {binds.binds[0].slot: fact.subject}
        other = _witness(way)
        if other is not None and len(other.binds) == len(binds.binds):
            pairs = list(zip(binds.binds, other.binds, strict=True))
            names = {mine.slot: ir.Local(theirs.slot, theirs.name, theirs.type) for mine, theirs in pairs}
            if all(substitute(mine.domain, names) == theirs.domain for mine, theirs in pairs):
                yield given | self.known.bind_facts(other) | self._of_witness(way), names

    def _of_witness(self, way: ir.Expr) -> Facts:
        """What holds of the member because of which a condition on all of them fails."""
        match way:
            case ir.Apply("not", (ir.Fold("some", ir.Node() as body),)):
                return self.known.facts(body)
            case ir.Fold("every", ir.Node() as body):
                return self.known.facts(body, negated=True)
        return frozenset()

    def ways(self, condition: ir.Expr, depth: int = 0) -> list[ir.Expr]:
        """The parts of a condition of which one is enough."""
        match condition:
            case ir.Apply("or", (a, b)):
                return [*self.ways(a, depth), *self.ways(b, depth)]
            case ir.Call() if depth < DEPTH and self.program.definitions[condition.definition].deep is None:
                return [condition, *self.ways(self.known.numbers.opened(condition, depth), depth + 1)]
        return [condition]

    # ------------------------------------------------------------ moves and payments

    def _of_move(self, s: ir.Move, facts: Facts) -> Iterator[Shortage]:
        source, target = read(self.program, s.source), read(self.program, s.target)
        if not s.up_to and not self._enough(s, source, facts):
            message = f"`{s.source.variable}` may not hold enough for this move."
            yield Shortage("R0502", message, remedies.of_moving(s, source, self.program.variables[source.variable]))
        variable = self.program.variables[s.target.variable]
        if variable.kind == "grid":
            free = (fact for fact in about_places(facts) if fact.kind == "free" and fact.subject == s.square)
            if not any(matches(fact.place, target) for fact in free):
                message = f"This square of `{variable.name}` may be occupied, or `{variable.name}` may be full."
                yield Shortage("R0503", message, remedies.SQUARE)
        elif variable.capacity is not None and not self._room(s, target, variable, facts):
            message = f"`{variable.name}` holds at most {variable.capacity} and may already be full."
            yield Shortage("R0503", message, remedies.of_filling(s, target, variable))

    def _of_show(self, s: ir.Show, facts: Facts) -> Iterator[Shortage]:
        """What is shown must be there, as if it were to be moved."""
        assert s.what is not None
        as_move = ir.Move(s.what, s.amount, s.kind, s.up_to, s.place, s.place, span=s.span)
        source = read(self.program, s.place)
        if not self._enough(as_move, source, facts):
            message = f"`{s.place.variable}` may not hold enough to be shown."
            help_ = remedies.of_showing(as_move, source, self.program.variables[source.variable])
            yield Shortage("R0502", message, help_)

    def _enough(self, s: ir.Move, source: ir.Read, facts: Facts) -> bool:
        if s.what in ("all", "all of"):
            return True
        amount = s.amount
        if amount is None or (isinstance(amount, ir.Const) and amount.value == 0):
            return True
        known = [fact for fact in about_places(facts) if matches(fact.place, source)]
        match s.what:
            case "at":
                if any(fact.kind == "at" and fact.subject == amount for fact in known):
                    return True
                return self.known.compares("<=", _ONE, amount, facts) and self._holds(source, amount, facts)
            case "pieces":
                enough = ("holds",) if self.program.variables[source.variable].exchanges else ("holds", "covers")
                return any(f.kind in enough and f.subject == amount and f.amount == 1 for f in known)
            case "number of":
                of = (fact.amount for fact in known if fact.kind == "of" and fact.subject in (EVERY, s.kind))
                return any(reaches(number, amount) for number in of)
        return self._holds(source, amount, facts)

    def _room(self, s: ir.Move, target: ir.Read, variable: ir.Variable, facts: Facts) -> bool:
        source = self.program.variables[s.source.variable]
        most: ir.Expr | int | None = s.amount
        if s.what == "at" or source.kind == "slot":
            most = 1
        elif s.what in ("all", "all of", "pieces"):
            most = source.capacity
        if most is None:
            return False
        if isinstance(most, ir.Apply) and _fills_up(most, target, variable.capacity or 0):
            return True
        rooms = (fact for fact in about_places(facts) if fact.kind == "room" and matches(fact.place, target))
        return any(reaches(fact.amount, most) for fact in rooms)

    def _can_pay(self, s: ir.Pay, facts: Facts) -> bool:
        source = read(self.program, s.source)
        if isinstance(s.cost, ir.Const) and not any(s.cost.value):
            return True
        less: ir.Expr | int = 1 if s.less is None else s.less
        cost = self.known.settled(s.cost, facts)
        return any(
            fact.kind == "covers" and fact.amount == less and matches(fact.place, source)
            for fact in about_places(facts)
            if fact.subject is not None and cost in (fact.subject, self.known.settled(fact.subject, facts))
        )


def _picked_from(binds: ir.Binds) -> ir.Read | None:
    """The place of which each kind that is there is a combination: ``f in Fruit where hand[p][f] > 0``."""
    if len(binds.binds) != 1 or not all_members(binds.binds[0].domain):
        return None
    match binds.condition:
        case ir.Apply(">", (ir.Apply("count_of", (ir.Read() as place, ir.Local(slot))), ir.Const(0))):
            return place if slot == binds.binds[0].slot else None
        case ir.Apply(">=", (ir.Apply("count_of", (ir.Read() as place, ir.Local(slot))), ir.Const(1))):
            return place if slot == binds.binds[0].slot else None
        case ir.Apply("in", (ir.Local(slot), ir.Read() as place)):
            return place if slot == binds.binds[0].slot else None
    return None


def _witness(way: ir.Expr) -> ir.Binds | None:
    """Where there is a member that makes a condition fail which speaks of all members."""
    match way:
        case ir.Apply("not", (ir.Fold("some", _, binds),)) | ir.Fold("every", _, binds):
            return None if binds.stop_at_first_failure else binds
    return None


def _samples(bind: ir.Bind) -> list[ir.Expr]:
    """Some members of a domain that are there in every position."""
    match bind.domain:
        case ir.Apply("range", (low, high)):
            return [low, high]
        case ir.Apply("list", members):
            return list(members)
        case ir.Apply("members") if isinstance(bind.type, (MemberType, NumberType)):
            return [ir.Const(value, bind.type) for value in kinds(bind.type)[:_SAMPLES]]
    return []


def _fills_up(amount: ir.Expr, target: ir.Read, capacity: int) -> bool:
    """Whether an amount is what is missing in a place, ``4 - count(place)``."""
    match amount:
        case ir.Apply("-", (ir.Const(value=int() as most), ir.Apply("size", (ir.Read() as place,)))):
            return most <= capacity and matches(place, target)
    return False
