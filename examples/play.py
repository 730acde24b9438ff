#!/usr/bin/env python3
"""Play against Hippolyta in the terminal.

    python3 examples/play.py --variant amazons6 --side black --nodes 5000

Moves are written d1d7,d7g7: from, to, fire. Other words: moves (all legal ones, or those that begin like `moves d1`), hint, back, quit.
"""

import argparse
import hippolyta


def show(player, fen, moves):
    player.send(f"position fen {fen} moves {' '.join(moves)}")
    for line in player.ask("d", "State: "):
        if not line.startswith(("Key: ", "Variant: ")):
            print(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="amazons")
    parser.add_argument("--fen", help="where to begin [default: the start position]")
    parser.add_argument("--side", choices=["white", "black"], default="white", help="yours")
    parser.add_argument("--nodes", type=int, default=20_000, help="how much the engine thinks")
    arguments = parser.parse_args()
    given = {"fen": arguments.fen} if arguments.fen else {}

    with hippolyta.Analysis() as referee:
        fen = referee.ask(action="legal_moves", variant=arguments.variant, **given)["fen"]
        player = hippolyta.Player(variant=arguments.variant)
        limits, moves = f"nodes {arguments.nodes}", []
        while True:
            state = referee.ask(action="legal_moves", variant=arguments.variant, fen=fen, moves=moves)
            show(player, fen, moves)
            if state["outcome"]:
                print("Drawn." if state["outcome"] == "draw" else f"{state['outcome'].capitalize()} has won.")
                break
            if state["currentPlayer"] != arguments.side:
                moves.append(player.best_move(fen, moves, limits))
                print(f"\nHippolyta plays {moves[-1]}\n")
                continue
            try:
                words = input("Your move: ").split() or [""]
            except EOFError:
                break
            if words[0] == "quit":
                break
            elif words[0] == "moves":
                print(*[move for move in state["moves"] if move.startswith("".join(words[1:]))])
            elif words[0] == "hint":
                print(f"Perhaps {player.best_move(fen, moves, limits)}?")
            elif words[0] == "back":
                del moves[-2:]
            elif words[0] in state["moves"]:
                moves.append(words[0])
            else:
                print(f"'{words[0]}' is none of the {len(state['moves'])} legal moves: `moves` lists them.")
        player.close()


if __name__ == "__main__":
    main()
