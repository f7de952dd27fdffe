"""Shortages: what is moved, paid or chosen is there, or the text says what happens otherwise.

The check follows each rule from its first line and remembers what guards have established (``needs``, ``if``,
``where``). A step that may fall short, and a place that may be full, is reported unless a guard in force rules it
out, the step takes ``up to``, or the author vouches for it with ``surely``.
"""

from __future__ import annotations

from typing import assert_never

import attrs

from .. import program as ir
from ..diagnostics import Sink
from ..fixes import Help
from ..program.analysis.effects import body_writes, effect
from ..program.analysis.index import Index
from ..program.analysis.presence import fewest_members, never_empty
from ..program.analysis.reads import Reads
from ..program.walk import children, statements
from ..types import PiecesType
from . import remedies
from .facts import Fact, Facts, Knowledge, matches, reaches, read


def check(index: Index, rule: str, sink: Sink) -> None:
    """Rules and options inside another are followed from there."""
    if index.program.rules[rule].parent is None:
        _Walker(index.program, sink, index.writes, index.reads).rule(rule, frozenset())


@attrs.define
class _Walker:
    program: ir.Program
    sink: Sink
    writes: dict[str, frozenset[str]]
    reads: Reads
    current: str = ""
    known: Knowledge = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.known = Knowledge(self.program)

    # ------------------------------------------------------------ statements

    def rule(self, id_: str, facts: Facts) -> Facts:
        rule = self.program.rules[id_]
        outer, self.current = self.current, id_
        if rule.guard is not None:
            facts |= self.known.facts(rule.guard)
        if rule.binds is not None:
            facts |= self.known.bind_facts(rule.binds)
        for needs in rule.needs:
            facts |= self.known.facts(needs.condition)
        facts = self.block(rule.body, facts)
        self.current = outer
        return facts

    def block(self, body: tuple[ir.Statement, ...], facts: Facts) -> Facts:
        for statement in body:
            facts = self.statement(statement, facts)
        return facts

    def statement(self, s: ir.Statement, facts: Facts) -> Facts:
        match s:
            case ir.Branch():
                condition, known = s.condition, self.known
                return self._either(s, facts | known.facts(condition), facts | known.facts(condition, negated=True))
            case ir.IfThere():
                return self._either(s, facts | self.known.bind_facts(s.binds), facts | self.known.none_there(s.binds))
            case ir.Each() | ir.Together():
                facts = self.without(facts, body_writes(self.program, s.body, self.writes))
                after = self.block(s.body, facts | self.known.bind_facts(s.binds))
                return facts | self._everywhere(s, after)
            case ir.Repeat() | ir.TakeTurns():
                facts = self.without(facts, body_writes(self.program, s.body, self.writes))
                self.block(s.body, facts)
                return facts
            case ir.NamedRule():
                rule = self.program.rules[s.rule]
                after = self.rule(s.rule, facts)
                # The watchers run at the end of every rule.
                after = self.without(after, frozenset().union(*(self.writes[w] for w in self.program.watchers)))
                return after if rule.guard is None else after & facts
            case ir.Menu():
                always = s.otherwise is not None or any(self._always_possible(option) for option in s.options)
                if not s.surely and not always:
                    self.sink.error(
                        "R0502",
                        s.span,
                        "Possibly none of these options can be chosen.",
                        help=remedies.MENU,
                        rule=self.current,
                    )
                for option in s.options:
                    self.rule(option, facts)
                after = self.without(facts, frozenset().union(*(self.writes[o] for o in s.options)))
                return after if s.otherwise is None else after & self.block(s.otherwise, facts)
            case ir.Choose():
                return self._choose(s, facts)
            case ir.ChooseSome():
                return self._choose_some(s, facts)
            case ir.Roll():
                if not s.surely and not never_empty(s.binds):
                    self._report(s, "There may be nothing to roll.", remedies.ROLL)
                return facts | self.known.bind_facts(s.binds)
            case ir.Move():
                self._move(s, facts)
                after = self.known.after(s, facts)
                return self.without(facts, body_writes(self.program, (s,), self.writes)) | after
            case ir.Show():
                self._show(s, facts)
            case ir.SetValue():
                after = self.known.after(s, facts)
                return self.without(facts, body_writes(self.program, (s,), self.writes)) | after
            case ir.Pay():
                self._pay(s, facts)
            case ir.Do() | ir.Announce() | ir.Change() | ir.Shuffle() | ir.Score() | ir.Let():
                pass  # none of these falls short
            case ir.Nothing() | ir.Stop() | ir.EndGame() | ir.Wins():
                pass
            case _:
                assert_never(s)
        return self.without(facts, body_writes(self.program, (s,), self.writes))

    def _either(self, s: ir.Branch | ir.IfThere, then: Facts, otherwise: Facts) -> Facts:
        """What is certain after one of two blocks, given what is certain before each."""
        yes, no = self.block(s.then, then), self.block(s.otherwise, otherwise)
        if _leaves(s.then):
            return no
        return yes if _leaves(s.otherwise) else yes & no

    def _everywhere(self, s: ir.Each | ir.Together, after: Facts) -> Facts:
        """Facts that a loop has established for all members, each pass for its own; ``after``: at the end of a pass."""
        found = self.known.everywhere(s.binds, after)
        inside = list(statements(self.program, s.body))
        if not found or any(isinstance(statement, ir.Stop) for statement in inside):
            return frozenset()
        own = {fact.place.variable: set[tuple[ir.Expr, ...]]() for fact in after}
        for fact in after:
            own[fact.place.variable].add(fact.place.indices)
        disturbed = set[str]()
        for statement in inside:
            does = effect(self.program, statement)
            disturbed.update(*(self.writes[called] for called in does.calls))
            if does.watched:
                disturbed.update(*(self.writes[watcher] for watcher in self.program.watchers))
            for place in (child for child in children(statement) if isinstance(child, ir.Place)):
                if own.get(place.variable) != {place.indices}:
                    disturbed.add(place.variable)
            if isinstance(statement, ir.Score):
                disturbed.update(does.writes)
        return self.without(found, frozenset(disturbed))

    def _always_possible(self, id_: str) -> bool:
        option = self.program.rules[id_]
        return not option.needs and (option.binds is None or never_empty(option.binds))

    def _choose(self, s: ir.Choose, facts: Facts) -> Facts:
        inner = facts | self.known.bind_facts(s.binds)
        if s.body is None:
            if not s.surely and not never_empty(s.binds):
                self._report(s, "There may be nothing to choose.", remedies.CHOICE)
            return inner
        after = self.block(s.body, inner)
        return after & self.block(s.otherwise, facts)

    def _choose_some(self, s: ir.ChooseSome, facts: Facts) -> Facts:
        """What was chosen from a place is there."""
        there: Facts = frozenset()
        if isinstance(s.domain, ir.Read) and isinstance(s.type, PiecesType):
            there = frozenset([Fact("holds", s.domain, ir.Local(s.slot, s.name, s.type))])
        if s.body is None:
            if not s.surely and not self._enough_to_choose(s, facts):
                self.sink.error(
                    "R0502",
                    s.span,
                    "There may not be enough to choose from.",
                    help=remedies.of_choosing_some(s),
                    rule=self.current,
                )
            return facts | there
        return self.block(s.body, facts | there) & self.block(s.otherwise, facts)

    def _enough_to_choose(self, s: ir.ChooseSome, facts: Facts) -> bool:
        if reaches(0, s.low):
            return True
        if s.filtered:
            return False
        if (isinstance(s.domain, ir.Apply) and s.domain.op == "members") or isinstance(s.domain, ir.Const):
            return reaches(fewest_members(s.domain), s.low)
        sizes = (f.amount for f in facts if f.kind == "size" and f.place == s.domain)
        return any(reaches(size, s.low) for size in sizes)

    def _report(self, s: ir.Choose | ir.Roll, message: str, help_: Help) -> None:
        self.sink.error("R0502", s.span, message, help=help_, rule=self.current)

    # ------------------------------------------------------------ moves and payments

    def _move(self, s: ir.Move, facts: Facts) -> None:
        if s.surely:
            return
        source = read(self.program, s.source)
        target = read(self.program, s.target)
        if not s.up_to and not self._enough(s, source, facts):
            self.sink.error(
                "R0502",
                s.span,
                f"`{s.source.variable}` may not hold enough for this move.",
                help=remedies.of_moving(s, source, self.program.variables[source.variable]),
                rule=self.current,
            )
        variable = self.program.variables[s.target.variable]
        if variable.kind == "grid":
            if not any(f.kind == "free" and matches(f.place, target) and f.subject == s.square for f in facts):
                self.sink.error(
                    "R0503",
                    s.span,
                    f"This square of `{variable.name}` may be occupied, or `{variable.name}` may be full.",
                    help=remedies.SQUARE,
                    rule=self.current,
                )
        elif variable.capacity is not None and not self._room(s, target, variable, facts):
            self.sink.error(
                "R0503",
                s.span,
                f"`{variable.name}` holds at most {variable.capacity} and may already be full.",
                help=remedies.of_filling(s, target, variable),
                rule=self.current,
            )

    def _show(self, s: ir.Show, facts: Facts) -> None:
        """What is shown must be there, as if it were to be moved."""
        if s.what is None or s.surely or s.up_to:
            return
        as_move = ir.Move(s.what, s.amount, s.kind, s.up_to, s.place, s.place, span=s.span)
        source = read(self.program, s.place)
        if not self._enough(as_move, source, facts):
            self.sink.error(
                "R0502",
                s.span,
                f"`{s.place.variable}` may not hold enough to be shown.",
                help=remedies.of_showing(as_move, source, self.program.variables[source.variable]),
                rule=self.current,
            )

    def _enough(self, s: ir.Move, source: ir.Read, facts: Facts) -> bool:
        if s.what in ("all", "all of"):
            return True
        amount = s.amount
        if isinstance(amount, ir.Const) and amount.value == 0:
            return True
        for fact in facts:
            if not matches(fact.place, source):
                continue
            if s.what == "at" and (fact.subject == amount if fact.kind == "at" else self._position(fact, amount)):
                return True
            if s.what == "pieces" and fact.kind in ("holds", "covers") and fact.subject == amount and fact.amount == 1:
                return fact.kind == "holds" or not self.program.variables[source.variable].exchanges
            if s.what == "number of" and fact.kind == "of" and fact.subject == s.kind and reaches(fact.amount, amount):
                return True
            if s.what == "number" and fact.kind == "size" and reaches(fact.amount, amount):
                return True
        return False

    def _position(self, fact: Fact, position: ir.Expr | None) -> bool:
        """Whether there is a piece at the position because there are enough of them."""
        counted = isinstance(position, ir.Const) and position.value >= 1
        return counted and fact.kind == "size" and reaches(fact.amount, position)

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
        return any(f.kind == "room" and matches(f.place, target) and reaches(f.amount, most) for f in facts)

    def _pay(self, s: ir.Pay, facts: Facts) -> None:
        source = read(self.program, s.source)
        if s.surely or (isinstance(s.cost, ir.Const) and not any(s.cost.value)):
            return
        payable = Fact("covers", source, s.cost, 1 if s.less is None else s.less)
        if any(attrs.evolve(f, place=source) == payable and matches(f.place, source) for f in facts):
            return
        self.sink.error(
            "R0502",
            s.span,
            f"`{s.source.variable}` may not hold enough for this payment.",
            help=remedies.of_paying(s, source),
            rule=self.current,
        )

    # ------------------------------------------------------------ facts

    def without(self, facts: Facts, written: frozenset[str]) -> Facts:
        """The facts that are still certain after the variables have changed."""
        if not written:
            return facts
        return frozenset(f for f in facts if not self._depends(f, written))

    def _depends(self, fact: Fact, written: frozenset[str]) -> bool:
        parts = [part for part in (fact.place, fact.subject, fact.amount) if isinstance(part, ir.Node)]
        return bool(self.reads.variables(parts) & written)


def _leaves(body: tuple[ir.Statement, ...]) -> bool:
    return bool(body) and isinstance(body[-1], (ir.Stop, ir.EndGame, ir.Wins))


def _fills_up(amount: ir.Expr, target: ir.Read, capacity: int) -> bool:
    """Whether an amount is what is missing in a place, ``4 - count(place)``."""
    match amount:
        case ir.Apply("-", (ir.Const(value=int() as most), ir.Apply("size", (ir.Read() as place,)))):
            return most <= capacity and matches(place, target)
    return False
