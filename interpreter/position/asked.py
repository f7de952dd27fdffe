"""Questions: the options a statement offers in a position, and the decision that people see.

``offers`` lists what may be chosen, as bare values; the options in words are made of them when somebody looks.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

import attrs

from rulelang import program as ir
from rulelang.program.values import belongs, plain, show
from rulelang.program.walk import conjuncts, free_slots
from rulelang.types import FLAG

from ..data import Decision, DecisionKind, Option
from ..errors import RuleFault
from ..evaluation import payments
from ..evaluation.compiler import Combos, Function
from ..evaluation.meter import METER, Undefined, distinct, patiently
from ..lowered import code
from ..lowered.cells import Cells
from . import faults

if TYPE_CHECKING:
    from .blueprint import Blueprint
    from .position import Frame, Position

Offers: TypeAlias = Callable[[Sequence[Any], list[Any], list[Any]], bool]
"""Tells of values for the names of a choice whether they may be chosen, in these cells and with these locals."""

MEMORY = 20_000
"""Options remembered by a question; most come back again and again."""


@attrs.define(eq=False)
class Question:
    """A statement that asks, compiled. ``binds`` are the names that a choice gives values to."""

    kind: ClassVar[DecisionKind]
    node: code.Ask
    who: Function
    _known: dict[Any, Option] = attrs.field(factory=dict, init=False)

    def offers(self, cells: list[Any], local: list[Any]) -> tuple[Any, ...] | None:
        """The bare values that may be chosen, each once, in canonical order; None when nothing needs to be asked."""
        raise NotImplementedError

    def asks(self, cells: list[Any], local: list[Any]) -> bool | None:
        """Whether anything may be chosen, without listing all of it; None when nothing needs to be asked."""
        raise NotImplementedError

    def may_take(self, raw: Any, cells: list[Any], local: list[Any]) -> bool:
        """Whether a bare value is one of those that may be chosen, as far as that can be told without the others."""
        return False

    def nothing(self) -> RuleFault:
        """The fault of having nothing to choose from."""
        return self.fault(faults.NOTHING_TO_CHOOSE)

    def option(self, raw: Any) -> Option:
        """An option in words."""
        option = self._known.get(raw)
        if option is None:
            if len(self._known) >= MEMORY:
                self._known.clear()
            option = self._known[raw] = self.describe(raw)
        return option

    def describe(self, raw: Any) -> Option:
        raise NotImplementedError

    def fault(self, message: str) -> RuleFault:
        return RuleFault(message, self.node.rule, self.node.span)


@attrs.define(eq=False)
class ChooseQuestion(Question):
    kind: ClassVar[DecisionKind] = "choose"
    node: code.Choose
    blueprint: Blueprint
    combos: Combos

    def offers(self, cells: list[Any], local: list[Any]) -> tuple[Any, ...]:
        found = tuple(self.combos(cells, local))
        return (*found, None) if self.node.may and (found or self.node.some is not None) else found

    @functools.cached_property
    def _any(self) -> Combos:
        return self.blueprint.combos(self.node.binds, (), "any_one")

    def asks(self, cells: list[Any], local: list[Any]) -> bool:
        return (self.node.may and self.node.some is not None) or bool(self._any(cells, local))

    @functools.cached_property
    def _takes(self) -> Offers:
        return _takes(self.blueprint, self.node.binds, ())

    def may_take(self, raw: Any, cells: list[Any], local: list[Any]) -> bool:
        return raw is not None and self._takes(raw, cells, local)

    def describe(self, raw: Any) -> Option:
        return (
            Option("no" if self.node.some is None else "enough", None)
            if raw is None
            else Option(*_named(self.node.binds, raw))
        )


@attrs.define(eq=False)
class MenuQuestion(Question):
    """A bare value is the number of an item with the values chosen for its names."""

    kind: ClassVar[DecisionKind] = "menu"
    node: code.Menu
    blueprint: Blueprint
    combos: tuple[Combos, ...]

    def offers(self, cells: list[Any], local: list[Any]) -> tuple[Any, ...]:
        return distinct((i, values) for i, combos in enumerate(self.combos) for values in combos(cells, local))

    @functools.cached_property
    def _any(self) -> tuple[Combos, ...]:
        return tuple(self.blueprint.combos(item.binds, item.conditions, "any_one") for item in self.node.items)

    def asks(self, cells: list[Any], local: list[Any]) -> bool:
        return any(combos(cells, local) for combos in self._any)

    @functools.cached_property
    def _takes(self) -> tuple[Offers, ...]:
        return tuple(_takes(self.blueprint, item.binds, item.conditions) for item in self.node.items)

    def may_take(self, raw: Any, cells: list[Any], local: list[Any]) -> bool:
        number, values = raw
        takes: Offers = self._takes[number]
        return takes(values, cells, local)

    def nothing(self) -> RuleFault:
        return self.fault(faults.no_option([item.rule.id for item in self.node.items]))

    def describe(self, raw: Any) -> Option:
        number, values = raw
        item = self.node.items[number]
        text, data = _named(item.binds, values)
        return Option(f"{item.rule.id} {text}".rstrip(), {"option": item.rule.id, "with": data}, item.rule.id)


@attrs.define(eq=False)
class PayQuestion(Question):
    """A bare value is the pieces paid, a count for each kind."""

    kind: ClassVar[DecisionKind] = "pay"
    node: code.Pay
    cost: Function
    less: Function | None
    source: Cells
    source_cell: Function

    def offers(self, cells: list[Any], local: list[Any]) -> tuple[Any, ...] | None:
        cost = self.cost(cells, local)
        less = 0 if self.less is None else self.less(cells, local)
        if sum(cost) <= max(less, 0):
            return None
        cell = self.source_cell(cells, local)
        found = self._plans(cells[cell], cost, less)
        if not found:
            type_ = self.source.variable.type
            place = self.source.text(self.source.owners(cell))
            raise self.fault(faults.cannot_pay(show(cost, type_), place, show(cells[cell], type_)))
        return found

    def asks(self, cells: list[Any], local: list[Any]) -> bool | None:
        less = 0 if self.less is None else self.less(cells, local)
        return True if sum(self.cost(cells, local)) > max(less, 0) else None

    def payable(self, held: Any, cells: list[Any], local: list[Any]) -> bool:
        """Whether the cost can be paid from these pieces."""
        less = 0 if self.less is None else self.less(cells, local)
        return bool(self._plans(held, self.cost(cells, local), less))

    def _plans(self, held: Any, cost: Any, less: int) -> tuple[Any, ...]:
        rate = payments.rate_of(self.node.exchanges)
        if rate is not None and less <= 0:
            return payments.plans(held, cost, rate)
        element = self.source.variable.element
        assert element is not None
        return payments.plans_by(held, cost, payments.marked(self.node.exchanges, element), less)

    def describe(self, raw: Any) -> Option:
        type_ = self.source.variable.type
        return Option(f"pay {show(raw, type_)}", {"pays": plain(raw, type_)})


def question_of(blueprint: Blueprint, node: code.Ask) -> Question:
    """The question of a statement that asks."""
    who = blueprint.function(node.who)
    match node:
        case code.Choose():
            return ChooseQuestion(
                node=node, who=who, blueprint=blueprint, combos=blueprint.combos(node.binds, (), "distinct")
            )
        case code.Menu():
            every = tuple(blueprint.combos(item.binds, item.conditions, "distinct") for item in node.items)
            return MenuQuestion(node=node, who=who, blueprint=blueprint, combos=every)
        case code.Pay():
            source, cell = blueprint.place(node.source)
            cost = blueprint.function(node.cost, source.variable.type)
            less = None if node.less is None else blueprint.function(node.less)
            return PayQuestion(node=node, who=who, cost=cost, less=less, source=source, source_cell=cell)
        case _:
            raise AssertionError(f"{type(node).__name__} asks nothing")


def _takes(blueprint: Blueprint, binds: ir.Binds | None, conditions: Sequence[ir.Expr]) -> Offers:
    """What tells of values whether they are in their domains and pass the conditions, in the order of ``combos``.

    Where a run ends at the first that fails, this depends on the others: nothing is then told to be offered.
    """
    if binds is not None and binds.stop_at_first_failure:
        return lambda values, cells, local: False
    each = () if binds is None else binds.binds
    waiting = [
        *(conjuncts(binds.condition) if binds is not None else ()),
        *(p for c in conditions for p in conjuncts(c)),
    ]
    unbound = {bind.slot for bind in each}
    tests: list[ir.Expr] = []
    for bind in each:
        tests.append(ir.Apply("in", (ir.Local(bind.slot, bind.name, bind.type), bind.domain), FLAG, span=bind.span))
        unbound.discard(bind.slot)
        tests += [test for test in waiting if not free_slots(test) & unbound]
        waiting = [test for test in waiting if free_slots(test) & unbound]
    passing = blueprint.combos(None, (*tests, *waiting))
    slots = [bind.slot for bind in each]

    def takes(values: Sequence[Any], cells: list[Any], local: list[Any]) -> bool:
        local = local[:]
        for slot, value in zip(slots, values, strict=True):
            local[slot] = value
        return bool(passing(cells, local))

    return takes


def _named(binds: ir.Binds | None, values: tuple[Any, ...]) -> tuple[str, dict[str, Any]]:
    """The chosen values in words, and as plain data by name."""
    each = [] if binds is None else list(zip(binds.binds, values, strict=True))
    return ", ".join(show(v, b.type) for b, v in each), {b.name: plain(v, b.type) for b, v in each}


class Coming(NamedTuple):
    """What is asked next in a game that is known already: the statement, and the bare value of one of its options.

    ``node`` is None where the game ends before anybody is asked.
    """

    node: code.Ask | None
    raw: Any


@attrs.define(eq=False)
class OpenQuestion:
    """An open decision. Shared by copies of a state. ``raws``: the options as bare values."""

    question: Question
    player: int
    raws: tuple[Any, ...]
    _decision: Decision | None = None

    def decision(self, position: Position) -> Decision:
        """The decision as people see it, in the position it is open in."""
        if self._decision is None:
            # The position may go on before somebody asks what the question was about.
            frames = [frame.waiting() for frame in position.frames]
            self.decision_of(position.blueprint, lambda: frames)
        assert self._decision is not None
        return self._decision

    def decision_of(self, blueprint: Blueprint, frames: Callable[[], Sequence[Frame]]) -> Decision:
        """The same, from what gives the running rules when they are needed.

        The decision does not refer back to this object: a circle would be left to the garbage collector, thousands of
        them in a game.
        """
        if self._decision is None:
            question = self.question
            options = tuple(map(question.option, self.raws))
            about = partial(subject, blueprint, frames, question.node.names, self.player)
            self._decision = Decision(self.player, question.node.rule, question.kind, options, about)
        return self._decision


def put(position: Position) -> OpenQuestion | None:
    """The decision that the innermost rule of a position waits for; None when nothing needs to be asked.

    Raises RuleFault when there is nothing to choose from.
    """
    frame = position.frames[-1]
    ask = frame.unit.sites[frame.at]
    assert isinstance(ask, code.Ask)
    question = position.blueprint.question(ask)
    try:
        limits = position.blueprint.limits
        with METER.counting(limits, more=patiently(limits)):
            raws = question.offers(position.cells, frame.local)
            if raws is None:
                return None
            if not raws:
                raise question.nothing()
            return OpenQuestion(question, question.who(position.cells, frame.local), raws)
    except Undefined as error:
        raise question.fault(str(error)) from None


def subject(
    blueprint: Blueprint, running: Callable[[], Sequence[Frame]], names: Sequence[code.Name], player: int
) -> dict[str, Any]:
    """The names in force where the question is asked, with their values as plain data.

    Those that everybody knows, and those that the seat that is asked knows and that the rules still need: what is not
    needed any more and not public is no part of a position, so that two that differ in nothing else are the same.
    """
    frames = running()
    if not frames:
        return {}
    place = len(frames) - 1
    frame = frames[place]
    live = frame.live()
    found: dict[str, Any] = {}
    for name in names:
        if not name.public and name.slot not in live:
            continue
        value = frame.local[name.slot]
        if belongs(value, name.type) and blueprint.knowers.knows(frames, place, name.slot, player):
            found[name.name] = plain(value, name.type)
    return found
