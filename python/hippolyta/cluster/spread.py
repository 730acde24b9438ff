"""Matches and proofs on a cluster: `hippolyta match` and `hippolyta solve`, whose games and leaves
are played and searched by the nodes.

A process of the program on the driver's machine owns the run and its folder (see `owner`). Nodes
are told all that a task depends on, and answer with what it has found: they need no common files.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .driver import Driver, Interrupted, Settings, connected, interruptible
from .errors import told_in_one_line
from .learn import Cluster
from .owner import Message, Owner
from .program import Program
from .progress import Count, Progress
from .store import Stamp
from .task import Outcome, Task
from .wheels import taken_from
from .work import scratch

UNKNOWN = {"what": "", "units": "", "done": 0, "total": 0}
"""How far a run is of which nothing was said yet."""


@dataclass
class Costs:
    """What a run has cost so far. It keeps no journal: what is done is in the owner's folder."""

    stamps: dict[str, Stamp] = field(default_factory=dict)
    cpu: dict[str, float] = field(default_factory=dict)

    def done(self, task: Task, outcome: Outcome) -> None:
        """Counts what a task has cost."""
        self.cpu[outcome.node] = self.cpu.get(outcome.node, 0.0) + outcome.cpu

    def note(self, what: str, **entry: Any) -> None:
        """Nothing: the progress has said it."""


@dataclass
class Spreading:
    """An owner's run as the driver sees it (see `driver.Source`)."""

    owner: Owner
    progress: Progress
    ahead: bool
    _count: dict[str, Any] = field(default_factory=lambda: dict(UNKNOWN))
    _numbers: dict[str, int] = field(default_factory=dict)

    def tasks(self) -> list[Task]:
        """The tasks that the owner has handed out since the last call."""
        tasks = []
        for message in self.owner.messages():
            if message.task:
                self._numbers[message.task.name] = message.number
                tasks.append(message.task)
            else:
                self._hear(message)
        return tasks

    def _hear(self, message: Message) -> None:
        if message.count is not None:
            self._count = message.count
        elif message.line is not None:
            self.progress.print(message.line)
        elif message.remark is not None:
            self.progress.say(message.remark)

    def is_over(self) -> bool:
        """Whether the owner has ended."""
        return self.owner.has_ended()

    def want(self, number: int) -> None:
        """Asks for so many tasks at a time."""
        self.owner.want(number)

    def done(self, task: Task, outcome: Outcome) -> None:
        self.owner.done(self._numbers.pop(task.name), outcome.data)

    def here(self, task: Task) -> Outcome | None:
        return None

    def needless(self, task: Task, listed: list[Task]) -> bool:
        return False

    def damaged(self, names: tuple[str, ...]) -> None:
        pass

    def resources(self, task: Task, largest: int) -> dict[str, Any]:
        return {"num_cpus": task.cores}

    def count(self, waiting: list[Task], flying: int, nodes: int, slots: int) -> Count:
        said = self._count
        return Count(said["what"], said["units"], said["done"], said["total"], flying, nodes, slots)


def _spread(
    command: str, arguments: Sequence[str], cluster: Cluster | None, progress: Progress | None
) -> None:
    cluster = cluster or Cluster()
    progress = progress or Progress()
    program = Program(cluster.engine)
    with told_in_one_line(command), interruptible():
        folder = scratch(cluster.scratch)
        words, wheels = taken_from(arguments, folder)
        for wheel in wheels:
            wheel.unpack(folder)
        owner = Owner(program, command, words)
        # Each leaf that is out makes the choice of the next ones worse.
        source = Spreading(owner, progress, ahead=command != "solve")
        try:
            with progress.waiting(f"waiting for `hippolyta {command}` to prepare its tasks"):
                owner.wait_until_begun()
            costs = Costs()
            if not owner.has_ended():
                job = cluster.job(None, program, os.getcwd())
                with connected(cluster.address, progress):
                    settings = Settings(cluster.address, cluster.retries, command)
                    driver = Driver(source, job, costs, progress, settings, wheels)
                    try:
                        driver.check_nodes(None)
                        driver.serve(source)
                    finally:
                        driver.cancel()
            if owner.stopped():
                raise Interrupted
        finally:
            owner.close()
            source.tasks()  # its last words
    if costs.cpu:
        progress.say("processor time by node:")
        progress.end(costs.cpu)


def match(
    arguments: Sequence[str],
    *,
    cluster: Cluster | None = None,
    progress: Progress | None = None,
) -> None:
    """Plays `hippolyta match ARGUMENTS` on a Ray cluster, and returns when it is over.

    A game is a task, and has as many cores to itself as its engines have threads. Games are counted
    in their order, so results and files are those of one process that plays one game at a time: all
    that a game depends on is the same, but for clocks. With a test (`--sprt`) all games end as soon
    as it has decided. An engine may be a wheel of this package: `cmd=FILE.whl`. `--out` is a folder of the driver's machine; `--resume` goes on with what is
    there. Results go to standard output. Call it from the main thread: Ctrl-C and SIGTERM end it
    with `Interrupted`.

    Raises ClusterError if the match cannot go on, OptionError if the engine does not understand
    `arguments`.
    """
    _spread("match", arguments, cluster, progress)


def solve(
    arguments: Sequence[str],
    *,
    cluster: Cluster | None = None,
    progress: Progress | None = None,
) -> None:
    """Proves who wins as `hippolyta solve ARGUMENTS` does, on a Ray cluster, and returns when it is
    known.

    The driver's machine keeps the turns near the root, in the folder `--out`; a task searches one
    position below them. The folder is that of any `hippolyta solve`, which may go on with it, and
    so may the same call. Results go to standard output. Call it from the main thread: Ctrl-C and
    SIGTERM end it with `Interrupted`.

    Raises ClusterError if the proof cannot go on, OptionError if the engine does not understand
    `arguments`.
    """
    _spread("solve", arguments, cluster, progress)
