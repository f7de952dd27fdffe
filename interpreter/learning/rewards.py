"""Rewards of a learning agent: what the end of a game was worth to each seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import attrs

from rulelang.program import Program
from rulelang.program.sides import all_together, only_counts, sides

from ..errors import GameError

if TYPE_CHECKING:
    from numpy.typing import NDArray

Kind: TypeAlias = Literal["win", "margin"]
KINDS: tuple[Kind, ...] = ("win", "margin")


@attrs.frozen
class Rewards:
    """``kind``: ``win``: 1 for a winner, -1 for anybody else, 0 for all when all or none of several sides win, or when
    one plays alone for points; ``margin``: the seat's score minus the best score of the other sides."""

    kind: Kind
    sides: tuple[int, ...]
    only_counts: bool
    all_together: bool

    @classmethod
    def of(cls, program: Program, kind: str) -> Rewards:
        """Raises GameError for a kind that does not exist, and for ``margin`` in a game without scores."""
        if kind not in KINDS:
            raise GameError(f"{kind!r} is not a kind of rewards; choose one of {', '.join(KINDS)}")
        if kind == "margin" and program.score is None:
            raise GameError(f"{program.name} keeps no scores; choose rewards='win'")
        known: Kind = "win" if kind == "win" else "margin"
        return cls(known, sides(program), only_counts(program), all_together(program))

    def at_end(self, winners: NDArray[Any], scores: NDArray[Any]) -> NDArray[Any]:
        """The rewards of finished games, float32 of shape (games, seats). ``winners``: of the same shape, whether each
        seat won; ``scores``: its points."""
        import numpy as np

        if self.kind == "win":
            if self.only_counts:
                return np.zeros(scores.shape, dtype=np.float32)
            decided = winners.any(axis=1, keepdims=True) | self.all_together
            return np.where(decided, np.where(winners, 1, -1), 0).astype(np.float32)
        side = np.array(self.sides)
        rivals = [side != own for own in side]
        best = [scores[:, others].max(axis=1) if others.any() else 0 * scores[:, 0] for others in rivals]
        margins: NDArray[Any] = (scores - np.stack(best, axis=1)).astype(np.float32)
        return margins
