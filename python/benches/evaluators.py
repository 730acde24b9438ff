"""Cost of the search itself with a net of one's own: 512 boards at once, whose leaves make batches of 256.

Prints how full the batches were on the mean, and microseconds of processor time a leaf: selection, planes, legal
half-turns, softmax and the way back up, without the time that the net takes, which says here that all is alike.
"""

from __future__ import annotations

import time

import numpy as np
import numpy.typing as npt

from hippolyta import Board, Engine, Limit
from hippolyta.encoding import Encoding

BATCH = 256

for variant in ["amazons", "amazons6", "desdemona", "damone"]:
    actions, sizes, inside = Encoding(variant).actions, list[int](), list[float]()

    def uniform(
        planes: npt.NDArray[np.uint8],
        actions: int = actions,
        sizes: list[int] = sizes,
        inside: list[float] = inside,
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        begun = time.thread_time()
        sizes.append(len(planes))
        answer = np.zeros((len(planes), actions), np.float32), np.zeros(len(planes), np.float32)
        inside.append(time.thread_time() - begun)
        return answer

    with Engine(evaluator=uniform, batch=BATCH, hash=256) as engine:
        begun = time.process_time()
        boards = [Board(variant)] * (2 * BATCH)
        leaves = sum(info.nodes for info in engine.analyse_many(boards, Limit(nodes=200)))
        spent = time.process_time() - begun - sum(inside)
    full, each = sum(sizes) / len(sizes) / BATCH, 1e6 * spent / leaves
    print(f"{variant}: batches {full:.3f} full, {each:.1f} µs a leaf", flush=True)
