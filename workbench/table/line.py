"""Lines of play: the rules a game is played by, its course, and its positions as guests may count them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from .access import Guest

if TYPE_CHECKING:
    from interpreter.comparing.alternatives import AlternativeItem
    from interpreter.game import Game, State
    from rulelang.program import Program


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
    ``opening``, and ``ANEW`` of ``starts``. ``parent``: the line it branched from, after ``at`` choices. ``state``
    never changes: a choice makes a new one. ``broken``: a fault has ended it, which may have told something hidden.
    ``early``: choices of seats that the rules ask later, while players decide together; oldest first."""

    number: int
    rules: RuleSet
    game: Game
    start: Mapping[str, Any]
    state: State
    parent: int | None = None
    at: int = 0
    broken: bool = False
    choices: list[Choice] = attrs.field(factory=list)
    early: list[Choice] = attrs.field(factory=list)
    _ahead: dict[int, list[State]] = attrs.field(factory=dict)
    """For each seat that decides early, its positions."""
    _kept: dict[int, State] = attrs.field(factory=dict)
    _together: list[int] = attrs.field(factory=lambda: [0])

    def __attrs_post_init__(self) -> None:
        self._kept[0] = self.state

    @property
    def together(self) -> int:
        """How many choices were made before players began to decide together, if they do; else all."""
        return self._together[-1]

    @property
    def deciding(self) -> list[int]:
        """The seats that are asked: of players who decide together all who have not finished, the next one first."""
        from interpreter.redraw import yet_to_decide

        player = self.state.player
        if self.state.position.secret is None:
            return [] if player is None else [player]
        return [seat for seat in yet_to_decide(self.state.position) if not self.is_early(seat)]

    def is_early(self, seat: int | None) -> bool:
        """Whether a seat has finished before the rules ask it."""
        return seat in self._ahead and self._ahead[seat][-1].player != seat

    def own(self, seat: int | None) -> State:
        """The position for a seat: where players decide together, that in which it is asked at once."""
        from interpreter.redraw import deciding_first, yet_to_decide

        position = self.state.position
        if seat is None or position.secret is None or seat not in yet_to_decide(position)[1:]:
            return self.state
        if seat not in self._ahead:
            self._ahead[seat] = [self.game.state_of(deciding_first(position, seat))]
        return self._ahead[seat][-1]

    def course(self, choice: Choice) -> list[tuple[Choice, State]]:
        """A choice, and those that were made early and count now, each with the position that it leads to.

        Raises IllegalChoice, ChanceError, RuleFault, InvariantBroken.
        """
        found: list[tuple[Choice, State]] = []
        waiting, following, state = list(self.early), [choice], self.state
        while following:
            after = played(state, attrs.evolve(following[0], luck=choice.luck))
            luck = choice.luck if after.position.chance != state.position.chance else None  # else none was needed
            found.append((attrs.evolve(following[0], luck=luck), after))
            goes_on = _same_secret(state, after)
            following = [one for one in waiting if goes_on and one.seat == after.player][:1]
            waiting = [one for one in waiting if one not in following or one is not following[0]]
            state = after
        return found

    def decide_early(self, choice: Choice, state: State) -> None:
        """Makes a choice of a seat that the rules ask later, which leads to ``state`` for that seat."""
        self.early.append(choice)
        self._ahead[choice.seat].append(state)

    def early_position(self, seat: int | None, number: int) -> State:
        """The position for a seat after so many early choices that it knows of."""
        positions = self._ahead.get(-1 if seat is None else seat, [self.state])
        return positions[min(number, len(positions) - 1)]

    def take(self, choice: Choice, state: State) -> None:
        """Makes a choice that leads to ``state``."""
        waiting = [one for one in self.early if one.seat == choice.seat][:1]
        self.early = [one for one in self.early if not any(one is other for other in waiting)]
        self._ahead.pop(choice.seat, None)
        self.choices.append(choice)
        goes_on = _same_secret(self.state, state)
        self._together.append(self._together[-1] if goes_on else len(self.choices))
        self._ahead = self._ahead if goes_on else {}
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
        self.early, self._ahead = [], {}
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
    """The first position of a line: a new game from a ``seed``, with ``chance`` that was entered and what another game
    ``carried``, or what a ``save`` holds.

    Raises SaveError and RuleFault.
    """
    if "save" in start:
        return game.resume(start["save"])
    return game.start(start["seed"], start.get("chance", ()), start.get("carried"))


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
        if choice.seat in line.deciding[1:]:
            line.decide_early(choice, played(line.own(choice.seat), choice))
        else:
            for made, state in line.course(choice):
                line.take(made, state)
    return line


