"""Memory of a seat: what it knows about hidden places from their initial content and from the log since.

Hidden places form groups; as long as nothing moves unseen from one to another, each is a group by itself. A seat knows
exactly which pieces are in a group, how many are in each place, and of some pieces that they are there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.program.analysis.cardinality import families
from rulelang.program.sides import scorers
from rulelang.program.values import from_plain, name_of
from rulelang.types import kinds

from ..lowered.cells import Cells, held
from ..position.carrying import carries
from ..position.position import blank, laid_first
from ..position.views import SPECTATOR

if TYPE_CHECKING:
    from rulelang.program import Variable

    from ..data import Event, View
    from ..game import State
    from ..position.blueprint import Blueprint
    from ..position.knowers import Knowers
    from ..position.position import Position, Secret

Pieces = tuple[int, ...]


class _Unseen:
    def __repr__(self) -> str:
        return "UNSEEN"


UNSEEN: Any = _Unseen()
"""Marks a cell whose content a seat does not see."""


@attrs.frozen
class HiddenGroup:
    """Hidden cells by index, and all pieces in them, in rising order."""

    cells: tuple[int, ...]
    pieces: Pieces


@attrs.frozen
class SeatMemory:
    """``sizes``: the number of pieces in a hidden cell, if known. ``certain``: pieces known to be in it.

    ``untouched``: hidden values that have never been set. ``tops``: of a hidden stack, the pieces from the top on, none
    where one is not known; ``values``: hidden values that are known. Both were shown.
    """

    groups: tuple[HiddenGroup, ...]
    sizes: dict[int, int]
    certain: dict[int, Pieces]
    untouched: frozenset[int]
    tops: Mapping[int, Pieces] = attrs.field(factory=dict)
    values: Mapping[int, Any] = attrs.field(factory=dict)


def remember(
    blueprint: Blueprint,
    log: list[Event],
    seat: int,
    shown: Sequence[Any],
    counts: Mapping[int, int],
    recalled: Recalled | None,
) -> SeatMemory:
    """The memory of a seat that was told its part of a log and is now shown these cells (UNSEEN where it sees nothing).

    ``recalled``: what was followed of this log before; None in a position set up by hand. There, and where the events
    do not lead from the start to what is shown, only the total counts: all pieces there were at first, less those in
    sight.
    """
    if recalled is not None:
        hidden = frozenset(cell for cell, value in enumerate(shown) if value is UNSEEN)
        with recalled.followed(blueprint, log, seat, hidden) as ledger:
            if ledger.sound and ledger.agrees(shown, counts):
                return ledger.memory(counts)
    return _from_what_is_in_sight(blueprint, shown, counts)


class Recalled:
    """What seats have followed of the log of one game, so that only what is new needs to be followed.

    It never changes what is found: a log that does not begin with what was followed is followed from its beginning.
    ``initial``: the cells with which the game began.
    """

    def __init__(self, initial: list[Any]) -> None:
        self._initial = initial
        self._followed: dict[int, tuple[list[Event], _Ledger | None]] = {}

    @contextmanager
    def followed(self, blueprint: Blueprint, log: list[Event], seat: int, hidden: frozenset[int]) -> Iterator[_Ledger]:
        """The ledger of a seat at the end of a log; ``hidden``: the cells it does not see."""
        # Taken out meanwhile: whoever asks for it on another thread makes one.
        before, ledger = self._followed.pop(seat, ([], None))
        if ledger is None or ledger.hidden != hidden or log[: len(before)] != before:
            before, ledger = [], _Ledger(blueprint, hidden, self._initial)
        ledger.follow(event for event in log[len(before) :] if event.told_to(seat))
        yield ledger
        self._followed[seat] = log, ledger


def contents(variable: Variable, value: Any) -> Pieces:
    """The pieces in a place, one by one."""
    assert variable.element is not None
    match variable.kind:
        case "pool" | "bag":
            return tuple(k for k, n in zip(kinds(variable.element), value, strict=True) for _ in range(n))
        case "stack":
            return tuple(value)
        case "grid":
            return tuple(spot[0] for spot in value)
    return () if value is None else (value,)


class _Ledger:
    """Follows pieces and values from the first position on."""

    def __init__(self, blueprint: Blueprint, hidden: frozenset[int], initial: list[Any]) -> None:
        self.blueprint = blueprint
        self.initial = initial
        self.hidden = hidden
        self.sound = True
        """Whether the events made sense in sequence."""
        self.touched: set[int] = set()
        self.cells: dict[str, tuple[int, Cells]] = {}
        self.pieces: dict[int, Counter[int]] = {}
        """Of a visible cell its pieces; of the first cell of a group of hidden ones the pieces of the group."""
        self.size: dict[int, int] = {}
        self.certain: dict[int, Counter[int]] = {}
        self.group: dict[int, int] = {}
        self.places: list[tuple[int, Variable]] = []
        """Visible places with pieces, by cell; ``values``: other visible cells, but for what was shown to a seat."""
        self.values: list[int] = []
        self.agreed: dict[int, Any] = {}
        """What visible places held when they were last found to agree, unless pieces have moved there since."""
        for cell, place in blueprint.layout.of_cell.items():
            self.cells[place.text(place.owners(cell))] = (cell, place)
            if cell in hidden and place.variable.carried:  # nobody knows by the rules what an earlier game left there
                self.touched.add(cell)
                self.sound = self.sound and place.variable.element is None
            if place.variable.element is None:
                if cell not in hidden and place.variable.shows is None:
                    self.values.append(cell)
                continue
            if cell not in hidden:
                self.places.append((cell, place.variable))
            held = Counter(contents(place.variable, self.initial[cell]))
            self.pieces[cell] = held
            if cell in self.hidden:
                self.size[cell], self.certain[cell], self.group[cell] = held.total(), held.copy(), cell

    def follow(self, told: Iterable[Event]) -> None:
        self.sound = self.sound and all(self._event(event) for event in told)

    def _event(self, event: Event) -> bool:
        data = event.data
        match event.kind:
            case "set":
                cell, place = self.cells[data["place"]]
                self.touched.add(cell)
                return place.variable.element is None
            case "score" if self.blueprint.score is not None:
                who = data["player"] if "player" in data else data["team"]
                owner = scorers(self.blueprint.program).index(who)
                self.touched.add(self.blueprint.score.index((owner,)))
            case "show" if "value" in data:
                self._shown(*self.cells[data["place"]], data["value"])
            case "move" if data.get("number") != 0:
                return self._move(*self.cells[data["from"]], self.cells[data["to"]][0], data)
        return True

    def _shown(self, cell: int, place: Cells, value: Any) -> None:
        """All of a place was shown: what is there, and that there is no more."""
        if cell in self.hidden and place.variable.element is not None:
            held = contents(place.variable, from_plain(value, place.variable.type))
            self.size[cell], self.certain[cell] = len(held), Counter(held)

    def _move(self, source: int, place: Cells, target: int, data: Mapping[str, Any]) -> bool:
        number = data.get("number")
        if "pieces" not in data:
            return self._unseen_move(source, target, number)
        element = place.variable.element
        assert element is not None
        by_name = {name_of(kind, element): kind for kind in kinds(element)}
        moved = Counter({by_name[name]: n for name, n in data["pieces"].items()})
        if source in self.hidden:
            self._resize(source, -moved.total())
            self.certain[source] -= moved
        if target in self.hidden:
            self._resize(target, moved.total())
            self.certain[target] += moved
        self.agreed.pop(source, None)
        self.agreed.pop(target, None)
        group = self.pieces[self.group.get(source, source)]
        group.subtract(moved)
        self.pieces[self.group.get(target, target)].update(moved)
        return min(group.values(), default=0) >= 0

    def _resize(self, cell: int, more: int | None) -> None:
        """``more``: None if the seat cannot know how many."""
        if more is None:
            self.size.pop(cell, None)
        elif cell in self.size:
            self.size[cell] += more

    def _unseen_move(self, source: int, target: int, number: int | None) -> bool:
        if not {source, target} <= self.hidden:
            return False
        if number is not None and self.size.get(source) == number:
            self.certain[target] += self.certain[source]
        self.certain[source] = Counter()
        self._resize(source, None if number is None else -number)
        self._resize(target, number)
        kept, merged = self.group[source], self.group[target]
        if kept != merged:
            self.pieces[kept] += self.pieces.pop(merged)
            self.group.update((cell, kept) for cell, group in self.group.items() if group == merged)
        return self.size.get(source, 0) >= 0

    def agrees(self, shown: Sequence[Any], counts: Mapping[int, int]) -> bool:
        """Whether the pieces followed agree with what is in sight."""
        if any(number != self.size.get(cell, number) for cell, number in counts.items()):
            return False
        for cell, variable in self.places:
            value = shown[cell]
            if self.agreed.get(cell, UNSEEN) != value:
                if +self.pieces[cell] != Counter(contents(variable, value)):
                    return False
                self.agreed[cell] = value
        return all(shown[cell] == self.initial[cell] or cell in self.touched for cell in self.values)

    def memory(self, counts: Mapping[int, int]) -> SeatMemory:
        """``counts``: the sizes of hidden cells that are in sight."""
        sizes = {**counts, **self.size}
        members: dict[int, list[int]] = {}
        for cell, group in self.group.items():
            members.setdefault(group, []).append(cell)
        return SeatMemory(
            tuple(HiddenGroup(tuple(cells), _listed(self.pieces[group])) for group, cells in members.items()),
            sizes,
            {cell: _listed(certain) for cell, certain in self.certain.items() if certain},
            frozenset(cell for cell in self.hidden - self.touched if cell not in sizes),
        )


def _listed(counts: Counter[int]) -> Pieces:
    return tuple(sorted(counts.elements()))


def _from_what_is_in_sight(blueprint: Blueprint, shown: Sequence[Any], counts: Mapping[int, int]) -> SeatMemory:
    family = families(blueprint.program)
    members: dict[str, list[int]] = {}
    pieces: dict[str, Counter[int]] = {}
    initial = blueprint.initial_cells()
    for cell, place in blueprint.layout.of_cell.items():
        if place.variable.element is None:
            continue
        name = family[place.variable.name]
        held = pieces.setdefault(name, Counter())
        held.update(contents(place.variable, initial[cell]))
        if shown[cell] is UNSEEN:
            members.setdefault(name, []).append(cell)
        else:
            held.subtract(contents(place.variable, shown[cell]))
    groups = tuple(HiddenGroup(tuple(cells), _listed(+pieces[name])) for name, cells in members.items())
    return SeatMemory(groups, dict(counts), {}, frozenset())


# Knowledge of the deciding seat about a position: the only link between a state and imagined positions.


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
    memory: SeatMemory
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
        recalled = state.kept.get("recalled")
        if recalled is None and not position.edited:
            _, carried = laid_first(position.choice_list()) if carries(blueprint.program) else ((), None)
            recalled = state.kept["recalled"] = Recalled(blank(blueprint, 0, carried).cells)
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


def with_shown(blueprint: Blueprint, memory: SeatMemory, shown: Sequence[Any], seat: int) -> SeatMemory:
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
