"""A small tournament: every player meets every other one, with both colours.

    python3 examples/tournament.py --variant amazons6 fast=200 slow=2000 --games 4
    python3 examples/tournament.py me=1000 other='1000:./engine --quiet'

A player is NAME=NODES, which is Hippolyta with so many nodes for a move, or NAME=NODES:COMMAND,
which is another engine that speaks UCI. A player that ends, does not answer in time or plays an
illegal move has lost the game, and is started anew for the next. `hippolyta match` does much more;
this shows how little it takes.
"""

from __future__ import annotations

import argparse
import itertools
import random
import shlex
from typing import NamedTuple

from engine import WINDOWS, Analysis, Command, Failure, Player, Position, number_from, run


class Opponent:
    """A player of the tournament. Its engine runs from its first game on."""

    def __init__(self, name: str, nodes: int, command: Command | None, variant: str) -> None:
        self.name, self.limits = name, f"nodes {nodes}"
        self._command, self._variant = command, variant
        self._engine: Player | None = None

    def begin(self) -> None:
        """Starts the engine if it does not run."""
        if not self._engine:
            self._engine = Player(self._command, self._variant, name=self.name)

    def move(self, fen: str, moves: list[str], timeout: float) -> str | None:
        assert self._engine
        return self._engine.best_move(fen, moves, self.limits, timeout)

    def end(self) -> None:
        """Ends the engine."""
        if self._engine:
            self._engine.close()
            self._engine = None


class Rules(NamedTuple):
    """The rule set that is played, its referee and the time for a move."""

    referee: Analysis
    variant: str
    # Seconds for a move.
    timeout: float

    def position(self, moves: list[str]) -> Position:
        return self.referee.position(self.variant, None, moves)


def play(
    rules: Rules, white: Opponent, black: Opponent, opening: list[str]
) -> tuple[float, list[str], str]:
    """One game: White's score, the moves, and why it ended if the rules did not end it."""
    moves = list(opening)
    fen = rules.position([]).fen
    for player in (white, black):
        player.begin()
    while True:
        state = rules.position(moves)
        if state.outcome:
            return {"white": 1.0, "draw": 0.5, "black": 0.0}[state.outcome], moves, ""
        player = white if state.side == "white" else black
        lost = 0.0 if state.side == "white" else 1.0
        try:
            move = player.move(fen, moves, rules.timeout)
        except Failure as failure:
            player.end()
            return lost, moves, str(failure)
        if move not in state.moves:
            return lost, moves, f"{player.name} has played {move}, which is illegal"
        moves.append(move)


def random_opening(rules: Rules, rng: random.Random, plies: int) -> list[str]:
    """`plies` random moves, or fewer if the game ends before."""
    moves: list[str] = []
    for _ in range(plies):
        legal = rules.position(moves).moves
        if not legal:
            break
        moves.append(rng.choice(legal))
    return moves


def read_player(text: str, variant: str) -> Opponent:
    name, _, rest = text.partition("=")
    nodes, _, line = rest.partition(":")
    if not name or not nodes.isascii() or not nodes.isdigit() or int(nodes) < 1:
        raise ValueError(f"'{text}' is neither NAME=NODES nor NAME=NODES:COMMAND")
    if not line:
        return Opponent(name, int(nodes), None, variant)
    # Windows takes a command as one line, in which \ is no escape.
    try:
        return Opponent(name, int(nodes), line if WINDOWS else shlex.split(line), variant)
    except ValueError:
        raise ValueError(f"'{text}': a quotation in the command is not closed") from None


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("players", nargs="+", metavar="NAME=NODES[:COMMAND]")
    parser.add_argument("--variant", default="amazons6", help="rule set [amazons6]")
    parser.add_argument(
        "--games",
        type=number_from(1),
        default=2,
        metavar="N",
        help="games of each pair, half of them with either colour [2]",
    )
    parser.add_argument(
        "--plies",
        type=number_from(0),
        default=2,
        metavar="N",
        help="random moves that a game begins with [2]",
    )
    parser.add_argument(
        "--seed", type=number_from(0), default=0, metavar="N", help="seed of these moves [0]"
    )
    parser.add_argument(
        "--timeout",
        type=number_from(1),
        default=60,
        metavar="SECONDS",
        help="a player that takes longer for a move has lost [60]",
    )
    arguments = parser.parse_args()
    try:
        players = [read_player(text, arguments.variant) for text in arguments.players]
    except ValueError as error:
        parser.error(str(error))
    points = {player.name: 0.0 for player in players}
    if len(players) < 2 or len(points) < len(players):
        parser.error("at least two players are needed, each with a name of its own")

    rng = random.Random(arguments.seed)
    played = dict.fromkeys(points, 0)
    try:
        with Analysis() as referee:
            rules = Rules(referee, arguments.variant, arguments.timeout)
            for first, second in itertools.combinations(players, 2):
                opening: list[str] = []
                for game in range(arguments.games):
                    if game % 2 == 0:
                        opening = random_opening(rules, rng, arguments.plies)
                    white, black = (first, second) if game % 2 == 0 else (second, first)
                    score, moves, reason = play(rules, white, black, opening)
                    text = f"{white.name} - {black.name}: {score:g} - {1 - score:g}"
                    note = f"; {reason}" if reason else ""
                    print(f"{text} ({len(moves)} moves{note})", flush=True)
                    for player, result in ((white, score), (black, 1 - score)):
                        points[player.name] += result
                        played[player.name] += 1
    finally:
        for player in players:
            player.end()
    print()
    for name in sorted(points, key=lambda name: points[name], reverse=True):
        print(f"{name:<20} {points[name]:g} of {played[name]}")


if __name__ == "__main__":
    run(main)
