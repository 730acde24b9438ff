#!/usr/bin/env python3
"""Many fast games over all rule sets with the same two processes.

Nothing may crash, lose on time, play an illegal move, or grow.

    python3 fuzz/soak.py --games 2000
    python3 fuzz/soak.py --games 2000 --nodes 100

An engine has used more time than it had if its clock, as the engine was told it, is below zero when
its move comes. Exits with 1 if anything went wrong. Linux only, as it looks at /proc for memory.
"""

import argparse
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))
from engine import Analysis, Player, run  # noqa: E402


def resident(player):
    """Resident memory of a process, MiB."""
    status = Path(f"/proc/{player.process.pid}/status").read_text()
    return (
        int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])
        / 1024
    )


def play(referee, players, variant, rng, clock, nodes, faults, worst):
    for player in players:
        player.send(f"setoption name UCI_Variant value {variant}")
        player.ask("isready", "readyok")
    start, moves, times = None, [], [clock[0], clock[0]]
    while True:
        state = referee.ask(action="legal_moves", variant=variant, moves=moves)
        start = start or state["fen"]
        if state["outcome"]:
            return len(moves)
        if len(moves) < 4:
            moves.append(rng.choice(state["moves"]))
            continue
        mover = 0 if state["currentPlayer"] == "white" else 1
        limits = (
            nodes or f"wtime {int(times[0])} btime {int(times[1])} winc {clock[1]} binc {clock[1]}"
        )
        told, began = int(times[mover]), time.monotonic()
        move = players[mover].best_move(start, moves, limits)
        used = 1000 * (time.monotonic() - began)
        times[mover] -= used
        worst[0] = max(worst[0], used - told)
        if times[mover] < 0 and not nodes:
            faults.append(f"{variant}: {used:.0f} ms used of {told} ms after {' '.join(moves)}")
            return len(moves)
        times[mover] += clock[1]
        if move not in state["moves"]:
            faults.append(f"{variant}: illegal {move} after {' '.join(moves)}")
            return len(moves)
        moves.append(move)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--time", type=int, default=400, help="milliseconds a side")
    parser.add_argument("--increment", type=int, default=15, help="milliseconds a move")
    parser.add_argument(
        "--nodes", type=int, help="no clocks, but so many nodes a move: on a busy machine"
    )
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    nodes = f"nodes {arguments.nodes}" if arguments.nodes else None
    rng = random.Random(arguments.seed)
    faults, worst, memory, done = [], [-1e9], [], 0
    players = [Player(options={"Hash": 16}) for _ in range(2)]
    with Analysis("--hash", 1) as referee:
        variants = [variant["name"] for variant in referee.ask(action="variants")["variants"]]
        # Round after round, so that growth shows between rounds.
        while done < arguments.games:
            for variant in variants[: max(0, arguments.games - done)]:
                known = len(faults)
                play(
                    referee,
                    players,
                    variant,
                    rng,
                    (arguments.time, arguments.increment),
                    nodes,
                    faults,
                    worst,
                )
                for fault in faults[known:]:
                    print(fault, flush=True)
                done += 1
            memory.append([resident(player) for player in players + [referee]])
            if len(memory) % 10 == 1:
                sizes = " ".join(f"{size:.0f}" for size in memory[-1])
                print(f"{done} games, {len(faults)} faults, memory {sizes} MiB", flush=True)
    for player in players:
        player.close()
    half = len(memory) // 2
    early, late = (
        max(max(sizes[:2]) for sizes in part) for part in (memory[: half + 1], memory[half:])
    )
    print(
        f"{done} games, {len(faults)} faults; highest memory of an engine: "
        f"first half {early:.1f} MiB, second half {late:.1f} MiB"
        + ("" if nodes else f"; closest clock {-worst[0]:.0f} ms")
    )
    if faults or late > 1.1 * early + 2:
        sys.exit(1)


if __name__ == "__main__":
    run(main)
