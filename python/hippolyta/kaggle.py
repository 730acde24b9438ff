"""An agent for the Amazons of Kaggle's environments: `open_spiel_amazons` of `kaggle-environments`.

    from kaggle_environments import make
    from hippolyta.kaggle import agent

    env = make("open_spiel_amazons", configuration={"includeLegalActions": True})
    env.run([agent, "random"])
    print(env.toJSON()["rewards"])

`Agent` makes others, with a limit and an engine of their own. To submit one, a file with `from hippolyta.kaggle import
agent` is enough where the package is installed. `hippolyta.games.read` reads the replays.

A turn has three actions: the amazon's square, the square it moves to, the square it fires at. Actions are squares,
counted from the upper left corner, row by row. Player 0, the crosses, moves first and is White here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from . import Board, Engine, Limit
from ._hippolyta import squares_of

__all__ = ["Agent", "agent", "board_of"]

_LETTERS = {"X": "Q", "O": "q", "#": "*", ".": "1"}


def board_of(observation: Mapping[str, Any]) -> tuple[Board, list[int]]:
    """The board at the start of the turn, and the actions with which that has begun.

    >>> seen = {"board": ["O..", "#..", ".X."], "current_player": "x", "from_action": 8, "to_action": 7}
    >>> board, begun = board_of({"observationString": json.dumps(seen)})
    >>> board.fen(), begun
    ('q2/*2/2Q w - - 0 1', [8, 7])
    """
    seen = json.loads(observation["observationString"])
    size, first = len(seen["board"]), seen["current_player"] == "x"
    cells = [_LETTERS[cell] for row in seen["board"] for cell in row]
    begun = [seen[name] for name in ("from_action", "to_action") if seen[name] is not None]
    if begun:
        cells[begun[-1]] = "1"
        cells[begun[0]] = "Q" if first else "q"
    ranks = ("".join(cells[at : at + size]) for at in range(0, size * size, size))
    board = re.sub("1+", lambda run: str(len(run[0])), "/".join(ranks))
    number = cells.count("*") // 2 + 1
    fen = f"{board} {'w' if first else 'b'} - - 0 {number}"
    return Board.from_fen(fen, "amazons"), begun


def _actions(turn: str, size: int) -> list[int]:
    """The three actions of a turn.

    >>> _actions("d1d7,d7g7", 10)
    [93, 33, 36]
    """
    return [(size - int(at[1:])) * size + ord(at[0]) - ord("a") for at in squares_of(turn)]


class Agent:
    """An agent, which is called with observation and configuration. It searches once a turn.

    Args:
        limit: When a search ends; `None` is a second.
        engine: The engine, which stays yours to close; `None` makes one at the first call.
    """

    def __init__(self, limit: Limit | None = None, engine: Engine | None = None) -> None:
        self._limit = Limit(time=1.0) if limit is None else limit
        self._engine = engine
        #: The position in which a turn was searched, and that turn.
        self._fen = ""
        self._turn: list[int] = []

    def __call__(
        self, observation: Mapping[str, Any], configuration: object = None
    ) -> dict[str, int]:
        """The next action; -1 where it is not ours to act."""
        player = observation.get("currentPlayer")
        if "observationString" not in observation or player != observation.get("playerId"):
            return {"submission": -1}
        board, begun = board_of(observation)
        size = board.size[0]
        if not (self._fen == board.fen() and self._turn[: len(begun)] == begun):
            going_on = None
            if begun:
                legal = board.legal_moves
                going_on = [turn for turn in legal if _actions(turn, size)[: len(begun)] == begun]
            if self._engine is None:
                self._engine = Engine()
            turn = self._engine.play(board, self._limit, root_moves=going_on).move
            self._fen, self._turn = board.fen(), _actions(turn, size)
        return {"submission": self._turn[len(begun)]}


_usual = Agent()


def agent(observation: Mapping[str, Any], configuration: object = None) -> dict[str, int]:
    """The agent with its usual settings: a second a turn, one thread."""
    return _usual(observation, configuration)
