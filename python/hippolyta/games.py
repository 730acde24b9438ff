"""Games that were played: what `hippolyta match --out` keeps, and lists of turns."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import records
from ._hippolyta import Board

__all__ = ["Game", "Thought", "read"]


@dataclass(frozen=True)
class Thought:
    """What is known of a turn beside the turn. A field is `None` if nothing was recorded."""

    #: From the opening, not from an engine.
    book: bool = False
    #: Seconds that it took.
    time: float | None = None
    #: Seconds on the mover's clock after it, increment included.
    clock: float | None = None
    #: Centipawns by the engine's own count, from its own view.
    centipawns: int | None = None
    #: A proven result by the engine's own count; negative if it loses.
    mate: int | None = None
    depth: int | None = None
    nodes: int | None = None


@dataclass(frozen=True)
class Game:
    """A game as it was played.

    >>> game = Game("amazons6", moves=("b1b4,b4c4",))
    >>> game.board().turn, len(game)
    (<Side.BLACK: 'black'>, 1)
    """

    variant: str = "amazons"
    #: The turns in their usual spelling.
    moves: tuple[str, ...] = ()
    #: Where it began; `None` is the start position of the rule set.
    start_fen: str | None = None
    white: str = "White"
    black: str = "Black"
    #: `1-0`, `0-1`, `1/2-1/2`, or `*` if it is not over or not known.
    result: str = "*"
    #: Why it ended, as `rules` or `time`; empty if that is not known.
    reason: str = ""
    #: One for each turn, or none at all.
    thoughts: tuple[Thought, ...] = ()

    @staticmethod
    def from_board(board: Board, white: str = "White", black: str = "Black") -> "Game":
        """The game that a board has seen."""
        outcome = board.outcome()
        result = "*" if outcome is None else outcome.result
        return Game(
            board.variant,
            tuple(board.move_stack),
            board.start_fen,
            white,
            black,
            result,
            "rules" if outcome else "",
        )

    @staticmethod
    def from_record(game: records.Game) -> "Game":
        """A game of self-play."""
        return Game(
            game.variant, game.moves, game.start_fen, result=game.result, reason=game.ending
        )

    def board(self, ply: int | None = None) -> Board:
        """The position after so many turns, all if not given. Raises `FenError` and `MoveError`."""
        moves = list(self.moves if ply is None else self.moves[:ply])
        if self.start_fen is None:
            board = Board(self.variant)
            for move in moves:
                board.push(move)
            return board
        return Board.from_fen(self.start_fen, self.variant, moves)

    def boards(self) -> Iterator[Board]:
        """Every position, the first one before any turn. Raises `FenError` and `MoveError`."""
        board = self.board(0)
        yield board.copy()
        for move in self.moves:
            board.push(move)
            yield board.copy()

    def __len__(self) -> int:
        """The number of turns."""
        return len(self.moves)


def read(path: str | os.PathLike[str], variant: str = "amazons") -> Iterator[Game]:
    """The games of a file or of a folder of `hippolyta match --out`, one at a time, however many there are.

    A line is a record of `games.jsonl`, or `startpos moves M M …`, or `FEN moves M M …` in the rule set `variant`.
    Turns are not checked until a board plays them. Raises `OSError`, and `ValueError` with file and line for a line that
    is neither. A match that is still played may have a last line that is not finished: it is left out.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "games.txt"
    ...     _ = file.write_text("startpos moves b1b4,b4c4 e6e5,e5d5")
    ...     [game.moves for game in read(file, "amazons6")]
    [('b1b4,b4c4', 'e6e5,e5d5')]
    """
    file = Path(path)
    if file.is_dir():
        file /= "games.jsonl"
    # Opened now, so that a wrong path is an error here and not in a loop later.
    return _games(file, variant, open(file, encoding="utf-8-sig", errors="strict"))


def _games(file: Path, variant: str, lines: Any) -> Iterator[Game]:
    with lines:
        number = 0
        while True:
            number += 1
            try:
                line = lines.readline()
                if not line:
                    return
                if line.startswith("{"):
                    try:
                        record = json.loads(line)
                    except json.JSONDecodeError:
                        if line.endswith("\n"):
                            raise
                        return
                    yield _from_record(record)
                elif line.strip():
                    yield _from_text(line, variant)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                what = f"no field {error}" if isinstance(error, KeyError) else error
                raise ValueError(f"{file}:{number}: {what}") from None


def _from_text(line: str, variant: str) -> Game:
    start, word, moves = line.partition("moves")
    if not word and start.strip() != "startpos" and "/" not in start:
        raise ValueError("neither a record nor 'startpos moves …' nor 'FEN moves …'")
    fen = None if start.strip() == "startpos" else start.strip()
    return Game(variant, tuple(moves.split()), fen)


def _from_record(record: dict[str, Any]) -> Game:
    def seconds(value: Any, unit: float) -> float | None:
        return None if value is None else value / unit

    def thought(move: dict[str, Any]) -> Thought:
        score = move.get("score") or {}
        return Thought(
            bool(move.get("book", False)),
            seconds(move.get("time_us"), 1e6),
            seconds(move.get("clock_ms"), 1e3),
            score.get("cp"),
            score.get("mate"),
            move.get("depth"),
            move.get("nodes"),
        )

    return Game(
        record["variant"],
        tuple(move["move"] for move in record["moves"]),
        record["fen"],
        record["white"],
        record["black"],
        record["result"],
        record.get("reason", ""),
        tuple(thought(move) for move in record["moves"]),
    )
