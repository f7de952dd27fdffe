"""Code for rules, from their lowered code, with the sites where a game stops for a decision.

A rule becomes a function that gives a status: DONE, OVER_NOW when the game has ended, or ASKED when somebody must
decide. There are two ways to write it. In a *playout* a decision is made at once, by chance. In a *step* the function
saves the slots that are live at its site in the state and returns ASKED; called again while ``$resume`` is set, it
takes them back, skips to the site, and goes on. Sites are those of the lowered code, in the order of the text.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.program import Param, Rule
from rulelang.types import SetType

from ...lowered import code
from ...lowered.code import Block, Code, Site
from ..expr.conversions import copied
from ..expr.hoisted import changed
from ..expr.shared import entered
from ..expr.supposing import arguments
from ..layout import addresses as mem
from ..layout.shapes import WORD, components
from ..wat import ir
from ..wat.ir import E
from . import changes, decisions, emitter, loops
from .emitter import RuleEmitter


class RuleWriter(RuleEmitter):
    """Writes one rule that can be run by itself, with the rules and options inside it."""

    def write(self, params: Sequence[Param]) -> None:
        """The whole function; its parameters are the components of the rule's."""
        local = 0
        for param in params:
            locals_ = list(range(local, local + len(components(param.type))))
            local += len(locals_)
            self.slots[param.slot] = (param.type, locals_)
            self.env[param.slot] = self.of_locals(param.type, locals_)
        self.resume = self.b.local()
        with self.b.aside() as body, self.releasing():
            self.nodes(self.unit.body)
        if self.suspends:
            emitter.write_entry(self)
        self.b.out.extend(body)
        self.b.ret(ir.const(mem.DONE))

    # -- nodes

    def nodes(self, block: Block) -> None:
        """Nodes in a row at which nobody is asked are skipped together."""
        waiting: list[Code] = []

        def flush() -> None:
            if waiting:
                with self.skipped(asks=False):
                    for each in waiting:
                        self.node(each)
                waiting.clear()

        for node in block:
            if self.suspends and self.context.asks(node):
                flush()
                with self.skipped(asks=True):
                    self.node(node)
            else:
                waiting.append(node)
        flush()

    def node(self, node: Code) -> None:
        with self.at(node.rule, node.span):
            with self.elsewhere():
                self._node(node)
            self.forget()
            if self.sets(node):
                changed(self, self.context.effects.written(node))

    def _node(self, node: Code) -> None:
        match node:
            case code.Need():
                raise AssertionError("what a rule needs is written with the rule")
            case code.Leave():
                self._leave(node)
            case code.Inline():
                self._inline(node)
            case code.Assign():
                self.assign(node.slot, copied(self, self.fitted(node.value, node.value.type, self.env)))
            case code.Branch():
                self._branch(node)
            case code.Together():
                loops.write(self, node)
            case code.Each():
                loops.each(self, node)
            case code.Repeat():
                loops.repeat(self, node)
            case code.RepeatFalling():
                loops.repeat_falling(self, node)
            case code.TakeTurns():
                loops.take_turns(self, node)
            case code.Break():
                self.b.br(self.ends[-1])
            case code.Return():
                self.b.ret(ir.const(mem.DONE))
            case code.Call():
                self._call(node)
            case code.RunWatcher():
                self._run_watcher(node)
            case code.Finish():
                if self.recording is not None:
                    self.recording.ended(self.b, node.rule)
                if node.who is None:
                    self.b.call("end", ())
                elif isinstance(node.who.type, SetType):
                    mask = self.fitted(node.who, node.who.type, self.env).one
                    self.b.call("win", (ir.narrow(mask),))
                else:
                    self.b.call("win", (1 << self.scalar(node.who, self.env),))
                self.b.ret(ir.const(mem.OVER_NOW))
            case code.Choose():
                decisions.choose(self, node)
            case code.Menu():
                decisions.menu(self, node)
            case code.Pay():
                decisions.pay(self, node)
            case _:
                changes.write(self, node)

    def _branch(self, s: code.Branch) -> None:
        holds = self.b.local()
        before = len(self.sites)
        with self.b.aside() as then:
            self.nodes(s.then)
        last_of_then = self.last_site if len(self.sites) > before else 0
        with self.b.aside() as other:
            self.nodes(s.otherwise)
        if not self.suspends or len(self.sites) == before:
            condition = self.flag(s.condition, self.env)
            if condition.is_const:
                self.b.out.extend(then if condition.value else other)
            else:
                self.b.either(condition, then, other)
            return
        self.b.set(holds, self.b.get(self.resume) <= last_of_then)
        with self.fresh():
            self.b.set(holds, self.flag(s.condition, self.env))
        self.b.either(self.b.get(holds), then, other)

    # -- rules in place

    def _inline(self, node: code.Inline) -> None:
        with self.b.block() as skip:
            if node.guard is not None or node.needs:
                with self.fresh():
                    self._entry(node, skip)
            with self.fresh():
                self._enter(node)
            self.nodes(node.body)

    def _entry(self, node: code.Inline, skip: str) -> None:
        if node.guard is not None:
            self.unless(node.guard, self.env, skip)
        for need in node.needs:
            with self.at(need.rule, need.span), self.b.if_(ir.not_(self.flag(need.condition, self.env))):
                self.fault("need", text=need.text)

    def _enter(self, node: code.Inline) -> None:
        """Counts how often the rule ran, and in steps notes that it did."""
        if self.supposed is not None:
            return
        if self.recording is not None:
            self.recording.entered(self, node)
            return
        number = self.context.numbers[node.id]
        at = self.memory.fired + WORD * number
        self.b.store(ir.ZERO, ir.load(ir.ZERO, at) + 1, at)
        if self.steps and node.noted:
            scratch = self.memory.scratch
            length = self.b.fix(ir.load(ir.ZERO, scratch + mem.TRACE_LENGTH))
            with self.b.if_(length < mem.TRACE_ROOM):
                self.b.store(length * 2, ir.const(number), scratch + mem.TRACE, "16")
            self.b.store(ir.ZERO, length + 1, scratch + mem.TRACE_LENGTH)

    def _leave(self, node: code.Leave) -> None:
        """The end of a rule: watchers are tested when something has changed."""
        if self.supposed is not None:
            return
        if not (self.suspends and self.context.watchers_ask):
            self._watch(node.site, self._watchers_due())
            return
        self.sites.append(node.site.number)
        resume = self.b.get(self.resume)
        with self.b.if_(ir.either(ir.not_(resume), ir.eq(resume, self.last_site))):
            self._watch(node.site, ir.either(self._watchers_due(), resume))

    def _watchers_due(self) -> E:
        """Whether cells have changed, and nobody waits for the watchers or must not see the changes yet."""
        dirty = ir.load(ir.ZERO, mem.STATE + mem.DIRTY)
        busy = ir.load(ir.ZERO, mem.STATE + mem.WATCHING) | ir.load(ir.ZERO, mem.STATE + mem.SECRET)
        return ir.both(dirty, ir.not_(busy))

    def _watch(self, site: Site, condition: E) -> None:
        with self.b.if_(condition):
            self._run_function(site, "watch", [], self.context.watchers_ask, self.context.watchers_end)

    # -- calls

    def _run_function(
        self, site: Site, name: str, args: Sequence[E], asks: bool, ends: bool, rule: Rule | None = None
    ) -> None:
        """A call of a function, if it is that of a ``rule``, and what follows from its status."""
        status = self.b.local()
        with entered(self, rule):
            self.b.call(name, args, (status,))
        if self.suspends and asks:
            self.b.set(self.resume, ir.ZERO)
            with self.b.if_(ir.eq(self.b.get(status), mem.ASKED)):
                emitter.save(self, site)
                self.b.ret(ir.const(mem.ASKED))
        if ends or (self.suspends and asks):  # who stops a playout after so many decisions leaves every rule
            with self.b.if_(self.b.get(status)):
                self.b.ret(ir.const(mem.OVER_NOW))

    def _call(self, s: code.Call) -> None:
        rule = self.program.rules[s.unit]
        asks = self.supposed is None and self.context.may_ask(rule)
        ends = self.supposed is None and self.context.may_end(rule)
        passed: list[list[int]] = [self.locals_for(p.type) for p in rule.params]
        if self.suspends and asks:
            self.sites.append(s.site.number)
        with self.fresh():
            for locals_, value in zip(passed, arguments(self, rule, s.arguments, self.env), strict=True):
                self.set_all(locals_, value)
        args = [self.b.get(local) for locals_ in passed for local in locals_]
        supposed = None if self.supposed is None else self.supposed.inside
        self._run_function(s.site, self.context.function(rule, supposed=supposed), args, asks, ends, rule)

    def _run_watcher(self, s: code.RunWatcher) -> None:
        rule = self.program.rules[s.rule]
        asks, ends = self.context.may_ask(rule), self.context.may_end(rule)
        if self.suspends and asks:
            self.sites.append(s.site.number)
        holds = self.b.let(ir.ONE)
        with self.fresh():
            self.b.set(holds, self.flag(s.condition, {}))
        with self.b.if_(self.b.get(holds)):
            self.b.store(ir.ZERO, ir.ONE, mem.STATE + mem.WATCHING)
            self._run_function(s.site, self.context.function(rule), [], asks, ends, rule)
