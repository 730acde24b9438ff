"""Draw a position of a game as SVG, with White's win rate over the whole game under the board.

    python3 examples/draw_game.py results/games.jsonl --game 3 --move 20 --out game.svg
    python3 examples/draw_game.py results/games.pgn > game.svg

It needs the Python package. Every position of the game is searched; the
picture also shows the last turn and who owns which squares.
"""

from __future__ import annotations

import argparse
import itertools
from pathlib import Path

from engine import Failure, number_from, run


def draw(file: str, variant: str, number: int, move: int | None, nodes: int, jobs: int) -> str:
    from hippolyta import Engine, Limit
    from hippolyta.games import read
    from hippolyta.review import review

    game = next(itertools.islice(read(file, variant), number - 1, None), None)
    if game is None:
        raise Failure(f"--game {number}: {file} has fewer games")
    move = len(game) if move is None else move
    if move > len(game):
        raise Failure(f"--move {move}: the game has {len(game)} turns of both sides together")
    limit = Limit(nodes=nodes)
    with Engine() as engine:
        found = review(game, engine, limit, jobs=jobs)
        board = game.board(move)
        info = engine.analyse(board, limit, ownership=True, territory=True)
    title = f"{game.white} (White) against {game.black} (Black), {game.variant}: {game.result}"
    score = f"after turn {move} of {len(game)}: White scores {100 * found.curve[move]:.0f} %"
    return board.svg(
        size=720, ownership=info, territory=info, course=found.curve, caption=[title, score]
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", help="PGN, SGF, games.jsonl of a match, or lines of turns")
    parser.add_argument("--variant", default="amazons", help="rule set, if none is named [amazons]")
    parser.add_argument("--move", type=number_from(0), metavar="N", help="after N turns [all]")
    for name, default, says in [
        ("--game", 1, "game N of the file"),
        ("--nodes", 20_000, "positions to evaluate in each search"),
        ("--jobs", 1, "searches at the same time; they do not change the result"),
    ]:
        parser.add_argument(
            name, type=number_from(1), default=default, metavar="N", help=f"{says} [{default}]"
        )
    parser.add_argument("--out", metavar="FILE", help="where to write [standard output]")
    given = parser.parse_args()
    try:
        picture = draw(given.file, given.variant, given.game, given.move, given.nodes, given.jobs)
        if given.out is None:
            print(picture)
        else:
            Path(given.out).write_text(picture + "\n", encoding="utf-8")
    except ImportError as error:
        raise Failure(f"{error}: it comes with the Python package of Hippolyta") from None
    except ValueError as error:
        raise Failure(str(error)) from None
    except OSError as error:
        raise Failure(f"{error.filename or given.file}: {error.strerror or error}") from None


if __name__ == "__main__":
    run(main)
