"""Menus with an aim: ``p chooses one of for fewest sum(dice), at most 4 deep``.

Only options stay that lead to the best value which can be reached by going on with the same menu. What was written
becomes what exists already: a definition that tries the options one after another (it ends at the first that leads as
far as is asked), a local that keeps how far one gets, and a condition more for each option.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from .. import program as ir
from ..diagnostics import Sink
from ..program.analysis.sizes import arithmetic_type
from ..syntax import tree
from ..syntax.printer.expressions import aim_text
from ..syntax.walk import walk
from ..types import FLAG, UNKNOWN, ListType, NumberType, Type, describe
from .comprehensions import with_condition
from .environment import MAX_NUMBER
from .expressions import Expressions
from .operators import counted
from .primaries import called, depth
from .scope import Scope, SlotFrame
from .typing import simplify

if TYPE_CHECKING:
    from .statements import Elaborator

_NOW, _BEST, _WANTED, _LEFT, _LESS = "value now", "best value", "value wanted", "steps left", "how much less"
"""Names that no text can hold, so that they hide none."""


@attrs.define
class Aim:
    """``lets``: what is worked out before the question. ``needed`` gives the further condition of an option."""

    block: Elaborator
    s: tree.Menu
    aim: tree.Aim
    lets: list[ir.Statement] = attrs.field(factory=list)
    _given: tuple[ir.Expr, ...] = ()
    _best: ir.Expr | None = None
    _type: NumberType = attrs.field(factory=lambda: NumberType(0, 0))
    _deep: int = 1

    @property
    def _name(self) -> str:
        return f"aim of {self.s.options[0].id}"

    def __attrs_post_init__(self) -> None:
        """Makes the definition, unless there is a finding."""
        e, span = self.block.e, self.aim.span
        now = self._value(e)
        if not isinstance(now.type, NumberType):
            return
        self._deep = depth(e.env, self.aim.deep, self.block.rule) or 1
        names = {node.name for node in walk(self.s) if isinstance(node, tree.Name)} & e.scope.names.keys()
        given = {name: e.value(tree.Name(name, span=span)) for name in sorted(names)}
        for name, value in given.items():
            if isinstance(value.type, ListType):
                problem = f"`{name}` is {describe(value.type)}, which cannot be passed on to what would come next."
                e.error("R0402", span, problem, f"Keep it for the game: `the game has`, and below it `{name}: ...`.")
                return
        self._given = tuple(given.values())
        low = max(now.type.low, -MAX_NUMBER - 1)  # what is less is no number
        self._type = arithmetic_type("-", [now.type, NumberType(0, now.type.high - low)])
        now = self._let(_NOW, now, now.type)
        if self._define({name: value.type for name, value in given.items()}):
            self._best = self._let(_BEST, self._reached(now, low), self._type)

    def _value(self, e: Expressions) -> ir.Expr:
        """What is to become as small as possible."""
        value = e.number(self.aim.rank.value)
        if self.aim.rank.word == "fewest" or not isinstance(value.type, NumberType):
            return value
        return simplify(ir.Apply("neg", (value,), arithmetic_type("neg", [value.type]), span=value.span))

    def _let(self, name: str, value: ir.Expr, type_: NumberType) -> ir.Local:
        slot = self.block.e.scope.frame.slot()
        self.lets.append(ir.Let(slot, name, value, span=self.aim.span))
        return ir.Local(slot, name, type_, span=self.aim.span)

    def _reached(self, now: ir.Expr, low: int) -> ir.Expr:
        """The best value that can be reached: often the lowest there is; else looked for downwards from that of now."""
        span = self.aim.span
        lowest = ir.Const(low, NumberType(low, low), span=span)
        assert isinstance(now.type, NumberType)
        most = max(1, now.type.high - low)
        slot = self.block.e.scope.frame.slot()
        less = ir.Local(slot, _LESS, NumberType(1, most), span=span)
        one = ir.Const(1, NumberType(1, 1), span=span)
        every = ir.Apply("range", (one, counted("-", now, lowest)), ListType(less.type), span=span)
        loop = ir.Bind(slot, _LESS, every, less.type, span=span)
        passes = ir.Binds((loop,), self._leads(self._given, counted("-", now, less), self._deep), True, span=span)
        number = ir.Fold("count", None, passes, NumberType(0, most), span=span)
        return ir.If(
            self._leads(self._given, lowest, self._deep), lowest, counted("-", now, number), self._type, span=span
        )

    def _leads(self, given: tuple[ir.Expr, ...], wanted: ir.Expr, left: ir.Expr | int) -> ir.Expr:
        """Whether the value wanted can be reached with so many steps."""
        if isinstance(left, int):
            left = ir.Const(left, NumberType(left, left), span=self.aim.span)
        return ir.Call(self._name, (*given, wanted, left), FLAG, span=self.aim.span)

    def _define(self, given: dict[str, Type]) -> bool:
        """The definition; False after a finding, which is made where the options themselves are read."""
        span, frame, outer = self.aim.span, Scope(SlotFrame()), self.block.e
        heard = Sink()
        e = Expressions(outer.env.reporting_to(heard), frame, self.block.rule)
        types = {**given, _WANTED: self._type, _LEFT: NumberType(0, self._deep)}
        params = tuple(ir.Param(name, frame.declare(name, type_, param=True), type_) for name, type_ in types.items())
        *passed, wanted, left = (ir.Local(p.slot, p.name, p.type, span=span) for p in params)
        further = counted("-", left, 1)
        zero = ir.Const(0, NumberType(0, 0), span=span)
        tried: ir.Expr | None = None
        for option in self.s.options:
            one = self._tried(e.inside(frame.inner()), option, self._leads(tuple(passed), wanted, further))
            if one is None:
                return False
            tried = one if tried is None else ir.Apply("or", (tried, one), FLAG, span=span)
        there = ir.Apply("<=", (self._value(e), wanted), FLAG, span=span)
        assert tried is not None
        more = ir.Apply("and", (ir.Apply(">", (left, zero), FLAG, span=span), tried), FLAG, span=span)
        body = ir.Apply("or", (there, more), FLAG, span=span)
        if heard.has_errors:
            return False
        made = ir.Definition(self._name, params, body, FLAG, frame.frame.size, self._deep + 1, span=span)
        self.block.aims[self._name] = made
        return True

    def _tried(self, e: Expressions, option: tree.MenuOption, leads: ir.Expr) -> ir.Expr | None:
        """Whether an option is possible after which the value can be reached; None after a finding."""
        *needs, done = option.body or (None,)
        if not (isinstance(done, tree.Do) and all(isinstance(part, tree.Needs) for part in needs)):
            self.block.e.error(
                "R0411",
                option.head,
                "An option of a menu with an aim only runs a rule, so that what it leads to can be worked out.",
                f"Move its steps to a rule of their own and write `do RULE(...)` below `option {option.id}`.",
            )
            return None
        binds = None if option.binders is None else e.binds(option.binders)
        conditions = [e.flag(part.condition) for part in needs if isinstance(part, tree.Needs)]
        after = self.after(e, done, leads)
        if after is None or any(c.type is UNKNOWN for c in conditions):
            return None
        if binds is None:
            for condition in reversed(conditions):
                after = ir.Apply("and", (condition, after), FLAG, span=option.head)
            return after
        for condition in conditions:
            binds = with_condition(binds, condition)
        return ir.Fold("some", after, binds, FLAG, span=option.head)

    def after(self, e: Expressions, done: tree.Do, leads: ir.Expr) -> ir.Expr | None:
        """How it would be after the rule that an option runs; None after a finding."""
        values = called(e, done.rule, done.arguments, done.span)
        return None if values is None else ir.After(leads, done.rule, values, FLAG, span=self.aim.span)

    def needed(self, e: Expressions, option: tree.MenuOption) -> tuple[ir.Needs, ...]:
        """The further condition of an option whose names are those of ``e``."""
        done = option.body[-1] if option.body else None
        if self._best is None or not isinstance(done, tree.Do):
            return ()
        unheard = Expressions(e.env.reporting_to(Sink()), e.scope, e.rule)
        condition = self.after(unheard, done, self._leads(self._given, self._best, self._deep - 1))
        text = aim_text(self.aim).removeprefix(" ")
        return () if condition is None else (ir.Needs(condition, text, openly=self.s.openly, span=self.aim.span),)
