"""The machine: everything about a game that changes, as plain data, and the loop that runs instructions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from rulelang.program.values import from_text, name_of, show
from rulelang.types import MemberType, NumberType, Type, kinds

from .. import chance
from ..evaluation.runtime import Undefined
from ..game import ChanceError, RuleFault
from ..position import events
from ..position.events import Chain, Teller
from ..position.secrets import Secret
from .asks import Asked
from .book import FRAME_LIMIT, Book
from .code import Instruction


@attrs.define(eq=False)
class Frame:
    """A rule being run: ``pc`` is the place of its next instruction, ``local`` its slots."""

    unit: str
    code: list[Instruction]
    pc: int
    local: list[Any]


@attrs.define(eq=False)
class Machine:
    """``cells``: see Layout. ``frames``: the rules being run, the innermost last. ``chance``: the generator's state.

    ``fixed``: outcomes of chance that were laid down beforehand. ``whole``: the game itself runs, so that the end of
    its first rule is the end of the game. ``dirty``: a cell has changed since the watchers were tested. ``watching``:
    watchers are being run. ``choices``: the choices made so far as a chain of (earlier, index), ``edited`` when they
    do not lead from the seed to this position. ``secret``: players are deciding together.
    """

    book: Book
    cells: list[Any]
    chance: int
    seed: int
    frames: list[Frame] = attrs.field(factory=list)
    fixed: tuple[Any, ...] = ()
    whole: bool = False
    over: bool = False
    winners: tuple[int, ...] = ()
    dirty: bool = False
    watching: bool = False
    turns: int = 0
    fired: dict[str, int] = attrs.field(factory=dict)
    pending: Asked | None = None
    log: Chain = None
    choices: Any = None
    edited: bool = False
    secret: Secret | None = None

    def copy(self) -> Machine:
        """An independent copy; the past is shared."""
        return Machine(
            self.book,
            self.cells[:],
            self.chance,
            self.seed,
            [Frame(f.unit, f.code, f.pc, f.local[:]) for f in self.frames],
            self.fixed,
            self.whole,
            self.over,
            self.winners,
            self.dirty,
            self.watching,
            self.turns,
            self.fired.copy(),
            self.pending,
            self.log,
            self.choices,
            self.edited,
            self.secret,
        )

    # -- running

    def open(self, unit: str, values: Sequence[Any], caller: Instruction | None, at: int = 0) -> None:
        """Begins a rule with the values of its parameters, which are the first slots."""
        if len(self.frames) >= FRAME_LIMIT:
            message = f"rules run inside one another more than {FRAME_LIMIT} deep"
            raise caller.fault(message) if caller is not None else RuleFault(message, unit)
        found = self.book.units[unit]
        local: list[Any] = [None] * found.frame
        local[: len(values)] = values
        self.frames.append(Frame(unit, found.code, at, local))

    def advance(self) -> None:
        """Runs until a decision, or the end."""
        frames, left = self.frames, self.book.step_limit
        instruction: Instruction | None = None
        try:
            while frames:
                frame = frames[-1]
                instruction = frame.code[frame.pc]
                frame.pc += 1
                instruction.run(self, frame)
                if self.pending is not None:
                    return
                left -= 1
                if left <= 0:
                    raise instruction.fault(
                        f"more than {self.book.step_limit:,} steps without a decision; does a loop end?"
                    )
        except Undefined as error:
            assert instruction is not None
            raise instruction.fault(str(error)) from None
        if self.whole and not self.over:
            self.finish(self.book.best(self.cells), self.book.program.start)

    def choose(self, index: int) -> None:
        """Takes an option of the open decision and runs on."""
        asked = self.pending
        assert asked is not None
        self.pending = None
        self.choices = (self.choices, index)
        frame = self.frames[-1]
        frame.pc += 1
        try:
            asked.instruction.take(self, frame, asked.player, asked.raws[index])
        except Undefined as error:
            raise asked.instruction.fault(str(error)) from None
        self.advance()

    def finish(self, winners: tuple[int, ...], rule: str) -> None:
        """Ends the game."""
        self.over = True
        self.winners = winners
        self.frames.clear()
        self.watching = False
        self.secret = None
        self.note(events.ended, rule, winners, self.scores())

    def scores(self, seat: int | None = None) -> tuple[int, ...]:
        """The points by seat; ``seat``: as far as this seat knows.

        A game that keeps no score has what decides first who wins, if all may see it; else a winner has 1.
        """
        players = range(self.book.program.players)
        cells = self.book.score
        known = self.cells if seat is None else self.known_to(seat)
        if cells is None and self.book.first_rank_is_open():
            return tuple(self.book.measure(0, p, known) for p in players)
        if cells is None:
            return tuple(int(p in self.winners) for p in players)
        return tuple(known[cells.index((p,))] for p in players)

    def known_to(self, seat: int) -> list[Any]:
        """The cells as far as a seat knows: without what others are deciding together with it."""
        return self.cells if self.secret is None else self.secret.cells(self, seat)

    def store(self, cell: int, value: Any) -> None:
        if self.cells[cell] != value:
            self.cells[cell] = value
            self.dirty = True

    def note(self, teller: Teller, *facts: Any) -> None:
        """Adds to the log. What a player does together with others is told to that player only, until all are done."""
        secret = self.secret
        if secret is not None and secret.player is not None:
            player = secret.player
            self.secret = attrs.evolve(secret, told=(secret.told, player, teller, facts))
            self.log = (self.log, events.kept, (player, teller, facts))
        else:
            self.log = (self.log, teller, facts)

    # -- chance

    def pick(self, combos: Sequence[tuple[Any, ...]], types: tuple[Type, ...], instruction: Instruction) -> int:
        """The place of one of the combinations, by chance or as laid down."""
        if not self.fixed:
            self.chance, place = chance.below(self.chance, len(combos))
            return place
        names = self.fixed[: len(types)]
        self.fixed = self.fixed[len(types) :]
        wanted = _read(names, types)
        if wanted is None or wanted not in combos:
            shown = [" ".join(show(v, t) for v, t in zip(c, types, strict=True)) for c in combos]
            raise _impossible(" ".join(map(str, names)), shown, instruction)
        return combos.index(wanted)

    def draw(self, counts: tuple[int, ...], element: MemberType | NumberType, instruction: Instruction) -> int:
        """The position of the kind of one piece drawn from a bag."""
        if not self.fixed:
            self.chance, place = chance.drawn(self.chance, counts)
            return place
        name, self.fixed = self.fixed[0], self.fixed[1:]
        every = kinds(element)
        wanted = _read((name,), (element,))
        if wanted is None or not counts[wanted[0] - every.start]:
            shown = [name_of(k, element) for k, n in zip(every, counts, strict=True) if n]
            raise _impossible(str(name), shown, instruction)
        return int(wanted[0] - every.start)

    def shuffle(self, pieces: tuple[Any, ...]) -> tuple[Any, ...]:
        """The pieces in a new order. Fixed outcomes do not apply: the order of a stack is simply given."""
        self.chance, order = chance.shuffled(self.chance, pieces)
        return order


def _read(names: Sequence[Any], types: Sequence[Type]) -> tuple[Any, ...] | None:
    """The named values, or None when one is no value of its type."""
    if len(names) != len(types):
        return None
    try:
        return tuple(from_text(name, type_) for name, type_ in zip(names, types, strict=True))
    except ValueError:
        return None


def _impossible(what: str, possible: list[str], instruction: Instruction) -> ChanceError:
    listed = ", ".join(dict.fromkeys(possible[:30])) + (", ..." if len(possible) > 30 else "")
    span = instruction.span
    place = f" ({span.file}:{span.line})" if span.file else ""
    return ChanceError(f"{what} cannot come up in rule {instruction.rule}{place}; possible: {listed}")
