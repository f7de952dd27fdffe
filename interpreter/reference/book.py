"""A program made ready to run: its layout, compiled expressions and code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulelang.program import Expr, Program
from rulelang.program.analysis.reads import variables_read

from ..evaluation.compiler import Compiler, Function
from ..position.cells import Cells, Layout, empty_value

if TYPE_CHECKING:
    from .code import Unit

STEP_LIMIT = 1_000_000
"""Instructions between two decisions. Every loop has a bound, but bounds can multiply."""

FRAME_LIMIT = 500


class _Watched(list[Any]):
    """Cells that remember which of them were read."""

    def __init__(self, cells: list[Any]) -> None:
        super().__init__(cells)
        self.read: set[int] = set()

    def __getitem__(self, cell: Any) -> Any:
        self.read.add(cell)
        return super().__getitem__(cell)


@attrs.frozen
class Watcher:
    """A rule that runs by itself ``whenever`` its condition holds at the end of another."""

    rule: str
    condition: Function
    frame: int

    def holds(self, cells: list[Any]) -> bool:
        return bool(self.condition(cells, [None] * self.frame))


@attrs.define(eq=False)
class Book:
    """Shared by all states of a game. ``units``: the code of each rule, by id."""

    program: Program
    layout: Layout = attrs.field(init=False)
    compiler: Compiler = attrs.field(init=False)
    units: dict[str, Unit] = attrs.field(init=False)
    watchers: tuple[Watcher, ...] = attrs.field(init=False)
    score: Cells | None = attrs.field(init=False)
    ranks: tuple[tuple[bool, int, int, Function], ...] = attrs.field(init=False)
    step_limit: int = attrs.field(default=STEP_LIMIT, kw_only=True)
    _extra: dict[int, tuple[Expr, Function]] = attrs.field(init=False, factory=dict)
    _initial: list[Any] | None = attrs.field(init=False, default=None)
    _open: bool | None = attrs.field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        from .lower import lower_program

        program = self.program
        self.layout = Layout.of(program)
        self.compiler = Compiler(program, self.layout)
        self.score = self.layout.places[program.score] if program.score is not None else None
        self.ranks = tuple((r.most, r.slot, r.frame, self.compiler.expr(r.value)) for r in program.ranks)
        self.units = lower_program(self)
        watchers = []
        for rule in (program.rules[name] for name in program.watchers):
            assert rule.whenever is not None
            watchers.append(Watcher(rule.id, self.compiler.expr(rule.whenever), rule.frame))
        self.watchers = tuple(watchers)

    def seat(self, player: int) -> str:
        """The name of a player."""
        return self.program.seats[player]

    def other_seats(self, seats: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(p for p in range(self.program.players) if p not in seats)

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
                    value = self._initial_value(place, cells)
                    cells[place.offset : place.offset + place.variable.cells] = [value] * place.variable.cells
            self._initial = cells
        return list(self._initial)

    def _initial_value(self, place: Cells, cells: list[Any]) -> Any:
        from rulelang.types import PiecesType, kinds

        variable = place.variable
        initial = variable.initial
        assert initial is not None
        if variable.kind in ("stack", "slot") and isinstance(initial.type, PiecesType):
            counts = self.compiler.expr(initial)(cells, [])
            pieces = tuple(k for k, n in zip(kinds(initial.type.kind), counts, strict=True) for _ in range(n))
            return pieces if variable.kind == "stack" else (pieces[0] if pieces else None)
        return self.compiler.fitted(initial, variable.type)(cells, [])

    def evaluate(self, expr: Expr, cells: list[Any], local: list[Any]) -> Any:
        """The value of an expression that is not part of the program's code."""
        known = self._extra.get(id(expr))
        if known is None:
            if len(self._extra) > 10_000:
                self._extra.clear()
            # The expression is kept with its function, so that its id stays its own.
            known = self._extra[id(expr)] = (expr, self.compiler.expr(expr))
        return known[1](cells, local)

    def evaluate_seen(self, expr: Expr, cells: list[Any], local: list[Any]) -> tuple[Any, frozenset[int]]:
        """The value of an expression, and the seats that see every cell it was worked out from."""
        watched = _Watched(cells)
        value = self.evaluate(expr, watched, local)
        seats = set(range(self.program.players))
        for cell in watched.read:
            seen_by = self.layout.seen_by[cell]
            if seen_by is not None:
                seats.intersection_update(seen_by)
        return value, frozenset(seats)

    def measure(self, rank: int, player: int, cells: list[Any]) -> int:
        """What the rank of this number compares, for one player."""
        _, slot, frame, value = self.ranks[rank]
        local: list[Any] = [None] * frame
        local[slot] = player
        return int(value(cells, local))

    def first_rank_is_open(self) -> bool:
        """Whether there is a rank and everybody may see all that it compares first."""
        if self._open is None:
            ranks = self.program.ranks
            read = variables_read(self.program, ranks[0].value) if ranks else ()
            self._open = bool(ranks) and all(self.program.variables[name].seen_by == "all" for name in read)
        return self._open

    def best(self, cells: list[Any]) -> tuple[int, ...]:
        """The seats that win by the ranks; nobody when the rules name no rank."""
        if not self.ranks:
            return ()
        measures = []
        for player in range(self.program.players):
            measure = []
            for number, (most, *_) in enumerate(self.ranks):
                value = self.measure(number, player, cells)
                measure.append(value if most else -value)
            measures.append(measure)
        top = max(measures)
        return tuple(p for p, measure in enumerate(measures) if measure == top)
