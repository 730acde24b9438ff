#!/usr/bin/env python3
"""How late answers come: with `go movetime` on a busy machine, after `stop` on a quiet one.

    python3 fuzz/clock.py moves --moves 1000 --busy 4
    python3 fuzz/clock.py moves --moves 1000 --busy 4 --engine old/hippolyta --engine new/hippolyta
    python3 fuzz/clock.py stop --times 200

`moves` counts the answers that come more than 10, 30 and 100 ms after their time. `stop` measures
from `stop` to `bestmove` and exits with 1 if fewer than 99 of 100 come within 10 ms. Several
engines take turns, so that what else the machine does meets all of them.

All that an engine writes is read at once, as by a front end: with 500 lines a report is more than
a pipe holds, and an engine whose reports nobody reads cannot go on.
"""

import argparse
import random
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))
from engine import Player, command, run  # noqa: E402

LATE = [10, 30, 100]
# A board whose proof takes minutes, for `go mate`.
OPEN = "1q2q1/q4q/Q4Q/1Q2Q1 w - - 0 1"
# Name, options, position, go.
SEARCHES = [
    ("infinite", {}, "startpos", "go infinite"),
    ("infinite, 2 threads", {"Threads": 2}, "startpos", "go infinite"),
    ("infinite with a proof search", {}, f"fen {OPEN}", "go infinite"),
    ("mate", {}, f"fen {OPEN}", "go mate 99"),
    ("mate, 2 threads, Hash 1024", {"Threads": 2, "Hash": 1024}, f"fen {OPEN}", "go mate 99"),
    ("MultiPV 10", {"MultiPV": 10}, "startpos", "go infinite"),
    ("MultiPV 500", {"MultiPV": 500}, "startpos", "go infinite"),
]


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def moves(arguments):
    """Answers to `go movetime` beside busy processes."""
    busy = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(arguments.busy)
    ]
    try:
        for threads in arguments.threads:
            players = [
                Player(engine, options={"Threads": threads, "Hash": 16})
                for engine in arguments.engine
            ]
            late = [[] for _ in players]
            for _ in range(arguments.moves):
                for player, times in zip(players, late):
                    player.send("ucinewgame")
                    player.ask("isready", "readyok")
                    # Not in step with the system's clock.
                    time.sleep(random.uniform(0, 0.01))
                    began = time.monotonic()
                    player.send(f"go movetime {arguments.movetime}")
                    times.append(1000 * (player.until_best_move() - began) - arguments.movetime)
            for engine, player, times in zip(arguments.engine, players, late):
                counts = ", ".join(
                    f"{sum(time > bound for time in times)} > {bound} ms" for bound in LATE
                )
                spread = ", ".join(f"{percentile(times, share):+.1f}" for share in (0.5, 0.99, 1))
                print(
                    f"{' '.join(engine)}: {threads} threads, {len(times)} moves, "
                    f"later than their time: {counts}; median, 99 %, worst {spread} ms",
                    flush=True,
                )
                player.close()
    finally:
        for process in busy:
            process.kill()
            process.wait()


def stop(arguments):
    """Answers to `stop` on a machine that does nothing else."""
    slow = False
    for name, options, position, go in SEARCHES:
        players = [Player(engine, options=options) for engine in arguments.engine]
        took = [[] for _ in players]
        for _ in range(arguments.times):
            for player, times in zip(players, took):
                player.send(f"position {position}")
                player.ask("isready", "readyok")
                player.send(go)
                time.sleep(random.uniform(0.05, 0.15))
                began = time.monotonic()
                player.send("stop")
                times.append(1000 * (player.until_best_move() - began))
        for engine, player, times in zip(arguments.engine, players, took):
            quick = sum(time <= 10 for time in times)
            slow |= 100 * quick < 99 * len(times)
            spread = ", ".join(f"{percentile(times, share):.2f}" for share in (0.5, 0.99, 1))
            print(
                f"{' '.join(engine)}: {name}: {quick} of {len(times)} within 10 ms; "
                f"median, 99 %, worst {spread} ms",
                flush=True,
            )
            player.close()
    return slow


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["moves", "stop"])
    parser.add_argument(
        "--engine",
        action="append",
        help="program, may be given more than once [default: as in examples/]",
    )
    parser.add_argument("--moves", type=int, default=1000)
    parser.add_argument("--movetime", type=int, default=100, help="milliseconds")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument(
        "--busy", type=int, default=4, help="processes that compute beside the engine"
    )
    parser.add_argument("--times", type=int, default=200, help="searches to stop, of each kind")
    arguments = parser.parse_args()
    arguments.engine = [[program] for program in arguments.engine or []] or [command()]
    sys.exit(moves(arguments) if arguments.what == "moves" else stop(arguments))


if __name__ == "__main__":
    run(main)
