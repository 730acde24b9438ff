"""A task: a step of a run that turns input files into output files, and what became of it on a
node.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from .errors import ClusterError
from .store import Stamp

ALWAYS: tuple[str, ...] = ("learn.json", "generation-1/start.bin")
"""Files that each task of `hippolyta learn` reads: the settings, and the weights that they name."""


@dataclass(frozen=True)
class Task:
    """A step of a run.

    `arguments` go to the program, or to the net that plays in its place; `{here}` in them stands for the folder that
    has the inputs and gets the outputs, `{cores}` for the number of cores it may use. `stdin` is given to it. `units`
    are games or positions, for the progress. `cores` are those that it keeps busy at least. The same inputs give the
    same outputs, on every node and at every time.
    """

    name: str
    kind: str
    generation: int
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    units: int
    arguments: tuple[str, ...]
    stdin: bytes = b""
    cores: int = 1

    @staticmethod
    def listed(line: str) -> Task:
        """The task of one line of `hippolyta learn --tasks`. Raises ClusterError."""
        try:
            entry: dict[str, Any] = json.loads(line)
            name = str(entry["task"])
            return Task(
                name=name,
                kind=str(entry["kind"]),
                generation=int(entry.get("generation", 0)),
                inputs=(*ALWAYS, *(file for file in entry["inputs"] if file not in ALWAYS)),
                outputs=tuple(str(name) for name in entry["outputs"]),
                units=int(entry.get("units", 0)),
                arguments=("learn", "--out", "{here}", "--threads", "{cores}", "--run", name),
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ClusterError(
                f"hippolyta learn --tasks: not a task: {line.strip()[:200]}"
            ) from error


@dataclass(frozen=True)
class Outcome:
    """The result of a task on a node.

    `code` 0 is done, 75 is to be tried again, and anything else stops the run with `message`. `cpu`
    are the engine's processor seconds, `wall` the seconds from the first byte fetched to the last
    one published. `damaged` are inputs that the engine refused to read and removed. `data` is what
    it has printed, in a run without files. `trace` is the traceback of what a net raised.
    """

    task: str
    code: int
    message: str = ""
    node: str = ""
    cpu: float = 0.0
    wall: float = 0.0
    outputs: dict[str, Stamp] = field(default_factory=dict)
    damaged: tuple[str, ...] = ()
    data: bytes = b""
    trace: str = ""
