#!/usr/bin/env python3
"""A small tournament: every player against every other, with both colours.

    python3 examples/tournament.py --variant amazons6 fast=200 slow=2000 --games 4

A player is NAME=NODES, Hippolyta with so many nodes a move, or NAME=NODES:COMMAND for another engine that speaks UCI. `hippolyta match` does much
more; this shows how little it takes.
"""

import argparse
import itertools
import random
import shlex
import hippolyta


def play(referee, variant, white, black, opening):
    """One game; White's score."""
    moves = list(opening)
    start = referee.ask(action="legal_moves", variant=variant)["fen"]
    while True:
        state = referee.ask(action="legal_moves", variant=variant, moves=moves)
        if state["outcome"]:
            return {"white": 1, "draw": 0.5, "black": 0}[state["outcome"]], moves
        engine, limits = white if state["currentPlayer"] == "white" else black
        move = engine.best_move(start, moves, limits)
        if move not in state["moves"]:
            return (0 if state["currentPlayer"] == "white" else 1), moves
        moves.append(move)


def opening(referee, variant, rng, plies):
    moves = []
    for _ in range(plies):
        legal = referee.ask(action="legal_moves", variant=variant, moves=moves)["moves"]
        if not legal:
            break
        moves.append(rng.choice(legal))
    return moves


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs="+", metavar="NAME=NODES[:COMMAND]")
    parser.add_argument("--variant", default="amazons6")
    parser.add_argument("--games", type=int, default=2, help="of each pair, half of them with either colour")
    parser.add_argument("--plies", type=int, default=2, help="random moves to begin with")
    parser.add_argument("--seed", type=int, default=0, help="for these")
    arguments = parser.parse_args()

    players = {}
    for player in arguments.players:
        name, _, rest = player.partition("=")
        nodes, _, command = rest.partition(":")
        if not nodes.isdigit() or int(nodes) < 1:
            parser.error(f"'{player}': NAME=NODES or NAME=NODES:COMMAND is expected")
        players[name] = (hippolyta.Player(shlex.split(command), arguments.variant), f"nodes {nodes}")
    if len(players) < 2:
        parser.error("two players of different names are needed")

    rng = random.Random(arguments.seed)
    points = {name: 0.0 for name in players}
    played = {name: 0 for name in players}
    with hippolyta.Analysis() as referee:
        for first, second in itertools.combinations(players, 2):
            start = None
            for game in range(arguments.games):
                if game % 2 == 0:
                    start = opening(referee, arguments.variant, rng, arguments.plies)
                white, black = (first, second) if game % 2 == 0 else (second, first)
                score, moves = play(referee, arguments.variant, players[white], players[black], start)
                print(f"{white} - {black}: {score:g} - {1 - score:g} ({len(moves)} moves)", flush=True)
                for name, result in ((white, score), (black, 1 - score)):
                    points[name] += result
                    played[name] += 1
    print()
    for name in sorted(points, key=points.get, reverse=True):
        print(f"{name:<20} {points[name]:g} of {played[name]}")
    for engine, _ in players.values():
        engine.close()


if __name__ == "__main__":
    main()