@attrs.frozen
class RuleSet:
    """``variants``: names or files; ``changes``: items as ``rulelang compare`` takes them, such as ``stones=4``."""

    path: str
    players: int
    settings: Mapping[str, str] = attrs.field(factory=dict)
    variants: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        """Where the texts of the game are."""
        path = Path(self.path)
        return path if path.is_dir() else path.parent

    def load(self) -> Game:
        """The game, on the engine that keeps a log. Raises UnusablePath and RulesError."""
        import interpreter

        ready = READY.get(repr(self.plain()))
        if ready is not None:
            return interpreter.game_of(ready)
        with self.arguments() as (variants, settings):
            return interpreter.load(self.path, players=self.players, options=settings, variants=variants)

    @contextmanager
    def arguments(self) -> Iterator[tuple[Sequence[str], Mapping[str, str]]]:
        """The variants and settings that make these rules, valid within the block. Raises UnusablePath."""
        variants, settings, numbers = self.parts()
        if not numbers:
            yield variants, settings
            return
        from interpreter.comparing.alternatives import Alternative, AlternativeItem, Choices

        items = [AlternativeItem("variant", name) for name in variants]
        items += [AlternativeItem("setting", name, value) for name, value in settings.items()]
        choices = Choices.of(self.path, variants, self.players)
        with choices.arguments(Alternative((*items, *numbers))) as found:
            yield found

    def parts(self) -> tuple[list[str], dict[str, str], list[AlternativeItem]]:
        """The variants, the settings, and the numbers that were changed, the changes counted in; the latest counts.

        Raises UnusablePath for a change that there is not.
        """
        if not self.changes:
            return list(self.variants), dict(self.settings), []
        from interpreter.comparing.alternatives import Choices

        choices = Choices.of(self.path, self.variants, self.players)
        items = [choices.item(text) for text in self.changes]
        added = [item.name for item in items if item.kind == "variant"]
        settings = {**self.settings, **{item.name: item.value for item in items if item.kind == "setting"}}
        numbers = {item.name: item for item in items if item.kind == "number"}
        return list(dict.fromkeys((*self.variants, *added))), settings, list(numbers.values())

    def told(self, text: str) -> str:
        """A message about the rules for people at the table, who need not know where on this machine they are."""
        for place in (self.path, *filter(os.path.isabs, self.variants)):
            folder, name = os.path.split(place)
            text = text.replace(f"{place}{os.sep}", "").replace(place, name).replace(f"{folder}{os.sep}", "")
        return text

    def plain(self) -> dict[str, Any]:
        """As JSON keeps it."""
        return {
            "path": self.path,
            "players": self.players,
            "settings": dict(self.settings),
            "variants": list(self.variants),
            "changes": list(self.changes),
        }

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> RuleSet:
        """Read from what ``plain`` gave."""
        return cls(
            data["path"], data["players"], data["settings"], tuple(data["variants"]), tuple(data["changes"])
        )  # fmt: skip


READY: dict[str, Program] = {}
"""Programs that need not be made of their texts, by ``repr(rules.plain())``: of games that came with them."""


# ---------------------------------------------------------------- positions as guests count them
#
# While players decide together, nobody is told what another chooses, nor how often: there a choice of somebody else's
# leads to no new position for a guest, unless that player has finished with it, which everybody at a real table sees
# too. When all are done, everything becomes known, and every position counts.


def sees(line: Line, guest: Guest, number: int) -> bool:
    """Whether a guest can tell the position after so many choices from the one before it."""
    if guest.role == "open" or number <= line.together:
        return True
    seat = line.choices[number - 1].seat
    following = line.choices[number].seat if number < len(line.choices) else line.state.player
    return guest.seat == seat or following != seat


def told(line: Line, guest: Guest, number: int | None = None) -> int:
    """The number of a position as a guest counts; by default that of the position that stands."""
    early = 0
    if number is None:
        number = len(line.choices)
        own = sum(guest.role == "open" or choice.seat == guest.seat for choice in line.early)
        others = {choice.seat for choice in line.early if choice.seat != guest.seat and guest.role != "open"}
        early = own + sum(line.is_early(seat) for seat in others)
    seen = sum(sees(line, guest, each) for each in range(line.together + 1, number + 1))
    return seen + min(number, line.together) + early


def counted(line: Line, guest: Guest, told_number: int) -> int | None:
    """The number of choices before a position that a guest counts so; None where there is none."""
    if 0 <= told_number <= line.together:
        return told_number
    later = [n for n in range(line.together + 1, len(line.choices) + 1) if sees(line, guest, n)]
    place = told_number - line.together - 1
    return later[place] if 0 <= place < len(later) else None
