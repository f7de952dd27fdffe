"""Risks: where a part of a rule may stop the game with a fault, what decides that, and what proves that it cannot.

A fault is seen by everybody, and the position stays as it was. So whoever may choose what leads to one, and asks again
and again, learns what decides it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import prod
from typing import TypeAlias, get_args

import attrs

from .. import program as ir
from ..fixes import AtEnd, Fix, ReplaceText
from ..limits import standard
from ..program.analysis.cardinality import counted_elsewhere
from ..program.analysis.effects import ProgramIndex, supposed_statements
from ..program.analysis.faults import Faults, fits_word, may_leave
from ..program.printer import expression_text
from ..program.walk import children, substitute, walk
from ..types import FLAG, ListType, MemberType, NumberType
from .certain import Certainties
from .facts import NEVER, Facts, Knowledge, all_of, read, sums
from .inequalities import Sum, number
from .shortage import Supply

_STATEMENTS = get_args(ir.Statement)
_WORD = NumberType(-(2**31), 2**31 - 1)
_DEEP = 20  # definitions that are looked into one inside another
_OPEN = "Look only at what everybody can see"
_FITS = "Offer only what fits (`where`, `needs`), keep it within the bounds with `min` or `max`"
_THERE = "Offer only what is there (`where`, `needs`)"
_ROOM = "Ask for room first (`needs`, `where`)"

_Proof: TypeAlias = Callable[[Facts], bool]


@attrs.frozen
class _Here:
    """Where an expression is worked out. ``around``: what is certain at the statement, and what is if invariants are
    believed; ``under``: what decides whether it is worked out at all; ``held``: of that, the conditions that hold then,
    or do not; what is gone through."""

    known: Knowledge
    around: Callable[[bool], Facts]
    under: tuple[ir.Node, ...] = ()
    held: tuple[tuple[ir.Expr | ir.Binds, bool], ...] = ()

    def beyond(self, node: ir.Node, holds: bool | None = None) -> _Here:
        """Where something has been looked at, and has come out like that."""
        held = () if holds is None else ((node, holds),)
        return attrs.evolve(self, under=(*self.under, node), held=(*self.held, *held))

    def facts(self, trusting: bool = False) -> Facts:
        known = self.known
        more = (known.bind_facts(n) if isinstance(n, ir.Binds) else known.facts(n, not holds) for n, holds in self.held)
        return self.around(trusting).union(*more)


@attrs.frozen
class Risk:
    """``when``: goes on "The game stops if ..."; ``on``: what decides it; ``proof``: tells whether facts rule it out.

    ``remedy``: what to do about it; ``fixes`` do it.
    """

    when: str
    on: tuple[ir.Node | None, ...]
    here: _Here
    remedy: str = _OPEN
    proof: _Proof = lambda _: False
    fixes: tuple[Fix, ...] = ()

    def safe(self, trusting: bool = False) -> bool:
        """Whether it certainly never happens; ``trusting``: as long as the invariants hold."""
        facts = self.here.facts(trusting)
        return NEVER in facts or self.proof(facts)


class Risks:
    """Finds the risks in one program. Each rule is followed once."""

    def __init__(self, index: ProgramIndex) -> None:
        self.index = index
        self.program = index.program
        self.certain = index.once(Certainties)
        self.known = self.certain.known
        self._trusting = Certainties(index, trusting=True)
        self._counted_elsewhere = counted_elsewhere(index.program, index.writes)
        self.supply = Supply(index.program, self.known)
        self._faults = Faults(index.program)
        self._supposed: dict[str, Risk | None] = {}
        self._defined: dict[str, Risk | None] = {}
        self._nowhere = _Here(self.known, lambda _: frozenset())
        self._depth = 0

    def _at(self, root: str, part: ir.Node) -> _Here:
        """At a part of a top-level rule. The rule is followed only when something has to be proved."""
        return _Here(self.known, lambda trusting: (self._trusting if trusting else self.certain).called(root).at(part))

    def of(self, part: ir.Action, root: str, rule: ir.Rule) -> Iterator[Risk]:
        """Those of a statement, a need or the head of a rule, without the statements inside it."""
        here = self._at(root, part)
        for node in _looked_at(self.program, part):
            yield from self._inside(node, here)
        match part:
            case ir.Needs() if rule.kind == "rule":
                on = (part.condition,)
                met = functools.partial(self._met, part, rule)
                yield Risk(f"`{part.text}` does not hold", on, here, "Ask for it wherever the rule is run", met)
            case ir.SetValue(target, value):
                yield from self._set(part, target, value, here)
            case ir.Change(target, sign, amount):
                yield from self._changed(target, sign, amount, here)
            case ir.Score(who, sign, amount) if self.program.score is not None:
                yield from self._changed(ir.Place(self.program.score, (who,), span=part.span), sign, amount, here)
            case ir.Move() | ir.Show() | ir.Pay() | ir.Choose() | ir.ChooseSome() | ir.Menu() | ir.Roll():
                yield from self._vouched(part, here)
                if isinstance(part, (ir.Move, ir.Pay)):
                    yield from self._moved(part, here)
            case ir.Do():
                yield from self._passed(self.program.rules[part.rule], part.arguments, here)
            case ir.Announce():
                for handler in self.program.handlers.get(part.event, ()):
                    yield from self._passed(self.program.rules[handler], part.arguments, here)
            case ir.Repeat("falling", value):
                yield Risk(f"`{expression_text(value)}` does not fall with each pass", (value,), here)
            case ir.Repeat("at most", value) if isinstance(value.type, NumberType):
                if value.type.high > standard().work:
                    yield Risk(f"there are more than {standard().work:,} passes", (value,), here)
            case _:  # in all others only the expressions can go wrong
                return

    def of_value(self, expr: ir.Expr) -> Iterator[Risk]:
        """Those of something that is worked out beside all rules."""
        yield from self._inside(expr, self._nowhere)

    # ------------------------------------------------------------ statements

    def _set(self, s: ir.SetValue, target: ir.Place, value: ir.Expr, here: _Here) -> Iterator[Risk]:
        variable, numbers = self.program.variables[target.variable], self.known.numbers
        bounds = variable.type
        if isinstance(bounds, NumberType):
            safe = functools.partial(self.known.not_beyond, numbers.sum(value), bounds.low, bounds.high)
            yield Risk(_leaves(variable, bounds), (value,), here, _FITS, safe, _kept_within(value, bounds))
        elif may_leave(bounds, value.type):
            yield Risk(f"`{variable.name}` takes in a number that is out of bounds", (value,), here, _FITS)
        if variable.kind == "value" and variable.capacity is not None and not variable.rolling:
            length, room = numbers.length(value), variable.capacity
            yield Risk(
                f"`{expression_text(read(self.program, target))}` is full",
                (_size(value),),
                here,
                _ROOM,
                lambda facts: length is not None and self.known.not_beyond(length, None, room, facts),
            )

    def _changed(self, target: ir.Place, sign: int, amount: ir.Expr, here: _Here) -> Iterator[Risk]:
        """Of a number that does not stop at its bounds by itself."""
        cell, variable = read(self.program, target), self.program.variables[target.variable]
        bounds, change = variable.type, self.known.numbers.sum(amount).times(sign)
        assert isinstance(bounds, NumberType)
        least, most = self.known.numbers.least(change), self.known.numbers.most(change)
        low = bounds.low if variable.not_below is None and (least is None or least < 0) else None
        high = bounds.high if variable.not_above is None and (most is None or most > 0) else None
        stops = [f"not {word} {end}" for word, end in (("below", low), ("above", high)) if end is not None]
        if stops:
            text = ", ".join(stops)
            after = self.known.numbers.sum(cell).plus(change)
            safe = functools.partial(self.known.not_beyond, after, low, high)
            fix = Fix(f"Let `{variable.name}` stop there: `{text}`", (AtEnd(f", {text}", span=variable.span),))
            remedy = f"Offer only what fits (`where`, `needs`), add `{text}` where `{variable.name}` is declared"
            yield Risk(_leaves(variable, bounds), (cell, amount), here, remedy, safe, (fix,))

    def _vouched(
        self, s: ir.Move | ir.Show | ir.Pay | ir.Choose | ir.ChooseSome | ir.Menu | ir.Roll, here: _Here
    ) -> Iterator[Risk]:
        """Of what only its author vouches for; all else has a proof, or is reported as a shortage."""

        if not s.surely:
            return

        def enough(facts: Facts, code: str = "R0502") -> bool:
            return not any(short.code == code for short in self.supply.shortages(s, facts))

        match s:
            case ir.Move():
                yield from self._short(s, s.source, here, enough)
                yield from self._full(s, here, functools.partial(enough, code="R0503"))
            case ir.Show():
                yield from self._short(s, s.place, here, enough)
            case ir.Pay():
                on: tuple[ir.Node | None, ...] = (read(self.program, s.source), s.cost, s.less)
                remedy = "Add `needs ... covers ...` with the same cost"
                yield Risk(f"`{s.source.variable}` does not hold enough for this payment", on, here, remedy, enough)
            case ir.Choose() if s.some is None:
                on = (self.any(s.binds),)
                yield Risk("there is nothing to choose", on, here, "Let there always be something to choose", enough)
            case ir.ChooseSome():
                on = (_size(s.domain), s.low)
                if s.filtered:
                    on = tuple(part.value for part in s.asks if isinstance(part, ir.Let))
                yield Risk("there are not enough to choose from", on, here, "Write `up to ...`", enough)
            case ir.Menu():
                remedy = "Add an option that is always possible"
                yield Risk("none of these options is possible", self.possible(s), here, remedy, enough)
            case ir.Roll():
                on = (self.any(s.binds),)
                yield Risk("there is nothing to roll", on, here, "Let there always be something to roll", enough)
            case _:  # nothing else is vouched for
                return

    def possible(self, s: ir.Menu) -> tuple[ir.Node, ...]:
        """What decides whether any option is possible, without what is disclosed anyway."""
        found: list[ir.Node] = []
        options = [self.program.rules[id_] for id_ in s.options]
        free = {o.id: o.binds.binds[0].domain for o in options if o.binds and o.binds.free and not o.needs}
        for option in options:
            if option.binds and option.id not in free and any(b.domain in free.values() for b in option.binds.binds):
                continue  # where it is possible, so is another that has the same to choose from
            needs = [need.condition for need in option.needs if not need.openly]
            if option.binds is None:
                found += needs
                continue
            conditions = [*needs, *([] if option.binds.condition is None else [option.binds.condition])]
            found.append(self.any(attrs.evolve(option.binds, condition=all_of(conditions))))
        return tuple(found)

    def any(self, binds: ir.Binds) -> ir.Expr:
        """Whether there is any combination; a condition that some member meets anyway decides nothing."""
        return ir.Fold("some", None, self.supply.decisive(binds), FLAG)

    def always_asked(self, s: ir.Menu | ir.Choose, root: str) -> bool:
        """Whether there certainly is something to choose."""
        facts = self._at(root, s).facts()
        return (
            self.supply.some_certain(s.binds, facts)
            if isinstance(s, ir.Choose)
            else self.supply.always_possible(s, facts)
        )

    def _short(
        self, s: ir.Move | ir.Show, place: ir.Place, here: _Here, enough: Callable[[Facts], bool]
    ) -> Iterator[Risk]:
        if s.what in (None, "all", "all of") or s.up_to:
            return
        content, word = read(self.program, place), "move" if isinstance(s, ir.Move) else "show"
        by_number = s.what in ("number", "at")
        on = (*(self._held(content) if by_number else (content,)), s.amount, s.kind)
        if s.what == "at" and self._is_there(s.amount, content):
            on = self._held(content)
        up_to = Fix("Take what is there: `up to`", (ReplaceText(f"{word} up to", word=word),))
        fixes = (up_to,) if s.what in ("number", "number of") else ()
        remedy, counted = self._counted(place.variable) if by_number else (_THERE, ())
        yield Risk(f"`{place.variable}` does not hold enough", on, here, remedy, enough, (*counted, *fixes))

    def _full(self, s: ir.Move, here: _Here, room: _Proof) -> Iterator[Risk]:
        variable = self.program.variables[s.target.variable]
        target, source = read(self.program, s.target), read(self.program, s.source)
        remedy, fixes = self._counted(variable.name)
        if variable.kind == "grid":
            on: tuple[ir.Node | None, ...] = (target, s.square)
            remedy, fixes = _ROOM, ()
        elif variable.capacity is not None:
            on = (*self._held(target), s.amount)
            if s.what in ("all", "pieces") or s.up_to:
                on += self._held(source)
            elif s.what == "all of":
                on += (source, s.kind)
        else:
            return
        yield Risk(f"`{variable.name}` has no room", on, here, remedy, room, fixes)

    def _held(self, place: ir.Read) -> tuple[ir.Node, ...]:
        """What decides how many a place holds, as far as not everybody knows that anyway."""
        return place.indices if place.variable in self._counted_elsewhere else (_size(place),)

    def _is_there(self, position: ir.Expr | None, place: ir.Read) -> bool:
        """Whether a position certainly is one of the place, as long as that holds anything at all."""
        numbers = self.known.numbers
        some = (numbers.size(place).more(-1),)
        at = None if position is None else numbers.sum(position)
        return at is not None and all(numbers.certain(g, some) for g in (at.more(-1), numbers.size(place).minus(at)))

    def _counted(self, name: str) -> tuple[str, tuple[Fix, ...]]:
        """What to do where it matters how much a place holds: mostly everybody may know that."""
        variable = self.program.variables[name]
        if variable.counted or variable.seen_by == "all" or variable.element is None:
            return _THERE, ()
        fix = Fix(f"Let everybody see how many `{name}` holds: `counted`", (AtEnd(", counted", span=variable.span),))
        return f"Add `counted` where `{name}` is declared, if everybody may see how many it holds", (fix,)

    def _moved(self, s: ir.Move | ir.Pay, here: _Here) -> Iterator[Risk]:
        """What nobody is asked to prove: a number of pieces below 0, a turn that there is not, room for a payment."""
        if isinstance(s, ir.Pay):
            variable = self.program.variables[s.target.variable]
            if variable.capacity is not None:
                on = (*self._held(read(self.program, s.target)), s.cost)
                yield Risk(f"`{variable.name}` has no room", on, here, "Give it room enough")
            return
        for given, high in ((s.amount, None), (s.turn, 3)):
            if given is not None and isinstance(given.type, NumberType):
                if given.type.low < 0 or (high is not None and given.type.high > high):
                    what = "is below 0" if high is None else f"is not one of 0..{high}"
                    safe = functools.partial(self.known.not_beyond, self.known.numbers.sum(given), 0, high)
                    yield Risk(f"`{expression_text(given)}` {what}", (given,), here, _FITS, safe)

    # ------------------------------------------------------------ rules that are run

    def _passed(
        self, to: ir.Rule | ir.Definition | ir.Graph, arguments: tuple[ir.Expr, ...], here: _Here
    ) -> Iterator[Risk]:
        """That a number is passed on which is not taken."""
        name = to.id if isinstance(to, ir.Rule) else to.name
        for param, argument in zip(to.params, arguments, strict=False):
            if not may_leave(param.type, argument.type):
                continue
            on, bounds = (argument, *here.under), param.type
            if isinstance(bounds, NumberType):
                when = f"`{expression_text(argument)}` is outside {bounds.low}..{bounds.high}, which `{name}` takes"
                safe = functools.partial(self.known.fits, argument, bounds)
                yield Risk(when, on, here, _FITS, safe, _kept_within(argument, bounds))
            else:
                yield Risk(f"`{name}` is given a number that it does not take", on, here, _FITS)

    def _met(self, need: ir.Needs, rule: ir.Rule, facts: Facts) -> bool:
        if self.known.certain(need.condition, facts):
            return True
        if rule.parent is not None or rule.whenever is not None or rule.id == self.program.start:
            return False
        return all(self._met_by(node, caller, need, rule) for caller, node in self.certain.callers(rule.id))

    def _met_by(self, call: ir.Node, caller: str, need: ir.Needs, rule: ir.Rule) -> bool:
        """Whether a rule is run only where a need of it is met."""
        if not isinstance(call, (ir.Do, ir.Announce)):
            return True  # what would be is asked about where it is worked out
        return self._needed(need, rule, call.arguments, self.certain.at_call(caller, call, rule))

    def _needed(self, need: ir.Needs, rule: ir.Rule, arguments: tuple[ir.Expr, ...], facts: Facts) -> bool:
        """Whether a need is met when the rule is run with these arguments."""
        given = {param.slot: a for param, a in zip(rule.params, arguments, strict=False)}
        for condition in (rule.guard, *(other.condition for other in rule.needs)):
            if condition is need.condition:
                break
            if condition is not None:
                facts |= self.known.facts(substitute(condition, given, -1))
        return self.known.certain(substitute(need.condition, given, -1), facts)

    def _stops_it(self, after: ir.After, here: _Here) -> Risk | None:
        """What can go wrong in a rule that is supposed to run."""
        rule = self.program.rules[after.rule]
        for need in rule.needs:
            if not self._needed(need, rule, after.arguments, here.facts()):
                return Risk(f"`{need.text}` does not hold", (need.condition,), here)
        if rule.id not in self._supposed:
            self._supposed[rule.id] = None  # one that supposes itself is reported as such
            self._supposed[rule.id] = next((r for r in self._within(rule.id) if not r.safe()), None)
        return self._supposed[rule.id]

    def _within(self, rule: str) -> Iterator[Risk]:
        for id_, s in supposed_statements(self.program, rule):
            if isinstance(s, ir.Action):
                yield from self.of(s, root_of(self.program, id_), self.program.rules[id_])

    # ------------------------------------------------------------ expressions

    def _inside(self, node: ir.Node, here: _Here) -> Iterator[Risk]:
        """Of an expression or ``Binds``."""
        match node:
            case ir.Apply("and" | "or", (first, second)):
                yield from self._inside(first, here)
                yield from self._inside(second, here.beyond(first, node.op == "and"))
                return
            case ir.If():
                yield from self._inside(node.condition, here)
                yield from self._inside(node.then, here.beyond(node.condition, True))
                yield from self._inside(node.otherwise, here.beyond(node.condition, False))
                return
            case ir.Fold(binds=binds) | ir.PiecesOf(binds=ir.Binds() as binds):
                yield from self._rows(binds, isinstance(node.type, ListType), here)
                inner = here.beyond(binds, True)
                for child in children(node):
                    if child is not binds:
                        yield from self._inside(child, inner)
            case ir.Binds():
                yield from self._rows(node, True, here)
            case _:
                for child in children(node):
                    yield from self._inside(child, here)
        yield from self._stops(node, here)

    def _rows(self, binds: ir.Binds, listed: bool, here: _Here) -> Iterator[Risk]:
        """Of going through something. ``listed``: what that gives is kept in a list."""
        around = here.under
        for bind in binds.binds:
            yield from self._inside(bind.domain, here)
            here = here.beyond(bind.domain)
        for condition in (binds.passing, binds.condition):
            if condition is not None:
                yield from self._inside(condition, here)
                here = here.beyond(condition, True)
        ranges = [
            domain for bind in binds.binds if isinstance(domain := bind.domain, ir.Apply) and domain.op == "range"
        ]
        ranges = [range_ for range_ in ranges if not all(isinstance(end, ir.Const) for end in range_.arguments)]
        most = standard().members if listed else standard().work
        if ranges and prod(self._length(bind.domain) for bind in binds.binds) > most:
            yield Risk(f"there are more than {most:,} to go through", (*ranges, *around), here, _FITS)

    def _length(self, domain: ir.Expr) -> int:
        """The most members of a domain, if it tells them; else 1."""
        match domain:
            case ir.Apply("range", (low, high)):
                spread = self.known.numbers.sum(low).minus(self.known.numbers.sum(high))
                least = self.known.numbers.least(spread)
                return 1 if least is None else max(1, 1 - least)
            case ir.Apply("members") if isinstance(domain.type, ListType) and isinstance(domain.type.item, MemberType):
                return len(domain.type.item.domain)
        return 1

    def _stops(self, node: ir.Node, here: _Here) -> Iterator[Risk]:
        """Of one operation by itself."""
        on = (*children(node), *here.under)
        match node:
            case ir.Call(definition):
                yield from self._called(self.program.definitions[definition], node, here)
            case ir.AboutGraph():
                graph = self.program.graphs[node.graph]
                yield from self._passed(graph, node.arguments, here)
                if self._faults.may((graph.nodes, graph.edges)):
                    yield Risk(f"`{graph.name}` cannot be worked out", (node, *here.under), here)
            case ir.Ways():
                when = f"a way of `{node.name}` goes on for more than {node.most} steps"
                ways = (part for part in walk(node.steps) if isinstance(part, ir.Local) and part.slot == node.slot)
                rooms = [number(node.most).minus(self.known.numbers.size(way)) for way in ways][:1]
                safe = functools.partial(self._ends, node.steps, rooms)
                yield Risk(when, (node, *here.under), here, _OPEN, safe)
            case ir.After():
                yield from self._passed(self.program.rules[node.rule], node.arguments, here)
                inside = self._stops_it(node, here)
                if inside is not None:
                    yield Risk(f"{inside.when}, in `{node.rule}`", (node, *here.under), here, inside.remedy)
            case ir.Apply("div_down" | "div_up" | "mod", (_, divisor)) if isinstance(divisor.type, NumberType):
                if divisor.type.low <= 0 <= divisor.type.high:
                    yield Risk(f"`{expression_text(divisor)}` is 0", (divisor, *here.under), here)
            case ir.Apply() | ir.Fold() if not fits_word(node.type):
                yield Risk(
                    f"`{expression_text(node)}` is not a number of 32 bits",
                    on,
                    here,
                    _FITS,
                    functools.partial(self.known.fits, node, _WORD),
                )

    def _ends(self, steps: ir.Expr, room: Sequence[Sum], facts: Facts) -> bool:
        """Whether there is a further step only as long as there is room for it."""
        match steps:
            case ir.Fold(binds=binds):
                return self._has_room(room, facts | self.known.bind_facts(binds))
            case ir.Apply("joined", parts):
                return all(self._ends(part, room, facts) for part in parts)
            case ir.If(condition, then, otherwise):
                inside = facts | self.known.facts(condition), facts | self.known.facts(condition, True)
                return self._ends(then, room, inside[0]) and self._ends(otherwise, room, inside[1])
        return (isinstance(steps, ir.Const) and not steps.value) or self._has_room(room, facts)

    def _has_room(self, room: Sequence[Sum], facts: Facts) -> bool:
        return any(self.known.numbers.certain(each, sums(facts)) for each in room)

    def _called(self, definition: ir.Definition, call: ir.Call, here: _Here) -> Iterator[Risk]:
        yield from self._passed(definition, call.arguments, here)
        if definition.deep is not None:
            on = (*self._deciding(definition, call), *here.under)
            safe = functools.partial(self._runs_out, definition)
            yield Risk(f"`{definition.name}` goes too deep", on, here, proof=safe)
            if may_leave(definition.type, definition.body.type):
                yield Risk(
                    f"`{definition.name}` gives a number that is out of bounds", (call, *here.under), here, _FITS
                )
        elif self._faults.may(definition.body):
            inside = self._inside_of(definition)
            if inside is not None:
                yield Risk(f"{inside.when}, in `{definition.name}`", (call, *here.under), here, inside.remedy)

    def _runs_out(self, definition: ir.Definition, _: Facts) -> bool:
        """Whether a number gets smaller each time that a definition uses itself, and has too little room to go on."""
        again = [node for node in walk(definition.body) if isinstance(node, ir.Call) and self._is_deep(node)]
        if any(call.definition != definition.name for call in again):
            return False
        numbers = self.known.numbers
        for place, param in enumerate(definition.params):
            own, type_ = ir.Local(param.slot, param.name, param.type), param.type
            if isinstance(type_, NumberType) and type_.high - type_.low < (definition.deep or 0):
                less = (numbers.sum(own).minus(numbers.sum(call.arguments[place])).more(-1) for call in again)
                if all(numbers.certain(each, ()) for each in less):
                    return True
        return False

    def _is_deep(self, call: ir.Call) -> bool:
        return self.program.definitions[call.definition].deep is not None

    def _deciding(self, definition: ir.Definition, call: ir.Call) -> Iterator[ir.Node]:
        """What decides how deep a definition goes that uses itself."""
        yield from call.arguments
        given = {param.slot: argument for param, argument in zip(definition.params, call.arguments, strict=True)}
        for node in walk(definition.body):
            match node:
                case ir.Call() if node.definition == definition.name:
                    parts: Iterable[ir.Node] = node.arguments
                case ir.Call() if self._is_deep(node):
                    parts = (definition.body,)
                case ir.If():
                    parts = (node.condition,)
                case ir.Apply("and" | "or", (first, _)):
                    parts = (first,)
                case ir.Binds():
                    parts = (node,)
                case _:
                    continue
            yield from (substitute(part, given, -1) for part in parts)

    def _inside_of(self, definition: ir.Definition) -> Risk | None:
        """What can go wrong in a definition, whatever it is given."""
        name = definition.name
        if name not in self._defined:
            if self._depth == _DEEP:
                return Risk(f"`{name}` cannot be worked out", (), self._nowhere)
            self._depth += 1
            risks = self._inside(definition.body, self._nowhere)
            self._defined[name] = next((risk for risk in risks if not risk.safe()), None)
            self._depth -= 1
        return self._defined[name]


def _looked_at(program: ir.Program, part: ir.Action) -> Iterator[ir.Node]:
    """The expressions that a part of a rule works out by itself."""
    match part:
        case ir.Rule():
            yield from (condition for condition in (part.whenever, part.guard) if condition is not None)
        case ir.Menu():
            yield part.who
            for option in map(program.rules.__getitem__, part.options):
                if option.binds is not None:
                    yield option.binds
        case ir.Branch():
            yield part.condition
        case ir.ChooseSome():
            yield from (part.who, part.domain, part.low, *((part.high,) if part.high is not None else ()))
        case _:
            for child in children(part):
                if isinstance(child, ir.Place):
                    yield from child.indices
                elif not isinstance(child, _STATEMENTS):
                    yield child


def _size(of: ir.Expr) -> ir.Expr:
    """How many there are, as far as it matters who may know that."""
    return ir.Apply("size", (of,), NumberType(0, 0))


def _leaves(variable: ir.Variable, bounds: NumberType) -> str:
    return f"`{variable.name}` leaves {bounds.low}..{bounds.high}"


def _kept_within(value: ir.Expr, bounds: NumberType) -> tuple[Fix, ...]:
    """That a number is cut off at bounds which its type may leave."""
    given, text = value.type, expression_text(value)
    if not isinstance(given, NumberType):
        return ()
    text = text if given.high <= bounds.high else f"min({bounds.high}, {text})"
    text = text if given.low >= bounds.low else f"max({bounds.low}, {text})"
    return (Fix(f"Keep it within {bounds.low}..{bounds.high}", (ReplaceText(text, span=value.span),)),)


def root_of(program: ir.Program, rule: str) -> str:
    while program.rules[rule].parent is not None:
        rule = program.rules[rule].parent or rule
    return rule
