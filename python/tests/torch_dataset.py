"""Checks `records.torch_dataset` where there is PyTorch: `test_records.py` runs this with such a Python."""

import sys

import torch
from torch.utils.data import DataLoader

from hippolyta import records

found = records.open(sys.argv[1])
whole = [batch for batch in found.samples(batch_size=32)]
data = found.torch_dataset(batch_size=32)
for batch, same in zip(data, whole):
    assert set(batch) == {name for name, value in vars(same).items() if value is not None}
    assert (batch["planes"].numpy() == same.planes).all()
    assert batch["probability"].dtype == torch.float32
samples = sum(map(len, whole))
assert sum(len(batch["result"]) for batch in data) == samples


def games(loader: object) -> list[int]:
    return [int(game) for batch in loader for game in batch["game"]]  # type: ignore[attr-defined]


every = sorted(game for batch in whole for game in batch.game.tolist())
shares = [games(found.torch_dataset(rank=rank, ranks=3)) for rank in range(3)]
assert all(shares) and sorted(game for share in shares for game in share) == every
loader = DataLoader(found.torch_dataset(batch_size=8), batch_size=None, num_workers=2)
assert sorted(games(loader)) == every
# With workers as without, whether they live for one epoch or for all, and whatever they begin with.
seeds = {"worker_init_fn": lambda number: torch.manual_seed(0)}
for augment in (False, True):
    told = []
    for options in ({}, {"persistent_workers": True}, {"persistent_workers": True, **seeds}, seeds):
        data = found.torch_dataset(batch_size=8, shuffle_seed=3, augment=augment)
        loader = DataLoader(data, batch_size=None, num_workers=2, **options)  # type: ignore[arg-type]
        epochs = [[batch["planes"] for batch in loader] for _ in range(3)]
        orders = [str([planes.tolist() for planes in epoch]) for epoch in epochs]
        assert len(set(orders)) == 3
        assert sorted(games(loader)) == every
        told.append(orders)
    assert all(orders == told[0] for orders in told)
# Each epoch has an order of its own, and the same one in the next run.
first, second = (found.torch_dataset(batch_size=8, shuffle_seed=3) for _ in range(2))
one, other = games(first), games(first)
assert sorted(one) == sorted(other) == every and one != other
assert (games(second), games(second)) == (one, other)
images = [
    batch["planes"] for batch in found.torch_dataset(batch_size=8, augment=True, shuffle_seed=1)
]
plain = [batch["planes"] for batch in found.torch_dataset(batch_size=8, shuffle_seed=1)]
assert any((image != same).any() for image, same in zip(images, plain))
assert all(image.sum() == same.sum() for image, same in zip(images, plain))
for wrong in ({"rank": 1}, {"rank": 3, "ranks": 3}, {"games": [1]}):
    try:
        found.torch_dataset(**wrong)
    except ValueError:
        pass
    else:
        raise AssertionError(wrong)
