"""Games that were played: PGN, SGF, what `hippolyta match --out` keeps, and lists of turns."""

import json
import os
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from . import records
from ._hippolyta import Board, GameReader, game_text, seconds, whole, write_games
from .outcome import Move
from .rules import Rules

__all__ = ["Game", "GameWarning", "Line", "Thought", "read", "write"]

Format = Literal["pgn", "pdn", "sgf", "jsonl", "fen", "replay"]

#: Tags that are fields of their own.
_FIELDS = {"White", "Black", "Result", "Variant", "Rules", "SetUp", "FEN"}
#: The least and the greatest value of what is known of a turn.
_BOUNDS = {
    "centipawns": (-(2**31), 2**31 - 1),
    "mate": (-(2**31), 2**31 - 1),
    "depth": (0, 2**32 - 1),
    "nodes": (0, 2**64 - 1),
}


class GameWarning(UserWarning):
    """Something in a file of games was not understood, or is illegal. The message says what, where, and which turns
    were left out because of it."""


@dataclass(frozen=True)
class Thought:
    """Data recorded with a turn: clock, score and so on. A field is `None` if nothing was recorded."""

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
class Line:
    """Turns of a variation: they replace those of the line that has it, from one of them on."""

    #: The number in the game of the first of them, from 0.
    ply: int
    #: Texts are taken, and become `Move`.
    moves: tuple[str, ...]
    #: One for each turn, or none at all.
    thoughts: tuple[Thought, ...] = ()
    comments: tuple[str, ...] = ()
    #: Its own variations.
    variations: tuple["Line", ...] = ()

    def __post_init__(self) -> None:
        _take_texts(self)


@dataclass(frozen=True)
class Game:
    """A game as it was played.

    >>> game = Game("amazons6", moves=("b1b4,b4c4",))
    >>> game.board().turn, len(game)
    (<Side.BLACK: 'black'>, 1)
    """

    variant: str = "amazons"
    #: The turns in their usual spelling. Texts are taken, and become `Move`.
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
    #: A comment on each turn, or none at all, and one on the start.
    comments: tuple[str, ...] = ()
    comment: str = ""
    variations: tuple[Line, ...] = ()
    #: Further facts on the game, as in PGN: `Event`, `Date` and others, by names of letters, digits and `_-+#=`.
    tags: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        _take_texts(self)

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

    def text(self, format: Format = "pgn") -> str:
        """The game as text. Raises what `write` raises, but for `OSError`.

        >>> print(Game("amazons6", moves=("b1b4,b4c4",)).text("fen").strip())
        1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1 moves b1b4,b4c4
        """
        return game_text(_record(self), format)

    def __len__(self) -> int:
        """The number of turns."""
        return len(self.moves)


def _take_texts(line: Line | Game) -> None:
    object.__setattr__(line, "moves", tuple(map(Move, line.moves)))
    turns = len(line.moves)
    for name, given in (("thoughts", len(line.thoughts)), ("comments", len(line.comments))):
        if given not in (0, turns):
            raise ValueError(
                f"{name}: {given} for {turns} turns; one for each is expected, or none"
            )


def read(path: str | os.PathLike[str], variant: str = "amazons") -> Iterator[Game]:
    """The games of a file or of a folder of `hippolyta match --out`, one at a time, however many there are.

    A file is what `hippolyta convert` reads: PGN, PDN, SGF, JSON lines as in `games.jsonl`, lines of `startpos moves M M
    …` or `FEN moves M M …`, or what OpenSpiel, Kaggle, Botzone, AbstractPlay and Ludii keep. `variant` is the rule set of games that name none. Turns are legal and in their usual spelling.
    At what is not understood or illegal the line of turns ends, with a `GameWarning` that has file, line, column and game.
    A game of which no turn is left is left out, and so is one that is not finished, as the last of a match that is still
    played. Raises `OSError`, and `ValueError` for a file in another format or without any game.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "games.pgn"
    ...     _ = file.write_text("1. b1b4,b4c4 {early} (1. e1e4,e4e2) e6e5,e5d5 *")
    ...     [(game.moves, game.comments, game.variations[0].moves) for game in read(file, "amazons6")]
    [(('b1b4,b4c4', 'e6e5,e5d5'), ('early', ''), ('e1e4,e4e2',))]
    """
    file = Path(path)
    if file.is_dir():
        file /= "games.jsonl"
    # Opened now, so that a wrong path is an error here and not in a loop later.
    return _games(file, GameReader(file, variant))


