"""Make exercises of the mistakes in a game: the position, what was played, what was better.

    python3 examples/analyse_game.py results/games.jsonl --game 3 --nodes 50000
    python3 examples/analyse_game.py game.sgf --side black --by cost

`hippolyta review` searches every position and judges every turn; this script reads its rows. Files
are all that `hippolyta review` reads; - is standard input.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from typing import Any

from engine import command, number_from, run


def review(file: str, *options: object) -> list[dict[str, Any]]:
    """A row for each turn of a game."""
    words = [*command(), "review", file, "--format", "json", *map(str, options)]
    done = subprocess.run(words, stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        # It has said why.
        raise SystemExit(done.returncode)
    return [json.loads(row) for row in done.stdout.splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", help="PGN, SGF, games.jsonl of a match, or lines of turns")
    parser.add_argument("--side", choices=["white", "black"], help="whose mistakes [both sides']")
    parser.add_argument("--by", choices=["turn", "cost"], default="turn", help="their order [turn]")
    for name, default, says in [
        ("--game", 1, "game N of the file"),
        ("--nodes", 20_000, "positions to evaluate in each search"),
        ("--threads", 1, "searches at the same time; they do not change the result"),
    ]:
        parser.add_argument(
            name, type=number_from(1), default=default, metavar="N", help=f"{says} [{default}]"
        )
    parser.add_argument("--variant", default="amazons", help="rule set, if none is named [amazons]")
    given = parser.parse_args()
    numbers = ["--game", given.game, "--nodes", given.nodes, "--threads", given.threads]
    rows = review(given.file, *numbers, "--variant", given.variant)
    found = [row for row in rows if row["verdict"] not in ("", "book")]
    found = [row for row in found if given.side in (None, row["side"])]
    if given.by == "cost":
        found.sort(key=lambda row: -float(row["loss"]))
    print(f"{len(rows)} turns, {len(found)} exercises")
    for row in found:
        print(f"\n{row['fen']}")
        lost = f"{row['verdict']}, lost {100 * row['loss']:.0f} %"
        print(f"    {row['number']} {row['side'].capitalize()} played {row['played']}: {lost}")
        print(f"    Better: {row['pv']}")


if __name__ == "__main__":
    run(main)
