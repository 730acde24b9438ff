"""Games that were played: from a match of `hippolyta match --out`, or from a board."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ._hippolyta import Board

__all__ = ["Game", "GameFileError", "read_games"]


class GameFileError(ValueError):
    """A line of a file is not a game. The message names the file and the line."""


@dataclass(frozen=True)
class Game:
    """A game: where it began, the turns, and what is known of who played it.

    >>> game = Game("amazons", moves=("d1d7,d7g7", "a7a6,a6b5"), white="Ann", black="Bob")
    >>> len(list(game.boards())), game.board().turn
    (3, <Side.WHITE: 'white'>)
    """

    #: The rule set.
    variant: str = "amazons"
    #: Where it began; `None` for the start position of the rule set.
    fen: str | None = None
    #: The turns, in any spelling that the engine reads.
    moves: tuple[str, ...] = ()
    white: str = "White"
    black: str = "Black"
    #: `1-0`, `0-1`, `1/2-1/2`, or `*` if it is not known.
    result: str = "*"
    #: Why it ended: `rules`, `time`, `resignation` and so on; empty if it is not known.
    reason: str = ""
    #: How many of the first turns were an opening that was given to the players.
    book: int = 0

    @classmethod
    def of(cls, board: Board) -> "Game":
        """The game that led to a board.

        >>> board = Board("amazons6")
        >>> _ = board.push("b1b4,b4c4")
        >>> Game.of(board).moves
        ('b1b4,b4c4',)
        """
        outcome = board.outcome()
        return cls(
            variant=board.variant,
            fen=board.start_fen,
            moves=tuple(board.move_stack),
            result=outcome.result if outcome else "*",
            reason="rules" if outcome else "",
        )

    def start(self) -> Board:
        """The position in which it began. Raises `FenError` if that is none."""
        return Board(self.variant) if self.fen is None else Board.from_fen(self.fen, self.variant)

    def board(self) -> Board:
        """Its last position, with all turns. Raises `MoveError` if a turn is not legal."""
        board = self.start()
        for move in self.moves:
            board.push(move)
        return board

    def boards(self) -> Iterator[Board]:
        """Every position with the turns that led there, the start first. Raises `MoveError` where a turn is not
        legal."""
        board = self.start()
        yield board.copy()
        for move in self.moves:
            board.push(move)
            yield board.copy()


def _game(record: Any) -> Game:
    moves = record["moves"]
    # A move is a text, or what is known of it.
    texts = [move if isinstance(move, str) else move["move"] for move in moves]
    is_book = [not isinstance(move, str) and bool(move.get("book", False)) for move in moves]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("a move is not a text")
    return Game(
        variant=str(record.get("variant", "amazons")),
        fen=record.get("fen"),
        moves=tuple(texts),
        white=str(record.get("white", "White")),
        black=str(record.get("black", "Black")),
        result=str(record.get("result", "*")),
        reason=str(record.get("reason", "")),
        book=next((ply for ply, book in enumerate(is_book) if not book), len(is_book)),
    )


def read_games(path: str | os.PathLike[str]) -> Iterator[Game]:
    """The games of a file, one after the other as they are asked for: `games.jsonl` of `hippolyta match --out`, or any
    file with a JSON object with `moves` on each line.

    Raises `GameFileError`, which names the line, at the first line that is no game, and `OSError` if the file cannot be
    read.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "games.jsonl")
    >>> _ = path.write_text('{"variant": "amazons", "moves": ["d1d7,d7g7"], "white": "Ann"}')
    >>> [game.white for game in read_games(path)]
    ['Ann']
    """
    with open(path, encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                yield _game(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                what = (
                    f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
                )
                raise GameFileError(f"{os.fspath(path)}: line {number}: no game: {what}") from None
