"""Views and saves straight from the bytes of a state, by a plan that is made once for each game.

The cells of a variable lie side by side, so its bytes say what it holds. What was made of them is remembered by these
bytes, since most variables are as they were when somebody looked last; what is handed out is always a copy.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import attrs

from rulelang.program.values import name_of
from rulelang.types import ListType, OptionalType, PiecesType, RecordType, SetType, TupleType, Type

from ..position import saves, views
from . import codec
from .layout import addresses as mem
from .layout.memory import CellContents

if TYPE_CHECKING:
    from ..data import Decision, View
    from ..lowered.cells import Cells
    from .compiled import Compiled
    from .state import WasmState

REMEMBERED = 200
"""Contents of one variable that are remembered."""

Fresh = Callable[[Any], Any]


@attrs.define(eq=False)
class _Place:
    """A variable in the bytes of a state: from ``start`` to ``end``."""

    cells: Cells
    start: int
    end: int
    contents: CellContents
    """What a cell holds as plain data, by its words."""
    fresh: Fresh
    """A copy of the list with what each cell holds."""
    fresh_view: Fresh | None
    """A copy of what a seat sees; None where it cannot be changed."""
    plain: dict[bytes, list[Any]] = attrs.field(factory=dict)
    shown: dict[tuple[int, bytes], tuple[bool, Any]] = attrs.field(factory=dict)

    def values(self, data: bytes) -> list[Any]:
        """What each cell holds, as plain data; shared, so not to be changed or handed out."""
        content = data[self.start : self.end]
        found = self.plain.get(content)
        if found is None:
            if len(self.plain) >= REMEMBERED:
                self.plain.clear()
            found = self.plain[content] = self.contents.each(content)
        return found

    def view(self, data: bytes, seat: int) -> tuple[bool, Any]:
        """Whether a seat sees anything of it, and what, as ``views`` has it; shared."""
        key = seat, data[self.start : self.end]
        found = self.shown.get(key)
        if found is None:
            if len(self.shown) >= REMEMBERED:
                self.shown.clear()
            found = self.shown[key] = self._seen(self.values(data), seat, ())
        return found

    def _seen(self, values: list[Any], seat: int, owners: tuple[int, ...]) -> tuple[bool, Any]:
        variable = self.cells.variable
        if len(owners) < len(variable.owners):
            owner = variable.owners[len(owners)]
            nested = {}
            for member in range(len(owner.domain)):
                seen, value = self._seen(values, seat, (*owners, member))
                if seen:
                    nested[name_of(member, owner)] = value
            return bool(nested), nested
        value = values[self.cells.index(owners) - self.cells.offset]
        if views.sees(self.cells, owners, seat):
            return True, value
        if variable.counted:
            return True, {"count": _count(variable.kind, value)}
        return False, None


def _count(kind: str, value: Any) -> int:
    """How many pieces a place holds, from its plain data."""
    if kind in ("pool", "bag"):
        return sum(value.values())
    if kind in ("stack", "grid"):
        return len(value)
    return 0 if value is None else 1


# ---------------------------------------------------------------- copies

_SIMPLE = frozenset((int, str, bool, type(None)))


def fresh(value: Any) -> Any:
    """A copy of plain data that has nothing in common with it that could be changed."""
    if type(value) is dict:
        return {name: part if type(part) in _SIMPLE else fresh(part) for name, part in value.items()}
    if type(value) is list:
        return [part if type(part) in _SIMPLE else fresh(part) for part in value]
    return value


def copier(type_: Type) -> Fresh | None:
    """What copies values of a type as plain data; None where these cannot be changed."""
    match type_:
        case PiecesType():
            return dict.copy
        case ListType(item) | SetType(item):
            return _of_several(copier(item))
        case TupleType(items):
            return fresh if any(map(copier, items)) else list.copy
        case RecordType():
            return fresh if any(map(copier, type_.items)) else dict.copy
        case OptionalType(item):
            return fresh if copier(item) else None
    return None


def _of_several(copy: Fresh | None) -> Fresh:
    return list.copy if copy is None else lambda values: [copy(value) for value in values]


def _of_owners(depth: int, copy: Fresh | None) -> Fresh | None:
    """What copies values that lie ``depth`` deep in dicts by owner."""
    for level in range(depth):
        copy = dict.copy if copy is None and not level else _of_owner(copy or fresh)
    return copy


def _of_owner(copy: Fresh) -> Fresh:
    return lambda values: {name: copy(value) for name, value in values.items()}


# ---------------------------------------------------------------- the plan


class _Secret(NamedTuple):
    """What players decide together: the cells before, and those of each player who is done, as bytes."""

    rule: str
    player: int | None
    before: bytes
    done: dict[int, bytes]


def _word(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + mem.WORD], "little", signed=True)


class Looking:
    """The plan of one game."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        memory, blueprint = compiled.memory, compiled.writer.context.blueprint
        self._blueprint = blueprint
        self._places: dict[str, _Place] = {}
        for name, cells in blueprint.layout.places.items():
            cell = memory.cells[name]
            start = cell.base - mem.STATE
            size = cell.size * cells.variable.cells
            copy = copier(cell.type)
            in_full = cells.variable.seen_by == "all"
            viewed = _of_owners(len(cells.variable.owners), copy) if in_full else fresh
            contents = CellContents(cell.type, cell.size // mem.WORD)
            self._places[name] = _Place(cells, start, start + size, contents, _of_several(copy), viewed)
        self._fired = memory.fired - mem.STATE

    def view(self, state: WasmState, decision: Decision | None, seat: int) -> View:
        """As ``views.view``."""
        data, together = state.data, None
        points = None
        if state.deciding_together:
            # Each seat sees the position before, with what it has decided itself.
            secret = self._secret(data)
            if seat != secret.player:
                data = data[: mem.HEADER] + secret.done.get(seat, secret.before)
                points = self._points(data)
            together = secret.rule
        shown = {}
        for name, place in self._places.items():
            seen, value = place.view(data, seat)
            if seen:
                shown[name] = value if place.fresh_view is None else place.fresh_view(value)
        if points is None:
            points = state.scores if data is state.data else state.position.scores(seat)
        return views.told(self._blueprint, seat, state.over, points, decision, together, shown)

    def _points(self, data: bytes) -> tuple[int, ...] | None:
        """The points in other cells than those of the state; None where they must be worked out."""
        score = self._blueprint.score
        if score is None:
            return None
        values = self._places[score.variable.name].values(data)
        return tuple(values[score.index((owner,)) - score.offset] for owner in self._blueprint.score_owners)

    def _secret(self, data: bytes) -> _Secret:
        at, size = self._compiled.memory.secret - mem.STATE, self._compiled.memory.cells_size
        before = data[at : at + size]
        at += size
        done = {}
        for _ in range(_word(data, mem.SECRET_DONE)):
            done[_word(data, at)] = data[at + mem.WORD : at + mem.WORD + size]
            at += mem.WORD + size
        player = _word(data, mem.SECRET_PLAYER)
        rule = tuple(self._blueprint.program.rules)[_word(data, mem.SECRET_RULE)]
        return _Secret(rule, None if player < 0 else player, before, done)

    def _cells(self, data: bytes) -> dict[str, list[Any]]:
        return {name: place.fresh(place.values(data)) for name, place in self._places.items()}

    def _changes(self, before: bytes, after: bytes) -> list[list[Any]]:
        """The cells that differ, as a save names them."""
        return [
            [name, number, fresh(now)]
            for name, place in self._places.items()
            for number, (old, now) in enumerate(zip(place.values(before), place.values(after), strict=True))
            if old != now
        ]

    def save(self, state: WasmState) -> dict[str, Any]:
        """As ``saves.save``."""
        data, program = state.data, self._blueprint.program
        times = struct.unpack_from(f"<{len(program.rules)}i", data, self._fired)
        frames = codec.frames_of(self._compiled, self._blueprint, data)
        (chance,) = struct.unpack_from("<Q", data, mem.CHANCE)

        def flag(field: int) -> bool:
            return bool(_word(data, field))

        over, winners = flag(mem.OVER), _word(data, mem.WINNERS)
        kept = saves.KeptPosition(
            cells=self._cells(data),
            frames=frames,
            chance=chance,
            fixed=state.fixed_chance,
            winners=tuple(p for p in range(program.players) if winners >> p & 1) if over else (),
            turns=_word(data, mem.TURNS),
            at_turn=_word(data, mem.AT_TURN) - 1 if _word(data, mem.AT_TURN) else None,
            fired={rule: n for rule, n in zip(program.rules, times, strict=True) if n},
            whole=flag(mem.WHOLE),
            over=over,
            dirty=flag(mem.DIRTY),
            watching=flag(mem.WATCHING),
            edited=state.edited,
        )
        found = saves.written(program, state.seed, state.listing, kept)
        if state.deciding_together:
            secret = self._secret(data)
            head = data[: mem.HEADER]
            found["state"]["together"] = {
                "rule": secret.rule,
                "player": secret.player,
                "before": self._cells(head + secret.before),
                "done": [
                    [player, self._changes(head + secret.before, head + after)] for player, after in secret.done.items()
                ],
            }
        return found
