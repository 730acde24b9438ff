"""Games: how the scripts beside this file read and search them.

Read are `games.jsonl` of `hippolyta match --out`, PGN, and lines like `startpos moves M M …` or
`FEN moves M M …`, in UTF-8, or in UTF-16 as some consoles of Windows write it. `-` is standard
input.
"""

from __future__ import annotations

import argparse
import codecs
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from engine import Failure, Judgement, QueryError, number_from, start


class Game(NamedTuple):
    """A game, finished or not."""

    variant: str
    # Where it began; None is the start position of the rule set.
    fen: str | None
    moves: list[str]
    # The numbers, from 0, of the moves that came from an opening and not from a player.
    book: frozenset[int] = frozenset()
    white: str = "White"
    black: str = "Black"
    # "1-0", "0-1", "1/2-1/2", or "*" if it is not known.
    result: str = "*"
    # File and number, for messages.
    place: str = "the game"

    @property
    def title(self) -> str:
        """Who played, and how it ended."""
        white = "White" if self.white == "White" else f"{self.white} (White)"
        black = "Black" if self.black == "Black" else f"{self.black} (Black)"
        return f"{white} against {black}, {self.variant}: {self.result}"


def game_parser(description: str | None) -> argparse.ArgumentParser:
    """The arguments of a script that searches the positions of a game."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "file",
        help="games.jsonl of a match, PGN, or lines of `startpos moves …` or `FEN moves …`; "
        "- is standard input",
    )
    parser.add_argument(
        "--game", type=number_from(1), default=1, metavar="N", help="game N of the file [1]"
    )
    parser.add_argument(
        "--variant", default="amazons", help="rule set, where the file names none [amazons]"
    )
    parser.add_argument(
        "--nodes",
        type=number_from(1),
        default=20_000,
        metavar="N",
        help="positions to evaluate in the search of each position of the game [20000]",
    )
    parser.add_argument(
        "--jobs",
        type=number_from(1),
        default=1,
        metavar="N",
        help="searches at the same time; they do not change the result [1]",
    )
    return parser


def chosen_game(arguments: argparse.Namespace) -> Game:
    """The game that the arguments of `game_parser` name."""
    path, number = arguments.file, arguments.game
    games = read_games(path, arguments.variant)
    if number > len(games):
        count = "1 game" if len(games) == 1 else f"{len(games)} games"
        raise Failure(f"--game {number}: {path} has {count}")
    game: Game = games[number - 1]._replace(place=f"{path}, game {number}")
    return game


def search_game(
    game: Game, nodes: int, jobs: int, ownership: bool = False, territory: bool = False
) -> list[Judgement]:
    """Searches all positions of a game, the start first. Counts them on a terminal."""
    total, judgements = len(game.moves) + 1, []
    show = sys.stderr.isatty()
    try:
        with start(jobs) as engine:
            for judgement in engine.analyse_game(
                game.variant, game.fen, game.moves, nodes, ownership, territory
            ):
                judgements.append(judgement)
                if show:
                    print(f"\r{len(judgements)} of {total} positions", end="", file=sys.stderr)
    except QueryError as error:
        raise Failure(f"{game.place}: {error}") from None
    finally:
        if show:
            print("\r" + " " * 40 + "\r", end="", file=sys.stderr, flush=True)
    return judgements


def read_games(path: str, variant: str) -> list[Game]:
    """All games of a file."""
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        text = data.decode("utf-16" if wide else "utf-8-sig")
    except OSError as error:
        raise Failure(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise Failure(
            f"{path} is not text: byte {error.start + 1} is not {error.encoding}"
        ) from None
    is_pgn = re.search(r'^\s*\[\w+\s+"', text, re.MULTILINE)
    found = list(_read_pgn(path, text, variant) if is_pgn else _read_lines(path, text, variant))
    games = [game._replace(white=_shown(game.white), black=_shown(game.black)) for game in found]
    if not games:
        raise Failure(f"{path} has no game")
    return games


def _shown(name: str) -> str:
    """A name without what a terminal or a picture cannot show."""
    return "".join(sign for sign in name if sign.isprintable())


def _read_lines(path: str, text: str, variant: str) -> Iterator[Game]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("{"):
            yield _from_record(f"{path}, line {number}", line, variant)
        elif line.strip():
            start, _, moves = line.partition(" moves")
            words = start.split()
            while words[:1] in (["position"], ["fen"]):
                del words[0]
            fen = None if words in ([], ["startpos"]) else " ".join(words)
            yield Game(variant, fen, moves.split())


def _from_record(place: str, line: str, variant: str) -> Game:
    """A game as `match` keeps it."""
    try:
        record = json.loads(line)
        # A program that writes lists of moves as mere texts is understood as well.
        moves = [{"move": move} if isinstance(move, str) else move for move in record["moves"]]
        fields: dict[str, str | None] = {
            name: record.get(name) for name in ("variant", "fen", "white", "black", "result")
        }
        if not all(value is None or isinstance(value, str) for value in fields.values()):
            raise TypeError
        texts = [str(move["move"]) for move in moves]
        book = frozenset(number for number, move in enumerate(moves) if move.get("book"))
    except ValueError as error:
        where = f", column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
        raise Failure(f"{place}{where}: not JSON") from None
    except (AttributeError, KeyError, TypeError):
        raise Failure(f"{place} is not the record of a game as in games.jsonl") from None
    return Game(
        fields["variant"] or variant,
        fields["fen"],
        texts,
        book,
        fields["white"] or "White",
        fields["black"] or "Black",
        fields["result"] or "*",
    )


# A tag, a comment, a comment to the end of the line, a sign like `$1`, brackets round a variation,
# or a word; `d1-d7(g7)` is a word.
_TOKEN = re.compile(
    r'\[\s*(?P<tag>\w+)\s+"(?P<value>(?:[^"\\]|\\.)*)"\s*\]'
    r"|\{(?P<comment>[^}]*)\}|;[^\n]*|(?m:^%[^\n]*)|\$\d+|(?P<bracket>[()])"
    r"|(?P<word>[^\s{}()\[\];$]+(?:\([a-k]\d+\))?)|(?P<wrong>\S)"
)


def _read_pgn(path: str, text: str, variant: str) -> Iterator[Game]:
    tags: dict[str, str] = {}
    moves: list[str] = []
    book: set[int] = set()
    depth = 0

    def game() -> Game:
        return Game(
            tags.get("Variant", variant),
            tags.get("FEN"),
            list(moves),
            frozenset(book),
            tags.get("White", "White"),
            tags.get("Black", "Black"),
            tags.get("Result", "*"),
        )

    for token in _TOKEN.finditer(text):
        if token["wrong"]:
            line = text.count("\n", 0, token.start()) + 1
            raise Failure(f"{path}, line {line}: '{token['wrong']}' is not closed or out of place")
        if token["tag"]:
            if moves:
                yield game()
                tags, moves, book = {}, [], set()
            tags[token["tag"]] = re.sub(r"\\(.)", r"\1", token["value"])
        elif token["comment"] is not None:
            if depth == 0 and moves and token["comment"].strip() == "book":
                book.add(len(moves) - 1)
        elif token["bracket"]:
            depth = max(0, depth + (1 if token["bracket"] == "(" else -1))
        elif token["word"] and depth == 0:
            word = re.sub(r"^\d+\.+|[!?]+$", "", token["word"])
            if word in ("1-0", "0-1", "1/2-1/2", "*"):
                tags["Result"] = word
                yield game()
                tags, moves, book = {}, [], set()
            elif word:
                moves.append(word)
    if tags or moves:
        yield game()


def squares(move: str) -> list[str]:
    """d1, d7, g7 of a move in any spelling: `d1d7,d7g7`, `d1-d7/g7`, `d1d7g7`."""
    found = re.findall(r"[a-k]\d+", move.lower())
    # The usual spelling names the square twice where the piece goes and from where it fires.
    if len(found) == 4 and found[1] == found[2]:
        del found[2]
    return found


def numbers(fen: str, moves: int) -> list[str]:
    """The numbers of so many moves of a game that began at `fen`: `1.`, `1…`, `2.`."""
    words = fen.split()
    side = words[1] if len(words) > 1 else "w"
    first = int(words[5]) if len(words) > 5 and words[5].isdigit() else 1
    plies = range(2 * first + (side == "b"), 2 * first + (side == "b") + moves)
    return [f"{ply // 2}{'…' if ply % 2 else '.'}" for ply in plies]
