"""What all runs have in common: where they work, what the driver sees of them, and how one is begun and ended."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .._hippolyta import whole
from .program import Program
from .task import Outcome, Task
from .work import Job, scratch


@dataclass(frozen=True)
class Cluster:
    """Where a run works and keeps its files.

    `address` is that of the Ray cluster: `auto`, `host:port`, or `local` for one on this machine. A process that is
    connected to a cluster already, as after `ray.init()` and in an actor, uses that connection and leaves it as it is.
    `engine` is the path of the program on every node; None: that of the package. `storage` are
    options for fsspec. `scratch` is a folder for temporary files on every node, `cache` the most
    bytes a node keeps there of files that it fetched. `retries` is how often a task may fail in a
    row.
    """

    address: str = "auto"
    engine: str | None = None
    storage: dict[str, Any] = field(default_factory=dict)
    scratch: str | None = None
    cache: int = 4 << 30
    retries: int = 10

    def __post_init__(self) -> None:
        whole("cache", self.cache, 1, 2**63 - 1)
        whole("retries", self.retries, 0, 2**31 - 1)

    def job(self, store: str | None, program: Program, here: str | None = None) -> Job:
        """The settings that the nodes are told. Takes a second, for the engine's build."""
        where = str(Path(store).absolute()) if store and "://" not in store else store
        build = program.build_known(scratch(self.scratch))
        return Job(where, build, self.engine, self.storage, self.scratch, self.cache, here)

    @contextmanager
    def folder(self) -> Iterator[Path]:
        """A folder of the driver's own for as long as it runs."""
        base = scratch(self.scratch)
        base.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="driver-", dir=base) as folder:
            yield Path(folder)


class Run:
    """A run as the driver sees it."""

    def tasks(self) -> list[Task]:
        """The tasks that could run now: their inputs exist, their outputs do not. None: the run is
        over.
        """
        raise NotImplementedError

    def done(self, task: Task, outcome: Outcome) -> None:
        """The outputs of `task` exist now."""
        raise NotImplementedError

    def here(self, task: Task) -> Outcome | None:
        """Does the task itself, without a node, if it is one of those."""
        return None

    def needless(self, task: Task, listed: list[Task]) -> bool:
        """Whether `task` is no longer needed, if `listed` are the tasks that could run now."""
        return False

    def damaged(self, names: tuple[str, ...]) -> None:
        """Files cannot be read: removes them, so that they are made again."""

    def far(self, waiting: list[Task]) -> tuple[str, str, int, int]:
        """How far the run is, if `waiting` are the tasks that are listed and not done: what goes on, what is
        counted, how many of these are done, and how many there are in all.
        """
        raise NotImplementedError

    def resources(self, task: Task, largest: int) -> dict[str, Any]:
        """Resources of a node that a task needs, as options of Ray. `largest` are the cores of the
        largest node.
        """
        return {"num_cpus": task.cores}


class Handing(Run):
    """A run that hands out its tasks as it learns what was found.

    `ahead` says whether a task should wait for each slot. If not, tasks are better chosen the later
    they are.
    """

    ahead: bool

    def want(self, number: int) -> None:
        """Asks for `number` tasks at a time."""
        raise NotImplementedError

    def is_over(self) -> bool:
        """Whether it is over: what is out is of no use any more."""
        raise NotImplementedError
