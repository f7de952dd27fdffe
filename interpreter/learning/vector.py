"""Games side by side for those who learn: arrays of what seats see, may do and got for it, and one call for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import attrs

from ..errors import IllegalChoice, RuleFault
from .actions import Actions
from .observations import Observations, Rewards

if TYPE_CHECKING:
    from numpy.typing import NDArray


OVER, TOO_LONG, FAULTED = 1, 2, 3
"""How a game ended: by its rules, after too many decisions, or because the rules could not go on."""


@attrs.frozen(eq=False)
class VectorPart:
    """Some of the games: arrays as of ``Vector``, which an engine keeps up to date, and the engine's own step.

    ``winners``: of games that have ended, a bit for each seat; ``scores``: by seat. ``act`` takes an action in each,
    which must be offered, and gives the last fault of the rules.
    """

    player: NDArray[Any]
    observation: NDArray[Any]
    legal: NDArray[Any]
    left_out: NDArray[Any]
    ended: NDArray[Any]
    seeds: NDArray[Any]
    winners: NDArray[Any]
    scores: NDArray[Any]
    act: Callable[[NDArray[Any]], RuleFault | None]


class Vector:
    """Games side by side, each at a decision. See ``Game.vector``, which makes one.

    Of each game, by its number in the first axis: ``player``, the seat that decides (int32); ``observation``, what that
    seat sees (int32; ``observations.fields`` says what each number is); ``legal``, which actions there are (bool;
    ``actions.texts`` says what each means); ``left_out``, the options without an action (int32); ``seeds`` (uint64).

    Of the last step: ``ended``, 1 where a game came to its end, 2 where it was given up after too many decisions, 3
    where its rules could not go on, else 0 (uint8), with ``fault``, why one of these could not; ``rewards``, by seat,
    of the games that came to their end, else 0 (float32). A game that has ended has begun again, so all else is of the
    new one.

    With one thread the arrays are the memory of the games themselves: the next step writes over them.
    """

    def __init__(
        self, actions: Actions, observations: Observations, rewards: Rewards, parts: Sequence[VectorPart]
    ) -> None:
        import numpy as np

        self.actions = actions
        self.observations = observations
        self.fault: RuleFault | None = None
        self._rewards = rewards
        self._parts = parts
        ends = np.cumsum([len(part.player) for part in parts]).tolist()
        self._slices = [slice(start, end) for start, end in zip([0, *ends], ends, strict=False)]
        self._pool = ThreadPoolExecutor(len(parts)) if len(parts) > 1 else None
        self.rewards = np.zeros((ends[-1], parts[0].scores.shape[1]), dtype=np.float32)
        self._gather()

    def __len__(self) -> int:
        return len(self.rewards)

    @property
    def done(self) -> NDArray[Any]:
        """Which games have ended in the last step, however that was (bool)."""
        found: NDArray[Any] = self.ended != 0
        return found

    def step(self, actions: NDArray[Any]) -> None:
        """Takes an action in every game. Raises IllegalChoice, and does nothing, when one of them is not offered."""
        import numpy as np

        taken = np.asarray(actions)
        if taken.shape != (len(self),):
            raise IllegalChoice(f"there must be one action for each of {len(self)} games, not an array {taken.shape}")
        if (
            taken.dtype.kind not in "iu"
            or (taken < 0).any()
            or (taken >= self.actions.size).any()
            or not self.legal[np.arange(len(self)), taken].all()
        ):
            raise IllegalChoice(self._refusal(taken))
        if self._pool is None:
            faults = [self._parts[0].act(taken)]
        else:
            faults = list(self._pool.map(lambda part, games: part.act(taken[games]), self._parts, self._slices))
        self.fault = next((fault for fault in faults if fault is not None), None)
        self._gather()
        self.rewards[:] = 0
        (over,) = np.nonzero(self.ended == OVER)
        if len(over):
            won = (self._winners[over, None] >> np.arange(self.rewards.shape[1], dtype=np.uint32) & 1).astype(bool)
            self.rewards[over] = self._rewards.at_end(won, self._scores[over])

    def sample(self, generator: Any) -> NDArray[Any]:
        """An action for every game, any that is offered as likely as the others, by a numpy ``Generator``."""
        found: NDArray[Any] = (generator.random(self.legal.shape, dtype="f4") * self.legal).argmax(axis=1)
        return found

    def _gather(self) -> None:
        """Brings the parts together; of one alone nothing is copied."""
        import numpy as np

        def all_of(name: str) -> NDArray[Any]:
            found = [getattr(part, name) for part in self._parts]
            return found[0] if len(found) == 1 else np.concatenate(found)

        self.player, self.observation, self.legal = all_of("player"), all_of("observation"), all_of("legal")
        self.left_out, self.ended, self.seeds = all_of("left_out"), all_of("ended"), all_of("seeds")
        self._winners, self._scores = all_of("winners"), all_of("scores")

    def _refusal(self, taken: NDArray[Any]) -> str:
        for number, action in enumerate(taken.tolist()):
            if not isinstance(action, int) or not 0 <= action < self.actions.size:
                return f"game {number}: actions are numbered from 0 to {self.actions.size - 1}, not {action!r}"
            if not self.legal[number, action]:
                texts = self.actions.texts
                text = texts[action] if action < len(texts) else "one of the shared actions"
                return f"game {number}: {text} is not offered now; `legal` shows what is"
        return "actions are whole numbers"
