"""How often an evaluation orders two turns as a search does.

    python3 examples/sibling_accuracy.py crates/lab/src/arena/suites/amazons.epd --engine hippolyta --engine ./other

For each position of the file, after 0, 8, 16 or 24 turns that the first engine plays on with 100 nodes each, 16 turns are
drawn at random. Every engine searches the positions after them, 20,000 nodes for all 16 together. Pairs of turns whose
expected scores differ by 0.02 or more are compared with what each engine says of these positions without any search. The
table has a row for each evaluation and a column for each search. Only the standard library is needed; an engine is a
binary that knows UCI, `analyse` and `legal`.
"""

import argparse
import itertools
import json
import random
import re
import subprocess
from collections.abc import Iterable

TURNS = 16
LEAST_DIFFERENCE = 0.02


def ask(engine: str, queries: Iterable[dict[str, object]]) -> dict[str, dict]:
    """The results by the ids of the queries."""
    lines = "".join(json.dumps(query) + "\n" for query in queries)
    command = [engine, "analyse", "--threads", "1", "--jobs", "2", "--hash", "64"]
    text = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout
    answers = map(json.loads, text.splitlines())
    return {answer["id"]: answer for answer in answers if "rootInfo" in answer}


def positions(engine: str, fens: list[str]) -> list[str]:
    """The positions of the file, played on."""
    games = {str(number): fen for number, fen in enumerate(fens)}
    for turn in range(24):
        going = [number for number in games if turn < 8 * (int(number) % 4)]
        answers = ask(
            engine, ({"id": number, "fen": games[number], "nodes": 100} for number in going)
        )
        moves = {
            number: answer["moveInfos"][0]["move"]
            for number, answer in answers.items()
            if answer["moveInfos"]
        }
        after = ask(
            engine,
            ({"id": n, "fen": games[n], "moves": [move], "nodes": 1} for n, move in moves.items()),
        )
        games.update({number: answer["rootInfo"]["fen"] for number, answer in after.items()})
    return list(games.values())


def evaluated(
    engine: str, fens: list[str], turns: list[tuple[int, str]]
) -> dict[tuple[int, str], float]:
    """The expected score of each turn by the evaluation of the position after it, which `eval` gives for White."""
    lines = "".join(f"position fen {fens[number]} moves {move}\neval\n" for number, move in turns)
    text = subprocess.run(
        [engine], input=lines + "quit\n", capture_output=True, text=True, check=True
    ).stdout
    scores = {}
    for (number, move), line in zip(
        turns, (line for line in text.splitlines() if line.startswith("Final"))
    ):
        # Whoever ends the game has won.
        known = re.search(r" score ([0-9.]+) ", line)
        white_moved = fens[number].split()[1] == "w"
        scores[number, move] = (
            1.0 if known is None else float(known[1]) if white_moved else 1 - float(known[1])
        )
    return scores


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", help="positions, an EPD file")
    parser.add_argument(
        "--engine", action="append", required=True, help="a binary; the first one plays on"
    )
    parser.add_argument(
        "--positions", type=int, default=200, help="how many of the file's positions"
    )
    parser.add_argument(
        "--nodes", type=int, default=20_000, help="nodes for all turns of a position"
    )
    options = parser.parse_args()
    with open(options.file, encoding="utf-8") as file:
        fens = [" ".join(line.split()[:4]) for line in file if line.strip()][: options.positions]
    fens = positions(options.engine[0], fens)

    draw = random.Random(1)
    turns = []
    for number, fen in enumerate(fens):
        legal = subprocess.run(
            [options.engine[0], "legal", "--fen", fen], capture_output=True, text=True, check=True
        )
        moves = sorted(legal.stdout.split())
        turns += [(number, move) for move in draw.sample(moves, min(TURNS, len(moves)))]

    def searched(engine: str) -> dict[tuple[int, str], float]:
        """The expected score of each turn by a search of the position after it."""
        nodes = options.nodes // TURNS
        queries = (
            {"id": f"{n} {move}", "fen": fens[n], "moves": [move], "nodes": nodes}
            for n, move in turns
        )
        found = ask(engine, queries)
        return {(n, move): 1 - found[f"{n} {move}"]["rootInfo"]["winrate"] for n, move in turns}

    scores = [searched(engine) for engine in options.engine]
    print("| evaluation |" + "".join(f" search of {engine} |" for engine in options.engine))
    print("| --- |" + " --- |" * len(options.engine))
    for engine in options.engine:
        static = evaluated(engine, fens, turns)
        row = f"| {engine} |"
        for searched in scores:
            right, pairs = 0.0, 0
            for _, group in itertools.groupby(sorted(searched), key=lambda turn: turn[0]):
                for one, other in itertools.combinations(group, 2):
                    difference = searched[one] - searched[other]
                    if abs(difference) >= LEAST_DIFFERENCE:
                        guess = (static[one] - static[other]) * difference
                        right, pairs = (
                            right + (1 if guess > 0 else 0.5 if guess == 0 else 0),
                            pairs + 1,
                        )
            row += f" {100 * right / max(pairs, 1):.1f} % of {pairs} pairs |"
        print(row)


if __name__ == "__main__":
    main()
