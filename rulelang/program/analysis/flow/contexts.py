"""Certainties at each point of a rule: conditions that hold there, and what has been shown and is still so.

What is shown stays in view up to the end of the block, as long as nothing changes there unseen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from ....types import NumberType
from ... import nodes as ir
from ..effects import body_writes, rule_writes
from .players import Symbol, settled, symbol
from .seeing import IT, Context, Seeing, Shown, conjuncts, replaced, within

NO_CONTEXT = Context()


@attrs.define
class Contexts:
    """The contexts of all statements and needs of a program, by the node itself."""

    program: ir.Program
    _found: dict[int, Context] = attrs.field(factory=dict)
    _writes: dict[str, frozenset[str]] = attrs.field(factory=dict)

    def at(self, node: ir.Node) -> Context:
        """What is certain where a statement or a condition of a rule stands."""
        return self._found.get(id(node), NO_CONTEXT)

    def add(self, root: ir.Rule, seeing: Seeing, names: Mapping[int, Symbol | None]) -> None:
        """Those of a top-level rule. ``names``: symbols of locals that are not named by their slot."""
        self._writes = self._writes or rule_writes(self.program)
        _Walk(self.program, seeing, names, self._writes, self._found).rule(root, Context())


@attrs.define
class _Walk:
    program: ir.Program
    seeing: Seeing
    names: Mapping[int, Symbol | None]
    writes: dict[str, frozenset[str]]
    found: dict[int, Context]

    def rule(self, rule: ir.Rule, here: Context) -> None:
        self.found[id(rule)] = here
        here = _with(here, (*conjuncts(rule.whenever, self.names), *conjuncts(rule.guard, self.names)))
        if rule.binds is not None:
            here = _with(here, self._bound(rule.binds))
        for need in rule.needs:
            self.found[id(need)] = here
            here = _with(here, conjuncts(need.condition, self.names))
        self.block(rule.body, here)

    def block(self, body: Sequence[ir.Statement], here: Context) -> None:
        for s in body:
            here = self.statement(s, here)

    def statement(self, s: ir.Statement, here: Context) -> Context:
        """What is certain after a statement."""
        self.found[id(s)] = here
        match s:
            case ir.Show():
                return attrs.evolve(here, shown=here.shown | self._shown(s))
            case ir.Branch():
                self.block(s.then, _with(here, conjuncts(s.condition, self.names)))
                self.block(s.otherwise, _with(here, conjuncts(s.condition, self.names, False)))
            case ir.IfThere():
                self.block(s.then, _with(here, self._bound(s.binds)))
                self.block(s.otherwise, here)
            case ir.Each() | ir.Together():
                here = self._changed(here, s)
                self.block(s.body, _with(here, self._bound(s.binds)))
            case ir.Repeat() | ir.TakeTurns():
                here = self._changed(here, s)
                self.block(s.body, here)
            case ir.Choose():
                chosen = _with(here, self._bound(s.binds))
                if s.body is None:
                    return chosen
                self.block(s.body, chosen)
                self.block(s.otherwise, here)
            case ir.Menu():
                for option in s.options:
                    self.rule(self.program.rules[option], here)
                self.block(s.otherwise or (), here)
            case ir.NamedRule():
                self.rule(self.program.rules[s.rule], here)
            case ir.Roll():
                return _with(here, self._bound(s.binds))
        return self._changed(here, s)

    def _bound(self, binds: ir.Binds) -> tuple[Symbol, ...]:
        """What is certain of what is chosen, gone through or rolled."""
        domains = tuple(condition for bind in binds.binds for condition in within(bind, self.names))
        return (*domains, *conjuncts(binds.passing, self.names), *conjuncts(binds.condition, self.names))

    def _changed(self, here: Context, s: ir.Statement) -> Context:
        """Without what may have changed unseen."""
        if not here.shown:
            return here
        written = body_writes(self.program, (s,), self.writes)
        kept = (shown for shown in here.shown if shown.variable not in written or self._saw(shown, s, here))
        return attrs.evolve(here, shown=frozenset(kept))

    def _saw(self, shown: Shown, s: ir.Statement, here: Context) -> bool:
        """Whether those whom a place was shown see what a move changes there."""
        if not isinstance(s, ir.Move) or shown.part:
            return False
        other = s.target if s.source.variable == shown.variable else s.source
        if s.source.variable == s.target.variable:
            ends = [cell_symbol(place, self.names) for place in (s.source, s.target)]
            if shown.cell not in ends:
                return False
            other = s.target if ends[0] == shown.cell else s.source
        if self.program.variables[other.variable].seen_by == "all":
            return True
        match shown.conditions:
            case (("is", it, seat),) if it == IT:
                return self.seeing.sees(seat, other.variable, cell_symbol(other, self.names), here.given)
        return False

    def _shown(self, s: ir.Show) -> frozenset[Shown]:
        cell = settled(cell_symbol(s.place, self.names))
        variable = self.program.variables[s.place.variable]
        at_least = s.amount.type.low if s.amount is not None and isinstance(s.amount.type, NumberType) else 0
        top = variable.kind == "stack" and s.what == "number" and not s.up_to and at_least > 0
        if cell is None or not (s.what in (None, "all") or top):
            return frozenset()
        conditions: tuple[Symbol, ...] = ()
        if s.who is not None:
            who = settled(symbol(s.who, self.names))
            if who is None:
                return frozenset()
            conditions = (("is", IT, who),)
        elif s.seats is not None:
            (bind,) = s.seats.binds
            tested = s.seats.condition, s.seats.passing
            certain = self._bound(s.seats)
            if any(_parts(part) > len(conjuncts(part, self.names)) for part in tested):
                return frozenset()  # not all that is asked of them can be told
            everybody = isinstance(bind.domain, ir.Apply) and bind.domain.op == "members"
            if not everybody and not within(bind, self.names):
                return frozenset()
            conditions = tuple(replaced(condition, ("slot", bind.slot), IT) for condition in certain)
        return frozenset((Shown(variable.name, cell, conditions, "top" if top else ""),))


def _parts(expr: ir.Expr | None) -> int:
    match expr:
        case None:
            return 0
        case ir.Apply("and", (a, b)):
            return _parts(a) + _parts(b)
    return 1


def _with(here: Context, given: tuple[Symbol, ...]) -> Context:
    return attrs.evolve(here, given=(*here.given, *given)) if given else here


def cell_symbol(place: ir.Place | ir.Read, names: Mapping[int, Symbol | None]) -> Symbol | None:
    """The symbol of a cell, of whose indices all must have one."""
    below = [symbol(index, names) for index in place.indices]
    return None if None in below else ("cell", *below)
