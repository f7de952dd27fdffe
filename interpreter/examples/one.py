"""Run of one example: its steps in order, each compared with what the rules do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

from rulelang import examples as ex
from rulelang import program as ir
from rulelang.program.sides import settled, sides
from rulelang.program.values import name_of, plain, show, written
from rulelang.source import Span
from rulelang.syntax import tree
from rulelang.types import PiecesType, kinds

from ..data import Event
from ..errors import GameError
from ..game import Game, State
from .choosing import cannot_pay, choose, offered, offered_only, pay, refuse, settle
from .results import ExampleResult, Failure, Mend
from .underway import Stop, Underway


class Run(Underway):
    """One run of an example, with what came of it."""

    def __init__(self, example: ex.Example, game: Game, watch: Callable[[Span, State], None] | None = None) -> None:
        """``watch``: is shown the position that is given, and the one after each step, with the place of the step."""
        super().__init__(example, game)
        self._watch = watch
        self.before: dict[str, Any] = {}
        self.broken: frozenset[str] = frozenset()

    def result(self) -> ExampleResult:
        status: Literal["passed", "failed", "error"] = "passed"
        example = self.example
        try:
            self.before = self._table()
            self._steps()
        except Stop:
            pass
        except GameError as problem:
            status = "error"
            self.failures.append(Failure(self.line, str(problem)))
        if status == "passed" and self.failures:
            status = "failed"
        fired = self.state.fired
        rules = tuple(id_ for id_ in self.program.rules if fired.get(id_))
        return ExampleResult(
            example.id,
            example.span.file,
            example.span.line,
            status,
            _passages(example.passages),
            rules,
            tuple(self.failures),
            self._outcome(),
            example.written,
            example.case,
            self.before,
            tuple(self._log()),
        )

    def _steps(self) -> None:
        steps = self.example.steps
        started, laid = False, True
        for position, step in enumerate(steps):
            self.line, self.step = step.span.line, step
            if isinstance(step, (ex.GivenStep, ex.ChanceStep)):
                laid = laid or isinstance(step, ex.GivenStep)
                self._step(step)
                continue
            if not started:
                self.before, started = self._table(), True
                self._watched(self.example.span)
            if laid:  # a position is given as a whole, whatever it looks like in between
                self.broken, laid = frozenset(self.state.check_invariants()), False
            settle(self, steps[position:])
            self._step(step)
            self._watched(step.span)
            self._invariants()
        settle(self, ())
        self._invariants()
        if self.state.fixed_chance:
            left = ", ".join(str(value) for value in self.state.fixed_chance)
            self.fail(f"Not used: {left}. (Write `chance` before the step that rolls.)")

    def _watched(self, span: Span) -> None:
        if self._watch is not None:
            self._watch(span, self.state)

    def _invariants(self) -> None:
        """Check that no invariant broke since the given position. (A partial position may start out breaking some.)"""
        if self.state.decision is not None and self.state.decision.kind == "pay":
            return
        now = frozenset(self.state.check_invariants())
        for id_ in sorted(now - self.broken):
            self.fail(f"The invariant `{id_}` held before this step, but no longer does.")
        self.broken |= now

    # ------------------------------------------------------------ steps

    def _step(self, step: ex.Step) -> None:
        state = self.state
        match step:
            case ex.GivenStep():
                self._given(step)
            case ex.RunStep():
                params = self.program.rules[step.rule].params
                given = zip(step.arguments, params, strict=True)
                state.run(step.rule, [plain(state.value_of(a), p.type) for a, p in given])
            case ex.ChanceStep():
                state.fix_chance(step.values)
            case ex.RefuseStep():
                refuse(self, step)
            case ex.ChooseStep():
                choose(self, step)
            case ex.DeclineStep():
                decision = self.asked(step.player, "declines")
                self.take(decision, [i for i, o in enumerate(decision.options) if o.value is None], "to decline")
            case ex.CannotPayStep():
                cannot_pay(self, step)
            case ex.PayStep():
                pay(self, step)
            case ex.AskedStep():
                decision = self.asked(step.player, "is asked")
                if step.rule is not None and decision.rule != step.rule:
                    self.fail("A different rule asks.", step.rule, decision.rule)
            case ex.OfferedStep():
                offered(self, step)
            case ex.OfferedOnlyStep():
                offered_only(self, step)
            case ex.ThenStep():
                self._then(step)
            case ex.FiredStep():
                for id_ in step.ids:
                    if bool(state.fired.get(id_)) == step.negated:
                        self.fail(f"`{id_}` ran." if step.negated else f"`{id_}` did not run.")
            case ex.WinnersStep():
                self._winners(step)
            case ex.FinishedStep():
                if state.decision is not None:
                    who = self.program.seats[state.decision.player]
                    self.fail("It has not finished.", "nobody is asked", f"{who} is asked by {state.decision.rule}")

    def _given(self, step: ex.GivenStep) -> None:
        variable = self.program.variables[step.variable]
        names = [name_of(i, o) for i, o in zip(step.indices, variable.owners, strict=True)]
        value = self.state.value_of(step.value)
        if step.kind is None:
            value = plain(value, variable.type)
        else:
            assert isinstance(variable.type, PiecesType)
            names.append(name_of(kinds(variable.type.kind)[step.kind], variable.type.kind))
        self.state.set(f"{step.variable}[{', '.join(names)}]" if names else step.variable, value)

    def _winners(self, step: ex.WinnersStep) -> None:
        if self.state.decision is not None:
            self.fail("The game is not over.")
            return
        side = sides(self.program)
        found, expected = self.state.winners, settled(side, step.players)
        if not found and not self.state.over and not self.program.ranks:
            self.fail("The game is not over.")
        elif found != expected:
            nobody = "nobody" if len(set(side)) == 1 else "nobody, it is a draw"
            seats = self.program.seats
            self.fail("The winners are different.", _names(expected, seats) or nobody, _names(found, seats) or nobody)

    def _then(self, step: ex.ThenStep) -> None:
        condition = step.condition
        if self.state.value_of(condition):
            return
        if isinstance(condition, ir.Apply) and len(condition.arguments) == 2 and condition.op in _COMPARISONS:
            left, right = condition.arguments
            expected = f"{_COMPARISONS[condition.op]}{self._show(right)}"
            mend = None
            if condition.op == "is" and right.span.line == right.span.end_line != 0:
                text = written(self.state.value_of(left), left.type)
                mend = Mend(right.span, text, 1 if self._in_row(right.span) else max(1, self.example.cases))
            self.fail(f"`{step.text}` does not hold.", expected, self._show(left), mend)
        else:
            self.fail(f"`{step.text}` does not hold.", "yes", "no")

    def _in_row(self, span: Span) -> bool:
        """Whether a value is one of the row that belongs to this case alone."""
        row = self.example.row
        return row is not None and row.line <= span.line <= row.end_line

    def _show(self, expr: ir.Expr) -> str:
        return show(self.state.value_of(expr), expr.type)

    # ------------------------------------------------------------ outcome

    def _table(self) -> dict[str, Any]:
        """Every cell as plain data, by its name."""
        position = self.state.position
        return {
            place.text(place.owners(cell)): len(position.cells[cell])  # fingerprints mean nothing to people
            if place.variable.history
            else plain(position.cells[cell], place.variable.type)
            for place in position.blueprint.layout.places.values()
            for cell in range(place.offset, place.offset + place.variable.cells)
        }

    def _log(self) -> list[Event]:
        """The log; empty where an engine keeps none for a position that was set up by hand."""
        try:
            return self.state.log
        except GameError:
            return []

    def _outcome(self) -> dict[str, Any]:
        after = self._table()
        changed = {
            name: {"from": self.before.get(name), "to": value}
            for name, value in after.items()
            if value != self.before.get(name)
        }
        points = [e.data | {"rule": e.rule} for e in self._log() if e.kind == "score"]
        fired = {id_: n for id_ in self.program.rules if (n := self.state.fired.get(id_, 0))}
        return {"changed": changed, "decisions": self.decisions, "points": points, "fired": fired}


_COMPARISONS = {"is": "", "is_not": "not ", "<": "less than ", "<=": "at most ", ">": "more than ", ">=": "at least "}


def _passages(passages: Iterable[tree.Passage]) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for p in passages:
        found.setdefault(p.language, []).append(str(p.first) if p.first == p.last else f"{p.first}-{p.last}")
    return {language: ", ".join(lines) for language, lines in found.items()}


def _names(players: Iterable[int], seats: Sequence[str]) -> str:
    return ", ".join(seats[p] for p in sorted(players))


__all__ = ["Run"]
