"""Blueprint of a game, shared by all its positions: the layout of the cells, lowered code, compiled expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.limits import Limits, standard
from rulelang.program import Binds, Expr, Place, Program
from rulelang.program.analysis.effects import variables_read
from rulelang.program.sides import score_owners, settled, sides
from rulelang.program.walk import free_slots
from rulelang.source import Span
from rulelang.structural import Structural, frozen
from rulelang.types import NumberType, PiecesType, Type, kinds

from ..errors import RuleFault
from ..evaluation.compiler import Combos, Compiler, Function, Suppose
from ..evaluation.meter import METER, Undefined, patiently
from ..lowered.cells import Cells, Layout, empty_value, misfit
from ..lowered.code import Ask, ScorePoints, Unit
from ..lowered.lower import lower_program
from . import faults

if TYPE_CHECKING:
    from rulelang.expression import ExpressionReader

    from .knowers import Knowers

_KEPT = 10_000
"""Compiled expressions to remember that are not part of the program."""


class _Watched(list[Any]):
    """Cells that remember which of them were read."""

    def __init__(self, cells: list[Any]) -> None:
        super().__init__(cells)
        self.read: set[int] = set()

    def __getitem__(self, cell: Any) -> Any:
        self.read |= set(range(*cell.indices(len(self)))) if isinstance(cell, slice) else {cell}
        return super().__getitem__(cell)

    def copy(self) -> _Watched:
        """Other cells; what is read of them counts as read of these."""
        other = _Watched(self)
        other.read = self.read
        return other


@frozen
class Watcher(Structural):
    """A rule that runs ``whenever`` its condition holds at the end of another rule."""

    rule: str
    condition: Function
    frame: int

    def holds(self, cells: list[Any]) -> bool:
        return bool(self.condition(cells, [None] * self.frame))


@frozen
class Rank(Structural):
    """Compares players by ``value``, worked out with the player in ``slot``; ``most`` or fewest is best."""

    most: bool
    slot: int
    frame: int
    value: Function


@frozen
class Invariant(Structural):
    """A condition that must always hold. ``frame``: the slots it needs."""

    id: str
    condition: Function
    frame: int


@attrs.define(eq=False)
class Blueprint:
    """Shared by all positions of a game, whichever engine plays. ``units``: the lowered code of each rule, by id.
    ``limits``: what the rules may cost. ``recall``: values of definitions and groups are worked out once for what they
    are worked out from; without it the same, more slowly.

    ``score``: the cells that keep the score, None in a game without one. ``score_owners``: by seat, whose cell of them
    is its score. ``sides``: by seat, the side it wins with. ``supposing``: what tells how the cells would be after a
    rule; an engine that can run single rules puts it here. ``count``: gives the game on the engine whose count of work
    holds for all of them. ``beside``: the game on the fast engine, where it is played on another one. ``rehearsed``:
    the game on the engine on which redraws make the secret decisions of others. ``told_parts``: the parts of amounts,
    with their texts, as far as the log has told them.
    """

    program: Program
    limits: Limits = attrs.field(factory=standard)
    recall: bool = True
    told_parts: dict[ScorePoints, list[tuple[Expr, str]]] = attrs.field(init=False, factory=dict)
    supposing: Suppose | None = attrs.field(init=False, default=None)
    count: Callable[[], Any] | None = attrs.field(init=False, default=None)
    beside: Any = attrs.field(init=False, default=None)
    rehearsed: Any = attrs.field(init=False, default=None)
    layout: Layout = attrs.field(init=False)
    compiler: Compiler = attrs.field(init=False)
    units: dict[str, Unit] = attrs.field(init=False)
    watchers: tuple[Watcher, ...] = attrs.field(init=False)
    watched_openly: bool = attrs.field(init=False)
    """Whether testing the watchers tells everybody something that is hidden."""
    invariants: tuple[Invariant, ...] = attrs.field(init=False)
    ranks: tuple[Rank, ...] = attrs.field(init=False)
    score: Cells | None = attrs.field(init=False)
    score_owners: tuple[int, ...] = attrs.field(init=False)
    sides: tuple[int, ...] = attrs.field(init=False)
    _extra: dict[int, tuple[Expr, Function]] = attrs.field(init=False, factory=dict)
    _seen: dict[int, tuple[Expr, bool]] = attrs.field(init=False, factory=dict)
    questions: dict[Ask, Any] = attrs.field(init=False, factory=dict)
    """By the statements that ask; see ``position.question_of``."""
    _reader: ExpressionReader | None = attrs.field(init=False, default=None)
    _read: dict[str, Expr] = attrs.field(init=False, factory=dict)
    _knowers: Knowers | None = attrs.field(init=False, default=None)
    _initial: list[Any] | None = attrs.field(init=False, default=None)
    _open: bool | None = attrs.field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        program = self.program
        self.layout = Layout.of(program)
        self.compiler = compiler = Compiler(program, self.layout, self._suppose, recall=self.recall)
        self.score = self.layout.places[program.score] if program.score is not None else None
        self.score_owners = score_owners(program)
        self.sides = sides(program)
        self.ranks = tuple(Rank(r.most, r.slot, r.frame, compiler.expr(r.value)) for r in program.ranks)
        self.units = lower_program(program)
        watchers = []
        for rule in (program.rules[name] for name in program.watchers):
            assert rule.whenever is not None
            watchers.append(Watcher(rule.id, compiler.expr(rule.whenever), rule.frame))
        self.watchers = tuple(watchers)
        self.watched_openly = any(program.rules[watcher.rule].openly for watcher in watchers)
        self.invariants = tuple(Invariant(i.id, compiler.expr(i.condition), i.frame) for i in program.invariants)

    # -- suppositions

    def _suppose(
        self, cells: list[Any], rule: str, values: tuple[Any, ...], bounds: tuple[NumberType | None, ...]
    ) -> list[Any]:
        """The cells as they would be after a rule; see ``evaluation.compiler.Suppose``."""
        if self.supposing is None:
            raise RuntimeError(f"no engine is at hand to tell what would be after {rule}")
        return self.supposing(cells, rule, values, bounds)

    # -- seats

    def seat(self, player: int) -> str:
        """The name of a player."""
        return self.program.seats[player]

    def other_seats(self, seats: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(p for p in range(self.program.players) if p not in seats)

    # -- cells

    def place(self, place: Place) -> tuple[Cells, Function]:
        """The cells of a place's variable, and a function that gives the index of the place's cell."""
        return self.layout.places[place.variable], self.compiler.cell(place.variable, place.indices)

    def initial_cells(self) -> list[Any]:
        """The cells before anything has happened."""
        if self._initial is None:
            cells: list[Any] = [None] * self.layout.size
            for place in self.layout.places.values():
                cells[place.offset : place.offset + place.variable.cells] = [
                    empty_value(place.variable)
                ] * place.variable.cells
            for place in self.layout.places.values():
                if place.variable.initial is not None:
                    with self._within_limits(self.program.start, place.variable.span):
                        for cell, value in self._initial_values(place, place.variable.initial, cells):
                            cells[cell] = value
            self._initial = cells
        return list(self._initial)

    def _initial_values(self, place: Cells, initial: Expr, cells: list[Any]) -> Iterator[tuple[int, Any]]:
        """The cells of a variable that has something in it at the start, and what that is."""
        every = range(place.offset, place.offset + place.variable.cells)
        if free_slots(initial):
            yield from ((cell, self._initial_value(place, cells, list(place.owners(cell)))) for cell in every)
        else:
            value = self._initial_value(place, cells, [])
            yield from ((cell, value) for cell in every)

    def _initial_value(self, place: Cells, cells: list[Any], owners: list[Any]) -> Any:
        variable = place.variable
        initial = variable.initial
        assert initial is not None
        if variable.kind in ("stack", "slot") and isinstance(initial.type, PiecesType):
            counts = self.compiler.expr(initial)(cells, owners)
            pieces = tuple(k for k, n in zip(kinds(initial.type.kind), counts, strict=True) for _ in range(n))
            return pieces if variable.kind == "stack" else (pieces[0] if pieces else None)
        value = self.compiler.fitted(initial, variable.type)(cells, owners)
        if variable.kind != "value" or variable.capacity is None:
            return value
        if variable.rolling:
            value = value[-variable.capacity :]
        wrong = misfit(variable, value)
        if wrong is not None:
            raise RuleFault(faults.misfit(variable.name, wrong), self.program.start, variable.span)
        return value

    def broken(self, cells: list[Any]) -> tuple[str, ...]:
        """The ids of the invariants that do not hold."""
        failed = []
        for number, invariant in enumerate(self.invariants):
            declared = self.program.invariants[number]
            with self._within_limits(invariant.id, declared.span):
                if not invariant.condition(cells, [None] * invariant.frame):
                    failed.append(invariant.id)
        return tuple(failed)

    @contextmanager
    def _within_limits(self, rule: str, span: Span, more: Iterator[float] | None = None) -> Iterator[None]:
        """Counts the work done inside; what has no value is a fault at this place. ``more``: see ``Meter.counting``."""
        try:
            with METER.counting(self.limits, more=more):
                yield
        except Undefined as error:
            raise RuleFault(str(error), rule, span) from None

    # -- knowledge

    @property
    def knowers(self) -> Knowers:
        """Knowledge of the locals of running rules, by seat."""
        if self._knowers is None:
            from .knowers import Knowers

            self._knowers = Knowers(self.program)
        return self._knowers

    # -- expressions

    def function(self, expr: Expr, type_: Type | None = None) -> Function:
        """A function of cells and locals for an expression of the program; ``type_``: in the form of this type."""
        return self.compiler.expr(expr) if type_ is None else self.compiler.fitted(expr, type_)

    def combos(self, binds: Binds | None, conditions: Sequence[Expr] = (), within: str = "listed") -> Combos:
        """A function of cells and locals that lists combinations; see ``Compiler.combos``."""
        return self.compiler.combos(binds, conditions, within)

    def evaluate(self, expr: Expr, cells: list[Any], local: list[Any]) -> Any:
        """The value of an expression that is not part of the program's code."""
        known = self._extra.get(id(expr))
        if known is None:
            if len(self._extra) > _KEPT:
                self._extra.clear()
            # The expression is kept with its function, so that its id stays its own.
            known = self._extra[id(expr)] = (expr, self.compiler.expr(expr))
        return known[1](cells, local)

    def read(self, text: str) -> Expr:
        """The expression that a text is in the rules language, with the names of the game. Raises RulesError."""
        found = self._read.get(text)
        if found is None:
            if self._reader is None:
                from rulelang.expression import ExpressionReader

                self._reader = ExpressionReader(self.program)
            if len(self._read) >= _KEPT:
                self._read.clear()
            found = self._read[text] = self._reader.read(text)
        return found

    def evaluate_seen(self, expr: Expr, cells: list[Any], local: list[Any]) -> tuple[Any, frozenset[int]]:
        """The value of an expression, and the seats that see every cell it depends on."""
        if self.is_open(expr):
            return self.evaluate(expr, cells, local), self.all_seats
        watched = _Watched(cells)
        value = self.evaluate(expr, watched, local)
        seats = set(range(self.program.players))
        for cell in watched.read:
            seen_by = self.layout.seen_by[cell]
            if seen_by is not None:
                seats.intersection_update(seen_by)
        return value, frozenset(seats)

    def is_open(self, expr: Expr) -> bool:
        """Whether everybody may see all that an expression can depend on, besides locals."""
        known = self._seen.get(id(expr))
        if known is None:
            if len(self._seen) > _KEPT:
                self._seen.clear()
            read = variables_read(self.program, expr)
            known = self._seen[id(expr)] = expr, all(self.program.variables[name].seen_by == "all" for name in read)
        return known[1]

    @property
    def all_seats(self) -> frozenset[int]:
        return frozenset(range(self.program.players))

    # -- ranks

    def measure(self, rank: int, player: int, cells: list[Any]) -> int:
        """A player's value for the rank with this number. Raises RuleFault where it cannot be worked out."""
        found = self.ranks[rank]
        local: list[Any] = [None] * found.frame
        local[found.slot] = player
        with self._within_limits("winner", self.program.ranks[rank].span, patiently(self.limits)):
            return int(found.value(cells, local))

    @property
    def first_rank(self) -> int:
        """The number of the first rank that the author wrote."""
        return next((n for n, rank in enumerate(self.program.ranks) if not rank.implied), 0)

    def first_rank_is_open(self) -> bool:
        """Whether there is a rank, and everybody can see everything the first one depends on."""
        if self._open is None:
            ranks = self.program.ranks
            self._open = bool(ranks) and self.is_open(ranks[self.first_rank].value)
        return self._open

    def best(self, cells: list[Any]) -> tuple[int, ...]:
        """The seats ranked best, as ``settled``; empty when the rules have no ranks."""
        if not self.ranks:
            return ()
        measures = []
        for player in range(self.program.players):
            measure = []
            for number, rank in enumerate(self.ranks):
                value = self.measure(number, player, cells)
                measure.append(value if rank.most else -value)
            measures.append(measure)
        top = max(measures)
        return self.settled(p for p, measure in enumerate(measures) if measure == top)

    def settled(self, winners: Iterable[int]) -> tuple[int, ...]:
        """The seats that win, as every result is kept; see ``rulelang.program.sides.settled``."""
        return settled(self.sides, winners)
