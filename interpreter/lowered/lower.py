"""Lowering of a Program: a unit for every rule that can be run by itself, and one for the watchers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, assert_never

from rulelang import program as ir
from rulelang.checks.visibility import told_by_faults_alone
from rulelang.program.analysis.flow import Flow, flow_of
from rulelang.program.printer import expression_text
from rulelang.program.walk import free_slots
from rulelang.source import NOWHERE, Span
from rulelang.types import FLAG, NOTHING, OptionalType, TupleType, Type

from . import code
from .cells import argument_bounds, needs_check
from .code import Block, Holds, Items, Name, Site, Suspending, Unit
from .liveness import mark_live
from .showing import Showing


def lower_program(program: ir.Program) -> dict[str, Unit]:
    """The code of every rule by its id, and that of the watchers under ``WATCHING``."""
    flow = flow_of(program)
    quiet = told_by_faults_alone(program, flow)
    units = {}
    for rule in program.rules.values():
        if rule.kind == "rule":
            root = root_of(program, rule)
            units[rule.id] = _Lowering(program, rule, root, flow, quiet).unit()
    units[code.WATCHING] = _watching(program)
    for unit in units.values():
        mark_live(unit.body)
    return units


def root_of(program: ir.Program, rule: ir.Rule) -> ir.Rule:
    """The top-level rule that contains a rule, or the rule itself; they share a frame."""
    while rule.parent is not None:
        rule = program.rules[rule.parent]
    return rule


def _watching(program: ir.Program) -> Unit:
    sites: list[Suspending] = []
    for number, name in enumerate(program.watchers):
        rule = program.rules[name]
        assert rule.whenever is not None
        sites.append(
            code.RunWatcher(
                rule=name,
                span=rule.span,
                openly=rule.openly,
                number=number,
                condition=rule.whenever,
                site=Site(number),
            )
        )
    return Unit(code.WATCHING, tuple(sites), 0, {}, tuple(sites))


class _Lowering:
    """Lowers one rule. ``root``: the rule with its frame. ``quiet``: what says ``openly`` only because of a fault."""

    def __init__(
        self,
        program: ir.Program,
        rule: ir.Rule,
        root: ir.Rule,
        flow: Flow,
        quiet: frozenset[Span],
    ) -> None:
        self.program = program
        self.quiet = quiet
        self.rule = rule
        self.root = root.id
        self.flow = flow
        self.private = flow.private[root.id]
        self.labels = {slot: frozenset(label) for slot, label in flow.frames[root.id].slots.items() if label}
        self.slots: dict[int, Holds] = {p.slot: p.type for p in root.params}
        self.size = root.frame
        self.sites: list[Suspending] = []
        self.open_rules: list[ir.Rule] = []
        self.loops: list[int] = []
        """For each loop around the current statement, the number of rules that were open when it began."""
        self.names: list[Name] = []
        self.showing = Showing(program, self._slot, self._is_known)
        for param in rule.params:
            self._name(param.name, param.slot, param.type)

    def unit(self) -> Unit:
        body = self._rule(self.rule)
        return Unit(self.rule.id, (body,), self.size, self.slots, tuple(self.sites), self.labels)

    # -- helpers

    def _at(self, span: Span = NOWHERE, openly: bool = False) -> dict[str, Any]:
        rule = self.open_rules[-1] if self.open_rules else self.rule
        span = span if span != NOWHERE else rule.span
        return {"rule": rule.id, "span": span, "openly": openly and span not in self.quiet}

    def _slot(self, holds: Holds, s: ir.Statement | None = None, kept: ir.Node | None = None) -> int:
        """A new internal slot, for what the statement works out from ``kept``."""
        self.slots[self.size] = holds
        if s is not None and kept is not None and (label := self.flow.kept(self.root, s, kept)):
            self.labels[self.size] = frozenset(label)
        self.size += 1
        return self.size - 1

    def _site(self) -> Site:
        """A new site, numbered in the order of the text; its node must be registered with ``_suspends``."""
        self.sites.append(None)  # type: ignore[arg-type]
        return Site(len(self.sites) - 1)

    def _suspends(self, node: Suspending) -> Any:
        self.sites[node.site.number] = node
        return node

    def _name(self, name: str, slot: int, type_: Type) -> None:
        """Bring the name into scope."""
        self.slots[slot] = type_
        self.names.append(Name(name, slot, type_, slot not in self.labels))

    def _named(self, binds: ir.Binds | None) -> None:
        """Bring the names of ``binds`` into scope."""
        for bind in binds.binds if binds is not None else ():
            self._name(bind.name, bind.slot, bind.type)

    @contextmanager
    def _scope(self) -> Iterator[None]:
        """A scope: names given inside are dropped at its end."""
        before = len(self.names)
        yield
        del self.names[before:]

    def _in_force(self) -> tuple[Name, ...]:
        """The names in scope that a question may mention."""
        latest = {name.name: name for name in self.names if name.name.isidentifier()}
        return tuple(latest.values())

    def _is_known(self, expr: Any) -> bool:
        """Whether everybody can work out an expression, or several."""
        return not self.flow.of(self.root, expr)

    # -- rules

    def _rule(self, rule: ir.Rule, *, option: bool = False) -> code.Inline:
        self.open_rules.append(rule)
        here = self._at(openly=rule.openly)
        needs = []
        if not option:
            for need in rule.needs:
                needs.append(code.Need(condition=need.condition, text=need.text, **self._at(need.span, need.openly)))
        with self._scope():
            body = (*self._block(rule.body), *self._leave(rule))
        self.open_rules.pop()
        guard = None if option else rule.guard
        return code.Inline(id=rule.id, guard=guard, needs=tuple(needs), noted=not option, body=body, **here)

    def _leave(self, rule: ir.Rule) -> Block:
        if not self.program.watchers:
            return ()
        return (self._suspends(code.Leave(rule=rule.id, span=rule.span, site=self._site())),)

    def _block(self, body: Sequence[ir.Statement]) -> Block:
        return tuple(node for statement in body for node in self._statement(statement))

    def _inner(self, body: Sequence[ir.Statement]) -> Block:
        with self._scope():
            return self._block(body)

    def _loop(self, body: Sequence[ir.Statement]) -> Block:
        self.loops.append(len(self.open_rules))
        block = self._inner(body)
        self.loops.pop()
        return block

    def _statement(self, s: ir.Statement) -> Block:
        match s:
            case ir.Nothing():
                return ()
            case ir.NamedRule():
                return (self._rule(self.program.rules[s.rule]),)
            case ir.Let():
                self._name(s.name, s.slot, s.value.type)
                return (code.Assign(slot=s.slot, value=s.value, **self._at(s.span, s.openly)),)
            case ir.Branch():
                return self._branch(s)
            case ir.IfThere():
                return self._if_there(s)
            case ir.Each() | ir.Together():
                return self._each(s)
            case ir.Repeat():
                return self._repeat(s)
            case ir.TakeTurns():
                return self._take_turns(s)
            case ir.Stop():
                return self._stop()
            case ir.Do():
                return (self._call(self.program.rules[s.rule], s.arguments, s),)
            case ir.Announce():
                return self._announce(s)
            case ir.EndGame():
                return (code.Finish(who=None, **self._at(s.span, s.openly)),)
            case ir.Wins():
                return (code.Finish(who=s.who, **self._at(s.span, s.openly)),)
            case ir.Choose():
                return self._choose(s)
            case ir.ChooseSome():
                return self._choose_some(s)
            case ir.Menu():
                return self._menu(s)
            case ir.Pay():
                return self.showing.around(s, self._pay(s), self._at(s.span))
            case ir.Show():
                with self._scope():
                    self._named(s.seats)
                    return self.showing.show(s, self._at(s.span, s.openly))
            case ir.SetValue() | ir.Change() | ir.Score() | ir.Shuffle() | ir.Roll() | ir.Move():
                return self.showing.around(s, self._change(s), self._at(s.span))
            case _:
                assert_never(s)

    # -- steering

    def _branch(self, s: ir.Branch) -> Block:
        at = self._at(s.condition.span, s.openly)
        if isinstance(s.condition, ir.Const):
            return self._inner(s.then if s.condition.value else s.otherwise)
        then, otherwise = self._inner(s.then), self._inner(s.otherwise)
        return (code.Branch(condition=s.condition, then=then, otherwise=otherwise, **at),)

    def _if_there(self, s: ir.IfThere) -> Block:
        """The first combination is kept as a whole, and taken apart where there is one."""
        at = self._at(s.span, s.openly)
        each = s.binds.binds
        whole = TupleType(tuple(bind.type for bind in each))
        found = OptionalType(whole)
        locals_ = tuple(ir.Local(bind.slot, bind.name, bind.type, span=bind.span) for bind in each)
        first = ir.Fold("first", ir.Apply("tuple", locals_, whole, span=s.span), s.binds, found, span=s.binds.span)
        kept = ir.Local(self._slot(found, s, s.binds), "what there is", found, span=s.span)
        there = ir.Apply("is_not", (kept, ir.Const(None, NOTHING)), FLAG, span=s.span)
        with self._scope():
            self._named(s.binds)
            parts = (ir.PartOf(kept, i, bind.name, bind.type, span=bind.span) for i, bind in enumerate(each))
            taken = [code.Assign(slot=b.slot, value=part, **at) for b, part in zip(each, parts, strict=True)]
            then = (*taken, *self._block(s.then))
        otherwise = self._inner(s.otherwise)
        return (
            code.Assign(slot=kept.slot, value=first, **at),
            code.Branch(condition=there, then=then, otherwise=otherwise, **at),
        )

    def _each(self, s: ir.Each | ir.Together) -> Block:
        at = self._at(s.span, s.openly)
        items, position = self._slot(Items(tuple(b.type for b in s.binds.binds)), s, s.binds), self._slot(None)
        site = self._site() if isinstance(s, ir.Together) else None
        with self._scope():
            self._named(s.binds)
            body = self._loop(s.body)
        if site is None:
            return (code.Each(binds=s.binds, items=items, position=position, body=body, **at),)
        node = code.Together(binds=s.binds, items=items, position=position, body=body, site=site, **at)
        return (self._suspends(node),)

    def _repeat(self, s: ir.Repeat) -> Block:
        at = self._at(s.span, s.openly)
        counter = self._slot(None, s, s.value)
        if s.word == "at most":
            return (code.Repeat(value=s.value, left=counter, body=self._loop(s.body), carries=s.carries, **at),)
        text = expression_text(s.value)
        return (code.RepeatFalling(measure=s.value, text=text, last=counter, body=self._loop(s.body), **at),)

    def _take_turns(self, s: ir.TakeTurns) -> Block:
        at = self._at(s.span, s.openly)
        with self._scope():
            self._name(s.name, s.slot, s.start.type)
            body = self._loop(s.body)
        node = code.TakeTurns(
            slot=s.slot,
            start=s.start,
            following=s.following,
            clockwise=s.clockwise,
            until=s.until,
            out=s.out,
            nobody=s.nobody,
            body=body,
            **at,
        )
        return (node,)

    def _stop(self) -> Block:
        # Leaving the loop ends the rules and options that began inside it. A rule run by itself may stop a loop that
        # surrounds it in the text: then the rule ends.
        depth = self.loops[-1] if self.loops else 0
        leaves = [node for rule in reversed(self.open_rules[depth:]) for node in self._leave(rule)]
        return (*leaves, code.Break(**self._at()) if self.loops else code.Return(**self._at()))

    def _call(self, rule: ir.Rule, arguments: Sequence[ir.Expr], s: ir.Do | ir.Announce) -> code.Call:
        bounds = tuple(argument_bounds(p.type, a.type) for p, a in zip(rule.params, arguments, strict=True))
        found = code.Call(
            unit=rule.id,
            arguments=tuple(arguments),
            bounds=bounds,
            site=self._site(),
            **self._at(s.span, s.openly),
        )
        self._suspends(found)
        return found

    def _announce(self, s: ir.Announce) -> Block:
        handlers = [self.program.rules[name] for name in self.program.handlers.get(s.event, ())]
        if not handlers:
            return ()
        # The values are those at the announcement, whatever the first handlers change.
        found: list[code.Code] = []
        given: list[ir.Expr] = []
        for argument in s.arguments:
            slot = self._slot(argument.type, s, argument)
            found.append(code.Assign(slot=slot, value=argument, **self._at(s.span, s.openly)))
            given.append(ir.Local(slot, f"value {len(given) + 1}", argument.type, span=s.span))
        return (*found, *(self._call(handler, given[: len(handler.params)], s) for handler in handlers))

    # -- asking

    def _choose(self, s: ir.Choose) -> Block:
        at = self._at(s.span, s.openly)
        site, names = self._site(), self._in_force()
        hidden = bool(self.private & {bind.slot for bind in s.binds.binds})
        body: Block | None = None
        otherwise: Block = ()
        if s.body is None:
            self._named(s.binds)
        else:
            with self._scope():
                self._named(s.binds)
                body = self._block(s.body)
            otherwise = self._inner(s.otherwise)
        node = code.Choose(
            site=site,
            who=s.who,
            hidden=hidden,
            names=names,
            binds=s.binds,
            may=s.may,
            some=s.some,
            body=body,
            otherwise=otherwise,
            **at,
        )
        return (self._suspends(node),)

    def _choose_some(self, s: ir.ChooseSome) -> Block:
        if s.body is None:
            return self._block(s.asks)
        with self._scope():
            asks = self._block(s.asks)
            body = self._block(s.body)
        otherwise = self._inner(s.otherwise)
        at = self._at(s.span, s.openly)
        return (*asks, code.Branch(condition=s.taken, then=body, otherwise=otherwise, **at))

    def _menu(self, s: ir.Menu) -> Block:
        at = self._at(s.span, s.openly)
        site, names = self._site(), self._in_force()
        items = []
        slots: set[int] = set()
        for rule in (self.program.rules[name] for name in s.options):
            conditions = [need.condition for need in rule.needs]
            if rule.guard is not None:
                conditions.insert(0, rule.guard)
            with self._scope():
                self._named(rule.binds)
                items.append(code.Item(rule, tuple(conditions), self._rule(rule, option=True)))
            slots |= {bind.slot for bind in rule.binds.binds} if rule.binds is not None else set()
        node = code.Menu(
            site=site,
            who=s.who,
            hidden=bool(self.private & slots),
            names=names,
            items=tuple(items),
            otherwise=None if s.otherwise is None else self._inner(s.otherwise),
            **at,
        )
        return (self._suspends(node),)

    def _pay(self, s: ir.Pay) -> code.Pay:
        source, target = self.program.variables[s.source.variable], self.program.variables[s.target.variable]
        node = code.Pay(
            known=not source.exchanges and s.less is None and self._is_known(s.cost),
            site=self._site(),
            who=s.who,
            hidden=source.seen_by != "all" and target.seen_by != "all",
            names=self._in_force(),
            cost=s.cost,
            less=s.less,
            source=s.source,
            target=s.target,
            exchanges=source.exchanges,
            **self._at(s.span, s.openly),
        )
        self._suspends(node)
        return node

    # -- changing cells

    def _change(self, s: ir.SetValue | ir.Change | ir.Score | ir.Shuffle | ir.Roll | ir.Move) -> code.Code:
        at = self._at(s.span, s.openly)
        match s:
            case ir.SetValue(target, value):
                variable = self.program.variables[target.variable]
                checked = variable.capacity is not None or needs_check(variable.type, value.type)
                return code.SetCell(target=target, value=value, checked=checked, **at)
            case ir.Change(target, sign, amount):
                return code.ChangeCell(target=target, sign=sign, amount=amount, **at)
            case ir.Score(who, sign, amount):
                if self.program.score is None:
                    raise ValueError(f"{at['rule']}: points are scored, but no variable keeps the score")
                return code.ScorePoints(
                    secret=free_slots(amount) & self.labels.keys(),
                    variable=self.program.score,
                    who=who,
                    sign=sign,
                    amount=amount,
                    **at,
                )
            case ir.Shuffle(place):
                return code.ShuffleStack(place=place, **at)
            case ir.Roll(binds):
                self._named(binds)
                hidden = bool(self.private & {bind.slot for bind in binds.binds})
                return code.RollChance(binds=binds, hidden=hidden, **at)
            case ir.Move():
                # Exactly so many pieces move, or the rules cannot go on.
                exact = not s.up_to and s.what not in ("all", "all of")
                return code.MovePieces(
                    known=exact and (s.what == "at" or self._is_known(s.amount)),
                    what=s.what,
                    amount=s.amount,
                    kind=s.kind,
                    up_to=s.up_to,
                    source=s.source,
                    target=s.target,
                    square=s.square,
                    turn=s.turn,
                    **at,
                )
            case _:
                assert_never(s)
