"""A generation of `learn` that is done, for hooks; and the hook that writes it for TensorBoard."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .._extra import needs


@dataclass(frozen=True)
class Loss:
    """A loss after the last epoch of a fit: on the training games, and on those held out."""

    training: float
    validation: float


@dataclass(frozen=True)
class Generation:
    """The result of a generation, once its match is over.

    `number` counts from 1. `games` were played for it, in which White has scored `white` of 1.
    `losses` are those of its fit, by what was fitted: `value`, `policy`. `accepted` says whether
    the new weights won the match; they are stronger by `elo`, give or take `error` (None where the
    games do not tell). `cpu` are the processor seconds of the whole run so far. `folder` has the
    files of the generation, but for games that are in an object store.
    """

    number: int
    games: int
    white: float
    losses: dict[str, Loss]
    accepted: bool
    elo: float | None
    error: float | None
    cpu: float
    folder: Path

    @staticmethod
    def read(run: Path, number: int, cpu: float) -> Generation:
        """That of the run in a folder. Raises OSError, or ValueError and KeyError for damaged
        files.
        """
        folder = run / f"generation-{number}"
        games, losses, result = (
            json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
            for name in ("games", "losses", "result")
        )
        _, draws, wins = games["results"]
        return Generation(
            number=number,
            games=games["games"],
            white=(wins + draws / 2) / max(games["games"], 1),
            losses={
                entry["what"]: Loss(entry["training"], entry["validation"])
                for entry in losses["epochs"]  # the last one of each stays
            },
            accepted=result["accepted"],
            elo=result["elo"],
            error=result["error"],
            cpu=cpu,
            folder=folder,
        )

    def numbers(self) -> dict[str, float]:
        """Numbers that make curves over the generations, by name."""
        found: dict[str, float | None] = {
            "games/number": self.games,
            "games/white": self.white,
            "match/accepted": float(self.accepted),
            "match/elo": self.elo,
            "match/error": self.error,
            "cost/cpu_seconds": self.cpu,
        }
        for what, loss in self.losses.items():
            found[f"loss/{what}/training"] = loss.training
            found[f"loss/{what}/validation"] = loss.validation
        return {name: number for name, number in found.items() if number is not None}


class TensorBoard:
    """A hook that writes each generation for TensorBoard, into a folder of event files.

    Needs tensorboardX: the extra `hippolyta[tensorboard]`.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        with needs("TensorBoard", "tensorboard"):
            from tensorboardX import SummaryWriter
        self._writer: Any = SummaryWriter(os.fspath(folder))

    def __call__(self, generation: Generation) -> None:
        """Writes a generation, and makes it visible at once."""
        for name, number in generation.numbers().items():
            self._writer.add_scalar(name, number, generation.number)
        self._writer.flush()

    def close(self) -> None:
        """Closes the file."""
        self._writer.close()
