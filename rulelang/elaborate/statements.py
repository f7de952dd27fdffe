"""Elaboration of rules and statements."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Literal, assert_never

import attrs

from .. import program as ir
from ..fixes import Below, Fix, Help
from ..syntax import tree
from ..syntax.printer import print_expr
from ..types import FLAG, SQUARE, TURN, UNKNOWN, ListType, MemberType, NumberType, PiecesType, describe
from . import histories, rule_columns
from .builtins import with_condition
from .calls import called, depth
from .chosen import check_chosen
from .compatible import fits
from .declarations import params
from .environment import MAX_CELLS, MAX_NUMBER, Environment, RuleSignature
from .expressions import Expressions
from .operators import price
from .scope import Frame, Scope
from .several import choose_some
from .shown import memory_type
from .sides import is_out, nobody_in, scorer, team_type, winners


@attrs.define
class Rules:
    """Elaborates all rules of a game; ``made`` collects rules and options by id, in the order of the text."""

    env: Environment
    made: dict[str, ir.Rule] = attrs.field(factory=dict)
    handlers: dict[str, list[str]] = attrs.field(factory=dict)
    watchers: list[str] = attrs.field(factory=list)

    def signatures(self) -> None:
        """What others see of each rule, so that rules may call each other in any order."""
        env = self.env
        for id_, rule in env.linked.rules.items():
            source = (rule.id, rule.params, rule.triggers, rule.head)
            make = functools.partial(self._signature_alone, rule)
            env.signatures.values_[id_] = env.remembered("signature of rule", id_, source, make)

    def run(self) -> None:
        env = self.env
        rules = env.linked.rules
        for id_, rule in rules.items():
            made, seen = env.remembered("rule", id_, (rule,), functools.partial(self.top, rule))
            self.made |= made
            env.rules.values_.update(seen)
        for id_ in rules:
            rule_ = self.made[id_]
            if rule_.event is not None:
                self.handlers.setdefault(rule_.event, []).append(id_)
            if rule_.whenever is not None:
                self.watchers.append(id_)

    def _signature_alone(self, rule: tree.Rule) -> tuple[ir.Param, ...]:
        return self._signature(Expressions(self.env, Scope(Frame()), rule.id), rule)

    def _signature(self, e: Expressions, rule: tree.Rule) -> tuple[ir.Param, ...]:
        made = params(self.env, e, rule.params, rule.id)
        for trigger in rule.triggers:
            if trigger.word == "on":
                made += self._event_params(e, rule, trigger)
        return made

    def _event_params(self, e: Expressions, rule: tree.Rule, trigger: tree.Trigger) -> tuple[ir.Param, ...]:
        event = self.env.events.get(trigger.event or "")
        if event is None:
            self.env.unknown(trigger.event or "", trigger.span, "event", list(self.env.events), rule.id)
            return ()
        if rule.params:
            e.error(
                "R0403",
                rule.head,
                "A rule that waits for an event cannot have parameters.",
                f"Name the values of the event after it: `on {event.name}(...)`.",
            )
        names = trigger.names
        if len(names) not in (0, len(event.types)):
            e.error(
                "R0403",
                trigger.span,
                f"`{event.name}` brings {len(event.types)} values, but {len(names)} are named here.",
                "Name each of them, or none.",
            )
            return ()
        return tuple(
            ir.Param(name, e.declare(name, type_, trigger.span, param=True), type_)
            for name, type_ in zip(names, event.types, strict=bool(names))
        )

    def top(self, rule: tree.Rule) -> tuple[dict[str, ir.Rule], dict[str, RuleSignature]]:
        """A rule with the rules and options inside it, by id; and what examples see of them."""
        scope = Scope(Frame())
        e = Expressions(self.env, scope, rule.id)
        params = self._signature(e, rule)
        made: dict[str, ir.Rule] = {}
        block = Block(made, e, rule.id)
        guard, whenever, event = block.triggers(rule, top=True)
        placeholder = ir.Rule(rule.id, "rule", params, guard, (), (), 0, openly=_openly(rule), span=rule.head)
        made[rule.id] = placeholder
        needs, body = block.needs_and_body(rule.body)
        made[rule.id] = attrs.evolve(
            placeholder,
            needs=needs,
            body=body,
            frame=scope.frame.size,
            event=event,
            whenever=whenever,
            deep=depth(self.env, rule.deep, rule.id),
        )
        return made, {id_: _seen(rule) for id_, rule in made.items()}


@attrs.define
class Block:
    """Elaborates the statements of one block. ``loops``: how many repeats or take turns of this rule surround it.

    ``made``: takes the rules and options that it meets.
    """

    made: dict[str, ir.Rule]
    e: Expressions
    rule: str
    loops: int = 0

    @property
    def env(self) -> Environment:
        return self.e.env

    def _inner(self, *, loop: bool = False) -> Block:
        return Block(self.made, self.e.inside(self.e.scope.inner()), self.rule, self.loops + loop)

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
                if trigger.word == "unless":
                    condition = ir.Apply("not", (condition,), FLAG, span=trigger.span)
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
        inner = self._inner()
        inner.rule = rule.id
        inner.e.rule = rule.id
        guard, _, _ = inner.triggers(rule, top=False)
        openly = _openly(rule)
        placeholder = ir.Rule(rule.id, "rule", (), guard, (), (), 0, parent=self.rule, openly=openly, span=rule.head)
        self.made.setdefault(rule.id, placeholder)
        needs, body = inner.needs_and_body(rule.body)
        self.made[rule.id] = attrs.evolve(placeholder, needs=needs, body=body)
        return ir.NamedRule(rule.id, span=rule.head)

    def _option(self, option: tree.MenuOption) -> str:
        scope = self.e.scope.inner() if option.variant is None else self.e.scope.of_variant()
        inner = Block(self.made, self.e.inside(scope), self.rule, self.loops)
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
                inner = Block(self.made, e.inside(e.scope.of_variant()), self.rule, self.loops)
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
                return self._move(s)
            case tree.Shuffle():
                place = self.place(s.place, ("stack",), "shuffled")
                return [] if place is None else [ir.Shuffle(place, span=s.span)]
            case tree.Show():
                return self._show(s)
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
                if not self.loops:
                    e.error(
                        "R0506",
                        s.span,
                        "`stop` leaves a `repeat` or `take turns`, but there is none around it here.",
                        "Remove it. To skip what follows, write `if`.",
                    )
                return [ir.Stop(span=s.span)]
            case tree.EndGame():
                return [ir.EndGame(span=s.span)]
            case tree.If():
                condition = e.flag(s.condition)
                then = self._inner().statements(s.then)
                otherwise = self._inner().statements(s.otherwise or ())
                return [ir.Branch(condition, then, otherwise, span=s.span)]
            case tree.IfThere():
                block = self._inner()
                binds = block.e.binds(s.binders)
                then = block.statements(s.then)
                otherwise = self._inner().statements(s.otherwise or ())
                return [ir.IfThere(binds, then, otherwise, span=s.span)]
            case tree.Each():
                block = self._inner()
                return [ir.Each(block.e.binds(s.binders), block.statements(s.body), span=s.span)]
            case tree.Together():
                block = self._inner()
                block.loops = 0  # nobody can stop what the others are doing at the same time
                binds = block.e.binds(s.binders)
                if len(binds.binds) != 1 or binds.binds[0].type not in (self.env.player, UNKNOWN):
                    e.error(
                        "R0402",
                        s.binders.span,
                        "Only players can decide together.",
                        "Write `together each p in Player`.",
                    )
                    return []
                return [ir.Together(_without_those_out(block.e, binds), block.statements(s.body), span=s.span)]
            case tree.Repeat():
                value = e.value(s.value, NumberType(0, MAX_NUMBER))
                return [ir.Repeat(s.word, value, self._inner(loop=True).statements(s.body), span=s.span)]
            case tree.TakeTurns():
                return self._take_turns(s)
            case tree.Choose():
                return self._choose(s)
            case tree.ChooseSome():
                return choose_some(self, s)
            case tree.Menu():
                who = self.player(s.who)
                options = tuple(self._option(o) for o in s.options)
                instead = None if s.otherwise is None else self._inner().statements(s.otherwise)
                return [ir.Menu(who, options, instead, surely=s.surely, span=s.span)]
            case tree.Pay():
                return self._pay(s)
            case tree.Score():
                return self._score(s)
            case tree.Wins():
                return [ir.Wins(winners(self.e, s.who), span=s.span)]
        assert_never(s)

    def player(self, node: tree.Expr) -> ir.Expr:
        return self.e.value(node, self.env.player)

    def place(self, node: tree.Expr, kinds: tuple[str, ...], done: str) -> ir.Place | None:
        """The variable a statement acts on; None after a finding."""
        e = self.e
        name = ""
        indices: tuple[tree.Expr, ...] = ()
        if isinstance(node, tree.Name):
            name = node.name
        elif isinstance(node, tree.Index) and isinstance(node.value, tree.Name):
            name, indices = node.value.name, node.indices
        declared = self.env.declared.get(name)
        if name in e.scope.names and declared is tree.Variable:
            return None  # the local name that hides the variable has been reported
        if name in e.scope.names or declared is not tree.Variable:
            known_otherwise = name in e.scope.names or name in self.env.domains or name in self.env.members
            if name and declared is None and not known_otherwise:
                known = [n for n, d in self.env.declared.items() if d is tree.Variable]
                self.env.unknown(name, node.span, "place or value", known, self.rule)
            elif declared is tree.History:
                histories.as_place(e, name, node.span)
            else:
                what = f"`{name}`" if name else "This"
                e.error("R0402", node.span, *_not_kept(what, done))
            return None
        variable = self.env.variable(name)
        if variable is None:
            return None
        if len(indices) != len(variable.owners):
            owners = ", ".join(o.domain.name for o in variable.owners)
            usage = f"`{name}[...]` for one {owners}" if owners else f"`{name}`"
            problem = (
                f"`{name}` is kept for each {owners}."
                if owners
                else f"There is only one `{name}`, so it takes no brackets."
            )
            whole = (
                variable.kind == "value" and isinstance(variable.type, ListType) and len(indices) > len(variable.owners)
            )
            e.error("R0403", node.span, problem, "Set the list as a whole." if whole else f"Write {usage}.")
            return None
        if variable.kind not in kinds:
            e.error("R0402", node.span, _cannot(name, variable.kind, done), _advice(variable.kind, done))
            return None
        owned = tuple(e.value(i, o) for i, o in zip(indices, variable.owners, strict=True))
        return ir.Place(name, owned, span=node.span)

    def _set(self, s: tree.Set) -> Sequence[ir.Statement]:
        place = self.place(s.target, ("value", "slot"), "set")
        variable = self.env.variable(place.variable) if place else None
        if place is None or variable is None:
            self.e.value(s.value)
            return []
        return [ir.SetValue(place, self.e.value(s.value, variable.type), span=s.span)]

    def _change(self, s: tree.Change) -> Sequence[ir.Statement]:
        done = f"{s.word}d"
        place = self.place(s.target, ("value",), done)
        variable = self.env.variable(place.variable) if place else None
        amount = self.e.number(s.value)
        if place is None or variable is None:
            return []
        if not isinstance(variable.type, NumberType):
            problem = f"`{variable.name}` is {describe(variable.type)}, so it cannot be {done}."
            self.e.error("R0402", s.target.span, problem, "Write `set ... to ...`.")
            return []
        return [ir.Change(place, 1 if s.word == "increase" else -1, amount, span=s.span)]

    def _move(self, s: tree.Move) -> Sequence[ir.Statement]:
        e = self.e
        places = ("pool", "bag", "stack", "slot", "grid")
        source = self.place(s.source, places, "moved from")
        target = self.place(s.target, places, "moved to")
        if source is None or target is None:
            return []
        here, there = self.env.variable(source.variable), self.env.variable(target.variable)
        assert here is not None and there is not None and here.element is not None and there.element is not None
        if here.element != there.element:
            e.error(
                "R0402",
                s.span,
                f"`{here.name}` holds {describe(here.element)}, but `{there.name}` holds {describe(there.element)}.",
                "Move between places that hold the same kind of pieces.",
            )
            return []
        what, amount, kind = self._amount(s.amount, here)
        square, turn = self._laid(s, there)
        if what is None or (there.kind == "grid" and square is None):
            return []
        up_to = s.amount.word == "up to"
        return [ir.Move(what, amount, kind, up_to, source, target, square, turn, surely=s.surely, span=s.span)]

    def _show(self, s: tree.Show) -> Sequence[ir.Statement]:
        e = self.e
        pieces = ("pool", "bag", "stack", "slot", "grid")
        place = self.place(s.place, pieces if s.amount is not None else (*pieces, "value"), "shown")
        if isinstance(s.who, tree.Name) and s.who.name in _NOT_ONE and not e.scope.names.get(s.who.name):
            e.error("R0402", s.who.span, f"`{s.who.name}` is not a player.", _NOT_ONE[s.who.name])
            return []
        who = None if s.who is None else self.player(s.who)
        seats = None
        if s.seats is not None:
            seats = self._inner().e.binds(s.seats)
            if len(seats.binds) != 1 or seats.binds[0].type not in (self.env.player, UNKNOWN):
                e.error(
                    "R0402",
                    s.seats.span,
                    "Something can only be shown to players.",
                    "Write `to all`, or `to each q in Player where ...`.",
                )
                return []
        variable = None if place is None else self.env.variable(place.variable)
        if place is None or variable is None:
            return []
        if variable.kind == "grid" or memory_type(variable) is None:
            what = "a grid" if variable.kind == "grid" else describe(variable.type)
            e.error(
                "R0402",
                s.place.span,
                f"`{variable.name}` is {what}, which cannot be shown.",
                "Show a pool, bag, stack or slot, or a single value.",
            )
            return []
        if variable.cells * self.env.players > MAX_CELLS:
            e.error(
                "R0404",
                s.place.span,
                f"`{variable.name}` has {variable.cells:,} cells, too many to remember who was shown which.",
                f"Keep it for fewer things: {MAX_CELLS // self.env.players:,} at most.",
            )
            return []
        if s.amount is None:
            return [ir.Show(None, None, None, False, place, who, seats, span=s.span)]
        if variable.kind in ("slot", "bag", "stack") and not self._can_show(s.amount, s.place, variable):
            return []
        what_, amount, kind = self._amount(s.amount, variable, "show")
        if what_ is None:
            return []
        up_to = s.amount.word == "up to"
        return [ir.Show(what_, amount, kind, up_to, place, who, seats, surely=s.surely, span=s.span)]

    def _can_show(self, a: tree.Amount, place: tree.Expr, variable: ir.Variable) -> bool:
        """Whether these pieces can be picked out to be shown."""
        written = print_expr(place)
        number = a.number is not None and a.of is None
        if variable.kind == "slot" and (number or a.of is not None):
            problem, remedy = f"`{variable.name}` holds one piece at most.", f"Write `show {written} to ...`."
        elif variable.kind == "bag" and number and not isinstance(a.number, (tree.Bundle, tree.BundleFor)):
            problem = f"`{variable.name}` is a bag; say which pieces to show."
            remedy = "Write `N of KIND`. To show a piece at random, move it to a slot, show that, and move it back."
        elif variable.kind == "stack" and a.of is not None:
            problem = f"In `{variable.name}`, pieces are shown by where they lie."
            remedy = f"Write `show 1 from {written}` for the top piece, or `show at N from {written}`."
        else:
            return True
        self.e.error("R0402", a.span, problem, remedy)
        return False

    def _laid(self, s: tree.Move, there: ir.Variable) -> tuple[ir.Expr | None, ir.Expr | None]:
        """The square of a grid a piece is laid on, and its turn; None for another place, or after a finding."""
        e = self.e
        if there.kind != "grid":
            if s.square is not None:
                e.error(
                    "R0402",
                    s.square.span,
                    f"`{there.name}` is a {there.kind}; only a grid has squares.",
                    "Remove `at ...`. Pieces come to lie on top of a stack.",
                )
            return None, None
        if s.square is None:
            help_ = f"Write `... to {there.name}... at SQUARE`, with a square from `openings(...)`, or (0, 0)."
            e.error("R0402", s.span, f"`{there.name}` is a grid; say which square to lay the piece on.", help_)
            return None, None
        one = isinstance(s.amount.number, tree.Integer) and s.amount.number.value == 1
        if not one and s.amount.word != "at":
            e.error(
                "R0402",
                s.amount.span,
                "Only one piece at a time can be laid in a grid.",
                "Write `move 1 of ...` in a loop.",
            )
            return None, None
        square = e.value(s.square, SQUARE)
        turn = ir.Const(0, TURN, span=s.span) if s.turn is None else e.value(s.turn, TURN)
        return (None, None) if UNKNOWN in (square.type, turn.type) else (square, turn)

    def _amount(
        self, a: tree.Amount, here: ir.Variable, verb: str = "move"
    ) -> tuple[Literal["all", "all of", "number", "number of", "at", "pieces"] | None, ir.Expr | None, ir.Expr | None]:
        e = self.e
        assert here.element is not None
        kind = None if a.of is None else e.value(a.of, here.element)
        if a.word == "all":
            return ("all" if kind is None else "all of"), None, kind
        assert a.number is not None
        if a.word == "at":
            if here.kind not in ("stack", "grid"):
                e.error(
                    "R0402",
                    a.span,
                    f"`{here.name}` is a {here.kind}; only a stack has positions.",
                    f"Write `{verb} 1 of KIND`.",
                )
                return None, None, None
            return "at", e.value(a.number, NumberType(0, MAX_NUMBER)), None
        value = e.value(a.number) if kind is None and a.word == "" else e.value(a.number, NumberType(0, MAX_NUMBER))
        if kind is not None:
            return "number of", value, kind
        if value.type is UNKNOWN:
            return None, None, None
        if fits(value.type, here.element) and isinstance(here.element, MemberType):
            which = print_expr(a.number)
            e.error(
                "R0402",
                a.span,
                f"This says which pieces to {verb}, but not how many.",
                f"Write `1 of {which}`, or `all of {which}`.",
            )
            return None, None, None
        if isinstance(value.type, PiecesType):
            e.fit(value, PiecesType(here.element), a.span)
            return "pieces", value, None
        value = e.fit(value, NumberType(0, MAX_NUMBER), a.span)
        if here.kind == "pool":
            e.error(
                "R0402",
                a.span,
                f"`{here.name}` is a pool; say which pieces to {verb}.",
                help="Write `N of KIND`. To draw at random, use a bag; to take from the top, use a stack.",
            )
            return None, None, None
        return "number", value, None

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
        block = self._inner(loop=True)
        slot = block.e.declare(s.name, self.env.player, s.span)
        until = None if s.until is None else block.e.flag(s.until)
        out = is_out(block.e, ir.Local(slot, s.name, self.env.player, span=s.span), s.span)
        nobody = None if out is None else nobody_in(block.e, s.span)
        return [ir.TakeTurns(slot, s.name, start, until, block.statements(s.body), out, nobody, span=s.span)]

    def _choose(self, s: tree.Choose) -> Sequence[ir.Statement]:
        who = self.player(s.who)
        if s.body is None:
            binds = self.e.binds(s.binders)
            check_chosen(self.e, binds)
            return [ir.Choose(who, binds, False, None, (), surely=s.surely, span=s.span)]
        block = self._inner()
        binds = block.e.binds(s.binders)
        check_chosen(block.e, binds)
        body = block.statements(s.body)
        otherwise = self._inner().statements(s.otherwise or ())
        return [ir.Choose(who, binds, s.may, body, otherwise, surely=s.surely, span=s.span)]

    def _pay(self, s: tree.Pay) -> Sequence[ir.Statement]:
        who = self.player(s.who)
        source = self.place(s.source, ("pool",), "paid from")
        target = self.place(s.target, ("pool", "bag", "stack"), "paid to")
        if source is None or target is None:
            return []
        here, there = self.env.variable(source.variable), self.env.variable(target.variable)
        assert here is not None and there is not None and here.element is not None
        if here.element != there.element:
            self.e.error(
                "R0402",
                s.span,
                f"`{here.name}` and `{there.name}` do not hold the same kind of pieces.",
                "Pay into a place that does.",
            )
            return []
        cost, less = price(self.e, s.cost, PiecesType(here.element))
        return [ir.Pay(who, cost, source, target, less, surely=s.surely, span=s.span)]

    def _score(self, s: tree.Score) -> Sequence[ir.Statement]:
        who = scorer(self.e, s.who, score_variable(self.env))
        amount = self.e.number(s.value)
        if score_variable(self.env) is None and "score" not in self.env.declared:
            self.e.error(
                "R0412",
                s.span,
                f"The game keeps no `score`, so nobody {s.word}.",
                help=Help("Declare it under `each Player has`, for example `score: 0..999`.", (_SCORE,)),
            )
            return []
        return [ir.Score(who, 1 if s.word == "scores" else -1, amount, span=s.span)]


def _without_those_out(e: Expressions, binds: ir.Binds) -> ir.Binds:
    """The players who are in, of those who would decide together."""
    bind = binds.binds[0]
    out = is_out(e, ir.Local(bind.slot, bind.name, bind.type, span=bind.span), bind.span)
    return binds if out is None else with_condition(binds, ir.Apply("not", (out,), FLAG, span=bind.span))


_SCORE = Fix("Let each player have a `score`", (Below("each Player has\n  score: 0..999", past="item"),))


def _openly(rule: tree.Rule) -> bool:
    return any(trigger.openly for trigger in rule.triggers)


def _seen(rule: ir.Rule) -> RuleSignature:
    binds = tuple((bind.name, bind.type) for bind in rule.binds.binds) if rule.binds is not None else ()
    return RuleSignature(rule.kind, rule.params, rule.parent, binds)


def score_variable(env: Environment) -> str | None:
    """``score``, when it is a number kept for each player or each team."""
    if env.declared.get("score") is not tree.Variable:
        return None
    variable = env.variable("score")
    if variable is None or list(variable.owners) not in ([env.player], [team_type(env)]):
        return None
    return "score" if isinstance(variable.type, NumberType) else None


_NOT_ONE = {
    **dict.fromkeys(("everybody", "everyone", "anybody", "players"), "Write `to all`."),
    **dict.fromkeys(("nobody", "none"), "Leave the line out: what is not shown stays hidden."),
    **dict.fromkeys(("others", "opponents"), "Write `to each q in Player where q is not p`."),
}
"""Words for others than one player, to whom something is to be shown, with what to write instead."""

_ON_PIECES = {
    "moved from": "moved from it",
    "moved to": "moved to it",
    "paid from": "paid from it",
    "paid to": "paid to it",
}


def _not_kept(what: str, done: str) -> tuple[str, str]:
    """Message and remedy for something that the game does not keep, and that a statement acts on."""
    if done in _ON_PIECES:
        return f"{what} is not a place, so nothing can be {_ON_PIECES[done]}.", "Name a pool, bag, stack, slot or grid."
    if done == "shuffled":
        return f"{what} is not a stack, so it cannot be shuffled.", "Name a stack."
    if done == "shown":
        return (
            f"{what} is not a place or value that is kept, so it cannot be shown.",
            "Name one declared under `... has`; for the top piece of a stack, write `show 1 from STACK to ...`.",
        )
    return f"{what} does not change during play, so it cannot be {done}.", "Name something declared under `... has`."


def _cannot(name: str, kind: str, done: str) -> str:
    outcome = f"nothing can be {_ON_PIECES[done]}" if done in _ON_PIECES else f"it cannot be {done}"
    return f"`{name}` is a {kind}, so {outcome}."


def _advice(kind: str, done: str) -> str:
    if kind == "value":
        return "Use `set`, `increase` or `decrease`."
    if done == "shuffled":
        return "Make it a stack."
    if done.startswith("paid"):
        return "Pay from a pool to a pool, bag or stack."
    return "Use `set` or `move`." if kind == "slot" else "Use `move`."
