"""Cost of the search itself with a net of one's own: microseconds of processor time a leaf, without the net's.

    python benches/evaluators.py [rule set …]

For selection, planes, legal half-turns, softmax and the way back up, with a net that says that all is alike: one search
whose leaves make batches of 256, many boards at once, and games of self-play at once. In brackets, how many times the
one search's cost that is.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from hippolyta import Board, Engine, Limit
from hippolyta.encoding import Encoding
from hippolyta.training import selfplay

BATCH = 256


class Uniform:
    def __init__(self, variant: str) -> None:
        self.actions, self.calls, self.leaves, self.inside = Encoding(variant).actions, 0, 0, 0.0

    def __call__(
        self, planes: npt.NDArray[np.uint8]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        begun, count = time.thread_time(), len(planes)
        self.calls, self.leaves = self.calls + 1, self.leaves + count
        answer = np.zeros((count, self.actions), np.float32), np.zeros(count, np.float32)
        self.inside += time.thread_time() - begun
        return answer


def one(variant: str, net: Uniform) -> None:
    with Engine(evaluator=net, batch=BATCH, hash=256) as engine:
        engine.analyse(Board(variant), Limit(nodes=100_000))


def many(jobs: int) -> Callable[[str, Uniform], None]:
    def analyse(variant: str, net: Uniform) -> None:
        with Engine(evaluator=net, batch=jobs) as engine:
            boards = [Board(variant)] * max(2 * jobs, 512)
            for _ in engine.analyse_many(boards, Limit(nodes=200), jobs):
                pass

    return analyse


def games(at_once: int) -> Callable[[str, Uniform], None]:
    def play(variant: str, net: Uniform) -> None:
        with tempfile.TemporaryDirectory() as folder:
            selfplay(
                Path(folder) / "games.dat",
                variant=variant,
                games=max(2 * at_once, 128),
                nodes=200,
                longest=5,
                hash=2,
                evaluator=net,
                games_at_once=at_once,
                progress=False,
            )

    return play


WAYS = {
    "one search": one,
    **{f"{jobs} boards": many(jobs) for jobs in (1, 64, 256)},
    **{f"{at_once} games": games(at_once) for at_once in (1, 64, 256, 1024)},
}

for variant in sys.argv[1:] or ["amazons6", "amazons", "desdemona", "damone"]:
    least = 0.0
    for name, way in WAYS.items():
        net, begun = Uniform(variant), time.process_time()
        way(variant, net)
        each = 1e6 * (time.process_time() - begun - net.inside) / net.leaves
        least = least or each
        size = net.leaves / net.calls
        print(f"{variant}, {name}: {each:.2f} µs ({each / least:.1f}), {size:.0f} leaves a call")
