"""AlphaZero in PyTorch: a net plays itself in the Rust search, learns, and meets rising levels.

python alphazero.py amazons6 --minutes 60
"""

import argparse
import tempfile
import time

import torch

from hippolyta import Board, Engine, Limit, records, training
from hippolyta.encoding import Encoding

parser = argparse.ArgumentParser()
parser.add_argument("variant")
parser.add_argument("--fen", help="where games begin; by default at the start of the rule set")
parser.add_argument("--minutes", type=float, default=60)
parser.add_argument("--games", type=int, default=128, help="of a generation")
parser.add_argument("--nodes", type=int, default=64, help="evaluations of a turn")
parser.add_argument("--level", type=int, default=400, help="the first opponent's rating")
parser.add_argument("--match", type=int, default=40, help="games against it, each generation")
given = parser.parse_args()
start = Board.from_fen(given.fen or Board(given.variant).fen(), given.variant)
encoding = Encoding(given.variant, fen=start.fen())


class Net(torch.nn.Module):
    def __init__(self, filters=32):
        super().__init__()
        channels, height, width = encoding.shape
        first, second = (torch.nn.Conv2d(n, filters, 3, padding=1) for n in (channels, filters))
        self.trunk = torch.nn.Sequential(first, torch.nn.ReLU(), second, torch.nn.ReLU())
        self.policy = torch.nn.Conv2d(filters, encoding.action_shape[0], 1)
        self.value = torch.nn.Linear(filters * height * width, 1)

    def forward(self, planes):
        body = self.trunk(planes.float())
        return self.policy(body).flatten(1), torch.tanh(self.value(body.flatten(1)))[:, 0]


net = Net()
optimiser = torch.optim.Adam(net.parameters(), lr=2e-3, weight_decay=1e-4)


@torch.no_grad()
def evaluate(planes):
    return net(torch.from_numpy(planes))


def points():
    """The share that the net scores against the level, each beginning every second game."""
    score, nodes, rating = 0.0, Limit(nodes=given.nodes), Limit(elo=given.level)
    for game in range(given.match):
        board, side = start.copy(), [start.turn, start.turn.other][game % 2]
        with Engine(evaluator=evaluate, batch=1, hash=16) as own, Engine(seed=game) as level:
            while not board.is_game_over():
                player = (own, nodes) if board.turn == side else (level, rating)
                board.push(player[0].play(board, player[1]).move)
        score += {side: 1.0, None: 0.5}.get(board.outcome().winner, 0.0)
    return score / given.match


begun, files, folder = time.monotonic(), [], tempfile.mkdtemp()
while (minutes := (time.monotonic() - begun) / 60) < given.minutes:
    files.append(f"{folder}/{len(files)}.dat")
    options = {"games": given.games, "games_at_once": given.games // 2, "nodes": given.nodes}
    options |= {"variant": given.variant, "fen": given.fen, "seed": len(files), "hash": 2}
    training.selfplay(files[-1], evaluator=evaluate, **options)
    window, order = records.open(files[-8:]), {"batch_size": 256, "shuffle_seed": len(files)}
    for batch in window.torch_dataset(augment=True, **order):
        logits, values = net(batch["planes"])
        chosen = torch.log_softmax(logits, 1)[batch["row"], batch["action"]] * batch["probability"]
        loss = ((values - 2 * batch["result"] + 1) ** 2).mean() - chosen.sum() / len(values)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    score, told = points(), f"{minutes:.1f} minutes, {len(files)} generations, loss {loss:.2f}"
    print(f"{told}: {score:.2f} points against level {given.level}", flush=True)
    given.level += 100 * (score > 0.7)
