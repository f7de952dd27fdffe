"""Statements, and the rules and options inside others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

import attrs

from .. import program as ir
from ..syntax import tree
from ..syntax.printer import print_expr
from ..types import FLAG, UNKNOWN, NumberType, describe
from . import histories, move_targets, rule_columns, teams
from .aims import Aim
from .comprehensions import with_condition
from .environment import MAX_NUMBER, Environment
from .expressions import Expressions
from .move_targets import acted_on
from .primaries import called
from .selections import choose_some
from .teams import is_out, nobody_in, winners
from .typing import check_chosen


@attrs.define
class Elaborator:
    """Elaborates the statements of one block. ``loops``: how many repeats or take turns of this rule surround it.

    ``made``: takes the rules and options that it meets; ``aims``: the definitions made for the aims of menus.
    """

    made: dict[str, ir.Rule]
    e: Expressions
    rule: str
    loops: int = 0
    aims: dict[str, ir.Definition] = attrs.field(factory=dict)

    @property
    def env(self) -> Environment:
        return self.e.env

    # ------------------------------------------------------------ rules

    def triggers(self, rule: tree.Rule, *, top: bool) -> tuple[ir.Expr | None, ir.Expr | None, str | None]:
        """Guard, ``whenever`` condition and event of a rule."""
        guard: ir.Expr | None = None
        whenever: ir.Expr | None = None
        event: str | None = None
        for trigger in rule.triggers:
            if trigger.word in ("on", "whenever") and not top:
                self.e.error(
                    "R0411",
                    trigger.span,
                    f"A rule inside another runs where it is written, so it cannot have `{trigger.word}`.",
                    help="Move the rule to the first column.",
                )
            elif trigger.word == "on":
                event = trigger.event if trigger.event in self.env.events else None
            elif trigger.word == "whenever":
                assert trigger.condition is not None
                whenever = self.e.flag(trigger.condition)
            else:
                assert trigger.condition is not None
                condition = self.e.flag(trigger.condition)
                guard = condition if guard is None else ir.Apply("and", (guard, condition), FLAG, span=trigger.span)
        return guard, whenever, event

    def needs_and_body(
        self, statements: Sequence[tree.Statement]
    ) -> tuple[tuple[ir.Needs, ...], tuple[ir.Statement, ...]]:
        needs: list[ir.Needs] = []
        rest = list(statements)
        while rest and isinstance(rest[0], tree.Needs):
            first = rest.pop(0)
            assert isinstance(first, tree.Needs)
            text = print_expr(first.condition)
            needs.append(ir.Needs(self.e.flag(first.condition), text, openly=first.openly, span=first.span))
        return tuple(needs), self.statements(rest)

    def _nested(self, rule: tree.Rule) -> ir.NamedRule:
        if rule.params:
            self.e.error(
                "R0411",
                rule.head,
                "A rule inside another cannot have parameters.",
                "Remove them: it can use the names around it.",
            )
        if rule.deep is not None:
            self.e.error(
                "R0411",
                rule.deep.span,
                "A rule inside another runs where it is written, so it cannot run itself.",
                "Remove `at most ... deep`, or move the rule to the first column and `do` it.",
            )
        inner = self.inner()
        inner.rule = rule.id
        inner.e.rule = rule.id
        guard, _, _ = inner.triggers(rule, top=False)
        openly = told_openly(rule)
        placeholder = ir.Rule(rule.id, "rule", (), guard, (), (), 0, parent=self.rule, openly=openly, span=rule.head)
        self.made.setdefault(rule.id, placeholder)
        needs, body = inner.needs_and_body(rule.body)
        self.made[rule.id] = attrs.evolve(placeholder, needs=needs, body=body)
        return ir.NamedRule(rule.id, span=rule.head)

    def _option(self, option: tree.MenuOption, aim: Aim | None) -> str:
        scope = self.e.scope.inner() if option.variant is None else self.e.scope.of_variant()
        inner = Elaborator(self.made, self.e.inside(scope), self.rule, self.loops, self.aims)
        inner.rule = option.id
        inner.e.rule = option.id
        binds = None
        if option.binders is not None:
            binds = inner.e.binds(option.binders)
            check_chosen(inner.e, binds)
            slots = {bind.slot for bind in binds.binds}
            inner.e.scope.params |= {n: local for n, local in inner.e.scope.names.items() if local.slot in slots}
        placeholder = ir.Rule(option.id, "option", (), None, (), (), 0, parent=self.rule, binds=binds, span=option.head)
        self.made.setdefault(option.id, placeholder)
        needs, body = inner.needs_and_body(option.body)
        if aim is not None:
            needs += aim.needed(inner.e, option)
        self.made[option.id] = attrs.evolve(placeholder, needs=needs, body=body)
        return option.id

    # ------------------------------------------------------------ statements

    def statements(self, statements: Sequence[tree.Statement]) -> tuple[ir.Statement, ...]:
        made: list[ir.Statement] = []
        for statement in statements:
            found = self._statement(statement)
            if isinstance(statement, tree.Action) and statement.openly:
                found = [attrs.evolve(s, openly=True) if isinstance(s, ir.Action) else s for s in found]
            made.extend(found)
        return tuple(made)

    def _statement(self, s: tree.Statement) -> Sequence[ir.Statement]:
        e = self.e
        match s:
            case tree.Inserted():
                inner = Elaborator(self.made, e.inside(e.scope.of_variant()), self.rule, self.loops, self.aims)
                return inner.statements(s.body)
            case tree.Rule():
                return [self._nested(s)]
            case tree.Needs():
                e.error(
                    "R0411",
                    s.span,
                    "`needs` must come first in a rule or an option.",
                    help="Move it up, or write `if`.",
                )
                return []
            case tree.Let():
                value = e.value(s.value)
                return [ir.Let(e.declare(s.name, value.type, s.span), s.name, value, span=s.span)]
            case tree.Set():
                return self._set(s)
            case tree.Change():
                return self._change(s)
            case tree.Move():
                return move_targets.move(self, s)
            case tree.Shuffle():
                place = acted_on(self, s.place, ("stack",), "shuffled")
                return [] if place is None else [ir.Shuffle(place, span=s.span)]
            case tree.Show():
                return move_targets.show(self, s)
            case tree.Roll():
                return [ir.Roll(e.binds(s.binders), surely=s.surely, span=s.span)]
            case tree.DoNothing():
                return [ir.Nothing(span=s.span)]
            case tree.Do():
                return self._do(s)
            case tree.Announce():
                return self._announce(s)
            case tree.Remember():
                return histories.remember(e, s)
            case tree.Forget():
                return histories.forget(e, s)
            case tree.Stop():
                return self._stop(s)
            case tree.EndGame():
                return [ir.EndGame(span=s.span)]
            case tree.TakeTurns():
                return self._take_turns(s)
            case tree.Choose():
                return self._choose(s)
            case tree.ChooseSome():
                return choose_some(self, s)
            case tree.Pay():
                return move_targets.pay(self, s)
            case tree.Score():
                return teams.score(self, s)
            case tree.Wins():
                return [ir.Wins(winners(self.e, s.who), span=s.span)]
            case _:  # those with blocks in them
                return self._with_blocks(s)

    def _with_blocks(
        self, s: tree.If | tree.IfThere | tree.Each | tree.Together | tree.Repeat | tree.Menu
    ) -> Sequence[ir.Statement]:
        e = self.e
        match s:
            case tree.If():
                condition = e.flag(s.condition)
                then = self.inner().statements(s.then)
                otherwise = self.inner().statements(s.otherwise or ())
                return [ir.Branch(condition, then, otherwise, span=s.span)]
            case tree.IfThere():
                block = self.inner()
                binds = block.e.binds(s.binders)
                then = block.statements(s.then)
                otherwise = self.inner().statements(s.otherwise or ())
                return [ir.IfThere(binds, then, otherwise, span=s.span)]
            case tree.Each():
                block = self.inner()
                return [ir.Each(block.e.binds(s.binders), block.statements(s.body), span=s.span)]
            case tree.Together():
                return self._together(s)
            case tree.Repeat():
                value = e.value(s.value, NumberType(0, MAX_NUMBER))
                return [ir.Repeat(s.word, value, self.inner(loop=True).statements(s.body), span=s.span)]
            case tree.Menu():
                who = self.player(s.who)
                aim = None if s.aim is None else Aim(self, s, s.aim)
                options = tuple(self._option(o, aim) for o in s.options)
                instead = None if s.otherwise is None else self.inner().statements(s.otherwise)
                return [*(aim.lets if aim else ()), ir.Menu(who, options, instead, surely=s.surely, span=s.span)]
        assert_never(s)

    def _stop(self, s: tree.Stop) -> Sequence[ir.Statement]:
        if not self.loops:
            self.e.error(
                "R0506",
                s.span,
                "`stop` leaves a `repeat` or `take turns`, but there is none around it here.",
                "Remove it. To skip what follows, write `if`.",
            )
        return [ir.Stop(span=s.span)]

    def _together(self, s: tree.Together) -> Sequence[ir.Statement]:
        block = self.inner()
        block.loops = 0  # nobody can stop what the others are doing at the same time
        binds = block.e.binds(s.binders)
        if len(binds.binds) != 1 or binds.binds[0].type not in (self.env.player, UNKNOWN):
            problem = "Only players can decide together."
            self.e.error("R0402", s.binders.span, problem, "Write `together each p in Player`.")
            return []
        return [ir.Together(_without_those_out(block.e, binds), block.statements(s.body), span=s.span)]

    def inner(self, *, loop: bool = False) -> Elaborator:
        """A block inside this one; with ``loop`` it is the body of a repeat or of turns."""
        return Elaborator(self.made, self.e.inside(self.e.scope.inner()), self.rule, self.loops + loop, self.aims)

    def player(self, node: tree.Expr) -> ir.Expr:
        return self.e.value(node, self.env.player)

    def _set(self, s: tree.Set) -> Sequence[ir.Statement]:
        place = acted_on(self, s.target, ("value", "slot"), "set")
        variable = self.env.variable(place.variable) if place else None
        if place is None or variable is None:
            self.e.value(s.value)
            return []
        return [ir.SetValue(place, self.e.value(s.value, variable.type), span=s.span)]

    def _change(self, s: tree.Change) -> Sequence[ir.Statement]:
        done = f"{s.word}d"
        place = acted_on(self, s.target, ("value",), done)
        variable = self.env.variable(place.variable) if place else None
        amount = self.e.number(s.value)
        if place is None or variable is None:
            return []
        if not isinstance(variable.type, NumberType):
            problem = f"`{variable.name}` is {describe(variable.type)}, so it cannot be {done}."
            self.e.error("R0402", s.target.span, problem, "Write `set ... to ...`.")
            return []
        return [ir.Change(place, 1 if s.word == "increase" else -1, amount, span=s.span)]

    def _do(self, s: tree.Do) -> Sequence[ir.Statement]:
        named = rule_columns.named_by(self.e, s.rule, s.span)
        if named is not None:
            return self._do_named(s, named)
        values = called(self.e, s.rule, s.arguments, s.span)
        return [] if values is None else [ir.Do(s.rule, values, span=s.span)]

    def _do_named(self, s: tree.Do, named: ir.Expr) -> Sequence[ir.Statement]:
        """Runs the rule that a value names."""
        found = rule_columns.rules_of(self.e, named, s.rule, s.span)
        values = None
        if found is not None:
            values = rule_columns.arguments(self.e, s.rule, found[1], s.arguments, s.span)
        if found is None or values is None:
            return []
        given = values

        def run(rule: str) -> tuple[ir.Statement, ...]:
            return (ir.Do(rule, given, openly=s.openly, span=s.span),)

        def branch(
            test: ir.Expr, then: tuple[ir.Statement, ...], otherwise: tuple[ir.Statement, ...]
        ) -> tuple[ir.Statement, ...]:
            return (ir.Branch(test, then, otherwise, by_column=True, openly=s.openly, span=s.span),)

        nothing: tuple[ir.Statement, ...] = ()
        return rule_columns.dispatch(named, found[0], run, branch, nothing, s.span)

    def _announce(self, s: tree.Announce) -> Sequence[ir.Statement]:
        event = self.env.events.get(s.event)
        if event is None:
            given = [self.e.value(argument) for argument in s.arguments]
            self.env.unknown(s.event, s.span, "event", list(self.env.events), self.rule, given)
            return []
        expected = tuple(ir.Param(describe(t), n, t) for n, t in enumerate(event.types))
        values = self.e.arguments(s.event, expected, s.arguments, s.span)
        return [] if values is None else [ir.Announce(s.event, values, span=s.span)]

    def _take_turns(self, s: tree.TakeTurns) -> Sequence[ir.Statement]:
        start = self.player(s.start)
        block = self.inner(loop=True)
        slot = block.e.declare(s.name, self.env.player, s.span)
        player = ir.Local(slot, s.name, self.env.player, span=s.span)
        next_one = ir.Apply("next", (player,), player.type, span=s.span)
        following = next_one if s.following is None else block.player(s.following)
        until = None if s.until is None else block.e.flag(s.until)
        out = is_out(block.e, player, s.span)
        nobody = None if out is None else nobody_in(block.e, s.span)
        body = block.statements(s.body)
        return [ir.TakeTurns(slot, s.name, start, following, until, body, out, nobody, span=s.span)]

    def _choose(self, s: tree.Choose) -> Sequence[ir.Statement]:
        who = self.player(s.who)
        if s.body is None:
            binds = self.e.binds(s.binders)
            check_chosen(self.e, binds)
            return [ir.Choose(who, binds, False, None, (), surely=s.surely, span=s.span)]
        block = self.inner()
        binds = block.e.binds(s.binders)
        check_chosen(block.e, binds)
        body = block.statements(s.body)
        otherwise = self.inner().statements(s.otherwise or ())
        return [ir.Choose(who, binds, s.may, body, otherwise, surely=s.surely, span=s.span)]


def _without_those_out(e: Expressions, binds: ir.Binds) -> ir.Binds:
    """The players who are in, of those who would decide together."""
    bind = binds.binds[0]
    out = is_out(e, ir.Local(bind.slot, bind.name, bind.type, span=bind.span), bind.span)
    return binds if out is None else with_condition(binds, ir.Apply("not", (out,), FLAG, span=bind.span))


def told_openly(rule: tree.Rule) -> bool:
    """Whether everybody may learn what the conditions of the rule look at."""
    return any(trigger.openly for trigger in rule.triggers)
