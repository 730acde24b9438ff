"""Play against Hippolyta in a terminal: a short example. `hippolyta play` has more.

    python3 examples/play.py --variant amazons6 --side black --elo 1200

A move is the squares of the piece and, where the game has shots, the one it fires at: d1d7,d7g7,
d1-d7/g7 or d1 d7 g7. Other words:

    moves [d1 …]   all legal moves, or those that begin with these squares
    hint           what the engine would play
    back           takes your last move back
    board          shows the board again
    resign, quit   ends the game
    help           these words
"""

from __future__ import annotations

import argparse
import re

from engine import Analysis, Failure, Position, number_from, other, run

HELP = (__doc__ or "").partition("\n\n")[2].partition("\n\n")[2].strip()


def squares(move: str) -> list[str]:
    """d1, d7, g7 of a move in any spelling: `d1d7,d7g7`, `d1-d7/g7`, `d1d7g7`."""
    found = re.findall(r"[a-k]\d+", move.lower())
    # The usual spelling names the square twice where the piece goes and from where it fires.
    if len(found) == 4 and found[1] == found[2]:
        del found[2]
    return found


def diagram(fen: str, last: list[str]) -> str:
    """The board as text, White's pieces as capitals, the squares of the last move in brackets."""
    ranks = [re.findall(r"\d+|.", rank) for rank in fen.split()[0].split("/")]
    rows = ["".join("." * int(sign) if sign.isdigit() else sign for sign in rank) for rank in ranks]
    lines = []
    for rank, row in zip(range(len(rows), 0, -1), rows):
        marked = [f"{chr(97 + file)}{rank}" in last for file in range(len(row))]
        cells = [f"[{sign}]" if mark else f" {sign} " for sign, mark in zip(row, marked)]
        lines.append(f"{rank:>2} {''.join(cells)}")
    lines.append("   " + "".join(f" {chr(97 + file)} " for file in range(len(rows[0]))))
    return "\n".join(lines)


def chosen(words: list[str], state: Position) -> list[str]:
    """The legal moves that begin with the squares in `words`."""
    wanted = squares("".join(words))
    return [move for move in state.moves if squares(move)[: len(wanted)] == wanted]


def read_words() -> list[str]:
    try:
        return input("Your move: ").lower().split()
    except EOFError:
        print()
        return ["quit"]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--variant", default="amazons", help="rule set [amazons]")
    parser.add_argument("--fen", help="position to begin with [the start position]")
    parser.add_argument("--side", choices=["white", "black"], default="white", help="yours [white]")
    strength = parser.add_mutually_exclusive_group()
    strength.add_argument(
        "--nodes",
        type=number_from(1),
        default=20_000,
        metavar="N",
        help="positions that the engine evaluates for a move [20000]",
    )
    strength.add_argument(
        "--elo",
        type=number_from(0),
        metavar="R",
        help="play like this rating instead; 0 is a player of random moves",
    )
    arguments = parser.parse_args()
    limits = {"nodes": arguments.nodes} if arguments.elo is None else {"elo": arguments.elo}
    variant, fen = arguments.variant, arguments.fen
    moves: list[str] = []

    with Analysis() as engine:
        shown = None
        while True:
            state = engine.position(variant, fen, moves)
            if shown != moves:
                shown = list(moves)
                print(f"\n{diagram(state.fen, squares(moves[-1]) if moves else [])}\n")
            if state.outcome:
                draw = state.outcome == "draw"
                print("The game is drawn." if draw else f"{state.outcome.capitalize()} has won.")
                return
            if state.side != arguments.side:
                move = engine.best_move(variant, fen, moves, **limits)
                if move is None:
                    raise Failure("the engine has no move, though the game is not over")
                moves.append(move)
                print(f"Hippolyta plays {move}")
                continue
            words = read_words()
            if not words:
                continue
            if words[0] == "quit":
                return
            if words[0] == "resign":
                print(f"{other(arguments.side).capitalize()} has won.")
                return
            if words[0] == "help":
                print(HELP)
            elif words[0] == "board":
                shown = None
            elif words[0] == "moves":
                print(*chosen(words[1:], state))
            elif words[0] == "hint":
                print(f"Perhaps {engine.best_move(variant, fen, moves, **limits)}?")
            elif words[0] == "back":
                if len(moves) < 2:
                    print("There is no move of yours to take back.")
                else:
                    del moves[-2:]
            else:
                found = chosen(words, state)
                typed = " ".join(words)
                wanted = [] if re.sub(r"[a-k]\d+|[ ,x/()-]", "", typed) else squares(typed)
                exact = [move for move in found if squares(move) == wanted]
                if exact:
                    moves.append(exact[0])
                elif found and wanted:
                    print(f"{len(found)} legal moves begin like this; `moves {typed}` lists them.")
                else:
                    count = len(state.moves)
                    print(f"'{typed}' is none of the {count} legal moves; `moves` lists them.")


if __name__ == "__main__":
    run(main)
