"""Knowledge of the deciding seat about a position: the only link between a state and imagined positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulelang import program as ir
from rulelang.program.values import from_plain

from ..lowered import code
from .memory import UNSEEN, Memory, Recalled, remember
from .shown import with_shown

if TYPE_CHECKING:
    from ..data import View
    from ..game import State
    from ..lowered.cells import Cells
    from ..position.blueprint import Blueprint
    from ..position.knowers import Knowers
    from ..position.position import Frame, Position
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
    """``view``: see ``State.view``. ``options``: the values the seat may choose. ``memory``: see Memory.

    ``settled``: whether the options depend only on what the seat knows, as the checks demand.
    ``watching``, ``dirty``, ``whole``, ``turns``: see Position.
    """

    seat: int
    view: View
    options: tuple[Any, ...]
    settled: bool
    memory: Memory
    running: tuple[Running, ...]
    together: Deciding | None
    watching: bool
    dirty: bool
    whole: bool
    turns: int

    @classmethod
    def of(cls, state: State, seat: int) -> Seen:
        """Everything ``seat`` knows of the state. ValueError unless it is the seat that has to decide."""
        decision = state.decision
        if decision is None or decision.player != seat:
            raise ValueError(f"seat {seat} is not the one to decide")
        position = state.position
        blueprint = position.blueprint
        knowers = blueprint.knowers
        view = state.view(seat)
        shown, counts = cells_in(blueprint, view)
        recalled = None if position.edited else state.kept.setdefault("recalled", Recalled())
        frames = position.frames
        running = tuple(_running(position, knowers, place, seat) for place in range(len(frames)))
        return cls(
            seat,
            view,
            tuple(option.value for option in decision.options),
            knowers.knows_question(frames, lambda: asked_for(frames[-1], blueprint.program), seat),
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
        )


def asked_for(frame: Frame, program: ir.Program) -> list[Any]:
    """The expressions that the options of an open decision depend on."""
    match frame.unit.sites[frame.at]:
        case code.Choose(binds=binds):
            return [binds]
        case code.Pay(cost=cost, less=less, source=source):
            held = ir.Read(source.variable, source.indices, program.variables[source.variable].type)
            return [cost, held] if less is None else [cost, less, held]
        case code.Menu(items=items):
            return [part for item in items for part in (*item.conditions, item.binds)]
    raise ValueError("nothing is being asked")


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


def cells_in(blueprint: Blueprint, view: View) -> tuple[list[Any], dict[int, int]]:
    """The cells that a view shows, UNSEEN for the others, and the number of pieces in those only counted."""
    shown: list[Any] = [UNSEEN] * blueprint.layout.size
    counts: dict[int, int] = {}
    for name, place in blueprint.layout.places.items():
        if name in view["state"]:
            _read(place, view["state"][name], (), view["seat"], shown, counts)
    return shown, counts


def _read(
    place: Cells, data: Any, owners: tuple[int, ...], seat: int | None, shown: list[Any], counts: dict[int, int]
) -> None:
    variable = place.variable
    if len(owners) < len(variable.owners):
        owner = variable.owners[len(owners)]
        for name, inner in data.items():
            member = owner.domain.members.index(name)
            _read(place, inner, (*owners, member), seat, shown, counts)
        return
    seats = place.seats(owners)
    cell = place.index(owners)
    if seats is None or seat in seats:
        shown[cell] = from_plain(data, variable.type)
    else:
        counts[cell] = data["count"]
