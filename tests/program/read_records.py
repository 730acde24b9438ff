"""Reads a PGN file with python-chess and an SGF file with sgfmill; prints what they found as one JSON object."""

import io
import json
import sys

import chess.pgn
from sgfmill import sgf


class Moves(chess.pgn.BaseVisitor):
    """Takes the tokens of one game without a board that knows the rules."""

    def __init__(self) -> None:
        self.tags: dict[str, str] = {}
        self.tokens = 0
        self.comments: list[str] = []
        self.variations = 0

    def visit_header(self, name: str, value: str) -> None:
        self.tags[name] = value

    def parse_san(self, board: chess.Board, san: str) -> chess.Move:
        self.tokens += 1
        return chess.Move.null()

    def visit_comment(self, comment: str) -> None:
        self.comments.append(comment)

    def begin_variation(self) -> None:
        self.variations += 1

    def handle_error(self, error: Exception) -> None:
        # A rule set that python-chess does not know.
        pass

    def result(self) -> dict[str, object]:
        return {
            "tags": self.tags,
            "tokens": self.tokens,
            "comments": self.comments,
            "variations": self.variations,
        }


def pgn(path: str) -> list[dict[str, object]]:
    with open(path, encoding="utf-8") as text:
        headers = list(iter(lambda: chess.pgn.read_headers(text), None))
    # The tag Variant would make python-chess look for a board of its own.
    with open(path, encoding="utf-8") as text:
        plain = text.read().replace("[Variant ", "[RuleSet ").replace("[SetUp ", "[WithSetUp ").replace("[FEN ", "[Start ")
    stream = io.StringIO(plain)
    games = list(iter(lambda: chess.pgn.read_game(stream, Visitor=Moves), None))
    assert len(games) == len(headers), (len(games), len(headers))
    for game, tags in zip(games, headers):
        game["headers"] = dict(tags)
    return games


def tree(node: sgf.Tree_node) -> dict[str, object]:
    return {
        "properties": {
            name: [value.decode("utf-8") for value in node.get_raw_list(name)] for name in node.properties()
        },
        "comment": node.get("C") if node.has_property("C") else "",
        "children": [tree(child) for child in node],
    }


def main() -> None:
    with open(sys.argv[2], "rb") as text:
        game = sgf.Sgf_game.from_bytes(text.read())
    found = {"pgn": pgn(sys.argv[1]), "sgf": tree(game.get_root()), "size": game.get_size()}
    print(json.dumps(found))


main()
