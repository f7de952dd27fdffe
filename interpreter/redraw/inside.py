"""Recomputation of the locals that a seat does not know, from the cells that were drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any, TypeAlias

from rulelang import program as ir
from rulelang.program.values import belongs

from ..errors import GameError
from ..lowered import code

if TYPE_CHECKING:
    from ..chance import Stream
    from ..position.position import Frame, Position


_Step: TypeAlias = "tuple[tuple[int, ...], Callable[[], dict[int, Any]]]"
"""The slots that a step sets, and a function that computes them."""


_MANY = 1_000
"""No loop asks for so many; one that may go on is stopped by the player."""


class Misfit(Exception):
    """The drawn cells do not lead to where the rules are waiting."""


def fill(position: Position, place: int, unknown: frozenset[int], stream: Stream) -> None:
    """Set the unknown slots of a running rule as its statements so far would have done from these cells.

    Secret choices and unseen rolls are made at random. Misfit when a value does not fit its slot.
    """
    frame = position.frames[place]
    unit = frame.unit
    # Slots that nothing will read again, and are empty here, may be needed to compute the unknown ones.
    empty = {slot for slot, value in enumerate(frame.local) if value is None}
    _put(frame, empty, lambda: _arguments(position, place))
    here = unit.sites[frame.at]
    for node in takewhile(lambda node: node is not here, unit.nodes()):
        for slots, work_out in _again(position, frame, node, stream):
            if empty & set(slots):
                _put(frame, empty, work_out)
    if not all(_fits(unit.slots.get(slot), frame.local[slot]) for slot in unknown):
        raise Misfit


def _put(frame: Frame, empty: set[int], work_out: Callable[[], dict[int, Any]]) -> None:
    """Fill empty slots. A statement that was never reached, or whose values nobody needs, may fail."""
    try:
        found = work_out()
    except (GameError, ArithmeticError, LookupError, TypeError, ValueError):
        return
    frame.local[:] = [found.get(slot, now) if slot in empty else now for slot, now in enumerate(frame.local)]


def _arguments(position: Position, place: int) -> dict[int, Any]:
    """The arguments of the rule."""
    caller = position.frames[place - 1] if place else None
    call = caller.unit.sites[caller.at] if caller is not None else None
    if caller is None or not isinstance(call, code.Call):
        return {}
    blueprint = position.blueprint
    params = blueprint.program.rules[call.unit].params
    return {
        p.slot: blueprint.function(argument, p.type)(position.cells, caller.local)
        for p, argument in zip(params, call.arguments, strict=True)
    }


def _again(position: Position, frame: Frame, node: code.Code, stream: Stream) -> Iterator[_Step]:
    """The effects of a node on slots, step by step."""
    cells, local, blueprint = position.cells, frame.local, position.blueprint

    def value(slot: int, expr: ir.Expr) -> _Step:
        return (slot,), lambda: {slot: blueprint.function(expr)(cells, local)}

    def chosen(binds: ir.Binds | None, conditions: Sequence[ir.Expr] = ()) -> _Step:
        return _slots(binds), lambda: _one_of(binds, blueprint.combos(binds, conditions)(cells, local), stream)

    match node:
        case code.Assign():
            yield value(node.slot, node.value)
        case code.Each():
            yield (node.items,), lambda: {node.items: tuple(blueprint.combos(node.binds)(cells, local))}
            yield _slots(node.binds), lambda: _bound(node.binds, local[node.items][local[node.position] - 1])
        case code.Repeat() if node.carries:
            yield value(node.left, node.value)
            yield node.carries, lambda: _carried(position, frame, node, stream)
        case code.Repeat():
            yield value(node.left, node.value)
        case code.TakeTurns():
            yield value(node.slot, node.start)
        case code.Choose() | code.RollChance():
            yield chosen(node.binds)
        case code.Menu():
            for item in node.items:
                yield chosen(item.binds, item.conditions)
        case _:  # for no other node is a slot worked out again
            return


def _carried(position: Position, frame: Frame, node: code.Repeat, stream: Stream) -> dict[int, Any]:
    """What so many passes of a loop that asks for one of several have left in the slots that it carries.

    How many passes there were is known to everybody, and the last of those slots; once that is not needed any more,
    as many as there can be are assumed, or one if there is no limit.
    """
    local, blueprint = frame.local, position.blueprint
    *kept, taken = node.carries
    asked = next(inner for inner in code.walk(node.body) if isinstance(inner, code.Choose))
    steps = [inner for inner in code.walk(node.body) if isinstance(inner, code.Assign) and inner.slot in kept]
    most = blueprint.function(node.value)(position.cells, local)
    for _ in range(local[taken] if local[taken] is not None else most if most <= _MANY else 1):
        found = _one_of(asked.binds, blueprint.combos(asked.binds)(position.cells, local), stream)
        if not found:
            break
        for slot, chosen in found.items():
            local[slot] = chosen
        for step in steps[: len(kept)]:
            local[step.slot] = blueprint.function(step.value)(position.cells, local)
    return {slot: local[slot] for slot in kept}


def _slots(binds: ir.Binds | None) -> tuple[int, ...]:
    return tuple(bind.slot for bind in binds.binds) if binds is not None else ()


def _bound(binds: ir.Binds | None, values: tuple[Any, ...]) -> dict[int, Any]:
    return {bind.slot: value for bind, value in zip(binds.binds if binds is not None else (), values, strict=True)}


def _one_of(binds: ir.Binds | None, combos: Sequence[tuple[Any, ...]], stream: Stream) -> dict[int, Any]:
    return _bound(binds, combos[stream.below(len(combos))]) if combos else {}


def _fits(holds: code.Holds, value: Any) -> bool:
    """Whether a slot is filled as it must be; an internal counter may still be missing."""
    if holds is None:
        return value is None or type(value) is int
    if isinstance(holds, code.Items):
        return isinstance(value, tuple)
    return belongs(value, holds)
