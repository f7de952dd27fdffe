"""Many games side by side for those who learn: one call takes all of them to their next decision.

A ``Part`` is an instance of the module with a number of games in its memory; ``vector.wat`` does the work. What it
tells is laid out beforehand: the observations of a seat as a plan, steps that copy from the cells what the seat may see,
and the actions as a table by the options' rows. So a game needs no code of its own for this.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.program import Variable
from rulelang.types import (
    FlagType,
    ListType,
    MemberType,
    NumberType,
    OptionalType,
    PiecesType,
    RecordType,
    SetType,
    TupleType,
    Type,
    describe,
    kinds,
    values,
)

from ..errors import GameError, IllegalChoice, RuleFault
from ..learning.actions import Actions, listed
from ..learning.observations import HEAD, Bounds, Field, Observations, blank, is_scalar, uses_flags
from ..learning.rewards import Rewards
from ..lowered import code
from . import codec
from .host import Instance, Trap
from .layout.addresses import (
    FAULT,
    NO_FAULT,
    VECTOR_ACTIONS,
    VECTOR_ALL,
    VECTOR_AT,
    VECTOR_COUNT,
    VECTOR_ENDED,
    VECTOR_INITIAL,
    VECTOR_LEFT_OUT,
    VECTOR_LIMIT,
    VECTOR_MASKS,
    VECTOR_OWN,
    VECTOR_PLANS,
    VECTOR_PLAYERS,
    VECTOR_SCORES,
    VECTOR_SEED,
    VECTOR_SEEDS,
    VECTOR_SITES,
    VECTOR_SIZE,
    VECTOR_SLOTS,
    VECTOR_STOP,
    VECTOR_STRIDE,
    VECTOR_TABLE,
    VECTOR_TABLE_MASK,
    VECTOR_TAKEN,
    VECTOR_TOLD,
    VECTOR_UNITS,
    VECTOR_WIDTH,
    VECTOR_WINNERS,
    WORD,
)
from .layout.cell import Cell
from .layout.shapes import NotLowered, first_value, fixed_words, mask_size, none_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .engine import WasmGame

OVER, TOO_LONG, FAULTED = 1, 2, 3
"""How a game ended: by its rules, after too many decisions, or because the rules could not go on."""

_COPIED, _FILLED, _SWAPPED, _BITS, _MEMBERS, _OPTIONAL, _COMPARED, _SUMMED, _LISTED = range(1, 10)
"""Steps of a plan, as ``vector.wat`` numbers them."""

_STEP = 5
_NOBODY = 0x5DEECE66D
_FACTOR = 0x9E3779B97F4A7C15
_WORD64 = (1 << 64) - 1


class Plan:
    """Steps that tell what cells hold. ``into``: the words of all plans, in which those of parts come first."""

    def __init__(self, into: list[int], base: int) -> None:
        self._into = into
        self._base = base
        self._steps: list[list[int]] = []

    def step(self, what: int, number: int, at: int = 0, a: int = 0, b: int = 0) -> None:
        """Adds a step; one that only goes on with what the last one does makes that longer."""
        last = self._steps[-1] if self._steps else [0] * _STEP
        same = last[0] == what and last[3:] == [a, b]
        if same and (what == _FILLED or (what in (_COPIED, _SWAPPED) and last[2] + WORD * last[1] == at)):
            last[1] += number
        elif number or what not in (_COPIED, _FILLED):
            self._steps.append([what, number, at, a, b])

    def place(self) -> int:
        """Lays the plan down; its address."""
        at = self._base + WORD * len(self._into)
        for step in (*self._steps, [0] * _STEP):
            self._into += step
        return at

    def part(self) -> Plan:
        return Plan(self._into, self._base)

    def blanks(self, bounds: Iterable[Bounds]) -> None:
        for one in bounds:
            self.step(_FILLED, 1, a=blank(one))

    def value(self, type_: Type, at: int, room: int) -> int:
        """Tells a value whose words lie at a place; gives the place after them. ``room``: for a list."""
        match type_:
            case NumberType() | MemberType() | FlagType():
                self.step(_COPIED, 1, at)
            case OptionalType(item) if is_scalar(item):
                kept, told = none_of(item), first_value(item) - 1
                if kept == told:
                    self.step(_COPIED, 1, at)
                else:
                    self.step(_SWAPPED, 1, at, kept, told)
            case OptionalType(item):
                held, nothing = self.part(), self.part()
                held.value(item, 0, room)
                nothing.blanks(Observations.bounds_of(item, room))
                self.step(_OPTIONAL, 0, at, held.place(), nothing.place())
            case PiecesType(kind):
                self.step(_COPIED, len(kinds(kind)), at)
            case TupleType() | RecordType():
                for part in type_.items:
                    at = self.value(part, at, room)
                return at
            case SetType(item) if uses_flags(item):
                self._flags(type_, at)
            case ListType(item) | SetType(item):
                self._list(item, at, room)
        return at + WORD * (fixed_words(type_) or 0)

    def _flags(self, type_: SetType, at: int) -> None:
        size = mask_size(type_)
        if size is None:
            self.step(_MEMBERS, len(values(type_.item)), at, first_value(type_.item))
        else:
            self.step(_BITS, size, at)

    def _list(self, item: Type, at: int, room: int) -> None:
        size = fixed_words(item)
        if size is None:
            raise NotLowered(f"an observation of several {describe(item)}")
        each, nothing = self.part(), self.part()
        each.value(item, 0, room)
        nothing.blanks(Observations.bounds_of(item, room))
        self.step(_LISTED, room, at, each.place(), WORD * size)
        self.step(0, 1, a=nothing.place())

    def field(self, field: Field, cell: Cell, seat: int) -> None:
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
        if isinstance(type_, PiecesType):
            self.step(_SUMMED, len(kinds(type_.kind)), at)
        elif isinstance(type_, OptionalType):
            self.step(_COMPARED, 1, at, none_of(type_.item) if is_scalar(type_.item) else 0)
        else:
            self.step(_COPIED, 1, at)


@attrs.frozen(eq=False)
class Layout:
    """What all parts share: the numbers of actions and observations, and how the module finds them."""

    game: WasmGame
    actions: Actions
    observations: Observations
    table: bytes
    units: bytes
    sites: bytes

    @classmethod
    def of(cls, game: WasmGame, max_options: int) -> Layout:
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
            plan = Plan(words, base)
            for field in self.observations.fields[len(HEAD) :]:
                assert field.variable is not None
                plan.field(field, cells[field.variable.name], seat)
            words[seat] = plan.place()
        return struct.pack(f"<{len(words)}i", *words)


def _keys(game: WasmGame, actions: Actions, unit: int, ask: code.Ask) -> dict[int, int]:
    """The actions of what is asked at a site, by the keys that ``search.wat`` gives its options."""
    question = game.blueprint.question(ask)
    asked = unit << 32 | ask.site.number
    found = {}
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


class Part:
    """Games ``first`` to ``first + count`` of ``total``, in the memory of one instance."""

    def __init__(self, layout: Layout, seed: int, first: int, count: int, total: int, limit: int) -> None:
        self.layout = layout
        self.count = count
        self._compiled = compiled = layout.game.steps
        self._instance = instance = Instance(compiled.module)
        self._base = base = compiled.addresses.search
        self._at: dict[int, int] = {}
        self._end = base + VECTOR_SIZE
        players, size, width = layout.game.players, layout.actions.size, WORD * layout.width
        plans = layout.plans(self._end)
        initial = compiled.initial.ljust(compiled.addresses.open_size, b"\0")
        seeds = b"".join(struct.pack("<QQ", 0, number) for number in range(first, first + count))
        given = {
            VECTOR_PLANS: plans,
            VECTOR_TABLE: layout.table,
            VECTOR_UNITS: layout.units,
            VECTOR_SITES: layout.sites,
            VECTOR_INITIAL: initial,
            VECTOR_SEEDS: seeds,
        }
        sizes = {field: len(data) for field, data in given.items()}
        sizes |= {VECTOR_TAKEN: WORD * count, VECTOR_TOLD: width * count, VECTOR_MASKS: size * count}
        sizes |= {VECTOR_ENDED: count, VECTOR_SCORES: WORD * players * count}
        sizes |= dict.fromkeys((VECTOR_PLAYERS, VECTOR_LEFT_OUT, VECTOR_WINNERS), WORD * count)
        for field, bytes_ in sizes.items():
            self._at[field] = self._end
            self._end += -(-bytes_ // 16) * 16
        stride = 1024
        if not instance.call("reserve", self._end - base + stride * count):
            raise _no_room(count)
        instance.look()
        instance.write(base, bytes(VECTOR_SIZE))
        for field, data in given.items():
            instance.write(self._at[field], data)
        words = {
            **self._at,
            VECTOR_SLOTS: self._end,
            VECTOR_STRIDE: stride,
            VECTOR_COUNT: count,
            VECTOR_ALL: total,
            VECTOR_OWN: len(layout.actions.texts),
            VECTOR_ACTIONS: size,
            VECTOR_TABLE_MASK: len(layout.table) // 16 - 1,
            VECTOR_WIDTH: width,
            VECTOR_LIMIT: limit,
        }
        for field, value in words.items():
            instance.put_word(base + field, value)
        instance.write(base + VECTOR_SEED, struct.pack("<Q", seed % 2**64))
        self.fault: RuleFault | None = None
        self.ended = self._array(VECTOR_ENDED, "u1", count)
        self._run("vector_renew")
        self.observation = self._array(VECTOR_TOLD, "<i4", count, layout.width)
        self.mask = self._array(VECTOR_MASKS, "?", count, size)
        self.player = self._array(VECTOR_PLAYERS, "<i4", count)
        self.left_out = self._array(VECTOR_LEFT_OUT, "<i4", count)
        self.winners = self._array(VECTOR_WINNERS, "<u4", count)
        self.scores = self._array(VECTOR_SCORES, "<i4", count, players)
        self.seeds = self._array(VECTOR_SEEDS, "<u8", count, 2)[:, 0]
        self._taken = self._array(VECTOR_TAKEN, "<i4", count)

    def _array(self, field: int, dtype: str, *shape: int) -> NDArray[Any]:
        """An array of numbers in the memory, which stays where it is as it grows, for as long as the array does."""
        import numpy as np

        instance = self._instance
        memory = (ctypes.c_ubyte * instance.size).from_address(instance.base)
        memory.owner = instance  # type: ignore[attr-defined]
        return np.ndarray(shape, dtype, memory, self._at[field])

    def act(self, actions: NDArray[Any]) -> None:
        """Takes an action in every game; each must be offered."""
        self._taken[:] = actions
        self._run("vector_act")

    def _run(self, name: str) -> None:
        """Calls a function for all games. A game whose rules cannot go on has ended, and another begins."""
        instance, done = self._instance, 0
        while done < self.count:
            instance.words[(self._compiled.addresses.scratch + FAULT) // WORD] = NO_FAULT
            try:
                instance.call(name, done, self.count)
                break
            except Trap as trap:
                self._stopped(name, trap)
            done = instance.word(self._base + VECTOR_AT) + 1
        instance.look()

    def _stopped(self, name: str, trap: Trap) -> None:
        instance, game = self._instance, self.layout.game
        instance.look()
        reason = instance.word(self._base + VECTOR_STOP)
        if reason == 1:
            raise _no_room(self.count) from None
        if reason == 2:
            raise GameError(f"{game.name} can end before anybody decides, so there is nothing to learn") from None
        self.fault = self._compiled.fault(instance, trap)
        if name == "vector_renew":
            raise self.fault from None
        at = instance.word(self._base + VECTOR_AT)
        self.ended[at] = FAULTED
        try:
            instance.call("vector_renew", at, at + 1)
        except Trap as again:
            self._stopped("vector_renew", again)


def _no_room(count: int) -> GameError:
    return GameError(f"{count:,} games side by side need more memory than the fast engine has; ask for fewer, or use threads")


class Vector:
    """Games side by side, each at a decision. See ``Game.vector``, which makes one.

    Of each game, by its number in the first axis: ``player``, the seat that decides (int32); ``observation``, what that
    seat sees (int32; ``observations.fields`` says what each number is); ``mask``, which actions there are (bool;
    ``actions.texts`` says what each means); ``left_out``, the options without an action (int32). Of the last step:
    ``ended``, 1 where a game came to its end, 2 where it was given up after too many decisions, 3 where its rules could
    not go on, else 0 (uint8); ``rewards``, by seat, of the games that came to their end, else 0 (float32). A game that
    has ended has begun again, so everything else is of the new one. ``seeds``: of the games as they are now (uint64).

    With one thread the arrays are the memory of the games themselves: the next step writes over them.
    """

    def __init__(
        self, game: WasmGame, n: int, seed: int, rewards: str, threads: int, max_options: int, max_decisions: int
    ) -> None:
        try:
            import numpy as np
        except ImportError as error:
            raise GameError("numpy is not installed; games side by side need: pip install 'rulelang[rl]'") from error
        for name, number in (
            ("n", n), ("threads", threads), ("max_options", max_options), ("max_decisions", max_decisions)
        ):  # fmt: skip
            if number < 1:
                raise GameError(f"{name} must be at least 1, not {number}")
        self.game = game
        self._rewards = Rewards.of(game.program, rewards)
        self._layout = layout = Layout.of(game, max_options)
        threads = min(threads, n)
        starts = [n * i // threads for i in range(threads + 1)]
        self._slices = [slice(a, b) for a, b in zip(starts, starts[1:], strict=False)]
        self._parts = [Part(layout, seed, s.start, s.stop - s.start, n, max_decisions) for s in self._slices]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self.rewards = np.zeros((n, game.players), dtype=np.float32)
        self._gather()

    @property
    def actions(self) -> Actions:
        """The meaning of each action."""
        return self._layout.actions

    @property
    def observations(self) -> Observations:
        """The meaning of each number of an observation."""
        return self._layout.observations

    @property
    def fault(self) -> RuleFault | None:
        """Why the rules could not go on, where they last could not."""
        return next((part.fault for part in self._parts if part.fault is not None), None)

    def __len__(self) -> int:
        return len(self.rewards)

    def step(self, actions: NDArray[Any]) -> None:
        """Takes an action in every game. Raises IllegalChoice, and does nothing, when one of them is not offered."""
        import numpy as np

        taken = np.asarray(actions)
        if taken.shape != (len(self),):
            raise IllegalChoice(f"there must be one action for each of {len(self)} games, not an array {taken.shape}")
        if (
            taken.dtype.kind not in "iu"
            or (taken < 0).any()
            or (taken >= self.actions.size).any()
            or not self.mask[np.arange(len(self)), taken].all()
        ):
            raise IllegalChoice(self._refusal(taken))
        if self._pool is None:
            self._parts[0].act(taken)
        else:
            list(self._pool.map(lambda part, s: part.act(taken[s]), self._parts, self._slices))
        self._gather()
        self.rewards[:] = 0
        (over,) = np.nonzero(self.ended == OVER)
        if len(over):
            won = (self._winners[over, None] >> np.arange(self.game.players, dtype=np.uint32) & 1).astype(bool)
            self.rewards[over] = self._rewards.at_end(won, self._scores[over])

    def sample(self, generator: Any) -> NDArray[Any]:
        """An action for every game, any that is offered as likely as the others, by a numpy ``Generator``."""
        found: NDArray[Any] = (generator.random(self.mask.shape, dtype="f4") * self.mask).argmax(axis=1)
        return found

    def _gather(self) -> None:
        """Brings the parts together; of one alone nothing is copied."""
        import numpy as np

        def all_of(name: str) -> NDArray[Any]:
            found = [getattr(part, name) for part in self._parts]
            return found[0] if len(found) == 1 else np.concatenate(found)

        self.player, self.observation, self.mask = all_of("player"), all_of("observation"), all_of("mask")
        self.left_out, self.ended, self.seeds = all_of("left_out"), all_of("ended"), all_of("seeds")
        self._winners, self._scores = all_of("winners"), all_of("scores")

    def _refusal(self, taken: NDArray[Any]) -> str:
        for number, action in enumerate(taken.tolist()):
            if not isinstance(action, int) or not 0 <= action < self.actions.size:
                return f"game {number}: actions are numbered from 0 to {self.actions.size - 1}, not {action!r}"
            if not self.mask[number, action]:
                texts = self.actions.texts
                text = texts[action] if action < len(texts) else "one of the shared actions"
                return f"game {number}: {text} is not offered now; the mask shows what is"
        return "actions are whole numbers"
