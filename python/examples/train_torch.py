"""Trains a small net of your own on games of self-play, in PyTorch.

hippolyta selfplay --variant amazons6 --games 500 --nodes 200 --out games.dat
python train_torch.py games.dat
"""

import sys

import torch

import hippolyta.records

records = hippolyta.records.open(sys.argv[1])
encoding = records.encoding()
channels, height, width = encoding.shape
planes, _, _ = encoding.action_shape
trunk = torch.nn.Sequential(
    torch.nn.Conv2d(channels, 32, 3, padding=1),
    torch.nn.ReLU(),
    torch.nn.Conv2d(32, 32, 3, padding=1),
    torch.nn.ReLU(),
)
policy = torch.nn.Sequential(torch.nn.Conv2d(32, planes, 1), torch.nn.Flatten())
value = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(32 * height * width, 1))
parameters = [*trunk.parameters(), *policy.parameters(), *value.parameters()]
optimiser = torch.optim.Adam(parameters, lr=1e-3)

for epoch in range(4):
    batches = records.samples(batch_size=256, shuffle_seed=epoch, dtype="float32")
    for number, batch in enumerate(batches):
        body = trunk(torch.from_numpy(batch.planes))
        logits = torch.log_softmax(policy(body), dim=1)
        row, action = torch.from_numpy(batch.row), torch.from_numpy(batch.action)
        chosen = torch.from_numpy(batch.probability) * logits[row, action]
        result = torch.from_numpy(batch.result)
        misses = torch.nn.functional.binary_cross_entropy_with_logits(value(body)[:, 0], result)
        loss = misses - chosen.sum() / len(batch)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        if number % 20 == 0:
            print(f"epoch {epoch} batch {number}: loss {loss.item():.3f}")
