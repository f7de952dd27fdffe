"""Certainties: each rule is followed from its first line, and what guards and steps have established is remembered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from .. import program as ir
from ..program.analysis.effects import ProgramIndex, body_writes, effect
from ..program.walk import children, free_slots, statements
from ..types import OptionalType, PiecesType
from .facts import Fact, Facts, Knowledge, about_places, renamed, words
from .inequalities import Sum
from .supplies import COUNTS, Loop, Supplies

_NOTHING: Facts = frozenset()


class Certainties:
    """What is certain in the rules of one program. Each rule is followed once, and again if its callers say more.

    ``trusting``: the invariants are believed, too, which games watch and nobody has proved: they hold at every choice.
    """

    def __init__(self, index: ProgramIndex, trusting: bool = False) -> None:
        self.index = index
        self.program = index.program
        self.known = Knowledge(index.program, index.reads)
        invariants = index.program.invariants if trusting else ()
        self.at_choices = _NOTHING.union(*(self.known.facts(one.condition) for one in invariants))
        self.supplies = Supplies(index, self.known)
        self.watched = frozenset().union(*(index.writes[watcher] for watcher in index.program.watchers))
        self._alone: dict[str, Certain] = {}
        self._following: set[str] = set()  # the rules that are being followed
        self._called: dict[str, Certain] = {}
        self._by_called: dict[str, list[tuple[str, ir.Node]]] = {}
        self._read: dict[Fact | Sum | ir.Expr, frozenset[str]] = {}

    def alone(self, root: str) -> Certain:
        """What is certain in a top-level rule, whoever runs it."""
        if root not in self._alone:
            before = self.known.at_first() if root == self.program.start else _NOTHING
            self._following.add(root)
            self._alone[root] = Certain(self, root, before)
            self._following.remove(root)
        return self._alone[root]

    def ended(self, s: ir.Do, written: frozenset[str]) -> Facts:
        """What a rule that is run has left behind, in the words of the place where it is run."""
        rule = self.program.rules[s.rule]
        if rule.guard is not None or rule.id in self._following:  # it may not run at all, or runs itself
            return _NOTHING
        given = zip(rule.params, s.arguments, strict=True)
        names = {param.slot: value for param, value in given if not self.index.reads.variables(value) & written}
        end = self.without(self.alone(rule.id).end, self.watched)
        return frozenset(renamed(fact, names) for fact in end if free_slots(words(fact)) <= names.keys())

    def called(self, root: str) -> Certain:
        """What is certain in it as well because of where it is run."""
        if root not in self._called:
            self._called[root] = alone = self.alone(root)  # for what runs itself
            before = self._before(root)
            self._called[root] = Certain(self, root, before) if before else alone
        return self._called[root]

    def _before(self, root: str) -> Facts:
        """What is certain wherever a rule is run."""
        rule = self.program.rules[root]
        if rule.whenever is not None or root == self.program.start:
            return _NOTHING
        every: Facts | None = None
        for caller, call in self.callers(root):
            found = _NOTHING
            if isinstance(call, (ir.Do, ir.Announce)):
                found = passed_on(self.at_call(caller, call, rule), rule, call.arguments)
            every = found if every is None else every & found
            if not every:
                break
        return every or _NOTHING

    def callers(self, rule: str) -> Sequence[tuple[str, ir.Node]]:
        """The top-level rules that run a rule, or suppose it to run, each with the node that does."""
        if not self._by_called:
            for root in self.index.top_level:
                for called, node, _ in self.index.called[root]:
                    self._by_called.setdefault(called, []).append((root, node))
        return self._by_called.get(rule, ())

    def at_call(self, caller: str, call: ir.Do | ir.Announce, rule: ir.Rule) -> Facts:
        """What is certain when a rule is run from somewhere; others that wait for the same event may run before it."""
        if isinstance(call, ir.Announce) and self.program.handlers[call.event][0] != rule.id:
            return _NOTHING
        return self.called(caller).at(call)

    def without(self, facts: Facts, written: frozenset[str]) -> Facts:
        """The facts that are still certain after the variables have changed."""
        if not written:
            return facts
        return frozenset(fact for fact in facts if not self._reads(fact) & written)

    def _reads(self, fact: Fact | Sum | ir.Expr) -> frozenset[str]:
        found = self._read.get(fact)
        if found is None:
            found = self._read[fact] = self.index.reads.variables(words(fact))
        return found


class Certain:
    """The facts at the statements and needs of one top-level rule, with the rules and options inside it.

    ``before``: what is certain wherever the rule is run, in terms of its parameters; see ``passed_on``.
    """

    def __init__(self, whole: Certainties, root: str, before: Facts) -> None:
        self.whole = whole
        self.program = whole.program
        self.writes = whole.index.writes
        self.known = whole.known
        self._found: dict[int, Facts] = {}
        self.end = self._rule(root, before)

    def at(self, part: ir.Node) -> Facts:
        """What is certain where a statement or a need stands; of a rule, before its own conditions."""
        return self._found.get(id(part), _NOTHING)

    def _note(self, part: ir.Node, facts: Facts) -> None:
        """The same statement may stand in several places of a rule."""
        self._found[id(part)] = facts if id(part) not in self._found else self._found[id(part)] & facts

    def _rule(self, id_: str, facts: Facts) -> Facts:
        rule = self.program.rules[id_]
        self._note(rule, facts)
        for condition in (rule.whenever, rule.guard):
            if condition is not None:
                facts = self.known.given(facts, condition)
        if rule.binds is not None:
            facts |= self.known.bind_facts(rule.binds)
        for needs in rule.needs:
            self._note(needs, facts)
            facts = self.known.given(facts, needs.condition)
        return self._block(rule.body, facts)

    def _block(self, body: tuple[ir.Statement, ...], facts: Facts) -> Facts:
        for statement in body:
            facts = self._statement(statement, facts)
        return facts

    def _statement(self, s: ir.Statement, facts: Facts) -> Facts:
        self._note(s, facts)
        match s:
            case ir.Branch():
                condition, given = s.condition, self.known.given
                return self._either(s, given(facts, condition), given(facts, condition, negated=True))
            case ir.IfThere():
                return self._either(s, facts | self.known.bind_facts(s.binds), facts | self.known.none_there(s.binds))
            case ir.Each(ir.Binds((ir.Bind(domain=one),)) as binds, body) if isinstance(one.type, OptionalType):
                once = ir.IfThere(binds, body, ())
                return self._either(once, facts | self.known.bind_facts(binds), facts | self.known.none_there(binds))
            case ir.Each() | ir.Together() | ir.Repeat() | ir.TakeTurns():
                return self._loop(s, facts)
            case ir.NamedRule():
                rule = self.program.rules[s.rule]
                after = self._rule(s.rule, facts)
                # The watchers run at the end of every rule.
                after = self.whole.without(after, self.whole.watched)
                if rule.guard is None:
                    return after
                spared = self.known.given(facts, rule.guard, negated=True)
                return spared if _leaves(rule.body) else after & spared
            case ir.Menu():
                for option in s.options:
                    self._rule(option, facts | self.whole.at_choices)
                after = self.whole.without(facts, frozenset().union(*(self.writes[o] for o in s.options)))
                return after if s.otherwise is None else after & self._block(s.otherwise, facts)
            case ir.Choose():
                return self._choose(s, facts)
            case ir.ChooseSome():
                return self._choose_some(s, facts)
            case ir.Roll():
                return facts | self.known.bind_facts(s.binds)
            case ir.Move() | ir.SetValue() | ir.Change() | ir.Score() | ir.Let():
                after, written = self.known.after(s, facts), body_writes(self.program, (s,), self.writes)
                if isinstance(s, ir.Move):
                    after |= self.known.untouched(s, facts) | self.whole.supplies.around(s, facts, written)[1]
                return self.whole.without(facts, written) | after
            case ir.Do():
                ended = self.whole.ended(s, self.writes[s.rule])
                return self.whole.without(facts, self.writes[s.rule]) | ended
            case ir.Shuffle():
                counted = (fact for fact in about_places(facts) if fact.kind in COUNTS)
                return self.whole.without(facts, frozenset((s.place.variable,))) | frozenset(
                    fact
                    for fact in counted
                    if s.place.variable not in self.whole.index.reads.variables(words(fact)[1:])
                )
            case ir.Announce() | ir.Show() | ir.Pay():
                pass
            case ir.Nothing() | ir.Stop() | ir.EndGame() | ir.Wins():
                pass
            case _:
                assert_never(s)
        return self.whole.without(facts, body_writes(self.program, (s,), self.writes))

    def _either(self, s: ir.Branch | ir.IfThere, then: Facts, otherwise: Facts) -> Facts:
        """What is certain after one of two blocks, given what is certain before each."""
        yes, no = self._block(s.then, then), self._block(s.otherwise, otherwise)
        if _leaves(s.then):
            return no
        return yes if _leaves(s.otherwise) else yes & no

    def _loop(self, s: Loop, facts: Facts) -> Facts:
        """What is certain after a loop: what holds at the start of every pass, and what all of them have left."""
        written = body_writes(self.program, s.body, self.writes)
        untouched = self.whole.without(facts, written)
        at_start, left = self.whole.supplies.around(s, (fact for fact in facts if fact not in untouched), written)
        if isinstance(s, ir.TakeTurns) and s.until is not None:  # it is tested after each turn, not before the first
            again = self.known.facts(s.until, negated=True)
            own = frozenset((s.slot,))
            at_start |= {fact for fact in again if not free_slots(words(fact)) & own and self.known.holds(fact, facts)}
        given = at_start if isinstance(s, (ir.Repeat, ir.TakeTurns)) else at_start | self.known.bind_facts(s.binds)
        noted = self._found
        steady = self.known.both(facts, self._pass(s, facts | given, noted)) | untouched
        while not steady <= (after := self._pass(s, steady | given, noted)):
            kept = steady & self.known.both(steady, after) | untouched
            if kept == steady:
                break
            steady = kept
        if isinstance(s, (ir.Repeat, ir.TakeTurns)):
            self._note(s, steady | at_start)  # what is tested in it is tested again and again
            stops = (part for part in statements(self.program, s.body) if isinstance(part, ir.Stop))
            return (steady | left).intersection(*(self.at(stop) | untouched for stop in stops))
        return steady | left | self._everywhere(s, after)

    def _pass(self, s: Loop, facts: Facts, noted: dict[int, Facts]) -> Facts:
        """What is certain after a pass. ``noted``: what was when the loop began, without what other passes noted."""
        self._found = dict(noted)
        after = self._block(s.body, facts)
        return facts if _leaves(s.body) else after

    def _everywhere(self, s: ir.Each | ir.Together, after: Facts) -> Facts:
        """Facts that a loop has established for all members, each pass for its own; ``after``: at the end of a pass."""
        found = self.known.everywhere(s.binds, after)
        inside = list(statements(self.program, s.body))
        if not found or any(isinstance(statement, ir.Stop) for statement in inside):
            return frozenset()
        own = {fact.place.variable: set[tuple[ir.Expr, ...]]() for fact in about_places(after)}
        for fact in about_places(after):
            own[fact.place.variable].add(fact.place.indices)
        disturbed = set[str]()
        for statement in inside:
            does = effect(self.program, statement)
            disturbed.update(*(self.writes[called] for called in does.calls))
            if does.watched:
                disturbed |= self.whole.watched
            for place in (child for child in children(statement) if isinstance(child, ir.Place)):
                if own.get(place.variable) != {place.indices}:
                    disturbed.add(place.variable)
            if isinstance(statement, ir.Score):
                disturbed.update(does.writes)
        return self.whole.without(found, frozenset(disturbed))

    def _choose(self, s: ir.Choose, facts: Facts) -> Facts:
        inner = facts | self.whole.at_choices | self.known.bind_facts(s.binds)
        if s.body is None:
            return inner
        return self._block(s.body, inner) & self._block(s.otherwise, facts)

    def _choose_some(self, s: ir.ChooseSome, facts: Facts) -> Facts:
        """What was chosen from a place is there."""
        there = self.whole.at_choices
        if isinstance(s.domain, ir.Read) and isinstance(s.type, PiecesType):
            there |= {Fact("holds", s.domain, ir.Local(s.slot, s.name, s.type))}
        if s.body is None:
            return facts | there
        return self._block(s.body, facts | there) & self._block(s.otherwise, facts)


def passed_on(facts: Facts, rule: ir.Rule, arguments: Sequence[ir.Expr]) -> Facts:
    """The facts at a place where a rule is run, in terms of its parameters, so far as these can tell them."""
    given = zip(rule.params, arguments, strict=False)  # a rule may take fewer values than its event brings
    names: dict[int, ir.Expr] = {}
    for param, argument in given:
        if isinstance(argument, ir.Local):
            names.setdefault(argument.slot, ir.Local(param.slot, param.name, param.type))
    return frozenset(renamed(fact, names) for fact in facts if free_slots(words(fact)) <= names.keys())


def _leaves(body: tuple[ir.Statement, ...]) -> bool:
    return bool(body) and isinstance(body[-1], (ir.Stop, ir.EndGame, ir.Wins))
