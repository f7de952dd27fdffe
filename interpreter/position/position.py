"""A position of a game: everything that changes, as plain data from which either engine can continue."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeAlias

import attrs

from rulelang.structural import Structural, frozen

from ..lowered.code import Unit
from .asked import OpenQuestion
from .blueprint import Blueprint
from .events import Chain, Marked


@frozen
class Laid(Structural):
    """Outcomes of chance that were laid down by name in a game that runs; ``first``: before it began.

    ``luck``: where the chance of the next choice came from instead; see ``chance``.
    """

    outcomes: tuple[Any, ...]
    first: bool = False
    luck: int | None = None


Made: TypeAlias = "int | Laid"
"""What leads from one position to the next: the index of the option chosen, or chance laid down for it."""

Choices: TypeAlias = "tuple[Any, Made] | None"
"""What was made so far as a chain of (earlier, made), so that copies share their past."""


@attrs.define(eq=False)
class Frame:
    """A running rule. ``at``: the number of the site where it waits; ``local``: its slots.

    Slots that are not live at the site may hold anything.
    """

    unit: Unit
    at: int
    local: list[Any]

    def waiting(self) -> Frame:
        """The frame as it waits now, with slots of its own."""
        return Frame(self.unit, self.at, self.local[:])

    def live(self) -> tuple[int, ...]:
        """The slots that are still needed, in rising order."""
        return self.unit.sites[self.at].site.live


@attrs.define(eq=False)
class Position:
    """``cells``: see ``lowered.cells``. ``frames``: the running rules, the innermost last. ``chance``: the
    generator's state.

    ``fixed``: outcomes of chance set in advance. ``whole``: the whole game is running, so that the end of its first
    rule is the end of the game. ``dirty``: a cell has changed since the watchers were last tested. ``watching``: the
    watchers are running. ``turns``: turns of players so far (see ``record.rounds``); ``at_turn``: whose turn has begun,
    until they are asked. ``fired``: how often each rule ran. ``edited``: the choices do not lead from the seed to
    this position. ``secret``: players are deciding together. ``asked``: the open decision. ``marked``: what the last
    save told of the log.
    """

    blueprint: Blueprint
    cells: list[Any]
    chance: int
    seed: int
    frames: list[Frame] = attrs.field(factory=list)
    fixed: tuple[Any, ...] = ()
    whole: bool = False
    over: bool = False
    winners: tuple[int, ...] = ()
    dirty: bool = False
    watching: bool = False
    turns: int = 0
    at_turn: int | None = None
    fired: dict[str, int] = attrs.field(factory=dict)
    asked: OpenQuestion | None = None
    log: Chain = None
    choices: Choices = None
    edited: bool = False
    secret: Secret | None = None
    marked: Marked | None = None

    def scores(self, seat: int | None = None) -> tuple[int, ...]:
        """The points of each seat, as far as ``seat`` knows if one is given.

        Without a score: the first criterion of winning, if everybody may see it; else 1 for a winner and 0 for others.
        """
        players = range(self.blueprint.program.players)
        cells = self.blueprint.score
        known = self.cells if seat is None else self.known_to(seat)
        if cells is None and self.blueprint.first_rank_is_open():
            return tuple(self.blueprint.measure(self.blueprint.first_rank, p, known) for p in players)
        if cells is None:
            return tuple(int(p in self.winners) for p in players)
        return tuple(known[cells.index((owner,))] for owner in self.blueprint.score_owners)

    def known_to(self, seat: int) -> list[Any]:
        """The cells as far as a seat knows: without the secret decisions of others."""
        return self.cells if self.secret is None else self.secret.cells(self.cells, seat)

    def choice_list(self) -> list[Made]:
        """The choices made so far, oldest first, with the outcomes of chance laid down between them."""
        return list(listing(self.choices).made)


@frozen
class ChoiceListing(Structural):
    """The choices of a chain, oldest first, so that those that follow can be added.

    ``laid``: at which places among them outcomes of chance were laid down.
    """

    chain: Choices
    made: tuple[Made, ...]
    laid: tuple[int, ...]


def listing(chain: Choices, known: ChoiceListing | None = None) -> ChoiceListing:
    """The choices of a chain. ``known``: those of one that this may go on from; then only new ones are gone through."""
    last, new = chain, list[Made]()
    while chain is not None and not (known is not None and chain is known.chain):
        chain, made = chain
        new.append(made)
    if known is None or chain is not known.chain:
        known = ChoiceListing(None, (), ())
    new.reverse()
    laid = [number for number, made in enumerate(new, len(known.made)) if isinstance(made, Laid)]
    return ChoiceListing(last, (*known.made, *new), (*known.laid, *laid))


class Follower(Protocol):
    """A game that is played again."""

    def choose(self, choice: int, /) -> None: ...

    def fix_chance(self, values: Sequence[Any], /) -> None: ...

    def fix_luck(self, luck: int, /) -> None: ...


def follow(state: Follower, made: Iterable[Made]) -> None:
    """Do again what was made in a game after it had begun. Raises GameError where that is not possible."""
    for each in made:
        if not isinstance(each, Laid):
            state.choose(each)
        elif each.luck is not None:
            state.fix_luck(each.luck)
        elif not each.first:
            state.fix_chance(each.outcomes)


def laid_first(made: Sequence[Made]) -> tuple[Any, ...]:
    """The outcomes that were laid down before a game began."""
    return made[0].outcomes if made and isinstance(made[0], Laid) and made[0].first else ()


def blank(blueprint: Blueprint, seed: int) -> Position:
    """A position with the initial values and no rule running."""
    from .. import chance

    return Position(blueprint, blueprint.initial_cells(), chance.seeded(seed), seed, edited=True)


# Secrets of players who decide together: each acts on the position before, unseen, then all is revealed at once.
#
# Meanwhile the cells of the position are those before plus the changes of the player being asked; the changes of the
# others are set aside. So nobody's choices can depend on another's, and a view needs no exceptions.


Changes: TypeAlias = tuple[tuple[int, Any], ...]
"""Cells by their index, with their new values."""


@frozen
class Secret(Structural):
    """``rule``: the rule that lets them decide. ``before``: the cells at the start. ``done``: (player, changes) pairs.

    ``player``: who is deciding, None between two players. ``told``: the events so far, as a chain of (earlier, player,
    teller, facts); it is history, not part of the position.
    """

    rule: str
    before: tuple[Any, ...]
    done: tuple[tuple[int, Changes], ...] = ()
    player: int | None = None
    told: Any = attrs.field(default=None, eq=False, repr=False)

    def cells(self, now: list[Any], seat: int) -> list[Any]:
        """The cells as far as a seat knows: those before, with its own changes. ``now``: all cells."""
        if seat == self.player:
            return now
        cells = list(self.before)
        for player, changes in self.done:
            if player == seat:
                for cell, value in changes:
                    cells[cell] = value
        return cells