def write(
    path: str | os.PathLike[str], games: Iterable[Game], format: Format | None = None
) -> None:
    """Writes games into a file, all or none. The format is that of the name's ending if none is given.

    Raises `ValueError` for what cannot be kept, as a turn that is not legal or a tag whose name is none, and `OSError`.
    """
    write_games(path, [_record(game) for game in games], format)


def _games(file: Path, reader: GameReader) -> Iterator[Game]:
    is_first = True
    while True:
        found, warned = reader.next()
        for text in warned:
            warnings.warn(f"{file}:{text}", GameWarning, stacklevel=2)
        if found is not None:
            line, tags = found
            yield _from_record(json.loads(line), tags)
        elif is_first and warned:
            raise ValueError(f"{file}: there is no game")
        else:
            return
        is_first = False


def _thought(move: dict[str, Any]) -> Thought:
    def time(name: str, unit: float) -> float | None:
        return move[name] / unit if name in move else None

    score = move.get("score", {})
    return Thought(
        move.get("book", False),
        time("time_us", 1e6),
        time("clock_ms", 1e3),
        score.get("cp"),
        score.get("mate"),
        move.get("depth"),
        move.get("nodes"),
    )


def _line(moves: list[dict[str, Any]], first: int = 0) -> Line:
    """The main line of turns as `games.jsonl` has them; `first` is the number of the first one."""
    thoughts = tuple(_thought(move) for move in moves)
    comments = tuple(move.get("comment", "") for move in moves)
    variations = (
        _line(line, ply)
        for ply, move in enumerate(moves, first)
        for line in move.get("variations", ())
    )
    return Line(
        first,
        tuple(move["move"] for move in moves),
        thoughts if any(thought != Thought() for thought in thoughts) else (),
        comments if any(comments) else (),
        tuple(variations),
    )


def _from_record(record: dict[str, Any], tags: dict[str, str]) -> Game:
    line = _line(record["moves"])
    return Game(
        Rules(record["rules"]) if "rules" in record else record["variant"],
        line.moves,
        record["fen"],
        record["white"] or "White",
        record["black"] or "Black",
        record["result"],
        tags.pop("Termination", record.get("reason", "")),
        line.thoughts,
        line.comments,
        record.get("comment", ""),
        line.variations,
        {name: text for name, text in tags.items() if name not in _FIELDS},
    )


def _units(name: str, time: float | None, unit: float) -> int | None:
    return None if time is None else round(seconds(name, time) * unit)


def _moves(line: Line | Game, first: int = 0) -> list[dict[str, Any]]:
    """Turns as `games.jsonl` has them."""
    moves: list[dict[str, Any]] = [{"move": move} for move in line.moves]
    for move, thought in zip(moves, line.thoughts):
        number = {
            name: whole(name, getattr(thought, name), *bounds)
            for name, bounds in _BOUNDS.items()
            if getattr(thought, name) is not None
        }
        score = {"cp": number.get("centipawns"), "mate": number.get("mate")}
        known = {
            "book": thought.book or None,
            "time_us": _units("time", thought.time, 1e6),
            "clock_ms": _units("clock", thought.clock, 1e3),
            "score": {name: value for name, value in score.items() if value is not None} or None,
            "depth": number.get("depth"),
            "nodes": number.get("nodes"),
        }
        move.update({name: value for name, value in known.items() if value is not None})
    for move, comment in zip(moves, line.comments):
        move["comment"] = comment
    for variation in line.variations:
        ply = whole("ply", variation.ply, first, first + len(moves) - 1)
        lines = moves[ply - first].setdefault("variations", [])
        lines.append(_moves(variation, variation.ply))
    return moves


def _record(game: Game) -> str:
    for name in game.tags:
        if not re.fullmatch(r"[\w+#=-]+", name, re.ASCII):
            raise ValueError(f"tags: {name!r} is no name of a tag: letters, digits and _-+#= are")
        if name in _FIELDS:
            raise ValueError(f"tags: {name} is a field of the game")
    record: dict[str, Any] = {
        "variant": game.variant,
        "white": game.white,
        "black": game.black,
        "moves": _moves(game),
        "result": game.result,
        "comment": game.comment,
        "tags": ({"Termination": game.reason} if game.reason else {}) | dict(game.tags),
    }
    if game.start_fen is not None:
        record["fen"] = game.start_fen
    return json.dumps(record)
