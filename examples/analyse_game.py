#!/usr/bin/env python3
"""Analyse a game and print what each move was worth.

    python3 examples/analyse_game.py results/games.jsonl --game 3 --nodes 50000
    echo 'startpos moves d1d7,d7g7 a7a6,a6b5' > game.txt; python3 examples/analyse_game.py game.txt

The loss of a move is the expected score before it (0 to 100, for who moves) less the one after it.
"""

import argparse
import hippolyta

JUDGEMENTS = [(20, "blunder"), (10, "mistake"), (5, "inaccuracy")]


def judge(loss):
    return next((name for least, name in JUDGEMENTS if loss >= least), "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="games.jsonl of a match, or text: `startpos moves …` or `FEN moves …`")
    parser.add_argument("--game", type=int, default=1, help="which of the file's games, from 1")
    parser.add_argument("--variant", default="amazons", help="rule set, if the file does not say it")
    parser.add_argument("--nodes", type=int, default=50_000, help="for each position")
    parser.add_argument("--jobs", type=int, default=1, help="positions at once")
    arguments = parser.parse_args()
    games = hippolyta.read_games(arguments.file, arguments.variant)
    if not 1 <= arguments.game <= len(games):
        raise SystemExit(f"--game {arguments.game}: the file has {len(games)}")
    game = games[arguments.game - 1]

    with hippolyta.Analysis("--jobs", arguments.jobs) as engine:
        answers = engine.whole_game(hippolyta.setup(game), nodes=arguments.nodes)

    print(f"{game['white']} (White) against {game['black']} (Black), {game['variant']}: {game['result']}\n")
    print(f"{'':>4} {'move':<16} {'best':<16} {'before':>6} {'after':>6} {'loss':>6}")
    totals = {"white": [], "black": []}
    for ply, (before, after) in enumerate(zip(answers, answers[1:])):
        side = before["rootInfo"]["currentPlayer"]
        sign = 1 if side == "white" else -1
        score = [50 + sign * (100 * hippolyta.white_view(answer) - 50) for answer in (before, after)]
        played, best = game["moves"][ply], before["moveInfos"][0]["move"]
        loss = 0 if played == best else max(0, score[0] - score[1])
        totals[side].append((loss, played == best))
        number = f"{ply // 2 + 1}{'.' if side == 'white' else '…'}"
        print(f"{number:>4} {played:<16} {best:<16} {score[0]:6.1f} {score[1]:6.1f} {loss:6.1f}  {judge(loss)}".rstrip())

    print(f"\n{'':<6} {'moves':>6} {'best':>6} {'accuracy':>9} " + " ".join(f"{name:>11}" for _, name in JUDGEMENTS))
    for side, moves in totals.items():
        if moves:
            losses = [loss for loss, _ in moves]
            best = 100 * sum(is_best for _, is_best in moves) / len(moves)
            counts = [sum(judge(loss) == name for loss in losses) for _, name in JUDGEMENTS]
            accuracy = 100 - sum(losses) / len(losses)
            print(f"{side:<6} {len(moves):>6} {best:>5.0f}% {accuracy:>9.1f} " + " ".join(f"{count:>11}" for count in counts))


if __name__ == "__main__":
    main()
