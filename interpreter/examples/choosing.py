"""Choices and payments of an example: what players choose, what they cannot choose and why, and what is on offer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulelang import examples as ex
from rulelang.program.printer import expression_text
from rulelang.program.values import from_plain
from rulelang.types import ListType, NumberType, Type

from ..data import Decision, Explanation
from ..position.asked import ChooseQuestion, MenuQuestion, PayQuestion
from ..position.explanations import payment_refused
from .underway import Stop, Underway, offer, some


def choose(run: Underway, step: ex.ChooseStep) -> None:
    text = step.choice.text
    decision = run.asked(step.player, f"chooses {text}")
    question = run.question
    if step.choice.option is None and isinstance(question, ChooseQuestion) and question.node.some is not None:
        _choose_some(run, step, question)
        return
    index = _index(run, step.choice)
    if index is None:
        run.fail(f"`{text}` is not offered. {_why_not(run, step).text}", text, offer(decision))
        raise Stop
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
            raise Stop
        index, value = min(found, key=lambda pair: pair[0])
        left.remove(value)
        run.take(decision, [index], f"to choose {text}")
    if _asks_on(run, question, first=False):
        decision = run.asked(step.player, "has chosen")
        if all(option.value is not None for option in decision.options):
            run.fail("This is not enough: more has to be chosen.", step.choice.text, offer(decision))
            raise Stop
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
        run.fail("This payment is not possible.", step.text, offer(decision))
        raise Stop
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
            raise Stop
        run.take(decision, fewest, "to pay")


__all__ = ["cannot_pay", "choose", "offered", "offered_only", "pay", "refuse", "settle"]
