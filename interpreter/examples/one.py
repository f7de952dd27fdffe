"""Run of one example: its steps in order, each compared with what the rules do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

from rulelang import examples as ex
from rulelang import program as ir
from rulelang.program.printer import expression_text
from rulelang.program.sides import settled, sides
from rulelang.program.values import from_plain, name_of, plain, show, written
from rulelang.source import Span
from rulelang.syntax import tree
from rulelang.types import ListType, NumberType, PiecesType, Type, kinds

from ..data import Decision, Event, Explanation
from ..errors import GameError, RuleFault
from ..game import Game, State
from ..position import choices
from ..position.explanations import payment_refused
from ..position.position import ChooseQuestion, MenuQuestion, PayQuestion, Question
from .example_results import ExampleResult, Failure, Mend
from .step_text import chosen

# An example under way: its position, what has failed, and the decision that is open.


class ExampleStopped(Exception):
    """The example cannot go on after a failure."""


class Underway:
    """What a step of an example finds, and leaves to the next.

    ``line``, ``step``: where the example is. ``decisions``: those that have been made, in words.
    """

    def __init__(self, example: ex.Example, game: Game, seed: int = 0) -> None:
        self.example = example
        self.program = example.program
        self.state: State = game.blank(seed)
        self.failures: list[Failure] = []
        self.decisions: list[str] = []
        self.line = example.span.line
        self.step: ex.Step | None = None

    def asked(self, player: int, what: str) -> Decision:
        """The decision that is open, which must be this player's; ``what``: they do, for the message. Raises Stop."""
        decision = self.state.decision
        seats = self.program.seats
        if decision is None:
            self.fail(f"{seats[player]} {what}, but nobody is asked.", mend=self.instead("finished"))
            raise ExampleStopped
        if decision.player != player:
            self.fail(
                f"{seats[player]} {what}, but it is someone else's decision.",
                seats[player],
                f"{seats[decision.player]} by {decision.rule}",
                self.instead(f"asked {seats[decision.player]} {decision.rule}"),
            )
            raise ExampleStopped
        return decision

    def instead(self, line: str) -> Mend | None:
        """What the step would say that the rules do, if the whole of it were this."""
        span = None if self.step is None else self.step.span
        return (
            None if span is None or span.line != span.end_line else Mend(span, line, max(1, self.example.cases), line)
        )

    @property
    def question(self) -> Question | None:
        """What the open decision asks."""
        asked = self.state.position.asked
        return None if asked is None else asked.question

    def take(self, decision: Decision, found: list[int], what: str) -> None:
        """Takes the one option that was found; ``what`` it is there for, for the message. Raises Stop."""
        if len(found) != 1:
            number = f"are {len(found)} ways" if found else "is no way"
            self.fail(f"There {number} {what}.", None, offer(decision))
            raise ExampleStopped
        seat = self.program.seats[decision.player]
        self.decisions.append(f"{seat}: {decision.options[found[0]].text}")
        self.state.choose(found[0])

    def fail(
        self, message: str, expected: str | None = None, actual: str | None = None, mend: Mend | None = None
    ) -> None:
        asked = None
        if isinstance(self.step, ex.ThenStep | ex.FiredStep) and (decision := self.state.decision) is not None:
            asked = f"{self.program.seats[decision.player]} is still asked by {decision.rule}"
        self.failures.append(Failure(self.line, message.strip(), expected, actual, mend, self._about(), asked))

    def _about(self) -> str | None:
        """The rule or option that the step under way is about, or else the rule that asks."""
        match self.step:
            case ex.ChooseStep(choice=ex.Choice(option=str(option))) | ex.OfferedStep(option=option):
                return option
            case ex.ThenStep():
                return None
        return None if self.state.decision is None else self.state.decision.rule

    def meant(self, value: Any) -> int | None:
        """The index of the option with this value, if it is offered."""
        return choices.matching(self.state.position, value)


def offer(decision: Decision) -> str:
    """What is on offer, in words."""
    return some([option.text for option in decision.options])


def some(texts: Sequence[str], limit: int = 12) -> str:
    """The first of many texts, and how many there are."""
    more = f" ... ({len(texts)} in all)" if len(texts) > limit else ""
    return "; ".join(texts[:limit]) + more


