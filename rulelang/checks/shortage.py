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
from ..program.analysis.effects import body_writes
from ..program.analysis.index import Index
from ..program.analysis.reads import Reads
from ..program.substitute import substitute
from ..types import ListType, MemberType, NumberType, OptionalType, PiecesType

_SURELY = "begin with `surely` if this can never happen."
_DEPTH = 4  # how deep definitions are opened when looking for facts
_FLIP = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_NOT = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "is": "is_not", "is_not": "is"}


@attrs.frozen
class Fact:
    """``kind``: ``size`` (at least ``amount`` pieces), ``of`` (of ``subject``), ``room``,
    ``free`` (the square ``subject``), ``at`` (position ``subject``), ``covers``/``holds`` (the cost ``subject``)."""

    kind: str
    place: ir.Read
    subject: ir.Expr | None = None
    amount: ir.Expr | int = 1


Facts = frozenset[Fact]


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

    # ------------------------------------------------------------ statements

    def rule(self, id_: str, facts: Facts) -> Facts:
        rule = self.program.rules[id_]
        outer, self.current = self.current, id_
        if rule.guard is not None:
            facts |= self.facts(rule.guard)
        if rule.binds is not None:
            facts |= self.bind_facts(rule.binds)
        for needs in rule.needs:
            facts |= self.facts(needs.condition)
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
                return self._either(s, facts | self.facts(s.condition), facts | self.facts(s.condition, negated=True))
            case ir.IfThere():
                return self._either(s, facts | self.bind_facts(s.binds), facts | _none_there(s.binds))
            case ir.Each() | ir.Together():
                facts = self.without(facts, body_writes(self.program, s.body, self.writes))
                self.block(s.body, facts | self.bind_facts(s.binds))
                return facts
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
                        help="Add `otherwise`, or an option with neither `needs` nor `for`, such as passing, or begin "
                        "with `surely`.",
                        rule=self.current,
                    )
                for option in s.options:
                    self.rule(option, facts)
                after = self.without(facts, frozenset().union(*(self.writes[o] for o in s.options)))
                return after if s.otherwise is None else after & self.block(s.otherwise, facts)
            case ir.Choose():
                return self._choose(s, facts)
            case ir.Roll():
                if not s.surely and not _never_empty(s.binds):
                    self._report_choice(s, "There may be nothing to roll.", "roll")
                return facts | self.bind_facts(s.binds)
            case ir.Move():
                self._move(s, facts)
            case ir.Pay():
                self._pay(s, facts)
            case ir.Do() | ir.Announce() | ir.SetValue() | ir.Change() | ir.Shuffle() | ir.Score() | ir.Let():
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

    def _always_possible(self, id_: str) -> bool:
        option = self.program.rules[id_]
        return not option.needs and (option.binds is None or _never_empty(option.binds))

    def _choose(self, s: ir.Choose, facts: Facts) -> Facts:
        inner = facts | self.bind_facts(s.binds)
        if s.body is None:
            if not s.surely and not _never_empty(s.binds):
                self._report_choice(s, "There may be nothing to choose.", "chooses")
            return inner
        after = self.block(s.body, inner)
        return after & self.block(s.otherwise, facts)

    def _report_choice(self, s: ir.Choose | ir.Roll, message: str, word: str) -> None:
        block = (
            "indent what depends on the choice below it (it is then skipped), add `otherwise`"
            if word == "chooses"
            else "put it inside an `if`"
        )
        self.sink.error(
            "R0502",
            s.span,
            message,
            help=f"Say what happens then: {block}, or {_SURELY}",
            rule=self.current,
        )

    # ------------------------------------------------------------ moves and payments

    def _move(self, s: ir.Move, facts: Facts) -> None:
        if s.surely:
            return
        source = self._read(s.source)
        target = self._read(s.target)
        if not s.up_to and not self._enough(s, source, facts):
            guard = self._guard(s, source)
            self.sink.error(
                "R0502",
                s.span,
                f"`{s.source.variable}` may not hold enough for this move.",
                help=f"Write `up to ...` to take what is there, {guard}or {_SURELY}",
                rule=self.current,
            )
        variable = self.program.variables[s.target.variable]
        if variable.kind == "grid":
            if not any(f.kind == "free" and f.place == target and f.subject == s.square for f in facts):
                self.sink.error(
                    "R0503",
                    s.span,
                    f"This square of `{variable.name}` may be occupied, or `{variable.name}` may be full.",
                    help=f"Choose the square from `openings(...)`, or {_SURELY}",
                    rule=self.current,
                )
        elif variable.capacity is not None and not self._room(s, target, variable, facts):
            self.sink.error(
                "R0503",
                s.span,
                f"`{variable.name}` holds at most {variable.capacity} and may already be full.",
                help=(
                    f"Check first that it `is none`, or {_SURELY}"
                    if variable.kind == "slot"
                    else f"Check first that `count({variable.name}...) < {variable.capacity}`, or {_SURELY}"
                ),
                rule=self.current,
            )

    def _guard(self, s: ir.Move, source: ir.Read) -> str:
        if s.what == "number of" and isinstance(s.amount, ir.Const):
            brackets = "[...]" if source.indices else ""
            return f"check `{source.variable}{brackets}[...] >= {s.amount.value}` first, "
        return ""

    def _enough(self, s: ir.Move, source: ir.Read, facts: Facts) -> bool:
        if s.what in ("all", "all of"):
            return True
        amount = s.amount
        if isinstance(amount, ir.Const) and amount.value == 0:
            return True
        for fact in facts:
            if fact.place != source:
                continue
            if s.what == "at" and fact.kind == "at" and fact.subject == amount:
                return True
            if s.what == "pieces" and fact.kind in ("holds", "covers") and fact.subject == amount:
                return fact.kind == "holds" or self.program.variables[source.variable].exchange is None
            if s.what == "number of" and fact.kind == "of" and fact.subject == s.kind and _reaches(fact.amount, amount):
                return True
            if s.what == "number" and fact.kind == "size" and _reaches(fact.amount, amount):
                return True
        return False

    def _room(self, s: ir.Move, target: ir.Read, variable: ir.Variable, facts: Facts) -> bool:
        one = (isinstance(s.amount, ir.Const) and s.amount.value <= 1) or s.what == "at"
        source = self.program.variables[s.source.variable]
        if s.what == "all" and source.kind == "slot":
            one = True
        if not one:
            return False
        return any(f.kind == "room" and f.place == target for f in facts)

    def _pay(self, s: ir.Pay, facts: Facts) -> None:
        source = self._read(s.source)
        if s.surely or (isinstance(s.cost, ir.Const) and not any(s.cost.value)):
            return
        if any(f.kind == "covers" and f.place == source and f.subject == s.cost for f in facts):
            return
        self.sink.error(
            "R0502",
            s.span,
            f"`{s.source.variable}` may not hold enough for this payment.",
            help=f"Add `needs ... covers ...` with the same cost, or {_SURELY}",
            rule=self.current,
        )

    def _read(self, place: ir.Place) -> ir.Read:
        return ir.Read(place.variable, place.indices, self.program.variables[place.variable].type)

    # ------------------------------------------------------------ facts

    def without(self, facts: Facts, written: frozenset[str]) -> Facts:
        """The facts that are still certain after the variables have changed."""
        if not written:
            return facts
        return frozenset(f for f in facts if not self._depends(f, written))

    def _depends(self, fact: Fact, written: frozenset[str]) -> bool:
        parts = [part for part in (fact.place, fact.subject, fact.amount) if isinstance(part, ir.Node)]
        return bool(self.reads.variables(parts) & written)

    def bind_facts(self, binds: ir.Binds) -> Facts:
        """Facts that going through places establishes: the kinds of a pool are there, the top of a stack is there."""
        facts: set[Fact] = set()
        for bind in binds.binds:
            local = ir.Local(bind.slot, bind.name, bind.type)
            domain = bind.domain
            if isinstance(domain, ir.Read):
                if isinstance(domain.type, (PiecesType, ListType, OptionalType)):
                    facts |= {Fact("of", domain, local), Fact("size", domain)}
            elif isinstance(domain, ir.Apply) and domain.op in ("top", "bottom", "reversed"):
                inner = domain.arguments[0]
                if isinstance(inner, ir.Read):
                    facts |= {Fact("size", inner), Fact("of", inner, local)}
            elif isinstance(domain, ir.Apply) and domain.op == "at":
                inner, position = domain.arguments
                if isinstance(inner, ir.Read):
                    facts |= {Fact("at", inner, position), Fact("size", inner), Fact("of", inner, local)}
            elif isinstance(domain, ir.Apply) and domain.op == "openings":
                inner = domain.arguments[0]
                if isinstance(inner, ir.Read):
                    facts.add(Fact("free", inner, local))
            elif isinstance(domain, ir.Apply) and domain.op == "bundles":
                inner = domain.arguments[0]
                if isinstance(inner, ir.Read):
                    facts.add(Fact("holds", inner, local))
        if binds.condition is not None:
            facts |= self.facts(binds.condition)
        return frozenset(facts)

    def facts(self, condition: ir.Expr, negated: bool = False, depth: int = 0) -> Facts:
        """Facts that are certain when the condition holds (or, ``negated``, does not hold)."""
        match condition:
            case ir.Apply("and", (a, b)) if not negated:
                return self.facts(a, False, depth) | self.facts(b, False, depth)
            case ir.Apply("or", (a, b)) if negated:
                return self.facts(a, True, depth) | self.facts(b, True, depth)
            case ir.Apply("or", (a, b)):
                return self.facts(a, False, depth) & self.facts(b, False, depth)
            case ir.Apply("not", (a,)):
                return self.facts(a, not negated, depth)
            case ir.Call() if depth < _DEPTH:
                definition = self.program.definitions[condition.definition]
                slots = {p.slot: a for p, a in zip(definition.params, condition.arguments, strict=True)}
                return self.facts(substitute(definition.body, slots), negated, depth + 1)
            case ir.Apply(op, (pool, cost)) if op in ("covers", "holds") and not negated:
                return frozenset([Fact(op, pool, cost)]) if isinstance(pool, ir.Read) else frozenset()
            case ir.Apply("in", (value, place)) if not negated and isinstance(place, ir.Read):
                return frozenset([Fact("of", place, value), Fact("size", place)])
            case ir.Apply(op, (a, b)) if op in _NOT:
                return self._comparison(_NOT[op] if negated else op, a, b)
        return frozenset()

    def _comparison(self, op: str, a: ir.Expr, b: ir.Expr) -> Facts:
        if op in _FLIP and not _measures(a) and _measures(b):
            op, a, b = _FLIP[op], b, a
        if op in (">", ">="):
            least: ir.Expr | int = b
            if isinstance(b, ir.Const) and isinstance(b.value, int):
                least = b.value + 1 if op == ">" else b.value
            elif op == ">":
                least = b  # more than b is at least b
            return self._at_least(a, least)
        if op in ("<", "<="):
            return self._less(a, b, op)
        if op == "is":
            return self._equal(a, b) | self._equal(b, a)
        if op == "is_not" and isinstance(b, ir.Const):
            if b.value is None and isinstance(a, ir.Read):
                return frozenset([Fact("size", a)])
            if b.value == 0 and _measures(a):
                return self._at_least(a, 1)
        return frozenset()

    def _at_least(self, a: ir.Expr, least: ir.Expr | int) -> Facts:
        match a:
            case ir.Apply("count_of", (ir.Read() as place, kind)):
                return frozenset([Fact("of", place, kind, least), Fact("size", place, None, least)])
            case ir.Apply("size", (ir.Read() as place,)):
                return frozenset([Fact("size", place, None, least)])
        return frozenset()

    def _less(self, a: ir.Expr, b: ir.Expr, op: str) -> Facts:
        if isinstance(a, ir.Apply) and a.op == "size" and isinstance(a.arguments[0], ir.Read):
            place = a.arguments[0]
            capacity = self.program.variables[place.variable].capacity
            if isinstance(b, ir.Const) and capacity is not None and b.value + (op == "<=") <= capacity:
                return frozenset([Fact("room", place)])
        return frozenset()

    def _equal(self, a: ir.Expr, b: ir.Expr) -> Facts:
        none = isinstance(b, ir.Const) and b.value is None
        match a:
            case ir.Read() if isinstance(a.type, OptionalType):
                return frozenset([Fact("room", a)] if none else [Fact("size", a), Fact("of", a, b)])
            case ir.Apply("at", (ir.Read() as place, position)) if not none:
                return frozenset([Fact("at", place, position), Fact("size", place), Fact("of", place, b)])
            case ir.Apply("top" | "bottom", (ir.Read() as place,)) if not none:
                return frozenset([Fact("size", place), Fact("of", place, b)])
            case ir.Apply("size", (ir.Read() as place,)) if isinstance(b, ir.Const):
                capacity = self.program.variables[place.variable].capacity
                room = capacity is not None and b.value < capacity
                found = {Fact("size", place, None, b.value)} | ({Fact("room", place)} if room else set())
                return frozenset(found)
            case ir.Apply("size" | "count_of"):
                return self._at_least(a, b.value if isinstance(b, ir.Const) else b)
        return frozenset()


