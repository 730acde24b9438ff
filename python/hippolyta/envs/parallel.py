"""Many games at once as a parallel environment of PettingZoo: two agents for each game.

    from hippolyta.envs.parallel import parallel_env

    env = parallel_env("desdemona", games=64, threads=2)
    observations, infos = env.reset(seed=1)
    while env.agents:
        actions = {agent: policy(observations[agent]) for agent in env.acting}
        observations, rewards, terminations, truncations, infos = env.step(actions)

**Agents** are `white_0`, `black_0`, `white_1` and so on, by the number of their game. `acting` names those that are to
act, one for each game that goes on. An agent that has moved an amazon acts once more, to fire it. Actions of the others
are allowed, and ignored. Both agents of a game leave once it is over; `reset` begins all games anew.

**Actions** are half-turns as numbers, see `hippolyta.encoding`. An illegal one raises `IndexError`, and nothing is
played in any game.

**Observations** are those of `hippolyta.envs.pettingzoo`: planes from the view of the side to move, and a mask of what
is legal, all 0 for an agent that is not to act. They are rows of two arrays that each step makes anew.

**Rewards** are 1 for a win, -1 for a loss and 0 for a draw, when the game is over; 0 before.
"""

from __future__ import annotations

from typing import Any

from .._extra import needs

with needs("this environment", "envs"):
    import gymnasium
    import numpy as np
    import numpy.typing as npt
    import pettingzoo

from ..encoding import Boards

__all__ = ["parallel_env"]

SIDES = ["white", "black"]


class parallel_env(pettingzoo.ParallelEnv[str, dict[str, Any], int]):  # type: ignore[misc]
    """Games of one rule set, all computed in one call.

    Args:
        variant: Rule set.
        games: The number of games.
        fen: Where games begin; `None` for the start position.
        size: Width and height of the planes; `None` takes those of the board.
        threads: Threads of each call.
    """

    metadata = {"render_modes": [], "name": "hippolyta_parallel_v0"}  # noqa: RUF012  PettingZoo reads it off the class

    def __init__(
        self,
        variant: str = "amazons",
        games: int = 1,
        *,
        fen: str | None = None,
        size: int | None = None,
        threads: int = 1,
    ) -> None:
        self.boards = Boards(variant, games, fen=fen, size=size, threads=threads, auto_reset=False)
        """The games."""
        self.encoding = self.boards.encoding
        """The shapes of observations and actions."""
        self.render_mode = None
        self.possible_agents = [f"{side}_{game}" for game in range(games) for side in SIDES]
        self.agents: list[str] = []
        self.acting: list[str] = []
        """The agents that are to act."""
        most = 255 if "quiet plies" in self.encoding.channels else 1
        actions = self.encoding.actions
        self.action_spaces: dict[str, gymnasium.Space[Any]] = {
            agent: gymnasium.spaces.Discrete(actions) for agent in self.possible_agents
        }
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(
                {
                    "observation": gymnasium.spaces.Box(0, most, self.encoding.shape, np.uint8),
                    "action_mask": gymnasium.spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._idle = np.zeros(actions, np.int8)
        self._idle.flags.writeable = False

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
        """Begins all games anew. There is nothing random, so the seed changes nothing."""
        self.boards.reset()
        mask = self.boards.mask()
        self._play_on(np.asarray(mask.any(axis=1)))
        return self._observed(range(len(self.boards)), mask), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, dict[str, Any]],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Plays a half-turn in each game that goes on."""
        missing = [agent for agent in self.acting if agent not in actions]
        if missing:
            raise ValueError(f"{missing[0]} is to act, and actions have nothing of it")
        chosen = np.full(len(self.boards), -1, np.int64)
        for agent in self.acting:
            chosen[_game(agent)] = actions[agent]
        before, games = self.agents, list(map(_game, self.acting))
        gains, done = self.boards.step(chosen)
        mask = self.boards.mask()
        observed = self._observed(games, mask)
        rewards = dict.fromkeys(before, 0.0)
        for agent in self.acting:
            gain = float(gains[_game(agent)])
            rewards[agent], rewards[_opponent(agent)] = gain, -gain + 0.0
        ended = {agent: bool(done[_game(agent)]) for agent in before}
        self._play_on(~done)
        never = dict.fromkeys(before, False)
        return observed, rewards, ended, never, {agent: {} for agent in before}

    def _play_on(self, goes_on: npt.NDArray[np.bool_]) -> None:
        """Notes which agents are there, and which are to act."""
        games, turns = np.flatnonzero(goes_on).tolist(), self.boards.turns
        self.agents = [f"{side}_{game}" for game in games for side in SIDES]
        self.acting = [f"{SIDES[turns[game]]}_{game}" for game in games]

    def _observed(self, games: Any, mask: npt.NDArray[np.int8]) -> dict[str, dict[str, Any]]:
        """The observations of the agents of these games."""
        planes, turns = self.boards.observe(), self.boards.turns
        return {
            f"{side}_{game}": {
                "observation": planes[game],
                "action_mask": mask[game] if turns[game] == number else self._idle,
            }
            for game in games
            for number, side in enumerate(SIDES)
        }

    def render(self) -> None:
        """Nothing: there are many games."""

    def close(self) -> None:
        """There is nothing to close."""


def _game(agent: str) -> int:
    return int(agent.rpartition("_")[2])


def _opponent(agent: str) -> str:
    side, _, game = agent.rpartition("_")
    return f"{'black' if side == 'white' else 'white'}_{game}"