# Choices and payments of an example: what players choose, what they cannot choose and why, and what is on offer.


def choose(run: Underway, step: ex.ChooseStep) -> None:
    text = step.choice.text
    decision = run.asked(step.player, f"chooses {text}")
    question = run.question
    if step.choice.option is None and isinstance(question, ChooseQuestion) and question.node.some is not None:
        _choose_some(run, step, question)
        return
    index = _index(run, step.choice)
    if index is None:
        one = step.choice.values
        as_list = one is not None and len(one) == 1 and isinstance(one[0], tuple | list)
        why = f"Leave out the brackets: `{text[1:-1]}`." if as_list and text[:1] in "([" else _why_not(run, step).text
        seat = run.program.seats[step.player]
        only = chosen(decision.options[0].value) if len(decision.options) == 1 else f"cannot choose {text}"
        line = f"{seat} {only}"
        run.fail(f"`{text}` is not offered. {why}", text, offer(decision), None if as_list else run.instead(line))
        raise ExampleStopped
    run.take(decision, [index], f"to choose {text}")


def _choose_some(run: Underway, step: ex.ChooseStep, question: ChooseQuestion) -> None:
    """All that is chosen in answer to one statement; its order matters only where an order is chosen."""
    left = list(step.choice.values or ())
    in_order = isinstance(question.node.binds.binds[0].domain.type, ListType)
    while left:
        text = str(left[0]) if len(step.choice.values or ()) > 1 else step.choice.text
        decision = run.asked(step.player, f"chooses {text}")
        there = [(run.meant([value]), value) for value in (left[:1] if in_order else left)]
        found = [(index, value) for index, value in there if index is not None]
        if not found or not _asks_on(run, question, first=len(left) == len(step.choice.values or ())):
            run.fail(f"`{text}` is not offered. {_why_not(run, step).text}", step.choice.text, offer(decision))
            raise ExampleStopped
        index, value = min(found, key=lambda pair: pair[0])
        left.remove(value)
        run.take(decision, [index], f"to choose {text}")
    if _asks_on(run, question, first=False):
        decision = run.asked(step.player, "has chosen")
        if all(option.value is not None for option in decision.options):
            run.fail("This is not enough: more has to be chosen.", step.choice.text, offer(decision))
            raise ExampleStopped
        run.take(decision, [i for i, o in enumerate(decision.options) if o.value is None], "to leave it at that")


def _asks_on(run: Underway, question: ChooseQuestion, *, first: bool) -> bool:
    """Whether the open decision belongs to the statement that began with ``question``."""
    now = run.question
    if not isinstance(now, ChooseQuestion) or now.node.some is None or now.node.span != question.node.span:
        return False
    return first or run.state.position.frames[-1].local[now.node.some] != 0


def refuse(run: Underway, step: ex.RefuseStep) -> None:
    text = step.choice.text
    decision = run.asked(step.player, f"cannot choose {text}")
    problem = _not_asked(run, step.choice)
    if problem is not None:
        run.fail(f"{problem} So it says nothing that `{text}` cannot be chosen.", text, offer(decision))
    elif _index(run, step.choice) is not None:
        run.fail(f"`{text}` is offered.", "refused", "offered")
    elif step.because is not None:
        _because(run, step, step.because)


def _because(run: Underway, step: ex.RefuseStep, because: str) -> None:
    told = _why_not(run, step)
    failing = [c for c in told.conditions if not c.holds and c.rule == because]
    if not failing:
        run.fail("It is refused for a different reason.", because, told.text)
    elif step.needs is not None and step.needs not in {c.text for c in failing}:
        whole = next((n for n in run.program.rules[because].needs if n.text == step.needs), None)
        if whole is None or whole.span not in {c.span for c in failing}:
            run.fail("It is refused for a different reason.", f"{because} needs {step.needs}", told.text)


def _why_not(run: Underway, step: ex.ChooseStep) -> Explanation:
    choice = step.choice
    values = _values(run, choice) if choice.option else {str(n): v for n, v in enumerate(choice.values or ())}
    question = run.question
    if choice.option is None and isinstance(question, ChooseQuestion):
        values = dict(zip([b.name for b in question.node.binds.binds], choice.values or (), strict=False))
    return run.state.why_not(choice.option, values, step.player)


