"""Bots that do not look ahead: one plays at random, one takes the most points at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import attrs

from rulelang.program.sides import score_owners, scorers

from ..chance import Stream, mix

if TYPE_CHECKING:
    from rulelang.program import Program

    from ..data import Decision, Event
    from ..game import Game, State, Trial
    from .imagine import Imagined


class Bot(Protocol):
    """Chooses for a seat. ``decision`` is ``state.decision``; the answer is an index into its options.

    A bot must not change the state, and may use only what its seat can see.
    """

    def choose(self, state: State, decision: Decision, stream: Stream) -> int: ...


@attrs.frozen
class RandomBot:
    """Takes an option at random, all equally likely."""

    game: Game

    def choose(self, state: State, decision: Decision, stream: Stream) -> int:
        return stream.below(len(decision.options))


@attrs.frozen
class GreedyBot:
    """Takes the option with the best immediate change to its own score; ties are broken at random.

    Each option is tried up to the next decision; its payments are made the first way offered. Of more than ``most``
    options a sample is tried. Winning is worth more than any score, losing less. Where something hidden matters, the
    gain is the mean over ``imagined`` positions that fit what the seat knows.
    """

    game: Game
    most: int = 60
    payments: int = 8
    imagined: int = 4

    def choose(self, state: State, decision: Decision, stream: Stream) -> int:
        from .imagine import CannotRedraw, Imagined

        if len(decision.options) == 1:
            return 0
        tried = stream.sample(len(decision.options), self.most)
        # Imagining has its own stream, so that breaking ties does not depend on how much was imagined.
        fork = Stream(mix(stream.state))
        try:
            values = self.values(Imagined(self.game, state, decision.player), decision.player, tried, fork)
        except CannotRedraw:
            return stream.below(len(decision.options))
        best = max(values)
        ties = [index for index, value in zip(tried, values, strict=True) if value == best]
        return ties[stream.below(len(ties))]

    def values(self, imagined: Imagined, seat: int, indices: Sequence[int], stream: Stream) -> list[int]:
        """The gain of ``seat`` from each of these options, added up over the imagined positions."""
        totals = [0] * len(indices)
        for _ in range(1 if imagined.certain else self.imagined):
            trial = self.game.trial(imagined.position(stream), told=True)
            for place, index in enumerate(indices):
                totals[place] += self.worth(trial.copy(), seat, index)
        return totals

    def worth(self, position: Trial, seat: int, index: int) -> int:
        """The gain of ``seat`` from the option, up to the next decision other than its own payment.

        Anything after the first roll, draw or uncovered piece is ignored: one such outcome says nothing about the
        others. An option that cannot be carried out in this position gains nothing.
        """
        from ..errors import RuleFault

        before = position.scores[seat]
        try:
            position.choose(index)
            for _ in range(self.payments):
                decision = position.decision
                if decision is None or decision.kind != "pay" or decision.player != seat:
                    break
                position.choose(0)
        except RuleFault:
            return 0
        program = self.game.program
        own = scorers(program)[score_owners(program)[seat]] if program.score is not None else None
        gain = 0
        for event in position.log:
            if uncovers(event, program):
                return gain
            if event.kind == "score" and own in (event.data.get("player"), event.data.get("team")):
                gain += event.data.get("amount", 0)
        gain = position.scores[seat] - before
        if position.over:
            gain += _DECIDED if seat in position.winners else -_DECIDED
        return gain


def uncovers(event: Event, program: Program) -> bool:
    """Whether the event was chance, or moved a piece out of a place that nobody can see."""
    if event.kind in ("roll", "shuffle") or event.data.get("random"):
        return True
    source = program.variables.get(str(event.data.get("from", "")).partition("[")[0])
    return source is not None and source.seen_by == "nobody"


_DECIDED = 1_000_000
