"""Code for rules: their statements, and where a game stops for a decision.

A rule becomes a function that gives a status: DONE, OVER_NOW when the game has ended, or ASKED when somebody must
decide. There are two ways to write it. In a *playout* a decision is made at once, by chance. In a *step* the function
saves what is still needed in the state and returns ASKED; called again while ``$resume`` is set, it takes that back,
skips to the statement where it was, and goes on. The places where it can be are numbered like the instructions of the
reference engine, and the same locals are saved, so that a state means the same to both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from rulelang import program as ir_
from rulelang.source import Span
from rulelang.types import MemberType, NumberType, OptionalType, TupleType, Type

from ...position import secrets as ref_secrets
from ...position.cells import needs_check
from ...reference import asks as ref_asks
from ...reference import code as ref_code
from ..emit import ir
from ..emit.ir import Builder, E
from ..expr import values
from ..expr.expressions import Writer
from ..expr.iteration import COPIES
from ..expr.values import Val
from ..layout.places import (
    ASKED,
    DIRTY,
    DONE,
    OVER_NOW,
    SECRET,
    STATE,
    TRACE,
    TRACE_LENGTH,
    TRACE_ROOM,
    TURNS,
    WATCHING,
)
from ..layout.shapes import WORD, components, words
from . import changes, decisions, frames, together

if TYPE_CHECKING:
    from .module import Module

Instruction = TypeVar("Instruction", bound=ref_code.Instruction)

_FOLLOWED = (
    ref_asks.Ask,
    ref_code.CallRule,
    ref_code.Leave,
    ref_code.Assign,
    ref_code.StartEach,
    ref_code.NextPass,
    ref_code.CheckFalling,
    ref_secrets.BeginTogether,
    ref_secrets.BeginPart,
)


@attrs.define
class _Loop:
    """``depth``: how many rules were open when the loop began."""

    end: str
    depth: int


@attrs.define
class Place:
    """Whose text is being written."""

    rule: str
    span: Span


class RuleWriter(Writer):
    """Writes one rule that stands by itself, with the rules and options inside it."""

    def __init__(self, module: Module, builder: Builder, rule: ir_.Rule) -> None:
        super().__init__(module, builder)
        self.rule = rule
        self.steps = module.steps
        self.unit = module.book.units[rule.id]
        self.cursor = -1
        self.slots: dict[int, tuple[Type, list[int]]] = {}
        self.env: dict[int, Val] = {}
        self.open_rules: list[ir_.Rule] = []
        self.loops: list[_Loop] = []
        self.sites: list[int] = []
        self.suspends = self.steps and module.may_ask(rule)
        self.kept_slots: dict[int, list[int]] = {}
        self.place = Place(rule.id, rule.span)

    # -- the function

    def write(self) -> None:
        b = self.b
        local = 0
        for param in self.rule.params:
            locals_ = list(range(local, local + len(components(param.type))))
            local += len(locals_)
            self.slots[param.slot] = (param.type, locals_)
            self.env[param.slot] = self.of_locals(param.type, locals_)
        self.resume = b.local()
        mark = b.local()
        outer = b.out
        b.out = []
        self.write_rule(self.rule)
        body, b.out = b.out, outer
        if self.suspends:
            frames.write_entry(self)
        if self.module.takes_room(body):
            b.set(mark, ir.global_("top"))
            b.out.extend(body)
            b.set_global("top", b.get(mark))
        else:
            b.out.extend(body)
        b.ret(ir.const(DONE))

    def follow(self, kind: type[Instruction]) -> tuple[int, Instruction]:
        """The next instruction of the reference engine's code that this writer keeps step with, and its place."""
        code = self.unit.code
        self.cursor += 1
        while not isinstance(code[self.cursor], _FOLLOWED):
            self.cursor += 1
        found = code[self.cursor]
        assert isinstance(found, kind), f"{self.rule.id}: {type(found).__name__} where {kind.__name__} was expected"
        return self.cursor, found

    # -- slots of the frame

    def slot(self, slot: int, type_: Type) -> list[int]:
        """The locals of a slot, which may be set many times."""
        if slot not in self.slots:
            self.slots[slot] = (type_, self.locals_for(type_))
        self.env[slot] = self.of_locals(*self.slots[slot])
        return self.slots[slot][1]

    def assign(self, slot: int, value: Val) -> None:
        self.set_all(self.slot(slot, value.type), value)

    # -- resuming

    def guarded(self, asks: bool, write: Callable[[], None]) -> None:
        """Writes statements that are skipped while the place to resume at is still to come."""
        if not self.suspends:
            write()
            return
        outer = self.b.out
        self.b.out = []
        first = len(self.sites)
        write()
        inner, self.b.out = self.b.out, outer
        if asks and len(self.sites) > first:
            condition = ir.le(self.b.get(self.resume), ir.const(self.sites[-1] + 1))
        else:
            condition = ir.not_(self.b.get(self.resume))
        self.b.out.append(("if", condition, inner, []))

    def fresh(self, write: Callable[[], None]) -> None:
        """Writes what is done only when the function does not resume."""
        if not self.suspends:
            write()
        else:
            with self.b.if_(ir.not_(self.b.get(self.resume))):
                write()

    def statements(self, body: Sequence[ir_.Statement]) -> None:
        waiting: list[ir_.Statement] = []

        def flush() -> None:
            if waiting:
                now = list(waiting)
                waiting.clear()
                self.guarded(False, lambda: self._one_by_one(now))

        for statement in body:
            if self.suspends and self.module.statement_asks(statement):
                flush()
                self.guarded(True, lambda s=statement: self.statement(s))  # type: ignore[misc]
            else:
                waiting.append(statement)
        flush()

    def _one_by_one(self, body: Sequence[ir_.Statement]) -> None:
        for statement in body:
            self.statement(statement)

    # -- rules

    def write_rule(self, rule: ir_.Rule, *, option: bool = False) -> None:
        self.open_rules.append(rule)
        outer, self.place = self.place, Place(rule.id, rule.span)
        with self.b.block() as skip:
            if not option and (rule.guard is not None or rule.needs):
                self.fresh(lambda: self._entry(rule, skip))
            self.fresh(lambda: self._enter(rule))
            self.statements(rule.body)
            self.leave(rule)
        self.open_rules.pop()
        self.place = outer

    def _entry(self, rule: ir_.Rule, skip: str) -> None:
        if rule.guard is not None:
            self.unless(rule.guard, self.env, skip)
        for need in rule.needs:
            outer, self.place = self.place, Place(rule.id, need.span)
            with self.b.if_(ir.not_(self.flag(need.condition, self.env))):
                self.fault("need", text=need.text)
            self.place = outer

    def _enter(self, rule: ir_.Rule) -> None:
        number = self.module.numbers[rule.id]
        at = self.memory.fired + WORD * number
        self.b.store(ir.ZERO, ir.add(ir.load(ir.ZERO, at), ir.ONE), at)
        if self.steps and rule.kind == "rule":
            scratch = self.memory.scratch
            length = self.b.fix(ir.load(ir.ZERO, scratch + TRACE_LENGTH))
            with self.b.if_(ir.lt(length, ir.const(TRACE_ROOM))):
                self.b.store(ir.mul(length, ir.const(2)), ir.const(number), scratch + TRACE, "16")
            self.b.store(ir.ZERO, ir.add(length, ir.ONE), scratch + TRACE_LENGTH)

    def leave(self, rule: ir_.Rule) -> None:
        """The end of a rule: watchers are tested when something has changed."""
        if not self.program.watchers:
            self.follow(ref_code.Leave)
            return
        place, _ = self.follow(ref_code.Leave)

        def watch() -> None:
            dirty = ir.load(ir.ZERO, STATE + DIRTY)
            idle = ir.not_(E("i32.or", "i32", (ir.load(ir.ZERO, STATE + WATCHING), ir.load(ir.ZERO, STATE + SECRET))))
            condition = ir.both(dirty, idle)
            if self.suspends and self.module.watchers_ask:
                condition = ir.either(condition, self.b.get(self.resume))
            with self.b.if_(condition):
                self.called(place, "watch", [], self.module.watchers_ask, self.module.watchers_end)

        if self.suspends and self.module.watchers_ask:
            self.sites.append(place)
            resuming = ir.either(ir.not_(self.b.get(self.resume)), ir.eq(self.b.get(self.resume), ir.const(place + 1)))
            with self.b.if_(resuming):
                watch()
        else:
            self.fresh(watch)

    def called(self, place: int, name: str, args: Sequence[E], asks: bool, ends: bool) -> None:
        """A call of a rule's function, and what follows from its status."""
        status = self.b.local()
        self.b.call(name, args, (status,))
        if self.suspends and asks:
            self.b.set(self.resume, ir.ZERO)
            with self.b.if_(ir.eq(self.b.get(status), ir.const(ASKED))):
                frames.save(self, place, place + 1)
                self.b.ret(ir.const(ASKED))
        if ends:
            with self.b.if_(self.b.get(status)):
                self.b.ret(ir.const(OVER_NOW))

    # -- statements

    def statement(self, s: ir_.Statement) -> None:
        outer = self.place
        rule = self.open_rules[-1] if self.open_rules else self.rule
        self.place = Place(rule.id, s.span if s.span.file else rule.span)
        self.forget()
        self._statement(s)
        self.forget()
        self.place = outer

    def _statement(self, s: ir_.Statement) -> None:
        match s:
            case ir_.Nothing():
                pass
            case ir_.NamedRule():
                self.write_rule(self.program.rules[s.rule])
            case ir_.Let():
                self.follow(ref_code.Assign)
                self._keep(s.slot, s.value)
            case ir_.Branch():
                self._branch(s)
            case ir_.Each():
                self._each(s)
            case ir_.Together():
                together.write(self, s)
            case ir_.Repeat():
                self._repeat(s)
            case ir_.TakeTurns():
                self._take_turns(s)
            case ir_.Stop():
                self._stop()
            case ir_.Do():
                self._call(
                    self.program.rules[s.rule],
                    [lambda a=a: self.fitted(a, a.type, self.env) for a in s.arguments],  # type: ignore[misc]
                )
            case ir_.Announce():
                self._announce(s)
            case ir_.EndGame():
                self.b.call("end", ())
                self.b.ret(ir.const(OVER_NOW))
            case ir_.Wins():
                winner = ir.binary("shl", ir.ONE, self.scalar(s.who, self.env))
                self.b.call("win", (winner,))
                self.b.ret(ir.const(OVER_NOW))
            case ir_.Choose():
                decisions.choose(self, s)
            case ir_.Menu():
                decisions.menu(self, s)
            case ir_.Pay():
                decisions.pay(self, s)
            case _:
                changes.write(self, s)

    def kept(self, value: Val) -> Val:
        """The value as it stays when cells change: what lies in a cell is copied."""
        return frames.copied(self, value)

    def _branch(self, s: ir_.Branch) -> None:
        if isinstance(s.condition, ir_.Const):
            self.statements(s.then if s.condition.value else s.otherwise)
            return
        holds = self.b.local()
        outer = self.b.out
        first = len(self.sites)
        self.b.out = []
        self.statements(s.then)
        then, self.b.out = self.b.out, []
        last_of_then = self.sites[-1] + 1 if len(self.sites) > first else 0
        self.statements(s.otherwise)
        other, self.b.out = self.b.out, outer
        if not self.suspends or len(self.sites) == first:
            condition = self.flag(s.condition, self.env)
            if condition.is_const:
                self.b.out.extend(then if condition.value else other)
            else:
                self.b.out.append(("if", condition, then, other))
            return
        self.b.set(holds, ir.le(self.b.get(self.resume), ir.const(last_of_then)))
        self.fresh(lambda: self.b.set(holds, self.flag(s.condition, self.env)))
        self.b.out.append(("if", self.b.get(holds), then, other))

    # -- loops

    def _pass(self, body: Sequence[ir_.Statement], end: str) -> None:
        self.loops.append(_Loop(end, len(self.open_rules)))
        mark = self.b.local()
        outer = self.b.out
        self.b.out = []
        self.statements(body)
        inner, self.b.out = self.b.out, outer
        self.loops.pop()
        # What a pass keeps is given up at its end, but not when a pass that was resumed began elsewhere.
        if self.module.takes_room(inner) and not self.suspends:
            self.b.set(mark, ir.global_("top"))
            self.b.out.extend(inner)
            self.b.set_global("top", self.b.get(mark))
        else:
            self.b.out.extend(inner)

    def _each(self, s: ir_.Each) -> None:
        _, start = self.follow(ref_code.StartEach)
        if not (self.suspends and self.module.statement_asks(s)) and self.module.undisturbed(s):
            self._each_at_once(s)
            return
        self.each_of_list(s.binds, start, lambda end: self._pass(s.body, end))

    def _each_at_once(self, s: ir_.Each) -> None:
        """The body changes nothing that the combinations depend on, so they need not be listed first."""
        outer = dict(self.env)
        cursor = self.cursor
        after = cursor
        with self.b.block() as end:

            def body(env: Any) -> None:
                nonlocal after
                self.env = {**outer, **env}
                self.cursor = cursor
                many, self.copies = self.copies, copies
                self._pass(s.body, end)
                self.copies = many
                after = self.cursor

            # Statements are long: loops over them are not unrolled.
            copies, self.copies = self.copies, COPIES + 1
            self.run(s.binds, self.env, body)
            self.copies = copies
        if after == cursor:
            # The body was never written, as there can be no combination; its code is passed over all the same.
            self.env = dict(outer)
            kept, self.b.out = self.b.out, []
            for bind in s.binds.binds:
                self.slot(bind.slot, bind.type)
            self._pass(s.body, end)
            after, self.b.out = self.cursor, kept
        self.cursor = after
        self.env = outer

    def each_of_list(
        self,
        binds: ir_.Binds,
        start: ref_code.StartEach,
        write: Callable[[str], None],
        first: Callable[[], None] = lambda: None,
    ) -> None:
        """The combinations are listed, then gone through. The list and the position are slots of the frame.

        ``first`` writes what is done once they are listed.
        """
        b = self.b
        types = tuple(bind.type for bind in binds.binds)
        row = TupleType(types)
        items = self.slot(start.items, frames.items_type(types))[0]
        position = self.slot(start.position, frames.COUNT)[0]

        def begin() -> None:
            listed = self.listed(
                frames.items_type(types),
                lambda push: self.run(
                    binds,
                    self.env,
                    lambda env: push(Val(row, tuple(p for bind in binds.binds for p in env[bind.slot].parts))),
                    release=False,
                ),
            )
            b.set(items, listed)
            b.set(position, ir.ZERO)
            first()

        self.fresh(begin)
        slots = [self.slot(bind.slot, bind.type) for bind in binds.binds]
        size = WORD * words(row)
        with b.block() as end, b.loop() as again:

            def take() -> None:
                b.br_if(end, ir.ge(b.get(position), ir.load(b.get(items))))
                at = b.fix(ir.add(ir.mul(b.get(position), ir.const(size)), b.get(items)))
                offset = WORD
                for bind, locals_ in zip(binds.binds, slots, strict=True):
                    self.set_all(locals_, values.load_value(at, bind.type, offset))
                    offset += WORD * words(bind.type)
                b.set(position, ir.add(b.get(position), ir.ONE))

            self.fresh(take)
            write(end)
            b.br(again)

    def _repeat(self, s: ir_.Repeat) -> None:
        b = self.b
        self.follow(ref_code.Assign)
        if s.word == "at most":
            _, made = self.follow(ref_code.NextPass)
            left = self.slot(made.left, frames.COUNT)[0]
            self.fresh(lambda: b.set(left, self.scalar(s.value, self.env)))
            with b.block() as end, b.loop() as again:

                def step() -> None:
                    b.br_if(end, ir.le(b.get(left), ir.ZERO))
                    b.set(left, ir.sub(b.get(left), ir.ONE))

                self.fresh(step)
                self._pass(s.body, end)
                b.br(again)
            return
        _, falling = self.follow(ref_code.CheckFalling)
        last = self.slot(falling.last, frames.COUNT)[0]
        begun = b.local()
        self.fresh(lambda: b.set(begun, ir.ZERO))
        with b.block() as end, b.loop() as again:

            def check() -> None:
                value = b.fix(self.scalar(s.value, self.env))
                with b.if_(ir.both(b.get(begun), ir.ge(value, b.get(last)))):
                    self.fault("falling", b.get(last), value, text=falling.text)
                b.set(last, value)

            self.fresh(check)
            b.set(begun, ir.ONE)
            self._pass(s.body, end)
            b.br(again)

    def _take_turns(self, s: ir_.TakeTurns) -> None:
        b = self.b
        self.follow(ref_code.Assign)
        assert isinstance(s.start.type, MemberType)
        first = self.quick(s.start, self.env)
        if not self.steps and first is not None and self.module.is_short(s):
            self._turns_one_by_one(s, first)
            return
        (player,) = self.slot(s.slot, s.start.type)
        self.fresh(lambda: b.set(player, self.scalar(s.start, self.env)))
        with b.block() as end, b.loop() as again:
            turns = STATE + TURNS
            self.fresh(lambda: b.store(ir.ZERO, ir.add(ir.load(ir.ZERO, turns), ir.ONE), turns))
            self._pass(s.body, end)
            if s.until is not None:
                until = s.until
                b.br_if(end, self.flag(until, self.env))
            step = b.fix(ir.add(b.get(player), ir.ONE))
            b.set(player, ir.select(ir.eq(step, ir.const(self.program.players)), ir.ZERO, step))
            b.br(again)

    def _turns_one_by_one(self, s: ir_.TakeTurns, first: int) -> None:
        """A short turn is written for each player, so that all that follows from who plays is known."""
        b = self.b
        cursor = self.cursor
        players = self.program.players
        turns = STATE + TURNS
        with b.block() as end, b.loop() as again:
            for step in range(players):
                self.cursor = cursor
                self.env[s.slot] = values.scalar(s.start.type, ir.const((first + step) % players))
                self.forget()
                b.store(ir.ZERO, ir.add(ir.load(ir.ZERO, turns), ir.ONE), turns)
                self._pass(s.body, end)
                self.forget()
                if s.until is not None:
                    b.br_if(end, self.flag(s.until, self.env))
            b.br(again)

    def _stop(self) -> None:
        loop = self.loops[-1] if self.loops else None
        for rule in reversed(self.open_rules[loop.depth if loop is not None else 0 :]):
            outer, self.place = self.place, Place(rule.id, rule.span)
            self.leave(rule)
            self.place = outer
        if loop is None:
            self.b.ret(ir.const(DONE))
        else:
            self.b.br(loop.end)

    # -- calls

    def _call(self, rule: ir_.Rule, arguments: Sequence[Callable[[], Val]]) -> None:
        place, _ = self.follow(ref_code.CallRule)
        asks = self.module.may_ask(rule)
        passed: list[list[int]] = [self.locals_for(p.type) for p in rule.params]

        def work_out() -> None:
            for param, argument, locals_ in zip(rule.params, arguments, passed, strict=True):
                value = self.kept(self._checked(rule, param, argument()))
                self.set_all(locals_, value)

        if self.suspends and asks:
            self.sites.append(place)
        self.fresh(work_out)
        args = [self.b.get(local) for locals_ in passed for local in locals_]
        self.called(place, self.module.rule_function(rule), args, asks, self.module.may_end(rule))

    def _checked(self, rule: ir_.Rule, param: ir_.Param, argument: Val) -> Val:
        """The argument as its parameter takes it. Numbers are compared before: one outside could look like none."""
        bounds = param.type.item if isinstance(param.type, OptionalType) else param.type
        if isinstance(bounds, NumberType) and needs_check(param.type, argument.type):
            argument = self.fix(argument)
            present: E = ir.ONE
            number = argument
            if isinstance(argument.type, OptionalType):
                present, number = values.is_some(argument), values.held(argument)
            if number.parts:
                outside = ir.either(ir.lt(number.one, ir.const(bounds.low)), ir.gt(number.one, ir.const(bounds.high)))
                with self.b.if_(ir.both(present, outside)):
                    self.fault("argument", number.one, low=bounds.low, high=bounds.high, rule=rule.id)
        return values.fit(self, argument, param.type)

    def _keep(self, slot: int, expr: ir_.Expr) -> None:
        self.assign(slot, self.kept(self.fitted(expr, expr.type, self.env)))

    def _announce(self, s: ir_.Announce) -> None:
        handlers = [self.program.rules[name] for name in self.program.handlers.get(s.event, ())]
        if not handlers:
            return
        given: list[Callable[[], Val]] = []
        for argument in s.arguments:
            _, made = self.follow(ref_code.Assign)
            type_ = argument.type
            self.slot(made.slot, type_)
            self.fresh(lambda value=argument, slot=made.slot: self._keep(slot, value))  # type: ignore[misc]
            given.append(lambda slot=made.slot: self.env[slot])  # type: ignore[misc]
        for handler in handlers:
            resumes = self.suspends and self.module.may_ask(handler)
            self.guarded(resumes, lambda h=handler: self._call(h, given[: len(h.params)]))  # type: ignore[misc]