def _values(run: Underway, choice: ex.Choice) -> dict[str, Any]:
    """The values of an option of a menu by their names."""
    assert choice.option is not None and choice.values is not None
    binds = run.program.rules[choice.option].binds
    return dict(zip([b.name for b in binds.binds] if binds else [], choice.values, strict=True))


def _not_asked(run: Underway, choice: ex.Choice) -> str | None:
    """Why a choice can mean nothing in the open decision; None when it can, offered or not."""
    decision, question = run.state.decision, run.question
    assert decision is not None
    who = run.program.seats[decision.player]
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


def _index(run: Underway, choice: ex.Choice) -> int | None:
    """The index of the option meant; None when it is not offered."""
    assert run.state.decision is not None
    if choice.option is not None:
        return run.meant({"option": choice.option, "with": _values(run, choice)})
    # The values of a plain choice; a payment is never one of them.
    return run.meant(list(choice.values or ())) if run.state.decision.kind == "choose" else None


def offered(run: Underway, step: ex.OfferedStep) -> None:
    decision = run.state.decision
    if decision is None:
        run.fail(f"Nobody is asked, so `{step.option}` is neither offered nor refused.")
        return
    problem = _not_asked(run, ex.Choice(step.option, None, step.option))
    if problem is not None:
        run.fail(f"{problem} `{step.option}` is not in question.", step.option, offer(decision))
        return
    count = sum(o.id == step.option for o in decision.options)
    if count != step.count:
        run.fail(f"`{step.option}` is not offered the expected number of times.", str(step.count), str(count))


def offered_only(run: Underway, step: ex.OfferedOnlyStep) -> None:
    """These options and no others; to decline is not counted."""
    decision = run.state.decision
    if decision is None:
        run.fail("Nobody is asked, so nothing is offered.")
        return
    expected: set[int] = set()
    for choice in step.choices:
        problem = _not_asked(run, choice)
        if problem is not None:
            run.fail(f"{problem} `{choice.text}` is not in question.", choice.text, offer(decision))
            return
        found = _those(run, choice, decision)
        if not found:
            run.fail(f"`{choice.text}` is not offered.", choice.text, offer(decision))
        expected.update(found)
    others = [o.text for n, o in enumerate(decision.options) if n not in expected and o.value is not None]
    if others:
        listed = ", ".join(choice.text for choice in step.choices)
        run.fail(f"Something else is offered: {some(others)}.", listed, offer(decision))


def _those(run: Underway, choice: ex.Choice, decision: Decision) -> list[int]:
    """The indices of the option meant, or of all with its id when it is named without values."""
    if choice.values is None:
        return [n for n, o in enumerate(decision.options) if o.id == choice.option]
    index = _index(run, choice)
    return [] if index is None else [index]


def _can_mean(value: Any, type_: Type) -> bool:
    """Whether a written value is of the kind that is asked for. A number beyond the bounds is one, though refused."""
    if isinstance(type_, NumberType):
        return isinstance(value, int) and not isinstance(value, bool)
    try:
        from_plain(value, type_)
    except ValueError:
        return False
    return True


# Payments of an example: those it names, those it says cannot be made, and those that go without saying.


def pay(run: Underway, step: ex.PayStep) -> None:
    decision = run.asked(step.player, "pays")
    index = run.meant({"pays": step.pieces}) if decision.kind == "pay" else None
    if index is None:
        seat = run.program.seats[step.player]
        paid = [option.value["pays"] for option in decision.options if decision.kind == "pay" and option.value]
        least = min(paid, key=lambda pieces: sum(pieces.values()), default=None)
        line = f"asked {seat} {decision.rule}" if least is None else f"{seat} {chosen({'pays': least})}"
        run.fail("This payment is not possible.", step.text, offer(decision), run.instead(line))
        raise ExampleStopped
    run.take(decision, [index], "to make this payment")


