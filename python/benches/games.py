"""How fast games are played from Python, side by side with Rust, pyffish and OpenSpiel: one JSON line for each.

    cargo build --release -p hippolyta-python --example games
    python benches/games.py --rust ../target/release/examples/games

`playouts` draws each turn at random and plays it. `every_move` goes through the texts of all legal turns, too. Each
program plays the same number of games; the seconds are the best of several runs, in turn.
"""

import argparse
import json
import random
import subprocess
import time
from collections.abc import Callable
from typing import Any

from hippolyta import Board


def playouts(games: int) -> int:
    plies, draw = 0, random.Random(1)
    for _ in range(games):
        board = Board("amazons")
        while legal := board.legal_moves:
            board.push(draw.choice(legal))
            plies += 1
    return plies


def every_move(games: int) -> int:
    plies, draw = 0, random.Random(1)
    for _ in range(games):
        board = Board("amazons")
        while legal := list(board.legal_moves):
            board.push(draw.choice(legal))
            plies += 1
    return plies


def pyffish_playouts(games: int) -> int:
    import pyffish

    plies, draw = 0, random.Random(1)
    for _ in range(games):
        fen = pyffish.start_fen("amazons")
        while legal := pyffish.legal_moves("amazons", fen, []):
            fen = pyffish.get_fen("amazons", fen, [draw.choice(legal)])
            plies += 1
    return plies


def openspiel_playouts(games: int) -> int:
    import pyspiel

    # An action is a square: three make a turn.
    actions, draw = 0, random.Random(1)
    game = pyspiel.load_game("amazons")
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(draw.choice(state.legal_actions()))
            actions += 1
    return actions // 3


def rust(program: str, what: str) -> Callable[[int], int]:
    def play(games: int) -> int:
        said = subprocess.run(
            [program, what, str(games)], capture_output=True, check=True, text=True
        )
        return int(said.stdout.split()[0])

    return play


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rust", help="the example `games` of the Rust crate")
    options = parser.parse_args()
    contest: dict[str, Callable[[int], int]] = {
        "hippolyta playouts": playouts,
        "hippolyta every_move": every_move,
        "openspiel playouts": openspiel_playouts,
        "pyffish playouts": pyffish_playouts,
    }
    if options.rust:
        for what in ("playouts", "every_move"):
            contest[f"rust {what}"] = rust(options.rust, what)
    best: dict[str, dict[str, Any]] = {}
    for _ in range(options.runs):
        for name, play in contest.items():
            try:
                began = time.perf_counter()
                plies = play(options.games)
                seconds = time.perf_counter() - began
            except ImportError as error:
                best[name] = {"name": name, "missing": error.name}
                continue
            row = {"name": name, "games": options.games, "turns": plies, "seconds": seconds}
            if name not in best or seconds < best[name]["seconds"]:
                best[name] = row
    for row in best.values():
        if "seconds" in row:
            row["microseconds_a_turn"] = round(1e6 * row["seconds"] / row["turns"], 2)
            row["seconds"] = round(row["seconds"], 4)
        print(json.dumps(row))


if __name__ == "__main__":
    main()
