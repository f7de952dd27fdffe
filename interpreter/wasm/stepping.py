"""Many games side by side for those who learn: one call takes all of them to their next decision.

``GameBatch`` is an instance of the module with a number of them in its memory; ``stepping.wat`` does the work. What it
tells is laid out beforehand: the observations of a seat as a plan, steps that copy from the cells what it may see, and
the actions as a table by the options' rows. So a game needs no code of its own for this.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import attrs

from rulelang import types as ty
from rulelang.program import Variable

from ..errors import GameError, RuleFault
from ..learning.actions import Actions, listed
from ..learning.observations import HEAD, Bounds, Field, Observations, Rewards, blank, is_scalar, uses_flags
from ..learning.vector import FAULTED, Vector, VectorPart
from ..lowered import code
from ..position.position import question_of
from . import codec
from .host import Instance, Trap
from .layout import addresses as mem
from .layout.shapes import Location, NotLowered, first_value, fixed_words, mask_size, none_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .engine import WasmGame

_COPIED, _FILLED, _SWAPPED, _BITS, _MEMBERS, _OPTIONAL, _COMPARED, _SUMMED, _LISTED = range(1, 10)
"""Steps of a plan, as ``stepping.wat`` numbers them."""

_STEP = 5
_SEED = 8
_MOST_BYTES = 1 << 32
_NOBODY = 0x5DEECE66D
_FACTOR = 0x9E3779B97F4A7C15
_WORD64 = (1 << 64) - 1


class ObservationPlan:
    """Steps that tell what cells hold. ``into``: the words of all plans, in which those of parts come first."""

    def __init__(self, into: list[int], base: int) -> None:
        self._into = into
        self._base = base
        self._steps: list[list[int]] = []

    def step(self, what: int, number: int, at: int = 0, a: int = 0, b: int = 0) -> None:
        """Adds a step; one that only goes on with what the last one does makes that longer."""
        last = self._steps[-1] if self._steps else [0] * _STEP
        same = last[0] == what and last[3:] == [a, b]
        if same and (what == _FILLED or (what in (_COPIED, _SWAPPED) and last[2] + mem.WORD * last[1] == at)):
            last[1] += number
        elif number or what not in (_COPIED, _FILLED):
            self._steps.append([what, number, at, a, b])

    def place(self) -> int:
        """Lays the plan down; its address."""
        at = self._base + mem.WORD * len(self._into)
        for step in (*self._steps, [0] * _STEP):
            self._into += step
        return at

    def part(self) -> ObservationPlan:
        return ObservationPlan(self._into, self._base)

    def blanks(self, bounds: Iterable[Bounds]) -> None:
        for one in bounds:
            self.step(_FILLED, 1, a=blank(one))

    def value(self, type_: ty.Type, at: int, room: int) -> int:
        """Tells a value whose words lie at a place; gives the place after them. ``room``: for a list."""
        match type_:
            case ty.NumberType() | ty.MemberType() | ty.FlagType():
                self.step(_COPIED, 1, at)
            case ty.OptionalType(item) if is_scalar(item):
                kept, told = none_of(item), first_value(item) - 1
                if kept == told:
                    self.step(_COPIED, 1, at)
                else:
                    self.step(_SWAPPED, 1, at, kept, told)
            case ty.OptionalType(item):
                held, nothing = self.part(), self.part()
                held.value(item, 0, room)
                nothing.blanks(Observations.bounds_of(item, room))
                self.step(_OPTIONAL, 0, at, held.place(), nothing.place())
            case ty.PiecesType(kind):
                self.step(_COPIED, len(ty.kinds(kind)), at)
            case ty.TupleType() | ty.RecordType():
                for part in type_.items:
                    at = self.value(part, at, room)
                return at
            case ty.SetType(item) if uses_flags(item):
                self._flags(type_, at)
            case ty.ListType(item) | ty.SetType(item):
                self._list(item, at, room)
        return at + mem.WORD * (fixed_words(type_) or 0)

    def _flags(self, type_: ty.SetType, at: int) -> None:
        size = mask_size(type_)
        if size is None:
            self.step(_MEMBERS, len(ty.values(type_.item)), at, first_value(type_.item))
        else:
            self.step(_BITS, size, at)

    def _list(self, item: ty.Type, at: int, room: int) -> None:
        size = fixed_words(item)
        if size is None:
            raise NotLowered(f"an observation of several {ty.describe(item)}")
        each, nothing = self.part(), self.part()
        each.value(item, 0, room)
        nothing.blanks(Observations.bounds_of(item, room))
        self.step(_LISTED, room, at, each.place(), mem.WORD * size)
        self.step(0, 1, a=nothing.place())

    def field(self, field: Field, cell: Location, seat: int) -> None:
        """Tells what a seat sees of a cell; as ``Observations`` has it."""
        variable = field.variable
        assert variable is not None
        at = cell.base + sum(s * owner for s, owner in zip(cell.strides, field.owners, strict=True))
        if variable.seen_by == "all":
            self.value(variable.type, at, field.room)
            return
        if seat in (variable.seats(field.owners) or ()):
            self.step(_FILLED, 1, a=1)
            self.value(variable.type, at, field.room)
        else:
            self.blanks(field.bounds[: len(field.bounds) - variable.counted])
        if variable.counted:
            self._count(variable, at)

    def _count(self, variable: Variable, at: int) -> None:
        """Tells how many pieces a place holds."""
        type_ = variable.type
        if isinstance(type_, ty.PiecesType):
            self.step(_SUMMED, len(ty.kinds(type_.kind)), at)
        elif isinstance(type_, ty.OptionalType):
            self.step(_COMPARED, 1, at, none_of(type_.item) if is_scalar(type_.item) else 0)
        else:
            self.step(_COPIED, 1, at)


@attrs.frozen(eq=False)
class VectorLayout:
    """What all parts share: the numbers of actions and observations, and how the module finds them."""

    game: WasmGame
    actions: Actions
    observations: Observations
    table: bytes
    units: bytes
    sites: bytes

    @classmethod
    def of(cls, game: WasmGame, max_options: int) -> VectorLayout:
        blueprint = game.blueprint
        actions = Actions.of(blueprint, max_options)
        observations = Observations.of(game.program, blueprint.initial_cells())
        rules = {rule: number for number, rule in enumerate(game.rules)}
        keys: dict[int, int] = {}
        units, sites = b"", b""
        for number, name in enumerate(game.steps.units):
            units += struct.pack("<i", len(sites) // 8)
            unit = blueprint.units.get(name)
            for site in unit.sites if unit is not None else ():
                before = len(keys)
                if isinstance(site, code.Ask):
                    keys |= _keys(game, actions, number, site)
                sites += struct.pack("<ii", rules.get(site.rule, -1), len(keys) > before)
        return cls(game, actions, observations, _table(keys), units, sites)

    @property
    def width(self) -> int:
        """The numbers of an observation."""
        return len(self.observations.bounds)

    def plans(self, base: int) -> bytes:
        """Where the plan of each seat begins, and all plans, to lie at ``base``."""
        seats = range(self.game.players)
        words = [0] * len(seats)
        cells = self.game.steps.memory.cells
        for seat in seats:
            plan = ObservationPlan(words, base)
            for field in self.observations.fields[len(HEAD) :]:
                assert field.variable is not None
                plan.field(field, cells[field.variable.name], seat)
            words[seat] = plan.place()
        return struct.pack(f"<{len(words)}i", *words)


def _keys(game: WasmGame, actions: Actions, unit: int, ask: code.Ask) -> dict[int, int]:
    """The actions of what is asked at a site, by the keys that ``search.wat`` gives its options."""
    question = question_of(game.blueprint, ask)
    asked = unit << 32 | ask.site.number
    found: dict[int, int] = {}
    for raws in listed(game.blueprint, question):
        for raw in raws or ():
            action = actions.own.get((ask.rule, question.describe(raw).text))
            if action is not None:
                key = asked ^ _NOBODY if raw is None else _key(asked, codec.row_of(question, raw) or [0])
                found.setdefault(key, action)
    return found


def _key(asked: int, words: Sequence[int]) -> int:
    for word in words:
        asked = ((asked << 23 | asked >> 41) & _WORD64 ^ word & 0xFFFFFFFF) * _FACTOR & _WORD64
    return asked ^ asked >> 32


def _table(keys: dict[int, int]) -> bytes:
    """Actions by keys, each at the first free place from that which the key's last bits name: twice as many places."""
    mask = (1 << (2 * len(keys)).bit_length()) - 1
    places: dict[int, tuple[int, int]] = {}
    for key, action in keys.items():
        place = key & mask
        while place in places:
            place = place + 1 & mask
        places[place] = key, action
    return b"".join(struct.pack("<Qi4x", *places.get(place, (0, -1))) for place in range(mask + 1))