def cannot_pay(run: Underway, step: ex.CannotPayStep) -> None:
    decision = run.asked(step.player, f"cannot pay {step.text}")
    question = run.question
    if not isinstance(question, PayQuestion):
        who = run.program.seats[decision.player]
        run.fail(f"{who} is not asked to pay.", f"a payment by {who}", offer(decision))
        return
    try:
        paid = from_plain(step.pieces, question.source.variable.type)
    except ValueError as problem:
        run.fail(f"This is not a payment that could be made here: {problem}.", step.text, offer(decision))
        return
    position = run.state.position
    if position.asked is not None and paid in position.asked.raws:
        run.fail(f"`{step.text}` can be paid.", "refused", "possible")
        return
    reason = payment_refused(position, question, paid)
    if step.because is not None and step.because != reason:
        run.fail("The payment is refused for a different reason.", f"it is {step.because}", f"it is {reason}")


def settle(run: Underway, coming: Sequence[ex.Step]) -> None:
    """Make payments the example does not mention, with the fewest pieces, when there is only one such plan."""
    while run.state.decision is not None and run.state.decision.kind == "pay":
        acting = (ex.PayStep, ex.ChooseStep, ex.DeclineStep, ex.RunStep)
        next_step = next((s for s in coming if isinstance(s, acting)), None)
        if isinstance(next_step, ex.PayStep) and next_step.player == run.state.decision.player:
            return
        decision = run.state.decision
        sizes = [sum(o.value["pays"].values()) for o in decision.options if o.value is not None]
        fewest = [i for i, size in enumerate(sizes) if size == min(sizes)]
        if len(fewest) != 1:
            run.fail("There are several ways to pay; say which with `... pays {...}`.", None, offer(decision))
            raise ExampleStopped
        run.take(decision, fewest, "to pay")


# The run


def table_of(state: State) -> dict[str, Any]:
    """Every cell as plain data, by its name."""
    position = state.position
    return {
        place.text(place.owners(cell)): len(position.cells[cell])  # fingerprints mean nothing to people
        if place.variable.history
        else plain(position.cells[cell], place.variable.type)
        for place in position.blueprint.layout.places.values()
        for cell in range(place.offset, place.offset + place.variable.cells)
    }


class ExampleRun(Underway):
    """One run of an example, with what came of it."""

    def __init__(
        self, example: ex.Example, game: Game, watch: Callable[[Span, State], None] | None = None, seed: int = 0
    ) -> None:
        """``watch``: is shown the position that is given, and the one after each step, with the place of the step."""
        super().__init__(example, game, seed)
        self._watch = watch
        self.before: dict[str, Any] = {}
        self.broken: frozenset[str] = frozenset()
        self._given_at: dict[str, int] = {}

    def result(self) -> ExampleResult:
        status: Literal["passed", "failed", "error"] = "passed"
        example = self.example
        try:
            self.before = table_of(self.state)
            self._steps()
        except ExampleStopped:
            pass
        except GameError as problem:
            status = "error"
            self.failures.append(Failure(self.line, str(problem) + self._because(problem)))
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

    def _because(self, problem: GameError) -> str:
        """Where the example gives what a fault is about."""
        about = re.match(r"\w+(\[[^\]]*\])?", problem.reason) if isinstance(problem, RuleFault) else None
        line = None if about is None else self._given_at.get(about.group())
        return "" if line is None or about is None else f"\n`{about.group()}` is given on line {line}."

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
                self.before, started = table_of(self.state), True
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
                    line = f"asked {self.program.seats[step.player]} {decision.rule}"
                    self.fail("A different rule asks.", step.rule, decision.rule, self.instead(line))
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
        cell = f"{step.variable}[{', '.join(names)}]" if names else step.variable
        self.state.set(cell, value)
        self._given_at[cell] = step.span.line

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
                cases = 1 if self._in_row(right.span) else max(1, self.example.cases)
                mend = Mend(right.span, text, cases, f"{step.text.rpartition(' is ')[0]} is {text}")
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

    def _log(self) -> list[Event]:
        """The log; empty where an engine keeps none for a position that was set up by hand."""
        try:
            return self.state.log
        except GameError:
            return []

    def _outcome(self) -> dict[str, Any]:
        after = table_of(self.state)
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
