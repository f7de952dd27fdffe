"""All that a seat which is asked knows of a position: the only door between a state and whoever imagines others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import attrs

from rulelang import program as ir
from rulelang.program.values import from_plain

from .knowers import Knowers
from .memory import UNSEEN, Memory, remember

if TYPE_CHECKING:
    from ..game import State
    from ..position.cells import Cells
    from ..position.secrets import Secret
    from ..reference.book import Book
    from ..reference.machine import Frame, Machine

_KNOWERS: WeakKeyDictionary[Book, Knowers] = WeakKeyDictionary()


@attrs.frozen
class Running:
    """A rule that is running: ``at`` is the place of its next instruction.

    ``known``: the slots still needed that the seat knows, with their values; ``unknown``: the others.
    """

    rule: str
    at: int
    known: tuple[tuple[int, Any], ...]
    unknown: frozenset[int]


@attrs.frozen
class Deciding:
    """Players decide together. ``before``: visible cells the seat has changed itself, as they were; ``done``: who has
    decided, in order."""

    before: tuple[tuple[int, Any], ...]
    done: tuple[int, ...]


@attrs.frozen
class Seen:
    """``view``: see ``State.view``. ``options``: the values of what the seat may choose. ``memory``: see Memory.

    ``settled``: whether the options were worked out from what the seat knows alone, as the checks demand.
    ``watching``, ``dirty``, ``whole``, ``turns``: see Machine.
    """

    seat: int
    view: dict[str, Any]
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
        """What ``seat`` knows of the state. ValueError unless it is the seat that has to decide."""
        decision = state.decision
        if decision is None or decision.player != seat:
            raise ValueError(f"seat {seat} is not asked")
        machine: Machine = machine_of(state)
        book = machine.book
        knowers = knowers_of(book)
        view = state.view(seat)
        shown, counts = cells_in(book, view)
        told = (event for event in state.log if event.seats is None or seat in event.seats)
        frames = machine.frames
        running = tuple(_running(machine, knowers, place, seat) for place in range(len(frames)))
        return cls(
            seat,
            view,
            tuple(option.value for option in decision.options),
            knowers.knows_all(frames, len(frames) - 1, asked_for(frames[-1]), seat),
            remember(book, told, shown, counts, from_the_start=not machine.edited),
            running,
            None if machine.secret is None else _deciding(machine.secret, shown),
            machine.watching,
            bool(book.watchers) if knowers.silent else machine.dirty,
            machine.whole,
            machine.turns,
        )


def machine_of(state: Any) -> Machine:
    """The position as the reference engine keeps it. Other engines offer their states as ``machine`` too."""
    machine: Machine = state.machine
    return machine


def knowers_of(book: Book) -> Knowers:
    if book not in _KNOWERS:
        _KNOWERS[book] = Knowers(book)
    return _KNOWERS[book]


def asked_for(frame: Frame) -> list[Any]:
    """What the options of an open decision are worked out from."""
    from ..reference.asks import AskChoose, AskMenu, AskPay

    match frame.code[frame.pc]:
        case AskChoose(statement=s):
            return [s.binds]
        case AskPay(statement=s, source=source):
            return [s.cost, ir.Read(s.source.variable, s.source.indices, source.variable.type)]
        case AskMenu(items=items):
            needs = [need.condition for item in items for need in item.rule.needs]
            return [*needs, *(part for item in items for part in (item.rule.guard, item.rule.binds))]
        case _:
            raise ValueError("nothing is being asked")


def _running(machine: Machine, knowers: Knowers, place: int, seat: int) -> Running:
    frame = machine.frames[place]
    live = machine.book.units[frame.unit].live[frame.pc]
    known = [slot for slot in sorted(live) if knowers.knows(machine.frames, place, slot, seat)]
    return Running(
        frame.unit, frame.pc, tuple((slot, frame.local[slot]) for slot in known), frozenset(live - set(known))
    )


def _deciding(secret: Secret, shown: list[Any]) -> Deciding:
    before = [
        (cell, secret.before[cell])
        for cell, value in enumerate(shown)
        if value is not UNSEEN and secret.before[cell] != value
    ]
    return Deciding(tuple(before), tuple(player for player, _ in secret.done))


def cells_in(book: Book, view: dict[str, Any]) -> tuple[list[Any], dict[int, int]]:
    """The cells that a view shows, UNSEEN for the others, and how many pieces are in those that are only counted."""
    shown: list[Any] = [UNSEEN] * book.layout.size
    counts: dict[int, int] = {}
    for name, place in book.layout.places.items():
        if name in view["state"]:
            _read(place, view["state"][name], (), view["seat"], shown, counts)
    return shown, counts


def _read(
    place: Cells, data: Any, owners: tuple[int, ...], seat: int, shown: list[Any], counts: dict[int, int]
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
