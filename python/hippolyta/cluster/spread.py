"""Matches, proofs and searches for rules on a cluster: `hippolyta match`, `solve` and `design`, whose games, leaves and
variations are played, searched and learned by the nodes.

A process of the program on the driver's machine owns the run and its files (see `owner`); the folder of a match or of a
proof may be kept at an address of fsspec (see `mirror`). Nodes are told all that a task depends on, and answer with what
it has found: they need no common files.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .driver import Driver, Interrupted, begun, check_address
from .errors import ClusterError, OptionError
from .journal import Journal
from .mirror import Mirror, taken_out
from .owner import Message, Owner
from .program import Program
from .progress import Progress
from .run import Cluster, Handing
from .task import Outcome, Task
from .wheels import Wheel, taken_from
from .work import scratch

UNKNOWN = {"what": "", "units": "", "done": 0, "total": 0}
"""How far a run is of which nothing was said yet."""


@dataclass
class Spreading(Handing):
    """An owner's run as the driver sees it."""

    owner: Owner
    progress: Progress
    ahead: bool
    mirror: Mirror | None = None
    _count: dict[str, Any] = field(default_factory=lambda: dict(UNKNOWN))
    _numbers: dict[str, int] = field(default_factory=dict)

    def tasks(self) -> list[Task]:
        """The tasks that the owner has handed out since the last call."""
        tasks = []
        failure = self.mirror.look(self.owner.halted) if self.mirror else None
        if failure:
            self.progress.say(failure)
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
            self.progress.print(self._named(message.line))
        elif message.remark is not None:
            self.progress.say(self._named(message.remark))

    def _named(self, text: str) -> str:
        """A text of the owner, with the address in place of the folder."""
        return self.mirror.named(text) if self.mirror else text

    def is_over(self) -> bool:
        """Whether the owner has ended."""
        return self.owner.has_ended()

    def want(self, number: int) -> None:
        """Asks for `number` tasks at a time."""
        self.owner.want(number)

    def done(self, task: Task, outcome: Outcome) -> None:
        self.owner.done(self._numbers.pop(task.name), outcome.data, outcome.node)

    def far(self, waiting: list[Task]) -> tuple[str, str, int, int]:
        said = self._count
        return said["what"], said["units"], said["done"], said["total"]


def _spread(
    command: str, arguments: Sequence[str], cluster: Cluster | None, progress: Progress | None
) -> None:
    cluster = cluster or Cluster()
    folder = scratch(cluster.scratch)
    with begun(command, cluster) as local:
        words, wheels = taken_from(arguments, folder)
        for wheel in wheels:
            wheel.unpack(folder)
        words, address = taken_out(words)
        if address and command == "design":
            raise ClusterError(
                f"--out: {address} is an address: the files of design are kept on this machine"
            )
        mirror = Mirror.of(address, cluster.storage, folder) if address else None
        out = ["--out", str(mirror.folder)] if mirror else []
        check_address(cluster.address)
        try:
            owner = Owner(Program(cluster.engine), command, [*words, *out])
            # Each leaf that is out makes the choice of the next ones worse.
            source = Spreading(owner, progress or Progress(), command != "solve", mirror)
            _hand_out(source, wheels, cluster, Journal(None, local))
        except OptionError:
            raise
        except ClusterError as error:
            if not mirror:
                raise
            raise ClusterError(mirror.named(str(error))) from error


def _hand_out(
    source: Spreading, wheels: tuple[Wheel, ...], cluster: Cluster, journal: Journal
) -> None:
    owner, progress, mirror = source.owner, source.progress, source.mirror
    try:
        with progress.waiting(f"waiting for `hippolyta {owner.command}` to prepare its tasks"):
            owner.wait_until_begun()
        if not owner.has_ended():
            if mirror:
                mirror.begin(owner.halted)
            job = cluster.job(None, owner.program, os.getcwd())
            driver = Driver(source, job, journal, progress, cluster, owner.command, wheels)
            with driver.connected():
                driver.check_nodes(None)
                driver.serve(source)
        if owner.stopped():
            raise Interrupted
    finally:
        owner.close()
        source.tasks()  # its last words
        if mirror:
            mirror.end(owner.halted)
        journal.close()
    if journal.cpu:
        progress.say("processor time by node:")
        progress.end(journal.cpu)


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
    as it has decided. An engine may be a wheel of this package: `cmd=FILE.whl`. `--out` is a folder of the driver's
    machine, or an address of fsspec to which its files are copied; `--resume` goes on with what is there. Results go to
    standard output. In the main
    thread Ctrl-C and SIGTERM end it with `Interrupted`; others hear of no signals.

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

    The driver's machine keeps the turns near the root, in the folder `--out`, which may be at an address of fsspec; a
    task searches one position below them. The folder is that of any `hippolyta solve`, which may go on with it, and so
    may the same call. Results go to standard output. In the main
    thread Ctrl-C and SIGTERM end it with `Interrupted`; others hear of no signals.

    Raises ClusterError if the proof cannot go on, OptionError if the engine does not understand
    `arguments`.
    """
    _spread("solve", arguments, cluster, progress)


def design(
    arguments: Sequence[str],
    *,
    cluster: Cluster | None = None,
    progress: Progress | None = None,
) -> None:
    """Searches variations of a rule set as `hippolyta design ARGUMENTS` does, on a Ray cluster, and returns when it is
    over.

    A task learns one variation, or plays up to sixteen of its games. The files at `--out`, on the driver's machine, have
    the same bytes as those of one process; `--resume` goes on with a search that was interrupted, here or there. Results
    go to standard output. In the main thread Ctrl-C and SIGTERM end it with `Interrupted`; others hear of no signals.

    Raises ClusterError if the search cannot go on, OptionError if the engine does not understand `arguments`.
    """
    _spread("design", arguments, cluster, progress)
