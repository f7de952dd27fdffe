"""An example under way: its position, what has failed, and the decision that is open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulelang import examples as ex

from ..data import Decision
from ..game import Game, State
from ..position import choices
from ..position.asked import Question
from .results import Failure, Mend


class Stop(Exception):
    """The example cannot go on after a failure."""


class Underway:
    """What a step of an example finds, and leaves to the next.

    ``line``, ``step``: where the example is. ``decisions``: those that have been made, in words.
    """

    def __init__(self, example: ex.Example, game: Game) -> None:
        self.example = example
        self.program = example.program
        self.state: State = game.blank()
        self.failures: list[Failure] = []
        self.decisions: list[str] = []
        self.line = example.span.line
        self.step: ex.Step | None = None

    def asked(self, player: int, what: str) -> Decision:
        """The decision that is open, which must be this player's; ``what``: they do, for the message. Raises Stop."""
        decision = self.state.decision
        seats = self.program.seats
        if decision is None:
            self.fail(f"{seats[player]} {what}, but nobody is asked.")
            raise Stop
        if decision.player != player:
            self.fail(
                f"{seats[player]} {what}, but it is someone else's decision.",
                seats[player],
                f"{seats[decision.player]} by {decision.rule}",
            )
            raise Stop
        return decision

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
            raise Stop
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


__all__ = ["Stop", "Underway", "offer", "some"]
