"""Writes walls.jsonl: games of Fairy-Stockfish by the rule sets of walls.ini, with its legal moves as hashes.

Needs pyffish (pip install pyffish). Each line is a rule set with its games: for each the number of turns, a hash of the
legal turns before each of them and at the end, and who has won: w, b or draw. Turns are chosen by these hashes, so that
nobody has to keep them.
"""

import json
import pathlib
import re

import pyffish

FOLDER = pathlib.Path(__file__).parent
GAMES = 50


def fnv1a(number: int, text: str) -> int:
    """The 64-bit hash FNV-1a, continued from a number."""
    for byte in text.encode():
        number = (number ^ byte) * 0x100_0000_01B3 % 2**64
    return number


def shown(name: str, move: str) -> str:
    """A move as it is written here."""
    way = move.split(",")[0]
    moves = way[: len(way) // 2] != way[len(way) // 2 :]
    return way if name.startswith("or-") and moves else move


def play(name: str, start: str, game: int) -> list[object]:
    """A game from its start to the end, another one for each number."""
    moves: list[str] = []
    number = fnv1a(0xCBF2_9CE4_8422_2325, f"{name} {game}")
    # Where a turn moves or walls, moves name a wall that is not there.
    while legal := sorted((shown(name, move), move) for move in pyffish.legal_moves(name, start, moves)):
        number = fnv1a(number, " ".join(text for text, _ in legal))
        moves.append(legal[number % len(legal)][1])
    # From the view of the side to move.
    result = pyffish.game_result(name, start, moves)
    black = (" b " in f"{start} ") != (len(moves) % 2 == 1)
    winner = "draw" if result == 0 else "b" if (result > 0) == black else "w"
    return [len(moves), f"{number:016x}", winner]


def main() -> None:
    """Plays all games."""
    text = (FOLDER / "walls.ini").read_text()
    pyffish.load_variant_config(text)
    names = re.findall(r"^\[([^]:]+)", text, re.MULTILINE)
    with (FOLDER / "walls.jsonl").open("w") as file:
        for name in names:
            start = pyffish.start_fen(name)
            row = {"set": name, "games": [play(name, start, game) for game in range(GAMES)]}
            file.write(json.dumps(row, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
