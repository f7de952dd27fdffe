"""Flat Monte Carlo: random playouts from every option, more of them from the better ones."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import attrs

from ..chance import Stream
from .imagine import CannotRedraw, Imagined
from .rewards import Stakes
from .search import Settings, best, bound, played_out, promising, width

if TYPE_CHECKING:
    from ..data import Decision
    from ..game import Game, State


@attrs.define
class _Arm:
    index: int
    visits: int = 0
    value: float = 0.0


@attrs.frozen
class FlatBot:
    """Takes the option tried most often, which is the one with the best playouts (UCB1).

    Every playout starts from a newly imagined position. Where there are many options, those with the best immediate
    gain are tried first; the more playouts, the more options are tried.
    """

    game: Game
    settings: Settings = attrs.field(factory=Settings)
    stakes: Stakes = attrs.field(init=False, eq=False)

    @stakes.default
    def _stakes(self) -> Stakes:
        return Stakes.of(self.game.program)

    def choose(self, state: State, decision: Decision, stream: Stream) -> int:
        if len(decision.options) == 1:
            return 0
        try:
            return self._search(state, decision, stream)
        except CannotRedraw:
            return stream.below(len(decision.options))

    def _search(self, state: State, decision: Decision, stream: Stream) -> int:
        from ..errors import RuleFault

        seat = decision.player
        imagined = Imagined(self.game, state, seat)
        order = promising(self.game, imagined, seat, len(decision.options), stream)
        arms: list[_Arm] = []
        for done in range(self.settings.playouts):
            if len(arms) < min(len(order), width(done)):
                arm = _Arm(order[len(arms)])
                arms.append(arm)
            else:
                arm = best(arms, partial(self._bound, done), stream)
            position = imagined.trial(stream)
            arm.visits += 1
            try:
                position.choose(arm.index)
            except RuleFault:
                continue  # impossible in this position, which speaks against it
            arm.value += played_out(position, stream, self.settings.limit, self.stakes)[seat]
        return best(arms, lambda arm: (arm.visits, arm.value), stream).index

    def _bound(self, chances: int, arm: _Arm) -> tuple[float]:
        return (bound(arm.value, arm.visits, chances, self.settings.explore),)
