"""Code for rules: their lowered code, and where a game stops for a decision.

A rule becomes a function that gives a status: DONE, OVER_NOW when the game has ended, or ASKED when somebody must
decide. There are two ways to write it. In a *playout* a decision is made at once, by chance. In a *step* the function
saves the slots that are live at its site in the state and returns ASKED; called again while ``$resume`` is set, it
takes them back, skips to the site, and goes on. Sites are those of the lowered code, in the order of the text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from rulelang import program as ir_
from rulelang.source import Span
from rulelang.types import MemberType, NumberType, OptionalType, TupleType, Type

from ...lowered import code
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
        self.unit = module.blueprint.units[rule.id]
        self.slots: dict[int, tuple[Type, list[int]]] = {}
        self.env: dict[int, Val] = {}
        self.ends: list[str] = []
        """The labels behind the loops around the node in hand, the innermost last."""
        self.sites: list[int] = []
        """The sites written so far where this function may be resumed."""
        self.suspends = self.steps and module.may_ask(rule)
        self.saved_at: set[int] = set()
        """The sites at which this function saves its frame."""
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
        self.nodes(self.unit.body)
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

    def nodes(self, block: code.Block) -> None:
        """Writes a block. Nodes in a row at which nobody is asked are skipped together."""
        waiting: list[code.Code] = []

        def flush() -> None:
            if waiting:
                now = list(waiting)
                waiting.clear()
                self.guarded(False, lambda: self._one_by_one(now))

        for node in block:
            if self.suspends and self.module.asks(node):
                flush()
                self.guarded(True, lambda n=node: self.node(n))  # type: ignore[misc]
            else:
                waiting.append(node)
        flush()

    def _one_by_one(self, nodes: Sequence[code.Code]) -> None:
        for node in nodes:
            self.node(node)

    # -- rules

    def inline(self, node: code.Inline) -> None:
        """A rule or an option in place."""
        with self.b.block() as skip:
            if node.guard is not None or node.needs:
                self.fresh(lambda: self._entry(node, skip))
            self.fresh(lambda: self._enter(node))
            self.nodes(node.body)

    def _entry(self, node: code.Inline, skip: str) -> None:
        if node.guard is not None:
            self.unless(node.guard, self.env, skip)
        for need in node.needs:
            outer, self.place = self.place, Place(need.rule, need.span)
            with self.b.if_(ir.not_(self.flag(need.condition, self.env))):
                self.fault("need", text=need.text)
            self.place = outer

    def _enter(self, node: code.Inline) -> None:
        number = self.module.numbers[node.id]
        at = self.memory.fired + WORD * number
        self.b.store(ir.ZERO, ir.add(ir.load(ir.ZERO, at), ir.ONE), at)
        if self.steps and node.noted:
            scratch = self.memory.scratch
            length = self.b.fix(ir.load(ir.ZERO, scratch + TRACE_LENGTH))
            with self.b.if_(ir.lt(length, ir.const(TRACE_ROOM))):
                self.b.store(ir.mul(length, ir.const(2)), ir.const(number), scratch + TRACE, "16")
            self.b.store(ir.ZERO, ir.add(length, ir.ONE), scratch + TRACE_LENGTH)

    def _leave(self, node: code.Leave) -> None:
        """The end of a rule: watchers are tested when something has changed."""
        resumes = self.suspends and self.module.watchers_ask
        here = node.site.number

        def watch() -> None:
            dirty = ir.load(ir.ZERO, STATE + DIRTY)
            idle = ir.not_(E("i32.or", "i32", (ir.load(ir.ZERO, STATE + WATCHING), ir.load(ir.ZERO, STATE + SECRET))))
            condition = ir.both(dirty, idle)
            if resumes:
                condition = ir.either(condition, self.b.get(self.resume))
            with self.b.if_(condition):
                self.called(node.site, "watch", [], self.module.watchers_ask, self.module.watchers_end)

        if resumes:
            self.sites.append(here)
            resuming = ir.either(ir.not_(self.b.get(self.resume)), ir.eq(self.b.get(self.resume), ir.const(here + 1)))
            with self.b.if_(resuming):
                watch()
        else:
            watch()

    def called(self, site: code.Site, name: str, args: Sequence[E], asks: bool, ends: bool) -> None:
        """A call of a rule's function, and what follows from its status."""
        status = self.b.local()
        self.b.call(name, args, (status,))
        if self.suspends and asks:
            self.b.set(self.resume, ir.ZERO)
            with self.b.if_(ir.eq(self.b.get(status), ir.const(ASKED))):
                frames.save(self, site)
                self.b.ret(ir.const(ASKED))
        if ends:
            with self.b.if_(self.b.get(status)):
                self.b.ret(ir.const(OVER_NOW))

    # -- nodes

    def node(self, node: code.Code) -> None:
        outer, self.place = self.place, Place(node.rule, node.span)
        self.forget()
        self._node(node)
        self.forget()
        self.place = outer

    def _node(self, node: code.Code) -> None:
        match node:
            case code.Need():
                raise AssertionError("what a rule needs is written with the rule")
            case code.Leave():
                self._leave(node)
            case code.Inline():
                self.inline(node)
            case code.Assign():
                self._assign(node)
            case code.Branch():
                self._branch(node)
            case code.Together():
                together.write(self, node)
            case code.Each():
                self._each(node)
            case code.Repeat():
                self._repeat(node)
            case code.RepeatFalling():
                self._repeat_falling(node)
            case code.TakeTurns():
                self._take_turns(node)
            case code.Break():
                self.b.br(self.ends[-1])
            case code.Return():
                self.b.ret(ir.const(DONE))
            case code.Call():
                self._call(node)
            case code.RunWatcher():
                self._run_watcher(node)
            case code.Finish():
                if node.who is None:
                    self.b.call("end", ())
                else:
                    self.b.call("win", (ir.binary("shl", ir.ONE, self.scalar(node.who, self.env)),))
                self.b.ret(ir.const(OVER_NOW))
            case code.Choose():
                decisions.choose(self, node)
            case code.Menu():
                decisions.menu(self, node)
            case code.Pay():
                decisions.pay(self, node)
            case _:
                changes.write(self, node)

    def kept(self, value: Val) -> Val:
        """The value as it stays when cells change: what lies in a cell is copied."""
        return frames.copied(self, value)

    def _branch(self, s: code.Branch) -> None:
        holds = self.b.local()
        outer = self.b.out
        first = len(self.sites)
        self.b.out = []
        self.nodes(s.then)
        then, self.b.out = self.b.out, []
        last_of_then = self.sites[-1] + 1 if len(self.sites) > first else 0
        self.nodes(s.otherwise)
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

    def loop_body(self, body: code.Block, end: str) -> None:
        """One pass of a loop, which ``Break`` leaves for the label ``end``."""
        self.ends.append(end)
        mark = self.b.local()
        outer = self.b.out
        self.b.out = []
        self.nodes(body)
        inner, self.b.out = self.b.out, outer
        self.ends.pop()
        # What a pass keeps is given up at its end, but not when a pass that was resumed began elsewhere.
        if self.module.takes_room(inner) and not self.suspends:
            self.b.set(mark, ir.global_("top"))
            self.b.out.extend(inner)
            self.b.set_global("top", self.b.get(mark))
        else:
            self.b.out.extend(inner)

    def _each(self, s: code.Each) -> None:
        if not (self.suspends and self.module.asks(s)) and self.module.undisturbed(s):
            self._each_at_once(s)
        else:
            self.each_of_list(s, lambda end: self.loop_body(s.body, end))

    def _each_at_once(self, s: code.Each) -> None:
        """The body changes nothing that the combinations depend on, so they need not be listed first."""
        outer = dict(self.env)
        with self.b.block() as end:

            def body(env: Any) -> None:
                self.env = {**outer, **env}
                many, self.copies = self.copies, copies
                self.loop_body(s.body, end)
                self.copies = many

            # Statements are long: loops over them are not unrolled.
            copies, self.copies = self.copies, COPIES + 1
            self.run(s.binds, self.env, body)
            self.copies = copies
        self.env = outer

    def each_of_list(
        self,
        s: code.Each,
        write: Callable[[str], None],
        first: Callable[[], None] = lambda: None,
    ) -> None:
        """The combinations are listed, then gone through. The list and the position are slots of the frame.

        ``first`` writes what is done once they are listed.
        """
        b, binds = self.b, s.binds
        types = tuple(bind.type for bind in binds.binds)
        row = TupleType(types)
        items = self.slot(s.items, frames.items_type(types))[0]
        position = self.slot(s.position, frames.COUNT)[0]

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

    def _repeat(self, s: code.Repeat) -> None:
        b = self.b
        left = self.slot(s.left, frames.COUNT)[0]
        self.fresh(lambda: b.set(left, self.scalar(s.value, self.env)))
        with b.block() as end, b.loop() as again:

            def step() -> None:
                b.br_if(end, ir.le(b.get(left), ir.ZERO))
                b.set(left, ir.sub(b.get(left), ir.ONE))

            self.fresh(step)
            self.loop_body(s.body, end)
            b.br(again)

    def _repeat_falling(self, s: code.RepeatFalling) -> None:
        b = self.b
        last = self.slot(s.last, frames.COUNT)[0]
        begun = b.local()
        self.fresh(lambda: b.set(begun, ir.ZERO))
        with b.block() as end, b.loop() as again:

            def check() -> None:
                value = b.fix(self.scalar(s.measure, self.env))
                with b.if_(ir.both(b.get(begun), ir.ge(value, b.get(last)))):
                    self.fault("falling", b.get(last), value, text=s.text)
                b.set(last, value)

            self.fresh(check)
            b.set(begun, ir.ONE)
            self.loop_body(s.body, end)
            b.br(again)

    def _take_turns(self, s: code.TakeTurns) -> None:
        b = self.b
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
            self.loop_body(s.body, end)
            if s.until is not None:
                until = s.until
                b.br_if(end, self.flag(until, self.env))
            step = b.fix(ir.add(b.get(player), ir.ONE))
            b.set(player, ir.select(ir.eq(step, ir.const(self.program.players)), ir.ZERO, step))
            b.br(again)

    def _turns_one_by_one(self, s: code.TakeTurns, first: int) -> None:
        """A short turn is written for each player, so that all that follows from who plays is known."""
        b = self.b
        players = self.program.players
        turns = STATE + TURNS
        with b.block() as end, b.loop() as again:
            for step in range(players):
                self.env[s.slot] = values.scalar(s.start.type, ir.const((first + step) % players))
                self.forget()
                b.store(ir.ZERO, ir.add(ir.load(ir.ZERO, turns), ir.ONE), turns)
                self.loop_body(s.body, end)
                self.forget()
                if s.until is not None:
                    b.br_if(end, self.flag(s.until, self.env))
            b.br(again)

    # -- calls

    def _call(self, s: code.Call) -> None:
        rule = self.program.rules[s.unit]
        asks = self.module.may_ask(rule)
        passed: list[list[int]] = [self.locals_for(p.type) for p in rule.params]

        def work_out() -> None:
            for i, param in enumerate(rule.params):
                argument = self.fitted(s.arguments[i], s.arguments[i].type, self.env)
                checked = self._checked(rule, s.bounds[i], argument)
                self.set_all(passed[i], self.kept(values.fit(self, checked, param.type)))

        if self.suspends and asks:
            self.sites.append(s.site.number)
        self.fresh(work_out)
        args = [self.b.get(local) for locals_ in passed for local in locals_]
        self.called(s.site, self.module.rule_function(rule), args, asks, self.module.may_end(rule))

    def _run_watcher(self, s: code.RunWatcher) -> None:
        rule = self.program.rules[s.rule]
        asks, ends = self.module.may_ask(rule), self.module.may_end(rule)
        if self.suspends and asks:
            self.sites.append(s.site.number)
        holds = self.b.local()
        self.b.set(holds, ir.ONE)
        self.fresh(lambda: self.b.set(holds, self.flag(s.condition, {})))
        with self.b.if_(self.b.get(holds)):
            self.b.store(ir.ZERO, ir.ONE, STATE + WATCHING)
            self.called(s.site, self.module.rule_function(rule), [], asks, ends)

    def _checked(self, rule: ir_.Rule, bounds: NumberType | None, argument: Val) -> Val:
        """The argument, which must lie within the bounds of its parameter.

        Numbers are compared before they are fitted: one outside could look like none.
        """
        if bounds is None:
            return argument
        argument = self.fix(argument)
        present: E = ir.ONE
        number = argument
        if isinstance(argument.type, OptionalType):
            present, number = values.is_some(argument), values.held(argument)
        if number.parts:
            outside = ir.either(ir.lt(number.one, ir.const(bounds.low)), ir.gt(number.one, ir.const(bounds.high)))
            with self.b.if_(ir.both(present, outside)):
                self.fault("argument", number.one, low=bounds.low, high=bounds.high, rule=rule.id)
        return argument

    def _assign(self, s: code.Assign) -> None:
        self.assign(s.slot, self.kept(self.fitted(s.value, s.value.type, self.env)))
