"""Drive Hippolyta with python-chess: https://pypi.org/project/chess/

    pip install chess
    python3 examples/python_chess.py --variant iago --turns 4 --nodes 5000

`chess.engine` asks little of a board: where the game began, what was played, whose turn it is. It
leaves the rules to the engine. `Board` below is all it needs, for every rule set.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess

import chess.engine

# By itself chess.engine ends a line of moves at the first one that no chess board has room for.
chess.engine.UCI_REGEX = re.compile(r"[a-k]\d+x?[a-k]\d+|0000")


class Turn(str):
    """A turn as the engine writes it: `d1d7,d7g7`."""

    def uci(self) -> str:
        return str(self)


class Board:
    """A game in the eyes of chess.engine. Rule sets are subclasses: see `rule_set`."""

    uci_variant: str
    chess960 = False

    def __init__(self, start: str, turns: list[Turn] | None = None) -> None:
        self.start, self.move_stack = start, list(turns or [])

    @property
    def turn(self) -> bool:
        """Whether White is to move."""
        white_begins = self.start.split()[1] == "w"
        return white_begins == (len(self.move_stack) % 2 == 0)

    def root(self) -> Board:
        return type(self)(self.start)

    def copy(self, *, stack: bool = True) -> Board:
        """Always with its turns: only the engine could say where they have led."""
        return type(self)(self.start, self.move_stack)

    def fen(self, **_: object) -> str:
        return self.start

    def parse_uci(self, text: str) -> Turn:
        return Turn(text)

    def push(self, turn: Turn) -> None:
        self.move_stack.append(turn)

    def push_uci(self, text: str) -> Turn:
        self.push(Turn(text))
        return self.move_stack[-1]

    def pop(self) -> Turn:
        return self.move_stack.pop()


def rule_set(program: str, variant: str) -> Board:
    """The start of a game of `variant`, as the program gives it."""
    words = f"setoption name UCI_Variant value {variant}\nd\nquit\n"
    said = subprocess.run([program], input=words, capture_output=True, text=True, check=True).stdout
    if "ERROR" in said:
        raise SystemExit(said[said.index("ERROR") :].splitlines()[0])
    start = re.search("^Fen: (.*)", said, re.MULTILINE)
    assert start
    return type("Board", (Board,), {"uci_variant": variant})(start[1])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    program = os.environ.get("HIPPOLYTA", "hippolyta")
    parser.add_argument("--engine", default=program, help=f"its path [{program}]")
    parser.add_argument("--variant", default="amazons", help="rule set [amazons]")
    parser.add_argument("--turns", type=int, default=2, help="to play before the analysis [2]")
    parser.add_argument("--nodes", type=int, default=20_000, help="of each search [20000]")
    arguments = parser.parse_args()

    board = rule_set(arguments.engine, arguments.variant)
    limit = chess.engine.Limit(nodes=arguments.nodes)
    with chess.engine.SimpleEngine.popen_uci(arguments.engine) as engine:
        for _ in range(arguments.turns):
            turn = engine.play(board, limit).move
            if turn is None:
                break  # the game is over
            board.push(turn)
        print("Played:", " ".join(board.move_stack))
        for info in engine.analyse(board, limit, multipv=3):
            line = " ".join(info.get("pv", [])) or "the game is over"
            print(f"{info['score'].white()!s:>6} for White: {line}")


if __name__ == "__main__":
    main()
