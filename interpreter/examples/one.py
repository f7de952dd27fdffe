"""Run of one example: its steps in order, each compared with what the rules do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

from rulelang import examples as ex
from rulelang import program as ir
from rulelang.program.values import from_plain, name_of, plain, show, written
from rulelang.program.wording import expression_text
from rulelang.source import Span
from rulelang.syntax import tree
from rulelang.types import ListType, NumberType, PiecesType, Type, kinds

from ..data import Decision, Event, Explanation
from ..errors import GameError
from ..game import Game, State
from ..position import choices
from ..position.asked import ChooseQuestion, MenuQuestion, PayQuestion, Question
from ..position.explain import payment_refused
from .results import ExampleResult, Failure, Mend


class _Stop(Exception):
    """The example cannot go on after a failure."""


class Run:
    """One run of an example, with what came of it."""

    def __init__(self, example: ex.Example, game: Game, watch: Callable[[Span, State], None] | None = None) -> None:
        """``watch``: is shown the position that is given, and the one after each step, with the place of the step."""
        self._watch = watch
        self.example = example
        self.program = example.program
        self.state: State = game.blank()
        self.failures: list[Failure] = []
        self.before: dict[str, Any] = {}
        self.decisions: list[str] = []
        self.broken: frozenset[str] = frozenset()
        self.line = example.span.line
        self.step: ex.Step | None = None

    def result(self) -> ExampleResult:
        status: Literal["passed", "failed", "error"] = "passed"
        example = self.example
        try:
            self.before = self._table()
            self._steps()
        except _Stop:
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
            self._settle(steps[position:])
            self._step(step)
            self._watched(step.span)
            self._invariants()
        self._settle(())
        self._invariants()
        if self.state.fixed_chance:
            left = ", ".join(str(value) for value in self.state.fixed_chance)
            self._fail(f"Not used: {left}. (Write `chance` before the step that rolls.)")

    def _watched(self, span: Span) -> None:
        if self._watch is not None:
            self._watch(span, self.state)

    def _invariants(self) -> None:
        """Check that no invariant broke since the given position. (A partial position may start out breaking some.)"""
        if self.state.decision is not None and self.state.decision.kind == "pay":
            return
        now = frozenset(self.state.check_invariants())
        for id_ in sorted(now - self.broken):
            self._fail(f"The invariant `{id_}` held before this step, but no longer does.")
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
                self._refuse(step)
            case ex.ChooseStep():
                self._choose(step)
            case ex.DeclineStep():
                decision = self._asked(step.player, "declines")
                self._take(decision, [i for i, o in enumerate(decision.options) if o.value is None], "to decline")
            case ex.CannotPayStep():
                self._cannot_pay(step)
            case ex.PayStep():
                self._pay(step)
            case ex.AskedStep():
                decision = self._asked(step.player, "is asked")
                if step.rule is not None and decision.rule != step.rule:
                    self._fail("A different rule asks.", step.rule, decision.rule)
            case ex.OfferedStep():
                self._offered(step)
            case ex.OfferedOnlyStep():
                self._offered_only(step)
            case ex.ThenStep():
                self._then(step)
            case ex.FiredStep():
                for id_ in step.ids:
                    if bool(state.fired.get(id_)) == step.negated:
                        self._fail(f"`{id_}` ran." if step.negated else f"`{id_}` did not run.")
            case ex.WinnersStep():
                self._winners(step)
            case ex.FinishedStep():
                if state.decision is not None:
                    who = self.program.seats[state.decision.player]
                    self._fail("It has not finished.", "nobody is asked", f"{who} is asked by {state.decision.rule}")

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
            self._fail("The game is not over.")
            return
        found = frozenset(self.state.winners)
        if not found and not self.state.over and not self.program.ranks:
            self._fail("The game is not over.")
        elif found != step.players:
            seats = self.program.seats
            self._fail("The winners are different.", _names(step.players, seats), _names(found, seats))

    def _asked(self, player: int, what: str) -> Decision:
        decision = self.state.decision
        seats = self.program.seats
        if decision is None:
            self._fail(f"{seats[player]} {what}, but nobody is asked.")
            raise _Stop
        if decision.player != player:
            self._fail(
                f"{seats[player]} {what}, but it is someone else's decision.",
                seats[player],
                f"{seats[decision.player]} by {decision.rule}",
            )
            raise _Stop
        return decision

    def _choose(self, step: ex.ChooseStep) -> None:
        text = step.choice.text
        decision = self._asked(step.player, f"chooses {text}")
        question = self._question()
        if step.choice.option is None and isinstance(question, ChooseQuestion) and question.node.some is not None:
            self._choose_some(step, question)
            return
        index = self._index(step.choice)
        if index is None:
            self._fail(f"`{text}` is not offered. {self._why_not(step).text}", text, _offer(decision))
            raise _Stop
        self._take(decision, [index], f"to choose {text}")

    def _choose_some(self, step: ex.ChooseStep, question: ChooseQuestion) -> None:
        """All that is chosen in answer to one statement; its order matters only where an order is chosen."""
        left = list(step.choice.values or ())
        in_order = isinstance(question.node.binds.binds[0].domain.type, ListType)
        while left:
            text = str(left[0]) if len(step.choice.values or ()) > 1 else step.choice.text
            decision = self._asked(step.player, f"chooses {text}")
            offered = [(self._meant([value]), value) for value in (left[:1] if in_order else left)]
            found = [(index, value) for index, value in offered if index is not None]
            if not found or not self._asks_on(question, first=len(left) == len(step.choice.values or ())):
                self._fail(f"`{text}` is not offered. {self._why_not(step).text}", step.choice.text, _offer(decision))
                raise _Stop
            index, value = min(found, key=lambda pair: pair[0])
            left.remove(value)
            self._take(decision, [index], f"to choose {text}")
        if self._asks_on(question, first=False):
            decision = self._asked(step.player, "has chosen")
            if all(option.value is not None for option in decision.options):
                self._fail("This is not enough: more has to be chosen.", step.choice.text, _offer(decision))
                raise _Stop
            self._take(decision, [i for i, o in enumerate(decision.options) if o.value is None], "to leave it at that")

    def _asks_on(self, question: ChooseQuestion, *, first: bool) -> bool:
        """Whether the open decision belongs to the statement that began with ``question``."""
        now = self._question()
        if not isinstance(now, ChooseQuestion) or now.node.some is None or now.node.span != question.node.span:
            return False
        return first or self.state.position.frames[-1].local[now.node.some] != 0

    def _refuse(self, step: ex.RefuseStep) -> None:
        text = step.choice.text
        decision = self._asked(step.player, f"cannot choose {text}")
        problem = self._not_asked(step.choice)
        if problem is not None:
            self._fail(f"{problem} So it says nothing that `{text}` cannot be chosen.", text, _offer(decision))
        elif self._index(step.choice) is not None:
            self._fail(f"`{text}` is offered.", "refused", "offered")
        elif step.because is not None:
            self._because(step, step.because)

    def _because(self, step: ex.RefuseStep, because: str) -> None:
        told = self._why_not(step)
        failing = [c for c in told.conditions if not c.holds and c.rule == because]
        if not failing:
            self._fail("It is refused for a different reason.", because, told.text)
        elif step.needs is not None and step.needs not in {c.text for c in failing}:
            whole = next((n for n in self.program.rules[because].needs if n.text == step.needs), None)
            if whole is None or whole.span not in {c.span for c in failing}:
                self._fail("It is refused for a different reason.", f"{because} needs {step.needs}", told.text)

    def _why_not(self, step: ex.ChooseStep) -> Explanation:
        choice = step.choice
        values = self._values(choice) if choice.option else {str(n): v for n, v in enumerate(choice.values or ())}
        question = self._question()
        if choice.option is None and isinstance(question, ChooseQuestion):
            values = dict(zip([b.name for b in question.node.binds.binds], choice.values or (), strict=False))
        return self.state.why_not(choice.option, values, step.player)

    def _values(self, choice: ex.Choice) -> dict[str, Any]:
        """The values of an option of a menu by their names."""
        assert choice.option is not None and choice.values is not None
        binds = self.program.rules[choice.option].binds
        return dict(zip([b.name for b in binds.binds] if binds else [], choice.values, strict=True))

    def _question(self) -> Question | None:
        asked = self.state.position.asked
        return None if asked is None else asked.question

    def _not_asked(self, choice: ex.Choice) -> str | None:
        """Why a choice can mean nothing in the open decision; None when it can, offered or not."""
        decision, question = self.state.decision, self._question()
        assert decision is not None
        who = self.program.seats[decision.player]
        match question:
            case MenuQuestion():
                ids = [item.rule.id for item in question.node.items]
                return None if choice.option in ids else f"{who} is asked to choose one of {', '.join(ids)}."
            case ChooseQuestion():
                binds = question.node.binds.binds
                values = choice.values or ()
                if question.node.some is not None and choice.option is None and len(values) > 1:
                    return f"{who} is asked to choose one after another; name a single one."
                if choice.option is None and len(values) == len(binds):
                    if all(_can_mean(v, b.type) for v, b in zip(values, binds, strict=True)):
                        return None
                domains = ", ".join(f"{b.name} in {expression_text(b.domain)}" for b in binds)
                return f"{who} is asked to choose {domains}."
        return f"{who} is asked to pay."

    def _index(self, choice: ex.Choice) -> int | None:
        """The index of the option meant; None when it is not offered."""
        assert self.state.decision is not None
        if choice.option is not None:
            return self._meant({"option": choice.option, "with": self._values(choice)})
        # The values of a plain choice; a payment is never one of them.
        return self._meant(list(choice.values or ())) if self.state.decision.kind == "choose" else None

    def _meant(self, value: Any) -> int | None:
        """The index of the option with this value, if it is offered."""
        return choices.matching(self.state.position, value)

    def _offered(self, step: ex.OfferedStep) -> None:
        decision = self.state.decision
        if decision is None:
            self._fail(f"Nobody is asked, so `{step.option}` is neither offered nor refused.")
            return
        problem = self._not_asked(ex.Choice(step.option, None, step.option))
        if problem is not None:
            self._fail(f"{problem} `{step.option}` is not in question.", step.option, _offer(decision))
            return
        count = sum(o.id == step.option for o in decision.options)
        if count != step.count:
            self._fail(f"`{step.option}` is not offered the expected number of times.", str(step.count), str(count))

    def _offered_only(self, step: ex.OfferedOnlyStep) -> None:
        """These options and no others; to decline is not counted."""
        decision = self.state.decision
        if decision is None:
            self._fail("Nobody is asked, so nothing is offered.")
            return
        expected: set[int] = set()
        for choice in step.choices:
            problem = self._not_asked(choice)
            if problem is not None:
                self._fail(f"{problem} `{choice.text}` is not in question.", choice.text, _offer(decision))
                return
            found = self._those(choice, decision)
            if not found:
                self._fail(f"`{choice.text}` is not offered.", choice.text, _offer(decision))
            expected.update(found)
        others = [o.text for n, o in enumerate(decision.options) if n not in expected and o.value is not None]
        if others:
            listed = ", ".join(choice.text for choice in step.choices)
            self._fail(f"Something else is offered: {_some(others)}.", listed, _offer(decision))

    def _those(self, choice: ex.Choice, decision: Decision) -> list[int]:
        """The indices of the option meant, or of all with its id when it is named without values."""
        if choice.values is None:
            return [n for n, o in enumerate(decision.options) if o.id == choice.option]
        index = self._index(choice)
        return [] if index is None else [index]

    # ------------------------------------------------------------ payments

    def _pay(self, step: ex.PayStep) -> None:
        decision = self._asked(step.player, "pays")
        index = self._meant({"pays": step.pieces}) if decision.kind == "pay" else None
        if index is None:
            self._fail("This payment is not possible.", step.text, _offer(decision))
            raise _Stop
        self._take(decision, [index], "to make this payment")

    def _cannot_pay(self, step: ex.CannotPayStep) -> None:
        decision = self._asked(step.player, f"cannot pay {step.text}")
        question = self._question()
        if not isinstance(question, PayQuestion):
            who = self.program.seats[decision.player]
            self._fail(f"{who} is not asked to pay.", f"a payment by {who}", _offer(decision))
            return
        try:
            paid = from_plain(step.pieces, question.source.variable.type)
        except ValueError as problem:
            self._fail(f"This is not a payment that could be made here: {problem}.", step.text, _offer(decision))
            return
        position = self.state.position
        if position.asked is not None and paid in position.asked.raws:
            self._fail(f"`{step.text}` can be paid.", "refused", "possible")
            return
        reason = payment_refused(position, question, paid)
        if step.because is not None and step.because != reason:
            self._fail("The payment is refused for a different reason.", f"it is {step.because}", f"it is {reason}")

    def _take(self, decision: Decision, found: list[int], what: str) -> None:
        if len(found) != 1:
            number = f"are {len(found)} ways" if found else "is no way"
            self._fail(f"There {number} {what}.", None, _offer(decision))
            raise _Stop
        seat = self.program.seats[decision.player]
        self.decisions.append(f"{seat}: {decision.options[found[0]].text}")
        self.state.choose(found[0])

    def _settle(self, coming: Sequence[ex.Step]) -> None:
        """Make payments the example does not mention, with the fewest pieces, when there is only one such plan."""
        while self.state.decision is not None and self.state.decision.kind == "pay":
            acting = (ex.PayStep, ex.ChooseStep, ex.DeclineStep, ex.RunStep)
            next_step = next((s for s in coming if isinstance(s, acting)), None)
            if isinstance(next_step, ex.PayStep) and next_step.player == self.state.decision.player:
                return
            decision = self.state.decision
            sizes = [sum(o.value["pays"].values()) for o in decision.options if o.value is not None]
            fewest = [i for i, size in enumerate(sizes) if size == min(sizes)]
            if len(fewest) != 1:
                self._fail("There are several ways to pay; say which with `... pays {...}`.", None, _offer(decision))
                raise _Stop
            self._take(decision, fewest, "to pay")

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
            self._fail(f"`{step.text}` does not hold.", expected, self._show(left), mend)
        else:
            self._fail(f"`{step.text}` does not hold.", "yes", "no")

    def _in_row(self, span: Span) -> bool:
        """Whether a value is one of the row that belongs to this case alone."""
        row = self.example.row
        return row is not None and row.line <= span.line <= row.end_line

    def _show(self, expr: ir.Expr) -> str:
        return show(self.state.value_of(expr), expr.type)

    def _fail(
        self, message: str, expected: str | None = None, actual: str | None = None, mend: Mend | None = None
    ) -> None:
        self.failures.append(Failure(self.line, message.strip(), expected, actual, mend, self._about()))

    def _about(self) -> str | None:
        """The rule or option that the step under way is about, or else the rule that asks."""
        match self.step:
            case ex.ChooseStep(choice=ex.Choice(option=str(option))) | ex.OfferedStep(option=option):
                return option
            case ex.ThenStep():
                return None
        return None if self.state.decision is None else self.state.decision.rule

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
    return ", ".join(seats[p] for p in sorted(players)) or "nobody"


def _offer(decision: Decision) -> str:
    return _some([option.text for option in decision.options])


def _some(texts: Sequence[str], limit: int = 12) -> str:
    more = f" ... ({len(texts)} in all)" if len(texts) > limit else ""
    return "; ".join(texts[:limit]) + more


def _can_mean(value: Any, type_: Type) -> bool:
    """Whether a written value is of the kind that is asked for. A number beyond the bounds is one, though refused."""
    if isinstance(type_, NumberType):
        return isinstance(value, int) and not isinstance(value, bool)
    try:
        from_plain(value, type_)
    except ValueError:
        return False
    return True


__all__ = ["Run"]
