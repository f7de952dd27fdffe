"""A bot that takes what did well in random games, in games of its own as fast as chance plays them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from .experience import Experience, fast

if TYPE_CHECKING:
    from ..chance import Stream
    from ..data import Decision
    from ..game import Game, State
    from ..wasm.engine import WasmGame
    from ..wasm.learned import Learned
    from ..wasm.state import WasmState
    from .simple import Streams

_LIMIT = 100_000


@attrs.frozen
class LearnedBot:
    """Takes an option the more often the more it is worth in random games, whatever the position (Boltzmann selection).

    What options are worth is learned when it is first needed, in a second or a few; see ``interpreter.wasm.learned``.
    The bot knows of an option what is said when it is offered, and of the position nothing. ``experience``: where it
    was trained; None: in the game that it plays.
    """

    game: Game
    experience: Experience | None = None

    def choose(self, state: State, decision: Decision, stream: Stream) -> int:
        from ..wasm.learned import LearningRoom
        from ..wasm.state import WasmState

        if len(decision.options) == 1:
            return 0
        tried = fast(self.game)
        found = state if isinstance(state, WasmState) else tried.state_of(state.position)
        return LearningRoom.playing(self._learned(tried), tried, _LIMIT).prefer(found, stream)

    def whole_game(self, seed: int, streams: Streams, limit: int) -> WasmState | None:
        """The last state of the game of a seed in which every seat is played by this bot, as ``choose`` would play it;
        None where the engine of the game cannot play it in one go, or it comes to a fault."""
        from ..wasm.engine import WasmGame
        from ..wasm.host import Trap
        from ..wasm.learned import LearningRoom
        from .simple import BY_QUESTION

        if not isinstance(self.game, WasmGame) or self.game.check or limit > _LIMIT:
            return None
        room = LearningRoom.playing(self._learned(self.game), self.game, _LIMIT)
        try:
            return room.state(seed, room.play(seed, streams.seats, limit, by_question=streams.version == BY_QUESTION))
        except Trap:
            return None

    def _learned(self, game: WasmGame) -> Learned:
        from ..wasm.learned import Learned

        if self.experience is None:
            return Learned.of(game)
        return Learned.brought(game, fast(self.experience.printed), self.experience.training)
