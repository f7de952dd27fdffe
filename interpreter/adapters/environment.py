"""Environment of a game: turns of agents, observations with action masks, rewards at the end."""

# PettingZoo has no type hints, and these libraries need not be installed where types are checked.
# mypy: disable-error-code="import-untyped, import-not-found"

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from ..errors import IllegalChoice
from ..game import Game, State
from ..learning.actions import Actions, Offer
from ..learning.observations import Observations, Rewards
from ..position.blueprint import Blueprint

SEEDS = 1 << 63
"""Seeds that the generator draws from; any other number can be given as well."""


class RulesEnv(AECEnv):  # type: ignore[misc]
    """A game, each seat an agent by its name. See ``pettingzoo.pettingzoo_env``, which makes one.

    An observation has ``observation`` (int32; ``observations.fields`` says what each number is) and ``action_mask``
    (int8, all 0 for a seat that does not decide now). ``infos``: for the seat that decides, ``left_out``, the number of
    options without an action. Decisions with a single option are asked as well. The same seed and actions give the same
    game; without a seed, ``reset`` uses the next number of the last seed's generator.
    """

    def __init__(
        self, game: Game, rewards: str, max_options: int, max_decisions: int, render_mode: str | None = None
    ) -> None:
        super().__init__()
        self.game = game
        self.render_mode = render_mode
        self.metadata = {"name": game.name, "render_modes": ["ansi"], "is_parallelizable": False}
        blueprint = Blueprint(game.program)
        self.actions = Actions.of(blueprint, max_options)
        self.observations = Observations.of(game.program, blueprint.initial_cells())
        self.possible_agents = list(game.program.seats[: game.players])
        low, high = np.array(self.observations.bounds, dtype=np.int32).T
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(
                {
                    "observation": gymnasium.spaces.Box(low, high, dtype=np.int32),
                    "action_mask": gymnasium.spaces.Box(0, 1, (self.actions.size,), dtype=np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: gymnasium.spaces.Discrete(self.actions.size) for agent in self.possible_agents}
        self._rewards = Rewards.of(game.program, rewards)
        self._max_decisions = max_decisions
        self._generator = np.random.default_rng()

    # -- what PettingZoo asks for

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game. ``options`` is ignored, there for the interface; a game's options are set when it is loaded."""
        if seed is not None:
            self._generator = np.random.default_rng(seed % SEEDS)
        self.position: State = self.game.start(int(self._generator.integers(SEEDS)) if seed is None else seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.agents[0]
        self._decisions = 0
        self._shown = 0
        self._ask()

    def step(self, action: int | None) -> None:
        """Take the option of ``action``; IllegalChoice when the decision offers none for it."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        index = None if action is None else self._offer.options.get(int(action))
        if index is None:
            raise IllegalChoice(f"{self.agent_selection} cannot take action {action!r}: {self._refusal(action)}")
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self.position.choose(index)
        self._decisions += 1
        self._ask()
        self._accumulate_rewards()
        self._deads_step_first()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        seat = self.possible_agents.index(agent)
        decision = self.position.decision
        mask = np.zeros(self.actions.size, dtype=np.int8)
        if decision is not None and decision.player == seat:
            mask[list(self._offer.options)] = 1
        row = self.observations.encode(self.position.view(seat))
        return {"observation": np.array(row, dtype=np.int32), "action_mask": mask}

    def render(self) -> str | None:
        """The public events since the last call, a line each; None without the render mode."""
        if self.render_mode is None:
            gymnasium.logger.warn("to render, make the environment with render_mode='ansi'")
            return None
        news, self._shown = self.position.log[self._shown :], len(self.position.log)
        return "\n".join(event.text for event in news if event.seats is None)

    def close(self) -> None:
        """Nothing to close."""

    def __str__(self) -> str:
        return self.game.name

    # -- for people

    def meaning(self, action: int) -> str | None:
        """The option that the action would choose now, as text; None when it is not offered."""
        decision, index = self.position.decision, self._offer.options.get(action)
        return None if decision is None or index is None else decision.options[index].text

    def _refusal(self, action: int | None) -> str:
        if action is None or not 0 <= int(action) < self.actions.size:
            return f"actions are numbered from 0 to {self.actions.size - 1}; those with 1 in the mask are offered"
        own = self.actions.texts
        text = own[int(action)] if int(action) < len(own) else "one of the shared actions"
        return f"{text} is not offered now; the mask shows what is"

    # -- how a game goes on

    def _ask(self) -> None:
        """Select the agent of the next decision, or end the game."""
        decision = self.position.decision
        self._offer = Offer({}, 0) if decision is None else self.actions.offer(decision)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        if decision is None:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = dict(zip(self.possible_agents, self._at_end(), strict=True))
            return
        self.agent_selection = self.possible_agents[decision.player]
        self.infos[self.agent_selection]["left_out"] = self._offer.left_out
        if self._decisions >= self._max_decisions:
            self.truncations = dict.fromkeys(self.agents, True)

    def _at_end(self) -> list[float]:
        """The rewards of a finished game, by seat."""
        won = np.isin(np.arange(self.game.players), self.position.winners)
        found: list[float] = self._rewards.at_end(won[None], np.array([self.position.scores]))[0].tolist()
        return found


def in_order(environment: RulesEnv) -> Any:
    """The environment in PettingZoo's wrapper that refuses steps before ``reset``."""
    return OrderEnforcingWrapper(environment)
