"""Every rule set as a PettingZoo environment for two agents.

    from hippolyta.envs.pettingzoo import env

    game = env("amazons6")
    game.reset(seed=1)
    for agent in game.agent_iter():
        observation, reward, termination, truncation, info = game.last()
        over = termination or truncation
        game.step(None if over else game.action_space(agent).sample(observation["action_mask"]))

**Agents** are `white`, which moves first from start positions, and `black`. One that has moved an amazon acts once
more, to fire it.

**Actions** are half-turns as numbers, see `hippolyta.encoding`.

**Observations** are dictionaries: `observation`, the planes of `hippolyta.encoding` from the view of the side to
move, and `action_mask`, 1 for each legal action; it is all 0 for the agent that is not to act, and when the game is
over.

**Rewards** are 1 for a win, -1 for a loss and 0 for a draw, when the game is over; 0 before. Games end by the rules
alone and are never truncated.
"""

from __future__ import annotations

from typing import Any

from .._extra import needs

with needs("this environment", "envs"):
    import gymnasium
    import numpy as np
    import numpy.typing as npt
    import pettingzoo
    from pettingzoo.utils import wrappers

from ..encoding import Encoding, State
from ._picture import MODES, checked_mode, rendered

__all__ = ["env", "raw_env"]

AGENTS = ["white", "black"]


def env(
    variant: str = "amazons",
    *,
    fen: str | None = None,
    size: int | None = None,
    render_mode: str | None = None,
) -> pettingzoo.AECEnv[str, dict[str, Any], int]:
    """The environment with PettingZoo's usual wrappers: an illegal action loses the game.

    Args:
        variant: Rule set.
        fen: Where games begin; `None` for the start position.
        size: Width and height of the planes; `None` takes those of the board.
        render_mode: `"ansi"`: `render` returns the board as text; `"rgb_array"`: as a picture, an array of pixels of
            shape (height, width, 3).
    """
    game: Any = raw_env(variant, fen=fen, size=size, render_mode=render_mode)
    game = wrappers.TerminateIllegalWrapper(game, illegal_reward=-1)
    game = wrappers.AssertOutOfBoundsWrapper(game)
    return wrappers.OrderEnforcingWrapper(game)


class raw_env(pettingzoo.AECEnv[str, dict[str, Any], int]):  # type: ignore[misc]
    """The environment without wrappers: an illegal action is an `IndexError`. Arguments are those of `env`."""

    metadata = {  # noqa: RUF012  PettingZoo reads it off the class
        "render_modes": MODES,
        "name": "hippolyta_v0",
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        variant: str = "amazons",
        *,
        fen: str | None = None,
        size: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.render_mode = checked_mode(render_mode)
        self._start = State(variant, fen=fen, size=size)
        self.encoding = Encoding(variant, fen=fen, size=size)
        """The shapes of observations and actions."""
        self.state_of_play = self._start.copy()
        """The position."""
        self.possible_agents = AGENTS[:]
        self.agents: list[str] = []
        actions = gymnasium.spaces.Discrete(self.encoding.actions)
        # Of all planes only that of quiet plies counts further than 1.
        most = 255 if "quiet plies" in self.encoding.channels else 1
        self.action_spaces: dict[str, gymnasium.Space[Any]] = {agent: actions for agent in AGENTS}
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(
                {
                    "observation": gymnasium.spaces.Box(0, most, self.encoding.shape, np.uint8),
                    "action_mask": gymnasium.spaces.Box(0, 1, (self.encoding.actions,), np.int8),
                }
            )
            for agent in AGENTS
        }

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        acts = agent == self.state_of_play.turn
        actions = self.encoding.actions
        mask = self.state_of_play.mask() if acts else np.zeros(actions, dtype=np.int8)
        return {"observation": self.state_of_play.planes(), "action_mask": mask}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new game. There is nothing random, so the seed changes nothing."""
        self.state_of_play = self._start.copy()
        self.agents = self.possible_agents[:]
        self.agent_selection = self.state_of_play.turn.value
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        over = self.state_of_play.is_over
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        if over:
            self._reward()

    def _reward(self) -> None:
        winner = self.state_of_play.winner
        for agent in self.agents:
            self.rewards[agent] = 0 if winner is None else 1 if agent == winner else -1

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)  # pyright: ignore[reportArgumentType]
            return
        if action is None:
            raise ValueError("an action is needed: the game is not over")
        agent = self.agent_selection
        self.state_of_play.play(int(action))
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        if self.state_of_play.is_over:
            self._reward()
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.state_of_play.turn.value
        self._accumulate_rewards()

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """The board, as `render_mode` says."""
        return rendered(self.state_of_play, self.encoding, self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""
