"""Situations: a rule that runs in a given position, or a whole game, with choices; and how they are made smaller."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import attrs

from rulelang.program.values import plain

from ..errors import GameError

if TYPE_CHECKING:
    from ..game import Game, State

_CELLS, _SHUFFLED = 4, 2

AS_IT_LIES: tuple[str, tuple[Any, ...]] = ("", ())
"""In place of a rule that runs: who would win."""

TRIES = 250
"""Situations that are tried to make one smaller."""


class NoSuchPosition(GameError):
    """The rules have no room for what is to lie on the table."""


@attrs.frozen
class Situation:
    """``choices``: by value. ``run``: a rule with its arguments, in the position with the ``given`` cells; without it,
    the whole game from ``seed``. ``chance``: outcomes that are laid down. ``luck``: 0 where nothing comes by chance, 1
    where all that does can be laid down, 2 where pieces are shuffled."""

    choices: tuple[Any, ...] = ()
    seed: int = 0
    run: tuple[str, tuple[Any, ...]] | None = None
    given: tuple[tuple[str, Any], ...] = ()
    chance: tuple[Any, ...] = ()
    luck: int = attrs.field(default=0, eq=False)

    @property
    def weight(self) -> tuple[bool, int, bool, int, int]:
        """Smaller is easier to lay out and to follow; what differs as the game begins says least."""
        cells = sum(len(value) if isinstance(value, (dict, list)) else 1 for _, value in self.given)
        return self.run is None and not self.choices, len(self.choices), self.run is None, self.luck, cells

    @property
    def small(self) -> bool:
        """Whether hardly anything could be left out."""
        return self.run is not None and len(self.choices) <= 1 and self.luck < _SHUFFLED and self.weight[-1] <= _CELLS

    def begin(self, game: Game) -> State:
        """The state before the first choice. Raises GameError when it cannot be set up."""
        if self.run is None:
            return game.start(self.seed)
        state = self.laid(game)
        state.fix_chance(self.chance)
        if self.run != AS_IT_LIES:
            state.run(*self.run)
        return state

    def course(self, game: Game) -> Iterator[State]:
        """One state: before each choice, and after the last one that can be made; none where it cannot be set up."""
        with suppress(GameError):
            state = self.begin(game)
            yield state
            for value in self.choices:
                state.choose(value)
                yield state

    def end(self, game: Game) -> State | None:
        """The state after the last choice that can be made."""
        return next(iter(deque(self.course(game), 1)), None)

    def laid(self, game: Game) -> State:
        """The position with the given cells, before anything runs. Raises NoSuchPosition."""
        state = game.blank()
        try:
            for place, value in self.given:
                state.set(place, value)
        except GameError as problem:
            raise NoSuchPosition(str(problem)) from None
        return state


def table(state: State) -> dict[str, Any]:
    position = state.position
    return {
        place.text(place.owners(cell)): plain(position.cells[cell], place.variable.type)
        for place in position.blueprint.layout.places.values()
        if not place.variable.history
        for cell in range(place.offset, place.offset + place.variable.cells)
    }


def lying(game: Game, state: State, names: Collection[str] | None = None) -> tuple[tuple[str, Any], ...]:
    """The cells that are not as at the beginning. ``names``: those that count, by default all."""
    position, blank = state.position, game.blank().position
    return tuple(
        (name, plain(position.cells[cell], place.variable.type))
        for place in position.blueprint.layout.places.values()
        if not place.variable.history and place.variable.shows is None
        for cell in range(place.offset, place.offset + place.variable.cells)
        if position.cells[cell] != blank.cells[cell]
        for name in [place.text(place.owners(cell))]
        if names is None or name in names
    )


def running(game: Game, state: State, names: Collection[str] | None = None) -> Iterator[Situation]:
    """The rules that run in a state, the innermost first, each from the position as it is then. ``names``: the cells
    that count, by default all."""
    given = lying(game, state, names)
    for frame in reversed(state.position.frames):
        rule = game.program.rules.get(frame.unit.rule)
        if rule is not None and len(frame.local) >= len(rule.params):
            arguments = tuple(plain(frame.local[param.slot], param.type) for param in rule.params)
            yield Situation(run=(rule.id, arguments), given=given)


class Found(Protocol):
    """Something that shows in a situation."""

    @property
    def situation(self) -> Situation: ...


F = TypeVar("F", bound=Found)


def shrunk(found: F, tried: Callable[[F, Situation], F | None]) -> F:
    """With as few cells, pieces and choices as a bounded search finds. ``tried``: what shows in a smaller situation, if
    it is what shows in the best one so far."""
    left = TRIES
    size = max(1, len(found.situation.given) // 2)
    while size and left > 0:
        at, again = 0, False
        while left > 0:
            situation = next(islice(_without(found.situation, size), at, None), None)
            if situation is None:
                break
            left -= 1
            other = tried(found, situation)
            if other is None:
                at += 1
            else:
                found, again = other, True
        if size > 1 or not again:
            size //= 2
    return found


def _without(situation: Situation, size: int) -> Iterator[Situation]:
    """Situations with less in them: cells in stretches of ``size``, then single pieces, then choices."""
    given = situation.given
    for start in range(0, len(given), size):
        yield attrs.evolve(situation, given=given[:start] + given[start + size :])
    if size > 1:
        return
    for at, (name, value) in enumerate(given):
        for less in _less(value):
            yield attrs.evolve(situation, given=(*given[:at], (name, less), *given[at + 1 :]))
    for at in range(len(situation.choices) - 1):
        yield attrs.evolve(situation, choices=situation.choices[:at] + situation.choices[at + 1 :])


def _less(value: Any) -> Iterator[Any]:
    match value:
        case dict() if len(value) > 3:
            kinds = list(value.items())
            for part in (kinds[: len(kinds) // 2], kinds[len(kinds) // 2 :]):
                yield dict(part)
            yield from ({k: n for k, n in value.items() if k != left} for left in value)
        case dict() if len(value) > 1:
            yield from ({k: n for k, n in value.items() if k != left} for left in value)
        case list() if value:
            yield from (value[:at] + value[at + 1 :] for at in range(len(value)))
