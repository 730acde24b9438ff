"""Samples as a data set of PyTorch: `records.Records.torch_dataset`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import torch
import torch.distributed
from torch.utils.data import IterableDataset, get_worker_info

from .encoding import symmetries

if TYPE_CHECKING:
    from .records import Records

__all__ = ["Samples"]

# The most workers of a loader whose epochs are counted apart.
_WORKERS = 1024


class Samples(IterableDataset[dict[str, torch.Tensor]]):
    """The batches of a share of the games."""

    def __init__(
        self,
        records: Records,
        augment: bool,
        rank: int | None,
        ranks: int | None,
        options: dict[str, Any],
    ) -> None:
        if (rank is None) != (ranks is None):
            raise ValueError("rank and ranks: give both, or none")
        if rank is not None and ranks is not None and not 0 <= rank < ranks:
            raise ValueError(f"rank: {rank} is not from 0 to {ranks - 1}")
        if "games" in options:
            raise ValueError("games: a data set divides all games; use samples(games=) for some")
        self._records, self._augment, self._options = records, augment, options
        self._place = None if rank is None or ranks is None else (rank, ranks)
        #: How often each worker has gone through it; without workers the first counts. A worker may be a new process
        #: for each epoch, or the same one for all: they share the memory of this.
        self._epochs = torch.zeros(_WORKERS, dtype=torch.int64).share_memory_()

    def __getstate__(self) -> dict[str, Any]:
        # A worker that is started anew knows nothing of the ranks.
        return {**vars(self), "_place": self._place or _place()}

    def __iter__(self) -> Iterator[dict[str, torch.Tensor]]:
        rank, ranks = self._place or _place() or (0, 1)
        worker, number = get_worker_info(), 0
        if worker is not None:
            number = worker.id
            rank, ranks = rank * worker.num_workers + number, ranks * worker.num_workers
        epoch = int(self._epochs[number % _WORKERS])
        self._epochs[number % _WORKERS] += 1
        options, seed = dict(self._options), self._options.get("shuffle_seed")
        if seed is not None:
            options["shuffle_seed"] = (seed + epoch) % 2**63
        images = symmetries(self._records.encoding(options.get("size"))) if self._augment else []
        lot = random.Random(f"{seed} {epoch} {rank}")
        games = range(rank, len(self._records), ranks)
        for batch in self._records.samples(games=games, **options):
            chosen = batch.image(lot.choice(images)) if images else batch
            arrays = {name: value for name, value in vars(chosen).items() if value is not None}
            yield {name: torch.from_numpy(array) for name, array in arrays.items()}


def _place() -> tuple[int, int] | None:
    """The rank of this process and the number of ranks, if there are several processes that learn."""
    if torch.distributed.is_available() and torch.distributed.is_initialized():
        return torch.distributed.get_rank(), torch.distributed.get_world_size()
    return None
