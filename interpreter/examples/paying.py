"""Payments of an example: those it names, those it says cannot be made, and those that go without saying."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang import examples as ex
from rulelang.program.values import from_plain

from ..position.asked import PayQuestion
from ..position.explain import payment_refused
from .underway import Stop, Underway, offer


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


__all__ = ["cannot_pay", "pay", "settle"]
