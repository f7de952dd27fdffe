"""PettingZoo environments of games, for reinforcement learning.

    from interpreter.adapters.pettingzoo import pettingzoo_env

    env = pettingzoo_env("rules/mygame", players=3)
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))

See ``interpreter.learning`` for the numbers of observations and actions, and ``environment.py`` for the
environment itself. Needs the extra ``rl``: ``pip install rulelang[rl]``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..errors import GameError
from ..learning import MOST_DECISIONS, MOST_OPTIONS
from ..learning.observations import Kind

if TYPE_CHECKING:
    from ..game import Game


def pettingzoo_env(
    game: str | Path | Game,
    players: int | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    variants: Sequence[str | Path] = (),
    engine: str = "wasm",
    rewards: Kind = "win",
    max_options: int = MOST_OPTIONS,
    max_decisions: int = MOST_DECISIONS,
    render_mode: Literal["ansi"] | None = None,
) -> Any:
    """An ``AECEnv`` of a game, or of a game's folder, loaded as ``interpreter.load`` does but for the fast engine.

    It is wrapped as usual, so that steps before ``reset`` are refused; ``env.unwrapped`` is the ``RulesEnv``.

    ``rewards``, at the end of the game only: ``win``: 1 for a winner, -1 for anybody else, 0 for all when all or none
    of several sides win, or when one plays alone for points; ``margin``: the seat's score minus the best score of the
    other sides (see ``rulelang.program.sides``). ``max_options``: the number of actions shared by options without one
    of their own (see ``interpreter.learning.actions``). A game is truncated after ``max_decisions``. Rendering gives
    the public events since the last time.

    Raises GameError when PettingZoo is not installed, for invalid settings, and for ``margin`` in a game
    without scores; for mistakes in the rules, what ``interpreter.load`` raises.
    """
    try:
        from .environment import RulesEnv, in_order
    except ImportError as error:
        raise GameError(
            f"{error.name or 'a library'} is not installed; PettingZoo environments need: pip install 'rulelang[rl]'"
        ) from error
    for name, number in (("max_options", max_options), ("max_decisions", max_decisions)):
        if number < 1:
            raise GameError(f"{name} must be at least 1, not {number}")
    if render_mode not in (None, "ansi"):
        raise GameError(f"{render_mode!r} is not a render mode; choose 'ansi' or None")
    if isinstance(game, (str, Path)):
        from ..loading import load

        game = load(game, players=players, options=options, variants=variants, engine=engine)
    elif players not in (None, game.players) or options or variants:
        raise GameError("a loaded game already has its players, options and variants; give the game's folder instead")
    return in_order(RulesEnv(game, rewards, max_options, max_decisions, render_mode))
