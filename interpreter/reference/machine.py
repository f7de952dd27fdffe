"""The machine of the reference engine: a position, and the loop that runs steps on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import attrs

from rulelang.types import MemberType, NumberType, Type

from .. import chance
from ..errors import GameError, RuleFault
from ..evaluation.meter import METER, Settled, Undefined, patiently, too_long
from ..lowered import code
from ..position import events, faults, fixed
from ..position.blueprint import Blueprint
from ..position.events import Teller
from ..position.position import Coming, Laid, OpenQuestion, Position
from ..record.observer import Observer

if TYPE_CHECKING:
    from ..game import Game

Again: TypeAlias = "Callable[[Game], object]"
"""What is being done, done on a game of another engine."""

STEP = 10
"""Passes of a loop that a step counts for. Every loop has a bound, but bounds can multiply."""

AT_ONCE = 1_000
"""Steps that are counted together."""

FRAME_LIMIT = 2_000
"""Rules that may wait for one another; what ``check`` lets through stays below."""


Run: TypeAlias = "Callable[[Machine, Frame, Step], None]"
"""What runs a node, in a frame that goes on at ``Step.then`` if nothing else is said."""

Point: TypeAlias = "tuple[Run, Step]"
"""Where a rule goes on: a step, and what runs it there."""


@attrs.define(eq=False)
class Step:
    """A node of lowered code, ready to run. ``made``: the functions of its expressions, by its fields, and what else is
    known beforehand; ``then``: what follows it; ``inner``: where the blocks in it begin."""

    node: Any
    made: SimpleNamespace
    then: Point = attrs.field(default=None)
    inner: tuple[Point, ...] = ()

    def fault(self, message: str) -> RuleFault:
        return RuleFault(message, self.node.rule, self.node.span)


@attrs.define(eq=False)
class Frame(code.Frame):
    """A running rule. ``next``: what it does next."""

    next: Point


@attrs.frozen(eq=False)
class Image:
    """A game prepared for this engine. ``begins``: where each unit begins, by its name; ``entries``: by site number,
    where a frame goes on that waits there. ``take``: goes on after something was chosen.

    ``depths``: how often a rule that may run itself may be running at the same time.
    """

    blueprint: Blueprint
    begins: dict[str, Point]
    entries: dict[str, tuple[Point, ...]]
    take: Callable[[Machine, Frame, Step, int, Any], None]
    depths: dict[str, int] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        rules = self.blueprint.program.rules.values()
        object.__setattr__(self, "depths", {rule.id: rule.deep for rule in rules if rule.deep is not None})


@attrs.define(eq=False, kw_only=True)
class Machine(Position):
    """A position that can run. Its frames are those of this engine."""

    image: Image
    around: dict[str, int] = attrs.field(factory=dict)
    """How often rules are running where this machine is only supposed to run."""
    observer: Observer | None = None
    """Counts what happens, of a game whose record is wanted. Copies count too: only one of them may be played on."""
    brief: bool = False
    """Options are not listed, because what is chosen is known: see ``follow``."""
    coming: Callable[[], Coming] | None = None
    """What is asked next, where that is known while the machine runs."""
    luck: int | None = None
    """Where the chance of the next choice comes from, if that needs any; see ``chance``."""

    @classmethod
    def of(cls, image: Image, position: Position) -> Machine:
        """A machine in a position, which is not changed; the past is shared."""
        machine = cls(image=image, **{name: getattr(position, name) for name in _FIELDS})
        machine.cells = position.cells[:]
        machine.fired = position.fired.copy()
        machine.frames = []
        for frame in position.frames:
            entry = image.entries[frame.unit.rule][frame.at]
            machine.frames.append(Frame(frame.unit, frame.at, frame.local[:], entry))
        return machine

    def copy(self) -> Machine:
        """An independent copy; the past is shared."""
        frames = cast("list[Frame]", self.frames)
        return Machine(
            self.blueprint,
            self.cells[:],
            self.chance,
            self.seed,
            [Frame(f.unit, f.at, f.local[:], f.next) for f in frames],
            self.fixed,
            self.whole,
            self.over,
            self.winners,
            self.dirty,
            self.watching,
            self.turns,
            self.at_turn,
            self.fired.copy(),
            self.asked,
            self.log,
            self.choices,
            self.edited,
            self.secret,
            self.marked,
            image=self.image,
            around=self.around,
            observer=self.observer,
            brief=self.brief,
            luck=self.luck,
        )

    # -- running

    def open(self, name: str, values: Sequence[Any], caller: Step | None) -> None:
        """Begin a rule with the values of its parameters, which are the first slots."""
        unit = self.blueprint.units[name]
        deep = self.image.depths.get(name)
        message = None
        if len(self.frames) >= FRAME_LIMIT:
            message = faults.too_deep(FRAME_LIMIT)
        elif deep is not None and self.running(name) >= deep:
            message = faults.again(name, deep)
        if message is not None:
            raise caller.fault(message) if caller is not None else RuleFault(message, name)
        local: list[Any] = [None] * unit.size
        local[: len(values)] = values
        self.frames.append(Frame(unit, 0, local, self.image.begins[name]))

    def running(self, unit: str) -> int:
        """How often a rule is running."""
        return self.around.get(unit, 0) + sum(frame.unit.rule == unit for frame in self.frames)

    def advance(self, again: Again | None = None) -> None:
        """Run to the next decision, or to the end. ``again``: does the same on another engine."""
        with METER.counting(self.blueprint.limits, more=self._more(again)):
            self._advance()
        self.chance = chance.settled(self.chance)

    def _more(self, again: Again | None) -> Iterator[float] | None:
        """Further passes, if the engine that counts the work of both finds that the same is within the limits."""
        count = self.blueprint.count
        return None if again is None or count is None else _granted(self.blueprint, count, again)

    def _advance(self) -> None:
        """Run to the next decision, or to the end."""
        frames = cast("list[Frame]", self.frames)
        step: Step | None = None
        outer, METER.machine = METER.machine, self
        made, at_once = 0, max(1, min(AT_ONCE, int(METER.left / STEP)))
        try:
            while frames:
                frame = frames[-1]
                run, step = frame.next
                frame.next = step.then
                run(self, frame, step)
                made += 1
                if made == at_once or not frames or self.asked is not None:
                    METER.spend(made * STEP)
                    if self.asked is not None:
                        return
                    made = 0
        except Undefined as error:
            assert step is not None
            raise self.undefined(step, error) from None
        finally:
            METER.machine = outer
        if self.whole and not self.over:
            self.finish(self.blueprint.best(self.cells), self.blueprint.program.start)

    def undefined(self, step: Step, error: Undefined) -> Exception:
        """The fault of a step that needs a value which is not defined."""
        return step.fault(str(error))

    def choose(self, index: int, before: Position | None = None) -> None:
        """Take an option of the open decision and run on. ``before``: the same position, which stays as it is."""
        asked = self.asked
        assert asked is not None
        if self.observer is not None:
            self.observer.decided(self, asked)
        self.choices = (self.choices, index)
        again = None if before is None else lambda game: game.state_of(before).choose(index)
        self._take(asked, asked.raws[index], self._more(again))

    def follow(self, raw: Any, coming: Callable[[], Coming]) -> None:
        """Take what is known to have been chosen, a bare value, and run on to what is ``coming``."""
        assert self.asked is not None
        self.coming = coming
        self._take(self.asked, raw, patiently(self.blueprint.limits))
        self.coming = None

    def _take(self, asked: OpenQuestion, raw: Any, more: Iterator[float] | None) -> None:
        self.asked = None
        frame = cast("Frame", self.frames[-1])
        _, step = frame.next
        frame.next = step.then
        with METER.counting(self.blueprint.limits, more=more):
            try:
                self.image.take(self, frame, step, asked.player, raw)
            except Undefined as error:
                raise step.fault(str(error)) from None
            self._advance()
        self.chance, self.luck = chance.settled(self.chance), None

    def finish(self, winners: Iterable[int], rule: str) -> None:
        """End the game."""
        if self.observer is not None:
            self.observer.ended(rule)
        self.over = True
        self.winners = self.blueprint.settled(winners)
        self.frames.clear()
        self.watching = False
        self.secret = None
        self.note(events.ended, rule, self.winners, self.scores())

    def store(self, cell: int, value: Any) -> None:
        """Put a value in a cell. A hidden one counts as changed in any case: whether it did must not show."""
        if self.cells[cell] != value or self.blueprint.layout.seen_by[cell] is not None:
            self.cells[cell] = value
            self.dirty = True

    def note(self, teller: Teller, *facts: Any) -> None:
        """Add to the log. What a player does together with others stays secret until all are done."""
        secret = self.secret
        if secret is not None and secret.player is not None:
            player = secret.player
            self.secret = attrs.evolve(secret, told=(secret.told, player, teller, facts))
            self.log = (self.log, events.kept, (player, teller, facts))
        else:
            self.log = (self.log, teller, facts)

    # -- chance

    def pick(self, combos: Sequence[tuple[Any, ...]], types: tuple[Type, ...], step: Step) -> int:
        """The index of one of the combinations, by chance or as fixed."""
        if not self.fixed:
            self.chance, index = chance.below(self._drawn_from(), len(combos))
            return index
        names = self.fixed[: len(types)]
        self.fixed = self.fixed[len(types) :]
        return fixed.rolled(names, combos, types, step.node.rule, step.node.span)

    def draw(self, counts: tuple[int, ...], element: MemberType | NumberType, step: Step) -> int:
        """The index of the kind of one piece drawn from a bag."""
        if not self.fixed:
            self.chance, index = chance.drawn(self._drawn_from(), counts)
            return index
        name, self.fixed = self.fixed[0], self.fixed[1:]
        return fixed.drawn(name, counts, element, step.node.rule, step.node.span)

    def shuffle(self, pieces: tuple[Any, ...]) -> tuple[Any, ...]:
        """The pieces in a new order. Fixed outcomes do not apply: an example sets the order of a stack directly."""
        self.chance, order = chance.shuffled(self._drawn_from(), pieces)
        return order

    def _drawn_from(self) -> int:
        """The state of chance. A luck counts, and goes into the record of the game, once it is needed."""
        if self.luck is not None:
            self.chance = chance.seeded(self.luck)
            if self.choices is not None:
                before, chosen = self.choices
                self.choices = ((before, Laid((), luck=self.luck)), chosen)
            self.luck = None
        return self.chance


def _granted(blueprint: Blueprint, count: Callable[[], Game], again: Again) -> Iterator[float]:
    """Further passes, once the same was done on the engine whose count holds. Raises Settled where it says no."""
    try:
        with METER.apart():
            again(count())
    except RuleFault as fault:
        raise Settled(fault) from None
    except GameError:  # it cannot take up the position, so the passes made here are all there is to go by
        raise Undefined(too_long(blueprint.limits.work)) from None
    yield from patiently(blueprint.limits)


_FIELDS = tuple(field.name for field in attrs.fields(Position))
