"""The engine as a bot for OpenSpiel's game `amazons`, and for the game `hippolyta` of `hippolyta.envs.openspiel_game`.

    import pyspiel
    from hippolyta import Limit
    from hippolyta.envs.openspiel import Bot

    game = pyspiel.load_game("amazons")
    bots = [Bot(Limit(nodes=1000)), pyspiel.make_uniform_random_bot(1, 7)]
    print(pyspiel.evaluate_bots(game.new_initial_state(), bots, 0))

OpenSpiel's `amazons` has a turn of three actions: the amazon's square, the square it moves to, the square it fires
at. Actions are squares, counted from the upper left corner, row by row. Its crosses move first and are White here.
"""

from __future__ import annotations

from typing import Any

from .._extra import needs

with needs("the bot", "envs"):
    import pyspiel

from .. import Board, Engine, Limit
from ..encoding import State as Position
from .openspiel_game import State
from .openspiel_game import board_of as own_board_of

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


class _OfOpenSpiel:
    """A turn of OpenSpiel's game `amazons`, three squares."""

    def __init__(self, state: Any) -> None:
        self.board, self._begun = board_of(state)
        self._size = self.board.size[0]
        #: The actions that the turn has begun with.
        self.chosen = [_action(square, self._size) for square in self._begun]

    def goes_on(self, turn: str) -> bool:
        """Whether a turn of the board begins so."""
        return _squares(turn)[: len(self._begun)] == self._begun

    def actions(self, turn: str) -> list[int]:
        """All actions of a turn of the board."""
        return [_action(square, self._size) for square in _squares(turn)]


class _Ours:
    """A turn of the game `hippolyta`, one or two half-turns."""

    def __init__(self, state: State) -> None:
        self.board, self._begun = own_board_of(state)
        self.chosen = state.history()[-1:] if self._begun else []

    def goes_on(self, turn: str) -> bool:
        """Whether a turn of the board begins so."""
        return turn.partition(",")[0] == self._begun

    def actions(self, turn: str) -> list[int]:
        """All actions of a turn of the board."""
        position, (moves, comma, _) = Position(self.board), turn.partition(",")
        first = position.action_of(moves)
        if not comma:
            return [first]
        position.play(first)
        return [first, position.action_of(turn)]


class Bot(pyspiel.Bot):  # type: ignore[misc]
    """A bot that plays for whichever side is to move, OpenSpiel's `amazons` or the game `hippolyta`.

    It searches once a turn. If somebody else has chosen the first actions of the turn, it searches those that go on.

    Args:
        limit: When a search ends.
        engine: The engine, which stays yours to close; `None` makes one with its default settings.
    """

    def __init__(self, limit: Limit, engine: Engine | None = None) -> None:
        super().__init__()
        self._limit = limit
        self._engine = Engine() if engine is None else engine
        #: A game whose turn was searched and has begun, and its history with the whole turn.
        self._game = ""
        self._expected: list[int] = []

    def step(self, state: Any) -> int:
        """The action for a state in which the game is not over. Blocks while it searches."""
        history, game = list(state.history()), str(state.get_game())
        played = len(history)
        if not (game == self._game and self._expected[:played] == history):
            turn = _Ours(state) if isinstance(state, State) else _OfOpenSpiel(state)
            before = history[: played - len(turn.chosen)]
            self._game, self._expected = game, before + turn.actions(self._search(turn))
        action = self._expected[played]
        if played + 1 == len(self._expected):
            self.restart()
        return action

    def _search(self, turn: _OfOpenSpiel | _Ours) -> str:
        going_on = None
        if turn.chosen:
            going_on = [move for move in turn.board.legal_moves if turn.goes_on(move)]
        return self._engine.play(turn.board, self._limit, root_moves=going_on).move

    def restart(self) -> None:
        """Forgets the game."""
        self._game, self._expected = "", []

    def restart_at(self, state: Any) -> None:
        """Forgets the game; where a new one begins makes no difference."""
        self.restart()

    def provides_policy(self) -> bool:
        """It tells actions, not their probabilities."""
        return False

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Needs no telling: a state knows its history."""
