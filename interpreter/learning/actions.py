"""Actions of a learning agent: fixed numbers for the options of decisions.

A statement that asks can only ever offer finitely many options. Where they can be listed in advance and are not too
many, each has its own action, which means the same in every position: the options are listed rule by rule in the order
of the program, and those of a statement in canonical order. A binder ranges over its domain if that does not depend on
the position, else over every value of its type; conditions that do not depend on the position are applied.

Options that cannot be listed like this (payments, pieces, far too many combinations) share the last ``max_options``
actions: the first of them that a decision offers takes the first of these actions, and so on, in canonical order. Any
beyond that are not offered; ``Offer.left_out`` says how many.

The numbers depend on the rules, the settings and the number of players, and on nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import attrs

from rulelang import program as ir
from rulelang.program.analysis.effects import reads_state
from rulelang.program.walk import conjuncts, free_slots
from rulelang.types import FlagType, MemberType, NumberType, OptionalType, RecordType, TupleType, Type, values

from ..data import Decision
from ..evaluation.meter import METER, Undefined
from ..lowered import code
from ..position.blueprint import Blueprint
from ..position.position import ChooseQuestion, MenuQuestion, Question, question_of

MOST_LISTED = 512
"""A statement, or an option of a menu, with more combinations than this gets no actions of its own."""


@attrs.frozen
class Offer:
    """The actions of a decision: ``options[action]`` is the index of an option. ``left_out``: options without one."""

    options: dict[int, int]
    left_out: int


@attrs.frozen
class Actions:
    """The actions of a game: ``own`` gives the action of a rule's option by the option's text.

    ``texts``: the meaning of each of these, by action; the actions from ``len(texts)`` to ``size`` are shared.
    """

    own: dict[tuple[str, str], int]
    texts: tuple[str, ...]
    shared: int

    @classmethod
    def of(cls, blueprint: Blueprint, max_options: int) -> Actions:
        """The actions of a program. ``max_options``: the number of shared actions, if any are needed."""
        own: dict[tuple[str, str], int] = {}
        shared = False
        asks = (node for unit in blueprint.units.values() for node in unit.nodes() if isinstance(node, code.Ask))
        for ask in asks:
            question = question_of(blueprint, ask)
            for raws in listed(blueprint, question):
                shared |= raws is None
                for raw in raws or ():
                    own.setdefault((ask.rule, question.describe(raw).text), len(own))
        return cls(own, tuple(f"{rule}: {text}" for rule, text in own), max_options if shared else 0)

    @property
    def size(self) -> int:
        """The number of actions."""
        return len(self.texts) + self.shared

    def offer(self, decision: Decision) -> Offer:
        found: dict[int, int] = {}
        unlisted = []
        for index, option in enumerate(decision.options):
            action = self.own.get((decision.rule, option.text))
            if action is None or action in found:
                unlisted.append(index)
            else:
                found[action] = index
        found.update(zip(range(len(self.texts), self.size), unlisted, strict=False))
        return Offer(found, len(decision.options) - len(found))


def listed(blueprint: Blueprint, ask: Question) -> Iterator[list[Any] | None]:
    """All options that a statement can ever offer, as bare values, part by part; None for a part that is not listed."""
    if isinstance(ask, ChooseQuestion):
        yield _combinations(blueprint, ask.node.binds)
        if ask.node.may:
            yield [None]
    elif isinstance(ask, MenuQuestion):
        for number, item in enumerate(ask.node.items):
            rows = _combinations(blueprint, item.rule.binds)
            yield None if rows is None else [(number, row) for row in rows]
    else:
        yield None


def _combinations(blueprint: Blueprint, binds: ir.Binds | None) -> list[tuple[Any, ...]] | None:
    """The combinations that binders can give in any position; None if unknown, too many, or too much work to list."""
    if binds is None:
        return [()]
    try:
        with METER.counting(blueprint.limits):
            return _found(blueprint, binds)
    except Undefined:
        return None


def _found(blueprint: Blueprint, binds: ir.Binds) -> list[tuple[Any, ...]] | None:
    slots = {bind.slot for bind in binds.binds}
    fixed = [
        part
        for part in conjuncts(binds.condition)
        if not binds.stop_at_first_failure and _is_fixed(blueprint, part, slots)
    ]
    rows: list[tuple[Any, ...]] = [()]
    known: list[int] = []
    for bind in binds.binds:
        before = set(known)
        known.append(bind.slot)
        tests = [part for part in fixed if bind.slot in free_slots(part) and free_slots(part) <= set(known)]
        every = None if _is_fixed(blueprint, bind.domain, before) else _every_value(bind.type)
        if every is None and not _is_fixed(blueprint, bind.domain, before):
            return None
        longer = []
        for row in rows:
            local = _frame(known, row)
            members = _members(blueprint, bind, local) if every is None else every
            for value in dict.fromkeys(members):
                local[bind.slot] = value
                if all(blueprint.evaluate(test, [], local) for test in tests):
                    longer.append((*row, value))
            if len(longer) > MOST_LISTED:
                return None
        rows = longer
    return rows


def _is_fixed(blueprint: Blueprint, expr: ir.Expr, slots: set[int]) -> bool:
    """Whether an expression depends on these slots alone: not on the position, nor on other locals."""
    return not reads_state(blueprint.program, expr) and free_slots(expr) <= slots


def _frame(slots: list[int], row: tuple[Any, ...]) -> list[Any]:
    local: list[Any] = [None] * (max(slots) + 1)
    for slot, value in zip(slots, row, strict=False):
        local[slot] = value
    return local


def _members(blueprint: Blueprint, bind: ir.Bind, local: list[Any]) -> list[Any]:
    return [value for (value,) in blueprint.combos(ir.Binds((bind,)))([], local)]


def _every_value(type_: Type) -> list[Any] | None:
    """All values of a type in order; None when they cannot be listed, or are too many."""
    match type_:
        case NumberType() | MemberType() | FlagType():
            every = values(type_)
            return list(every) if len(every) <= MOST_LISTED else None
        case OptionalType(item):
            inner = _every_value(item)
            return None if inner is None else [None, *inner]
        case TupleType() | RecordType():
            total = 1
            parts = []
            for part in map(_every_value, type_.items):
                if part is None or (total := total * len(part)) > MOST_LISTED:
                    return None
                parts.append(part)
            return list(product(*parts))
        case _:
            return None
