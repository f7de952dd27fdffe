"""A line of play: one course of a game from its beginning, each position of which can be looked at again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from .rulesets import RuleSet

if TYPE_CHECKING:
    from interpreter.game import Game, State

_KEPT = 16
"""Choices between two positions that are kept; those between are played again."""


@attrs.frozen
class Choice:
    """What was chosen: the index ``option``, by ``seat``; ``chance``: outcomes that were entered for it by hand.
    ``luck``: where other chance came from; see ``interpreter.chance``."""

    option: int
    seat: int
    chance: tuple[Any, ...] = ()
    luck: int | None = None


@attrs.define
class Line:
    """``number``: its name in the store. ``start``: where it begins, ``{"seed": 7}`` or ``{"save": ...}``; see
    ``opening``, and ``ANEW`` of ``carrying``. ``parent``: the line it branched from, after ``at`` choices. ``state``
    never changes: a choice makes a new one."""

    number: int
    rules: RuleSet
    game: Game
    start: Mapping[str, Any]
    state: State
    parent: int | None = None
    at: int = 0
    choices: list[Choice] = attrs.field(factory=list)
    _kept: dict[int, State] = attrs.field(factory=dict)
    _together: list[int] = attrs.field(factory=lambda: [0])

    def __attrs_post_init__(self) -> None:
        self._kept[0] = self.state

    @property
    def together(self) -> int:
        """How many choices were made before players began to decide together, if they do; else all."""
        return self._together[-1]

    def after(self, choice: Choice) -> State:
        """The position that a choice leads to. Raises IllegalChoice, ChanceError, RuleFault, InvariantBroken."""
        return played(self.state, choice)

    def take(self, choice: Choice, state: State) -> None:
        """Makes a choice that leads to ``state``."""
        self.choices.append(choice)
        self._together.append(self._together[-1] if _same_secret(self.state, state) else len(self.choices))
        self.state = state
        if len(self.choices) % _KEPT == 0:
            self._kept[len(self.choices)] = state

    def position(self, number: int) -> State:
        """The position after so many choices."""
        if number == len(self.choices):
            return self.state
        near = max(at for at in self._kept if at <= number)
        state = self._kept[near]
        for choice in self.choices[near:number]:
            state = played(state, choice)
        return state

    def back(self, number: int) -> None:
        """Goes back to the position after so many choices."""
        self.state = self.position(number)
        del self.choices[number:], self._together[number + 1 :]
        self._kept = {at: state for at, state in self._kept.items() if at <= number}


def _same_secret(before: State, after: State) -> bool:
    """Whether players still decide together as they did."""
    one, other = before.position.secret, after.position.secret
    return one is not None and other is not None and one.before is other.before


def played(state: State, choice: Choice) -> State:
    """The state after a choice; ``state`` stays as it is."""
    after = state.copy()
    if choice.chance:
        after.fix_chance(choice.chance)
    if choice.luck is not None:
        after.fix_luck(choice.luck)
    after.choose(choice.option)
    return after


def opening(game: Game, start: Mapping[str, Any]) -> State:
    """The first position of a line: a new game from a ``seed``, with ``chance`` that was entered, or what a ``save``
    holds.

    Raises SaveError and RuleFault.
    """
    if "save" in start:
        return game.resume(start["save"])
    return game.start(start["seed"], start.get("chance", ()))


def restored(
    number: int,
    rules: RuleSet,
    game: Game,
    start: Mapping[str, Any],
    choices: Sequence[Choice],
    parent: int | None = None,
    at: int = 0,
) -> Line:
    """A line with choices that were made before. Raises GameError where they no longer fit the rules."""
    line = Line(number, rules, game, start, opening(game, start), parent, at)
    for choice in choices:
        line.take(choice, line.after(choice))
    return line
