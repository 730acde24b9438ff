"""A game against the engine as a gymnasium environment for one agent.

    import gymnasium
    import hippolyta.envs.gymnasium

    env = gymnasium.make("hippolyta/amazons6-v0", level=600)
    observation, info = env.reset(seed=1)
    terminated = False
    while not terminated:
        action = env.action_space.sample(info["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)

**Actions** are half-turns as numbers, **observations** the planes of `hippolyta.encoding`, both from the view of the
agent. `info["action_mask"]` has a 1 for each legal action; `action_masks()` is the same as truth values, as
MaskablePPO wants it. An illegal action loses the game, and `info["illegal"]` is then true.

**Rewards** are 1 for a win, -1 for a loss and 0 for a draw, when the game is over; 0 before.

**Ids.** To import this module registers `hippolyta/RULES-v0` for each rule set; `gymnasium.make` takes the arguments of
`AgainstEngine` but for `variant`. `gymnasium.make("hippolyta.envs.gymnasium:hippolyta/iago-v0")` imports it itself. By `gymnasium.make_vec(…, vectorization_mode="vector_entry_point")` the same ids are
`hippolyta.envs.vector.VectorEnv`, whose agent plays both sides.
"""

from __future__ import annotations

from typing import Any, Literal

from .._extra import needs

with needs("this environment", "envs"):
    import gymnasium
    import numpy as np
    import numpy.typing as npt

from .. import Board, Engine, Limit, variants
from .._hippolyta import ends
from ..encoding import Encoding, State
from ._picture import MODES, checked_mode, rendered

__all__ = ["AgainstEngine"]

Planes = npt.NDArray[np.uint8]


class AgainstEngine(gymnasium.Env[Planes, np.int64]):
    """The engine answers each whole turn of the agent.

    With the same seed and the same actions a game is the same again, if `limit` is one of nodes or rating.

    Args:
        variant: Rule set.
        level: The engine's rating, as its option `UCI_Elo`; `None` for full strength within `limit`.
        limit: When the engine ends a search; `None`: by the rating alone or, without one, 1000 nodes.
        side: The agent's side; `"random"` draws it anew for each game.
        fen: Where games begin; `None` for the start position.
        size: Width and height of the planes; `None` takes those of the board.
        hash: Memory of the engine, MiB.
        render_mode: `"ansi"`: `render` returns the board as text; `"rgb_array"`: as a picture, an array of pixels of
            shape (height, width, 3).
    """

    metadata = {"render_modes": MODES, "render_fps": 1}  # noqa: RUF012  gymnasium reads it off the class

    def __init__(
        self,
        variant: str = "amazons",
        *,
        level: int | None = None,
        limit: Limit | None = None,
        side: Literal["white", "black", "random"] = "random",
        fen: str | None = None,
        size: int | None = None,
        hash: int = 16,
        render_mode: str | None = None,
    ) -> None:
        if side not in ("white", "black", "random"):
            raise ValueError(f"side: white, black or random is expected, not {side!r}")
        self.render_mode = checked_mode(render_mode)
        self._side, self._hash = side, hash
        self._limit = _limit(limit, level)
        self._start = State(variant, fen=fen, size=size)
        self._board = Board(variant) if fen is None else Board.from_fen(fen, variant)
        if not ends(self._limit, self._board):
            raise ValueError(f"{self._limit} ends no search of {variant}: give nodes or time, too")
        self.encoding = Encoding(variant, fen=fen, size=size)
        """The shapes of observations and actions."""
        self.state = self._start.copy()
        """The position."""
        self.agent: str = "white"
        """The agent's side."""
        self._engine: Engine | None = None
        most = 255 if "quiet plies" in self.encoding.channels else 1
        self.observation_space = gymnasium.spaces.Box(0, most, self.encoding.shape, np.uint8)
        self.action_space = gymnasium.spaces.Discrete(self.encoding.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Planes, dict[str, Any]]:
        """Begins a new game; if the engine moves first, it has moved."""
        super().reset(seed=seed)
        self.close()
        self._engine = Engine(hash=self._hash, seed=int(self.np_random.integers(2**31)))
        white = (
            bool(self.np_random.integers(2)) if self._side == "random" else self._side == "white"
        )
        self.agent = "white" if white else "black"
        self.state = self._start.copy()
        self._game = self._board.copy()
        self._answer()
        return self.state.planes(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Planes, float, bool, bool, dict[str, Any]]:
        """Plays a half-turn of the agent and, once its turn is whole, the engine's turn."""
        if self._engine is None or self.state.is_over:
            raise gymnasium.error.ResetNeeded("the game is over: call reset() first")
        try:
            text = self.state.action_text(int(action))
        except IndexError:
            self.close()
            return (
                self.state.planes(),
                -1.0,
                True,
                False,
                {**self._info(), "illegal": True},
            )
        self.state.play(int(action))
        if self.state.at_turn_start:
            self._game.push(text)
            self._answer()
        over = self.state.is_over
        return (
            self.state.planes(),
            self._reward() if over else 0.0,
            over,
            False,
            self._info(),
        )

    def _answer(self) -> None:
        """Has the engine play if it is its turn."""
        if self._engine is None or self.state.is_over or self.state.turn == self.agent:
            return
        move = self._engine.play(self._game, self._limit).move
        self._game.push(move)
        self.state.push(move)

    def _reward(self) -> float:
        winner = self.state.winner
        return 0.0 if winner is None else 1.0 if winner == self.agent else -1.0

    def _info(self) -> dict[str, Any]:
        acts = self.state.turn == self.agent
        mask = self.state.mask() if acts else np.zeros(self.encoding.actions, dtype=np.int8)
        return {"action_mask": mask}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal."""
        return np.asarray(self._info()["action_mask"], dtype=np.bool_)

    # gymnasium 1.2 promises a picture of whatever type.
    def render(self) -> str | npt.NDArray[np.uint8] | None:  # type: ignore[override, unused-ignore]
        """The board, as `render_mode` says."""
        return rendered(self.state, self.encoding, self.render_mode)

    def close(self) -> None:
        """Ends the engine."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None


for _variant in variants():
    gymnasium.register(
        id=f"hippolyta/{_variant}-v0",
        entry_point="hippolyta.envs.gymnasium:AgainstEngine",
        vector_entry_point="hippolyta.envs.vector:VectorEnv",
        kwargs={"variant": _variant},
    )


def _limit(limit: Limit | None, level: int | None) -> Limit:
    if limit is not None:
        if level is not None:
            raise ValueError(
                "level and limit: give one, and a rating within a limit as Limit(elo=…)"
            )
        return limit
    return Limit(nodes=1000) if level is None else Limit(elo=level)
