"""Many games at once as a gymnasium vector environment: one agent plays both sides of all of them.

    from hippolyta.envs.vector import VectorEnv

    env = VectorEnv("desdemona", num_envs=1024, threads=2)
    observations, infos = env.reset(seed=1)
    for _ in range(100):
        actions = policy(observations, infos["action_mask"])
        observations, rewards, terminated, truncated, infos = env.step(actions)

**Actions** are half-turns as numbers, **observations** the planes of `hippolyta.encoding`, both from the view of the
side to move. `infos["action_mask"]` has a row of 1 and 0 for each game, 1 where an action is legal. An illegal action
raises `IndexError`, and nothing is played.

**Rewards** are those of the side that has just moved: 1 for a win, -1 for a loss, 0 for a draw and while the game goes
on. The next half-turn may be that of the same side, or of the other.

A game that is over begins anew in the same step (`AutoresetMode.SAME_STEP`): `infos["final_obs"]` has its last planes.
"""

from __future__ import annotations

from typing import Any

from .._extra import needs

with needs("this environment", "envs"):
    import gymnasium
    import numpy as np
    import numpy.typing as npt
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space

from ..encoding import Boards

__all__ = ["VectorEnv"]

Planes = npt.NDArray[np.uint8]


class VectorEnv(gymnasium.vector.VectorEnv[Planes, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Games of one rule set, all computed in one call.

    Args:
        variant: Rule set.
        num_envs: The number of games.
        fen: Where games begin; `None` for the start position.
        size: Width and height of the planes; `None` takes those of the board.
        threads: Threads of each call.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012  gymnasium reads it

    def __init__(
        self,
        variant: str = "amazons",
        num_envs: int = 1,
        *,
        fen: str | None = None,
        size: int | None = None,
        threads: int = 1,
    ) -> None:
        self._made = {"fen": fen, "size": size, "threads": threads}
        self.boards = Boards(variant, num_envs, auto_reset=False, **self._made)  # type: ignore[arg-type]
        """The games."""
        self.encoding = self.boards.encoding
        """The shapes of observations and actions."""
        self.num_envs = num_envs
        most = 255 if "quiet plies" in self.encoding.channels else 1
        self.single_observation_space = gymnasium.spaces.Box(0, most, self.encoding.shape, np.uint8)
        self.single_action_space = gymnasium.spaces.Discrete(self.encoding.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Planes, dict[str, Any]]:
        """Begins all games anew. `seed` is that of `sample`."""
        super().reset(seed=seed)
        if seed is not None:
            variant = self.boards.variant
            self.boards = Boards(
                variant,
                self.num_envs,
                auto_reset=False,
                seed=seed,
                **self._made,  # type: ignore[arg-type]
            )
        else:
            self.boards.reset()
        return self.boards.observe(), self._info()

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[
        Planes,
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Plays a half-turn in each game."""
        rewards, done = self.boards.step(actions)
        planes, last = self.boards.observe(), {}
        if done.any():
            final = np.full(self.num_envs, None, dtype=object)
            for game in np.flatnonzero(done):
                final[game] = planes[game].copy()
            last = {"final_obs": final, "_final_obs": done.copy()}
            self.boards.reset(np.flatnonzero(done).tolist())
            self.boards.observe(out=planes)
        never = np.zeros(self.num_envs, dtype=np.bool_)
        return planes, rewards.astype(np.float64), done, never, {**self._info(), **last}

    def sample(self) -> npt.NDArray[np.int64]:
        """A legal action of each game by lot, each as likely."""
        return self.boards.sample()

    def _info(self) -> dict[str, Any]:
        return {
            "action_mask": self.boards.mask(),
            "_action_mask": np.ones(self.num_envs, dtype=np.bool_),
        }