def _none_there(binds: ir.Binds) -> Facts:
    """A slot that holds nothing has room."""
    match binds.binds:
        case (ir.Bind(domain=ir.Read(type=OptionalType()) as slot),) if binds.condition is None:
            return frozenset([Fact("room", slot)])
    return frozenset()


def _measures(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Apply) and expr.op in ("size", "count_of")


def _reaches(known: ir.Expr | int, wanted: ir.Expr | None) -> bool:
    """Whether "at least ``known``" is enough for ``wanted``."""
    if wanted is None or known == wanted:
        return True
    if isinstance(known, ir.Const):
        known = known.value
    if isinstance(known, int):
        if isinstance(wanted, ir.Const):
            return bool(known >= wanted.value)
        return isinstance(wanted.type, NumberType) and known >= wanted.type.high
    return False


def _leaves(body: tuple[ir.Statement, ...]) -> bool:
    return bool(body) and isinstance(body[-1], (ir.Stop, ir.EndGame, ir.Wins))


def _never_empty(binds: ir.Binds) -> bool:
    """Whether there always is a combination: no condition, and every domain has members."""
    if binds.condition is not None:
        return False
    for bind in binds.binds:
        domain = bind.domain
        while isinstance(domain, ir.Apply) and domain.op in ("rotate", "reversed"):
            domain = domain.arguments[0]
        if isinstance(domain, ir.Apply) and domain.op == "members":
            item = domain.type.item if isinstance(domain.type, ListType) else None
            if isinstance(item, MemberType) and len(item.domain):
                continue
        if isinstance(domain, ir.Apply) and domain.op == "range":
            low, high = domain.arguments
            if (
                isinstance(low.type, NumberType)
                and isinstance(high.type, NumberType)
                and low.type.high <= high.type.low
            ):
                continue
        if isinstance(domain, ir.Apply) and domain.op == "list" and domain.arguments:
            continue
        if isinstance(domain, ir.Const) and domain.value:
            continue
        return False
    return True
