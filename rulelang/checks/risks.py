"""Risks: where a part of a rule may stop the game with a fault, what decides that, and what proves that it cannot.

A fault is seen by everybody, and the position stays as it was. So whoever may choose what leads to one, and asks again
and again, learns what decides it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import prod
from typing import get_args

import attrs

from .. import program as ir
from ..fixes import Fix, Replace
from ..limits import standard
from ..program.analysis.faults import Faults, fits_word, may_leave
from ..program.analysis.index import Index
from ..program.analysis.supposing import supposed_statements
from ..program.printer import expression_text
from ..program.walk import children, substitute, walk
from ..types import FLAG, ListType, MemberType, NumberType
from .certain import Certain, passed_on
from .facts import NEVER, Facts, Knowledge, all_of, read, sums
from .inequalities import Sum, number
from .shortage import Supply

_STATEMENTS = get_args(ir.Statement)
_WORD = NumberType(-(2**31), 2**31 - 1)
_DEEP = 20  # definitions that are looked into one inside another
_OPEN = "Look only at what everybody can see"
_FITS = "Offer only what fits (`where`, `needs`), keep it within the bounds with `min` or `max`"
_THERE = "Offer only what is there (`where`, `needs`)"


@attrs.frozen
class Risk:
    """``when``: goes on "The game stops if ..."; ``on``: what decides it; ``safe``: proves that it never happens.

    ``remedy``: what to do about it; ``fixes`` do it.
    """

    when: str
    on: tuple[ir.Node | None, ...]
    remedy: str = _OPEN
    safe: Callable[[], bool] = lambda: False
    fixes: tuple[Fix, ...] = ()


@attrs.frozen
class _Here:
    """Where an expression is worked out. ``under``: what decides whether that happens at all."""

    facts: Facts
    under: tuple[ir.Node, ...] = ()

    def beyond(self, node: ir.Node, facts: Facts) -> _Here:
        return _Here(self.facts | facts, (*self.under, node))


class Risks:
    """Finds the risks in one program. Each rule is followed once."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.program = index.program
        self.known = Knowledge(index.program)
        self.supply = Supply(index.program, self.known)
        self._faults = Faults(index.program)
        self._certain: dict[str, Certain] = {}
        self._supposed: dict[str, Risk | None] = {}
        self._defined: dict[str, Risk | None] = {}
        self._depth = 0

    def facts(self, root: str, part: ir.Node) -> Facts:
        """What is certain at a part of a top-level rule."""
        if root not in self._certain:
            self._certain[root] = Certain.of(self.index, root)  # for what runs itself
            self._certain[root] = Certain.of(self.index, root, self._before(root))
        return self._certain[root].at(part)

    def _before(self, root: str) -> Facts:
        """What is certain wherever a rule is run."""
        rule = self.program.rules[root]
        calls = [] if rule.whenever is not None or root == self.program.start else list(self._callers(root))
        every: Facts | None = None
        for caller, call in calls:
            found: Facts = frozenset()
            if isinstance(call, (ir.Do, ir.Announce)):
                found = passed_on(self._at_call(caller, call, rule), rule, call.arguments)
            every = found if every is None else every & found
        return every or frozenset()

    def _at_call(self, caller: str, call: ir.Do | ir.Announce, rule: ir.Rule) -> Facts:
        """What is certain when a rule is run from somewhere; others that wait for the same event may run before it."""
        if isinstance(call, ir.Announce) and self.program.handlers[call.event][0] != rule.id:
            return frozenset()
        return self.facts(caller, call)

    def of(self, part: ir.Action, root: str, rule: ir.Rule) -> Iterator[Risk]:
        """Those of a statement, a need or the head of a rule, without the statements inside it."""
        facts = self.facts(root, part)
        if NEVER in facts:
            return
        yield from self._expressions(_looked_at(self.program, part), facts)
        match part:
            case ir.Needs() if rule.kind == "rule":
                on = (part.condition,)
                safe = self._met(part, rule, facts)
                yield Risk(f"`{part.text}` does not hold", on, "Ask for it wherever the rule is run", safe)
            case ir.SetValue(target, value):
                yield from self._set(part, target, value, facts)
            case ir.Change(target, sign, amount):
                yield from self._changed(target, sign, amount, facts, part)
            case ir.Score(who, sign, amount) if self.program.score is not None:
                yield from self._changed(ir.Place(self.program.score, (who,), span=part.span), sign, amount, facts)
            case ir.Move() | ir.Show() | ir.Pay() | ir.Choose() | ir.ChooseSome() | ir.Menu() | ir.Roll():
                if part.surely:
                    yield from self._vouched(part, facts)
                if isinstance(part, (ir.Move, ir.Pay)):
                    yield from self._moved(part, facts)
            case ir.Do():
                yield from self._passed(self.program.rules[part.rule], part.arguments, _Here(facts))
            case ir.Announce():
                for handler in self.program.handlers.get(part.event, ()):
                    yield from self._passed(self.program.rules[handler], part.arguments, _Here(facts))
            case ir.Repeat("falling", value):
                yield Risk(f"`{expression_text(value)}` does not fall with each pass", (value,))
            case ir.Repeat("at most", value) if isinstance(value.type, NumberType):
                if value.type.high > standard().work:
                    yield Risk(f"there are more than {standard().work:,} passes", (value,))

    # ------------------------------------------------------------ statements

    def _set(self, s: ir.SetValue, target: ir.Place, value: ir.Expr, facts: Facts) -> Iterator[Risk]:
        variable = self.program.variables[target.variable]
        cell = read(self.program, target)
        if isinstance(variable.type, NumberType) and isinstance(value.type, NumberType):
            yield from self._leaves(variable, self.known.numbers.sum(value), facts, (value,), self._kept(s, value))
        elif may_leave(variable.type, value.type):
            yield Risk(f"`{variable.name}` takes in a number that is out of bounds", (value,), _FITS)
        if variable.kind == "value" and variable.capacity is not None and not variable.rolling:
            length, room = self.known.numbers.length(value), variable.capacity
            size = ir.Apply("size", (value,), NumberType(0, room))
            yield Risk(
                f"`{expression_text(cell)}` is full",
                (size,),
                "Ask for room first (`needs`, `where`)",
                lambda: length is not None and self.known.not_beyond(length, None, room, facts),
            )

    def _changed(
        self, target: ir.Place, sign: int, amount: ir.Expr, facts: Facts, s: ir.Change | None = None
    ) -> Iterator[Risk]:
        cell = read(self.program, target)
        variable = self.program.variables[target.variable]
        after = self.known.numbers.sum(cell).plus(self.known.numbers.sum(amount), sign)
        new = ir.Apply("+" if sign > 0 else "-", (cell, amount), amount.type)
        yield from self._leaves(variable, after, facts, (cell, amount), self._kept(s, new) if s is not None else ())

    def _leaves(
        self, variable: ir.Variable, total: Sum, facts: Facts, on: tuple[ir.Expr, ...], kept: tuple[Fix, ...]
    ) -> Iterator[Risk]:
        type_ = variable.type
        assert isinstance(type_, NumberType)
        low = type_.low if variable.not_below is None else None
        high = type_.high if variable.not_above is None else None
        when = f"`{variable.name}` leaves {type_.low}..{type_.high}"
        yield Risk(when, on, _FITS, lambda: self.known.not_beyond(total, low, high, facts), kept)

    def _kept(self, s: ir.SetValue | ir.Change, value: ir.Expr) -> tuple[Fix, ...]:
        """That a number stays within the bounds of the variable that it goes to."""
        type_ = self.program.variables[s.target.variable].type
        assert isinstance(type_, NumberType)
        given, text = value.type, expression_text(value)
        if isinstance(given, NumberType) and isinstance(s, ir.SetValue):
            text = text if given.high <= type_.high else f"min({type_.high}, {text})"
            text = text if given.low >= type_.low else f"max({type_.low}, {text})"
            return (Fix(f"Keep it within {type_.low}..{type_.high}", (Replace(text, span=value.span),)),)
        text = f"min({type_.high}, {text})" if isinstance(s, ir.Change) and s.sign > 0 else f"max({type_.low}, {text})"
        line = f"set {expression_text(read(self.program, s.target))} to {text}"
        return (Fix(f"Keep it within {type_.low}..{type_.high}", (Replace(line),)),)

    def _vouched(
        self, s: ir.Move | ir.Show | ir.Pay | ir.Choose | ir.ChooseSome | ir.Menu | ir.Roll, facts: Facts
    ) -> Iterator[Risk]:
        """Of what only its author vouches for; all else has a proof, or is reported as a shortage."""

        def safe(*codes: str) -> bool:
            return not any(short.code in (codes or ("R0502",)) for short in self.supply.shortages(s, facts))

        match s:
            case ir.Move():
                yield from self._short(s, s.source, safe)
                yield from self._full(s, lambda: safe("R0503"))
            case ir.Show():
                yield from self._short(s, s.place, safe)
            case ir.Pay():
                on: tuple[ir.Node | None, ...] = (read(self.program, s.source), s.cost, s.less)
                remedy = "Add `needs ... covers ...` with the same cost"
                yield Risk(f"`{s.source.variable}` does not hold enough for this payment", on, remedy, safe)
            case ir.Choose() if s.some is None:
                on = (self.any(s.binds),)
                yield Risk("there is nothing to choose", on, "Let there always be something to choose", safe)
            case ir.ChooseSome():
                on = (ir.Apply("size", (s.domain,), NumberType(0, 0)), s.low)
                if s.filtered:
                    on = tuple(part.value for part in s.asks if isinstance(part, ir.Let))
                yield Risk("there are not enough to choose from", on, "Write `up to ...`", safe)
            case ir.Menu():
                remedy = "Add an option that is always possible"
                yield Risk("none of these options is possible", self.possible(s), remedy, safe)
            case ir.Roll():
                on = (self.any(s.binds),)
                yield Risk("there is nothing to roll", on, "Let there always be something to roll", safe)

    def possible(self, s: ir.Menu) -> tuple[ir.Node, ...]:
        """What decides whether any option is possible, without what is disclosed anyway."""
        found: list[ir.Node] = []
        for option in map(self.program.rules.__getitem__, s.options):
            needs = [need.condition for need in option.needs if not need.openly]
            if option.binds is None:
                found += needs
                continue
            conditions = [*needs, *([] if option.binds.condition is None else [option.binds.condition])]
            found.append(self.any(attrs.evolve(option.binds, condition=all_of(conditions))))
        return tuple(found)

    def any(self, binds: ir.Binds) -> ir.Expr:
        """Whether there is any combination; a condition that some member meets anyway decides nothing."""
        return ir.Fold("some", None, self.known.decisive(binds), FLAG)

    def always_asked(self, s: ir.Menu | ir.Choose, root: str) -> bool:
        """Whether there certainly is something to choose."""
        facts = self.facts(root, s)
        return (
            self.known.some_certain(s.binds, facts)
            if isinstance(s, ir.Choose)
            else self.supply.always_possible(s, facts)
        )

    def _short(self, s: ir.Move | ir.Show, place: ir.Place, safe: Callable[[], bool]) -> Iterator[Risk]:
        if s.what in (None, "all", "all of") or s.up_to:
            return
        content = read(self.program, place)
        counted = s.what in ("number", "at")
        what = ir.Apply("size", (content,), NumberType(0, 0)) if counted else content
        up_to = s.what in ("number", "number of")
        word = "move" if isinstance(s, ir.Move) else "show"
        fix = Fix("Take what is there: `up to`", (Replace(f"{word} up to", word=word),))
        yield Risk(
            f"`{place.variable}` does not hold enough",
            (what, s.amount, s.kind),
            "Write `up to ...`, choose from what is there" if up_to else _THERE,
            safe,
            (fix,) if up_to else (),
        )

    def _full(self, s: ir.Move, safe: Callable[[], bool]) -> Iterator[Risk]:
        variable = self.program.variables[s.target.variable]
        target, source = read(self.program, s.target), read(self.program, s.source)
        if variable.kind == "grid":
            on: tuple[ir.Node | None, ...] = (target, s.square)
        elif variable.capacity is not None or variable.kind == "slot":
            on = (ir.Apply("size", (target,), NumberType(0, 0)), s.amount)
            if s.what in ("all", "pieces") or s.up_to:
                on += (ir.Apply("size", (source,), NumberType(0, 0)),)
            elif s.what == "all of":
                on += (source, s.kind)
        else:
            return
        yield Risk(f"`{variable.name}` has no room", on, "Ask for room first (`needs`, `where`)", safe)

    def _moved(self, s: ir.Move | ir.Pay, facts: Facts) -> Iterator[Risk]:
        """What nobody is asked to prove: a number of pieces below 0, a turn that there is not, room for a payment."""
        if isinstance(s, ir.Pay):
            variable = self.program.variables[s.target.variable]
            if variable.capacity is not None:
                size = ir.Apply("size", (read(self.program, s.target),), NumberType(0, 0))
                yield Risk(f"`{variable.name}` has no room", (size, s.cost), "Give it room enough")
            return
        for given, high in ((s.amount, None), (s.turn, 3)):
            if given is not None and isinstance(given.type, NumberType):
                if given.type.low < 0 or (high is not None and given.type.high > high):
                    what = "is below 0" if high is None else f"is not one of 0..{high}"
                    safe = functools.partial(self.known.not_beyond, self.known.numbers.sum(given), 0, high, facts)
                    yield Risk(f"`{expression_text(given)}` {what}", (given,), _FITS, safe)

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
                safe = functools.partial(self.known.fits, argument, bounds, here.facts)
                yield Risk(when, on, _FITS, safe)
            else:
                yield Risk(f"`{name}` is given a number that it does not take", on, _FITS)

    def _met(self, need: ir.Needs, rule: ir.Rule, facts: Facts) -> Callable[[], bool]:
        def met() -> bool:
            if self.known.certain(need.condition, facts):
                return True
            if rule.parent is not None or rule.whenever is not None or rule.id == self.program.start:
                return False
            return all(self._met_by(node, caller, need, rule) for caller, node in self._callers(rule.id))

        return met

    def _met_by(self, call: ir.Node, caller: str, need: ir.Needs, rule: ir.Rule) -> bool:
        """Whether a rule is run only where a need of it is met."""
        if not isinstance(call, (ir.Do, ir.Announce)):
            return True  # what would be is asked about where it is worked out
        return self._needed(need, rule, call.arguments, self._at_call(caller, call, rule))

    def _needed(self, need: ir.Needs, rule: ir.Rule, arguments: tuple[ir.Expr, ...], facts: Facts) -> bool:
        """Whether a need is met when the rule is run with these arguments."""
        given = {param.slot: a for param, a in zip(rule.params, arguments, strict=False)}
        for condition in (rule.guard, *(other.condition for other in rule.needs)):
            if condition is need.condition:
                break
            if condition is not None:
                facts |= self.known.facts(substitute(condition, given, -1))
        return self.known.certain(substitute(need.condition, given, -1), facts)

    def _callers(self, rule: str) -> Iterator[tuple[str, ir.Node]]:
        for root in self.index.top_level:
            for called, node, _ in self.index.called[root]:
                if called == rule:
                    yield root, node

    def _stops_it(self, after: ir.After, facts: Facts) -> Risk | None:
        """What can go wrong in a rule that is supposed to run."""
        rule = self.program.rules[after.rule]
        for need in rule.needs:
            if not self._needed(need, rule, after.arguments, facts):
                return Risk(f"`{need.text}` does not hold", (need.condition,))
        if rule.id not in self._supposed:
            self._supposed[rule.id] = None  # one that supposes itself is reported as such
            self._supposed[rule.id] = next((r for r in self._within(rule.id) if not r.safe()), None)
        return self._supposed[rule.id]

    def _within(self, rule: str) -> Iterator[Risk]:
        for id_, s in supposed_statements(self.program, rule):
            if isinstance(s, ir.Action):
                yield from self.of(s, root_of(self.program, id_), self.program.rules[id_])

    # ------------------------------------------------------------ expressions

    def _expressions(self, nodes: Iterable[ir.Node], facts: Facts) -> Iterator[Risk]:
        for node in nodes:
            yield from self._inside(node, _Here(facts))

    def _inside(self, node: ir.Node, here: _Here) -> Iterator[Risk]:
        """Of an expression or ``Binds``."""
        match node:
            case ir.Apply("and" | "or", (first, second)):
                yield from self._inside(first, here)
                yield from self._inside(second, here.beyond(first, self.known.facts(first, node.op == "or")))
                return
            case ir.If():
                yield from self._inside(node.condition, here)
                yield from self._inside(node.then, here.beyond(node.condition, self.known.facts(node.condition)))
                negated = self.known.facts(node.condition, True)
                yield from self._inside(node.otherwise, here.beyond(node.condition, negated))
                return
            case ir.Fold(binds=binds) | ir.PiecesOf(binds=ir.Binds() as binds):
                yield from self._rows(binds, isinstance(node.type, ListType), here)
                inner = here.beyond(binds, self.known.bind_facts(binds))
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
            here = here.beyond(bind.domain, frozenset())
        for condition in (binds.passing, binds.condition):
            if condition is not None:
                yield from self._inside(condition, here)
                here = here.beyond(condition, self.known.facts(condition))
        ranges = [bind.domain for bind in binds.binds if _is_open_range(bind.domain)]
        most = standard().members if listed else standard().work
        if ranges and prod(self._length(bind.domain) for bind in binds.binds) > most:
            yield Risk(f"there are more than {most:,} to go through", (*ranges, *around), _FITS)

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
            case ir.GroupOf() | ir.Groups() | ir.LongestTrail() | ir.ByLength():
                graph = self.program.graphs[node.graph]
                yield from self._passed(graph, node.arguments, here)
                if self._faults.may((graph.nodes, graph.edges)):
                    yield Risk(f"`{graph.name}` cannot be worked out", (node, *here.under))
            case ir.Ways():
                when = f"a way of `{node.name}` goes on for more than {node.most} steps"
                ways = (part for part in walk(node.steps) if isinstance(part, ir.Local) and part.slot == node.slot)
                rooms = [number(node.most).minus(self.known.numbers.size(way)) for way in ways][:1]
                safe = functools.partial(self._ends, node.steps, rooms, here.facts)
                yield Risk(when, (node, *here.under), _OPEN, safe)
            case ir.After():
                yield from self._passed(self.program.rules[node.rule], node.arguments, here)
                inside = self._stops_it(node, here.facts)
                if inside is not None:
                    yield Risk(f"{inside.when}, in `{node.rule}`", (node, *here.under), inside.remedy)
            case ir.Apply("div_down" | "div_up" | "mod", (_, divisor)) if isinstance(divisor.type, NumberType):
                if divisor.type.low <= 0 <= divisor.type.high:
                    yield Risk(f"`{expression_text(divisor)}` is 0", (divisor, *here.under))
            case ir.Apply() | ir.Fold() if not fits_word(node.type):
                yield Risk(
                    f"`{expression_text(node)}` is not a number of 32 bits",
                    on,
                    _FITS,
                    lambda: self.known.fits(node, _WORD, here.facts),
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
            yield Risk(f"`{definition.name}` goes too deep", on, safe=safe)
            if may_leave(definition.type, definition.body.type):
                yield Risk(f"`{definition.name}` gives a number that is out of bounds", (call, *here.under), _FITS)
        elif self._faults.may(definition.body):
            inside = self._inside_of(definition)
            if inside is not None:
                yield Risk(f"{inside.when}, in `{definition.name}`", (call, *here.under), inside.remedy)

    def _runs_out(self, definition: ir.Definition) -> bool:
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
                return Risk(f"`{name}` cannot be worked out", ())
            self._depth += 1
            risks = self._inside(definition.body, _Here(frozenset()))
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


def _is_open_range(domain: ir.Expr) -> bool:
    return (
        isinstance(domain, ir.Apply)
        and domain.op == "range"
        and not all(isinstance(end, ir.Const) for end in domain.arguments)
    )


def root_of(program: ir.Program, rule: str) -> str:
    while program.rules[rule].parent is not None:
        rule = program.rules[rule].parent or rule
    return rule
