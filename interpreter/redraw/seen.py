"""Knowledge of the deciding seat about a position: the only link between a state and imagined positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs

from ..lowered.cells import held
from ..position.views import SPECTATOR
from .knowledge import UNSEEN, Memory, Recalled, contents, remember

if TYPE_CHECKING:
    from typing import Any

    from ..data import View
    from ..game import State
    from ..position.blueprint import Blueprint
    from ..position.knowers import Knowers
    from ..position.position import Position
    from ..position.secrets import Secret


@attrs.frozen
class Running:
    """A running rule: ``at`` is the number of the site where it waits.

    ``known``: the live slots that the seat knows, with their values; ``unknown``: the other live slots.
    """

    rule: str
    at: int
    known: tuple[tuple[int, Any], ...]
    unknown: frozenset[int]


@attrs.frozen
class Deciding:
    """Players are deciding together. ``before``: the visible cells the seat has changed, as they were; ``done``: the
    players who have decided, in order."""

    before: tuple[tuple[int, Any], ...]
    done: tuple[int, ...]


@attrs.frozen
class Seen:
    """``seat``: from 0, or SPECTATOR for what everybody knows. ``view``: see ``State.view``. ``cells``: what it shows,
    UNSEEN for the others. ``asked``: the seat that decides. ``options``: the values it may choose, where ``seat`` is
    told of them. ``memory``: see Memory.

    ``settled``: whether the options depend only on what the seat knows, as the checks demand.
    ``watching``, ``dirty``, ``whole``, ``turns``, ``at_turn``: see Position.
    """

    seat: int
    view: View
    cells: tuple[Any, ...]
    asked: int
    options: tuple[Any, ...] | None
    settled: bool
    memory: Memory
    running: tuple[Running, ...]
    together: Deciding | None
    watching: bool
    dirty: bool
    whole: bool
    turns: int
    at_turn: int | None

    @classmethod
    def of(cls, state: State, seat: int | None) -> Seen:
        """Everything ``seat`` knows of the state; None: what everybody knows.

        ValueError unless it is the seat that has to decide; for None, unless somebody has to.
        """
        decision = state.decision
        if decision is None or seat not in (decision.player, None):
            raise ValueError(f"seat {seat} is not the one to decide")
        options = None if seat is None else tuple(option.value for option in decision.options)
        seat = SPECTATOR if seat is None else seat
        position = state.position
        blueprint = position.blueprint
        knowers = blueprint.knowers
        shown, counts = _in_sight(position, seat)
        recalled = None if position.edited else state.kept.setdefault("recalled", Recalled())
        frames = position.frames
        running = tuple(_running(position, knowers, place, seat) for place in range(len(frames)))
        return cls(
            seat,
            state.view(None if seat == SPECTATOR else seat),
            tuple(shown),
            decision.player,
            options,
            options is not None and knowers.knows_options(frames, seat),
            with_shown(
                blueprint,
                remember(blueprint, state.log, seat, shown, counts, recalled),
                shown,
                seat,
            ),
            running,
            None if position.secret is None else _deciding(position.secret, shown),
            position.watching,
            position.dirty,
            position.whole,
            position.turns,
            position.at_turn,
        )


def _running(position: Position, knowers: Knowers, place: int, seat: int) -> Running:
    frame = position.frames[place]
    live = frame.live()
    known = [slot for slot in live if knowers.knows(position.frames, place, slot, seat)]
    return Running(
        frame.unit.rule, frame.at, tuple((slot, frame.local[slot]) for slot in known), frozenset(live) - set(known)
    )


def _deciding(secret: Secret, shown: list[Any]) -> Deciding:
    before = [
        (cell, secret.before[cell])
        for cell, value in enumerate(shown)
        if value is not UNSEEN and secret.before[cell] != value
    ]
    return Deciding(tuple(before), tuple(player for player, _ in secret.done))


def _in_sight(position: Position, seat: int) -> tuple[list[Any], dict[int, int]]:
    """The cells that a seat sees, UNSEEN for the others, and the number of pieces in those that are only counted."""
    layout, known = position.blueprint.layout, position.known_to(seat)
    shown: list[Any] = []
    counts: dict[int, int] = {}
    for cell, (value, seats) in enumerate(zip(known, layout.seen_by, strict=True)):
        if seats is None or seat in seats:
            shown.append(value)
            continue
        shown.append(UNSEEN)
        variable = layout.of_cell[cell].variable
        if variable.counted:
            counts[cell] = held(variable, value)
    return shown, counts


# Memory of places that were shown to a seat, added to what it worked out from the log.


def with_shown(blueprint: Blueprint, memory: Memory, shown: Sequence[Any], seat: int) -> Memory:
    """The memory with what the cells of ``Variable.shows`` hold for the seat; ``shown``: the cells it sees."""
    if seat == SPECTATOR:  # what everybody is shown is remembered for each seat
        return memory
    sizes, certain = dict(memory.sizes), dict(memory.certain)
    tops: dict[int, tuple[Any, ...]] = {}
    values: dict[int, Any] = {}
    places = blueprint.layout.places
    for place in places.values():
        if place.variable.shows is None:
            continue
        of = places[place.variable.shows]
        variable = of.variable
        for cell in range(of.offset, of.offset + variable.cells):
            known = shown[place.index((seat, *of.owners(cell)))]
            if shown[cell] is not UNSEEN or not known:
                continue
            if variable.kind == "value":
                (values[cell],) = known
            elif variable.kind == "slot":
                certain[cell] = contents(variable, known[0])
                sizes[cell] = len(certain[cell])
            else:
                pieces = known if variable.kind == "stack" else contents(variable, known)
                least: Counter[int] = Counter(piece for piece in pieces if piece is not None)
                least |= Counter(certain.get(cell, ()))
                certain[cell] = tuple(sorted(least.elements()))
                if variable.kind == "stack":
                    tops[cell] = known
    return attrs.evolve(memory, sizes=sizes, certain=certain, tops=tops, values=values)
