"""Players that decide by themselves.

A bot is asked for the index of an option. It is given its own stream of chance, apart from the game's, so that
whether a seat is played by a bot never changes what the dice of a game show.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

import attrs

from . import chance

if TYPE_CHECKING:
    from rulelang.program import Program

    from .game import Decision, Event, Game, State


class Stream:
    """A stream of equally likely numbers, drawn as chance.py says: the same numbers for the same seed everywhere."""

    def __init__(self, seed: int) -> None:
        self.state = chance.seeded(seed)

    def below(self, n: int) -> int:
        """A number from 0 to ``n - 1``. With ``n`` 1 nothing is drawn."""
        if n < 1:
            raise ValueError(f"below needs at least 1, not {n}")
        self.state, number = chance.below(self.state, n)
        return number

    def sample(self, n: int, k: int) -> list[int]:
        """``k`` different numbers below ``n``, in rising order (all of them when ``k`` is at least ``n``)."""
        if k >= n:
            return list(range(n))
        numbers = list(range(n))
        for i in range(k):
            j = i + self.below(n - i)
            numbers[i], numbers[j] = numbers[j], numbers[i]
        return sorted(numbers[:k])


def mix(seed: int, *salts: int) -> int:
    """A seed of 64 bits that depends on ``seed`` and every salt. Near seeds give far results."""
    _, value = chance.step(chance.seeded(seed))
    for salt in salts:
        _, value = chance.step(value ^ chance.seeded(salt))
    return value


class Bot(Protocol):
    """Chooses for a seat. ``decision`` is ``state.decision``; the answer is an index into its options.

    The bot may copy the state but must not change it.
    """

    def choose(self, state: State, decision: Decision, stream: Stream) -> int: ...


@attrs.frozen
class RandomBot:
    """Takes any option, all equally likely."""

    game: Game

    def choose(self, state: State, decision: Decision, stream: Stream) -> int:
        return stream.below(len(decision.options))


@attrs.frozen
class GreedyBot:
    """Takes the option with the best immediate change of its own score; ties are broken at random.

    Each option is tried on a copy up to the next decision; payments that belong to it are made the first way. Of more
    than ``most`` options a sample is tried. Winning is worth more than any score, losing less.
    """

    game: Game
    most: int = 60
    payments: int = 8

    def choose(self, state: State, decision: Decision, stream: Stream) -> int:
        if len(decision.options) == 1:
            return 0
        tried = stream.sample(len(decision.options), self.most)
        values = [self.worth(state, decision.player, index) for index in tried]
        best = max(values)
        ties = [index for index, value in zip(tried, values, strict=True) if value == best]
        return ties[stream.below(len(ties))]

    def worth(self, state: State, seat: int, index: int) -> int:
        """What the option brings ``seat`` until the next decision that is more than a payment of its own.

        Nothing counts that comes after the first roll, draw or uncovered piece: the copy knows how they will come out,
        the seat must not.
        """
        after = state.copy()
        after.choose(index)
        for _ in range(self.payments):
            decision = after.decision
            if decision is None or decision.kind != "pay" or decision.player != seat:
                break
            after.choose(0)
        program = self.game.program
        gain = 0
        for event in after.log[len(state.log) :]:
            if uncovers(event, program):
                return gain
            if event.kind == "score" and event.data.get("player") == program.seats[seat]:
                gain += event.data.get("amount", 0)
        gain = _score(after, seat) - _score(state, seat)
        if after.over:
            gain += _DECIDED if seat in after.winners else -_DECIDED
        return gain


def uncovers(event: Event, program: Program) -> bool:
    """Whether the event came by chance, or moved a piece out of a place that nobody sees into."""
    if event.kind in ("roll", "shuffle") or event.data.get("random"):
        return True
    source = program.variables.get(str(event.data.get("from", "")).partition("[")[0])
    return source is not None and source.seen_by == "nobody"


_DECIDED = 1_000_000


def _score(state: State, seat: int) -> int:
    return state.scores[seat] if state.scores else 0


BOTS: Mapping[str, Callable[[Game], Bot]] = {"random": RandomBot, "greedy": GreedyBot}
"""Makes a bot of each name for a game."""
