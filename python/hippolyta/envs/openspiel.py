"""The engine as a bot for OpenSpiel's game `amazons`.

    import pyspiel
    from hippolyta import Limit
    from hippolyta.envs.openspiel import Bot

    game = pyspiel.load_game("amazons")
    bots = [Bot(Limit(nodes=1000)), pyspiel.make_uniform_random_bot(1, 7)]
    print(pyspiel.evaluate_bots(game.new_initial_state(), bots, 0))

OpenSpiel has a turn of three actions: the amazon's square, the square it moves to, the square it fires at. Actions
are squares, counted from the upper left corner, row by row. Its crosses move first and are White here.
"""

from __future__ import annotations

from typing import Any

from .._extra import needs

with needs("the bot", "envs"):
    import pyspiel

from .. import Board, Engine, Limit

__all__ = ["Bot", "board_of"]


def _square(action: int, size: int) -> str:
    """A square's name.

    >>> _square(0, 10), _square(93, 10)
    ('a10', 'd1')
    """
    return f"{chr(ord('a') + action % size)}{size - action // size}"


def _action(square: str, size: int) -> int:
    """The number of a square.

    >>> _action("a10", 10), _action("d1", 10)
    (0, 93)
    """
    return (size - int(square[1:])) * size + ord(square[0]) - ord("a")


def _squares(turn: str) -> list[str]:
    """The squares from, to and fire of a turn.

    >>> _squares("d10d7,d7g10")
    ['d10', 'd7', 'g10']
    """
    move, fire = turn.split(",")
    at = next(i for i in range(2, len(move)) if move[i].isalpha())
    to = move[at:]
    return [move[:at], to, fire[len(to) :]]


def _start(state: Any) -> tuple[Board, int]:
    """The position in which a game of OpenSpiel begins, and the length of its sides."""
    rows = str(state.get_game().new_initial_state()).split()
    letters = {"X": "Q", "O": "q", "#": "*", ".": "1"}
    board = "/".join("".join(letters[square] for square in row) for row in rows)
    return Board.from_fen(f"{_joined(board)} w", "amazons"), len(rows)


def _joined(board: str) -> str:
    """A FEN's board with runs of empty squares as one number.

    >>> _joined("111Q/1q11")
    '3Q/1q2'
    """
    text, run = "", 0
    for letter in board + "/":
        if letter == "1":
            run += 1
            continue
        text, run = text + (str(run) if run else "") + letter, 0
    return text[:-1]


def board_of(state: Any) -> tuple[Board, list[str]]:
    """The game of an OpenSpiel state: the board at the start of the turn, and the squares chosen since."""
    game = state.get_game().get_type().short_name
    if game != "amazons":
        raise ValueError(f"a state of OpenSpiel's game 'amazons' is expected, not of '{game}'")
    board, size = _start(state)
    squares = [_square(action, size) for action in state.history()]
    whole = len(squares) // 3 * 3
    for i in range(0, whole, 3):
        move, to, fire = squares[i : i + 3]
        board.push(f"{move}{to},{to}{fire}")
    return board, squares[whole:]


class Bot(pyspiel.Bot):  # type: ignore[misc]
    """A bot that plays for whichever side is to move.

    It searches once a turn. If somebody else has chosen the first actions of the turn, it searches those that go on.

    Args:
        limit: When a search ends.
        engine: The engine, which stays yours to close; `None` makes one with its default settings.
    """

    def __init__(self, limit: Limit, engine: Engine | None = None) -> None:
        super().__init__()
        self._limit = limit
        self._engine = Engine() if engine is None else engine
        self._turn: list[str] = []
        self._at: list[int] = []

    def step(self, state: Any) -> int:
        """The action for a state in which the game is not over. Blocks while it searches."""
        history = list(state.history())
        begun = len(history) % 3
        size = len(str(state).split()[0])
        chosen = [_square(action, size) for action in history[len(history) - begun :]]
        before = history[: len(history) - begun]
        if begun == 0 or self._at != before or self._turn[:begun] != chosen:
            self._turn, self._at = self._search(state, chosen), before
        return _action(self._turn[begun], size)

    def _search(self, state: Any, chosen: list[str]) -> list[str]:
        board, _ = board_of(state)
        going_on = None
        if chosen:
            legal = [str(turn) for turn in board.legal_moves]
            going_on = [turn for turn in legal if _squares(turn)[: len(chosen)] == chosen]
        return _squares(self._engine.play(board, self._limit, root_moves=going_on).move)

    def restart(self) -> None:
        """Forgets the game."""
        self._turn, self._at = [], []

    def restart_at(self, state: Any) -> None:
        """Forgets the game; where a new one begins makes no difference."""
        self.restart()

    def provides_policy(self) -> bool:
        """It tells actions, not their probabilities."""
        return False

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Needs no telling: a state knows its history."""
