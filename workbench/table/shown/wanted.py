"""Options that a click on something not offered may have meant: those of the open question that the rules know."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from interpreter.data import Decision, Option
from rulelang.program import Program
from rulelang.program.nodes import Bind, Choose
from rulelang.program.walk import statements
from rulelang.types import SQUARE, FlagType, MemberType, NumberType

from ...pictures.options import aim

_WORD = re.compile(r"[^\s\[\],:#@~]+")
_SQUARE = re.compile(r"@(-?\d+),(-?\d+)$")
_EACH = 12
"""Values of a name that are tried, if the address does not say which."""
_MOST = 240


def wanted(program: Program, decision: Decision, address: str) -> list[Option]:
    """Options that are not offered and that the address may mean, if they were."""
    offered = [option.value for option in decision.options]
    tried = [o for o in itertools.islice(_imagined(program, decision, address), _MOST) if o.value not in offered]
    if not tried:
        return []
    meant = aim(program, attrs.evolve(decision, options=tuple(tried))).at.get(address, frozenset())
    return [tried[number] for number in sorted(meant)]


def _imagined(program: Program, decision: Decision, address: str) -> Iterator[Option]:
    """Every option that the question knows, with the values that the address names."""
    if decision.kind == "menu":
        for rule in program.rules.values():
            if rule.kind == "option" and rule.parent == decision.rule:
                for values in _values(rule.binds.binds if rule.binds is not None else (), address):
                    text = " ".join([rule.id, *map(_text, values.values())])
                    yield Option(text, {"option": rule.id, "with": values}, rule.id)
        return
    asking = program.rules.get(decision.rule)
    for statement in statements(program, asking.body) if asking is not None and decision.kind == "choose" else ():
        if isinstance(statement, Choose):
            for values in _values(statement.binds.binds, address):
                yield Option(", ".join(map(_text, values.values())), values)


def _values(binds: Sequence[Bind], address: str) -> Iterator[dict[str, Any]]:
    names = [bind.name for bind in binds]
    for values in itertools.product(*(_candidates(bind, address) for bind in binds)):
        yield dict(zip(names, values, strict=True))


def _candidates(bind: Bind, address: str) -> list[Any]:
    """Values of a name: those that the address names, or else the first few."""
    said = set(_WORD.findall(address))
    match bind.type:
        case MemberType(domain):
            return [name for name in domain.members if name in said] or list(domain.members[:_EACH])
        case NumberType(low, high):
            numbers = range(low, high + 1)
            return [number for number in numbers if str(number) in said] or list(numbers[:_EACH])
        case FlagType():
            return [False, True]
    square = _SQUARE.search(address) if bind.type == SQUARE else None
    return [{"x": int(square[1]), "y": int(square[2])}] if square is not None else []


def _text(value: Any) -> str:
    return f"({value['x']}, {value['y']})" if isinstance(value, dict) else str(value)
