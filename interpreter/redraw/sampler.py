"""Complete positions drawn from what a seat knows (determinisations), repaired where a guess breaks an invariant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakKeyDictionary

import attrs

from rulelang import program as ir
from rulelang.program.values import belongs
from rulelang.types import FLAG, NumberType

from ..chance import Stream
from ..errors import GameError
from ..evaluation.meter import Undefined
from ..lowered import code
from ..lowered.code import Frame
from ..position.position import OpenQuestion, Position, Secret, put
from ..position.views import SPECTATOR
from .deal import deal, guessed, others_of
from .knowledge import UNSEEN, Deciding, HiddenGroup, SeatMemory, Seen, contents

if TYPE_CHECKING:
    from ..evaluation.compiler import Function
    from ..lowered.cells import Cells
    from ..position.blueprint import Blueprint
    from ..reference.engine import ReferenceGame

_SWEEPS = 3
_MOST = 1_000
_KNOWN: WeakKeyDictionary[Blueprint, Invariants] = WeakKeyDictionary()
_COUNT = NumberType(0, 2**31 - 1)


class Invariants:
    """The invariants that read hidden cells; for visible ones nothing changes from redraw to redraw."""

    def __init__(self, blueprint: Blueprint) -> None:
        self.counters: list[tuple[Function, int]] = [
            (blueprint.function(part), invariant.frame)
            for invariant in blueprint.program.invariants
            if blueprint.knowers.looks_at_hidden(invariant.condition)
            for part in _failures(invariant.condition)
        ]

    @classmethod
    def of(cls, blueprint: Blueprint) -> Invariants:
        """Those of a blueprint, which are made once."""
        if blueprint not in _KNOWN:
            _KNOWN[blueprint] = cls(blueprint)
        return _KNOWN[blueprint]

    def broken(self, cells: list[Any]) -> int:
        """The number of violations: an invariant over every member of something counts once for each member."""
        number = 0
        for counter, frame in self.counters:
            try:
                number += counter(cells, [None] * frame)
            except Undefined:
                number += 1
        return number

    def mend(self, cells: list[Any], guessed: Sequence[tuple[int, Cells]], stream: Stream) -> bool:
        """Change guessed values one at a time as long as that leaves fewer violations (min-conflicts; Minton et al.
        1992). Returns whether all invariants hold in the end."""
        worst = self.broken(cells)
        for _ in range(_SWEEPS):
            for cell, place in stream.shuffled(guessed):
                if not worst:
                    return True
                best = [cells[cell]]
                for value in others_of(place.variable, cells[cell], _MOST, stream):
                    kept, cells[cell] = cells[cell], value
                    number = self.broken(cells)
                    cells[cell] = kept
                    if number < worst:
                        worst, best = number, [value]
                    elif number == worst:
                        best.append(value)
                cells[cell] = best[stream.below(len(best))]
        return not worst


def _failures(condition: ir.Expr) -> Iterator[ir.Expr]:
    """Expressions that count the violations of a condition."""
    match condition:
        case ir.Apply("and"):
            for part in condition.arguments:
                yield from _failures(part)
        case ir.Fold("every", ir.Apply() as body, binds) if not binds.stop_at_first_failure:
            fails = ir.Apply("not", (body,), FLAG)
            where = fails if binds.condition is None else ir.Apply("and", (binds.condition, fails), FLAG)
            yield ir.Fold("count", None, ir.Binds(binds.binds, where), _COUNT)
        case _:
            yield ir.If(condition, ir.Const(0, _COUNT), ir.Const(1, _COUNT), _COUNT)


# Redrawing of the unseen decisions of others who decide together with a seat: made again, at random.


_LIMIT = 1_000
"""The most decisions of others before the seat decides."""


def decide(position: Position, deciding: Deciding, owners: Mapping[int, Cells], seat: int, stream: Stream) -> Secret:
    """Run the block again up to the seat's first decision, on the redrawn position before it.

    Misfit when that leads elsewhere.
    """
    place, block = _block(position)
    before = list(position.cells)
    moved: Counter[int] = Counter()
    for cell, value in deciding.before:
        variable = owners[cell].variable
        if variable.element is not None:
            moved.update(contents(variable, value))
            moved.subtract(contents(variable, position.cells[cell]))
        before[cell] = value
    if any(moved.values()):
        raise Misfit  # the seat moved pieces to a place it does not see; which they were is not known here
    start = _begun(position, place, block, before)
    trial = _rehearsed(position.blueprint).trial(start)
    for _ in range(_LIMIT):
        asked = trial.position.asked
        if asked is None or asked.player == seat:
            break
        trial.choose(stream.below(len(asked.raws)))
    secret = trial.position.secret
    if secret is None or secret.player != seat or tuple(player for player, _ in secret.done) != deciding.done:
        raise Misfit
    return secret


def _begun(position: Position, place: int, block: code.Together, before: list[Any]) -> Position:
    """The position at the start of the block where all decide together."""
    frames = [Frame(frame.unit, frame.at, list(frame.local)) for frame in position.frames[: place + 1]]
    frames[-1].at = block.site.number
    frames[-1].local[block.position] = 0
    known = {field.name: getattr(position, field.name) for field in attrs.fields(Position)}
    secret, fired = Secret(block.rule, tuple(before)), dict(position.fired)
    return Position(**{**known, "cells": before, "frames": frames, "secret": secret, "fired": fired, "asked": None})


def yet_to_decide(position: Position) -> tuple[int, ...]:
    """The players who decide together and have not finished, in the order of the rules; the first is being asked."""
    if position.secret is None:
        return ()
    place, block = _block(position)
    local = position.frames[place].local
    return tuple(player for player, *_ in local[block.items][local[block.position] - 1 :])


def deciding_first(position: Position, seat: int) -> Position:
    """The position in which a seat that has yet to decide does so before all others: what it decides is the same, since
    each acts on the position before."""
    assert position.secret is not None
    place, block = _block(position)
    begun = _begun(position, place, block, list(position.secret.before))
    local = begun.frames[-1].local
    local[block.items] = tuple(sorted(local[block.items], key=lambda item: item[0] != seat))
    return begun


def _rehearsed(blueprint: Blueprint) -> ReferenceGame:
    """The game in which the decisions are made again; there is one for each blueprint, since making it takes long."""
    if blueprint.rehearsed is None:
        from ..reference.engine import ReferenceGame

        blueprint.rehearsed = ReferenceGame.of(blueprint)
    found: ReferenceGame = blueprint.rehearsed
    return found


def _block(position: Position) -> tuple[int, code.Together]:
    """The index of the running rule that waits inside a block where all decide together, and the block."""
    for place, frame in enumerate(position.frames):
        here = frame.unit.sites[frame.at]
        for node in frame.unit.nodes():
            if isinstance(node, code.Together) and any(inner is here for inner in code.walk(node.body)):
                return place, node
    raise Misfit


_TRIES = 30


class CannotRedraw(Exception):
    """No position was found that fits what the seat knows."""


class Redraw:
    """Draws positions for one ``Seen``. In each the seat sees the same and is asked the same, or sees that somebody is,
    and all invariants hold that held before; future chance differs."""

    def __init__(self, blueprint: Blueprint, seen: Seen) -> None:
        self.blueprint = blueprint
        self.seen = seen
        self.shown = list(seen.cells)
        self.owners = blueprint.layout.of_cell
        self.invariants = Invariants.of(blueprint)
        initial = blueprint.initial_cells()
        self.guessed: list[tuple[int, Cells]] = []
        for cell, place in self.owners.items():
            if self.shown[cell] is UNSEEN and place.variable.element is None:
                if cell in seen.memory.values:
                    self.shown[cell] = seen.memory.values[cell]
                elif cell in seen.memory.untouched or place.variable.shows is not None:
                    # What others were shown tells the seat nothing, and no rule asks for it.
                    self.shown[cell] = initial[cell]
                else:
                    self.guessed.append((cell, place))
        self.groups: list[HiddenGroup] = []
        for group in seen.memory.groups:
            if _is_settled(group, seen.memory, self.owners):
                deal(group, seen.memory, self.owners, Stream(0), self.shown)
            else:
                self.groups.append(group)
        self._asked: OpenQuestion | None = None

    @property
    def certain(self) -> bool:
        """Whether nothing needs to be drawn but future chance."""
        seen = self.seen
        unknown = any(running.unknown for running in seen.running)
        return not (self.guessed or self.groups or unknown or seen.together is not None)

    def draw(self, stream: Stream) -> Position:
        """A position, drawn from ``stream`` alone. CannotRedraw when none was found."""
        for _ in range(_TRIES):
            try:
                position = self._try(stream)
            except (GameError, Undefined, Misfit):
                continue
            if position is not None:
                return position
        who = "everybody" if self.seen.seat == SPECTATOR else f"seat {self.seen.seat}"
        raise CannotRedraw(f"no position fits what {who} knows")

    def _try(self, stream: Stream) -> Position | None:
        seen = self.seen
        cells = self._cells(stream)
        if cells is None:
            return None
        position = Position(
            self.blueprint,
            cells,
            stream.word(),
            0,
            [self._frame(place) for place in range(len(seen.running))],
            whole=seen.whole,
            dirty=seen.dirty,
            watching=seen.watching,
            turns=seen.turns,
            at_turn=seen.at_turn,
            edited=True,
        )
        for place, running in enumerate(seen.running):
            if running.unknown:
                fill(position, place, running.unknown, stream)
        if seen.together is not None:
            position.secret = decide(position, seen.together, self.owners, seen.asked, stream)
        return position if self._ask(position) else None

    def _cells(self, stream: Stream) -> list[Any] | None:
        """The cells, with the hidden ones drawn; None when the invariants cannot be satisfied."""
        cells = list(self.shown)
        for cell, place in self.guessed:
            cells[cell] = guessed(place.variable, self._own(cell, place), stream)
        for group in self.groups:
            deal(group, self.seen.memory, self.owners, stream, cells)
        return cells if self.invariants.mend(cells, self.guessed, stream) else None

    def _own(self, cell: int, place: Cells) -> Any:
        """The seat's own value of the same variable."""
        owners = place.owners(cell)
        if place.variable.seen_by != "owner" or self.seen.seat == SPECTATOR:
            return None
        own = self.shown[place.index((self.seen.seat, *owners[1:]))]
        return None if own is UNSEEN else own

    def _frame(self, place: int) -> Frame:
        running = self.seen.running[place]
        unit = self.blueprint.units[running.rule]
        local: list[Any] = [None] * unit.size
        for slot, value in running.known:
            local[slot] = value
        return Frame(unit, running.at, local)

    def _ask(self, position: Position) -> bool:
        """Open the decision; true if it is the one the seat faces."""
        if self._asked is not None:
            position.asked = self._asked
            return True
        asked = position.asked = put(position)
        if asked is None or asked.player != self.seen.asked:
            return False
        options = self.seen.options
        if options is not None and tuple(option.value for option in asked.decision(position).options) != options:
            return False
        if self.seen.settled:
            # The options depend only on what the seat knows, so they are the same in every redraw.
            self._asked = asked
        return True


def _is_settled(group: HiddenGroup, memory: SeatMemory, owners: Mapping[int, Cells]) -> bool:
    """Whether there is only one way to deal the pieces: all of them into one unordered place."""
    (first, *more) = group.cells
    unordered = owners[first].variable.kind in ("pool", "bag", "slot") or len(group.pieces) < 2
    return not more and unordered and memory.sizes.get(first) == len(group.pieces)


# Recomputation of the locals that a seat does not know, from the cells that were drawn.


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