class GameBatch:
    """Games ``first`` to ``first + count`` of ``total``, in the memory of one instance."""

    def __init__(self, layout: VectorLayout, seed: int, first: int, count: int, total: int, limit: int) -> None:
        self.layout = layout
        self.count = count
        self._compiled = compiled = layout.game.steps
        self._instance = instance = Instance(compiled.module)
        self._base = base = compiled.addresses.search
        self._at: dict[int, int] = {}
        self._end = base + mem.VECTOR_SIZE
        players, size, width = layout.game.players, layout.actions.size, mem.WORD * layout.width
        plans = layout.plans(self._end)
        initial = compiled.initial.ljust(compiled.addresses.open_size, b"\0")
        given = {
            mem.VECTOR_PLANS: plans,
            mem.VECTOR_TABLE: layout.table,
            mem.VECTOR_UNITS: layout.units,
            mem.VECTOR_SITES: layout.sites,
            mem.VECTOR_INITIAL: initial,
        }
        sizes = {field: len(data) for field, data in given.items()}
        each = {
            mem.VECTOR_SEEDS: 2 * _SEED,
            mem.VECTOR_TOLD: width,
            mem.VECTOR_MASKS: size,
            mem.VECTOR_ENDED: 1,
            mem.VECTOR_SCORES: mem.WORD * players,
        }
        each |= dict.fromkeys((mem.VECTOR_TAKEN, mem.VECTOR_PLAYERS, mem.VECTOR_LEFT_OUT, mem.VECTOR_WINNERS), mem.WORD)
        sizes |= {field: bytes_ * count for field, bytes_ in each.items()}
        for field, bytes_ in sizes.items():
            self._at[field] = self._end
            self._end += -(-bytes_ // 16) * 16
        stride = 1024
        needed = self._end - base + stride * count
        if needed >= _MOST_BYTES or not instance.call("reserve", needed):
            raise _no_room(count)
        instance.look()
        instance.write(base, bytes(mem.VECTOR_SIZE))
        for field, data in given.items():
            instance.write(self._at[field], data)
        words = {
            **self._at,
            mem.VECTOR_SLOTS: self._end,
            mem.VECTOR_STRIDE: stride,
            mem.VECTOR_COUNT: count,
            mem.VECTOR_ALL: total,
            mem.VECTOR_OWN: len(layout.actions.texts),
            mem.VECTOR_ACTIONS: size,
            mem.VECTOR_TABLE_MASK: len(layout.table) // 16 - 1,
            mem.VECTOR_WIDTH: width,
            mem.VECTOR_LIMIT: limit,
        }
        for field, value in words.items():
            instance.put_word(base + field, value)
        instance.write(base + mem.VECTOR_SEED, struct.pack("<Q", seed % 2**64))
        self._fault: RuleFault | None = None
        self._ended = self._array(mem.VECTOR_ENDED, "u1", count)
        self._taken = self._array(mem.VECTOR_TAKEN, "<i4", count)
        self._seeds = self._array(mem.VECTOR_SEEDS, "<u8", count, 2)
        self._seeds[:, 1] = range(first, first + count)
        self._run("vector_renew")

    def part(self) -> VectorPart:
        """The games as the parts of a ``Vector`` are."""
        count, players = self.count, self.layout.game.players
        return VectorPart(
            player=self._array(mem.VECTOR_PLAYERS, "<i4", count),
            observation=self._array(mem.VECTOR_TOLD, "<i4", count, self.layout.width),
            legal=self._array(mem.VECTOR_MASKS, "?", count, self.layout.actions.size),
            left_out=self._array(mem.VECTOR_LEFT_OUT, "<i4", count),
            ended=self._ended,
            seeds=self._seeds[:, 0],
            winners=self._array(mem.VECTOR_WINNERS, "<u4", count),
            scores=self._array(mem.VECTOR_SCORES, "<i4", count, players),
            act=self._act,
        )

    def _array(self, field: int, dtype: str, *shape: int) -> NDArray[Any]:
        """An array of numbers in the memory, which stays where it is as it grows, for as long as the array does."""
        import numpy as np

        instance = self._instance
        memory = (ctypes.c_ubyte * instance.size).from_address(instance.base)
        memory.owner = instance  # type: ignore[attr-defined]
        return np.ndarray(shape, dtype, memory, self._at[field])  # type: ignore[arg-type]

    def _act(self, actions: NDArray[Any]) -> RuleFault | None:
        self._fault = None
        self._taken[:] = actions
        self._run("vector_act")
        return self._fault

    def _run(self, name: str) -> None:
        """Calls a function for all games. A game whose rules cannot go on has ended, and another begins."""
        instance, done = self._instance, 0
        while done < self.count:
            instance.words[(self._compiled.addresses.scratch + mem.FAULT) // mem.WORD] = mem.NO_FAULT
            try:
                instance.call(name, done, self.count)
                break
            except Trap as trap:
                self._stopped(name, trap)
            done = instance.word(self._base + mem.VECTOR_AT) + 1
        instance.look()

    def _stopped(self, name: str, trap: Trap) -> None:
        instance, game = self._instance, self.layout.game
        instance.look()
        reason = instance.word(self._base + mem.VECTOR_STOP)
        if reason == 1:
            raise _no_room(self.count) from None
        if reason == 2:
            raise GameError(f"{game.name} can end before anybody decides, so there is nothing to learn") from None
        self._fault = self._compiled.fault(instance, trap)
        if name == "vector_renew":
            raise self._fault from None
        at = instance.word(self._base + mem.VECTOR_AT)
        self._ended[at] = FAULTED
        try:
            instance.call("vector_renew", at, at + 1)
        except Trap as again:
            self._stopped("vector_renew", again)


def _no_room(count: int) -> GameError:
    return GameError(f"{count:,} games side by side need more memory than there is: ask for fewer, or more threads")


def vector(
    game: WasmGame, n: int, seed: int, rewards: str, threads: int, max_options: int, max_decisions: int
) -> Vector:
    """See ``interpreter.game.Game.vector``."""
    given = {"n": n, "threads": threads, "max_options": max_options, "max_decisions": max_decisions}
    for name, number in given.items():
        if number < 1:
            raise GameError(f"{name} must be at least 1, not {number}")
    kind = Rewards.of(game.program, rewards)
    layout = VectorLayout.of(game, max_options)
    threads = min(threads, n)
    starts = [n * thread // threads for thread in range(threads + 1)]
    games = [GameBatch(layout, seed, a, b - a, n, max_decisions) for a, b in pairwise(starts)]
    return Vector(layout.actions, layout.observations, kind, [some.part() for some in games])
