"""A game of one's own, AlphaZero on it, and a match against the built-in learner.

python invent.py --minutes 10
"""

import argparse
import os
import sys
import tempfile
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # for so small a net threads cost more

import numpy as np

from hippolyta import Board, Engine, Limit, Rules, nets, training
from hippolyta.encoding import Encoding, symmetries

RULES = Rules("""
[duels]
start = "q3q/5/5/5/Q3Q w"
moves = "Q"
fires = "K"
""")
ENCODING = Encoding(RULES)


class Net:
    """Two layers, which learn policies and results by Adam."""

    def __init__(self, width=128):
        lot, inputs = np.random.default_rng(1), int(np.prod(ENCODING.shape))
        shapes = {
            "hidden": (inputs, width),
            "policy": (width, ENCODING.actions),
            "value": (width, 1),
        }
        scales = {"hidden": (2 / inputs) ** 0.5, "policy": 0.05, "value": 0.05}
        self.weights = {
            name: (scales[name] * lot.standard_normal(shape)).astype(np.float32)
            for name, shape in shapes.items()
        }

    def forward(self, planes):
        flat = planes.reshape(len(planes), -1).astype(np.float32)
        units = np.maximum(flat @ self.weights["hidden"], 0)
        return flat, units, units @ self.weights["policy"], np.tanh(units @ self.weights["value"])

    def __call__(self, planes):
        return self.forward(planes)[2:]

    def fit(self, games):
        images, lot = symmetries(games.encoding()), np.random.default_rng(2)
        means = {name: np.zeros_like(array) for name, array in self.weights.items()}
        squares = {name: np.zeros_like(array) for name, array in self.weights.items()}
        for step, batch in enumerate(games.samples(batch_size=256, shuffle_seed=1), 1):
            for name, slope in self.slopes(batch.image(lot.choice(images))).items():
                means[name] += 0.1 * (slope - means[name])
                squares[name] += 0.001 * (slope**2 - squares[name])
                mean, square = means[name] / (1 - 0.9**step), squares[name] / (1 - 0.999**step)
                self.weights[name] -= 1e-3 * mean / (np.sqrt(square) + 1e-8)

    def slopes(self, batch):
        """The slopes of the loss: cross-entropy of the policy, squared error of the value."""
        flat, units, logits, values = self.forward(batch.planes)
        policy = np.exp(logits - logits.max(1, keepdims=True))
        policy /= policy.sum(1, keepdims=True)
        policy -= batch.policy(ENCODING.actions)
        # Half of the value's aim is the result, half what the search expected.
        error = values - (batch.result + batch.score - 1)[:, None]
        worth = 2 * error * (1 - values**2)
        back = (policy @ self.weights["policy"].T + worth @ self.weights["value"].T) * (units > 0)
        slopes = {"hidden": flat.T @ back, "policy": units.T @ policy, "value": units.T @ worth}
        return {name: slope / len(values) for name, slope in slopes.items()}

    def save(self, path):
        with open(path, "wb") as file:
            np.savez(file, **self.weights)

    def load(self, path):
        self.weights = dict(np.load(path))


def main(words):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--games", type=int, default=512, help="of a generation")
    parser.add_argument("--nodes", type=int, default=64, help="evaluations of a turn")
    parser.add_argument("--pairs", type=int, default=50, help="pairs of games of a match")
    given, begun, folder = parser.parse_args(words), time.monotonic(), tempfile.mkdtemp()
    print(*RULES.sentences, sep="\n")
    print(Board(RULES))

    def told(done):
        minutes, kept = (
            (time.monotonic() - begun) / 60,
            "goes on" if done.accepted else "is dropped",
        )
        print(f"{minutes:.1f} minutes: net {done.number} {kept}, {done.pairing.score:.2f} points")

    options = {"variant": RULES, "games": given.games, "nodes": given.nodes}
    own = {**options, "gate_pairs": given.pairs, "hash": 1, "on_generation": told}
    own |= {"window": 8, "sprt": training.Sprt(-50, 0)}  # a net goes on unless it is worse
    generations = 0
    while (time.monotonic() - begun) / 60 < 0.9 * given.minutes:
        generations += 1
        net = nets.learn(f"{folder}/net", Net, generations=generations, **own)
    training.learn(
        f"{folder}/built-in",
        generations=2,
        gate_games=given.pairs,
        calibration_games=0,
        progress=False,
        **options,
    )
    with (
        Engine(evaluator=net, batch=64, hash=16) as own,
        Engine(eval_file=f"{folder}/built-in/weights.bin", hash=16) as learned,
    ):
        limit, names = Limit(nodes=given.nodes), ("the net", "the built-in learner")
        print(nets.match(own, learned, limit, names=names, variant=RULES, pairs=given.pairs).text)
    print(f"{(time.monotonic() - begun) / 60:.1f} minutes")


if __name__ == "__main__":
    main(sys.argv[1:])
